"""What holds of every pruner, whatever it prunes by: on random tables, with missing values and fractions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.trees import pruning
from induce.trees.hypothesis import Tree
from induce.trees.measures import MEASURES

properties = settings(derandomize=True)

PRUNERS: dict[str, Any] = {
    "chi-square": pruning.chi_square,
    "chi-square, present": lambda tree: pruning.chi_square(tree, 0.3, dof_values="present"),
    "critical value": lambda tree: pruning.critical_value(tree, 0.4),
    "pessimistic": pruning.pessimistic,
    "minimum error": pruning.minimum_error,
    "minimum error, m": lambda tree: pruning.minimum_error(tree, 3.5),
    "mdl": pruning.mdl,
    "mdl, mitchell": lambda tree: pruning.mdl(tree, exceptions="mitchell"),
}
every_pruner = pytest.mark.parametrize("name", PRUNERS)


def grown(data: st.DataObject, tables: Any, **options: Any) -> Tree:
    X, y = data.draw(tables(missing=True, most_rows=20, **options))
    nominal = data.draw(st.sampled_from(["multiway", "subset"]))
    tree: Tree = induce.DecisionTreeClassifier(nominal=nominal).fit(X, y).hypothesis_
    return tree


def pruned_at(tree: Tree, pruned: Tree) -> set[int]:
    """The tests of a tree that are leaves of the pruned one; all else must be as it was."""
    at = set()
    waiting = [(0, 0)]
    while waiting:
        before, after = waiting.pop()
        assert (tree.counts[before] == pruned.counts[after]).all()
        if pruned.attribute[after] < 0:
            if tree.attribute[before] >= 0:
                at.add(before)
            continue
        assert tree.attribute[before] == pruned.attribute[after]
        assert tree.tested(before) == pruned.tested(after)
        assert [str(tree.condition(before, b)) for b in range(len(tree.children(before)))] == [
            str(pruned.condition(after, b)) for b in range(len(pruned.children(after)))
        ]
        waiting += zip(tree.children(before), pruned.children(after), strict=True)
    return at


def cut_at(tree: Tree, nodes: Any) -> Tree:
    return tree.cut(np.isin(np.arange(tree.n_nodes), list(nodes)))


@every_pruner
@properties
@given(data=st.data())
def test_the_result_is_the_tree_cut_at_some_tests(tables, name, data):
    tree = grown(data, tables)
    pruned = PRUNERS[name](tree)
    pruned.check()
    assert cut_at(tree, pruned_at(tree, pruned)) == pruned


@every_pruner
@properties
@given(data=st.data())
def test_the_trace_tells_of_every_pruned_test(tables, name, data):
    tree = grown(data, tables)
    with induce.trace("prune") as events:
        traced = PRUNERS[name](tree)
    assert traced == PRUNERS[name](tree)
    told = [event["node"] for event in events]
    assert len(set(told)) == len(told)
    assert all(tree.attribute[node] >= 0 for node in told)
    assert cut_at(tree, told) == traced
    assert pruned_at(tree, traced) <= set(told)


@pytest.mark.parametrize("name", [name for name in PRUNERS if name != "pessimistic"])
@properties
@given(data=st.data())
def test_pruning_twice_is_pruning_once(tables, name, data):
    """But for pessimistic pruning, where fewer leaves below a test speak against its parents too."""
    once = PRUNERS[name](grown(data, tables))
    assert PRUNERS[name](once) == once


@every_pruner
def test_a_single_leaf_stays(name):
    X, y = induce.dataset("play-tennis")
    leaf = induce.ID3(max_depth=0).fit(X, y).hypothesis_
    assert PRUNERS[name](leaf) == leaf


@properties
@given(data=st.data())
def test_smaller_alpha_and_larger_critical_values_prune_more(tables, data):
    tree = grown(data, tables)
    measure = data.draw(st.sampled_from([name for name in MEASURES if name != "twoing"]))
    by_alpha = [
        pruning.chi_square(tree, alpha, kind)
        for kind in ("declared", "present")
        for alpha in (1.0, 0.5, 0.2, 0.05, 1e-9)
    ]
    by_value = [pruning.critical_value(tree, value, measure) for value in (-np.inf, 0.1, 0.3, 0.9, 5, np.inf)]
    for sequence in (by_alpha[:5], by_alpha[5:], by_value):
        for larger, smaller in pairwise(sequence):
            pruned_at(larger, smaller)
    assert by_alpha[0] == by_alpha[5] == by_value[0] == tree
    assert by_value[-1].n_nodes == 1


def prunings(tree: Tree) -> list[Tree]:
    tests = np.flatnonzero(tree.attribute >= 0)
    return [
        cut_at(tree, (node for node, cut in zip(tests, chosen, strict=True) if cut))
        for chosen in product([False, True], repeat=len(tests))
    ]


@properties
@given(data=st.data(), code=st.sampled_from(["combinatorial", "mitchell"]))
def test_no_pruned_tree_is_shorter_to_describe_than_that_of_mdl(tables, data, code):
    tree = induce.ID3(max_depth=2).fit(*data.draw(tables(missing=True))).hypothesis_
    if (tree.attribute >= 0).sum() > 6:
        return
    lengths = {pruned.n_nodes: [] for pruned in prunings(tree)}
    for pruned in prunings(tree):
        lengths[pruned.n_nodes].append(pruning.description_length(pruned, code).total)
    found = pruning.mdl(tree, code)
    least = min(map(min, lengths.values()))
    assert pruning.description_length(found, code).total == pytest.approx(least, abs=1e-6)
    assert found.n_nodes == min(n for n, bits in lengths.items() if min(bits) < least + 1e-9)


@properties
@given(data=st.data())
def test_a_larger_sample_of_the_same_shares_is_pruned_less_by_chi_square(tables, data):
    tree = grown(data, tables)
    tenfold = replace(tree, counts=tree.counts * 10)
    assert pruning.chi_square(tree).n_nodes <= pruning.chi_square(tenfold).n_nodes
