"""Searches are ended by their work: a busy machine, whose clock runs fast, learns the same theories."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import induce
from induce.core.notes import Note
from induce.relational.clauses.limits import Budget, Deadline
from induce.relational.learners import strategies

ROOT = Path(__file__).resolve().parents[3]
CLOCKS = ("time", "monotonic", "perf_counter", "process_time")


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


def problems() -> Iterator[Any]:
    """Yield twenty problems."""
    from benchmarks import relational_problems as drawn
    from benchmarks.relational_families import family

    for relation in ("daughter", "grandparent", "uncle", "aunt", "ancestor"):
        yield family(relation, 3)
        yield family(relation, 4)
        yield family(relation, 3, 0.1)
    yield from (drawn.trains(20), drawn.trains(60), drawn.reach(10))
    yield from (drawn.customers("category", 40), drawn.customers("amount", 40))


def background(problem: Any) -> Any:
    facts = (
        f"{name}({', '.join(map(str, row))})." if row else f"{name}."
        for name, rows in problem.train.facts.items()
        for row in rows
    )
    return induce.Relations(program="\n".join(facts))


def learned(problem: Any, **parameters: Any) -> Any:
    train = problem.train
    rows = [*train.positives, *train.negatives]
    labels = [True] * len(train.positives) + [False] * len(train.negatives)
    learner = induce.RelationalLearner(background(problem), problem.head.name, **parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        return learner.fit(rows, labels)


def run_fast(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], times: float = 10) -> None:
    """Let clocks run faster."""

    def faster(clock: Callable[[], float], start: float) -> Callable[[], float]:
        return lambda: start + times * (clock() - start)

    for name in names:
        clock = getattr(time, name)
        monkeypatch.setattr(time, name, faster(clock, clock()))


@pytest.fixture
def slow_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the limit allow little work, as in plain loops the same work takes longer."""
    few = tuple(
        strategies.Strategy(one.name, one.suits, one.learn, one.rate / 200) for one in strategies.STRATEGIES
    )
    monkeypatch.setattr("induce.relational.learners.relational_learner.STRATEGIES", few)


@pytest.mark.usefixtures("slow_work")
def test_the_same_theories_under_fast_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    given = list(problems())
    assert len(given) == 20
    before = [learned(problem) for problem in given]
    assert any(trial.cut for one in before for trial in one.trials_)
    run_fast(monkeypatch, CLOCKS)
    for problem, one in zip(given, before, strict=True):
        again = learned(problem)
        assert str(again.hypothesis_) == str(one.hypothesis_), problem.name
        assert again.stopped_ == one.stopped_
        assert [trial.cut for trial in again.trials_] == [trial.cut for trial in one.trials_]


@pytest.mark.usefixtures("slow_work")
def test_a_search_that_is_cut_says_so() -> None:
    from benchmarks.relational_families import family

    learner = learned(family("aunt", 4, 0.1), time_limit=1)
    cut = [trial for trial in learner.trials_ if trial.cut]
    assert cut
    assert all(str(trial).endswith(" s, cut by its limit") for trial in cut)
    assert learner.stopped_ == "the time limit of 1 s"


def test_a_search_that_ends_by_itself_says_nothing_of_limits() -> None:
    from benchmarks.relational_families import family

    whole = learned(family("daughter", 3))
    assert whole.stopped_ is None
    assert not any("cut" in str(trial) for trial in whole.trials_)


def test_processor_time_is_the_outer_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "process_time", lambda: now[0])
    deadline = Deadline(10, work=100)
    half = deadline.part(0.5)
    half.spend(49)
    assert not half.passed()
    now[0] = 11
    assert half.passed()
    assert half.stopped == "the time limit of 10 s"
    assert deadline.cut
    budget = Budget(None, candidates=5)
    assert budget.look_at(5, 10)
    assert budget.work == 50
    assert not budget.look_at(1)
