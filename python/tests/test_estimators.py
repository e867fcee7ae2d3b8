"""What the estimators promise beyond scikit-learn's battery."""

import copy
import io
import pickle
import types

import joblib
import numpy as np
import pytest
from conftest import blobs, wave
from sklearn.base import clone, is_classifier
from sklearn.metrics.pairwise import rbf_kernel

import weft

X, Y = wave()
POINTS, CLASSES = blobs()

SMALL = [
    weft.RandomFeatureRegressor(n_features=30),
    weft.RandomFeatureRegressorCV(n_features=30, configurations=2),
    weft.KernelRidge(landmarks=20),
    weft.KernelRidgeCV(landmarks=20, configurations=1),
    weft.LearnedActivationRegressor(n_features=20, grid_points=8, lam=1e-3),
    weft.RandomFeatureClassifier(n_features=30, calibrate=True),
    weft.RandomFeatureClassifierCV(n_features=30, configurations=2),
    weft.KernelRidgeClassifier(),
    weft.LearnedActivationClassifier(n_features=20, grid_points=8, lam=1e-3, iterations=3),
]


def data_for(estimator):
    return (POINTS, CLASSES) if is_classifier(estimator) else (X, Y)


def answers(estimator, inputs):
    found = [estimator.predict(inputs)]
    for method in ("decision_function", "predict_proba"):
        if hasattr(estimator, method):
            found.append(getattr(estimator, method)(inputs))
    return found


def same(left, right):
    return len(left) == len(right) and all(np.array_equal(a, b) for a, b in zip(left, right))


@pytest.mark.parametrize("estimator", SMALL, ids=str)
def test_copies_give_the_same_answers(estimator, tmp_path):
    inputs, target = data_for(estimator)
    model = clone(estimator).fit(inputs, target)
    expected = answers(model, inputs)
    dumped = io.BytesIO()
    joblib.dump(model, dumped)
    dumped.seek(0)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), joblib.load(dumped)):
        assert same(answers(other, inputs), expected)
    model.save(tmp_path / "m.weft")
    loaded = weft.load(tmp_path / "m.weft")
    assert same(answers(loaded, inputs), expected)
    assert same(answers(clone(model).fit(inputs, target), inputs), expected)


@pytest.mark.parametrize("estimator", [*SMALL, weft.RandomFeatures()], ids=str)
def test_parameters_go_in_and_out(estimator):
    for name, value in estimator.get_params().items():
        assert getattr(estimator, name) == value
    other = clone(estimator).set_params(sigma=0.5, n_jobs=2)
    assert other.get_params()["sigma"] == 0.5 and estimator.sigma == 1
    with pytest.raises(ValueError):
        other.set_params(nonsense=1)


def test_importances_are_the_shares_of_the_relevances():
    model = weft.RandomFeatureRegressor(n_features=30)
    assert not hasattr(model, "feature_importances_")
    assert not hasattr(model.fit(X, Y), "feature_importances_")  # this fit learns no relevance
    for relevance, shares in [([1, 0.25, 0], [0.8, 0.2, 0]), ([0, 0], [0, 0])]:
        model._model = types.SimpleNamespace(relevance=relevance)
        assert np.allclose(model.feature_importances_, shares)


def test_several_outputs_share_the_features():
    inputs, targets = wave(outputs=3)
    model = weft.RandomFeatureRegressor(n_features=50, lam=1e-4).fit(inputs, targets)
    assert model.predict(inputs).shape == targets.shape
    for k in range(3):
        one = weft.RandomFeatureRegressor(n_features=50, lam=1e-4).fit(inputs, targets[:, k])
        np.testing.assert_allclose(model.predict(inputs)[:, k], one.predict(inputs), atol=1e-8)


def test_weights_are_repetitions():
    rng = np.random.default_rng(1)
    weights = rng.integers(1, 4, len(Y))
    weighted = weft.RandomFeatureRegressor(n_features=30, lam=1e-3, scale="none").fit(X, Y, sample_weight=weights)
    repeated = weft.RandomFeatureRegressor(n_features=30, lam=1e-3, scale="none")
    repeated.fit(np.repeat(X, weights, axis=0), np.repeat(Y, weights))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-8)


def test_rows_without_weight_are_no_rows():
    weights = (np.arange(len(Y)) % 3 > 0).astype(float)
    some = weft.RandomFeatureRegressor(n_features=30).fit(X, Y, sample_weight=weights)
    kept = weft.RandomFeatureRegressor(n_features=30).fit(X[weights > 0], Y[weights > 0])
    np.testing.assert_allclose(some.predict(X), kept.predict(X), atol=1e-6)
    with pytest.raises(ValueError, match="weight"):
        weft.RandomFeatureRegressor().fit(X, Y, sample_weight=np.zeros(len(Y)))
    with pytest.raises(ValueError, match="weight"):
        weft.RandomFeatureRegressor().fit(X, Y, sample_weight=-np.ones(len(Y)))


@pytest.mark.parametrize("sizes", [[400], [7, 150, 243], [50] * 8])
@pytest.mark.parametrize("lam", [None, 1e-4])
def test_batches_are_the_fit_on_all_rows(sizes, lam):
    """With the inputs as they are, the first batch has nothing to settle: the fits are the same."""
    model = weft.RandomFeatureRegressor(n_features=50, lam=lam, scale="none")
    whole = clone(model).fit(X, Y)
    first = 0
    for size in sizes:
        model.partial_fit(X[first : first + size], Y[first : first + size])
        first += size
    np.testing.assert_allclose(model.predict(X), whole.predict(X), atol=1e-6)
    assert model.lam_ == pytest.approx(whole.lam_)


def test_batches_of_classes():
    order = np.argsort(CLASSES, kind="stable")  # every batch has one class only
    model = weft.RandomFeatureClassifier(n_features=40, lam=1e-3, scale="none")
    whole = clone(model).fit(POINTS, CLASSES)
    with pytest.raises(ValueError, match="classes"):
        model.partial_fit(POINTS, CLASSES)
    for rows in np.array_split(order, 3):
        model.partial_fit(POINTS[rows], CLASSES[rows], classes=[0, 1, 2])
    np.testing.assert_allclose(model.decision_function(POINTS), whole.decision_function(POINTS), atol=1e-6)
    with pytest.raises(ValueError):
        model.partial_fit(POINTS, CLASSES + 1)
    labels = np.array(["b", "a", "c"])[CLASSES]
    texts = clone(model).partial_fit(POINTS, labels, classes=["a", "b", "c"])
    assert (texts.predict(POINTS) == labels).mean() > 0.9
    with pytest.raises(ValueError, match="class"):
        texts.partial_fit(POINTS, np.full(len(POINTS), "d"))


def test_batches_go_on_after_predictions_but_not_after_a_pickle():
    model = weft.RandomFeatureRegressor(n_features=50, lam=1e-4, scale="none")
    model.partial_fit(X[:200], Y[:200])
    early = model.predict(X)
    model.partial_fit(X[200:], Y[200:])
    assert not np.array_equal(model.predict(X), early)
    assert model.model_.provenance["rows"] == str(len(X))
    thawed = pickle.loads(pickle.dumps(model))
    assert np.array_equal(thawed.predict(X), model.predict(X))
    with pytest.warns(UserWarning, match="starts again"):
        thawed.partial_fit(X[:200], Y[:200])
    assert np.array_equal(thawed.predict(X), early)
    refitted = model.fit(X, Y)
    assert np.array_equal(refitted.predict(X), clone(model).fit(X, Y).predict(X))


def test_batches_are_for_least_squares():
    assert not hasattr(weft.RandomFeatureRegressor(algorithm="lasso"), "partial_fit")
    with pytest.raises(ValueError, match="sampling"):
        weft.RandomFeatureRegressor(sampling="leverage").partial_fit(X, Y)
    with pytest.raises(ValueError, match="calibrat"):
        weft.RandomFeatureClassifier(calibrate=True).partial_fit(POINTS, CLASSES, classes=[0, 1, 2])


def test_seeds():
    fit = lambda state: weft.RandomFeatureRegressor(n_features=30, random_state=state).fit(X, Y).predict(X)  # noqa: E731
    assert np.array_equal(fit(3), fit(3)) and not np.array_equal(fit(3), fit(4))
    assert np.array_equal(fit(np.random.RandomState(0)), fit(np.random.RandomState(0)))
    assert not np.array_equal(fit(None), fit(None))


def test_threads_do_not_change_bits():
    fit = lambda jobs: weft.RandomFeatureRegressor(n_features=30, n_jobs=jobs).fit(X, Y).predict(X)  # noqa: E731
    for jobs in (1, 2, -1, -2):
        assert np.array_equal(fit(jobs), fit(None))
    with pytest.raises(ValueError, match="n_jobs"):
        fit(0)


def test_standard_deviations():
    rng = np.random.default_rng(0)
    noisy = Y + 0.1 * rng.normal(size=len(Y))
    model = weft.RandomFeatureRegressor(n_features=50, std=True).fit(X, noisy)
    values, deviations = model.predict(X, return_std=True)
    assert np.array_equal(values, model.predict(X))
    assert deviations.shape == Y.shape and 0.05 < np.median(deviations) < 0.2
    with pytest.raises(ValueError, match="std"):
        weft.RandomFeatureRegressor(n_features=50).fit(X, noisy).predict(X, return_std=True)


def test_probabilities_are_there_when_they_are():
    batches = weft.RandomFeatureClassifier(n_features=30).partial_fit(POINTS, CLASSES, classes=np.unique(CLASSES))
    assert not hasattr(batches, "predict_proba")
    for model in (
        weft.RandomFeatureClassifier(n_features=30),
        weft.RandomFeatureClassifier(n_features=30, algorithm="lasso", lam=1e-3),
        weft.RandomFeatureClassifier(n_features=30, algorithm="logistic", lam=1e-3),
        weft.RandomFeatureClassifier(n_features=30, calibrate=True),
        weft.KernelRidgeClassifier(landmarks=20, solver="cg"),
        weft.LearnedActivationClassifier(n_features=20, grid_points=8, lam=1e-3, iterations=2, loss="squared"),
    ):
        assert hasattr(model, "predict_proba")
        probabilities = model.fit(POINTS, CLASSES).predict_proba(POINTS)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        np.testing.assert_allclose(np.exp(model.predict_log_proba(POINTS)), probabilities)


def test_kernel_ridge_is_scikit_learns():
    """(K + mλI)⁻¹y, without scaling, bias and intercept."""
    from sklearn.kernel_ridge import KernelRidge

    ours = weft.KernelRidge(kernel="rbf", bandwidth=0.7, lam=1e-2, scale="none", bias=False, intercept=False)
    theirs = KernelRidge(kernel="rbf", gamma=1 / (2 * 0.7**2), alpha=1e-2 * len(Y)).fit(X, Y)
    np.testing.assert_allclose(ours.fit(X, Y).predict(X), theirs.predict(X), atol=1e-8)


def test_searches_say_what_they_found():
    search = weft.RandomFeatureRegressorCV(n_features=40, family="rw-relu,rks-cos", configurations=3).fit(X, Y)
    results = search.cv_results_
    assert len(results["params"]) == 6 and {p["family"] for p in results["params"]} == {"rw-relu", "rks-cos"}
    assert search.metric_ == "mse" and search.best_score_ == np.nanmax(results["mean_test_score"])
    best = results["params"][int(np.argmin(results["rank_test_score"]))]
    assert best == search.best_params_
    # What is best can be fitted by itself.
    refitted = weft.RandomFeatureRegressor(**{k: v for k, v in search.best_params_.items() if v is not None}).fit(X, Y)
    assert np.array_equal(refitted.predict(X), search.predict(X))
    assert search.feature_curve_[-1, 0] == 40
    assert pickle.loads(pickle.dumps(search)).best_params_ == search.best_params_


def test_features_approximate_their_kernel():
    transformer = weft.RandomFeatures(family="rff-rbf", n_features=5000, sigma=np.sqrt(2 * 0.3))
    Z = transformer.fit_transform(X[:50])
    assert Z.shape == (50, 5000) and Z.flags.c_contiguous
    np.testing.assert_allclose(Z @ Z.T, rbf_kernel(X[:50], gamma=0.3), atol=0.08)
    assert list(weft.RandomFeatures(n_features=2).fit(X).get_feature_names_out()) == ["randomfeatures0", "randomfeatures1"]
    assert np.array_equal(pickle.loads(pickle.dumps(transformer)).transform(X), transformer.transform(X))


@pytest.mark.parametrize("family", ["rw-relu", "rw-stumps", "rks-cos/sparse:2", "auto"])
def test_features_are_those_of_the_command_line(family, command, tmp_path):
    np.save(tmp_path / "X.npy", X)
    command("features", "X.npy", "--family", family, "--features", "20", "--gamma", "2", "--out", "F.npy")
    ours = weft.RandomFeatures(family=family, n_features=20, gamma=None if family.startswith("rks") else 2.0)
    np.testing.assert_allclose(ours.fit_transform(X) * np.sqrt(20), np.load(tmp_path / "F.npy"), rtol=1e-12, atol=1e-15)


def test_fits_tell_what_happened():
    model = weft.RandomFeatureRegressor(n_features=30).fit(X, Y)
    assert model.lam_ > 0 and model.report_["lambda"] == model.lam_ and "solve" in model.report_["seconds"]
    assert model.model_.coefficients.shape == (30, 1)
    with pytest.warns(UserWarning, match="lam.*constant"):
        weft.RandomFeatureRegressor(n_features=30, lam=1e308).fit(X, Y)


def test_a_kernel_search_names_what_it_found():
    """best_params_ must be enough to fit the winner again, its bandwidth included."""
    rng = np.random.default_rng(4)
    X = rng.uniform(-1, 1, (120, 2))
    y = np.sin(5 * X[:, 0]) + X[:, 1] ** 2
    search = weft.KernelRidgeCV(configurations=6, random_state=1).fit(X, y)
    again = weft.KernelRidge(**search.best_params_, random_state=1).fit(X, y)
    np.testing.assert_array_equal(search.predict(X), again.predict(X))
    assert len({params["bandwidth"] for params in search.cv_results_["params"]}) == 6
