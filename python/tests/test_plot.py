"""What is drawn is what was computed."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import wave

import weft

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

import weft.plot  # noqa: E402

X, Y = wave(300)


@pytest.fixture(scope="module")
def search():
    return weft.RandomFeatureRegressorCV(n_features=40, configurations=3, folds=3).fit(X, Y)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def drawn(ax, line=0):
    return np.column_stack(ax.lines[line].get_data())


def test_learning_curve(search):
    ax = weft.plot.learning_curve(search)
    assert np.array_equal(drawn(ax), search.feature_curve_[:, [0, 2]])
    recommended = search.feature_curve_[search.search_["recommended"], 0]
    assert ax.lines[1].get_xdata()[0] == recommended
    assert ax.get_xlabel() == "features" and ax.get_ylabel() == "mse" and ax.get_xscale() == "log"
    band = ax.collections[0].get_paths()[0].vertices
    score, error = search.feature_curve_[0, 2:]
    assert np.isclose(band[np.isclose(band[:, 0], search.feature_curve_[0, 0]), 1], score - error).any()


def test_path_of_a_search(search):
    ax = weft.plot.path(search)
    best = search.search_["trials"][search.search_["best"]]
    path = np.array(best["path"])
    assert len(path) == 17 and np.array_equal(drawn(ax), path[:, [1, 2]])
    assert path[:, 2].min() == best["score"] and path[path[:, 2].argmin(), 1] == best["lambda"]
    assert ax.lines[1].get_xdata()[0] == best["lambda"]


def test_path_of_a_pruned_model():
    model = weft.RandomFeatureRegressor(family="rw-relu", n_features=60, lam=1e-4).fit(X, Y)
    small = weft.prune(model, X, Y, epsilon=0.05)
    ax = weft.plot.path(small)
    steps = np.array(sorted((step["lambda"], step["kept"], step["accepted"]) for step in small.pruning_["path"]))
    assert np.array_equal(drawn(ax), steps[:, :2])
    accepted = ax.collections[0].get_offsets()
    assert np.array_equal(np.asarray(accepted), steps[steps[:, 2] == 1][:, :2])


def test_activation():
    model = weft.LearnedActivationRegressor(n_features=20, lam=1e-5, grid_points=12, basis="rbf").fit(X, Y)
    curve = drawn(weft.plot.activation(model, points=11))
    assert len(curve) == 11 and np.ptp(curve[:, 1]) > 0
    relu = weft.RandomFeatureRegressor(family="rw-relu:10+rks-cos:10", n_features=20).fit(X, Y)
    ax = weft.plot.activation(relu, interval=(-2, 2))
    assert [line.get_label() for line in ax.lines] == ["relu", "cos"]
    z, h = ax.lines[0].get_data()
    assert np.array_equal(h, np.maximum(z, 0))
    assert np.allclose(ax.lines[1].get_ydata(), np.cos(z))


def test_leverage_histogram():
    features = weft.RandomFeatures(n_features=10)
    ax = weft.plot.leverage_histogram(features, X, lam=[1e-2, 1e-4], bins=7)
    heights = [patch.get_height() for patch in ax.patches]
    scores = weft.leverage(features, X, [1e-2, 1e-4])
    assert np.array_equal(heights[:7], np.histogram(scores[0]["scores"], bins=7)[0])
    assert len(heights) == 14 and sum(heights) == 200


def test_arrays_and_axes_of_the_users_own():
    _, ax = plt.subplots()
    rows = np.array([[1.0, 3.0, 0.1], [10.0, 2.0, 0.1]])
    assert weft.plot.learning_curve(rows, ax=ax) is ax
    assert np.array_equal(drawn(ax), rows[:, :2])
    assert np.array_equal(drawn(weft.plot.path(rows[:, :2])), rows[:, :2])
    assert np.array_equal(drawn(weft.plot.activation(rows[:, :2])), rows[:, :2])
    assert len(weft.plot.leverage_histogram([0.1, 0.2], bins=4).patches) == 4


def test_what_cannot_be_drawn():
    kernel = weft.KernelRidge().fit(X, Y)
    for call, message in [
        (lambda: weft.plot.activation(kernel), "kernel machine"),
        (lambda: weft.plot.path(kernel), "prune"),
        (lambda: weft.plot.learning_curve([1, 2]), "rows of 2 to 3"),
        (lambda: weft.plot.leverage_histogram(weft.RandomFeatures()), "X is required"),
        (lambda: weft.plot.learning_curve(weft.RandomFeatureRegressorCV()), "not fitted"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def test_without_matplotlib_the_rest_works():
    code = """
import sys
sys.modules["matplotlib"] = None
import weft
try:
    import weft.plot
except ImportError as error:
    assert "pip install matplotlib" in str(error)
else:
    raise SystemExit("imported")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
