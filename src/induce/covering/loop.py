"""SEQUENTIAL-COVERING (Mitchell, Table 10.1): one rule after the other, each for the examples not yet covered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

State = TypeVar("State")
Rule_contra = TypeVar("Rule_contra", contravariant=True)


class Examples(Protocol[Rule_contra]):
    """The examples that still need a rule."""

    def left(self) -> bool:
        """Return whether there is an example that needs a rule."""

    def remove(self, rule: Rule_contra) -> bool:
        """Remove the examples that a rule covers; return whether there were any."""


def sequential_covering(
    examples: Examples[State],
    learn: Callable[[], State | None],
    accept: Callable[[State], bool],
) -> Iterator[State]:
    """Find rules until no example is left, or until the best rule for the remaining examples is not good enough.

    Rules come in the order in which they were learned, and must be applied in that order: sorting them by their
    performance over all examples, as the last line of Table 10.1 does, would change the predictions of the list.

    Parameters
    ----------
    examples : Examples
        Changed from rule to rule.
    learn : callable
        Finds the best rule for the examples left, or None (LEARN-ONE-RULE).
    accept : callable
        Returns whether a rule performs well enough (PERFORMANCE > Threshold).
    """
    while examples.left():
        rule = learn()
        if rule is None or not accept(rule) or not examples.remove(rule):
            return
        yield rule
