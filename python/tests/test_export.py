"""Models as programs."""

import json
import shutil
import subprocess

import numpy as np
import pytest

import weft


@pytest.fixture
def model():
    X = np.random.default_rng(0).normal(size=(200, 3))
    return weft.RandomFeatureClassifier(n_features=30).fit(X, np.where(X[:, 0] * X[:, 1] > 0, "a", "b"))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_a_module_predicts_the_same(model, tmp_path):
    told = model.export(tmp_path / "signs.mjs")
    assert told["files"] == [str(tmp_path / "signs.mjs")] and told["number_columns"] == ["x0", "x1", "x2"]
    X = np.random.default_rng(1).normal(size=(20, 3))
    rows = json.dumps([dict(zip(told["number_columns"], row)) for row in X.tolist()])
    script = f"import {{predict}} from './signs.mjs'; console.log(JSON.stringify({rows}.map(predict)))"
    out = subprocess.run(["node", "--input-type=module", "-e", script], cwd=tmp_path, capture_output=True, check=True).stdout
    predicted = json.loads(out)
    assert [row["label"] for row in predicted] == model.predict(X).tolist()
    shares = [[row["probabilities"][label] for label in model.classes_] for row in predicted]
    np.testing.assert_allclose(shares, model.predict_proba(X), rtol=0, atol=1e-12)


def test_ends_of_intervals(tmp_path):
    X = np.random.default_rng(0).normal(size=(200, 3))
    model = weft.RandomFeatureRegressor(n_features=30).fit(X, X.sum(axis=1))
    told = model.export(tmp_path / "sums.c", interval=0.8)
    assert told["outputs"][1:] == ["lower", "upper"]
    with pytest.raises(ValueError, match="interval"):
        model.export(tmp_path / "sums.c", interval=1.5)


def test_parameters_beside_and_errors(model, tmp_path):
    told = model.export(tmp_path / "signs.c", name="signs", inline_numbers=0, threshold=0.9)
    assert [path.rsplit(".")[-1] for path in told["files"]] == ["c", "bin"]
    assert "signs_predict" in (tmp_path / "signs.c").read_text()
    with pytest.raises(ValueError, match="to"):
        model.export(tmp_path / "signs.f90")
    with pytest.raises(ValueError, match="main"):
        model.export(tmp_path / "signs.mjs", main=True)
