"""Files learned in chunks: the same hypothesis as from the whole table."""

from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest

import induce
from induce.bayes import learn_stream
from induce.data.chunks import chunked

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")


def table(n=500, seed=0):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 3, n)
    frame = pl.DataFrame(
        {
            "colour": pl.Series(["red", "green", "blue", "1"])[(label + rng.integers(0, 2, n)) % 4],
            "size": rng.normal(size=n).round(3) + label,
            "year": rng.integers(1990, 2000, n),
            "day": pl.Series(["2024-01-01", "2024-02-29"])[label % 2].str.to_date(),
            "customer": [f"c{k:05d}" for k in range(n)],
            "said": [f"the quick {'red' if k else 'brown'} fox says number {i}" for i, k in enumerate(label)],
            "sold": pl.Series(["yes", "no", None])[label],
        }
    )
    return frame.with_columns(
        pl.when(pl.Series(rng.random(n) < 0.1)).then(None).otherwise(pl.col(name)).alias(name)
        for name in ("colour", "size", "year", "said")
    )


WRITERS = {
    "table.csv": lambda frame, path: frame.write_csv(path),
    "table.csv.gz": lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv().encode())),
    "table.parquet": lambda frame, path: frame.write_parquet(path, row_group_size=70),
    "table.jsonl": lambda frame, path: frame.with_columns(pl.col("day").cast(pl.String)).write_ndjson(path),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("rows", [64, 10_000])
def test_the_hypothesis_is_that_of_the_whole_table(tmp_path, name, rows):
    frame, path = table(), tmp_path / name
    WRITERS[name](frame, path)
    X, y = induce.read(path, target="sold")
    whole = induce.NaiveBayes().fit(X, y)
    parts = learn_stream(induce.NaiveBayes(), path, "sold", rows=rows)
    assert parts.hypothesis_.schema == whole.hypothesis_.schema
    assert parts.hypothesis_.classes == whole.hypothesis_.classes
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-7)
    assert parts.feature_names_in_.tolist() == X.columns


def test_what_is_told_of_columns(tmp_path):
    path = tmp_path / "table.csv"
    table().write_csv(path)
    told = {"nominal": ["year"], "ignore": ["said", "customer"], "missing": ["", "red"]}
    X, y = induce.read(path, target="sold", **told)
    whole = induce.NaiveBayes().fit(X, y)
    parts = learn_stream(induce.NaiveBayes(), path, "sold", rows=100, **told)
    assert parts.hypothesis_.schema == whole.hypothesis_.schema
    assert "red" not in parts.hypothesis_.schema["colour"].domain
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-7)


@pytest.mark.parametrize("numeric", ["kernel", "intervals"])
def test_other_densities(tmp_path, numeric):
    path = tmp_path / "table.parquet"
    table().write_parquet(path)
    X, y = induce.read(path, target="sold")
    whole = induce.NaiveBayes(numeric=numeric).fit(X, y)
    parts = learn_stream(induce.NaiveBayes(numeric=numeric), path, "sold", rows=100)
    if numeric == "kernel":
        np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-6)
    else:  # the first chunk settles where they end
        assert parts.hypothesis_.class_counts.tolist() == whole.hypothesis_.class_counts.tolist()


@pytest.mark.parametrize("class_weight", ["balanced", {"yes": 3.0}])
def test_class_weights(tmp_path, class_weight):
    path = tmp_path / "table.parquet"
    table().write_parquet(path)
    X, y = induce.read(path, target="sold")
    whole = induce.NaiveBayes(class_weight=class_weight).fit(X, y)
    parts = learn_stream(induce.NaiveBayes(class_weight=class_weight), path, "sold", rows=100)
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-7)


@pytest.mark.parametrize("labels", [[1, 2], [True, False], ["1", "02"], [1.0, 2.0]])
def test_classes_of_any_kind(tmp_path, labels):
    path = tmp_path / "table.parquet"
    frame = pl.DataFrame({"a": ["x", "y", "x", "y"], "cls": labels * 2})
    frame.write_parquet(path)
    parts = learn_stream(induce.NaiveBayes(), path, "cls", rows=3)
    whole = induce.NaiveBayes().fit(frame.select("a"), frame["cls"])
    assert parts.predict(frame.select("a")).tolist() == whole.predict(frame.select("a")).tolist()
    assert parts.classes_.tolist() == whole.classes_.tolist()


def test_texts(tmp_path):
    path = tmp_path / "table.parquet"
    frame = table().select("said", "sold").drop_nulls()
    frame.write_parquet(path)
    parts = learn_stream(induce.TextNaiveBayes(min_count=2), path, "sold", rows=50)
    whole = induce.TextNaiveBayes(min_count=2).fit(frame.select("said"), frame["sold"])
    np.testing.assert_allclose(
        parts.predict_proba(frame.select("said")), whole.predict_proba(frame.select("said")), rtol=1e-9
    )


# --- what goes wrong -----------------------------------------------------------------------------------------


def write(path, *lines):
    path.write_text("\n".join(["a,b,cls", *lines]) + "\n", encoding="utf-8")
    return path


MANY = [f"x,{k},p" for k in range(10)]


@pytest.mark.parametrize(
    ("lines", "told", "sentence"),
    [
        (
            [*MANY, "x,oops,q"],
            {},
            "column 'b' holds numbers before row 11, but 'oops' in row 11; declare it nominal, or",
        ),
        (
            [*MANY, "w,1,q"],
            {"schema": {"a": {"domain": ["x", "y"]}}},
            "column 'a' holds 'w', which is not among its declared values",
        ),
        ([f"x,1,{k / 7}" for k in range(12)], {}, "the target 'cls' contains fractions"),
        (["x,1,", "y,2,"], {}, "the target 'cls' is missing in every row"),
        ([f"v{k},1,p" for k in range(12)], {"ignore": ["b"]}, "no column is left to learn from"),
        (MANY, {"ignore": ["nowhere"]}, "nowhere"),
    ],
)
def test_streams_that_do_not_fit(tmp_path, lines, told, sentence):
    path = write(tmp_path / "table.csv", *lines)
    learner = induce.NaiveBayes()
    with pytest.raises(induce.InputError, match=sentence) as caught:
        learn_stream(learner, path, "cls", rows=5, **told)
    assert "\n" not in str(caught.value)


def test_a_later_number_among_strings_is_a_string(tmp_path):
    path = write(tmp_path / "table.csv", *[f"x{k % 2},u,p" for k in range(10)], "1.50,v,q", "1.50,v,q")
    parts = learn_stream(induce.NaiveBayes(), path, "cls", rows=5)
    assert parts.hypothesis_.schema["a"].domain == ("1.50", "x0", "x1")


def test_rows_without_a_class_are_left_out_with_a_note(tmp_path):
    path = write(tmp_path / "table.csv", "x,1,p", "y,2,", "x,1,q", "z,2,?")
    with pytest.warns(induce.Note, match="2 of 4 rows have no value of the target 'cls'"):
        parts = learn_stream(induce.NaiveBayes(), path, "cls", rows=3)
    assert parts.hypothesis_.class_counts.tolist() == [1, 1]


def test_what_cannot_be_streamed(tmp_path):
    path = write(tmp_path / "table.csv", *MANY)
    with pytest.raises(induce.InputError, match="standard input can be read only once"):
        learn_stream(induce.NaiveBayes(), "-", "cls")
    with pytest.raises(induce.InputError, match="C45 cannot learn in chunks"):
        learn_stream(induce.C45(), path, "cls")
    with pytest.raises(induce.InputError, match="there is no file"):
        learn_stream(induce.NaiveBayes(), tmp_path / "nowhere.csv", "cls")


def test_too_many_values(tmp_path, monkeypatch):
    monkeypatch.setattr("induce.data.chunks.MOST_VALUES", 5)
    path = write(tmp_path / "table.csv", *[f"v{k % 7},{k % 2},p" for k in range(40)], "v1,1,q")
    with pytest.raises(induce.InputError, match="column 'a' has more than 5 different values"):
        chunked(path, "cls", rows=10)


def test_only_the_columns_that_are_needed_are_read(tmp_path, monkeypatch):
    path = tmp_path / "table.parquet"
    table().write_parquet(path)
    asked = []
    from induce.data import records

    original = records.parquet
    monkeypatch.setattr(
        "induce.data.records.parquet",
        lambda source, rows, columns=None: asked.append(columns) or original(source, rows, columns),
    )
    learn_stream(induce.NaiveBayes(), path, "sold", ignore=["said"])
    assert "size" not in asked[1]  # numbers need no look
    assert "said" not in asked[2]
