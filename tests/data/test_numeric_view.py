"""A mixed table as one matrix."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.data.numeric_view import NumericView
from induce.data.schema import Column, Schema
from induce.data.table import encode

SCHEMA = Schema((Column("size"), Column("colour", "nominal", ("red", "blue")), Column("age")))
ROWS = [[1.0, "red", 10.0], [3.0, "blue", 10.0], [None, "red", 10.0], [5.0, None, 10.0]]


def view(scale, weights=None):
    return NumericView.of(encode(ROWS, SCHEMA), scale, weights)


def test_numbers_keep_their_place_and_values_get_one_column_each():
    assert view(None).names == ("size", "colour = red", "colour = blue", "age")
    found = view(None).matrix(ROWS)
    np.testing.assert_allclose(found[:, 0], [1, 3, 3, 5])
    np.testing.assert_allclose(found[:, 1], [1, 0, 1, 2 / 3])
    np.testing.assert_allclose(found[:, 2], [0, 1, 0, 1 / 3])


def test_scales():
    np.testing.assert_allclose(view("range").matrix(ROWS)[:, 0], [0, 0.5, 0.5, 1])
    scaled = view("standard").matrix(ROWS)
    assert scaled[:, 0].mean() == pytest.approx(0)
    np.testing.assert_allclose(scaled[[0, 1, 3], 0].std(), 1)


def test_a_column_with_one_value_is_only_shifted():
    np.testing.assert_allclose(view("standard").matrix(ROWS)[:, 3], 0)
    np.testing.assert_allclose(view("range").matrix(ROWS)[:, 3], 0)


def test_an_unseen_category_is_as_good_as_none():
    np.testing.assert_allclose(view(None).matrix([[1.0, "mauve", 1.0]])[0, 1:3], [2 / 3, 1 / 3])


def test_a_column_that_is_missing_everywhere():
    table = encode([[None, "red", 1.0], [None, "red", 2.0]], SCHEMA)
    for scale in (None, "range", "standard"):
        assert np.isfinite(NumericView.of(table, scale).matrix(table)).all()


def test_weights_are_repetitions():
    once = view("standard", np.array([2.0, 1.0, 1.0, 0.0]))
    again = NumericView.of(encode([ROWS[0], ROWS[0], ROWS[1], ROWS[2]], SCHEMA))
    np.testing.assert_allclose(once.matrix(ROWS), again.matrix(ROWS))


def test_a_scale_that_there_is_not():
    with pytest.raises(InputError, match="scale is 'unit'"):
        view("unit")


@pytest.mark.parametrize("scale", [None, "range", "standard"])
@pytest.mark.parametrize(
    ("rows", "met"), [([-1e308, 1e308, 0.0], [1.7e308, -1.7e308]), ([1e-320, 2e-320, 0.0], [1.0])]
)
@pytest.mark.filterwarnings("error")
def test_numbers_too_large_or_too_small_to_be_squared(scale, rows, met):
    schema = Schema((Column("size"),))
    table = encode([[x] for x in rows], schema)
    found = NumericView.of(table, scale).matrix(encode([[x] for x in (*rows, *met)], schema))
    assert np.isfinite(np.square(found).sum())


def test_views_are_values():
    assert view("range") == view("range")
    assert hash(view("range")) == hash(view("range"))
    assert view("range") != view("standard")
    assert view("range") != "range"


def test_tables_of_numbers_alone_are_read_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(23, 3))
    rows[4, 1], rows[7, 2] = np.nan, 1e300
    names = ("a", "b", "c")
    table = encode(rows, Schema(tuple(Column(name) for name in names)))
    view = NumericView.of(table, scale="standard")
    whole = view.matrix(table)
    # the sparse form goes column by column
    assert (whole == view.sparse_matrix(table).toarray()).all()
    assert whole[4, 1] == view.mean[1]
    monkeypatch.setattr("induce.data.numeric_view.BLOCK", 7)
    assert (view.matrix(table) == whole).all()
