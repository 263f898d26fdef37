"""Files that cannot be read get one sentence, quickly, with the line where it goes wrong."""

import gzip
import os

import polars as pl
import pytest

from induce.core.errors import InputError
from induce.data.reading import batches, read
from induce.data.schema import Column, Schema

GOOD = b"a,b,c\n" + b"1,x,3\n" * 10_000


def sentence(path):
    with pytest.raises(InputError) as error:
        read(path)
    text = str(error.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("t.csv", b"", "'t.csv' is empty"),
        ("t.csv", b"\n\n \n", "'t.csv' is empty"),
        ("t.csv", b"a,b\n", "'t.csv' has a header but no rows"),
        ("t.csv", b"a,b", "'t.csv' has a header but no rows"),
        ("t.csv", GOOD + b"1,2\n", "line 10,002 of 't.csv' has 2 fields where the header has 3"),
        ("t.csv", GOOD + b"1,2", "line 10,002 of 't.csv' has 2 fields where the header has 3"),
        ("t.csv", GOOD + b"1,2,3,4\n", "line 10,002 of 't.csv' has 4 fields where the header has 3"),
        ("t.csv", b"a,b\n1,2\n3\n4,5\n", "line 3 of 't.csv' has 1 field where the header has 2"),
        ("t.csv", b"a,b,c\n1,2\n3,4,5,6\n", "line 2 of 't.csv' has 2 fields where the header has 3"),
        ("t.csv", b'a,b\n"p\nq",2\n3\n', "line 4 of 't.csv' has 1 field"),
        ("t.csv", b'a,b\n"x,y",1\n"p,q"\n', "line 3 of 't.csv' has 1 field"),
        ("t.csv", b"a\nx,y\n", "line 2 of 't.csv' has 2 fields where the header has 1"),
        ("t.csv", GOOD + b'1,"x,3\n' + b"4,5,6\n" * 3, "line 10,002 of 't.csv' opens a quote"),
        ("t.csv", GOOD + b'"p\nq","x,3\n1,2,3\n', "line 10,003 of 't.csv' opens a quote"),
        ("t.csv", b'a,b\n1,"x"y\n', "begins on line 2 of 't.csv' goes on after its closing quote"),
        ("t.csv", b'a,b\n1,"x\n2,"3"\n', "line 2 of 't.csv'"),
        ("t.csv", b'"a,b\n1,2\n', "the header of 't.csv' (line 1) has a quote that is not closed"),
        (
            "t.csv",
            GOOD + b"1,na\xc3\xafve caf\xe9,3\n",
            "line 10,002 of 't.csv' is not UTF-8 (byte 0xe9), although",
        ),
        ("t.csv", b"a,b\n1,M\x81ller\n", "line 2 of 't.csv' is not UTF-8 (byte 0x81), nor Windows-1252"),
        (
            "t.csv",
            "a,b\n1,город\n".encode("cp1251"),
            "line 2 of 't.csv' is not UTF-8 (byte 0xe3), nor, it seems",
        ),
        ("t.csv", GOOD + b"1,\x00,3\n", "line 10,002 of 't.csv' holds a NUL byte"),
        ("t.csv", b"PK\x03\x04abc", "'t.csv' is a spreadsheet or archive"),
        ("t.csv", gzip.compress(b"a,b\n1,2\n", mtime=0), "'t.csv' is compressed; end its name in .gz"),
        ("t.csv", b"a,b,a\n1,2,3\n", "two columns of 't.csv' are called 'a'"),
        ("t.csv", b"a,,c\n1,2,3\n", "column 2 of 't.csv' has no name"),
        (
            "t.csv.gz",
            gzip.compress(GOOD, mtime=0)[:-20],
            "'t.csv.gz' is not a complete gzip file; compress it again",
        ),
        ("t.csv.gz", b"a,b\n1,2\n", "'t.csv.gz' is not a complete gzip file; compress it again"),
        ("t.parquet", b"", "'t.parquet' is not a complete Parquet file"),
        ("t.parquet", b"PAR1" + b"x" * 100, "'t.parquet' is not a complete Parquet file"),
        ("t.jsonl", b"", "'t.jsonl' is empty"),
        ("t.jsonl", b'{"a": 1}\n' * 500 + b'{"a": 1', "line 501 of 't.jsonl' is not JSON"),
        ("t.jsonl", b'{"a": 1}\n[1, 2]\n', "line 2 of 't.jsonl' is not a JSON object"),
        ("t.jsonl", b'{"a": 1}\n{"a": "\xff"}\n', "line 2 of 't.jsonl' is not UTF-8"),
        ("t.json", b"", "'t.json' is empty"),
        ("t.json", b'[{"a": 1},\n{"a"', "line 2 of 't.json' is not JSON"),
        ("t.json", b'{"a": 1}', "'t.json' must be an array of objects"),
        ("t.json", b"[]", "has a header but no rows"),
        ("t.arff", b"", "'t.arff' is empty"),
        ("t.arff", b"@relation r\n@attribute a real\n@data\n", "'t.arff' has a header but no rows"),
        ("t.xlsx", b"abc", "'t.xlsx' is"),
        ("t.doc", b"abc", "'t.doc' has the unknown extension '.doc'; the known ones are .csv"),
        ("t.zip", b"abc", "'t.zip' is not a complete zip archive; create it again"),
    ],
)
def test_bad_files(tmp_path, name, content, expected):
    path = tmp_path / name
    path.write_bytes(content)
    assert expected in sentence(path)


def test_a_truncated_parquet_file(tmp_path):
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": range(1000)}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-100])
    assert sentence(path) == "'t.parquet' is not a complete Parquet file; write it again"


def test_files_that_are_not_there(tmp_path):
    assert sentence(tmp_path / "absent.csv") == f"there is no file {str(tmp_path / 'absent.csv')!r}"
    assert "is a directory" in sentence(tmp_path)


def test_a_file_without_permission(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes(GOOD)

    def refuse(*args, **kwargs):
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(type(path), "open", refuse)
    assert "cannot be read: Permission denied" in sentence(path)


def test_frames_with_bad_names():
    import pandas as pd

    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(InputError, match="two columns are called 'a'"):
        read(twice)
    with pytest.raises(InputError, match="column 1 of the frame has no name"):
        read(pl.DataFrame({"": [1]}))
    with pytest.raises(InputError, match="the frame has no rows"):
        read(pl.DataFrame({"a": []}))
    with pytest.raises(InputError, match="column 'l' holds"):
        read(pl.DataFrame({"l": [[1, 2]]}))
    assert read(pl.DataFrame({"l": [[1, 2]], "a": [1]}), ignore=["l"]).X.columns == ["a"]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b"\xef\xbb\xbfa,b\n1,2\n", [(1, 2)]),
        (b"a,b\r\n1,2\r\n\r\n3,4\r\n\r\n", [(1, 2), (3, 4)]),
        (b"\n\na,b\n1,2", [(1, 2)]),
        (b'a,b\n1,5" pipe\n2,x\n', [(1, '5" pipe'), (2, "x")]),
        (b'a,b\n"x, ""y""\nz",1\n', [('x, "y"\nz', 1)]),
        ("größe,名前\n1,猫\n".encode(), [(1, "猫")]),
        (b"a,b\n1,\n2,\n", [(1, None), (2, None)]),
        (b"a,b\n1,\n,2\n", [(1, None), (None, 2)]),
        (b"a,b\r1,2\r3,4\r", [(1, 2), (3, 4)]),
        (b"a,b\r\n1,2\n3,4\r\n5,6", [(1, 2), (3, 4), (5, 6)]),
    ],
)
def test_unusual_files_that_are_fine(tmp_path, content, rows):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert read(path).frame.rows() == rows


def test_rows_of_large_files_cross_blocks(tmp_path, monkeypatch):
    lines = b'1,"a, ""b""\nc",3\n' * 200_000
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b,c\n" + lines)
    monkeypatch.setattr("induce.data.delimited.BLOCK", 1 << 18)
    assert read(path).frame["b"].unique().to_list() == ['a, "b"\nc']
    schema = Schema((Column("a"),))
    assert sum(frame.height for frame in batches(path, schema, rows=7_000)) == 200_000
    path.write_bytes(b"a,b,c\n" + lines + b"1,2\n" + lines[:1600])
    assert "line 400,002 of 't.csv' has 2 fields where the header has 3" in sentence(path)
