"""groups, times and folds: which rows are held out together, against plain refits in NumPy's own loops."""

import datetime

import numpy as np
import pytest

import weft

pd = pytest.importorskip("pandas")


def shops(seed, count=40, rows=15):
    """A level per shop, which the shop's street tells as long as the shop is known."""
    random = np.random.default_rng(seed)
    shop = np.arange(count * rows) % count
    street, level = random.uniform(size=count)[shop], 2 * random.normal(size=count)[shop]
    size = random.normal(size=count * rows)
    return np.column_stack([street, size]), level + np.sin(size) + 0.1 * random.normal(size=count * rows), shop


def search(**rule):
    X, y, _ = shops(1)
    model = weft.RandomFeatureRegressorCV(n_features=40, configurations=2, family="rw-relu", scale="none")
    return model.fit(X, y, **rule)


def refit_errors(model, X, y, parts):
    """Mean squared errors of the winner, refitted to the first rows of each pair and tested on the second."""
    best = model.search_["trials"][model.search_["best"]]
    options = {name: best["family"][name] for name in ("sigma", "gamma", "theta", "kappa")}
    errors = []
    for train, test in parts:
        one = weft.RandomFeatureRegressor(n_features=40, family="rw-relu", scale="none", lam=best["lambda"], **options)
        errors.append(np.mean((one.fit(X[train], y[train]).predict(X[test]) - y[test]) ** 2))
    return best["fold_scores"], errors


def test_named_folds_are_those_of_the_search():
    X, y, _ = shops(1)
    fold = np.array(["a", "b", "c"])[np.arange(len(y)) * 7 % 3]
    scores, errors = refit_errors(search(folds=fold), X, y, [(fold != f, fold == f) for f in "abc"])
    np.testing.assert_allclose(scores, errors, rtol=1e-6)


def test_times_are_predicted_from_the_past():
    X, y, _ = shops(1)
    time = np.random.default_rng(3).permutation(len(y))
    borders = np.round(np.linspace(0, len(y), 7)).astype(int)  # six parts of 100 rows
    parts = [(time < first, (time >= first) & (time < last)) for first, last in zip(borders[1:], borders[2:])]
    scores, errors = refit_errors(search(times=time), X, y, parts)
    np.testing.assert_allclose(scores, errors, rtol=1e-6)


def test_scores_of_groups_are_those_of_new_groups():
    X, y, shop = shops(1)
    new_X, new_y, _ = shops(2)
    for model in (weft.Regressor(), weft.RandomFeatureRegressorCV(n_features=100, configurations=2)):
        grouped = model.fit(X, y, groups=shop)
        # In variances of the targets: 40 shops with levels of their own make tables whose variances differ.
        new = np.mean((grouped.predict(new_X) - new_y) ** 2) / np.var(new_y)
        if hasattr(grouped, "best_score_"):
            score = -grouped.best_score_ / np.var(y)
            assert 0.5 * new < score < 2 * new
            assert -model.fit(X, y).best_score_ / np.var(y) < 0.9 * score
        else:
            assert 0.5 * new < grouped.report_["held_out_error"] < 2 * new
            assert model.fit(X, y).report_["held_out_error"] < 0.5 * new


def test_columns_of_a_frame_are_no_inputs(tmp_path):
    X, y, shop = shops(1)
    names = np.array([f"shop {k}" for k in shop])
    frame = pd.DataFrame({"street": X[:, 0], "shop": names, "size": X[:, 1]})
    plain = frame[["street", "size"]]
    model = weft.RandomFeatureRegressor(n_features=50).fit(frame, y, groups="shop")
    assert list(model.feature_names_in_) == ["street", "size"]
    expected = model.predict(plain)
    assert np.array_equal(model.predict(frame), expected)
    assert np.array_equal(weft.RandomFeatureRegressor(n_features=50).fit(plain, y, groups=names).predict(plain), expected)
    model.save(tmp_path / "m.weft")
    loaded = weft.load(tmp_path / "m.weft")
    assert np.array_equal(loaded.predict(frame), expected)
    assert loaded.model_.options["group"] == "shop"
    assert "stay together (40 groups)" in model.report_["validation"]


def test_times_of_every_kind_are_the_same():
    X, y, _ = shops(1)
    day = np.random.default_rng(3).permutation(len(y))
    start = datetime.date(2019, 1, 1)
    dates = [start + datetime.timedelta(days=int(k)) for k in day]
    kinds = {
        "numbers": day,
        "large integers": day + 2**60,
        "dates": dates,
        "texts": [str(date) for date in dates],
        "datetime64": np.array(dates, dtype="datetime64[s]"),
        "a series": pd.Series(pd.to_datetime([str(date) for date in dates])),
    }
    expected = search(times=day).search_["trials"][0]["fold_scores"]
    for name, times in kinds.items():
        assert search(times=times).search_["trials"][0]["fold_scores"] == expected, name


def test_rows_of_weight_0_are_left_out_with_their_groups():
    X, y, shop = shops(1)
    weights = np.where(np.arange(len(y)) % 4 == 0, 0.0, 1.0)
    keep = weights > 0
    model = weft.RandomFeatureRegressor(n_features=30)
    some = model.fit(X[keep], y[keep], groups=shop[keep], sample_weight=weights[keep]).predict(X)
    assert np.array_equal(model.fit(X, y, groups=shop, sample_weight=weights).predict(X), some)


def test_mistakes():
    X, y, shop = shops(1)
    model = weft.RandomFeatureRegressor(n_features=20)
    with pytest.raises(ValueError, match="one of groups, times and folds"):
        model.fit(X, y, groups=shop, times=shop)
    with pytest.raises(ValueError, match="groups: there are 3 values for 600 rows"):
        model.fit(X, y, groups=shop[:3])
    with pytest.raises(ValueError, match="no column 'town'"):
        model.fit(X, y, groups="town")
    with pytest.raises(ValueError, match="one group"):
        model.fit(X, y, groups=np.zeros(len(y)))
    with pytest.raises(ValueError, match="row 5.*no value|no value.*row 5"):
        model.fit(X, y, times=np.where(np.arange(len(y)) == 5, np.nan, shop.astype(float)))
    with pytest.raises(ValueError, match="shape"):
        model.fit(X, y, groups=X)
