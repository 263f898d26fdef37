"""Links through a small window: convolution with shared weights, and pooling (LeCun et al. 1989, 1998)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

Array = NDArray[Any]
Ints = NDArray[np.int64]
Shape = tuple[int, int, int]
"""Number of planes, rows and columns."""


@dataclass(frozen=True)
class Window:
    """Receptive field of a unit in a plane: a patch of rows and columns at the unit's position.

    All units of a plane share the weights of the window, so the plane detects one feature at every position.

    Parameters
    ----------
    kernel : int or (int, int)
        Number of rows and columns of the patch.
    stride : int or (int, int)
        Step between the patches of neighbouring units.
    padding : int or (int, int)
        Number of rows and columns of zero padding.
    pooled : bool
        Whether a unit sees only its own plane, with one trained weight for the whole patch (LeNet's
        subsampling). The weight times the number of cells is the gain of the mean.
    sees : tuple of tuples of int
        Source planes of each plane, as in table 1 of LeCun et al. (1998); if empty, each plane sees all.

    Examples
    --------
    >>> Window(5).target((1, 32, 32), 6)
    (6, 28, 28)
    >>> Window(5, stride=2, padding=2).target((1, 16, 16), 12)
    (12, 8, 8)
    """

    kernel: tuple[int, int]
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)
    pooled: bool = False
    sees: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        for name, least in (("kernel", 1), ("stride", 1), ("padding", 0)):
            given: Any = getattr(self, name)
            pair = (given, given) if isinstance(given, int | np.integer) else tuple(given)
            if len(pair) != 2 or any(int(part) != part or part < least for part in pair):
                raise InputError(
                    f"{name} of a window is {given!r}; give a whole number of at least {least}, or two "
                    "of them"
                )
            object.__setattr__(self, name, (int(pair[0]), int(pair[1])))
        object.__setattr__(self, "sees", tuple(tuple(int(part) for part in each) for each in self.sees))

    @property
    def n_cells(self) -> int:
        """Number of cells of the patch."""
        return self.kernel[0] * self.kernel[1]

    def target(self, source: Shape, planes: int) -> Shape:
        """Return the shape of the planes that see others through the window."""
        height, width = (
            (size + 2 * pad - kernel) // step + 1
            for size, pad, kernel, step in zip(
                source[1:], self.padding, self.kernel, self.stride, strict=True
            )
        )
        if height < 1 or width < 1:
            raise InputError(
                f"a window of {self.kernel[0]} x {self.kernel[1]} does not fit into planes of "
                f"{source[1]} x {source[2]}; use a smaller one, or padding"
            )
        return planes, height, width

    def pairs(self, source: int, target: int) -> tuple[Ints, Ints]:
        """Return the connected pairs of target and source planes, ordered by target."""
        if self.pooled:
            return np.arange(target), np.arange(target)
        sees = self.sees or (tuple(range(source)),) * target
        to = np.repeat(np.arange(target), [len(each) for each in sees])
        return to, np.array([plane for each in sees for plane in each], np.int64)

    def ends(self, source: Shape | None, target: Shape | None) -> float:
        """Return the mean fan-in and fan-out of a unit, ignoring borders."""
        if source is None or target is None:
            return 1.0
        joined = len(self.pairs(source[0], target[0])[0])
        return self.n_cells * (joined / target[0] + joined / source[0])

    def must_fit(self, source: Shape | None, target: Shape | None, told: str) -> None:
        """Raise an `InputError` unless the window fits between two groups."""
        if source is None or target is None:
            raise InputError(
                f"{told} has a window, but its groups have no shape; give planes, rows and columns for both"
            )
        expected = self.target(source, target[0])
        if expected != target:
            raise InputError(
                f"{told} sees planes of {source[1]} x {source[2]} through a window that gives "
                f"{expected[1]} x {expected[2]} units per plane, but its target has {target[1]} x "
                f"{target[2]}"
            )
        if self.pooled and source[0] != target[0]:
            raise InputError(
                f"{told} pools {source[0]} planes into {target[0]}; give as many target "
                "planes as source planes"
            )
        if self.sees and (
            len(self.sees) != target[0]
            or any(not 0 <= plane < source[0] for each in self.sees for plane in each)
        ):
            raise InputError(
                f"sees of {told} is invalid; list some of {source[0]} planes for each of {target[0]} planes"
            )


@dataclass(frozen=True, eq=False)
class Windowed:
    """A link through a window: im2col and BLAS for batches, single connections otherwise."""

    source: int
    block: slice
    window: Window
    before: Shape
    after: Shape

    @property
    def n_seen(self) -> int:
        """Number of values that the link reads per row; overlapping windows repeat values."""
        patches = int(np.prod(self.after[1:]))
        return self.before[0] * patches * (1 if self.window.pooled else self.window.n_cells)

    @cached_property
    def connections(self) -> tuple[Ints, Ints, Ints]:
        """Source, target and weight of each connection, ordered by source and target."""
        (kh, kw), (sh, sw), (ph, pw) = self.window.kernel, self.window.stride, self.window.padding
        _, height, width = self.before
        _, rows, columns = self.after
        to, of = self.window.pairs(self.before[0], self.after[0])
        pair, ky, kx, y, x = np.ogrid[: len(to), :kh, :kw, :rows, :columns]
        above, left = y * sh + ky - ph, x * sw + kx - pw
        there = (above >= 0) & (above < height) & (left >= 0) & (left < width)
        weight = pair if self.window.pooled else (pair * kh + ky) * kw + kx
        parts = (
            of[pair] * (height * width) + above * width + left,
            to[pair] * (rows * columns) + y * columns + x,
            weight,
        )
        there = np.broadcast_to(there, (len(to), kh, kw, rows, columns))
        source, target, place = (np.broadcast_to(part, there.shape)[there] for part in parts)
        order = np.lexsort((target, source))
        return source[order], target[order], place[order]

    def kernels(self, weights: Array) -> Array:
        """Return the weights of each pair of planes: target planes, source planes, rows, columns."""
        shape = (self.after[0], self.before[0], *self.window.kernel)
        if not self.window.sees and not self.window.pooled:
            return weights.reshape(shape)
        full = np.zeros(shape, weights.dtype)
        if self.window.pooled:
            full[self._pairs] = weights[:, np.newaxis, np.newaxis]
        else:
            full[self._pairs] = weights.reshape(-1, *self.window.kernel)
        return full

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        return self.window.pairs(self.before[0], self.after[0])

    def matrix(self, weights: Array) -> Array:
        """Return the weights as a matrix of sources and targets."""
        found = np.zeros((int(np.prod(self.before)), int(np.prod(self.after))), weights.dtype)
        source, target, place = self.connections
        found[source, target] = weights[place]
        return found

    # --- in batches ------------------------------------------------------------------------------------------

    def seen(self, x: Array) -> Array:
        """Return the input of the windows for each row: im2col, or the sums of the pooled patches."""
        n = len(x)
        planes = x.reshape(n, *self.before)
        (kh, kw), (sh, sw), (ph, pw) = self.window.kernel, self.window.stride, self.window.padding
        if ph or pw:
            padded = np.zeros((n, self.before[0], self.before[1] + 2 * ph, self.before[2] + 2 * pw), x.dtype)
            padded[:, :, ph : ph + self.before[1], pw : pw + self.before[2]] = planes
            planes = padded
        _, rows, columns = self.after
        if self.window.pooled:
            total = planes[:, :, : sh * rows : sh, : sw * columns : sw].copy()
            for i, j in list(np.ndindex(kh, kw))[1:]:
                total += planes[:, :, i : i + sh * rows : sh, j : j + sw * columns : sw]
            return np.asarray(total)
        step = planes.strides
        view = np.lib.stride_tricks.as_strided(
            planes,
            (self.before[0], kh, kw, n, rows, columns),
            (step[1], step[2], step[3], step[0], step[2] * sh, step[3] * sw),
            writeable=False,
        )
        return np.ascontiguousarray(view).reshape(self.before[0] * kh * kw, n * rows * columns)

    def push(self, weights: Array, x: Array, seen: Array | None = None) -> Array:
        """Return the contribution of the link to the net inputs of each row."""
        found = self.seen(x) if seen is None else seen
        if self.window.pooled:
            return (found * weights[:, np.newaxis, np.newaxis]).reshape(len(x), -1)
        net = self.kernels(weights).reshape(self.after[0], -1) @ found
        return self._by_row(net, len(x))

    def _by_row(self, planes: Array, n: int) -> Array:
        """Return an array of planes and rows with the row axis first."""
        return np.ascontiguousarray(planes.reshape(self.after[0], n, -1).transpose(1, 0, 2)).reshape(n, -1)

    def _by_plane(self, delta: Array) -> Array:
        n = len(delta)
        return np.ascontiguousarray(delta.reshape(n, self.after[0], -1).transpose(1, 0, 2)).reshape(
            self.after[0], -1
        )

    def gather(self, x: Array, delta: Array, seen: Array | None = None) -> Array:
        """Return the sum over rows of delta times window input, for each weight."""
        found = self.seen(x) if seen is None else seen
        if self.window.pooled:
            return np.asarray(np.einsum("npij,npij->p", delta.reshape(found.shape), found))
        full = self._by_plane(delta) @ found.T
        if not self.window.sees:
            return np.asarray(full.ravel())
        return np.asarray(full.reshape(self.after[0], self.before[0], -1)[self._pairs].ravel())

    def back(self, weights: Array, delta: Array) -> Array:
        """Return the derivatives passed back to the sources, for each row."""
        n = len(delta)
        (kh, kw), (sh, sw), (ph, pw) = self.window.kernel, self.window.stride, self.window.padding
        planes, height, width = self.before
        _, rows, columns = self.after
        sent = np.zeros((n, planes, height + 2 * ph, width + 2 * pw), delta.dtype)
        if self.window.pooled:
            own = delta.reshape(n, planes, rows, columns) * weights[:, np.newaxis, np.newaxis]
            parts = None
        else:
            kernels = self.kernels(weights).reshape(self.after[0], -1)
            parts = (kernels.T @ self._by_plane(delta)).reshape(planes, kh, kw, n, rows, columns)
        for i, j in np.ndindex(kh, kw):
            part = own if parts is None else parts[:, i, j].transpose(1, 0, 2, 3)
            sent[:, :, i : i + sh * rows : sh, j : j + sw * columns : sw] += part
        inner = sent[:, :, ph : ph + height, pw : pw + width]
        return np.ascontiguousarray(inner).reshape(n, -1)
