"""weft.dask on a cluster of four processes: the models of weft on the concatenated rows."""

import os
import signal
import threading
import time

import numpy as np
import pytest

pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

import dask
import dask.array as da
import dask.dataframe as dd
import pandas as pd

import weft
import weft.dask


@pytest.fixture(scope="module")
def cluster():
    with dask.config.set({"distributed.comm.timeouts.connect": "60s"}):
        with distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster:
            with distributed.Client(cluster):
                yield cluster


def rows(count=5000, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, 5))
    X[::19, 3] = np.nan
    y = 20 + np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=count)
    return X, y


def test_the_regressor_is_that_of_rows_in_memory(cluster, tmp_path):
    X, y = rows()
    weights = np.random.default_rng(1).uniform(0, 1, len(y))
    weights[:40] = 0
    lazy = da.from_array(X, chunks=(700, 3))
    for given in (None, weights):
        model = weft.dask.Regressor(n_features=80).fit(
            lazy, da.from_array(y, chunks=900), None if given is None else da.from_array(given, chunks=700)
        )
        plain = weft.RandomFeatureRegressor(n_features=80).fit(X, y, given)
        predicted = model.predict(lazy)
        assert isinstance(predicted, da.Array) and predicted.shape == y.shape
        assert np.abs(predicted.compute() - plain.predict(X)).max() < 1e-9
        assert np.abs(model.predict_interval(X) - plain.predict_interval(X)).max() < 1e-9
        assert model.lam_ == pytest.approx(plain.lam_, rel=1e-12)
        assert model.score(lazy, da.from_array(y, chunks=700)) == pytest.approx(plain.score(X, y), abs=1e-9)
    path = tmp_path / "m.weft"
    model.save(path)
    assert (weft.load(path).predict(X) == predicted.compute()).all()


def test_several_targets(cluster):
    X, y = rows(3000)
    Y = np.column_stack([y, -2 * y + X[:, 0]])
    lazy = da.from_array(X, chunks=(1000, 5))
    model = weft.dask.Regressor(n_features=60).fit(lazy, da.from_array(Y, chunks=(1000, 1)))
    plain = weft.RandomFeatureRegressor(n_features=60).fit(X, Y)
    assert np.abs(model.predict(lazy).compute() - plain.predict(X)).max() < 1e-9


def test_the_classifier_of_frames_with_texts_and_empty_partitions(cluster):
    X, y = rows()
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame["kind"] = np.where(np.arange(len(y)) % 3 == 0, "red", "blue")
    label = pd.Series(np.where(y > 20.5, "high", np.where(y > 19.5, "middle", "low")), name="label")
    lazy = dd.from_pandas(frame, npartitions=6)
    target = dd.from_pandas(label, npartitions=6)
    later = lambda part: part[part.index >= 1200]  # the first partition has no rows then
    model = weft.dask.Classifier(n_features=80).fit(lazy.map_partitions(later), target.map_partitions(later))
    plain = weft.RandomFeatureClassifier(n_features=80).fit(frame[1200:], label[1200:])
    assert list(model.classes_) == list(plain.classes_)
    predicted = model.predict(lazy)
    assert isinstance(predicted, dd.Series)
    assert (predicted.compute().to_numpy() == plain.predict(frame)).all()
    probabilities = model.predict_proba(lazy).compute()
    assert list(probabilities.columns) == list(plain.classes_) and (probabilities.index == frame.index).all()
    assert np.abs(probabilities.to_numpy() - plain.predict_proba(frame)).max() < 1e-7


def test_many_categories(cluster):
    rng = np.random.default_rng(3)
    shops = rng.integers(0, 80, 4000)
    frame = pd.DataFrame({"shop": [f"s{k}" for k in shops], "x": rng.normal(size=4000)})
    y = pd.Series(rng.normal(size=80)[shops] + frame["x"], name="y")
    lazy = dd.from_pandas(frame, npartitions=5)
    model = weft.dask.Regressor(n_features=60, lam=1e-3).fit(lazy, dd.from_pandas(y, npartitions=5))
    plain = weft.RandomFeatureRegressor(n_features=60, lam=1e-3).fit(frame, y)
    assert np.abs(model.predict(lazy).compute() - plain.predict(frame)).max() < 1e-9


def test_landmarks(cluster):
    X, y = rows()
    lazy = da.from_array(X, chunks=(700, 5))
    for sampling in ("uniform", "pivoted"):
        options = {"landmarks": 60, "landmark_sampling": sampling, "lam": 1e-3}
        model = weft.dask.KernelRidge(**options).fit(lazy, da.from_array(y, chunks=700))
        expected = weft.KernelRidge(**options).fit(X, y).predict(X)
        # Of the largest prediction, which is about 20: the equations of landmarks magnify the rounding of the sums.
        assert np.abs(model.predict(lazy).compute() - expected).max() < 1e-9 * np.abs(expected).max()
    labels = da.from_array((y > 20).astype(int), chunks=700)
    model = weft.dask.KernelRidgeClassifier(landmarks=60, lam=1e-3).fit(lazy, labels)
    plain = weft.KernelRidgeClassifier(landmarks=60, lam=1e-3).fit(X, (y > 20).astype(int))
    assert np.abs(model.decision_function(X) - plain.decision_function(X)).max() < 1e-9
    # The sigmoid behind probabilities is the result of an iteration.
    assert np.abs(model.predict_proba(lazy).compute() - plain.predict_proba(X)).max() < 1e-7
    with pytest.raises(ValueError, match="landmarks"):
        weft.dask.KernelRidge().fit(lazy, da.from_array(y, chunks=700))


def test_features_are_those_of_rows_in_memory(cluster):
    X, _ = rows(2000)
    X = np.nan_to_num(X)
    for scale in ("none", "quantile"):
        model = weft.dask.RandomFeatures(n_features=30, scale=scale).fit(da.from_array(X, chunks=(600, 2)))
        lazy = model.transform(da.from_array(X, chunks=(600, 5)))
        assert isinstance(lazy, da.Array) and lazy.shape == (2000, 30)
        plain = weft.RandomFeatures(n_features=30, scale=scale).fit(X)
        assert np.abs(lazy.compute() - plain.transform(X)).max() < 1e-12


def test_partitions_that_are_alike(cluster):
    X, y = rows(700)
    lazy = da.concatenate([da.from_array(X, chunks=(700, 5))] * 3)
    target = da.concatenate([da.from_array(y, chunks=700)] * 3)
    model = weft.dask.Regressor(n_features=40).fit(lazy, target)
    plain = weft.RandomFeatureRegressor(n_features=40).fit(np.vstack([X] * 3), np.concatenate([y] * 3))
    assert np.abs(model.predict(X) - plain.predict(X)).max() < 1e-9


def test_mistakes_are_named(cluster):
    X, y = rows(1000)
    lazy, target = da.from_array(X, chunks=(500, 5)), da.from_array(y, chunks=500)
    with pytest.raises(TypeError, match="X.*ndarray"):
        weft.dask.Regressor().fit(X, y)
    with pytest.raises(ValueError, match="do not determine"):
        weft.dask.Regressor(algorithm="sfgd").fit(lazy, target)
    with pytest.raises(ValueError, match="partitions"):
        weft.dask.Regressor().fit(lazy, dd.from_pandas(pd.Series(y), npartitions=3))


def slow(block, path):
    """Takes its time, and leaves a mark that it has begun."""
    open(os.path.join(path, f"{os.getpid()}-{time.monotonic_ns()}"), "w").close()
    time.sleep(0.3)
    return block


def test_a_worker_that_is_killed_changes_nothing(cluster, tmp_path):
    X, y = rows()
    lazy = da.from_array(X, chunks=(500, 5))
    lazy = lazy.map_blocks(slow, path=str(tmp_path), dtype=np.float64, meta=np.empty((0, 0)))
    killed = []

    def kill():
        while len(os.listdir(tmp_path)) < 13:  # in the second of the passes
            time.sleep(0.02)
        os.kill(victims[1], signal.SIGKILL)
        killed.append(victims[1])

    watcher = threading.Thread(target=kill)
    pids = distributed.get_client().run(os.getpid)
    victims = sorted(pids.values())
    watcher.start()
    model = weft.dask.Regressor(n_features=80).fit(lazy, da.from_array(y, chunks=500))
    watcher.join()
    assert killed
    plain = weft.RandomFeatureRegressor(n_features=80).fit(X, y)
    assert np.abs(model.predict(X) - plain.predict(X)).max() < 1e-9
