"""Columns of the dataframe interchange protocol (`__dataframe__`): read where they lie."""

from __future__ import annotations

import ctypes
from typing import Any, List, Optional, Tuple

import numpy as np

from ._buffers import Buffers, Column, column_of, joined

# DtypeKind and ColumnNullType of https://data-apis.org/dataframe-protocol.
_INT, _UINT, _FLOAT, _BOOL, _STRING, _DATETIME, _CATEGORICAL = 0, 1, 2, 20, 21, 22, 23
_NOT_NULLABLE, _NAN, _SENTINEL, _BITMASK, _BYTEMASK = range(5)
_LETTERS = {_INT: "i", _UINT: "u", _FLOAT: "f"}
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}


def offers_interchange(value: Any) -> bool:
    return hasattr(value, "__dataframe__")


def _memory(buffer: Any, dtype: Any, count: int) -> np.ndarray:
    if count == 0 or not buffer.ptr:
        return np.empty(0, dtype=dtype)
    size = count * np.dtype(dtype).itemsize
    if size > buffer.bufsize:
        raise ValueError(f"X: a buffer of {buffer.bufsize} bytes ends before its {count} values")
    memory: Any = (ctypes.c_char * size).from_address(buffer.ptr)
    memory._owner = buffer
    return np.frombuffer(memory, dtype=dtype)


def _bits(buffer: Any, first: int, last: int) -> np.ndarray:
    packed = _memory(buffer, np.uint8, (last + 7) // 8)
    return np.unpackbits(packed, bitorder="little")[first:last].astype(bool)


def _rows_of(chunk: Any) -> int:
    return int(chunk.size() if callable(chunk.size) else chunk.size)


def _numbers(part: Tuple[Any, Tuple[int, int, str, str]], first: int, last: int) -> np.ndarray:
    buffer, (kind, bits, _, _) = part
    if kind == _BOOL:
        return _bits(buffer, first, last) if bits == 1 else _memory(buffer, np.uint8, last)[first:last] != 0
    return _memory(buffer, f"{_LETTERS[kind]}{bits // 8}", last)[first:last]


def _valid(chunk: Any, buffers: Any, values: np.ndarray, first: int, last: int) -> Optional[np.ndarray]:
    null, meaning = chunk.describe_null
    if null == _SENTINEL:
        return values.view(np.int64) != meaning if values.dtype.kind == "M" else values != meaning
    if null not in (_BITMASK, _BYTEMASK) or buffers["validity"] is None:
        return None  # NaN is NaN in numbers as well
    buffer = buffers["validity"][0]
    mask = _bits(buffer, first, last) if null == _BITMASK else _memory(buffer, np.uint8, last)[first:last] != 0
    return mask != bool(meaning)


def _buffers(name: str, chunk: Any) -> Buffers:
    kind, _, letter, _ = chunk.dtype
    first, last = int(chunk.offset), int(chunk.offset) + _rows_of(chunk)
    buffers = chunk.get_buffers()
    if kind in (_INT, _UINT, _FLOAT, _BOOL):
        values = _numbers(buffers["data"], first, last)
        return Buffers("numbers", values, _valid(chunk, buffers, values, first, last))
    if kind == _CATEGORICAL:
        codes = _numbers(buffers["data"], first, last)
        categories = joined([_buffers(name, part) for part in chunk.describe_categorical["categories"].get_chunks()])
        return Buffers("categories", codes, _valid(chunk, buffers, codes, first, last), categories=categories)
    if kind == _STRING:
        offsets, (_, bits, _, _) = buffers["offsets"]
        ends = _memory(offsets, f"i{bits // 8}", last + 1)[first : last + 1]
        data = _memory(buffers["data"][0], np.uint8, int(ends[-1]) if len(ends) else 0)
        return Buffers("texts", data, _valid(chunk, buffers, data, first, last), offsets=ends)
    if kind == _DATETIME and letter == "tdD":
        days = _memory(buffers["data"][0], np.int32, last)[first:last]
        return Buffers("times", days.astype("datetime64[D]"), _valid(chunk, buffers, days, first, last))
    if kind == _DATETIME and letter.startswith("ts"):
        ticks = _memory(buffers["data"][0], np.int64, last)[first:last].view(f"datetime64[{_UNITS[letter[2]]}]")
        return Buffers("times", ticks, _valid(chunk, buffers, ticks, first, last), utc=not letter.endswith(":"))
    raise ValueError(
        f"column {name!r} holds neither numbers, texts, categories nor dates but values of the format {letter!r}; "
        "convert it, or leave it out"
    )


def interchange_columns(value: Any) -> List[Column]:
    frame = value.__dataframe__()
    columns = []
    for k, name in enumerate(frame.column_names()):
        chunks = list(frame.get_column(k).get_chunks())
        columns.append(column_of(str(name), joined([_buffers(str(name), chunk) for chunk in chunks])))
    return columns
