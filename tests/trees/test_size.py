"""Trees of limited size against AIMA's sequence and against trees really made."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.data.training import Examples
from induce.trees.hypothesis import Tree
from induce.trees.size import breadth_first, breadth_first_tests, sizes

properties = settings(derandomize=True)


@pytest.fixture(scope="module")
def waiting() -> Tree:
    tree: Tree = induce.ID3().fit(*induce.dataset("restaurant")).hypothesis_
    return tree


def test_the_sequence_of_the_restaurant(waiting):  # 06:O7
    curve = sizes(waiting)
    assert curve.tests.tolist() == [0, 1, 2, 3, 4]
    assert curve.nodes.tolist() == [1, 4, 6, 10, 12]
    assert curve.errors.tolist() == [6, 2, 2, 1, 0]
    assert [waiting.tested(node).name for node in breadth_first_tests(waiting)] == [
        "Pat",
        "Hun",
        "Type",
        "Fri",
    ]


def test_growth_stops_before_the_size_is_exceeded(waiting):
    found = {size: breadth_first(waiting, size).n_nodes for size in range(1, 14)}
    expected = {1: 1, 2: 1, 3: 1, 4: 4, 5: 4, 6: 6, 7: 6, 8: 6, 9: 6, 10: 10, 11: 10, 12: 12, 13: 12}
    assert found == expected
    assert [breadth_first(waiting, k, "tests").n_nodes for k in range(6)] == [1, 4, 6, 10, 12, 12]
    assert breadth_first(waiting, 12) == waiting


def test_levels_come_one_after_the_other_and_branches_from_the_first():
    X = pl.DataFrame({name: list(values) for name, values in (("a", "xxyyzz"), ("b", "pqpqpq"))})
    tree = induce.ID3().fit(X, list("010010")).hypothesis_
    first, second = breadth_first(tree, 1, "tests"), breadth_first(tree, 2, "tests")
    assert first.n_nodes == 4
    assert second.attribute[list(second.children(0))].tolist() == [1, -1, -1]


@properties
@given(data=st.data())
def test_errors_at_each_size_are_those_of_the_tree_of_that_size(tables, data):
    X, y = data.draw(tables(missing=True, most_rows=20))
    tree = induce.ID3().fit(X, y).hypothesis_
    rows = data.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=12))
    labels = np.array([tree.classes.index(v) for v in y.to_list()])[rows]
    weights = np.linspace(0.5, 2, len(rows))
    held = Examples(tree.encoded(X[rows]), labels, weights, len(tree.classes))
    curve = sizes(tree, tree.route(held.table, held.labels, held.weight()))
    assert curve.nodes.tolist() == sizes(tree).nodes.tolist()
    assert curve.nodes[-1] == tree.n_nodes
    for k, nodes, errors in zip(*curve, strict=True):
        smaller = breadth_first(tree, int(k), "tests")
        assert smaller == breadth_first(tree, int(nodes))
        assert smaller.n_nodes == nodes
        leaf = smaller.attribute < 0
        counts = smaller.route(held.table, held.labels, held.weight())[leaf]
        right = counts[np.arange(len(counts)), smaller.majority[leaf]].sum()
        assert errors == pytest.approx(counts.sum() - right, abs=1e-9)


def test_examples_with_a_value_never_seen_end_at_the_test():
    X = pl.DataFrame({"a": list("xxyyzz"), "b": list("pqpqpq")})
    tree = induce.ID3().fit(X, list("010011")).hypothesis_
    strange = pl.DataFrame({"a": ["x", "w", "w", "y"], "b": ["q", "p", "q", "r"]})
    truth = np.array(["1", "0", "1", "1"])
    labels = np.array([tree.classes.index(value) for value in truth])
    curve = sizes(tree, tree.route(tree.encoded(strange), labels, np.ones(4)))
    wrong = [(breadth_first(tree, int(k)).predict(strange) != truth).sum() for k in curve.nodes]
    assert curve.errors.tolist() == wrong
    assert len(set(wrong)) > 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_nodes": 0}, "max_nodes is 0; give a whole number of at least 1"),
        ({"max_nodes": -1, "count": "tests"}, "at least 0"),
        ({"max_nodes": 2.5}, "max_nodes is 2.5"),
        ({"max_nodes": 2, "count": "leaves"}, "count is 'leaves'; it can be 'nodes', 'tests'"),
    ],
)
def test_bad_sizes_are_named(waiting, options, says):
    with pytest.raises(InputError, match=says):
        breadth_first(waiting, **options)


def test_counts_of_another_tree_are_refused(waiting):
    with pytest.raises(InputError, match="counts has the shape"):
        sizes(waiting, np.zeros((3, 2)))
