"""Little is learned from relations without a compiler, and as with one."""

import subprocess
import sys

import numpy as np
import pytest

from induce.core import loops
from induce.core.loops import compiled
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.relational.learners.foil import FOIL
from induce.relational.learners.progol import Progol
from induce.relational.learners.program_learner import ProgramLearner
from induce.relational.progol import _loops as _progol_loops

pytestmark = pytest.mark.compiled

PEOPLE = [f"p{k}" for k in range(10)]
PARENTS = " ".join(f"parent(p{k}, p{2 * k + 1}). parent(p{k}, p{2 * k + 2})." for k in range(4))
AGES = " ".join(f"age({name}, {80 - 9 * k})." for k, name in enumerate(PEOPLE))
SEXES = " ".join(f"sex({name}, {('female', 'male')[k % 2]})." for k, name in enumerate(PEOPLE))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("learner", [FOIL, Progol])
def test_plain_and_compiled_loops_learn_the_same(learner, monkeypatch):
    grandfathers = {(k, m) for k in (1,) for m in range(3 + 4 * k, 7 + 4 * k)}
    rows = [(one, other) for one in PEOPLE for other in PEOPLE]
    inside = [
        any(row == (f"p{k}", f"p{m}") for k, m in grandfathers) or (int(row[0][1:]) > 6 and row[0] == row[1])
        for row in rows
    ]
    found = []
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
        learned = learner(Relations(program=f"{PARENTS} {AGES} {SEXES}"), "related").fit(rows, inside)
        found.append((str(learned.hypothesis_), learned.predict(rows).tolist()))
    assert found[0] == found[1]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_bits_are_counted_alike():
    rng = np.random.default_rng(2)
    base, other = rng.integers(0, 2**64, (2, 6), np.uint64)
    masks = rng.integers(0, 2**64, (5, 6), np.uint64)
    rows, rest = rng.integers(0, 2**64, 6, np.uint64), rng.integers(0, 2**64, 3, np.uint64)
    example = np.sort(rng.integers(0, 190, 384))
    which = np.array([4, 0, 2])
    calls = {
        _progol_loops.count_both: (base, other, 3, 10),
        _progol_loops.count: (base, masks, which, 4, 55),
        _progol_loops.count_rows: (rows, masks, which, example, rest, 2, 20),
        _progol_loops.examples_of_rows: (rows, example, 3),
    }
    for loop, given in calls.items():
        with np.errstate(over="ignore"):
            plain = loop(*given)
        fast = compiled(loop)(*given)
        assert [np.asarray(each).tolist() for each in plain] == [np.asarray(each).tolist() for each in fast]


def test_foil_needs_no_compiler_for_few_examples():
    code = (
        "import sys; from induce.relational.learners.foil import FOIL; "
        "from induce.logic.background.relations import Relations; "
        "facts = Relations(program='parent(a, b). parent(b, c). parent(c, d).'); "
        "rows = [(x, y) for x in 'abcd' for y in 'abcd']; "
        "truth = [row in (('a', 'c'), ('b', 'd')) for row in rows]; "
        "assert FOIL(facts, 'grandparent').fit(rows, truth).predict(rows).tolist() == truth; "
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_programs_are_judged_alike(monkeypatch):
    lists = "head([X|_], X). tail([_|T], T). empty([])."
    signs = ("+list", "-item")
    modes = [Mode("last", signs, head=True), Mode("last", signs), Mode("head", signs)]
    modes += [Mode("tail", ("+list", "-list")), Mode("empty", ("+list",))]
    rows = [([1, 2, 3], 3), ([4], 4), ([5, 6], 6), ([1, 2], 1), ([3, 4, 5], 4), ([7, 8, 9], 7)]
    found = []
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
        learned = ProgramLearner(Relations(program=lists, modes=modes), "last")
        learned.fit(rows, [True] * 3 + [False] * 3)
        found.append((str(learned.hypothesis_), learned.n_theories_))
    assert found[0] == found[1]
    assert found[0][1] > 0
