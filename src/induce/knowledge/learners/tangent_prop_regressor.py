"""TANGENTPROP for regression: a network trained on values and slopes (Mitchell §12.4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from induce.core.errors import InputError
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.estimators import NumberReading
from induce.knowledge.invariances import Invariance
from induce.knowledge.learners.slope_guided import SlopeGuided
from induce.neural.hypothesis import NeuralNetwork
from induce.neural.learners.neural_network_regressor import NeuralNetworkRegressor


class TangentPropRegressor(SlopeGuided, NeuralNetworkRegressor):
    """Regression network with given slopes, or zero slopes along invariances (Simard's TANGENTPROP).

    The error of an example is that of its output, plus `mu` times the squared errors of its slopes. Columns
    and target are measured in units of their standard deviations. Without invariances and slopes it is a
    `NeuralNetworkRegressor`, which also describes how missing values and unseen categories are treated.

    Parameters
    ----------
    invariances : sequence of Invariance, default=()
        Changes of a row that leave its target unchanged.
    mu : float, default=1.0
        Weight of the slopes relative to the values; 0 ignores the slopes.
    hidden : int or sequence of int, default=(10,)
        Number of units in each hidden layer; an empty list gives none.
    unit : {"linear", "sigmoid", "tanh", "softmax", "rectified"}, default="sigmoid"
        Kind of the hidden units.
    output : {"linear", "sigmoid", "tanh"}, default="linear"
        Kind of the output units.
    loss : {"squared", "cross_entropy"}, default="squared"
        Error of an example: cross entropy, or half the sum of squares.
    solver : {"auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs"}, default="auto"
        Optimisation algorithm; auto uses lbfgs, or adam for many rows.
    learning_rate : float, optional
        Step size; None means 0.1 for gradient and 0.003 for adam.
    momentum : float, default=0.0
        Fraction of the previous step added to each step of gradient.
    weight_decay : float or "auto", default="auto"
        Penalty on the sum of squared weights; auto chooses by cross-validation.
    batch_size : int or str, optional
        Number of rows per update; None means 1 for gradient and 200 for adam.
    max_epochs : int, default=300
        Maximum number of passes over the rows.
    tol : float, default=1e-06
        Smallest decrease of the loss that counts as progress; 0 trains for all epochs.
    init : float or str, default="glorot"
        Range or distribution of the initial weights.
    validation : object, optional
        Validation rows for early stopping: a fraction, a splitter (its first split) or (X, y).
    patience : int, optional
        Number of checks without improvement before training stops; None trains for all epochs.
    scale : {"range", "standard"}, default="standard"
        Scaling of numeric columns.
    n_networks : int, default=1
        Number of networks with different initial weights, whose outputs are averaged.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : NeuralNetwork

    See Also
    --------
    TangentProp : A network with given slopes.
    NeuralNetworkRegressor : Networks for numbers.

    References
    ----------
    P. Simard, B. Victorri, Y. LeCun and J. Denker (1992). Tangent prop: a formalism for specifying selected
    invariances in an adaptive network. NIPS 4, 895-903.

    Examples
    --------
    Three points of a parabola with their slopes:

    >>> X, y, slopes = [[-1.0], [0.0], [1.0]], [1.0, 0.0, 1.0], [[-2.0], [0.0], [2.0]]
    >>> learner = TangentPropRegressor(weight_decay=0).fit(X, y, slopes=slopes)
    >>> learner.predict([[0.5]]).round(1).tolist()
    [0.2]
    """

    hypothesis_: NeuralNetwork
    network, precision, warm_start = None, "double", False

    def __init__(
        self,
        *,
        invariances: Sequence[Invariance] = (),
        mu: float = 1.0,
        hidden: int | Sequence[int] = (10,),
        unit: str = "sigmoid",
        output: str = "linear",
        loss: str = "squared",
        solver: str = "auto",
        learning_rate: float | None = None,
        momentum: float = 0.0,
        weight_decay: float | str = "auto",
        batch_size: int | str | None = None,
        max_epochs: int = 300,
        tol: float = 1e-6,
        init: float | str | None = "glorot",
        validation: Any = None,
        patience: int | None = None,
        scale: str | None = "standard",
        n_networks: int = 1,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.invariances = invariances
        self.mu = mu
        self.hidden = hidden
        self.unit = unit
        self.output = output
        self.loss = loss
        self.solver = solver
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.tol = tol
        self.init = init
        self.validation = validation
        self.patience = patience
        self.scale = scale
        self.n_networks = n_networks
        self.schema = schema
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, slopes: Any = None) -> Self:
        """Learn from a table, the target of each row, and optionally slopes.

        Parameters
        ----------
        X : frame or array
            Table from pandas, polars or pyarrow, or an array; values may be missing.
        y : series, array or list
            Target of each row.
        sample_weight : array, optional
            Weight of each row. Whole numbers count rows; other weights are relative, and are normalised to
            sum to the number of rows.
        slopes : frame or array, optional
            Derivative of the target by each numeric column, one row per example; NaN if unknown.
        """
        self._given = slopes
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self._given = None

    def _learn(self, reading: NumberReading) -> NeuralNetwork:
        if self._given is not None and reading.numbers.ndim > 1:
            raise InputError(
                "slopes are those of a single target, but y has several columns; give invariances instead"
            )
        return super()._learn(reading)
