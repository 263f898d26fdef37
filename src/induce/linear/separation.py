"""Perfect separation: terms for which no finite weight has the largest likelihood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

SUSPECT = 18.0
"""A sum of this size means a probability within 1e-8 of 0 or 1."""
PROBE = 2_000
"""Rows of a first look."""
MOST_CELLS = 2_000_000
"""Numbers for which the linear program is tried."""


def separating_terms(z: Floats, codes: Codes, n_classes: int) -> list[int]:
    """Return the terms that alone separate a class from the rest, up to rows that lie on the boundary."""
    if len(z) > 10 * PROBE:
        # a term that does not separate some rows does not separate all
        step = len(z) // PROBE
        terms = np.array(separating_terms(z[::step], codes[::step], n_classes), np.intp)
        rare = np.flatnonzero(np.abs(z[::step]).max(axis=0) == 0)  # a probe may have none of a rare category
        terms = np.union1d(terms, rare)
        return terms[_separating(z[:, terms], codes, n_classes)].tolist() if len(terms) else []
    return _separating(z, codes, n_classes)


def _separating(z: Floats, codes: Codes, n_classes: int) -> list[int]:
    found: list[int] = []
    for code in range(n_classes if n_classes > 2 else 1):
        inside = codes == code
        if inside.all() or not inside.any():
            continue
        ours, others = z[inside], z[~inside]
        low, high = ours.min(axis=0), ours.max(axis=0)
        other_low, other_high = others.min(axis=0), others.max(axis=0)
        varies = (low < high) | (other_low < other_high) | (low != other_low)
        found += np.flatnonzero(((high <= other_low) | (other_high <= low)) & varies).tolist()
    return sorted(set(found))


def separating_direction(z: Floats, codes: Codes, n_classes: int) -> Floats | None:
    """Return a direction along which no row is on the wrong side and some are on the right one, or None.

    It is looked for by a linear program, and only where the table is small enough.
    """
    from scipy.optimize import linprog

    if z.size > MOST_CELLS:
        return None
    for code in range(n_classes if n_classes > 2 else 1):
        sign = np.where(codes == code, 1.0, -1.0)
        sides = sign[:, np.newaxis] * np.column_stack([np.ones(len(z)), z])
        found = linprog(
            -sides.sum(axis=0), A_ub=-sides, b_ub=np.zeros(len(z)), bounds=(-1.0, 1.0), method="highs"
        )
        if found.status == 0 and -found.fun > 1e-7 * len(z):
            return np.asarray(found.x[1:])
    return None
