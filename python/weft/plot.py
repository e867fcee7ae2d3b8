"""Plots of fitted models with matplotlib. Every function takes an estimator or an array, and returns the Axes.

>>> import matplotlib; matplotlib.use("Agg")
>>> import numpy as np, weft, weft.plot
>>> X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
>>> model = weft.LearnedActivationRegressor(n_features=30, lam=1e-6).fit(X, np.sin(4 * X[:, 0]))
>>> weft.plot.activation(model).get_ylabel()
'activation'
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _weft
from ._analysis import leverage
from ._base import WeftEstimator, WeftPredictor
from ._search import Search

try:
    import matplotlib.pyplot as plt
except ImportError as error:
    raise ImportError("weft.plot needs matplotlib: install it with pip install matplotlib") from error

__all__ = ["activation", "learning_curve", "leverage_histogram", "path"]


def _axes(ax: Any) -> Any:
    return plt.subplots()[1] if ax is None else ax


def _columns(numbers: Any, least: int, most: int, what: str) -> np.ndarray:
    table = np.asarray(numbers, dtype=np.float64)
    if table.ndim != 2 or not least <= table.shape[1] <= most or table.shape[0] == 0:
        raise ValueError(f"{what}: expected a fitted estimator or rows of {least} to {most} numbers")
    return table


def _score_line(ax: Any, x: Any, score: Any, error: Any, label: str) -> None:
    (line,) = ax.plot(x, score, marker="o", markersize=3, label=label)
    if error is not None:
        ax.fill_between(x, score - error, score + error, color=line.get_color(), alpha=0.2, linewidth=0)


def learning_curve(model: Any, *, ax: Any = None) -> Any:
    """The cross-validated score over the number of features, with a band of one standard error.

    `model` is a fitted RandomFeatureRegressorCV or RandomFeatureClassifierCV, whose recommended number of features is
    marked, or rows of (features, score) or (features, score, standard error).
    """
    ax = _axes(ax)
    if isinstance(model, Search):
        check_is_fitted(model)
        curve = model.feature_curve_
        if len(curve) == 0:
            raise ValueError("learning_curve: not available for a search that evaluates by refits")
        _score_line(ax, curve[:, 0], curve[:, 2], curve[:, 3], "score")
        ax.axvline(curve[model.search_["recommended"], 0], color="grey", linestyle="--", label="recommended")
        ax.set_ylabel(model.metric_)
        ax.legend()
    else:
        curve = _columns(model, 2, 3, "learning_curve")
        _score_line(ax, curve[:, 0], curve[:, 1], curve[:, 2] if curve.shape[1] == 3 else None, "score")
        ax.set_ylabel("score")
    ax.set_xscale("log")
    ax.set_xlabel("features")
    return ax


def activation(model: Any, *, interval: tuple[float, float] | None = None, points: int = 401, ax: Any = None) -> Any:
    """The activations of a model's features.

    `model` is a fitted estimator, or rows of (z, h(z)). A learned activation is drawn over the interval that its basis
    covers unless `interval` is given, others over [−3, 3].
    """
    ax = _axes(ax)
    if isinstance(model, WeftPredictor):
        check_is_fitted(model)
        found = _weft.activations(model.model_)
        if not found:
            raise ValueError("activation: not available for kernel machines")
        for h in found:
            low, high = interval or h["interval"] or (-3, 3)
            z = np.linspace(low, high, points)
            ax.plot(z, h["value"](z), label=h["name"])
        ax.legend()
    else:
        curve = _columns(model, 2, 2, "activation")
        ax.plot(curve[:, 0], curve[:, 1])
    ax.set_xlabel("z")
    ax.set_ylabel("activation")
    return ax


def leverage_histogram(scores: Any, X: Any = None, *, lam: Any = (), bins: Any = 30, ax: Any = None) -> Any:
    """Histogram of the leverage scores of candidate features. A single tall bar means that sampling by them is nearly
    uniform.

    `scores` are the scores themselves, or an estimator whose features are scored on the rows of `X` for each
    `lam` (none: 1/rows).
    """
    ax = _axes(ax)
    if isinstance(scores, WeftEstimator):
        if X is None:
            raise ValueError("leverage_histogram: X is required to score the features of an estimator")
        for found in leverage(scores, X, lam):
            label = f"λ = {found['lambda']:.3g}, effective dimension {found['effective_dimension']:.3g}"
            ax.hist(found["scores"], bins=bins, alpha=0.6, label=label)
        ax.legend()
    else:
        ax.hist(np.asarray(scores, dtype=np.float64).ravel(), bins=bins)
    ax.set_xlabel("leverage score")
    ax.set_ylabel("candidates")
    return ax


def path(model: Any, *, ax: Any = None) -> Any:
    """Scores or number of features against λ.

    For a fitted search: the cross-validated score of its best configuration over λ, with a band of one standard
    error, and the chosen λ. For an estimator that `weft.prune` returned: the features that the lasso keeps over
    its λ, accepted ones filled. Else rows of (λ, score) or (λ, score, standard error).
    """
    ax = _axes(ax)
    if isinstance(model, Search):
        check_is_fitted(model)
        best = model.search_["trials"][model.search_["best"]]
        points = np.array(best["path"], dtype=np.float64).reshape(-1, 4)
        if len(points) == 0:
            raise ValueError("path: not available for a search that evaluates by refits")
        _score_line(ax, points[:, 1], points[:, 2], points[:, 3], "score")
        ax.axvline(best["lambda"], color="grey", linestyle="--", label="chosen")
        ax.set_ylabel(model.metric_)
        ax.legend()
    elif isinstance(model, WeftPredictor):
        told = getattr(model, "pruning_", None)
        if told is None:
            raise ValueError("path: not available for this estimator; give a fitted search or the result of weft.prune")
        tried = [(step["lambda"], step["kept"], step["accepted"]) for step in told["path"]]
        steps = np.array(sorted(tried), dtype=np.float64).reshape(-1, 3)
        ax.plot(steps[:, 0], steps[:, 1], color="grey", linewidth=1)
        for accepted, label in ((True, "accepted"), (False, "rejected")):
            chosen = steps[steps[:, 2] == accepted]
            ax.scatter(chosen[:, 0], chosen[:, 1], facecolor="C0" if accepted else "white", edgecolor="C0", label=label)
        ax.set_ylabel("features")
        ax.legend()
    else:
        points = _columns(model, 2, 3, "path")
        _score_line(ax, points[:, 0], points[:, 1], points[:, 2] if points.shape[1] == 3 else None, "score")
        ax.set_ylabel("score")
    ax.set_xscale("log")
    ax.set_xlabel("λ")
    return ax
