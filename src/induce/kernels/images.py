"""Image kernels: a kernel of nearby pixels, and shifted images (AIMA 18.11.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.kernels.inputs import Array, Floats, Inputs
from induce.kernels.kernel import Kernel
from induce.kernels.vectors import power_text


@dataclass(frozen=True)
class LocalPolynomial(Kernel):
    """Products of nearby pixels only, for images: (Σ over patches of (patch·patch)^inner)^outer (AIMA 18.11.1).

    Parameters
    ----------
    shape : (int, int)
        Number of rows and columns of the images; each row of the table contains the pixels of an image.
    patch : int
        Width and height of a patch in pixels.
    inner, outer : int
        Degree within a patch, and degree of the sum.

    Examples
    --------
    >>> image = [[1.0, 2.0, 0.0, 0.0, 1.0, 0.0]]
    >>> LocalPolynomial((2, 3), patch=2)(image).tolist()  # (1 + 4 + 1)² + (4 + 1)²
    [[61.0]]
    """

    shape: tuple[int, int]
    patch: int = 3
    inner: int = 2
    outer: int = 1

    def __post_init__(self) -> None:
        for name in ("patch", "inner", "outer"):
            at_least(name, getattr(self, name), 1, whole=True)
        if len(self.shape) != 2 or min(self.shape) < self.patch:
            raise InputError(
                f"shape is {self.shape!r}; give the numbers of rows and columns of the images, at "
                f"least the patch size ({self.patch})"
            )

    def prepare(self, inputs: Inputs) -> Any:
        x = inputs.vectors
        if x.shape[1] != math.prod(self.shape):
            raise InputError(
                f"shape is {self.shape!r}, which is {math.prod(self.shape)} pixels, but rows have {x.shape[1]} "
                "numbers; give the shape of the images"
            )
        return x

    def between(self, a: Any, b: Any) -> Array:
        height, width = self.shape
        left, right = (x.reshape(len(x), height, width) for x in (a, b))
        found = np.zeros((len(a), len(b)), a.dtype)
        for top in range(height - self.patch + 1):
            for side in range(width - self.patch + 1):
                window = (slice(None), slice(top, top + self.patch), slice(side, side + self.patch))
                p, q = (x[window].reshape(len(x), -1) for x in (left, right))
                if p.any() and q.any():
                    found += (p @ q.T) ** self.inner
        return found**self.outer

    def single(self, inputs: Inputs) -> bool:
        return True

    def __str__(self) -> str:
        body = f"Σ (p·q){power_text(self.inner)} over patches of {self.patch} by {self.patch} pixels"
        return body if self.outer == 1 else f"({body}){power_text(self.outer)}"


@dataclass(frozen=True)
class Shifts:
    """Images shifted by some pixels up, down, left and right; new pixels at an edge are 0.

    Parameters
    ----------
    shape : (int, int)
        Number of rows and columns of the images.
    pixels : int
        Number of pixels of a shift.

    Examples
    --------
    >>> Shifts((2, 2))(np.array([[1.0, 2.0, 3.0, 4.0]])).tolist()
    [[3.0, 4.0, 0.0, 0.0], [0.0, 0.0, 1.0, 2.0], [2.0, 0.0, 4.0, 0.0], [0.0, 1.0, 0.0, 3.0]]
    """

    shape: tuple[int, int]
    pixels: int = 1

    def __post_init__(self) -> None:
        at_least("pixels", self.pixels, 1, whole=True)
        if len(self.shape) != 2 or min(self.shape) <= self.pixels:
            raise InputError(
                f"shape is {self.shape!r}; give the numbers of rows and columns of the images, larger "
                "than the shift"
            )

    def __call__(self, X: Floats) -> Floats:
        """Return four copies of all images, one per direction."""
        if X.shape[1] != math.prod(self.shape):
            raise InputError(
                f"shape is {self.shape!r}, but rows have {X.shape[1]} numbers; give the shape of the images"
            )
        images = X.reshape(len(X), *self.shape)
        found = []
        for axis, step in ((1, -1), (1, 1), (2, -1), (2, 1)):
            moved = np.zeros_like(images)
            kept, source = [slice(None)] * 3, [slice(None)] * 3
            kept[axis], source[axis] = slice(self.pixels, None), slice(None, -self.pixels)
            if step < 0:
                kept, source = source, kept
            moved[tuple(kept)] = images[tuple(source)]
            found.append(moved.reshape(len(X), -1))
        return np.concatenate(found)
