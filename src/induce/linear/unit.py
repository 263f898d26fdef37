"""A single unit as an objective: linear, threshold or sigmoid (Mitchell §4.4, §4.5.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.linear._loops import LINEAR, SIGMOID, THRESHOLD, unit_pass
from induce.statistics.logistic import sigmoid

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

KINDS = {"linear": LINEAR, "threshold": THRESHOLD, "sigmoid": SIGMOID}


class Unit:
    """Error of a unit over training rows: ½ Σ (t - o)², or for a threshold unit the number of misclassified
    rows.

    A threshold unit has no gradient; -(t - o) x is used instead, which makes descent the perceptron rule.

    Parameters
    ----------
    x : array of float, shape (rows, inputs)
        Inputs; the first belongs to the bias.
    targets : array of float
        Target of each row.
    weights : array of float, optional
        Weight of each row; 1 by default.
    kind : {"linear", "threshold", "sigmoid"}
        Kind of the unit.
    half : bool
        Whether the error is ½ Σ (t - o)²; without the factor ½ updates are twice as large.
    low, high : float
        Outputs of a threshold unit.
    fires : bool
        Whether a threshold unit returns `high` if its net input is exactly 0.
    averaged : bool
        Whether the weights after each example are summed for averaging.
    pocket : bool
        Whether the weights with the fewest mistakes are kept.
    """

    def __init__(
        self,
        x: Floats,
        targets: Floats,
        kind: str = "linear",
        *,
        weights: Floats | None = None,
        half: bool = True,
        low: float = -1.0,
        high: float = 1.0,
        fires: bool = False,
        averaged: bool = False,
        pocket: bool = False,
    ) -> None:
        self.x = np.ascontiguousarray(x, np.float64)
        self.targets = np.ascontiguousarray(targets, np.float64)
        given = np.ones(len(self.targets)) if weights is None else weights
        self.weights = np.ascontiguousarray(given, np.float64)
        self.kind, self.factor = KINDS[kind], 1.0 if half or kind == "threshold" else 2.0
        self.low, self.high, self.fires = float(low), float(high), bool(fires)
        self.n_rows, self.n_parameters = self.x.shape
        self.total = np.zeros(self.n_parameters if averaged else 0)
        self.count = 0
        self.pocket = np.zeros(self.n_parameters if pocket else 0)
        self.tally = np.array([0.0, -1.0, np.inf, 0.0])

    def outputs(self, w: Floats, rows: Rows | None = None) -> Floats:
        """Return the outputs of the unit for the given rows; None stands for all."""
        x = self.x if rows is None else self.x[rows]
        net = x @ w
        if self.kind == LINEAR:
            return np.asarray(net)
        if self.kind == SIGMOID:
            return sigmoid(net)
        clear = np.abs(net) > 1e-12 * (np.abs(x) @ np.abs(w))
        return np.where(np.where(clear, net > 0, self.fires), self.high, self.low)

    def loss(self, w: Floats, rows: Rows | None = None) -> float:
        """Return the error over some or all rows."""
        error = (self.targets if rows is None else self.targets[rows]) - self.outputs(w, rows)
        weights = self.weights if rows is None else self.weights[rows]
        if self.kind == THRESHOLD:
            return float(weights @ (error != 0))
        return 0.5 * self.factor * float(weights @ (error * error))

    def gradient(self, w: Floats, rows: Rows | None = None) -> tuple[float, Floats]:
        """Return the error over some or all rows, and its gradient."""
        said = self.outputs(w, rows)
        error = (self.targets if rows is None else self.targets[rows]) - said
        slope = said * (1.0 - said) if self.kind == SIGMOID else 1.0
        x = self.x if rows is None else self.x[rows]
        weights = self.weights if rows is None else self.weights[rows]
        return self.loss(w, rows), -self.factor * (x.T @ (weights * error * slope))

    def epoch(self, w: Floats, memory: Floats, order: Rows, rates: Floats, momentum: float) -> float:
        """Update the weights in place after each row of `order`; return the sum of the errors before each update."""
        chosen: Any = repeated(unit_pass, 3.0 * len(order) * self.n_parameters)
        self.count += len(order)
        return float(
            chosen(
                self.x,
                self.targets,
                self.weights,
                w,
                memory,
                order,
                rates,
                float(momentum),
                self.kind,
                self.factor,
                self.low,
                self.high,
                self.fires,
                self.total,
                self.pocket,
                self.tally,
            )
        )

    def best(self, w: Floats) -> Floats:
        """Return the pocket weights, or `w` if it makes no more mistakes."""
        return w.copy() if self.loss(w) <= self.tally[2] else self.pocket.copy()

    def average(self) -> Floats:
        """Return the mean of the weights after each example."""
        return self.total / max(1, self.count)
