"""The learner to start with: databases by joined tables, the choice among strategies, and advice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.relational_databases import FAMILIES, HARD
from benchmarks.relational_schemas import FRESH
from induce.core.notes import Note
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.logic.parsing import parse_program
from induce.relational.clauses.limits import Budget
from induce.relational.learners import relational_learner
from induce.relational.learners.relational_learner import RelationalLearner
from induce.relational.learners.strategies import Strategy, Task
from induce.relational.prejoin.conditions import round_number
from induce.relational.readers.problems import read_problem


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
@pytest.mark.parametrize("family", [*FAMILIES])
def test_the_rule_of_a_small_database_is_found_again(tmp_path: Path, family: str) -> None:
    made = FAMILIES[family](tmp_path / "made.db", 3, 1500, 2, HARD["dates"])
    problem = read_problem(made.path, made.target, label=made.label)
    learner = RelationalLearner(problem.background, problem.target).fit(problem.X, problem.y)
    assert learner.hypothesis_.errors() == 0
    assert learner.trials_[0].strategy == "pre-join"
    assert "@" in str(learner.hypothesis_)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
@pytest.mark.parametrize("family", [*FAMILIES])
def test_long_rules_of_keys_of_several_columns_are_found_again(tmp_path: Path, family: str) -> None:
    made = FAMILIES[family](tmp_path / "made.db", 3, 8000, 5, HARD["composite"])
    problem = read_problem(made.path, made.target, label=made.label)
    learner = RelationalLearner(problem.background, problem.target, time_limit=None)
    assert learner.fit(problem.X, problem.y).hypothesis_.errors() == 0


@pytest.mark.slow
def test_a_long_rule_over_many_joined_rows_is_found_within_the_default_limit(tmp_path: Path) -> None:
    made = FRESH["shop"](tmp_path / "made.db", 1001, 25_000, 8, HARD["plain"])
    problem = read_problem(made.path, made.target, label=made.label)
    learner = RelationalLearner(problem.background, problem.target, time_limit=8)
    assert learner.fit(problem.X, problem.y).hypothesis_.errors() == 0
    assert not learner.trials_[0].cut


def test_two_cars_of_a_train_are_told_apart() -> None:
    rng = np.random.default_rng(0)
    facts, rows, inside = [], [], []
    for train in range(60):
        cars = [
            (["red", "blue", "green"][rng.integers(3)], ["long", "short"][rng.integers(2)]) for _ in range(3)
        ]
        for number, (colour, length) in enumerate(cars):
            car = f"c{train}_{number}"
            facts.append(f"has(t{train}, {car}). colour({car}, {colour}). {length}({car}).")
        rows.append([f"t{train}"])
        inside.append(("red", "long") in cars and any(colour == "blue" for colour, _ in cars))
    learner = RelationalLearner(Relations(program=" ".join(facts)), "east").fit(rows, inside)
    assert (learner.predict(rows) == np.array(inside)).all()


def test_where_nothing_is_found_it_says_what_may_help() -> None:
    background = Relations(program=" ".join(f"likes(a{n}, b{n % 3})." for n in range(30)))
    rows = [[f"a{n}"] for n in range(30)]
    with pytest.warns(Note, match="what may help: more positive examples"):
        learner = RelationalLearner(background, "odd").fit(rows, [n in (0, 1, 2) for n in range(30)])
    assert not learner.hypothesis_.clauses


def test_no_literal_outside_a_declared_language() -> None:
    modes = [
        Mode("grand", ("+person", "+person"), head=True),
        Mode("mother", ("+person", "-person")),
        Mode("father", ("+person", "-person")),
    ]
    program = (
        "mother(a, b). father(c, b). mother(b, d). father(e, d). mother(b, f). father(e, f). mother(d, g)."
    )
    family = Relations(program=program, modes=modes)
    pairs = [(one, other) for one in "abcdefg" for other in "abcdefg"]
    grand = {("a", "d"), ("a", "f"), ("c", "d"), ("c", "f"), ("b", "g"), ("e", "g")}
    learner = RelationalLearner(family, "grand").fit(pairs, [pair in grand for pair in pairs])
    names = {literal.name for clause in learner.hypothesis_.clauses for literal in clause.body}
    assert names <= {"mother", "father"}
    assert not any(literal.negated for clause in learner.hypothesis_.clauses for literal in clause.body)


def test_the_roundest_number_of_a_gap() -> None:
    assert round_number(-3.2, -2.9) == -3
    assert round_number(0.5, 0.75) == 0.5
    assert 1e-7 <= round_number(1e-7, 2e-7) < 2e-7


@pytest.mark.parametrize("found", [True, False])
def test_clauses_found_before_the_time_was_up_are_kept(monkeypatch: pytest.MonkeyPatch, found: bool) -> None:
    def endless(task: Task, budget: Budget) -> list[Clause]:
        raise TimeoutError

    clauses = [*parse_program("f(A) :- p(A).").clauses]
    early = Strategy("early", lambda task: found, lambda task, budget: clauses, 1.0)
    late = Strategy("late", lambda task: True, endless, 1.0)
    monkeypatch.setattr(relational_learner, "STRATEGIES", (early, late))
    learner = RelationalLearner(Relations(program="p(a). p(b). q(c). q(d)."), "f")
    rows, inside = [["a"], ["b"], ["c"], ["d"]], [True, True, True, False]
    if not found:
        with pytest.raises(TimeoutError):
            learner.fit(rows, inside)
        return
    with pytest.warns(Note, match="late ran out of time; earlier results are kept"):
        learner.fit(rows, inside)
    assert [str(clause) for clause in learner.hypothesis_.clauses] == ["f(A) :- p(A)."]
