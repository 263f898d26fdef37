"""Structural EM: structure learning with missing values or hidden nodes (Friedman 1998; AIMA 20.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.parameters.families import Families, by_counts
from induce.belief_networks.parameters.prior import Prior
from induce.belief_networks.parameters.search import Hill, em
from induce.belief_networks.structure.completion import completions
from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.mixed import coded
from induce.belief_networks.structure.scores import FamilyScores
from induce.belief_networks.structure.search import TIE, Parents, tabu_search
from induce.core.ties import best_of, ranked
from induce.core.trace import emit

ROUNDS, SHORT, LONG = 30, 30, 300
"""Maximum number of graph changes, and of EM iterations between and after them."""
MOST_GROUPS, MOST_CAUSES, CLIMBS = 24, 4, 3
"""Number of groups of nodes tried for a hidden node, maximum number of causes of a group, and number of
candidates that are continued.
"""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A network with its BIC score: the log probability of the observed values minus the parameter penalty.

    Parameters
    ----------
    network : BeliefNetwork
    score : float
    scores : tuple of float
        Score after each change of the graph.
    """

    network: BeliefNetwork
    score: float
    scores: tuple[float, ...]


class StructuralEM:
    """Structural EM search for the graph of cases whose nodes are all nominal.

    EM estimates the parameters of the graph, the rows are completed by expectation, and tabu search changes
    the graph to fit the completed rows. These steps alternate; all candidates share the same expected counts.
    Unlike hill climbing, tabu search passes equally good graphs. The search ends when the score no longer
    rises.

    Parameters
    ----------
    cases : Cases
        Cases with a column for each hidden node.
    limits : Constraints
    prior : Prior
    rng : Generator
    """

    def __init__(self, cases: Cases, limits: Constraints, prior: Prior, rng: np.random.Generator) -> None:
        self.cases, self.limits, self.prior, self.rng = _distinct(cases), limits, prior, rng
        self.price = math.log(max(float(cases.weights.sum()), 1.0)) / 2

    def fitted(
        self, parents: Parents, start: BeliefNetwork | None, hidden: Sequence[int] = (), n_iter: int = SHORT
    ) -> Fitted:
        """Return the network with the given parents and parameters estimated by EM."""
        hill = Hill.of(Families.of(self.cases, parents), self.cases, self.prior)
        guess = hill.chance(self.rng, hidden) if hidden else hill.guess()
        first = guess if start is None else hill.at(start)
        found = em(hill, [first], 1e-7, n_iter)
        network = hill.network(found.hypothesis)
        log = hill.expected(found.hypothesis).log
        score = log - self.price * network.n_parameters()
        return Fitted(network, score, (score,))

    def climbed(self, now: Fitted) -> Fitted:
        """Return the result of a search that starts from a network."""
        for _ in range(ROUNDS):
            rows, _ = completions(now.network, self.cases, self.rng)
            families = FamilyScores(coded(rows), "bic")
            found = tabu_search(families, self.limits, now.network.parents)
            if found.parents == now.network.parents:
                break
            after = self.fitted(found.parents, by_counts(rows, found.parents, self.prior))
            emit("graph", score=after.score, arcs=sum(map(len, found.parents)))
            if after.score <= now.score + TIE * abs(now.score):
                break
            now = Fitted(after.network, after.score, (*now.scores, after.score))
        return now

    def finished(self, now: Fitted) -> Fitted:
        """Return the same graph with its parameters estimated by EM to convergence."""
        last = self.fitted(now.network.parents, now.network, n_iter=LONG)
        return Fitted(last.network, last.score, now.scores)

    def with_hidden_node(self, parents: Parents, node: int, n_starts: int) -> Fitted:
        """Return the best network that includes a hidden node.

        The node is tried as the cause of all observed nodes, and as a replacement for the arcs within each
        group of nodes that are nearly all adjacent. In the latter case the causes of the group become its
        parents, and the group its children (Elidan et al. 2000).
        """
        tries = [
            best_of((self.fitted(start, None, [node]) for _ in range(n_starts)), lambda each: each.score)
            for start in self._places(parents, node)
        ]
        tries = ranked(tries, lambda each: each.score)
        return best_of((self.climbed(each) for each in tries[:CLIMBS]), lambda each: each.score)

    def _places(self, parents: Parents, node: int) -> list[Parents]:
        """Return graphs in which a hidden node replaces other arcs, each as knowledge allows."""
        seen = [k for k in range(len(parents)) if k != node and (self.cases.codes[:, k] >= 0).any()]
        places: list[tuple[list[int], list[int], bool]] = [([], seen, True)]
        places += [(causes, group, False) for causes, group in _groups(parents, seen)]
        found: dict[Parents, None] = {}
        for causes, group, alone in places:
            above: list[set[int]] = [set() if alone else set(each) for each in parents]
            for child in group:
                above[child] -= {*group, *causes}
                above[child].add(node)
            above[node] = set(causes)
            found[self._allowed(above)] = None
        return list(found)

    def _allowed(self, above: Sequence[Iterable[int]]) -> Parents:
        limits = self.limits
        kept = limits.required_parents()
        for child, parents in enumerate(above):
            for parent in sorted(parents):
                fits = limits.allowed[parent, child] and len(kept[child]) < limits.max_parents
                if fits and child not in Dag(limits.nodes, tuple(map(tuple, kept))).ancestors([parent]):
                    kept[child].add(parent)
        return tuple(tuple(sorted(each)) for each in kept)


def _distinct(cases: Cases) -> Cases:
    """Return cases with equal rows merged."""
    rows, which = np.unique(cases.codes, axis=0, return_inverse=True)
    weights = np.asarray(np.bincount(which.ravel(), cases.weights, len(rows)), np.float64)
    return Cases.of(cases.schema, rows, None, weights, cases.target)


def _groups(parents: Parents, seen: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Return groups of at least three nodes, each adjacent to most of the others, and possible causes of each
    group.

    Causes are the group's parents outside it, or all its outside neighbours, since directions are often
    undetermined.
    """
    near: dict[int, set[int]] = {k: set() for k in seen}
    for child, above in enumerate(parents):
        for parent in above:
            if child in near and parent in near:
                near[child].add(parent)
                near[parent].add(child)
    found: list[tuple[list[int], list[int]]] = []
    groups: dict[tuple[int, ...], None] = {}
    for three in combinations(seen, 3):
        if all(b in near[a] for a, b in combinations(three, 2)):
            group = set(three)
            while wider := [k for k in seen if k not in group and 2 * len(near[k] & group) > len(group)]:
                group.add(max(wider, key=lambda k: len(near[k] & group)))
            groups[tuple(sorted(group))] = groups[three] = None
    for members in sorted(groups, key=lambda each: (-len(each), each))[:MOST_GROUPS]:
        over = {p for k in members for p in parents[k]} & near.keys() - set(members)
        beside = set().union(*(near[k] for k in members)) - set(members)
        for causes in (over, beside):
            if len(causes) <= MOST_CAUSES and (sorted(causes), list(members)) not in found:
                found.append((sorted(causes), list(members)))
    return found
