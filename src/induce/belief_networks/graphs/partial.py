"""Partially directed graphs, which represent Markov equivalence classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from induce.belief_networks.graphs.dag import Dag
from induce.core.errors import InputError
from induce.hypotheses.naming import value_text


@dataclass(frozen=True, eq=False)
class PartialGraph:
    """A graph with directed and undirected edges; equality ignores the order of the nodes.

    Parameters
    ----------
    nodes : tuple of str
        Names of the nodes.
    arcs : frozenset of (int, int)
        Arcs as (parent, child), by index.
    edges : frozenset of (int, int)
        Undirected edges as pairs of indices, the smaller first.

    Examples
    --------
    >>> print(Dag.of({"b": ["a"], "c": ["b"]}).equivalence_class())
    a — b
    b — c
    >>> print(Dag.of({"fire": ["campfire", "lightning"], "smoke": ["fire"]}).equivalence_class())
    campfire → fire
    lightning → fire
    fire → smoke
    """

    nodes: tuple[str, ...]
    arcs: frozenset[tuple[int, int]]
    edges: frozenset[tuple[int, int]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartialGraph) and self._named == other._named

    def __hash__(self) -> int:
        return hash(self._named)

    @cached_property
    def _named(self) -> tuple[frozenset[str], frozenset[tuple[str, str]], frozenset[frozenset[str]]]:
        """The nodes, arcs and edges by name."""
        arcs = frozenset((self.nodes[a], self.nodes[b]) for a, b in self.arcs)
        return (
            frozenset(self.nodes),
            arcs,
            frozenset(frozenset((self.nodes[a], self.nodes[b])) for a, b in self.edges),
        )

    @classmethod
    def of_class(cls, graph: Dag) -> PartialGraph:
        """Return the CPDAG of a graph's equivalence class: the same adjacencies and v-structures."""
        skeleton = {
            (min(p, child), max(p, child)) for child, above in enumerate(graph.parents) for p in above
        }
        arcs = {
            (parent, child)
            for child, parents in enumerate(graph.parents)
            for pair in combinations(parents, 2)
            if tuple(sorted(pair)) not in skeleton
            for parent in pair
        }
        return cls(graph.nodes, frozenset(arcs), frozenset(skeleton - _undirected(arcs))).closed()

    @cached_property
    def _around(self) -> tuple[list[set[int]], list[set[int]], list[set[int]]]:
        """Parents, children and undirected neighbours of each node."""
        above: list[set[int]] = [set() for _ in self.nodes]
        below: list[set[int]] = [set() for _ in self.nodes]
        beside: list[set[int]] = [set() for _ in self.nodes]
        for parent, child in self.arcs:
            above[child].add(parent)
            below[parent].add(child)
        for first, second in self.edges:
            beside[first].add(second)
            beside[second].add(first)
        return above, below, beside

    def closed(self, unsure: Collection[tuple[int, int, int]] = ()) -> PartialGraph:
        """Return the graph with all implied directions (Meek's rules).

        No new v-structure or cycle may arise. `unsure` lists triples (middle node, then the others in
        ascending order) that may or may not be v-structures; nothing is inferred from them.
        """
        above, below, beside = (list(map(set, part)) for part in self._around)

        def adjacent(a: int, b: int) -> bool:
            return b in above[a] or b in below[a] or b in beside[a]

        def apart(c: int, a: int, b: int) -> bool:
            """Whether c and b are not adjacent, and the arcs do not both point to a."""
            return not adjacent(c, b) and (min(b, c), a, max(b, c)) not in unsure

        def follows(a: int, b: int) -> bool:
            """Whether a — b must be a → b."""
            if any(apart(c, a, b) for c in above[a]) or below[a] & above[b]:
                return True
            between = beside[a] & above[b]
            if any(apart(c, a, d) for c, d in combinations(between, 2)):
                return True
            return any(apart(d, a, b) for c in above[b] if adjacent(a, c) for d in above[c] & beside[a])

        waiting = set(self.edges)
        changed = True
        while changed:
            changed = False
            for first, second in sorted(waiting):
                for a, b in ((first, second), (second, first)):
                    if follows(a, b):
                        waiting.discard((first, second))
                        beside[a].discard(b)
                        beside[b].discard(a)
                        below[a].add(b)
                        above[b].add(a)
                        changed = True
                        break
        arcs = frozenset((parent, child) for child, parents in enumerate(above) for parent in parents)
        return PartialGraph(self.nodes, arcs, frozenset(waiting))

    def member(self) -> Dag:
        """Return one DAG of the class, without new v-structures (Dor and Tarsi)."""
        above, below, beside = (list(map(set, part)) for part in self._around)
        parents: list[set[int]] = [set(each) for each in above]
        left = set(range(len(self.nodes)))
        while left:
            for node in sorted(left):
                near = above[node] | beside[node]
                sink = not below[node]
                if sink and all(
                    near - {each} <= above[each] | below[each] | beside[each] for each in beside[node]
                ):
                    break
            else:
                raise InputError("no acyclic graph has these arcs and edges; remove an arc")
            parents[node] |= beside[node]
            for each in above[node] | beside[node]:
                below[each].discard(node)
                beside[each].discard(node)
            left.discard(node)
        return Dag(self.nodes, tuple(tuple(sorted(each)) for each in parents))

    def distance(self, other: PartialGraph) -> int:
        """Return the structural Hamming distance: the number of node pairs whose edges differ.

        Examples
        --------
        >>> chain, fork = Dag.of({"b": ["a"], "c": ["b"]}), Dag.of({"b": ["a", "c"]}, nodes="abc")
        >>> chain.equivalence_class().distance(fork.equivalence_class())
        2
        """
        if self.nodes != other.nodes:
            raise InputError(
                "the graphs have different nodes, or the same nodes in another order; "
                "give both the same nodes"
            )
        differing = {*(self.arcs ^ other.arcs), *(self.edges ^ other.edges)}
        return len(_undirected(differing))

    def __str__(self) -> str:
        def line(pair: tuple[int, int], sign: str) -> str:
            return f"{value_text(self.nodes[pair[0]])} {sign} {value_text(self.nodes[pair[1]])}"

        lines = dict.fromkeys(self.arcs, "→") | dict.fromkeys(self.edges, "—")
        return "\n".join(
            line(pair, sign) for pair, sign in sorted(lines.items(), key=lambda item: item[0][::-1])
        )


def _undirected(pairs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(min(pair), max(pair)) for pair in pairs}
