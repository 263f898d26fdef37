"""Error of a network on examples, as the objective of gradient descent (Mitchell §4.5 and §4.8.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.neural._loops import back_propagate
from induce.neural._sparse_loops import back_propagate_sparse
from induce.neural.network import Network
from induce.neural.slopes import Slopes, by_weights, output_seeds
from induce.neural.units import RANGES

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LOSSES = ("squared", "cross_entropy")
CELLS = 250_000
"""Maximum number of unit outputs held at a time when all rows are run through the network."""


@dataclass(eq=False)
class NetworkObjective:
    """The error of a network on examples.

    It is the sum over examples of the error times the row weight, plus ``weight_decay`` times the sum of the
    squared weights. The error of an example is half the sum of squares of ``target - output``, or the cross
    entropy of targets and outputs. A subset of the rows carries a proportional part of the decay.

    Parameters
    ----------
    network : Network
        Structure of the network; the weights are passed to each method.
    X, T : array
        Inputs and targets, one row per example; inputs may be a sparse matrix. With updates after each example and
        no momentum, the cost of a sparse row is proportional to its nonzero inputs.
    loss : {"squared", "cross_entropy"}
    loss_name : {"squared", "cross_entropy"}, default="squared"
        Error of an example.
    weight_decay : float
        Penalty on the sum of squared weights.
    row_weights : array, optional
        Weight of each row; 1 by default.
    average : bool
        Whether sums are divided by the total row weight, so that steps do not grow with the number of rows.
    dtype : dtype
        Data type of batches; updates after each example use float64.
    slopes : Slopes, optional
        Target slopes of the network at the examples, as a term of the error.

    Examples
    --------
    >>> objective = NetworkObjective(Network.layered(1, 1, unit="linear"), [[1.0], [2.0]], [[2.0], [4.0]])
    >>> objective.loss(np.array([0.0, 1.0]))
    2.5
    >>> objective.gradient(np.array([0.0, 1.0]))[1].tolist()
    [-3.0, -5.0]
    """

    network: Network
    X: Any
    T: Any
    loss_name: str = "squared"
    weight_decay: float = 0.0
    row_weights: Any = None
    average: bool = False
    dtype: Any = np.float64
    slopes: Slopes | None = None
    n_parameters: int = field(init=False)
    n_rows: int = field(init=False)

    def __post_init__(self) -> None:
        self._sparse = hasattr(self.X, "tocsr")
        if self._sparse and self.network.has_windows:
            self.X, self._sparse = self.X.toarray(), False
        if self._sparse:
            self.X = self.X.tocsr().astype(self.dtype)
            self.X.sum_duplicates()
        else:
            self.X = np.ascontiguousarray(np.atleast_2d(self.X), self.dtype)
        self.T = np.ascontiguousarray(np.atleast_2d(self.T), self.dtype)
        self.n_parameters, self.n_rows = self.network.n_weights, self.X.shape[0]
        weights = np.ones(self.n_rows) if self.row_weights is None else self.row_weights
        self.row_weights = np.ascontiguousarray(weights, self.dtype)
        self._mean_weight = float(self.row_weights.mean()) if self.n_rows else 1.0
        self._uniform = bool((self.row_weights == 1).all())
        plan = self.network.plan
        if self.X.shape[1] != plan.n_inputs or self.T.shape != (self.n_rows, plan.n_outputs):
            raise InputError(
                f"there are {self.X.shape[1]} inputs and targets of shape {self.T.shape}, but the "
                f"network has {plan.n_inputs} inputs and {plan.n_outputs} outputs; give one column for "
                "each"
            )
        if plan.delayed:
            raise InputError("the network has delayed links; train it with RecurrentNetwork, or unfold it")
        check_loss(self.network, self.T, self.loss_name)
        if self.slopes is not None:
            self.slopes = self.slopes.for_shape(self.n_rows, plan.n_outputs, plan.n_inputs)

    @property
    def is_mean(self) -> bool:
        """Whether losses are means over rows."""
        return self.average

    @property
    def _rows_at_once(self) -> int:
        """Number of rows whose unit outputs fit into cache; sparse inputs take no space."""
        plan = self.network.plan
        return max(1, CELLS // max(1, plan.n_units - (plan.n_inputs if self._sparse else 0)))

    def loss(self, w: Array, rows: Ints | None = None) -> float:
        """Return the error of the given rows, or of all."""
        X, T, v = self._rows(rows)
        w = np.asarray(w, self.dtype)
        total = 0.0
        step = self._rows_at_once
        for start in range(0, len(T), step):
            part = slice(start, start + step)
            with np.errstate(over="ignore", invalid="ignore"):
                states = self.network.plan.forward(w, X[part])
                total += self._error(self.network.plan.chosen(states), T[part], v[part])
                total += self._slope_error(w, states, rows, part, v[part])
        return self._scaled(total, len(T), w)

    def gradient(self, w: Array, rows: Ints | None = None) -> tuple[float, Array]:
        """Return the error of the given rows, or of all, and its gradient, by back-propagation in one batch."""
        X, T, v = self._rows(rows)
        plan = self.network.plan
        w = np.asarray(w, self.dtype)
        scale, gradient = self._scale(len(T)), None
        total = 0.0
        step = self._rows_at_once
        for start in range(0, len(T), step):
            part = slice(start, start + step)
            with np.errstate(over="ignore", invalid="ignore"):
                kept: dict[tuple[int, int], Any] = {}
                states = plan.forward(w, X[part], kept)
                said = plan.chosen(states)
                total += self._error(said, T[part], v[part])
                misses = said - T[part]
                if scale != 1.0:
                    misses *= scale
                if not self._uniform:
                    misses *= v[part, np.newaxis]
                given = self.loss_name == "cross_entropy"
                if given:
                    misses *= self._steepness()
                found = plan.backward(w, states, misses, given, kept)
                if self.slopes is not None:
                    total += self._slope_error(w, states, rows, part, v[part] * scale, found) / scale
                gradient = found if gradient is None else gradient + found
        if gradient is None:
            gradient = np.zeros_like(w)
        decay = self.weight_decay * len(T) / max(1, self.n_rows) * scale
        with np.errstate(over="ignore", invalid="ignore"):
            if decay:
                gradient += (2.0 * decay) * w
            if not plan.is_free:
                gradient *= plan.factor.astype(w.dtype)
        return self._scaled(total, len(T), w), gradient.astype(np.float64, copy=False)

    def epoch(self, w: Floats, memory: Floats, order: Ints, rates: Floats, momentum: float) -> float:
        """Update the weights in place after each example, in a given order of rows; return the sum of the errors.

        `rates` holds a learning rate per example; `memory` holds the last change of each weight, for
        momentum.
        """
        plan = self.network.plan
        if self.slopes is not None:
            return self._by_example(w, memory, order, rates, momentum)
        # with momentum every weight changes at every example, whatever its input
        if self._sparse and plan.is_direct and not momentum:
            return self._sparse_epoch(w, order, rates)
        work = (8.0 * plan.n_weights + 20.0 * plan.n_units) * len(order)
        scale, total = self._scale(1), 0.0
        rates = np.ascontiguousarray(rates, np.float64) * scale
        # sparse rows are converted to dense ones in batches; the loop skips the zeros
        step = max(1, CELLS // max(1, plan.n_inputs)) if self._sparse else max(1, len(order))
        for start in range(0, len(order), step):
            rows = np.ascontiguousarray(order[start : start + step], np.int64)
            X, T, v, own = self.X, self.T, self.row_weights, rows
            if self._sparse:
                X, T, v, own = X[rows].toarray(), T[rows], v[rows], np.arange(len(rows))
            with np.errstate(over="ignore", invalid="ignore"):
                total += sized(back_propagate, work)(
                    plan.groups,
                    plan.facts,
                    plan.links,
                    plan.places,
                    plan.factor,
                    X,
                    T,
                    v,
                    own,
                    w,
                    memory,
                    rates[start : start + step],
                    float(momentum),
                    self.weight_decay / max(1, self.n_rows),
                    LOSSES.index(self.loss_name),
                    plan.is_direct,
                )
        return self._with_decay(total, w, len(order)) * scale

    def _sparse_epoch(self, w: Floats, order: Ints, rates: Floats) -> float:
        """Update the weights after each example, only at nonzero inputs."""
        plan, X = self.network.plan, self.X
        scale, seen = self._scale(1), plan.links[:, 0] < plan.n_inputs
        sizes = plan.links[:, 3] * np.where(seen, X.nnz / max(1, self.n_rows), plan.links[:, 1])
        work = (8.0 * float(sizes.sum()) + 20.0 * (plan.n_units - plan.n_inputs)) * len(order)
        with np.errstate(over="ignore", invalid="ignore"):
            total = sized(back_propagate_sparse, work)(
                plan.groups,
                plan.facts,
                plan.links,
                plan.places,
                X.indptr,
                X.indices,
                X.data,
                plan.n_inputs,
                self.T,
                self.row_weights,
                np.ascontiguousarray(order, np.int64),
                w,
                np.ascontiguousarray(rates, np.float64) * scale,
                self.weight_decay / max(1, self.n_rows),
                LOSSES.index(self.loss_name),
            )
        return self._with_decay(total, w, len(order)) * scale

    def _with_decay(self, total: float, w: Array, n: int) -> float:
        """Return an error plus the part of the weight decay for n rows."""
        if not self.weight_decay:
            return total
        with np.errstate(over="ignore", invalid="ignore"):
            return total + self.weight_decay * n / max(1, self.n_rows) * float(np.square(w).sum())

    def _by_example(self, w: Floats, memory: Floats, order: Ints, rates: Floats, momentum: float) -> float:
        """Update the weights after each example, with its own gradient."""
        total = 0.0
        for row, rate in zip(order.tolist(), rates.tolist(), strict=True):
            loss, gradient = self.gradient(w, np.array([row]))
            total += loss
            memory *= momentum
            memory -= rate * gradient
            w += memory
        return total

    def residuals(self, w: Floats) -> tuple[Floats, Floats]:
        """Return the residuals r (outputs minus targets) and their Jacobian J with respect to the weights.

        ``½ r·r`` is the squared error, decay included; Levenberg-Marquardt minimises it.
        """
        plan = self.network.plan
        if self.loss_name != "squared":
            raise InputError(
                "residuals are defined only for the squared error; use another solver for cross entropy"
            )
        if self.slopes is not None:
            raise InputError("residuals do not include slopes; use another solver for training with slopes")
        states = plan.forward(w, self.X.toarray() if self._sparse else self.X)
        said = plan.chosen(states)
        root = np.sqrt(self.row_weights * self._scale(self.n_rows))
        jacobian = np.empty((self.n_rows, plan.n_outputs, plan.n_weights))
        for k in range(plan.n_outputs):
            jacobian[:, k] = by_weights(plan, w, states, output_seeds(plan, self.n_rows, k)) * plan.factor
        jacobian *= root[:, np.newaxis, np.newaxis]
        r = ((said - self.T) * root[:, np.newaxis]).ravel()
        J = jacobian.reshape(-1, plan.n_weights)
        if self.weight_decay:
            push = np.sqrt(2.0 * self.weight_decay * self._scale(self.n_rows))
            r, J = np.concatenate([r, push * w]), np.concatenate([J, push * np.diag(plan.factor)])
        return r, J

    def _slope_error(
        self,
        w: Array,
        states: list[Array],
        rows: Ints | None,
        part: slice,
        v: Array,
        gradient: Array | None = None,
    ) -> float:
        """Return the error in the slopes on a subset of the rows, and add its gradient."""
        if self.slopes is None:
            return 0.0
        chosen = self.slopes.rows(part if rows is None else np.asarray(rows)[part])
        return chosen.error(self.network.plan, w, states, v, gradient)

    def _rows(self, rows: Ints | None) -> tuple[Any, Array, Array]:
        if rows is None:
            return self.X, self.T, self.row_weights
        return self.X[rows], self.T[rows], self.row_weights[rows]

    def _steepness(self) -> Array:
        plan = self.network.plan
        parts = [np.full(plan.declared[k].size, plan.declared[k].steepness) for k in plan.outputs]
        return np.concatenate(parts).astype(self.dtype)

    def _error(self, said: Array, T: Array, v: Array) -> float:
        if self.loss_name == "squared":
            each = 0.5 * np.square(T - said).sum(axis=1)
        else:
            each = np.zeros(len(T))
            start = 0
            for place in self.network.plan.outputs:
                group = self.network.plan.declared[place]
                part = slice(start, start + group.size)
                each += cross_entropies(said[:, part], T[:, part], group.unit)
                start += group.size
        return float(each.sum() if self._uniform else each @ v)

    def _scale(self, n: int) -> float:
        return 1.0 / max(n * self._mean_weight, 1e-300) if self.average else 1.0

    def _scaled(self, total: float, n: int, w: Array) -> float:
        return self._with_decay(total, w, n) * self._scale(n)


def cross_entropies(said: Array, T: Array, unit: str) -> Array:
    """Return the cross entropy of each row: per unit for sigmoid units, over all units for a softmax.

    Examples
    --------
    >>> cross_entropies(np.array([[0.25]]), np.array([[1.0]]), "sigmoid").round(4).tolist()
    [1.3863]
    """
    tiny = np.finfo(said.dtype).tiny
    found = T * np.log(np.maximum(said, tiny))
    if unit == "sigmoid":
        found = found + (1.0 - T) * np.log(np.maximum(1.0 - said, tiny))
    return np.asarray(-found.sum(axis=1))


def check_loss(network: Network, T: Array, loss: str) -> None:
    """Raise an `InputError` unless the output units can learn the targets with this loss."""
    if loss not in LOSSES:
        raise InputError(f"loss is {loss!r}; give one of {', '.join(map(repr, LOSSES))}")
    if not np.isfinite(T).all():
        raise InputError("some targets are not finite; leave out their rows")
    start = 0
    for name in network.outputs:
        group = network.group(name)
        part = T[:, start : start + group.size]
        start += group.size
        if group.unit == "threshold":
            raise InputError(
                f"output units {name!r} are threshold units, which have no gradient; use sigmoid "
                "units, or train them by the perceptron rule"
            )
        if loss == "cross_entropy" and group.unit not in ("sigmoid", "softmax"):
            raise InputError(
                f"output units {name!r} are {group.unit}; use sigmoid or softmax units for cross entropy"
            )
        low, high = RANGES.get(group.unit, (-np.inf, np.inf))
        if part.size and (part.min() < low or part.max() > high):
            odd = part.min() if part.min() < low else part.max()
            raise InputError(
                f"a target is {odd:.6g}, but {group.unit} output units {name!r} only range from "
                f"{low:g} to {high:g}; scale the targets, or use linear output units"
            )
