"""LMS: a linear unit trained by the delta rule (Mitchell §1.2.4.2, §4.4.3; AIMA 18.6.1)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameters import Declared, number, truth, whole
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.estimators import NumberReading, UnweightedRegressor
from induce.linear.learners.base import terms_of
from induce.linear.learners.linear_regression import MOST
from induce.linear.learners.units import UnitLearner, epochs_text
from induce.linear.model import LinearRegressionModel
from induce.linear.unit import Unit
from induce.optimise.descent import History
from induce.optimise.stopping import Stop


class LMS(UnitLearner, UnweightedRegressor):
    """A linear unit trained by gradient descent: w += rate · (t - o) · x after each example.

    The rule goes by several names: LMS, delta rule, Widrow-Hoff. With ``batch_size=None`` it is the gradient descent
    of table 4.1. It approaches what `LinearRegression` finds at once; learn with it to watch the weights move. A rate
    that makes the error grow is reported.

    A missing number counts as the mean of the training rows, and where these had holes a weight of its own is added;
    a missing category has a weight of its own, or counts, as an unseen one does, as the mean of the categories.

    Parameters
    ----------
    learning_rate : float, optional
        Learning rate; None takes 0.1, or less where rows are so long that it would diverge.
    decay : float, optional
        Decay c of the learning rate: it is multiplied by c / (c + t) after t updates; None keeps it.
    momentum : float
        Share of the last step that is added to each step.
    batch_size : int, optional
        Number of rows per update; None takes all rows.
    half : bool
        Whether the error is ½ Σ (t - o)², as in Mitchell's chapter 4; without the half updates are twice as long.
    order : {"shuffled", "given", "drawn"}
        Order of the rows in an epoch.
    init : {"zero", "random"}
        Initial weights.
    bias_input : {"1", "-1"}
        Input of the bias.
    max_epochs : int
        Maximum number of epochs.
    tol : float
        Smallest gain of the error, relative to its size, that counts as progress.
    patience : int, optional
        Stop after this many epochs in a row without progress; None disables the rule.
    scale : {"standard"}, optional
        Unit of the columns while learning; None leaves them as they are.
    random_state : int, Generator or None
        Random seed.
    schema : Schema or dict, optional
        What is known of the columns.

    Attributes
    ----------
    hypothesis_ : LinearRegressionModel
    history_ : History
        Error after each epoch.
    n_iter_ : int
        Number of epochs.

    References
    ----------
    B. Widrow and M. E. Hoff (1960). Adaptive switching circuits. IRE WESCON Convention Record 4, 96-104.

    Examples
    --------
    >>> learner = LMS(learning_rate=0.02, decay=None, batch_size=None, scale=None, max_epochs=3, patience=None)
    >>> model = learner.fit([[1.0], [2.0], [3.0], [4.0]], [2.0, 3.0, 5.0, 4.0]).hypothesis_
    >>> model.intercepts.round(6).tolist(), model.weights.round(5).tolist()
    ([0.423872], [[1.11808]])
    """

    parameters: ClassVar[Declared] = {
        **UnitLearner.parameters,
        "half": truth("Whether the error is ½ Σ (t - o)²; without the half updates are twice as long."),
        "tol": number(
            "Smallest gain of the error, relative to its size, that counts.", at_least=0, finite=True
        ),
        "patience": whole(
            "Number of epochs without progress before it stops; None never.", at_least=1, none=True
        ),
    }
    hypothesis_: LinearRegressionModel
    history_: History

    def __init__(
        self,
        learning_rate: float | None = None,
        decay: float | None = 1000.0,
        momentum: float = 0.0,
        batch_size: int | None = 1,
        half: bool = True,
        order: str = "shuffled",
        init: str = "zero",
        bias_input: str = "1",
        max_epochs: int = 100,
        tol: float = 1e-4,
        patience: int | None = 5,
        scale: str | None = "standard",
        random_state: RandomState = 0,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.learning_rate = learning_rate
        self.decay = decay
        self.momentum = momentum
        self.batch_size = batch_size
        self.half = half
        self.order = order
        self.init = init
        self.bias_input = bias_input
        self.max_epochs = max_epochs
        self.tol = tol
        self.patience = patience
        self.scale = scale
        self.random_state = random_state
        self.schema = schema

    def _learn(self, reading: NumberReading) -> LinearRegressionModel:
        terms = terms_of(reading, "", reference=False)
        if np.abs(reading.numbers).max(initial=0.0) > MOST:
            raise InputError(
                f"y holds numbers beyond {MOST:g}, whose squares cannot be added; scale them down"
            )
        standard, x = self._inputs(terms)
        # numbers far from 0 would take long to reach from weights of 0
        middle, unit = 0.0, 1.0
        if self.scale is not None:
            middle = float(reading.numbers.mean())
            unit = float(np.abs(reading.numbers - middle).max(initial=0.0)) or 1.0
        error = Unit(x, (reading.numbers - middle) / unit, half=self.half)
        stop = Stop(max_epochs=self.max_epochs, tolerance=self.tol, patience=self.patience)
        run = self._descended(error, self._generator(), stop)
        self.history_, self.n_iter_ = run.history, run.epochs
        intercept, weights = self._own_units(standard, run.w * unit)
        loss = 2.0 * float(run.history.loss[-1]) * unit**2 / len(reading) / error.factor
        known = self._known(terms, f"the LMS rule in {epochs_text([run])}", loss)
        return LinearRegressionModel(
            reading.schema,
            reading.target,
            terms.design,
            np.array([intercept + middle]),
            weights[np.newaxis],
            known,
        )
