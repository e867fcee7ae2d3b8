"""Every kind of array gives the same answer, and float64 rows are read where they lie."""

import numpy as np
import pytest
from conftest import blobs, wave
from scipy import sparse

import weft


def fitted(X, y, **parameters):
    return weft.RandomFeatureRegressor(n_features=40, lam=1e-4, **parameters).fit(X, y)


@pytest.mark.parametrize(
    "variant",
    [
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=0)[::2],
        lambda X: np.repeat(X, 3, axis=1)[:, ::3],
        lambda X: X[::-1][::-1],
        lambda X: X[::-1].copy()[::-1],
        sparse.csr_matrix,
        sparse.coo_matrix,
        lambda X: X.tolist(),
        lambda X: X.astype(object),
        lambda X: X.astype(">f8"),
    ],
    ids=["fortran", "every-other-row", "every-third-column", "view", "negative-strides", "csr", "coo", "list", "object",
         "big-endian"],
)  # fmt: skip
def test_every_layout_gives_the_same_bits(variant):
    X, y = wave()
    expected = fitted(X, y).predict(X)
    model = fitted(variant(X), y)
    assert np.array_equal(model.predict(X), expected)
    assert np.array_equal(model.predict(variant(X)), expected)
    transformer = weft.RandomFeatures(n_features=20).fit(X)
    assert np.array_equal(transformer.transform(variant(X)), transformer.transform(X))


def test_unaligned_arrays_are_read():
    X, y = wave()
    record = np.zeros(len(X), dtype=np.dtype([("flag", "i1"), ("x", "3f8")]))  # packed: x starts at odd addresses
    record["x"] = X
    assert not record["x"].flags.aligned
    assert np.array_equal(fitted(record["x"], y).predict(record["x"]), fitted(X, y).predict(X))


def test_float32_is_taken_for_what_it_says():
    X, y = wave()
    single = X.astype(np.float32)
    assert np.array_equal(fitted(single, y).predict(single), fitted(single.astype(float), y).predict(single))


def test_int64_positions_of_sparse_matrices():
    X, y = wave()
    X[np.abs(X) < 0.5] = 0
    wide = sparse.csr_matrix(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert np.array_equal(fitted(wide, y).predict(wide), fitted(X, y).predict(X))


def test_sparse_matrices_of_a_lying_shape_are_refused():
    X, y = wave(50)
    matrix = sparse.csr_matrix(X)
    matrix.indices[7] = 1_000_000
    with pytest.raises(ValueError):
        fitted(matrix, y)
    matrix = sparse.csr_matrix(X)
    matrix.indptr[3] = 1_000_000
    with pytest.raises(ValueError):
        fitted(matrix, y)


def test_float64_rows_are_not_copied():
    """The table reads the array itself: what is changed between two readings shows."""
    from weft import _weft

    X, y = wave(100)
    model = fitted(X, y)
    rows = np.ascontiguousarray(X[:10])
    table = _weft.Table.dense(rows, model._names)
    before = model.model_.predict(table, ["values"], {})[0]
    rows[:] = rows[::-1].copy()
    np.testing.assert_allclose(model.model_.predict(table, ["values"], {})[0], before[::-1], rtol=1e-12)


def test_predictions_leave_the_inputs_alone():
    X, y = wave()
    X.flags.writeable = False
    y.flags.writeable = False
    fitted(X, y).predict(X)


pd = pytest.importorskip("pandas")


def people(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "town": rng.choice(["Ath", "Bonn", "Cork"], rows),
            "grade": pd.Categorical(rng.choice([1, 2, 3], rows), categories=[3, 1, 2, 7]),
            "member": rng.random(rows) < 0.5,
        }
    )
    y = 0.02 * frame["age"] + (frame["town"] == "Bonn") + 0.5 * frame["grade"].astype(int)
    return frame, y


def test_categories_are_encoded():
    frame, y = people()
    model = fitted(frame, y)
    assert model.score(frame, y) > 0.95
    assert list(model.feature_names_in_) == list(frame.columns)
    # Other kinds of column with the same contents are the same.
    for other in (
        frame.astype({"town": "category"}),
        frame.astype({"town": "string"}),
        frame.astype({"grade": int}).astype({"grade": str}),
    ):
        assert np.array_equal(model.predict(other), model.predict(frame))
    # A few rows hold few of the categories.
    np.testing.assert_allclose(model.predict(frame[:5]), model.predict(frame)[:5], rtol=1e-10)


def test_unseen_categories_and_missing_cells():
    frame, y = people()
    other = frame.copy()
    other.loc[3, "town"] = "Deal"
    with pytest.raises(ValueError, match="Deal"):
        fitted(frame, y, unseen="error").predict(other)
    with pytest.warns(UserWarning, match="1 cell .town 'Deal' 1."):
        assert np.isfinite(fitted(frame, y).predict(other)).all()
    other.loc[3, "town"] = None
    with pytest.raises(ValueError, match="town.*missing"):
        fitted(frame, y, missing="error").predict(other)
    with pytest.warns(UserWarning, match="missing cells .* 1 cell .town 1."):
        assert np.isfinite(fitted(frame, y).predict(other)).all()
    for missing in ("indicate", "impute"):
        assert np.isfinite(fitted(other, y, missing=missing).predict(other)).all()


def test_missing_numbers():
    X, y = wave()
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        fitted(X, y, missing="error")
    model = fitted(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert "x1 1" in model.report_["missing"]
    assert '"indicator"' in model.model_.encoder
    assert np.isfinite(fitted(X, y, missing="impute").predict(X)).all()
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).astype({"b": "Float64"})
    for missing in ("indicate", "impute"):
        assert np.isfinite(fitted(frame, y, missing=missing).predict(frame)).all()


def test_missing_numbers_of_learned_kernels():
    X, y = wave()
    X[::4, 1] = np.nan
    model = weft.Regressor(n_jobs=1).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert model.feature_importances_.shape == (3,)


def test_columns_are_checked_by_name():
    frame, y = people()
    model = fitted(frame, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["town", "age", "grade", "member"]])
    with pytest.raises(ValueError):
        model.predict(frame.drop(columns="town"))


@pytest.mark.parametrize("name", ["target", "weights", "target,x", "0", " "])
def test_columns_may_have_any_name(name):
    X, y = wave()
    frame = pd.DataFrame(X, columns=[name, "b", "c"])
    model = weft.RandomFeatureRegressor(n_features=40, lam=1e-4)
    expected = model.fit(X, y, np.ones(len(y))).predict(X)
    assert np.array_equal(model.fit(frame, y, np.ones(len(y))).predict(frame), expected)
    assert np.array_equal(model.fit(frame, pd.Series(y, name=name)).predict(frame), model.fit(X, y).predict(X))


def test_columns_that_hold_neither_numbers_nor_categories():
    frame, y = people()
    frame["when"] = pd.Timedelta("1 day")
    with pytest.raises(ValueError, match="when"):
        fitted(frame, y)


def test_frames_of_targets():
    X, Y = wave(outputs=2)
    model = fitted(X, pd.DataFrame(Y, columns=["left", "right"]))
    assert model.model_.target_names == ["left", "right"]
    assert np.array_equal(model.predict(X), fitted(X, Y).predict(X))


def test_labels_of_every_kind():
    X, y = blobs(classes=3)
    expected = weft.RandomFeatureClassifier(n_features=30).fit(X, y)
    for labels in (["10", "9", "x"], ["10", "9", "8"], [True, False], [2.0, -1.0, 7.0], [10**17, 10**17 + 1, 5]):
        values = np.array(labels)
        kept = y < len(values)
        model = weft.RandomFeatureClassifier(n_features=30).fit(X[kept], values[y[kept]])
        assert model.classes_.tolist() == sorted(labels)
        assert (model.predict(X[kept]) == values[y[kept]]).mean() > 0.9
        scores = model.decision_function(X[kept])
        best = (scores > 0).astype(int) if len(labels) == 2 else scores.argmax(axis=1)
        assert np.array_equal(model.classes_[best], model.predict(X[kept]))
    objects = np.array(["a", "b", "c"], dtype=object)[y]
    assert np.array_equal(weft.RandomFeatureClassifier(n_features=30).fit(X, objects).predict(X) == objects,
                          expected.predict(X) == y)  # fmt: skip


def dated_frame(rows=300):
    when = pd.Timestamp("2023-01-05") + pd.to_timedelta((np.arange(rows) * 37) % rows * 17, unit="h")
    frame = pd.DataFrame({"when": when, "member": np.arange(rows) % 3 == 0, "x": np.sin(np.arange(rows))})
    y = 3.0 * (frame["when"].dt.dayofweek >= 5) + frame["member"] + frame["x"]
    return frame, y


def parts_of(frame):
    """What the encoder makes of it, by pandas; the order of the columns is that of the encoder."""
    when = frame["when"].dt
    seconds = (frame["when"] - frame["when"].min()).dt.total_seconds()
    numbers = {"year": when.year, "month": when.month, "day": when.day, "weekday": when.dayofweek + 1,
               "hour": when.hour, "seconds": seconds, "member": frame["member"].astype(float), "x": frame["x"]}  # fmt: skip
    numbers = pd.DataFrame(numbers).astype(float)
    return numbers.loc[:, numbers.nunique() > 1]


def kernel_ridge():
    return weft.KernelRidge(kernel="rbf", bandwidth=1.0, lam=1e-3)


@pytest.mark.parametrize("form", ["datetime64", "text", "objects", "utc"])
def test_dates_are_read_as_their_parts(form):
    frame, y = dated_frame()
    expected = kernel_ridge().fit(parts_of(frame), y).predict(parts_of(frame))
    if form == "text":
        frame["when"] = frame["when"].astype(str)
    if form == "objects":
        frame["when"] = np.array(frame["when"].dt.to_pydatetime(), dtype=object)
    if form == "utc":
        frame["when"] = frame["when"].dt.tz_localize("UTC").dt.tz_convert("Europe/Paris")
    model = kernel_ridge().fit(frame, y)
    assert np.allclose(model.predict(frame), expected, rtol=0, atol=1e-8)
    assert np.allclose(model.predict(frame[:3]), expected[:3], rtol=0, atol=1e-8)


def test_missing_dates_and_nullable_booleans():
    frame, y = dated_frame()
    frame.loc[5:20, "when"] = pd.NaT
    frame["member"] = frame["member"].astype("boolean")
    frame.loc[0:3, "member"] = pd.NA
    model = weft.RandomFeatureRegressor(n_features=100).fit(frame, y)
    assert np.all(np.isfinite(model.predict(frame)))
    assert model.score(frame, y) > 0.5
