"""Nearest neighbours by shape matching, after preselection by pixels (AIMA 18.11.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.blas import one_thread
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.data.images.grid import Pixels
from induce.data.images.transformations import Deslant, as_bytes
from induce.instances.shapes.matching import Match, Shape, match
from induce.instances.shapes.points import shapes_of

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ShapeNeighbors:
    """Stored images that vote, nearest first by the cost of aligning them with a query.

    Matching a pair takes milliseconds, so only a shortlist is matched: the stored images with the nearest deslanted
    pixels. `recall` gives the fraction of images whose shortlist contains their class.

    Parameters
    ----------
    images : array of uint8, shape (images, rows, columns)
    labels : sequence
        Class of each image.
    n_neighbors : int
        Number of votes.
    shortlist : int
        Number of stored images that are matched with a query.
    n_points : int
        Number of points on the edges of an image.

    References
    ----------
    S. Belongie, J. Malik and J. Puzicha (2002). Shape matching and object recognition using shape contexts. IEEE
    Transactions on Pattern Analysis and Machine Intelligence 24, 509-522.

    Examples
    --------
    >>> from induce.data.images import generated_digits
    >>> data = generated_digits(60)
    >>> images, labels = data.grid.images(data.X), data.y.to_list()
    >>> stored = ShapeNeighbors(images[:50], labels[:50], shortlist=4, n_points=30)
    >>> stored.predict(images[50:53]).tolist() == labels[50:53]
    True
    """

    images: Pixels
    labels: Sequence[Any]
    n_neighbors: int = 3
    shortlist: int = 50
    n_points: int = 100

    def __post_init__(self) -> None:
        for name in ("n_neighbors", "shortlist"):
            at_least(name, getattr(self, name), 1, whole=True)
        if len(self.images) != len(self.labels) or not len(self.images):
            raise InputError(
                f"there are {len(self.images)} images and {len(self.labels)} labels; give one label per image"
            )

    @cached_property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in their order."""
        return tuple(np.unique(np.asarray(self.labels)).tolist())

    @cached_property
    def _codes(self) -> Places:
        return np.asarray(np.unique(np.asarray(self.labels), return_inverse=True)[1])

    @cached_property
    def _pixels(self) -> tuple[Any, Any]:
        upright = Deslant()(as_bytes(self.images)).reshape(len(self.images), -1).astype(np.float32)
        return upright, np.square(upright).sum(axis=1, dtype=np.float64)

    @cached_property
    def _shapes(self) -> dict[int, Shape]:
        return {}

    def nearest_pixels(self, images: Pixels) -> Places:
        """Return the shortlist of each image: indices of the stored images with the nearest deslanted pixels."""
        stored, squares = self._pixels
        asked = Deslant()(as_bytes(images)).reshape(len(images), -1).astype(np.float32)
        # integers are exact up to 2**24 in each product, and rounded sums differ by less than one grey level
        apart = np.round(squares - 2.0 * (asked @ stored.T).astype(np.float64), -2)
        kept = min(self.shortlist, len(stored))
        return np.asarray(np.argsort(apart, axis=1, kind="stable")[:, :kept])

    def recall(self, images: Pixels, labels: Sequence[Any]) -> float:
        """Return the fraction of images whose shortlist contains an image of their class."""
        codes = self._codes[self.nearest_pixels(images)]
        wanted = np.array([self.classes.index(label) for label in labels])
        return float((codes == wanted[:, np.newaxis]).any(axis=1).mean())

    def matches(self, image: Pixels) -> list[tuple[int, Match]]:
        """Return the stored images of the shortlist with their alignments, nearest first."""
        return self._matched(image, self.nearest_pixels(image[np.newaxis])[0].tolist())

    def _matched(self, image: Pixels, places: Sequence[int]) -> list[tuple[int, Match]]:
        (shape,) = shapes_of(image[np.newaxis], self.n_points)
        for place in places:
            if place not in self._shapes:
                self._shapes[place] = shapes_of(self.images[place : place + 1], self.n_points)[0]
        with one_thread():  # systems of a hundred unknowns are too small for threads
            found = [(place, match(shape, self._shapes[place])) for place in places]
        return sorted(found, key=lambda pair: (round(pair[1].distance, 9), pair[0]))

    def predict_proba(self, images: Pixels) -> NDArray[np.float64]:
        """Return, for each image, the fraction of votes for each class; ties go to the nearest.

        A shortlist of a single class is not matched, because all votes go to this class.
        """
        found = np.zeros((len(images), len(self.classes)))
        for row, image in enumerate(images):
            places = self.nearest_pixels(image[np.newaxis])[0]
            codes = self._codes[places]
            if (codes == codes[0]).all():
                found[row, codes[0]] = 1.0
                continue
            near = self._matched(image, places.tolist())[: self.n_neighbors]
            for rank, (place, _) in enumerate(near):
                # tie-breaker for the nearest: less than one vote in total
                found[row, self._codes[place]] += 1.0 + 0.5**rank / (2 * self.n_neighbors)
            found[row] /= found[row].sum()
        return found

    def predict(self, images: Pixels) -> NDArray[Any]:
        """Return the class of each image."""
        return np.asarray(np.asarray(self.classes)[self.predict_proba(images).argmax(axis=1)])
