"""Joined tables of examples: rows are bindings, and columns are all values that a binding determines.

A frame begins with a one-to-many step, such as from a customer to their accounts. Everything that a row
determines, such as the branch of the account and its region, becomes a column of the frame without adding
rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from induce.logic.background.kinds import fits
from induce.logic.background.modes import Mode
from induce.logic.clauses import Literal, Predicate
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes, Facts
from induce.logic.terms import Variable

Floats = NDArray[np.float64]

MOST_ROWS = 3_000_000
"""Maximum number of bindings of a frame; larger steps are omitted."""

HUB = 4
"""Maximum mean number of rows that share an object; an object shared by more is a hub, such as a branch of a bank."""

DEEPEST = 4
"""Maximum number of determinate steps from the start of a frame to a column."""

MOST_STEPS = 3
"""Maximum number of consecutive one-to-many steps."""

WIDEST = 120
"""Maximum number of columns of a frame."""


@dataclass(frozen=True)
class Step:
    """Literal that may be added: from a known argument of a predicate to its other arguments."""

    predicate: Predicate
    start: int
    kinds: tuple[str, ...]
    constants: frozenset[int]
    """Argument positions where a constant may occur."""
    opens: frozenset[int]
    """Argument positions where a variable may occur."""

    @property
    def others(self) -> tuple[int, ...]:
        """Argument positions that the step determines."""
        return tuple(place for place in range(len(self.kinds)) if place != self.start)


@dataclass(eq=False)
class Column:
    """Variable of a frame: its values, and the literal that determines them."""

    name: Variable
    kind: str
    codes: Codes
    maker: Literal | None
    source: Column | None
    depth: int
    way: tuple[Predicate, int] | None
    """Predicate that determines the variable, and the variable's argument position."""
    constant: bool
    open: bool

    @cached_property
    def distinct(self) -> tuple[Codes, NDArray[np.int64]]:
        """Distinct values, and the index of each row's value among them; -1 if missing."""
        known = self.codes >= 0
        values, places = np.unique(self.codes[known], return_inverse=True)
        found = np.full(len(self.codes), -1, np.int64)
        found[known] = places
        return values, found

    def makers(self) -> list[Literal]:
        """Return the literals that lead to the variable within its frame, in order."""
        found: list[Literal] = []
        column: Column | None = self
        while column is not None:
            if column.maker is not None:
                found.append(column.maker)
            column = column.source
        return found[::-1]


@dataclass(eq=False)
class Frame:
    """Bindings of examples, ordered by example."""

    example: Codes
    above: Frame | None
    row_above: Codes
    columns: list[Column]
    link: Literal | None = None
    n_steps: int = 0
    _below: dict[tuple[Column, Step], Frame | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.example)


class Frames:
    """Frames reachable from the given examples.

    Parameters
    ----------
    examples : Examples
    modes : sequence of Mode
        Allowed literals.
    free : bool
        Whether a variable may occur where a mode has a constant, because the modes were derived rather than
        declared.
    """

    def __init__(self, examples: Examples, modes: Sequence[Mode], free: bool) -> None:
        self.examples, self.relations, self.free = examples, examples.relations, free
        self.facts: dict[Predicate, Facts] = {}
        self._names = 0
        self.steps = self._steps(modes)
        self.tests = self._tests(modes)
        self._single: dict[tuple[Predicate, int], bool] = {}
        rows = examples.rows
        every = np.arange(len(rows))
        kinds = examples.types
        columns = [
            Column(self._name(), kind, np.ascontiguousarray(rows[:, place]), None, None, 0, None, True, True)
            for place, kind in enumerate(kinds)
        ]
        self.head = Literal(examples.target[0], tuple(column.name for column in columns))
        self.root = Frame(every, None, every, columns)
        self._close(self.root)

    def _name(self) -> Variable:
        self._names += 1
        return Variable(f"V{self._names}")

    def _steps(self, modes: Sequence[Mode]) -> list[Step]:
        """Group the single-input modes by predicate and input, with the positions of constants and of variables."""
        found: dict[tuple[Predicate, int], list[Mode]] = {}
        for mode in modes:
            relation = self.relations.relation(mode.predicate)
            inputs = mode.places("+")
            if mode.predicate == self.examples.target or not isinstance(relation, Facts):
                continue
            if len(mode.arguments) < 2 or len(inputs) != 1 or not len(relation):
                continue
            self.facts[mode.predicate] = relation
            found.setdefault((mode.predicate, inputs[0]), []).append(mode)
        return [
            Step(
                predicate,
                start,
                group[0].types,
                frozenset(place for mode in group for place in mode.places("#")),
                frozenset(
                    place
                    for mode in group
                    for place in (*mode.places("-"), *(mode.places("#") if self.free else ()))
                ),
            )
            for (predicate, start), group in found.items()
        ]

    def _tests(self, modes: Sequence[Mode]) -> list[tuple[Predicate, str, Codes]]:
        """Return the unary predicates with the objects for which they hold."""
        found = {}
        for mode in modes:
            if len(mode.arguments) == 1 and mode.places("+") and mode.predicate != self.examples.target:
                relation = self.relations.relation(mode.predicate)
                if isinstance(relation, Facts):
                    found[mode.predicate] = (mode.predicate, mode.types[0], np.unique(relation.rows[:, 0]))
        return [*found.values()]

    def single(self, step: Step) -> bool:
        """Return whether a step has at most one answer."""
        key = step.predicate, step.start
        if key not in self._single:
            column = self.facts[step.predicate].rows[:, step.start]
            self._single[key] = len(np.unique(column)) == len(column)
        return self._single[key]

    def _literal(self, step: Step, source: Column, names: dict[int, Variable]) -> Literal:
        arguments = [source.name if place == step.start else names[place] for place in range(len(step.kinds))]
        return Literal(step.predicate[0], tuple(arguments))

    def _told(self, step: Step, source: Column, rows: Codes, known: Codes) -> list[Column]:
        """Return the columns of a step's other arguments; `known` is the index of each row's fact, or -1."""
        names = {place: self._name() for place in step.others}
        literal = self._literal(step, source, names)
        return [
            Column(
                names[place],
                step.kinds[place],
                np.where(known >= 0, rows[known, place], -1),
                literal,
                source,
                source.depth + 1,
                (step.predicate, place),
                place in step.constants,
                place in step.opens,
            )
            for place in step.others
        ]

    def _close(self, frame: Frame) -> None:
        """Add all columns that the rows of a frame determine."""
        waiting = [column for column in frame.columns if column.open]
        while waiting and len(frame.columns) < WIDEST:
            column = waiting.pop(0)
            if column.depth >= DEEPEST:
                continue
            for step in self.steps:
                if not fits(column.kind, step.kinds[step.start]) or not self.single(step):
                    continue
                if column.way == (step.predicate, step.start):  # this step would only go back
                    continue
                matches = self.facts[step.predicate].matches((step.start,), column.codes[:, None])
                if not matches.count.any():
                    continue
                fact = np.where(matches.count > 0, matches.order[matches.first], -1)
                for new in self._told(step, column, matches.rows, fact):
                    if not self._repeats(frame, new):
                        frame.columns.append(new)
                        if new.open:
                            waiting.append(new)

    def _repeats(self, frame: Frame, new: Column) -> bool:
        """Return whether the frame or a frame above it already has a column with the same values."""
        for column in frame.columns:
            if column.kind == new.kind and np.array_equal(column.codes, new.codes):
                return True
        above = frame.above
        rows = frame.row_above
        while above is not None:
            for column in above.columns:
                if column.kind == new.kind and np.array_equal(column.codes[rows], new.codes):
                    return True
            rows = above.row_above[rows]
            above = above.above
        return False

    def below(self, frame: Frame) -> list[Frame]:
        """Return the frames that one one-to-many step leads to."""
        if frame.n_steps >= MOST_STEPS:
            return []
        found = []
        for column in frame.columns:
            if not column.open:
                continue
            for step in self.steps:
                if not fits(column.kind, step.kinds[step.start]) or self.single(step):
                    continue
                if column.way == (
                    step.predicate,
                    step.start,
                ):  # this step would go back through a hub to its other members
                    continue
                key = column, step
                if key not in frame._below:
                    frame._below[key] = self._opened(frame, column, step)
                if (made := frame._below[key]) is not None:
                    found.append(made)
        return found

    def reaches(self, n_steps: int) -> bool:
        """Return whether some frame is a given number of one-to-many steps away."""
        frames = [self.root]
        for _ in range(n_steps):
            frames = [below for frame in frames for below in self.below(frame)]
        return bool(frames)

    def _opened(self, frame: Frame, column: Column, step: Step) -> Frame | None:
        matches = self.facts[step.predicate].matches((step.start,), column.codes[:, None])
        total = int(matches.count.sum())
        # along a tree of tables each fact is reached at most once, through a hub repeatedly
        if not 0 < total <= min(max(HUB * len(frame), len(matches.rows)), MOST_ROWS):
            return None
        left, right = matches.pairs()
        columns = self._told(step, column, matches.rows, right)
        new = Frame(frame.example[left], frame, left, columns, columns[0].maker, frame.n_steps + 1)
        for made in columns:
            made.maker, made.source, made.depth = None, None, 0
        self._close(new)
        return new
