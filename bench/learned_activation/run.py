#!/usr/bin/env python3
"""Exact half-steps against the stochastic gradient descent of Ma et al. (2025), to the same held-out loss.

Usage: run.py WEFT CASP.csv.gz     (casp, S = 300, N = 16, one thread)
"""
import json
import subprocess
import sys

weft, data = sys.argv[1:3]
COMMON = ["--target", "target", "--holdout", "0.2", "--family", "rks-relu", "--features", "300", "--threads", "1",
          "--fit", "learned-activation", "--grid-points", "16", "--lambda", "1e-7", "--json"]


def train(*options):
    """Held-out mse, and the seconds of the fit without reading and encoding."""
    out = subprocess.run([weft, "train", data, *COMMON, *options], check=True, capture_output=True, text=True).stdout
    result = json.loads(out)
    return result["test"]["mse"], result["seconds"]["basis"] + result["seconds"]["solve"]


for basis in ("rbf", "bspline"):
    loss, seconds = train("--basis", basis, "--solver", "sgd", "--epochs", "50", "--learning-rate", "1e-3")
    print(f"{basis}: sgd, 50 epochs: held-out mse {loss:.4f} in {seconds:.2f} s")
    for sweeps in range(1, 21):
        exact, exact_seconds = train("--basis", basis, "--iterations", str(sweeps))
        print(f"{basis}: exact, {sweeps} sweeps: held-out mse {exact:.4f} in {exact_seconds:.2f} s "
              f"({seconds / exact_seconds:.0f} times faster)")
        if exact <= loss:
            break
