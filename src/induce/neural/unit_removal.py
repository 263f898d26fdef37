"""Removal of units: redundant units are merged into others, then the least important ones are removed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.trace import emit
from induce.neural.network import Floats, Network
from induce.neural.pruning import Pruned, _step, _trained


@dataclass(frozen=True)
class RedundantUnit:
    """A hidden unit whose output is ``offset + factor`` times that of another (Sietsma and Dow 1988).

    Parameters
    ----------
    group : str
        Name of the hidden group.
    unit : int
        Index of the unit in the group.
    like : int or None
        Index of the other unit of the group; None if the output of the unit is constant.
    offset, factor : float
        Linear relation to the other unit: ``offset + factor * output``.
    misfit : float
        Root mean square residual, relative to the range of the unit.
    """

    group: str
    unit: int
    like: int | None
    offset: float
    factor: float
    misfit: float

    @property
    def kind(self) -> str:
        """``"constant"``, ``"duplicate"`` or ``"mirror"``."""
        if self.like is None:
            return "constant"
        return "duplicate" if self.factor > 0 else "mirror"

    def __str__(self) -> str:
        if self.like is None:
            return f"{self.group}[{self.unit}] is constant at {self.offset:.3g}"
        return f"{self.group}[{self.unit}] is a {self.kind} of {self.group}[{self.like}]"


def redundant_units(network: Network, X: Any, tolerance: float = 0.05) -> tuple[RedundantUnit, ...]:
    """Return the redundant hidden units: constants, and copies or mirrors of earlier units.

    Parameters
    ----------
    network : Network
        Trained network.
    X : array
        Inputs on which the units are compared.
    tolerance : float
        Maximum residual, relative to the range of the unit.

    Examples
    --------
    >>> twins = Network.layered(1, 2, 1).set(("inputs", "hidden"), [[1.0, -1.0]])
    >>> for each in redundant_units(twins, [[-1.0], [0.0], [2.0]]):
    ...     print(each)
    hidden[1] is a mirror of hidden[0]
    """
    states, found = network.states(X), []
    for name in _hidden(network):
        said = states[[group.name for group in network.groups].index(name)]
        kept: list[int] = []
        for unit in range(said.shape[1]):
            told = _like(said, unit, kept)
            if told[-1] <= tolerance:
                found.append(RedundantUnit(name, unit, *told))
            else:
                kept.append(unit)
    return tuple(found)


def merge_units(network: Network, X: Any, tolerance: float = 0.05) -> Network:
    """Return the network without its redundant units; their effect is moved to other weights and biases.

    Parameters
    ----------
    network : Network
        Trained network.
    X : array
        Inputs on which the units are compared.
    tolerance : float, default=0.05
        Maximum residual of a redundant unit, relative to its range.

    Examples
    --------
    >>> twins = Network.layered(1, 2, 1).set(("inputs", "hidden"), [[1.0, -1.0]])
    >>> twins = twins.set(("hidden", "outputs"), [[2.0], [3.0]])
    >>> merged = merge_units(twins, [[-1.0], [0.0], [2.0]])
    >>> print(merged, merged.get(("hidden", "outputs")).ravel(), merged.get("outputs"))
    a network of 4 weights: inputs 1, hidden 1 sigmoid, outputs 1 sigmoid [-1.] [3.]
    """
    for told in reversed(redundant_units(network, X, tolerance)):
        if network.group(told.group).size > 1:
            network = _folded(network, told)
    return network


def prune_units(
    network: Network,
    X: Any,
    T: Any,
    *,
    validation: tuple[Any, Any] | None = None,
    loss: str = "squared",
    weight_decay: float = 0.0,
    tolerance: float = 0.05,
    max_epochs: int = 200,
) -> Pruned:
    """Remove the least important hidden unit and retrain, as long as the error does not rise.

    A unit is replaced by its mean output; its importance is the resulting increase of the error (AIMA
    §18.7.5, §20.5).

    Parameters
    ----------
    network : Network
        A trained network.
    X, T : array
        Inputs and targets.
    validation : (X, T), optional
        Examples on which the error is measured; the training examples by default.
    loss : {"squared", "cross_entropy"}
        Error of an example.
    weight_decay : float
        Penalty on the sum of squared weights.
    tolerance : float
        Relative amount by which the mean error may exceed that of the unpruned network.
    max_epochs : int
        Maximum number of steps of each training.

    Examples
    --------
    >>> X = np.linspace(-2, 2, 9)[:, np.newaxis]
    >>> wide = Network.layered(1, 3, 1).with_weights(np.linspace(-1, 1, 10))
    >>> pruned = prune_units(wide, X, np.where(X > 0, 0.9, 0.1), weight_decay=0.01, tolerance=0.5)
    >>> pruned.network.group("hidden").size
    1
    """
    now = _trained(network, X, T, loss, weight_decay, max_epochs)
    steps = [_step(now, X, T, validation, loss)]
    limit = steps[0].validation + tolerance * abs(steps[0].validation) + 1e-9
    best = now
    while True:
        smaller = [_folded(now, told) for told in _replaceable(now, X)]
        if not smaller:
            break
        costs = [_step(each, X, T, None, loss).loss for each in smaller]
        now = _trained(smaller[int(np.argmin(costs))], X, T, loss, weight_decay, max_epochs)
        steps.append(_step(now, X, T, validation, loss))
        emit("prune", connections=steps[-1].connections, loss=steps[-1].loss)
        if steps[-1].validation > limit:
            break
        best = now
    return Pruned(best, tuple(steps))


def without_unit(network: Network, group: str, unit: int) -> Network:
    """Return the network without one unit of a hidden group, and without its connections.

    Parameters
    ----------
    network : Network
        Network to change.
    group : str
        Name of the hidden group.
    unit : int
        Index of the unit in the group.

    Examples
    --------
    >>> print(without_unit(Network.layered(2, 3, 1), "hidden", 0))
    a network of 9 weights: inputs 2, hidden 2 sigmoid, outputs 1 sigmoid
    """
    if group not in _hidden(network):
        raise InputError(
            f"group {group!r} is not hidden, so its units cannot be removed; name one of "
            f"{', '.join(map(repr, _hidden(network))) or 'none'}"
        )
    if network.group(group).shares:
        raise InputError(f"group {group!r} shares its biases, so its units cannot be removed")
    kept = [k for k in range(network.group(group).size) if k != unit]
    groups = [replace(each, size=len(kept)) if each.name == group else each for each in network.groups]
    links, values = [], {}
    for link in network.links:
        matrix = network.get((link.source, link.target))
        if group not in (link.source, link.target):
            links.append(link)
        else:
            links.append(_cut(link, matrix.shape, group, kept))
            axis = 0 if link.source == group else 1
            matrix = np.take(matrix, kept, axis=axis)
        values[link.source, link.target] = matrix
    made = Network.of(groups, links, network.outputs)
    for each in network.groups:
        if each.bias and each.unit != "input":
            bias = network.get(each.name)
            made = made.set(each.name, bias[kept] if each.name == group else bias)
    for where, matrix in values.items():
        made = made.set(where, matrix)
    return made


def _cut(link: Any, shape: tuple[int, ...], group: str, kept: list[int]) -> Any:
    """Return a link with fewer sources or targets and renumbered weights."""
    if link.shares or link.delay or link.window is not None:
        raise InputError(
            f"the link from {link.source!r} to {link.target!r} shares its weights or is delayed, so "
            "its units cannot be removed"
        )
    if link.places is None:
        return link
    places = np.take(link.places, kept, axis=0 if link.source == group else 1)
    used = np.unique(places[places >= 0])
    number = np.full(max(shape[0] * shape[1], int(places.max(initial=0)) + 1), -1)
    number[used] = np.arange(len(used))
    return replace(link, places=np.where(places >= 0, number[np.maximum(places, 0)], -1))


def _hidden(network: Network) -> list[str]:
    """Return the groups of hidden units in which one unit may duplicate another."""
    return [
        group.name
        for group in network.groups
        if group.unit not in ("input", "softmax") and group.name not in network.outputs
    ]


def _like(said: Floats, unit: int, kept: list[int]) -> tuple[int | None, float, float, float]:
    """Return the most similar unit, up to an offset and a factor, and the residual."""
    own = said[:, unit]
    best: tuple[int | None, float, float, float] = (None, float(own.mean()), 0.0, float(own.std()))
    for other in kept:
        spread = float(said[:, other].std())
        if spread <= 1e-12:
            continue
        factor = float(np.mean((own - own.mean()) * (said[:, other] - said[:, other].mean()))) / spread**2
        offset = float(own.mean() - factor * said[:, other].mean())
        misfit = float(np.sqrt(np.mean(np.square(own - offset - factor * said[:, other]))))
        if misfit < best[3] - 1e-9:
            best = (other, offset, factor, misfit)
    return best


def _folded(network: Network, told: RedundantUnit) -> Network:
    """Return the network without a unit, whose effect is moved to biases and another unit."""
    for link in network.links:
        if link.source != told.group:
            continue
        matrix = network.get((link.source, link.target))
        target = network.group(link.target)
        if target.bias:
            network = network.set(link.target, network.get(link.target) + told.offset * matrix[told.unit])
        if told.like is not None and link.places is None:
            matrix[told.like] += told.factor * matrix[told.unit]
            network = network.set((link.source, link.target), matrix)
    return without_unit(network, told.group, told.unit)


def _replaceable(network: Network, X: Any) -> list[RedundantUnit]:
    """Return every hidden unit that is not alone in its group, with its mean output."""
    return [
        RedundantUnit(name, unit, None, float(mean), 0.0, 0.0)
        for name in _hidden(network)
        if network.group(name).size > 1
        for unit, mean in enumerate(network.said(name, X).mean(axis=0))
    ]
