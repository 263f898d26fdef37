"""Perfect separation: terms whose maximum-likelihood weight is infinite."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]

SUSPECT = 18.0
"""Size of a sum at which the probability is within 1e-8 of 0 or 1."""
PROBE = 2_000
"""Number of rows of a first check."""
MOST_CELLS = 2_000_000
"""Maximum number of cells for which the linear program is tried."""


@dataclass(frozen=True, eq=False)
class Separated:
    """Separation of a class from the rest, up to rows on the boundary.

    Parameters
    ----------
    terms : array of int
        Responsible terms, the most important first.
    intercept : bool
        Whether the intercept is involved.
    undecided : array of bool
        Rows that lie on the boundary.
    together : bool
        Whether several terms are needed jointly.
    """

    terms: NDArray[np.intp]
    intercept: bool
    undecided: Mask
    together: bool

    def is_partial(self, codes: Codes) -> bool:
        """Return whether rows of several classes are undecided, so that the other weights have a maximum
        likelihood estimate.
        """
        left = codes[self.undecided]
        return len(left) > 0 and bool((left != left[0]).any())


def separated_by_terms(x: Floats, codes: Codes, n_classes: int) -> Separated | None:
    """Return the terms that each separate a class from the rest, or None if there are none."""
    terms = _separating_terms(x, codes, n_classes)
    if not terms:
        return None
    undecided = np.ones(len(x), bool)
    for term in terms:
        for inside in _sides(codes, n_classes):
            undecided &= _on_the_boundary(x[:, term], inside)
    return Separated(np.array(terms, np.intp), False, undecided, False)


def _sides(codes: Codes, n_classes: int) -> list[Mask]:
    """Return masks of the rows of each class compared with the rest."""
    found = [codes == code for code in range(n_classes if n_classes > 2 else 1)]
    return [inside for inside in found if inside.any() and not inside.all()]


def _on_the_boundary(column: Floats, inside: Mask) -> Mask:
    """Return the rows that a separating term leaves undecided; all rows if it does not separate."""
    ours, others = column[inside], column[~inside]
    if ours.max() <= others.min():
        low, high = ours.max(), others.min()
    elif others.max() <= ours.min():
        low, high = others.max(), ours.min()
    else:
        return np.ones(len(column), bool)
    return np.asarray(column == low) if low == high else np.zeros(len(column), bool)


def _separating_terms(z: Floats, codes: Codes, n_classes: int) -> list[int]:
    if len(z) > 10 * PROBE:
        # a term that does not separate a sample does not separate all rows
        step = len(z) // PROBE
        terms = np.array(_separating_terms(z[::step], codes[::step], n_classes), np.intp)
        rare = np.flatnonzero(np.abs(z[::step]).max(axis=0) == 0)  # a sample may lack a rare category
        terms = np.union1d(terms, rare)
        return terms[_separating(z[:, terms], codes, n_classes)].tolist() if len(terms) else []
    return _separating(z, codes, n_classes)


def _separating(z: Floats, codes: Codes, n_classes: int) -> list[int]:
    found: list[int] = []
    for inside in _sides(codes, n_classes):
        ours, others = z[inside], z[~inside]
        low, high = ours.min(axis=0), ours.max(axis=0)
        other_low, other_high = others.min(axis=0), others.max(axis=0)
        varies = (low < high) | (other_low < other_high) | (low != other_low)
        found += np.flatnonzero(((high <= other_low) | (other_high <= low)) & varies).tolist()
    return sorted(set(found))


def separated_together(z: Floats, codes: Codes, n_classes: int, weights: Floats) -> Separated | None:
    """Return terms along a direction that separates some rows and misclassifies none, or None.

    The direction is found by a linear program, if the table is small enough.
    """
    from scipy.optimize import linprog  # unlike `separable`, rows may lie in the plane

    if z.size > MOST_CELLS:
        return None
    for inside in _sides(codes, n_classes):
        sides = np.where(inside, 1.0, -1.0)[:, np.newaxis] * np.column_stack([np.ones(len(z)), z])
        found = linprog(
            -(weights / weights.sum()) @ sides,
            A_ub=-sides,
            b_ub=np.zeros(len(z)),
            bounds=(-1.0, 1.0),
            method="highs",
        )
        if found.status == 0 and -found.fun > 1e-7:
            sizes = np.abs(found.x[1:])
            terms = np.argsort(-sizes.round(9), kind="stable")[: np.count_nonzero(sizes > 1e-9)]
            return Separated(terms, abs(found.x[0]) > 1e-9, sides @ found.x <= 1e-7, True)
    return None
