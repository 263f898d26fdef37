"""ADABOOST.R2: the weighted median of regressors, each focused on the large errors of the others."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import Declared, Parameter, choice, number, whole
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.data.schema import Schema
from induce.ensembles.averaged import NumberEnsemble
from induce.ensembles.learners.class_members import quiet
from induce.ensembles.learners.number_members import NumberLearner, NumberRows, member_learning
from induce.ensembles.members import Given
from induce.estimators import NumberReading
from induce.trees.regression.growth import RegressionRule

Floats = NDArray[np.float64]

LOSSES = ("linear", "square", "exponential")
DEPTH = 3


class AdaBoostRegressor(NumberRows):
    """AdaBoost.R2: the weighted median of regressors, each focused on large errors (Drucker 1997).

    Each round draws rows with replacement in proportion to their weights and learns from them. The loss of a
    row is its error relative to the largest error. With the weighted mean loss L, beta = L / (1 - L). The
    weight of a row is multiplied by ``beta ** (1 - loss)``, so that rows with small errors lose most, and the
    hypothesis gets the weight ``log(1 / beta)``. Boosting ends with a hypothesis without errors, or with one
    whose mean loss is at least a half.

    Missing values and categories not seen in training are handled by the learner; with the tree, the default,
    as for `DecisionTreeRegressor`.

    Parameters
    ----------
    estimator : estimator, optional
        Base regressor of induce or scikit-learn. None uses a regression tree of depth 3.
    n_estimators : int, default=50
        Maximum number of hypotheses.
    learning_rate : float, default=1.0
        Exponent of every weight change and factor of every vote; greater than 0. Smaller values need more
        hypotheses.
    loss : {"linear", "square", "exponential"}, default="linear"
        Loss as a function of the error relative to the largest one: linear, squared, or ``1 - exp(-error)``.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : NumberEnsemble
        The learned ensemble.
    feature_importances_ : array of float64
        Mean relative reduction of the squared error by each column in the trees.

    See Also
    --------
    AdaBoost : Boosted hypotheses.
    BaggingRegressor : Numeric hypotheses of bootstrap samples, averaged.

    References
    ----------
    Drucker (1997). Improving regressors using boosting techniques. ICML, 107-115.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> boosted = AdaBoostRegressor(n_estimators=20).fit(X[::2], y[::2])
    >>> round(boosted.score(X[1::2], y[1::2]), 2)
    0.27
    """

    hypothesis_: NumberEnsemble

    parameters: ClassVar[Declared] = {
        "estimator": Parameter(
            "Base regressor; None uses a regression tree of depth 3.", NumberLearner(), none=True
        ),
        "n_estimators": whole("Maximum number of hypotheses.", at_least=1),
        "learning_rate": number(
            "Exponent of every weight change; smaller values need more hypotheses.",
            above=0,
            finite=True,
            otherwise="it must be a number above 0",
        ),
        "loss": choice("Loss as a function of the error relative to the largest one.", *LOSSES),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: str = "linear",
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: NumberReading) -> NumberEnsemble:
        learn = member_learning(self.estimator, reading, RegressionRule(max_depth=DEPTH))
        random = generator(self.random_state)
        w = reading.weight() / reading.weight().sum()
        h: list[Any] = []
        z: list[float] = []
        rounds, rate = int(self.n_estimators), float(self.learning_rate)
        with interruptible(h, "hypotheses"), quiet():
            for k in range(1, rounds + 1):
                drawn = random.choice(len(w), len(w), p=w)
                times = np.bincount(drawn, minlength=len(w)).astype(np.float64)
                with trace.part(f"member {k}"):
                    member = learn(times, int(random.integers(2**31)), f"in round {k}")
                loss = self._losses(member, reading)
                mean = float(w @ loss)
                beta = mean / (1.0 - mean) if mean < 0.5 else 1.0
                vote = 1.0 + sum(z) if mean <= 0 else rate * math.log(1.0 / beta)
                trace.emit(
                    "round", number=k, hypothesis=type(member).__name__, error=mean, vote=vote, weights=w
                )
                if mean >= 0.5 and h:
                    break
                if mean >= 0.5:
                    note(
                        "the mean error of the first hypothesis is at least half of its largest "
                        "error, so it is not boosted"
                    )
                    vote, mean = 1.0, 0.0
                z.append(vote)  # before h, because Ctrl-C may come between the two
                h.append(member)
                report(k / rounds)
                if mean <= 0:
                    break
                w = w * beta ** ((1.0 - loss) * rate)
                w = w / w.sum()
        members = tuple(h)
        return NumberEnsemble(reading.schema, reading.target, members, np.array(z[: len(h)]), "median")

    def _losses(self, member: Any, reading: NumberReading) -> Floats:
        """Return the loss of each row, between 0 and 1."""
        alone = NumberEnsemble(reading.schema, reading.target, (member,), np.ones(1))
        error = np.abs(alone.predict(Given(reading.X, reading.table)) - reading.numbers)
        counted = reading.weight() > 0
        largest = float(error[counted].max())
        error = np.minimum(error / largest, 1.0) if largest > 0 else np.zeros_like(error)
        if self.loss == "square":
            return np.asarray(error**2)
        return error if self.loss == "linear" else np.asarray(1.0 - np.exp(-error))
