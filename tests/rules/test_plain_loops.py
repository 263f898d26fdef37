"""Small tables are learned without a compiler, and give the same rules as with one."""

import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris

import induce
from induce.core import loops
from induce.core.trace import trace

pytestmark = pytest.mark.compiled

LEARNERS = {
    "seeds": induce.AQ(),
    "beam": induce.CN2(),
    "list": induce.CN2(ordered=True, significance=0.1),
    "entropy": induce.RuleLearner(measure="entropy", ordered=True),
    "gain, sets": induce.RuleLearner(measure="foil-gain", nominal="sets"),
    "others": induce.RuleLearner(measure="m-estimate", nominal="not-equal", pruning="reduced-error"),
    "upwards": induce.RuleLearner(direction="specific-to-general", random_state=1),
    "exact": induce.PRISM(),
    "optimised": induce.RIPPER(random_state=1),
    "partial trees": induce.PART(),
}


@pytest.fixture
def table(scored):
    X, score = scored
    y = np.select([score > 6, score > 3], ["high", "middle"], "low")
    return X, y, np.random.default_rng(5).choice([0.0, 0.3, 1.0, 2.7], len(X))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("name", LEARNERS)
def test_plain_and_compiled_loops_find_the_same_rules(name, table, monkeypatch):
    X, y, weights = table
    for sample_weight in (None, weights):
        found = []
        for plain_work in (np.inf, -1.0):
            monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
            with trace() as events:
                rules = LEARNERS[name].fit(X, y, sample_weight=sample_weight).hypothesis_
            found.append((str(rules), [repr(event) for event in events]))
        assert found[0] == found[1]


@pytest.mark.parametrize(
    "learner", [induce.AQ(), induce.CN2(), induce.PRISM(), induce.RIPPER(), induce.PART()]
)
def test_a_small_table_needs_no_compiler(learner, monkeypatch):
    compiled = []
    monkeypatch.setattr(loops, "_done", {})
    monkeypatch.setattr(loops, "compiled", lambda loop: compiled.append(loop) or loop)
    monkeypatch.delitem(sys.modules, "numba", raising=False)  # what is loaded already costs less
    learner.fit(*load_iris(return_X_y=True))
    assert compiled == []
