"""Set-oriented joins of code tables with relations, in batches of bounded size.

A *table* is a matrix of codes with the values of some variables in each row. A *source* encodes where a value
comes from: j is column j of the table, larger numbers are the columns of the joined facts, and -1 - c is the
constant c.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np

from induce.core import time_limit
from induce.core.errors import InputError
from induce.core.loops import call_wrapping
from induce.logic import _join_loops as loops
from induce.logic.facts import Codes, Facts

PIECE = 1 << 18
"""Number of rows per batch passed to the next join."""

STEPS = 1 << 21
"""Number of pairs of rows per call of a compiled loop."""

JOINING = 10
"""Estimated number of elementary steps per pair."""

BITS_AT_MOST = 1 << 28
"""Maximum number of possible rows of a relation that is stored as a bit set (32 MB)."""

BITS_FOR_A_WHILE = 1 << 21
"""Maximum number of possible rows of a temporary bit set within one join."""

Sources = tuple[int, ...]
Filter = Callable[[Codes], Codes]
"""Filter of the rows of a table, or computation of a new column."""


class LimitError(InputError):
    """Error raised when an evaluation reaches one of its limits, which the message names."""


class Limits:
    """Limits and progress of an evaluation."""

    def __init__(self, max_facts: int, max_rounds: int | None, max_seconds: float | None) -> None:
        self.max_facts = max_facts
        self.max_rounds = max_rounds
        self.max_seconds = max_seconds
        self.facts = 0
        """Number of facts derived so far."""
        self._end = np.inf if max_seconds is None else process_time() + max_seconds

    def check_time(self) -> None:
        """Raise a `LimitError` if the time limit is exceeded, a `TimeoutError` if an enclosing one is."""
        time_limit.check_time()
        if process_time() > self._end:
            raise self.reached("max_seconds", f"{self.max_seconds:g}")

    def check_rounds(self, rounds: int) -> None:
        """Raise a `LimitError` if a further round would exceed the limit."""
        if self.max_rounds is not None and rounds >= self.max_rounds:
            raise self.reached("max_rounds", f"{self.max_rounds:,}")

    def reached(self, name: str, value: str) -> LimitError:
        """Return the error that names the exceeded limit."""
        return LimitError(
            f"the evaluation was stopped by {name}={value}, with {self.facts:,} facts derived so far; "
            "raise the limit, or look for a rule whose literals share no variables or that creates "
            "new numbers endlessly"
        )


class Rows:
    """Rows in insertion order, without duplicates unless they form a bag.

    Parameters
    ----------
    width : int
    bound : int
        Exclusive upper bound of all codes.
    bits : int
        Maximum number of possible rows for a bit set; negative for a bag.
    """

    def __init__(self, width: int, bound: int, bits: int) -> None:
        self._bound = max(bound, 1)
        self._kind, self._seen = loops.BAG, np.empty(0, np.int64)
        possible = self._bound**width
        if 0 <= bits < possible:
            self._kind = loops.KEYS if possible <= 1 << 62 else loops.PLACES
        elif bits >= 0:
            self._kind, self._seen = loops.BITS, np.zeros(possible // 64 + 1, np.int64)
        self._hashed = self._kind in (loops.KEYS, loops.PLACES)
        self._all = np.empty((0, width), np.int64)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def between(self, start: int, stop: int) -> Codes:
        """Return the rows in a range."""
        return self._all[start:stop]

    def clear(self) -> None:
        """Start a new bag; rows already returned stay unchanged."""
        self._size = 0
        self._all = self._all[:0]

    def add(self, rows: Codes) -> None:
        """Add the given rows."""
        for _ in self.join(rows, *_single(len(rows)), tuple(range(rows.shape[1]))):
            pass

    def join(
        self, table: Codes, first: Codes, count: Codes, pool: Codes, output: Sources
    ) -> Iterator[tuple[int, int]]:
        """Add each row of a table joined with its matches; yield the new rows in pieces."""
        source = np.array(output, np.int64)
        pairs = int(count.sum())
        at = np.array([0, 0, 0, self._kind, self._bound])
        while pairs and at[0] < len(table):
            before = at[2] = self._size
            self._make_room(before + min(pairs, PIECE))
            room = self._all[: before + PIECE]
            self._join(pairs, table, first, count, pool, source, room, at)
            self._size = int(at[2])
            yield before, self._size

    def _make_room(self, needed: int) -> None:
        if needed <= len(self._all):
            return
        slots = 1 << max(2 * needed, 256).bit_length()
        # a bag is emptied after each piece; a set keeps growing, and its hash table must not fill up
        capacity = slots * 5 // 8 if self._hashed or len(self._seen) else needed
        old, self._all = self._all[: self._size], np.empty((capacity, self._all.shape[1]), np.int64)
        if not self._hashed:
            self._all[: self._size] = old
            return
        self._seen = np.full(slots, -1, np.int64)
        at = np.array([0, 0, 0, self._kind, self._bound])
        same = np.arange(self._all.shape[1])
        while at[0] < len(old):
            self._join(len(old), old, *_single(len(old)), same, self._all, at)

    def _join(
        self,
        pairs: int,
        table: Codes,
        first: Codes,
        count: Codes,
        pool: Codes,
        source: Codes,
        room: Codes,
        at: Codes,
    ) -> None:
        work = JOINING * (min(pairs, STEPS) + len(table))
        given = table, first, count, pool, source, room, self._seen, at, STEPS
        call_wrapping(loops.join, work, *given)


def _single(rows: int) -> tuple[Codes, Codes, Codes]:
    """Return the matches of rows with exactly one match each and no arguments."""
    return np.zeros(rows, np.int64), np.ones(rows, np.int64), np.empty((1, 0), np.int64)


class Part:
    """Facts of a relation, grouped by the values of selected arguments."""

    def __init__(self, facts: Facts) -> None:
        rows = np.require(facts.rows, np.int64, ["C", "W"])  # the array type that the loops are compiled for
        self.facts = facts if rows is facts.rows else Facts(rows)
        self._pools: dict[tuple[int, ...], Codes] = {}

    def __len__(self) -> int:
        return len(self.facts)

    def matches(self, bound: tuple[int, ...], keys: Codes) -> tuple[Codes, Codes, Codes]:
        """Return, for each key, the start and the number of its facts, and the other arguments of all facts."""
        found = self.facts.matches(bound, keys)
        pool = self._pools.get(bound)
        if pool is None:
            others = [column for column in range(self.facts.arity) if column not in bound]
            pool = self.facts.rows[found.order][:, others] if bound else self.facts.rows
            pool = self._pools[bound] = np.ascontiguousarray(pool)
        return found.first, found.count, pool


UNIT = (Part(Facts(np.empty((1, 0), np.int64))),)
"""Relation without arguments that holds: one match per row."""


class Growing:
    """Relation that grows in rounds: the facts of earlier rounds, and those added in the last round.

    Facts of earlier rounds are stored in parts, each at least twice as long as the next. So few parts are
    searched, and each fact is indexed only logarithmically often.
    """

    def __init__(self, given: Facts, bound: int) -> None:
        self.rows = Rows(given.arity, bound, BITS_AT_MOST)
        self.rows.add(given.rows)
        self.old: list[Part] = []
        self.new = Part(Facts(self.rows.between(0, 0)))
        self._used = 0

    def advance(self) -> bool:
        """Turn the facts added since the last call into the new ones; return whether there are any."""
        parts = self.old
        if len(self.new):
            parts.append(self.new)
        # As in a logarithmic merge, two parts of similar length become one, which is indexed on its next use.
        while len(parts) > 1 and len(parts[-2]) < 2 * len(parts[-1]):
            together = len(parts.pop()) + len(parts.pop())
            start = sum(map(len, parts))
            parts.append(Part(Facts(self.rows.between(start, start + together))))
        self.new = Part(Facts(self.rows.between(self._used, len(self.rows))))
        self._used = len(self.rows)
        return len(self.new) > 0

    def everything(self) -> Facts:
        """Return all facts."""
        return Facts(self.rows.between(0, len(self.rows)).copy())


@dataclass(frozen=True)
class Stage:
    """Single join of a rule, and the processing of the joined rows."""

    parts: Callable[[], Sequence[Part]]
    bound: tuple[int, ...]
    keys: Sources
    output: Sources
    distinct: bool
    """Whether a column is dropped, so that rows may repeat."""
    filters: tuple[Filter, ...] = ()


def taken(table: Codes, sources: Sources) -> Codes:
    """Return a new table of the given columns and constants."""
    new = np.empty((len(table), len(sources)), np.int64)
    for column, source in enumerate(sources):
        new[:, column] = table[:, source] if source >= 0 else -1 - source
    return new


def run(stages: Sequence[Stage], into: Rows, bound: int, limits: Limits) -> None:
    """Join through all stages; the last stage adds to a set of rows.

    A batch passes through all later stages before the next one is created, so that tables stay small.
    """
    sinks = [
        Rows(len(stage.output), bound, BITS_FOR_A_WHILE if stage.distinct else -1) for stage in stages[:-1]
    ]
    sinks.append(into)
    most = [limits.max_facts] * len(sinks)
    most[-1] += len(into) - limits.facts
    before = len(into)
    under_way = [_pieces(stages[0], np.empty((1, 0), np.int64), sinks[0])]
    while under_way:
        level = len(under_way) - 1
        piece = next(under_way[-1], None)
        limits.check_time()
        if len(sinks[level]) > most[level]:
            limits.facts += len(into) - before
            raise limits.reached("max_facts", f"{limits.max_facts:,}")
        if piece is None:
            under_way.pop()
        elif level + 1 < len(stages) and len(piece):
            under_way.append(_pieces(stages[level + 1], piece, sinks[level + 1]))
    limits.facts += len(into) - before


def _pieces(stage: Stage, table: Codes, into: Rows) -> Iterator[Codes]:
    for part in stage.parts():
        for piece in _joined(stage, table, part, into):
            for each in stage.filters:
                piece = each(piece)
            yield piece


def _joined(stage: Stage, table: Codes, part: Part, into: Rows) -> Iterator[Codes]:
    if not (stage.bound or table.shape[1] or stage.distinct):  # the facts are returned unchanged
        for start in range(0, len(part), PIECE):
            yield part.facts.rows[start : start + PIECE]
    elif len(part):
        matches = part.matches(stage.bound, taken(table, stage.keys))
        for start, stop in into.join(table, *matches, stage.output):
            piece = into.between(start, stop)
            if not stage.distinct:
                into.clear()
            yield piece
