"""Mistakes arrive as exceptions of Python with the remedy, and Ctrl-C stops a fit."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import blobs, wave

import weft
from weft import _weft

X, Y = wave()


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"n_features": 0}, "n_features.*at least 1"),
        ({"lam": -1.0}, "lam.*greater than 0"),
        ({"sigma": float("nan")}, "sigma"),
        ({"family": "nonsense"}, "nonsense"),
        ({"algorithm": "magic"}, "algorithm.*least-squares"),
        ({"theta": 0.5, "gamma": 1.0}, "gamma"),
        ({"nonzeros": 3}, "nonzeros.*algorithm"),
        ({"max_memory": "lots"}, "max_memory"),
        ({"n_features": 2**70}, "n_features"),
    ],
)
def test_bad_values_are_value_errors(parameters, message):
    with pytest.raises((ValueError, TypeError), match=message):
        weft.RandomFeatureRegressor(**parameters).fit(X, Y)


@pytest.mark.parametrize(
    "parameters", [{"n_features": "many"}, {"lam": [1]}, {"family": 3.5j}, {"bias": "no"}, {"n_features": 2.5},
                   {"n_features": True}, {"family": None}, {"sigma": None}, {"random_state": -1}]
)  # fmt: skip
def test_values_of_the_wrong_kind(parameters):
    with pytest.raises((TypeError, ValueError), match=next(iter(parameters))):
        weft.RandomFeatureRegressor(**parameters).fit(X, Y)


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.weft"):
        weft.load(tmp_path / "missing.weft")
    with pytest.raises(OSError):
        weft.load(tmp_path)
    (tmp_path / "text.weft").write_text("hello, this is not a model")
    with pytest.raises(ValueError, match="not a weft model"):
        weft.load(tmp_path / "text.weft")
    with pytest.raises(OSError):
        weft.RandomFeatureRegressor(n_features=20).fit(X, Y).save(tmp_path / "no" / "folder.weft")


def test_memory():
    with pytest.raises(MemoryError, match="n_features"):
        weft.RandomFeatureRegressor(n_features=1000, max_memory="1M").fit(X, Y)
    with pytest.raises(MemoryError):
        weft.RandomFeatureRegressor(n_features=10**7).fit(X, Y)
    with pytest.raises(MemoryError):
        weft.RandomFeatures(n_features=10**13).fit(X)


def test_words_are_pythons():
    assert _weft.in_python_words("‹lambda›: give ‹no_bias› or ‹lambda_holdout›") == "lam: give bias=False or lambda_holdout"


def test_targets():
    with pytest.raises(ValueError, match="same value"):
        weft.RandomFeatureRegressor().fit(X, np.ones(len(X)))
    with pytest.raises(ValueError, match="class"):
        weft.RandomFeatureClassifier().fit(X, np.ones(len(X)))
    with pytest.raises(ValueError, match="inconsistent"):
        weft.RandomFeatureRegressor().fit(X, Y[:-1])
    with pytest.raises(ValueError):
        weft.RandomFeatureClassifier().fit(X, Y)  # numbers that are no classes


def test_other_threads_run_during_a_fit():
    """The lock is released: a thread that only counts gets on with it."""
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    rng = np.random.default_rng(0)
    big = rng.normal(size=(60_000, 20))
    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted
        weft.RandomFeatureRegressor(n_features=300, lam=1e-3, n_jobs=1).fit(big, big[:, 0])
        during = counted - before
    finally:
        done.set()
        thread.join()
    assert during > 10


def test_fits_in_several_threads():
    expected = weft.RandomFeatureRegressor(n_features=50).fit(X, Y).predict(X)
    answers = [None] * 4

    def work(k):
        answers[k] = weft.RandomFeatureRegressor(n_features=50).fit(X, Y).predict(X)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(np.array_equal(answer, expected) for answer in answers)


INTERRUPTED = """
    import time
    import numpy as np, weft
    X = np.random.default_rng(0).normal(size=({rows}, 20))
    estimator = {estimator}  # which imports scikit-learn: an interrupt in there may be lost
    print("ready", flush=True)
    try:
        estimator.fit(X, X[:, 0])
    except KeyboardInterrupt:
        print(time.monotonic(), flush=True)
        try:
            sum(range(100000))  # a second exception would show here
            small = weft.RandomFeatureRegressor(n_features=20).fit(X, X[:, 0])
            print("stopped", flush=True)
        except KeyboardInterrupt:
            print("twice", flush=True)
"""


@pytest.mark.parametrize(
    "rows, estimator",
    [
        (5000, 'weft.RandomFeatureRegressor(algorithm="sfgd", n_features=10**6, lam=1e-6, radius=10.0, iterations=10**6)'),
        (5000, "weft.RandomFeatureRegressorCV(n_features=300, configurations=10**4)"),
        (400_000, "weft.RandomFeatureRegressor(n_features=3000)"),
        (400_000, 'weft.KernelRidge(landmarks=3000, solver="cg", lam=1e-6)'),
        (50_000, "weft.LearnedActivationRegressor(n_features=500, lam=1e-9, iterations=10**5, tolerance=1e-15)"),
    ],
    ids=["sfgd", "search", "least-squares", "nystroem", "learned-activation"],
)
def test_an_interrupt_stops_a_long_fit(rows, estimator):
    """The job would take minutes or hours. When it stops is printed; the machine may be busy, so little is asserted."""
    code = textwrap.dedent(INTERRUPTED).format(rows=rows, estimator=estimator)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    caught, *rest = output.splitlines()
    assert rest == ["stopped"] and process.returncode == 0
    print(f"stopped after {float(caught) - sent:.2f} s")
    assert float(caught) - sent < 30


def test_a_handler_of_the_users_own_is_left_in_place():
    code = textwrap.dedent(
        """
        import os, signal, numpy as np, weft
        seen = []
        signal.signal(signal.SIGINT, lambda *ignored: seen.append(1))
        X = np.random.default_rng(0).normal(size=(500, 3))
        os.kill(os.getpid(), signal.SIGINT)
        weft.RandomFeatureRegressor(n_features=20).fit(X, X[:, 0])
        assert seen == [1]
        """
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)


def test_classes_are_checked_in_predictions():
    points, classes = blobs()
    model = weft.RandomFeatureClassifier(n_features=20).fit(points, classes)
    with pytest.raises(ValueError, match="features"):
        model.predict(points[:, :1])
