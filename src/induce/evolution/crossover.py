"""Crossover by masks (Mitchell §9.2.2, table 9.2): a mask bit of 1 copies the first parent's gene."""

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
    """A distribution of crossover masks."""

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        """Return `n` masks for strings of the given length, one per row."""
        raise TypeError(f"{type(self).__name__} draws no masks")


@dataclass(frozen=True)
class SinglePoint(Crossover):
    """Single-point crossover: the first parent up to a random point, then the second.

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
    """Two-point crossover: the first parent between two random points, the second elsewhere.

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
    """Uniform crossover: each gene from the first parent with probability `p`, otherwise from the second.

    Parameters
    ----------
    p : float, default=0.5
        Probability that a gene comes from the first parent.

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
    """A fixed user-defined mask, or several from which one is drawn for each pair.

    Parameters
    ----------
    patterns : str or tuple of str
        Strings of 0 and 1, with one character per gene (or unit).

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
                raise InputError(f"the mask {pattern!r} is not valid; give {length} characters, each 0 or 1")
        rows = np.array([[sign == "1" for sign in pattern] for pattern in patterns])
        found: Bools = rows[rng.integers(0, len(rows), n)]
        return found


@dataclass(frozen=True)
class Order(Crossover):
    """Order crossover for permutations: a segment of one parent, the rest in the other's order (Davis 1985)."""

    def masks(self, n: int, length: int, rng: np.random.Generator) -> Bools:
        raise InputError(
            "order crossover is for Permutations; choose 'single-point', 'two-point' or 'uniform'"
        )


@dataclass(frozen=True)
class Edge(Crossover):
    """Edge recombination for permutations: each item is followed by a neighbour from a parent (Whitley 1989)."""

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
    """Return the crossover operator for a parameter given by name or as a value.

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
    """Return the offspring of pairs of strings by their masks; the two offspring of a pair are adjacent.

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
    ):  # bits: each offspring differs from its parent where the parents differ and the mask is 0
        swapped = (first ^ second) & (masks.view(np.uint8) - np.uint8(1))
        np.bitwise_xor(first, swapped, out=children[:, 0])
        np.bitwise_xor(second, swapped, out=children[:, 1])
    else:
        children[:, 0] = np.where(masks, first, second)
        children[:, 1] = np.where(masks, second, first)
    return children.reshape(2 * n, length)


def offspring(first: str, second: str, mask: str) -> tuple[str, str]:
    """Return the two offspring of two strings under a mask, as printed in table 9.2.

    Parameters
    ----------
    first, second : str
        Parents, with one character per gene.
    mask : str
        Mask of 0 and 1; a 1 copies the gene of the first parent.

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
