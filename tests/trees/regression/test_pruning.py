"""Pruning of regression trees: by weakest links, on examples held out, and by adjusted errors."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeRegressor as ScikitTree

import induce
from induce.core.errors import InputError
from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
from induce.trees.learners.model_tree import ModelTree
from induce.trees.regression import pruning as pruners

X, Y = load_diabetes(return_X_y=True)


def unpruned(leaf="constant", rows=slice(None), **parameters):
    learner = DecisionTreeRegressor(leaf=leaf, pruning=None, **parameters)
    examples = learner._measured(learner._read(X[rows], Y[rows], None))
    return learner.fit(X[rows], Y[rows]).hypothesis_, examples


def leaves_above(tree, alpha):
    total = float(tree.sse[0])
    return pruners.cut_at(tree, pruners.weakest_links(tree, total), alpha).n_leaves


def test_weakest_links_are_those_of_scikit_learn():
    tree, _ = unpruned(max_depth=6)
    theirs = ScikitTree(max_depth=6, random_state=0).cost_complexity_pruning_path(X, Y)
    variance = Y.var()
    links = pruners.weakest_links(tree, float(tree.sse[0]))
    ours = np.unique(np.append(links[np.isfinite(links)], 0.0))
    assert ours * variance == pytest.approx(theirs.ccp_alphas, rel=1e-6, abs=1e-9)
    for alpha in theirs.ccp_alphas[::7]:
        pruned = ScikitTree(max_depth=6, random_state=0, ccp_alpha=alpha + 1e-6).fit(X, Y)
        assert leaves_above(tree, (alpha + 1e-6) / variance) == pruned.get_n_leaves()


@pytest.mark.compiled
@pytest.mark.parametrize("leaf", ["constant", "linear"])
def test_errors_at_each_price_are_those_of_the_pruned_trees(leaf):
    tree, _ = unpruned(leaf, slice(0, 300), min_samples_leaf=8)
    _, held_out = unpruned(rows=slice(300, None), max_depth=0)
    links = pruners.weakest_links(tree, float(((Y[:300] - Y[:300].mean()) ** 2).sum()))
    finite = np.unique(links[np.isfinite(links)])
    alphas = np.concatenate([[0.0], (finite[1:] + finite[:-1]) / 2, [finite[-1] * 2]])
    passing, ending = pruners.passing_errors(tree, held_out, 2)
    by_alpha = pruners._by_alpha(tree, links, passing, alphas)
    for alpha, error in zip(alphas, by_alpha, strict=True):
        off = pruners.cut_at(tree, links, alpha).predict(X[300:]) - Y[300:]
        assert error == pytest.approx((off**2).sum())
    assert ending.sum() == pytest.approx(((tree.predict(X[300:]) - Y[300:]) ** 2).sum())


@pytest.mark.compiled
def test_the_price_is_within_one_standard_error_of_the_best():
    splits = list(KFold(5, shuffle=True, random_state=0).split(X))
    with induce.trace("level") as events:
        chosen = DecisionTreeRegressor(pruning="cost-complexity", cv=splits).fit(X, Y).hypothesis_
    [level] = events

    def errors(alpha):
        """Return the squared errors of trees pruned at the same price per example."""
        found = []
        for train, test in splits:
            own = alpha * Y.var() / Y[train].var()
            learner = DecisionTreeRegressor(pruning="cost-complexity", ccp_alpha=own).fit(X[train], Y[train])
            found.append((learner.predict(X[test]) - Y[test]) ** 2)
        return np.concatenate(found)

    assert errors(level["chosen"]).mean() == pytest.approx(level["error"])
    links = pruners.weakest_links(unpruned()[0], float(unpruned()[0].sse[0]))
    tried = np.unique(links[np.isfinite(links)])[-12:] * 1.01
    least = min((errors(alpha) for alpha in tried), key=np.mean)
    assert level["least"] == pytest.approx(least.mean(), rel=0.02)
    assert level["error"] <= level["least"] + least.std() / np.sqrt(len(Y)) * 1.05
    assert errors(level["chosen"] * 2).mean() > level["least"] + least.std() / np.sqrt(len(Y)) * 0.5
    assert 2 <= chosen.n_leaves <= 12


@pytest.mark.compiled
def test_a_price_can_be_given():
    sizes = [
        DecisionTreeRegressor(pruning="cost-complexity", ccp_alpha=alpha).fit(X, Y).hypothesis_.n_leaves
        for alpha in (0.0, 0.001, 0.01, 0.1, 1.0)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 300
    assert sizes[-1] == 1


@pytest.mark.compiled
@pytest.mark.parametrize("leaf", ["constant", "linear"])
def test_reduced_error_pruning_leaves_nothing_that_harms(leaf):
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(600, 4))
    target = np.where(inputs[:, 0] > 0, 5.0, -5.0) + rng.normal(size=600)
    learner = DecisionTreeRegressor(leaf=leaf, min_samples_leaf=5, pruning=None)
    held_out = learner._measured(learner._read(inputs[400:], target[400:], None))
    full = learner.fit(inputs[:400], target[:400]).hypothesis_
    with induce.trace("prune") as events:
        pruned = pruners.reduced_error(full, held_out)
    assert 2 <= pruned.n_leaves < full.n_leaves / 3

    def error(tree):
        return ((tree.predict(inputs[400:]) - target[400:]) ** 2).sum()

    assert events[0]["sse_before"] == pytest.approx(error(full))
    assert events[-1]["sse_after"] == pytest.approx(error(pruned))
    for node in np.flatnonzero(pruned.attribute >= 0):
        at = np.zeros(pruned.n_nodes, bool)
        at[node] = True
        assert error(pruned.cut(at)) > error(pruned)


def test_reduced_error_pruning_holds_out_a_share():
    learner = DecisionTreeRegressor(pruning="reduced-error", validation_fraction=0.25)
    first, again = learner.fit(X, Y).hypothesis_, learner.fit(X, Y).hypothesis_
    assert first == again
    assert first.n[0] == len(Y) - round(len(Y) / 4)
    assert first.n_leaves < 60
    with pytest.raises(InputError, match=r"validation_fraction is 0\.25, which of 1 rows leaves none"):
        learner.fit(X[:1], Y[:1])


@pytest.mark.parametrize("leaf", ["constant", pytest.param("linear", marks=pytest.mark.compiled)])
def test_adjusted_errors_decide_node_by_node(leaf):
    full, examples = unpruned(leaf, min_samples_leaf=4)
    pruned = pruners.adjusted_error(full, examples)
    assert 1 <= pruned.n_leaves < full.n_leaves / 3

    def estimate(tree, node):
        """Return the adjusted error of the subtree at a node, and how many numbers it has."""
        below, sse, v = [node], 0.0, 0.0
        while below:
            here = below.pop()
            if tree.attribute[here] < 0:
                sse += tree.sse[here]
                v += 1 + np.count_nonzero(tree.coefficients[here])
            else:
                v += 1
                below += tree.children(here)
        return np.sqrt(sse / tree.n[node]) * (tree.n[node] + 2 * v) / (tree.n[node] - v)

    for node in np.flatnonzero(pruned.attribute >= 0):
        at = np.zeros(pruned.n_nodes, bool)
        at[node] = True
        cut = pruned.cut(at)
        alone = cut.n == pruned.n[node]
        leaf_here = np.flatnonzero(alone & (cut.mean == pruned.mean[node]))[0]
        assert estimate(pruned, node) < estimate(cut, leaf_here)


def test_leaves_of_single_examples_are_pruned():
    inputs, target = np.arange(8.0)[:, None], np.array([0.0, 1, 0, 1, 10, 11, 10, 11])
    tree = DecisionTreeRegressor(pruning="adjusted-error").fit(inputs, target).hypothesis_
    assert str(tree) == "x0 <= 3.5: y = 0.5 (n=4, sd 0.5)\nx0 > 3.5: y = 10.5 (n=4, sd 0.5)"


@pytest.mark.compiled
def test_a_switch_between_two_lines_is_kept_and_noise_is_not():
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(400, 8))
    noise = rng.normal(size=400)
    switch = np.where(inputs[:, 0] > 0, inputs[:, 1], -inputs[:, 1]) * 3
    tree = ModelTree().fit(inputs, switch + noise).hypothesis_
    assert tree.n_leaves == 2
    assert tree.tested(0).name == "x0"
    assert abs(tree.threshold[0]) < 0.05
    assert ModelTree().fit(inputs, inputs[:, 0] - 2 * inputs[:, 1] + noise).hypothesis_.n_leaves == 1


@pytest.mark.compiled
def test_model_trees_come_close_to_the_noise():
    inputs, target = make_friedman1(3000, noise=1.0, random_state=0)
    more, truth = make_friedman1(1000, noise=1.0, random_state=1)

    def rmse(learner):
        return np.sqrt(((learner.fit(inputs, target).predict(more) - truth) ** 2).mean())

    assert rmse(ModelTree()) < 1.2
    assert rmse(DecisionTreeRegressor(pruning="cost-complexity")) > 2


def test_folds_that_test_nothing_are_refused():
    with pytest.raises(InputError, match="cv leaves no training rows or no test rows"):
        DecisionTreeRegressor(pruning="cost-complexity", cv=[(np.arange(442), np.arange(0))]).fit(X, Y)


@pytest.mark.compiled
def test_folds_skip_rows_without_weight():
    weights = np.ones(len(Y))
    weights[:100] = 0
    splits = list(KFold(4).split(X))
    kept = [(a[a >= 100] - 100, b[b >= 100] - 100) for a, b in splits]
    kept = [(a, b) for a, b in kept if len(b)]
    weighted = DecisionTreeRegressor(pruning="cost-complexity", cv=splits).fit(X, Y, sample_weight=weights)
    fewer = DecisionTreeRegressor(pruning="cost-complexity", cv=kept).fit(X[100:], Y[100:])
    assert weighted.hypothesis_.n_nodes == fewer.hypothesis_.n_nodes
    assert weighted.predict(X) == pytest.approx(fewer.predict(X))
