"""Invariances: changes to a row that leave the target unchanged (Mitchell §12.4.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator

Floats = NDArray[np.float64]
Transform = Callable[[Floats, float], Any]

MOVES = ("down", "right", "rotate", "scale")


@dataclass(frozen=True)
class Invariance:
    """Change of a row, by any amount up to a given size, that leaves the target unchanged.

    Parameters
    ----------
    transform : callable
        Function of a numeric array (one row per example, one column per numeric column) and an amount, which
        returns the changed array. The amount 0 changes nothing.
    size : float
        Largest amount.

    Examples
    --------
    >>> stretched = Invariance(lambda rows, amount: rows * (1 + amount), size=0.5)
    >>> stretched.tangents(np.array([[2.0, 4.0]])).tolist()
    [[2.0, 4.0]]
    """

    transform: Transform
    size: float = 1.0

    def __post_init__(self) -> None:
        at_least("size", self.size, 0.0)
        if not self.size or not math.isfinite(self.size):
            raise InputError(
                f"size is {self.size!r}; give the largest amount of the change, a number above 0"
            )

    def changed(self, rows: Floats, amount: float) -> Floats:
        """Return the rows changed by a given amount."""
        found = np.asarray(self.transform(np.array(rows, np.float64), float(amount)), np.float64)
        if found.shape != rows.shape:
            raise InputError(
                f"an invariance returned an array of shape {found.shape} for one of shape "
                f"{rows.shape}; it must return the same shape"
            )
        if not np.isfinite(found).all():
            raise InputError(
                f"an invariance returned non-finite numbers for the amount {amount:g}; it "
                "must return finite numbers"
            )
        return found

    def tangents(self, rows: Floats) -> Floats:
        """Return the derivative of each number by the amount, at amount 0, by finite differences."""
        step = self.size / 2
        return (self.changed(rows, step) - self.changed(rows, -step)) / (2 * step)


@dataclass(frozen=True)
class PictureMove:
    """Picture transformation: shift by pixels, rotation by degrees, or enlargement by a fraction.

    Parameters
    ----------
    shape : (int, int)
        Numbers of rows and columns of the pictures, whose pixels are the numbers of a row.
    move : {"down", "right", "rotate", "scale"}
        Kind of transformation; edges are filled with 0.

    Examples
    --------
    >>> PictureMove((2, 2), "down")(np.array([[1.0, 2.0, 3.0, 4.0]]), 1).tolist()
    [[0.0, 0.0, 1.0, 2.0]]
    """

    shape: tuple[int, int]
    move: str

    def __post_init__(self) -> None:
        if self.move not in MOVES:
            raise InputError(f"move is {self.move!r}; give one of {', '.join(map(repr, MOVES))}")
        if len(self.shape) != 2 or min(self.shape) < 1:
            raise InputError(f"shape is {self.shape!r}; give the numbers of rows and columns of the pictures")

    def __call__(self, rows: Floats, amount: float) -> Floats:
        """Return the pictures transformed by a given amount."""
        from scipy.ndimage import affine_transform

        if rows.shape[1] != math.prod(self.shape):
            raise InputError(
                f"shape is {self.shape!r}, but rows have {rows.shape[1]} numbers; give the shape of the pictures"
            )
        matrix, offset = self._affine(amount)
        pictures = rows.reshape(len(rows), *self.shape)
        # the first axis enumerates the pictures and is unchanged
        whole = np.eye(3)
        whole[1:, 1:] = matrix
        moved = affine_transform(pictures, whole, [0.0, *offset], order=1)
        return np.asarray(moved.reshape(rows.shape))

    def _affine(self, amount: float) -> tuple[Floats, Floats]:
        """Return the source position of each pixel, as a matrix and an offset."""
        if self.move in ("down", "right"):
            return np.eye(2), np.array([-amount, 0.0] if self.move == "down" else [0.0, -amount])
        if self.move == "rotate":
            turn = math.radians(amount)
            matrix = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        else:
            matrix = np.eye(2) / (1.0 + amount)
        centre = (np.array(self.shape) - 1) / 2
        return matrix, centre - matrix @ centre


def picture_invariances(
    shape: tuple[int, int], pixels: float = 0.0, degrees: float = 0.0, share: float = 0.0
) -> tuple[Invariance, ...]:
    """Return invariances of pictures: shifts by pixels, rotations by degrees, and enlargements by a fraction.

    Parameters
    ----------
    shape : (int, int)
        Numbers of rows and columns of the pictures.
    pixels, degrees, share : float
        Largest amounts; 0 omits a transformation.

    Examples
    --------
    >>> [each.size for each in picture_invariances((28, 28), pixels=2, degrees=10)]
    [2, 2, 10]
    """
    sizes = {"down": pixels, "right": pixels, "rotate": degrees, "scale": share}
    return tuple(Invariance(PictureMove(shape, move), size) for move, size in sizes.items() if size)


def virtual_examples(
    X: Any, y: Any, invariances: Sequence[Invariance], copies: int = 10, random_state: RandomState = 0
) -> tuple[Floats, NDArray[Any]]:
    """Return the examples with transformed copies of each, for learners that do not use slopes (Mitchell §12.4.3).

    A copy is changed by every invariance in turn, each by an amount drawn uniformly between minus and plus
    its size.

    Parameters
    ----------
    X : array of float, shape (rows, columns)
        Training rows.
    y : array
        Targets; a copy has the target of its example.
    invariances : sequence of Invariance
        Changes that leave the target unchanged.
    copies : int
        Number of copies per example.
    random_state : int, Generator or None
        Random seed of the amounts.

    Examples
    --------
    >>> X, y = virtual_examples([[1.0]], ["a"], [Invariance(lambda rows, by: rows + by, 0.5)], copies=2)
    >>> X.round(2).tolist(), y.tolist()
    ([[1.0], [1.14], [0.77]], ['a', 'a', 'a'])
    """
    at_least("copies", copies, 1, whole=True)
    rows, targets = np.asarray(X, np.float64), np.asarray(y)
    if rows.ndim != 2 or len(rows) != len(targets):
        raise InputError(
            f"X has shape {rows.shape} and y {targets.shape}; give one row of numbers per target"
        )
    rng = generator(random_state)
    found = [rows]
    for _ in range(copies):
        # one row at a time, because each has its own amount
        copy = rows.copy()
        for invariance in invariances:
            amounts = rng.uniform(-invariance.size, invariance.size, len(rows))
            for place, amount in enumerate(amounts.tolist()):
                copy[place] = invariance.changed(copy[place : place + 1], amount)[0]
        found.append(copy)
    return np.concatenate(found), np.concatenate([targets] * len(found))
