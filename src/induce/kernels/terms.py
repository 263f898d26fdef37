"""A kernel of nested terms: the common subtrees of two terms (Collins and Duffy 2002)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.kernels.inputs import Array, Floats, Inputs
from induce.kernels.kernel import THINGS, Kernel

Nodes = list[tuple[Any, tuple[int, ...]]]
"""Inner nodes, children first: the production, and the indices of its inner children."""


@dataclass(frozen=True)
class Subtrees(Kernel):
    """K(s, t) counts the common subtrees of two trees, down-weighting large ones.

    A subtree contains, for each of its nodes, either no child or all of them. Trees are nested tuples of a label
    and its children, terms of `induce.logic`, or terms as text.

    Parameters
    ----------
    decay : float
        Factor for each node of a common subtree; greater than 0 and at most 1.

    Examples
    --------
    >>> trees = ["np(d(the), n(apple))", "np(d(the), n(pear))"]
    >>> Subtrees()(trees).tolist()  # d(the), np(d, n), np(d(the), n)
    [[6.0, 3.0], [3.0, 6.0]]
    """

    decay: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.decay, int | float) or not 0 < self.decay <= 1:
            raise InputError(f"decay is {self.decay!r}; give a number above 0 and at most 1")

    def needs(self) -> frozenset[str]:
        return frozenset([THINGS])

    def prepare(self, inputs: Inputs) -> Any:
        if not inputs.things:
            raise InputError(
                "the kernel compares terms; give terms, or a table with a column of terms as text"
            )
        return [[inner_nodes(cells[i]) for cells in inputs.things] for i in range(len(inputs))]

    def between(self, a: Any, b: Any) -> Array:
        if a is b:
            found = np.zeros((len(a), len(a)))
            for i, row in enumerate(a):
                found[i, i:] = found[i:, i] = [self._common(row, other) for other in a[i:]]
            return found
        return np.array([[self._common(row, other) for other in b] for row in a]).reshape(len(a), len(b))

    def own(self, a: Any) -> Floats:
        return np.array([self._common(row, row) for row in a], np.float64)

    def _common(self, one: Sequence[Nodes], other: Sequence[Nodes]) -> float:
        return sum(self._of_trees(s, t) for s, t in zip(one, other, strict=True))

    def _of_trees(self, one: Nodes, other: Nodes) -> float:
        """Return the sum, over pairs of nodes, of the common subtrees rooted there."""
        alike: dict[Any, list[int]] = {}
        for j, (production, _) in enumerate(other):
            alike.setdefault(production, []).append(j)
        rooted: dict[tuple[int, int], float] = {}
        for i, (production, children) in enumerate(one):
            for j in alike.get(production, ()):
                found = self.decay
                for child, of_other in zip(children, other[j][1], strict=True):
                    found *= 1.0 + rooted.get((child, of_other), 0.0)
                rooted[i, j] = found
        return sum(rooted.values())

    def __str__(self) -> str:
        return f"common subtrees, decay {self.decay:.4g}"


def inner_nodes(tree: Any) -> Nodes:
    """List the inner nodes of a tree, children first; iterative, so that trees may be deep.

    Examples
    --------
    >>> inner_nodes(("s", ("np", "john"), "runs"))
    [(('np', (False, 'john')), ()), (('s', (True, 'np'), (False, 'runs')), (0,))]
    """
    if isinstance(tree, str):
        tree = _parsed(tree)
    order: list[Any] = []
    waiting = [tree] if _children(tree) else []
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(child for child in _children(node) if _children(child))
    nodes: Nodes = []
    place: dict[int, int] = {}
    for node in reversed(order):
        children = _children(node)
        production = (_label(node), *((bool(_children(child)), _label(child)) for child in children))
        nodes.append((production, tuple(place[id(child)] for child in children if _children(child))))
        place[id(node)] = len(nodes) - 1
    return nodes


def _parsed(text: str) -> Any:
    from induce.logic import parse_term

    return parse_term(text) if text.strip() else ""


def _children(node: Any) -> tuple[Any, ...]:
    if isinstance(node, tuple):
        return node[1:]
    return getattr(node, "arguments", ())


def _label(node: Any) -> str:
    if isinstance(node, tuple):
        node = node[0]
    return str(getattr(node, "name", node))
