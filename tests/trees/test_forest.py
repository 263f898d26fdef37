"""Many trees in one loop: the same sums, plain and compiled."""

import numpy as np
import pytest

import induce
from induce.core.loops import compiled
from induce.trees import _forest_loops
from induce.trees.forest import Forest


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["iris", "play-tennis"])
def test_plain_and_compiled_loops_add_the_same(name):
    X, y = induce.dataset(name)
    trees = induce.RandomForest(n_estimators=5).fit(X, y).hypothesis_.members
    forest = Forest.of(trees, [tree.distribution for tree in trees])
    table = trees[0].encoded(X)
    numeric = table.numeric if table.numeric.shape[1] else np.zeros((len(table), 1))
    found = []
    for loop in (_forest_loops.add_leaves, compiled(_forest_loops.add_leaves)):
        out = np.zeros((len(table), len(trees[0].classes)))
        loop(forest.nodes, numeric, table.nominal, out)
        found.append(out)
    assert (found[0] == found[1]).all()
    assert found[0] == pytest.approx(sum(tree.predict_proba(X) for tree in trees))
