"""Landmarks on 100000 rows of 10 inputs (friedman1): weft against scikit-learn's Nystroem + Ridge.

Usage: nystrom.py WEFT [ROUNDS] [LANDMARKS ...]
RBF kernel with the bandwidth that weft reports, λ = 1e-6 in K + nλI, as many landmarks (not the same rows), 20000 test
rows. weft's test error may not be more than 1 % above scikit-learn's; then the times, the best of ROUNDS. One thread
each, by the processor clock, which other programs do not move. scikit-learn is timed from ready arrays to
coefficients, weft as a whole command, which also reads both tables of text and scores them.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy starts its threads
import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge

weft = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2
numbers = [int(word) for word in sys.argv[3:]] or [1000, 2000]
TINY = "WEFT_BENCH_TINY" in os.environ
ROWS, TEST_ROWS = (300, 300) if TINY else (100000, 20000)
MARGIN = 1.2 if TINY else 1.01  # on few rows, other landmarks are another model
LAMBDA = 1e-6
SOLVERS = {"direct": [], "cg": ["--tolerance", "1e-3"]}


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def generate(path, count, seed):
    subprocess.run([weft, "generate", "friedman1", "--rows", str(count), "--seed", str(seed), "--out", path],
                   check=True)
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, :-1], table[:, -1]


def run_weft(folder, landmarks, solver):
    start = children_seconds()
    text = subprocess.run([weft, "train", f"{folder}/train.csv", "--test", f"{folder}/test.csv", "--target", "target",
                           "--scale", "none", "--no-bias", "--fit", "kernel-ridge", "--lambda", str(LAMBDA),
                           "--landmarks", str(landmarks), "--solver", solver, *SOLVERS[solver], "--threads", "1",
                           "--json"],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    result = json.loads(text)
    return {"mse": result["test"]["mse"], "seconds": children_seconds() - start, **result["report"]}


def run_sklearn(train, test, landmarks, bandwidth):
    start = time.process_time()
    centres = Nystroem(kernel="rbf", gamma=0.5 / bandwidth**2, n_components=landmarks, random_state=1)
    features = centres.fit_transform(train[0])
    ridge = Ridge(alpha=len(train[0]) * LAMBDA, solver="cholesky").fit(features, train[1])
    seconds = time.process_time() - start
    return {"mse": np.mean((ridge.predict(centres.transform(test[0])) - test[1]) ** 2), "seconds": seconds}


def fastest(runs):
    return min(runs, key=lambda run: run["seconds"])


failed = False
print("| landmarks | fit | test mse | s | scikit-learn / weft |\n|---|---|---|---|---|")
with tempfile.TemporaryDirectory() as folder:
    train, test = generate(f"{folder}/train.csv", ROWS, 1), generate(f"{folder}/test.csv", TEST_ROWS, 2)
    for landmarks in numbers:
        runs = {"direct": [], "cg": [], "scikit-learn": []}
        for _ in range(rounds):
            for solver in SOLVERS:
                runs[solver].append(run_weft(folder, landmarks, solver))
            runs["scikit-learn"].append(run_sklearn(train, test, landmarks, runs["cg"][0]["bandwidth"]))
        theirs = fastest(runs["scikit-learn"])
        for solver in SOLVERS:
            ours = fastest(runs[solver])
            failed |= ours["mse"] > MARGIN * theirs["mse"]
            name = f"cg, {ours['iterations']:.0f} iterations" if solver == "cg" else solver
            print(f"| {landmarks} | weft, {name} | {ours['mse']:.4f} | {ours['seconds']:.2f} "
                  f"| {theirs['seconds'] / ours['seconds']:.1f} |")
        print(f"| {landmarks} | Nystroem + Ridge | {theirs['mse']:.4f} | {theirs['seconds']:.2f} | |", flush=True)
if failed:
    sys.exit("WORSE than scikit-learn")
