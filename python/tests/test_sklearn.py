"""At home in scikit-learn: searches, pipelines, calibration, ensembles."""

import copy
import importlib.util
import pickle
import subprocess
import sys

import joblib
import numpy as np
import pytest
from conftest import blobs, wave
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, VotingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import validation

import weft
import weft._compat

X, Y = wave()
POINTS, CLASSES = blobs()


def test_grid_search():
    search = GridSearchCV(
        weft.RandomFeatureRegressor(n_features=60), {"family": ["rw-relu", "rw-stumps"], "sigma": [0.5, 1.0]}, cv=3
    ).fit(X, Y)
    assert len(search.cv_results_["params"]) == 4 and search.best_score_ > 0.8


def test_grid_search_in_processes():
    search = GridSearchCV(weft.RandomFeatureRegressor(n_features=30, n_jobs=1), {"lam": [1e-4, 1e-2]}, cv=2, n_jobs=2)
    assert search.fit(X, Y).best_score_ > 0.5


def test_pipelines():
    pipeline = make_pipeline(StandardScaler(), weft.RandomFeatureRegressor(n_features=60, scale="none")).fit(X, Y)
    assert pipeline.score(X, Y) > 0.9
    features = make_pipeline(weft.RandomFeatures(n_features=200), Ridge(alpha=1e-3)).fit(X, Y)
    assert features.score(X, Y) > 0.95
    names = features[:-1].get_feature_names_out()
    assert len(names) == 200 and names[0] == "randomfeatures0"
    classifier = make_pipeline(weft.RandomFeatures(n_features=100), LogisticRegression()).fit(POINTS, CLASSES)
    assert classifier.score(POINTS, CLASSES) > 0.9


def test_pandas_output():
    pd = pytest.importorskip("pandas")
    frame = weft.RandomFeatures(n_features=4).set_output(transform="pandas").fit_transform(pd.DataFrame(X, columns=list("abc")))
    assert list(frame.columns) == [f"randomfeatures{k}" for k in range(4)]


def test_cross_validation():
    assert cross_val_score(weft.RandomFeatureRegressor(n_features=100), X, Y, cv=4).mean() > 0.8
    assert cross_val_score(weft.RandomFeatureClassifier(n_features=50), POINTS, CLASSES, cv=4).mean() > 0.85
    scores = cross_val_predict(weft.RandomFeatureClassifier(n_features=50), POINTS, CLASSES, method="decision_function")
    assert scores.shape == (len(POINTS), 3)


def test_calibration():
    model = CalibratedClassifierCV(weft.RandomFeatureClassifier(n_features=50), cv=3).fit(POINTS, CLASSES)
    probabilities = model.predict_proba(POINTS)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities.argmax(axis=1) == CLASSES).mean() > 0.85


def test_ensembles():
    assert BaggingRegressor(weft.RandomFeatureRegressor(n_features=40), n_estimators=3).fit(X, Y).score(X, Y) > 0.8
    voters = [("a", weft.RandomFeatureClassifier(n_features=40)), ("b", weft.KernelRidgeClassifier(landmarks=40))]
    assert VotingClassifier(voters).fit(POINTS, CLASSES).score(POINTS, CLASSES) > 0.85
    transformed = TransformedTargetRegressor(weft.RandomFeatureRegressor(n_features=60), func=np.sinh, inverse_func=np.arcsinh)
    assert transformed.fit(X, Y).score(X, Y) > 0.8
    several = MultiOutputClassifier(weft.RandomFeatureClassifier(n_features=40))
    assert several.fit(POINTS, np.stack([CLASSES, CLASSES == 1], axis=1)).predict(POINTS).shape == (len(POINTS), 2)


@pytest.mark.parametrize("make", [weft.Regressor, weft.RandomFeatureRegressorCV, weft.KernelRidge, weft.RandomFeatures])
def test_copies_and_pickles(make, tmp_path):
    """Clones, copies, pickles and joblib's files, also in another process, predict the same bits."""
    fitted = make(n_jobs=1).fit(X[:60], Y[:60])
    answer = fitted.predict if hasattr(fitted, "predict") else fitted.transform
    expected = answer(X)
    assert clone(fitted).get_params() == fitted.get_params() and not clone(fitted).__sklearn_is_fitted__()
    joblib.dump(fitted, tmp_path / "model.joblib")
    for again in (copy.deepcopy(fitted), pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "model.joblib")):
        method = again.predict if hasattr(again, "predict") else again.transform
        np.testing.assert_array_equal(method(X), expected)
    np.save(tmp_path / "rows.npy", X)
    program = (
        "import joblib, numpy, sys; m = joblib.load(sys.argv[1]); X = numpy.load(sys.argv[2]); "
        "numpy.save(sys.argv[3], (m.predict if hasattr(m, 'predict') else m.transform)(X))"
    )
    paths = [str(tmp_path / name) for name in ("model.joblib", "rows.npy", "answer.npy")]
    subprocess.run([sys.executable, "-c", program, *paths], check=True)
    np.testing.assert_array_equal(np.load(paths[2]), expected)


def test_cross_validation_in_processes():
    model = weft.RandomFeatureRegressor(n_features=60, n_jobs=1)
    alone = cross_val_score(model, X, Y, cv=3)
    np.testing.assert_array_equal(cross_val_score(model, X, Y, cv=3, n_jobs=2), alone)


def test_the_package_comes_without_scikit_learn():
    """It is imported with the first estimator; importing weft says nothing."""
    program = (
        "import sys, weft; assert not {'sklearn', 'scipy', 'pandas'} & set(sys.modules); assert 'Regressor' in dir(weft); "
        "weft.Regressor; assert 'sklearn' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with pytest.raises(AttributeError, match="Regresor"):
        weft.Regresor


def test_notebooks_show_what_was_fitted():
    names = pytest.importorskip("pandas").DataFrame(X, columns=["height", "<b>", "width"])
    model = weft.Regressor(n_jobs=1)
    assert "weft-model" not in model._repr_html_()
    fitted = model.fit(names, Y)
    for page in (fitted._repr_html_(), fitted._repr_mimebundle_()["text/html"]):
        assert page.count("weft-model") == 1 and "most relevant" in page and "height" in page
        assert "&lt;b&gt;" in page and "<b>" not in page.split("weft-model")[1]
        assert fitted.report_["chosen"][:8] in page
    with sklearn.config_context(display="text"):
        assert not hasattr(fitted, "_repr_html_")
        assert "text/html" not in fitted._repr_mimebundle_()


needs_routing = pytest.mark.skipif(
    not hasattr(BaseEstimator, "get_metadata_routing"), reason="scikit-learn routes metadata from 1.3 on"
)


@needs_routing
def test_weights_and_groups_are_routed():
    weights, groups = np.linspace(1, 3, len(Y)), np.arange(len(Y)) % 7
    with sklearn.config_context(enable_metadata_routing=True):
        for make in (weft.RandomFeatureRegressor, weft.RandomFeatureRegressorCV):
            known = make().get_metadata_routing().fit.requests
            assert {"sample_weight", "groups", "times", "folds"} <= set(known)
        model = weft.RandomFeatureRegressor(n_features=30, n_jobs=1).set_fit_request(sample_weight=True, groups=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model)
        pipeline.fit(X, Y, sample_weight=weights, groups=groups)
        scaled = StandardScaler().fit_transform(X)
        alone = weft.RandomFeatureRegressor(n_features=30, n_jobs=1).fit(scaled, Y, weights, groups=groups)
        np.testing.assert_array_equal(pipeline.predict(X), alone.predict(scaled))


class _Recorder:
    """Stands for the tags of scikit-learn 1.6."""

    def __getattr__(self, name):
        value = _Recorder()
        setattr(self, name, value)
        return value


@pytest.mark.parametrize("estimator", [weft.RandomFeatureRegressor(), weft.RandomFeatureClassifier(missing="error"), weft.RandomFeatures()])
def test_tags_of_both_styles(estimator, monkeypatch):
    if not hasattr(BaseEstimator, "__sklearn_tags__"):
        assert estimator._get_tags()["allow_nan"] == (estimator.missing != "error")
        monkeypatch.setattr(BaseEstimator, "__sklearn_tags__", lambda self: _Recorder(), raising=False)
    tags = estimator.__sklearn_tags__()
    assert tags.input_tags.sparse is True
    assert tags.input_tags.allow_nan == (estimator.missing != "error")
    if isinstance(estimator, weft.RandomFeatureRegressor):
        assert tags.target_tags.multi_output is True


def test_validation_of_both_styles(monkeypatch):
    """From scikit-learn 1.6 on functions with other names validate inputs; here they stand for the estimator's methods."""
    seen = []

    def validate_data(estimator, X, *, reset, ensure_all_finite, **arguments):
        seen.append(ensure_all_finite)
        return validation.check_array(X, dtype=np.float64)

    monkeypatch.setattr(validation, "validate_data", validate_data, raising=False)
    for name in ("_check_feature_names", "_check_n_features"):
        monkeypatch.setattr(validation, name, lambda estimator, X, *, reset: seen.append(reset), raising=False)
    spec = importlib.util.spec_from_file_location("newer", weft._compat.__file__)
    newer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(newer)
    assert newer.check_input(weft.KernelRidge(), [[1, 2]], finite="allow-nan", reset=True).dtype == np.float64
    newer.check_columns(weft.KernelRidge(), np.ones((2, 2)), True)
    assert seen == ["allow-nan", True, True]
