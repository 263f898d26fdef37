"""Figures of networks initialised from rules, before and after training (Mitchell, Figures 12.2 and 12.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.reports import shortened
from induce.core.ties import largest_first
from induce.pictures.style import DARK, GREY, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.knowledge.hypothesis import KnowledgeNetwork
    from induce.neural.network import Network

POSITIVE, NEGATIVE = PALETTE[0], PALETTE[5]
FAINT = 0.1
"""Minimum weight of a drawn connection, as a fraction of W."""
MOST_LEARNED = 30
"""Maximum number of learned connections drawn; the strongest are chosen."""
MOST_NEW = 12
"""Maximum number of drawn inputs that only learned connections use; those with the largest weights are chosen."""
STEP = 0.26
"""Distance between two nodes of a column, in inches."""

Place = tuple[int, int]
"""Group and unit of a node."""


def draw_refinement(network: KnowledgeNetwork) -> Figure:
    """Draw the units with their connections before and after training.

    Blue is positive, orange negative, and the line width shows the size of the weight. Connections that the
    rules state are solid, learned ones dashed. Only the strongest learned connections are drawn, and no
    connection below a tenth of W.
    """
    from matplotlib.figure import Figure

    encoding = network.encoding
    shown = _shown(network)
    columns = 1 + max(group for group, _ in shown)
    where = _layout(network, shown, columns)
    tallest = max(sum(1 for group, _ in shown if group == column) for column in range(columns))
    figure = Figure(figsize=(3.0 + 2.0 * columns, 2 * (0.6 + STEP * tallest)), layout="constrained")
    axes = figure.subplots(2)
    stated = {
        (link.source, link.target): encoding.network.get((link.source, link.target)) != 0.0
        for link in encoding.network.links
    }
    for panel, (value, title) in zip(
        axes, ((encoding.network, "before training"), (network.network, "after training")), strict=True
    ):
        _panel(panel, network, value, where, stated, title)
    return figure


def _shown(network: KnowledgeNetwork) -> list[Place]:
    """Return the units, the inputs of the rules, and the inputs of the strongest learned connections."""
    value, before = network.network, network.encoding.network
    units = [(g, k) for g, group in enumerate(value.groups) if g for k in range(group.size)]
    strength = np.zeros(value.groups[0].size)
    of_rules = np.zeros(len(strength), bool)
    for link in value.links:
        if link.source == value.groups[0].name:
            key = link.source, link.target
            strength = np.maximum(strength, np.abs(value.get(key)).max(axis=1))
            of_rules |= (before.get(key) != 0.0).any(axis=1)
    strong = np.where(of_rules, 0.0, strength)
    new = [int(k) for k in largest_first(strong)[:MOST_NEW] if strong[k] >= FAINT * network.weight]
    return [*((0, int(k)) for k in sorted({*np.flatnonzero(of_rules).tolist(), *new})), *units]


def _layout(network: KnowledgeNetwork, shown: list[Place], columns: int) -> dict[Place, tuple[float, float]]:
    """Place the nodes of each column close to their successors."""
    value = network.encoding.network
    groups = value.groups
    heights: dict[Place, float] = {}
    where: dict[Place, tuple[float, float]] = {}
    for column in reversed(range(columns)):
        nodes = [node for node in shown if node[0] == column]
        keys = []
        for order, node in enumerate(nodes):
            ahead = []
            for link in value.links:
                if link.source != groups[column].name:
                    continue
                target = next(g for g, each in enumerate(groups) if each.name == link.target)
                weights = value.get((link.source, link.target))[node[1]]
                ahead += [
                    heights[target, k] for k in np.flatnonzero(weights).tolist() if (target, k) in heights
                ]
            keys.append((float(np.mean(ahead)) if ahead else 1.0, order, node))
        keys.sort(key=lambda each: (each[0], each[1]))
        for place, (_, _, node) in enumerate(keys):
            height = (place + 0.5) / len(keys)
            heights[node] = height
            where[node] = (float(column), 1.0 - height)
    return where


def _panel(
    axes: Axes,
    network: KnowledgeNetwork,
    value: Network,
    where: dict[Place, tuple[float, float]],
    stated: dict[tuple[str, str], np.ndarray],
    title: str,
) -> None:
    groups = value.groups
    number = {group.name: g for g, group in enumerate(groups)}
    lines = []
    for link in value.links:
        key = link.source, link.target
        weights = value.get(key)
        for i, j in np.argwhere(np.abs(weights) >= FAINT * network.weight):
            start, end = (number[link.source], int(i)), (number[link.target], int(j))
            if start in where and end in where:
                lines.append((start, end, float(weights[i, j]), bool(stated[key][i, j])))
    sizes = [0.0 if is_stated else abs(weight) for _, _, weight, is_stated in lines]
    learned = set(largest_first(np.array(sizes))[:MOST_LEARNED].tolist()) if lines else set()
    largest = max((abs(weight) for _, _, weight, _ in lines), default=1.0)
    for place, (start, end, weight, is_stated) in enumerate(lines):
        if is_stated or place in learned:
            axes.plot(
                *zip(where[start], where[end], strict=True),
                color=POSITIVE if weight > 0 else NEGATIVE,
                lw=0.5 + 2.0 * abs(weight) / largest,
                ls="-" if is_stated else (0, (3, 2)),
                alpha=0.75,
                zorder=1,
            )
    for (g, k), (x, y) in where.items():
        name = network.view.names[k] if g == 0 else groups[g].unit_names()[k]
        if g == 0:
            axes.plot(x, y, "o", ms=3.5, color=DARK, zorder=3)
            axes.annotate(
                shortened(name, 26),
                (x, y),
                (-6, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                fontsize=7.5,
                parse_math=False,
            )
        else:
            axes.text(
                x,
                y,
                shortened(name, 24),
                ha="center",
                va="center",
                fontsize=7.5,
                zorder=4,
                parse_math=False,
                bbox={"boxstyle": "round,pad=0.25", "fc": "white", "ec": GREY, "lw": 0.8},
            )
    axes.set_xlim(-0.75, max(x for x, _ in where.values()) + 0.5)
    axes.set_ylim(-0.03, 1.03)
    axes.set_axis_off()
    axes.set_title(title, fontsize=10, loc="left")
