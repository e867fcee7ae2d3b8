"""Frames other than pandas': polars, pyarrow and whatever else has the Arrow C or the dataframe interchange protocol."""

from __future__ import annotations

from typing import Any, List

import numpy as np

from ._arrow import arrow_columns, offers_arrow
from ._buffers import Column
from ._interchange import interchange_columns, offers_interchange


class Columns:
    """A frame by its columns, whose memory is the frame's own where it has float64 or float32."""

    def __init__(self, columns: List[Column]):
        self.all = columns

    @property
    def names(self) -> List[str]:
        return [column.name for column in self.all]

    @property
    def shape(self) -> "tuple[int, int]":
        return (len(self.all[0].values) if self.all else 0, len(self.all))

    def __len__(self) -> int:
        return self.shape[0]

    def take(self, keep: np.ndarray) -> "Columns":
        return Columns([Column(column.name, column.values[keep], column.texts) for column in self.all])

    def without(self, name: str) -> "Columns":
        return Columns([column for column in self.all if column.name != name])

    def column(self, name: str) -> np.ndarray:
        """Its values: numbers, or texts with None for missing ones."""
        found = next(column for column in self.all if column.name == name)
        if not found.texts:
            return found.values
        return np.array([None if np.isnan(code) else found.texts[int(code)] for code in found.values], dtype=object)


def is_pandas(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "iloc")


def read_frame(X: Any) -> Any:
    """Columns of a frame that is not pandas'; anything else as it is."""
    if isinstance(X, (np.ndarray, Columns)) or is_pandas(X):
        return X
    if offers_arrow(X):
        return Columns(arrow_columns(X))
    if offers_interchange(X):
        return Columns(interchange_columns(X))
    return X


def read_values(y: Any) -> Any:
    """One column of such a frame, or an Arrow array, as an array; anything else as it is."""
    if isinstance(y, np.ndarray) or is_pandas(y) or hasattr(y, "__array__") or not (offers_arrow(y) or offers_interchange(y)):
        return y
    frame = read_frame(y)
    values = [frame.column(name) for name in frame.names]
    return values[0] if len(values) == 1 else np.stack(values, axis=1)
