"""Single rows take a way of their own: the same numbers, warnings and errors as in a table."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import weft


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    return X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2]


def estimators():
    return [
        weft.RandomFeatureRegressor(n_features=50, lam=1e-3),
        weft.KernelRidge(lam=1e-2),
        weft.LocalKernelRegressor(leaf=50),
        weft.Regressor(),
    ]


@pytest.mark.parametrize("estimator", estimators(), ids=lambda e: type(e).__name__)
def test_numbers_are_those_of_a_table(estimator, table):
    X, y = table
    together = estimator.fit(X, y).predict(X)
    alone = np.concatenate([estimator.predict(X[i : i + 1]) for i in range(len(X))])
    np.testing.assert_allclose(alone, together, rtol=1e-11, atol=1e-11)
    assert estimator.predict(X[::-1][:1]).shape == (1,)


@pytest.mark.parametrize("labels", [["b", "a"], [10, 2, 30], [False, True]])
def test_classes_are_those_of_a_table(labels, table):
    X, y = table
    y = np.array(labels)[np.digitize(y, np.quantile(y, np.arange(1, len(labels)) / len(labels)))]
    model = weft.RandomFeatureClassifier(n_features=50, lam=1e-3).fit(X, y)
    for method in ("predict", "predict_proba", "decision_function"):
        together = getattr(model, method)(X[:20])
        alone = np.concatenate([getattr(model, method)(X[i : i + 1]) for i in range(20)])
        assert alone.dtype == together.dtype
        if method == "predict":
            assert (alone == together).all()
        else:
            np.testing.assert_allclose(alone, together, rtol=1e-11, atol=1e-11)


def test_several_targets_and_quantiles_keep_their_columns(table):
    X, y = table
    model = weft.RandomFeatureRegressor(n_features=50, lam=1e-3).fit(X, np.column_stack([y, -y]))
    np.testing.assert_allclose(model.predict(X[:1]), model.predict(X)[:1], rtol=1e-11)
    quantiles = weft.RandomFeatureRegressor(algorithm="newton", loss="quantile", quantiles=[0.1, 0.9], n_features=20, lam=1e-2).fit(X, y)
    np.testing.assert_allclose(quantiles.predict(X[:1]), quantiles.predict(X)[:1], rtol=1e-11)


def test_errors_and_warnings_stay(table):
    X, y = table
    model = weft.RandomFeatureRegressor(n_features=50, lam=1e-3)
    with pytest.raises(Exception, match="not fitted"):
        model.predict(X[:1])
    model.fit(X, y)
    with pytest.raises(ValueError, match="infinity"):
        model.predict(np.array([[1.0, np.inf, 0, 0]]))
    with pytest.raises(ValueError, match="5 features"):
        model.predict(np.ones((1, 5)))
    with pytest.raises(ValueError, match="2D"):
        model.predict(np.ones(1))
    named = weft.RandomFeatureRegressor(n_features=50, lam=1e-3).fit(pd.DataFrame(X, columns=list("abcd")), y)
    with pytest.warns(UserWarning, match="feature names"):
        named.predict(X[:1])
    strict = weft.RandomFeatureRegressor(n_features=50, lam=1e-3, missing="error").fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        strict.predict(np.array([[1.0, np.nan, 0, 0]]))


def test_a_new_fit_and_a_pickle_predict_with_their_own_model(table):
    X, y = table
    model = weft.RandomFeatureRegressor(n_features=50, lam=1e-3).fit(X, y)
    first = model.predict(X[:1])
    state = set(vars(model))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(model.fit(X, y + 100).predict(X[:1]), first + 100, rtol=1e-9)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X[:1]), model.predict(X[:1]))
    assert set(vars(model)) == state
