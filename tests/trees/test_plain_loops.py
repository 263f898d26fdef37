"""Small tables are learned without a compiler, and grow the same trees as with one."""

import subprocess
import sys

import numpy as np
import pytest

import induce
from induce.core import loops

pytestmark = pytest.mark.compiled

LEARNERS = {
    "gain": induce.ID3(),
    "gain ratio, holes": induce.C45(),
    "pruned by costs": induce.CART(),
    "random": induce.DecisionTreeClassifier(criterion="random", random_state=3),
    "significance": induce.DecisionTreeClassifier(criterion="chi_square", significance=0.05),
    "surrogates": induce.DecisionTreeClassifier(missing="surrogate", nominal="subset"),
    "bins": induce.RandomForest(n_estimators=3),
    "numbers": induce.DecisionTreeRegressor(),
    "linear leaves": induce.ModelTree(),
    "hyperplanes": induce.OC1(restarts=1, pruning=None, max_depth=2),
    "linear machines": induce.LMDT(pruning=None, max_depth=2),
    "look-ahead": induce.LookaheadTree(),
    "costs": induce.CLS(max_depth=3),
}


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("name", LEARNERS)
def test_plain_and_compiled_loops_grow_the_same_tree(name, scored, monkeypatch):
    learner = LEARNERS[name]
    X, score = scored
    y = score if name in ("numbers", "linear leaves") else np.where(score > 5, "high", "low")
    found = []
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
        learned = learner.fit(X, y)
        found.append((str(learned.hypothesis_), learned.predict(X).tolist()))
    assert found[0] == found[1]


def test_a_small_tree_needs_no_compiler():
    code = (
        "import sys, induce; "
        "rows, y = [['s', 1], ['o', 2], ['s', 3]], ['no', 'yes', 'no']; "
        "assert induce.ID3().fit(rows, y).predict([['o', 1]])[0] == 'yes'; "
        "induce.IncrementalID3().fit([row[:1] for row in rows], y); induce.LookaheadTree().fit(rows, y); "
        "induce.LMDT().fit([[1, 2], [2, 1], [3, 2], [3, 3]], ['a', 'b', 'a', 'b']); "
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
