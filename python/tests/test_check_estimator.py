"""scikit-learn's own battery, for every estimator as its constructor makes it, and for other methods with small settings."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks

import weft

DEFAULTS = [getattr(weft, name)() for name in weft.__all__ if inspect.isclass(getattr(weft, name))]
OTHERS = [
    weft.RandomFeatureRegressor(n_features=40, lam=1e-3, n_jobs=1),
    weft.RandomFeatureClassifier(n_features=40, lam=1e-3, algorithm="logistic", n_jobs=1),
    weft.KernelRidge(landmarks=60, lam=1e-3, n_jobs=1),
    weft.KernelRidgeCV(configurations=1, folds=2, landmarks=60, n_jobs=1),
    weft.RandomFeatureRegressor(n_features=40, missing="error", n_jobs=1),
    weft.RandomFeatureClassifier(n_features=40, missing="error", n_jobs=1),
    weft.RandomFeatures(n_features=10, missing="error", n_jobs=1),
]

# From scikit-learn 1.6 on a row of weight 2 is to be the same as two rows. What depends on weights alone is
# (test_a_row_of_weight_two_is_two_rows); the rest counts rows.
COUNTS_ROWS = (
    "scales and bandwidths are those of the rows whatever they weigh, and where λ, a kernel or a calibration is chosen on rows "
    "that are held out, two equal rows may be in different parts"
)
EXPECTED_TO_FAIL = {
    "check_sample_weight_equivalence_on_dense_data": COUNTS_ROWS,
    "check_sample_weight_equivalence_on_sparse_data": COUNTS_ROWS,
}
GIVEN = {"lam": 1e-3, "scale": "none", "n_jobs": 1}
BY_WEIGHTS = [
    weft.RandomFeatureRegressor(n_features=40, **GIVEN),
    weft.RandomFeatureRegressor(n_features=40, algorithm="lasso", **GIVEN),
    weft.RandomFeatureClassifier(n_features=40, algorithm="logistic", **GIVEN),
    weft.KernelRidge(bandwidth=2.0, **GIVEN),
    weft.KernelRidge(bandwidth=2.0, landmarks=60, **GIVEN),
    weft.KernelLossRegressor(bandwidth=2.0, **GIVEN),
]


def least_checks(estimator):
    """The number in scikit-learn 1.2: one more for those that refuse NaN."""
    kind = 49 if hasattr(estimator, "decision_function") else 47 if hasattr(estimator, "predict") else 32
    return kind + (estimator.missing == "error")


def name_of(check):
    arguments = getattr(check, "keywords", None) or {}
    name = getattr(check, "func", check).__name__
    return name + "".join(f" {key}={value}" for key, value in arguments.items())


def checks_of(estimator):
    if not hasattr(estimator_checks, "estimator_checks_generator"):
        return list(estimator_checks.check_estimator(estimator, generate_only=True))
    expected = {} if isinstance(estimator, weft.RandomFeatures) else EXPECTED_TO_FAIL
    return list(estimator_checks.estimator_checks_generator(estimator, expected_failed_checks=expected, mark="skip"))


BATTERIES = [(estimator, checks_of(estimator)) for estimator in DEFAULTS + OTHERS]
CASES = [
    pytest.param(copy, check, id=f"{estimator}-{name_of(check)}") for estimator, checks in BATTERIES for copy, check in checks
]


@pytest.mark.parametrize("estimator, check", CASES)
@pytest.mark.filterwarnings("ignore")
def test_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", BY_WEIGHTS, ids=str)
def test_a_row_of_weight_two_is_two_rows(estimator):
    """As scikit-learn 1.6 and later check it, with the same tolerance; weights of 0 are among them."""
    rng = np.random.RandomState(42)
    X = rng.rand(30, 4)
    weights = rng.randint(0, 5, size=30)
    y = rng.randint(0, 3, size=30)
    order = rng.permutation(weights.sum())
    weighted = clone(estimator).fit(X, y, sample_weight=weights)
    repeated = clone(estimator).fit(np.repeat(X, weights, axis=0)[order], np.repeat(y, weights)[order])
    for method in ("predict", "predict_proba", "decision_function"):
        if hasattr(estimator, method):
            np.testing.assert_allclose(getattr(weighted, method)(X), getattr(repeated, method)(X), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("estimator, checks", BATTERIES, ids=[str(estimator) for estimator, _ in BATTERIES])
def test_the_battery_is_whole(estimator, checks):
    """A battery that skipped its checks would look green too. Newer versions of scikit-learn have more of them."""
    assert len(checks) >= least_checks(estimator)
