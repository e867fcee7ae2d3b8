"""Analysis of fitted models and of features: certificates, pruning, leverage scores."""

from __future__ import annotations

import copy
import inspect
import json
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _signatures as signatures
from . import _weft
from ._base import WeftEstimator, WeftPredictor, _threads


def _takes(options: Any) -> Any:
    """Gives a function the keywords and the documentation of generated options."""

    def decorate(function: Any) -> Any:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        keywords = inspect.signature(options).parameters.values()
        function.__signature__ = signature.replace(parameters=[*own, *keywords])
        parameters = inspect.cleandoc(options.__doc__).split("\n", 2)[2]
        function.__doc__ = inspect.cleandoc(function.__doc__).replace("{parameters}", parameters)
        return function

    return decorate


def _labelled_table(model: WeftPredictor, X: Any, y: Any, sample_weight: Any = None) -> _weft.Table:
    """Rows with their targets, for a fitted model."""
    check_is_fitted(model)
    _, table = model._training_table(X, y, sample_weight, reset=False, min_rows=1, learn_target=None)
    return table


def _run_options(model: WeftEstimator) -> dict[str, object]:
    return {"threads": _threads(model.n_jobs)}


def _number(value: Any) -> Any:
    """Numbers that are not finite are text in JSON."""
    return float(value) if value in ("inf", "-inf", "nan") else value


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _numbers(part) for name, part in value.items()}
    return [_numbers(part) for part in value] if isinstance(value, list) else _number(value)


@_takes(signatures.certify_options)
def certify(
    model: WeftPredictor, X: Any, y: Any, *, original: WeftPredictor | None = None, held_out: Any = None, **options: Any
) -> dict[str, object]:
    """Bounds on the loss of a fitted model on new rows, as `weft certify` computes them (docs/certify.md).

    Parameters
    ----------
    model : a fitted estimator
    X, y : the rows that it was fitted on
    original : the model that `model` was pruned from
    held_out : a pair (X, y) of rows that the model was not fitted to, for the plain bound
    {parameters}

    Returns
    -------
    dict with the plain bound of ``held_out`` rows or of those that the fit predicted without them, the losses, constants
    and norms, a list of ``bounds`` by theorems, and ``best``, the position of the smallest bound
    that is valid for the learned norm, or None.

    Examples
    --------
    >>> import numpy as np, weft
    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> model = weft.RandomFeatureRegressor(family="rw-relu", n_features=50).fit(X, X[:, 0] * X[:, 1])
    >>> certificate = weft.certify(model, X, X[:, 0] * X[:, 1])
    >>> certificate["rows"], bool(certificate["bounds"][0]["bound"] >= certificate["train_loss"])
    (500, True)
    """
    table = _labelled_table(model, X, y)
    if original is not None:
        check_is_fitted(original)
    text = _weft.certify(
        model.model_,
        table,
        signatures.certify_options(**options),
        _run_options(model),
        None if original is None else original.model_,
        None if held_out is None else _labelled_table(model, *held_out),
    )
    return _numbers(json.loads(text))


@_takes(signatures.prune_options)
def prune(model: WeftPredictor, X: Any, y: Any, *, sample_weight: Any = None, **options: Any) -> WeftPredictor:
    """A smaller model that predicts almost the same, as `weft prune` does (docs/prune.md).

    Parameters
    ----------
    model : a fitted estimator; it is not changed
    X, y : labelled rows, normally those that it was fitted on
    sample_weight : a weight per row
    {parameters}

    Returns
    -------
    A fitted estimator of the same class, whose ``pruning_`` is the dict that `weft prune --json` prints: features, norms
    and measures before and after, and the ``path`` of dicts with ``lambda``, ``kept``, ``value`` and ``accepted``.

    Examples
    --------
    >>> import numpy as np, weft
    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> model = weft.RandomFeatureRegressor(family="rw-relu", n_features=200).fit(X, X[:, 0] * X[:, 1])
    >>> small = weft.prune(model, X, X[:, 0] * X[:, 1], epsilon=0.01)
    >>> bool(small.model_.features < 200), bool(small.score(X, X[:, 0] * X[:, 1]) > 0.95)
    (True, True)
    """
    table = _labelled_table(model, X, y, sample_weight)
    smaller, told = _weft.prune(model.model_, table, signatures.prune_options(**options), _run_options(model))
    result = copy.copy(model)
    result._forget()
    result._keep(smaller)
    result.pruning_ = _numbers(json.loads(told))
    return result


@_takes(signatures.explain_options)
def explain(model: WeftPredictor, X: Any, y: Any = None, **options: Any) -> dict[str, object]:
    """Which variables matter, how predictions depend on them, and how they interact, as `weft explain` (docs/explain.md).

    Parameters
    ----------
    model : a fitted estimator
    X : rows, preferably ones that it was not fitted on
    y : their targets; with them the growth of the loss is measured (permutation importance)
    {parameters}

    Returns
    -------
    dict with ``rows``, ``loss``, the ``variables`` (most important first), ``curves`` and ``interactions``.

    Examples
    --------
    >>> import numpy as np, weft
    >>> X = np.random.default_rng(0).uniform(-1, 1, (400, 3))
    >>> y = X[:, 0] * X[:, 1]
    >>> found = weft.RandomFeatureRegressor(family="rw-relu").fit(X, y).explain(X, y)
    >>> found["interactions"][0]["variables"]
    ['x0', 'x1']
    """
    check_is_fitted(model)
    table = model._inputs(X, reset=False).table(model._names) if y is None else _labelled_table(model, X, y)
    return _numbers(
        json.loads(_weft.explain(model.model_, table, signatures.explain_options(**options), _run_options(model)))
    )


@_takes(signatures.explain_options)
def explain_rows(model: WeftPredictor, X: Any, background: Any, **options: Any) -> list[dict[str, object]]:
    """Shapley values of the variables of every row of X: why it is predicted as it is (docs/explain.md).

    Parameters
    ----------
    model : a fitted estimator
    X : rows to explain
    background : rows that values of left-out variables come from, for instance the training rows
    {parameters}

    Returns
    -------
    A dict per row: ``base``, ``prediction``, ``exact``, and ``variables``, the largest contribution first, each with
    ``value`` and ``standard_error`` per output. base + Σ value = prediction (of classes: the score).

    Examples
    --------
    >>> import numpy as np, weft
    >>> X = np.random.default_rng(0).uniform(-1, 1, (400, 3))
    >>> model = weft.RandomFeatureRegressor(family="rw-relu").fit(X, 2 * X[:, 0] + X[:, 1])
    >>> (row,) = weft.explain_rows(model, X[:1], X)
    >>> parts = sum(part["value"][0] for part in row["variables"])
    >>> bool(np.isclose(row["base"][0] + parts, model.predict(X[:1])[0]))
    True
    """
    check_is_fitted(model)
    rows, others = (model._inputs(part, reset=False).table(model._names) for part in (X, background))
    texts = _weft.explain_rows(model.model_, rows, others, signatures.explain_options(**options), _run_options(model))
    return [_numbers(json.loads(text)) for text in texts]


def leverage(estimator: WeftEstimator, X: Any, lambdas: Any = ()) -> list[dict[str, object]]:
    """Leverage scores of candidate features on the rows of X (docs/sampling.md).

    The scores are those of Shahrampour & Kolouri (2019).

    Parameters
    ----------
    estimator : determines the features (its family, sigma, …) and the encoding of the inputs; need not be fitted
    X : rows
    lambdas : one number or several; none: 1/rows

    Returns
    -------
    A dict per λ: ``lambda``, ``scores`` (one per candidate: `candidates`, or ten times `n_features`), their sum
    ``effective_dimension``, ``max_over_mean`` and ``uniformity``.

    Examples
    --------
    >>> import numpy as np, weft
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> (found,) = weft.leverage(weft.RandomFeatures(family="rff-rbf", n_features=20), X, 1e-3)
    >>> found["scores"].shape, bool(np.isclose(found["scores"].sum(), found["effective_dimension"]))
    ((200,), True)
    """
    own = copy.copy(estimator)
    inputs = own._inputs(X, reset=True)
    return _weft.leverage(
        inputs.table(own._names),
        own._options("family"),
        own._options("encode"),
        [float(value) for value in np.atleast_1d(np.asarray(lambdas, dtype=np.float64))],
        _run_options(own),
    )
