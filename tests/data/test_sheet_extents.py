"""Workbooks whose cells lie far apart are read in little memory, or refused in one sentence."""

import subprocess
import sys
import zipfile

import pytest
import xlsxwriter

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data.reading import read
from induce.data.sheet_extents import workbook_of

TABLE = {
    (row, column): "xy"[column] if row == 0 else 2 * row + column for row in range(39) for column in (0, 1)
}
PEAK = """
import sys, warnings
from pathlib import Path
from induce.data.reading import read
warnings.simplefilter("ignore")
rows = len(read(sys.argv[1]))
print(rows, Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""


def written(path, sheets):
    book = xlsxwriter.Workbook(str(path))
    for name, cells in sheets.items():
        sheet = book.add_worksheet(name)
        for place, value in cells.items():
            sheet.write(*(place if isinstance(place, tuple) else (place,)), value)
    book.close()
    return path


def by_hand(path, rows):
    """Write a workbook whose only sheet has these rows."""
    with zipfile.ZipFile(written(path.with_suffix(".tmp"), {"S": {}})) as empty:
        parts = {name: empty.read(name) for name in empty.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        sheet = parts.pop("xl/worksheets/sheet1.xml")
        for name, content in parts.items():
            archive.writestr(name, content)
        with archive.open("xl/worksheets/sheet1.xml", "w") as part:
            part.write(b'<m:worksheet xmlns:m="%s"><m:sheetData>' % sheet.split(b'"')[7])
            for row in rows:
                part.write(row)
            part.write(b"</m:sheetData></m:worksheet>")
    return path


@pytest.mark.parametrize("stray", ["XFD1048576", "CV1048576", "XFD5", "A1048576"])
def test_a_stray_cell_is_left_out_with_a_note(tmp_path, stray):
    path = written(tmp_path / "t.xlsx", {"S": TABLE | {stray: 7}})
    with pytest.warns(Note, match=f"cell {stray} of the sheet 'S' left out, far from the table"):
        data = read(path)
    assert data.frame.rows() == [(2 * row, 2 * row + 1) for row in range(1, 39)]


def test_several_stray_cells_are_named(tmp_path):
    path = written(tmp_path / "t.xlsx", {"S": TABLE | {"XFD1048576": 7, "AZ900000": "x", "ZZ3": 1.5}})
    with pytest.warns(Note, match="cells ZZ3, AZ900000, XFD1048576 of the sheet 'S' left out"):
        assert len(read(path)) == 38


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process's memory is in /proc")
@pytest.mark.parametrize("stray", ["XFD1048576", "CV1048576"])
def test_a_stray_cell_takes_no_memory(tmp_path, stray):
    path = written(tmp_path / "t.xlsx", {"S": TABLE | {stray: 7}})
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(path)], capture_output=True, encoding="utf-8", check=True
    )
    rows, kilobytes = map(int, done.stdout.split())
    assert rows == 38
    assert kilobytes < 300_000


def test_a_bad_sheet_spoils_no_other(tmp_path):
    scattered = {(100 * k, 50 * k): k for k in range(200)}
    sheets = {"notes": {(0, 0): "about"}, "bad": scattered, "good": TABLE}
    path = written(tmp_path / "t.xlsx", sheets)
    assert len(read(path, sheet="good")) == len(read(path, sheet=3)) == 38
    refusal = "the sheet 'bad' of 't.xlsx' has 19,901 rows and 9,951 columns, of which 200 cells are filled"
    with pytest.raises(InputError, match=refusal):
        read(path)
    with pytest.raises(InputError, match="has no sheet 'none'; its sheets are 'notes', 'bad', 'good'"):
        read(path, sheet="none")


def test_cells_near_the_table_stay(tmp_path):
    path = written(tmp_path / "t.xlsx", {"S": TABLE | {(0, 2): "z", (38, 2): 5, (45, 0): 1, (45, 1): 2}})
    assert read(path).frame.rows()[-2:] == [(76, 77, 5), (1, 2, None)]


def test_long_gaps_in_a_long_table_stay(tmp_path):
    cells = {(row, column): f"c{column}" if row == 0 else row for row in range(2000) for column in (0, 1)}
    path = written(tmp_path / "t.xlsx", {"S": cells | {(0, 2): "rare", (3, 2): 1, (1990, 2): 2}})
    assert read(path).X.columns[-1] == "rare"


def test_cells_without_references_and_with_prefixes_are_counted(tmp_path):
    rows = [b"<m:row><m:c t='inlineStr'><m:is><m:t>x</m:t></m:is></m:c><m:c s='1'/></m:row>"]
    rows += [b"<m:row><m:c><m:v>%d</m:v></m:c></m:row>" % k for k in range(20)]
    path = by_hand(tmp_path / "t.xlsx", rows)
    extent = workbook_of(path.read_bytes(), "t").extent("S")
    assert (extent.height, dict(extent.columns)) == (21, {1: 21})
    assert len(read(path)) == 20
    by_hand(path, [*rows, b"<m:row><m:c r='XFD1048576'><m:v>1</m:v></m:c></m:row>"])
    with pytest.warns(Note, match="cell XFD1048576 of"):
        assert len(read(path)) == 20


@pytest.mark.parametrize("reference", ["XFE1", "A1048577", "A0", "ZZZZ9", "A-3", "7", "é9"])
def test_a_cell_outside_every_sheet_is_damage(tmp_path, reference):
    path = by_hand(tmp_path / "t.xlsx", [f"<m:row><m:c r='{reference}'><m:v>1</m:v></m:c></m:row>".encode()])
    with pytest.raises(InputError, match=r"'t\.xlsx' is not a complete spreadsheet; save it again"):
        read(path)


def test_a_part_that_unpacks_without_end_is_refused(tmp_path):
    path = by_hand(tmp_path / "t.xlsx", [b" " * 1_000_000] * 150)
    assert path.stat().st_size < 200_000
    with pytest.raises(
        InputError, match=r"'xl/worksheets/sheet1.xml' in 't.xlsx' unpacks .* far more than a table"
    ):
        read(path)


def test_a_full_sheet_of_empty_formatted_cells_is_no_table(tmp_path):
    rows = [b"<m:row r='%d'><m:c r='XFD%d' s='1'/></m:row>" % (k, k) for k in range(1, 50_000)]
    path = by_hand(tmp_path / "t.xlsx", rows)
    with pytest.raises(InputError, match="has no sheet with a header and rows"):
        read(path)


def test_numbers_keep_all_digits_and_texts_stay(tmp_path):
    numbers = [1.5e-12, 0.1234567890123, 1 / 3, 1e300, 5.0000000000001, -2e-300, 7.0]
    codes = ["12345678901234567890", "100000000000000000000", *("12345678901234567891",) * 5]
    path = tmp_path / "digits.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        percent = book.add_format({"num_format": "0.00%"})
        sheet.write_row(0, 0, ["number", "fraction", "code", "part"])
        for row, (number, code) in enumerate(zip(numbers, codes, strict=True), 1):
            sheet.write_number(row, 0, number)
            sheet.write_number(row, 1, row / 3, percent)
            sheet.write_string(row, 2, code)
            sheet.write_string(row, 3, f"A{number:.3g}")
    frame = read(path).frame
    written = [float(f"{number:.16G}") for number in numbers]
    assert frame["number"].to_list() == written
    assert frame["fraction"].to_list() == [float(f"{row / 3:.16G}") for row in range(1, 8)]
    assert [str(code) for code in frame["code"]] == codes
