import json

import polars as pl

from induce.data.catalogue import dataset
from induce.data.describe import describe


def about(columns, target=None):
    return describe(pl.DataFrame(columns), target)


def test_a_description_in_figures():
    found = describe(dataset("play-tennis"))
    assert found.rows == 14
    assert found.classes == (("Yes", 9), ("No", 5))
    outlook = found.columns[1]
    assert (outlook.name, outlook.kind, outlook.distinct, outlook.missing) == ("Outlook", "nominal", 3, 0)
    assert outlook.common == (("Sunny", 5), ("Rain", 5), ("Overcast", 4))
    assert "Yes 9 (64.3%)" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["columns"][0]["role"] == "id"


def test_dates_and_missing_values_are_described(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("d,x\n2024-01-01,1\n2024-01-03,?\n", encoding="utf-8")
    found = describe(path)
    assert found.columns[0].kind == "date"
    assert found.columns[1].missing_share == 0.5
    json.dumps(found.to_dict())
    assert "2024-01-01" in str(found)
    assert "1 missing (50%)" in str(found)


def test_suspicious_columns_get_a_sentence_each():
    n = 40
    y = ["yes" if i % 2 else "no" for i in range(n)]
    found = about(
        {
            "same": ["k"] * n,
            "sparse": ["a", "b", *[None] * (n - 2)],
            "user": [f"u{i}" for i in range(n)],
            "name": [f"n{max(i, 3)}" for i in range(n)],
            "leak": [0 if label == "yes" else 1 for label in y],
            "mixed": ["3", "4", "5", "6"] * 9 + ["?!"] * 4,
            "sentinel": [float(i % 9) if i % 8 else -999.0 for i in range(n)],
            "twin": [i % 7 for i in range(n)],
            "copy": [i % 7 for i in range(n)],
            "y": y,
        },
        "y",
    )
    sentences = "\n".join(found.suspicions)
    for expected in (
        "'same' is k in every row",
        "'sparse' is missing in 38 of 40 rows",
        "'user' looks like an identifier",
        "'name' has 37 different values in 40 rows",
        "'leak' alone decides 'y' in every row",
        "'mixed' holds numbers in 90.0% of its cells, but also '?!'",
        "'sentinel' is -999 in 5 rows, far from its other values (0 to 8)",
        "'copy' is the same in every row as 'twin'",
    ):
        assert expected in sentences
    assert len(found.suspicions) == 8


def test_an_ordinary_table_is_not_suspicious():
    for name in ("iris", "wine", "diabetes", "earthquakes"):
        assert describe(dataset(name)).suspicions == ()


def test_repeated_and_conflicting_rows():
    found = about({"a": [1, 1, 1, 2, 2], "y": ["p", "p", "q", "p", "p"]}, "y")
    assert found.duplicate_rows == 2
    assert found.conflicting_rows == 3
    assert describe(dataset("shapes-conflict")).conflicting_rows == 2


def test_empty_columns_and_text():
    found = about({"void": [None, None], "a": [1, 2]})
    assert "'void' has no value in any row" in found.suspicions
    long = " ".join(["word"] * 20)
    text = about({"t": [f"{long} {i}" for i in range(12)]})
    assert text.columns[0].kind == "text"
    assert text.columns[0].common == ()
