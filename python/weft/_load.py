"""Model files as estimators."""

from __future__ import annotations

import os
from typing import Any

from . import _estimators as estimators
from . import _weft
from ._base import WeftPredictor

_BY_FIT: dict[str, tuple[Any, Any]] = {
    "portfolio": (estimators.Regressor, estimators.Classifier),
    "local": (estimators.LocalKernelRegressor, estimators.LocalKernelClassifier),
    "kernel-ridge": (estimators.KernelRidge, estimators.KernelRidgeClassifier),
    "kernel-newton": (estimators.KernelLossRegressor, None),
    "learned-activation": (estimators.LearnedActivationRegressor, estimators.LearnedActivationClassifier),
}


def load(path: str | os.PathLike) -> WeftPredictor:
    """The fitted estimator of a model file, written by `save` or by the command line.

    Its parameters are the options of the fit. Classes are numbers where all their labels spell numbers, else texts.

    >>> import os, tempfile, numpy as np, weft
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> path = os.path.join(tempfile.mkdtemp(), "line.weft")
    >>> weft.RandomFeatureRegressor(n_features=20).fit(X, X.ravel()).save(path)
    >>> weft.load(path).n_features
    20
    """
    model = _weft.Model.load(os.fspath(path))
    kinds = _BY_FIT.get(model.options.get("fit", ""), (estimators.RandomFeatureRegressor, estimators.RandomFeatureClassifier))
    estimator = kinds[0 if model.task == "regression" else 1]()
    estimator._restore(model)
    return estimator
