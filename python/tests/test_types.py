"""The package is annotated, and mypy checks what its users write."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")

RIGHT = """
import numpy as np
import weft

X = np.random.default_rng(0).normal(size=(50, 3))
model = weft.Regressor(effort="quick", random_state=3).fit(X, X[:, 0], groups=np.arange(50) % 5)
score: float = model.score(X, X[:, 0])
shares: np.ndarray = model.feature_importances_
model.save("model.weft")
again: object = weft.load("model.weft").predict(X)
labels = weft.Classifier().fit(X, X[:, 0] > 0).predict_proba(X).argmax(axis=1)
search = weft.RandomFeatureRegressorCV(configurations=3).fit(X, X[:, 0])
best: float = search.best_score_
why: dict[str, object] = weft.explain(model, X)
features: np.ndarray = weft.RandomFeatures(n_features=10).fit(X).transform(X)
"""
WRONG = [
    ("weft.Regressor(effort=3)", 'incompatible type "int"'),
    ("weft.Regressor(speed='high')", 'Unexpected keyword argument "speed"'),
    ("weft.Regressor('quick')", "Too many positional arguments"),
    ("weft.load(3)", 'incompatible type "int"'),
    ("text: str = weft.RandomFeatureRegressorCV().best_score_", 'expression has type "float"'),
    ("weft.Regresor()", 'has no attribute "Regresor"'),
]


def mypy(*arguments, folder, **environment):
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", str(folder / "cache"), *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


def checked(snippet, folder):
    """A user's file, for whom weft is an installed package: of its own errors nothing is said."""
    path = folder / "snippet.py"
    path.write_text(snippet)
    options = ("--config-file=", "--strict", "--follow-imports", "silent", "--ignore-missing-imports")
    return mypy(*options, "--allow-any-generics", "--no-warn-unused-ignores", str(path), folder=folder, MYPYPATH="python")


def test_the_package(folder):
    done = mypy(folder=folder)  # as pyproject.toml has it
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_users_file(folder):
    done = checked(RIGHT, folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mistakes_are_found(folder):
    done = checked("import weft\n" + "\n".join(line for line, _ in WRONG) + "\n", folder)
    for number, (line, message) in enumerate(WRONG, start=2):
        found = re.findall(rf"snippet.py:{number}: error: (.*)", done.stdout)
        assert any(message in error for error in found), f"{line}: {done.stdout}{done.stderr}"
