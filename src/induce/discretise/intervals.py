"""Unsupervised intervals of a numeric column, and the interval of each value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated

Floats = NDArray[np.float64]

LARGEST = np.finfo(np.float64).max

LARGEST_POWER = 22
"""Powers of ten up to this one are exact in float64."""
POWERS_OF_TEN = np.array([float(f"1e{power}") for power in range(-LARGEST_POWER, LARGEST_POWER + 1)])

DIGITS_READ = 7
"""Maximum number of digits of a threshold that is not shortened."""
DECIMALS_TRIED = 6
"""Numbers of decimals tried to shorten a threshold."""

IN_A_BYTE = 255
"""Maximum number of cuts for which interval indices fit into a byte."""

BISECTION = 40
"""Number of steps to find the ends of a run of equal values."""


def midpoints(low: ArrayLike, high: ArrayLike) -> Floats:
    """Return a number between each `low` and the `high` above it: `low` <= number < `high`.

    The number is the midpoint where float64 can represent it, and is finite whenever a finite number lies in
    the range. Digits beyond the fifteenth, which are only rounding errors, are dropped: the midpoint of 3.3
    and 3.4 is 3.35.

    Parameters
    ----------
    low, high : array of float64
        Numbers below and above each midpoint.

    Examples
    --------
    >>> midpoints([40, 1e308, -np.inf], [48, 1.5e308, np.inf])
    array([4.40e+001, 1.25e+308, 0.00e+000])
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    below, above = np.maximum(low, -LARGEST), np.minimum(high, LARGEST)
    with np.errstate(over="ignore"):
        middle = below + (above - below) / 2
    middle = np.where(np.isfinite(middle), middle, below / 2 + above / 2)
    middle = np.where(middle >= high, low, middle)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        scale = 10.0 ** (14 - np.floor(np.log10(np.abs(middle))))
        shorter = np.rint(middle * scale) / scale
    plain = (scale >= 1) & (scale <= 1e22) & (shorter >= low) & (shorter < high)
    return np.asarray(np.where(plain, shorter, middle), np.float64)


def thresholds(low: ArrayLike, high: ArrayLike) -> Floats:
    """Return readable midpoints: a midpoint of more than seven digits is shortened.

    It is replaced by the nearest number with the fewest decimals in the middle half of the gap, so that every
    value stays on the same side, and new values nearly always.

    Parameters
    ----------
    low, high : array of float64
        Numbers below and above each threshold.

    Examples
    --------
    >>> thresholds([48, 1.9, 0.123456789, 1234.56789], [60, 3.0, 0.123987654, 1234.98765]).tolist()
    [54.0, 2.45, 0.1237, 1234.8]
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    chosen = midpoints(low, high)
    with np.errstate(over="ignore", invalid="ignore"):
        gap = high - low
        long = (chosen != _rounded(chosen, DIGITS_READ - _magnitude(chosen))) & np.isfinite(gap)
        if not long.any():
            return chosen
        middle, quarter = chosen, gap / 4
        for more in range(DECIMALS_TRIED):
            # one more decimal each time; the last is finer than half of the gap
            shorter = _rounded(middle, more + 3 - DECIMALS_TRIED - _magnitude(gap))
            takes = long & (np.abs(shorter - middle) <= quarter) & (shorter >= low) & (shorter < high)
            chosen, long = np.where(takes, shorter, chosen), long & ~takes
    return np.asarray(chosen, np.float64)


def _magnitude(numbers: Floats) -> NDArray[np.int64]:
    """Return the number of digits before the decimal point; -2 for 0.00123.

    Powers of ten are looked up: a logarithm would round them differently on other processors.
    """
    found: NDArray[np.int64] = np.searchsorted(POWERS_OF_TEN, np.abs(numbers), side="right") - LARGEST_POWER
    return found


def _rounded(numbers: Floats, decimals: NDArray[np.int64]) -> Floats:
    """Round each number to its own number of decimals, exactly; NaN if that is not possible."""
    possible = np.abs(decimals) <= LARGEST_POWER
    power = POWERS_OF_TEN[LARGEST_POWER + np.where(possible, np.abs(decimals), 0)]
    rounded = np.where(decimals >= 0, np.rint(numbers * power) / power, np.rint(numbers / power) * power)
    return np.where(possible, rounded + 0.0, np.nan)  # no -0.0


def quantile_edges(values: ArrayLike, n_bins: int) -> tuple[Floats, Floats]:
    """Return the values on either side of the cuts of equal-frequency intervals.

    No value is split: a value more frequent than a full interval gets its own interval if possible, and the
    others share the rest evenly. At most `n_bins` distinct values get one interval each.

    Parameters
    ----------
    values : array of float64
        Values of the column; NaN if missing.
    n_bins : int
        Maximum number of intervals.

    Returns
    -------
    highest, lowest : arrays of float64
        Highest value below each cut and lowest value above it.

    Examples
    --------
    >>> highest, lowest = quantile_edges([1, 2, 3, 4, 5, 6], 3)
    >>> highest.tolist(), lowest.tolist()
    ([2.0, 4.0], [3.0, 5.0])
    """
    from induce.discretise import _loops

    _check(n_bins)
    ordered = np.sort(_known(values))
    changes = ordered[1:] != ordered[:-1]
    if np.count_nonzero(changes) < n_bins:
        ends = np.flatnonzero(changes) + 1
    else:
        ends = repeated(_loops.even_ends, BISECTION * n_bins)(ordered, n_bins)
    return ordered[ends - 1], ordered[ends]


def quantile_cuts(values: ArrayLike, n_bins: int) -> Floats:
    """Return at most `n_bins` - 1 cuts between distinct values, for intervals of about equal frequency.

    Parameters
    ----------
    values : array of float64
        Values of the column; NaN if missing.
    n_bins : int
        Maximum number of intervals; with fewer distinct values each has its own.

    Examples
    --------
    >>> quantile_cuts([0, 0, 0, 0, 0, 0, 1, 2, 3, 4], 3)
    array([0.5, 2.5])
    >>> quantile_cuts([3, 1, np.nan, 3], 10)
    array([2.])
    """
    return midpoints(*quantile_edges(values, n_bins))


def equal_width_cuts(values: ArrayLike, n_bins: int) -> Floats:
    """Return the `n_bins` - 1 cuts that divide the range of the finite values into equal widths.

    There are fewer cuts if float64 has no more numbers in the range, and none if all values are equal.

    Parameters
    ----------
    values : array of float64
        Values of the column; NaN if missing.
    n_bins : int
        Number of intervals.

    Examples
    --------
    >>> equal_width_cuts([0, 1, 2, 10], 4)
    array([2.5, 5. , 7.5])
    """
    _check(n_bins)
    known = _known(values)
    known = known[np.isfinite(known)]
    if len(known) == 0:
        return np.empty(0)
    low, high = known.min(), known.max()
    share = np.arange(1, n_bins) / n_bins
    cuts = np.unique(low * (1 - share) + high * share)
    return np.asarray(cuts[(cuts >= low) & (cuts < high)], np.float64)


def codes(values: ArrayLike, cuts: ArrayLike) -> NDArray[np.int32]:
    """Return the interval of each value: the number of cuts below it, or -1 if it is missing.

    A value equal to a cut is in the interval that ends there.

    Parameters
    ----------
    values : array of float64
        Values of the column; NaN if missing.
    cuts : array of float64
        Cuts in ascending order.

    Examples
    --------
    >>> codes([40, 54, 60, 90, np.nan], [54, 85])
    array([ 0,  0,  1,  2, -1], dtype=int32)
    """
    from induce.discretise import _loops

    cuts = np.asarray(cuts, np.float64)
    if np.isnan(cuts).any() or (cuts[1:] < cuts[:-1]).any():
        raise InputError("the cuts of a column are not in ascending order; sort them")
    padded = np.full(2 ** len(cuts).bit_length() - 1, np.inf)
    padded[: len(cuts)] = cuts
    column = _column(values)
    search = _loops.bytes_of if len(padded) == IN_A_BYTE else _loops.intervals_of
    intervals_of = repeated(search, len(column) * (1 + len(cuts).bit_length()))
    found: NDArray[np.int32] = intervals_of(column, padded)
    return found


def _column(values: ArrayLike) -> Floats:
    column = np.ascontiguousarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise InputError(f"the values have {column.ndim} dimensions; give one column")
    return column


def _known(values: ArrayLike) -> Floats:
    column = _column(values)
    missing = np.isnan(column)
    return column[~missing] if missing.any() else column


def _check(n_bins: Any) -> None:
    if not isinstance(n_bins, int | np.integer) or n_bins < 1:
        raise InputError(f"n_bins is {n_bins!r}; give a whole number of at least 1")
