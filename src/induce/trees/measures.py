"""Textbook measures of a split, as formulas on contingency tables.

A table has one row per branch of the test and one column per class; its cells are weights of examples, which
may be fractional. An empty branch is ignored. Tables of the same shape can be stacked: the last two axes are
branches and classes, and the result is an array over the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.data.names import unknown

Floats = NDArray[np.float64]
Number = float | Floats
"""A float for one table, an array for a stack of tables."""


def entropy(class_counts: ArrayLike) -> Number:
    """Return the entropy: the expected bits to encode a class (Mitchell Eq. 3.3; AIMA 18.3.4).

    H = -sum_c p_c log2 p_c, which is 0 if there are no examples.

    Parameters
    ----------
    class_counts : array-like, shape (..., classes)
        Number of examples of each class.

    Examples
    --------
    >>> round(entropy([9, 5]), 4)
    0.9403
    """
    return _number(_entropy(_weights(class_counts, "class_counts", axes=1)))


def gain(table: Any, attribute: str | None = None) -> Number:
    """Return the information gain: the decrease of entropy by a test (Mitchell Eq. 3.4; AIMA 18.3.4).

    Gain(S, A) = H(S) - sum_v |S_v| / |S| H(S_v).

    Parameters
    ----------
    table : array, branches x classes, or Dataset
        Table of class counts per branch; or a Dataset, the examples S.
    attribute : str, optional
        Attribute A of the examples, with one branch per value.

    Examples
    --------
    >>> outlook = [[2, 3], [4, 0], [3, 2]]
    >>> round(gain(outlook), 4)
    0.2467
    >>> import induce
    >>> round(gain(induce.dataset("play-tennis"), "Outlook"), 4)
    0.2467
    """
    counts = table if attribute is None else _counted(table, attribute)
    return _number(_decrease(_table(counts), _entropy))


def _counted(examples: Any, attribute: str) -> Floats:
    """Count the classes of examples per value of an attribute; missing values are dropped."""
    target = getattr(examples, "target", None)
    if target is None:
        raise InputError(
            "the gain of an attribute needs examples with a target; give a Dataset, as returned by read"
        )
    frame = examples.frame
    if attribute not in frame.columns:
        raise unknown("column", attribute, frame.columns)
    known = frame.select(attribute, target).drop_nulls()
    values, branch = np.unique(known[attribute].cast(str).to_numpy(), return_inverse=True)
    classes, label = np.unique(known[target].cast(str).to_numpy(), return_inverse=True)
    cells = np.bincount(branch * len(classes) + label, minlength=len(values) * len(classes))
    return cells.reshape(len(values), len(classes)).astype(np.float64)


def _gain_of(gain_or_table: ArrayLike) -> Floats:
    """Return gains unchanged, or the gain of a table of branches and classes."""
    given = np.asarray(gain_or_table, np.float64)
    return given if given.ndim < 2 else np.asarray(gain(given), np.float64)


def split_information(table: ArrayLike) -> Number:
    """Return the split information: the entropy of the branches, ignoring the classes (Mitchell Eq. 3.5).

    It is log2 n for a test that separates n examples, and 1 for an even binary split.

    Examples
    --------
    >>> split_information([[3, 4], [6, 1]])
    1.0
    """
    return _number(_entropy(_table(table).sum(axis=-1)))


def gain_ratio(table: ArrayLike) -> Number:
    """Return the gain divided by the split information (Mitchell Eq. 3.6; AIMA exercise 18.10).

    It is 0 if all examples take the same branch.

    Examples
    --------
    >>> round(gain_ratio([[2, 3], [4, 0], [3, 2]]), 4)
    0.1564
    """
    counts = _table(table)
    return _number(_ratio(_decrease(counts, _entropy), _entropy(counts.sum(axis=-1))))


def mantaras_distance(table: ArrayLike) -> Number:
    """Return the distance between the branches and the classes (Lopez de Mantaras 1991; Mitchell §3.7.3).

    d_N = (H(C|A) + H(A|C)) / H(A,C) = 1 - Gain / H(A,C), between 0 and 1; smaller is better. It is 0 if one
    branch and one class hold all examples.

    Examples
    --------
    >>> round(mantaras_distance([[2, 3], [4, 0], [3, 2]]), 4)
    0.8913
    """
    return _number(1.0 - _closeness(_table(table)))


def gini_decrease(table: ArrayLike) -> Number:
    """Return the decrease of the Gini index 1 - sum_c p_c^2 by a test (Breiman and others 1984; §3.7.3).

    Examples
    --------
    >>> round(gini_decrease([[2, 3], [4, 0], [3, 2]]), 4)
    0.1163
    """
    return _number(_decrease(_table(table), _gini))


def kearns_mansour_decrease(table: ArrayLike) -> Number:
    """Return the decrease of sum_c sqrt(p_c (1 - p_c)) by a test (Kearns and Mansour 1996; §3.7.3).

    With two classes, this impurity is 2 sqrt(p q).

    Examples
    --------
    >>> round(kearns_mansour_decrease([[2, 3], [4, 0], [3, 2]]), 4)
    0.2585
    """
    return _number(_decrease(_table(table), _root))


def chi_square(table: ArrayLike) -> Number:
    """Return the deviation of a table from an irrelevant test (Quinlan 1986; AIMA 18.3.5).

    Delta = sum of (observed - expected)^2 / expected, where the expected class proportions in each branch are
    those of the whole table.

    Examples
    --------
    >>> round(chi_square([[2, 3], [4, 0], [3, 2]]), 4)
    3.5467
    """
    counts = _table(table)
    rows, columns = counts.sum(axis=-1, keepdims=True), counts.sum(axis=-2, keepdims=True)
    expected = _ratio(rows * columns, rows.sum(axis=-2, keepdims=True))
    return _number(_ratio((counts - expected) ** 2, expected).sum(axis=(-2, -1)))


def g_statistic(table: ArrayLike) -> Number:
    """Return the likelihood-ratio statistic G = 2 ln 2 n Gain (Mingers 1989).

    Examples
    --------
    >>> round(g_statistic([[3, 4], [6, 1]]), 4)
    2.9468
    """
    counts = _table(table)
    n = counts.sum(axis=(-2, -1))
    return _number(2.0 * math.log(2.0) * n * _decrease(counts, _entropy))


def twoing(table: ArrayLike) -> Number:
    """Return CART's twoing value of a test with two branches (Breiman and others 1984).

    The value is p_L p_R / 4 (sum_c |p(c|L) - p(c|R)|)^2, which is 0 if a branch is empty.

    Examples
    --------
    >>> round(twoing([[3, 4], [6, 1]]), 4)
    0.0459
    """
    counts = _table(table)
    if counts.shape[-2] != 2:
        raise InputError(
            f"twoing compares two branches, but the table has {counts.shape[-2]}; give a table of two rows"
        )
    sizes = counts.sum(axis=-1)
    share = _ratio(sizes, sizes.sum(axis=-1, keepdims=True))
    classes = _ratio(counts, sizes[..., None])
    apart = np.abs(classes[..., 0, :] - classes[..., 1, :]).sum(axis=-1)
    return _number(share[..., 0] * share[..., 1] / 4.0 * apart**2)


class ChiSquareTest(NamedTuple):
    """The chi-square statistic, its degrees of freedom, and its p-value."""

    statistic: Number
    dof: Number
    p_value: Number


def chi_square_test(table: ArrayLike, n_values: int | None = None) -> ChiSquareTest:
    """Test whether classes and branches are dependent (Quinlan 1986; AIMA 18.3.5).

    Parameters
    ----------
    table : array, branches x classes
        Table of class counts per branch.
    n_values : int, optional
        Number of values of the tested attribute; None counts the branches that hold examples. The degrees of
        freedom are (values - 1)(classes present - 1). AIMA prints another formula, but its example (four
        values, three degrees of freedom) agrees with this one.

    Returns
    -------
    ChiSquareTest
        The p-value is 1 if there are no degrees of freedom.

    Examples
    --------
    >>> test = chi_square_test([[0, 2], [4, 0], [2, 4]])
    >>> round(test.statistic, 4), test.dof, round(test.p_value, 4)
    (6.6667, 2.0, 0.0357)
    """
    from scipy.special import chdtrc

    counts = _table(table)
    present = (counts.sum(axis=-1) > 0).sum(axis=-1)
    if n_values is not None and np.any(present > n_values):
        raise InputError(
            f"n_values is {n_values}, but {present.max()} branches hold examples; give at least that number"
        )
    values = present if n_values is None else np.full_like(present, n_values)
    classes = (counts.sum(axis=-2) > 0).sum(axis=-1)
    dof = (np.maximum(values - 1, 0) * np.maximum(classes - 1, 0)).astype(np.float64)
    statistic = np.asarray(chi_square(counts))
    p_value = np.where(dof > 0, chdtrc(np.maximum(dof, 1.0), statistic), 1.0)
    return ChiSquareTest(_number(statistic), _number(dof), _number(p_value))


def gain_per_cost(gain: ArrayLike, cost: ArrayLike) -> Number:
    """Return the gain of a test per unit of its cost (Mitchell §3.7.5).

    Parameters
    ----------
    gain : float, array or table
        Gains, or a table of branches and classes as for `gain`.
    cost : float or array
        Costs of the tests; above 0.

    Examples
    --------
    >>> round(gain_per_cost([[3, 4], [6, 1]], cost=2), 4)
    0.0759
    """
    return _number(_gain_of(gain) / _costs(cost))


def tan_schlimmer(gain: ArrayLike, cost: ArrayLike) -> Number:
    """Return Gain^2 / Cost (Tan and Schlimmer 1990; Mitchell §3.7.5).

    Parameters
    ----------
    gain : float, array or table
        Gains, or a table of branches and classes as for `gain`.
    cost : float or array
        Costs of the tests.

    Examples
    --------
    >>> round(tan_schlimmer([[3, 4], [6, 1]], cost=2), 4)
    0.0115
    """
    return _number(_gain_of(gain) ** 2 / _costs(cost))


def nunez(gain: ArrayLike, cost: ArrayLike, w: float) -> Number:
    """Return (2^Gain - 1) / (Cost + 1)^w (Nunez 1988; Mitchell §3.7.5).

    Parameters
    ----------
    gain : float, array or table
        Gains, or a table of branches and classes as for `gain`.
    cost : float or array
        Costs of the tests; unlike in the other cost-sensitive measures, a cost may be 0.
    w : float
        Weight of the costs, from 0 (ignored) to 1.

    Examples
    --------
    >>> round(nunez([[3, 4], [6, 1]], cost=2, w=0.5), 4)
    0.0641
    """
    if not 0 <= w <= 1:
        raise InputError(f"w is {w}; give a weight from 0 to 1")
    costs = np.asarray(cost, np.float64)
    if not (costs >= 0).all():
        raise InputError(f"cost is {cost!r}; give costs of at least 0")
    return _number((2.0 ** _gain_of(gain) - 1.0) / (costs + 1.0) ** w)


def _mantaras_closeness(table: ArrayLike) -> Number:
    return _number(_closeness(_table(table)))


MEASURES: Mapping[str, Callable[[ArrayLike], Number]] = MappingProxyType(
    {
        "gain": gain,
        "gain_ratio": gain_ratio,
        "gini": gini_decrease,
        "kearns_mansour": kearns_mansour_decrease,
        "mantaras": _mantaras_closeness,
        "chi_square": chi_square,
        "g_statistic": g_statistic,
        "twoing": twoing,
    }
)
"""Measures by name, where more is always better: López de Mántaras' distance is subtracted from 1."""


def _entropy(counts: Floats) -> Floats:
    share = _shares(counts)
    return np.asarray(-(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=-1) + 0.0)


def _gini(counts: Floats) -> Floats:
    share = _shares(counts)
    return np.asarray((share * (1.0 - share)).sum(axis=-1))


def _root(counts: Floats) -> Floats:
    share = _shares(counts)
    return np.asarray(np.sqrt(share * (1.0 - share)).sum(axis=-1))


def _decrease(counts: Floats, impurity: Callable[[Floats], Floats]) -> Floats:
    """Return the decrease of impurity by the branches; clipped at 0 against rounding errors."""
    sizes = counts.sum(axis=-1)
    weight = _ratio(sizes, sizes.sum(axis=-1, keepdims=True))
    within = (weight * impurity(counts)).sum(axis=-1)
    return np.asarray(np.maximum(impurity(counts.sum(axis=-2)) - within, 0.0))


def _closeness(counts: Floats) -> Floats:
    """Return Gain / H(A,C); 1 if a single cell holds everything, so that branches and classes coincide."""
    joint = _entropy(counts.reshape(*counts.shape[:-2], -1))
    return np.where(joint > 0, _ratio(_decrease(counts, _entropy), joint), 1.0)


def _shares(counts: Floats) -> Floats:
    return _ratio(counts, counts.sum(axis=-1, keepdims=True))


def _ratio(above: Floats, below: Floats) -> Floats:
    """Return the ratio of two numbers; 0 if the denominator is 0."""
    return np.asarray(np.where(below > 0, above / np.where(below > 0, below, 1.0), 0.0))


def _number(values: Floats) -> Number:
    return float(values) if values.ndim == 0 else values


def _table(table: ArrayLike) -> Floats:
    return _weights(table, "table", axes=2)


def _weights(values: ArrayLike, name: str, axes: int) -> Floats:
    try:
        counts = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is not an array of numbers; give a count for each class") from None
    if counts.ndim < axes or 0 in counts.shape[-axes:]:
        shape = "branches x classes" if axes == 2 else "classes"
        raise InputError(f"{name} has the shape {counts.shape}; give {shape}, at least one of each")
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise InputError(
            f"{name} contains negative, infinite or NaN counts; give finite weights of at least 0"
        )
    return counts


def _costs(cost: ArrayLike) -> Floats:
    costs = np.asarray(cost, np.float64)
    if not (costs > 0).all():
        raise InputError(f"cost is {cost!r}; give costs above 0")
    return costs
