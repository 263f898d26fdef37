"""Pessimistic and minimum-error pruning against recursive versions and numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.trees.hypothesis import Tree
from induce.trees.pruning import minimum_error, pessimistic

properties = settings(derandomize=True)


def structure(tree: Tree, node: int = 0) -> object:
    return [structure(tree, child) for child in tree.children(node)]


def leaves(tree: Tree, node: int) -> list[int]:
    below = [leaf for child in tree.children(node) for leaf in leaves(tree, child)]
    return below or [node]


def by_quinlan(tree: Tree, node: int = 0) -> object:
    """From the root down; what is left as nested lists."""
    below = leaves(tree, node)
    if below == [node]:
        return []
    n = tree.counts[node].sum()
    wrong = {i: tree.counts[i].sum() - tree.counts[i].max() for i in (node, *below)}
    errors = sum(wrong[leaf] for leaf in below) + len(below) / 2
    spread = math.sqrt(max(errors * (n - errors), 0) / n) if n > 0 else 0
    if wrong[node] + 0.5 <= errors + spread + 1e-9:
        return []
    return [by_quinlan(tree, child) for child in tree.children(node)]


def by_niblett(tree: Tree, prior: np.ndarray, m: float, node: int = 0) -> tuple[float, object]:
    """From the leaves up; the error of what is left, and that as nested lists."""
    counts, c = tree.counts[node], int(tree.majority[node])
    n = counts.sum()
    static = (n - counts[c] + (1 - prior[c]) * m) / (n + m) if n + m > 0 else 0.0
    if tree.attribute[node] < 0:
        return static, []
    parts = [by_niblett(tree, prior, m, child) for child in tree.children(node)]
    weights = [tree.counts[child].sum() / n if n > 0 else 0.0 for child in tree.children(node)]
    backed_up = sum(w * error for w, (error, _) in zip(weights, parts, strict=True))
    if static <= backed_up + 1e-9:
        return static, []
    return backed_up, [shape for _, shape in parts]


@properties
@given(data=st.data())
def test_pessimistic_pruning_is_quinlans(tables, data):
    X, y = data.draw(tables(missing=True, most_rows=30))
    tree = induce.ID3().fit(X, y).hypothesis_
    assert structure(pessimistic(tree)) == by_quinlan(tree)


def test_pessimistic_pruning_by_hand():
    """Figure 3.1: E' = 2.5, SE = sqrt(2.5 * 11.5 / 14) = 1.43, a leaf 5.5; sunny: E' = 1, SE = .89, a leaf 2.5."""
    tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
    assert pessimistic(tree) == tree


def test_pessimistic_pruning_takes_back_what_the_noisy_day_brought():
    """The root stays: E' = 3.5, SE = 1.64, a leaf 6.5. Sunny has 4 leaves, 6 examples: E' = 2, SE = 1.15, 2.5."""
    tree = induce.ID3().fit(*induce.dataset("play-tennis-noisy")).hypothesis_
    with induce.trace("prune") as events:
        pruned = pessimistic(tree)
    assert [(event["node"], event["as_leaf"]) for event in events] == [(tree.children(0)[0], 2.5)]
    assert events[0]["limit"] == pytest.approx(2 + math.sqrt(2 * 4 / 6))
    assert str(pruned) == (
        "Outlook = Sunny: No (4/6)\nOutlook = Overcast: Yes (4/4)\nOutlook = Rain\n"
        "|   Wind = Weak: Yes (3/3)\n|   Wind = Strong: No (2/2)"
    )


@properties
@given(data=st.data(), m=st.none() | st.sampled_from([0.0, 0.5, 2.0, 30.0]))
def test_minimum_error_pruning_is_the_recursion(tables, data, m):
    X, y = data.draw(tables(missing=True, most_rows=30))
    tree = induce.ID3().fit(X, y).hypothesis_
    n_classes = len(tree.classes)
    prior = np.full(n_classes, 1 / n_classes) if m is None else tree.counts[0] / tree.counts[0].sum()
    _, expected = by_niblett(tree, prior, n_classes if m is None else m)
    assert structure(minimum_error(tree, m)) == expected


def test_expected_errors_of_play_tennis_by_hand():
    """By Laplace the sunny leaves err with 1/5 and 1/4, a leaf there with 3/7; with m = 100 the prior rules."""
    tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
    assert minimum_error(tree) == tree
    with induce.trace("prune") as events:
        assert minimum_error(tree, m=100).n_nodes == 1
    rain = tree.children(0)[2]
    assert [event["node"] for event in events] == [rain, 0]
    yes, no = 900 / 14, 500 / 14  # what the prior adds to the errors of a leaf that says no, and yes
    assert events[0]["as_tree"] == pytest.approx(3 * no / 103 + 2 * yes / 102)
    assert events[0]["as_leaf"] == pytest.approx(5 * (2 + no) / 105)
    sunny, overcast = 3 * yes / 103 + 2 * no / 102, 4 * no / 104
    assert events[1]["as_tree"] == pytest.approx(sunny + overcast + 5 * (2 + no) / 105)
    assert events[1]["as_leaf"] == pytest.approx(14 * (5 + no) / 114)


def test_without_a_prior_only_tests_that_save_no_training_error_go():
    X, y = induce.dataset("breast-cancer")
    tree = induce.ID3().fit(X, y).hypothesis_
    pruned = minimum_error(tree, m=0)
    assert (pruned.predict(X) == tree.predict(X)).all()
    for node in np.flatnonzero(pruned.attribute >= 0):
        below = pruned.counts[leaves(pruned, int(node))]
        assert below.max(axis=1).sum() > pruned.counts[node].max()


@pytest.mark.parametrize("m", [-1, float("nan"), float("inf")])
def test_m_out_of_range_is_named(m):
    tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
    with pytest.raises(InputError, match=f"m is {m}; give a number of at least 0"):
        minimum_error(tree, m)
