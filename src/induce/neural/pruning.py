"""Pruning: the least important connections are removed, and the network is retrained (Mitchell §4.8.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.ties import smallest_first
from induce.core.trace import emit
from induce.neural.network import Floats, Network
from induce.neural.objective import NetworkObjective
from induce.neural.units import CODES, LINEAR, SIGMOID, SOFTMAX, TANH
from induce.optimise.descent import descend
from induce.optimise.stopping import Stop

MEASURES = ("damage", "magnitude")


def hessian_diagonal(network: Network, X: Any, T: Any, loss: str = "squared") -> Floats:
    """Return the second derivative of the error for each weight, by second-order back-propagation (LeCun 1990).

    For hidden units only the squared first derivative is passed back, as in the Levenberg-Marquardt approximation;
    for weights into the outputs the result is exact.

    Parameters
    ----------
    network : Network
        Trained network.
    X, T : array
        Inputs and targets.
    loss : {"squared", "cross_entropy"}, default="squared"
        Error of an example.

    Examples
    --------
    >>> line = Network.layered(1, 1, unit="linear")
    >>> hessian_diagonal(line, [[1.0], [2.0]], [[0.0], [0.0]]).tolist()
    [2.0, 5.0]
    """
    objective = NetworkObjective(network, X, T, loss)
    plan, w = network.plan, network.weights
    said = plan.forward(w, objective.X)
    found = np.zeros_like(w)
    back: list[Any] = [None] * len(plan.declared)
    start = 0
    for place in plan.outputs:
        group = plan.declared[place]
        part = objective.T[:, start : start + group.size]
        back[place] = _curvature(CODES[group.unit], said[place], part, group.steepness, loss)
        start += group.size
    for place in reversed(plan.order):
        group = plan.declared[place]
        if group.unit == "input" or back[place] is None:
            continue
        curve = back[place]
        if place not in plan.outputs:
            curve = curve * np.square(_slope(CODES[group.unit], said[place], group.steepness))
        if group.bias:
            found[plan.blocks[group.name]] += plan.bias_gradient(group, curve)
        for link in plan.into[place]:
            source = link.source
            found[link.block] += link.gather(np.square(said[source]), curve)
            if plan.declared[source].unit != "input":
                sent = link.back(np.square(w[link.block]), curve)
                back[source] = sent if back[source] is None else back[source] + sent
    return found


def _slope(unit: int, o: Floats, k: float) -> Floats:
    if unit == SIGMOID:
        return k * o * (1.0 - o)
    if unit == TANH:
        return k * (1.0 - o * o)
    return np.asarray((o > 0).astype(np.float64)) if unit != LINEAR else np.ones_like(o)


def _curvature(unit: int, o: Floats, t: Floats, k: float, loss: str) -> Floats:
    """Return the second derivative of an example's error with respect to the net inputs of the outputs."""
    if loss == "cross_entropy":
        return k * k * o * (1.0 - o)
    if unit == SOFTMAX:
        raise InputError("a softmax with squared error cannot be pruned; train it with cross entropy")
    first = _slope(unit, o, k)
    second = np.zeros_like(o)
    if unit == SIGMOID:
        second = k * first * (1.0 - 2.0 * o)
    elif unit == TANH:
        second = -2.0 * k * o * first
    return first * first - (t - o) * second


def saliencies(network: Network, X: Any, T: Any, loss: str = "squared") -> Floats:
    """Return the saliency of each weight: the second-order increase of the error if it becomes 0, ½ h w².

    At a minimum the first derivative is 0 for every weight, so it cannot rank them.

    Parameters
    ----------
    network : Network
        Trained network.
    X, T : array
        Inputs and targets.
    loss : {"squared", "cross_entropy"}, default="squared"
        Error of an example.
    """
    return 0.5 * hessian_diagonal(network, X, T, loss) * np.square(network.weights)


def without(network: Network, weights: Any) -> Network:
    """Return the network without some connections, given by the indices of their weights.

    Parameters
    ----------
    network : Network
        Network to prune.
    weights : array of int
        Indices of the weights to remove.

    Examples
    --------
    >>> small = without(Network.layered(2, 1).with_weights([1.0, 2.0, 3.0]), [1])
    >>> small.get(("inputs", "outputs")).ravel().tolist(), small.n_weights
    ([0.0, 3.0], 2)
    """
    plan = network.plan
    gone = np.zeros(network.n_weights, bool)
    gone[np.asarray(weights, np.intp)] = True
    sizes = {group.name: group.size for group in network.groups}
    links, values = [], {}
    for link in network.links:
        if link.shares:
            raise InputError(
                f"the link from {link.source!r} to {link.target!r} shares its weights and cannot be "
                "pruned; keep its weights"
            )
        if link.window is not None:
            raise InputError(
                f"the link from {link.source!r} to {link.target!r} sees planes through a window and "
                "cannot be pruned; keep its weights"
            )
        block = plan.blocks[link.source, link.target]
        shape = (sizes[link.source], sizes[link.target])
        places = np.arange(shape[0] * shape[1]).reshape(shape) if link.places is None else link.places
        kept = np.flatnonzero(~gone[block])
        number = np.full(block.stop - block.start, -1)
        number[kept] = np.arange(len(kept))
        links.append(replace(link, places=np.where(places >= 0, number[np.maximum(places, 0)], -1)))
        values[link.source, link.target] = np.where(gone[block], 0.0, network.weights[block])[
            np.maximum(places, 0)
        ]
    pruned = Network.of(network.groups, links, network.outputs)
    for group in network.groups:
        if group.bias and group.unit != "input":
            pruned = pruned.set(group.name, network.get(group.name))
    for where, matrix in values.items():
        pruned = pruned.set(where, matrix)
    return pruned


@dataclass(frozen=True)
class PruningStep:
    """A network during pruning: its connections, and its mean loss on the training and the validation set."""

    connections: int
    loss: float
    validation: float


@dataclass(frozen=True, eq=False)
class Pruned:
    """The last network before the error rose, and the pruning steps.

    Parameters
    ----------
    network : Network
        Last network before the error rose.
    steps : tuple of PruningStep
        Pruning steps, the unpruned network first.
    """

    network: Network
    steps: tuple[PruningStep, ...]

    def __str__(self) -> str:
        first, last = self.steps[0], self.steps[-1]
        return (
            f"{network_connections(self.network)} of {first.connections} connections; tried down to "
            f"{last.connections}"
        )


def network_connections(network: Network) -> int:
    """Return the number of weights that are not biases."""
    biases = sum(group.size for group in network.groups if group.bias and group.unit != "input")
    return network.n_weights - biases


def prune(
    network: Network,
    X: Any,
    T: Any,
    *,
    measure: str = "damage",
    validation: tuple[Any, Any] | None = None,
    loss: str = "squared",
    weight_decay: float = 0.0,
    share: float = 0.2,
    tolerance: float = 0.05,
    max_epochs: int = 200,
) -> Pruned:
    """Remove a fraction of the connections and retrain, as long as the error does not rise.

    Parameters
    ----------
    network : Network
        A trained network.
    X, T : array
        Inputs and targets.
    measure : {"damage", "magnitude"}
        Pruning criterion: least saliency ½ h w² (optimal brain damage), or least magnitude.
    validation : (X, T), optional
        Examples on which the error is measured; the training examples by default.
    loss : {"squared", "cross_entropy"}
        Error of an example.
    weight_decay : float
        Penalty on the sum of squared weights.
    share : float
        Fraction of the connections removed at each step; at least one is removed.
    tolerance : float
        Relative amount by which the mean error may exceed that of the unpruned network.
    max_epochs : int
        Maximum number of steps of each training.

    Examples
    --------
    >>> X = np.array([[-1.0, 2.0], [0.0, -1.0], [1.0, 0.5], [2.0, 1.0]])
    >>> line = Network.layered(2, 1, unit="linear").with_weights([0.0, 2.0, 0.001])
    >>> print(prune(line, X, 2 * X[:, :1], tolerance=0.0).network.get(("inputs", "outputs")).ravel().round(3))
    [2. 0.]
    """
    one_of("measure", measure, MEASURES)
    if not 0 < share < 1:
        raise InputError(f"share is {share!r}; give a fraction between 0 and 1")
    now = _trained(network, X, T, loss, weight_decay, max_epochs)
    steps = [_step(now, X, T, validation, loss)]
    limit = steps[0].validation + tolerance * abs(steps[0].validation) + 1e-9
    best = now
    while network_connections(now) > 1:
        now = without(now, _least(now, X, T, loss, measure, share))
        now = _trained(now, X, T, loss, weight_decay, max_epochs)
        steps.append(_step(now, X, T, validation, loss))
        emit("prune", connections=steps[-1].connections, loss=steps[-1].loss)
        if steps[-1].validation > limit:
            break
        best = now
    return Pruned(best, tuple(steps))


def optimal_brain_damage(network: Network, X: Any, T: Any, **settings: Any) -> Pruned:
    """Remove the connections of least saliency ½ h w² and retrain, as long as the error does not rise.

    The settings are the same as for `prune`.

    Parameters
    ----------
    network : Network
        Trained network.
    X, T : array
        Inputs and targets.
    **settings
        Further arguments of `prune`.
    """
    return prune(network, X, T, measure="damage", **settings)


def _least(network: Network, X: Any, T: Any, loss: str, measure: str, share: float) -> Any:
    """Return the indices of the least important weights, excluding biases."""
    size = saliencies(network, X, T, loss) if measure == "damage" else np.abs(network.weights)
    biases = np.zeros(network.n_weights, bool)
    for group in network.groups:
        if group.bias and group.unit != "input":
            biases[network.plan.blocks[group.name]] = True
    order = [k for k in smallest_first(size).tolist() if not biases[k]]
    return order[: max(1, int(share * len(order)))]


def _trained(network: Network, X: Any, T: Any, loss: str, decay: float, max_epochs: int) -> Network:
    objective = NetworkObjective(network, X, T, loss, decay, None, True)
    stop = Stop(max_epochs=max_epochs, tolerance=1e-8, patience=3)
    return network.with_weights(descend(objective, network.weights, direction="lbfgs", stop=stop).w)


def _step(network: Network, X: Any, T: Any, validation: tuple[Any, Any] | None, loss: str) -> PruningStep:
    own = NetworkObjective(network, X, T, loss, 0.0, None, True).loss(network.weights)
    held = own
    if validation is not None:
        held = NetworkObjective(network, *validation, loss, 0.0, None, True).loss(network.weights)
    return PruningStep(network_connections(network), own, held)
