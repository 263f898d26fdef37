import gzip
import io
import json
import sys
import warnings
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data.reading import batches, read
from induce.data.schema import Column, Schema
from induce.data.table import encode, infer_schema, raw_frame

WEATHER = "outlook,temp,humid,windy,day,play\n" + "".join(
    f"{outlook},{temp},{humid},{windy},{day},{play}\n"
    for outlook, temp, humid, windy, day, play in [
        ("sunny", 30, "high", "true", "2024-01-01", "no"),
        ("rain", "?", "normal", "false", "2024-01-02", "yes"),
        ("overcast", 25.5, "NA", "true", "2024-01-03", "yes"),
        ("rain", 18, "", "false", "2024-01-04", "no"),
    ]
)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_csv_columns_are_settled_by_their_cells(tmp_path):
    data = read(written(tmp_path, "weather.csv", WEATHER), "play")
    assert data.name == "weather"
    assert data.schema.names() == ("outlook", "temp", "humid", "windy", "day", "play")
    assert data.schema["outlook"] == Column("outlook", "nominal", ("overcast", "rain", "sunny"))
    assert data.schema["temp"].kind == "numeric"
    assert data.schema["humid"].domain == ("high", "normal")
    assert data.schema["windy"].domain == ("false", "true")
    assert data.schema["day"] == Column("day", "numeric", temporal="days")
    assert data.schema["play"] == Column("play", "nominal", ("no", "yes"), role="target")
    assert data.frame["humid"].to_list() == ["high", "normal", None, None]
    assert data.frame["temp"].to_list() == [30, None, 25.5, 18]
    assert data.frame["day"].to_list()[0] == date(2024, 1, 1)
    X, y = data
    assert "play" not in X.columns
    assert y.dtype == pl.Enum(["no", "yes"])
    assert X["outlook"].dtype == pl.Enum(["overcast", "rain", "sunny"])


def test_nothing_is_noted_when_nothing_is_decided_for_the_user(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(written(tmp_path, "w.csv", WEATHER), "play")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(tmp_path, separator):
    text = WEATHER.replace(",", separator)
    data = read(written(tmp_path, "w.csv", text), "play")
    assert data.frame.shape == (4, 6)
    assert read(written(tmp_path, "v.csv", text), "play", separator=separator).frame.equals(data.frame)


def test_every_format_gives_the_same_table(tmp_path):
    expected = read(written(tmp_path, "w.csv", WEATHER), "play")
    frame = expected.frame
    plain = frame.with_columns(pl.col(pl.Enum).cast(pl.String), pl.col("day").cast(pl.String))
    plain.write_ndjson(tmp_path / "w.jsonl")
    (tmp_path / "w.json").write_text(json.dumps(plain.to_dicts()), encoding="utf-8")
    frame.write_parquet(tmp_path / "w.parquet")
    (tmp_path / "w.csv.gz").write_bytes(gzip.compress(WEATHER.encode()))
    (tmp_path / "plain").write_text(WEATHER, encoding="utf-8")
    for name in ("w.jsonl", "w.json", "w.parquet", "w.csv.gz", "plain"):
        data = read(tmp_path / name, "play")
        assert data.schema == expected.schema, name
        assert data.frame.equals(frame), name


def test_every_frame_gives_the_same_table(tmp_path):
    expected = read(written(tmp_path, "w.csv", WEATHER), "play")
    polars_frame = expected.frame.with_columns(pl.col(pl.Enum).cast(pl.String))
    arrow = polars_frame.to_arrow()
    assert isinstance(arrow, pa.Table)
    for frame in (polars_frame, polars_frame.lazy(), arrow, polars_frame.to_pandas()):
        data = read(frame, "play")
        assert [(c.name, c.kind, c.domain) for c in data.schema] == [
            (c.name, c.kind, c.domain) for c in expected.schema
        ]
        assert data.frame.drop("day").equals(expected.frame.drop("day"))


def test_pandas_categories_keep_their_order_and_odd_columns_survive():
    frame = pd.DataFrame(
        {
            "size": pd.Categorical(["s", "l", None], categories=["s", "m", "l"], ordered=True),
            "mixed": [1, "a", None],
            "seen": [True, False, True],
            "when": pd.to_datetime(["2020-01-01 00:00", None, "2020-01-02 12:00"]),
            7: [1, 2, 3],
        }
    )
    data = read(frame, "seen")
    assert data.schema["size"] == Column("size", "nominal", ("s", "m", "l"), ordered=True)
    assert data.schema["mixed"].domain == ("1", "a")
    assert data.y.to_list() == [True, False, True]
    assert data.schema["seen"].domain == (False, True)
    assert data.schema["when"].temporal == "days"
    assert data.frame["when"].to_list() == [datetime(2020, 1, 1), None, datetime(2020, 1, 2, 12)]
    assert data.schema["7"].kind == "numeric"


def test_an_array_is_a_frame_too():
    data = read(np.array([[1.0, np.nan], [2.0, 3.0]]))
    assert data.frame.rows() == [(1.0, None), (2.0, 3.0)]


def test_what_is_told_is_done(tmp_path):
    path = written(tmp_path, "c.csv", "zip,n,extra,y\n02139,10,1,a\n10001,9,2,b\n02139,100,3,a\n")
    data = read(path, "y", nominal=["zip", "n"], ignore=["extra"])
    assert data.schema["zip"].domain == ("02139", "10001")
    assert data.schema["n"].domain == ("9", "10", "100")
    assert data.schema["extra"].role == "ignore"
    assert data.X.columns == ["zip", "n"]
    assert data.frame.columns == ["zip", "n", "extra", "y"]
    assert data.input_schema.names() == ("zip", "n")


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_a_schema_file(tmp_path, suffix):
    toml = 'n = "nominal"\ny = {role = "target"}\n'
    toml += 'size = {domain = ["s", "m", "l"], ordered = true, cost = 2.5}\n'
    said = {
        "n": "nominal",
        "y": {"role": "target"},
        "size": {"domain": ["s", "m", "l"], "ordered": True, "cost": 2.5},
    }
    file = written(tmp_path, f"schema{suffix}", toml if suffix == ".toml" else json.dumps(said))
    path = written(tmp_path, "t.csv", "n,size,y\n1,s,0\n2,l,1\n")
    data = read(path, schema=file)
    assert data.target == "y"
    assert data.schema["size"] == Column("size", "nominal", ("s", "m", "l"), ordered=True, cost=2.5)
    assert data.schema["n"].domain == ("1", "2")
    assert read(path, schema=said).schema == data.schema
    assert read(path, schema=data.schema).schema == data.schema


def test_a_schema_learned_from_one_file_reads_another(tmp_path):
    first = read(written(tmp_path, "w.csv", WEATHER), "play")
    again = read(tmp_path / "w.csv", schema=first.schema)
    assert again.schema == first.schema
    assert again.frame.equals(first.frame)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"target": "Play"}, "there is no column 'Play'; did you mean 'play'?"),
        ({"nominal": ["outlok"]}, "there is no column 'outlok'; did you mean 'outlook'?"),
        ({"numeric": "zzz"}, "there is no column 'zzz'; there are outlook, temp,"),
        ({"ignore": ["humidity"]}, "did you mean 'humid'?"),
        ({"schema": {"tmp": "nominal"}}, "did you mean 'temp'?"),
        ({"numeric": ["outlook"]}, "column 'outlook' is numeric but holds 'sunny' in row 1"),
        ({"nominal": ["temp"], "numeric": ["temp"]}, "nominal and numeric"),
        ({"target": "play", "ignore": ["play"]}, "both target and ignored"),
        ({"schema": {"outlook": {"domain": ["rain"]}}}, "holds 'sunny', which is not in its domain {rain}"),
        ({"schema": {"outlook": {"colour": 1}}}, "'colour'"),
        ({"schema": {"outlook": "target", "play": "target"}}, "two targets, 'outlook' and 'play'"),
        ({"schema": "absent.toml"}, "there is no schema file 'absent.toml'"),
    ],
)
def test_wrong_words_about_columns_get_one_sentence(tmp_path, said, sentence):
    path = written(tmp_path, "w.csv", WEATHER)
    with pytest.raises(InputError) as error:
        read(path, **said)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_rows_without_target_are_dropped_and_counted(tmp_path):
    path = written(tmp_path, "t.csv", "a,y\n1,x\n2,?\n3,\n4,z\n")
    with pytest.warns(Note, match="2 rows have no value of the target 'y' and are left out"):
        data = read(path, "y")
    assert data.y.to_list() == ["x", "z"]


def test_a_target_that_is_never_known(tmp_path):
    path = written(tmp_path, "t.csv", "a,y\n1,?\n2,NA\n")
    with pytest.raises(InputError, match="the target 'y' is missing in every row"):
        read(path, "y")


def test_missing_tokens_can_be_changed(tmp_path):
    path = written(tmp_path, "t.csv", "a,b\n-999,x\n2,?\n3,none\n")
    data = read(path, missing=("-999", "none"))
    assert data.frame.rows() == [(None, "x"), (2, "?"), (3, None)]


def test_spaces_around_cells_do_not_count(tmp_path):
    path = written(tmp_path, "t.csv", "age, job\n39, Private\n 50, ?\n")
    assert read(path).frame.rows() == [(39, "Private"), (50, None)]


def test_identifiers_stay_in_x_for_the_learner_to_note_once(tmp_path):
    rows = "".join(f"u{i},{i % 3},{'yes' if i % 2 else 'no'}\n" for i in range(12))
    path = written(tmp_path, "t.csv", "user,a,y\n" + rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = read(path, "y")
    assert data.schema["user"].role == "id"
    assert data.X["user"].dtype == pl.String
    with pytest.warns(Note) as notes:
        inferred = infer_schema(raw_frame(data.X))
    assert [str(each.message) for each in notes] == ["column 'user' looks like an identifier and is ignored"]
    assert inferred.inputs().names() == ("a",)
    told = read(path, "y", schema={"user": "id"})
    assert told.X.columns == ["a"]
    assert read(path, "y", nominal=["user"]).schema["user"].role == "input"


def test_integers_that_a_float_cannot_hold_are_names(tmp_path):
    path = written(tmp_path, "t.csv", "a,b\n123456789012345678901234567890,inf\n1,2\n")
    with pytest.warns(Note, match="numbers that a float cannot hold, such as 12345.*, as names .* in 'a'"):
        data = read(path)
    assert [column.kind for column in data.schema] == ["nominal", "numeric"]
    assert data.frame["a"].to_list() == ["123456789012345678901234567890", "1"]
    rounded = read(path, numeric=["a"])
    assert rounded.frame["a"].to_list() == [123456789012345678901234567890.0, 1.0]


ACCOUNTS = [f"123456789012345678{k:02d}" for k in range(30)]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet"])
def test_account_numbers_stay_apart(tmp_path, suffix):
    path = tmp_path / f"t.{suffix}"
    numbers = list(map(int, ACCOUNTS))
    if suffix == "parquet":
        pl.DataFrame({"account": pl.Series(numbers, dtype=pl.UInt64), "x": range(5, 35)}).write_parquet(path)
    elif suffix == "csv":
        path.write_text("account,x\n" + "".join(f"{number},7\n" for number in numbers), encoding="utf-8")
    else:
        records = [f'{{"account": {number}, "x": 7}}' for number in numbers]
        path.write_text(
            "\n".join(records) if suffix == "jsonl" else f"[{', '.join(records)}]", encoding="utf-8"
        )
    with pytest.warns(Note, match="numbers that a float cannot hold, such as 12345678901234567800"):
        data = read(path)
    assert data.frame["account"].cast(pl.String).to_list() == ACCOUNTS


@pytest.mark.parametrize(
    "make",
    [
        pl.DataFrame.rows,
        pl.DataFrame.to_numpy,
        pl.DataFrame.clone,
        pl.DataFrame.to_pandas,
        pl.DataFrame.to_arrow,
    ],
)
def test_learners_keep_long_numbers_apart(make):
    rows = make(
        pl.DataFrame({"account": [2**60 + k // 10 for k in range(40)], "x": [k % 7 for k in range(40)]})
    )
    labels = ["ab"[k // 10 % 2] for k in range(40)]
    with pytest.warns(Note, match="holds numbers that a float cannot hold, such as 1152921504606846977"):
        learner = induce.C45().fit(rows, labels)
    assert list(learner.predict(rows)) == labels


def test_numbers_beyond_all_floats_are_names(tmp_path):
    path = written(tmp_path, "t.csv", "a\n1e400\n2\n")
    with pytest.warns(Note, match="such as 1e400, as names"):
        assert read(path).frame["a"].to_list() == ["1e400", "2"]


def test_leading_zeros_get_a_note(tmp_path):
    path = written(tmp_path, "t.csv", "zip,n\n01234,0\n98765,10\n")
    with pytest.warns(Note, match=r"codes with leading zeros, such as '01234', as numbers .* in 'zip'$"):
        assert read(path).frame["zip"].to_list() == [1234, 98765]
    assert read(path, nominal=["zip"]).frame["zip"].to_list() == ["01234", "98765"]


@pytest.mark.parametrize(
    "text",
    [
        b"a,b,c\r1,x,2\r\n3,y,4\r\n",
        b"a,b,c\n1,x,2\r3,y,4\n",
        b"a,b,c\r\n1,x,2\r3,y,4",
        b"a,b,c\r1,x,2\r3,y,4",
        b"a,b,c\r\r\n1,x,2\r\r3,y,4\r",
        b'"a",b,c\r"1","x",2\r3,y,"4"\r\n',
        b"\xef\xbb\xbfa,b,c\r1,x,2\r\n3,y,4\r\n",
        "a,b,c\r1,x,2\r\n3,y,4\r\n".encode("utf-16"),
    ],
)
def test_a_row_ends_at_a_return_or_a_line_feed(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_bytes(text)
    assert read(path).frame.cast(pl.String).rows() == [("1", "x", "2"), ("3", "y", "4")]


def test_returns_inside_quotes_stay(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b'a,b\r"x\ry",1\r\n"u\r\nv",2\r"w\n",3\n')
    assert read(path).frame["a"].cast(pl.String).to_list() == ["x\ry", "u\r\nv", "w"]


@pytest.mark.parametrize("name", ["*", "^a.*$"])
def test_names_that_are_patterns(name):
    with pytest.raises(InputError, match=r"column 1 of the frame is called .*, a pattern for column names"):
        read(pl.DataFrame({name: [1, 2]}))


def test_too_many_values_for_a_nominal_column_are_left_to_the_learner():
    cells = [f"v{i % 10_001}" for i in range(20_002)]
    data = read(pl.DataFrame({"code": cells}))
    assert data.frame["code"].dtype == pl.String
    with pytest.raises(InputError, match="10,001 different values"):
        infer_schema(raw_frame(data.X))


def test_times_in_iso_form(tmp_path):
    path = written(tmp_path, "t.csv", "a,b\n2024-01-01T10:00,2024-01-01 10:00:00.5\n2024-01-01T11:30:00Z,?\n")
    data = read(path)
    assert data.frame["a"].to_list() == [datetime(2024, 1, 1, 10), datetime(2024, 1, 1, 11, 30)]
    assert data.frame["b"].to_list() == [datetime(2024, 1, 1, 10, 0, 0, 500_000), None]
    impossible = written(tmp_path, "u.csv", "a\n2023-02-29\n2023-01-01\n")
    assert read(impossible).schema["a"].kind == "nominal"


def test_standard_input(monkeypatch):
    def feed(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))

    feed("a,y\n1,x\n2,z\n")
    assert read("-", "y").frame.rows() == [(1, "x"), (2, "z")]
    feed("% comment\n@relation r\n@attribute a {p,q}\n@data\nq\n")
    assert read("-").schema["a"].domain == ("p", "q")
    feed('{"a": 1}\n{"a": 2}\n')
    assert read("-").frame["a"].to_list() == [1, 2]
    feed("a,y\n1,x\n2,z\n")
    schema = Schema((Column("a"),))
    assert [frame.rows() for frame in batches("-", schema)] == [[(1.0, "x"), (2.0, "z")]]


@pytest.mark.parametrize("name", ["n.csv", "n.parquet", "n.jsonl", "n.json", "n.csv.gz", "n.arff"])
def test_batches_follow_the_schema(tmp_path, name):
    rows = [(i % 3, i / 2, f"row {i}") for i in range(25)]
    frame = pl.DataFrame(rows, schema=["code", "x", "label"], orient="row")
    path = tmp_path / name
    if name == "n.parquet":
        frame.write_parquet(path)
    elif name == "n.jsonl":
        frame.write_ndjson(path)
    elif name == "n.json":
        path.write_text(json.dumps(frame.to_dicts()), encoding="utf-8")
    elif name == "n.arff":
        head = "@relation n\n@attribute code {0,1,2}\n@attribute x real\n@attribute label string\n@data\n"
        path.write_text(head + frame.write_csv(include_header=False), encoding="utf-8")
    else:
        text = frame.write_csv().encode()
        path.write_bytes(gzip.compress(text, mtime=0) if name.endswith("gz") else text)
    schema = Schema((Column("code", "nominal", ("0", "1", "2")), Column("x")))
    found = list(batches(path, schema, rows=10))
    assert [each.height for each in found] == [10, 10, 5]
    whole = pl.concat(found)
    assert whole["code"].to_list() == [str(code) for code, _, _ in rows]
    assert whole["x"].to_list() == [x for _, x, _ in rows]
    assert whole["label"].to_list() == [label for _, _, label in rows]


def test_batches_meet_categories_that_are_numbers_or_truth_values(tmp_path):
    schema = Schema((Column("n", "nominal", (0, 1)), Column("b", "nominal", (False, True))))
    path = written(tmp_path, "n.csv", "n,b\n1,true\n0,FALSE\n?,\n")
    (frame,) = batches(path, schema)
    assert frame["b"].to_list() == [True, False, None]
    table = encode(frame, schema)
    assert table.nominal.tolist() == [[1, 1], [0, 0], [-1, -1]]


def test_batches_name_the_row_that_does_not_fit(tmp_path):
    schema = Schema((Column("x"), Column("d", temporal="days"), Column("b", "nominal", (False, True))))
    path = written(tmp_path, "n.csv", "x,d,b\n1,2024-01-01,True\n?,,false\n3,2024-01-03,\n")
    (frame,) = batches(path, schema)
    assert frame.rows() == [(1.0, date(2024, 1, 1), True), (None, None, False), (3.0, date(2024, 1, 3), None)]
    path = written(tmp_path, "o.csv", "x,d,b\n1,2024-01-01,True\n2,soon,True\n3,?,True\n")
    with pytest.raises(InputError, match="column 'd' holds dates, but 'soon' in row 2"):
        list(batches(path, schema))
    path = written(tmp_path, "p.csv", "x,d,b\n1,,True\n2,,True\nmany,?,True\n")
    with pytest.raises(InputError, match="column 'x' is numeric but holds 'many' in row 3"):
        list(batches(path, schema, rows=1))


def test_late_rows_of_json_lines_may_differ_in_kind_and_keys(tmp_path, monkeypatch):
    monkeypatch.setattr("induce.data.records.CHECKED_AFTER", 10)
    rows = [
        {"a": k if k < 20 else k + 0.5, "b": None if k < 20 else "x"} | ({"c": k} if k > 20 else {})
        for k in range(30)
    ]
    path = tmp_path / "late.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    frame = induce.read(path).X
    assert frame["a"].to_list() == [row["a"] for row in rows]
    assert (frame["b"].null_count(), frame["c"].null_count()) == (20, 21)


def test_a_key_that_occurs_twice_in_json_lines_is_refused(tmp_path):
    path = tmp_path / "twice.jsonl"
    path.write_text('{"a": 1, "y": null}\n{"a": 2, "y": "q: r", "a": 3}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2 of 'twice.jsonl' is not JSON: the key 'a' occurs twice"):
        induce.read(path)
    path.write_text('{"a": 1, "y": null}\n{"y": "\\"q\\": r"}\n', encoding="utf-8")
    assert induce.read(path).X["a"].to_list() == [1, None]
