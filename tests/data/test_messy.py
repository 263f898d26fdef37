"""Files as offices, labs and programs write them are read to the same table as their clean twin."""

import io
import warnings
import zipfile
from datetime import date, timedelta

import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data import delimited
from induce.data.dialect import Dialect
from induce.data.reading import batches, pieces, read

NAMES = ("day", "town", "price", "turnover", "share", "weight", "label")
TOWNS = ("Köln", "Münster", "Paris")
ROWS = [
    (
        date(2022, 1, 3) + timedelta(days=5 * k),
        TOWNS[k % 3],
        round(0.5 + 1.25 * k, 2),
        850 + 1117 * k,
        k % 40 + 0.5,
        50.2 + k,
        "high" if k * 7 % 11 > 4 else "low",
    )
    for k in range(60)
]


def text(rows=ROWS, separator=",", header=True, **write):
    """Return the rows as text, each column as `write` says, by default as a clean file has it."""
    lines = [separator.join(NAMES)] if header else []
    for row in rows:
        lines.append(separator.join(write.get(n, str)(cell) for n, cell in zip(NAMES, row, strict=True)))
    return "\n".join(lines) + "\n"


def comma(number):
    return f"{number:.2f}".replace(".", ",")


def german(number):
    return f"{number:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


def quoted(form):
    return lambda cell: f'"{form(cell)}"'


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    path = tmp_path_factory.mktemp("clean") / "clean.csv"
    path.write_text(text(), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return read(path, "label")


def told(path, **options):
    """Read a file; return the table and the one note about how it is written."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = read(path, "label", **options)
    notes = [str(each.message) for each in caught if each.category is Note]
    assert len(notes) <= 1, notes
    return data, notes[0] if notes else ""


def same(data, clean):
    assert data.schema == clean.schema
    for cells, expected in zip(data.frame, clean.frame, strict=True):
        if expected.dtype.is_numeric():
            assert cells.cast(pl.Float64).to_list() == pytest.approx(expected.cast(pl.Float64).to_list())
        else:
            assert cells.to_list() == expected.to_list()


EUROPE = {"price": comma, "turnover": lambda n: f"{n:,}".replace(",", "."), "share": comma, "weight": comma}
MESSY = {
    "european, Windows-1252": (
        text(separator=";", day=lambda d: f"{d:%d.%m.%Y}", **EUROPE).encode("cp1252"),
        ("Windows-1252", "separator ';'", "decimal comma in 'price'", "dates with the day first in 'day'"),
    ),
    "european, quoted, currency": (
        text(price=quoted(lambda n: f"{german(n)} €"), share=quoted(comma), weight=quoted(comma)).encode(),
        ("decimal comma in 'price'", "numbers in € in 'price'"),
    ),
    "american": (
        text(
            day=lambda d: f"{d:%m/%d/%Y}",
            price=lambda n: f"${n:.2f}",
            turnover=quoted(lambda n: f"{n:,}"),
            share=lambda n: f"{n}%",
        ).encode(),
        (
            "dates with the month first in 'day'",
            "numbers in $ in 'price'",
            "thousands separators",
            "per cent in 'share'",
        ),
    ),
    "units": (
        text(weight=lambda n: f"{n:.1f} kg", price=lambda n: f"CHF {n:.2f}").encode(),
        ("numbers in kg in 'weight'", "numbers in CHF in 'price'"),
    ),
    "months": (text(day=lambda d: f"{d.day} {d:%b %Y}").encode(), ("dates with month names in 'day'",)),
    "titles": (b"Sales by town\nexported 14 Jan 2022; all towns\n\n" + text().encode(), ("the header is in line 4",)),
    "titles with commas": (
        b"Sales, 2022, all towns, net, in EUR\nmade: 1/2/2022, 10:00\n" + text().encode(),
        ("the header is in line 3, lines 1-2 above it left out",),
    ),
    "a comment": (b"# made by LabWriter, version 2\n" + text().encode(), ("the header is in line 2",)),
    "an index": (
        "".join(f"{k - 1 if k else ''},{line}\n" for k, line in enumerate(text().splitlines())).encode(),
        ("the first column, without a name, is an index",),
    ),
    "row names of R": (
        "".join(f"{k if k else ''},{line}\n" for k, line in enumerate(text().splitlines())).encode()[1:],
        ("the first column, without a name, is an index",),
    ),
    "UTF-16": (text(separator="\t").encode("utf-16"), ("UTF-16", "separator '\\t'")),
    "BOM": (b"\xef\xbb\xbf" + text().replace("\n", "\r\n").encode(), ()),
    "separators at the end": (text().replace("\n", ",,\n").encode(), ("empty columns left out",)),
    "Swiss": (
        text(
            separator=";", turnover=lambda n: f"{n:,}".replace(",", "'"), day=lambda d: f"{d.day}.{d.month}.{d:%y}"
        ).encode(),
        ("thousands separators in 'turnover'", "dates with the day first in 'day'"),
    ),
    "a row of units": (
        text().replace("label\n", "label\n,,EUR,[EUR],(%),kg,\n", 1).encode(),
        ("line 2 holds units (EUR of 'price', EUR of 'turnover', % of 'share', kg of 'weight')",),
    ),
    "a total": (text().encode() + b"Total,,,2028060,,,\n", ("the last row, 'Total', left out",)),
}  # fmt: skip


@pytest.mark.parametrize("name", MESSY)
def test_a_messy_file_is_read_as_its_clean_twin(tmp_path, clean, name):
    content, expected = MESSY[name]
    path = tmp_path / "messy.csv"
    path.write_bytes(content)
    data, note = told(path)
    same(data, clean)
    for phrase in expected:
        assert phrase in note
    assert not (note and not expected)


BELOW = {
    "notes": b"Source: CRM,,,,,,\n",
    "total and notes": b"Total,,,2028060,,,\n,,,,,,\nSource: CRM,,,,,,\n",
    "short notes": b"\nSource: CRM\nall figures are net\n",
    "empty rows": b",,,,,,\n,,,,,,\n",
}
MESSY_ROWS = {name: content for name, (content, _) in MESSY.items()} | {
    name: text().encode() + below for name, below in BELOW.items()
}


def pieces_of(path, rows=100_000):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = pl.concat(list(pieces(path, rows)))
    return frame, " ".join(str(each.message) for each in caught if each.category is Note)


@pytest.mark.parametrize("block", [1 << 24, 200])
@pytest.mark.parametrize("name", MESSY_ROWS)
def test_new_rows_are_the_rows_that_learning_reads(tmp_path, monkeypatch, clean, name, block):
    monkeypatch.setattr(delimited, "BLOCK", block)
    path = tmp_path / "messy.csv"
    path.write_bytes(MESSY_ROWS[name])
    data, note = told(path)
    frame, note_of_pieces = pieces_of(path)
    assert frame.height == len(data) == len(ROWS)
    for phrase in ("left out", "holds units", "the header is in"):
        assert (phrase in note_of_pieces) == (phrase in note)


def test_the_end_of_a_workbook_is_left_out_of_predictions(tmp_path):
    path = tmp_path / "sales.xlsx"
    below = [("Total", *[None] * 6), (None,) * 7, ("Source: CRM", *[None] * 6)]
    rows = [(str(row[0]), *row[1:]) for row in ROWS]
    pl.DataFrame([*rows, *below], schema=NAMES, orient="row").write_excel(path)
    data, _ = told(path)
    frame, note = pieces_of(path)
    assert frame.height == len(data) == len(ROWS)
    assert "1 row of notes below the table left out; the last row, 'Total', left out" in note


def test_a_file_without_a_header_keeps_its_first_row(tmp_path, clean):
    path = tmp_path / "messy.csv"
    path.write_text(text(header=False), encoding="utf-8")
    with pytest.warns(Note, match="the first line looks like data, so the columns are called x0, x1, …"):
        data = read(path, "x6")
    assert data.frame.columns == [f"x{j}" for j in range(7)]
    assert data.frame.rows() == clean.frame.rows()
    path.write_text(text(), encoding="utf-8")
    with pytest.warns(Note, match="looks like data"):
        assert len(read(path, header=False)) == len(clean) + 1
    assert read(path, "label", header=True).schema == clean.schema
    path.write_text("x\n\ny,z\n" + text(), encoding="utf-8")
    same(told(path, header=4)[0], clean)


@pytest.mark.parametrize(
    ("lines", "header"),
    [
        (
            ["country,2019,2020,2021", *(f"{c},{k},{k + 3},{2 * k}" for k, c in enumerate("abcdefgh", 7))],
            True,
        ),
        (["0,1,2", *(f"{k}.5,{k * k},{-k}" for k in range(8))], True),
        (["400.5,410.0,423.0,class", *(f"0.{k},0.{k + 1},0.{k + 2},{'ab'[k % 2]}" for k in range(9))], True),
        (["p,x,s", *(["e,x,s", "p,y,s", "e,y,t", "p,x,t"] * 3)], False),
        (
            ["5.1,3.5,setosa", "4.9,3.0,setosa", "6.1,2.9,virginica", "5.8,2.7,virginica", "5.0,3.4,setosa"],
            False,
        ),
        (["a,b", "c,d", "e,f"], True),
    ],
)
def test_what_a_header_is(tmp_path, lines, header):
    path = tmp_path / "t.csv"
    path.write_text("\n".join([*lines, lines[-1]]) + "\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        found = read(path)
    assert found.frame.columns == (
        lines[0].split(",") if header else [f"x{j}" for j in range(found.frame.width)]
    )


def test_marks_of_missing_values(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "n,d,c,e\n1,2022-01-01,-,x\n-,-,None,N/A\n.,None,None,null\nNone,2022-01-02,+,NULL\n3.5,2022-01-03,.,#N/A\n",
        encoding="utf-8",
    )
    with pytest.warns(Note, match="'-' and '.' and 'None' missing in 'n'; '-' and 'None' missing in 'd'"):
        data = read(path)
    assert data.frame["n"].to_list() == [1, None, None, None, 3.5]
    assert data.frame["d"].to_list() == [date(2022, 1, 1), None, None, date(2022, 1, 2), date(2022, 1, 3)]
    assert data.frame["c"].to_list() == ["-", "None", "None", "+", "."]
    assert data.frame["e"].to_list() == ["x", None, None, None, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(path, missing=["N/A"]).schema["n"].domain == ("-", ".", "1", "3.5", "None")


def test_true_in_any_case_is_one_value(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\ntrue,True\nTRUE,False\nFalse,True\n", encoding="utf-8")
    with pytest.warns(Note, match="true and false in any case in 'a'"):
        data = read(path)
    assert data.schema["a"].domain == ("false", "true")
    assert data.schema["b"].domain == ("False", "True")
    (found,) = batches(path, data.schema)
    assert found.rows() == [("true", "True"), ("true", "False"), ("false", "True")]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            ["70 kg", "154 lb", "81 kg"],
            r"'a' mixes units \(2 in kg, 1 in lb\) and stays text: convert it to one unit",
        ),
        (["70 kg", "71", "81 kg"], r"'a' mixes units \(2 in kg, 1 in no unit\)"),
        (['"1,5"', "2.5", "3"], "'a' holds '1,5' and '2.5', which no decimal mark can explain"),
        (
            ["14/01/2022", "01/14/2022"],
            "'a' holds '14/01/2022' and '01/14/2022', which no order of day and month",
        ),
    ],
)
def test_rows_that_contradict_are_named_and_not_guessed(tmp_path, lines, sentence):
    path = tmp_path / "t.csv"
    path.write_text(
        "\n".join(["a,b", *(f"{line},{k}" for k, line in enumerate(lines))]) + "\n", encoding="utf-8"
    )
    with pytest.warns(Note, match=sentence):
        assert read(path).frame["a"].to_list() == [line.strip('"') for line in lines]


def test_dates_that_allow_two_readings(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n01/02/2022,x\n03/04/2022,y\n", encoding="utf-8")
    with pytest.warns(
        Note, match="'01/02/2022' parsed as 2022-01-02 .dates='dmy' would parse it differently. in 'a'"
    ):
        assert read(path).frame["a"].to_list() == [date(2022, 1, 2), date(2022, 3, 4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        assert read(path, dates="dmy").frame["a"].to_list() == [date(2022, 2, 1), date(2022, 4, 3)]
        assert read(path, dates="%d/%m/%Y").frame["a"].to_list() == [date(2022, 2, 1), date(2022, 4, 3)]
    # another column tells the order, and a decimal comma is a sign of Europe
    path.write_text("a;b;c\n01/02/2022;14/05/2022;1,5\n03/04/2022;02/05/2022;2,5\n", encoding="utf-8")
    with pytest.warns(Note, match="day first in 'b'"):
        assert read(path).frame["a"][0] == date(2022, 2, 1)


def test_numbers_that_allow_two_readings(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,b\n"187,800",x\n"22,950",y\n', encoding="utf-8")
    with pytest.warns(
        Note, match="'187,800' parsed as 187800 .decimal=',' would parse it differently. in 'a'"
    ):
        assert read(path).frame["a"].to_list() == [187800, 22950]
    with pytest.warns(Note, match="decimal comma in 'a'"):
        assert read(path, decimal=",").frame["a"].to_list() == [187.8, 22.95]
    path.write_text("a;b\n1,5;1.200\n2,5;987\n", encoding="utf-8")
    with pytest.warns(Note, match="decimal comma in 'a'; thousands separators in 'b'"):
        assert read(path).frame["b"].to_list() == [1200, 987]


def test_what_only_looks_like_a_number_stays_a_name(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "size,place,code,version,phone,sign,house\n"
        "2door,1st,10A,1.2.3,030 123 456,<=30,26a\n4door,2nd,12B,1.2.4,030 987 654,31..40,7a\n",
        encoding="utf-8",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert {column.kind for column in read(path).schema} == {"nominal"}


def test_lakhs_and_a_title_without_a_header(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,b\n"₹ 1,23,456.50",x\n"₹ 7,890.00",y\n', encoding="utf-8")
    with pytest.warns(Note, match="numbers in ₹ in 'a'"):
        assert read(path).frame["a"].to_list() == [123456.5, 7890]
    rows = "".join(f"{k}.5,{k % 7},{'ab'[k % 2]}\n" for k in range(20, 30))
    path.write_text("Measured today\n" + rows, encoding="utf-8")
    with pytest.warns(
        Note, match="the table begins with line 2, line 1 above it left out; the first line looks like data"
    ):
        assert read(path).frame.row(0) == (20.5, 6, "a")


def test_bad_rows_are_named_or_left_out(tmp_path, clean):
    lines = text().splitlines()
    path = tmp_path / "t.csv"
    path.write_text("\n".join([*lines[:5], "a,b", *lines[5:], "1,2,3,4,5,6,7,8"]), encoding="utf-8")
    with pytest.raises(
        InputError, match=r"line 6 of 't.csv' has 2 fields where the header has 7; correct it, or leave"
    ):
        read(path, "label")
    data, note = told(path, skip_bad=True)
    same(data, clean)
    assert "2 rows with a different number of cells left out (lines 6, 63)" in note
    arff = tmp_path / "t.arff"
    arff.write_text(
        "@relation r\n@attribute a real\n@attribute b real\n@data\n1,2\n3\n4,5\n", encoding="utf-8"
    )
    with pytest.warns(Note, match="1 row with a different number of values left out"):
        assert len(read(arff, skip_bad=True)) == 2


def test_an_unclosed_quote_in_a_header_is_refused_at_once(tmp_path, monkeypatch):
    counted = 0

    class Watched(bytes):
        def count(self, *args):
            nonlocal counted
            counted += 1
            return bytes.count(self, *args)

    path = tmp_path / "t.csv"
    path.write_bytes(b'a,"b,c\n' + b"1,2,3\n" * 20_000)
    with pytest.raises(InputError, match=r"the header of 't.csv' \(line 1\) has a quote that is not closed"):
        read(path)
    from induce.data.delimited import _Blocks
    from induce.data.dialect import Findings

    rest = _Blocks(io.BytesIO(), Watched(path.read_bytes()), 1, "t.csv", Findings())
    rest._record()
    assert counted < 30_000  # each line is looked at once, not all lines before it again


@pytest.mark.parametrize("header", ['size 5",b,y', 'a"q,b"c,y', '"say ""a""",5",y', 'a"q,b,y\r'])
@pytest.mark.parametrize("cell", ["x", '5"', '"two ""x""\nlines"'])
def test_a_quote_inside_a_name_takes_no_row_with_it(tmp_path, header, cell):
    path = tmp_path / "t.csv"
    rows = "\n".join(f"{k},{cell},{'pq'[k % 2]}" for k in range(6))
    path.write_text(f"{header}\n{rows}\n", encoding="utf-8", newline="")
    table = read(path)
    assert table.frame[:, 0].to_list() == [0, 1, 2, 3, 4, 5]


def test_a_folder_a_pattern_and_an_archive(tmp_path, clean):
    for name, rows in (("a.csv", ROWS[:25]), ("b.csv", ROWS[25:])):
        (tmp_path / name).write_text(text(rows), encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(tmp_path / "a.csv", "sales/a.csv")
        archive.write(tmp_path / "b.csv", "sales/b.csv")
        archive.writestr("read.me", "not a table")
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).rename(folder / name)
    for source in (folder, str(folder / "*.csv"), tmp_path / "all.zip"):
        data, note = told(source)
        same(data, clean)
        assert "the rows of 2 files" in note
    (found,) = [pl.concat(batches(folder, clean.input_schema))]
    assert len(found) == len(clean)
    (folder / "c.csv").write_text("day,other\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"'c\.csv' has no column 'town', which the previous files have"):
        read(folder)
    with pytest.raises(InputError, match="no file matches"):
        read(str(folder / "*.tsv"))


def test_spreadsheets(tmp_path, clean):
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "sales.xlsx"
    with xlsxwriter.Workbook(str(path), {"default_date_format": "dd.mm.yyyy"}) as book:
        book.add_worksheet("empty")
        first, second = book.add_worksheet("sales"), book.add_worksheet("towns")
        first.write_row(0, 0, ["Sales by town"])
        for place, row in enumerate([NAMES, *ROWS]):
            first.write_row(place + 2, 1, row)
        second.write_row(0, 0, ["town", "people"])
        second.write_row(1, 0, ["Paris", 2_100_000])
        second.write_row(2, 0, ["Köln", 1_080_000])
    data, note = told(path)
    same(data, clean)
    assert "sheet 'sales' of 'empty', 'sales', 'towns'; 1 row above the header left out" in note
    assert read(path, sheet="towns").frame.rows() == [("Paris", 2_100_000), ("Köln", 1_080_000)]
    assert read(path, sheet=3).schema == read(path, sheet="3").schema
    with pytest.raises(InputError, match=r"'sales\.xlsx' has no sheet 'x'; its sheets are"):
        read(path, sheet="x")


def test_new_rows_are_read_as_those_that_were_learned_from(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "day;price;weight;y\n14/01/2022;1,5;70 kg;a\n02/01/2022;1.200,5;81 kg;b\n", encoding="utf-8"
    )
    with pytest.warns(Note, match="decimal comma"):
        data = read(path, "y")
    assert (data.schema["weight"].unit, data.schema["day"].written, data.schema["price"].written) == (
        "kg",
        "dmy",
        ",",
    )
    new = tmp_path / "new.csv"
    new.write_text("day;price;weight\n03/02/2022;1.200;90 kg\n", encoding="utf-8")
    (rows,) = batches(new, data.schema)
    assert rows.row(0) == (date(2022, 2, 3), 1200, 90)
    new.write_text("day;price;weight\n03/02/2022;1.200;90 kg\n03/02/2022;7;150 lb\n", encoding="utf-8")
    with pytest.raises(
        InputError, match="column 'weight' was learned in kg, but row 2 is in lb; convert it to one unit"
    ):
        list(batches(new, data.schema))
    tree = induce.C45(schema=data.input_schema).fit(data.X, data.y)
    induce.save(tree, tmp_path / "t.induce")
    assert induce.load(tmp_path / "t.induce").hypothesis_.schema["weight"].unit == "kg"


def test_parts_of_dates(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("day,y\n2024-02-29,a\n2024-03-04,b\n,a\n", encoding="utf-8")
    data = read(path, "y", date_parts=["year", "month", "weekday"])
    assert data.X.columns == ["day", "year of day", "month of day", "weekday of day"]
    assert data.X.rows()[0][1:] == (2024, 2, "Thursday")
    assert data.X.rows()[2][1:] == (None, None, None)
    assert data.schema["weekday of day"].domain[0] == "Monday"
    (found,) = batches(path, data.schema)
    assert found["weekday of day"].to_list() == ["Thursday", "Monday", None]
    with pytest.raises(
        InputError, match="there is no part 'moon' of a date; the parts are year, quarter, month"
    ):
        read(path, date_parts=["moon"])


def test_a_first_column_that_counts_the_rows(tmp_path):
    path = tmp_path / "t.csv"

    def table(first, second):
        lines = [f"{k},{k},{'ab'[k % 2]}" for k in range(1, 13)]
        path.write_text("\n".join([f"{first},{second},y", *lines]) + "\n", encoding="utf-8")

    table("nr", "day")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = read(path, "y")
    assert data.X.columns == ["day"]
    first, second = (str(each.message) for each in caught)
    assert first.startswith(
        "column 'nr' counts the rows and is set aside; to learn from it, give numeric=['nr']"
    )
    assert second.startswith(
        "column 'day' counts the rows: if it is not a clock but an index, give ignore=['day']"
    )
    with pytest.warns(Note, match="column 'day' counts the rows: if it is not a clock"):
        assert read(path, "y", numeric=["nr"]).X.columns == ["nr", "day"]
    table("day", "nr")
    with pytest.warns(Note, match="column 'day' counts the rows: if it is not a clock"):
        assert read(path, "y").X.columns == ["day", "nr"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"decimal": ";"}, "decimal is ';'; give '.' or ','"),
        ({"decimal": ",", "thousands": ","}, "decimal and thousands are both ','"),
        ({"thousands": "x"}, "thousands is 'x'"),
        ({"encoding": "utf-99"}, "encoding is 'utf-99', which is unknown"),
        ({"dates": "european"}, "dates is 'european'; give dmy, mdy, ymd or a pattern"),
        ({"header": 0}, None),
        ({"separator": "ab"}, "separator is 'ab'; give one character"),
    ],
)
def test_wrong_words_about_how_a_file_is_written(options, sentence):
    if sentence is None:
        with pytest.raises(InputError, match="header is 0; give True, False or the number of a line"):
            Dialect(**options)
    else:
        with pytest.raises(InputError, match=sentence):
            Dialect(**options)
