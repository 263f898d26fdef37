"""Histograms by class, and suspicions with their remedies."""

import polars as pl

import induce
from induce.data.histograms import column_histograms
from induce.data.suspicions import of, suspected


def test_histograms_count_every_known_row_once():
    data = induce.dataset("iris")
    found = column_histograms(data)
    assert found["classes"] == ["setosa", "versicolor", "virginica"]
    for column in found["columns"]:
        assert sum(map(sum, (bin["counts"] for bin in column["bins"]))) == 150 - column["missing"]
    assert [sum(bin["counts"][k] for bin in found["columns"][0]["bins"]) for k in range(3)] == [50, 50, 50]


def test_whole_numbers_have_bins_of_whole_widths():
    ages = list(range(18, 79))
    column = column_histograms(induce.read(pl.DataFrame({"age": ages})))["columns"][0]
    assert {bin["high"] - bin["low"] for bin in column["bins"]} == {4}
    assert column["bins"][0] == {"low": 18, "high": 22, "counts": [4]}


def test_holes_dates_and_many_values():
    frame = pl.DataFrame(
        {
            "day": pl.Series(["2024-01-01", "2024-01-03", None]).str.to_date(),
            "size": [1.5, None, 2.5],
            "name": ["a", "b", "c"],
        }
    )
    day, size, _ = column_histograms(induce.read(frame))["columns"]
    assert (day["kind"], day["missing"], day["minimum"], day["maximum"]) == (
        "date",
        1,
        "2024-01-01",
        "2024-01-03",
    )
    assert (size["minimum"], size["maximum"], size["missing"]) == (1.5, 2.5, 1)
    many = pl.DataFrame({"word": [f"w{k % 30}" for k in range(300)], "y": ["p", "q"] * 150})
    word = column_histograms(induce.read(many, "y"))["columns"][0]
    assert len(word["bins"]) == 21
    assert word["bins"][-1]["value"] == "10 other values"


def test_a_row_without_a_class_is_counted_apart():
    frame = pl.DataFrame({"x": [1, 2, 3], "y": ["p", "q", None]})
    found = column_histograms(induce.read(frame, "y"))
    assert found["classes"][-1] in ("q", "missing")
    assert sum(map(sum, (bin["counts"] for bin in found["columns"][0]["bins"]))) == found["rows"]


def test_suspicions_have_remedies_that_help(tmp_path):
    frame = pl.DataFrame(
        {
            "income": [-999, *range(31, 50)],
            "row": range(20),
            "same": ["x"] * 20,
            "y": ["p", "q"] * 10,
        }
    )
    path = tmp_path / "table.csv"
    frame.write_csv(path)
    data = induce.read(path, "y")
    found = suspected(data)
    assert tuple(map(str, found)) == of(data)
    assert {(each.column, *each.remedy.items()) for each in found} >= {
        ("row", ("ignore", "row")),
        ("income", ("missing", "-999")),
        ("same", ("ignore", "same")),
    }
    better = induce.read(path, "y", ignore=["row", "same"], missing=["-999"])
    assert suspected(better) == ()
