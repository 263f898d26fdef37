"""Kernel values between training rows: the full matrix if it fits into memory, otherwise a cache of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.kernels.inputs import Array, Floats, Inputs
from induce.kernels.kernel import Kernel, take

Ints = NDArray[np.int64]

FEW = 1_000
"""Maximum number of rows for which the full matrix is computed at once."""
BLOCK = 64
"""Number of kernel rows computed together: one matrix product costs little more than a matrix-vector product."""
CELLS = 20_000_000


class Gram:
    """Kernel values between the training rows.

    Parameters
    ----------
    kernel : Kernel
    inputs : Inputs
    megabytes : float
        Memory limit for kernel values.
    shared : bool
        Whether several problems share the rows, so that computing the full matrix is worthwhile.
    """

    def __init__(self, kernel: Kernel, inputs: Inputs, megabytes: float, shared: bool) -> None:
        self.kernel = kernel
        self.prepared = kernel.prepare(inputs)
        self.own = np.asarray(kernel.own(self.prepared), np.float64)
        if not np.isfinite(self.own).all():
            raise InputError(f"K = {kernel} of a row with itself is not a finite number; scale the columns")
        n = len(self.own)
        self.whole: Array | None = None
        self.dtype = self.block(np.arange(1), np.arange(1)).dtype
        self.bytes = megabytes * 1e6
        if n * n * self.dtype.itemsize <= self.bytes and (shared or n <= FEW):
            self.whole = kernel.between(self.prepared, self.prepared)

    def __len__(self) -> int:
        return len(self.own)

    def block(self, rows: Any, columns: Any) -> Array:
        """Return the kernel values between two sets of rows."""
        if self.whole is not None:
            return np.asarray(self.whole[np.ix_(rows, columns)])
        return self.kernel.between(take(self.prepared, rows), take(self.prepared, columns))

    def times(self, rows: Any, columns: Any, coefficients: Floats) -> Floats:
        """Return the kernel-weighted sum of coefficients for each of the given rows."""
        used = np.flatnonzero(coefficients)
        size = max(1, CELLS // max(1, len(used)))
        parts = [
            self.block(rows[start : start + size], columns[used]) @ coefficients[used]
            for start in range(0, len(rows), size)
        ]
        return np.asarray(np.concatenate(parts), np.float64) if parts else np.empty(0)


class KernelRows:
    """Cache of a problem's kernel rows, each over all rows of the problem.

    Parameters
    ----------
    gram : Gram
    index : array
        Indices of the training rows of the problem.
    """

    def __init__(self, gram: Gram, index: Ints) -> None:
        n = len(index)
        self.own = gram.own[index]
        if gram.whole is not None:
            same = n == len(gram)
            self.rows = gram.whole if same else np.ascontiguousarray(gram.whole[np.ix_(index, index)])
            self.slot = np.arange(n, dtype=np.int64)
        else:
            room = int(gram.bytes // (n * gram.dtype.itemsize))
            self.block = max(1, min(BLOCK, room // 2, n))
            self.kernel = gram.kernel
            self.prepared = gram.prepared if n == len(gram) else take(gram.prepared, index)
            n_slots = max(2, min(room, n) // self.block) * self.block
            self.rows = np.empty((n_slots, n), gram.dtype)
            self.slot = np.full(n, -1, np.int64)
            self.owner = np.full(n_slots, -1, np.int64)
            self.filled = 0
        self.used = np.zeros(len(self.rows), np.int64)

    def fetch(self, row: int, likely: Ints, clock: int) -> None:
        """Compute a row and others likely to be needed soon, replacing the least recently used."""
        new = np.append(likely[likely != row][: self.block - 1], row)
        place = self._place()
        self.slot[self.owner[place][self.owner[place] >= 0]] = -1
        self.owner[place] = -1
        spots = np.arange(place.start, place.start + len(new))
        self.rows[spots[0] : spots[-1] + 1] = self.kernel.between(take(self.prepared, new), self.prepared)
        self.slot[new], self.owner[spots], self.used[place] = spots, new, clock

    def _place(self) -> slice:
        """Return the slots of the next block: free ones, or those of the least recently used block."""
        if self.filled + self.block <= len(self.rows):
            self.filled += self.block
            return slice(self.filled - self.block, self.filled)
        oldest = int(self.used.reshape(-1, self.block).max(axis=1).argmin())
        return slice(oldest * self.block, (oldest + 1) * self.block)
