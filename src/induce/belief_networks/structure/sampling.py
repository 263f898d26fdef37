"""Posterior sampling of graphs by Markov chain Monte Carlo (AIMA 20.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.scores import FamilyScores
from induce.belief_networks.structure.search import TIE, Best, Parents, State, jump
from induce.core.interrupts import interruptible
from induce.core.progress import report
from induce.core.trace import emit

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Chain:
    """Samples of one chain: the probability of each arc, the best graph, and the score after each move."""

    arcs: Floats
    best: Parents
    score: float
    scores: tuple[float, ...]


def chain(
    families: FamilyScores,
    limits: Constraints,
    start: Parents,
    n_moves: int,
    n_discarded: int,
    rng: np.random.Generator,
) -> Chain:
    """Run a Metropolis chain over graphs for a number of moves, after a burn-in.

    Every graph is weighted by the expected number of steps that the chain stays in it.
    """
    state = State(families, limits, start)
    arcs = np.zeros_like(state.added)
    weight = 0.0
    best = Best(state.graph(), state.score)
    scores = [state.score]
    with interruptible(scores, "moves"):
        for number in range(n_discarded + n_moves):
            stay, kind, parent, child, gain = jump(state, 1.0, rng)
            if stay == math.inf:
                arcs, weight = state.arcs.astype(float), 1.0
                break
            if number >= n_discarded:
                arcs[state.arcs] += stay
                weight += stay
            state.move(kind, parent, child, gain)
            scores.append(state.score)
            emit("graph", score=state.score, steps=stay)
            edge = TIE * max(1.0, abs(best.score))
            fewer = state.arcs.sum() < sum(map(len, best.graph))
            if state.lead(best) > (-edge if fewer else edge):
                best.update(state.graph(), state.score)
            if number % 64 == 0:
                report(number / (n_discarded + n_moves))
    return Chain(arcs / weight if weight else state.arcs.astype(float), best.graph, best.score, tuple(scores))


def r_hat(chains: list[Chain]) -> float:
    """Return the divergence of chains: the largest potential scale reduction of an arc (Gelman and Rubin
    1992).

    It is 1 if all chains agree.
    """
    shares = np.array([each.arcs for each in chains])
    within = (shares * (1 - shares)).mean(axis=0)
    between = shares.var(axis=0, ddof=1) if len(chains) > 1 else np.zeros_like(within)
    telling = between > 1e-12
    if not telling.any():
        return 1.0
    with np.errstate(divide="ignore"):
        return float(np.sqrt(1 + between[telling] / within[telling]).max())
