"""One table gives one hypothesis, whatever holds it."""

import datetime as dt
import decimal
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import induce
from induce.core.notes import Note
from induce.data.reading import read

LABELS = ["a", "b"] * 10


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        yield


def mixed(rows=120):
    random = np.random.default_rng(3)
    size = random.integers(0, 4, rows)
    shade = random.integers(0, 5, rows)
    age = random.integers(18, 80, rows)
    label = np.where((size % 2 == 0) & (age > 40) | (shade == 3), "yes", "no")
    label = np.where(random.random(rows) < 0.1, "no", label)
    return pl.DataFrame(
        {
            "size": pl.Series(np.array(["s", "m", "l", "xl"])[size], dtype=pl.Enum(["s", "m", "l", "xl"])),
            "shade": pl.Series(np.array([*"vwxyz"])[shade], dtype=pl.Enum([*"vwxyz"])),
            "age": age,
            "y": pl.Series(label, dtype=pl.Enum(["no", "yes"])),
        }
    )


@pytest.mark.parametrize("learner", [induce.C45, induce.CART, induce.RIPPER, induce.NaiveBayes])
def test_every_frame_gives_the_same_hypothesis(learner, tmp_path):
    X, y = mixed().drop("y"), mixed()["y"]
    expected = learner().fit(X, y).hypothesis_
    for same in (X.to_pandas(), X.to_arrow(), X.lazy()):
        assert str(learner().fit(same, y).hypothesis_) == str(expected)
    for same in (mixed().to_pandas(), mixed().to_arrow()):
        data = read(same, "y")
        assert not any(column.ordered for column in data.schema)
        assert str(learner().fit(*data).hypothesis_) == str(expected)
    # a file and an array do not know the declared order of the values
    plain = X.with_columns(pl.col(pl.Enum).cast(pl.String))
    plain.with_columns(y).write_csv(tmp_path / "t.csv")
    expected = str(learner().fit(plain, y).hypothesis_)
    assert str(learner().fit(*read(tmp_path / "t.csv", "y")).hypothesis_) == expected
    found = str(learner().fit(plain.to_numpy(), y.to_numpy()).hypothesis_)
    for place, name in enumerate(plain.columns):
        found = found.replace(f"x{place}", name)
    assert found.split() == expected.replace("target", "y").split() or learner is induce.NaiveBayes


def test_a_column_is_ordered_only_if_someone_ordered_it():
    frame = mixed().drop("y").to_pandas()
    with pytest.warns(
        Note, match="every categorical column of the frame is flagged as ordered, as polars does"
    ):
        tree = induce.C45().fit(frame, mixed()["y"])
    assert not any(column.ordered for column in tree.hypothesis_.schema)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree.predict(frame)  # said once, in training
    frame["shade"] = frame["shade"].astype("str").astype("category")
    tree = induce.C45().fit(frame, mixed()["y"])
    assert [column.ordered for column in tree.hypothesis_.schema] == [True, False, False]
    told = induce.C45(schema={"size": {"ordered": True}}).fit(mixed().drop("y"), mixed()["y"])
    assert told.hypothesis_.schema["size"].ordered


@pytest.mark.parametrize(
    ("cells", "kind", "temporal", "unit"),
    [
        (pd.period_range("2020-01", periods=20, freq="M"), "numeric", "days", ""),
        (pd.to_timedelta(np.arange(20), unit="h"), "numeric", "", "s"),
        (pd.array([1, None] * 10, dtype="Int64"), "numeric", "", ""),
        (pd.array([True, None] * 10, dtype="boolean"), "nominal", "", ""),
        (pd.array(["x", None] * 10, dtype="string"), "nominal", "", ""),
        (pd.Categorical([1, 2] * 10), "nominal", "", ""),
        (pd.Categorical(pd.to_datetime(["2020-01-01", "2021-01-01"] * 10)), "numeric", "days", ""),
        (pd.cut(np.arange(20), 4), "nominal", "", ""),
        (pd.Series([decimal.Decimal("1.5"), None] * 10), "numeric", "", ""),
        (pd.Series([dt.date(2020, 1, 1), None] * 10), "numeric", "days", ""),
        (pd.Series([dt.datetime(2020, 1, 1, 3), None] * 10, dtype=object), "numeric", "days", ""),
    ],
)
def test_types_of_pandas(cells, kind, temporal, unit):
    frame = pd.DataFrame({"c": cells, "z": np.arange(20) % 3})
    learned = induce.C45().fit(frame, LABELS).hypothesis_.schema["c"]
    described = read(frame).schema["c"]
    for column in (learned, described):
        assert (column.kind, column.temporal, column.unit) == (kind, temporal, unit)


@pytest.mark.parametrize("cells", [pd.Series([dt.time(1, 1)] * 20), np.arange(20) * 1j])
def test_types_that_are_refused_by_name(cells):
    with pytest.raises(TypeError, match=r"column 'c' holds a (time|complex)"):
        induce.C45().fit(pd.DataFrame({"c": cells, "z": 1}), LABELS)


def test_dates_and_durations_in_arrays():
    days = np.array([["2020-01-01", "2021-01-01"], ["2020-02-01", "NaT"]], dtype="datetime64[D]")
    assert read(days).frame.rows() == [
        (dt.date(2020, 1, 1), dt.date(2021, 1, 1)),
        (dt.date(2020, 2, 1), None),
    ]
    mixed = np.array([[dt.date(2020, 1, 1), "x"], [None, "y"]], dtype=object)
    assert read(mixed).frame["x0"].to_list() == [dt.date(2020, 1, 1), None]
    waits = pl.DataFrame({"wait": [dt.timedelta(hours=k) for k in range(20)]})
    with pytest.warns(Note, match="column 'wait' holds durations and is learned in seconds"):
        tree = induce.C45().fit(waits, ["a"] * 10 + ["b"] * 10)
    assert tree.hypothesis_.schema["wait"].unit == "s"
    assert "wait: numeric in s" in str(read(waits))


def test_a_model_of_an_array_predicts_a_frame_with_a_note():
    X = np.arange(40.0).reshape(20, 2)
    y = ["a"] * 10 + ["b"] * 10
    tree = induce.C45().fit(X, y)
    for frame in (pd.DataFrame(X, columns=["p", "q"]), pl.DataFrame(X, schema=["p", "q"])):
        with pytest.warns(Note, match="learned from an array without names; columns are matched by position"):
            assert tree.hypothesis_.predict(frame).tolist() == y
    with pytest.raises(induce.InputError, match="column 'x0' is absent"):
        tree.hypothesis_.predict(pl.DataFrame(X[:, :1], schema=["p"]))


def test_no_formula_multiplies_by_a_date():
    days = [dt.date(2022, 1, 1) + dt.timedelta(days=7 * k % 50) for k in range(40)]
    X = pl.DataFrame({"visit": days, "age": [20 + 3 * k % 17 for k in range(40)]})
    y = [3.0 * (day - days[0]).days + age for day, age in X.rows()]
    for learner in (induce.LinearRegression(), induce.ModelTree(), induce.LMS()):
        text = str(learner.fit(X, y).hypothesis_)
        assert "days of visit" in text
        assert "3 visit" not in text
    classes = ["p" if value > 80 else "q" for value in y]
    assert "days of visit" in str(induce.LogisticRegression().fit(X, classes).hypothesis_)
    assert "visit <= 2022-01-" in str(induce.C45().fit(X, classes).hypothesis_)


@pytest.mark.parametrize(
    "learner",
    [
        induce.C45(),
        induce.NaiveBayes(),
        induce.Winnow(),
        induce.LazyDecisionTree(),
        induce.KNeighborsClassifier(),
        induce.KMeans(2),
        induce.KernelDensity(),
        induce.ConnectTheDots(column="visit"),
    ],
)
def test_a_date_is_printed_and_explained_as_a_date(learner):
    days = [dt.date(2022, 1, 1) + dt.timedelta(days=11 * k % 60) for k in range(30)]
    X = pl.DataFrame({"visit": days, "age": [20 + 7 * k % 31 for k in range(30)]})
    counted = [float((day - days[0]).days) for day in days]
    y = (
        counted
        if isinstance(learner, induce.ConnectTheDots)
        else ["p" if day > 25 else "q" for day in counted]
    )
    learner = learner.fit(X, y)
    text = f"{learner.hypothesis_}\n{learner.explain(X[:1])[0]}"
    assert not re.search(r"\b1[89]\d{3}\b|1\.9\d*e\+04", text), text


def test_the_index_that_pandas_reads_again_is_set_aside():
    frame = pd.DataFrame({"Unnamed: 0": range(20), "age": [k * 7 % 13 for k in range(20)]})
    with pytest.warns(Note, match="column 'Unnamed: 0' looks like an identifier and is ignored"):
        tree = induce.C45().fit(frame, LABELS)
    assert tree.hypothesis_.schema.inputs().names() == ("age",)


def shops(rows=1000):
    random = np.random.default_rng(0)
    shop, age = random.integers(0, 5, rows), random.integers(18, 90, rows)
    label = np.where((shop > 2) ^ (age > 40), "yes", "no")
    return pd.DataFrame({"StoreID": shop, "age": age, "order_id": np.arange(rows)}), label


@pytest.mark.parametrize("holder", ["pandas", "polars", "csv", "parquet", "scan"])
def test_a_name_alone_is_no_identifier(holder, tmp_path):
    table, label = shops()
    table["label"] = label
    path = tmp_path / ("t.csv" if holder == "csv" else "t.parquet")
    pl.from_pandas(table).write_parquet(path) if holder != "csv" else table.to_csv(path, index=False)
    if holder == "scan":
        schema = induce.scan(path, "label").schema
    else:
        schema = read({"pandas": table, "polars": pl.from_pandas(table)}.get(holder, path), "label").schema
    assert schema["StoreID"].role == "input"
    assert "input" not in [column.role for column in schema if column.name == "order_id"]


def test_numbers_given_as_text_are_numbers():
    table, label = shops()
    expected = str(induce.C45().fit(table, label).hypothesis_)
    text = table.assign(age=table["age"].astype(str))
    with pytest.warns(Note, match="column 'age' holds numbers as text and is learned as numbers"):
        learner = induce.C45().fit(text, label)
    assert str(learner.hypothesis_) == expected
    assert list(learner.predict(text)) == list(learner.predict(table))
    with pytest.warns(Note, match="numbers given as text .* in 'age'"):
        assert read(text).schema["age"].kind == "numeric"
    codes = table.assign(age=[f"{age:05d}" for age in table["age"]])
    assert read(codes).schema["age"].kind == "nominal"
    assert read(text, nominal=["age"]).schema["age"].kind == "nominal"
