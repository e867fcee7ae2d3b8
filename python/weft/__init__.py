"""weft: learned kernels and weighted random features for tabular data, with scikit-learn estimators.

>>> import weft
>>> from sklearn.datasets import make_friedman1
>>> X, y = make_friedman1(500, random_state=0)
>>> model = weft.Regressor().fit(X, y)
>>> bool(model.score(X, y) > 0.95)
True

Saved models can be used by the command line, and vice versa:

>>> import tempfile, os
>>> path = os.path.join(tempfile.mkdtemp(), "friedman.weft")
>>> model.save(path)
>>> bool((weft.load(path).predict(X) == model.predict(X)).all())
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._weft import __version__, use_fixed_kernels

if TYPE_CHECKING:
    from ._analysis import certify, explain, explain_rows, leverage, prune
    from ._estimators import (
        Classifier,
        KernelLossRegressor,
        KernelRidge,
        KernelRidgeClassifier,
        KernelRidgeCV,
        LearnedActivationClassifier,
        LearnedActivationRegressor,
        LocalKernelClassifier,
        LocalKernelRegressor,
        RandomFeatureClassifier,
        RandomFeatureClassifierCV,
        RandomFeatureRegressor,
        RandomFeatureRegressorCV,
        Regressor,
    )
    from ._features import RandomFeatures
    from ._load import load

__all__ = [
    "Classifier",
    "KernelLossRegressor",
    "KernelRidge",
    "KernelRidgeCV",
    "KernelRidgeClassifier",
    "LearnedActivationClassifier",
    "LearnedActivationRegressor",
    "LocalKernelClassifier",
    "LocalKernelRegressor",
    "RandomFeatureClassifier",
    "RandomFeatureClassifierCV",
    "RandomFeatureRegressor",
    "RandomFeatureRegressorCV",
    "RandomFeatures",
    "Regressor",
    "__version__",
    "certify",
    "explain",
    "explain_rows",
    "leverage",
    "load",
    "prune",
    "use_fixed_kernels",
]

if not TYPE_CHECKING:  # it would give any name a type

    def __getattr__(name: str) -> Any:
        """Estimators and functions come from their modules when they are first asked for: scikit-learn takes half a second."""
        if name in __all__:
            for home in ("_estimators", "_features", "_analysis", "_load"):
                module = importlib.import_module(f"{__name__}.{home}")
                if hasattr(module, name):
                    globals()[name] = getattr(module, name)
                    return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
