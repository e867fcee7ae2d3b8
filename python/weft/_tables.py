"""Arrays, frames and sparse matrices as tables of the library, without copies where their memory allows it."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
from scipy import sparse

from . import _weft
from ._compat import check_columns, check_input, check_names
from ._frames import Columns, is_pandas, read_frame, read_values

_REALS = [np.float64, np.float32]


def _is_text(column: Any) -> bool:
    """Whether a column of a frame is read as texts: texts, whatever pandas calls categorical, and dates."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype) or pd.api.types.is_datetime64_any_dtype(column.dtype):
        return True
    if column.dtype == object:
        texts = ("string", "mixed", "mixed-integer", "bytes", "date", "datetime", "datetime64")
        return pd.api.types.infer_dtype(column, skipna=True) in texts
    return pd.api.types.is_string_dtype(column.dtype)


def _codes(column: Any) -> tuple[np.ndarray, list[str]]:
    """Positions in the list of distinct texts; NaN for missing values."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, values = column.cat.codes.to_numpy(), column.cat.categories
    else:
        codes, values = pd.factorize(column)
    texts: dict[str, int] = {}
    position = np.array([texts.setdefault(str(value), len(texts)) for value in values] + [np.nan])
    return position[codes], list(texts)


class Inputs:
    """Checked inputs: numbers (an array or CSR matrix), and for frames with categories the texts of each column."""

    def __init__(self, X: Any, texts: list[list[str]] | None = None) -> None:
        self.X = X
        self.texts = texts or []

    @property
    def rows(self) -> int:
        return self.X.shape[0]

    def take(self, keep: np.ndarray) -> "Inputs":
        return Inputs(self.X[keep], self.texts)

    def table(self, names: list[str]) -> _weft.Table:
        if sparse.issparse(self.X):
            return _weft.Table.csr(self.X.data, self.X.indices, self.X.indptr, names)
        return _weft.Table.dense(self.X, names, self.texts)

    def zeros(self, rows: int, names: list[str]) -> _weft.Table:
        """A table of zeros with these columns."""
        return _weft.Table.dense(np.zeros((rows, self.X.shape[1])), names, self.texts)


class ColumnInputs(Inputs):
    """Of frames that are not pandas': column by column, in their own memory where that is possible."""

    def __init__(self, columns: Columns) -> None:
        super().__init__(columns, [column.texts for column in columns.all])

    def take(self, keep: np.ndarray) -> "ColumnInputs":
        return ColumnInputs(self.X.take(keep))

    def table(self, names: list[str]) -> _weft.Table:
        return _weft.Table.columns([column.values.reshape(-1, 1) for column in self.X.all], names, self.texts)


def _check_few(X: Any, min_rows: int) -> None:
    if X.shape[0] < min_rows:
        raise ValueError(
            f"Found array with {X.shape[0]} sample(s) (shape={X.shape}) while a minimum of {min_rows} is required."
        )


def _mixed_frame(estimator: Any, X: Any, text: list[bool], reset: bool, min_rows: int) -> Inputs:
    check_columns(estimator, X, reset)
    _check_few(X, min_rows)
    numbers = np.empty(X.shape)
    texts: list[list[str]] = []
    for j, is_text in enumerate(text):
        column = X.iloc[:, j]
        if is_text:
            numbers[:, j], words = _codes(column)
        else:
            if column.dtype.kind not in "biufO":
                raise ValueError(f"column {X.columns[j]!r} holds neither numbers nor categories but {column.dtype}")
            numbers[:, j], words = column.to_numpy(dtype=np.float64, na_value=np.nan), []
        texts.append(words)
    return Inputs(numbers, texts)


def inputs_of(estimator: Any, X: Any, *, reset: bool, allow_nan: bool, min_rows: int = 1) -> Inputs:
    """Checks the inputs as scikit-learn requires; sets n_features_in_ and feature_names_in_ where `reset`."""
    X = read_frame(X)
    if isinstance(X, Columns):
        check_names(estimator, X.names, reset)
        _check_few(X, min_rows)
        return ColumnInputs(X)
    if is_pandas(X):
        text = [_is_text(X.iloc[:, j]) for j in range(X.shape[1])]
        if any(text):
            return _mixed_frame(estimator, X, text, reset, min_rows)
    X = check_input(
        estimator,
        X,
        finite="allow-nan" if allow_nan else True,
        accept_sparse="csr",
        dtype=_REALS,
        reset=reset,
        ensure_min_samples=min_rows,
    )
    return Inputs(X)


RULES = {"groups": "group", "times": "time", "folds": "folds_column"}  #: arguments of fit, as the library calls them


def without_column(X: Any, name: str | None) -> Any:
    """The frame without this column; anything else as it is."""
    X = read_frame(X)
    if isinstance(X, Columns) and name in X.names:
        return X.without(name)
    if name is None or not is_pandas(X) or name not in X.columns:
        return X
    return X.drop(columns=[name])


class RowRule:
    """Which rows belong together, or come first, where rows are held out: one of groups, times and folds."""

    def __init__(self, X: Any, given: dict[str, object]) -> None:
        named = {argument: value for argument, value in given.items() if value is not None}
        if len(named) > 1:
            raise ValueError(f"{' and '.join(named)}: give one of groups, times and folds")
        self.argument: str | None = next(iter(named), None)
        values: Any = named.get(self.argument) if self.argument is not None else None
        self.column = values if isinstance(values, str) else None  #: of X, where it is named
        if self.column is not None:
            names = X.names if isinstance(X, Columns) else X.columns if is_pandas(X) else ()
            if self.column not in names:
                raise ValueError(f"{self.argument}: X has no column {self.column!r}")
            values = X.column(self.column) if isinstance(X, Columns) else X[self.column]
        if self.argument is not None:
            self.values, self.texts = self._numbers(np.asarray(read_values(values)))

    def _numbers(self, values: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """Numbers that compare as the values do, or positions in the list of distinct texts; NaN for missing values."""
        if values.ndim != 1:
            raise ValueError(f"{self.argument}: should be one value per row, not an array of shape {values.shape}")
        if values.dtype == object and any(isinstance(value, datetime.date) for value in values):
            values = values.astype("datetime64[ns]")
        large = values.dtype.kind in "iu" and values.size > 0 and bool(np.abs(values.astype(np.float64)).max() > 2.0**53)
        if values.dtype.kind in "mM" or large:
            numbers = np.unique(values, return_inverse=True)[1].astype(np.float64)
            if values.dtype.kind in "mM":
                numbers[np.isnat(values)] = np.nan
            return numbers, []
        if values.dtype.kind in "biuf":
            return values.astype(np.float64), []
        missing = np.array([value is None or value != value for value in values], dtype=bool)
        texts, codes = np.unique([str(value) for value in values], return_inverse=True)
        return np.where(missing, np.nan, codes), [str(text) for text in texts]

    def check(self, rows: int) -> None:
        if self.argument is not None and len(self.values) != rows:
            raise ValueError(f"{self.argument}: there are {len(self.values)} values for {rows} rows")

    def add_to(self, table: _weft.Table, keep: np.ndarray | None, taken: list[str]) -> None:
        if self.argument is None:
            return
        values = self.values if keep is None else self.values[keep]
        name = free_name(self.column or self.argument, taken)
        table.set_rule(RULES[self.argument], np.ascontiguousarray(values).reshape(-1, 1), name, self.texts)


def names_of(X: Any, columns: int) -> list[str]:
    """The names of a frame's columns; those of arrays are as in NumPy files that the command line reads."""
    if isinstance(X, Columns):
        return X.names
    if is_pandas(X):
        return [str(name) for name in X.columns]
    return [f"x{j}" for j in range(columns)]


def free_name(wanted: str, taken: list[str]) -> str:
    while wanted in taken:
        wanted += "_"
    return wanted


def target_names(y: Any, columns: int, taken: list[str]) -> list[str]:
    """The names of a series or frame, else target (target0, … when several), as the command line has it."""
    default = ["target"] if columns == 1 else [f"target{k}" for k in range(columns)]
    names = default
    if is_pandas(y):
        names = [str(name) for name in y.columns]
    elif isinstance(getattr(y, "name", None), str):
        names = [y.name]
    # The library expects several names separated by commas.
    listed = [part.strip() for part in ",".join(names).split(",")] if columns > 1 else names
    if listed != names or "" in names or len(set(names)) < columns:
        names = default
    while set(names) & set(taken) or ",".join(names) in taken:
        names = [name + "_" for name in names]
    return names
