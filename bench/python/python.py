"""weft in Python against scikit-learn, and against the C++ library alone: 100000 × 20, T = 500.

Usage: python.py BENCH_LIBRARY [ROUNDS] [ROWS]
Every contender runs in this one process (the library in a program of its own), in turns, on the threads that
OMP_NUM_THREADS allows; the best of ROUNDS counts, in wall-clock time. Answers come before times: the inner products of the
features of both transformers are compared with the kernel, the accuracies of both classifiers on held-out rows with
each other, and the predictions of Python with those of the library bit by bit.
"""

import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # weft's threads must not spin while NumPy works, nor NumPy's
os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))
os.environ.setdefault("OPENBLAS_NUM_THREADS", os.environ["OMP_NUM_THREADS"])
import numpy as np
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

import weft

program = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
ROWS = int(sys.argv[3]) if len(sys.argv) > 3 else 100000
COLUMNS, FEATURES, GAMMA = 20, 500, 0.05
SIGMA = float(np.sqrt(2 * GAMMA))
THREADS = int(os.environ["OMP_NUM_THREADS"])

rng = np.random.default_rng(0)
X = rng.normal(size=(ROWS + 20000, COLUMNS))
y = (np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=len(X)) > 0).astype(np.int64)
X, test, y, y_test = X[:ROWS].copy(), X[ROWS:], y[:ROWS].copy(), y[ROWS:]


class Clock:
    """The best of several runs: in wall-clock time and in processor time, which other programs hardly affect."""

    def __init__(self):
        self.wall = self.processor = float("inf")

    def time(self, call):
        wall, processor = time.perf_counter(), time.process_time()
        call()
        self.take(time.perf_counter() - wall, time.process_time() - processor)

    def take(self, wall, processor):
        self.wall, self.processor = min(self.wall, wall), min(self.processor, processor)

    def __str__(self):
        return f"{self.wall:.3f} s (processor {self.processor:.3f} s)"


def race(title, calls):
    """All calls in turns; the others are compared with the first."""
    clocks = {name: Clock() for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            clocks[name].time(call)
    first = next(iter(clocks.values()))
    for name, clock in clocks.items():
        ratio = f"{first.wall / clock.wall:.2f} (processor {first.processor / clock.processor:.2f})"
        print(f"{title}: {name} {clock}, {ratio} times as fast")


def write_ones():
    np.empty((ROWS, FEATURES)).fill(1.0)


def transformers():
    theirs = RBFSampler(gamma=GAMMA, n_components=FEATURES, random_state=0).fit(X)
    ours = weft.RandomFeatures(family="rff-rbf", sigma=SIGMA, n_features=FEATURES, n_jobs=THREADS).fit(X)
    few = X[:200]
    for name, transformer in (("RBFSampler", theirs), ("RandomFeatures", ours)):
        features = transformer.transform(few)
        difference = np.sqrt(np.mean((features @ features.T - rbf_kernel(few, gamma=GAMMA)) ** 2))
        print(f"{name}: distance to the kernel {difference:.4f} (1/√T = {FEATURES ** -0.5:.4f})")
        assert difference < 2 * FEATURES**-0.5
    race(
        "transform",
        {
            "RBFSampler": lambda: theirs.transform(X),
            "weft": lambda: ours.transform(X),
            "writing the result once, one thread": write_ones,
        },
    )


def classifier():
    return weft.RandomFeatureClassifier(
        family="rff-rbf", sigma=SIGMA, n_features=FEATURES, scale="none", n_jobs=THREADS
    )


def classifiers():
    pipeline = make_pipeline(RBFSampler(gamma=GAMMA, n_components=FEATURES, random_state=0), RidgeClassifier())
    contenders = {
        "RBFSampler + RidgeClassifier": pipeline,
        "weft, λ chosen": classifier(),
        "weft, λ given": classifier().set_params(lam=1e-5),
        "weft, λ given, single": classifier().set_params(lam=1e-5, precision="single"),
    }
    accuracies = [contender.fit(X, y).score(test, y_test) for contender in contenders.values()]
    for name, accuracy in zip(contenders, accuracies):
        print(f"{name}: accuracy {accuracy:.4f}")
    assert max(accuracies) - min(accuracies) < (0.01 if len(X) >= 50000 else 0.1)  # few rows: noise, and λ = 1e-5 overfits
    race("fit", {name: lambda contender=contender: contender.fit(X, y) for name, contender in contenders.items()})


def overhead():
    model = classifier()
    python, library = (Clock(), Clock()), (Clock(), Clock())
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/X.npy", X)
        np.save(f"{folder}/y.npy", y.astype(np.float64).reshape(-1, 1))
        words = [f"{folder}/X.npy", f"{folder}/y.npy", "rff-rbf", repr(SIGMA), str(FEATURES), str(THREADS)]
        for _ in range(rounds):
            python[0].time(lambda: model.fit(X, y))
            python[1].time(lambda: model.predict(X))
            done = subprocess.run(
                [program, *words, f"{folder}/predicted"], check=True, stdout=subprocess.PIPE, text=True
            )
            numbers = [float(word) for word in done.stdout.split()]
            library[0].take(*numbers[:2])
            library[1].take(*numbers[2:])
        predicted = np.fromfile(f"{folder}/predicted")
    assert np.array_equal(predicted, model.predict(X)), "Python and the library predict differently"
    print("predictions: the same bits")
    for name, ours, alone in zip(("fit", "predict"), python, library):
        more = 100 * (ours.wall / alone.wall - 1), 100 * (ours.processor / alone.processor - 1)
        print(f"{name}: Python {ours}, library {alone}: {more[0]:+.1f} % (processor {more[1]:+.1f} %)")


print(f"{ROWS} × {COLUMNS}, T = {FEATURES}, {THREADS} threads, best of {rounds}")
transformers()
classifiers()
overhead()
