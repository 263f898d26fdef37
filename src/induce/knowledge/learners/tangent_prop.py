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
    that are wrong do harm. Without invariances and slopes it is a `NeuralNetworkClassifier`.

    Parameters
    ----------
    invariances : sequence of Invariance
        Changes of a row that leave its class as it is, such as `picture_invariances`.
    mu : float
        Weight of the slopes beside the values; 0 ignores them.
    hidden, unit, loss, solver, learning_rate, momentum, weight_decay, batch_size, max_epochs, tol, targets, init, \
validation, patience, scale, n_networks, class_weight, schema, random_state
        As in `NeuralNetworkClassifier`.

    Attributes
    ----------
    hypothesis_ : NeuralClassNetwork

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
