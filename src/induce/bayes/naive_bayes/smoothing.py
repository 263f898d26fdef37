"""Probabilities from counts: the m-estimate, with Laplace's and Dirichlet's estimates as special cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from induce.core.errors import InputError
from induce.core.shapes import check_numbers
from induce.counts.additive import Floats


@dataclass(frozen=True)
class Smoothing:
    """Pseudo-counts of the values of a column (Mitchell, equation 6.22).

    Parameters
    ----------
    alpha : tuple of float
        Pseudo-count of each value of the domain, or one for all: a Dirichlet prior; 1 is Laplace's estimate.
    m : float or None
        Equivalent sample size of the m-estimate, distributed evenly over the values; it replaces `alpha`.

    Examples
    --------
    >>> Smoothing((1.0,)).pseudo(3, "Outlook").tolist(), Smoothing((1.0,), m=1.5).pseudo(3, "Outlook").tolist()
    ([1.0, 1.0, 1.0], [0.5, 0.5, 0.5])
    """

    alpha: tuple[float, ...] = (1.0,)
    m: float | None = None

    def check(self) -> None:
        """Raise an `InputError` unless all pseudo-counts are numbers of at least 0."""
        check_numbers("alpha", self.alpha, at_least=0)
        check_numbers("m", [] if self.m is None else [self.m], at_least=0)

    def pseudo(self, n_values: int, column: str, extra: int = 0) -> Floats:
        """Return the pseudo-count of each value; `extra` values beyond the domain get the mean pseudo-count."""
        if self.m is not None:
            return np.full(n_values + extra, self.m / max(1, n_values + extra))
        if len(self.alpha) not in (1, n_values):
            raise InputError(
                f"alpha gives column {column!r} {len(self.alpha)} pseudo-counts, but it has {n_values} "
                "values; give one per value, or one number for all"
            )
        alpha = np.full(n_values, self.alpha[0]) if len(self.alpha) == 1 else np.array(self.alpha)
        return np.append(alpha, np.full(extra, np.mean(self.alpha)))


def shares(counts: Floats, pseudo: Floats) -> Floats:
    """Return the probability of each value (row) in each class (column); uniform without counts.

    Examples
    --------
    >>> shares(np.array([[3.0, 0.0], [2.0, 0.0]]), np.zeros(2)).tolist()
    [[0.6, 0.5], [0.4, 0.5]]
    """
    smoothed = counts + pseudo[:, np.newaxis]
    total = smoothed.sum(axis=0)
    even = np.full_like(smoothed, 1.0 / max(1, len(smoothed)))
    return np.asarray(np.divide(smoothed, total, out=even, where=total > 0))


def weights_of_evidence(counts: Floats, pseudo: Floats) -> tuple[Floats, Floats]:
    """Return the weight of evidence of each value for each class, and its standard deviation.

    The weight is ln P(value | class) - ln P(value | another class). The deviation is the asymptotic one of
    the log ratio of two independent proportions.

    Examples
    --------
    >>> weight, deviation = weights_of_evidence(np.array([[3.0, 3.0], [2.0, 6.0]]), np.zeros(2))
    >>> weight.round(3).tolist()
    [[0.588, -0.588], [-0.511, 0.511]]
    """
    others = counts.sum(axis=1, keepdims=True) - counts
    here, there = counts + pseudo[:, np.newaxis], others + pseudo[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.log(shares(counts, pseudo)) - np.log(shares(others, pseudo))
        spread = 1 / here - 1 / here.sum(axis=0) + 1 / there - 1 / there.sum(axis=0)
    return np.where(np.isnan(weight), 0.0, weight), np.sqrt(np.maximum(spread, 0.0))
