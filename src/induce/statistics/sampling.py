"""Sampling distributions by simulation (Mitchell, sections 5.3.1 and 5.4.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.pictures.style import DARK, PALETTE, axes_for, tidy
from induce.statistics.constants import z
from induce.statistics.counts import whole
from induce.statistics.distributions import Binomial, Distribution, Normal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

_CELLS = 4_000_000  # number of values drawn at a time, so that memory stays small for any number of samples


@dataclass(frozen=True, eq=False)
class SampleErrors:
    """Observed frequencies of the number of errors in samples, compared with the binomial distribution.

    Parameters
    ----------
    binomial : Binomial
        Theoretical distribution, given by the sample size and the true error.
    counts : array of int, length n + 1
        Number of samples with 0, 1, … n errors.
    """

    binomial: Binomial
    counts: NDArray[np.int64] = field(repr=False)

    @property
    def shares(self) -> Floats:
        """Relative frequencies of samples with 0, 1, … n errors."""
        return np.asarray(self.counts / self.counts.sum())

    @property
    def expected(self) -> Floats:
        """Binomial probabilities, which the relative frequencies approach."""
        return np.asarray(self.binomial.pmf(np.arange(self.binomial.n + 1)))

    @property
    def distance(self) -> float:
        """Total variation distance: half the sum of the absolute differences, from 0 to 1."""
        return float(np.abs(self.shares - self.expected).sum() / 2)

    def __str__(self) -> str:
        rates = np.arange(self.binomial.n + 1) / self.binomial.n
        mean = float(rates @ self.shares)
        deviation = math.sqrt(float((rates - mean) ** 2 @ self.shares))
        return (
            f"{self.counts.sum():,} samples of {self.binomial.n} rows: error {mean:.4f} ± {deviation:.4f}, "
            f"by the binomial {self.binomial.p:.4f} ± {self.binomial.std() / self.binomial.n:.4f}; "
            f"the histograms are {self.distance:.4f} apart"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the histogram, with the binomial probabilities as dots."""
        figure, axes = axes_for(ax, 7, 3.8)
        seen = np.flatnonzero((self.counts > 0) | (self.expected > 1e-4))
        axes.bar(seen, self.shares[seen], width=0.85, color=PALETTE[4], label="samples")
        axes.plot(seen, self.expected[seen], "o", ms=4, color=DARK, label="binomial")
        axes.set_xlabel(f"errors in {self.binomial.n} rows")
        axes.set_ylabel("fraction of the samples")
        axes.legend(frameon=False)
        tidy(axes)
        return figure


def sample_errors(
    wrong: float | ArrayLike, n: int = 40, samples: int = 1000, random_state: RandomState = 0
) -> SampleErrors:
    """Draw repeated samples and count the errors of a hypothesis in each (Mitchell, section 5.3.1).

    Parameters
    ----------
    wrong : float or array-like of bool
        True error of the hypothesis; or, for each instance, whether the hypothesis misclassifies it, in which case
        the samples are drawn from these instances.
    n : int
        Size of each sample.
    samples : int
        Number of samples.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> print(sample_errors(0.3, n=40, samples=10_000))
    10,000 samples of 40 rows: error 0.3000 ± 0.0728, by the binomial 0.3000 ± 0.0725; the histograms are ... apart
    """
    instances = np.asarray(wrong, dtype=np.float64)
    if instances.size == 0 or not np.all((instances >= 0) & (instances <= 1)):
        raise InputError("wrong must be an error rate between 0 and 1, or one Boolean per instance")
    binomial = Binomial(n, float(instances.mean()))
    whole("samples", samples, least=1)
    random = generator(random_state)
    counts = np.zeros(n + 1, dtype=np.int64)
    for some in _batches(samples, n):
        drawn = random.random((some, n)) < (
            instances if instances.ndim == 0 else random.choice(instances.ravel(), (some, n))
        )
        counts += np.bincount(drawn.sum(axis=1), minlength=n + 1)
    return SampleErrors(binomial, counts)


@dataclass(frozen=True, eq=False)
class SampleMeans:
    """Sample means, compared with their limiting normal distribution.

    Parameters
    ----------
    means : array of float64
        Mean of each sample.
    n : int
        Number of values in each sample.
    normal : Normal
        Limiting distribution: its mean is that of a single value, and its standard deviation that of a single
        value divided by √n.
    """

    means: Floats = field(repr=False)
    n: int
    normal: Normal

    @property
    def standardised(self) -> Floats:
        """Standardised means, which approach the standard normal distribution."""
        return (self.means - self.normal.mu) / self.normal.sigma

    @property
    def distance(self) -> float:
        """Kolmogorov-Smirnov distance: the maximum difference of the two distribution functions."""
        from scipy import stats

        return float(stats.kstest(self.standardised, "norm").statistic)

    def coverage(self, confidence: float = 0.95) -> float:
        """Return the fraction of intervals mean ± z standard deviations that cover the expected value."""
        return float(np.mean(np.abs(self.standardised) <= z(confidence)))

    def __str__(self) -> str:
        return (
            f"{self.means.size:,} means of {self.n} values: {self.means.mean():.4g} ± "
            f"{self.means.std():.4g}, by the theorem {self.normal.mu:.4g} ± {self.normal.sigma:.4g}; "
            f"{100 * self.coverage():.1f}% of the 95% intervals cover the mean"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the histogram of the means, with the normal density as a line."""
        figure, axes = axes_for(ax, 7, 3.8)
        axes.hist(self.means, bins=self._bins(), density=True, color=PALETTE[4], label="means of samples")
        line = np.linspace(*self.normal.within(0.9999), 400)
        axes.plot(line, self.normal.pdf(line), color=DARK, lw=1.4, label="normal")
        axes.set_xlabel(f"mean of {self.n} values")
        axes.set_ylabel("density")
        axes.legend(frameon=False)
        tidy(axes)
        return figure

    def _bins(self) -> list[float] | int:
        """Return one bin per value if the means lie on a grid, as the means of integers do."""
        values = np.unique(np.round(self.standardised, 9)) * self.normal.sigma + self.normal.mu
        if not 2 <= values.size <= 200:
            return 50
        between = (values[1:] + values[:-1]) / 2
        ends = 2 * values[0] - between[0], 2 * values[-1] - between[-1]
        return [float(ends[0]), *between.tolist(), float(ends[1])]


def central_limit(
    base: Distribution, n: int = 30, samples: int = 10_000, random_state: RandomState = 0
) -> SampleMeans:
    """Draw sample means of any distribution, which approach a normal distribution (Mitchell, theorem 5.1).

    Parameters
    ----------
    base : distribution
        Distribution of single values: one of `induce.statistics`, or any frozen distribution of scipy with a finite
        standard deviation.
    n : int
        Number of values in each sample.
    samples : int
        Number of samples.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> from scipy import stats
    >>> print(central_limit(stats.expon(), n=30))
    10,000 means of 30 values: 1 ± 0.1855, by the theorem 1 ± 0.1826; 94.7% of the 95% intervals cover the mean
    """
    whole("n", n, least=1)
    whole("samples", samples, least=1)
    mean, deviation = float(base.mean()), float(base.std())
    if not (math.isfinite(mean) and 0 < deviation < math.inf):
        raise InputError(
            f"base must have a finite mean and a standard deviation greater than 0, not {mean} and {deviation}"
        )
    random = generator(random_state)
    means = [
        np.asarray(base.rvs(size=(some, n), random_state=random)).mean(axis=1)
        for some in _batches(samples, n)
    ]
    return SampleMeans(np.concatenate(means), n, Normal(mean, deviation / math.sqrt(n)))


def _batches(samples: int, n: int) -> list[int]:
    """Return batch sizes with the given sum, each small enough to be drawn at once."""
    most = max(1, _CELLS // n)
    return [min(most, samples - start) for start in range(0, samples, most)]
