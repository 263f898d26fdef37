"""SEQUENTIAL-COVERING (Mitchell, Table 10.1): one rule at a time, each for the uncovered examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

State = TypeVar("State")
Rule_contra = TypeVar("Rule_contra", contravariant=True)


class Examples(Protocol[Rule_contra]):
    """Examples that no accepted rule covers yet."""

    def left(self) -> bool:
        """Return whether an example still needs a rule."""

    def remove(self, rule: Rule_contra) -> bool:
        """Remove the examples that a rule covers; return whether there were any."""


def sequential_covering(
    examples: Examples[State],
    learn: Callable[[], State | None],
    accept: Callable[[State], bool],
) -> Iterator[State]:
    """Learn rules until no example is left, or until the best rule for the remaining examples is not good enough.

    Rules are returned in the order in which they were learned, and must be applied in that order. Sorting
    them by their performance over all examples, as the last line of Table 10.1 does, would change the
    predictions of the list.

    Parameters
    ----------
    examples : Examples
        Uncovered examples, which are updated after each rule.
    learn : callable
        Function that returns the best rule for the remaining examples, or None (LEARN-ONE-RULE).
    accept : callable
        Function that returns whether a rule performs well enough (PERFORMANCE > Threshold).
    """
    while examples.left():
        rule = learn()
        if rule is None or not accept(rule) or not examples.remove(rule):
            return
        yield rule
