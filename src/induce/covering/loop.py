"""SEQUENTIAL-COVERING (Mitchell, Table 10.1): one rule after the other, each for what the earlier ones left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

State = TypeVar("State")
Rule_contra = TypeVar("Rule_contra", contravariant=True)


class Examples(Protocol[Rule_contra]):
    """The examples that rules are still to be found for."""

    def left(self) -> bool:
        """Say whether there is an example that needs a rule."""

    def remove(self, rule: Rule_contra) -> bool:
        """Take away the examples that a rule settles; say whether there were any."""


def sequential_covering(
    examples: Examples[State],
    learn: Callable[[], State | None],
    accept: Callable[[State], bool],
) -> Iterator[State]:
    """Find rules until no example is left, or until the best rule for those left is not good enough.

    Rules come in the order in which they were learned, in which they must also be used: sorting them by their
    performance over all examples, as the last line of Table 10.1 does, would change what the list predicts.

    Parameters
    ----------
    examples : Examples
        Changed from rule to rule.
    learn : callable
        Finds the best rule for the examples left, or None (LEARN-ONE-RULE).
    accept : callable
        Says whether a rule performs well enough (PERFORMANCE > Threshold).
    """
    while examples.left():
        rule = learn()
        if rule is None or not accept(rule) or not examples.remove(rule):
            return
        yield rule
