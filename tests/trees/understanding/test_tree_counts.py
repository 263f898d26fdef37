"""Numbers of functions and trees."""

import math
from itertools import product

import pytest

import induce
from induce import Column, InputError, Schema
from induce.trees.understanding import (
    fewest_leaves,
    functions_by_leaves,
    n_functions,
    n_instances,
    n_ordered_trees,
    n_trees,
)


def test_functions():
    assert [n_functions(n) for n in range(4)] == [2, 4, 16, 256]
    assert math.log10(n_functions(10)) == pytest.approx(308.2547, abs=1e-4)
    assert math.log10(n_functions(20)) == pytest.approx(315652.8, abs=0.1)
    assert n_functions(2, n_classes=3) == 81


def test_instances():
    assert n_instances(induce.dataset("restaurant").input_schema) == 9216
    assert n_instances(induce.dataset("enjoy-sport").input_schema) == 96
    assert n_instances(induce.dataset("play-tennis").input_schema) == 36
    assert n_functions(Schema((Column("a", "nominal", ("x", "y", "z")),))) == 8


def trees(attributes):
    """All trees over attributes with (name, number of values), as nested tuples."""
    found = [True, False]
    for name, n_values in attributes:
        below = trees([other for other in attributes if other[0] != name])
        found += [(name, *branches) for branches in product(below, repeat=n_values)]
    return found


def n_leaves(tree):
    return sum(map(n_leaves, tree[1:])) if isinstance(tree, tuple) else 1


def in_order(tree):
    """The tests as a print of the tree shows them."""
    return (
        [tree[0], *(name for branch in tree[1:] for name in in_order(branch))]
        if isinstance(tree, tuple)
        else []
    )


@pytest.mark.parametrize("values", [[2], [2, 2], [3, 2], [2, 2, 2]])
def test_trees_are_counted_as_enumeration_does(values):
    every = trees(list(enumerate(values)))
    for leaves in range(1, 10):
        assert n_trees(values, leaves) == sum(n_leaves(tree) == leaves for tree in every)
    ordered = [tree for tree in every if in_order(tree) == list(range(len(values)))]
    assert n_ordered_trees(values) == len(ordered)


def test_there_are_more_trees_than_functions():
    assert sum(n_trees([2] * 3, leaves) for leaves in range(1, 9)) > n_functions(3)


def test_mitchells_arcane_trees():
    """Eleven tests in numerical order and 17 leaves: 27 values in all."""
    values = [2] * 6 + [3] * 5
    assert 1 + sum(values) - len(values) == 17
    assert 0 < n_ordered_trees(values) < n_trees(values, 17)


@pytest.mark.parametrize(
    ("function", "n_inputs", "n_nodes"),
    [
        (lambda a, b: a and not b, 2, 5),
        (lambda a, b, c: a or (b and c), 3, 7),
        (lambda a, b: a != b, 2, 7),
        (lambda a, b, c, d: (a and b) or (c and d), 4, 13),
    ],
)
def test_smallest_trees_of_exercise_31(function, n_inputs, n_nodes):
    assert 2 * fewest_leaves(function, n_inputs) - 1 == n_nodes


@pytest.mark.parametrize(("n", "leaves"), [(1, 2), (3, 6), (5, 20), (7, 70), (11, 924)])
def test_majority_needs_exponentially_many_leaves(n, leaves):
    assert fewest_leaves(lambda *inputs: sum(inputs) > n / 2, n) == leaves == 2 * math.comb(n, (n + 1) // 2)


def test_constant_functions_need_one_leaf():
    assert fewest_leaves(lambda: True, 0) == fewest_leaves(lambda a: False, 1) == 1


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_functions_by_leaves_counts_each_function_by_its_smallest_tree(n):
    rows = list(product((False, True), repeat=n))
    by_leaves = {}
    for outputs in product((False, True), repeat=len(rows)):
        table = dict(zip(rows, outputs, strict=True))
        leaves = fewest_leaves(lambda *inputs, table=table: table[inputs], n)
        by_leaves[leaves] = by_leaves.get(leaves, 0) + 1
    assert functions_by_leaves(n) == by_leaves


def test_functions_of_four_attributes():
    counts = functions_by_leaves(4)
    assert sum(counts.values()) == 65536
    assert (counts[1], counts[2], counts[16]) == (2, 8, 2)  # constants, literals, parity
    assert sum(counts[leaves] for leaves in range(1, 6)) / 65536 < 0.04


def test_bad_input():
    with pytest.raises(
        InputError, match="column 'petal width' is numeric; only nominal values can be counted"
    ):
        n_instances(Schema((Column("petal width"),)))
    with pytest.raises(InputError, match="attributes is -1"):
        n_instances(-1)
    with pytest.raises(InputError, match="a number too long to write; give fewer attributes"):
        n_functions(60)
    with pytest.raises(InputError, match="the number of values of an attribute is 1"):
        n_trees([1], 2)
    with pytest.raises(InputError, match="leaves is 0"):
        n_trees([2], 0)
    with pytest.raises(InputError, match="n_attributes is 5; give a whole number from 0 to 4"):
        functions_by_leaves(5)
    with pytest.raises(InputError, match="n_inputs is 13"):
        fewest_leaves(lambda *inputs: True, 13)
