"""Crossover by mask (Mitchell §9.2.2, table 9.2): where the mask is set, the first offspring is the first parent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError

Bools = NDArray[np.bool_]


class Crossover:
    """A way to draw masks."""

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        """Return `n` masks, a row each, for strings of some length."""
        raise TypeError(f"{type(self).__name__} draws no masks")


@dataclass(frozen=True)
class SinglePoint(Crossover):
    """The first parent up to a random point, then the second.

    Examples
    --------
    >>> SinglePoint().masks(2, 6, np.random.default_rng(0)).astype(int)
    array([[1, 1, 1, 1, 0, 0],
           [1, 1, 0, 0, 0, 0]])
    """

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        points = 1.0 + rng.random(n) * max(length - 1, 1)
        found: Bools = np.arange(1.0, length + 1) <= points[:, None]
        return found


@dataclass(frozen=True)
class TwoPoint(Crossover):
    """The first parent between two random points, the second around them.

    Examples
    --------
    >>> TwoPoint().masks(2, 6, np.random.default_rng(0)).astype(int)
    array([[0, 0, 1, 1, 1, 0],
           [0, 0, 0, 0, 1, 1]])
    """

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        first = rng.integers(0, length + 1, n)
        second = (first + rng.integers(1, length + 1, n)) % (length + 1)
        genes = np.arange(length)
        low, high = np.minimum(first, second)[:, None], np.maximum(first, second)[:, None]
        found: Bools = (low <= genes) & (genes < high)
        return found


@dataclass(frozen=True)
class Uniform(Crossover):
    """Each gene from either parent, with probability `p` from the first.

    Examples
    --------
    >>> Uniform().masks(1, 6, np.random.default_rng(0)).astype(int)
    array([[0, 1, 1, 1, 0, 0]])
    """

    p: float = 0.5

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        found: Bools = rng.random((n, length)) < self.p
        return found


@dataclass(frozen=True)
class Mask(Crossover):
    """A mask of one's own, or several of which one is drawn for each pair.

    Parameters
    ----------
    patterns : str or tuple of str
        Strings of 0 and 1, as long as the genome has genes (or units).

    Examples
    --------
    >>> Mask("110011").masks(1, 6, np.random.default_rng(0)).astype(int)
    array([[1, 1, 0, 0, 1, 1]])
    """

    patterns: str | tuple[str, ...]

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        patterns = (self.patterns,) if isinstance(self.patterns, str) else tuple(self.patterns)
        for pattern in patterns:
            if len(pattern) != length or set(pattern) - {"0", "1"}:
                raise InputError(f"the mask {pattern!r} does not fit: give {length} characters, each 0 or 1")
        rows = np.array([[sign == "1" for sign in pattern] for pattern in patterns])
        found: Bools = rows[rng.integers(0, len(rows), n)]
        return found


@dataclass(frozen=True)
class Order(Crossover):
    """Of orders: a stretch of one parent, the rest in the order of the other (Davis 1985)."""

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        raise InputError(
            "order crossover is for Permutations; choose 'single-point', 'two-point' or 'uniform'"
        )


@dataclass(frozen=True)
class Edge(Crossover):
    """Of orders: each thing is followed by a neighbour that it has in either parent (Whitley 1989)."""

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        raise InputError(
            "edge crossover is for Permutations; choose 'single-point', 'two-point' or 'uniform'"
        )


CROSSOVERS = {
    "single-point": SinglePoint,
    "two-point": TwoPoint,
    "uniform": Uniform,
    "order": Order,
    "edge": Edge,
}


def as_crossover(given: Any) -> Crossover:
    """Return the crossover that a parameter stands for: a name or a value.

    Examples
    --------
    >>> as_crossover("two-point")
    TwoPoint()
    """
    if isinstance(given, Crossover):
        return given
    one_of("crossover", given, CROSSOVERS)
    found: Crossover = CROSSOVERS[given]()
    return found


def crossed(first: NDArray[Any], second: NDArray[Any], masks: Bools) -> NDArray[Any]:
    """Return the offspring of pairs of strings by their masks, those of one pair side by side.

    Examples
    --------
    >>> strings = np.array([[1, 1, 1, 0], [0, 0, 1, 1]])
    >>> crossed(strings[:1], strings[1:], np.array([[True, True, False, False]]))
    array([[1, 1, 1, 1],
           [0, 0, 1, 0]])
    """
    n, length = first.shape
    children = np.empty((n, 2, length), dtype=first.dtype)
    if (
        first.dtype == np.uint8
    ):  # bits: both differ from their parents where these differ and the mask is not set
        swapped = (first ^ second) & (masks.view(np.uint8) - np.uint8(1))
        np.bitwise_xor(first, swapped, out=children[:, 0])
        np.bitwise_xor(second, swapped, out=children[:, 1])
    else:
        children[:, 0] = np.where(masks, first, second)
        children[:, 1] = np.where(masks, second, first)
    return children.reshape(2 * n, length)


def offspring(first: str, second: str, mask: str) -> tuple[str, str]:
    """Return the two offspring of two strings by a mask, as table 9.2 prints them.

    Examples
    --------
    >>> offspring("11101001000", "00001010101", "11111000000")
    ('11101010101', '00001001000')
    """
    if not len(first) == len(second) == len(mask):
        raise InputError("parents and mask must have the same length")
    rows: list[Sequence[str]] = [list(first), list(second)]
    masks = Mask(mask).masks(1, len(mask), np.random.default_rng(0))
    made = crossed(np.array([rows[0]]), np.array([rows[1]]), masks)
    return "".join(made[0]), "".join(made[1])
