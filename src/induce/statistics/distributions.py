"""Random variables: discrete ones, error counts, and the normal distribution (Mitchell, section 5.3).

They share the method names of scipy's distributions, so that either can be used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.statistics.constants import Student, tail
from induce.statistics.counts import whole
from induce.statistics.numbers import numbers

Floats = NDArray[np.float64]


class Distribution(Protocol):
    """A distribution to draw from: one of these classes or a frozen distribution of scipy."""

    def mean(self) -> Any:
        """Return the expected value."""

    def std(self) -> Any:
        """Return the standard deviation."""

    def rvs(self, *, size: Any, random_state: Any) -> Any:
        """Draw random values."""


def bias(estimator: Distribution, parameter: float) -> float:
    """Return the bias of an estimator: its expected value minus the estimated quantity (section 5.3.4).

    This is the bias of an estimate, a number; the inductive bias of a learner is a different concept.

    Parameters
    ----------
    estimator : Distribution
        Distribution of the estimator.
    parameter : float
        Quantity that is estimated.

    Examples
    --------
    The error rate of a sample is an unbiased estimate of the true error:

    >>> abs(round(bias(Binomial(40, 0.3).rate(), 0.3), 12))
    0.0
    """
    return float(estimator.mean()) - parameter


@dataclass(frozen=True)
class Finite:
    """A random variable with finitely many values.

    Parameters
    ----------
    values, probabilities : tuple of float
        Values and their probabilities, of equal length; the probabilities sum to 1.

    Examples
    --------
    >>> variable = Finite((1, 2), (0.7, 0.3))
    >>> round(variable.mean(), 4), round(variable.var(), 4), round(variable.std(), 4)
    (1.3, 0.21, 0.4583)
    """

    values: tuple[float, ...]
    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        values, probabilities = numbers(self.values), np.asarray(self.probabilities, dtype=np.float64)
        if probabilities.shape != values.shape:
            raise InputError(f"there are {values.size} values, but {probabilities.size} probabilities")
        if not (np.all(probabilities >= 0) and math.isclose(probabilities.sum(), 1.0, abs_tol=1e-9)):
            raise InputError("probabilities must be nonnegative and sum to 1")

    @classmethod
    def observed(cls, values: ArrayLike) -> Finite:
        """Return the empirical distribution of observed values."""
        found, counts = np.unique(numbers(values), return_counts=True)
        return cls(tuple(found.tolist()), tuple((counts / counts.sum()).tolist()))

    def mean(self) -> float:
        """Return the expected value (equation 5.3)."""
        return float(np.dot(self.values, self.probabilities))

    def var(self) -> float:
        """Return the variance (equation 5.5)."""
        return float(np.dot((np.asarray(self.values) - self.mean()) ** 2, self.probabilities))

    def std(self) -> float:
        """Return the standard deviation (equation 5.6)."""
        return math.sqrt(self.var())

    def rvs(self, *, size: Any = None, random_state: RandomState = None) -> Any:
        """Draw random values."""
        return generator(random_state).choice(self.values, size, p=self.probabilities)


@dataclass(frozen=True)
class Binomial:
    """The number of errors in n independent rows, each wrong with probability p (table 5.3).

    Parameters
    ----------
    n : int
        Number of rows.
    p : float
        Probability that a row is wrong.

    Examples
    --------
    >>> errors = Binomial(40, 0.3)
    >>> round(errors.mean(), 4), round(errors.var(), 4), round(errors.std(), 4)
    (12.0, 8.4, 2.8983)
    >>> round(float(errors.pmf(12)), 4), errors.nearly_normal
    (0.1366, True)
    """

    n: int
    p: float

    def __post_init__(self) -> None:
        whole("n", self.n, least=1)
        if not 0 <= self.p <= 1:
            raise InputError(f"p must lie between 0 and 1, not {self.p}")

    def pmf(self, errors: ArrayLike) -> Any:
        """Return the probability of exactly this many errors (equation 5.2)."""
        from scipy import stats

        return stats.binom.pmf(errors, self.n, self.p)

    def mean(self) -> float:
        """Return the expected number of errors (equation 5.4)."""
        return self.n * self.p

    def var(self) -> float:
        """Return the variance of the number of errors."""
        return self.n * self.p * (1 - self.p)

    def std(self) -> float:
        """Return the standard deviation of the number of errors (equation 5.7)."""
        return math.sqrt(self.var())

    def rvs(self, *, size: Any = None, random_state: RandomState = None) -> Any:
        """Draw numbers of errors."""
        return generator(random_state).binomial(self.n, self.p, size)

    @property
    def nearly_normal(self) -> bool:
        """Whether the normal distribution is close enough: n p (1 - p) ≥ 5."""
        return self.var() >= 5

    def normal(self) -> Normal:
        """Return the normal distribution of the same mean and standard deviation."""
        return Normal(self.mean(), self.std())

    def rate(self) -> Finite:
        """Return the distribution of the error rate, whose standard deviation is sqrt(p (1 - p) / n) (5.8)."""
        errors = np.arange(self.n + 1)
        return Finite(tuple((errors / self.n).tolist()), tuple(self.pmf(errors).tolist()))


@dataclass(frozen=True)
class Normal:
    """The normal distribution (table 5.4).

    Parameters
    ----------
    mu : float
        Mean.
    sigma : float
        Standard deviation.

    Examples
    --------
    >>> value = Normal(0.30, 0.07)
    >>> low, high = value.within(0.95, table=True)
    >>> round(low, 4), round(high, 4)
    (0.1628, 0.4372)
    >>> round(value.between(low, high), 3)
    0.95
    """

    mu: float = 0.0
    sigma: float = 1.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.mu) and 0 < self.sigma < math.inf):
            raise InputError(f"mu must be finite and sigma greater than 0, not {self.mu} and {self.sigma}")

    def mean(self) -> float:
        """Return the expected value."""
        return self.mu

    def var(self) -> float:
        """Return the variance."""
        return self.sigma**2

    def std(self) -> float:
        """Return the standard deviation."""
        return self.sigma

    def pdf(self, value: ArrayLike) -> Any:
        """Return the density at a value."""
        from scipy import stats

        return stats.norm.pdf(value, self.mu, self.sigma)

    def cdf(self, value: float) -> float:
        """Return the probability of a smaller value."""
        return Student().cdf((value - self.mu) / self.sigma)

    def ppf(self, share: float) -> float:
        """Return the quantile of a given probability."""
        return self.mu + self.sigma * Student().ppf(share)

    def between(self, low: float, high: float) -> float:
        """Return the probability of a value between two others."""
        return self.cdf(high) - self.cdf(low)

    def within(self, share: float, *, table: bool = False) -> tuple[float, float]:
        """Return the interval around the mean that contains a given fraction of the values (equation 5.10)."""
        reach = self.sigma * Student(table=table).ppf(1 - tail(share, "two"))
        return self.mu - reach, self.mu + reach

    def rvs(self, *, size: Any = None, random_state: RandomState = None) -> Any:
        """Draw random values."""
        return generator(random_state).normal(self.mu, self.sigma, size)
