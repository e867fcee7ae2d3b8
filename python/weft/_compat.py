"""Names that changed between scikit-learn 1.2, which Debian has, and 1.6."""

from __future__ import annotations

import sklearn
from sklearn.utils.fixes import parse_version

_NEW = parse_version(sklearn.__version__) >= parse_version("1.6.dev0")

if _NEW:
    from sklearn.utils.validation import _check_feature_names, _check_n_features, validate_data

    def check_input(estimator, X, *, finite, **arguments):
        return validate_data(estimator, X, ensure_all_finite=finite, **arguments)

    def check_columns(estimator, X, reset: bool) -> None:
        _check_feature_names(estimator, X, reset=reset)
        _check_n_features(estimator, X, reset=reset)

else:

    def check_input(estimator, X, *, finite, **arguments):
        return estimator._validate_data(X, force_all_finite=finite, **arguments)

    def check_columns(estimator, X, reset: bool) -> None:
        estimator._check_feature_names(X, reset=reset)
        estimator._check_n_features(X, reset=reset)
