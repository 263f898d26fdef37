"""Few rounds are played without a compiler, and end as with one."""

import subprocess
import sys

import numpy as np
import pytest

import induce
from induce.core import loops

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize(
    "name", ["majority", "follow", "follow anew", "many classes", "winnow", "winnow of three"]
)
def test_plain_and_compiled_rounds_end_the_same(name, monkeypatch):
    learner, values = {
        "majority": (induce.WeightedMajority(beta=0.1), "ab"),
        "follow": (induce.RandomizedWeightedMajority(beta=0.1), "ab"),
        "follow anew": (induce.RandomizedWeightedMajority(beta="no-regret"), "ab"),
        "many classes": (induce.WeightedMajority(beta=0.01), "abcdefghij"),
        "winnow": (induce.Winnow(), "ab"),
        "winnow of three": (induce.Winnow(version=1), "abc"),
    }[name]
    # so many mistakes that weights vanish and are set anew
    X = np.random.default_rng(5).choice(list(values), (400, 5))
    found = []
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
        learned = learner.fit(X[:, 1:], X[:, 0])
        state = learned._units if "winnow" in name else learned._standing
        found.append(
            (learned.mistakes_, str(learned.hypothesis_), state.tolist(), learned.history_.mistakes.tolist())
        )
    assert found[0] == found[1]


def test_few_rounds_need_no_compiler():
    code = (
        "import sys, induce; "
        "rows = [['a', 'b'], ['b', 'b']]; "
        "assert induce.WeightedMajority().fit(rows, ['a', 'b']).mistakes_ <= 1; "
        "induce.RandomizedWeightedMajority().fit(rows, ['a', 'b']); induce.Winnow().fit(rows, ['a', 'b']); "
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
