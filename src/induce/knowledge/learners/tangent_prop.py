"""TANGENTPROP for classification: a network trained on values and slopes (Mitchell §12.4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from induce.core.errors import InputError
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.estimators import ClassReading
from induce.knowledge.invariances import Invariance
from induce.knowledge.learners.slope_guided import SlopeGuided
from induce.neural.hypothesis import NeuralClassNetwork
from induce.neural.learners.neural_network_classifier import NeuralNetworkClassifier


class TangentProp(SlopeGuided, NeuralNetworkClassifier):
    """Classification network whose outputs are insensitive to given invariances (Simard's TANGENTPROP).

    The error of an example is that of its outputs, plus `mu` times the squared slopes of the outputs along
    the tangent of each invariance: shifts and rotations of a picture, or any change to a row. Each tangent is
    scaled to a typical amount of the change. With two classes, slopes of the probability of the second class
    may be passed to `fit` instead. Wrong slopes increase the error. Without invariances and slopes it is a
    `NeuralNetworkClassifier`, which also describes how missing values and unseen categories are treated.

    Parameters
    ----------
    invariances : sequence of Invariance, default=()
        Changes of a row that leave its class unchanged, such as `picture_invariances`.
    mu : float, default=1.0
        Weight of the slopes relative to the values; 0 ignores the slopes.
    hidden : int or sequence of int, default=(30,)
        Number of units in each hidden layer; an empty list gives none.
    unit : {"sigmoid", "tanh", "rectified", "linear", "softmax"}, default="sigmoid"
        Kind of the hidden units.
    loss : {"cross_entropy", "squared"}, default="squared"
        Error of an example: cross entropy, or half the sum of squares.
    solver : {"auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs"}, default="auto"
        Optimisation algorithm; auto uses lbfgs, or adam for many rows.
    learning_rate : float, optional
        Step size; None means 0.1 for gradient and 0.003 for adam.
    momentum : float, default=0.0
        Fraction of the previous step added to each step of gradient.
    weight_decay : float, default=0.02
        Penalty on the sum of squared weights.
    batch_size : int or "all", optional
        Number of rows per update; None means 1 for gradient and 200 for adam.
    max_epochs : int, default=300
        Maximum number of passes over the rows.
    tol : float, default=1e-06
        Smallest decrease of the loss that counts as progress; 0 trains for all epochs.
    targets : (float, float), default=(0.1, 0.9)
        Target outputs for other classes and for the own class, with the squared error.
    init : float, "glorot", "zero_inputs" or None, default="glorot"
        Range or distribution of the initial weights; None starts from those of `network`.
    validation : float, splitter or (X, y), optional
        Validation rows for early stopping: a fraction, a splitter (its first split) or (X, y).
    patience : int, optional
        Number of checks without improvement before training stops; None trains for all epochs.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns.
    n_networks : int, default=1
        Number of networks with different initial weights, whose outputs are averaged.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : NeuralClassNetwork

    See Also
    --------
    TangentPropRegressor : A network for numbers with given slopes.
    EBNN : A network with slopes explained by a theory.

    References
    ----------
    P. Simard, B. Victorri, Y. LeCun and J. Denker (1992). Tangent prop: a formalism for specifying selected
    invariances in an adaptive network. NIPS 4, 895-903.

    Examples
    --------
    >>> from induce.knowledge import Invariance
    >>> stays = Invariance(lambda rows, amount: rows + amount)  # what matters is the difference of two columns
    >>> X, y = [[1.0, 2.0], [2.0, 1.0], [1.5, 2.5], [2.5, 1.5]], ["more", "less", "more", "less"]
    >>> learner = TangentProp(invariances=[stays], hidden=3, scale=None).fit(X, y)
    >>> learner.predict([[9.0, 10.0], [10.0, 9.0]]).tolist()
    ['more', 'less']
    """

    hypothesis_: NeuralClassNetwork
    network, precision, warm_start = None, "double", False

    def __init__(
        self,
        *,
        invariances: Sequence[Invariance] = (),
        mu: float = 1.0,
        hidden: int | Sequence[int] = (30,),
        unit: str = "sigmoid",
        loss: str = "squared",
        solver: str = "auto",
        learning_rate: float | None = None,
        momentum: float = 0.0,
        weight_decay: float = 0.02,
        batch_size: int | str | None = None,
        max_epochs: int = 300,
        tol: float = 1e-6,
        targets: tuple[float, float] = (0.1, 0.9),
        init: float | str | None = "glorot",
        validation: Any = None,
        patience: int | None = None,
        scale: str | None = "standard",
        n_networks: int = 1,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.invariances = invariances
        self.mu = mu
        self.hidden = hidden
        self.unit = unit
        self.loss = loss
        self.solver = solver
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.tol = tol
        self.targets = targets
        self.init = init
        self.validation = validation
        self.patience = patience
        self.scale = scale
        self.n_networks = n_networks
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, slopes: Any = None) -> Self:
        """Learn from a table, the class of each row, and optionally slopes.

        Parameters
        ----------
        X : frame or array
            Table from pandas, polars or pyarrow, or an array; values may be missing.
        y : series, array or list
            Class of each row.
        sample_weight : array, optional
            Weight of each row. Whole numbers count rows; other weights are relative, and are normalised to
            sum to the number of rows.
        slopes : frame or array, optional
            Derivative of the probability of the second of two classes by each numeric column, one row per
            example; NaN if unknown.
        """
        self._given = slopes
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self._given = None

    def _learn(self, reading: ClassReading) -> NeuralClassNetwork:
        if self._given is not None and len(reading.classes) != 2:
            raise InputError(
                f"slopes are those of the second of two classes, but there are {len(reading.classes)} "
                "classes; give invariances instead"
            )
        return super()._learn(reading)
