"""Interactions of the rules of a list: overlaps, contradictions, and the effects of their order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.table import Table
from induce.hypotheses.boxes import Boxes
from induce.hypotheses.conditions import Mask
from induce.hypotheses.naming import plural, value_text
from induce.hypotheses.rule_statistics import class_codes

if TYPE_CHECKING:
    from induce.hypotheses.rules import RuleList

Whole = NDArray[np.int64]
Positions = NDArray[np.intp]
Section = tuple[str, list[str], int]
"""A title, the first lines below it, and the total number of lines."""

MOST_LINES = 10
# number of rows per batch, so that the coverage of a thousand rules fits into memory
BLOCK = 16_384


@dataclass(frozen=True)
class Overlap:
    """Two rules that a row can satisfy together; rules are numbered from 1.

    Parameters
    ----------
    first, second : int
        Numbers of the rules.
    predictions : tuple
        Predictions of the rules.
    rows : int or None
        Number of given rows that satisfy both; None without rows.
    right : tuple of int or None
        Number of these rows for which the first rule, and the second, is correct; None without classes.
    """

    first: int
    second: int
    predictions: tuple[Value, Value]
    rows: int | None = None
    right: tuple[int, int] | None = None

    @property
    def contradicts(self) -> bool:
        """Whether the two predict differently."""
        return self.predictions[0] != self.predictions[1]

    def __str__(self) -> str:
        one, other = map(value_text, self.predictions)
        if self.right is not None:
            one, other = f"{one} ({self.right[0]} right)", f"{other} ({self.right[1]} right)"
        shared = "can share rows" if self.rows is None else f"share {plural(self.rows, 'row')}"
        says = f"{one} and {other}" if self.contradicts else f"both {value_text(self.predictions[0])}"
        return f"rules {self.first} and {self.second} {shared}: {says}"


@dataclass(frozen=True)
class Swap:
    """Effect of swapping a rule of an ordered list with the next; rules are numbered from 1.

    Parameters
    ----------
    first, second : int
    rows : tuple of int
        Positions of the given rows whose prediction would change.
    right : tuple of int or None
        Number of these rows predicted correctly in the current order, and in the swapped one; None without classes.
    """

    first: int
    second: int
    rows: tuple[int, ...]
    right: tuple[int, int] | None = None

    def __str__(self) -> str:
        rows = plural(len(self.rows), "row")
        change = f"rules {self.first} and {self.second} swapped: {rows} predicted otherwise"
        return change if self.right is None else f"{change} ({self.right[0]} right now, {self.right[1]} then)"


@dataclass(frozen=True, eq=False)
class RuleReport:
    """Overlaps, contradictions and order effects of a rule list; see `RuleList.report`.

    Parameters
    ----------
    rules : RuleList
    n_rows : int or None
        Number of given rows; None if none were given.
    pairs : array of int, shape (pairs, 2)
        Indices of all pairs of rules that some row, given or not, could satisfy together.
    shared : array of int or None
        Number of given rows that satisfy both rules of each pair.
    right : array of int, shape (pairs, 2), or None
        Number of these rows for which the first rule, and the second, is correct.
    covered, decided : tuple of int
        Number of given rows that satisfy each rule, and that it decides (in an unordered list: all of them).
    unreachable : tuple of (int, int)
        Rules that can never decide a row, each with the earlier rule that always precedes it; 0 if its own
        conditions exclude each other.
    swaps : tuple of Swap
        Adjacent rules of an ordered list that decide differently in the other order.
    reversed_rows : tuple of int
        Indices of the given rows whose prediction would change if an ordered list were read from the last
        rule to the first.
    disputed_rows : tuple of int
        Positions of the given rows that satisfy rules with different predictions.
    """

    rules: RuleList
    n_rows: int | None
    pairs: Whole
    shared: Whole | None
    right: Whole | None
    covered: tuple[int, ...]
    decided: tuple[int, ...]
    unreachable: tuple[tuple[int, int], ...]
    swaps: tuple[Swap, ...]
    reversed_rows: tuple[int, ...]
    disputed_rows: tuple[int, ...]

    @cached_property
    def overlaps(self) -> tuple[Overlap, ...]:
        """Pairs of rules that a row could satisfy together, by decreasing number of shared rows."""
        return tuple(map(self._overlap, self._order().tolist()))

    @property
    def contradictions(self) -> tuple[Overlap, ...]:
        """Overlaps of rules with different predictions."""
        return tuple(each for each in self.overlaps if each.contradicts)

    @property
    def never_reached(self) -> tuple[int, ...]:
        """Numbers of the rules that can never decide a row."""
        return tuple(number for number, _ in self.unreachable)

    @property
    def idle(self) -> tuple[int, ...]:
        """Numbers of the rules that decide none of the given rows."""
        return tuple(number for number, rows in enumerate(self.decided, start=1) if not rows)

    def __str__(self) -> str:
        lines = []
        for title, items, total in self._sections():
            lines += [title, *(f"  {item}" for item in items)]
            lines += [f"  … and {total - len(items)} more"] if total > len(items) else []
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = []
        for title, items, total in self._sections():
            more = [f"… and {total - len(items)} more"] if total > len(items) else []
            entries = "".join(f"<li>{escape(item)}</li>" for item in [*items, *more])
            parts.append(f"<div>{escape(title)}{f'<ul>{entries}</ul>' if entries else ''}</div>")
        return "".join(parts)

    def _sections(self) -> list[Section]:
        how = "in order" if self.rules.ordered else "which vote"
        rows = "" if self.n_rows is None else f", {plural(self.n_rows, 'row')}"
        return [
            (f"{plural(len(self.rules.rules), 'rule')} {how}{rows}", [], 0),
            self._overlap_section(),
            *self._order_sections(),
            *self._idle_sections(),
        ]

    def _overlap_section(self) -> Section:
        heads = np.array(
            [self.rules.classes.index(rule.prediction) for rule in self.rules.rules], dtype=np.intp
        )
        differ = heads[self.pairs[:, 0]] != heads[self.pairs[:, 1]]
        seen = np.ones(len(self.pairs), dtype=np.bool_) if self.shared is None else self.shared > 0
        n_seen, n_against = int(seen.sum()), int((seen & differ).sum())
        verb = "can share" if self.n_rows is None else "shares" if n_seen == 1 else "share"
        title = (
            f"overlaps: {plural(n_seen, 'pair')} of rules {verb} rows, {n_against} with different predictions"
        )
        if self.n_rows is not None:
            title += f" ({plural(len(self.disputed_rows), 'row')})"
        if not seen.all():
            title += (
                f"; {int((~seen).sum())} more could, {int((~seen & differ).sum())} with different predictions"
            )
        order = self._order()
        worst = order[(seen & differ)[order]][:MOST_LINES].tolist()
        return title, [str(self._overlap(place)) for place in worst], n_against

    def _order_sections(self) -> list[Section]:
        if not self.rules.ordered:
            return [("order: all rules that cover a row vote, so their order changes nothing", [], 0)]
        if self.n_rows is None:
            return []
        title = (
            f"order: {plural(len(self.reversed_rows), 'row')} predicted otherwise if read from the last rule, "
            f"{plural(len(self.swaps), 'pair')} of neighbours with another prediction if swapped"
        )
        return [(title, list(map(str, self.swaps[:MOST_LINES])), len(self.swaps))]

    def _idle_sections(self) -> list[Section]:
        sections: list[Section] = []
        if self.unreachable:
            reasons = [
                f"rule {number}: "
                + (f"rule {first} always comes first" if first else "its conditions exclude each other")
                for number, first in self.unreachable[:MOST_LINES]
            ]
            total = len(self.unreachable)
            sections.append((f"never reached: {plural(total, 'rule')}", reasons, total))
        if self.n_rows is not None and self.idle:
            reasons = [
                f"rule {number}: covers {plural(self.covered[number - 1], 'row')}"
                + (", which earlier rules decide" if self.covered[number - 1] else "")
                for number in self.idle[:MOST_LINES]
            ]
            total = len(self.idle)
            sections.append((f"decide none of the rows: {plural(total, 'rule')}", reasons, total))
        return sections

    def _order(self) -> Positions:
        """Return the indices of the pairs by decreasing number of shared rows."""
        if self.shared is None:
            return np.arange(len(self.pairs))
        return np.argsort(-self.shared, kind="stable")

    def _overlap(self, place: int) -> Overlap:
        first, second = self.pairs[place].tolist()
        predictions = self.rules.rules[first].prediction, self.rules.rules[second].prediction
        rows = None if self.shared is None else int(self.shared[place])
        right = None if self.right is None else (int(self.right[place, 0]), int(self.right[place, 1]))
        return Overlap(first + 1, second + 1, predictions, rows, right)


def report_of(rules: RuleList, X: Any, y: Any) -> RuleReport:
    """Return the interactions of the rules; see `RuleList.report`."""
    boxes = Boxes.of(rules.rules, rules.schema)
    overlap = boxes.overlap()
    pairs = np.argwhere(np.triu(overlap, 1))
    unreachable = _unreachable(rules, boxes)
    if X is None:
        if y is not None:
            raise InputError("y is given without X; give the rows as well, or neither")
        return RuleReport(rules, None, pairs, None, None, (), (), unreachable, (), (), ())
    table = rules.encoded(X)
    labels = None if y is None else class_codes(y, rules.classes)
    if labels is not None and len(labels) != len(table):
        raise InputError(f"X has {len(table)} rows, but y has {len(labels)}; give one class per row")
    counted = _Counted(rules)
    for start in range(0, len(table), BLOCK):
        block = slice(start, start + BLOCK)
        rows = np.arange(len(table))[block]
        counted.add(rows, table.rows(rows), None if labels is None else labels[block])
    one, other = pairs.T
    right = None
    if labels is not None:
        right = np.column_stack([counted.right[one, other], counted.right[other, one]])
    return RuleReport(
        rules,
        len(table),
        pairs,
        counted.shared[one, other],
        right,
        tuple(np.diagonal(counted.shared).tolist()),
        tuple(counted.decided.tolist()),
        unreachable,
        counted.swaps(labels is not None),
        tuple(counted.reversed),
        tuple(counted.disputed),
    )


def _unreachable(rules: RuleList, boxes: Boxes) -> tuple[tuple[int, int], ...]:
    possible, implied = boxes.satisfiable(), boxes.implied()
    found = []
    for number in range(len(rules.rules)):
        if not possible[number]:
            found.append((number + 1, 0))
        elif rules.ordered and implied[number, :number].any():
            found.append((number + 1, int(implied[number, :number].argmax()) + 1))
    return tuple(found)


class _Counted:
    """Running statistics of pairs of rules, accumulated block by block."""

    def __init__(self, rules: RuleList) -> None:
        self.rules = rules
        n_rules = len(rules.rules)
        self.heads = np.array([rules.classes.index(rule.prediction) for rule in rules.rules], dtype=np.intp)
        self.default = rules.classes.index(rules.default)
        self.shared: Whole = np.zeros((n_rules, n_rules), dtype=np.int64)
        self.right: Whole = np.zeros((n_rules, n_rules), dtype=np.int64)
        self.decided: Whole = np.zeros(n_rules, dtype=np.int64)
        self.swapped: list[list[int]] = [[] for _ in range(n_rules)]
        self.swapped_right: Whole = np.zeros((n_rules, 2), dtype=np.int64)
        self.reversed: list[int] = []
        self.disputed: list[int] = []

    def add(self, rows: Positions, table: Table, labels: Positions | None) -> None:
        """Add the counts of rows at the given indices."""
        if not len(self.heads):
            return
        covers = np.array([rule.covers(table) for rule in self.rules.rules])
        counting = covers.astype(np.float32)  # integers that such floats represent exactly
        self.shared += (counting @ counting.T).astype(np.int64)
        if labels is not None:
            good = covers & (self.heads[:, None] == labels)
            self.right += (good.astype(np.float32) @ counting.T).astype(np.int64)
        some = covers.any(axis=0)
        highest = np.where(covers, self.heads[:, None], -1).max(axis=0)
        lowest = np.where(covers, self.heads[:, None], len(self.rules.classes)).min(axis=0)
        self.disputed += rows[some & (lowest != highest)].tolist()
        if not self.rules.ordered:
            self.decided += covers.sum(axis=1)
            return
        first, last = covers.argmax(axis=0), len(covers) - 1 - covers[::-1].argmax(axis=0)
        self.decided += np.bincount(first[some], minlength=len(covers))
        self.reversed += rows[some & (self.heads[first] != self.heads[last])].tolist()
        self._swap(covers, np.where(some, first, -1), rows, labels)

    def _swap(self, covers: Mask, first: Positions, rows: Positions, labels: Positions | None) -> None:
        for one in range(len(covers) - 1):
            if self.heads[one] != self.heads[one + 1]:
                changed = np.flatnonzero((first == one) & covers[one + 1])
                self.swapped[one] += rows[changed].tolist()
                if labels is not None:
                    right = labels[changed, None] == self.heads[one : one + 2]
                    self.swapped_right[one] += right.sum(axis=0)

    def swaps(self, judged: bool) -> tuple[Swap, ...]:
        """Return the adjacent rules whose order matters for the rows."""
        return tuple(
            Swap(one + 1, one + 2, tuple(rows), (right[0], right[1]) if judged else None)
            for one, (rows, right) in enumerate(zip(self.swapped, self.swapped_right.tolist(), strict=True))
            if rows
        )
