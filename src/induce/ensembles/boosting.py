"""The ADABOOST algorithm: example weights, hypotheses trained with them, and votes (AIMA figure 18.34)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.notes import note
from induce.ensembles.members import Codes, member_text
from induce.statistics.logistic import sigmoid

Floats = NDArray[np.float64]

LOSSES = ("exponential", "logistic")
CHANCE = 1e-10
"""Vote weights up to this are due to rounding: the hypothesis is no better than chance."""


class Boosting:
    """Examples during boosting: the votes for each example, and the resulting weights.

    With the exponential loss, a hypothesis of vote z that classifies an example correctly multiplies its
    weight by exp(-z); this is the loop of the book, in any order. With the logistic loss, the weight is the
    probability of the wrong classes, assuming equal votes for them, which is exact for two classes. The
    weighted error of a hypothesis is then the slope of the loss, so a hypothesis that is better than chance
    always lowers it.

    Parameters
    ----------
    labels : array of int
        Class of each example, as an index.
    weights : array of float64
        Initial weight of each example.
    n_classes : int
        Number of classes.
    logistic : bool
        Whether to use the logistic instead of the exponential loss.
    rate : float
        Factor applied to every vote.

    Examples
    --------
    >>> state = Boosting(np.array([0, 0, 1, 1]), np.ones(4), 2, logistic=False)
    >>> error, z = state.vote(state.weights(), np.array([0, 1, 1, 1]))
    >>> error, round(z, 4)
    (0.25, 1.0986)
    >>> state.add(np.array([0, 1, 1, 1]), z)
    >>> state.weights().round(4).tolist()
    [0.1667, 0.5, 0.1667, 0.1667]
    """

    def __init__(
        self, labels: Codes, weights: Floats, n_classes: int, logistic: bool, rate: float = 1.0
    ) -> None:
        self.labels, self.n_classes, self.rate = labels, n_classes, rate
        self.logistic = logistic and n_classes > 1
        weights = weights / weights.max()
        self.start = weights / weights.sum()
        self.votes = np.zeros((n_classes, len(labels)))

    def weights(self) -> Floats | None:
        """Return the weight of each example, normalised to sum to 1; None if nothing is left to learn."""
        own = self.votes[self.labels, np.arange(len(self.labels))]
        if self.logistic:
            w = self.start * self.doubt(own, self.votes.sum(axis=0), self.n_classes)
        else:
            # Relative to the heaviest example, so that no weight overflows after any number of rounds.
            w = self.start * np.exp(own[self.start > 0].min() - own)
        total = w.sum()
        return w / total if total > 0 else None

    @staticmethod
    def doubt(own: Floats, votes: Floats | float, n_classes: int) -> Floats:
        """Return the probability of the wrong classes, from the votes for the true class and for all classes."""
        others = n_classes - 1
        return sigmoid(math.log(others) - (own - (votes - own) / others))

    def vote(self, w: Floats, codes: Codes) -> tuple[float, float]:
        """Return the weighted error of a hypothesis, and the weight of its vote (infinite without errors)."""
        wrong = codes != self.labels
        return self.voted(float(w[wrong].sum()))

    def voted(self, error: float) -> tuple[float, float]:
        """Return an error rate and the weight of a vote with this error."""
        if error <= 0:
            return 0.0, math.inf
        if error >= 1:
            return 1.0, -math.inf
        # SAMME (Zhu and others 2009): with K classes, a guess errs with probability 1 - 1 / K instead of a
        # half. For two classes the last term is 0 and the vote is that of the book.
        return error, self.rate * (math.log((1 - error) / error) + math.log(self.n_classes - 1))

    def add(self, codes: Codes, z: float) -> None:
        """Add the vote of a hypothesis."""
        for code in range(self.n_classes):
            self.votes[code] += z * (codes == code)

    def error_on(self, rows: NDArray[np.intp]) -> float:
        """Return the error rate of the current votes on the given rows."""
        return float(np.mean(self.votes[:, rows].argmax(axis=0) != self.labels[rows]))


@dataclass(frozen=True)
class Round:
    """A hypothesis with its weighted error in its round, and the weight of its vote."""

    h: Any
    error: float
    z: float


def adaboost(
    examples: Boosting,
    L: Callable[[Floats, int], Any],
    says: Callable[[Any], Any],
    K: int,
    before: Sequence[float] = (),
) -> Iterator[Round]:
    """Yield hypotheses and their votes: ADABOOST(examples, L, K).

    Parameters
    ----------
    examples : Boosting
        Examples; each round changes their weights.
    L : callable
        The learning algorithm: a function from example weights and the number of the round to a hypothesis.
    says : callable
        Function that returns a hypothesis's predictions for the examples, in the form that `examples` uses to
        reweight.
    K : int
        Maximum number of hypotheses.
    before : sequence of float
        Votes of existing hypotheses, with which boosting continues.
    """
    votes = list(before)
    for k in range(len(votes) + 1, len(votes) + K + 1):
        w = examples.weights()
        if w is None:
            return
        h = L(w, k)
        codes = says(h)
        error, z = examples.vote(w, codes)
        if math.isinf(z) and z > 0:
            z = 1.0 + sum(votes)  # a hypothesis without an error outvotes all others
        if trace.active("round"):
            trace.emit("round", number=k, hypothesis=member_text(h), error=error, vote=z, weights=w)
        better = z > CHANCE
        if not better:
            if votes:
                return
            note("the first hypothesis is no better than chance, so there is nothing to boost")
            z = 1.0
        examples.add(codes, z)
        votes.append(z)
        yield Round(h, error, z)
        if error == 0 or not better:
            return
