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
from ._weft import __version__, use_fixed_kernels

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
