"""Layout of a function graph: layers from causes to effects, with few crossings."""

from __future__ import annotations

from itertools import combinations, pairwise

from induce.instances.cases.graphs import Edge, FunctionGraph

SWEEPS = 8

Stop = tuple[str, ...]
"""A variable, or the point where an edge crosses a layer."""


def layered(graph: FunctionGraph) -> tuple[dict[Edge, list[Stop]], dict[Stop, tuple[int, float]]]:
    """Return the stops of each edge from tail to head, and the layer and the row of each stop.

    Examples
    --------
    >>> from induce.instances.cases.graphs import function_graph
    >>> routes, spots = layered(function_graph("A -> + B -> + C, A -> - C"))
    >>> spots[("A",)], spots[("C",)]
    ((0, 0.5), (2, 0.5))
    >>> [len(route) for route in routes.values()]
    [2, 2, 3]
    """
    level = _levels(graph)
    routes: dict[Edge, list[Stop]] = {}
    for edge in graph.edges:
        low, high = sorted((level[edge.tail], level[edge.head]))
        between: list[Stop] = [(edge.tail, edge.head, str(at)) for at in range(low + 1, high)]
        forward = level[edge.tail] < level[edge.head]
        routes[edge] = [(edge.tail,), *(between if forward else between[::-1]), (edge.head,)]
    layers: list[list[Stop]] = [[] for _ in range(max(level.values()) + 1)]
    for name in graph.variables:
        layers[level[name]].append((name,))
    for route in routes.values():
        for stop in route[1:-1]:
            layers[int(stop[2])].append(stop)
    layers = _uncrossed(layers, [pair for route in routes.values() for pair in pairwise(route)])
    tallest = max(map(len, layers))
    spots = {
        stop: (at, row + (tallest - len(layer)) / 2)
        for at, layer in enumerate(layers)
        for row, stop in enumerate(layer)
    }
    return routes, spots


def _levels(graph: FunctionGraph) -> dict[str, int]:
    """Return the layer of each variable: right of its causes; variables without causes are placed near their
    effects.
    """
    after: dict[str, list[str]] = {name: [] for name in graph.variables}
    for edge in graph.edges:
        after[edge.tail].append(edge.head)
    finished: list[str] = []
    forward: dict[str, list[str]] = {}
    open_now: set[str] = set()

    def visit(name: str) -> None:
        open_now.add(name)
        forward[name] = []
        for head in after[name]:
            if head not in forward:
                visit(head)
            # a back edge closes a cycle and does not affect the order
            if head not in open_now:
                forward[name].append(head)
        open_now.remove(name)
        finished.append(name)

    for name in graph.variables:
        if name not in forward:
            visit(name)
    level = dict.fromkeys(graph.variables, 0)
    for name in reversed(finished):
        for head in forward[name]:
            level[head] = max(level[head], level[name] + 1)
    caused = {head for heads in forward.values() for head in heads}
    for name in graph.variables:
        if name not in caused and forward[name]:
            level[name] = min(level[head] for head in forward[name]) - 1
    return level


def _uncrossed(layers: list[list[Stop]], lines: list[tuple[Stop, Stop]]) -> list[list[Stop]]:
    """Reorder the layers by the mean positions of neighbours, and keep the order with the fewest crossings."""
    near: dict[Stop, list[Stop]] = {stop: [] for layer in layers for stop in layer}
    for one, other in lines:
        near[one].append(other)
        near[other].append(one)
    best, fewest = layers, _crossings(layers, lines)
    for sweep in range(SWEEPS):
        layers = [layer[:] for layer in layers]
        numbers = range(len(layers)) if sweep % 2 == 0 else range(len(layers) - 1, -1, -1)
        for fixed, free in pairwise(numbers):
            row = {stop: number for number, stop in enumerate(layers[fixed])}
            means: dict[Stop, float] = {}
            for own, stop in enumerate(layers[free]):
                known = [row[each] for each in near[stop] if each in row] or [own]
                means[stop] = sum(known) / len(known)
            layers[free].sort(key=means.__getitem__)
        crossings = _crossings(layers, lines)
        if crossings < fewest:
            best, fewest = layers, crossings
    return best


def _crossings(layers: list[list[Stop]], lines: list[tuple[Stop, Stop]]) -> int:
    place = {stop: (at, row) for at, layer in enumerate(layers) for row, stop in enumerate(layer)}
    ends = [sorted((place[one], place[other])) for one, other in lines]
    return sum(a[0] == b[0] and (a[1] - b[1]) * (c[1] - d[1]) < 0 for (a, c), (b, d) in combinations(ends, 2))
