"""Loops, plain and compiled: which one follows from the work, and the result is the same."""

import re

import numpy as np
import pytest

from induce.core import loops
from induce.core.loops import PLAIN_WORK, _stamp, compiled, inner, loop, sized

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


@pytest.mark.compiled
def test_little_work_runs_plain():
    assert sized(total, PLAIN_WORK) is total
    assert sized(total, PLAIN_WORK + 1) is not total


@pytest.mark.compiled
def test_all_work_runs_plain_where_that_is_asked_for(monkeypatch):
    compiled(total)
    monkeypatch.setattr(loops, "always_plain", True)
    assert sized(total, PLAIN_WORK + 1) is total
    assert not loops.is_compiled(total)
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
    with pytest.raises(TypeError, match="half is called by other loops only"):
        compiled(half)


@pytest.mark.compiled
def test_the_cache_tells_imported_loops_apart():
    from induce.environments.games import _backgammon_loops as rules
    from induce.reinforcement.selfplay import _backgammon_loops as players

    assert compiled(rules.legal_moves).py_func.__qualname__ == "legal_moves"
    assert compiled(players.self_play).py_func.__qualname__ == f"self_play{_stamp(players.__name__)}"
    assert re.fullmatch("_[0-9a-f]{8}", _stamp(players.__name__))
