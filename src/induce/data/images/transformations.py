"""Preprocessing of images, stored in model files."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.loops import sized
from induce.data.images._loops import moments, warped
from induce.data.images.grid import Grid, Pixels

Floats = NDArray[np.float64]

BLOCK = 4_000
"""Number of images resampled per call of a loop."""
STEPS = 24
"""Approximate number of elementary loop steps per pixel."""
UPRIGHT = 0.003
"""Minimum slant that is corrected; deslanting an image twice therefore changes nothing."""
ROUNDS = 6


class Transformation(ABC):
    """An operation on every image, in training and at `predict`."""

    @abstractmethod
    def after(self, grid: Grid) -> Grid:
        """Return the grid of transformed images; raise an `InputError` if the transformation does not apply."""

    @abstractmethod
    def __call__(self, images: Pixels) -> Pixels:
        """Return transformed images."""


@dataclass(frozen=True)
class Scale(Transformation):
    """Divide pixels, so that 0 to 255 become 0 to 1 (Mitchell §4.7.2).

    Parameters
    ----------
    largest : float
        Pixel value that becomes 1.

    Examples
    --------
    >>> Scale()(np.array([[[0, 51]]], np.uint8)).tolist()
    [[[0.0, 0.2]]]
    """

    largest: float = 255.0

    def __post_init__(self) -> None:
        if not 0 < self.largest < math.inf:
            raise InputError(f"largest is {self.largest!r}; give a number above 0, such as 255")

    def after(self, grid: Grid) -> Grid:
        return grid

    def __call__(self, images: Pixels) -> Pixels:
        return np.asarray(images / self.largest)


@dataclass(frozen=True)
class Coarsen(Transformation):
    """Reduce each block of pixels to one pixel: its mean, or one drawn at random (Mitchell §4.7.2; ALVINN).

    Parameters
    ----------
    block : int
        Number of rows and columns of a block.
    how : {"mean", "random"}
        "mean": the mean of the block. "random": one pixel of the block, at the same position in all images.
    random_state : int
        Random seed of the pixels.

    Examples
    --------
    >>> Coarsen(2)(np.array([[[0, 4, 1, 1], [4, 8, 1, 1]]], np.uint8)).tolist()
    [[[4.0, 1.0]]]
    """

    block: int = 2
    how: str = "mean"
    random_state: int = 0

    def __post_init__(self) -> None:
        at_least("block", self.block, 1, whole=True)
        if self.how not in ("mean", "random"):
            raise InputError(f"how is {self.how!r}; give 'mean' or 'random'")

    def after(self, grid: Grid) -> Grid:
        if grid.rows % self.block or grid.columns % self.block:
            raise InputError(
                f"images of {grid} pixels cannot be divided into blocks of {self.block} x "
                f"{self.block}; crop or centre them first"
            )
        return Grid(grid.rows // self.block, grid.columns // self.block)

    def __call__(self, images: Pixels) -> Pixels:
        n, side = len(images), self.block
        rows, columns = self.after(Grid(*images.shape[1:])).shape
        blocks = images.reshape(n, rows, side, columns, side)
        if self.how == "mean":
            return np.asarray(blocks.mean(axis=(2, 4), dtype=np.float64))
        drawn = np.random.default_rng(self.random_state).integers(side, size=(2, rows, columns))
        down, across = np.ogrid[:rows, :columns]
        return np.asarray(blocks[:, down, drawn[0], across, drawn[1]])


@dataclass(frozen=True)
class Resize(Transformation):
    """Resize images: each new pixel is the mean of its area (LeCun et al. 1989).

    If the size is a divisor of the old one, the result equals that of `Coarsen`. A missing pixel counts as 0.

    Parameters
    ----------
    rows, columns : int
        New size.

    Examples
    --------
    >>> Resize(1, 2)(np.array([[[0, 3, 6]]], np.uint8)).round(9).tolist()
    [[[1.0, 5.0]]]
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            at_least(name, getattr(self, name), 1, whole=True)

    def after(self, grid: Grid) -> Grid:
        return Grid(self.rows, self.columns)

    def __call__(self, images: Pixels) -> Pixels:
        _, height, width = images.shape
        down, across = _shares(height, self.rows), _shares(width, self.columns)
        found = np.empty((len(images), self.rows, self.columns))
        for start in range(0, len(images), BLOCK):
            block = slice(start, start + BLOCK)
            found[block] = down @ np.nan_to_num(images[block].astype(np.float64)) @ across.T
        return found


def _shares(n: int, new: int) -> Floats:
    """Return the fraction of each of `n` old pixels of a line in each of the `new` pixels."""
    ends = np.arange(new + 1) * (n / new)
    first = np.maximum(ends[:-1, np.newaxis], np.arange(n))
    last = np.minimum(ends[1:, np.newaxis], np.arange(1, n + 1))
    return np.asarray(np.maximum(last - first, 0.0) * (new / n))


@dataclass(frozen=True)
class Centre(Transformation):
    """Place images in the centre of a larger field of zeros (AIMA 18.11.1: 20 x 20 pixels on 32 x 32).

    Parameters
    ----------
    rows, columns : int
        Size of the field.

    Examples
    --------
    >>> Centre(3, 4)(np.array([[[7, 9]]], np.uint8))[0].tolist()
    [[0, 0, 0, 0], [0, 7, 9, 0], [0, 0, 0, 0]]
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            at_least(name, getattr(self, name), 1, whole=True)

    def after(self, grid: Grid) -> Grid:
        if grid.rows > self.rows or grid.columns > self.columns:
            raise InputError(
                f"images of {grid} pixels do not fit on a field of {self.rows} x {self.columns}; give a larger "
                "field, or crop them"
            )
        return Grid(self.rows, self.columns)

    def __call__(self, images: Pixels) -> Pixels:
        _, rows, columns = images.shape
        self.after(Grid(rows, columns))
        found = np.zeros((len(images), self.rows, self.columns), images.dtype)
        top, left = (self.rows - rows) // 2, (self.columns - columns) // 2
        found[:, top : top + rows, left : left + columns] = images
        return found


@dataclass(frozen=True)
class Crop(Transformation):
    """Crop the window around the drawing: the bounding box of all nonzero pixels is centred in it.

    A drawing larger than the window is cropped around the centre of its box.

    Parameters
    ----------
    rows, columns : int
        Size of the window.

    Examples
    --------
    >>> Crop(2, 2)(np.array([[[0, 0, 0], [0, 5, 6], [0, 7, 8]]], np.uint8))[0].tolist()
    [[5, 6], [7, 8]]
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            at_least(name, getattr(self, name), 1, whole=True)

    def after(self, grid: Grid) -> Grid:
        if grid.rows < self.rows or grid.columns < self.columns:
            raise InputError(
                f"a window of {self.rows} x {self.columns} cannot be cut out of images of {grid} pixels; give a "
                "smaller window"
            )
        return Grid(self.rows, self.columns)

    def __call__(self, images: Pixels) -> Pixels:
        n, height, width = images.shape
        self.after(Grid(height, width))
        # a border of zeros, so that the window of a drawing near the edge can extend beyond it
        wide = Centre(height + 2 * self.rows, width + 2 * self.columns)(images)
        top = _first(np.asarray(images.any(axis=2)), height, self.rows) + self.rows
        left = _first(np.asarray(images.any(axis=1)), width, self.columns) + self.columns
        down = top[:, np.newaxis, np.newaxis] + np.arange(self.rows)[:, np.newaxis]
        across = left[:, np.newaxis, np.newaxis] + np.arange(self.columns)
        return np.asarray(wide[np.arange(n)[:, np.newaxis, np.newaxis], down, across])


def _first(marked: NDArray[np.bool_], length: int, window: int) -> NDArray[np.intp]:
    """Return the start of a window centred on the marked positions; on all positions if none is marked."""
    first, last = marked.argmax(axis=1), length - 1 - marked[:, ::-1].argmax(axis=1)
    empty = ~marked.any(axis=1)
    first, last = np.where(empty, 0, first), np.where(empty, length - 1, last)
    return np.asarray((first + last + 1 - window) // 2)


@dataclass(frozen=True)
class Deslant(Transformation):
    """Shear images so that their strokes are upright: the covariance of rows and columns becomes 0.

    Rows are shifted in proportion to their distance from the centre of mass. Pixels of other types are rounded to 8
    bits.

    Examples
    --------
    >>> slanted = np.zeros((1, 5, 7), np.uint8)
    >>> slanted[0, range(5), range(5, 0, -1)] = 200
    >>> Deslant()(slanted)[0].max(axis=0).tolist()
    [0, 0, 0, 200, 0, 0, 0]
    """

    def after(self, grid: Grid) -> Grid:
        return grid

    def __call__(self, images: Pixels) -> Pixels:
        given = as_bytes(images)
        found = given.copy()
        total, centre = np.zeros(len(given)), _moments(given)[:, 1]
        left = np.arange(len(given))
        # Cropping at the sides and rounding leave a little slant. The shear is corrected by it and applied to
        # the original image, so that the image is resampled only once.
        for _ in range(ROUNDS):
            more = slants(found[left])
            left, more = left[np.abs(more) >= UPRIGHT], more[np.abs(more) >= UPRIGHT]
            if not len(left):
                break
            total[left] += more
            maps = np.zeros((len(left), 6))
            maps[:, 0] = maps[:, 4] = 1.0
            maps[:, 3] = total[left]
            maps[:, 5] = -total[left] * centre[left]
            found[left] = resampled(given[left], maps)
        return found


def slants(images: Pixels) -> Floats:
    """Return the slant of each image in columns per row: covariance of rows and columns over variance of rows.

    Examples
    --------
    >>> slants(np.eye(3, dtype=np.uint8)[np.newaxis]).tolist()
    [1.0]
    """
    found = _moments(images)
    return np.divide(found[:, 4], found[:, 3], out=np.zeros(len(found)), where=found[:, 3] > 1e-9)


def _moments(images: Pixels) -> Floats:
    given = np.ascontiguousarray(images)
    parts = [
        sized(moments, 3.0 * given.size, len(block) / max(1, len(given)))(block) for block in _blocks(given)
    ]
    return np.concatenate([np.empty((0, 5)), *parts])


def resampled(images: Pixels, maps: Floats) -> Pixels:
    """Return 8-bit images, each under its own affine map; see `_loops.warped`."""
    given = np.ascontiguousarray(images)
    found = np.empty_like(given)
    work = float(STEPS * given.size)
    for start in range(0, len(given), BLOCK):
        block = slice(start, start + BLOCK)
        share = len(given[block]) / len(given)
        found[block] = sized(warped, work, share)(given[block], np.ascontiguousarray(maps[block]))
    return found


def _blocks(images: Pixels) -> list[Pixels]:
    return [images[start : start + BLOCK] for start in range(0, len(images), BLOCK)]


def as_bytes(images: Any) -> Pixels:
    """Return images as 8-bit numbers, rounded if necessary."""
    pixels = np.asarray(images)
    if pixels.dtype == np.uint8:
        return pixels
    return np.asarray(np.clip(np.rint(np.nan_to_num(pixels)), 0, 255), np.uint8)


@dataclass(frozen=True)
class Edges(Transformation):
    """Canny edges: smoothed gradients, thinned to ridges, kept if strong or connected to strong ones.

    Edge pixels are 255, all others 0.

    Parameters
    ----------
    sigma : float
        Standard deviation of the smoothing, in pixels.
    low, high : float
        Thresholds relative to the steepest gradient: an edge starts at `high` and continues down to `low`.

    References
    ----------
    J. Canny (1986). A computational approach to edge detection. IEEE Transactions on Pattern Analysis and Machine
    Intelligence 8, 679-698.

    Examples
    --------
    >>> image = np.zeros((1, 5, 8), np.uint8)
    >>> image[0, :, 4:] = 255
    >>> Edges(sigma=0.5)(image)[0, 2].tolist()
    [0, 0, 0, 255, 0, 0, 0, 0]
    """

    sigma: float = 1.0
    low: float = 0.1
    high: float = 0.25

    def __post_init__(self) -> None:
        if not (0 < self.sigma < math.inf and 0 < self.low <= self.high <= 1):
            raise InputError(
                f"sigma is {self.sigma!r}, low {self.low!r} and high {self.high!r}; give a sigma above "
                "0, and low and high from 0 to 1 with low at most high"
            )

    def after(self, grid: Grid) -> Grid:
        return grid

    def __call__(self, images: Pixels) -> Pixels:
        from scipy import ndimage

        smooth = ndimage.gaussian_filter(images.astype(np.float64), (0, self.sigma, self.sigma))
        # Sobel gradients within each image; SciPy's own filter would also smooth across images
        down, across = (
            ndimage.convolve1d(ndimage.correlate1d(smooth, (-1.0, 0.0, 1.0), one), (1.0, 2.0, 1.0), other)
            for one, other in ((1, 2), (2, 1))
        )
        # rounded, so that equal gradients are equal on every processor
        steep = np.round(np.hypot(down, across), 6)
        thin = steep * _ridges(steep, down, across)
        top = steep.max(axis=(1, 2), keepdims=True, initial=0.0)
        weak = (thin >= self.low * top) & (thin > 1e-3)
        strong = weak & (thin >= self.high * top)
        near = np.zeros((3, 3, 3), bool)
        near[1] = True  # within an image, in eight directions
        labels, n = ndimage.label(weak, near)
        kept = np.zeros(n + 1, bool)
        kept[np.unique(labels[strong])] = True
        kept[0] = False
        return np.asarray(np.where(kept[labels], 255, 0).astype(np.uint8))


def _ridges(steep: Floats, down: Floats, across: Floats) -> NDArray[np.bool_]:
    """Return whether no neighbour in the direction of the gradient is steeper; ties go to the first."""
    angle = np.mod(np.round(np.arctan2(down, across) / (math.pi / 4)).astype(np.int64), 4)
    padded = np.pad(steep, ((0, 0), (1, 1), (1, 1)))
    n, height, width = steep.shape
    found = np.zeros((n, height, width), bool)
    for sector, (dy, dx) in enumerate(((0, 1), (1, 1), (1, 0), (1, -1))):
        before = padded[:, 1 - dy : 1 - dy + height, 1 - dx : 1 - dx + width]
        behind = padded[:, 1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        found |= (angle == sector) & (steep > before) & (steep >= behind)
    return found


def transformed(images: Pixels, steps: tuple[Transformation, ...]) -> Pixels:
    """Apply all transformations in sequence."""
    for step in steps:
        images = step(images)
    return images


def grid_after(grid: Grid, steps: tuple[Transformation, ...]) -> Grid:
    """Return the grid of images after all transformations."""
    for step in steps:
        grid = step.after(grid)
    return grid
