"""Cells as people write them: periods, durations, limits, words for yes, headers of several rows, notes below."""

import warnings
from datetime import date, datetime

import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data.dialect import Dialect
from induce.data.reading import batches, read
from induce.hypotheses.parsing import parse_rule


def told(tmp_path, content, target=None, name="cells.csv", **options):
    """Read a file with this content; return the table and the note about how it is written."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = read(path, target, **options)
    notes = [
        str(each.message) for each in caught if each.category is Note and "was read" in str(each.message)
    ]
    return data, notes[0] if notes else ""


def column(cells, name="x"):
    """Return a file of one column of words and another of these cells."""
    return f"word,{name}\n" + "".join(f'{"ab"[k % 2]},"{cell}"\n' for k, cell in enumerate(cells))


JANUARY, APRIL, JULY = date(2021, 1, 1), date(2021, 4, 1), date(2021, 7, 1)
PERIODS = {
    "months": (("2021-01", "2021-04", "2021-07"), [JANUARY, APRIL, JULY], "months as their first days"),
    "months, year last": (("01/2021", "04/2021", "7/2021"), [JANUARY, APRIL, JULY], "months"),
    "months of Eurostat": (("2021M01", "2021M04", "2021M07"), [JANUARY, APRIL, JULY], "months"),
    "months of Excel": (("Jan-21", "Apr-21", "Jul-21"), [JANUARY, APRIL, JULY], "months"),
    "named months": (("January 2021", "April 2021", "Juli 2021"), [JANUARY, APRIL, JULY], "months"),
    "quarters": (("Q1 2021", "Q2 2021", "Q3 2021"), [JANUARY, APRIL, JULY], "quarters as their first days"),
    "quarters, year first": (("2021-Q1", "2021-Q2", "2021-Q3"), [JANUARY, APRIL, JULY], "quarters"),
    "quarters of reports": (("1Q21", "2Q21", "3Q21"), [JANUARY, APRIL, JULY], "quarters"),
    "half-years": (("H1 2021", "H2 2021", "H1 2022"), [JANUARY, JULY, date(2022, 1, 1)], "half-years"),
    "weeks": (
        ("2021-W01", "2021-W02", "2020-W53"),
        [date(2021, 1, 4), date(2021, 1, 11), date(2020, 12, 28)],
        "weeks",
    ),
    "German weeks": (("KW 1 2021", "KW 2 2021"), [date(2021, 1, 4), date(2021, 1, 11)], "weeks"),
}


@pytest.mark.parametrize("name", PERIODS)
def test_periods_are_dates_in_their_order(tmp_path, name):
    cells, days, phrase = PERIODS[name]
    data, note = told(tmp_path, column(cells))
    assert data.frame["x"].to_list() == days
    assert data.schema["x"].temporal == "days"
    assert phrase in note


@pytest.mark.parametrize(
    "cells",
    [("2009-10", "2010-11", "2011-12"), ("2021-13", "2021-14", "2021-15"), ("Q5 2021", "Q1 2021", "Q2 2021")],
)
def test_what_only_looks_like_a_period_stays_a_name(tmp_path, cells):
    data, _ = told(tmp_path, column(cells))
    assert data.frame["x"].cast(pl.String).to_list() == list(cells)


DATES = {
    "ISO and points": (
        ("2022-01-14", "15.01.2022", "2022-02-03"),
        ["2022-01-14", "2022-01-15", "2022-02-03"],
    ),
    "names and numbers": (
        ("14 Jan 2022", "2022-01-15", "Feb 3, 2022"),
        ["2022-01-14", "2022-01-15", "2022-02-03"],
    ),
    "slashes and ISO": (
        ("01/14/2022", "2022-01-15", "02/03/2022"),
        ["2022-01-14", "2022-01-15", "2022-02-03"],
    ),
}


@pytest.mark.parametrize("name", DATES)
def test_dates_in_several_formats_that_contradict_nowhere_are_read(tmp_path, name):
    cells, days = DATES[name]
    data, note = told(tmp_path, column(cells))
    assert [str(day) for day in data.frame["x"]] == days
    assert "dates in several formats, such as" in note


def test_times_of_a_form_with_their_offset(tmp_path):
    data, note = told(tmp_path, column(("2023/03/03 10:01:12 AM GMT+1", "2023/03/04 1:30:00 PM GMT+1")))
    assert data.frame["x"].to_list() == [datetime(2023, 3, 3, 9, 1, 12), datetime(2023, 3, 4, 12, 30)]
    assert "dates with the year first" in note


DURATIONS = {
    "h:mm:ss": (("2:05:30", "0:00:10", "100:00:00"), [7530, 10, 360_000], "s"),
    "h:mm": (("9:30", "0:05", "12:00"), [570, 5, 720], "min"),
    "times of day": (("9:30 AM", "12:15 am", "1:00 PM"), [570, 15, 780], "min"),
    "pandas": (("0 days 02:00:00", "1 days 00:00:01", "3 days 00:00:00"), [7200, 86_401, 259_200], "s"),
    "letters": (("1h 30m", "45m", "2h"), [90, 45, 120], "min"),
    "fractions": (("0:01.5", "0:02", "0:03"), None, ""),
    "fractions of seconds": (("0:00:01.5", "0:00:02", "-0:00:03"), [1.5, 2, -3], "s"),
}


@pytest.mark.parametrize("name", DURATIONS)
def test_durations_are_numbers_with_a_unit(tmp_path, name):
    cells, numbers, unit = DURATIONS[name]
    data, note = told(tmp_path, column(cells))
    assert data.schema["x"].unit == unit
    if numbers is None:
        assert data.schema["x"].kind == "nominal"
    else:
        assert data.frame["x"].to_list() == numbers
        assert f"as numbers in {unit} in 'x'" in note


def test_limits_of_measurement_are_read_as_the_limit(tmp_path):
    cells = ["<0.05", *(f"{0.1 * k:.1f}" for k in range(1, 9)), "< 0.05", ">5"]
    data, note = told(tmp_path, column([*cells, *cells[1:9]]))
    assert data.frame["x"][0] == 0.05
    assert data.frame["x"][10] == 5
    assert "limits (<0.05, >5) as the numbers they name in 'x'" in note


@pytest.mark.parametrize(
    "cells", [("<30", ">=30", "<30", ">=30"), ("<5", "5", "<5", "5", "<5"), ("50K+", "10K+")]
)
def test_classes_that_are_bounds_stay_classes(tmp_path, cells):
    data, _ = told(tmp_path, column(cells))
    assert data.schema["x"].kind == "nominal"


def test_amounts_without_cents_and_marks_of_missing_values(tmp_path):
    data, note = told(tmp_path, column(("CHF 3'075.-", "CHF 1'200.\u2014", "CHF 950.-")))
    assert (data.frame["x"].to_list(), data.schema["x"].unit) == ([3075, 1200, 950], "CHF")
    data, note = told(tmp_path, column(("1,5", "n.d.", "2,5", "k.A.", "unknown", "#NV")))
    assert data.frame["x"].to_list() == [1.5, None, 2.5, None, None, None]
    assert "'#NV' and 'k.A.' and 'n.d.' and 'unknown' missing in 'x'" in note


def test_yes_and_no_in_any_case_are_two_values(tmp_path):
    data, note = told(tmp_path, column(("yes", "No ", "YES", "no", "NO", "Yes")), "x")
    assert data.frame["x"].cast(pl.String).to_list() == ["yes", "no", "yes", "no", "no", "yes"]
    assert "yes and no in any case in 'x'" in note
    same, note = told(tmp_path, column(("Yes", "No", "Yes", "maybe")))
    assert same.frame["x"].cast(pl.String).to_list() == ["Yes", "No", "Yes", "maybe"]
    assert not note


def test_new_rows_in_another_case(tmp_path):
    schema = told(tmp_path, column(("Ja", "Nein", "Ja", "Nein")))[0].schema
    path = tmp_path / "new.csv"
    path.write_text(column(("JA", "nein", "vielleicht")), encoding="utf-8")
    (rows,) = batches(path, schema)
    assert rows["x"].to_list() == ["Ja", "Nein", "vielleicht"]


def test_new_rows_are_read_as_the_periods_durations_and_limits_learned_from(tmp_path):
    lines = ["quarter,took,lead"] + [
        f"Q{k % 4 + 1} 2021,{k}:30,{'<0.5' if k == 3 else 0.6 + k}" for k in range(12)
    ]
    data, _ = told(tmp_path, "\n".join(lines) + "\n")
    assert [each.unit for each in data.schema] == ["", "min", ""]
    path = tmp_path / "new.csv"
    path.write_text("quarter,took,lead\n2022-Q2,1:15:30,<0.5\n", encoding="utf-8")
    (rows,) = batches(path, data.schema, dialect=Dialect())
    assert rows.row(0) == (date(2022, 4, 1), 75.5, 0.5)


HEADERS = {
    "pandas": "measure,height,height,weight\nstat,mean,std,mean\nid,,,\n",
    "pandas without names": ",height,height,weight\n,mean,std,mean\n,,,\n",
    "merged cells": "id,height,,weight\n,mean,std,mean\n",
    "title and merged cells": "Children of the school;;;\n\nid;height;;weight\n;mean;std;mean\n",
}


@pytest.mark.parametrize("name", HEADERS)
def test_names_of_columns_from_several_rows(tmp_path, name):
    separator = ";" if ";" in HEADERS[name] else ","
    rows = [separator.join(map(str, (k, 1.5 + k % 7, 0.25, 70 + k % 5))) for k in range(20)]
    data, note = told(tmp_path, HEADERS[name] + "\n".join(rows) + "\n")
    assert data.X.columns[-3:] == ["height mean", "height std", "weight mean"]
    assert len(data) == 20
    assert "column names from lines" in note


def test_years_under_merged_cells(tmp_path):
    rows = "".join(f"north,{k},{k + 3},{2 * k}\n" for k in range(1, 12))
    data, _ = told(tmp_path, "Region,Sales,,Costs\nname,2021,2022,2021\n" + rows)
    assert data.frame.columns == ["Region name", "Sales 2021", "Sales 2022", "Costs 2021"]


def test_merged_cells_of_a_spreadsheet(tmp_path):
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(str(tmp_path / "book.xlsx")) as book:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "town")
        sheet.merge_range("B1:C1", "sold")
        sheet.write_row(1, 1, ["May", "June"])
        for k in range(8):
            sheet.write_row(k + 2, 0, ["Rome", k, k + 2])
    with pytest.warns(Note, match="column names from 2 rows"):
        data = read(tmp_path / "book.xlsx")
    assert data.frame.columns == ["town", "sold May", "sold June"]


@pytest.mark.parametrize(
    ("below", "phrase"),
    [
        ("\nSource: national statistics, 2022\n", "text below the table, from line 12 on, left out"),
        (
            "\nall figures are net, without tax\nand rounded\n",
            "text below the table, from line 12 on, left out",
        ),
        ("* estimated\n", "text below the table, from line 11 on, left out"),
        (
            ",,,\n,,,\nSource: national statistics,,,\n",
            "2 empty rows left out; 1 row of notes below the table left out",
        ),
    ],
)
def test_notes_below_the_table_are_left_out(tmp_path, below, phrase):
    rows = "".join(f"2022-01-{k + 1:02d},{k},{k % 3},a\n" for k in range(9))
    data, note = told(tmp_path, "day,sold,rain,town\n" + rows + below)
    assert len(data) == 9
    assert phrase in note


def test_a_truncated_row_is_still_refused(tmp_path):
    with pytest.raises(InputError, match=r"line 3 of 'cells.csv' has 2 fields where the header has 3"):
        told(tmp_path, "day,sold,town\n2022-01-01,3,a\n2022-01-02,4")


def test_what_stays_text_among_numbers_is_said_even_of_what_is_set_aside(tmp_path):
    cells = [f"{1.5 + 0.01 * k:.3f}" for k in range(30)]
    data, _ = told(tmp_path, column([*cells, "broken"]), "word")
    sentences = induce.describe(data).suspicions
    assert any("but also 'broken'" in each and "--missing broken" in each for each in sentences)


def test_words_that_differ_in_case_only_and_dates_without_marks_are_suspicious(tmp_path):
    data, _ = told(tmp_path, column(["Paris", "paris", "Rome"] * 5))
    assert any(
        "'Paris' and 'paris', which differ only in case" in each for each in induce.describe(data).suspicions
    )
    content = "word,x\n" + "".join(f"a,202201{k:02d}\n" for k in range(1, 20))
    data, _ = told(tmp_path, content)
    assert any("may be dates; --dates %Y%m%d" in each for each in induce.describe(data).suspicions)
    assert told(tmp_path, content, dates="%Y%m%d")[0].frame["x"][0] == date(2022, 1, 1)


def test_units_are_printed_in_conditions_and_figures(tmp_path):
    rows = "".join(f"{60 + k},2:{k:02d},{'a' if k < 12 else 'b'}\n" for k in range(30))
    data, _ = told(tmp_path, "mass,took,label\nkg,,\n" + rows, "label")
    assert "mass: numeric in kg" in str(induce.describe(data))
    tree = induce.C45(schema=data.input_schema).fit(data.X, data.y)
    assert "mass <= 71.5 kg: a (12/12)" in str(tree.hypothesis_)
    rules = induce.RIPPER(schema=data.input_schema).fit(data.X, data.y).hypothesis_
    assert " kg THEN " in str(rules)
    rule = rules.rules[0]
    assert parse_rule(str(rule), rules.schema, rules.classes).conditions == rule.conditions
