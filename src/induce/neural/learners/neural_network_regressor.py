"""Neural networks that predict one or more numbers (Mitchell, chapter 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from induce.core.errors import InputError
from induce.core.estimator import given_weights
from induce.core.parameter_kinds import Number, OneOf
from induce.core.parameters import Declared, choice, either
from induce.core.randomness import RandomState
from induce.data.numeric_view import Floats
from induce.data.schema import Schema
from induce.data.table import as_table
from induce.data.training import validation_table
from induce.estimators import NumberReading, TableRegressor
from induce.neural.hypothesis import NeuralNetwork
from induce.neural.learners.base import LOSS, NeuralNetworkLearner
from induce.neural.network import Network

LARGEST = 1e100
"""Largest absolute target whose square can be summed."""


class NeuralNetworkRegressor(NeuralNetworkLearner, TableRegressor):
    """A neural network that predicts one or more numbers, trained by gradient descent (Mitchell, chapter 4).

    With linear outputs, targets are standardised for training and predictions are in their original units. Sigmoid
    and tanh outputs learn unscaled targets, which must be within their range. `y` may have several columns, one per
    output. Missing values and unseen categories are treated as in `NeuralNetworkClassifier`.

    Parameters
    ----------
    output : {"linear", "sigmoid", "tanh"}, default="linear"
        Kind of the output units.
    loss : {"squared", "cross_entropy"}, default="squared"
        Loss of an example; cross entropy is for sigmoid outputs and targets that are probabilities.
    weight_decay : float or "auto", default="auto"
        Penalty on the sum of squared weights. ``"auto"`` chooses from 0.03 to 10 by cross-validation: noisy
        data need more, smooth functions less. With fewer than 50 rows, a validation set or a solver other
        than L-BFGS, it is 0.1.
    hidden : int or sequence of int, default=(10,)
        Number of units in each hidden layer; an empty list gives none.
    unit : {"linear", "sigmoid", "tanh", "softmax", "rectified"}, default="sigmoid"
        Kind of the hidden units.
    network : Network, optional
        Network to train instead of layers; frozen weights are not changed.
    solver : {"auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs"}, default="auto"
        Optimisation algorithm; auto uses lbfgs, or adam for many rows.
    learning_rate : float, optional
        Step size; None: 0.1 for gradient and 0.003 for adam.
    momentum : float, default=0.0
        Fraction of the previous step added to each step of gradient.
    batch_size : int or str, optional
        Number of rows per update; None: 1 for gradient and 200 for adam.
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
    precision : {"double", "single"}, default="double"
        Floating-point precision of batches: 64 or 32 bits.
    warm_start : bool, default=False
        Whether fit continues from the previous fit.
    n_networks : int, default=1
        Number of networks with different initial weights, whose outputs are averaged.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : NeuralNetwork
    history_ : TrainingRecord
        Training record.

    See Also
    --------
    NeuralNetworkClassifier : Neural networks for classification.
    LinearRegression : Linear regression.

    References
    ----------
    D. E. Rumelhart, G. E. Hinton and R. J. Williams (1986). Learning representations by back-propagating errors.
    Nature 323, 533-536.

    Examples
    --------
    The identity of eight values, learned through three hidden units (Mitchell §4.6.4):

    >>> X = np.eye(8)
    >>> network = NeuralNetworkRegressor(hidden=3, output="sigmoid", weight_decay=0, scale=None).fit(X, X)
    >>> bool((network.predict(X).argmax(axis=1) == np.arange(8)).all())
    True
    """

    parameters: ClassVar[Declared] = {
        "output": choice("Kind of the output units.", "linear", "sigmoid", "tanh"),
        "loss": LOSS,
        "weight_decay": either(
            "Penalty on the sum of squared weights; auto chooses by cross-validation.",
            Number(at_least=0, finite=True),
            OneOf(("auto",)),
        ),
    }
    several_outputs: ClassVar[bool] = True
    hypothesis_: NeuralNetwork

    def __init__(
        self,
        *,
        hidden: int | Sequence[int] = (10,),
        unit: str = "sigmoid",
        output: str = "linear",
        network: Network | None = None,
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
        precision: str = "double",
        warm_start: bool = False,
        n_networks: int = 1,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.hidden = hidden
        self.unit = unit
        self.output = output
        self.network = network
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
        self.precision = precision
        self.warm_start = warm_start
        self.n_networks = n_networks
        self.schema = schema
        self.random_state = random_state

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train for one pass over these rows; the first rows determine the columns and all scales.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Target value, or values, of each row.
        sample_weight : array, optional
            Weight of each row.
        """
        known = self.__dict__.get("hypothesis_")
        if known is None:
            reading = self._read(X, y, sample_weight)
            made = self._prepared(reading)
            trained, record = self._train(made["network"], made.pop("task"), self.loss, epochs=1)
            self.hypothesis_ = self._hypothesis(reading, made, trained, record)
            return self
        self._check_parameters()
        self._fitted(X)
        table = as_table(X, known.schema)
        numbers = _as_columns(self._target(y)[1])
        if numbers.shape != (len(table), len(known.names)):
            raise InputError(
                f"X has {len(table)} rows and y has shape {numbers.shape}; give {len(known.names)} "
                "targets per row, as in the first partial_fit"
            )
        given = given_weights(sample_weight, len(numbers))
        weights = np.ones(len(numbers)) if given is None else given
        counted = np.flatnonzero(weights)
        targets = (numbers - known.offset) / np.where(known.scale == 0.0, 1.0, known.scale)
        examples = self._matrix(known.view, table, counted), targets[counted], weights[counted]
        task = self._task(known.network, known.view, table, counted, examples, known.scale)
        trained, record = self._train(known.network, task, self.loss, epochs=1, start=known.network.weights)
        self.hypothesis_ = NeuralNetwork(
            known.schema, known.target, known.view, trained, record, known.names, known.offset, known.scale
        )
        return self

    def _learn(self, reading: NumberReading) -> NeuralNetwork:
        made = self._prepared(reading)
        network, task = made["network"], made.pop("task")
        held = None
        if isinstance(self.validation, tuple | list):
            rows, numbers = self.validation
            known = _as_columns(type(self)()._target(numbers)[1])
            inputs = self._matrix(made["view"], validation_table(rows, reading.schema))
            if known.shape != (len(inputs), task.T.shape[1]):
                raise InputError(
                    f"validation has {len(inputs)} rows and targets of shape {known.shape}; give "
                    f"{task.T.shape[1]} targets per row"
                )
            held = inputs, (known - made["offset"]) / made["scale"]
        task = self._with_held_out(task, task.T, held)
        trained, record = self._train(network, task, self.loss, start=self._start(network))
        made["scale"] = np.where(made.pop("constant"), 0.0, made["scale"])
        return self._hypothesis(reading, made, trained, record)

    def _prepared(self, reading: NumberReading) -> dict[str, Any]:
        """Return the view, the network to train, the scale of the targets, and the task."""
        numbers = _as_columns(reading.numbers)
        if np.abs(numbers).max() > LARGEST:
            raise InputError(f"y holds numbers beyond {LARGEST:g}, whose squares overflow; scale them down")
        view, inputs, weights, counted = self._inputs(reading)
        numbers = numbers[counted]
        network = self._layers(len(view.mean), numbers.shape[1], self.output)
        if network.n_outputs != numbers.shape[1]:
            raise InputError(
                f"network has {network.n_outputs} outputs, but y has {numbers.shape[1]} columns; give it one output "
                "per column"
            )
        offset, scale = np.zeros(numbers.shape[1]), np.ones(numbers.shape[1])
        if all(network.group(name).unit == "linear" for name in network.outputs):
            offset = weights @ numbers / weights.sum()
            spread = np.sqrt(weights @ np.square(numbers - offset) / weights.sum())
            scale = np.where(spread > 1e-12 * np.abs(numbers).max(axis=0), spread, 0.0)
        before = self._before
        if before is not None and len(before.offset) == len(offset):
            offset, scale = before.offset, before.scale
        constant = (
            scale == 0.0
        )  # constant targets: the output is fixed at 0, so that the offset is predicted exactly
        scale = np.where(constant, 1.0, scale)
        examples = inputs, (numbers - offset) / scale, weights
        return {
            "view": view,
            "network": network,
            "offset": offset,
            "scale": scale,
            "constant": constant,
            "task": self._task(network, view, reading.table, counted, examples, scale),
        }

    def _hypothesis(
        self, reading: NumberReading, made: dict[str, Any], trained: Network, record: Any
    ) -> NeuralNetwork:
        return NeuralNetwork(
            reading.schema,
            reading.target,
            made["view"],
            trained,
            record,
            reading.names,
            made["offset"],
            made["scale"],
        )


def _as_columns(numbers: Floats) -> Floats:
    return numbers[:, np.newaxis] if numbers.ndim == 1 else numbers
