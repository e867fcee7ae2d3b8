"""Certificates, smaller models and leverage scores are those of the command line."""

import json

import numpy as np
import pytest
from conftest import blobs, wave
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import weft

X, Y = wave(300)


@pytest.fixture(scope="module")
def model():
    return weft.RandomFeatureRegressor(family="rw-relu", n_features=60, lam=1e-4).fit(X, Y)


def write_rows(folder, y):
    rows = np.column_stack([X, y])
    np.savetxt(folder / "rows.csv", rows, delimiter=",", header="x0,x1,x2,target", comments="", fmt="%.17g")


def test_a_certificate_is_the_command_lines(model, command, tmp_path):
    write_rows(tmp_path, Y)
    model.save(tmp_path / "model.weft")
    told = json.loads(command("certify", "model.weft", "rows.csv", "--delta", "0.1", "--json"))
    certificate = weft.certify(model, X, Y, delta=0.1)
    assert certificate["delta"] == 0.1 and certificate["rows"] == 300
    assert [line["name"] for line in certificate["bounds"]] == [line["name"] for line in told["bounds"]]
    for ours, theirs in zip(certificate["bounds"], told["bounds"]):
        if "bound" in ours:
            assert ours["bound"] == pytest.approx(float(theirs["bound"]), rel=1e-12)
    assert certificate["train_loss"] == pytest.approx(np.mean((model.predict(X) - Y) ** 2), rel=1e-9)


def test_an_explanation_is_the_command_lines(model, command, tmp_path):
    write_rows(tmp_path, Y)
    model.save(tmp_path / "model.weft")
    told = json.loads(command("explain", "model.weft", "rows.csv", "--json"))
    found = model.explain(X, Y)
    assert found["loss"]["value"] == pytest.approx(np.mean((model.predict(X) - Y) ** 2), rel=1e-9)
    assert [v["name"] for v in found["variables"]] == [v["name"] for v in told["variables"]]
    assert found["curves"][0]["mean"][0] == pytest.approx(told["curves"][0]["mean"][0], rel=1e-12)
    assert "loss" not in model.explain(X)
    with pytest.raises(ValueError, match="variables"):
        model.explain(X, variables="nonsense")


def test_shapley_values_add_up_to_predictions(model):
    rows = weft.explain_rows(model, X[:3], X)
    for row, predicted in zip(rows, model.predict(X[:3])):
        assert row["base"][0] + sum(part["value"][0] for part in row["variables"]) == pytest.approx(predicted, abs=1e-9)


def test_one_theorem_alone(model):
    names = [line["name"] for line in weft.certify(model, X, Y, bound="6.2")["bounds"]]
    assert names and all("6.2" in name for name in names)
    with pytest.raises(ValueError, match="bound"):
        weft.certify(model, X, Y, bound="9.9")
    with pytest.raises(TypeError):
        weft.certify(model, X, Y, nonsense=1)
    with pytest.raises(NotFittedError):
        weft.certify(clone(model), X, Y)


def test_a_pruned_model_is_the_command_lines(model, command, tmp_path):
    write_rows(tmp_path, Y)
    model.save(tmp_path / "model.weft")
    command("prune", "model.weft", "rows.csv", "--out", "small.weft", "--epsilon", "0.02")
    small = weft.prune(model, X, Y, epsilon=0.02)
    assert np.array_equal(small.predict(X), weft.load(tmp_path / "small.weft").predict(X))
    assert small.model_.features == small.pruning_["features"]["after"] < small.pruning_["features"]["before"] == 60
    assert model.model_.features == 60, "the original stays"
    assert small.pruning_["train_mse"]["after"] == pytest.approx(np.mean((small.predict(X) - Y) ** 2), rel=1e-9)
    assert weft.certify(small, X, Y, original=model)["rows"] == 300


def test_a_classifier_is_pruned_to_a_number_of_features():
    points, labels = blobs(classes=3)
    names = np.array(["red", "green", "blue"])[labels]
    model = weft.RandomFeatureClassifier(family="rks-cos", n_features=80, lam=1e-3).fit(points, names)
    small = weft.prune(model, points, names, n_features=10, sample_weight=np.ones(len(points)))
    assert small.model_.features <= 10
    assert small.score(points, names) > 0.8 and set(small.predict(points)) <= set(names)


def test_leverage_scores_are_those_of_a_dense_solve():
    lam = 1e-3
    features = weft.RandomFeatures(family="rff-rbf", n_features=40, random_state=3)
    (found,) = weft.leverage(weft.RandomFeatures(family="rff-rbf", n_features=4, random_state=3), X, lam)
    phi = features.fit_transform(X) * np.sqrt(40)
    gram = phi.T @ phi / (40 * len(X))
    expected = np.diag(np.linalg.solve(gram + lam * np.eye(40), gram))
    assert np.allclose(found["scores"], expected, rtol=1e-6)
    assert found["lambda"] == lam and found["effective_dimension"] == pytest.approx(expected.sum())
    assert [found["lambda"] for found in weft.leverage(features, X, [1e-2, 1e-4])] == [1e-2, 1e-4]
