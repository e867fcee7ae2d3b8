"""Kernel ridge regression on adult: landmarks against the exact solution, and against scikit-learn's Nystroem + Ridge.

Usage: kernel_ridge.py WEFT DATA_FOLDER [LANDMARKS] [EXACT_ROWS]
Both sides get the same numbers: one-hot categories, standardised columns, the official split, the RBF kernel with
σ² the mean squared distance that weft reports, λ in K + nλI. weft draws other landmarks than scikit-learn.
1. On the first EXACT_ROWS rows: test error of conjugate gradients on LANDMARKS against the exact solution.
2. On all rows: test errors must agree within 1 %, then the times. scikit-learn starts from ready arrays; weft is shown
   from its encoded rows on (the stages of its report), and as a whole command that also reads 32561 rows of text.
"""
import json
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge

weft, data = sys.argv[1:3]
landmarks = int(sys.argv[3]) if len(sys.argv) > 3 else 4000
exact_rows = int(sys.argv[4]) if len(sys.argv) > 4 else 10000
LAMBDA = 1e-5


def tables():
    train, test = (pd.read_csv(f"{data}/adult.{part}.csv.gz") for part in ("train", "test"))
    cut = len(train)
    both = pd.concat([train, test], ignore_index=True)
    y = both.pop("target")
    x = pd.get_dummies(both, dummy_na=False).astype(float)
    x = x.fillna(x[:cut].mean())
    x = (x - x[:cut].mean()) / x[:cut].std().replace(0, 1)
    x.columns = [f"x{j}" for j in range(x.shape[1])]
    sign = np.where(y == sorted(y.unique())[-1], 1.0, -1.0)
    return x.to_numpy(), sign, cut


def write(path, x, y):
    table = pd.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])])
    table["target"] = np.where(y > 0, "yes", "no")
    table.to_csv(path, index=False)


def run_weft(train, test, options):
    start = time.monotonic()
    text = subprocess.run([weft, "train", train, "--test", test, "--target", "target", "--scale", "none", "--no-bias",
                           "--fit", "kernel-ridge", "--lambda", str(LAMBDA), "--json", *options],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    report = json.loads(text)
    stages = sum(seconds for stage, seconds in report["seconds"].items() if stage != "encode")
    return report["test"]["error"], report["test"]["mse"], stages, time.monotonic() - start, report["report"]


def show(name, error, mse, seconds, wall=""):
    print(f"| {name} | {100 * error:.2f} % | {mse:.4f} | {seconds:.2f} | {wall} |", flush=True)


x, y, cut = tables()
failed = False
print("| fit | test error | test mse | fit, s | whole command, s |\n|---|---|---|---|---|")
with tempfile.TemporaryDirectory() as folder:
    write(f"{folder}/test.csv", x[cut:], y[cut:])
    write(f"{folder}/some.csv", x[:exact_rows], y[:exact_rows])
    write(f"{folder}/train.csv", x[:cut], y[:cut])
    cg = ["--landmarks", str(landmarks), "--solver", "cg"]
    if exact_rows > 0:
        exact = run_weft(f"{folder}/some.csv", f"{folder}/test.csv", [])
        some = run_weft(f"{folder}/some.csv", f"{folder}/test.csv", cg)
        show(f"exact, {exact_rows} rows", *exact[:3], f"{exact[3]:.2f}")
        show(f"{landmarks} landmarks, {exact_rows} rows", *some[:3], f"{some[3]:.2f}")
        failed |= some[0] > 1.01 * exact[0] or some[1] > 1.01 * exact[1]
    ours = run_weft(f"{folder}/train.csv", f"{folder}/test.csv", cg)
    show(f"{landmarks} landmarks, all rows, {ours[4]['iterations']:.0f} iterations", *ours[:3], f"{ours[3]:.2f}")

start = time.monotonic()
centres = Nystroem(kernel="rbf", gamma=0.5 / ours[4]["bandwidth"] ** 2, n_components=landmarks, random_state=1)
features = centres.fit_transform(x[:cut])
ridge = Ridge(alpha=cut * LAMBDA, solver="cholesky").fit(features, y[:cut])
seconds = time.monotonic() - start
scores = ridge.predict(centres.transform(x[cut:]))
theirs = np.mean((scores > 0) != (y[cut:] > 0)), np.mean((scores - y[cut:]) ** 2)
show(f"scikit-learn Nystroem({landmarks}) + Ridge, all rows", *theirs, seconds)
failed |= abs(ours[1] / theirs[1] - 1) > 0.01
print(f"\nscikit-learn / weft: {seconds / ours[2]:.1f}, against the whole command {seconds / ours[3]:.1f}")
if failed:
    sys.exit("ERRORS DIFFER by more than 1 %")
