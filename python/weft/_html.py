"""A fitted model in a few lines, below the diagram that notebooks show of an estimator."""

from __future__ import annotations

import html
from typing import Any

_MOST_VARIABLES = 5


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _rows(estimator: Any) -> list[tuple[str, str]]:
    model, report = estimator.model_, estimator.report_
    rows = [("task", model.task), ("inputs", str(estimator.n_features_in_))]
    if model.classes:
        rows.append(("classes", str(len(model.classes))))
    if report.get("chosen"):
        rows.append(("chosen", str(report["chosen"])))
    elif model.features:
        rows.append(("features", f"{model.features} of {model.options.get('family', 'a kernel')}"))
    for name, label in (("lambda", "λ"), ("held_out_error", "held-out error")):
        if isinstance(report.get(name), float):
            rows.append((label, _number(report[name])))
    try:
        shares = estimator.feature_importances_
    except AttributeError:
        shares = []
    largest = sorted(range(len(shares)), key=lambda j: -shares[j])[:_MOST_VARIABLES]
    if largest:
        rows.append(("most relevant", ", ".join(f"{estimator._names[j]} {shares[j]:.0%}" for j in largest)))
    if report.get("seconds"):
        rows.append(("seconds", _number(float(sum(report["seconds"].values())))))
    return rows


def summary(estimator: Any) -> str:
    """A table in HTML; empty before the fit."""
    if not estimator.__sklearn_is_fitted__():
        return ""
    left = 'style="text-align:left"'
    cells = "".join(
        f"<tr><th {left}>{html.escape(label)}</th><td {left}>{html.escape(text)}</td></tr>" for label, text in _rows(estimator)
    )
    return f"<table class=\"weft-model\">{cells}</table>"
