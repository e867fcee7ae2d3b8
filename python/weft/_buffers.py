"""What a column of somebody else's memory is: values, which of them are there, and for texts where each begins."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import List, Optional, Sequence

import numpy as np


@dataclass(frozen=True)
class Column:
    """As the library reads it: numbers, or positions in a list of texts; NaN for missing values."""

    name: str
    values: np.ndarray
    texts: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class Buffers:
    kind: str  #: "numbers", "times" (datetime64), "texts" (bytes with offsets) or "categories" (codes)
    values: np.ndarray
    valid: Optional[np.ndarray] = None  #: None: all are there
    offsets: Optional[np.ndarray] = None
    categories: Optional["Buffers"] = None
    utc: bool = False  #: times have a zone

    def __len__(self) -> int:
        return len(self.values) if self.offsets is None else max(0, len(self.offsets) - 1)

    def rows(self, rows: slice) -> "Buffers":
        if rows.start == 0 and rows.stop == len(self):
            return self
        valid = None if self.valid is None else self.valid[rows]
        if self.offsets is None:
            return replace(self, values=self.values[rows], valid=valid)
        return replace(self, offsets=self.offsets[rows.start : rows.stop + 1], valid=valid)

    def masked(self, valid: np.ndarray) -> "Buffers":
        return replace(self, valid=valid if self.valid is None else self.valid & valid)

    def texts(self) -> List[Optional[str]]:
        """Every value as a text; None where it is missing."""
        if self.kind == "categories":
            assert self.categories is not None
            words = self.categories.texts()
            found = [words[code] if 0 <= code < len(words) else None for code in self.values.tolist()]
        elif self.offsets is not None:
            data = self.values.tobytes()
            ends = self.offsets.tolist()
            found = [data[a:b].decode("utf-8", "replace") for a, b in zip(ends, ends[1:])]
        elif self.kind == "times":
            zone = "+00:00" if self.utc else ""
            found = [
                None if text == "NaT" else text.replace("T", " ") + zone
                for text in np.datetime_as_string(self.values).tolist()
            ]
        else:
            found = [str(value) for value in self.values.tolist()]
        if self.valid is None:
            return found
        return [text if there else None for text, there in zip(found, self.valid.tolist())]


def joined(chunks: Sequence[Buffers]) -> Buffers:
    """One column from its chunks; a single one is not copied."""
    if len(chunks) == 1:
        return chunks[0]
    if not chunks:
        return Buffers("numbers", np.empty(0))
    valid = None
    if any(chunk.valid is not None for chunk in chunks):
        valid = np.concatenate(
            [np.ones(len(chunk), dtype=bool) if chunk.valid is None else chunk.valid for chunk in chunks]
        )
    if chunks[0].kind in ("texts", "categories"):  # chunks may have categories of their own
        words: List[Optional[str]] = [word for chunk in chunks for word in chunk.texts()]
        return _of_words(words)
    return replace(chunks[0], values=np.concatenate([chunk.values for chunk in chunks]), valid=valid)


def _of_words(words: Sequence[Optional[str]]) -> Buffers:
    data = [b"" if word is None else word.encode("utf-8", "surrogatepass") for word in words]
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in data])]).astype(np.int64)
    valid = np.array([word is not None for word in words], dtype=bool)
    return Buffers("texts", np.frombuffer(b"".join(data), dtype=np.uint8), valid, offsets=offsets)


def _codes(words: Sequence[Optional[str]]) -> "tuple[np.ndarray, List[str]]":
    known: dict = {}
    codes = [np.nan if word is None else known.setdefault(word, len(known)) for word in words]
    return np.array(codes, dtype=np.float64), list(known)


def _category_codes(column: Buffers) -> "tuple[np.ndarray, List[str]]":
    """Codes as they are, where categories have different texts."""
    assert column.categories is not None
    words = column.categories.texts()
    position, texts = _codes(words)
    raw = column.values.astype(np.int64)
    there = (raw >= 0) & (raw < len(words))
    if column.valid is not None:
        there &= column.valid
    codes = np.full(len(raw), np.nan)
    codes[there] = position[raw[there]]
    return codes, texts


def column_of(name: str, column: Buffers) -> Column:
    if column.kind == "categories":
        return Column(name, *_category_codes(column))
    if column.kind in ("texts", "times"):
        return Column(name, *_codes(column.texts()))
    values = column.values
    if column.valid is not None and not column.valid.all():
        values = np.where(column.valid, values, np.nan)
    return Column(name, values if values.dtype == np.float32 else values.astype(np.float64, copy=False))
