"""Independence tests and the graph they imply: the PC algorithm (Spirtes, Glymour and Scheines 1993)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import chdtrc

from induce.belief_networks.graphs.partial import PartialGraph
from induce.belief_networks.structure import _loops
from induce.belief_networks.structure.knowledge import Bools, Constraints
from induce.belief_networks.structure.scores import MOST_CELLS, CodedRows, States
from induce.core.loops import sized
from induce.core.progress import report
from induce.core.trace import emit

STATISTICS = ("g", "chi2")
Pair = tuple[int, int]


@dataclass(frozen=True)
class IndependenceTest:
    """Result of a test of two columns for conditional independence.

    Parameters
    ----------
    chi2, g : float
        Pearson's statistic and the likelihood-ratio statistic.
    freedom : int
        Degrees of freedom; values that do not occur in a state are not counted.
    """

    chi2: float
    g: float
    freedom: int

    def p_value(self, statistic: str) -> float:
        """Return the p-value of a statistic: ``"chi2"`` or ``"g"``.

        Examples
        --------
        >>> round(IndependenceTest(3.9, 3.841459, 1).p_value("g"), 4)
        0.05
        """
        value = self.g if statistic == "g" else self.chi2
        return float(chdtrc(self.freedom, value)) if self.freedom > 0 else 1.0


class Independences:
    """Conditional independence tests in a table, each computed once.

    A row is used in a test if it has all values that the test needs.

    Examples
    --------
    >>> table = np.array([[0, 0]] * 30 + [[0, 1]] * 10 + [[1, 0]] * 10 + [[1, 1]] * 30)
    >>> found = Independences(CodedRows.of(table, [2, 2])).test(0, 1)
    >>> round(found.chi2, 2), round(found.g, 2), found.freedom
    (20.0, 20.93, 1)
    """

    def __init__(self, rows: CodedRows) -> None:
        self.rows = rows
        self._work = float(rows.codes.shape[1]) * len(rows) ** 2  # every pair is tested at least once
        self._found: dict[tuple[int, int, tuple[int, ...]], IndependenceTest] = {}
        self._states: dict[tuple[int, ...], tuple[States, int]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def test(self, first: int, second: int, given: tuple[int, ...] = ()) -> IndependenceTest:
        """Test whether two columns are independent given others."""
        key = min(first, second), max(first, second), tuple(sorted(given))
        if key not in self._found:
            self._found[key] = self._tested(*key)
        return self._found[key]

    def _tested(self, first: int, second: int, given: tuple[int, ...]) -> IndependenceTest:
        rows = self.rows
        if given not in self._states:
            if len(self._states) > 64:
                self._states.clear()
            self._states[given] = rows.states(given)
        states, n_states = self._states[given]
        sizes = int(rows.sizes[first]), int(rows.sizes[second])
        if n_states * sizes[0] * sizes[1] > MOST_CELLS:
            return IndependenceTest(0.0, 0.0, 0)
        counts = np.zeros(n_states * sizes[0] * sizes[1])
        x, y = rows.codes[first], rows.codes[second]
        run = sized(_loops.independence, max(self._work, len(counts)), 1 / len(rows) ** 2)
        chi2, g, freedom = run(states, n_states, x, sizes[0], y, sizes[1], rows.weights, counts)
        return IndependenceTest(float(chi2), float(g), int(freedom))


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Neighbours of each node, the separating sets of non-adjacent pairs, and the weakest evidence for each
    edge.

    Parameters
    ----------
    adjacent : array of bool
    separators : dict
        Mapping from non-adjacent pairs to their separating sets; without pairs excluded by knowledge.
    weakest : dict
        Mapping from pairs to the largest p-value of their tests.
    """

    adjacent: Bools
    separators: dict[Pair, tuple[int, ...]]
    weakest: dict[Pair, float]


def skeleton(
    tests: Independences, limits: Constraints, statistic: str, alpha: float, max_given: int
) -> Skeleton:
    """Remove edges of the complete graph between nodes that are conditionally independent.

    The neighbours that may separate a node are fixed at the start of each round, so that the order of columns
    does not matter (Colombo and Maathuis 2014).
    """
    n = len(limits.nodes)
    adjacent = limits.allowed | limits.allowed.T
    required = limits.required | limits.required.T
    separators: dict[Pair, tuple[int, ...]] = {}
    weakest: dict[Pair, float] = {}
    for size in range(max_given + 1):
        # Conditioning sets grow from round to round: edges removed early leave fewer sets to test later.
        before = adjacent.copy()
        if size > before.sum(axis=0).max(initial=0) - 1:
            break
        pairs = [(a, b) for a, b in np.argwhere(np.triu(before)).tolist() if not required[a, b]]
        for number, (a, b) in enumerate(pairs):
            for given in separating_sets(before, a, b, size):
                p = tests.test(a, b, given).p_value(statistic)
                weakest[a, b] = max(p, weakest.get((a, b), 0.0))
                if p > alpha:
                    adjacent[a, b] = adjacent[b, a] = False
                    separators[a, b] = given
                    emit(
                        "independence",
                        first=limits.nodes[a],
                        second=limits.nodes[b],
                        given=tuple(limits.nodes[k] for k in given),
                        p=p,
                    )
                    break
            report((size + number / len(pairs)) / (min(max_given, n - 2, 6) + 1))
    return Skeleton(adjacent, separators, weakest)


def separating_sets(adjacent: Bools, a: int, b: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of the given size of neighbours of one node or of the other."""
    near = [k for k in np.flatnonzero(adjacent[a]).tolist() if k != b]
    far = [k for k in np.flatnonzero(adjacent[b]).tolist() if k != a]
    yield from combinations(near, size)
    for given in combinations(far, size):
        if not set(given) <= set(near):
            yield given


def oriented(
    found: Skeleton,
    tests: Independences,
    limits: Constraints,
    statistic: str,
    alpha: float,
    max_given: int,
    conservative: bool,
) -> PartialGraph:
    """Direct the edges that knowledge and tests determine.

    If two non-adjacent nodes share a neighbour that is outside their separating set and makes them dependent,
    both arcs point to it. Contradictions are resolved in favour of the stronger evidence. The conservative
    variant examines every set of neighbours that separates the two, and leaves the edges undirected if only
    some contain the middle node (Ramsey et al. 2006).
    """
    nodes = limits.nodes
    adjacent = found.adjacent
    arcs: set[Pair] = set()
    for a, b in np.argwhere(adjacent).tolist():
        if limits.required[a, b] or not limits.allowed[b, a]:
            arcs.add((a, b))
    claims = []
    unsure: set[tuple[int, int, int]] = set()
    for a, b in found.separators:
        for middle in np.flatnonzero(adjacent[a] & adjacent[b]).tolist():
            apart = [found.separators[a, b]]
            if conservative:
                apart = [
                    given
                    for size in range(max_given + 1)
                    for given in separating_sets(adjacent, a, b, size)
                    if tests.test(a, b, given).p_value(statistic) > alpha
                ]
            # The triple a, middle, b is a collider if no separating set contains the middle and a
            # non-collider if all do; otherwise it stays undetermined.
            held = [middle in given for given in apart]
            if not held or any(held):
                if not held or not all(held):
                    unsure.add((a, middle, b))
                continue
            joint = tests.test(a, b, (*apart[0], middle))
            p = joint.p_value(statistic)
            if p <= alpha:
                claims.append((p, -joint.g, a, middle, b))
    for _, _, a, middle, b in sorted(claims):
        if (middle, a) not in arcs and (middle, b) not in arcs:
            arcs |= {(a, middle), (b, middle)}
    edges = {
        (a, b)
        for a, b in np.argwhere(np.triu(adjacent)).tolist()
        if (a, b) not in arcs and (b, a) not in arcs
    }
    return PartialGraph(nodes, frozenset(arcs), frozenset(edges)).closed(unsure)


def extended(graph: PartialGraph) -> list[set[int]]:
    """Return the parents of a DAG with these arcs and edges, as far as possible.

    Tests may contradict each other: arcs that close a cycle are then reversed, the last first.
    """
    from induce.core.errors import InputError

    try:
        return [set(above) for above in graph.member().parents]
    except InputError:
        parents: list[set[int]] = [set() for _ in graph.nodes]
        for parent, child in [*sorted(graph.arcs), *sorted(graph.edges)]:
            if _leads(parents, child, parent):
                parent, child = child, parent
            parents[child].add(parent)
        return parents


def _leads(parents: Sequence[set[int]], start: int, end: int) -> bool:
    """Return whether a directed path leads from one node to another."""
    waiting, seen = [end], {end}
    while waiting:
        for above in parents[waiting.pop()]:
            if above == start:
                return True
            if above not in seen:
                seen.add(above)
                waiting.append(above)
    return start == end
