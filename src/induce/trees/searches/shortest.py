"""BFS-ID3: the shortest tree that fits every example, by exhaustive search (Mitchell §3.6)."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.time_limit import check_time

NONE = 1 << 60
"""The size that stands for "no such tree"."""
ROOM = 1 << 28
"""Maximum memory in bytes for the tests of a table as bit sets of examples."""

Set = int
"""A set of examples as bits."""
Candidate = tuple[int, int, tuple[Set, ...]]
"""The size of the smallest tree with a test at its root, the tested attribute, and the parts it makes."""


class SizeSearch:
    """The sizes of the smallest trees that fit sets of examples, memoised.

    Parameters
    ----------
    values : array of int, shape (examples, inputs)
        The values of the examples as integers from 0 that keep their order; no two examples are identical.
    labels : array of int
        Class of each example, as an index.
    domains : sequence of int
        The number of branches of each input; 0 if its values are cut in two.
    max_states : int
        Maximum number of sets of examples to visit.
    """

    def __init__(
        self, values: NDArray[Any], labels: NDArray[Any], domains: tuple[int, ...], max_states: int
    ) -> None:
        n_sets = sum(n or int(column.max()) for column, n in zip(values.T, domains, strict=True))
        if n_sets * len(labels) > 8 * ROOM:
            raise InputError(
                f"{len(labels):,} different rows are too many to search for the shortest tree; learn from fewer "
                "rows, or use ID3, which finds a short tree without search"
            )
        self.everything = (1 << len(labels)) - 1
        self.max_states = max_states
        self.n_states = 0
        self._domains = domains
        self._columns = [
            [_set(column == code) for code in range(n)] if n else _up_to_each(column)
            for column, n in zip(values.T, domains, strict=True)
        ]
        self._classes = [_set(labels == c) for c in np.unique(labels)]
        self._widest = max(2, *domains)
        self._sizes: list[dict[Set, int]] = []
        self._numbers: dict[tuple[Set, int], int] = {}

    def size(self, examples: Set, depth: int, limit: int = NONE - 1) -> int:
        """Return the size of the smallest tree up to `depth` that fits the examples.

        A result above the limit is only a lower bound of the size; `NONE` means that there is no such tree.
        """
        bound = self._bound(examples, depth)
        if bound == 1 or bound > limit:
            return bound
        while len(self._sizes) <= depth:
            self._sizes.append({})
        # Invariant: a positive entry is the exact size; a negative one is minus a lower bound that exceeded
        # an earlier limit.
        known = self._sizes[depth].get(examples, 0)  # a negative entry is only a lower bound
        if known > 0 or -known > limit:
            return abs(known)
        self.n_states += 1
        check_time()
        if self.n_states > self.max_states:
            raise InputError(
                f"the search for the shortest tree met more than {self.max_states:,} sets of rows; raise "
                "max_states, learn from fewer rows or columns, or use ID3, which finds a short tree without search"
            )
        size = min((total for total, _, _ in self.tests(examples, depth, limit, falling=True)), default=NONE)
        self._sizes[depth][examples] = size if size <= limit or size == NONE else -size
        return size

    def number(self, examples: Set, depth: int) -> int:
        """Return the number of trees of minimum size."""
        size = self.size(examples, depth)
        if size == 1:
            return 1
        if (examples, depth) not in self._numbers:
            self._numbers[examples, depth] = sum(
                prod(self.number(part, depth - 1) for part in parts)
                for total, _, parts in self.tests(examples, depth, size)
                if total == size
            )
        return self._numbers[examples, depth]

    def tests(self, examples: Set, depth: int, limit: int, falling: bool = False) -> Iterator[Candidate]:
        """Yield the tests of a set of examples in declared order, lower thresholds first.

        A size above the limit is a lower bound, possibly that of several tests at once. A decreasing limit
        stays below the smallest size so far.
        """
        for attribute, (sets, n_values) in enumerate(zip(self._columns, self._domains, strict=True)):
            by_column = self._multiway if n_values else self._thresholds
            for total, parts in by_column(sets, examples, depth - 1, limit, falling):
                limit = min(limit, total - 1) if falling else limit
                yield total, attribute, parts

    def _multiway(
        self, sets: list[Set], examples: Set, depth: int, limit: int, falling: bool
    ) -> Iterator[tuple[int, tuple[Set, ...]]]:
        parts = tuple(part for members in sets if (part := examples & members))
        if len(parts) > 1:
            others = 1 + len(sets) - len(parts)
            bounds = [self._bound(part, depth) for part in parts]
            yield self._together(parts, bounds, depth, limit - others, others), parts

    def _thresholds(
        self, sets: list[Set], examples: Set, depth: int, limit: int, falling: bool
    ) -> Iterator[tuple[int, tuple[Set, ...]]]:
        """Bisect the thresholds recursively: more examples never have a smaller tree.

        So the examples below a threshold need at least as many nodes below any higher threshold, and the
        examples above it at least as many above any lower one.
        """
        # An item is a range of thresholds with the examples below its ends, and lower bounds of the trees for
        # the examples below and above any threshold in it; or it is a result to be yielded in its turn.
        ready: list[Any] = [(0, len(sets), 0, examples, 1, 1)]
        while ready:
            item = ready.pop()
            if len(item) == 2:
                yield item
                continue
            start, stop, at_start, at_stop, n_low, n_high = item
            if start == stop or at_start == at_stop:
                continue
            if 1 + n_low + n_high > limit:
                yield min(1 + n_low + n_high, NONE), ()
                continue
            middle = (start + stop) // 2
            low = examples & sets[middle]
            if low == at_start:
                ready.append((middle + 1, stop, low, at_stop, n_low, n_high))
                continue
            if low == at_stop:
                ready.append((start, middle, at_start, low, n_low, n_high))
                continue
            parts = low, examples ^ low
            bounds = [max(n_low, self._bound(parts[0], depth)), max(n_high, self._bound(parts[1], depth))]
            total = self._together(parts, bounds, depth, limit - 1, 1)
            limit = min(limit, total - 1) if falling else limit
            ready += (
                (middle + 1, stop, low, at_stop, bounds[0], n_high),
                (total, parts),
                (start, middle, at_start, low, n_low, bounds[1]),
            )

    def _together(
        self, parts: tuple[Set, ...], bounds: list[int], depth: int, limit: int, others: int
    ) -> int:
        """Raise the bounds to the sizes of the parts while they stay within the limit; return their sum."""
        total = sum(bounds)
        # The largest part first: it is the most likely to exceed the remaining limit.
        for i in sorted(range(len(parts)), key=lambda i: -parts[i].bit_count()):
            if total > limit:
                break
            size = max(bounds[i], self.size(parts[i], depth, limit - total + bounds[i]))
            total += size - bounds[i]
            bounds[i] = size
        return min(others + total, NONE)

    def _bound(self, examples: Set, depth: int) -> int:
        """Return the minimum number of nodes for the number of classes."""
        n_classes = 0
        for members in self._classes:
            if examples & members:
                n_classes += 1
        if n_classes > self._widest**depth:
            return NONE
        # At least one leaf per class, and as many tests as are needed for that number of leaves.
        return n_classes + -(-(n_classes - 1) // (self._widest - 1))


def _set(members: NDArray[np.bool_]) -> Set:
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")


def _up_to_each(column: NDArray[Any]) -> list[Set]:
    """Return the examples with values up to each value but the highest."""
    return [_set(column <= value) for value in range(int(column.max()))]
