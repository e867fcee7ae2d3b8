"""Intervals and label sets against their definitions in NumPy, and against the command's."""

import json

import numpy as np
import pytest
from conftest import blobs
from test_command_line import write_csv

import weft


def numbers(rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (rows, 3))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] + rng.exponential(size=rows)


def rank(scores, level):
    """The ⌈(n + 1)·level⌉-th smallest."""
    return np.sort(scores)[int(np.ceil(round((len(scores) + 1) * level, 9))) - 1]


def test_given_rows_are_split_conformal():
    X, y = numbers(300, 0)
    other, truth = numbers(199, 1)
    fresh, target = numbers(4000, 2)
    model = weft.RandomFeatureRegressor(n_features=50).fit(X, y)
    ends = model.predict_interval(fresh, 0.8, calibrate=(other, truth))
    residuals = truth - model.predict(other)
    guess = model.predict(fresh)
    np.testing.assert_allclose(ends[:, 0], guess - rank(-residuals, 0.9))
    np.testing.assert_allclose(ends[:, 1], guess + rank(residuals, 0.9))
    inside = np.mean((ends[:, 0] <= target) & (target <= ends[:, 1]))
    assert abs(inside - 0.8) < 4 * np.sqrt(0.16 * (1 / 199 + 1 / 4000))


@pytest.mark.parametrize("estimator", [weft.Regressor(), weft.RandomFeatureRegressor(n_features=60), weft.KernelRidge()])
def test_intervals_of_a_fit_cover_new_rows(estimator):
    X, y = numbers(500, 3)
    fresh, target = numbers(3000, 4)
    model = estimator.fit(X, y)
    assert model.model_.has_intervals
    narrow, wide = (model.predict_interval(fresh, level) for level in (0.5, 0.9))
    assert wide.shape == (3000, 2) and np.all(wide[:, 0] <= narrow[:, 0]) and np.all(narrow[:, 1] <= wide[:, 1])
    for ends, level in ((narrow, 0.5), (wide, 0.9)):
        inside = np.mean((ends[:, 0] <= target) & (target <= ends[:, 1]))
        assert abs(inside - level) < 4 * np.sqrt(level * (1 - level) * (1 / 500 + 1 / 3000)) + 0.01


def test_several_targets_have_an_interval_each():
    X, y = numbers(200, 5)
    model = weft.RandomFeatureRegressor(n_features=30).fit(X, np.column_stack([y, -2 * y]))
    ends = model.predict_interval(X)
    assert ends.shape == (200, 2, 2)
    np.testing.assert_allclose(ends[:, 1, 0], -2 * ends[:, 0, 1], rtol=1e-6)


@pytest.mark.parametrize("by_class", [False, True])
def test_sets_of_given_rows(by_class):
    X, y = blobs(classes=3)
    X = X + 2 * np.random.default_rng(1).normal(size=X.shape)
    labels = np.array(["cat", "ant", "bee"])[y]
    model = weft.RandomFeatureClassifier(n_features=40, lam=1e-3).fit(X[::2], labels[::2])
    other, truth = X[1::2], labels[1::2]
    sets = model.predict_set(X, 0.8, by_class=by_class, calibrate=(other, truth))
    is_class = truth[:, None] == model.classes_
    scores = 1 - model.predict_proba(other)[is_class]
    p = model.predict_proba(X)
    for k in range(3):
        most = rank(scores[is_class[:, k]] if by_class else scores, 0.8)
        np.testing.assert_array_equal(sets[:, k], (1 - p[:, k] <= most) | (p.argmax(axis=1) == k))


def test_the_command_gives_the_same(command, tmp_path):
    X, y = numbers(300, 6)
    model = weft.RandomFeatureRegressor(n_features=30).fit(X, y)
    model.save(tmp_path / "m.weft")
    write_csv(tmp_path / "rows.csv", X, y)
    found = json.loads(command("evaluate", "m.weft", "rows.csv", "--target", "target", "--interval", "0.9", "--json"))
    ends = model.predict_interval(X)
    assert found["coverage"] == pytest.approx(np.mean((ends[:, 0] <= y) & (y <= ends[:, 1])))
    assert found["mean_width"] == pytest.approx(np.mean(ends[:, 1] - ends[:, 0]))


def test_models_without_scores_name_the_remedy():
    X, y = numbers(200, 7)
    model = weft.RandomFeatureRegressor(n_features=20).partial_fit(X, y)
    with pytest.raises(ValueError, match="calibrate"):
        model.predict_interval(X)
    assert model.predict_interval(X, calibrate=(X, y)).shape == (200, 2)


def test_certify_takes_held_out_rows():
    from scipy.stats import beta

    X, y = blobs(classes=2)
    X = X + 2 * np.random.default_rng(1).normal(size=X.shape)
    model = weft.RandomFeatureClassifier(n_features=40).fit(X[::2], y[::2])
    plain = weft.certify(model, X[::2], y[::2], held_out=(X[1::2], y[1::2]), delta=0.1)["held_out"]
    wrong = int(np.sum(model.predict(X[1::2]) != y[1::2]))
    assert plain["bound"] == pytest.approx(beta.ppf(0.9, wrong + 1, len(y[1::2]) - wrong))
    assert weft.certify(model, X[::2], y[::2])["held_out"]["by"] == "leaving one out"
