"""The recursion that tree learners share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.data.frames import raw_frame
from induce.data.schema import Column
from induce.data.table import encode, infer_schema
from induce.data.training import Examples
from induce.trees import recursion


def by_bits(n_bits):
    """Test the bits of a row's number one after the other."""

    def pick(rows, above):
        if len(above) == n_bits:
            return None
        return recursion.Test(len(above)), rows >> len(above) & 1

    return pick


def test_nodes_are_numbered_breadth_first_and_keep_the_order_of_their_rows():
    division = recursion.divide(6, by_bits(2))
    assert division.first.tolist() == [1, 3, 5, -1, -1, -1, -1]
    assert [test and test.attribute for test in division.tests] == [0, 1, 1, None, None, None, None]
    assert [rows.tolist() for rows in division.rows] == [
        [0, 1, 2, 3, 4, 5],
        [0, 2, 4],
        [1, 3, 5],
        [0, 4],
        [2],
        [1, 5],
        [3],
    ]


def test_a_node_without_rows_is_a_leaf_that_nobody_is_asked_about():
    asked = []

    def pick(rows, above):
        asked.append(len(rows))
        return None if above else (recursion.Test(0, 4), np.full(len(rows), 2))

    division = recursion.divide(3, pick)
    assert [len(rows) for rows in division.rows] == [3, 0, 0, 3, 0]
    assert asked == [3, 3]
    assert [len(rows) for rows in recursion.divide(0, pick).rows] == [0]


def test_no_depth_is_too_deep():
    def one_by_one(rows, above):
        return (recursion.Test(0), np.arange(len(rows)) > 0) if len(rows) > 1 else None

    division = recursion.divide(1500, one_by_one)
    assert len(division.tests) == 2999
    assert division.rows[-1].tolist() == [1499]


@given(data=st.data())
def test_every_division_is_a_sound_tree(data, tables):
    X, y = data.draw(tables(functional=True))
    raw = raw_frame(X)
    schema = infer_schema(raw)
    table = encode(raw, schema)
    labels = y.to_physical().to_numpy().astype(np.int64)
    examples = Examples(table, labels, None, len(y.dtype.categories))

    def first_that_divides(rows, above):
        for f, column in enumerate(schema.inputs()):
            values = table.column(f)[rows]
            found = np.unique(values)
            if len(found) > 1 and len(np.unique(labels[rows])) > 1:
                if recursion.is_cut(column):
                    return recursion.cut(column, f, found[0], found[1]), values > found[0]
                return recursion.Test(f, len(column.domain)), values
        return None

    division = recursion.divide(len(X), first_that_divides)
    tree = recursion.class_tree(division, examples, schema, "target", tuple(y.dtype.categories))
    tree.check()
    assert tree.predict(X).tolist() == y.to_list()
    assert tree.counts == pytest.approx(tree.route(table, labels, np.ones(len(X))))


def test_maps_from_values_to_branches_lie_one_after_the_other():
    tests = (recursion.Test(0, branch_of_code=(0, 1, 1)), recursion.Test(1), None, None, None)
    division = recursion.Division(tests, np.array([1, 3, -1, -1, -1], np.int32), ())
    arrays = recursion.arrays(division)
    assert arrays["map_start"].tolist() == [0, -1, -1, -1, -1]
    assert arrays["branch_map"].tolist() == [0, 1, 1]
    assert arrays["n_branches"].tolist() == [2, 2, 0, 0, 0]


@pytest.mark.parametrize(
    ("low", "high"),
    [(1.0, 2.0), (-1.7e308, 1.7e308), (1e308, 1.7e308), (1.0, np.nextafter(1.0, 2)), (0.0, 5e-324)],
)
def test_a_threshold_lies_between_the_values_it_parts(low, high):
    threshold = recursion.cut(Column("a"), 0, low, high).threshold
    assert low <= threshold < high


def test_an_ordered_attribute_is_cut_in_the_middle_of_the_values_not_met():
    column = Column("size", "nominal", ("xs", "s", "m", "l", "xl"), ordered=True)
    assert recursion.is_cut(column)
    found = recursion.cut(column, 3, 0, 3)
    assert (found.attribute, found.n_branches, found.branch_of_code) == (3, 2, (0, 0, 1, 1, 1))
    assert np.isnan(found.threshold)
