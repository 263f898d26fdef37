"""Loops, plain and compiled: which one follows from the work, and the result is the same."""

import os
import re
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from induce.core import loops
from induce.core.loop_cache import is_cached
from induce.core.loops import COMPILING, LOADING, PLAIN_WORK, _stamp, compiled, inner, loop, repeated, sized

STEP = 2.0


@loop
def part(x):
    return x * STEP


@inner
def half(x):
    return x / 2


@loop
def total(values):
    found = 0.0
    for value in values:
        found += half(part(value))
    return found


@loop
def half_total(values):
    return half(total(values))


@pytest.fixture
def fresh(monkeypatch):
    """Forget what was compiled and what plain loops did; nothing is in the cache."""
    for name in ("_compiled", "_at_hand", "_prices", "_done"):
        monkeypatch.setattr(loops, name, {})
    monkeypatch.setattr(loops, "is_cached", lambda function: False)
    monkeypatch.setattr(loops, "_n_instructions", lambda function: 3 * COMPILING)


LOAD = LOADING * PLAIN_WORK
PRICE = LOAD + 3 * PLAIN_WORK
"""Plain work that costs as much as compiling a loop of the fixture."""


@pytest.mark.compiled
def test_little_work_runs_plain(fresh):
    assert sized(total, PLAIN_WORK) is total
    assert sized(total, 10 * PLAIN_WORK) is not total


@pytest.mark.compiled
def test_a_loop_that_nobody_compiled_runs_plain_longer(fresh, monkeypatch):
    assert sized(total, PRICE) is total
    monkeypatch.setattr(loops, "_prices", {})
    monkeypatch.setattr(loops, "_done", {})
    monkeypatch.setattr(loops, "is_cached", lambda function: True)
    import_module("numba")  # the compiler is loaded
    assert sized(total, LOAD) is total
    assert sized(total, 1) is not total


@pytest.mark.compiled
def test_the_compiler_is_loaded_for_the_work_of_all_loops(fresh, monkeypatch):
    monkeypatch.setattr(loops, "is_cached", lambda function: True)
    monkeypatch.delitem(sys.modules, "numba")
    assert sized(total, 2 * LOAD) is total
    loops.spend(part, PLAIN_WORK)
    assert sized(total, 2 * LOAD) is not total


def test_instructions_are_counted_with_those_of_called_loops():
    own = [len(each.__code__.co_code) // 2 for each in (total, half, part)]
    assert loops._n_instructions(total) == sum(own)


@pytest.mark.compiled
def test_what_plain_loops_did_adds_up(fresh):
    assert [sized(total, PRICE) is total for _ in range(3)] == [True, False, False]
    assert [sized(half_total, PRICE / 100) is half_total for _ in range(150)] == [True] * 100 + [False] * 50
    assert [repeated(part, PRICE / 2) is part for _ in range(4)] == [True, True, False, False]


@pytest.mark.compiled
def test_a_call_is_a_share_of_its_run(fresh):
    assert all(sized(total, PRICE, share=0.1) is total for _ in range(10))
    assert sized(total, PRICE) is not total


@pytest.mark.compiled
def test_runs_that_are_to_come_count(fresh):
    with loops.expecting(10):
        with loops.expecting(10):
            assert sized(total, PLAIN_WORK / 10) is not total
            assert repeated(part, PLAIN_WORK / 10) is not part
        assert sized(total, PLAIN_WORK / 20) is total


@pytest.mark.compiled
def test_a_compiled_loop_runs_however_little_there_is_to_do(fresh, monkeypatch):
    """What is compiled is asked for the types of the arguments: whole numbers are not floats."""
    assert sized(total, 1) is total
    compiled(total)(np.ones(3))
    chosen = sized(total, 1)
    assert chosen is not total
    ran = []
    monkeypatch.setattr(chosen, "plain", lambda values: ran.append(values.dtype.kind) or total(values))
    before = len(compiled(total).overloads)
    assert chosen(np.ones(3)) == chosen(np.ones(3, np.int64)) == chosen(np.ones(6)[::2]) == 3.0
    assert ran == ["i", "f"]
    assert len(compiled(total).overloads) == before
    compiled(total)(np.ones(3, np.int64))
    assert chosen(np.ones(3, np.int64)) == 3.0
    assert ran == ["i", "f"]


@pytest.mark.compiled
def test_arguments_without_a_type_run_plain(fresh):
    compiled(total)(np.ones(3))
    assert sized(total, 1)([Fraction(1)]) == 1.0


ASKING = """
from induce.core.loop_cache import is_cached
from induce.core.loops import compiled
from some_loops import double

before = is_cached(double)
compiled(double)(1.0)
print(before, is_cached(double))
"""


@pytest.mark.compiled
@pytest.mark.parametrize("told", ["", "elsewhere"])
def test_the_disk_is_asked_for_the_text_as_it_is(told, tmp_path):
    """The compiler's index of a loop names the text that was compiled; another text is another loop."""
    source = tmp_path / "some_loops.py"
    text = "from induce.core.loops import loop\n\n\n@loop\ndef double(x):\n    return 2 * x\n"
    where = str(tmp_path / told) if told else ""
    found = []
    for now in (text, "", text + "\n"):
        if now:  # written again, it would be another file for compilers that go by its time
            source.write_text(now, encoding="utf-8")
        path = os.pathsep.join([str(tmp_path), str(Path(loops.__file__).parents[2])])
        environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": where}
        done = subprocess.run(
            [sys.executable, "-c", ASKING],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        )
        found.append(done.stdout.strip())
    assert found == ["False True", "True True", "False True"]


def test_a_loop_that_was_typed_in_is_not_on_the_disk():
    assert not is_cached(loop(eval("lambda x: x")))


@pytest.mark.compiled
def test_all_feasible_work_runs_plain_where_that_is_asked_for(monkeypatch):
    compiled(total)(np.ones(3))
    monkeypatch.setattr(loops, "always_plain", True)
    monkeypatch.setattr(loops, "_done", {})
    assert sized(total, loops.MOST_PLAIN) is total
    assert not loops.is_compiled(total)
    assert sized(total, loops.MOST_PLAIN + 1) is not total
    monkeypatch.setattr(loops, "always_plain", False)
    assert loops.is_compiled(total)


@pytest.mark.compiled
def test_both_give_the_same():
    values = np.random.default_rng(0).random(100)
    assert compiled(total)(values) == total(values)


@pytest.mark.compiled
def test_a_compiled_loop_calls_compiled_loops_and_leaves_the_plain_ones_alone():
    fast = compiled(total)
    assert fast is compiled(total)
    assert fast.py_func.__globals__["part"] is compiled(part)
    assert total.__globals__["part"] is part


def test_inner_loops_are_for_loops_only():
    assert half(3) == 1.5
    with pytest.raises(TypeError, match="half is only called by other loops"):
        compiled(half)


@pytest.mark.compiled
def test_the_cache_tells_imported_loops_apart():
    from induce.environments.games import _backgammon_loops as rules
    from induce.reinforcement.selfplay import _backgammon_loops as players

    assert compiled(rules.legal_moves).py_func.__qualname__ == "legal_moves"
    assert compiled(players.self_play).py_func.__qualname__ == f"self_play{_stamp(players.__name__)}"
    assert re.fullmatch("_[0-9a-f]{8}", _stamp(players.__name__))
