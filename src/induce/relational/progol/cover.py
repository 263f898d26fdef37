"""Coverage of the clauses below a most specific clause, as bitsets of examples and of bindings of new variables.

The literals of a body split into parts that share no new variable. The coverage of a part does not depend on
the other parts, so it is computed once, and a body covers the intersection of its parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import call_wrapping
from induce.discretise.intervals import midpoints
from induce.discretise.mdlp import mdlp_cuts
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.bindings import Bindings, Coverage
from induce.logic.facts import Codes
from induce.logic.terms import Variable
from induce.relational.progol import _loops as _progol_loops

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Coded = tuple[int, ...]
"""Literal encoded as integers, which are faster to look up than values: its predicate and its arguments."""

NEW = 1 << 20
"""Number of the first variable that is not in the head."""

MOST_ROWS = 1_000_000
"""Maximum number of bindings cached for one part; larger parts are recomputed piecewise each time."""

MOST_BYTES = 100_000_000
"""Memory limit in bytes for the cached bindings of all parts, and for the coverage of literals and parts."""

JOIN_COSTS = 1_000
"""Cost of joining a literal apart from its rows, in rows."""

ENTRY_BYTES = 700
"""Estimated size of the key of a cached part."""

BITS_STEPS = 10
"""Estimated number of elementary steps to count the bits of a word."""

MOST_CUTS = 12
"""Maximum number of thresholds per variable."""


def packed(mask: NDArray[np.bool_]) -> Words:
    """Pack a mask into bits, 64 per word."""
    padded = np.zeros(-(-len(mask) // 64) * 64, np.bool_)
    padded[: len(mask)] = mask
    return np.packbits(padded, bitorder="little").view(np.uint64)


def unpacked(words: Words) -> NDArray[np.bool_]:
    """Unpack bits to a mask."""
    return np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.bool_)


class BindingTable:
    """Table of the bindings of literals that introduce new variables, grouped by example.

    Parameters
    ----------
    bindings : Bindings
        Bindings, with the bit of each row's example.
    """

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings
        self.every = packed(np.ones(len(bindings), np.bool_))
        self.masks = np.empty((4, len(self.every)), np.uint64)
        """Masks of the rows that satisfy each literal requested so far."""
        self.places: dict[Coded, int] = {}

    @property
    def example(self) -> Codes:
        """Bit of each row's example."""
        return self.bindings.example

    def add(self, literal: Coded, rows: Words) -> int:
        """Store the mask of the rows that satisfy a literal, and return its position."""
        place = self.places[literal] = len(self.places)
        if place == len(self.masks):
            self.masks = np.concatenate([self.masks, np.empty_like(self.masks)])
        self.masks[place] = rows
        return place


class Part(NamedTuple):
    """Part of a body: literals that share new variables, numbered in order of their introduction."""

    makers: tuple[Coded, ...]
    """Literals that introduce new variables, in order."""
    tests: tuple[Coded, ...]
    """Remaining literals, sorted."""


class Evaluation:
    """Coverage of bodies, cached across clauses.

    Parameters
    ----------
    coverage : Coverage
    head : Literal
        Target literal with distinct variables.
    inside, outside : array of codes
        Positive and negative examples. The bit of a positive example is its index; bits of negative examples
        start at the next whole word.
    """

    def __init__(self, coverage: Coverage, head: Literal, inside: Codes, outside: Codes) -> None:
        self.coverage, self.head = coverage, head
        self._names = tuple(head.variables())
        self.n_inside = max(-(-len(inside) // 64), 1)
        self.n_words = self.n_inside + -(-len(outside) // 64)
        self.rows = np.concatenate([inside, outside])
        self.bits = np.concatenate([np.arange(len(inside)), 64 * self.n_inside + np.arange(len(outside))])
        self.everything = self.words(np.arange(len(self.rows)))
        self.masks = np.empty((64, self.n_words), np.uint64)
        """Bitsets of the examples that each literal or part covers, by index."""
        self._start = coverage.start(head, self.rows)
        self._predicates: dict[Predicate, int] = {}
        self._tables: dict[tuple[Coded, ...], BindingTable | None] = {}
        self._kept = 0
        self.work = 0
        """Number of rows of bindings that were joined or tested."""
        self._covered: dict[Part | Coded, int] = {}
        self._cuts: dict[tuple[tuple[Coded, ...], Variable], Floats] = {}

    def words(self, places: Codes) -> Words:
        """Return the bitset of the examples at the given indices."""
        mask = np.zeros(64 * self.n_words, np.bool_)
        mask[self.bits[places]] = True
        return packed(mask)

    # -- encoded literals --

    def coded(self, literal: Literal, numbers: Mapping[Variable, int]) -> Coded:
        """Encode a literal: its predicate, its variables as numbered, and constants as negative numbers."""
        predicate = self._predicates.setdefault(literal.predicate, len(self._predicates))
        code = self.coverage.symbols.code
        return (
            predicate,
            *(numbers[term] if isinstance(term, Variable) else -1 - code(term) for term in literal.arguments),
        )

    def numbers(self) -> dict[Variable, int]:
        """Return the numbers assigned to the head's variables."""
        return {name: number for number, name in enumerate(self._names)}

    def literal(self, coded: Coded) -> Literal:
        """Decode a literal."""
        name, _ = [*self._predicates][coded[0]]
        terms = self.coverage.symbols.terms
        return Literal(name, tuple(terms[-1 - one] if one < 0 else self._variable(one) for one in coded[1:]))

    def _variable(self, number: int) -> Variable:
        return self._names[number] if number < NEW else Variable(f"_{number - NEW}")

    # -- coverage --

    def forget(self) -> None:
        """Free the memory of the cached coverage if it is large; coverage is recomputed on demand."""
        if len(self._covered) * (ENTRY_BYTES + 8 * self.n_words) > MOST_BYTES:
            self.masks = self.masks[:64].copy()
            self._covered.clear()

    def _remember(self, key: Part | Coded, covers: Words) -> int:
        place = self._covered[key] = len(self._covered)
        if place == len(self.masks):
            self.masks = np.concatenate([self.masks, np.empty_like(self.masks)])
        self.masks[place] = covers
        return place

    def alone(self, literal: Coded) -> int:
        """Return the index of the bitset of examples that satisfy a literal over the head's variables."""
        found = self._covered.get(literal)
        if found is None:
            joined = self.coverage.join(self._start, self.literal(literal))
            assert joined is not None
            self.work += JOIN_COSTS + len(self.rows)
            found = self._remember(literal, self.words(joined.example))
        return found

    def table(self, makers: tuple[Coded, ...]) -> BindingTable | None:
        """Return the bindings of the given literals, or None if there are too many to cache."""
        if makers in self._tables:
            return self._tables[makers]
        if len(makers) == 1:
            before: Bindings | None = Bindings(self._start.columns, self.bits[self._start.example])
        else:
            less = self.table(makers[:-1])
            before = None if less is None else less.bindings
        joined = None if before is None else self.coverage.join(before, self.literal(makers[-1]), MOST_ROWS)
        found = None if joined is None else BindingTable(joined)
        if joined is not None:
            self.work += JOIN_COSTS + len(joined)
            size = 8 * len(joined) * (len(joined.columns) + 1)
            self._kept += size
            # Everything is dropped at once; parts still needed are rebuilt from shorter prefixes.
            if self._kept > MOST_BYTES:
                self._tables.clear()
                self._kept = size
        self._tables[makers] = found
        return found

    def test(self, table: BindingTable, literal: Coded) -> int:
        """Return the index of the mask of bindings that satisfy a literal."""
        found = table.places.get(literal)
        if found is None:
            n_rows = len(table.bindings)
            joined = self.coverage.join(
                Bindings(table.bindings.columns, np.arange(n_rows)), self.literal(literal)
            )
            assert joined is not None
            mask = np.zeros(n_rows, np.bool_)
            mask[joined.example] = True
            found = table.add(literal, packed(mask))
            self._kept += n_rows // 8
            self.work += JOIN_COSTS + n_rows
        return found

    def rows_of(self, part: Part, table: BindingTable) -> Words:
        """Return the bindings that satisfy all tests of a part."""
        rows = table.every
        for literal in part.tests:
            place = self.test(table, literal)
            rows = rows & table.masks[place]
        return rows

    def covered(self, part: Part) -> int:
        """Return the index of the bitset of examples that a part covers."""
        found = self._covered.get(part)
        if found is None:
            table = self.table(part.makers)
            if table is None:
                body = tuple(map(self.literal, part.makers + part.tests))
                covers = self.words_of_clause(Clause(self.head, body))
                self.work += MOST_ROWS
            else:
                rows = self.rows_of(part, table)
                work = BITS_STEPS * len(table.example)
                covers = call_wrapping(
                    _progol_loops.examples_of_rows, work, rows, table.example, self.n_words
                )
            found = self._remember(part, covers)
        return found

    def words_of_clause(self, clause: Clause) -> Words:
        """Return the examples that a clause covers by itself."""
        return self.words(np.flatnonzero(self.coverage.covered(clause, self.rows)))

    # -- thresholds --

    def cuts(self, chain: tuple[Literal, ...], name: Variable) -> Floats:
        """Return thresholds for a variable: numbers between values of examples of different classes."""
        numbers = self.numbers()
        makers = []
        for literal in chain:
            for each in literal.variables():
                numbers.setdefault(each, NEW + len(numbers) - len(self._names))
            makers.append(self.coded(literal, numbers))
        key = tuple(makers), self._variable(numbers[name])
        if key not in self._cuts:
            self._cuts[key] = self._found_cuts(*key)
        return self._cuts[key]

    def _found_cuts(self, makers: tuple[Coded, ...], name: Variable) -> Floats:
        if makers:
            table = self.table(makers)
            if table is None:
                return np.empty(0)
            bindings = table.bindings
        else:
            bindings = Bindings(self._start.columns, self.bits[self._start.example])
        column = bindings.columns[name]
        values = self.coverage.symbols.numbers[column]
        known = np.isfinite(values) & (column >= 0)
        inside = bindings.example[known] < 64 * self.n_inside
        return _cuts(values[known], inside.astype(np.int64))


def _cuts(values: Floats, labels: Codes) -> Floats:
    """Return cuts between neighbouring values whose examples are not all of one class, most informative first."""
    if not len(values):
        return np.empty(0)
    distinct, place = np.unique(values, return_inverse=True)
    inside = np.bincount(place, labels)
    share = inside / np.bincount(place)
    # A cut between two values whose examples all belong to the same class cannot be optimal (Fayyad 1991).
    same = (share[1:] == share[:-1]) & ((share[1:] == 0) | (share[1:] == 1))
    between = np.flatnonzero(~same)
    cuts = midpoints(distinct[between], distinct[between + 1])
    if len(cuts) <= MOST_CUTS:
        return cuts
    telling = mdlp_cuts(values, labels, 2)[:MOST_CUTS]
    evenly = cuts[np.linspace(0, len(cuts) - 1, MOST_CUTS - len(telling)).astype(np.int64)]
    return np.union1d(telling, evenly)


def recursive(clauses: Sequence[Clause]) -> bool:
    """Return whether any of the given clauses calls its own target."""
    return any(
        clause.head is not None and literal.predicate == clause.head.predicate
        for clause in clauses
        for literal in clause.body
    )
