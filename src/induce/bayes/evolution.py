"""Posterior and predictions after each observation, as data arrive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.bayes.hypothesis_set import Floats, HypothesisSet
from induce.bayes.posterior import Posterior
from induce.core.reports import text_table
from induce.hypotheses.naming import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Evolution:
    """The posterior before any observation and after each.

    Parameters
    ----------
    posteriors : tuple of Posterior
        Posteriors, one more than there are observations.
    observations : tuple
        Observations in order.

    Examples
    --------
    >>> coins = HypothesisSet({"fair": {"H": 0.5, "T": 0.5}, "two heads": {"H": 1}})
    >>> print(coins.evolve("HHT"))
    after       fair  two heads  MAP        next H
    nothing  0.50000    0.50000  fair       0.7500
    1 H      0.33333    0.66667  two heads  0.8333
    2 H      0.20000    0.80000  two heads  0.9000
    3 T      1.00000    0.00000  fair       0.5000
    """

    posteriors: tuple[Posterior, ...]
    observations: tuple[Any, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the hypotheses."""
        return self.posteriors[0].names

    @property
    def probabilities(self) -> Floats:
        """P(h | D) after each observation, one row each, the prior first."""
        return np.array([posterior.probabilities for posterior in self.posteriors])

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """Outcomes whose predictions can be drawn; empty if a prediction needs an instance."""
        hypotheses = self.posteriors[0].hypothesis_set
        return () if hypotheses.needs_instance else hypotheses.outcomes

    def predictions(self, outcome: Any, reader: str = "bayes") -> Floats:
        """Return the probability of an outcome after each observation, by "bayes", "map" or "ml"."""
        place = self.outcomes.index(outcome)
        return np.array([getattr(posterior.predict(), reader)[place] for posterior in self.posteriors])

    def draw(self, outcome: Any = None) -> Figure:
        """Return a figure of the posteriors as lines and, if it can be predicted, of an outcome (figure
        20.1).

        Parameters
        ----------
        outcome : optional
            Outcome to draw; None uses the last observed outcome.
        """
        from induce.bayes.pictures import draw_evolution

        return draw_evolution(self, outcome)

    def draw_bars(self, after: Sequence[int] = ()) -> Figure:
        """Return a figure of the posteriors as bars after the given numbers of observations (Mitchell figure
        6.1).
        """
        from induce.bayes.pictures import draw_bars

        return draw_bars(self, tuple(after) or tuple(range(len(self.posteriors))))

    def __str__(self) -> str:
        if len(self.names) > 8:
            last = self.posteriors[-1]
            left = int((last.probabilities > 0).sum())
            return f"{left} of {len(self.names)} hypotheses left after {plural(last.n, 'observation')}"
        shown = self.outcomes[:1]
        rows = [("after", *self.names, "MAP", *(f"next {outcome}" for outcome in shown))]
        for number, posterior in enumerate(self.posteriors):
            seen = f"{number} {self.observations[number - 1]}" if number else "nothing"
            predicted = [f"{posterior.predict()[outcome]:.4f}" for outcome in shown]
            chances = (f"{chance:.5f}" for chance in posterior.probabilities)
            rows.append((seen, *chances, posterior.map_hypothesis, *predicted))
        return text_table(rows, left=(0, len(self.names) + 1))


def evolution(hypotheses: HypothesisSet, observations: Iterable[Any]) -> Evolution:
    """Return the posteriors as observations arrive."""
    posteriors, seen = [hypotheses.posterior()], tuple(observations)
    for observation in seen:
        posteriors.append(posteriors[-1].update(observation))
    return Evolution(tuple(posteriors), seen)
