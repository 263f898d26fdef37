"""Pruning of a theory: first the literals of each clause, then whole clauses (Mitchell §10.5.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.bindings import Coverage, linked
from induce.logic.coverage.examples import variable
from induce.logic.facts import Codes
from induce.logic.substitution import Substitution
from induce.logic.terms import Variable

Mask = NDArray[np.bool_]
Safe = Callable[[Clause], bool]


@dataclass(frozen=True, eq=False)
class Pruner:
    """Pruner that drops literals as long as a clause does not become less accurate on the examples.

    Parameters
    ----------
    coverage : Coverage
    rows : array of int64
        Examples, positive ones first.
    n_positive : int
    safe : callable
        Function that returns whether a clause still terminates after pruning.
    """

    coverage: Coverage
    rows: Codes
    n_positive: int
    safe: Safe

    def without_spare(self, clause: Clause, spare: frozenset[Literal]) -> Clause:
        """Drop determinate literals whose variables occur in no other literal."""
        assert clause.head is not None
        kept = [*clause.body]
        for literal in reversed(clause.body):
            place = kept.index(literal)
            others = kept[:place] + kept[place + 1 :]
            new = {*literal.variables()} - _variables(clause, kept[:place])
            if literal in spare and not any(name in new for one in others for name in one.variables()):
                kept = others
        shorter = Clause(clause.head, tuple(kept))
        if len(kept) == len(clause.body) or (
            self.safe(shorter) and self._accuracy(shorter) >= self._accuracy(clause)
        ):
            return shorter
        return self.pruned(clause, spare)

    def pruned(self, clause: Clause, among: frozenset[Literal] | None = None) -> Clause:
        """Drop literals, last first, if the clause remains as accurate without them."""
        accuracy = self._accuracy(clause)
        for literal in reversed(clause.body):
            if len(clause.body) == 1 or (among is not None and literal not in among):
                continue
            shorter = Clause(clause.head, tuple(one for one in clause.body if one is not literal))
            if linked(shorter)[1] or not (
                _bound(shorter, clause) and self.coverage.decides(shorter) and self.safe(shorter)
            ):
                continue
            without = self._accuracy(shorter)
            if without >= accuracy:
                clause, accuracy = shorter, without
        return clause

    def covered(self, clause: Clause) -> tuple[int, int]:
        """Return the number of positive and negative examples that a clause covers."""
        covers = self.coverage.covered(clause, self.rows)
        return int(covers[: self.n_positive].sum()), int(covers[self.n_positive :].sum())

    def _accuracy(self, clause: Clause) -> float:
        positive, negative = self.covered(clause)
        return positive / max(positive + negative, 1)


def unified(clause: Clause) -> Clause:
    """Replace a term by another term that is equal to it.

    Examples
    --------
    >>> from induce.logic.parsing import parse_clause
    >>> print(unified(parse_clause("p(A, B) :- q(A, D), q(B, E), D = E, s(B, F), F = big.")))
    p(A, B) :- q(A, D), q(B, D), s(B, big).
    """
    assert clause.head is not None
    fixed = {*clause.head.variables()}
    equal: Substitution = Substitution()
    body = []
    for literal in clause.body:
        terms = [equal.apply(term) for term in literal.arguments]
        free = [term for term in reversed(terms) if isinstance(term, Variable) and term not in fixed]
        if literal.name == "=" and not literal.negated and free:
            other = terms[1] if terms[0] == free[0] else terms[0]
            equal = equal.compose(Substitution({free[0]: other}))
        else:
            body.append(literal)
    return Clause(clause.head, tuple(dict.fromkeys(map(equal.apply, body))))


def renamed(clause: Clause) -> Clause:
    """Rename variables in order of occurrence.

    Examples
    --------
    >>> from induce.logic.parsing import parse_clause
    >>> print(renamed(parse_clause("p(A, B) :- q(A, D), s(D, F).")))
    p(A, B) :- q(A, C), s(C, D).
    """
    names = enumerate(clause.variables())
    return Substitution({name: variable(number) for number, name in names}).apply(clause)


def needed(covers: Sequence[Mask]) -> list[int]:
    """Return the clauses needed to cover all positive examples; the later of two equivalent clauses is kept.

    Examples
    --------
    >>> needed([np.array([True, False]), np.array([True, True])])
    [1]
    """
    if not covers:
        return []
    kept = [*range(len(covers))]
    times = np.sum(covers, axis=0)
    for number, mine in enumerate(covers):
        if (times[mine] > 1).all():
            kept.remove(number)
            times = times - mine
    return kept


def _bound(shorter: Clause, longer: Clause) -> bool:
    """Return whether variables of comparisons and negations are still bound."""
    for literal in shorter.body:
        place = longer.body.index(literal)
        if literal.negated or not literal.name[0].isalpha():
            before = _variables(longer, longer.body[:place])
            now = _variables(shorter, shorter.body[: shorter.body.index(literal)])
            if any(name in before and name not in now for name in literal.variables()):
                return False
    return True


def _variables(clause: Clause, body: Sequence[Literal]) -> set[Variable]:
    assert clause.head is not None
    positive = [clause.head, *(literal for literal in body if not literal.negated)]
    return {name for literal in positive for name in literal.variables()}
