"""Number of classes: BIC, the Cheeseman-Stutz approximation, and visits of a sampler (AIMA 20.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from induce.core.checks import one_of
from induce.core.loops import sized
from induce.core.progress import report
from induce.core.shapes import check_same_length
from induce.core.ties import first_largest, largest_first
from induce.data.numeric_view import Floats
from induce.mixtures import _loops
from induce.mixtures.components import WITHIN, Components
from induce.mixtures.rows import Places, Rows

CRITERIA = ("bic", "cheeseman-stutz", "mcmc")
NAMES = {
    "bic": "BIC",
    "cheeseman-stutz": "Cheeseman and Stutz",
    "mcmc": "visits of the sampler",
    "silhouette": "mean silhouette",
}
SHOWN = 5


@dataclass(frozen=True)
class NumberChoice:
    """Result of choosing the number of clusters.

    Parameters
    ----------
    criterion : {"bic", "cheeseman-stutz", "mcmc", "silhouette"}
    numbers : tuple of int
        Numbers tried or visited.
    scores : tuple of float
        Score of each, or its fraction of the visits; the highest is best. For BIC, which is best when lowest,
        the score is -1/2 of it.

    Examples
    --------
    >>> print(NumberChoice("bic", (1, 2, 3), (-12.5, -10.25, -11.0)))
    2 clusters by BIC: 2 20.5, 3 22, 1 25
    """

    criterion: str
    numbers: tuple[int, ...]
    scores: tuple[float, ...]

    def check(self) -> None:
        """Raise an `InputError` unless each number has its score."""
        one_of("criterion", self.criterion, NAMES)
        check_same_length(self, ("numbers", "scores"))

    @property
    def chosen(self) -> int:
        """The number with the highest score; ties go to the smallest."""
        return self.numbers[first_largest(self.scores)]

    def __str__(self) -> str:
        order = largest_first(self.scores)[:SHOWN]
        write = "{:.1%}" if self.criterion == "mcmc" else "{:.6g}"
        sign = -2.0 if self.criterion == "bic" else 1.0
        told = ", ".join(
            f"{self.numbers[place]} {write.format(sign * self.scores[place])}" for place in order
        )
        noun = "cluster" if self.chosen == 1 else "clusters"
        return f"{self.chosen} {noun} by {NAMES[self.criterion]}: {told}"


@dataclass(frozen=True, eq=False)
class Conjugate:
    """Prior of a class whose columns are independent: Dirichlet for tables, normal-inverse-gamma for numeric
    columns.

    It counts as additional rows, with the overall value frequencies and a quarter of the variance of all
    rows; the means of classes vary as all rows do. Numbers are in standard deviations of all rows.
    """

    rows: float
    counts: Floats

    @classmethod
    def of(cls, rows: Rows, prior: float) -> Conjugate:
        """Return the prior with a weight in rows; with weight 1 if there is none."""
        weight = prior or 1.0
        return cls(weight, weight * rows.shares)

    @property
    def numbers(self) -> Floats:
        """Weight of the prior of a mean, in rows; shape and rate of the prior of a precision."""
        return np.array([WITHIN, 0.5 * self.rows, 0.5 * self.rows * WITHIN])

    def log_numbers(self, n: Floats, mean: Floats, squares: Floats) -> float:
        """Return the log marginal likelihood of numbers, given their count, their means, and squared
        deviations from these.
        """
        from scipy.special import gammaln

        kappa, shape, rate = self.numbers
        more = kappa + n
        last = rate + 0.5 * squares + 0.5 * kappa * n * np.square(mean) / more
        logs = gammaln(shape + n / 2) - gammaln(shape) + shape * math.log(rate)
        logs -= (shape + n / 2) * np.log(last) - 0.5 * np.log(kappa / more) + n / 2 * math.log(2 * math.pi)
        return float(logs.sum())

    def log_counts(self, counts: Floats, rows: Rows) -> float:
        """Return the log marginal likelihood of nominal values, each class separately."""
        from scipy.special import gammaln

        found = float((gammaln(self.counts + counts) - gammaln(self.counts)).sum())
        for place, size in zip(rows.places, rows.sizes, strict=True):
            seen = counts[:, place : place + size].sum(axis=1)
            found += float((gammaln(self.rows) - gammaln(self.rows + seen)).sum()) if size else 0.0
        return found

    def log_sizes(self, sizes: Floats) -> float:
        """Return the log probability of the assignment of rows to classes, under a uniform prior of the weights."""
        from scipy.special import gammaln

        k = len(sizes)
        return float(gammaln(k) - gammaln(k + sizes.sum()) + gammaln(1.0 + sizes).sum())


def cheeseman_stutz(components: Components, rows: Rows, prior: float) -> float:
    """Return an approximate log marginal likelihood ln P(X | k) (Cheeseman and Stutz, 1996).

    It is the marginal likelihood of the rows completed by their expected classes, times the likelihood ratio
    of the observed to the completed rows, at the estimated parameters.
    """
    expected = components.expect(rows)
    spread = np.sqrt(rows.variances)
    known = expected.known
    shift = np.where(known > 0, expected.sums / np.maximum(known, 1e-300), 0.0)
    squares = np.maximum(expected.squares - known * np.square(shift), 0.0)
    mean, conjugate = (components.means + shift) / spread, Conjugate.of(rows, prior)
    completed = conjugate.log_sizes(expected.totals) + conjugate.log_counts(expected.counts, rows)
    completed += conjugate.log_numbers(known, mean, squares / rows.variances)
    completed -= float((known * np.log(spread)).sum())
    variances = components.variances()
    gaps = squares + known * np.square(shift)
    at_best = float((expected.totals * np.log(components.shares)).sum())
    at_best += float((expected.counts * np.log(np.maximum(components.tables, 1e-300))).sum())
    at_best -= 0.5 * float((known * np.log(2 * math.pi * variances) + gaps / variances).sum())
    return expected.log_likelihood + completed - at_best


def log_prior_of_numbers(n: int, most: int) -> Floats:
    """Return, for each t, the log weight of t occupied classes over all numbers of classes up to `most`.

    All numbers of classes and all mixture weights are equally likely: Σ_k k! / (k - t)! Γ(k) / Γ(k + n).
    """
    from scipy.special import gammaln, logsumexp

    k = np.arange(1, most + 1)
    logs = [
        logsumexp((gammaln(k + 1.0) - gammaln(k - t + 1.0) + gammaln(k) - gammaln(k + n))[k >= t])
        for t in range(most + 1)
    ]
    return np.array(logs) - math.log(most)


def visits(
    rows: Rows, labels: Places, prior: float, most: int, n_sweeps: int, random: np.random.Generator
) -> Floats:
    """Return the number of visits of a Markov chain over row classes to each number of classes, from 1 to
    `most`.

    A sweep draws the class of every row given those of all others, with the parameters integrated out; a row
    may open a new class (a mixture of finite mixtures). The first quarter of the sweeps is burn-in.

    Parameters
    ----------
    rows : Rows
        Single rows: equal rows are repeated.
    labels : array of int64
        Initial classes, below `most`.
    prior, most, n_sweeps, random
    """
    from scipy.special import gammaln

    conjugate = Conjugate.of(rows, prior)
    n, d = rows.numeric.shape
    numeric = rows.numeric / np.sqrt(rows.variances)
    member = (labels == np.arange(most)[:, np.newaxis]).astype(np.float64)
    filled, there = np.nan_to_num(numeric), (~np.isnan(numeric)).astype(np.float64)
    counts, seen = np.zeros((most, sum(rows.sizes))), np.zeros((most, len(rows.sizes)))
    for q, (place, size, codes) in enumerate(zip(rows.places, rows.sizes, rows.nominal.T, strict=True)):
        for value in range(size):
            counts[:, place + value] = member @ (codes == value)
        seen[:, q] = member @ (codes >= 0)
    sizes, known = member.sum(axis=1), member @ there
    sums, squares = member @ filled, member @ np.square(filled)
    half = conjugate.numbers[1] + 0.5 * np.arange(n + 1)
    log_gammas = gammaln(half + 0.5) - gammaln(half)
    log_new = np.append(np.diff(log_prior_of_numbers(n, most)), -np.inf)
    chain = labels.astype(np.int64)
    found = np.zeros(most + 1)
    step = sized(_loops.sweep, float(n) * most * (d + len(rows.sizes) + 1) * n_sweeps)
    for number in range(n_sweeps):
        occupied = step(
            numeric,
            rows.nominal,
            rows.places,
            conjugate.counts,
            conjugate.rows,
            conjugate.numbers,
            log_gammas,
            log_new,
            random.random(n),
            chain,
            sizes,
            counts,
            seen,
            known,
            sums,
            squares,
        )
        found[occupied] += number >= n_sweeps // 4
        report((number + 1) / n_sweeps)
    return found[1:]
