"""Columns with many categories are encoded by their effects on the target."""

import numpy as np
import pytest

import weft

pd = pytest.importorskip("pandas")


def shops(levels=200, rows=3000, seed=1):
    random = np.random.default_rng(seed)
    level = random.integers(levels, size=rows)
    x = random.normal(size=rows)
    effects = np.random.default_rng(99).normal(size=levels)
    y = x + effects[level] + 0.3 * random.normal(size=rows)
    return pd.DataFrame({"x": x, "shop": [f"s{k}" for k in level]}), y


def shrunken_means(train, y, test, slope=1.0, ratio=0.09):
    """What can be predicted with the slope and the variances known."""
    rest = pd.Series(y - slope * train["x"].to_numpy()).groupby(train["shop"].to_numpy())
    effect = rest.sum() / (rest.count() + ratio)
    return slope * test["x"] + test["shop"].map(effect).fillna(0)


def r2(y, prediction):
    return 1 - np.sum((y - prediction) ** 2) / np.sum((y - np.mean(y)) ** 2)


@pytest.mark.parametrize("model", [weft.Regressor(), weft.RandomFeatureRegressor()], ids=["kernels", "features"])
def test_effects_of_levels_are_learned(model):
    train, y = shops()
    test, truth = shops(seed=2)
    model.fit(train, y)
    assert r2(truth, model.predict(test)) > r2(truth, shrunken_means(train, y, test)) - 0.02
    assert "column shop: 200 levels" in model.report_["levels"]
    assert '"effects"' in model.model_.encoder


def test_max_levels():
    train, y = shops(levels=60)
    assert "levels" in weft.RandomFeatureRegressor(n_features=40).fit(train, y).report_
    for limit in (0, 60):
        model = weft.RandomFeatureRegressor(n_features=40, max_levels=limit).fit(train, y)
        assert "levels" not in model.report_


def test_classes():
    train, y = shops(levels=300)
    test, truth = shops(levels=300, seed=2)
    kinds = np.array(["low", "middle", "high"])
    model = weft.RandomFeatureClassifier().fit(train, kinds[np.digitize(y, [-0.7, 0.7])])
    assert model.score(test, kinds[np.digitize(truth, [-0.7, 0.7])]) > 0.75
    assert model.model_.encoder.count("effect") > 0


def test_saved_models_predict_the_same(tmp_path):
    train, y = shops()
    model = weft.RandomFeatureRegressor(n_features=60).fit(train, y)
    model.save(tmp_path / "m.weft")
    assert np.array_equal(weft.load(tmp_path / "m.weft").predict(train), model.predict(train))
