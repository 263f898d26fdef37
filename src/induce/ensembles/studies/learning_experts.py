"""Incremental learners as experts of an online learner, which is judged by its regret (AIMA 18.10)."""

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
        Predictions of each learner before it saw the answer.
    judge : ExpertsLearner
        Online learner with these experts.
    """

    experts: dict[str, Played]
    judge: ExpertsLearner

    @property
    def mistakes(self) -> int:
        """Number of mistakes of the judge."""
        return self.judge.mistakes_

    @property
    def regret(self) -> float:
        """Number of mistakes of the judge beyond those of the best expert; expected mistakes for a randomised
        judge."""
        return self.judge.regret_

    def __str__(self) -> str:
        lines = [f"  {played.mistakes:>6}  {name}" for name, played in self.experts.items()]
        head = f"{type(self.judge).__name__}: {plural(self.mistakes, 'mistake')}, regret {self.regret:.3g}"
        return "\n".join([head, *lines])

    def draw(self) -> Figure:
        """Return a figure of the regret against the rounds, with its theoretical bound."""
        return self.judge.history_.draw_regret()


def learning_experts(learners: Mapping[str, Any], X: Any, y: Any, judge: Any = None) -> LearningExperts:
    """Let learners predict each row before they learn from it, and an online learner follow them.

    The bounds of the online learner hold: they assume nothing about the experts.

    Parameters
    ----------
    learners : mapping of str to estimator
        Learners with `partial_fit`, of induce or scikit-learn; copies of them learn.
    X : frame or array
    y : sequence of classes
    judge : estimator, optional
        A learner from experts; by default `WeightedMajority()`.

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
        raise TypeError("learners must be a dict of names and learners with partial_fit, at least one")
    classes = sorted(set(y.to_list() if hasattr(y, "to_list") else list(y)))
    played: dict[str, Played] = {}
    for name, learner in learners.items():
        played[str(name)] = play(clone(learner), X, y, classes)
        report(len(played) / (len(learners) + 1))
    said = pl.DataFrame({name: each.predictions for name, each in played.items()})
    follower = clone(WeightedMajority() if judge is None else judge)
    return LearningExperts(played, follower.partial_fit(said, y, classes))
