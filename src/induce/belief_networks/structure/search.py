"""Local search for a graph by adding, removing and reversing arcs (AIMA 20.2)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.scores import FamilyScores
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.progress import report
from induce.core.trace import emit

Floats = NDArray[np.float64]
Parents = tuple[tuple[int, ...], ...]

ADD, DELETE, REVERSE = range(3)
WORDS = ("add", "delete", "reverse")
TIE = 1e-9
"""Relative difference below which scores are equal; ties are broken by column order."""
SHAKEN = 0.5
"""Number of changed arcs per node at a restart."""
TABU = 10
"""Number of moves for which a changed pair of nodes is tabu."""
PATIENCE = 30
"""Number of moves without improvement after which tabu search ends."""
HOT, COLD = 0.1, 0.1
"""Initial temperature of annealing per row, and final temperature."""
LEVELS, STEPS = 40, 3
"""Number of temperatures, and number of steps per pair of nodes at each."""


@dataclass(frozen=True)
class Found:
    """A graph with its score, and the score after each move."""

    parents: Parents
    score: float
    scores: tuple[float, ...]


class State:
    """A graph during a search, with the gain of each move and the moves that keep it acyclic."""

    def __init__(self, families: FamilyScores, limits: Constraints, start: Sequence[Iterable[int]]) -> None:
        n = len(limits.nodes)
        self.families, self.limits = families, limits
        self.parents = [set(above) for above in start]
        self.arcs = np.zeros((n, n), bool)
        for child, above in enumerate(self.parents):
            self.arcs[list(above), child] = True
        self.reach = self._reachable()
        self.score = families.total(self.parents)
        if self.score == -math.inf:
            name = next(
                name
                for node, name in enumerate(limits.nodes)
                if families.score(node, self.parents[node]) == -math.inf
            )
            raise InputError(
                f"the required parents of {name!r} have too many joint states; require fewer arcs"
            )
        self.added = np.empty((n, n))
        self.deleted = np.full((n, n), -math.inf)
        self._stale = set(range(n))

    def _reachable(self) -> NDArray[np.bool_]:
        """Return the matrix of ancestors."""
        n = len(self.parents)
        reach = np.zeros((n, n), bool)
        # `waiting` counts the unprocessed children of a node; a node without any is next.
        waiting = self.arcs.sum(axis=1)
        ready = [node for node in range(n) if not waiting[node]]
        for node in ready:  # children before parents
            for parent in sorted(self.parents[node]):
                reach[parent] |= reach[node]
                reach[parent, node] = True
                waiting[parent] -= 1
                if not waiting[parent]:
                    ready.append(parent)
        return reach

    def _refresh(self) -> None:
        for node in self._stale:
            above = self.parents[node]
            self.added[:, node] = self.families.gains(node, above)
            self.deleted[:, node] = -math.inf
            for parent in above:
                self.deleted[parent, node] = -self.families.gain(node, above - {parent}, parent)
        self._stale.clear()

    def gains(self) -> Floats:
        """Return the gain of each move by kind, parent and child; minus infinity if it is not allowed."""
        self._refresh()
        limits = self.limits
        gains = np.full((3, *self.arcs.shape), -math.inf)
        room = self.arcs.sum(axis=0) < limits.max_parents
        # An arc from p to c closes a cycle if c is an ancestor of p.
        fits = limits.allowed & ~self.arcs & ~self.reach.T & room[None, :]
        gains[ADD][fits] = self.added[fits]
        loose = self.arcs & ~limits.required
        gains[DELETE][loose] = self.deleted[loose]
        for parent, child in np.argwhere(loose & limits.allowed.T & room[:, None]).tolist():
            if not self._detour(parent, child):
                gains[REVERSE, parent, child] = self._turned(parent, child)
        return gains

    def _turned(self, parent: int, child: int) -> float:
        """Return the gain of reversing an arc."""
        # Scores decompose into families: a reversal deletes the arc in one family and adds it in the other.
        # With missing values, families are scored on different rows, and whole graphs must be compared.
        if not self.families.holes:
            return float(self.deleted[parent, child] + self.added[child, parent])
        after = list(self.parents)
        after[child] = self.parents[child] - {parent}
        after[parent] = self.parents[parent] | {child}
        return self.families.difference(self.parents, after)

    def _detour(self, parent: int, child: int) -> bool:
        """Return whether there is another directed path from a parent to its child."""
        # If another child of the parent is an ancestor of the child, the reversed arc would close a cycle.
        between = self.arcs[parent] & self.reach[:, child]
        between[child] = False
        return bool(between.any())

    def move(self, kind: int, parent: int, child: int, gain: float) -> None:
        """Apply a move."""
        self.score += gain
        self._stale.add(child)
        if kind == ADD:
            self.parents[child].add(parent)
            self.arcs[parent, child] = True
            # After an addition, all ancestors of the parent and itself reach all descendants of the child and
            # itself. A deletion has no such rule: reachability is recomputed.
            above = self.reach[:, parent].copy()
            above[parent] = True
            below = self.reach[child].copy()
            below[child] = True
            self.reach[above] |= below
            return
        self.parents[child].discard(parent)
        self.arcs[parent, child] = False
        if kind == REVERSE:
            self.parents[parent].add(child)
            self.arcs[child, parent] = True
            self._stale.add(parent)
        self.reach = self._reachable()

    def graph(self) -> Parents:
        """Return the parents of each node."""
        return tuple(tuple(sorted(above)) for above in self.parents)

    def lead(self, best: Best) -> float:
        """Return the score difference between the graph and the best so far."""
        return ahead(self.families, best.graph, best.score, self.parents, self.score)


class Best:
    """The best graph of a search so far.

    With missing values, graphs are compared in pairs, on the rows that both need, which is not transitive.
    Therefore a replaced graph never becomes the best again, and every search ends.
    """

    def __init__(self, graph: Parents, score: float) -> None:
        self.graph, self.score = graph, score
        self._left: set[Parents] = set()

    def update(self, graph: Parents, score: float) -> bool:
        """Make a better graph the best; return whether it was not replaced earlier."""
        if graph in self._left or graph == self.graph:
            return False
        self._left.add(self.graph)
        self.graph, self.score = graph, score
        return True


def ahead(
    families: FamilyScores,
    before: Sequence[Collection[int]],
    score_before: float,
    after: Sequence[Collection[int]],
    score_after: float,
) -> float:
    """Return the score difference of two graphs; without missing values it is the difference of their scores."""
    return families.difference(before, after) if families.holes else score_after - score_before


def _best(gains: Floats, score: float) -> tuple[int, int, int, float]:
    """Return the move with the largest gain; ties up to rounding go to the first."""
    flat = gains.ravel()
    top = float(flat.max())
    first = int(np.argmax(flat >= top - TIE * max(1.0, abs(score)))) if top > -math.inf else 0
    kind, parent, child = np.unravel_index(first, gains.shape)
    return int(kind), int(parent), int(child), float(flat[first])


def _tell(state: State, kind: int, parent: int, child: int, gain: float) -> None:
    nodes = state.limits.nodes
    emit("arc", move=WORDS[kind], parent=nodes[parent], child=nodes[child], gain=gain, score=state.score)


def hill_climb(families: FamilyScores, limits: Constraints, start: Sequence[Iterable[int]]) -> Found:
    """Make the best move until none improves the score. Ctrl-C keeps the current graph."""
    state = State(families, limits, start)
    scores = [state.score]
    passed = {state.graph()}
    with interruptible(scores, "moves"):
        while True:
            kind, parent, child, gain = _best(state.gains(), state.score)
            if gain <= TIE * max(1.0, abs(state.score)):
                break
            state.move(kind, parent, child, gain)
            if families.holes:  # gains on different rows may lead to a cycle of graphs
                if state.graph() in passed:
                    break
                passed.add(state.graph())
            scores.append(state.score)
            _tell(state, kind, parent, child, gain)
            report(len(scores) / (len(scores) + len(limits.nodes)))
    return Found(state.graph(), state.score, tuple(scores))


def restarted(
    found: Found, families: FamilyScores, limits: Constraints, n: int, rng: np.random.Generator
) -> Found:
    """Climb again from the best graph, `n` times, after removing or reversing random arcs.

    Families scored earlier are not counted again, which makes restarts fast. Ctrl-C keeps the best graph.
    """
    best = [found]
    top = Best(found.parents, found.score)
    with interruptible(best, "climbs"):
        for number in range(n):
            state = State(families, limits, best[-1].parents)
            for _ in range(math.ceil(SHAKEN * len(limits.nodes))):
                gains = state.gains()
                moves = np.argwhere(gains[DELETE:] > -math.inf)
                if not len(moves):
                    break
                kind, parent, child = (int(part) for part in moves[rng.integers(len(moves))] + (DELETE, 0, 0))
                state.move(kind, parent, child, float(gains[kind, parent, child]))
            climbed = hill_climb(families, limits, state.graph())
            better = ahead(families, top.graph, top.score, climbed.parents, climbed.score)
            if better > TIE * max(1.0, abs(climbed.score)) and top.update(climbed.parents, climbed.score):
                best.append(Found(climbed.parents, climbed.score, (*best[-1].scores, climbed.score)))
            report((number + 1) / n)
    return best[-1]


def tabu_search(families: FamilyScores, limits: Constraints, start: Sequence[Iterable[int]]) -> Found:
    """Make the best move even if it lowers the score, but change no pair of nodes that was just changed
    (Glover 1989).

    A move to a new best graph is always made. The search ends after 30 moves without one.
    """
    state = State(families, limits, start)
    best = Best(state.graph(), state.score)
    scores = [state.score]
    recent: deque[tuple[int, int]] = deque(maxlen=min(TABU, len(limits.nodes)))
    since = 0
    with interruptible(scores, "moves"):
        while since < PATIENCE:
            gains = state.gains()
            edge = TIE * max(1.0, abs(state.score))
            # The aspiration criterion: a tabu move is allowed if it leads to a new best graph.
            worse = gains <= edge - state.lead(best)
            for pair in recent:
                for parent, child in (pair, pair[::-1]):
                    shut = worse[:, parent, child]
                    gains[shut, parent, child] = -math.inf
            kind, parent, child, gain = _best(gains, state.score)
            if gain == -math.inf:
                break
            state.move(kind, parent, child, gain)
            recent.append((parent, child))
            scores.append(state.score)
            _tell(state, kind, parent, child, gain)
            since += 1
            if state.lead(best) > edge and best.update(state.graph(), state.score):
                since = 0
            report(len(scores) / (len(scores) + len(limits.nodes)))
    return Found(best.graph, best.score, tuple(scores))


def jump(state: State, temperature: float, rng: np.random.Generator) -> tuple[float, int, int, int, float]:
    """Return the expected number of Metropolis steps until a move, that move, and its gain.

    A step proposes a random pair of nodes; with probability 0.5 its arc is reversed, otherwise added or
    removed. Proposals are therefore symmetric. A move with gain `g` is accepted with probability min(1, exp(g
    / temperature)). With many rows most moves are rejected, so the next accepted move is drawn directly
    (Bortz, Kalos and Lebowitz 1975).
    """
    gains = state.gains()
    n = len(gains[0])
    # Probability of proposing a move times that of accepting it; 1 / total is the mean number of steps until one
    # is made.
    chances = np.exp(np.minimum(gains.ravel() / temperature, 0.0)) / (2 * n * max(n - 1, 1))
    below = np.cumsum(chances)
    total = float(below[-1]) if n > 1 else 0.0
    if total < 1e-290:
        return math.inf, ADD, 0, 0, 0.0
    drawn = int(np.searchsorted(below, rng.random() * total, side="right"))
    kind, parent, child = np.unravel_index(min(drawn, len(below) - 1), gains.shape)
    return 1 / total, int(kind), int(parent), int(child), float(gains[kind, parent, child])


def anneal(
    families: FamilyScores,
    limits: Constraints,
    start: Sequence[Iterable[int]],
    rng: np.random.Generator,
) -> Found:
    """Make random moves; one that lowers the score is accepted with a probability that falls with the
    temperature (AIMA 4.3).

    Hill climbing ends the search.
    """
    state = State(families, limits, start)
    n = len(limits.nodes)
    hot = max(HOT * families.rows.total, 10 * COLD)
    best = Best(state.graph(), state.score)
    scores = [state.score]
    with interruptible(scores, "moves"):
        for level in range(LEVELS):
            temperature = hot * (COLD / hot) ** (level / (LEVELS - 1))
            left = float(STEPS * n * n)
            while True:
                stay, kind, parent, child, gain = jump(state, temperature, rng)
                left -= stay
                if left < 0:
                    break
                state.move(kind, parent, child, gain)
                scores.append(state.score)
                _tell(state, kind, parent, child, gain)
                if state.lead(best) > 0:
                    best.update(state.graph(), state.score)
            report(level / LEVELS)
    last = hill_climb(families, limits, best.graph)
    return Found(last.parents, last.score, (*scores, *last.scores[1:]))
