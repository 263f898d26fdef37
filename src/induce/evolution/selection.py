"""Selection of parents by fitness (Mitchell §9.2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, one_of, probability
from induce.core.errors import InputError
from induce.core.parameter_kinds import Instance, OneOf
from induce.core.parameters import either
from induce.core.ties import levelled

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class Selection:
    """A selection scheme; failed evaluations have fitness -infinity."""

    def probabilities(self, scores: Floats) -> Floats:
        """Return the selection probability of each individual."""
        raise TypeError(f"{type(self).__name__} has no probabilities")

    def draw(self, scores: Floats, n: int, rng: np.random.Generator) -> Places:
        """Return the indices of `n` individuals, drawn with replacement."""
        cumulated = np.cumsum(self.probabilities(scores))
        found: Places = np.searchsorted(cumulated, rng.random(n) * cumulated[-1], side="right")
        return np.minimum(found, len(scores) - 1)


@dataclass(frozen=True)
class Roulette(Selection):
    """Fitness-proportional selection (Eq. 9.1); uniform if all fitness is zero.

    Examples
    --------
    >>> Roulette().probabilities(np.array([5.0, 3, 2])).tolist()
    [0.5, 0.3, 0.2]
    """

    def probabilities(self, scores: Floats) -> Floats:
        weights = np.where(np.isfinite(scores), scores, 0.0)
        if weights.min() < 0:
            raise InputError(
                f"the lowest fitness is {weights.min():g}, but roulette selection needs at least 0; use "
                "selection='tournament' or 'rank', or shift the fitness"
            )
        total = weights.sum()
        if total <= 0:
            return np.full(len(scores), 1.0 / len(scores))
        found: Floats = weights / total
        return found


@dataclass(frozen=True)
class Rank(Selection):
    """Selection in proportion to rank, 1 for the worst; ties get the mean rank.

    Examples
    --------
    >>> (6 * Rank().probabilities(np.array([5.0, 3, 2]))).tolist()
    [3.0, 2.0, 1.0]
    """

    def probabilities(self, scores: Floats) -> Floats:
        from scipy.stats import rankdata

        ranks = rankdata(scores)
        found: Floats = ranks / ranks.sum()
        return found


@dataclass(frozen=True)
class Tournament(Selection):
    """Tournament selection: the fittest of some random contestants wins with probability `p`, else the next best.

    Parameters
    ----------
    p : float
        Probability that the fitter contestant wins.
    size : int
        Number of contestants.
    replace : bool
        Whether an individual can be drawn twice.

    Examples
    --------
    >>> Tournament(0.75).probabilities(np.array([5.0, 3, 2])).round(4).tolist()
    [0.5, 0.3333, 0.1667]
    """

    p: float = 1.0
    size: int = 2
    replace: bool = False

    def probabilities(self, scores: Floats) -> Floats:
        from scipy.special import comb

        n, size = len(scores), self._size(len(scores))
        wins = _wins(self.p, size)
        found = np.zeros(n)
        scores = levelled(scores)
        order = np.argsort(-scores, kind="stable")
        for place in range(size):  # the contestant ranked `place` in the tournament
            if self.replace:
                above = np.arange(n + 1) / n  # probability that a draw is among the first k ranks
                share = _order_statistic(above, place, size)
            else:
                i = np.arange(n)
                share = comb(i, place) * comb(n - 1 - i, size - 1 - place) / comb(n, size)
            found[order] += wins[place] * share
        for value in np.unique(scores):  # tied individuals are equally likely to be ranked first
            same = scores == value
            found[same] = found[same].mean()
        return found

    def draw(self, scores: Floats, n: int, rng: np.random.Generator) -> Places:
        # fitness equal up to rounding, such as tours summed in another order, ties: the individual drawn
        # first wins
        scores = levelled(scores)
        size = self._size(len(scores))
        drawn = _contestants(len(scores), size, n, self.replace, rng)
        if self.p >= 1.0 and size == 2:  # by far the most common case, without sorting
            first, second = drawn[:, 0], drawn[:, 1]
            return np.where(scores[first] >= scores[second], first, second)
        ranked = np.take_along_axis(drawn, np.argsort(-scores[drawn], axis=1, kind="stable"), axis=1)
        if self.p >= 1.0:
            return np.ascontiguousarray(ranked[:, 0])
        winner = np.searchsorted(np.cumsum(_wins(self.p, size))[:-1], rng.random(n), side="right")
        found: Places = ranked[np.arange(n), winner]
        return found

    def _size(self, n: int) -> int:
        at_least("size of the tournament", self.size, 1, whole=True)
        probability("p of the tournament", self.p)
        return self.size if self.replace else min(self.size, n)


def _wins(p: float, size: int) -> Floats:
    """Return the winning probability of the best, second best and so on in a tournament."""
    found: Floats = p * (1.0 - p) ** np.arange(size, dtype=np.float64)
    found[-1] = 1.0 - found[:-1].sum()
    return found


def _order_statistic(above: Floats, place: int, size: int) -> Floats:
    """Return the probability that each rank is the place-th best among draws with replacement."""
    from scipy.stats import binom

    # the place-th best is within the first k ranks when more than `place` draws are
    within = binom.sf(place, size, above)
    found: Floats = np.diff(within)
    return found


def _contestants(n: int, size: int, times: int, replace: bool, rng: np.random.Generator) -> Places:
    left = n if replace else np.arange(n, n - size, -1)
    drawn: Places = (rng.random((times, size)) * left).astype(np.int64)
    if replace:
        return drawn
    if size == 2:
        drawn[:, 1] += drawn[:, 1] >= drawn[:, 0]
        return drawn
    for k in range(1, size):  # convert an index among the remaining individuals to one among all
        before = np.sort(drawn[:, :k], axis=1)
        for j in range(k):
            drawn[:, k] += drawn[:, k] >= before[:, j]
    return drawn


SELECTIONS = {"roulette": Roulette, "tournament": Tournament, "rank": Rank}


SELECTION = either(
    "Selection of parents, by name or as a value.",
    OneOf(tuple(SELECTIONS)),
    Instance("Selection", "a Selection"),
)
"""Declaration of the parameter of learners with selection."""


def as_selection(given: Any) -> Selection:
    """Return the selection scheme for a parameter given by name or as a value.

    Examples
    --------
    >>> as_selection("rank")
    Rank()
    """
    if isinstance(given, Selection):
        return given
    one_of("selection", given, SELECTIONS)
    found: Selection = SELECTIONS[given]()
    return found
