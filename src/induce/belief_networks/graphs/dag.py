"""Directed acyclic graphs and the independences they imply."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.data.names import unknown
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from induce.belief_networks.graphs.partial import PartialGraph


@dataclass(frozen=True)
class Independence:
    """A statement that nodes are independent of others given a set of nodes.

    Parameters
    ----------
    node : str
        Name of the node.
    others : tuple of str
        Names of the nodes of which it is independent.
    given : tuple of str
        Names of the conditioning nodes.

    Examples
    --------
    >>> print(Independence("Thunder", ("Storm", "Campfire"), ("Lightning",)))
    Thunder is independent of Storm, Campfire given Lightning
    """

    node: str
    others: tuple[str, ...]
    given: tuple[str, ...]

    def __str__(self) -> str:
        given = f" given {', '.join(map(value_text, self.given))}" if self.given else ""
        return f"{value_text(self.node)} is independent of {', '.join(map(value_text, self.others))}{given}"


@dataclass(frozen=True)
class Dag:
    """A directed acyclic graph.

    Parameters
    ----------
    nodes : tuple of str
        Names of the nodes.
    parents : tuple of tuples of int
        Indices of the parents of each node.

    Examples
    --------
    >>> graph = Dag.of({"Lightning": ["Storm"], "Thunder": ["Lightning"]})
    >>> graph.nodes
    ('Storm', 'Lightning', 'Thunder')
    >>> graph.d_separated("Storm", "Thunder", given=["Lightning"])
    True
    """

    nodes: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Raise an `InputError` unless the graph is acyclic."""
        if len(set(self.nodes)) < len(self.nodes):
            twice = next(name for name in self.nodes if self.nodes.count(name) > 1)
            raise InputError(f"two nodes are called {twice!r}; give every node its own name")
        if len(self.parents) != len(self.nodes):
            raise InputError(
                f"there are {len(self.nodes)} nodes, but {len(self.parents)} tuples of "
                "parents; give one per node"
            )
        for node, parents in zip(self.nodes, self.parents, strict=True):
            if any(not 0 <= parent < len(self.nodes) for parent in parents):
                raise InputError(f"a parent of {node!r} is not in the graph; add it as a node")
            if len(set(parents)) < len(parents):
                raise InputError(f"{node!r} has the same parent twice; list it once")
        if len(self.order) < len(self.nodes):
            cycle = " → ".join(value_text(self.nodes[node]) for node in self._cycle())
            raise InputError(f"the arcs form a cycle: {cycle}; remove one of them")

    @classmethod
    def of(cls, parents: Mapping[str, Iterable[str]], nodes: Iterable[str] = ()) -> Dag:
        """Return the graph with the given parents of each node.

        Parameters
        ----------
        parents : dict
            Mapping from each node to the names of its parents; nodes without parents may be omitted.
        nodes : iterable of str
            Nodes in the desired order; by default the order of first mention.
        """
        listed = {
            child: (above,) if isinstance(above, str) else tuple(above) for child, above in parents.items()
        }
        named = dict.fromkeys([*nodes, *(each for child in listed for each in (*listed[child], child))])
        place = {name: k for k, name in enumerate(named)}
        return cls(tuple(named), tuple(tuple(place[p] for p in listed.get(name, ())) for name in named))

    def position(self, node: str) -> int:
        """Return the index of a node."""
        try:
            return self._positions[node]
        except (KeyError, TypeError):
            raise unknown("node", str(node), self.nodes) from None

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.nodes)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Indices of the children of each node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for child, parents in enumerate(self.parents):
            for parent in parents:
                found[parent].append(child)
        return tuple(map(tuple, found))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices of the nodes, parents before children; nodes on a cycle are omitted."""
        waiting = [len(parents) for parents in self.parents]
        ready = [node for node, n in enumerate(waiting) if not n]
        for node in ready:
            for child in self.children[node]:
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        return tuple(ready)

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """All arcs as pairs of parent and child names."""
        return tuple(
            (self.nodes[parent], self.nodes[child])
            for child, parents in enumerate(self.parents)
            for parent in parents
        )

    def parents_of(self, node: str) -> tuple[str, ...]:
        """Return the names of the parents of a node."""
        return self._names(self.parents[self.position(node)])

    def children_of(self, node: str) -> tuple[str, ...]:
        """Return the names of the children of a node."""
        return self._names(self.children[self.position(node)])

    def ancestors(self, positions: Iterable[int]) -> set[int]:
        """Return the given nodes and all their ancestors, by index."""
        return self._reached(positions, self.parents)

    def descendants(self, positions: Iterable[int]) -> set[int]:
        """Return the given nodes and all their descendants, by index."""
        return self._reached(positions, self.children)

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """Return the Markov blanket of a node: parents, children and the children's other parents.

        Examples
        --------
        >>> Dag.of({"c": ["a", "b"], "d": ["c"]}).markov_blanket("a")
        ('c', 'b')
        """
        mine = self.position(node)
        near = [*self.parents[mine]]
        for child in self.children[mine]:
            near += [child, *self.parents[child]]
        return self._names(each for each in dict.fromkeys(near) if each != mine)

    def d_separated(
        self, first: str | Iterable[str], second: str | Iterable[str], given: Iterable[str] = ()
    ) -> bool:
        """Return whether every path between two nodes, or sets of nodes, is blocked by the given nodes.

        A path is blocked by a given node that is not a collider on the path. It is also blocked by a collider
        unless the collider or one of its descendants is given.

        Examples
        --------
        >>> graph = Dag.of({"fire": ["campfire", "lightning"]})
        >>> graph.d_separated("campfire", "lightning"), graph.d_separated("campfire", "lightning", ["fire"])
        (True, False)
        """
        starts, ends, known = (self._set(names) for names in (first, second, given))
        common = sorted((starts & ends) | (starts & known) | (ends & known))
        if common:
            raise InputError(f"{self.nodes[common[0]]!r} is in two of the sets; give disjoint sets of nodes")
        return not self.connected(starts, known) & ends

    def connected(self, starts: Collection[int], known: Collection[int]) -> set[int]:
        """Return all nodes that are not d-separated from the given start nodes, by index (Bayes ball)."""
        above = self.ancestors(known)
        reached: set[int] = set()
        visited: set[tuple[int, bool]] = set()
        waiting = [(node, True) for node in starts]  # a ball, and whether it comes from a child
        while waiting:
            ball = waiting.pop()
            if ball in visited:
                continue
            visited.add(ball)
            node, upwards = ball
            if node not in known:
                reached.add(node)
                waiting += [(child, False) for child in self.children[node]]
            if (upwards and node not in known) or (not upwards and node in above):
                waiting += [(parent, True) for parent in self.parents[node]]
        return reached

    def independences(self) -> tuple[Independence, ...]:
        """Return the local Markov independences: each node is independent of its nondescendants given its parents."""
        found = []
        for node, name in enumerate(self.nodes):
            near = {*self.descendants([node]), *self.parents[node]}
            others = [each for each in range(len(self.nodes)) if each not in near]
            if others:
                found.append(Independence(name, self._names(others), self._names(self.parents[node])))
        return tuple(found)

    def equivalence_class(self) -> PartialGraph:
        """Return the completed partially directed graph (CPDAG): arcs of undetermined direction are
        undirected.
        """
        from induce.belief_networks.graphs.partial import PartialGraph

        return PartialGraph.of_class(self)

    def without_parents(self, positions: Collection[int]) -> Dag:
        """Return the graph without the arcs into the given nodes."""
        return Dag(
            self.nodes, tuple(() if k in positions else parents for k, parents in enumerate(self.parents))
        )

    def _set(self, names: str | Iterable[str]) -> set[int]:
        return {self.position(name) for name in ([names] if isinstance(names, str) else names)}

    def _names(self, positions: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.nodes[k] for k in positions)

    @staticmethod
    def _reached(starts: Iterable[int], neighbours: Sequence[Sequence[int]]) -> set[int]:
        found = set(starts)
        waiting = list(found)
        while waiting:
            for each in neighbours[waiting.pop()]:
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return found

    def _cycle(self) -> list[int]:
        """Return the nodes of a cycle in arc direction, with the first repeated at the end."""
        stuck = set(range(len(self.nodes))) - set(self.order)
        path = [min(stuck)]
        while True:
            above = next(parent for parent in self.parents[path[-1]] if parent in stuck)
            if above in path:
                return [*path[path.index(above) :], above][::-1]
            path.append(above)
