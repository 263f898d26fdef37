"""Hypothesis of learners from experts: the experts with their weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.hypotheses.kinds.classifier import ProbabilisticClassifier
from induce.hypotheses.naming import plural, value_text
from induce.online.experts import Coded, Pool
from induce.online.pictures import MOST_BARS, bars

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Vote(Explained):
    """Explanation of a vote of experts: the weight of each class and the experts that voted for it.

    Examples
    --------
    >>> print(Vote("yes", ("no", "yes"), (0.25, 0.75), (("b",), ("a", "c"))))
    yes by 0.75 of the weight (a, c) against no 0.25 (b)
    """

    prediction: Value
    classes: tuple[Value, ...]
    shares: tuple[float, ...]
    speakers: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        place = self.classes.index(self.prediction)
        others = [
            f"{value_text(value)} {share:.3g} ({_some(names)})"
            for value, share, names in zip(self.classes, self.shares, self.speakers, strict=True)
            if value != self.prediction and names
        ]
        against = f" against {', '.join(others)}" if others else ""
        speakers = _some(self.speakers[place])
        return (
            f"{value_text(self.prediction)} by {self.shares[place]:.3g} of the weight ({speakers}){against}"
        )


@dataclass(frozen=True, eq=False)
class WeightedExperts(ProbabilisticClassifier):
    """Experts weighted by their mistakes; the class with the largest total weight is predicted.

    Ties go to the class declared first. The experts themselves are not stored: the inputs are their
    predictions, one column each.

    Parameters
    ----------
    names : tuple of str
        Names of the experts.
    classes : tuple
        The classes, in the order in which ties are broken.
    mistakes : array of int
        Number of mistakes of each expert over all rounds.
    counted : array of int
        Number of mistakes that count for the weights: all, or those since the weights were last restarted.
    beta : float
        Base β of the weights: an expert's weight is β to the power of its mistakes; with 0, only experts
        without a mistake have weight.
    rounds : int
        Number of rounds so far.

    Examples
    --------
    >>> experts = WeightedExperts(("a", "b"), ("no", "yes"), np.array([0, 2]), np.array([0, 2]), 0.5, 6)
    >>> print(experts)
    2 experts after 6 rounds
      weight  mistakes
           1         0  a
        0.25         2  b
    >>> print(experts.explain([["no", "yes"]])[0])
    no by 0.8 of the weight (a) against yes 0.2 (b)
    """

    ties_by_rounding: ClassVar[bool] = True  # powers may differ in their last bit

    names: tuple[str, ...]
    classes: tuple[Value, ...]
    mistakes: NDArray[np.int64]
    counted: NDArray[np.int64]
    beta: float
    rounds: int

    @property
    def weights(self) -> Floats:
        """The weights as in the book, with 1 for an expert without mistakes; they vanish in long runs."""
        return np.asarray(np.power(float(self.beta), self.counted))

    @property
    def shares(self) -> Floats:
        """The normalised weights, computed without underflow."""
        relative = np.power(float(self.beta), self.counted - self.counted.min())
        return np.asarray(relative / relative.sum())

    @property
    def left(self) -> tuple[str, ...]:
        """The experts without a counted mistake."""
        return tuple(name for name, wrong in zip(self.names, self.counted, strict=True) if wrong == 0)

    @property
    def schema(self) -> Schema:
        """The predictions of the experts, one column each."""
        return Schema(tuple(Column(name, "nominal", self.classes) for name in self.names))

    def targets(self) -> tuple[str, ...]:
        """Return an empty name: experts and weights know the classes, but not the name of the target."""
        return ()

    def encoded(self, X: Any) -> NDArray[Any]:
        """Return predictions of the experts as indices into `classes`."""
        return self._codes(X)

    def explain(self, X: Any) -> tuple[Vote, ...]:
        """Return, for each row of predictions, the weight of each class and the experts that voted for it."""
        codes = self.encoded(X)
        votes = self._scores(codes)
        shown = self.shares > 0
        weighty = [i for i in np.argsort(self.counted, kind="stable").tolist() if shown[i]]
        return tuple(
            Vote(
                self.classes[int(shares.argmax())],
                self.classes,
                tuple(shares.tolist()),
                tuple(
                    tuple(self.names[i] for i in weighty if row[i] == code)
                    for code in range(len(self.classes))
                ),
            )
            for row, shares in zip(codes, votes, strict=True)
        )

    def size(self) -> str:
        """Return the number of experts."""
        return plural(len(self.names), "expert")

    def parts(self) -> Parts:
        """Return the number of nonzero weights."""
        return Parts(int(np.count_nonzero(self.shares)), "experts with a weight")

    def __str__(self) -> str:
        rounds = plural(self.rounds, "round")
        if self.beta == 0 and self.left:
            return f"{len(self.left)} of {self.size()} left after {rounds}: {_some(self.left)}"
        order = np.argsort(self.counted, kind="stable")[:MOST_BARS].tolist()
        vanished = self.weights.max() < 0.01
        weights = self.shares if vanished else self.weights
        lines = [f"{weights[i]:8.3g}  {self.mistakes[i]:8d}  {self.names[i]}" for i in order]
        rest = len(self.names) - len(order)
        more = [f"and {rest} more"] if rest else []
        title = f"{'share' if vanished else 'weight':>8}  mistakes"
        return "\n".join([f"{self.size()} after {rounds}", title, *lines, *more])

    def draw(self) -> Figure:
        """Return a figure of the normalised weights of the best experts, with their numbers of mistakes."""
        order = np.argsort(self.counted, kind="stable")[:MOST_BARS].tolist()
        labels = [f"{self.names[i]} ({plural(int(self.mistakes[i]), 'mistake')})" for i in order]
        return bars(labels, [float(self.shares[i]) for i in order], "fraction of the total weight")

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n = len(self.names)
        sound = (
            n > 0
            and self.mistakes.shape == self.counted.shape == (n,)
            and self.mistakes.dtype.kind == self.counted.dtype.kind == "i"
            and bool((self.counted >= 0).all() and (self.mistakes >= self.counted).all())
            and 0 <= self.beta < 1
            and len(set(self.classes)) == len(self.classes) > 0
            and len(set(self.names)) == n
        )
        if not sound:
            raise InputError("the weights of the experts do not fit together; learn them again")

    def _codes(self, X: Any) -> NDArray[Any]:
        pool = Pool(None)
        columns = pool.predictions(X)
        if len(pool.names or ()) != len(self.names):
            raise InputError(
                f"give the predictions of {plural(len(self.names), 'expert')}, one column for each"
            )
        coded = Coded(self.names, columns, self.classes)
        complaint = coded.stranger()
        if complaint is not None:
            raise complaint
        return coded.block(0, coded.n_rows)

    def _scores(self, codes: NDArray[Any]) -> Floats:
        shares = self.shares
        votes = np.stack([(codes == code) @ shares for code in range(len(self.classes))], axis=1)
        # rounding must neither create nor break ties
        return np.asarray(np.round(votes, 12))


def _some(names: tuple[str, ...], most: int = 6) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
