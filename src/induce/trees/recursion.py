"""Recursion shared by tree learners; each learner supplies the choice of the test (AIMA Fig. 18.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.discretise import thresholds
from induce.trees.hypothesis import Tree
from induce.trees.structure import FRACTIONAL

if TYPE_CHECKING:
    from induce.data.training import Examples

Ints = NDArray[np.int32]
Rows = NDArray[np.int64]


class Branching(Protocol):
    """Interface of the tests that `divide` takes."""

    @property
    def n_branches(self) -> int:
        """The number of branches."""


@dataclass(frozen=True)
class Test:
    """A test of one attribute.

    Parameters
    ----------
    attribute : int
        The tested input.
    n_branches : int
        Number of branches.
    threshold : float
        Threshold of a numeric attribute: values up to and including it take the first of two branches.
    branch_of_code : tuple of int, optional
        Branch of every value of a nominal attribute; None if each value has its own.
    """

    attribute: int
    n_branches: int = 2
    threshold: float = np.nan
    branch_of_code: tuple[int, ...] | None = None


T = TypeVar("T", bound=Branching)
Pick = Callable[[Rows, tuple[T, ...]], tuple[T, NDArray[Any]] | None]
"""Function from the rows of a node and the tests above it to a test with the branch of each row, or None for
a leaf.
"""


class Place(NamedTuple):
    """A node's number, its parent and its branch there; the root has neither."""

    node: int
    parent: int | None
    branch: int | None


Divided = Callable[[Place, T, NDArray[Any]], None]
"""Callback for a split node, its test and the branch of each row."""


@dataclass(frozen=True, eq=False)
class Division(Generic[T]):
    """Result of `divide`: nodes in breadth-first order, the children of a node next to each other.

    Parameters
    ----------
    tests : tuple
        The test of each node; None at a leaf.
    first : array of int32
        The first child of each node; -1 at a leaf.
    rows : tuple of arrays
        The rows of each node, in ascending order.
    """

    tests: tuple[T | None, ...]
    first: Ints
    rows: tuple[Rows, ...]


def divide(n_rows: int, pick: Pick[T], divided: Divided[T] | None = None) -> Division[T]:
    """Split rows recursively by the tests that `pick` chooses (DECISION-TREE-LEARNING).

    A node without rows is a leaf, and `pick` is not called for it. `pick` must ensure termination: it must
    not split forever without separating rows. `divided` is called for each split node.

    Examples
    --------
    >>> heights = np.array([1.5, 1.9, 1.6])
    >>> def halve(rows, above):
    ...     middle = float(heights[rows].mean())
    ...     return (Test(0, threshold=middle), heights[rows] > middle) if len(rows) > 1 else None
    >>> [rows.tolist() for rows in divide(3, halve).rows]
    [[0, 1, 2], [0, 2], [1], [0], [2]]
    """
    tests: list[T | None] = []
    first: list[int] = []
    rows: list[Rows] = [np.arange(n_rows)]
    above: list[tuple[T, ...]] = [()]
    places = [Place(0, None, None)]
    while len(tests) < len(rows):
        place = places[len(tests)]
        here, path = rows[place.node], above[place.node]
        picked = pick(here, path) if len(here) else None
        if picked is None:
            tests.append(None)
            first.append(-1)
            continue
        test, branch = picked
        if divided is not None:
            divided(place, test, branch)
        places += [Place(len(rows) + b, place.node, b) for b in range(test.n_branches)]
        tests.append(test)
        first.append(len(rows))
        order = np.argsort(branch, kind="stable")
        rows += np.split(here[order], np.searchsorted(branch[order], np.arange(1, test.n_branches)))
        above += [(*path, test)] * test.n_branches
    return Division(tuple(tests), np.array(first, dtype=np.int32), tuple(rows))


def is_cut(column: Column) -> bool:
    """Return whether tests of a column cut its values in two, as for numeric and ordered columns."""
    return column.kind != "nominal" or column.ordered


def cut(column: Column, attribute: int, low: float, high: float) -> Test:
    """Return the test that cuts a column between two adjacent values or codes."""
    middle = thresholds(low, high)
    if column.kind != "nominal":
        return Test(attribute, threshold=float(middle))
    return Test(attribute, branch_of_code=tuple(int(code > middle) for code in range(len(column.domain))))


def arrays(division: Division[Test]) -> dict[str, Any]:
    """Return the arrays that describe the tests and branches of a tree, by field name."""
    attribute = np.full(len(division.tests), -1, np.int32)
    threshold = np.full(len(division.tests), np.nan)
    n_branches = np.zeros(len(division.tests), np.int32)
    map_start = np.full(len(division.tests), -1, np.int32)
    branch_map: list[int] = []
    for node, test in enumerate(division.tests):
        if test is not None:
            attribute[node], threshold[node], n_branches[node] = (
                test.attribute,
                test.threshold,
                test.n_branches,
            )
            if test.branch_of_code is not None:
                map_start[node] = len(branch_map)
                branch_map += test.branch_of_code
    return {
        "attribute": attribute,
        "threshold": threshold,
        "first": division.first,
        "n_branches": n_branches,
        "map_start": map_start,
        "branch_map": np.array(branch_map, dtype=np.int32),
    }


def class_tree(
    division: Division[Test],
    examples: Examples,
    schema: Schema,
    target: str,
    classes: tuple[Value, ...],
    missing: str = FRACTIONAL,
) -> Tree:
    """Return the tree for a division of examples, with the class counts of every node.

    `missing` is the treatment of a row with a missing value, as for `Structure`.
    """
    weight = examples.weight()
    counts = [np.bincount(examples.labels[at], weight[at], examples.n_classes) for at in division.rows]
    return Tree(
        schema=schema,
        target=target,
        classes=classes,
        counts=np.array(counts, dtype=np.float64),
        missing=missing,
        **arrays(division),
    )
