"""At home in scikit-learn: searches, pipelines, calibration, ensembles."""

import numpy as np
import pytest
from conftest import blobs, wave
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, VotingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import weft

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


class _Recorder:
    """Stands for the tags of scikit-learn 1.6."""

    def __getattr__(self, name):
        value = _Recorder()
        setattr(self, name, value)
        return value


@pytest.mark.parametrize("estimator", [weft.RandomFeatureRegressor(), weft.RandomFeatureClassifier(missing="error"), weft.RandomFeatures()])
def test_tags_of_both_styles(estimator, monkeypatch):
    from sklearn.base import BaseEstimator

    if not hasattr(BaseEstimator, "__sklearn_tags__"):
        assert estimator._get_tags()["allow_nan"] == (estimator.missing != "error")
        monkeypatch.setattr(BaseEstimator, "__sklearn_tags__", lambda self: _Recorder(), raising=False)
    tags = estimator.__sklearn_tags__()
    assert tags.input_tags.sparse is True
    assert tags.input_tags.allow_nan == (estimator.missing != "error")
    if isinstance(estimator, weft.RandomFeatureRegressor):
        assert tags.target_tags.multi_output is True
