"""CascadeCorrelation: a network grown unit by unit (Fahlman and Lebiere)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.folds import hold_out
from induce.core.parameters import Declared, choice, number, whole
from induce.core.randomness import RandomState, generator
from induce.data.numeric_view import SCALES, NumericView
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.neural.cascade import grow
from induce.neural.hypothesis import NeuralClassNetwork
from induce.neural.record import TrainingRecord


class CascadeCorrelation(TableClassifier):
    """CASCADE-CORRELATION: hidden units are added one at a time, each trained once and then frozen (Mitchell §4.8.4).

    Training begins with output units connected only to the inputs. Each new unit sees the inputs and all
    earlier hidden units. Its weights maximise the covariance of its output with the residual errors; then the
    weights of the outputs are retrained. Missing values and unseen categories are treated as in
    `NeuralNetworkClassifier`.

    Parameters
    ----------
    max_units : int, default=10
        Maximum number of hidden units.
    candidates : int, default=8
        Number of candidates for each unit, trained from different random weights; the best is kept.
    enough : float, default=0.01
        Mean squared residual error at which growth stops.
    weight_decay : float, default=0.1
        Penalty on the sum of squared weights of the outputs.
    validation : float, optional
        Fraction of rows held out for validation; the number of units with the lowest validation error is kept. If
        None, only `max_units` and `enough` limit the growth, and the network may overfit.
    max_epochs : int, default=100
        Maximum number of steps for each unit and each training of the outputs.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns: by standard deviation, by range, or none.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : NeuralClassNetwork

    See Also
    --------
    NeuralNetworkClassifier : Neural networks for classification.

    References
    ----------
    S. E. Fahlman and C. Lebiere (1990). The cascade-correlation learning architecture. Advances in Neural Information
    Processing Systems 2, 524-532.

    Examples
    --------
    One hidden unit is sufficient for XOR:

    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> grown = CascadeCorrelation(weight_decay=0.001).fit(X, y)
    >>> print(grown.hypothesis_.network)
    a network of 7 weights: inputs 2, hidden1 1 sigmoid, outputs 1 sigmoid
    >>> grown.predict(X).tolist()
    ['no', 'yes', 'yes', 'no']
    """

    parameters: ClassVar[Declared] = {
        "max_units": whole("Maximum number of hidden units.", at_least=0),
        "candidates": whole("Number of candidates for each hidden unit.", at_least=1),
        "enough": number("Mean squared residual error at which growth stops.", at_least=0),
        "weight_decay": number("Penalty on the squared weights of the outputs.", at_least=0, finite=True),
        "validation": number(
            "Fraction of the rows held out to choose the number of units.", above=0, below=1, none=True
        ),
        "max_epochs": whole("Maximum number of steps for each unit.", at_least=1),
        "scale": choice("Scaling of numeric columns.", *filter(None, SCALES), none=True),
    }
    hypothesis_: NeuralClassNetwork

    def __init__(
        self,
        *,
        max_units: int = 10,
        candidates: int = 8,
        enough: float = 0.01,
        weight_decay: float = 0.1,
        validation: float | None = None,
        max_epochs: int = 100,
        scale: str | None = "standard",
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.max_units = max_units
        self.candidates = candidates
        self.enough = enough
        self.weight_decay = weight_decay
        self.validation = validation
        self.max_epochs = max_epochs
        self.scale = scale
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> NeuralClassNetwork:
        weights = reading.weight()
        counted = np.flatnonzero(weights)
        view = NumericView.of(reading.table, self.scale, reading.weights)
        X, weights, labels = view.matrix(reading.table)[counted], weights[counted], reading.labels[counted]
        n = len(reading.classes)
        T = (labels == 1)[:, np.newaxis] if n == 2 else labels[:, np.newaxis] == np.arange(n)
        T = T.astype(np.float64)
        held = None
        if self.validation is not None:
            n_held = round(float(self.validation) * len(X))
            if not 0 < n_held < len(X):
                raise InputError(
                    f"validation is {self.validation!r} of {len(X)} rows, which leaves no rows for "
                    "training or validation; give more rows or another fraction"
                )
            seed = self.random_state if isinstance(self.random_state, int | np.integer) else 0
            train, test = hold_out(labels, n_held, seed)
            held, X, T, weights = (X[test], T[test]), X[train], T[train], weights[train]
        grown = grow(
            X,
            T,
            weights,
            held,
            output="sigmoid" if n == 2 else "softmax",
            loss="cross_entropy",
            max_units=int(self.max_units),
            candidates=int(self.candidates),
            enough=float(self.enough),
            weight_decay=float(self.weight_decay),
            max_epochs=int(self.max_epochs),
            rng=generator(self.random_state),
        )
        units = np.arange(len(grown.losses))
        chosen = int(grown.held_losses.argmin()) if len(grown.held_losses) else len(units) - 1
        reason = f"{chosen} hidden {'unit' if chosen == 1 else 'units'} added"
        record = TrainingRecord(
            "cascade-correlation",
            units,
            grown.losses,
            grown.held_losses,
            chosen,
            reason,
            np.empty(0, np.int64),
            np.empty((0, 0)),
        )
        return NeuralClassNetwork(*reading.names[:2], view, grown.network, record, reading.classes, 0.0, 1.0)
