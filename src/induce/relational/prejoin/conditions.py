"""Conditions on the columns of a frame, and their coverage counted in examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from induce.logic.background.kinds import fits
from induce.logic.background.modes import MOST_CONSTANTS
from induce.logic.clauses import Literal, Predicate
from induce.logic.facts import EPOCH, Codes, Symbols
from induce.logic.terms import Constant, Term
from induce.relational.prejoin.frames import Column, Frame, Frames

Floats = NDArray[np.float64]

OFTEN = 10
"""Minimum mean frequency of values that may be constants in clauses without a mode."""

MOST_PAIRS = 24
"""Maximum number of column pairs of a frame that are compared."""


@dataclass(frozen=True, eq=False)
class Condition:
    """Condition on a row of a frame.

    Parameters
    ----------
    form : str
        ``=`` and ``\\\\=`` compare with a constant, ``=<`` and ``>`` with a threshold; ``test`` applies a
        predicate; ``same``, ``<`` and ``>=`` compare with another column; ``exists`` only requires the row to
        exist.
    column : Column, optional
    value : float
        Code of a constant, or a threshold: the greatest value below the cut, or the least above it.
    gap : tuple of two floats
        Interval in which the threshold may lie.
    other : Column, optional
    up : int
        Number of frames from this one up to the frame of the other column.
    predicate : Predicate, optional
    """

    form: str
    column: Column | None = None
    value: float = 0.0
    gap: tuple[float, float] = (0.0, 0.0)
    other: Column | None = None
    up: int = 0
    predicate: Predicate | None = None

    def key(self) -> tuple[object, ...]:
        """Return the identity of the condition; all thresholds of a column are the same condition."""
        value = None if self.form in ("=<", ">") else self.value
        return self.form, id(self.column), value, id(self.other), self.predicate


@dataclass(frozen=True, eq=False)
class Judged:
    """Condition, the numbers of positive and negative examples it covers, and the bits needed to choose it."""

    condition: Condition
    positive: int
    negative: int
    bits: float


class Judge:
    """Coverage counter of conditions.

    Parameters
    ----------
    frames : Frames
    positive : array of bool
        Mask of the positive examples.
    free : bool
        Whether to use constants, thresholds and comparisons without a declared mode.
    """

    def __init__(self, frames: Frames, positive: NDArray[np.bool_], free: bool) -> None:
        self.frames, self.positive, self.free = frames, positive, free
        self.symbols: Symbols = frames.relations.symbols
        self.things = {step.kinds[step.start] for step in frames.steps}
        self._ordered: dict[Column, Floats | None] = {}
        self._compared: dict[Frame, list[tuple[Column, int, Column]]] = {}

    # -- column types --

    def order(self, column: Column) -> Floats | None:
        """Return the sorted numbers or dates of a column, or None if it has none."""
        if column not in self._ordered:
            self._ordered[column] = self._order(column)
        return self._ordered[column]

    def _order(self, column: Column) -> Floats | None:
        if not self.free or not column.open or column.kind in self.things:
            return None
        codes = column.codes
        values = column.distinct[0]
        for scale in (self.symbols.numbers, self.symbols.dates):
            if len(values) and not np.isnan(scale[values]).any():
                return np.where(codes >= 0, scale[codes], np.nan)
        return None

    def dated(self, column: Column) -> bool:
        """Return whether the values of a column are dates."""
        values = column.distinct[0]
        return bool(len(values)) and not np.isnan(self.symbols.dates[values[0]])

    def _named(self, column: Column, n_rows: int) -> bool:
        """Return whether the values of a column may be constants in clauses."""
        n_values = len(column.distinct[0])
        if not 1 <= n_values <= MOST_CONSTANTS:
            return False
        if column.maker is None and column.source is None and column.way is None:
            return False  # an argument of the head
        if column.constant:
            return True
        return self.free and self.order(column) is None and n_values * OFTEN <= n_rows

    # -- coverage --

    def conditions(self, frame: Frame, rows: Codes, most_bits: float) -> Iterator[Judged]:
        """Evaluate every possible condition on some rows of a frame."""
        example = frame.example[rows]
        first = np.flatnonzero(np.diff(example, prepend=-1)) if len(example) else np.empty(0, np.int64)
        there = example[first]
        inside = self.positive[there]
        if frame.above is not None:
            yield Judged(Condition("exists"), int(inside.sum()), int((~inside).sum()), most_bits)
        for column in frame.columns:
            yield from self._of_column(frame, column, rows, example, first, inside, there, most_bits)
        yield from self._of_pairs(frame, rows, example, most_bits)

    def cuts(self, frame: Frame, column: Column, rows: Codes) -> Iterator[Judged]:
        """Evaluate the thresholds of one column on some rows of a frame."""
        scale = self.order(column)
        if scale is not None and len(rows):
            first = np.flatnonzero(np.diff(frame.example[rows], prepend=-1))
            yield from self._of_cuts(
                column, scale[rows], first, self.positive[frame.example[rows][first]], 0.0
            )

    def _of_column(
        self,
        frame: Frame,
        column: Column,
        rows: Codes,
        example: Codes,
        first: Codes,
        inside: NDArray[np.bool_],
        there: Codes,
        bits: float,
    ) -> Iterator[Judged]:
        for predicate, kind, things in self.frames.tests:
            if fits(kind, column.kind) and column.open:
                holds = np.isin(column.codes[rows], things)
                yield Judged(
                    Condition("test", column, predicate=predicate), *self._count(example[holds]), bits
                )
        if self._named(column, len(frame)):
            yield from self._of_values(column, rows, example, bits)
        scale = self.order(column)
        if scale is not None and len(rows):
            yield from self._of_cuts(column, scale[rows], first, inside, bits)

    def _count(self, example: Codes) -> tuple[int, int]:
        if not len(example):
            return 0, 0
        covered = example[np.flatnonzero(np.diff(example, prepend=-1))]
        inside = int(self.positive[covered].sum())
        return inside, len(covered) - inside

    def _of_values(self, column: Column, rows: Codes, example: Codes, bits: float) -> Iterator[Judged]:
        """Evaluate equality and inequality with each value of a column."""
        values, places = column.distinct
        place = places[rows]
        known = place >= 0
        n_values = len(values)
        has = np.zeros((len(self.positive), n_values), np.bool_)
        has[example[known], place[known]] = True
        inside, outside = has[self.positive].sum(0), has.sum(0)
        outside = outside - inside
        bits += log2(n_values + 1)
        for number, value in enumerate(values.tolist()):
            if outside[number] or inside[number]:
                yield Judged(Condition("=", column, value), int(inside[number]), int(outside[number]), bits)
        if not self.free or not column.open or n_values < 3:
            return
        n_each = has.sum(1)
        only = has & (n_each == 1)[:, None]
        alone = only[self.positive].sum(0)
        others = only.sum(0) - alone
        some = n_each > 0
        n_inside = int(some[self.positive].sum())
        n_outside = int(some.sum()) - n_inside
        for number, value in enumerate(values.tolist()):
            yield Judged(
                Condition("\\=", column, value),
                n_inside - int(alone[number]),
                n_outside - int(others[number]),
                bits + 1,
            )

    def _of_cuts(
        self, column: Column, scale: Floats, first: Codes, inside: NDArray[np.bool_], bits: float
    ) -> Iterator[Judged]:
        """Evaluate the best upper and the best lower threshold."""
        for form in (">", "=<"):
            sign = 1.0 if form == ">" else -1.0
            filled = np.where(np.isnan(scale), -np.inf, sign * scale)
            best = np.maximum.reduceat(filled, first)
            order = np.argsort(-best, kind="stable")
            best, label = best[order], inside[order]
            n_known = int(np.searchsorted(-best, np.inf))
            if n_known < 1:
                continue
            best = best[:n_known]
            positive = np.cumsum(label[:n_known], dtype=np.int64)
            negative = np.arange(1, n_known + 1) - positive
            # a cut lies between two examples that differ in their best values
            last = np.flatnonzero(np.append(best[:-1] != best[1:], True))
            worth = saved(positive[last], negative[last], self._n_positive, self._n_negative)
            place = int(np.argmax(worth))
            at = int(last[place])
            beyond = best[at + 1] if at + 1 < n_known else -np.inf
            gap = (beyond, best[at]) if form == ">" else (-best[at], -beyond)
            yield Judged(
                Condition(form, column, sign * best[at], gap),
                int(positive[at]),
                int(negative[at]),
                bits + log2(len(last) + 1) + 1,
            )

    def begin(self, positive: NDArray[np.bool_], n_positive: int, n_negative: int) -> None:
        """Set the labels and the number of examples for subsequent counts."""
        self.positive, self._n_positive, self._n_negative = positive, n_positive, n_negative

    def _of_pairs(self, frame: Frame, rows: Codes, example: Codes, bits: float) -> Iterator[Judged]:
        """Evaluate equality and order comparisons of two columns."""
        above = [rows]
        place = frame
        while place.above is not None:
            above.append(place.row_above[above[-1]])
            place = place.above
        for column, up, other in self._pairs(frame):
            mine, theirs = self.order(column), self.order(other)
            if mine is None or theirs is None:
                one = column.codes[rows]
                same = (one == other.codes[above[up]]) & (one >= 0)
                if same.any() and not same.all():
                    judged = Condition("same", column, other=other, up=up)
                    yield Judged(judged, *self._count(example[same]), bits + 2)
                continue
            left, right = mine[rows], theirs[above[up]]
            for form, holds in (("<", left < right), (">=", left >= right)):
                judged = Condition(form, column, other=other, up=up)
                yield Judged(judged, *self._count(example[holds]), bits + 3)

    def _pairs(self, frame: Frame) -> list[tuple[Column, int, Column]]:
        """Return the pairs of comparable columns within a frame, and with the frames above it."""
        if frame not in self._compared:
            same, ordered = [], []
            for column in frame.columns:
                for up, other in _others(frame, column) if column.open else ():
                    mine, theirs = self.order(column), self.order(other)
                    if not other.open:
                        continue
                    if mine is None and theirs is None and column.kind == other.kind:
                        same.append((column, up, other))
                    elif self._comparable(column, other, mine, theirs):
                        ordered.append((column, up, other))
            nearest = sorted([*same, *ordered], key=lambda pair: pair[0].depth + pair[2].depth)
            self._compared[frame] = nearest[:MOST_PAIRS]
        return self._compared[frame]

    def _comparable(self, one: Column, other: Column, mine: Floats | None, theirs: Floats | None) -> bool:
        if not self.free or mine is None or theirs is None or self.dated(one) != self.dated(other):
            return False
        if self.dated(one):
            return True
        low, high = np.nanmin(mine), np.nanmax(mine)
        return bool(np.nanmin(theirs) <= high and np.nanmax(theirs) >= low)

    # -- literals --

    def holds(self, condition: Condition, frame: Frame) -> NDArray[np.bool_]:
        """Return the rows of a frame for which a condition holds."""
        column = condition.column
        if column is None:
            return np.ones(len(frame), np.bool_)
        codes = column.codes
        if condition.form == "=":
            return np.asarray(codes == condition.value)
        if condition.form == "\\=":
            return np.asarray((codes != condition.value) & (codes >= 0))
        if condition.form == "test":
            things = next(
                things for predicate, _, things in self.frames.tests if predicate == condition.predicate
            )
            return np.isin(codes, things)
        if condition.other is None:
            scale = self.order(column)
            assert scale is not None
            return np.asarray(scale >= condition.value if condition.form == ">" else scale <= condition.value)
        rows = np.arange(len(frame))
        place: Frame | None = frame
        for _ in range(condition.up):
            assert place is not None
            rows, place = place.row_above[rows], place.above
        two = condition.other.codes[rows]
        if condition.form == "same":
            return np.asarray((codes == two) & (codes >= 0))
        left, right = self.order(column), self.order(condition.other)
        assert left is not None
        assert right is not None
        return np.asarray(left < right[rows] if condition.form == "<" else left >= right[rows])

    def literals(self, condition: Condition) -> list[Literal]:
        """Return the literals of a condition, excluding those that define its variables."""
        column = condition.column
        if column is None:
            return []
        form, name = condition.form, column.name
        if form == "test":
            assert condition.predicate is not None
            return [Literal(condition.predicate[0], (name,))]
        if form in ("=", "\\="):
            return [Literal(form, (name, self.symbols.terms[int(condition.value)]))]
        dated = self.dated(column)
        if condition.other is not None:
            sign = "=" if form == "same" else f"@{form}" if dated else form
            return [Literal(sign, (name, condition.other.name))]
        if dated:
            day: Term = Constant(_round_date(*condition.gap, whole=self._whole_days(column)))
            return [Literal("@>=" if form == ">" else "@<", (name, day))]
        return [Literal(form, (name, Constant(round_number(*condition.gap))))]

    def _whole_days(self, column: Column) -> bool:
        terms = (self.symbols.terms[code] for code in column.distinct[0][:5].tolist())
        return all(isinstance(term, Constant) and len(str(term.value)) == 10 for term in terms)


def _others(frame: Frame, column: Column) -> Iterator[tuple[int, Column]]:
    """Yield the columns that precede a column in its frame, and those of the frames above."""
    for other in frame.columns:
        if other is column:
            break
        yield 0, other
    up, above = 1, frame.above
    while above is not None:
        for other in above.columns:
            yield up, other
        up, above = up + 1, above.above


def saved(positive: Codes, negative: Codes, n_positive: int, n_negative: int) -> Floats:
    """Return the bits that the coverage saves in separating positive from negative examples.

    A clause that covers a smaller fraction of the positive examples than of the negative ones saves nothing.
    """
    p, n = np.asarray(positive, np.float64), np.asarray(negative, np.float64)
    found = (
        _bits(np.asarray(float(n_positive)), np.asarray(float(n_negative)))
        - _bits(p, n)
        - _bits(n_positive - p, n_negative - n)
    )
    return np.where(p * n_negative > n * n_positive, found, -found)


def _bits(p: Floats, n: Floats) -> Floats:
    total = p + n
    with np.errstate(divide="ignore", invalid="ignore"):
        left = np.where(p > 0, p * np.log2(total / p), 0.0)
        right = np.where(n > 0, n * np.log2(total / n), 0.0)
    return np.asarray(left + right)


def round_number(low: float, high: float) -> int | float:
    """Return the roundest number from `low` up to, but not including, `high`.

    Examples
    --------
    >>> round_number(897.2, 902.4), round_number(0.183, 0.19), round_number(3, 4), round_number(5, float("inf"))
    (900, 0.185, 3, 5)
    """
    if not np.isfinite(low):
        low = high - max(abs(high), 1.0)
    if not np.isfinite(high):
        return int(low) if low == int(low) else low
    power = ceil(log2(max(abs(low), abs(high), 1e-9)) / log2(10)) + 1
    for digits in range(power, power - 20, -1):
        unit = 10.0**digits
        for part in (1.0, 0.5):
            found = ceil(low / (unit * part) - 1e-12) * unit * part
            found = float(f"{found:.15g}")
            if low <= found < high:
                return int(found) if found == int(found) else found
    return low


def _round_date(low: float, high: float, whole: bool) -> str:
    """Return the roundest date after `low`, up to `high`: the first of a year or month, or a day."""
    if not np.isfinite(high):
        high = low + 86400
    if not np.isfinite(low):
        low = high - 86400
    start = EPOCH + timedelta(seconds=low)
    end = EPOCH + timedelta(seconds=high)
    first_days = [date(start.year + 1, 1, 1)]
    following = start.month % 12 + 1
    first_days.append(date(start.year + start.month // 12, following, 1))
    first_days.append((start + timedelta(days=1)).date())
    for day in first_days:
        if start < datetime(day.year, day.month, day.day) <= end:
            return day.isoformat()
    return end.isoformat(sep=" ") if not whole else end.date().isoformat()
