"""Neural networks that predict a class (Mitchell, chapter 4; AIMA §18.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.parameter_kinds import Number
from induce.core.parameters import Declared, several
from induce.core.randomness import RandomState
from induce.core.values import Value, plain
from induce.data.numeric_view import Floats, NumericView
from induce.data.schema import Schema
from induce.data.table import as_table
from induce.data.training import must_be_as_begun, validation_table
from induce.estimators import ClassReading, TableClassifier
from induce.neural.hypothesis import NeuralClassNetwork
from induce.neural.learners.base import LOSS, NeuralNetworkLearner
from induce.neural.network import Network
from induce.neural.record import TrainingRecord


class NeuralNetworkClassifier(NeuralNetworkLearner, TableClassifier):
    """A neural network that predicts a class, trained by gradient descent (BACKPROPAGATION, Mitchell Table 4.2).

    Two classes share one sigmoid output; more classes have one output each: a softmax with cross entropy, or
    sigmoid units with squared error. Numeric columns are standardised, and a nominal column becomes one
    indicator per value. A missing number is replaced by the mean of its column, a missing or unseen category
    by the relative frequencies of the categories in training.

    The objective is the sum of the errors of the examples plus `weight_decay` times the sum of squared weights,
    divided by the number of rows.

    Parameters
    ----------
    hidden : int or sequence of int, default=(30,)
        Number of units in each hidden layer; ``()`` gives none.
    unit : {"sigmoid", "tanh", "rectified", "linear", "softmax"}, default="sigmoid"
        Kind of the hidden units.
    network : Network, optional
        Network of any architecture to train instead of layers, with one output per class or a single one for
        two classes. Its frozen weights are not changed.
    loss : {"cross_entropy", "squared"}, default="cross_entropy"
        Loss of an example: cross entropy, or half the sum of squared errors.
    solver : {"auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs"}, default="auto"
        Optimisation algorithm. ``"gradient"`` is the book's rule, updating after each example unless
        `batch_size` is given; ``"levenberg"`` needs the squared error. ``"auto"`` uses L-BFGS for up to 5,000
        rows, otherwise Adam.
    learning_rate : float, optional
        Step size of gradient (0.1 by default) and Adam (0.003), applied to the mean gradient of a batch.
    momentum : float, default=0.0
        Fraction of the previous step added to each step of gradient (Mitchell eq. 4.18).
    weight_decay : float, default=0.2
        Penalty on the sum of squared weights; larger values give smoother functions.
    batch_size : int or "all", optional
        Number of rows per update; by default 1 for gradient, 200 for Adam, and all rows for the others.
    max_epochs : int, default=300
        Maximum number of passes over the rows.
    tol : float, default=1e-06
        Smallest relative decrease of the loss that counts as progress; 0 trains for all epochs.
    targets : (float, float), default=(0.1, 0.9)
        Target outputs for other classes and for the unit's own class, with the squared error. Finite weights
        can reach 0.1 and 0.9, but not 0 and 1.
    init : float, "glorot", "zero_inputs" or None, default="glorot"
        Range or distribution of the initial weights; None starts from those of `network`.
    validation : float, splitter or (X, y), optional
        Validation rows for early stopping; the weights with the lowest validation error are kept. A fraction of the
        rows, a splitter whose first split is used, or a table with its classes.
    patience : int, optional
        Number of checks without a new lowest validation error before training stops; None trains for all epochs and
        returns the best weights.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns: by standard deviation, by range, or none.
    precision : {"double", "single"}, default="double"
        Floating-point precision of batches; single precision is faster for large networks.
    warm_start : bool, default=False
        Whether `fit` continues from the previous fit; on the same rows it takes the same steps as an uninterrupted
        training.
    n_networks : int, default=1
        Number of networks with different initial weights, whose outputs are averaged (a committee).
    class_weight : dict or "balanced", optional
        Weights of the classes.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed of the initial weights and of the order of rows.

    Attributes
    ----------
    hypothesis_ : NeuralClassNetwork
    history_ : TrainingRecord
        Training record.

    See Also
    --------
    NeuralNetworkRegressor : Neural networks for regression.
    LogisticRegression : A linear model of classes.
    KBANN : Networks that start from rules.

    References
    ----------
    D. E. Rumelhart, G. E. Hinton and R. J. Williams (1986). Learning representations by back-propagating errors.
    Nature 323, 533-536.

    Examples
    --------
    >>> import induce
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> network = NeuralNetworkClassifier(hidden=4, weight_decay=0.001, random_state=1).fit(X, y)
    >>> network.predict(X).tolist()
    ['no', 'yes', 'yes', 'no']
    """

    parameters: ClassVar[Declared] = {
        "loss": LOSS,
        "targets": several(
            "Target outputs for other classes and for the own class, with the squared error.",
            Number(at_least=0, at_most=1),
            "two numbers from 0 to 1",
            n=2,
        ),
    }
    hypothesis_: NeuralClassNetwork

    def __init__(
        self,
        *,
        hidden: int | Sequence[int] = (30,),
        unit: str = "sigmoid",
        network: Network | None = None,
        loss: str = "cross_entropy",
        solver: str = "auto",
        learning_rate: float | None = None,
        momentum: float = 0.0,
        weight_decay: float = 0.2,
        batch_size: int | str | None = None,
        max_epochs: int = 300,
        tol: float = 1e-6,
        targets: tuple[float, float] = (0.1, 0.9),
        init: float | str | None = "glorot",
        validation: Any = None,
        patience: int | None = None,
        scale: str | None = "standard",
        precision: str = "double",
        warm_start: bool = False,
        n_networks: int = 1,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.hidden = hidden
        self.unit = unit
        self.network = network
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
        self.precision = precision
        self.warm_start = warm_start
        self.n_networks = n_networks
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """Train for one pass over these rows.

        The first rows determine the columns and their scaling, and, together with `classes`, the classes.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Class of each row.
        sample_weight : array, optional
            Weight of each row.
        classes : list, optional
            All classes, if some are missing from the first rows.
        """
        known = self.__dict__.get("hypothesis_")
        if known is None:
            reading = self._read(X, y, sample_weight)
            reading = _with_classes(reading, classes)
            self.classes_ = np.unique(np.asarray(reading.classes))
            view, inputs, weights, counted = self._inputs(reading)
            network = self._network(len(view.mean), len(reading.classes))
            targets = self._targets(network, reading.labels[counted], len(reading.classes))
            task = self._task(network, view, reading.table, counted, (inputs, targets, weights))
            start = None
            schema, target, found = reading.names
        else:
            self._check_parameters()
            self._fitted(X)
            network, view = known.network, known.view
            table = as_table(X, known.schema)
            _, own, codes = self._target(y)
            self.classes_ = np.unique(np.asarray(known.classes))
            places = _places(own, known.classes)[codes]
            if len(table) != len(places):
                raise InputError(f"X has {len(table)} rows, y has {len(places)}; give one class per row")
            given = self._weights(sample_weight, self.class_weight, own, codes)
            weights = np.ones(len(places)) if given is None else given
            counted = np.flatnonzero(weights)
            inputs, weights = self._matrix(view, table, counted), weights[counted]
            targets = self._targets(network, places[counted], len(known.classes))
            task = self._task(network, view, table, counted, (inputs, targets, weights))
            start = network.weights
            schema, target, found = known.schema, known.target, known.classes
        trained, record = self._train(network, task, self.loss, epochs=1, start=start)
        self.hypothesis_ = self._hypothesis(schema, target, view, trained, record, found)
        return self

    def _learn(self, reading: ClassReading) -> NeuralClassNetwork:
        if self._before is not None:
            must_be_as_begun(self._before.schema, reading.schema, self._before.classes, reading.classes)
        view, inputs, weights, counted = self._inputs(reading)
        n = len(reading.classes)
        network = self._network(len(view.mean), n)
        labels = reading.labels[counted]
        targets = self._targets(network, labels, n)
        task = self._task(network, view, reading.table, counted, (inputs, targets, weights))
        held = None
        if isinstance(self.validation, tuple | list):
            rows, classes = self.validation
            _, own, codes = type(self)()._target(classes)
            table = validation_table(rows, reading.schema)
            odd = [plain(value) for value in own if plain(value) not in map(plain, reading.classes)]
            if odd:
                raise InputError(
                    f"validation has the class {odd[0]!r}, which does not occur in y; leave out its rows"
                )
            places = _places(own, reading.classes)[codes]
            if len(table) != len(places):
                raise InputError(
                    f"validation has {len(table)} rows and {len(places)} classes; give one class per row"
                )
            held = self._matrix(view, table), self._targets(network, places, n)
        task = self._with_held_out(task, labels, held)
        trained, record = self._train(network, task, self.loss, start=self._start(network))
        return self._hypothesis(*reading.names[:2], view, trained, record, reading.classes)

    def _hypothesis(
        self,
        schema: Schema,
        target: str,
        view: NumericView,
        trained: Network,
        record: TrainingRecord,
        classes: tuple[Value, ...],
    ) -> NeuralClassNetwork:
        """Return the hypothesis for a trained network."""
        return NeuralClassNetwork(schema, target, view, trained, record, classes, *self._ends())

    def _ends(self) -> tuple[float, float]:
        """Return the target outputs for other classes and for the unit's own class."""
        if self.loss == "cross_entropy":
            return 0.0, 1.0
        low, high = map(float, self.targets)
        if not low < high:
            raise InputError(f"targets is {self.targets!r}; give the smaller number first")
        return low, high

    def _network(self, n_inputs: int, n_classes: int) -> Network:
        single = n_classes == 2
        sigmoid = single or self.loss == "squared"
        made = self._layers(n_inputs, 1 if single else n_classes, "sigmoid" if sigmoid else "softmax")
        if made.n_outputs != n_classes and not (single and made.n_outputs == 1):
            one = ", or one output for two classes" if single else ""
            raise InputError(
                f"network has {made.n_outputs} outputs, but there are {n_classes} classes; give it one output per "
                f"class{one}"
            )
        return made

    def _targets(self, network: Network, labels: NDArray[np.int64], n_classes: int) -> Floats:
        low, high = self._ends()
        if network.n_outputs == 1 and n_classes == 2:
            return np.where(labels == 1, high, low)[:, np.newaxis]
        return np.where(labels[:, np.newaxis] == np.arange(n_classes), high, low)


def _with_classes(reading: ClassReading, classes: Any) -> ClassReading:
    """Return the reading extended by classes not seen yet."""
    if classes is None:
        return reading
    from dataclasses import replace

    announced = tuple(plain(value) for value in np.unique(np.asarray(classes)).tolist())
    return replace(reading, classes=announced, labels=_places(reading.classes, announced)[reading.labels])


def _places(own: Sequence[Any], known: Sequence[Any]) -> NDArray[np.int64]:
    """Return the index of each class among the known classes; raise an `InputError` for an unknown one."""
    listed = [plain(value) for value in known]
    for value in own:
        if plain(value) not in listed:
            raise InputError(
                f"y has the class {plain(value)!r}, for which the network has no output; give all classes to the "
                "first partial_fit, or train again with fit"
            )
    return np.array([listed.index(plain(value)) for value in own], np.int64)
