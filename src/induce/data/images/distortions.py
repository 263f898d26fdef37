"""Randomly distorted copies of images (AIMA 18.11.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.images.grid import Grid, Pixels
from induce.data.images.transformations import as_bytes, resampled


@dataclass(frozen=True)
class Distortions:
    """Small random shifts, rotations, scalings and shears, each uniform up to a limit.

    Keep them small: a six that is rotated too far is a nine.

    Parameters
    ----------
    shift : float
        Maximum shift in pixels, along rows and along columns.
    angle : float
        Maximum rotation in degrees, in both directions.
    scale : float
        Maximum relative change of height and of width.
    slant : float
        Maximum shear, in columns per row.
    random_state : int
        Random seed.

    Examples
    --------
    >>> images = np.arange(18, dtype=np.uint8).reshape(2, 3, 3)
    >>> bool((Distortions(0, 0, 0, 0)(images) == images).all())
    True
    >>> X, y = next(Distortions(shift=1).stream(images, ["a", "b"], batch_size=4))
    >>> X.shape, len(y)
    ((4, 9), 4)
    """

    shift: float = 2.0
    angle: float = 10.0
    scale: float = 0.1
    slant: float = 0.1
    random_state: int = 0

    def __post_init__(self) -> None:
        limits = {"shift": math.inf, "angle": 180.0, "scale": 0.9, "slant": 2.0}
        for name, most in limits.items():
            value = getattr(self, name)
            if not 0 <= value <= most or value == math.inf:
                raise InputError(
                    f"{name} is {value!r}; give a number from 0{f' to {most:g}' * (most < math.inf)}"
                )

    def __call__(self, images: Pixels, round_number: int = 0) -> Pixels:
        """Return a distorted copy of each image; each round gives different copies."""
        return self._drawn(as_bytes(images), np.random.default_rng((self.random_state, round_number)))

    def stream(
        self, images: Pixels, labels: Any, batch_size: int = 1000
    ) -> Iterator[tuple[Any, NDArray[Any]]]:
        """Yield distorted images in batches with their labels, endlessly; each pass contains every image once.

        Parameters
        ----------
        images : array, shape (images, rows, columns)
        labels : sequence
            Label of each image.
        batch_size : int
            Number of images per batch.
        """
        given, classes = as_bytes(images), np.asarray(labels)
        if len(given) != len(classes) or not len(given):
            raise InputError(
                f"there are {len(given)} images and {len(classes)} labels; give one label per image"
            )
        grid = Grid(*given.shape[1:])
        rng = np.random.default_rng(self.random_state)
        waiting = np.empty(0, np.intp)
        while True:
            while len(waiting) < batch_size:
                waiting = np.concatenate([waiting, rng.permutation(len(given))])
            rows, waiting = waiting[:batch_size], waiting[batch_size:]
            yield grid.frame(self._drawn(given[rows], rng)), classes[rows]

    def _drawn(self, images: Pixels, rng: np.random.Generator) -> Pixels:
        n, height, width = images.shape
        drawn = rng.uniform(-1.0, 1.0, (n, 6))
        turn = np.radians(self.angle) * drawn[:, 0]
        tall, wide = 1.0 + self.scale * drawn[:, 1], 1.0 + self.scale * drawn[:, 2]
        lean = self.slant * drawn[:, 3]
        sine, cosine = np.sin(turn), np.cos(turn)
        # affine map from a pixel of the copy to the original, around the centre: shift, rotation, shear,
        # scale
        a, b = cosine / tall, sine / tall
        d, e = (-sine + lean * cosine) / wide, (cosine + lean * sine) / wide
        y, x = (height - 1) / 2, (width - 1) / 2
        down, across = y + self.shift * drawn[:, 4], x + self.shift * drawn[:, 5]
        maps = np.column_stack([a, b, y - a * down - b * across, d, e, x - d * down - e * across])
        return resampled(images, maps)
