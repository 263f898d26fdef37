"""Loopy belief propagation: tree messages on a graph with cycles (Pearl 1988; Murphy et al. 1999)."""

from __future__ import annotations

import numpy as np

from induce.belief_networks.factors import Factors, Floats
from induce.belief_networks.inference.elimination import Factor, restricted
from induce.belief_networks.inference.junction_tree import Codes
from induce.core.errors import InputError
from induce.core.notes import note

MOST_ROUNDS = 500
KEPT = 0.3
"""Damping: weight of the old message, which prevents oscillation."""


def loopy_ask(factors: Factors, codes: Codes, precision: float) -> dict[int, Floats]:
    """Return the beliefs of all open variables: exact on a tree, usually close otherwise.

    Parameters
    ----------
    factors : Factors
    codes : array of int32
        Code of each observed variable; -1 for the others.
    precision : float
        Largest message change at which the iteration ends.

    Examples
    --------
    >>> factors = Factors.of([2, 2], [(0,), (0, 1)], [np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.3, 0.7]])])
    >>> loopy_ask(factors, np.array([-1, 1]), 1e-9)[0].round(4).tolist()
    [0.3636, 0.6364]
    """
    parts = [restricted(factors, k, codes) for k in range(len(factors))]
    graph = [part for part in parts if part.scope]
    if not all(part.table > 0 for part in parts if not part.scope):
        raise InputError("the evidence is impossible: it has probability 0")
    around: dict[int, list[int]] = {k: [] for k in range(len(codes)) if codes[k] < 0}
    for k, part in enumerate(graph):
        for variable in part.scope:
            around[variable].append(k)
    _check_possible(graph, around, factors)
    messages = {
        (k, variable): np.full(int(factors.sizes[variable]), 1 / int(factors.sizes[variable]))
        for k, part in enumerate(graph)
        for variable in part.scope
    }
    for _ in range(MOST_ROUNDS):
        change = 0.0
        for k, part in enumerate(graph):
            # Product of the messages from all other factors to each variable; a factor's own message is left
            # out so that it is not echoed.
            inward = {
                variable: _product([messages[other, variable] for other in around[variable] if other != k])
                for variable in part.scope
            }
            for variable in part.scope:
                new = _scaled(_outward(part, variable, inward))
                change = max(change, float(np.abs(new - messages[k, variable]).max()))
                messages[k, variable] = KEPT * messages[k, variable] + (1 - KEPT) * new
        if change <= precision:
            break
    else:
        note(f"loopy propagation did not converge in {MOST_ROUNDS} rounds; the answer may be inaccurate")
    return {
        variable: _scaled(_product([messages[k, variable] for k in near]))
        for variable, near in around.items()
    }


def _check_possible(graph: list[Factor], around: dict[int, list[int]], factors: Factors) -> None:
    """Raise an `InputError` if the factors leave a variable without a possible value.

    Damped messages never reach 0, so impossible values are eliminated first. A value stays as long as each
    factor has a positive entry for it with remaining values of the others.
    """
    stays = {variable: np.ones(int(factors.sizes[variable])) for variable in around}
    waiting = set(range(len(graph)))
    while waiting:
        part = graph[waiting.pop()]
        for variable in part.scope:
            left = stays[variable] * (_outward(part, variable, stays) > 0)
            if not left.any():
                raise InputError("the evidence is impossible: it has probability 0")
            if left.sum() < stays[variable].sum():
                stays[variable] = left
                waiting.update(around[variable])


def _outward(part: Factor, variable: int, inward: dict[int, Floats]) -> Floats:
    """Return a factor's message to a variable: its table times the other messages, summed out."""
    table = part.table
    for axis, other in enumerate(part.scope):
        if other != variable:
            table = table * inward[other].reshape([-1 if k == axis else 1 for k in range(table.ndim)])
    return np.asarray(table.sum(axis=tuple(k for k, other in enumerate(part.scope) if other != variable)))


def _product(messages: list[Floats]) -> Floats:
    return np.asarray(np.prod(messages, axis=0)) if messages else np.ones(())


def _scaled(message: Floats) -> Floats:
    total = message.sum()
    if not total > 0:
        raise InputError("the evidence is impossible: it has probability 0")
    return np.asarray(message / total)
