"""Pickling and copying of the library's objects, by their parts."""

from __future__ import annotations

import copyreg

from . import _weft


def _model(bytes: bytes) -> _weft.Model:
    return _weft.Model.from_bytes(bytes)


def _features(encoder: str, family: dict[str, object]) -> _weft.Features:
    return _weft.Features.from_state(encoder, family)


copyreg.pickle(_weft.Model, lambda model: (_model, (model.to_bytes(),)))
copyreg.pickle(_weft.Features, lambda features: (_features, features.to_state()))
