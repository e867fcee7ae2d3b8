"""Estimators for Dask arrays and dataframes: statistics and sums per partition, merged on the workers, one solution.

The models are those of the estimators of `weft` with these parameters on the concatenated rows (docs/distributed.md):

>>> import dask.array as da, numpy as np, weft, weft.dask  # doctest: +SKIP
>>> X = da.random.uniform(-1, 1, (100_000, 5), chunks=(10_000, 5)).persist()  # doctest: +SKIP
>>> y = da.sin(3 * X[:, 0]) + X[:, 1]  # doctest: +SKIP
>>> model = weft.dask.Regressor(n_features=500).fit(X, y)  # doctest: +SKIP
>>> model.predict(X)  # lazy; model.save("m.weft") opens everywhere  # doctest: +SKIP
"""

from __future__ import annotations

import copy
import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

try:
    import dask
except ImportError as error:
    raise ImportError(
        "weft.dask needs Dask: install dask and distributed (Debian: python3-dask python3-distributed)"
    ) from error

from . import _estimators as estimators
from . import _features as features
from . import _weft

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Classifier", "KernelRidge", "KernelRidgeClassifier", "RandomFeatures", "Regressor"]

_TOGETHER = 8  # values that one task merges


def _is_array(X: Any) -> bool:
    return isinstance(X, dask.base.DaskMethodsMixin) and hasattr(X, "chunks") and hasattr(X, "map_blocks")


def _is_frame(X: Any) -> bool:
    return isinstance(X, dask.base.DaskMethodsMixin) and hasattr(X, "npartitions") and hasattr(X, "map_partitions")


def _in_one_block_of_columns(X: Any) -> Any:
    return X.rechunk({1: -1}) if X.ndim == 2 and X.numblocks[1] > 1 else X


def _pieces(collection: Any, like: Any, name: str) -> list:
    """The partitions as delayed values, cut as those of X are."""
    if _is_array(collection):
        if like is not None and _is_array(like) and collection.chunks[0] != like.chunks[0]:
            if np.isnan(sum(collection.chunks[0]) + sum(like.chunks[0])):
                raise ValueError(
                    f"{name}: its chunks and those of X differ or have unknown sizes; call compute_chunk_sizes() first"
                )
            collection = collection.rechunk({0: like.chunks[0]})
        return list(_in_one_block_of_columns(collection).to_delayed().ravel())
    if _is_frame(collection):
        return list(collection.to_delayed())
    raise TypeError(
        f"{name}: should be a Dask array or dataframe, not {type(collection).__name__}; "
        "the estimators of weft itself take arrays and frames in memory"
    )


def _partitions(*collections: Any) -> list[tuple]:
    """One tuple of delayed values per partition; None for what is not given."""
    names = ("X", "y", "sample_weight")
    X = collections[0]
    columns = [
        None if each is None else _pieces(each, None if each is X else X, name)
        for each, name in zip(collections, names)
    ]
    for column, name in zip(columns, names):
        if column is not None and len(column) != len(columns[0]):
            raise ValueError(f"{name}: has {len(column)} partitions, but X has {len(columns[0])}")
    return [tuple(None if column is None else column[k] for column in columns) for k in range(len(columns[0]))]


def _merged(values: list) -> Any:
    return functools.reduce(lambda all, next: all.merged(next), values)


def _tree(values: list) -> Any:
    """Merged in order, by tasks that take a few neighbours each."""
    while len(values) > 1:
        values = [dask.delayed(_merged)(values[k : k + _TOGETHER]) for k in range(0, len(values), _TOGETHER)]
    return values[0]


def _take(values: Any, rows: Any) -> Any:
    if values is None:
        return None
    return values.iloc[rows] if hasattr(values, "iloc") else values[rows]


def _weighted(X: Any, y: Any, weights: Any) -> Any:
    """Without the rows of weight 0, which fits leave out."""
    if weights is None or X.shape[0] == 0:
        return X, y, weights
    weights = np.asarray(weights)
    keep = weights != 0
    return _take(X, keep), _take(y, keep), weights[keep]


# What runs on the workers. `like` is an estimator that knows columns and classes.


def _learn(estimator: Any, X: Any, y: Any, weights: Any) -> Any:
    """The number of rows, and an estimator that has learned names and classes from them."""
    X, y, weights = _weighted(X, y, weights)
    if X.shape[0] == 0:
        return 0, None
    estimator = copy.copy(estimator)
    estimator._training_table(X, y, weights, reset=True, min_rows=1, learn_target=estimator._learn_target)
    return X.shape[0], estimator


def _learn_inputs(estimator: Any, X: Any) -> Any:
    if X.shape[0] == 0:
        return 0, None
    estimator = copy.copy(estimator)
    estimator._inputs(X, reset=True)
    return X.shape[0], estimator


def _table(like: Any, X: Any, y: Any, weights: Any) -> Any:
    return like._training_table(*_weighted(X, y, weights), reset=False, min_rows=1, learn_target=None)[1]


def _statistics(like: Any, first_row: int, X: Any, y: Any, weights: Any) -> Any:
    table = _table(like, X, y, weights)
    return _weft.PartStatistics.of(table, like._options("encode"), like._options("run"), first_row)


def _input_statistics(like: Any, first_row: int, X: Any) -> Any:
    table = like._inputs(X, reset=False).table(like._names)
    return _weft.InputStatistics.of(table, like._options("encode"), like._options("run"), first_row)


def _levels(like: Any, statistics: Any, first_row: int, X: Any, y: Any, weights: Any) -> Any:
    return _weft.LevelStatistics.of(statistics, _table(like, X, y, weights), like._options("run"), first_row)


def _rows_at(positions: Any, X: Any, y: Any, weights: Any) -> Any:
    return tuple(_take(values, positions) for values in _weighted(X, y, weights))


def _sums(like: Any, plan: Any, first_row: int, X: Any, y: Any, weights: Any) -> Any:
    return _weft.Sums.of(plan, _table(like, X, y, weights), first_row, like._options("run"))


def _solve(sums: Any, run: Any) -> Any:
    return sums.solve(run)


def _joined(pieces: list) -> Any:
    pieces = [piece for piece in pieces if piece is not None]
    if not pieces:
        return None
    if hasattr(pieces[0], "iloc"):
        import pandas as pd

        return pd.concat(pieces)
    return sparse.vstack(pieces, format="csr") if sparse.issparse(pieces[0]) else np.concatenate(pieces)


def _call(block: Any, estimator: Any, method: str, columns: Any = None) -> Any:
    """The estimator's own method for a partition in memory; rows of frames keep their index."""
    if block.shape[0] == 0 and hasattr(block, "iloc"):
        result = np.empty((0,) if columns is None else (0, len(columns)))
    else:
        result = getattr(estimator, method)(block)
    if not hasattr(block, "iloc"):
        return result
    import pandas as pd

    if columns is None:
        return pd.Series(result, index=block.index)
    return pd.DataFrame(result, index=block.index, columns=columns)


def _lazily(estimator: Any, method: str, X: Any, dtype: Any, columns: Any = None) -> Any:
    """`method` of every partition of X: one value per row, or these columns."""
    delayed = dask.delayed(estimator)
    if _is_frame(X):
        meta = (method, dtype) if columns is None else {column: dtype for column in columns}
        return X.map_partitions(_call, estimator=delayed, method=method, columns=columns, meta=meta)
    X = _in_one_block_of_columns(X)
    shape = {"drop_axis": 1} if columns is None else {"chunks": (X.chunks[0], (len(columns),))}
    meta = np.empty((0,) if columns is None else (0, 0), dtype=dtype)
    return X.map_blocks(_call, estimator=delayed, method=method, columns=columns, dtype=dtype, meta=meta, **shape)


class _OnDask:
    """fit and predictions for Dask collections. Anything else is left to the estimator of weft."""

    def _known(self, parts: list[tuple], learn: Any) -> tuple[object, list[tuple], list[int]]:
        """An estimator that knows columns and classes; partitions with rows, and their first rows."""
        found = dask.compute(*[dask.delayed(learn)(dask.delayed(clone(self)), *part) for part in parts])
        rows = [count for count, _ in found]
        learned = [estimator for _, estimator in found if estimator is not None]
        if not learned:
            raise ValueError("X: has no rows (of positive weight)")
        known = learned[0]
        for other in learned:
            if other._names != known._names:
                raise ValueError(f"X: partitions have different columns, {known._names} and {other._names}")
        if "classes_" in vars(known):
            known._learn_classes(np.unique(np.concatenate([other.classes_ for other in learned])))
        for name, value in vars(known).items():
            if name not in self.get_params():
                setattr(self, name, value)
        used = [part for part, count in zip(parts, rows) if count > 0]
        return known, used, np.cumsum([0] + [count for count in rows if count > 0]).tolist()

    def _drawn(self, known: Any, parts: Any, firsts: Any, numbers: Any) -> Any:
        """The rows of these numbers, as a table."""
        numbers = np.asarray(numbers)
        tasks = []
        for k, part in enumerate(parts):
            own = numbers[(numbers >= firsts[k]) & (numbers < firsts[k + 1])] - firsts[k]
            if own.size > 0:
                tasks.append(dask.delayed(_rows_at)(own, *part))
        return _table(known, *(_joined(pieces) for pieces in zip(*dask.compute(*tasks))))

    def _plan(self, known: Any, like: Any, parts: Any, firsts: Any) -> Any:
        family, fit, run = (known._options(group) for group in ("family", "fit", "run"))
        tasks = [dask.delayed(_statistics)(like, first, *part) for first, part in zip(firsts, parts)]
        (statistics,) = dask.compute(_tree(tasks))
        numbers = statistics.drawn_rows(family, fit)
        levels = None
        if statistics.many_levels:
            shared = dask.delayed(statistics)
            tasks = [dask.delayed(_levels)(like, shared, first, *part) for first, part in zip(firsts, parts)]
            (levels,) = dask.compute(_tree(tasks))
        drawn = self._drawn(known, parts, firsts, numbers) if numbers else None
        return _weft.Plan.of(statistics, family, fit, run, levels, drawn, numbers)


class _Predictor(_OnDask):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fits the model to X and y, Dask arrays or dataframes with the same partitions, with weights if given.

        Partitions are read four times: call `persist()` first where computing them takes long.
        """
        self._forget()
        known, parts, firsts = self._known(_partitions(X, y, sample_weight), _learn)
        known.random_state = known._seed()  # one for all tasks
        like = dask.delayed(known)
        plan = dask.delayed(self._plan(known, like, parts, firsts))
        tasks = [dask.delayed(_sums)(like, plan, first, *part) for first, part in zip(firsts, parts)]
        (model,) = dask.compute(dask.delayed(_solve)(_tree(tasks), known._options("run")))
        self._keep(model)
        return self

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """As for rows in memory; predictions are computed."""
        if _is_array(X) or _is_frame(X):
            predicted, y, sample_weight = dask.compute(self.predict(X), y, sample_weight)
            from sklearn.metrics import accuracy_score, r2_score

            measure = accuracy_score if "classes_" in vars(self) else r2_score
            return float(measure(y, predicted, sample_weight=sample_weight))
        return super().score(X, y, sample_weight)


class _Regression(_Predictor):
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """As of rows in memory; lazy for Dask collections, without `return_std`."""
        if not (_is_array(X) or _is_frame(X)):
            return super().predict(X, return_std)
        if return_std:
            raise ValueError("return_std: not for Dask collections; apply the estimator of weft.load to partitions")
        return _lazily(self, "predict", X, np.float64, None if self._flat else self._target_names)


class _Classification(_Predictor):
    def predict(self, X: Any) -> Any:
        """As of rows in memory; lazy for Dask collections."""
        if not (_is_array(X) or _is_frame(X)):
            return super().predict(X)
        return _lazily(self, "predict", X, self.classes_.dtype)

    def predict_proba(self, X: Any) -> Any:
        """As of rows in memory; lazy for Dask collections."""
        if not (_is_array(X) or _is_frame(X)):
            return super().predict_proba(X)
        return _lazily(self, "predict_proba", X, np.float64, list(self.classes_))


class Regressor(_Regression, estimators.RandomFeatureRegressor):
    """Regression on random features, fitted to Dask collections by sums.

    It is weft.RandomFeatureRegressor, not weft.Regressor: learned kernels need all rows at once.

    {parameters}
    """


class Classifier(_Classification, estimators.RandomFeatureClassifier):
    """Classification on random features, fitted to Dask collections by sums.

    It is weft.RandomFeatureClassifier, not weft.Classifier: learned kernels need all rows at once.

    {parameters}
    """


class KernelRidge(_Regression, estimators.KernelRidge):
    """Kernel ridge regression on landmarks, fitted to Dask collections by sums; `landmarks` must be given.

    {parameters}
    """


class KernelRidgeClassifier(_Classification, estimators.KernelRidgeClassifier):
    """Classification by kernel ridge regression on landmarks, as KernelRidge.

    {parameters}
    """


class RandomFeatures(_OnDask, features.RandomFeatures):
    """Random features of Dask collections as a transformer.

    {parameters}
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draws the features for inputs like X; y is ignored."""
        known, parts, firsts = self._known(_partitions(X), _learn_inputs)
        like = dask.delayed(known)
        tasks = [dask.delayed(_input_statistics)(like, first, *part) for first, part in zip(firsts, parts)]
        (statistics,) = dask.compute(_tree(tasks))
        self._features = _weft.Features.from_state(statistics.encoder(), self._options("family"))
        self._n_features_out = self._features.count
        return self

    def transform(self, X: Any) -> Any:
        """The features of every row; lazy for Dask collections."""
        if not (_is_array(X) or _is_frame(X)):
            return super().transform(X)
        return _lazily(self, "transform", X, np.float64, list(self.get_feature_names_out()))
