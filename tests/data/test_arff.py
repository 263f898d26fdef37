import io
import string
from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data.arff import frames
from induce.data.reading import read

HEADER = """% about the file
@RELATION 'my relation'

@Attribute 'a b' {x, 'y z', "w\\"q", 'it\\'s'}  % a comment
@attribute n INTEGER
@attribute s string
@attribute d date 'yyyy-MM-dd'
@attribute e DATE
@attribute class{1,2}
@DATA
"""


def rows(text: str) -> list[tuple[object, ...]]:
    return pl.concat(frames(io.BytesIO(text.encode()), "f.arff", 2)).rows()


def test_declared_types_and_quoting():
    text = HEADER + (
        "x,1,'hello, world',2020-01-01,2020-01-01T10:00:00,1\n"
        "% between\n\n"
        "'y z',?,\"100%\",?,?,2 % after\n"
        '"w\\"q" , 2.5 , two words,?,?,?\n'
        "'it\\'s',-1e3,'?',?,?,1\n"
    )
    assert rows(text) == [
        ("x", 1.0, "hello, world", date(2020, 1, 1), datetime(2020, 1, 1, 10), "1"),
        ("y z", None, "100%", None, None, "2"),
        ('w"q', 2.5, "two words", None, None, None),
        ("it's", -1000.0, "?", None, None, "1"),
    ]


def test_sparse_rows_mean_zero_and_the_first_value():
    assert rows(HEADER + "{1 5, 2 'a, b', 5 2}\n{}\n{0 'y z', 1 ?}\n") == [
        ("x", 5.0, "a, b", None, None, "2"),
        ("x", 0.0, None, None, None, "1"),
        ("y z", None, None, None, None, "1"),
    ]


def test_values_may_be_separated_by_spaces_or_tabs():
    text = "@relation r\n@attribute a {p,q}\n@attribute b real\n@data\np 1\nq\t2\n'p'   ?\n"
    assert rows(text) == [("p", 1.0), ("q", 2.0), ("p", None)]


def test_weights_are_ignored_with_one_note():
    text = "@relation r\n@attribute a {p,q}\n@attribute b real\n@data\np,1,{5}\nq,2,{0.5}\n{0 q},{2}\n"
    with pytest.warns(Note, match="have weights") as notes:
        assert rows(text) == [("p", 1.0), ("q", 2.0), ("q", 0.0)]
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            "q,1,s,?,?,1",
            "line 12 of 'f.arff' gives 'a b' the value 'q', which is not one of its values {x, y z",
        ),
        ("x,1,s", "line 12 of 'f.arff' has 3 values where 6 attributes are declared"),
        ("x,1,'s,?,?,1", "line 12 of 'f.arff' has a quote that is not closed"),
        ("x,1,'s' t,?,?,1", "line 12 of 'f.arff' has a quote that is not closed, or something after"),
        ("x,one,s,?,?,1", "line 12 of 'f.arff' gives 'n' the value 'one', which is not a number"),
        ("x,,s,?,?,1", "gives 'n' the value ''"),
        ("x,1,s,01-01-2020,?,1", "which is not a date of the declared format"),
        ("{9 1}", "line 12 of 'f.arff' names position 9, but the last position is 5"),
        ("{1 5, 1 6}", "names position 1 twice"),
        ("{a 5}", "has 'a 5' in a sparse row"),
        ("{1 5", "opens a sparse row with '{' but does not close it"),
    ],
)
def test_bad_rows_name_the_line(row, expected):
    with pytest.raises(InputError) as error:
        rows(f"{HEADER}x,1,s,?,?,1\n{row}\n")
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is empty"),
        ("@relation r\n@attribute a real\n", "has no @data line"),
        ("@relation r\n@data\n1\n", "line 2 of 'f.arff' starts the data, but no @attribute"),
        ("@attribute a {1,2\n@data\n", "line 1 of 'f.arff' opens the values of attribute 'a'"),
        ("@attribute a {1,1}\n@data\n", "declares the value '1' of attribute 'a' twice"),
        ("@attribute a relational\n@data\n", "gives attribute 'a' the type 'relational'"),
        ("@attribute a\n@data\n", "without name or type"),
        ("@attribute a real\n@attribute a real\n@data\n1,1\n", "two columns of 'f.arff' are called 'a'"),
        ("@attribute a date 'Q'\n@data\n", "has the unknown code 'Q' in its date format"),
        ("hello\n", "line 1 of 'f.arff' should start with @relation"),
    ],
)
def test_bad_headers(text, expected):
    with pytest.raises(InputError) as error:
        rows(text)
    assert expected in str(error.value)


def test_text_in_windows_1252_and_bytes_that_are_no_text():
    found = list(frames(io.BytesIO(b"@relation r\n@attribute caf\xe9 real\n@data\n1\n"), "f.arff", 10))
    assert found[-1].columns == ["café"]
    with pytest.raises(InputError, match=r"line 2 of 'f\.arff' is not UTF-8"):
        list(frames(io.BytesIO(b"@relation r\n@attribute caf\x81 real\n@data\n1\n"), "f.arff", 10))


def test_a_comma_after_the_last_value():
    text = b"@relation r\n@attribute a real\n@attribute b {x, y}\n@data\n1, x,\n2,y,\n"
    assert pl.concat(frames(io.BytesIO(text), "f.arff", 10)).rows() == [(1, "x"), (2, "y")]


def test_read_keeps_declared_domains_and_assumes_no_target(tmp_path):
    path = tmp_path / "weather.arff"
    path.write_text(
        "@relation w\n@attribute wind {weak, strong, NA}\n@attribute t real\n@data\nNA,1\nstrong,?\n",
        encoding="utf-8",
    )
    data = read(path)
    assert data.target is None
    assert data.name == "weather"
    assert data.schema["wind"].domain == ("weak", "strong", "NA")
    assert data.X["wind"].to_list() == ["NA", "strong"]
    assert read(path, "wind", nominal=["t"]).schema["t"].domain == ("1",)


words = st.text(alphabet=string.printable + "äß猫", max_size=8).filter(lambda text: "\0" not in text)


def quoted(text: str) -> str:
    for plain, escaped in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    # what else breaks a line for Python breaks none in a file
    return "'" + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text) + "'"


@given(
    st.lists(words, min_size=1, max_size=4, unique=True),
    st.data(),
)
def test_random_tables_come_back(domain, data):
    cell = st.tuples(
        st.none() | st.sampled_from(domain),
        st.none() | st.floats(allow_nan=False, allow_infinity=False),
        st.none() | words,
    )
    table = data.draw(st.lists(cell, min_size=1, max_size=5))
    lines = [
        f"@relation r\n@attribute {quoted('a ' + domain[0])} {{{', '.join(map(quoted, domain))}}}",
        "@attribute x numeric\n@attribute s string\n@data",
    ]
    for nominal, number, text in table:
        written = [
            "?" if nominal is None else quoted(nominal),
            "?" if number is None else repr(number),
            "?" if text is None else quoted(text),
        ]
        lines.append(",".join(written))
    assert rows("\n".join(lines)) == table
