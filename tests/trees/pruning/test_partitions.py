"""The level of pruning, chosen by averages over partitions, against trees really pruned."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.model_selection import RepeatedStratifiedKFold

import induce
from induce.core.errors import InputError
from induce.data.training import Examples
from induce.trees.growth import GrowthRule, grow
from induce.trees.hypothesis import Tree
from induce.trees.pruning import cost_complexity, cross_validated_alpha, repeated_partitions
from induce.trees.pruning.partitions import LEVELS
from induce.trees.size import breadth_first

properties = settings(derandomize=True)


def learnable(X: Any, y: Any) -> tuple[Any, Examples]:
    examples, schema, target, classes = induce.ID3()._examples(X, y, None)
    return partial(grow, schema=schema, target=target, classes=classes, rule=GrowthRule()), examples


@pytest.fixture(scope="module")
def noisy() -> tuple[Any, Examples]:
    X, y = make_classification(300, n_informative=4, flip_y=0.2, random_state=2)
    return learnable(X, y)


def partitions(examples: Examples, n_repeats: int) -> list[Any]:
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=n_repeats, random_state=0)
    return list(folds.split(np.zeros((len(examples), 1)), examples.labels))


def errors(tree: Tree, examples: Examples) -> float:
    counts = tree.route(examples.table, examples.labels, examples.weight())[tree.attribute < 0]
    return float(counts.sum() - counts[np.arange(len(counts)), tree.majority[tree.attribute < 0]].sum())


@pytest.mark.parametrize("level", LEVELS)
@properties
@given(data=st.data())
def test_errors_at_all_levels_are_those_of_the_pruned_trees(tables, level, data):
    X, y = data.draw(tables(missing=True, most_rows=20))
    way = LEVELS[level]
    growing, examples = learnable(X, y)
    tree = growing(examples)
    other = growing(examples.rows(np.arange(0, len(examples), 2)))
    levels = way.candidates(tree)
    held_out = examples.rows(np.arange(len(examples))[:: data.draw(st.sampled_from([1, 2, 3]))])
    for of in (tree, other):
        found = way.errors(of, of.route(held_out.table, held_out.labels, held_out.weight()), levels)
        expected = [errors(way.tree(of, float(value)), held_out) for value in levels]
        assert found == pytest.approx(expected, abs=1e-9)
    sizes = [way.tree(tree, float(value)).n_nodes for value in levels]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


@pytest.mark.compiled
def test_the_size_is_the_best_on_average(noisy):
    growing, examples = noisy
    splits = partitions(examples, 2)
    tree = growing(examples)
    on_parts = [(growing(examples.rows(train)), examples.rows(test)) for train, test in splits]
    candidates = sorted(LEVELS["size"].candidates(tree).astype(int))
    mean = [sum(errors(breadth_first(part, k), test) for part, test in on_parts) for k in candidates]
    best = candidates[int(np.argmin(mean))]
    assert 1 < best < tree.n_nodes
    with induce.trace("level") as events:
        pruned = repeated_partitions(growing, examples, splits)
    assert pruned == breadth_first(tree, best)
    assert (events[0]["chosen"], events[0]["error"]) == (best, pytest.approx(min(mean) / (2 * len(examples))))


@pytest.mark.compiled
def test_alpha_is_chosen_as_cart_chooses_it(noisy):
    growing, examples = noisy
    splits, tree = partitions(examples, 1), growing(examples)
    alpha = cross_validated_alpha(growing, tree, examples, splits)
    pruned = repeated_partitions(growing, examples, splits, level="alpha", one_standard_error=True)
    assert pruned == cost_complexity(tree).tree(tree, alpha)
    assert 1 < pruned.n_nodes < tree.n_nodes


@pytest.mark.compiled
@pytest.mark.parametrize("level", LEVELS)
def test_one_standard_error_prunes_no_less(noisy, level):
    growing, examples = noisy
    splits = partitions(examples, 2)
    least = repeated_partitions(growing, examples, splits, level)
    assert (
        repeated_partitions(growing, examples, splits, level, one_standard_error=True).n_nodes
        <= least.n_nodes
    )
    assert least.counts[0].sum() == len(examples)


@pytest.mark.compiled
def test_testing_the_same_rows_again_makes_nothing_more_certain(noisy):
    """The standard error is that of the rows, however often each is tested."""
    growing, examples = noisy
    splits = partitions(examples, 1)
    once = repeated_partitions(growing, examples, splits, "alpha", one_standard_error=True)
    assert repeated_partitions(growing, examples, splits * 3, "alpha", one_standard_error=True) == once


def test_a_tree_of_one_leaf_needs_no_level():
    growing, examples = learnable([[1.0], [2.0]], ["a", "a"])
    rows = np.array([0]), np.array([1])
    assert repeated_partitions(growing, examples, [rows]).n_nodes == 1
    assert cross_validated_alpha(growing, growing(examples), examples, [rows]) == 0


def test_bad_input_is_named(noisy):
    growing, examples = noisy
    with pytest.raises(InputError, match="splits is empty"):
        repeated_partitions(growing, examples, [])
    with pytest.raises(InputError, match="level is 'depth'; it can be 'size', 'alpha'"):
        repeated_partitions(growing, examples, partitions(examples, 1), "depth")
