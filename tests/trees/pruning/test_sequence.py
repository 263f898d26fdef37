"""Pruning node by node: the order of the keys, and examples that end at a test."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.data.training import Examples
from induce.trees.hypothesis import Tree
from induce.trees.pruning import cost_complexity, reduced_error

properties = settings(derandomize=True)


def weakest_links(tree: Tree) -> list[tuple[float, int]]:
    """CART's algorithm without shortcuts: look at every test again after each pruning."""
    first, n = tree.first, tree.n_branches
    tests = set(np.flatnonzero(tree.attribute >= 0).tolist())
    wrong = (tree.counts.sum(axis=1) - tree.counts.max(axis=1)) / tree.counts[0].sum()

    def below(node: int) -> list[int]:
        if node not in tests:
            return [node]
        return [leaf for child in range(first[node], first[node] + n[node]) for leaf in below(child)]

    def reached(node: int) -> list[int]:
        if node not in tests:
            return []
        return [node] + [t for child in range(first[node], first[node] + n[node]) for t in reached(child)]

    pruned, alpha = [], 0.0
    while 0 in tests:
        links = {
            t: (wrong[t] - sum(wrong[leaf] for leaf in below(t))) / max(len(below(t)) - 1, 1)
            for t in reached(0)
        }
        least = min(links.values())
        node = min(t for t in links if links[t] <= least + 1e-12)
        alpha = max(alpha, least)
        pruned.append((alpha, node))
        tests.discard(node)
    return pruned


@properties
@given(data=st.data())
def test_the_weakest_links_are_those_of_the_plain_algorithm(tables, data):
    X, y = data.draw(tables(missing=True, most_rows=25))
    tree = induce.ID3().fit(X, y).hypothesis_
    sequence = cost_complexity(tree)
    for alpha, _ in (links := weakest_links(tree)):
        gone = [node for value, node in links if value <= alpha + 1e-12]
        expected = tree.cut(np.isin(np.arange(tree.n_nodes), gone))
        assert sequence.tree(tree, alpha) == expected
    assert sequence.alphas[-1] == pytest.approx(max([0.0, *(alpha for alpha, _ in links)]))


def test_validation_examples_with_a_value_never_seen_speak_for_neither_side():
    """Their answer is the majority of the test that asks, as it would be of a leaf in its place."""
    X = pl.DataFrame({"a": list("xxxxyyy")})
    tree = induce.ID3().fit(X, list("1111000")).hypothesis_
    assert tree.n_nodes == 3
    held_out = pl.DataFrame({"a": ["y", "w", "w"]})
    labels = np.array([tree.classes.index(value) for value in "000"])
    validation = Examples(tree.encoded(held_out), labels, None, 2)
    with induce.trace("prune") as events:
        assert reduced_error(tree, validation) == tree
    assert not events
    labels[0] = tree.classes.index("1")
    with induce.trace("prune") as events:
        assert reduced_error(tree, Examples(validation.table, labels, None, 2)).n_nodes == 1
    assert (events[0]["errors_before"], events[0]["errors_after"]) == (3, 2)
