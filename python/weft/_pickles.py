"""Pickling and copying of the library's objects, by their parts."""

from __future__ import annotations

import copyreg
from typing import Any

from . import _weft


def _value(kind: str, bytes: bytes) -> Any:
    return getattr(_weft, kind).from_bytes(bytes)


def _model(bytes: bytes) -> _weft.Model:
    return _weft.Model.from_bytes(bytes)


def _features(encoder: str, family: dict[str, object]) -> _weft.Features:
    return _weft.Features.from_state(encoder, family)


copyreg.pickle(_weft.Model, lambda model: (_model, (model.to_bytes(),)))
_KINDS: tuple[Any, ...] = (_weft.InputStatistics, _weft.LevelStatistics, _weft.PartStatistics, _weft.Plan, _weft.Sums)
for _kind in _KINDS:
    copyreg.pickle(_kind, lambda value: (_value, (type(value).__name__, value.to_bytes())))
copyreg.pickle(_weft.Features, lambda features: (_features, features.to_state()))
