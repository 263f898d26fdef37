"""Comparison of several learners over data sets: mean ranks, Friedman's test and Nemenyi's critical difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import share
from induce.core.errors import InputError
from induce.statistics.verdict import p_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Ranking:
    """Ranks of learners over data sets, and their significant differences.

    Parameters
    ----------
    names : tuple of str
        Names of the learners.
    ranks : array of float64, shape (data sets, learners)
        Ranks on each data set, 1 for the best; ties share the mean of their ranks.
    chi_square : float
        Friedman's statistic, corrected for ties.
    f_statistic : float
        Iman-Davenport statistic, which is less conservative.
    p_value : float
        P-value of the F statistic: probability of differences at least as large if all learners were equally good.
    chi_square_p_value : float
        P-value of Friedman's statistic.

    Examples
    --------
    >>> errors = [[0.1, 0.2, 0.3], [0.2, 0.25, 0.3], [0.1, 0.15, 0.3], [0.05, 0.1, 0.2], [0.3, 0.2, 0.4]]
    >>> ranking = friedman(errors, ["tree", "rules", "net"], lower_is_better=True)
    >>> print(ranking)
    learners differ: p < 0.001 (Friedman, 5 data sets); mean ranks differ from 1.48 up (Nemenyi, 5%)
      1.20  tree
      1.80  rules
      3.00  net
    no significant difference: tree, rules
    no significant difference: rules, net
    """

    names: tuple[str, ...]
    ranks: NDArray[np.float64] = field(repr=False)
    chi_square: float
    f_statistic: float
    p_value: float
    chi_square_p_value: float

    @property
    def mean_ranks(self) -> NDArray[np.float64]:
        """Mean rank of each learner."""
        return np.asarray(self.ranks.mean(axis=0))

    @property
    def order(self) -> list[int]:
        """Learners from the best mean rank to the worst."""
        return [int(place) for place in np.argsort(self.mean_ranks, kind="stable")]

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Return the minimum difference of mean ranks for two learners to differ significantly (Nemenyi's test)."""
        from scipy.stats import studentized_range

        share("alpha", alpha)
        n, k = self.ranks.shape
        return float(studentized_range.ppf(1 - alpha, k, math.inf)) * math.sqrt(k * (k + 1) / (12 * n))

    def groups(self, alpha: float = 0.05) -> tuple[tuple[str, ...], ...]:
        """Return the maximal groups of learners whose mean ranks differ less than the critical difference."""
        return tuple(
            tuple(self.names[self.order[place]] for place in range(start, end))
            for start, end in self.stretches(alpha)
        )

    def stretches(self, alpha: float) -> list[tuple[int, int]]:
        """Return start and end of each group, as positions in the order."""
        reach, means = self.critical_difference(alpha), self.mean_ranks[self.order]
        ends = [int(np.count_nonzero(means - mean < reach)) for mean in means]
        return [
            (start, end)
            for start, end in enumerate(ends)
            if end - start > 1 and (start == 0 or ends[start - 1] < end)
        ]

    def __str__(self) -> str:
        verdict = "learners differ" if self.p_value <= 0.05 else "no evidence that the learners differ"
        lines = [
            f"{verdict}: {p_text(self.p_value)} (Friedman, {len(self.ranks)} data sets); "
            f"mean ranks differ from {self.critical_difference():.2f} up (Nemenyi, 5%)"
        ]
        lines += [f"  {self.mean_ranks[place]:.2f}  {self.names[place]}" for place in self.order]
        return "\n".join(
            [*lines, *(f"no significant difference: {', '.join(group)}" for group in self.groups())]
        )

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def draw(self, ax: Axes | None = None, alpha: float = 0.05) -> Figure:
        """Return the critical-difference diagram: mean ranks on a line, bars over groups without a significant
        difference."""
        from induce.statistics.critical_difference import draw_ranking

        return draw_ranking(self, ax, alpha)


def friedman(
    scores: ArrayLike, names: Sequence[str] | None = None, *, lower_is_better: bool = False
) -> Ranking:
    """Test whether learners differ over several data sets by their ranks (Friedman).

    Parameters
    ----------
    scores : array-like, shape (data sets, learners)
        Score of each learner on each data set.
    names : sequence of str, optional
        Names of the learners.
    lower_is_better : bool
        Whether the scores are errors.

    Returns
    -------
    Ranking

    Examples
    --------
    >>> ranking = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.75], [0.95, 0.9, 0.85], [0.7, 0.6, 0.5]])
    >>> ranking.mean_ranks
    array([1.  , 2.25, 2.75])
    >>> round(ranking.chi_square, 4), round(ranking.p_value, 4)
    (6.5, 0.0066)
    """
    from scipy import stats

    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 3:
        raise InputError(
            f"scores must have a row for each of 2 or more data sets and a column for each of 3 or more learners, "
            f"but its shape is {table.shape}; two learners are compared by `sign` or `wilcoxon`"
        )
    known = _names(names, table.shape[1])
    missing = np.argwhere(~np.isfinite(table))
    if missing.size:
        row, column = missing[0]
        raise InputError(
            f"scores has no number for {known[column]} on data set {row + 1}; leave that data set out"
        )
    n, k = table.shape
    ranks = stats.rankdata(table if lower_is_better else -table, axis=1)
    if np.ptp(ranks) == 0:
        return Ranking(known, ranks, 0.0, 0.0, 1.0, 1.0)
    chi_square, chi_square_p = (float(value) for value in stats.friedmanchisquare(*ranks.T))
    left = n * (k - 1) - chi_square
    # the same order on every data set leaves no variance: F is unbounded
    f_statistic = (n - 1) * chi_square / left if left > 1e-9 else math.inf
    p_value = float(stats.f.sf(f_statistic, k - 1, (k - 1) * (n - 1)))
    return Ranking(known, np.asarray(ranks), chi_square, f_statistic, p_value, chi_square_p)


def _names(names: Sequence[Any] | None, count: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"learner {place + 1}" for place in range(count))
    known = tuple(map(str, names))
    if len(known) != count:
        raise InputError(f"names has {len(known)} names, but scores has {count} columns")
    return known
