"""Cascade-correlation: hidden units are added one at a time, each trained once (Mitchell §4.8.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from induce.core.trace import emit
from induce.neural.network import Floats, Group, Link, Network
from induce.neural.objective import NetworkObjective
from induce.optimise.descent import descend
from induce.optimise.objective import Rows
from induce.optimise.stopping import Stop
from induce.statistics.logistic import sigmoid


@dataclass(eq=False)
class CandidateObjective:
    """Objective of a candidate unit: minus its covariance S with the residual errors, relative to their size.

    S is the sum over outputs of |Σ (V - mean V)(E - mean E)|, where V is the output of the unit and E the residual.

    Parameters
    ----------
    inputs : array, shape (rows, nodes)
        Inputs of the unit, including the constant 1.
    residuals : array, shape (rows, outputs)
    weights : array
        Weight of each row.
    """

    inputs: Floats
    residuals: Floats
    weights: Floats

    def __post_init__(self) -> None:
        self.n_rows, self.n_parameters = self.inputs.shape
        mean = self.weights @ self.residuals / self.weights.sum()
        self._centred = self.weights[:, np.newaxis] * (self.residuals - mean)
        self._size = float(np.abs(self._centred).sum()) or 1.0

    def covariance(self, w: Floats) -> float:
        """Return S of a unit with the given weights."""
        said = sigmoid(self.inputs @ w)
        return float(np.abs((said - said.mean()) @ self._centred).sum())

    def loss(self, w: Floats, rows: Rows | None = None) -> float:
        """Return minus S, relative to the size of the residuals."""
        return -self.covariance(w) / self._size

    def gradient(self, w: Floats, rows: Rows | None = None) -> tuple[float, Floats]:
        """Return minus S and its gradient; the mean output of the unit cancels because residuals are centred."""
        said = sigmoid(self.inputs @ w)
        totals = (said - said.mean()) @ self._centred
        push = (self._centred @ np.sign(totals)) * said * (1.0 - said)
        return -float(np.abs(totals).sum()) / self._size, -(push @ self.inputs) / self._size


@dataclass(frozen=True, eq=False)
class Grown:
    """A network grown by cascade-correlation, with the mean loss without hidden units and after each unit."""

    network: Network
    losses: Floats
    held_losses: Floats
    covariances: Floats


def grow(
    X: Floats,
    T: Floats,
    weights: Floats,
    held: tuple[Floats, Floats] | None,
    *,
    output: str,
    loss: str,
    max_units: int,
    candidates: int,
    enough: float,
    weight_decay: float,
    max_epochs: int,
    rng: np.random.Generator,
) -> Grown:
    """Add hidden units until the residuals are small; keep the number with the lowest validation error, if
    any.
    """
    stop = Stop(max_epochs=max_epochs, tolerance=1e-7, patience=3)
    seen, held_seen = X, None if held is None else held[0]
    hidden: list[Floats] = []
    outputs: list[Network] = []
    losses, held_losses, covariances = [], [], []
    while True:
        layer = Network.layered(seen.shape[1], T.shape[1], unit=output)
        objective = NetworkObjective(layer, seen, T, loss, weight_decay, weights, True)
        start = rng.uniform(-0.05, 0.05, layer.n_weights)
        layer = layer.with_weights(descend(objective, start, direction="lbfgs", stop=stop).w)
        outputs.append(layer)
        losses.append(objective.loss(layer.weights))
        if held is not None and held_seen is not None:
            measure = NetworkObjective(layer, held_seen, held[1], loss, 0.0, None, True)
            held_losses.append(measure.loss(layer.weights))
        residuals = T - layer(seen)
        error = float((weights @ np.square(residuals)).sum() / (weights.sum() * T.shape[1]))
        emit("unit", units=len(hidden), loss=losses[-1], error=error)
        if error <= enough or len(hidden) >= max_units:
            break
        w, covariance = _best_candidate(seen, residuals, weights, candidates, stop, rng)
        hidden.append(w)
        covariances.append(covariance)
        seen = _with_unit(seen, w)
        held_seen = None if held_seen is None else _with_unit(held_seen, w)
    n = int(np.argmin(held_losses)) if held_losses else len(hidden)
    network = _assembled(X.shape[1], hidden[:n], outputs[n], output)
    return Grown(network, np.array(losses), np.array(held_losses), np.array(covariances))


def _with_unit(seen: Floats, w: Floats) -> Floats:
    return np.column_stack([seen, sigmoid(w[0] + seen @ w[1:])])


def _best_candidate(
    seen: Floats, residuals: Floats, weights: Floats, n: int, stop: Stop, rng: np.random.Generator
) -> tuple[Floats, float]:
    """Train a pool of candidates from different initial weights; return the weights and S of the best."""
    objective = CandidateObjective(np.column_stack([np.ones(len(seen)), seen]), residuals, weights)
    starts = rng.uniform(-1.0, 1.0, (n, objective.n_parameters))
    found = [descend(objective, start, direction="lbfgs", stop=stop).w for start in starts]
    scores = [objective.covariance(w) for w in found]
    best = int(np.argmax(np.round(np.array(scores) / (max(scores) or 1.0), 9)))
    return found[best], scores[best]


def _assembled(n_inputs: int, hidden: list[Floats], last: Network, output: str) -> Network:
    """Return the whole network: each hidden unit sees the inputs and all hidden units before it."""
    names = [f"hidden{k + 1}" for k in range(len(hidden))]
    groups = [Group("inputs", n_inputs, "input"), *(Group(name, 1, frozen=True) for name in names)]
    groups.append(Group("outputs", last.n_outputs, output))
    links = [
        Link(source, name, frozen=True) for k, name in enumerate(names) for source in ["inputs", *names[:k]]
    ]
    links += [Link(source, "outputs") for source in ["inputs", *names]]
    network = Network.of(groups, links)
    for k, (name, w) in enumerate(zip(names, hidden, strict=True)):
        network = network.set(name, w[:1]).set(("inputs", name), w[1 : n_inputs + 1, np.newaxis])
        for j in range(k):
            network = network.set((names[j], name), w[n_inputs + 1 + j, np.newaxis, np.newaxis])
    weights = last.get(("inputs", "outputs"))
    network = network.set("outputs", last.get("outputs")).set(("inputs", "outputs"), weights[:n_inputs])
    for k, name in enumerate(names):
        network = network.set((name, "outputs"), weights[n_inputs + k : n_inputs + k + 1])
    return network
