"""Large sets of ground facts as arrays: terms become integer codes, and relations matrices of codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import call_wrapping, repeated
from induce.logic import _fact_loops
from induce.logic.terms import Constant, Term

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

EPOCH = datetime(1970, 1, 1)

HASHING = 10
"""Estimated number of elementary steps to look up a code."""


class Symbols:
    """Symbol table of ground terms and their integer codes.

    Terms are only ever added, so codes stay valid and relations can share one table.

    Parameters
    ----------
    terms : iterable of Term
        Initial ground terms, numbered in order.

    Examples
    --------
    >>> symbols = Symbols()
    >>> symbols.code(Constant("ann")), symbols.code(Constant("bob")), symbols.code(Constant("ann"))
    (0, 1, 0)
    >>> print(symbols.terms[1])
    bob
    """

    terms: list[Term]
    _codes: dict[Term, int]
    _numbers: Floats
    _dates: Floats
    _lock: Lock

    def __init__(self, terms: Iterable[Term] = ()) -> None:
        self.__setstate__({"terms": list(dict.fromkeys(terms))})

    def __len__(self) -> int:
        return len(self.terms)

    def code(self, term: Term) -> int:
        """Return the code of a ground term, assigning a new one if necessary."""
        found = self._codes.get(term)
        if found is None:
            with self._lock:
                found = self._codes.setdefault(term, len(self.terms))
                if found == len(self.terms):
                    self.terms.append(term)
        return found

    def find(self, term: Term) -> int:
        """Return the code of a ground term, or -1."""
        return self._codes.get(term, -1)

    def codes(self, terms: Sequence[Term]) -> Codes:
        """Return the codes of some ground terms."""
        return np.fromiter((self.code(term) for term in terms), np.int64, len(terms))

    @property
    def numbers(self) -> Floats:
        """Numeric value of each term; NaN if it is not a number."""
        known = len(self._numbers)
        if known < len(self.terms):
            more = [_number(term) for term in self.terms[known:]]
            self._numbers = np.concatenate([self._numbers, np.array(more, np.float64)])
        return self._numbers

    @property
    def dates(self) -> Floats:
        """Seconds since 1970 of each term that is an ISO date; NaN otherwise."""
        known = len(self._dates)
        if known < len(self.terms):
            more = [_seconds(term) for term in self.terms[known:]]
            self._dates = np.concatenate([self._dates, np.array(more, np.float64)])
        return self._dates

    def __getstate__(self) -> dict[str, Any]:
        return {"terms": self.terms}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.terms = state["terms"]
        self._codes = {term: code for code, term in enumerate(self.terms)}
        self._numbers = np.empty(0)
        self._dates = np.empty(0)
        self._lock = Lock()


def _number(term: Term) -> float:
    if isinstance(term, Constant) and not isinstance(term.value, str):
        try:
            return float(term.value)
        except OverflowError:
            return np.inf if term.value > 0 else -np.inf
    return np.nan


def _seconds(term: Term) -> float:
    value = term.value if isinstance(term, Constant) else None
    if not isinstance(value, str) or len(value) < 10 or value[4] != "-" or not value[:4].isdecimal():
        return np.nan
    try:
        return (datetime.fromisoformat(value) - EPOCH).total_seconds()
    except (ValueError, TypeError):
        return np.nan


def grouped(keys: Codes) -> tuple[Codes, Codes, Codes, Codes]:
    """Group equal rows: return a hash table, the first row of each group, its start, and all members."""
    return call_wrapping(_fact_loops.group, HASHING * keys.size, keys)


@dataclass(frozen=True, eq=False)
class Matches:
    """Facts that match each row of a query.

    The facts of row i are ``rows[order[first[i]:first[i] + count[i]]]``.
    """

    rows: Codes
    order: Codes
    first: Codes
    count: Codes

    def pairs(self) -> tuple[Codes, Codes]:
        """Return the pairs of query rows and matching facts as two index arrays."""
        total = int(self.count.sum())
        return repeated(_fact_loops.spread, total)(self.first, self.count, self.order, total)


@dataclass(frozen=True, eq=False)
class Facts:
    """Facts of one predicate: a matrix of codes with one distinct fact per row.

    Parameters
    ----------
    rows : array of codes, shape (facts, arguments)
        Codes of the arguments, with one distinct fact per row.

    Examples
    --------
    >>> import numpy as np
    >>> parent = Facts.of(np.array([[0, 1], [0, 2], [1, 3]]))
    >>> parent.matches((0,), np.array([[0], [1], [2]])).count
    array([2, 1, 0])
    """

    rows: Codes
    _indices: dict[tuple[int, ...], Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, rows: NDArray[Any]) -> Facts:
        """Return the distinct rows, in order of first occurrence."""
        rows = np.require(rows, np.int64, ["C", "W"])  # the loops are compiled only for arrays of this type
        if len(rows) and rows.shape[1]:
            first = grouped(rows)[1]
            rows = rows if len(first) == len(rows) else rows[first]
        return cls(rows[:1] if not rows.shape[1] else rows)

    @property
    def arity(self) -> int:
        """Arity of the predicate."""
        return int(self.rows.shape[1])

    def __len__(self) -> int:
        return len(self.rows)

    def matches(self, bound: tuple[int, ...], keys: Codes) -> Matches:
        """Return, for each row of `keys`, the facts whose arguments at the positions `bound` equal those of the row.

        A code of -1 matches no fact.
        """
        n = len(keys)
        if not bound:
            every = np.arange(len(self.rows))
            return Matches(self.rows, every, np.zeros(n, np.int64), np.full(n, len(self.rows), np.int64))
        index = self._indices.get(bound)
        if index is None:
            columns = np.ascontiguousarray(self.rows[:, list(bound)])
            slots, example, starts, order = grouped(columns)
            index = self._indices[bound] = (slots, columns[example], starts, order)
        slots, known, starts, order = index
        wanted = np.require(keys, np.int64, ["C", "W"])
        groups = call_wrapping(_fact_loops.find, HASHING * keys.size, slots, known, wanted)
        there = groups >= 0
        first = np.where(there, starts[groups], 0)
        return Matches(self.rows, order, first, np.where(there, starts[groups + 1] - first, 0))

    def __getstate__(self) -> dict[str, Any]:
        return {"rows": self.rows}

    def __setstate__(self, state: dict[str, Any]) -> None:
        object.__setattr__(self, "rows", state["rows"])
        object.__setattr__(self, "_indices", {})
