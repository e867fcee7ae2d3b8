"""The command's measures of classifiers against scikit-learn's, on the probabilities that predict_proba gives."""

import json

import numpy as np
import pytest
from conftest import blobs
from sklearn import metrics
from test_command_line import write_csv

import weft


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("threshold", [None, 0.3])
def test_measures_are_those_of_scikit_learn(classes, threshold, command, tmp_path):
    if threshold and classes > 2:
        pytest.skip("thresholds are for two classes")
    X, y = blobs(classes=classes)
    rng = np.random.default_rng(1)
    X = X + 2 * rng.normal(size=X.shape)
    labels = np.array(["ant", "bee", "cat"])[y]
    model = weft.RandomFeatureClassifier(n_features=40, lam=1e-3).fit(X, labels)
    model.save(tmp_path / "m.weft")
    write_csv(tmp_path / "rows.csv", X, labels)
    decision = ["--threshold", str(threshold)] if threshold else []
    found = json.loads(command("evaluate", "m.weft", "rows.csv", "--target", "target", "--json", *decision))
    p = model.predict_proba(X)
    guess = model.predict(X)
    if threshold:
        guess = np.where(p[:, 1] >= threshold, "bee", "ant")
    is_class = labels[:, None] == model.classes_
    expected = {
        "accuracy": metrics.accuracy_score(labels, guess),
        "balanced_accuracy": metrics.balanced_accuracy_score(labels, guess),
        "logloss": metrics.log_loss(labels, p),
    }
    if classes == 2:
        kind, options = "", {"pos_label": "bee"}
        expected["brier"] = metrics.brier_score_loss(labels == "bee", p[:, 1])
        expected["auc"] = metrics.roc_auc_score(labels == "bee", p[:, 1])
        expected["pr_auc"] = metrics.average_precision_score(labels == "bee", p[:, 1])
        assert found["positive"] == "bee"
    else:
        kind, options = "macro_", {"average": "macro"}
        expected["brier"] = np.mean(np.sum((p - is_class) ** 2, axis=1))
        expected["macro_auc"] = metrics.roc_auc_score(labels, p, multi_class="ovr")
        expected["macro_pr_auc"] = metrics.average_precision_score(is_class, p)
        per_class = [one["f1"] for one in found["per_class"]]
        np.testing.assert_allclose(per_class, metrics.f1_score(labels, guess, average=None), rtol=1e-9)
    expected[kind + "precision"] = metrics.precision_score(labels, guess, **options)
    expected[kind + "recall"] = metrics.recall_score(labels, guess, **options)
    expected[kind + "f1"] = metrics.f1_score(labels, guess, **options)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-9), name


def test_values_whose_squares_overflow_are_refused():
    X = np.random.default_rng(0).normal(size=(100, 3))
    with pytest.raises(ValueError, match="divide it"):
        weft.Regressor().fit(X, 1e200 * X[:, 0])
