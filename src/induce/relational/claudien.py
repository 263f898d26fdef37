"""CLAUDIEN: the most general clauses that are true in the data (De Raedt & Bruynooghe 1993; Mitchell §10.8).

The book names CLAUDIEN among the general-to-specific systems; the procedure here is our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from induce.core.checks import at_least
from induce.core.notes import note
from induce.core.progress import report
from induce.logic.background.kinds import ANY, fits
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.bindings import MOST_ROWS, Bindings, Coverage
from induce.logic.coverage.examples import variable
from induce.logic.facts import Facts
from induce.logic.substitution import canonical
from induce.logic.subsumption import reduced, theta_subsumes, variants
from induce.relational.clauses.limits import Deadline


@dataclass(frozen=True)
class Regularity:
    """Clause that is true in the data.

    Parameters
    ----------
    clause : Clause
        Rule, or denial: a clause without a head, which states that its body never holds.
    cases : int
        Number of bindings that satisfy the body; 0 for a denial.
    """

    clause: Clause
    cases: int

    def __str__(self) -> str:
        if self.clause.head is None:
            return f"false {self.clause}"
        return f"{self.clause}  % {self.cases} case{'s' * (self.cases != 1)}"


def regularities(
    relations: Relations,
    *,
    max_literals: int = 2,
    max_variables: int = 3,
    min_cases: int = 1,
    denials: bool = True,
    predicates: Sequence[Predicate] | None = None,
    time_limit: float | None = None,
) -> tuple[Regularity, ...]:
    """Return the most general clauses that are true of the given relations, shortest first.

    A rule is true if its head holds wherever its body does, and a denial if its body never holds. Bodies grow
    literal by literal. Clauses θ-subsumed by a found one are redundant and omitted; so are literals that the
    rest of the body implies in the data. The clauses are true of these facts but need not hold for others.

    The book names CLAUDIEN as a general-to-specific learner (Mitchell §10.8); listing the most general true clauses
    with at most one head literal is our minimal realisation.

    Parameters
    ----------
    relations : Relations
        Relations; those that cannot be listed as facts are omitted, with a note.
    max_literals : int, default=2
        Maximum number of literals in a body.
    max_variables : int, default=3
        Maximum number of variables in a clause.
    min_cases : int, default=1
        Minimum number of cases in which the body of a rule holds.
    denials : bool, default=True
        Whether to search for denials as well.
    predicates : sequence of (str, int), optional
        Predicates to use; all by default.
    time_limit : float, optional
        Time limit of the search in seconds; a note reports when it is reached.

    Examples
    --------
    >>> family = Relations(program='''
    ...     mother(ann, bea). mother(ann, cal). father(bob, bea). father(bob, cal). parent(ann, bea).
    ...     parent(ann, cal). parent(bob, bea). parent(bob, cal). male(bob). male(cal). female(ann). female(bea).''')
    >>> for found in regularities(family, max_literals=1, max_variables=2, min_cases=2):
    ...     print(found)
    false :- mother(A, A).
    false :- father(A, A).
    false :- parent(A, A).
    parent(A, B) :- mother(A, B).  % 2 cases
    female(A) :- mother(A, B).  % 2 cases
    parent(A, B) :- father(A, B).  % 2 cases
    male(A) :- father(A, B).  % 2 cases
    """
    at_least("max_literals", max_literals, 1, whole=True)
    at_least("max_variables", max_variables, 1, whole=True)
    at_least("min_cases", min_cases, 1, whole=True)
    search = _Search(relations, max_variables, min_cases, denials, predicates)
    deadline = Deadline(time_limit)
    level: list[_Body] = [_Body((), Bindings({}, np.zeros(1, np.int64)), ())]
    for n_literals in range(1, max_literals + 1):
        longer: list[_Body] = []
        for number, body in enumerate(level):
            report((n_literals - 1 + number / len(level)) / max_literals)
            if deadline.passed():
                break
            longer += search.extended(body)
        for body in longer:
            if deadline.passed():
                break
            search.conclude(body)
        level = longer
    deadline.told(search.found)
    return tuple(search.most_general())


@dataclass(frozen=True, eq=False)
class _Body:
    """Body of a clause, with its satisfying bindings and the types of its variables."""

    literals: tuple[Literal, ...]
    bindings: Bindings
    kinds: tuple[str, ...]


class _Search:
    def __init__(
        self,
        relations: Relations,
        max_variables: int,
        min_cases: int,
        denials: bool,
        predicates: Sequence[Predicate] | None,
    ) -> None:
        self.coverage = Coverage(relations)
        self.max_variables, self.min_cases, self.denials = max_variables, min_cases, denials
        self.found: list[Regularity] = []
        self._seen: dict[tuple[Predicate, ...], list[Clause]] = {}
        self.kinds: dict[Predicate, tuple[str, ...]] = {}
        for predicate in relations.predicates() if predicates is None else predicates:
            if isinstance(relations.relation(predicate), Facts):
                self.kinds[predicate] = relations.kinds.types.get(predicate, (ANY,) * predicate[1])
            else:
                note(f"{predicate[0]}/{predicate[1]} cannot be listed as facts and is left out")

    def extended(self, body: _Body) -> Iterator[_Body]:
        """Yield the non-redundant bodies with one more literal."""
        for literal, kinds in self._literals(body.kinds, self.max_variables):
            if literal in body.literals or (body.literals and not _linked(literal, len(body.kinds))):
                continue
            clause = canonical(Clause(None, (*body.literals, literal)))
            if (
                self._was_seen(clause)
                or self._says_nothing_new(clause)
                or len(reduced(clause).body) < len(clause.body)
            ):
                continue
            joined = self.coverage.join(body.bindings, literal, MOST_ROWS)
            if joined is None:
                note(f"the body {', '.join(map(str, clause.body))} has too many bindings and is left out")
            elif not len(joined):
                if self.denials:
                    self.found.append(Regularity(clause, 0))
            elif len(joined) >= self.min_cases and (
                # a literal that excludes nothing is implied by the others
                len(kinds) > len(body.kinds) or len(joined) < len(body.bindings)
            ):
                yield _Body((*body.literals, literal), joined, kinds)

    def conclude(self, body: _Body) -> None:
        """Search for literals that always hold where a body does."""
        for literal, _ in self._literals(body.kinds, len(body.kinds)):
            if literal in body.literals:
                continue
            clause = canonical(Clause(literal, body.literals))
            if self._says_nothing_new(clause):
                continue
            joined = self.coverage.join(body.bindings, literal)
            if joined is not None and len(joined) == len(body.bindings):
                self.found.append(Regularity(clause, len(body.bindings)))

    def _literals(self, kinds: tuple[str, ...], most: int) -> Iterator[tuple[Literal, tuple[str, ...]]]:
        """Yield the literals over the given variables and new ones, with the resulting types of all
        variables.
        """
        for (name, arity), types in self.kinds.items():
            for places in product(range(min(len(kinds) + arity, most)), repeat=arity):
                grown = [*kinds]
                for place, kind in zip(places, types, strict=True):
                    if place == len(grown):  # new variables are added in order
                        grown.append(kind)
                    elif place > len(grown) or not fits(grown[place], kind):
                        break
                else:
                    yield Literal(name, tuple(map(variable, places))), tuple(grown)

    def most_general(self) -> Iterator[Regularity]:
        """Yield the clauses found, without those implied by a more general one, even if it was found later."""
        for one in self.found:
            if not any(_subsumes(other.clause, one.clause) for other in self.found if other is not one):
                yield one

    def _was_seen(self, clause: Clause) -> bool:
        """Return whether a body differs from an earlier one only in names and order."""
        alike = self._seen.setdefault(tuple(sorted(literal.predicate for literal in clause.body)), [])
        if any(variants(clause, other) for other in alike):
            return True
        alike.append(clause)
        return False

    def _says_nothing_new(self, clause: Clause) -> bool:
        """Return whether a clause follows from a found one."""
        return any(_subsumes(known.clause, clause) for known in self.found)


def _subsumes(general: Clause, special: Clause) -> bool:
    heads = general.head, special.head
    if heads[0] is not None and (heads[1] is None or heads[0].predicate != heads[1].predicate):
        return False
    return theta_subsumes(general, special) is not None


def _linked(literal: Literal, n_known: int) -> bool:
    known = {variable(number) for number in range(n_known)}
    return any(name in known for name in literal.variables())
