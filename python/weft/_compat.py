"""What differs among scikit-learn 1.2, which Debian has, and later versions."""

from __future__ import annotations

import warnings
from typing import Any, Sequence

import numpy as np
from sklearn.utils import validation

if hasattr(validation, "validate_data"):  # from 1.6 on functions, before methods of the estimator

    def check_input(estimator: Any, X: Any, *, finite: Any, **arguments: Any) -> Any:
        return validation.validate_data(estimator, X, ensure_all_finite=finite, **arguments)

    def check_columns(estimator: Any, X: Any, reset: bool) -> None:
        validation._check_feature_names(estimator, X, reset=reset)
        validation._check_n_features(estimator, X, reset=reset)

else:

    def check_input(estimator: Any, X: Any, *, finite: Any, **arguments: Any) -> Any:
        return estimator._validate_data(X, force_all_finite=finite, **arguments)

    def check_columns(estimator: Any, X: Any, reset: bool) -> None:
        estimator._check_feature_names(X, reset=reset)
        estimator._check_n_features(X, reset=reset)


def check_names(estimator: Any, names: Sequence[str], reset: bool) -> None:
    """check_columns() by the names alone: which frames it knows differs from version to version."""
    if reset:
        estimator.n_features_in_ = len(names)
        estimator.feature_names_in_ = np.array(names, dtype=object)
        return
    known = getattr(estimator, "feature_names_in_", None)
    if len(names) != estimator.n_features_in_:
        raise ValueError(
            f"X has {len(names)} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} features "
            "as input."
        )
    if known is None:
        warnings.warn(
            f"X has feature names, but {type(estimator).__name__} was fitted without feature names", UserWarning, stacklevel=3
        )
    elif list(known) != list(names):
        raise ValueError(
            "The feature names should match those that were passed during fit: "
            f"they were {', '.join(known)}, now they are {', '.join(names)}."
        )
