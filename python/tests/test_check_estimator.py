"""scikit-learn's own battery, for every estimator."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

import weft

# Small, so that the battery is fast, each with the number of checks that scikit-learn 1.2 has for it: one more for those
# that refuse NaN.
ESTIMATORS = [
    (weft.RandomFeatureRegressor(n_features=40, n_jobs=1), 47),
    (weft.RandomFeatureRegressor(n_features=40, lam=1e-3, n_jobs=1), 47),
    (weft.RandomFeatureClassifier(n_features=40, n_jobs=1), 49),
    (weft.RandomFeatureClassifier(n_features=40, lam=1e-3, algorithm="logistic", n_jobs=1), 49),
    (weft.RandomFeatureRegressorCV(n_features=20, configurations=1, folds=2, n_jobs=1), 47),
    (weft.RandomFeatureClassifierCV(n_features=20, configurations=1, folds=2, n_jobs=1), 49),
    (weft.KernelRidge(n_jobs=1), 47),
    (weft.KernelRidge(landmarks=60, lam=1e-3, n_jobs=1), 47),
    (weft.KernelRidgeCV(configurations=1, folds=2, landmarks=60, n_jobs=1), 47),
    (weft.KernelRidgeClassifier(lam=1e-3, n_jobs=1), 49),
    (weft.LearnedActivationRegressor(n_features=30, grid_points=8, lam=1e-4, n_jobs=1), 47),
    (weft.LearnedActivationClassifier(n_features=20, grid_points=8, lam=1e-4, iterations=10, n_jobs=1), 49),
    (weft.RandomFeatures(n_features=10, n_jobs=1), 32),
    (weft.RandomFeatureRegressor(n_features=40, missing="error", n_jobs=1), 48),
    (weft.RandomFeatureClassifier(n_features=40, missing="error", n_jobs=1), 50),
    (weft.RandomFeatures(n_features=10, missing="error", n_jobs=1), 33),
]


def name_of(check):
    arguments = getattr(check, "keywords", None) or {}
    name = getattr(check, "func", check).__name__
    return name + "".join(f" {key}={value}" for key, value in arguments.items())


CASES = []
COUNTS = []
for estimator, expected in ESTIMATORS:
    checks = [check for _, check in check_estimator(estimator, generate_only=True)]
    COUNTS.append((estimator, expected, len(checks)))
    CASES += [pytest.param(estimator, check, id=f"{estimator}-{name_of(check)}") for check in checks]


@pytest.mark.parametrize("estimator, check", CASES)
@pytest.mark.filterwarnings("ignore")
def test_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator, expected, found", COUNTS, ids=str)
def test_the_battery_is_whole(estimator, expected, found):
    """A battery that skipped its checks would look green too. Newer versions of scikit-learn have more of them."""
    assert found >= expected
