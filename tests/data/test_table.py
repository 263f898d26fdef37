"""Encoding against a slow and plain reference: whatever form a column comes in, the same domain and codes."""

from __future__ import annotations

import enum
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data.frames import raw_frame
from induce.data.reading import read
from induce.data.schema import Column, Schema
from induce.data.table import encode, guess_column, infer_schema

NAN = float("nan")
WORDS = ["b", "a", "", "ä", "日本", "\U0001f600", "nan", "None", "1", "1.0", " a", "a" * 40]
TEXT = st.lists(st.one_of(st.none(), st.sampled_from(WORDS)), min_size=1, max_size=9)
TRUTH = st.lists(st.sampled_from([None, True, False]), min_size=1, max_size=9)
MIXED = st.lists(
    st.sampled_from([None, NAN, 1, 1.0, True, "1", "x", 2**62, 0.5, np.str_("x"), np.int8(7), np.True_]),
    min_size=1,
    max_size=9,
)
NUMBERS = st.lists(
    st.one_of(st.none(), st.sampled_from([0.0, -0.0, 1.0, 0.5, -3.0, 1e22, 1e-7, 2.0**62])),
    min_size=1,
    max_size=9,
)


def objects(cells: list[Any]) -> np.ndarray:
    array = np.empty((len(cells), 1), dtype=object)
    array[:, 0] = cells
    return array


def pandas(cells: list[Any], **how: Any) -> pd.DataFrame:
    return pd.DataFrame({"x0": pd.Series(cells, **how)})


def arrow(cells: list[Any], kind: Any) -> pa.Table:
    half = len(cells) // 2
    return pa.table({"x0": pa.chunked_array([pa.array(cells[:half], kind), pa.array(cells[half:], kind)])})


def instead_of_none(cells: list[Any], mark: Any) -> list[Any]:
    return [mark if cell is None else cell for cell in cells]


TEXT_FORMS = {
    "polars": lambda cells: pl.DataFrame({"x0": pl.Series(cells, dtype=pl.String)}),
    "polars categorical": lambda cells: pl.DataFrame({"x0": pl.Series(cells, dtype=pl.Categorical)}),
    "pandas string": lambda cells: pandas(cells, dtype="string"),
    "pandas str": lambda cells: pandas(cells, dtype="str"),
    "pandas arrow": lambda cells: pandas(cells, dtype="string[pyarrow]"),
    "pandas object": lambda cells: pandas(cells, dtype=object),
    "pandas object, NaN": lambda cells: pandas(instead_of_none(cells, NAN), dtype=object),
    "pandas object, NA": lambda cells: pandas(instead_of_none(cells, pd.NA), dtype=object),
    "arrow": lambda cells: arrow(cells, pa.string()),
    "arrow large": lambda cells: arrow(cells, pa.large_string()),
    "arrow view": lambda cells: arrow(cells, pa.string_view()),
    "objects": objects,
    "objects, NaN": lambda cells: objects(instead_of_none(cells, NAN)),
    "numpy's strings": lambda cells: objects([None if cell is None else np.str_(cell) for cell in cells]),
    "lists": lambda cells: [[cell] for cell in cells],
}
TRUTH_FORMS = {
    "polars": lambda cells: pl.DataFrame({"x0": pl.Series(cells, dtype=pl.Boolean)}),
    "pandas boolean": lambda cells: pandas(cells, dtype="boolean"),
    "pandas object": lambda cells: pandas(cells, dtype=object),
    "pandas arrow": lambda cells: pandas(cells, dtype="bool[pyarrow]"),
    "arrow": lambda cells: arrow(cells, pa.bool_()),
    "objects, NaN": lambda cells: objects(instead_of_none(cells, NAN)),
    "numpy's truth": lambda cells: objects([None if cell is None else np.bool_(cell) for cell in cells]),
    "lists": lambda cells: [[cell] for cell in cells],
}
NUMBER_FORMS = {
    "polars": lambda cells: pl.DataFrame({"x0": pl.Series(cells, dtype=pl.Float64)}),
    "pandas": lambda cells: pandas(cells, dtype="float64"),
    "pandas nullable": lambda cells: pandas(cells, dtype="Float64"),
    "arrow": lambda cells: arrow(cells, pa.float64()),
    "numbers": lambda cells: np.array([[NAN if cell is None else cell] for cell in cells]),
    "objects": objects,
}


def missing(cell: Any) -> bool:
    return cell is None or cell is pd.NA or cell != cell


def written(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


def codes(cells: list[Any], domain: tuple[Any, ...]) -> list[int]:
    """The reference: one cell after the other."""
    found = []
    for cell in cells:
        if missing(cell):
            found.append(-1)
        else:
            found.append(domain.index(cell) if cell in domain else -2)
    return found


def observed(cells: list[Any]) -> tuple[Any, ...]:
    return tuple(sorted({cell for cell in cells if not missing(cell)}))


def settled(X: Any, told: Any = "nominal") -> Schema:
    return infer_schema(raw_frame(X), {"x0": told})


def encoded(X: Any, schema: Schema) -> list[int]:
    table = encode(X, schema)
    assert table.nominal.dtype == np.int32
    return table.nominal[:, 0].tolist()


@settings(max_examples=20)
@given(TEXT, TEXT)
def test_text(cells, others):
    for name, form in TEXT_FORMS.items():
        schema = settled(form(cells))
        assert schema["x0"].domain == observed(cells), name
        assert all(type(value) is str for value in schema["x0"].domain), name
        assert encoded(form(cells), schema) == codes(cells, observed(cells)), name
        assert encoded(form(others), schema) == codes(others, observed(cells)), name


@given(TEXT, st.permutations(WORDS), st.booleans())
def test_declared_domains_keep_their_order(cells, domain, ordered):
    declared = tuple(domain)
    categories = pd.CategoricalDtype(domain, ordered=ordered)
    dictionary = pa.dictionary(pa.int8(), pa.string(), ordered=ordered)
    places = pa.array([None if cell is None else domain.index(cell) for cell in cells], pa.int8())
    column = pa.DictionaryArray.from_arrays(places, pa.array(domain), ordered=ordered)
    assert column.type == dictionary
    for X in (pandas(cells, dtype=categories), pa.table({"x0": pa.chunked_array([column])})):
        schema = infer_schema(raw_frame(X))
        assert (schema["x0"].domain, schema["x0"].ordered) == (declared, ordered)
        assert encoded(X, schema) == codes(cells, declared)
    enumerated = pl.DataFrame({"x0": pl.Series(cells, dtype=pl.Enum(domain))})
    assert infer_schema(raw_frame(enumerated))["x0"].domain == declared
    for domain_now in (declared, declared[::-1], declared[:3]):
        schema = settled(enumerated, {"domain": domain_now})
        assert encoded(enumerated, schema) == codes(cells, domain_now)


@settings(max_examples=20)
@given(TRUTH)
def test_truth_values(cells):
    forms = TRUTH_FORMS if any(cell is not None for cell in cells) else {"polars": TRUTH_FORMS["polars"]}
    for name, form in forms.items():
        schema = infer_schema(raw_frame(form(cells)))
        assert schema["x0"].domain == (False, True), name
        assert encoded(form(cells), schema) == codes(cells, (False, True)), name
        for domain in ((True, False), (1, 0), (True,)):
            assert encoded(form(cells), settled(form(cells), {"domain": domain})) == codes(cells, domain), (
                name
            )
    if None not in cells:
        schema = infer_schema(raw_frame(np.array(cells)[:, None]))
        assert encoded(np.array(cells)[:, None], schema) == codes(cells, (False, True))


@given(MIXED)
def test_cells_of_many_types(cells):
    schema = infer_schema(raw_frame(objects(cells)))
    known = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells if not missing(cell)]
    if known and all(isinstance(cell, bool) for cell in known):
        assert schema["x0"].domain == (False, True)
    elif all(isinstance(cell, int | float) for cell in known):
        assert schema["x0"].kind == "numeric"
        numbers = encode(objects(cells), schema).numeric[:, 0]
        np.testing.assert_array_equal(numbers, [NAN if missing(cell) else float(cell) for cell in cells])
    else:
        text = [None if missing(cell) else str(cell) for cell in cells]
        assert schema["x0"].domain == observed(text)
        assert encoded(objects(cells), schema) == codes(text, observed(text))


@given(NUMBERS, NUMBERS)
def test_numbers_that_are_said_to_be_nominal(cells, others):
    domain = tuple(written(number) for number in observed(cells))
    text = [None if cell is None else written(cell) for cell in others]
    for name, form in NUMBER_FORMS.items():
        schema = settled(form(cells))
        assert schema["x0"].domain == domain, name
        assert encoded(form(others), schema) == codes(text, domain), name
        told = settled(form(cells), {"domain": (0.5, 1.0, -3.0)})
        assert encoded(form(others), told) == codes(others, (0.5, 1.0, -3.0)), name


@given(st.lists(st.sampled_from([None, 1, 2, 300]), min_size=1, max_size=9))
def test_categories_that_are_numbers(cells):
    for domain in ([300, 1, 2], [1.0, 2.0, 300.0]):
        X = pandas(cells, dtype=pd.CategoricalDtype(domain))
        schema = infer_schema(raw_frame(X))
        assert schema["x0"].domain == tuple(domain)
        assert encoded(X, schema) == codes(cells, tuple(domain))
        text = [None if cell is None else str(cell) for cell in cells]
        assert encoded(X, settled(X, {"domain": ("1", "300")})) == codes(text, ("1", "300"))


@given(
    st.lists(
        st.one_of(st.none(), st.sampled_from(["a", "b"]), st.text("ab ", min_size=1, max_size=14)),
        min_size=1,
        max_size=24,
    )
)
def test_what_strings_are_guessed_to_be(cells):
    known = [cell for cell in cells if cell is not None]
    distinct = len(set(known))
    expected = ("nominal", "input")
    if not known:
        expected = ("numeric", "input")
    elif distinct > len(known) / 2 and median(len(cell.split()) for cell in known) >= 5:
        expected = ("text", "input")
    elif distinct == len(known) >= 10:
        expected = ("nominal", "id")
    for form in (TEXT_FORMS["polars"], TEXT_FORMS["arrow"], TEXT_FORMS["pandas str"], objects):
        guess = guess_column(raw_frame(form(cells)).columns[0])
        assert (guess.kind, guess.role) == expected


def test_nulls_among_the_values_of_a_dictionary():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2]), pa.array(["x", None, "y"]))
    X = pa.table({"x0": column})
    schema = infer_schema(raw_frame(X))
    assert schema["x0"].domain == ("x", "y")
    assert encoded(X, schema) == [0, -1, -1, 1]


def test_members_of_an_enumeration():
    class Colour(enum.StrEnum):
        RED = "red"
        BLUE = "blue"

    X = objects([Colour.RED, Colour.BLUE, None])
    assert encoded(X, settled(X)) == [1, 0, -1]


def test_infinity_can_be_a_category():
    X = np.array([[1.0], [np.inf], [NAN]])
    schema = settled(X)
    assert schema["x0"].domain == ("1", "inf")
    assert encoded(X, schema) == [0, 1, -1]


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([10**400, 1], "column 'x0' holds an integer that is too large; scale the column"),
        ([10**400, None], "column 'x0' holds an integer that is too large; scale the column"),
        (["\ud800", "a"], "column 'x0' contains an invalid character"),
        ([b"x", "a"], "column 'x0' holds a bytes"),
        ([(1,), "a"], "column 'x0' holds a tuple"),
        ([np.datetime64("2020-01-01"), 1], "column 'x0' holds a date"),
        ([np.datetime64("NaT"), 1], "column 'x0' holds a NoneType"),
    ],
)
def test_cells_that_cannot_be_encoded(cells, sentence):
    with pytest.raises((InputError, TypeError), match=sentence):
        infer_schema(raw_frame(objects(cells)))


# ---- columns that name rows


def streets(n_values: int = 40, n_rows: int = 120) -> list[str]:
    return [f"street {(7 * k) % n_values:02d}" for k in range(n_rows)]


def houses(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame({"size": [float(k % 11) for k in range(120)], "street": streets()} | columns)


@pytest.mark.parametrize("declared", [False, True])
def test_columns_that_name_rows_are_set_aside_with_one_note(declared):
    X = houses(owner=[f"owner {k // 2:02d}" for k in range(120)])
    if declared:
        X = X.with_columns(pl.col("street", "owner").cast(pl.Enum(sorted({*X["street"], *X["owner"]}))))
    with pytest.warns(Note) as notes:
        schema = infer_schema(raw_frame(X))
    assert schema.inputs().names() == ("size",)
    (said,) = [str(each.message) for each in notes]
    assert said == (
        "columns 'street' (40 values in 120 rows), 'owner' (60 values in 120 rows) name rows rather than describing "
        "them and are set aside; to learn from one, give schema={'street': 'nominal'}, or --nominal street on the "
        "command line"
    )


@pytest.mark.parametrize(
    "told",
    [
        {"street": "nominal"},
        {"street": {"kind": "nominal"}},
        {"street": {"domain": sorted(set(streets()))}},
        Schema((Column("size"), Column("street", "nominal", tuple(sorted(set(streets())))))),
    ],
)
def test_what_the_user_says_of_a_column_that_names_rows_wins(told, recwarn):
    assert infer_schema(raw_frame(houses()), told)["street"].role == "input"
    assert not recwarn.list


def test_a_column_that_names_rows_stays_where_nothing_else_is_left(recwarn):
    assert infer_schema(raw_frame(houses().select("street")))["street"].role == "input"
    assert infer_schema(raw_frame(houses()), names=True)["street"].role == "input"
    assert not recwarn.list


def test_columns_with_enough_rows_for_every_value_are_inputs(recwarn):
    X = houses(make=streets(24, 120), month=pl.Series(streets(20, 120)))
    schema = infer_schema(raw_frame(X.drop("street")))
    assert schema.inputs().names() == ("size", "make", "month")
    grades = pl.Series(streets()).cast(pl.Categorical)
    falling = sorted(set(grades.to_list()), reverse=True)
    ordered = pd.DataFrame(
        {"size": range(120), "grade": pd.Categorical(grades.to_list(), falling, ordered=True)}
    )
    assert infer_schema(raw_frame(ordered))["grade"].role == "input"
    assert not recwarn.list


def test_a_file_s_column_that_names_rows_is_kept_if_said_to_be_nominal():
    told = read(houses(), nominal=["street"])
    assert told.schema["street"].role == "input"
    assert infer_schema(raw_frame(told.X), told.input_schema)["street"].role == "input"
    assert read(houses()).schema["street"].role == "id"
