"""Strings coded by their hashes: the codes and the distinct values that polars gives."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.data import string_codes
from induce.data.partitions import FramePart
from induce.data.string_codes import LONG, codes_of_strings, distinct_strings

pytestmark = [pytest.mark.compiled, pytest.mark.filterwarnings("ignore::induce.core.notes.Note")]

WORDS = ("", "a", "A", "a ", "é", "twelve bytes", "a string that does not fit beside its length", "?")


def column(words, n=LONG, seed=0):
    return pl.Series("word", np.random.default_rng(seed).choice([*words, None], n).tolist(), dtype=pl.String)


@pytest.mark.parametrize("words", [WORDS, tuple(map(str, range(300))), ("only",)])
def test_codes_are_those_of_polars(words):
    cells = column(words)
    coded = cells.cast(pl.Enum(words)).to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    np.testing.assert_array_equal(codes_of_strings(cells, words), coded)
    if len(words) > 1:
        assert codes_of_strings(cells, words[1:]) is None


def test_short_columns_and_other_types_are_left_to_polars():
    assert codes_of_strings(column("ab", 100), ("a", "b")) is None
    assert codes_of_strings(pl.Series(np.zeros(LONG)), ("a", "b")) is None


def test_two_values_of_the_same_hash_are_left_to_polars(monkeypatch):
    monkeypatch.setattr(string_codes, "_hashes", lambda cells: cells.hash().to_numpy() % 5)
    assert codes_of_strings(column(("p", "q", "r", "s", "t", "u")), ("p", "q", "r", "s", "t", "u")) is None


@pytest.mark.parametrize("words", [WORDS, tuple(map(str, range(1023))), tuple(map(str, range(3000)))])
def test_distinct_strings_are_those_of_polars(words):
    cells = column(words)
    found = distinct_strings(cells)
    assert found.is_unique().all()
    assert set(found) == set(cells.unique())


def test_long_partitions_are_coded_as_short_ones(monkeypatch):
    """Some rows have no class, one column holds words to be stripped, one is declared with a value no row has."""
    n = LONG + 10
    frame = pl.DataFrame(
        {
            "word": column(("b", "a"), n, 1),
            "x": np.random.default_rng(2).normal(size=n),
            "spaced": column((" u", "u", "v"), n, 3),
            "flag": np.random.default_rng(4).random(n) < 0.5,
            "y": column(("no", "yes"), n, 5),
        }
    )
    for given in (frame, frame.with_columns(pl.col("y").fill_null("no"))):
        source = induce.scan(
            given, "y", rows=n, schema={"word": {"kind": "nominal", "domain": ["c", "b", "a"]}}
        )
        assert isinstance(source.parts[0], FramePart)
        partition = source.partitions()[0]
        quick, labels = partition.columns()
        quick = list(quick)
        table, slowly = partition.table()
        np.testing.assert_array_equal(labels, slowly)
        for f, values in enumerate(quick):
            np.testing.assert_array_equal(values, table.column(f))
