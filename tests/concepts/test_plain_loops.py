"""Small problems are solved without a compiler, with the same result as with one."""

import numpy as np
import pytest

from induce.concepts import DisjunctiveVersionSpace, _loops
from induce.concepts.hypothesis_counter import outermost
from induce.core import loops

pytestmark = pytest.mark.compiled


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_plain_and_compiled_loops_agree(monkeypatch):
    rng = np.random.default_rng(4)
    runs = np.sort(rng.integers(0, 6, (80, 3, 2)), axis=2)
    X, y = rng.integers(0, 4, (30, 3)).astype(float), rng.choice(["a", "b", "c"], 30)
    found = []
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
        kept = [outermost(runs, general).tolist() for general in (False, True)]
        learned = DisjunctiveVersionSpace(matches=2, violations=1).fit(X, y).hypothesis_
        found.append((kept, learned.votes(X).tolist()))
    assert found[0] == found[1]
    assert np.any(found[0][1])
    assert loops.is_compiled(_loops.minimal)
