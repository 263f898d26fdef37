"""Incremental learners as experts of an online learner, which is evaluated by its regret (AIMA 18.10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from induce.core.progress import report
from induce.hypotheses.naming import plural
from induce.online.learners.rounds import ExpertsLearner
from induce.online.learners.weighted_majority import WeightedMajority
from induce.online.studies.protocol import Played, play

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class LearningExperts:
    """Experts that learn while an online learner follows them.

    Parameters
    ----------
    experts : dict of str to Played
        Predictions of each learner before it saw the true class.
    judge : ExpertsLearner
        Online learner that combines these experts.
    """

    experts: dict[str, Played]
    judge: ExpertsLearner

    @property
    def mistakes(self) -> int:
        """Number of mistakes of the online learner."""
        return self.judge.mistakes_

    @property
    def regret(self) -> float:
        """Regret: mistakes in excess of the best expert; expected ones for a randomised online learner."""
        return self.judge.regret_

    def __str__(self) -> str:
        lines = [f"  {played.mistakes:>6}  {name}" for name, played in self.experts.items()]
        head = f"{type(self.judge).__name__}: {plural(self.mistakes, 'mistake')}, regret {self.regret:.3g}"
        return "\n".join([head, *lines])

    def draw(self) -> Figure:
        """Return a figure of the regret by round, with its theoretical bound."""
        return self.judge.history_.draw_regret()


def learning_experts(learners: Mapping[str, Any], X: Any, y: Any, judge: Any = None) -> LearningExperts:
    """Let learners predict each row before learning from it, with an online learner that follows them.

    The bounds of the online learner hold, because they assume nothing about the experts.

    Parameters
    ----------
    learners : mapping of str to estimator
        Learners with `partial_fit`, of induce or scikit-learn; copies of them are trained.
    X : frame or array
        Rows, one per round.
    y : sequence of classes
        True class of each row.
    judge : estimator, optional
        Online learner that combines experts; by default `WeightedMajority()`.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB
    >>> from sklearn.linear_model import Perceptron
    >>> from induce.data.generate import restaurant
    >>> X, y = restaurant(60, random_state=0)
    >>> print(learning_experts({"bayes": BernoulliNB(), "perceptron": Perceptron()}, X.to_dummies(), y))
    WeightedMajority: 17 mistakes, regret 1
          16  bayes
          21  perceptron
    """
    import polars as pl

    if not isinstance(learners, Mapping) or not learners:
        raise TypeError("learners must be a dict from names to learners with partial_fit, with at least one")
    classes = sorted(set(y.to_list() if hasattr(y, "to_list") else list(y)))
    played: dict[str, Played] = {}
    for name, learner in learners.items():
        played[str(name)] = play(clone(learner), X, y, classes)
        report(len(played) / (len(learners) + 1))
    said = pl.DataFrame({name: each.predictions for name, each in played.items()})
    follower = clone(WeightedMajority() if judge is None else judge)
    return LearningExperts(played, follower.partial_fit(said, y, classes))
