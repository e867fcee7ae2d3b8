"""The same options and seed give the same bits here and in the command line, and files go both ways."""

import csv

import numpy as np
import pytest
from conftest import blobs, wave

import weft

REGRESSORS = [
    (weft.RandomFeatureRegressor(n_features=150), []),
    (weft.RandomFeatureRegressor(n_features=50, lam=1e-3, random_state=7, sigma=0.7), ["--sigma", "0.7"]),
    (weft.RandomFeatureRegressor(n_features=60, family="rw-relu", theta=0.4, regularizer="l2p"), ["--theta", "0.4"]),
    (weft.RandomFeatureRegressor(n_features=80, algorithm="lasso", family="rks-cos"), []),
    (weft.RandomFeatureRegressor(n_features=50, scale="minmax", bias=False, precision="single"), []),
    (weft.RandomFeatureRegressor(n_features=40, sampling="leverage"), []),
    (weft.KernelRidge(kernel="rbf", bandwidth=0.8, landmarks=60), []),
    (weft.LearnedActivationRegressor(n_features=40, lam=1e-4, grid_points=12), []),
    (weft.RandomFeatureRegressorCV(n_features=60, configurations=3), ["--auto"]),
]

OPTION = {"n_features": "features", "lam": "lambda", "random_state": "seed", "algorithm": "fit"}
FIT = {"KernelRidge": "kernel-ridge", "LearnedActivation": "learned-activation"}


def arguments_of(estimator):
    """The options that were given, as the command line takes them."""
    arguments = []
    defaults = type(estimator)().get_params()
    for name, value in estimator.get_params().items():
        option = "--" + OPTION.get(name, name).replace("_", "-")
        if value is False and defaults[name] is True:
            arguments.append("--no-" + option[2:])
        elif value is True and defaults[name] is False:
            arguments.append(option)
        elif value != defaults[name]:
            arguments += [option, str(value)]
    for prefix, fit in FIT.items():
        if type(estimator).__name__.startswith(prefix):
            arguments += ["--fit", fit]
    return arguments


def write_csv(path, X, y):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{j}" for j in range(X.shape[1])] + ["target"])
        for row, target in zip(X.tolist(), y.tolist()):
            writer.writerow([*map(repr, row), target if isinstance(target, str) else repr(target)])


@pytest.mark.parametrize("estimator, extra", REGRESSORS, ids=lambda value: str(value)[:60])
def test_regressions_have_the_same_bits(estimator, extra, command, tmp_path):
    X, y = wave(2500)
    write_csv(tmp_path / "train.csv", X, y)
    arguments = arguments_of(estimator) + [word for word in extra if word == "--auto"]
    command("train", "train.csv", "--target", "target", "--task", "regression", "--model", "m.weft", *arguments)
    command("predict", "m.weft", "train.csv", "--out", "p.npy")
    expected = np.load(tmp_path / "p.npy").ravel()
    assert np.array_equal(estimator.fit(X, y).predict(X), expected)
    assert np.array_equal(weft.load(tmp_path / "m.weft").predict(X), expected)


@pytest.mark.parametrize(
    "estimator",
    [
        weft.RandomFeatureClassifier(n_features=60),
        weft.RandomFeatureClassifier(n_features=60, algorithm="logistic", lam=1e-3),
        weft.RandomFeatureClassifier(n_features=60, calibrate=True, class_weights="balanced"),
        weft.LearnedActivationClassifier(n_features=30, lam=1e-3),
        weft.KernelRidgeClassifier(),
    ],
    ids=lambda estimator: str(estimator)[:60],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_classes_and_probabilities_are_the_same(estimator, classes, command, tmp_path):
    X, y = blobs(classes=classes)
    labels = np.array(["ant", "bee", "cat"])[y]
    write_csv(tmp_path / "train.csv", X, labels)
    command("train", "train.csv", "--target", "target", "--model", "m.weft", *arguments_of(estimator))
    estimator.fit(X, labels)
    proba = hasattr(estimator, "predict_proba")
    command("predict", "m.weft", "train.csv", "--out", "p.csv", *(["--proba"] if proba else []))
    with open(tmp_path / "p.csv") as file:
        rows = list(csv.reader(file))[1:]
    assert estimator.predict(X).tolist() == [row[0] for row in rows]
    if proba:
        expected = np.array([[float(cell) for cell in row[1:]] for row in rows])
        assert np.array_equal(estimator.predict_proba(X), expected)
    loaded = weft.load(tmp_path / "m.weft")
    assert loaded.classes_.tolist() == estimator.classes_.tolist()
    assert np.array_equal(loaded.decision_function(X), estimator.decision_function(X))


def test_a_model_saved_here_opens_there(command, tmp_path):
    X, y = wave()
    model = weft.RandomFeatureRegressor(n_features=50).fit(X, y)
    model.save(tmp_path / "m.weft")
    np.save(tmp_path / "X.npy", X)
    command("predict", "m.weft", "X.npy", "--out", "p.npy")
    assert np.array_equal(np.load(tmp_path / "p.npy").ravel(), model.predict(X))
    assert "least-squares" in command("info", "m.weft")


def test_loaded_parameters_are_those_of_the_fit(command, tmp_path):
    command("generate", "friedman1", "--rows", "200", "--out", "d.csv")
    command("train", "d.csv", "--target", "target", "--features", "30", "--lambda", "0.001", "--seed", "9",
            "--family", "rw-sign", "--no-bias", "--model", "m.weft")  # fmt: skip
    loaded = weft.load(tmp_path / "m.weft")
    assert isinstance(loaded, weft.RandomFeatureRegressor)
    parameters = loaded.get_params()
    assert parameters["n_features"] == 30 and parameters["lam"] == 0.001 and parameters["random_state"] == 9
    assert parameters["family"] == "rw-sign" and parameters["bias"] is False
    assert loaded.n_features_in_ == 10


def test_numbers_as_classes_come_back_as_numbers(tmp_path):
    X, y = blobs()
    model = weft.RandomFeatureClassifier(n_features=30).fit(X, y + 8)
    model.save(tmp_path / "m.weft")
    loaded = weft.load(tmp_path / "m.weft")
    assert loaded.classes_.tolist() == [8, 9, 10]
    assert np.array_equal(loaded.predict(X), model.predict(X))


def test_categories_go_both_ways(command, tmp_path):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.normal(size=200), "colour": rng.choice(["red", "green", "blue"], 200)})
    y = pd.Series(frame["size"] * (frame["colour"] == "red") + rng.normal(size=200) * 0.01, name="price")
    pd.concat([frame, y], axis=1).to_csv(tmp_path / "d.csv", index=False, float_format=lambda value: repr(float(value)))
    model = weft.RandomFeatureRegressor(n_features=60).fit(frame, y)
    command("train", "d.csv", "--target", "price", "--features", "60", "--model", "m.weft")
    command("predict", "m.weft", "d.csv", "--out", "p.npy")
    assert np.array_equal(np.load(tmp_path / "p.npy").ravel(), model.predict(frame))
    loaded = weft.load(tmp_path / "m.weft")
    assert list(loaded.feature_names_in_) == ["size", "colour"]
    assert np.array_equal(loaded.predict(frame), model.predict(frame))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int16"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_archives_of_numpy(save, dtype, order, command, tmp_path):
    X, y = wave(5000)
    X = np.asarray((100 * X).astype(dtype), order=order)
    save(tmp_path / "d.npz", X=X, y=y)
    write_csv(tmp_path / "d.csv", X.astype("float64"), y)
    command("features", "d.npz", "--family", "rw-relu", "--features", "5", "--drop", "y", "--out", "a.npy")
    command("features", "d.csv", "--family", "rw-relu", "--features", "5", "--drop", "target", "--out", "b.npy")
    assert np.array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))
    command("train", "d.npz", "--target", "y", "--features", "5", "--model", "m.weft")


def test_compressed_tables(command, tmp_path):
    pandas = pytest.importorskip("pandas")
    command("generate", "friedman1", "--rows", "5000", "--out", "d.csv")
    expected = pandas.read_csv(tmp_path / "d.csv")
    for name in ["d.csv.gz", "d.tsv", "d.tsv.gz"]:
        command("generate", "friedman1", "--rows", "5000", "--out", name)
        assert pandas.read_csv(tmp_path / name, sep="\t" if "tsv" in name else ",").equals(expected)
