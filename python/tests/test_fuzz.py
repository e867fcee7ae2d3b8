"""Odd arrays at every entry point: exceptions only, and no crash."""

import copyreg
import pickle
import warnings

import numpy as np
import pytest
from conftest import wave
from scipy import sparse
from sklearn.base import clone, is_classifier

import weft
from weft import _weft

X, Y = wave(60)  # as many rows as the arrays below
LABELS = (Y > 0).astype(int)


def strided(shape, strides, dtype=float):
    base = np.zeros(64, dtype=dtype)
    return np.lib.stride_tricks.as_strided(base, shape=shape, strides=strides, writeable=False)


def read_only():
    copy = X.copy()
    copy.flags.writeable = False
    return copy


ODD = {
    "none": None,
    "number": 3.0,
    "0-d": np.array(1.0),
    "empty": np.empty((0, 0)),
    "no rows": np.empty((0, 3)),
    "no columns": np.empty((60, 0)),
    "1-d": X[:, 0],
    "3-d": np.zeros((60, 3, 2)),
    "one row": X[:1],
    "few rows": X[:2],
    "one column": X[:, :1],
    "text": np.full((60, 3), "word"),
    "bytes": np.full((60, 3), b"word"),
    "objects": np.full((60, 3), object(), dtype=object),
    "mixed": np.array([[1, "a", None]] * 60, dtype=object),
    "ragged": [[1.0], [1.0, 2.0]],
    "complex": X + 1j,
    "bool": X > 0,
    "dates": np.full((60, 3), np.datetime64("2020-01-01")),
    "records": np.zeros(60, dtype=[("a", "f8"), ("b", "i4")]),
    "nan": np.full((60, 3), np.nan),
    "inf": np.full((60, 3), np.inf),
    "huge": np.full((60, 3), 1e308),
    "tiny": np.full((60, 3), 5e-324),
    "half": X.astype(np.float16),
    "long": X.astype(np.longdouble),
    "int8": X.astype(np.int8),
    "uint64": np.full((60, 3), 2**64 - 1, dtype=np.uint64),
    "constant": np.zeros((60, 3)),
    "zero strides": strided((60, 3), (0, 0)),
    "overlapping": strided((60, 3), (8, 8)),
    "negative strides": X[::-1, ::-1],
    "huge strides": np.zeros((60, 3, 5000))[:, :, 4999],
    "read-only": read_only(),
    "masked": np.ma.masked_array(X, X > 0),
    "matrix": np.asmatrix(X),
    "memory": memoryview(np.ascontiguousarray(X)),
    "csr": sparse.csr_matrix(X),
    "csc": sparse.csc_matrix(X),
    "empty csr": sparse.csr_matrix((0, 3)),
    "csr of nothing": sparse.csr_matrix((60, 3)),
    "dictionary": {"a": 1},
    "set": {1, 2},
    "string": "hello",
    "generator": (row for row in X),
    "class": int,
}

ESTIMATORS = [
    weft.RandomFeatureRegressor(n_features=8, family="rw-stumps:3+rks-relu:5", n_jobs=1),
    weft.RandomFeatureClassifier(n_features=8, family="rw-relu", n_jobs=1),
    weft.RandomFeatureRegressorCV(n_features=8, configurations=1, folds=2, lambdas=2, n_jobs=1),
    weft.RandomFeatureClassifierCV(n_features=8, configurations=1, folds=2, lambdas=2, n_jobs=1),
    weft.KernelRidge(n_jobs=1),
    weft.KernelRidgeCV(configurations=1, folds=2, landmarks=5, n_jobs=1),
    weft.KernelRidgeClassifier(lam=1e-2, n_jobs=1),
    weft.LearnedActivationRegressor(n_features=8, lam=1e-2, grid_points=5, iterations=2, n_jobs=1),
    weft.LearnedActivationClassifier(n_features=8, lam=1e-2, grid_points=5, iterations=2, n_jobs=1),
    weft.RandomFeatures(n_features=8, n_jobs=1),
]


def survives(call, *arguments):
    """Whatever a call does, it is a result or an ordinary exception."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(*arguments)
    except Exception as error:
        assert str(error) or isinstance(error, (MemoryError, NotImplementedError)), repr(error)
        return None


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_odd_arrays(estimator):
    target = LABELS if is_classifier(estimator) else Y
    model = clone(estimator).fit(X, target)
    methods = [
        name
        for name in ("predict", "decision_function", "predict_proba", "predict_log_proba", "transform", "fit_transform")
        if hasattr(model, name)
    ]
    for odd in ODD.values():
        survives(clone(estimator).fit, odd, target)
        survives(clone(estimator).fit, X, odd)
        survives(clone(estimator).fit, odd, odd)
        survives(lambda value: clone(estimator).fit(X, target, sample_weight=value), odd)
        if hasattr(estimator, "partial_fit"):
            survives(lambda value: clone(estimator).partial_fit(value, target, np.unique(target)), odd)
            survives(lambda value: clone(estimator).partial_fit(X, value, value), odd)
        for name in methods:
            survives(getattr(model, name), odd)
        if hasattr(model, "score"):
            survives(model.score, odd, target)
            survives(model.score, X, odd)
    assert np.isfinite(getattr(model, "predict", getattr(model, "transform", None))(X)).all()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_odd_parameters(estimator):
    target = LABELS if is_classifier(estimator) else Y
    odd = [None, "word", "\0\ud800", -1, 1e400, [], object(), True, np.ones(2)]
    for name in estimator.get_params():
        if name in ("log", "checkpoint", "minutes", "max_time"):
            continue  # "word" would be a file, and a NaN no limit at all
        for value in odd:
            survives(lambda: clone(estimator).set_params(**{name: value}).fit(X, target))


def test_odd_arrays_below_the_estimators():
    names = ["x0", "x1", "x2"]
    for odd in ODD.values():
        survives(_weft.Table.dense, odd, names)
        survives(_weft.Table.csr, odd, odd, odd, names)
        table = _weft.Table.dense(X, names)
        survives(table.set_target, odd, ["target"])
        survives(table.set_weights, odd, "weights")
        survives(lambda: _weft.fit(table, {"features": 5}, {}, {}, {}))
        survives(_weft.Model.load, odd)
    survives(_weft.Table.dense, X, ["a"])
    survives(_weft.Table.dense, X, names, [["a"], [], []])
    survives(_weft.Table.csr, np.ones(2), np.array([5, -7]), np.array([0, 9]), names)
    survives(lambda: _weft.fit(_weft.Table.dense(X, names), {"nonsense": 1}, {}, {}, {}))
    survives(lambda: _weft.fit(None, {}, {}, {}, {}))
    survives(_weft.Model)


def test_damaged_pickles():
    model = weft.RandomFeatureRegressor(n_features=8).fit(X, Y)
    whole = bytearray(model.model_.to_bytes())
    rng = np.random.default_rng(0)
    for _ in range(50):
        damaged = bytearray(whole)
        damaged[int(rng.integers(len(damaged)))] ^= int(rng.integers(1, 256))
        survives(_weft.Model.from_bytes, bytes(damaged))
    for size in (0, 1, 20, len(whole) - 1):
        with pytest.raises(ValueError):
            _weft.Model.from_bytes(bytes(whole[:size]))
    for odd in ODD.values():
        survives(_weft.Model.from_bytes, odd)
        survives(_weft.Features.from_state, odd, odd)
        survives(_weft.Features.from_state, "{}", {"features": odd})
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


@pytest.mark.parametrize("kind", [_weft.Model, _weft.Features, _weft.IncrementalFit, _weft.Table])
def test_no_object_without_its_constructor(kind):
    class Heir(kind):
        pass

    base = kind.__mro__[1]
    for make in (
        kind,
        Heir,
        lambda: kind.__new__(kind),
        lambda: Heir.__new__(Heir),
        lambda: object.__new__(kind),
        lambda: base.__new__(kind),
        lambda: base.__new__(Heir),
        lambda: copyreg.__newobj__(kind),
    ):
        with pytest.raises(TypeError):
            make()
