"""scikit-learn's own battery, for every estimator as its constructor makes it, and for other methods with small settings."""

import inspect

import pytest
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

# From scikit-learn 1.6 on a row of weight 2 is to be the same as two rows, also where rows are held out.
HELD_OUT = "λ is chosen on rows that are held out, one by one or in parts, and two equal rows may be in different ones"
EXPECTED_TO_FAIL = {
    "check_sample_weight_equivalence_on_dense_data": HELD_OUT,
    "check_sample_weight_equivalence_on_sparse_data": HELD_OUT,
}


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


@pytest.mark.parametrize("estimator, checks", BATTERIES, ids=[str(estimator) for estimator, _ in BATTERIES])
def test_the_battery_is_whole(estimator, checks):
    """A battery that skipped its checks would look green too. Newer versions of scikit-learn have more of them."""
    assert len(checks) >= least_checks(estimator)
