"""Pictures of proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.pictures.style import DARK, GREY, LINE, PALE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.logic.proofs import Proof

MOST_NODES = 300
LETTER = 0.085
"""The width of a letter in inches."""
LONGEST = 48
ROW = 0.75
EDGES = {"fact": (PALE, LINE, "-"), "rule": ("white", DARK, "-"), "built-in": ("white", GREY, ":")}
EDGES["negation"] = ("white", GREY, "--")


def draw(proof: Proof, ax: Axes | None = None) -> Figure:
    """Draw a proof with what it proves on top; facts are shaded, built-in predicates dotted, negations dashed."""
    nodes = list(proof.walk())
    if len(nodes) > MOST_NODES:
        raise InputError(f"a proof with {len(nodes):,} nodes is too large to draw; print it instead")
    texts = [shortened(str(node.literal), LONGEST) for _, node in nodes]
    centres, total = _places(nodes, [LETTER * len(text) + 0.3 for text in texts])
    depth = max(level for level, _ in nodes)
    figure, axes = axes_for(ax, max(total + 0.4, 3.0), ROW * depth + 0.3)
    parents: dict[int, int] = {}  # the last node of each level, as the tree is walked
    for number, (level, node) in enumerate(nodes):
        x, y = centres[number], -ROW * level
        if level > 1:
            above = parents[level - 1]
            axes.plot([centres[above], x], [-ROW * (level - 1), y], color=LINE, lw=1.0, zorder=1)
        parents[level] = number
        face, edge, line = EDGES[node.kind]
        box = {
            "boxstyle": "round,pad=0.35",
            "facecolor": face,
            "edgecolor": edge,
            "linestyle": line,
            "lw": 1.0,
        }
        axes.text(x, y, texts[number], ha="center", va="center", fontsize=9, color=DARK, bbox=box, zorder=2)
    axes.set_xlim(-0.2, max(total, 2.6) + 0.2)
    axes.set_ylim(-ROW * (depth + 0.5), -ROW * 0.5)
    axes.set_axis_off()
    return figure


def _places(nodes: list[tuple[int, Proof]], widths: list[float]) -> tuple[list[float], float]:
    """Return the middle of each node, and the width of all: each above the middle of its children, none overlapping.

    A node's share of the width is that of its children side by side, or its own if that is more.
    """
    n = len(nodes)
    shares = widths[:]
    below: list[list[int]] = [[] for _ in range(n)]
    path: list[int] = []
    for number, (level, _) in enumerate(nodes):
        del path[level - 1 :]
        if path:
            below[path[-1]].append(number)
        path.append(number)
    for number in range(n - 1, -1, -1):
        shares[number] = max(widths[number], sum(shares[child] for child in below[number]))
    centres = [0.0] * n
    starts = [0.0] * n
    for number in range(n):
        centres[number] = starts[number] + shares[number] / 2
        spare = shares[number] - sum(shares[child] for child in below[number])
        start = starts[number] + spare / 2
        for child in below[number]:
            starts[child] = start
            start += shares[child]
    return centres, shares[0]
