"""Predictions by all hypotheses together: Bayes-optimal, MAP, ML and Gibbs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.core.reports import text_table
from induce.core.ties import first_largest
from induce.core.values import plain

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Prediction:
    """Probabilities of outcomes by all hypotheses, by the MAP and by the ML hypothesis.

    Parameters
    ----------
    outcomes : tuple
        Possible outcomes.
    bayes : array
        P(outcome | D), averaged over all hypotheses by their posterior probability (Mitchell 6.18; AIMA
        20.2).
    map, ml : array
        P(outcome | h) of the MAP and of the ML hypothesis.
    votes : array
        Posterior probability of the hypotheses for which each outcome is the most likely one.

    Examples
    --------
    >>> print(Prediction(("+", "-"), np.array([0.4, 0.6]), np.array([1, 0]), np.array([1, 0]), np.array([0.4, 0.6])))
       Bayes optimal     MAP      ML
    +        0.40000  1.0000  1.0000
    -        0.60000  0.0000  0.0000
    """

    outcomes: tuple[Any, ...]
    bayes: Floats
    map: Floats
    ml: Floats
    votes: Floats

    def __getitem__(self, outcome: Any) -> float:
        if outcome not in self.outcomes:
            raise InputError(
                f"{outcome!r} is not an outcome; give one of {', '.join(map(repr, self.outcomes))}"
            )
        return float(self.bayes[self.outcomes.index(outcome)])

    @property
    def answer(self) -> Any:
        """Bayes-optimal prediction: the most probable outcome; ties go to the first."""
        return self.outcomes[first_largest(self.bayes)]

    @property
    def map_answer(self) -> Any:
        """Prediction of the MAP hypothesis."""
        return self.outcomes[first_largest(self.map)]

    @property
    def ml_answer(self) -> Any:
        """Prediction of the ML hypothesis."""
        return self.outcomes[first_largest(self.ml)]

    def gibbs(self, random_state: RandomState = None) -> Any:
        """Return the prediction of a hypothesis sampled from the posterior (Mitchell 6.8)."""
        shares = self.votes / self.votes.sum()
        return plain(self.outcomes[int(generator(random_state).choice(len(self.outcomes), p=shares))])

    @property
    def bayes_error(self) -> float:
        """Probability that the Bayes-optimal prediction is wrong, the minimum over all predictions."""
        return float(1 - self.bayes.max())

    @property
    def gibbs_error(self) -> float:
        """Probability that the prediction of a sampled hypothesis is wrong: at most twice the `bayes_error`.

        The bound holds for noise-free hypotheses; with two outcomes it compares 2p(1 - p) with min(p, 1 - p).
        """
        return float(self.votes @ (1 - self.bayes))

    def __str__(self) -> str:
        rows = [("", "Bayes optimal", "MAP", "ML")]
        for k, outcome in enumerate(self.outcomes):
            rows.append((str(outcome), f"{self.bayes[k]:.5f}", f"{self.map[k]:.4f}", f"{self.ml[k]:.4f}"))
        return text_table(rows)
