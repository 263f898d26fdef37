"""k-CNF: the representation that makes k-term DNF learnable in polynomial time (Mitchell §7.3.3.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.theory import checks
from induce.theory.formulas import n_clauses

Clause = tuple[int, ...]

MOST_CLAUSES = 1_000_000


@dataclass(frozen=True)
class Cnf:
    """A conjunction of disjunctions of literals.

    Parameters
    ----------
    clauses : tuple of tuple of int
        Clauses of literals. A literal is the number of an attribute, counted from 1, and negative if the
        attribute is negated. A formula without clauses is always true; one with an empty clause is never
        true.

    Examples
    --------
    >>> print(Cnf(((1, -2), (3,))))
    (x1 OR NOT x2) AND x3
    """

    clauses: tuple[Clause, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.clauses, tuple):
            raise TypeError(f"clauses is {type(self.clauses).__name__}; give a tuple of tuples of literals")
        for clause in self.clauses:
            _literals(clause)

    def covers(self, instances: ArrayLike) -> NDArray[np.bool_]:
        """Return whether each instance satisfies all clauses."""
        rows = _boolean(instances)
        covered = np.ones(len(rows), np.bool_)
        for clause in self.clauses:
            covered &= _satisfied(rows, clause)
        return covered

    def __str__(self) -> str:
        parts = [" OR ".join(map(_literal_text, clause)) or "FALSE" for clause in self.clauses]
        if len(parts) > 1:
            parts = [f"({part})" if " OR " in part else part for part in parts]
        return " AND ".join(parts) or "TRUE"


def dnf_to_cnf(terms: Iterable[Iterable[int]]) -> Cnf:
    """Return the k-CNF that is equivalent to a disjunction of k conjunctions.

    Every clause contains one literal of each term; clauses that contain a literal and its negation are
    tautologies and are dropped.

    Parameters
    ----------
    terms : iterable of iterables of int
        Conjunctions, with literals written as in `Cnf`. An empty conjunction is always true.

    Examples
    --------
    >>> print(dnf_to_cnf([(1, 2), (-1, 3)]))
    (x1 OR x3) AND (NOT x1 OR x2) AND (x2 OR x3)
    """
    if not isinstance(terms, Iterable) or isinstance(terms, str | bytes):
        raise TypeError(f"terms is {type(terms).__name__}; give a list of terms, each a list of literals")
    given = [_literals(term) for term in terms]
    if math.prod(map(len, given)) > MOST_CLAUSES:
        raise InputError(
            f"there are more than {MOST_CLAUSES:,} ways to pick a literal of each term; give fewer "
            "terms or literals"
        )
    picked = product(*given)
    clauses = {tuple(sorted(set(each), key=_place)) for each in picked}
    useful = [clause for clause in clauses if not any(-literal in clause for literal in clause)]
    return Cnf(tuple(sorted(useful, key=lambda clause: [_place(literal) for literal in clause])))


def learn_k_cnf(instances: ArrayLike, labels: ArrayLike, k: int) -> Cnf:
    """Return the most specific k-CNF that covers all positive examples: all clauses that none of them violates.

    Each possible clause becomes a new attribute, on which Find-S is run. This learns k-term DNF, for which no
    polynomial-time algorithm is known in its own representation, as k-CNF.

    Parameters
    ----------
    instances : array-like of 0 and 1, shape (rows, attributes)
        Values of the Boolean attributes in each row.
    labels : array-like of bool
        Labels. If the result covers a negative example, no k-CNF is consistent with them.
    k : int
        Maximum number of literals per clause.

    Examples
    --------
    >>> X = [[a, b] for a in (0, 1) for b in (0, 1)]
    >>> print(learn_k_cnf(X, [0, 1, 1, 0], k=2))
    (x1 OR x2) AND (NOT x1 OR NOT x2)
    """
    at_least("k", k, 1, whole=True)
    rows = _boolean(instances)
    positive = checks.labels("labels", labels, len(rows), "instances")
    clauses = every_clause(rows.shape[1], k)
    kept = [clause for clause in clauses if _satisfied(rows[positive], clause).all()]
    learned = Cnf(tuple(kept))
    if learned.covers(rows[~positive]).any():
        raise InputError(f"no {k}-CNF is consistent with the labels; give a larger k, or correct the labels")
    return learned


def every_clause(n: int, k: int) -> list[Clause]:
    """Return all clauses of one to k literals over n attributes that contain no literal with its negation.

    Examples
    --------
    >>> every_clause(2, 2)
    [(1,), (-1,), (2,), (-2,), (1, 2), (1, -2), (-1, 2), (-1, -2)]
    """
    if n_clauses(n, k) > MOST_CLAUSES:
        raise InputError(f"there are {n_clauses(n, k):,} clauses of up to {k} literals; give a smaller k")
    return [
        tuple(sign * attribute for sign, attribute in zip(signs, attributes, strict=True))
        for length in range(1, min(k, n) + 1)
        for attributes in combinations(range(1, n + 1), length)
        for signs in product((1, -1), repeat=length)
    ]


def _literals(term: Any) -> tuple[int, ...]:
    literals = () if isinstance(term, str | bytes) or not isinstance(term, Iterable) else tuple(term)
    written = all(isinstance(each, int | np.integer) and each != 0 for each in literals)
    if not written or (not literals and not isinstance(term, list | tuple | set)):
        raise InputError(
            f"{term!r} is not a list of literals; a literal is the number of an attribute, negative if negated"
        )
    return tuple(map(int, literals))


def _place(literal: int) -> tuple[int, bool]:
    return abs(literal), literal < 0


def _satisfied(rows: NDArray[np.bool_], clause: Sequence[int]) -> NDArray[np.bool_]:
    if not all(1 <= abs(literal) <= rows.shape[1] for literal in clause):
        raise InputError(f"the clause {tuple(clause)} names an attribute outside 1 to {rows.shape[1]}")
    places = [abs(literal) - 1 for literal in clause]
    return np.asarray((rows[:, places] == [literal > 0 for literal in clause]).any(axis=1))


def _literal_text(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"NOT x{-literal}"


def _boolean(instances: ArrayLike) -> NDArray[np.bool_]:
    rows = checks.array_of(instances)
    if rows.ndim != 2 or not np.isin(rows, (0, 1)).all():
        raise InputError("instances must be a table of 0 and 1 with one row per instance")
    return rows.astype(np.bool_)
