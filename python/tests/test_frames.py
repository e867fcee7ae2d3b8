"""Frames of polars, pyarrow and others, through the Arrow C data interface and the dataframe interchange protocol."""

import gc

import numpy as np
import pytest
from arrow_producer import Field, OneArray, Producer, texts

import weft
from weft._frames import Columns, read_frame

pd = pytest.importorskip("pandas")
ROWS = 90


def model(**parameters):
    return weft.RandomFeatureRegressor(n_features=40, lam=1e-4, **parameters)


def mixed():
    """A pandas frame with a missing cell of every kind of column that may have one, and a target."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "whole": rng.integers(-50, 50, ROWS).astype(np.int32),
            "real": rng.normal(size=ROWS),
            "single": rng.normal(size=ROWS).astype(np.float32),
            "flag": rng.random(ROWS) < 0.5,
            "town": rng.choice(["Ath", "Bönn", "Cork"], ROWS),
            "long": rng.choice(["a text of more than twelve bytes", "short", "another rather long text"], ROWS),
            "grade": pd.Categorical(rng.choice(["low", "high"], ROWS), categories=["high", "none", "low"]),
            "day": pd.date_range("2024-01-01", periods=ROWS),
            "moment": pd.date_range("2024-01-01 00:00:30", periods=ROWS, freq=pd.Timedelta(hours=17)),
        }
    )
    frame.loc[3, "real"] = np.nan
    frame.loc[[5, 70], "town"] = None
    frame.loc[6, "grade"] = np.nan
    frame.loc[8, "moment"] = pd.NaT
    return frame, 0.02 * frame["whole"] + (frame["town"] == "Cork") + frame["flag"]


def fields_of(frame, views=False):
    """What the columns are in Arrow: every layout once."""
    there = frame.notna()
    n = len(frame)

    def words(name):
        return [value if ok else None for value, ok in zip(frame[name], there[name])]

    if views:
        town, long = view_field(words("town"), there["town"]), view_field(words("long"), there["long"])
    else:
        town = Field("u", n, texts(words("town")), there["town"])
        long = Field("U", n, texts(words("long"), np.int64))
    codes = frame["grade"].cat.codes.to_numpy().astype(np.int16)
    shifted = np.concatenate([[99, 98], frame["whole"].to_numpy()]).astype(np.int32)  # begins at its third element
    return [
        Field("i", n, [shifted], offset=2),
        Field("g", n, [frame["real"].fillna(-1.0).to_numpy()], there["real"]),
        Field("f", n, [frame["single"].to_numpy()]),
        Field("b", n, [np.packbits(frame["flag"].to_numpy(), bitorder="little")]),
        town,
        long,
        Field("s", n, [np.maximum(codes, 0)], there["grade"], dictionary=Field("u", 3, texts(["high", "none", "low"]))),
        Field("tdD", n, [frame["day"].to_numpy().astype("datetime64[D]").astype(np.int32)]),
        Field("tsu:", n, [frame["moment"].to_numpy().astype("datetime64[us]").astype(np.int64)], there["moment"]),
    ]


def view_field(words, valid):
    """Texts of up to 12 bytes in the view, others in a buffer behind it."""
    views, data = np.zeros((len(words), 16), dtype=np.uint8), b""
    for view, word in zip(views, words):
        text = (word or "").encode()
        view[:4] = np.frombuffer(np.int32(len(text)).tobytes(), dtype=np.uint8)
        if len(text) <= 12:
            view[4 : 4 + len(text)] = np.frombuffer(text, dtype=np.uint8)
        else:
            view[4:8] = np.frombuffer(text[:4], dtype=np.uint8)
            view[8:16] = np.frombuffer(np.array([0, len(data)], dtype=np.int32).tobytes(), dtype=np.uint8)
            data += text
    buffers = [views.ravel(), np.frombuffer(data or b"\0", dtype=np.uint8)]
    return Field("vu", len(words), buffers, valid, views=True)


def producer(frame, cuts=(), views=False):
    ends = [0, *cuts, len(frame)]
    parts = [frame.iloc[a:b].reset_index(drop=True) for a, b in zip(ends, ends[1:])]
    return Producer(list(frame.columns), [fields_of(part, views) for part in parts])


class Interchange:
    """A frame that has nothing but `__dataframe__`."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self.frame.__dataframe__(nan_as_null, allow_copy)


def wrappings(frame):
    return [producer(frame), producer(frame, [20, 61]), producer(frame, views=True), Interchange(frame)]


def arrow_tables(pa, frame):
    """pyarrow's own: a table, the same in chunks, with wide and with dictionary texts, and one batch."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    schema = [pa.field("town", pa.large_string()), pa.field("long", pa.dictionary(pa.int8(), pa.string()))]
    other = table
    for field in schema:
        place = other.schema.get_field_index(field.name)
        column = other.column(place)
        column = column.dictionary_encode() if pa.types.is_dictionary(field.type) else column.cast(field.type)
        other = other.set_column(place, field.name, column)
    return {
        "table": table,
        "chunks": pa.concat_tables([table.slice(0, 31), table.slice(31)]),
        "other texts": other,
        "batch": table.combine_chunks().to_batches()[0],
    }


@pytest.mark.parametrize("kind", ["table", "chunks", "other texts", "batch"])
def test_pyarrow_itself(kind):
    pa = pytest.importorskip("pyarrow")
    frame, target = mixed()
    table = arrow_tables(pa, frame)[kind]
    weights = np.linspace(0, 2, ROWS)
    expected = model().fit(frame, target, sample_weight=weights)
    fitted = model().fit(table, pa.array(target.to_numpy()), sample_weight=pa.array(weights))
    assert list(fitted.feature_names_in_) == list(frame.columns)
    assert np.array_equal(fitted.predict(table), expected.predict(frame))
    assert np.array_equal(expected.predict(table), expected.predict(frame))


NAMES = ["stream", "stream in chunks", "string views", "interchange"]


@pytest.mark.parametrize("kind", range(4), ids=NAMES)
def test_the_same_as_from_pandas(kind):
    frame, y = mixed()
    expected = model().fit(frame, y)
    other = wrappings(frame)[kind]
    fitted = model().fit(other, y)
    assert list(fitted.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(fitted.predict(other), expected.predict(frame))
    np.testing.assert_array_equal(expected.predict(other), expected.predict(frame))
    np.testing.assert_array_equal(fitted.predict(frame), expected.predict(frame))


@pytest.mark.parametrize("letter, dtype", [("c", "i1"), ("C", "u1"), ("s", "i2"), ("S", "u2"), ("I", "u4"), ("l", "i8"),
                                           ("L", "u8"), ("e", "f2"), ("f", "f4"), ("g", "f8")])  # fmt: skip
def test_every_number(letter, dtype):
    values = np.arange(40).astype(dtype)
    valid = np.arange(40) % 7 != 0
    plain, holes = read_frame(Producer(["a", "b"], [[Field(letter, 40, [values]), Field(letter, 40, [values], valid)]])).all
    np.testing.assert_array_equal(plain.values, np.arange(40))
    np.testing.assert_array_equal(holes.values, np.where(valid, np.arange(40), np.nan))


def test_doubles_are_read_where_they_lie():
    """What is changed in the producer's memory shows, and the memory is released when nobody looks any more."""
    values = np.linspace(0, 1, 50)
    source = Producer(["x"], [[Field("g", 50, [values])]])
    frame = read_frame(source)
    assert isinstance(frame, Columns) and source.held == 1  # the array: schema and stream are released
    values[7] = 42
    assert frame.all[0].values[7] == 42
    view = frame.all[0].values[5:]
    del frame
    gc.collect()
    assert source.held == 1 and view[2] == 42
    del view
    gc.collect()
    assert source.held == 0


def test_models_release_what_they_have_read():
    frame, y = mixed()
    source = producer(frame, [30])
    model().fit(source, y)
    gc.collect()
    assert source.held == 0


def test_targets_weights_and_rules_of_arrow():
    frame, y = mixed()
    weights = np.linspace(1, 2, ROWS)
    groups = np.arange(ROWS) % 5
    expected = weft.RandomFeatureRegressor(n_features=40).fit(frame, y, weights, groups=groups).predict(frame)
    given = [OneArray(Field(letter, ROWS, [np.asarray(v, dtype)])) for letter, dtype, v in
             (("g", "f8", y), ("g", "f8", weights), ("l", "i8", groups))]  # fmt: skip
    fitted = weft.RandomFeatureRegressor(n_features=40).fit(producer(frame), given[0], given[1], groups=given[2])
    np.testing.assert_array_equal(fitted.predict(frame), expected)
    labels = np.where(y > 1, "yes", "no")
    classes = OneArray(Field("u", ROWS, texts(labels)))
    fitted = weft.RandomFeatureClassifier(n_features=40).fit(producer(frame), classes)
    assert list(fitted.classes_) == ["no", "yes"] and (fitted.predict(producer(frame)) == labels).mean() > 0.8


def test_a_rule_by_the_name_of_a_column():
    frame, y = mixed()
    frame["shop"] = np.arange(ROWS) % 5
    expected = weft.RandomFeatureRegressor(n_features=40).fit(frame, y, groups="shop")
    other = Interchange(frame)
    fitted = weft.RandomFeatureRegressor(n_features=40).fit(other, y, groups="shop")
    np.testing.assert_array_equal(fitted.predict(other), expected.predict(frame))
    with pytest.raises(ValueError, match="no column 'store'"):
        weft.RandomFeatureRegressor().fit(Interchange(frame), y, groups="store")


def test_columns_are_checked_by_name():
    frame, y = mixed()
    fitted = model().fit(producer(frame), y)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(Interchange(frame[frame.columns[::-1]]))
    with pytest.raises(ValueError, match="expecting 9 features"):
        fitted.predict(Interchange(frame.drop(columns="town")))
    with pytest.raises(ValueError, match="minimum of 2"):
        model().fit(Interchange(frame[:1]), y[:1])


def test_rows_of_weight_0_and_missing_cells():
    frame, y = mixed()
    weights = (np.arange(ROWS) % 4 != 1).astype(float)
    expected = model().fit(frame, y, weights).predict(frame)
    np.testing.assert_array_equal(model().fit(producer(frame), y, weights).predict(frame), expected)
    with pytest.raises(ValueError, match="missing"):
        model(missing="error").fit(producer(frame), y)
    frame.loc[2, "single"] = np.inf
    with pytest.raises(ValueError, match="'single' is not finite"):
        model().fit(producer(frame), y)


def test_streams_that_fail_and_columns_that_cannot_be_read():
    frame, y = mixed()
    broken = producer(frame)
    broken.fail = "the server is gone"
    with pytest.raises(ValueError, match="the server is gone"):
        model().fit(broken, y)
    assert broken.held == 0
    lists = Producer(["tags"], [[Field("tDm", 10, [np.arange(10)])]])
    with pytest.raises(ValueError, match="'tags'.*'tDm'"):
        model().fit(lists, np.arange(10.0))


def test_the_transformer_and_explanations():
    frame, y = mixed()
    numbers = frame[["whole", "single"]]
    transformer = weft.RandomFeatures(n_features=10).fit(Interchange(numbers))
    np.testing.assert_array_equal(transformer.transform(Interchange(numbers)), transformer.transform(numbers))
    fitted = model().fit(frame, y)
    assert fitted.explain(Interchange(frame), y)["variables"] == fitted.explain(frame, y)["variables"]
