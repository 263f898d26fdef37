"""BFS-ID3: the shortest tree that fits every example, by exhaustive search (Mitchell §3.6)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import count
from math import prod
from operator import or_
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import at_least
from induce.core.progress import report
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.hypotheses.naming import plural
from induce.trees.hypothesis import Tree
from induce.trees.learners import TreeLearner
from induce.trees.recursion import Rows, Test, class_tree, cut, divide, is_cut

NONE = 1 << 60
"""The size of a tree that does not exist."""
ROOM = 1 << 28
"""Bytes that the tests of a table may take as sets of examples."""

Set = int
"""A set of examples as bits."""
Candidate = tuple[int, int, tuple[Set, ...]]
"""The size of the smallest tree with a test at its root, the attribute tested, the parts it makes."""


class Search:
    """The sizes of the smallest trees that fit sets of examples, each found once and kept.

    Parameters
    ----------
    values : array of int, shape (examples, inputs)
        The values of the examples as whole numbers from 0 in their order; no two examples are the same.
    labels : array of int
    domains : sequence of int
        The number of branches of each input; 0 for one whose values are cut in two.
    max_states : int
        How many sets of examples to look at before giving up.
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
        """Return how many nodes the smallest tree up to `depth` has that fits the examples.

        A size above the limit is only a lower bound of it; `NONE` means that there is no such tree.
        """
        bound = self._bound(examples, depth)
        if bound == 1 or bound > limit:
            return bound
        while len(self._sizes) <= depth:
            self._sizes.append({})
        known = self._sizes[depth].get(examples, 0)  # less than zero: only a lower bound
        if known > 0 or -known > limit:
            return abs(known)
        self.n_states += 1
        if self.n_states > self.max_states:
            raise InputError(
                f"the search for the shortest tree met more than {self.max_states:,} sets of rows; raise "
                "max_states, learn from fewer rows or columns, or use ID3, which finds a short tree without search"
            )
        size = min((total for total, _, _ in self.tests(examples, depth, limit, falling=True)), default=NONE)
        self._sizes[depth][examples] = size if size <= limit or size == NONE else -size
        return size

    def number(self, examples: Set, depth: int) -> int:
        """Return how many trees share the smallest size."""
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

        A size above the limit is a lower bound, and may be that of several tests at once. A falling limit keeps
        below the least size so far.
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
        """Halve the thresholds again and again: more examples never have a smaller tree.

        So what lies below a threshold needs at least as many nodes below any higher one, and what lies above it
        at least as many above any lower one.
        """
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
        """Raise the bounds to the sizes of the parts, while they stay within the limit; return their sum."""
        total = sum(bounds)
        for i in sorted(range(len(parts)), key=lambda i: -parts[i].bit_count()):
            if total > limit:
                break
            size = max(bounds[i], self.size(parts[i], depth, limit - total + bounds[i]))
            total += size - bounds[i]
            bounds[i] = size
        return min(others + total, NONE)

    def _bound(self, examples: Set, depth: int) -> int:
        """The least number of nodes that the number of classes allows."""
        n_classes = 0
        for members in self._classes:
            if examples & members:
                n_classes += 1
        if n_classes > self._widest**depth:
            return NONE
        return n_classes + -(-(n_classes - 1) // (self._widest - 1))


def _set(members: NDArray[np.bool_]) -> Set:
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")


def _up_to_each(column: NDArray[Any]) -> list[Set]:
    """The examples with values up to each value but the highest."""
    return [_set(column <= value) for value in range(int(column.max()))]


class BFSID3(TreeLearner):
    """The shortest tree that fits the examples: of the least depth, and of those with the fewest nodes (§3.6).

    Trees of depth 0, 1, 2 and so on are searched in full, so that among all trees that fit the examples none is
    shorter; ID3 approximates this search greedily. Nominal attributes have one branch for every declared value,
    numeric and ordered ones two, with a threshold between any two values. Of trees of the same size, the one with
    the first attribute in declared order, or the lowest threshold, at its root is chosen, and so on below. Finding
    it is NP-hard: the time can grow exponentially with the number of attributes that matter. Of rows with the same
    values but different classes, no tree fits all; the most common class is fitted, with a note.

    A missing value in the training table is an error, as no tree is sure to fit it; in prediction it sends a row
    down every branch with a fraction of its weight. A category not seen in training gets the class distribution
    of the node that asks for it.

    Parameters
    ----------
    max_depth : int, optional
        Search no deeper; when no tree of this depth fits the examples, that is an error.
    max_states : int
        How many sets of examples to look at before giving up.
    schema : Schema or dict, optional
        What is known of the columns beyond their types.

    Attributes
    ----------
    hypothesis_ : Tree

    Examples
    --------
    ID3 sees no gain in either input of an exclusive or, and tests them in vain before the ones that matter:

    >>> import induce
    >>> from itertools import product
    >>> X = list(product([0, 1], repeat=4))
    >>> y = [c != d for a, b, c, d in X]
    >>> print(induce.ID3().fit(X, y).hypothesis_.size())
    31 nodes, 16 leaves, depth 4
    >>> print(BFSID3().fit(X, y).hypothesis_)
    x2 <= 0.5
    |   x3 <= 0.5: False (4/4)
    |   x3 > 0.5: True (4/4)
    x2 > 0.5
    |   x3 <= 0.5: True (4/4)
    |   x3 > 0.5: False (4/4)
    """

    hypothesis_: Tree
    class_weight = None

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        max_states: int = 500_000,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.max_states = max_states
        self.schema = schema

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Search for the shortest tree.

        Parameters
        ----------
        X : dataframe or array
        y : sequence of classes
        sample_weight : array, optional
            A row of weight zero is left out; other weights count where a branch has no examples.
        """
        search, depth, kind, examples, schema, target, classes = self._searched(X, y, sample_weight)

        def pick(rows: Rows, above: tuple[Test, ...]) -> tuple[Test, NDArray[Any]] | None:
            members = reduce(or_, (1 << k for k in set(kind[rows].tolist())))
            size = search.size(members, depth - len(above))
            if size == 1:
                return None
            tests = search.tests(members, depth - len(above), size)
            attribute, parts = next((tested, parts) for total, tested, parts in tests if total == size)
            values = examples.table.column(attribute)[rows]
            column = examples.table.schema.columns[attribute]
            if not is_cut(column):
                return Test(attribute, len(column.domain)), values
            high = np.array([parts[1] >> k & 1 for k in kind[rows].tolist()])
            return cut(column, attribute, values[high == 0].max(), values[high == 1].min()), high

        self.hypothesis_ = class_tree(divide(len(examples), pick), examples, schema, target, classes)
        report(1.0)
        return self

    def count_smallest(self, X: Any, y: Any) -> int:
        """Return how many trees are as short as the one that `fit` returns, itself included.

        Thresholds that divide the examples of a node in the same way count once.

        Examples
        --------
        >>> import induce
        >>> BFSID3().count_smallest(*induce.dataset("play-tennis"))
        1
        """
        search, depth, *_ = self._searched(X, y, None)
        return search.number(search.everything, depth)

    def _searched(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Search, int, NDArray[np.int64], Examples, Schema, str, tuple[Value, ...]]:
        """The search with the least depth it found, the kind of every example, and what they were read from."""
        if self.max_depth is not None:
            at_least("max_depth", self.max_depth, 0, whole=True)
        at_least("max_states", self.max_states, 1, whole=True)
        examples, schema, target, classes = self._all_examples(X, y, sample_weight)
        numbers = np.flatnonzero(examples.weight() > 0)
        examples = examples.rows(numbers)
        values = _whole_numbers(examples.table, numbers)
        kinds, kind = np.unique(values, axis=0, return_inverse=True)
        kind = kind.reshape(-1)
        votes = np.zeros((len(kinds), examples.n_classes))
        np.add.at(votes, (kind, examples.labels), examples.weight())
        labels = votes.argmax(axis=1)
        conflicts = np.flatnonzero(examples.labels != labels[kind])
        if len(conflicts):
            note(
                f"{plural(len(conflicts), 'row')} (row {numbers[conflicts[0]]}, counted from 0, is the first) cannot "
                "be fitted: rows with the same values have another class more often, which the tree predicts"
            )
        domains = tuple(0 if is_cut(column) else len(column.domain) for column in schema.inputs())
        search = Search(kinds, labels, domains, self.max_states)
        return search, self._least_depth(search), kind, examples, schema, target, classes

    def _least_depth(self, search: Search) -> int:
        for depth in count():
            size = search.size(search.everything, depth)
            trace.emit("depth", depth=depth, nodes=size if size < NONE else None, states=search.n_states)
            if size < NONE:
                break
            if depth == self.max_depth:
                raise InputError(
                    f"no tree of depth {depth} (max_depth) fits every row; raise max_depth, or use ID3, which need "
                    "not fit every row"
                )
        return depth


def _whole_numbers(table: Table, numbers: Rows) -> NDArray[np.int64]:
    """The values of a table without holes as whole numbers in their order."""
    values = np.empty((len(table), len(table.schema)), np.int64)
    for j, column in enumerate(table.schema):
        cells = table.column(j)
        nominal = column.kind == "nominal"
        holes = np.flatnonzero(cells < 0 if nominal else np.isnan(cells))
        if len(holes):
            raise InputError(
                f"column {column.name!r} holds a missing value (null or NaN) in row {numbers[holes[0]]} (counted "
                "from 0), and no tree is sure to fit it; fill it in, ignore the column, or use ID3"
            )
        values[:, j] = cells if nominal else np.unique(cells, return_inverse=True)[1]
    return values
