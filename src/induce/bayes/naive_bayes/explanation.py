"""Explanation of a naive Bayes prediction: weights of evidence that add up to the log odds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.explained import Explained
from induce.core.ties import first_largest, ranked
from induce.core.values import Value
from induce.counts.additive import Floats
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel

MOST_LINES = 20


@dataclass(frozen=True)
class WeightOfEvidence(Explained):
    """A prediction with the evidence for and against it.

    Parameters
    ----------
    prediction : str, int, float or bool
    probability : float
        Probability of the predicted class.
    against : str, int, float, bool or None
        The next most probable class; None if there is no other.
    prior : float
        Log odds of the two classes without any evidence.
    terms : tuple of (str, float)
        Values of the row with their weights of evidence: the log ratio of their probabilities in the
        predicted class and in the other. The most decisive comes first.
    possible : bool
        False if every class has a value with probability 0, so that the prior alone decided.

    Examples
    --------
    >>> print(WeightOfEvidence("no", 0.8, "yes", -0.588, (("Humidity = High", 1.2), ("Wind = Strong", 0.774))))
    no rather than yes (80 %): log odds +1.39
      +1.20  Humidity = High
      +0.77  Wind = Strong
      -0.59  no rather than yes beforehand
    """

    prediction: Value
    probability: float
    against: Value | None
    prior: float
    terms: tuple[tuple[str, float], ...]
    possible: bool = True

    @property
    def total(self) -> float:
        """Log odds of the predicted class against the other."""
        return self.prior + math.fsum(weight for _, weight in self.terms)

    def __str__(self) -> str:
        prediction = value_text(self.prediction)
        if self.against is None:
            return f"{prediction}, the only class"
        rivals = f"{prediction} rather than {value_text(self.against)}"
        head = f"{rivals} ({100 * self.probability:.3g} %): log odds {self.total:+.2f}"
        if not self.possible:
            head += ", by the prior alone: in every class a value of this row has probability 0"
        lines = [*self.terms[:MOST_LINES], (f"{rivals} beforehand", self.prior)]
        rest = self.terms[MOST_LINES:]
        if rest:
            lines.append((f"all {len(rest)} others together", math.fsum(weight for _, weight in rest)))
        return "\n".join([head, *(f"  {weight:+.2f}  {what}" for what, weight in lines)])


def weighed(model: NaiveBayesModel, values: Sequence[Any], scores: Floats) -> WeightOfEvidence:
    """Explain the prediction for one row by its values and by the scores of the classes."""
    best = first_largest(scores)
    chances = np.exp(scores - scores[best])
    prediction, probability = model.classes[best], float(1 / chances.sum())
    if len(model.classes) == 1:
        return WeightOfEvidence(prediction, 1.0, None, 0.0, ())
    others = scores.copy()
    others[best] = -np.inf
    rival = first_largest(others)
    if rival == best:  # no other class is possible
        rival = 0 if best else 1
    found = [
        term for column, value in zip(model.columns, values, strict=True) for term in column.terms(value)
    ]
    possible = bool(np.isfinite([logs[best] for _, logs in found]).all())
    terms = [(what, float(logs[best] - logs[rival])) for what, logs in found] if possible else []
    terms = ranked(terms, lambda term: abs(term[1]))
    prior = float(model.log_priors[best] - model.log_priors[rival])
    return WeightOfEvidence(prediction, probability, model.classes[rival], prior, tuple(terms), possible)
