"""Candidate literals that FOIL could add to a clause, with their gains (Mitchell §10.5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.parsing import parse_clause
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Budget
from induce.relational.foil._loops import N1, P1, T
from induce.relational.learners.foil import FOIL, Search

MOST_NEW = 26
"""Maximum number of new variables in the candidates of one step."""


@dataclass(frozen=True)
class Candidate:
    """Candidate literal for a clause, and its effect.

    Parameters
    ----------
    literals : tuple of Literal
        A single literal, or several that are added together.
    t : int
        Number of positive bindings of the clause that the literal preserves.
    p1, n1 : int
        Numbers of positive and negative bindings of the clause after adding it.
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
    """Return all literals that FOIL could add to a clause, with their gains, in tie-breaking order.

    Parameters
    ----------
    learner : FOIL
        Learner whose parameters determine the literals; it need not be fitted, and is not changed.
    X, y
        Examples, as for `FOIL.fit`.
    clause : Clause or str, optional
        Current clause; by default it has no body.

    Examples
    --------
    The first step of the book's example (Mitchell §10.5.2): one of 16 pairs of people is positive.

    >>> from induce.logic.background.relations import Relations
    >>> family = Relations(program="father(sharon, bob). father(tom, bob). father(bob, victor). female(sharon).")
    >>> learner = FOIL(family, "granddaughter", negatives="closed-world", negation="binding")
    >>> for candidate in foil_candidates(learner, [("victor", "sharon")], [True])[4:9]:
    ...     print(candidate)
    father(B, C)  t=1 p1=1 n1=11 gain=0.4150
    father(C, A)  t=1 p1=1 n1=11 gain=0.4150
    father(C, B)  t=0 p1=0 n1=12 gain=0.0000
    female(A)  t=0 p1=0 n1=4 gain=0.0000
    female(B)  t=1 p1=1 n1=3 gain=2.0000
    """
    learner = clone(learner)
    learner._check_parameters()
    examples = learner._read(X, y)
    clause = parse_clause(clause) if isinstance(clause, str) else clause or Clause(examples.head)
    head = clause.head
    if head is None or head.predicate != examples.target or len(set(head.variables())) < len(head.arguments):
        raise InputError(
            f"the clause {clause} needs the head {examples.head}, up to names of variables; change its head"
        )
    search = Search(learner.recursion, Budget(), Language(examples, learner.constraints))
    space = learner._cover(examples, search).space(head)
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
