"""Learners from experience: begin, step, Ctrl-C, files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest
from sklearn.base import clone

from induce.core.errors import InputError, ModelFileError
from induce.core.experience import ExperienceLearner
from induce.core.hypothesis import Hypothesis
from induce.core.interrupts import whole_fits
from induce.core.notes import Note
from induce.core.progress import progress


@dataclass(frozen=True, eq=False)
class Sum(Hypothesis):
    total: int


class Adder(ExperienceLearner[tuple[int, int]]):
    """Adds what its source says at each step."""

    steps: ClassVar[str] = "numbers"

    def __init__(self, n=3):
        self.n = n

    def _begin(self, run):
        return (0, 0)

    def _step(self, run, state):
        step, total = state
        return (step + 1, total + run(step))

    def _share(self, state):
        return state[0] / self.n

    def _conclude(self, run, state):
        return Sum(state[1])


def test_learn_and_resume():
    adder = Adder()
    with pytest.raises(InputError, match="call its `learn` first"):
        adder.resume(lambda step: step)
    seen = []
    with progress(seen.append):
        adder.learn(lambda step: step)
    assert adder.hypothesis_ == Sum(3)
    assert seen == pytest.approx([1 / 3, 2 / 3, 1])
    assert adder.set_params(n=5).resume(lambda step: step).hypothesis_ == Sum(10)
    assert clone(adder).get_params() == {"n": 5}
    assert not hasattr(clone(adder), "hypothesis_")
    assert "Sum" in adder._repr_html_()


def test_ctrl_c_keeps_what_there_is_and_the_run_resumes():
    def stopped(step):
        if step == 2:
            raise KeyboardInterrupt
        return step

    adder = Adder(n=4)
    with pytest.warns(Note, match="numbers"):
        adder.learn(stopped)
    assert adder.hypothesis_ == Sum(1)
    assert adder.resume(lambda step: step).hypothesis_ == Adder(n=4).learn(lambda step: step).hypothesis_
    with whole_fits(), pytest.raises(KeyboardInterrupt):
        Adder(n=4).learn(stopped)


def test_a_run_that_fails_leaves_nothing():
    adder = Adder().learn(lambda step: step)
    with pytest.raises(ZeroDivisionError):
        adder.learn(lambda step: 1 // step)
    assert not hasattr(adder, "hypothesis_")
    assert not hasattr(adder, "state_")


def test_state_in_files():
    adder = Adder().learn(lambda step: step)
    again = Adder()
    again._restore(adder.hypothesis_, adder._resumable_state())
    assert again.set_params(n=4).resume(lambda step: step).hypothesis_ == Sum(6)
    with pytest.raises(ModelFileError, match="missing"):
        again._restore(adder.hypothesis_, None)
