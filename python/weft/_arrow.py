"""Columns of the Arrow C data interface (polars, pyarrow, DuckDB, …): read where they lie, without pyarrow.

Objects with `__arrow_c_stream__` or `__arrow_c_array__` give capsules around the structs below
(https://arrow.apache.org/docs/format/CDataInterface.html). A stream is read to its end, and what it gave is released when the
last array that looks at its memory is gone.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, List, Tuple

import numpy as np

from ._buffers import Buffers, Column, column_of, joined


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]

#: The letters of numbers; views of their memory need no conversion.
_NUMBERS = {
    "c": np.int8, "C": np.uint8, "s": np.int16, "S": np.uint16, "i": np.int32, "I": np.uint32, "l": np.int64,
    "L": np.uint64, "e": np.float16, "f": np.float32, "g": np.float64,
}  # fmt: skip
_OFFSETS = {"u": np.int32, "U": np.int64, "z": np.int32, "Z": np.int64}  #: of texts
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}  #: of times: ts{letter}:zone
_DATES = {"tdD": (np.int32, "D"), "tdm": (np.int64, "ms")}


def offers_arrow(value: Any) -> bool:
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")


def _pointer(capsule: Any, name: bytes, kind: Any) -> Any:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(get(capsule, name), ctypes.POINTER(kind))


def _release(struct: Any) -> None:
    if struct.release:
        struct.release(ctypes.byref(struct))


class _Owner:
    """Keeps the memory of a moved array until the last view of it is gone."""

    def __init__(self, array: _Array):
        self.array = array
        weakref.finalize(self, _release, array).atexit = False  # its producer may be gone by then


def _moved(source: Any, kind: Any) -> Any:
    """The struct itself, its source marked as released: whoever holds the capsule no longer does so."""
    struct = kind()
    ctypes.memmove(ctypes.byref(struct), source, ctypes.sizeof(kind))
    source.contents.release = type(struct.release)()
    return struct


def _chunks(value: Any) -> Tuple[_Schema, List[_Owner]]:
    """The schema, to be released, and the arrays of a stream or of a single one."""
    if not hasattr(value, "__arrow_c_stream__"):
        schema, array = value.__arrow_c_array__()
        own = _moved(_pointer(schema, b"arrow_schema", _Schema), _Schema)
        return own, [_Owner(_moved(_pointer(array, b"arrow_array", _Array), _Array))]
    capsule = value.__arrow_c_stream__()
    stream = _pointer(capsule, b"arrow_array_stream", _Stream)
    schema = _Schema()
    _check(stream, stream.contents.get_schema(stream, ctypes.byref(schema)))
    owners: List[_Owner] = []
    try:
        while True:
            array = _Array()
            _check(stream, stream.contents.get_next(stream, ctypes.byref(array)))
            if not array.release:
                return schema, owners
            owners.append(_Owner(array))
    except BaseException:
        _release(schema)
        raise
    finally:
        _release(stream.contents)


def _check(stream: Any, code: int) -> None:
    if code != 0:
        text = stream.contents.get_last_error(stream)
        raise ValueError(f"X: the Arrow stream failed: {text.decode('utf-8', 'replace') if text else code}")


def _view(owner: _Owner, array: _Array, k: int, dtype: Any, count: int) -> np.ndarray:
    """Buffer k as an array that keeps its owner alive; empty where there is none."""
    address = array.buffers[k] if k < array.n_buffers else None
    if not address or count == 0:
        return np.empty(0, dtype=dtype)
    memory: Any = (ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(address)
    memory._owner = owner
    return np.frombuffer(memory, dtype=dtype)


def _valid(owner: _Owner, array: _Array) -> "np.ndarray | None":
    """Which values are there; None: all."""
    if array.null_count == 0 or not array.n_buffers or not array.buffers[0]:
        return None
    bits = _view(owner, array, 0, np.uint8, (array.offset + array.length + 7) // 8)
    return _bits(bits, array)


def _bits(bits: np.ndarray, array: _Array) -> np.ndarray:
    unpacked = np.unpackbits(bits, bitorder="little")
    return unpacked[array.offset : array.offset + array.length].astype(bool)


def _buffers(owner: _Owner, schema: _Schema, array: _Array, name: str) -> Buffers:
    letter = schema.format.decode()
    first, last = array.offset, array.offset + array.length
    valid = _valid(owner, array)
    if schema.dictionary:
        codes = _view(owner, array, 1, _NUMBERS[letter], last)[first:last]
        values = _buffers(owner, schema.dictionary.contents, array.dictionary.contents, name)
        return Buffers("categories", codes, valid, categories=values)
    if letter in _NUMBERS:
        return Buffers("numbers", _view(owner, array, 1, _NUMBERS[letter], last)[first:last], valid)
    if letter == "b":
        return Buffers("numbers", _bits(_view(owner, array, 1, np.uint8, (last + 7) // 8), array), valid)
    if letter == "n":
        return Buffers("numbers", np.zeros(array.length), np.zeros(array.length, dtype=bool))
    if letter in _OFFSETS:
        offsets = _view(owner, array, 1, _OFFSETS[letter], last + 1)[first : last + 1]
        end = int(offsets[-1]) if len(offsets) else 0
        return Buffers("texts", _view(owner, array, 2, np.uint8, end), valid, offsets=offsets)
    if letter in ("vu", "vz"):
        return _text_views(owner, array, valid)
    if letter in _DATES or letter.startswith("ts"):
        dtype, unit = _DATES.get(letter, (np.int64, _UNITS.get(letter[2:3], "")))
        ticks = _view(owner, array, 1, dtype, last)[first:last]
        times = ticks.astype(np.int64).view(f"datetime64[{unit}]")
        return Buffers("times", times, valid, utc=letter.startswith("ts") and not letter.endswith(":"))
    raise ValueError(
        f"column {name!r} holds neither numbers, texts, categories nor dates but values of Arrow's format {letter!r}; "
        "convert it, or leave it out"
    )


def _text_views(owner: _Owner, array: _Array, valid: "np.ndarray | None") -> Buffers:
    """Texts of at most 12 bytes lie in the view itself, others in one of the buffers behind it (polars)."""
    first, last = array.offset, array.offset + array.length
    views = _view(owner, array, 1, np.uint8, 16 * last).reshape(-1, 16)[first:last]
    lengths = views[:, :4].copy().view(np.int32).ravel() if len(views) else np.empty(0, dtype=np.int32)
    sizes = _view(owner, array, array.n_buffers - 1, np.int64, max(0, array.n_buffers - 3))
    data = [_view(owner, array, 2 + k, np.uint8, int(size)) for k, size in enumerate(sizes)]
    there = np.ones(len(views), dtype=bool) if valid is None else valid
    pieces = []
    for view, length, known in zip(views, lengths, there):
        if not known or length == 0:
            pieces.append(b"")
        elif length <= 12:
            pieces.append(view[4 : 4 + length].tobytes())
        else:
            buffer, start = view[8:16].view(np.int32)
            pieces.append(data[buffer][start : start + length].tobytes())
    offsets = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]).astype(np.int64)
    return Buffers("texts", np.frombuffer(b"".join(pieces), dtype=np.uint8), valid, offsets=offsets)


def _of_struct(array: _Array, parts: "List[Buffers]", owner: _Owner) -> "List[Buffers]":
    """The children of a struct begin where it does, and lack what it lacks."""
    rows = slice(array.offset, array.offset + array.length)
    valid = _valid(owner, array)
    cut = [part.rows(rows) if array.offset else part.rows(slice(0, array.length)) for part in parts]
    return [part.masked(valid) for part in cut] if valid is not None else cut


def arrow_columns(value: Any) -> List[Column]:
    """The columns of a table, or the one of an array, with texts and categories as codes."""
    schema, owners = _chunks(value)
    try:
        if schema.format == b"+s":
            fields = [schema.children[k].contents for k in range(schema.n_children)]
            names = [(field.name or b"").decode("utf-8", "replace") for field in fields]
            chunks = [
                _of_struct(
                    owner.array,
                    [
                        _buffers(owner, field, owner.array.children[k].contents, names[k])
                        for k, field in enumerate(fields)
                    ],
                    owner,
                )
                for owner in owners
            ]
        else:
            fields, names = [schema], [(schema.name or b"").decode("utf-8", "replace")]
            chunks = [[_buffers(owner, schema, owner.array, names[0])] for owner in owners]
        return [
            column_of(names[k], joined([chunk[k] for chunk in chunks])) for k in range(len(fields))
        ]
    finally:
        _release(schema)
