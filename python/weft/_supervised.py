"""Regressors and classifiers: the treatment of y."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, column_or_1d

from . import _weft
from ._base import WeftPredictor
from ._tables import target_names


def _check_rows(y: np.ndarray, rows: int) -> None:
    if y.shape[0] != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {y.shape[0]}]")


def _mean_loss(loss: dict[str, object], y: np.ndarray, predicted: np.ndarray, weights: np.ndarray) -> float:
    """Of the Poisson or quantile loss, over rows and columns."""
    if loss["name"] == "poisson":
        log = np.log(np.where(y > 0, y, 1) / predicted)
        losses = np.where(y > 0, y * log, 0) - y + predicted
    else:
        residuals = y - predicted
        losses = residuals * (np.asarray(loss["quantiles"]) - (residuals < 0))
    return float(np.average(losses.mean(axis=1), weights=weights))


def _weighted_quantile(y: np.ndarray, weights: np.ndarray, share: float) -> float:
    order = np.argsort(y)
    below = np.cumsum(weights[order])
    return float(y[order][np.searchsorted(below, share * below[-1])])


class Regressor(RegressorMixin, WeftPredictor):
    """Numbers, one or several per row."""

    def _check_target(self, y: Any, rows: int) -> np.ndarray:
        y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        if y.ndim not in (1, 2):
            raise ValueError(f"y should be a 1d or 2d array, got an array of shape {y.shape} instead.")
        _check_rows(y, rows)
        return y

    def _learn_target(self, y: Any, values: np.ndarray) -> None:
        self._flat = values.ndim == 1
        self._outputs = 1 if self._flat else values.shape[1]
        self._target_names = target_names(y, self._outputs, self._names)

    def _set_target(self, table: _weft.Table, values: np.ndarray) -> None:
        values = values.reshape(values.shape[0], -1)
        if values.shape[1] != self._outputs:
            raise ValueError(f"y has {values.shape[1]} columns, but the first batch had {self._outputs}")
        table.set_target(values, self._target_names)

    def _restore_target(self, model: _weft.Model) -> None:
        self._outputs = len(model.target_names)
        self._flat = self._outputs == 1

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        """Several quantiles are columns; everything else has y's shape."""
        return values.ravel() if self._flat and values.shape[1] == 1 else values

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The predicted numbers, of y's shape; with `return_std` also the standard deviation of a new value.

        The quantile loss gives one column per quantile, in ascending order. Standard deviations need a model that was
        fitted with ``std=True``.
        """
        kinds = ("values", "std") if return_std else ("values",)
        results = tuple(self._shaped(values) for values in self._predictions(X, *kinds))
        return results if return_std else results[0]

    def predict_interval(self, X: Any, level: float = 0.9, calibrate: Any = None) -> np.ndarray:
        """Lower and upper ends of intervals that hold the share `level` of new values: rows × 2 (docs/intervals.md).

        They follow from rows of the training data that were predicted without them. `calibrate`, a pair (X, y) of rows that
        the model was not fitted to, takes their place: then the share is guaranteed, for any model. With several targets
        the result is rows × targets × 2.
        """
        ends = self._predictions(X, "lower", "upper", calibrate=calibrate, interval=level)
        return np.stack([self._shaped(end) for end in ends], axis=-1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R², or the share of the loss of a constant that is explained (D²) where it is the Poisson or quantile loss."""
        loss = self.model_.loss
        if loss["name"] not in ("poisson", "quantile"):
            return super().score(X, y, sample_weight)
        y = self._check_target(y, len(y)).reshape(len(y), -1)
        weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        predicted = self.predict(X).reshape(len(y), -1)
        if loss["name"] == "quantile":
            constant = np.array([_weighted_quantile(y[:, 0], weights, quantile) for quantile in loss["quantiles"]])
        else:
            constant = np.average(y, axis=0, weights=weights)
        least = [_mean_loss(loss, y, values, weights) for values in (predicted, np.broadcast_to(constant, predicted.shape))]
        return float(1 - least[0] / least[1]) if least[1] > 0 else float("nan")

    def _more_tags(self) -> dict[str, object]:
        return {"multioutput": True}  # beside those of the bases

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _gives_probabilities(classifier: Any) -> bool:
    if classifier.__sklearn_is_fitted__() and not classifier.model_.has_probabilities:
        raise AttributeError(
            "this model predicts scores, not class probabilities: use fit, because partial_fit and fits without "
            "calibrate=True of version 0.1 give scores only"
        )
    return True


class Classifier(ClassifierMixin, WeftPredictor):
    """Two classes or more, of any kind of label."""

    def _check_target(self, y: Any, rows: int) -> np.ndarray:
        y = column_or_1d(y, warn=True)
        if y.dtype.kind == "f":
            y = check_array(y, ensure_2d=False, input_name="y", dtype=None)
        check_classification_targets(y)
        _check_rows(y, rows)
        return y

    def _learn_target(self, y: Any, values: np.ndarray) -> None:
        self._learn_classes(np.unique(values))
        self._target_names = target_names(y, 1, self._names)

    def _learn_classes(self, classes: np.ndarray) -> None:
        """Numbers are passed as they are; other labels are passed to the library as text."""
        self.classes_ = classes
        self._labels: list[str] = []
        numeric = classes.dtype.kind in "biuf" and len(np.unique(classes.astype(np.float64))) == len(classes)
        if not numeric:
            self._labels = [str(label) for label in classes.tolist()]
            if len(set(self._labels)) < len(self._labels):
                raise ValueError("y: several classes have the same text; use distinct labels")

    def _set_target(self, table: _weft.Table, values: np.ndarray) -> None:
        if self._labels:
            codes = np.searchsorted(self.classes_, values)
            known = self.classes_[np.minimum(codes, len(self.classes_) - 1)] == values
            if not np.all(known):
                raise ValueError(f"y: the class {values[~known][0]!r} is not among the classes of the first batch")
            values = codes
        table.set_target(values.astype(np.float64).reshape(-1, 1), self._target_names, self._labels)

    def _restore_target(self, model: _weft.Model) -> None:
        """The file stores classes as text: they become numbers if every one spells a number."""
        try:
            numbers = np.unique([float(text) for text in model.classes])
        except ValueError:
            numbers = np.empty(0)
        if len(numbers) < len(model.classes) or not np.all(np.isfinite(numbers)):
            self._learn_classes(np.array(sorted(model.classes)))
            return
        whole = bool(np.all(numbers == np.floor(numbers)) and np.all(np.abs(numbers) < 2.0**53))
        self._learn_classes(numbers.astype(np.int64) if whole else numbers)

    def _order(self) -> np.ndarray:
        """The library's position of every class of classes_: labels that spell numbers are in their order there."""
        if not self._labels:
            return np.arange(len(self.classes_))
        positions = {text: k for k, text in enumerate(self.model_.classes)}
        return np.array([positions[label] for label in self._labels])

    def predict(self, X: Any) -> np.ndarray:
        """The class of every row."""
        (positions,) = self._predictions(X, "values")
        class_at = np.argsort(self._order())
        return self.classes_[class_at[positions.ravel().astype(np.intp)]]

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores: of the second class where there are two, else one column per class."""
        (scores,) = self._predictions(X, "scores")
        order = self._order()
        if scores.shape[1] == 1:
            return scores.ravel() if order[0] == 0 else -scores.ravel()
        return scores[:, order]

    @available_if(_gives_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of every class: rows × classes."""
        (probabilities,) = self._predictions(X, "probabilities")
        return probabilities[:, self._order()]

    @available_if(_gives_probabilities)
    def predict_set(self, X: Any, level: float = 0.9, by_class: bool = False, calibrate: Any = None) -> np.ndarray:
        """Which labels are not ruled out: rows × classes of bool, in the order of `classes_` (docs/intervals.md).

        The set of a new row holds its label with probability `level`; with `by_class` for rows of every class. The most
        probable label is always in it. `calibrate` is as in `predict_interval`.
        """
        (sets,) = self._predictions(X, "sets", calibrate=calibrate, interval=level, interval_by_class=by_class)
        return sets[:, self._order()] == 1

    @available_if(_gives_probabilities)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
