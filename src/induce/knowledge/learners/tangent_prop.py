"""TANGENTPROP for classes: a network trained by values and by slopes (Mitchell §12.4.1)."""

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
    """A network that predicts a class, and whose outputs do not change along invariances (Simard's TANGENTPROP).

    The error of an example is that of its outputs, plus `mu` times the squared slopes of the outputs along the
    tangent of each invariance: shifts and turns of a picture, or any change of a row. A tangent is as long as a usual
    amount of its change. Slopes of the probability of the second of two classes may be given to `fit` instead. Slopes
    that are wrong do harm. Without invariances and slopes it is a `NeuralNetworkClassifier`. Missing
    values and unseen categories are treated as there.

    Parameters
    ----------
    invariances : sequence of Invariance, default=()
        Changes of a row that leave its class as it is, such as `picture_invariances`.
    mu : float, default=1.0
        Weight of the slopes beside the values; 0 ignores them.
    hidden : int or sequence of int, default=(30,)
        Number of units in each hidden layer; an empty list gives none.
    unit : {"sigmoid", "tanh", "rectified", "linear", "softmax"}, default="sigmoid"
        Kind of the hidden units.
    loss : {"cross_entropy", "squared"}, default="squared"
        Error of an example: cross entropy, or half the sum of squares.
    solver : {"auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs"}, default="auto"
        Direction of descent; auto takes lbfgs, or adam for many rows.
    learning_rate : float, optional
        Step size of gradient and adam; None gives 0.1 and 0.003.
    momentum : float, default=0.0
        Share of the last step that is repeated, with gradient.
    weight_decay : float, default=0.02
        Penalty on the sum of squared weights.
    batch_size : int or "all", optional
        Number of rows per update; None gives 1 with gradient and 200 with adam.
    max_epochs : int, default=300
        Maximum number of passes over the rows.
    tol : float, default=1e-06
        Smallest gain of the loss that counts as progress; 0 trains to the end.
    targets : (float, float), default=(0.1, 0.9)
        Target outputs for other classes and for the own class, with the squared error.
    init : float, "glorot" or "zero_inputs", default="glorot"
        Range or distribution of the initial weights.
    validation : float, splitter or (X, y), optional
        Rows to stop by: a share, a splitter whose first split is taken, or a pair (X, y).
    patience : int, optional
        Checks without a new lowest validation error before training stops; None trains to the end.
    scale : {"standard", "range", None}, default="standard"
        Unit of numeric columns.
    n_networks : int, default=1
        Number of networks with different initial weights, whose outputs are averaged.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same weight in sum.
    schema : Schema or dict, optional
        Roles, orders and domains of columns beyond their types.
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
        init: float | str = "glorot",
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
        """Learn from a table, the class of each row, and perhaps slopes.

        Parameters
        ----------
        X : frame or array
            Tables of pandas, polars or pyarrow, or arrays; values may be missing.
        y : series, array or list
            The class of each row.
        sample_weight : array, optional
            Weight of each row. Whole numbers count rows; other weights are relative, and sum to the number of rows.
        slopes : frame or array, optional
            Derivative of the probability of the second of two classes by numeric columns, a row for each row; NaN
            where it is not known.
        """
        self._given = slopes
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self._given = None

    def _learn(self, reading: ClassReading) -> NeuralClassNetwork:
        if self._given is not None and len(reading.classes) != 2:
            raise InputError(
                f"slopes are those of the second of two classes, but there are {len(reading.classes)}; give "
                "invariances"
            )
        return super()._learn(reading)
