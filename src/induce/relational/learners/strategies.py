"""Strategies of `RelationalLearner`, cheapest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import Any

from induce.hypotheses.theory import Theory
from induce.logic.background.modes import Mode
from induce.logic.clauses import Clause
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Facts
from induce.relational.clauses.description_length import bits_of_choice
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Budget
from induce.relational.learners.foil import FOIL
from induce.relational.learners.progol import Progol
from induce.relational.prejoin.conditions import Judge
from induce.relational.prejoin.frames import Frames
from induce.relational.prejoin.search import theory_of
from induce.relational.progol.modes import default_modes
from induce.relational.programs.search import ProgramSearch

PRICE = 2.0
"""Cost of a misclassified example relative to the cost of identifying it."""


@dataclass(frozen=True)
class Task:
    """Learning task: the examples as read and as given."""

    examples: Examples
    X: Any
    y: Any
    language: Language
    declared: bool
    """Whether the modes of the head and of the body are declared, so that only declared literals are allowed."""


@dataclass(frozen=True)
class Strategy:
    """Learning strategy of `RelationalLearner`.

    Parameters
    ----------
    name : str
    suits : callable
        Function that returns whether the strategy applies to a task.
    learn : callable
        Function that returns the clauses found within a limit.
    rate : float
        Units of work per second of the limit.
    """

    name: str
    suits: Callable[[Task], bool]
    learn: Callable[[Task, Budget], list[Clause]]
    rate: float


@dataclass(frozen=True)
class Trial:
    """Result of a strategy."""

    strategy: str
    theory: Theory
    bits: float
    seconds: float
    """Processor time in seconds."""
    work: float
    """Work, in seconds of the time limit."""
    held_out: int | None = None
    """Errors on held-out examples, if theories had to be compared."""
    cut: bool = False
    """Whether a limit ended the search."""

    def __str__(self) -> str:
        wrong = self.theory.errors()
        held = "" if self.held_out is None else f", {self.held_out:,} wrong on held-out examples"
        cut = ", cut by its limit" if self.cut else ""
        return f"{self.strategy}: {self.theory.size()}, {wrong:,} wrong{held}, {self.seconds:.2f} s{cut}"


def modes_for(task: Task) -> tuple[Mode, ...]:
    """Return the modes of a body: the declared ones, those of tables, or those derived from the relations."""
    target = task.examples.target
    own = tuple(mode for mode in task.examples.relations.modes if not mode.head and mode.predicate != target)
    return own or default_modes(task.examples)


def by_joining(task: Task, budget: Budget) -> list[Clause]:
    """Learn conditions on tables that are joined along their keys."""
    examples = task.examples
    frames = Frames(examples, modes_for(task), free=not task.declared)
    judge = Judge(frames, examples.positive, free=not task.declared)
    return [*theory_of(frames, judge, examples.positive, budget)]


def by_foil(task: Task, budget: Budget) -> list[Clause]:
    """Learn clauses literal by literal with `FOIL`."""
    learner = FOIL(
        task.examples.relations,
        task.examples.target[0],
        constraints=task.language.texts,
    )
    return [*learner.fit_within(task.X, task.y, budget).hypothesis_.clauses]


def by_progol(task: Task, budget: Budget) -> list[Clause]:
    """Learn with `Progol` below the most specific clauses of examples, at increasing depth."""
    relations, target = task.examples.relations, task.examples.target[0]
    best: Theory | None = None
    for depth, max_literals, fraction in ((2, 4, 0.3), (3, 6, 1.0)):
        learner = Progol(
            relations,
            target,
            depth=depth,
            max_literals=max_literals,
            constraints=task.language.texts,
        )
        theory = learner.fit_within(task.X, task.y, budget.part(fraction)).hypothesis_
        if best is None or theory.errors() < best.errors():
            best = theory
        if not theory.errors() or budget.passed():
            break
    assert best is not None
    return [*best.clauses]


def by_programs(task: Task, budget: Budget) -> list[Clause]:
    """Learn a whole theory, whose clauses may call the target."""
    search = ProgramSearch(
        task.examples,
        recursion=True,
        max_literals=5,
        max_clauses=3,
        max_variables=None,
        singletons=False,
        deadline=budget,
        constraints=task.language.texts,
    )
    return search.search()


def _may_recur(task: Task) -> bool:
    """Return whether a mode lets clauses call the target, and there are examples of both kinds."""
    examples = task.examples
    both = examples.positive.any() and not examples.positive.all()
    calls = (mode.predicate == examples.target and not mode.head for mode in examples.relations.modes)
    return bool(both) and any(calls)


def _has_facts(task: Task) -> bool:
    relations = task.examples.relations
    return not task.examples.positive.all() and any(
        isinstance(relations.relation(mode.predicate), Facts)
        for mode in modes_for(task)
        if mode.name[0].isalpha()
    )


STRATEGIES: tuple[Strategy, ...] = (
    Strategy("programs", _may_recur, by_programs, 5e6),
    Strategy("pre-join", _has_facts, by_joining, 4e8),
    Strategy("FOIL", lambda task: not task.examples.positive.all(), by_foil, 2e6),
    Strategy("Progol", lambda task: not task.examples.positive.all(), by_progol, 3e7),
)
"""Strategies in the order tried; one that explains all examples ends the search."""


def description(theory: Theory, n_predicates: int) -> float:
    """Return the number of bits that encode a theory and its misclassified examples."""
    each = log2(n_predicates + 2) + 3
    bits = sum(each * (len(clause.body) + 1) for clause in theory.clauses)
    inside = sum(within for _, within in theory.counts)
    outside = sum(beyond for beyond, _ in theory.counts)
    rest, missed = theory.rest
    wrong = 0.0
    if outside:
        wrong += float(bits_of_choice(outside, inside + outside))
    if missed:
        wrong += float(bits_of_choice(missed, rest + missed))
    return bits + PRICE * wrong
