"""Logical relations between premises that hold for all rows: satisfiability, overlap and implication."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.data.frames import Floats
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Condition, Mask, NominalCondition, NumericCondition

if TYPE_CHECKING:
    from induce.hypotheses.rules import Rule


@dataclass(frozen=True, eq=False)
class Side:
    """Values of one attribute that each premise accepts: nominal values, or numbers above `low` and at most `high`.

    `tested` marks the premises with a test on the attribute; the others accept everything, even a missing
    value.
    """

    tested: Mask
    values: Mask | None
    low: Floats
    high: Floats

    def empty(self) -> Mask:
        """Return whether each premise accepts no value of this attribute."""
        return np.asarray(self.low >= self.high if self.values is None else ~self.values.any(axis=1))

    def meet(self) -> Mask:
        """Return whether each pair of satisfiable premises accepts a common value."""
        if self.values is None:
            below = self.low[:, None] < self.high
            return np.asarray(below & below.T)
        return _any_common(self.values, self.values)

    def follow(self) -> Mask:
        """Return, for premises i and j, whether j accepts everything that i accepts."""
        if self.values is None:
            inside = (self.low <= self.low[:, None]) & (self.high[:, None] <= self.high)
        else:
            inside = ~_any_common(self.values, ~self.values)
        return np.asarray(~self.tested | (self.tested[:, None] & inside))


@dataclass(frozen=True, eq=False)
class Boxes:
    """The premises of rules, organised by attribute."""

    n_rules: int
    sides: tuple[Side, ...]

    @classmethod
    def of(cls, rules: Sequence[Rule], schema: Schema) -> Boxes:
        """Group the tests of the premises by attribute."""
        found: dict[str, list[tuple[int, Condition]]] = {}
        for number, rule in enumerate(rules):
            for condition in rule.conditions:
                found.setdefault(condition.attribute, []).append((number, condition))
        sides = (_side(schema[name], tests, len(rules)) for name, tests in found.items())
        return cls(len(rules), tuple(sides))

    def satisfiable(self) -> Mask:
        """Return whether a row can satisfy each premise.

        Examples
        --------
        >>> from induce.hypotheses.conditions import Above, AtMost
        >>> from induce.hypotheses.rules import Rule
        >>> rules = [Rule((Above("age", 5), AtMost("age", 3)), "yes", ()), Rule((), "yes", ())]
        >>> Boxes.of(rules, Schema((Column("age"),))).satisfiable().tolist()
        [False, True]
        """
        possible = np.ones(self.n_rules, dtype=np.bool_)
        for side in self.sides:
            possible &= ~side.empty()
        return possible

    def overlap(self) -> Mask:
        """Return whether a row can satisfy both premises of each pair."""
        possible = self.satisfiable()
        both = possible[:, None] & possible
        for side in self.sides:
            both &= side.meet()
        return both

    def implied(self) -> Mask:
        """Return, for premises i and j, whether every row that satisfies i also satisfies j.

        Examples
        --------
        >>> from induce.hypotheses.conditions import Above
        >>> from induce.hypotheses.rules import Rule
        >>> rules = [Rule((Above("age", 5),), "yes", ()), Rule((Above("age", 3),), "yes", ())]
        >>> Boxes.of(rules, Schema((Column("age"),))).implied().tolist()
        [[True, True], [False, True]]
        """
        follows = np.ones((self.n_rules, self.n_rules), dtype=np.bool_)
        for side in self.sides:
            follows &= side.follow()
        follows[~self.satisfiable()] = True
        return follows


def _side(column: Column, tests: list[tuple[int, Condition]], n_rules: int) -> Side:
    tested = np.zeros(n_rules, dtype=np.bool_)
    tested[[number for number, _ in tests]] = True
    low, high = np.full(n_rules, -np.inf), np.full(n_rules, np.inf)
    if column.kind != "nominal":
        for number, condition in tests:
            if isinstance(condition, NumericCondition):
                low[number] = max(low[number], condition.bounds[0])
                high[number] = min(high[number], condition.bounds[1])
        return Side(tested, None, low, high)
    values = np.ones((n_rules, len(column.domain)), dtype=np.bool_)
    for number, condition in tests:
        if isinstance(condition, NominalCondition):
            accepted = set(condition.accepted)
            values[number] &= [value in accepted for value in column.domain]
    return Side(tested, values, low, high)


def _any_common(one: Mask, other: Mask) -> Mask:
    # a matrix product counts the common elements of two sets; float counts are exact
    return np.asarray(one.astype(np.float32) @ other.T.astype(np.float32) > 0)
