"""Description lengths against the numbers for play-tennis, and what each kind of test costs."""

from __future__ import annotations

from math import comb, log2

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.trees.hypothesis import Tree
from induce.trees.pruning import description_length, mdl
from induce.trees.pruning.description import exception_bits


@pytest.fixture(scope="module")
def figure_3_1() -> Tree:
    tree: Tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
    return tree


def cut_at(tree: Tree, *nodes: int) -> Tree:
    return tree.cut(np.isin(np.arange(tree.n_nodes), nodes))


def bits(value: float) -> object:
    return pytest.approx(value, abs=6e-7)


def test_the_combinatorial_code_of_play_tennis(figure_3_1):  # O3.17
    full = description_length(figure_3_1)
    assert full == bits(np.array([18.169925, 5.584963]))
    assert full.total == bits(23.754888)
    leaf = description_length(cut_at(figure_3_1, 0))
    assert leaf == bits(np.array([2.0, 13.967226]))
    assert leaf.total == pytest.approx(15.967, abs=5e-4)
    assert exception_bits(14, 5, 7) == bits(13.967226)
    assert exception_bits(14, 5, 14) == bits(14.874117)
    assert mdl(figure_3_1).n_nodes == 1


def test_mitchells_code_of_play_tennis(figure_3_1):  # 03:O6.7
    sunny, _, rain = figure_3_1.children(0)
    trees = {
        "full": (figure_3_1, 18.169925, 0),
        "leaf": (cut_at(figure_3_1, 0), 2, 5),
        "stump": (cut_at(figure_3_1, sunny, rain), 9, 4),
        "without wind": (cut_at(figure_3_1, rain), 13.584963, 2),
    }
    for tree, of_tree, errors in trees.values():
        assert description_length(tree, "mitchell") == bits(np.array([of_tree, errors * 4.807355]))
    totals = {name: description_length(tree, "mitchell").total for name, (tree, _, _) in trees.items()}
    assert totals["leaf"] == bits(26.036775)
    assert totals["stump"] == bits(28.229420)
    assert totals["without wind"] == pytest.approx(23.199672, abs=2e-6)
    assert min(totals, key=lambda name: totals[name]) == "full"
    assert mdl(figure_3_1, "mitchell") == figure_3_1


def test_pruning_says_what_it_saves(figure_3_1):
    with induce.trace("prune") as events:
        mdl(figure_3_1)
    assert events[-1]["node"] == 0
    assert events[-1]["as_leaf"] == bits(15.967226)
    saved = sum(event["as_tree"] - event["as_leaf"] for event in events)
    assert saved == pytest.approx(23.754888 - 15.967226, abs=2e-6)


def test_a_threshold_names_one_of_the_gaps_and_its_attribute_stays():
    X = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "z": [0.0] * 6})
    tree = induce.ID3().fit(X, list("aabbaa")).hypothesis_
    assert tree.n_nodes == 5
    tests = [1 + log2(2) + log2(n - 1) for n in (6, 4)]
    assert description_length(tree).tree == bits(sum(tests) + 3 * 2)


def test_a_subset_names_the_branch_of_every_value_but_the_first():
    X = pl.DataFrame({"x": ["a", "b", "c", "d"] * 2})
    tree = induce.CART(pruning=None).fit(X, list("nnyynnyy")).hypothesis_
    assert description_length(tree).tree == bits(1 + log2(1) + 3 * log2(2) + 2 * 2)


def test_an_exception_among_three_classes_names_its_class():
    X = pl.DataFrame({"x": ["a"] * 6})
    leaf = induce.ID3().fit(X, list("uuuvvw")).hypothesis_
    assert leaf.n_nodes == 1
    assert description_length(leaf).tree == bits(1 + log2(3))
    assert description_length(leaf).exceptions == bits(log2(4 + 1) + log2(comb(6, 3)) + 3 * log2(2))
    assert description_length(leaf, "mitchell").exceptions == bits(3 * (log2(6) + log2(3)))


def test_one_class_needs_no_bits_for_it():
    leaf = induce.ID3().fit(pl.DataFrame({"x": [1.0, 2.0]}), ["a", "a"]).hypothesis_
    for code in ("combinatorial", "mitchell"):
        assert description_length(leaf, code) == (1.0, 0.0)


def test_an_unknown_code_is_named(figure_3_1):
    for call in (description_length, mdl):
        with pytest.raises(
            InputError, match="exceptions is 'huffman'; it can be 'combinatorial', 'mitchell'"
        ):
            call(figure_3_1, "huffman")
