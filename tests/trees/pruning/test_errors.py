"""Pruning: reduced error, error-based and cost-complexity, on the books' trees and on random ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.datasets import make_classification

import induce
from induce.data.dataset import Dataset
from induce.data.table import encode
from induce.data.training import Examples
from induce.statistics.intervals import upper_limit
from induce.trees.hypothesis import Tree
from induce.trees.pruning import cost_complexity, error_based, reduced_error

close = pytest.approx
properties = settings(derandomize=True)


def examples(tree: Tree, X: Any, y: Any, weights: Any = None) -> Examples:
    labels = np.array([tree.classes.index(value) for value in y], dtype=np.int64)
    return Examples(encode(X, tree.schema), labels, weights, len(tree.classes))


def planted(shape: Any, data: Dataset) -> Tree:
    """A tree made by hand, with the counts of the data; {"Outlook": [branch, ...]} is a test, None a leaf."""
    schema = data.input_schema
    attribute, first, n_branches = [], [], []
    waiting = [shape]
    end = 1
    while waiting:
        node = waiting.pop(0)
        if node is None:
            attribute.append(-1)
            first.append(-1)
            n_branches.append(0)
        else:
            ((name, branches),) = node.items()
            attribute.append(schema.names().index(name))
            first.append(end)
            n_branches.append(len(branches))
            end += len(branches)
            waiting += branches
    n = len(attribute)
    classes = tuple(data.y.dtype.categories.to_list())
    columns = (np.array(column, np.int32) for column in (attribute, first, n_branches))
    attributes, firsts, branches = columns
    tree = Tree(
        schema=schema,
        target="PlayTennis",
        classes=classes,
        attribute=attributes,
        threshold=np.full(n, np.nan),
        first=firsts,
        n_branches=branches,
        map_start=np.full(n, -1, np.int32),
        branch_map=np.empty(0, np.int32),
        counts=np.zeros((n, len(classes))),
    )
    on = examples(tree, data.X, data.y)
    counted = replace(tree, counts=tree.route(on.table, on.labels, on.weight()))
    counted.check()
    return counted


TREE_N = {"Outlook": [{"Humidity": [None, {"Temperature": [None] * 3}]}, None, {"Wind": [None, None]}]}
TREE_R = {"Outlook": [{"Temperature": [None, {"Humidity": [None] * 2}, None]}, None, {"Wind": [None, None]}]}


@pytest.fixture(scope="module")
def figure_3_1() -> Tree:
    return induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_


@pytest.fixture(scope="module")
def every_instance(figure_3_1) -> tuple[pl.DataFrame, np.ndarray]:
    """All 36 instances with the labels of figure 3.1."""
    schema = figure_3_1.schema
    X = pl.DataFrame(
        list(product(*(column.domain for column in schema))),
        schema={column.name: pl.Enum(column.domain) for column in schema},
        orient="row",
    )
    return X, figure_3_1.predict(X)


def right(tree: Tree, instances: Any) -> int:
    X, y = instances
    return int((tree.predict(X) == y).sum())


def cut_at(tree: Tree, *nodes: int) -> Tree:
    return tree.cut(np.isin(np.arange(tree.n_nodes), nodes))


def node_at(tree: Tree, *branches: int) -> int:
    node = 0
    for branch in branches:
        node = tree.children(node)[branch]
    return node


# --- reduced-error pruning -----------------------------------------------------------------------------------


def test_reduced_error_pruning_of_tree_n(every_instance, figure_3_1, structure):  # O3.8
    tree = planted(TREE_N, induce.dataset("play-tennis-noisy"))
    assert tree.size() == "11 nodes, 7 leaves, depth 3"
    assert right(tree, every_instance) == 34
    assert right(cut_at(tree, 0), every_instance) == 24
    assert right(cut_at(tree, node_at(tree, 0)), every_instance) == 30
    assert right(cut_at(tree, node_at(tree, 0, 1)), every_instance) == 36
    assert right(cut_at(tree, node_at(tree, 2)), every_instance) == 28
    with induce.trace("prune") as events:
        pruned = reduced_error(tree, examples(tree, *every_instance))
    assert right(pruned, every_instance) == 36
    assert structure(pruned) == structure(figure_3_1)
    assert pruned.n_nodes == 8
    assert [(e["errors_before"], e["errors_after"]) for e in events] == [(2, 0)]


def test_reduced_error_pruning_of_tree_r(every_instance):  # O3.8
    noisy = induce.dataset("play-tennis-noisy")
    tree = planted(TREE_R, noisy)
    assert right(tree, every_instance) == 32
    assert right(cut_at(tree, 0), every_instance) == 24
    assert right(cut_at(tree, node_at(tree, 0)), every_instance) == 30
    assert right(cut_at(tree, node_at(tree, 0, 1)), every_instance) == 30
    assert right(cut_at(tree, node_at(tree, 2)), every_instance) == 26
    assert reduced_error(tree, examples(tree, *every_instance)) == tree
    assert str(induce.ID3().fit(*noisy).hypothesis_) == str(tree)


@properties
@given(data=st.data())
def test_reduced_error_pruning_never_raises_the_validation_error(tables, data):
    X, y = data.draw(tables(missing=True, least_rows=4))
    tree = induce.ID3().fit(X, y).hypothesis_
    rows = data.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=10))
    validation = examples(tree, X[rows], y[rows])
    pruned = reduced_error(tree, validation)

    def errors(of: Tree) -> float:
        """As pruning counts them: the fractions of a row that end in leaves of another class."""
        counts = of.route(validation.table, validation.labels, validation.weight())
        leaves = np.flatnonzero(of.attribute < 0)
        return float(sum(counts[leaf].sum() - counts[leaf, of.majority[leaf]] for leaf in leaves))

    assert errors(pruned) <= errors(tree) + 1e-9
    assert pruned.n_nodes <= tree.n_nodes


def test_reduced_error_pruning_holds_out_a_share_of_every_class():
    X, y = make_classification(300, n_informative=5, flip_y=0.2, random_state=3)
    full = induce.ID3().fit(X, y).hypothesis_
    learner = induce.ID3(pruning="reduced-error").fit(X, y)
    pruned = learner.hypothesis_
    assert pruned.counts.sum() < full.counts.sum()
    assert pruned.counts[0].sum() == 200
    assert pruned.n_nodes < full.n_nodes
    assert induce.ID3(pruning="reduced-error", random_state=0).fit(X, y).hypothesis_ == pruned
    assert induce.ID3(pruning="reduced-error", random_state=1).fit(X, y).hypothesis_ != pruned


# --- error-based pruning -------------------------------------------------------------------------------------


def estimated_errors(counts: np.ndarray, cf: float = 0.25) -> float:
    """C4.5's estimate for a leaf: exact for no error, a normal limit from one error on, a line in between."""
    n, seen = float(counts.sum()), float(counts.sum() - counts.max())
    if n == 0:
        return 0.0
    e = max(seen, 1.0)
    z = norm.ppf(1 - cf)
    if e + 0.5 >= n:
        added = max(n - e, 0.0)
    else:
        f = (e + 0.5) / n
        root = np.sqrt(f / n - f * f / n + z * z / (4 * n * n))
        added = (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e
    base = n * (1 - cf ** (1 / n))
    return seen + (added if seen >= 1 else base + seen * (added - base))


def test_the_estimate_without_errors_is_the_exact_limit():  # O3.9: U(0,6) = .2063, U(0,9) = .1428, U(0,1) = .75
    for n, limit in [(6, 0.2063), (9, 0.1428), (1, 0.75)]:
        assert estimated_errors(np.array([n, 0.0])) / n == close(limit, abs=1e-4)
        assert float(upper_limit(0, n, 0.25)) == close(limit, abs=1e-4)


def without_raising(tree: Tree, node: int = 0) -> tuple[float, set[int]]:
    """The estimated errors of a subtree and the nodes to be made leaves in it, bottom up."""
    as_leaf = estimated_errors(tree.counts[node])
    if tree.attribute[node] < 0:
        return as_leaf, set()
    parts = [without_raising(tree, child) for child in tree.children(node)]
    as_tree = sum(errors for errors, _ in parts)
    if as_leaf <= as_tree + 0.1:
        return as_leaf, {node}
    return as_tree, set().union(*(cut for _, cut in parts))


@properties
@given(data=st.data())
def test_error_based_pruning_is_the_reference_s(tables, data):
    X, y = data.draw(tables(missing=True, most_rows=25))
    tree = induce.C45(pruning=None, min_samples_leaf=1).fit(X, y).hypothesis_
    expected = cut_at(tree, *without_raising(tree)[1])
    found = error_based(tree, examples(tree, X, y), 0.25, raising=False)
    assert found.attribute.tolist() == expected.attribute.tolist()
    assert found.counts == close(expected.counts)


@properties
@given(data=st.data())
def test_error_based_pruning_makes_trees_smaller(tables, data):
    X, y = data.draw(tables(missing=True, most_rows=25))
    full = induce.C45(pruning=None).fit(X, y).hypothesis_
    sizes = [induce.C45(confidence_factor=cf).fit(X, y).hypothesis_.n_nodes for cf in (0.5, 0.25)]
    assert max(sizes) <= full.n_nodes


def test_subtree_raising_replaces_a_test_by_its_largest_branch():
    """`a` splits off one example; below, `b` tells the classes apart everywhere, and so is enough."""
    rng = np.random.default_rng(0)
    b = rng.integers(0, 2, 400)
    y = np.where(rng.random(400) < 0.03, 1 - b, b)
    a = np.zeros(400, int)
    a[:6] = 1
    X = pl.DataFrame({"a": a, "b": b}).cast(pl.String)
    grown = planted({"a": [{"b": [None, None]}, None]}, induce.read(X.with_columns(y=y.astype(str)), "y"))
    kept = error_based(grown, examples(grown, X, y.astype(str)), 0.25, raising=False)
    raised = error_based(grown, examples(grown, X, y.astype(str)), 0.25, raising=True)
    assert kept.tested(0).name == "a"
    assert (raised.tested(0).name, raised.n_nodes) == ("b", 3)
    assert raised.counts[0].tolist() == [(y == 0).sum(), (y == 1).sum()]
    expected = [[((b == v) & (y == c)).sum() for c in (0, 1)] for v in (0, 1)]
    assert raised.counts[1:].tolist() == expected


@properties
@given(data=st.data())
def test_the_counts_of_a_raised_tree_are_those_of_its_training_rows(tables, data):
    X, y = data.draw(tables(most_rows=25))
    tree = induce.C45(min_samples_leaf=1).fit(X, y).hypothesis_
    tree.check()
    on = examples(tree, X, y)
    assert tree.route(on.table, on.labels, on.weight()) == close(tree.counts)


@pytest.mark.parametrize("factor", [0, -1, 0.6, float("nan")])
def test_confidence_factor_out_of_range(factor):
    with pytest.raises(induce.InputError, match="confidence_factor is"):
        induce.C45(confidence_factor=factor).fit(*induce.dataset("play-tennis"))


# --- cost-complexity pruning ---------------------------------------------------------------------------------


def test_the_root_is_the_weakest_link_of_figure_3_1(figure_3_1):  # O3.18
    sequence = cost_complexity(figure_3_1)
    assert sequence.weakest[0] == close(0.0892857, abs=1e-7)
    assert sequence.alphas.tolist() == [0, close(5 / 14 / 4)]
    assert sequence.tree(figure_3_1, 0.089) == figure_3_1
    assert sequence.tree(figure_3_1, 0.0893).n_nodes == 1
    for branch in (0, 2):
        below = figure_3_1.counts[node_at(figure_3_1, branch)]
        assert (below.min() / 14) / (2 - 1) == close(0.142857, abs=1e-6)


def test_the_trees_of_the_sequence_shrink_to_the_root():
    X, y = make_classification(400, n_features=6, n_informative=4, flip_y=0.1, random_state=1)
    tree = induce.CART(pruning=None, min_samples_leaf=5).fit(X, y).hypothesis_
    links = cost_complexity(tree).alphas
    sizes = [cost_complexity(tree).tree(tree, alpha).n_leaves for alpha in links]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert (np.diff(links) > 0).all()


@properties
@given(data=st.data())
def test_each_tree_of_the_sequence_has_the_least_cost(tables, data):
    """Of all prunings (small trees have few), none costs less at alpha, and none as cheap has fewer leaves."""
    X, y = data.draw(tables(most_rows=8))
    tree = induce.ID3(max_depth=2).fit(X, y).hypothesis_
    inner = np.flatnonzero(tree.attribute >= 0)
    if len(inner) > 5:
        return
    total = tree.counts[0].sum()

    def cost(of: Tree, alpha: float) -> float:
        leaves = of.counts[of.attribute < 0]
        return float((leaves.sum() - leaves.max(axis=1).sum()) / total + alpha * of.n_leaves)

    prunings = [
        cut_at(tree, *(node for node, at in zip(inner, chosen, strict=True) if at))
        for chosen in product([False, True], repeat=len(inner))
    ]
    sequence = cost_complexity(tree)
    middles = (sequence.alphas[:-1] + sequence.alphas[1:]) / 2
    for alpha in [*middles, *sequence.alphas, sequence.alphas[-1] + 1]:
        found = sequence.tree(tree, float(alpha))
        cheapest = min(cost(pruning, alpha) for pruning in prunings)
        assert cost(found, alpha) == close(cheapest, abs=1e-9)
        as_cheap = [p.n_leaves for p in prunings if cost(p, alpha) < cheapest + 1e-9]
        assert found.n_leaves == min(as_cheap)


@pytest.mark.compiled
def test_alpha_given_and_alpha_chosen():
    X, y = make_classification(300, n_informative=5, flip_y=0.2, random_state=5)
    full = induce.CART(pruning=None).fit(X, y).hypothesis_
    sizes = [induce.CART(ccp_alpha=alpha).fit(X, y).hypothesis_.n_leaves for alpha in (0, 0.005, 0.02, 1)]
    assert sizes[0] <= full.n_leaves
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    chosen = induce.CART().fit(X, y).hypothesis_
    assert 1 < chosen.n_leaves < full.n_leaves / 2


@pytest.mark.compiled
def test_folds_may_be_a_splitter_or_pairs():
    from sklearn.model_selection import StratifiedKFold

    X, y = make_classification(200, n_informative=5, flip_y=0.2, random_state=5)
    folds = StratifiedKFold(4, shuffle=True, random_state=1)
    by_splitter = induce.CART(cv=folds).fit(X, y).hypothesis_
    assert induce.CART(cv=list(folds.split(X, y))).fit(X, y).hypothesis_ == by_splitter


@properties
@given(data=st.data())
def test_pruned_trees_are_never_larger(tables, data):
    X, y = data.draw(tables(missing=True, least_rows=4))
    for pruning in ("reduced-error", "error-based", "cost-complexity"):
        learner = induce.DecisionTreeClassifier(pruning=pruning, cv=3).fit(X, y)
        pruned = learner.hypothesis_
        pruned.check()
        if pruning != "reduced-error":  # which sees fewer rows
            assert pruned.n_nodes <= induce.DecisionTreeClassifier().fit(X, y).hypothesis_.n_nodes


@pytest.mark.parametrize(
    ("table", "sizes"), [("iris", {0.25: 9, 0.05: 7, 0.001: 7}), ("wine", {0.25: 9, 0.05: 9, 0.001: 9})]
)
def test_error_based_sizes_are_those_of_j48(table, sizes):
    X, y = induce.dataset(table)
    for confidence_factor, size in sizes.items():
        assert induce.C45(confidence_factor=confidence_factor).fit(X, y).hypothesis_.n_nodes == size


def test_error_based_does_not_keep_a_subtree_that_is_right_no_more_often_than_a_leaf():
    X, y = induce.dataset("iris")
    for tree in (induce.C45(confidence_factor=cf).fit(X, y).hypothesis_ for cf in (0.5, 0.1, 0.001)):
        wrong = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
        for node in np.flatnonzero(tree.attribute >= 0):
            below = [leaf for leaf, _ in tree.paths() if _is_below(tree, leaf, node)]
            assert wrong[below].sum() < wrong[node]


def _is_below(tree, node, above):
    while node > above:
        node = tree.parent[node]
    return node == above
