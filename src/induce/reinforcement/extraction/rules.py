"""Sequential covering of a policy's states by rules whose action is good wherever they apply."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.covering import Refinements, learn_one_rule, sequential_covering
from induce.hypotheses.conditions import Above, AtMost, Condition, Is, none_of, simplified
from induce.reinforcement.extraction.features import Situations

Mask = NDArray[np.bool_]

MANY = 1e6
"""Upper bound on the number of conditions of a rule, so that one more state outweighs them all."""


@dataclass(frozen=True, eq=False)
class Conjunction:
    """A conjunction of conditions, with the uncovered states in which it holds."""

    conditions: tuple[int, ...]
    rows: Mask


def covering_rules(
    seen: Situations, width: int, most: int | None
) -> list[tuple[tuple[Condition, ...], int, int]]:
    """Return rules as (conditions, action, number of states), until all states are covered or `most` is reached.

    The first matching rule decides, so a rule may be wrong in states covered by earlier ones.
    """
    tests = _tests(seen)
    covered = np.array([test.covers(seen.table) for test in tests], dtype=bool).reshape(len(tests), len(seen))
    left = _Left(covered, seen.good)
    found: list[tuple[tuple[Condition, ...], int, int]] = []

    def learn() -> Conjunction | None:
        return None if most is not None and len(found) >= most else learn_one_rule(left, width)

    def accept(rule: Conjunction) -> bool:
        # among the actions that are good wherever the rule applies, the one that is good in most other states
        everywhere = seen.good[rule.rows].all(axis=0)
        action = int(np.where(everywhere, seen.good.sum(axis=0), -1).argmax())
        found.append((simplified(tests[k] for k in rule.conditions), action, int(rule.rows.sum())))
        return True

    list(sequential_covering(left, learn, accept))
    return found


class _Left:
    """The uncovered states, and the search for the next rule."""

    def __init__(self, covered: Mask, good: Mask) -> None:
        self.covered, self.good = covered, good
        self.uncovered: Mask = np.ones(len(good), dtype=bool)
        rng = np.random.default_rng(0)
        self.codes = rng.integers(2**62, size=len(good))  # the sum over rows identifies a set of rows

    def left(self) -> bool:
        """Return whether any state is uncovered."""
        return bool(self.uncovered.any())

    def remove(self, rule: Conjunction) -> bool:
        """Remove the states covered by a rule."""
        before = int(self.uncovered.sum())
        self.uncovered &= ~rule.rows
        return int(self.uncovered.sum()) < before

    def start(self) -> list[Conjunction]:
        """Return the rule without conditions."""
        return [Conjunction((), self.uncovered.copy())]

    def quality(self, state: Conjunction) -> tuple[float, float]:
        """Return the number of states covered if the action is good in all; ties favour fewer conditions."""
        found = self._judged(state.rows[None, :], len(state.conditions), len(state.rows) + 1)
        return float(found.quality[0]), float(found.tie[0])

    def refine(self, state: Conjunction) -> Refinements:
        """Score all conjunctions with one more condition."""
        return self._judged(self.covered & state.rows, len(state.conditions) + 1, int(state.rows.sum()))

    def take(self, state: Conjunction, step: int) -> Conjunction:
        """Return the conjunction with one more condition."""
        return Conjunction((*state.conditions, step), self.covered[step] & state.rows)

    def _judged(self, rows: Mask, n_conditions: int, before: int) -> Refinements:
        held = rows.sum(axis=1).astype(np.float64)
        # the largest number of states that share a good action: no specialisation can cover more
        bound = (rows.astype(np.float32) @ self.good.astype(np.float32)).max(axis=1).astype(np.float64)
        may = (held > 0) & (held < before)  # a condition that excludes no state is useless
        pure = bound == held
        return Refinements(
            quality=np.where(pure & may, held, -np.inf),
            # any specialisation of a correct rule covers fewer states
            promise=np.where(may & ~pure, bound / np.maximum(held, 1.0), -np.inf),
            bound=bound,
            tie=bound - n_conditions / MANY,
            keys=rows @ self.codes,
        )


def _tests(seen: Situations) -> list[Condition]:
    """Return the candidate conditions: at most or above a threshold, equal or unequal to a value."""
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
