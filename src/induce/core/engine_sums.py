"""Sums over the parts of large work, in an order that depends only on the number of parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

Result = TypeVar("Result")
Add = Callable[[Result, Result], Result]


class Sum(Generic[Result]):
    """A sum in the order of a binary tree: neighbours first; at most one partial sum per level is kept.

    Examples
    --------
    >>> letters = Sum(lambda left, right: f"({left}{right})")
    >>> for letter in "abcde":
    ...     letters.take(letter, 1)
    >>> letters.value()
    '(((ab)(cd))e)'
    """

    def __init__(self, add: Add[Any]) -> None:
        self._add = add
        self._parts: list[tuple[int, Any]] = []

    def take(self, value: Result, size: int) -> None:
        """Add the sum of a number of further parts."""
        while self._parts and self._parts[-1][0] == size:
            value, size = self._add(self._parts.pop()[1], value), 2 * size
        self._parts.append((size, value))

    def value(self) -> Result:
        """Return the sum of all parts; there must be at least one."""
        _, found = self._parts.pop()
        while self._parts:
            found = self._add(self._parts.pop()[1], found)
        return cast(Result, found)


class Collected(Generic[Result]):
    """Results in a list, or added up."""

    def __init__(self, add: Add[Result] | None) -> None:
        self._sum = None if add is None else Sum[Result](add)
        self._list: list[Result] = []

    def take(self, value: Result, size: int) -> None:
        """Add a result, or the sum of a number of results."""
        if self._sum is None:
            self._list.append(value)
        else:
            self._sum.take(value, size)

    def results(self) -> list[Result]:
        """Return the results, or a list of their sum."""
        return self._list if self._sum is None else [self._sum.value()]
