"""TANGENTPROP for numbers: a network trained by values and by slopes (Mitchell §12.4.1)."""

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
    """A network that predicts a number and has given slopes, or none along invariances (Simard's TANGENTPROP).

    The error of an example is that of its output, plus `mu` times the squared errors of its slopes, in units of the
    spread of columns and target. Without invariances and slopes it is a `NeuralNetworkRegressor`. Missing values and
    unseen categories are treated as there.

    Parameters
    ----------
    invariances : sequence of Invariance, default=()
        Changes of a row that leave its number as it is.
    mu : float, default=1.0
        Weight of the slopes beside the values; 0 ignores them.
    hidden : int or sequence of int, default=(10,)
        Number of units in each hidden layer; an empty list gives none.
    unit : {"linear", "sigmoid", "tanh", "softmax", "rectified"}, default="sigmoid"
        Kind of the hidden units.
    output : {"linear", "sigmoid", "tanh"}, default="linear"
        Kind of the output units.
    loss : {"squared", "cross_entropy"}, default="squared"
        Error of an example: cross entropy, or half the sum of squares.
    solver : {"auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs"}, default="auto"
        Direction of descent; auto takes lbfgs, or adam for many rows.
    learning_rate : float, optional
        Step size of gradient and adam; None gives 0.1 and 0.003.
    momentum : float, default=0.0
        Share of the last step that is repeated, with gradient.
    weight_decay : float or "auto", default="auto"
        Penalty on the sum of squared weights; auto chooses by cross-validation.
    batch_size : int or str, optional
        Number of rows per update; None gives 1 with gradient and 200 with adam.
    max_epochs : int, default=300
        Maximum number of passes over the rows.
    tol : float, default=1e-06
        Smallest gain of the loss that counts as progress; 0 trains to the end.
    init : float or str, default="glorot"
        Range or distribution of the initial weights.
    validation : object, optional
        Rows to stop by: a share, a splitter whose first split is taken, or a pair (X, y).
    patience : int, optional
        Checks without a new lowest validation error before training stops; None trains to the end.
    scale : {"range", "standard"}, default="standard"
        Unit of numeric columns.
    n_networks : int, default=1
        Number of networks with different initial weights, whose outputs are averaged.
    schema : Schema or dict, optional
        Roles, orders and domains of columns beyond their types.
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
        init: float | str = "glorot",
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
        """Learn from a table, the number of each row, and perhaps slopes.

        Parameters
        ----------
        X : frame or array
            Tables of pandas, polars or pyarrow, or arrays; values may be missing.
        y : series, array or list
            The number of each row.
        sample_weight : array, optional
            Weight of each row. Whole numbers count rows; other weights are relative, and sum to the number of rows.
        slopes : frame or array, optional
            Derivative of the target by numeric columns, a row for each row; NaN where it is not known.
        """
        self._given = slopes
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self._given = None

    def _learn(self, reading: NumberReading) -> NeuralNetwork:
        if self._given is not None and reading.numbers.ndim > 1:
            raise InputError("slopes are those of one number, but y has several columns; give invariances")
        return super()._learn(reading)
