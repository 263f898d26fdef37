"""Recurrent networks: delayed links, unfolded in time and trained as one acyclic network (Mitchell §4.8.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.neural.initial import initial_weights
from induce.neural.network import Floats, Group, Link, Network
from induce.neural.objective import NetworkObjective
from induce.neural.plan import link_key
from induce.neural.units import CODES, activated, returned
from induce.optimise.descent import Descent, descend
from induce.optimise.stopping import Stop
from induce.statistics.logistic import sigmoid


@dataclass(frozen=True, eq=False)
class RecurrentNetwork:
    """A network with delayed links, which feed the outputs of earlier steps back as inputs.

    Parameters
    ----------
    network : Network
        Network with some links of delay 1 or more; the other links form no cycle.
    initial : float
        Outputs of all units before the first step.

    Examples
    --------
    The network of Fig. 4.11: a unit b that sees x and its own output of the previous step, and an output y.

    >>> recurrent = RecurrentNetwork.elman(1, 1, 1)
    >>> print(recurrent.network)
    a network of 5 weights: inputs 1, hidden 1 sigmoid, outputs 1 sigmoid
    >>> recurrent.run([[1.0], [0.0], [1.0]]).ravel().tolist()
    [0.5, 0.5, 0.5]
    """

    network: Network
    initial: float = 0.0

    @classmethod
    def elman(
        cls, n_inputs: int, n_hidden: int, n_outputs: int, output: str = "sigmoid", tie: str = "sum"
    ) -> RecurrentNetwork:
        """Return a network whose hidden units see their own outputs of the previous step (Elman 1990)."""
        return cls(
            Network.of(
                [
                    Group("inputs", n_inputs, "input"),
                    Group("hidden", n_hidden),
                    Group("outputs", n_outputs, output),
                ],
                [
                    Link("inputs", "hidden", tie=tie),
                    Link("hidden", "hidden", tie=tie, delay=1),
                    Link("hidden", "outputs", tie=tie),
                ],
            )
        )

    @classmethod
    def jordan(
        cls, n_inputs: int, n_hidden: int, n_outputs: int, output: str = "sigmoid", tie: str = "sum"
    ) -> RecurrentNetwork:
        """Return a network whose hidden units see the network outputs of the previous step (Jordan 1986)."""
        made = cls.elman(n_inputs, n_hidden, n_outputs, output, tie).network
        links = [link if not link.delay else replace(link, source="outputs") for link in made.links]
        return cls(Network.of(made.groups, links))

    @classmethod
    def window(
        cls,
        n_inputs: int,
        before: int,
        n_hidden: int,
        n_outputs: int,
        output: str = "sigmoid",
        tie: str = "sum",
    ) -> RecurrentNetwork:
        """Return a network without feedback whose hidden units also see the inputs of earlier steps."""
        if before < 0:
            raise InputError(f"before is {before!r}; give the number of earlier steps as inputs")
        made = cls.elman(n_inputs, n_hidden, n_outputs, output, tie).network
        links = [link for link in made.links if not link.delay]
        links += [Link("inputs", "hidden", tie=tie, delay=delay) for delay in range(1, before + 1)]
        return cls(Network.of(made.groups, links))

    def unfolded(self, steps: int, told: Sequence[int] | None = None, shared: bool = True) -> Network:
        """Return the acyclic network with one copy per step; delayed links connect the copies.

        Parameters
        ----------
        steps : int
        told : sequence of int, optional
            Steps, counted from 1, whose outputs become outputs of the network; all by default.
        shared : bool
            Whether the copies share their weights.
        """
        if steps < 1:
            raise InputError(f"steps is {steps!r}; give at least one step")
        groups, links = [], []
        before: dict[str, Group] = {}
        for step in range(1, steps + 1):
            for group in self.network.groups:
                shares = group.name if shared else ""
                groups.append(replace(group, name=f"{group.name}@{step}", shares=shares))
            for link in self.network.links:
                source = f"{link.source}@{step - link.delay}"
                if step <= link.delay:  # units without inputs output their bias
                    size, constant = self.network.group(link.source).size, self.initial != 0
                    before[source] = Group(source, size, "linear", bias=constant, frozen=constant)
                shares = " -> ".join(map(str, link_key(link))) if shared else ""
                links.append(
                    replace(link, source=source, target=f"{link.target}@{step}", shares=shares, delay=0)
                )
        groups = [*before.values(), *groups]
        chosen = range(1, steps + 1) if told is None else told
        outputs = [f"{name}@{step}" for step in chosen for name in self.network.outputs]
        made = Network.of(groups, links, outputs)
        weights = np.full(made.n_weights, self.initial)
        for mine, theirs in self._blocks(made):
            weights[theirs] = self.network.weights[mine]
        return made.with_weights(weights)

    def folded(self, unfolded: Network) -> RecurrentNetwork:
        """Return the recurrent network with the weights of an unfolded one; differing copies are averaged."""
        total, copies = np.zeros(self.network.n_weights), np.zeros(self.network.n_weights)
        for mine, theirs in self._blocks(unfolded):
            total[mine] += unfolded.weights[theirs]
            copies[mine] += 1
        return replace(self, network=self.network.with_weights(total / np.maximum(copies, 1)))

    def _blocks(self, unfolded: Network) -> list[tuple[slice, slice]]:
        """Return the position of each weight block here and in each copy; only the first if copies share weights."""
        mine, theirs = self.network.plan.blocks, unfolded.plan.blocks
        pairs: dict[tuple[int, int], tuple[slice, slice]] = {}
        steps = max(int(group.name.rsplit("@", 1)[1]) for group in unfolded.groups)
        for step in range(1, steps + 1):
            found = [
                (mine[group.name], theirs[f"{group.name}@{step}"])
                for group in self.network.groups
                if group.name in mine
            ]
            found += [
                (mine[link_key(link)], theirs[f"{link.source}@{step - link.delay}", f"{link.target}@{step}"])
                for link in self.network.links
            ]
            for here, there in found:
                pairs.setdefault((here.start, there.start), (here, there))
        return list(pairs.values())

    def run(self, sequence: Any) -> Floats:
        """Return the outputs at each step of a sequence of inputs."""
        rows = np.atleast_2d(np.asarray(sequence, np.float64))
        step, delayed = self._step()
        if rows.shape[1] != self.network.n_inputs:
            raise InputError(
                f"the sequence has {rows.shape[1]} columns, but the network has "
                f"{self.network.n_inputs} inputs; give one column per input"
            )
        place = {group.name: k for k, group in enumerate(step.groups)}
        past: list[list[Floats]] = []  # outputs of all groups at each step
        for n, row in enumerate(rows):
            before = [
                past[n - delay][place[name]][0]
                if n >= delay
                else np.full(self.network.group(name).size, self.initial)
                for name, delay in delayed
            ]
            past.append(step.states(np.concatenate([row, *before])[np.newaxis]))
        outputs = [place[name] for name in self.network.outputs]
        return np.array([np.concatenate([said[k][0] for k in outputs]) for said in past])

    def _step(self) -> tuple[Network, list[tuple[str, int]]]:
        """Return the network of a single step, whose inputs include earlier outputs, and these outputs."""
        delayed = sorted({(link.source, link.delay) for link in self.network.links if link.delay})
        groups = [*self.network.groups]
        groups += [Group(f"{name}@-{d}", self.network.group(name).size, "input") for name, d in delayed]
        links = [
            replace(link, source=f"{link.source}@-{link.delay}", delay=0) if link.delay else link
            for link in self.network.links
        ]
        made = Network.of(groups, links, self.network.outputs)
        weights = np.zeros(made.n_weights)
        for group in self.network.groups:
            if group.name in self.network.plan.blocks:
                weights[made.plan.blocks[group.name]] = self.network.weights[
                    self.network.plan.blocks[group.name]
                ]
        for link, own in zip(self.network.links, links, strict=True):
            weights[made.plan.blocks[link_key(own)]] = self.network.weights[
                self.network.plan.blocks[link_key(link)]
            ]
        return made.with_weights(weights), delayed

    def objective(self, sequences: Any, targets: Any, loss: str = "squared", **more: Any) -> NetworkObjective:
        """Return the error over sequences of equal length; its gradient is back-propagation through time.

        Steps without targets must be NaN in all sequences.
        """
        return self._objective(sequences, targets, loss, True, **more)

    def _objective(
        self, sequences: Any, targets: Any, loss: str, shared: bool, **more: Any
    ) -> NetworkObjective:
        X, T = np.asarray(sequences, np.float64), np.asarray(targets, np.float64)
        if X.ndim != 3 or T.ndim != 3 or X.shape[:2] != T.shape[:2]:
            raise InputError(
                "sequences and targets need three axes: sequences, steps, and inputs or outputs; cut "
                "longer sequences into pieces of equal length"
            )
        absent = np.isnan(T).any(axis=(0, 2))
        if not np.isnan(T[:, absent]).all() or absent.all():
            raise InputError(
                "targets must be NaN in all sequences of a step or in none, and some step must have "
                "targets; train sequences with other steps separately"
            )
        told = np.flatnonzero(~absent)
        unfolded = self.unfolded(X.shape[1], (told + 1).tolist(), shared)
        return NetworkObjective(unfolded, X.reshape(len(X), -1), T[:, told].reshape(len(T), -1), loss, **more)

    def train(
        self,
        sequences: Any,
        targets: Any,
        *,
        loss: str = "squared",
        solver: str = "lbfgs",
        learning_rate: float | None = None,
        weight_decay: float = 0.0,
        init: float | None = 0.5,
        max_epochs: int = 300,
        copies: str = "shared",
        random_state: RandomState = 0,
    ) -> tuple[RecurrentNetwork, Descent]:
        """Return the network trained on sequences of equal length, and the training record.

        Parameters
        ----------
        sequences : array, shape (sequences, steps, inputs)
        targets : array, shape (sequences, steps, outputs)
            Targets; a step without targets is NaN in all sequences.
        loss : {"squared", "cross_entropy"}
        solver : str
            Optimisation algorithm; see `induce.optimise.descend`.
        learning_rate : float, optional
            Step size, for gradient and adam.
        weight_decay : float
        init : float, optional
            Range of the initial weights; None starts from the current weights.
        max_epochs : int
        copies : {"shared", "free"}
            Whether the copies of a weight in the unfolded network share one weight. Otherwise they are
            trained separately and averaged afterwards, as in the book; such copies fit only their own step,
            so their mean may fit none.
        random_state : int, Generator or None
        """
        one_of("copies", copies, ("shared", "free"))
        shared = copies == "shared"
        objective = self._objective(sequences, targets, loss, shared, weight_decay=weight_decay, average=True)
        rng = generator(random_state)
        made = objective.network
        if init is None:
            start = made.weights
        elif shared:
            start = initial_weights(made, init, rng)
        else:  # the copies start with equal weights
            drawn = self.network.with_weights(initial_weights(self.network, init, rng))
            start = replace(self, network=drawn).unfolded(np.shape(sequences)[1], shared=False).weights
        found = descend(
            objective,
            start,
            direction=solver,
            distance=learning_rate,
            stop=Stop(max_epochs=max_epochs, tolerance=1e-9, patience=5),
            random_state=rng,
        )
        return self.folded(made.with_weights(found.best_w)), found


def real_time_gradient(recurrent: RecurrentNetwork, sequence: Any, targets: Any) -> tuple[Floats, Floats]:
    """Return the gradient of the squared error of an Elman network, computed forward step by step.

    Real-time recurrent learning needs no unfolding: it carries the derivatives of the hidden units with
    respect to all weights from step to step (Williams and Zipser 1989).

    Parameters
    ----------
    recurrent : RecurrentNetwork
        Network made by `RecurrentNetwork.elman`, with sigmoid hidden units.
    sequence, targets : array, shape (steps, inputs) and (steps, outputs)
        Inputs and targets of each step.

    Returns
    -------
    gradient : array of float64
        Gradient with respect to the weights of ``recurrent.network``.
    derivatives : array of float64, shape (steps, hidden units, weights)
    """
    network = recurrent.network
    keys = {link_key(link) for link in network.links}
    if keys != {("inputs", "hidden"), ("hidden", "hidden", 1), ("hidden", "outputs")}:
        raise InputError(
            "real-time recurrent learning supports only Elman networks; make one by RecurrentNetwork.elman"
        )
    blocks = network.plan.blocks
    feedback, out = network.get(("hidden", "hidden", 1)), network.get(("hidden", "outputs"))
    n, unit = len(feedback), network.group("outputs").unit
    said = np.full(n, recurrent.initial)
    carried = np.zeros((n, network.n_weights))
    gradient, kept = np.zeros(network.n_weights), []
    for x, t in zip(np.atleast_2d(sequence), np.atleast_2d(targets), strict=True):
        direct = np.zeros_like(carried)  # direct effect of each weight at this step
        for j in range(n):
            direct[j, blocks["hidden"].start + j] = 1.0
            direct[j, blocks["inputs", "hidden"].start + j + n * np.arange(len(x))] = x
            direct[j, blocks["hidden", "hidden", 1].start + j + n * np.arange(n)] = said
        net = network.get("hidden") + x @ network.get(("inputs", "hidden")) + said @ feedback
        said = sigmoid(net)
        carried = (said * (1.0 - said))[:, np.newaxis] * (direct + feedback.T @ carried)
        kept.append(carried.copy())
        y = activated(CODES[unit], network.get("outputs") + said @ out, 1.0, 0.0, False)
        delta = returned(CODES[unit], y[np.newaxis], (y - t)[np.newaxis], 1.0)[0]
        gradient += (out @ delta) @ carried
        gradient[blocks["outputs"]] += delta
        gradient[blocks["hidden", "outputs"]] += np.outer(said, delta).ravel()
    return gradient, np.array(kept)


@dataclass(frozen=True)
class Settled:
    """Limit of a system of units: a fixed point, a cycle, or neither within the allowed steps.

    Parameters
    ----------
    kind : str
        Kind of limit: ``"fixed point"``, ``"cycle"`` or ``"neither"``.
    period : int
        Length of the cycle.
    states : tuple
        States in order, one tuple of unit outputs each.
    """

    kind: str
    period: int
    states: tuple[tuple[float, ...], ...]


def settle(update: Callable[[Floats], Any], start: Any, max_steps: int = 1000) -> Settled:
    """Update a state repeatedly until it recurs.

    Parameters
    ----------
    update : callable
        Function that maps a state to the next state.
    start : array
        Initial state.
    max_steps : int
        Maximum number of updates.

    Examples
    --------
    Two threshold units that excite and inhibit each other enter a cycle of four states:

    >>> found = settle(lambda s: [float(0.5 - s[1] > 0), float(s[0] - 0.5 > 0)], [0, 0])
    >>> found.kind, found.period
    ('cycle', 4)
    """
    state = tuple(np.asarray(start, np.float64).tolist())
    states, seen = [state], {state: 0}
    for step in range(1, max_steps + 1):
        state = tuple(np.asarray(update(np.array(state)), np.float64).tolist())
        states.append(state)
        if state in seen:
            period = step - seen[state]
            return Settled("fixed point" if period == 1 else "cycle", period, tuple(states))
        seen[state] = step
    return Settled("neither", 0, tuple(states))
