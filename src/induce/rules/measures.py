"""PERFORMANCE of a rule, from the class counts of the rows it covers (Mitchell §10.3)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import at_least
from induce.hypotheses import rule_statistics
from induce.rules import _loops

MEASURES = {
    "laplace": _loops.LAPLACE,
    "m-estimate": _loops.M_ESTIMATE,
    "relative-frequency": _loops.FREQUENCY,
    "entropy": _loops.ENTROPY,
    "foil-gain": _loops.FOIL_GAIN,
}


def relative_frequency(correct: float, covered: float) -> float:
    """Return the fraction of covered rows that have the predicted class; NaN if no row is covered.

    Examples
    --------
    >>> relative_frequency(6, 7).__round__(4)
    0.8571
    """
    return correct / covered if covered else math.nan


def laplace(correct: float, covered: float, n_classes: int) -> float:
    """Return Laplace's estimate (correct + 1) / (covered + classes).

    Examples
    --------
    >>> laplace(4, 4, 2).__round__(4)
    0.8333
    """
    return (correct + 1) / (covered + n_classes)


def m_estimate(correct: float, covered: float, prior: float, m: float) -> float:
    """Return the m-estimate (correct + m prior) / (covered + m), where the prior counts as m examples.

    Examples
    --------
    >>> [round(m_estimate(4, 5, 0.12, m), 6) for m in (0, 2, 10, 100)]
    [0.8, 0.605714, 0.346667, 0.152381]
    """
    at_least("m", m, 0)
    return (correct + m * prior) / (covered + m) if covered + m else math.nan


def negative_entropy(counts: ArrayLike) -> float:
    """Return the negative entropy, the sum of p log2 p over the classes; 0 for rows of a single class.

    Examples
    --------
    >>> round(negative_entropy([6, 1]), 4)
    -0.5917
    """
    weights = np.asarray(counts, np.float64)
    shares = weights[weights > 0] / weights.sum()
    return float((shares * np.log2(shares)).sum())


def foil_gain(before: tuple[float, float], after: tuple[float, float]) -> float:
    """Return FOIL's gain of a test: positives kept times bits saved per positive (Eq. 10.1).

    Parameters
    ----------
    before, after : (positive, negative)
        The rows covered without and with the test.

    Examples
    --------
    >>> round(foil_gain((9, 5), (6, 1)), 4)
    2.4902
    """
    if not after[0]:
        return 0.0
    return after[0] * (math.log2(after[0] / sum(after)) - math.log2(before[0] / sum(before)))


def likelihood_ratio(counts: ArrayLike, shares: ArrayLike) -> tuple[float, float]:
    """Return CN2's statistic 2 sum f ln(f / e), and its p-value by the chi-square distribution.

    Parameters
    ----------
    counts : array
        Number of rows of each class that a rule covers.
    shares : array
        Class frequencies expected for a random rule.

    Examples
    --------
    >>> statistic, p = likelihood_ratio([6, 1], [9 / 14, 5 / 14])
    >>> round(statistic, 6), round(p, 4)
    (1.619603, 0.2031)
    """
    from scipy.stats import chi2

    found = np.asarray(counts, np.float64)
    statistic = float(rule_statistics.likelihood_ratio(found[None], np.asarray(shares, np.float64))[0])
    return statistic, float(chi2.sf(statistic, max(len(found) - 1, 1)))


def performance(
    counts: NDArray[np.float64],
    task: _loops.Task,
    prior: NDArray[np.float64],
    open_classes: NDArray[np.uint8] | None = None,
) -> tuple[int, float]:
    """Return the class that a rule with these counts predicts (-1 if none is allowed), and its PERFORMANCE."""
    if open_classes is None:
        open_classes = np.ones(len(counts), np.uint8)
    head = _loops.leading(counts, task, open_classes)
    if head < 0:
        return head, -math.inf
    terms = 0.0
    for count in counts:
        terms += _loops.term(count)
    total = _loops.total_of(counts)
    return head, float(_loops.judged(task, counts[head], total, terms, prior[head], len(counts)))
