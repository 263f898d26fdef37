"""Hot loops of shape matching: histograms of relative positions, and costs between them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.loops import loop

TINY = 1e-300


@loop
def contexts(points: Any, n_rings: int, n_sectors: int, inner: float, outer: float) -> Any:
    """Return, for each point, the fraction of the others in each ring and sector around it.

    Rings are evenly spaced in the logarithm of the distance, in units of the mean distance of all pairs, from
    `inner` to `outer`. Farther points are in no bin, nearer ones in the first.
    """
    n = len(points)
    apart = np.zeros((n, n))
    total = 0.0
    for i in range(n):
        for j in range(n):
            dy = points[j, 0] - points[i, 0]
            dx = points[j, 1] - points[i, 1]
            apart[i, j] = math.sqrt(dy * dy + dx * dx)
            total += apart[i, j]
    mean = total / max(1, n * (n - 1))
    found = np.zeros((n, n_rings * n_sectors))
    if mean <= 0.0:
        return found
    width = math.log(outer / inner) / (n_rings - 1)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            far = apart[i, j] / mean
            if far >= outer:
                continue
            ring = 0
            if far >= inner:
                ring = min(n_rings - 1, 1 + int(math.log(far / inner) / width))
            angle = math.atan2(points[j, 0] - points[i, 0], points[j, 1] - points[i, 1])
            # slightly more than the angle, so that points on the axes fall into the same sector on every
            # processor
            sector = math.floor((angle + 1e-9) / (2.0 * math.pi) * n_sectors) % n_sectors
            found[i, ring * n_sectors + sector] += 1.0 / (n - 1)
    return found


@loop
def chi_square(a: Any, b: Any) -> Any:
    """Return half the chi-square distance of each row of `a` from each row of `b`."""
    found = np.zeros((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            # two independent partial sums; bins that are empty in both add 0 / TINY
            even = 0.0
            odd = 0.0
            for k in range(0, a.shape[1] - 1, 2):
                gap = a[i, k] - b[j, k]
                even += gap * gap / (a[i, k] + b[j, k] + TINY)
                gap = a[i, k + 1] - b[j, k + 1]
                odd += gap * gap / (a[i, k + 1] + b[j, k + 1] + TINY)
            if a.shape[1] % 2:
                last = a.shape[1] - 1
                gap = a[i, last] - b[j, last]
                even += gap * gap / (a[i, last] + b[j, last] + TINY)
            found[i, j] = 0.5 * (even + odd)
    return found
