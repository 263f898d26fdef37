"""Split events: every learner of trees tells enough to draw its tree, node by node."""

import numpy as np
import pytest

import induce

LEARNERS = {
    "ID3": lambda: induce.ID3(),
    "CART": lambda: induce.CART(pruning=None),
    "CLS": lambda: induce.CLS(),
    "LookaheadTree": lambda: induce.LookaheadTree(),
    "OC1": lambda: induce.OC1(pruning=None, random_state=0, restarts=1),
    "LMDT": lambda: induce.LMDT(pruning=None),
    "bins": lambda: induce.DecisionTreeClassifier(bins=16, pruning=None),
}


def children(tree, node):
    return [int(tree.first[node]) + b for b in range(int(tree.n_branches[node]))]


@pytest.mark.parametrize("name", LEARNERS)
def test_the_splits_are_the_inner_nodes_of_the_tree(name):
    X, y = induce.dataset("iris")
    with induce.trace("split", inner=False) as events:
        tree = LEARNERS[name]().fit(X, y).hypothesis_
    inner = {int(node) for node in np.flatnonzero(tree.first >= 0)}
    assert {event["node"] for event in events} == inner
    for event in events:
        below = children(tree, event["node"])
        np.testing.assert_allclose(event["branches"], tree.counts[below])
        np.testing.assert_allclose(event["counts"], tree.counts[event["node"]])
        told = np.nan if event["threshold"] is None else event["threshold"]
        np.testing.assert_equal(told, tree.threshold[event["node"]])
        if event["node"] == 0:
            assert event["parent"] is event["branch"] is None
        else:
            assert children(tree, event["parent"])[event["branch"]] == event["node"]


def test_branches_of_nominal_columns_are_told_by_every_search():
    X, y = induce.dataset("play-tennis")
    for learner in (induce.CLS(), induce.LookaheadTree(), induce.OC1(random_state=0)):
        with induce.trace("split", inner=False) as events:
            learner.fit(X, y)
        root = events[0]
        assert root["threshold"] is None
        assert np.sum(root["branches"], axis=0).tolist() == [9, 5]


def test_a_regression_tree_tells_rows_mean_and_error_of_its_branches():
    numbers = induce.dataset("iris").X.to_numpy()
    with induce.trace("split", inner=False) as events:
        tree = induce.DecisionTreeRegressor(pruning=None).fit(numbers[:, :3], numbers[:, 3]).hypothesis_
    assert {event["node"] for event in events} == set(np.flatnonzero(tree.first >= 0).tolist())
    for event in events:
        below = children(tree, event["node"])
        assert [each["n"] for each in event["branches"]] == tree.n[below].tolist()
        assert [each["mean"] for each in event["branches"]] == tree.mean[below].tolist()
        assert event["threshold"] == tree.threshold[event["node"]]
        if event["parent"] is not None:
            assert children(tree, event["parent"])[event["branch"]] == event["node"]
