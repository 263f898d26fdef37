"""Finite-state machines as genomes (Fogel, Owens and Walsh 1966)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.values import Value
from induce.evolution.genomes.kind import Genome
from induce.evolution.machine import StateMachine


@dataclass(frozen=True)
class Machines(Genome):
    """Finite-state machines with at most `most` states.

    Mutation changes an output, a transition or the initial state, or adds or deletes a state. Crossover swaps the
    states from a random one on; a transition to a missing state is redirected to the last one.

    Parameters
    ----------
    inputs, outputs : tuple
        Input and output symbols.
    states : int
        Number of states of a random machine.
    most : int
        Maximum number of states.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    states: int = 4
    most: int = 10

    def __post_init__(self) -> None:
        at_least("states", self.states, 1, whole=True)
        at_least("most", self.most, self.states, whole=True)
        if not self.inputs or not self.outputs:
            raise InputError("a machine needs at least one input and one output")

    def random(self, rng: np.random.Generator) -> StateMachine:
        shape = (self.states, len(self.inputs))
        target = rng.integers(0, self.states, shape)
        output = rng.integers(0, len(self.outputs), shape)
        return StateMachine(self.inputs, self.outputs, int(rng.integers(self.states)), target, output)

    def mutate(self, individual: StateMachine, rng: np.random.Generator) -> StateMachine:
        start, target, output = individual.start, individual.target.copy(), individual.output.copy()
        n, k = target.shape
        can = [n * k > 0 and len(self.outputs) > 1, n > 1, n < self.most, n > 1, n > 1]
        change = int(rng.choice(np.flatnonzero(can))) if any(can) else -1
        state, symbol = int(rng.integers(n)), int(rng.integers(k))
        if change == 0:
            others = len(self.outputs)
            output[state, symbol] = (output[state, symbol] + rng.integers(1, others)) % others
        elif change == 1:
            target[state, symbol] = (target[state, symbol] + rng.integers(1, n)) % n
        elif change == 2:
            target = np.vstack([target, rng.integers(0, n + 1, (1, k))])
            output = np.vstack([output, rng.integers(0, len(self.outputs), (1, k))])
            target[state, symbol] = n  # so that the new state is reachable
        elif change == 3:
            target, output = np.delete(target, state, axis=0), np.delete(output, state, axis=0)
            lost = target == state
            target = target - (target > state)
            target[lost] = rng.integers(0, n - 1, int(lost.sum()))
            start = int(rng.integers(n - 1)) if start == state else start - (start > state)
        elif change == 4:
            start = int((start + rng.integers(1, n)) % n)
        return StateMachine(self.inputs, self.outputs, start, target, output)

    def crossover(
        self, first: StateMachine, second: StateMachine, rng: np.random.Generator
    ) -> tuple[StateMachine, StateMachine]:
        point = int(rng.integers(1, min(first.n_states, second.n_states) + 1))
        return self._spliced(first, second, point), self._spliced(second, first, point)

    def _spliced(self, head: StateMachine, tail: StateMachine, point: int) -> StateMachine:
        target = np.vstack([head.target[:point], tail.target[point:]])
        output = np.vstack([head.output[:point], tail.output[point:]])
        last = len(target) - 1
        start = min(head.start, last)
        return StateMachine(self.inputs, self.outputs, start, np.minimum(target, last), output)

    def legal(self, individual: Any) -> bool:
        if not isinstance(individual, StateMachine) or individual.n_states > self.most:
            return False
        if (individual.inputs, individual.outputs) != (self.inputs, self.outputs):
            return False
        try:
            individual.check()
        except InputError:
            return False
        return True

    def key(self, individual: StateMachine) -> Hashable:
        return individual.start, individual.target.tobytes(), individual.output.tobytes()
