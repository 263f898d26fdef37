"""Slopes of a network: derivatives of its outputs with respect to its inputs (Mitchell §4.8.1 and §12.4).

The error in the slopes is minimised by second-order back-propagation. If the slopes of an output are g and
should be t, the gradient of ½ Σ (g - t)² equals the gradient of the output's derivative along v = g - t, with
v held fixed. Each output therefore costs one pass back to the inputs, one pass forward along v, and one pass
back through both, whatever the number of inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.neural.links import each_row
from induce.neural.plan import Plan
from induce.neural.units import CODES, SIGMOID, SOFTMAX, TANH, returned

Array = NDArray[Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Slopes:
    """Target slopes of a network at the examples, as a term of the error.

    The error of an example is increased by ``½ mu Σ (slope - target)²``, summed over the outputs and over the
    inputs or directions.

    Parameters
    ----------
    targets : array of float64, shape (examples, outputs, inputs)
        Derivative of each output with respect to each input; NaN if unknown. The axis of the outputs may be omitted
        if there is only one. A single number applies to all.
    mu : float or array, shape (examples,)
        Weight of the slopes relative to the values, for all examples or for each.
    directions : array of float64, shape (examples, directions, inputs), optional
        Directions along which derivatives are taken instead of along each input, such as the tangents of
        shifting or rotating an image (TANGENTPROP). The last axis of `targets` is then the axis of the
        directions.

    Examples
    --------
    >>> Slopes.of([[0.0, None], [1.0, 0.5]], mu=0.1).for_shape(2, 1, 2).targets.tolist()
    [[[0.0, nan]], [[1.0, 0.5]]]
    """

    targets: Floats
    mu: Floats
    directions: Floats | None = None

    @classmethod
    def of(cls, targets: Any, mu: Any = 1.0, directions: Any = None) -> Slopes:
        """Return slopes from lists or arrays; None marks an unknown slope."""
        along = None if directions is None else np.array(directions, np.float64)
        return cls(np.array(targets, np.float64), np.array(mu, np.float64), along)

    def for_shape(self, n: int, outputs: int, inputs: int) -> Slopes:
        """Return the slopes broadcast to full shape; raise an `InputError` if shapes do not match."""
        along = self.directions
        if along is not None:
            along = np.asarray(along, np.float64)
            along = along[:, np.newaxis] if along.ndim == 2 else along
            if along.ndim != 3 or (len(along), along.shape[2]) != (n, inputs):
                raise InputError(
                    f"directions of the slopes has shape {along.shape}; give the shape ({n}, "
                    f"directions, {inputs})"
                )
            if not np.isfinite(along).all():
                raise InputError("directions of the slopes contains a non-finite number; give finite numbers")
        shape = (n, outputs, inputs if along is None else along.shape[1])
        given = np.asarray(self.targets, np.float64)
        if given.ndim == 2 and outputs == 1:
            given = given[:, np.newaxis]
        if given.shape not in ((), shape):
            raise InputError(f"targets of the slopes has shape {given.shape}; give the shape {shape}")
        if np.isinf(given).any():
            raise InputError(
                "targets of the slopes contains an infinite slope; give numbers, or NaN for none"
            )
        mu = np.asarray(self.mu, np.float64)
        if mu.shape not in ((), (n,)) or not np.isfinite(mu).all() or (mu < 0).any():
            raise InputError(f"mu is invalid; give a number of at least 0, or one for each of {n} examples")
        return Slopes(np.broadcast_to(given, shape), np.broadcast_to(mu, (n,)), along)

    def rows(self, chosen: Any) -> Slopes:
        """Return the slopes of the chosen examples."""
        along = None if self.directions is None else self.directions[chosen]
        return Slopes(self.targets[chosen], self.mu[chosen], along)

    def error(
        self, plan: Plan, w: Array, said: list[Array], row_weights: Array, gradient: Array | None = None
    ) -> float:
        """Return the weighted error in the slopes of the examples, and add its gradient to the given one."""
        total, weights = 0.0, (self.mu * row_weights)[:, np.newaxis]
        for output in range(plan.n_outputs):
            wanted = self.targets[:, output]
            known = ~np.isnan(wanted)
            if not known.any() or not weights.any():
                continue
            slope = to_inputs(plan, w, said, output_seeds(plan, len(wanted), output, w.dtype))
            if self.directions is not None:
                slope = np.einsum("nmj,nj->nm", self.directions, slope)
            miss = np.where(known, slope - np.where(known, wanted, 0.0), 0.0)
            total += 0.5 * float((weights * np.square(miss)).sum())
            if gradient is not None:
                along = weights * miss
                if self.directions is not None:
                    along = np.einsum("nm,nmj->nj", along, self.directions)
                gradient += _second_order(plan, w, said, along.astype(w.dtype, copy=False), output)
        return total


def output_seeds(plan: Plan, n: int, output: int, dtype: Any = np.float64) -> dict[int, Array]:
    """Return dE/dout by group for each row, where E is one of the outputs."""
    for place in plan.outputs:
        size = plan.declared[place].size
        if output < size:
            seeds = np.zeros((n, size), dtype)
            seeds[:, output] = 1.0
            return {place: seeds}
        output -= size
    raise InputError(f"the network has {plan.n_outputs} outputs")


def blamed(plan: Plan, w: Array, said: list[Array], seeds: dict[int, Array]) -> tuple[list[Any], list[Any]]:
    """Return dE/dout and dE/dnet of each group for each row, from dE/dout of the groups in `seeds`."""
    back: list[Any] = [seeds.get(place) for place in range(len(plan.declared))]
    delta: list[Any] = [None] * len(plan.declared)
    for place in reversed(plan.order):
        group = plan.declared[place]
        if group.unit == "input" or back[place] is None:
            continue
        delta[place] = returned(CODES[group.unit], said[place], back[place], group.steepness)
        for link in plan.into[place]:
            _add(back, link.source, link.back(w[link.block], delta[place]))
    return back, delta


def to_inputs(plan: Plan, w: Array, said: list[Array], seeds: dict[int, Array]) -> Array:
    """Return the derivative with respect to each input for each row, from dE/dout of the groups in `seeds`."""
    back, _ = blamed(plan, w, said, seeds)
    n = len(next(iter(seeds.values())))
    parts = [
        np.zeros((n, group.size), w.dtype) if back[place] is None else back[place]
        for place, group in enumerate(plan.declared)
        if group.unit == "input"
    ]
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


def by_weights(plan: Plan, w: Array, said: list[Array], seeds: dict[int, Array]) -> Array:
    """Return the derivative with respect to each weight for each row, from dE/dout of the groups in `seeds`."""
    _, delta = blamed(plan, w, said, seeds)
    found = np.zeros((len(next(iter(seeds.values()))), len(w)), w.dtype)
    for place, group in enumerate(plan.declared):
        if delta[place] is None:
            continue
        if group.bias:
            own = delta[place].reshape(len(found), -1, group.cells).sum(axis=2)
            found[:, plan.blocks[group.name]] += own
        for link in plan.into[place]:
            found[:, link.block] += each_row(link, said[link.source], delta[place])
    return found


def moved(plan: Plan, w: Array, said: list[Array], V: Array) -> tuple[list[Any], list[Any]]:
    """Return the directional derivatives of each group's outputs and net inputs along V."""
    outs: list[Any] = [None] * len(plan.declared)
    nets: list[Any] = [None] * len(plan.declared)
    start = 0
    for place, group in enumerate(plan.declared):
        if group.unit == "input":
            outs[place] = V[:, start : start + group.size]
            start += group.size
    for place in plan.order:
        group = plan.declared[place]
        if group.unit != "input":
            nets[place] = plan.net(place, w, outs, len(V))
            # the Jacobian of a group is symmetric, so the backward function also propagates forward
            # derivatives
            outs[place] = returned(CODES[group.unit], said[place], nets[place], group.steepness)
    return outs, nets


def _second_order(plan: Plan, w: Array, said: list[Array], V: Array, output: int) -> Array:
    """Return the gradient of an output's directional derivative along V with respect to the weights, summed
    over rows.
    """
    outs, nets = moved(plan, w, said, V)
    gradient = np.zeros_like(w)
    by_said: list[Any] = [None] * len(plan.declared)
    by_moved: list[Any] = [None] * len(plan.declared)
    for place, seeds in output_seeds(plan, len(V), output, w.dtype).items():
        by_moved[place] = seeds
    for place in reversed(plan.order):
        group = plan.declared[place]
        if group.unit == "input" or by_moved[place] is None:
            continue
        code, steep = CODES[group.unit], group.steepness
        by_move = returned(code, said[place], by_moved[place], steep)
        by_net = _bent(code, said[place], nets[place], by_moved[place], steep)
        if by_said[place] is not None:
            by_net = by_net + returned(code, said[place], by_said[place], steep)
        if group.bias:
            gradient[plan.blocks[group.name]] += plan.bias_gradient(group, by_net)
        for link in plan.into[place]:
            gradient[link.block] += link.gather(said[link.source], by_net)
            gradient[link.block] += link.gather(outs[link.source], by_move)
            if plan.declared[link.source].unit != "input":
                _add(by_said, link.source, link.back(w[link.block], by_net))
                _add(by_moved, link.source, link.back(w[link.block], by_move))
    return gradient


def _bent(unit: int, o: Array, net: Array, error: Array, k: float) -> Array:
    """Return the derivative of error times directional derivative with respect to net input: the curvature."""
    if unit == SIGMOID:
        return np.asarray(error * net * (k * k * o * (1.0 - o) * (1.0 - 2.0 * o)))
    if unit == TANH:
        return np.asarray(error * net * (-2.0 * k * k * o * (1.0 - o * o)))
    if unit == SOFTMAX:
        mean = (o * net).sum(axis=1, keepdims=True)
        by_said = error * (net - mean) - (error * o).sum(axis=1, keepdims=True) * net
        return returned(SOFTMAX, o, by_said, 1.0)
    return np.zeros_like(o)  # piecewise linear units have no curvature


def _add(sums: list[Any], place: int, more: Array) -> None:
    sums[place] = more if sums[place] is None else sums[place] + more
