"""Random features as a transformer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _weft
from ._base import WeftEstimator, _threads
from ._signatures import RandomFeaturesParameters

if TYPE_CHECKING:
    from typing_extensions import Self


class RandomFeatures(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, RandomFeaturesParameters, WeftEstimator
):
    """Random features of the inputs as a transformer: a replacement for RBFSampler and Nystroem.

    Inputs are not scaled unless `scale` is given. Features are divided by √T, so that for families without
    weights (``rff-``, ``rks-``) the inner products of two rows tend to the family's kernel: RBFSampler(gamma=g) is
    ``RandomFeatures(family="rff-rbf", sigma=sqrt(2 * g))``.

    {parameters}

    Examples
    --------
    >>> import numpy as np, weft
    >>> from sklearn.metrics.pairwise import rbf_kernel
    >>> X = np.random.default_rng(0).normal(size=(20, 3))
    >>> Z = weft.RandomFeatures(family="rff-rbf", n_features=20000, sigma=1.0).fit_transform(X)
    >>> bool(np.abs(Z @ Z.T - rbf_kernel(X, gamma=0.5)).max() < 0.05)
    True
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draws the features for inputs like X; y is ignored."""
        inputs = self._inputs(X, reset=True)
        bytes_needed = 8.0 * max(0, self.n_features) * (self.n_features_in_ + 1)
        if bytes_needed > os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"):
            raise MemoryError(
                f"n_features: {self.n_features} features of {self.n_features_in_} inputs do not fit into memory; use fewer"
            )
        self._features = _weft.Features.draw(
            inputs.table(self._names), self._options("family"), self._options("encode"), self._options("run")
        )
        self._n_features_out = self._features.count
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The features of every row: rows × n_features."""
        check_is_fitted(self)
        table = self._inputs(X, reset=False).table(self._names)
        return self._features.transform(table, 1 / np.sqrt(self._features.count), {"threads": _threads(self.n_jobs)})

    def __sklearn_is_fitted__(self) -> bool:
        return "_features" in vars(self)
