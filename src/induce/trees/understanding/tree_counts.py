"""Numbers of functions and trees, and minimum sizes of trees (AIMA 18.3.2; Mitchell §3.6.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.data.schema import Schema

MOST_BITS = 2**24
MOST_ATTRIBUTES = 4
MOST_INPUTS = 12


def n_instances(attributes: Schema | int) -> int:
    """Return the number of different instances over nominal columns or Boolean attributes.

    Examples
    --------
    >>> import induce
    >>> n_instances(induce.dataset("enjoy-sport").input_schema), n_instances(10)
    (96, 1024)
    """
    if not isinstance(attributes, Schema):
        at_least("attributes", attributes, 0, whole=True)
        return int(2**attributes)
    for column in attributes.inputs():
        if column.kind != "nominal":
            raise InputError(f"column {column.name!r} is {column.kind}; only nominal values can be counted")
    return math.prod(len(column.domain) for column in attributes.inputs())


def n_functions(attributes: Schema | int, n_classes: int = 2) -> int:
    """Return the number of different functions from instances to classes, such as 2^(2^n).

    Each function is computed by some decision tree.

    Examples
    --------
    >>> n_functions(4), f"{math.log10(n_functions(10)):.1f}", f"{math.log10(n_functions(20)):,.1f}"
    (65536, '308.3', '315,652.8')
    """
    at_least("n_classes", n_classes, 1, whole=True)
    n = n_instances(attributes)
    if n * math.log2(n_classes) > MOST_BITS:
        raise InputError(
            f"there are {n_classes}^{n:,} functions, a number too long to write; give fewer attributes"
        )
    return int(n_classes**n)


def n_trees(values: Sequence[int], leaves: int, n_classes: int = 2) -> int:
    """Return the number of different trees with exactly this many leaves and no repeated test on a path.

    Every tree counts, even if several compute the same function.

    Parameters
    ----------
    values : sequence of int
        Number of values of each attribute.
    leaves : int
        Number of leaves.
    n_classes : int
        Number of classes.

    Examples
    --------
    >>> [n_trees([2, 2], leaves) for leaves in (1, 2, 3, 4)]
    [2, 8, 32, 32]
    """
    at_least("leaves", leaves, 1, whole=True)
    _check(values, n_classes)
    kinds = sorted(set(values))

    @cache
    def by_leaves(left: tuple[int, ...]) -> tuple[int, ...]:
        """Return, for each number of leaves, the number of trees over given numbers of attributes per kind."""
        found = [0] * (leaves + 1)
        found[1] = n_classes
        for k, (kind, n_left) in enumerate(zip(kinds, left, strict=True)):
            if n_left and kind <= leaves:
                below = by_leaves((*left[:k], n_left - 1, *left[k + 1 :]))
                together = [1] + [0] * leaves
                for _ in range(kind):
                    together = [sum(together[i] * below[n - i] for i in range(n)) for n in range(leaves + 1)]
                found = [so_far + n_left * more for so_far, more in zip(found, together, strict=True)]
        return tuple(found)

    return by_leaves(tuple(list(values).count(kind) for kind in kinds))[leaves]


def n_ordered_trees(values: Sequence[int], n_classes: int = 2) -> int:
    """Return the number of trees that test each attribute exactly once in the given order.

    The order is that of the tests in the printed tree. The number of leaves is one plus the number of values
    less the number of attributes: eleven attributes with 27 values give 17 leaves (Mitchell §3.6.2).

    Examples
    --------
    >>> n_ordered_trees([2, 2])
    16
    """
    _check(values, n_classes)
    n_leaves = 1 + sum(values) - len(values)

    @cache
    def shapes(k: int, places: int) -> int:
        """Count the ways to place the attributes from the k-th on in the remaining positions."""
        if k == len(values):
            return 1
        as_test = shapes(k + 1, places - 1 + values[k])
        return as_test + (shapes(k, places - 1) if places > 1 else 0)

    return int(shapes(0, 1) * n_classes**n_leaves)


def fewest_leaves(function: Callable[..., object], n_inputs: int) -> int:
    """Return the number of leaves of the smallest tree that computes a Boolean function.

    Majority needs an exponentially large tree: 2 C(n, (n+1)/2) leaves for an odd number of inputs.

    Parameters
    ----------
    function : callable
        Function of `n_inputs` Booleans.
    n_inputs : int
        Number of Boolean inputs.

    Examples
    --------
    >>> fewest_leaves(lambda a, b: a != b, 2)
    4
    >>> fewest_leaves(lambda *inputs: sum(inputs) > 3, 7)
    70
    """
    if n_inputs not in range(MOST_INPUTS + 1):
        raise InputError(f"n_inputs is {n_inputs}; give a whole number from 0 to {MOST_INPUTS}")
    rows = product((False, True), repeat=n_inputs)
    truth = np.array([bool(function(*row)) for row in rows]).reshape((2,) * n_inputs)
    known: dict[bytes, int] = {}

    def least(table: np.ndarray) -> int:
        if table.all() or not table.any():
            return 1
        key = table.tobytes()  # its length tells how many inputs are left
        if key not in known:
            known[key] = min(
                least(table.take(0, axis)) + least(table.take(1, axis)) for axis in range(table.ndim)
            )
        return known[key]

    return least(truth)


def functions_by_leaves(n_attributes: int) -> dict[int, int]:
    """Return, for each number of leaves, the number of Boolean functions whose smallest tree has that size.

    Short trees are few, so a short tree seldom fits by chance: the argument for Occam's razor.

    Parameters
    ----------
    n_attributes : int
        Number of attributes, at most 4; with 4 there are 65536 functions.

    Examples
    --------
    >>> functions_by_leaves(3)
    {1: 2, 2: 6, 3: 24, 4: 94, 5: 72, 6: 40, 7: 16, 8: 2}
    """
    if n_attributes not in range(MOST_ATTRIBUTES + 1):
        raise InputError(f"n_attributes is {n_attributes}; give a whole number from 0 to {MOST_ATTRIBUTES}")
    leaves = np.ones(2, np.int64)  # functions of no attributes, then of more, numbered by their truth tables
    for n in range(1, n_attributes + 1):
        size = 2**n
        numbers = np.arange(2**size)
        bits = (numbers[:, None] >> np.arange(size)) & 1
        best = np.full(len(numbers), size + 1)
        for attribute in range(n):
            high = (np.arange(size) >> attribute) & 1 == 1
            worth = 1 << np.arange(size // 2)
            best = np.minimum(best, leaves[bits[:, ~high] @ worth] + leaves[bits[:, high] @ worth])
        best[[0, -1]] = 1
        leaves = best
    sizes, counts = np.unique(leaves, return_counts=True)
    return dict(zip(sizes.tolist(), counts.tolist(), strict=True))


def _check(values: Sequence[int], n_classes: int) -> None:
    for number in values:
        at_least("the number of values of an attribute", number, 2, whole=True)
    at_least("n_classes", n_classes, 1, whole=True)
