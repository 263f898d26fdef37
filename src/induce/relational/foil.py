"""FOIL: first-order rules, literal by literal (Quinlan 1990; Mitchell, Table 10.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import at_least, one_of
from induce.core.randomness import RandomState, generator
from induce.logic.clauses import Clause, Literal
from induce.logic.facts import Codes
from induce.logic.parsing import parse_clause
from induce.relational._foil_loops import N1, P1, T
from induce.relational.budget import Budget
from induce.relational.closed_world import closed_world
from induce.relational.examples import Examples
from induce.relational.foil_covering import Cover
from induce.relational.foil_scores import Forms
from induce.relational.foil_space import Search
from induce.relational.learner import RelationalClassifier
from induce.relational.literals import Vocabulary
from induce.relational.recursion import Guard, Orders
from induce.relational.relations import Relations
from induce.relational.theory import Theory

MOST_NEW = 26


class FOIL(RelationalClassifier):
    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        negatives: str = "given",
        new_variables: int | None = None,
        max_variables: int | None = 30,
        max_literals: int | None = 10,
        negation: str | None = "safe",
        equality: bool = True,
        thresholds: bool = True,
        constants: str = "values",
        distinct_arguments: bool = True,
        recursion: str | None = "guarded",
        determinate: bool = True,
        encoding_length: bool = True,
        min_accuracy: float = 0.8,
        prune: bool = True,
        measure: str = "foil-gain",
        m: float = 2.0,
        beam_width: int = 1,
        time_limit: float | None = None,
        max_candidates: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.background = background
        self.target = target
        self.negatives = negatives
        self.new_variables = new_variables
        self.max_variables = max_variables
        self.max_literals = max_literals
        self.negation = negation
        self.equality = equality
        self.thresholds = thresholds
        self.constants = constants
        self.distinct_arguments = distinct_arguments
        self.recursion = recursion
        self.determinate = determinate
        self.encoding_length = encoding_length
        self.min_accuracy = min_accuracy
        self.prune = prune
        self.measure = measure
        self.m = m
        self.beam_width = beam_width
        self.time_limit = time_limit
        self.max_candidates = max_candidates
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn clauses for the target relation.

        Parameters
        ----------
        X : dataframe, array or list of rows
            Tuples of arguments of the target.
        y : sequence of two classes
            Which of them are in the relation.
        """
        self._check()
        examples = self._read(X, y)
        budget = Budget(self.time_limit, self.max_candidates)
        theory, decided = self._learned(examples, self.recursion, budget)
        expected = int(((decided >= 0) != examples.positive).sum())
        if theory.recursive and (wrong := theory.errors()) > expected:
            theory = self._without_recursion(
                examples, theory, budget, f"{wrong} examples, though about {expected}"
            )
        self.stopped_ = budget.stopped
        if self.stopped_:
            note(f"{self.stopped_} ended the search; the theory is the best so far: {theory.size()}")
        self.hypothesis_ = theory
        return self

    def _without_recursion(self, examples: Examples, theory: Theory, budget: Budget, wrong: str) -> Theory:
        """Learn without recursion if recursive clauses do not work as a program; return the better theory."""
        flat = theory
        if self.recursion == "guarded":
            flat, _ = self._learned(examples, None, budget)
        better = flat is not theory and flat.errors() <= theory.errors()
        note(
            f"as a program the recursive clauses are wrong about {wrong} when calls are looked up among the "
            "examples: examples between are missing, or calls go round in a circle"
            + ("; clauses without recursion are used instead" if better else "")
        )
        return flat if better else theory

    def _read(self, X: Any, y: Any) -> Examples:
        examples = self._examples(X, y)
        if self.negatives == "closed-world":
            examples = closed_world(examples, generator(self.random_state))
            self.classes_ = np.unique(np.asarray(examples.classes))
        return examples

    def _learned(self, examples: Examples, recursion: str | None, budget: Budget) -> tuple[Theory, Codes]:
        """Return a theory, and which clause covers each example if calls are looked up among the examples."""
        cover = self._cover(examples, recursion, budget)
        found: list[Clause] = []
        with interruptible(found, "clauses"):
            for clause in cover.clauses(self.prune):
                found.append(clause)
        if self.prune:
            found = cover.needed(found)
        found.sort(key=cover.calls)
        told, first = cover.told(found), cover.first(found)
        try:
            return self._theory(told, found), first
        except InputError as problem:  # a limit of the prover
            note(f"the clauses cannot be used as a program: {problem}")
            return self._draft(told, found).counted(first, examples.positive), first

    def _check(self) -> None:
        one_of("negatives", self.negatives, ("given", "closed-world"))
        one_of("negation", self.negation, ("safe", "binding", "failure", None))
        one_of("constants", self.constants, ("values", "declared"))
        one_of("recursion", self.recursion, ("guarded", "unguarded", None))
        one_of("measure", self.measure, ("foil-gain", "m-estimate"))
        at_least("beam_width", self.beam_width, 1, whole=True)
        at_least("m", self.m, 0)

    def _cover(self, examples: Examples, recursion: str | None, budget: Budget) -> Cover:
        forms = Forms(
            self.equality,
            self.thresholds,
            self.constants == "values",
            self.negation,
            self.distinct_arguments,
            self.new_variables,
            self.max_variables,
        )
        search = Search(
            forms,
            self.measure,
            self.m,
            self.beam_width,
            self.max_literals,
            self.determinate,
            self.encoding_length,
            self.min_accuracy,
        )
        vocabulary = Vocabulary(examples, self.constants == "values", recursion is not None)
        orders = Orders(vocabulary) if recursion == "guarded" else None
        return Cover(examples, vocabulary, search, Guard(examples.target, orders), budget)


@dataclass(frozen=True)
class Candidate:
    """A literal that could be added to a clause, and what it would do.

    Parameters
    ----------
    literals : tuple of Literal
        One literal, or several that are added together.
    t : int
        The positive bindings of the clause that it leaves.
    p1, n1 : int
        The positive and the negative bindings of the clause with it.
    gain : float
        Its Foil_Gain.
    """

    literals: tuple[Literal, ...]
    t: int
    p1: int
    n1: int
    gain: float

    def __str__(self) -> str:
        return (
            f"{', '.join(map(str, self.literals))}  t={self.t} p1={self.p1} n1={self.n1} gain={self.gain:.4f}"
        )


def foil_candidates(
    learner: FOIL, X: Any, y: Any, clause: Clause | str | None = None
) -> tuple[Candidate, ...]:
    learner = clone(learner)
    learner._check()
    examples = learner._read(X, y)
    clause = parse_clause(clause) if isinstance(clause, str) else clause or Clause(examples.head)
    head = clause.head
    if head is None or head.predicate != examples.target or len(set(head.variables())) < len(head.arguments):
        raise InputError(
            f"the clause {clause} must have the head {examples.head}, or one with other variables"
        )
    space = learner._cover(examples, learner.recursion, Budget()).space(head)
    state = space.begin(clause.body)
    table = space.table(state)
    gains = space.gains(table.counts, state)
    names = [*state.names, *state.fresh(MOST_NEW)]
    found = []
    for number in range(len(table)):
        block, place = table.found(number)
        t, p1, n1 = table.counts[number, [T, P1, N1]].tolist()
        literals = block.literals(place, names, space.coverage.symbols)
        found.append(Candidate(literals, t, p1, n1, float(gains[number])))
    return tuple(found)
