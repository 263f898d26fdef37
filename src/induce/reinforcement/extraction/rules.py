"""Rules for a policy: each covers as many states as it can, in all of which its action is good."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.covering import Refinements, learn_one_rule, sequential_covering
from induce.hypotheses.conditions import Above, AtMost, Condition, Is, none_of, simplified
from induce.reinforcement.extraction.features import Situations

Mask = NDArray[np.bool_]

MANY = 1e6
"""More conditions than a rule has: a state more counts for more than all of them."""


@dataclass(frozen=True, eq=False)
class Conjunction:
    """Conditions, and in which of the states that are still to be covered they hold."""

    conditions: tuple[int, ...]
    rows: Mask


def covering_rules(
    seen: Situations, width: int, most: int | None
) -> list[tuple[tuple[Condition, ...], int, int]]:
    """Return rules as conditions, action and the number of states, until no state is left or there are `most` rules.

    The first rule that holds decides, so a rule may be wrong in states that earlier ones cover.
    """
    tests = _tests(seen)
    covered = np.array([test.covers(seen.table) for test in tests], dtype=bool).reshape(len(tests), len(seen))
    left = _Left(covered, seen.good)
    found: list[tuple[tuple[Condition, ...], int, int]] = []

    def learn() -> Conjunction | None:
        return None if most is not None and len(found) >= most else learn_one_rule(left, width)

    def accept(rule: Conjunction) -> bool:
        # of the actions that are good wherever the rule holds, the one that is good in most other states
        everywhere = seen.good[rule.rows].all(axis=0)
        action = int(np.where(everywhere, seen.good.sum(axis=0), -1).argmax())
        found.append((simplified(tests[k] for k in rule.conditions), action, int(rule.rows.sum())))
        return True

    list(sequential_covering(left, learn, accept))
    return found


class _Left:
    """The states still to be covered, and the search among conjunctions for the next rule."""

    def __init__(self, covered: Mask, good: Mask) -> None:
        self.covered, self.good = covered, good
        self.uncovered: Mask = np.ones(len(good), dtype=bool)
        rng = np.random.default_rng(0)
        self.codes = rng.integers(2**62, size=len(good))  # a sum over rows tells sets of rows apart

    def left(self) -> bool:
        """Say whether a state is left."""
        return bool(self.uncovered.any())

    def remove(self, rule: Conjunction) -> bool:
        """Take away the states that a rule covers."""
        before = int(self.uncovered.sum())
        self.uncovered &= ~rule.rows
        return int(self.uncovered.sum()) < before

    def start(self) -> list[Conjunction]:
        """Return the rule without conditions."""
        return [Conjunction((), self.uncovered.copy())]

    def quality(self, state: Conjunction) -> tuple[float, float]:
        """Return how many states a rule covers, if its action is good in all; fewer conditions win ties."""
        found = self._judged(state.rows[None, :], len(state.conditions), len(state.rows) + 1)
        return float(found.quality[0]), float(found.tie[0])

    def refine(self, state: Conjunction) -> Refinements:
        """Judge all conjunctions with one more condition."""
        return self._judged(self.covered & state.rows, len(state.conditions) + 1, int(state.rows.sum()))

    def take(self, state: Conjunction, step: int) -> Conjunction:
        """Return the conjunction with one more condition."""
        return Conjunction((*state.conditions, step), self.covered[step] & state.rows)

    def _judged(self, rows: Mask, n_conditions: int, before: int) -> Refinements:
        held = rows.sum(axis=1).astype(np.float64)
        # the most states that share a good action: no rule that follows can cover more
        bound = (rows.astype(np.float32) @ self.good.astype(np.float32)).max(axis=1).astype(np.float64)
        may = (held > 0) & (held < before)  # a condition that excludes no state says nothing
        pure = bound == held
        return Refinements(
            quality=np.where(pure & may, held, -np.inf),
            # whatever follows from a rule that is right already covers less
            promise=np.where(may & ~pure, bound / np.maximum(held, 1.0), -np.inf),
            bound=bound,
            tie=bound - n_conditions / MANY,
            keys=rows @ self.codes,
        )


def _tests(seen: Situations) -> list[Condition]:
    """Return the conditions that rules are made of: up to a number and above it, a value or any other."""
    found: list[Condition] = []
    for column, values in zip(seen.schema, seen.columns, strict=True):
        if column.kind == "numeric":
            for threshold in np.unique(values)[:-1].tolist():
                found += [AtMost(column.name, threshold), Above(column.name, threshold)]
        elif len(column.domain) > 1:
            for value in column.domain:
                found.append(Is(column.name, value))
                if len(column.domain) > 2:
                    found.append(none_of(column, (value,)))
    return found
