import os
import subprocess

import numpy as np
import pytest


@pytest.fixture
def command(tmp_path):
    """Runs the command line in a folder of the test's own."""
    program = os.environ["WEFT_COMMAND"]

    def run(*arguments):
        done = subprocess.run([program, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def wave(rows=400, seed=0, outputs=1):
    """Inputs in [-1, 1]³ and a smooth target of them."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (rows, 3))
    y = np.stack([np.sin(3 * X[:, 0] + k) + X[:, 1] * X[:, 2] for k in range(outputs)], axis=1)
    return X, y[:, 0] if outputs == 1 else y


def blobs(rows=300, classes=3, seed=0):
    """Well separated clouds in two dimensions, labelled 0, 1, …"""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=rows)
    angle = 2 * np.pi * y / classes
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * 3 + rng.normal(size=(rows, 2)), y
