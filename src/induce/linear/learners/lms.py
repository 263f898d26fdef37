"""LMS: a linear unit trained by the delta rule (Mitchell §1.2.4.2, §4.4.3; AIMA 18.6.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from induce.core.blas import one_thread
from induce.core.errors import InputError
from induce.core.estimator import given_weights
from induce.core.hypothesis import Hypothesis
from induce.core.parameters import Declared, number, truth, whole
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.data.table import Table, as_table
from induce.data.training import must_be_as_begun, validation_table
from induce.estimators import NumberReading, TableRegressor
from induce.linear.learners.base import Floats, Terms, terms_of
from induce.linear.learners.units import UnitLearner, epochs_text, patient
from induce.linear.model import LinearRegressionModel
from induce.linear.products import MOST
from induce.linear.unit import Unit
from induce.optimise.descent import History


class LMS(UnitLearner, TableRegressor):
    """A linear unit trained by gradient descent: w += rate · (t - o) · x after each example.

    The rule is also known as the delta rule and the Widrow-Hoff rule. With ``batch_size=None`` it is the
    gradient descent of table 4.1. It converges to the solution of `LinearRegression`; use it to observe the
    weights. A note reports a learning rate that increases the error.

    A missing number is replaced by the mean of the training rows, and has its own weight if the training rows had
    missing values. A missing category has its own weight; if it has none, it is treated like an unseen category, as
    the mean of the categories.

    Parameters
    ----------
    learning_rate : float, optional
        Learning rate; None uses 0.1, or less if large inputs would make it diverge.
    decay : float or None, default=1000.0
        Decay c of the learning rate: it is multiplied by c / (c + t) after t updates; None keeps it constant.
    momentum : float, default=0.0
        Fraction of the previous step added to each step.
    batch_size : int or None, default=1
        Number of rows per update; None uses all rows.
    half : bool, default=True
        Whether the error is ½ Σ (t - o)², as in Mitchell's chapter 4; without the factor ½ updates are twice as
        large.
    order : {"shuffled", "given", "drawn"}, default="shuffled"
        Order of the rows in an epoch.
    init : {"zero", "random"}, default="zero"
        Initial weights.
    bias_input : {"1", "-1"}, default="1"
        Constant input of the bias: 1, or -1 so that its weight is the threshold.
    max_epochs : int, default=100
        Maximum number of epochs.
    tol : float, default=0.0001
        Minimum relative decrease of the error that counts as progress.
    patience : int or None, default=5
        Number of consecutive epochs without progress, or without a new lowest validation error if there is
        one, after which training stops; None disables the rule.
    validation : float, splitter or (X, y), optional
        Validation rows for selecting the best epoch: a fraction of the rows, a splitter (its first split) or
        a table (X, y); None keeps the last weights.
    scale : {"standard"} or None, default="standard"
        Scaling of the columns during training; None leaves them unscaled.
    warm_start : bool, default=False
        Whether `fit` continues from the previous fit.
    random_state : int, Generator or None, default=0
        Random seed.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : LinearRegressionModel
    history_ : History
        Error after each epoch.
    n_iter_ : int
        Number of epochs.

    See Also
    --------
    Adaline : The delta rule for classes.
    LinearRegression : The least squared error in closed form.

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
        "half": truth("Whether the error is ½ Σ (t - o)²; without the factor ½ updates are twice as large."),
        "tol": number(
            "Minimum relative decrease of the error that counts as progress.", at_least=0, finite=True
        ),
        "patience": whole(
            "Number of epochs without progress before training stops; None disables the rule.",
            at_least=1,
            none=True,
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
        validation: Any = None,
        scale: str | None = "standard",
        warm_start: bool = False,
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
        self.validation = validation
        self.scale = scale
        self.warm_start = warm_start
        self.random_state = random_state
        self.schema = schema

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train for one epoch on these rows; the first rows determine the schema and all scales.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Target value of each row.
        sample_weight : array, optional
            Weight of each row.
        """
        known = self.__dict__.get("hypothesis_")
        if known is None:
            reading = self._read(X, y, sample_weight)
            terms, numbers = terms_of(reading, "", reference=False), reading.numbers
            names = reading.schema, reading.target
        else:
            self._check_parameters()
            self._fitted(X)
            _, numbers = self._target(y)
            table = as_table(X, known.schema)
            if len(table) != len(numbers):
                raise InputError(f"X has {len(table)} rows, y has {len(numbers)}; give one number per row")
            given = given_weights(sample_weight, len(numbers))
            terms = self._known_terms(known, table, np.ones(len(table)) if given is None else given)
            names = known.schema, known.target
        with one_thread():
            self.hypothesis_ = self._trained(names, terms, numbers[terms.rows], known, one_epoch=True)
        return self

    def _learn(self, reading: NumberReading) -> LinearRegressionModel:
        before = self._before
        if before is None:
            terms = terms_of(reading, "", reference=False)
        else:
            must_be_as_begun(before.schema, reading.schema)
            terms = self._known_terms(before, reading.table, reading.weight())
        names = reading.schema, reading.target
        return self._trained(names, terms, reading.numbers[terms.rows], before, one_epoch=False)

    def _trained(
        self,
        names: tuple[Schema, str],
        terms: Terms,
        numbers: Floats,
        known: LinearRegressionModel | None,
        one_epoch: bool,
    ) -> LinearRegressionModel:
        if np.abs(numbers).max(initial=0.0) > MOST:
            raise InputError(f"y holds numbers beyond {MOST:g}, whose squares overflow; scale them down")
        if known is None:
            self._states, self._target_units = [], self._units_of(numbers, terms.weights)
        self._other_rows = one_epoch
        middle, size = self._target_units
        standard = self._units(terms, known)
        held = None if one_epoch else self._held_out(terms, numbers, lambda X, y: self._given(X, y, names[0]))
        rows = np.arange(len(numbers)) if held is None else held.training
        x = self._inputs(standard.z)
        unit = Unit(x[rows], (numbers[rows] - middle) / size, half=self.half, weights=terms.weights[rows])
        measure = None
        if held is not None:
            inputs = self._inputs((held.x - standard.centre) / standard.scale)
            share = np.full(len(inputs), 1 / len(inputs))
            measure = Unit(inputs, (held.targets - middle) / size, half=self.half, weights=share).loss
        going_on = self._going_on(known, standard, 0, one_epoch)
        if going_on is not None:  # the weights of a model are in the target's unit
            w = going_on.w - np.append(middle / float(self.bias_input), np.zeros(len(going_on.w) - 1))
            going_on = replace(going_on, w=w / size)
        stop = patient(1 if one_epoch else self.max_epochs, self.tol, self.patience, measure)
        run = self._descended(unit, self._generator(), stop, measure, going_on)
        self._states = self._ended([run])
        self.history_, self.n_iter_ = run.history, run.epochs
        w = run.w if measure is None else run.best_w
        intercept, weights = self._own_units(standard, w * size)
        loss = 2.0 * float(run.history.loss[-1]) * size**2 / float(unit.weights.sum()) / unit.factor
        return LinearRegressionModel(
            *names,
            terms.design,
            np.array([intercept + middle]),
            weights[np.newaxis],
            self._known(terms, f"the LMS rule in {epochs_text([run])}", loss, known, (run.history,)),
        )

    def _units_of(self, numbers: Floats, weights: Floats) -> tuple[float, float]:
        """Return the offset and the scale of targets, because targets far from 0 slow down training from weights of
        0."""
        if self.scale is None:
            return 0.0, 1.0
        middle = float(np.average(numbers, weights=weights))
        return middle, float(np.abs(numbers - middle).max(initial=0.0)) or 1.0

    def _given(self, X: Any, y: Any, schema: Schema) -> tuple[Table, Floats]:
        return validation_table(X, schema), type(self)()._target(y)[1]

    def _resumable_state(self) -> dict[str, Any]:
        kept = super()._resumable_state()
        return {**kept, "target_units": list(self._target_units)} if self.warm_start else kept

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        middle, size = state.get("target_units", (0.0, 1.0))
        self._target_units = float(middle), float(size)
