"""Pictures of programs: the tree, from the root at the top to the leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from induce.core.reports import shortened
from induce.pictures.style import DARK, LINE, PALE, PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.evolution.programs.formula import ClassFormulas

LONGEST = 16


def draw_tree(labels: Sequence[str], ends: Sequence[int], ax: Axes | None = None) -> Figure:
    """Draw a flat tree.

    Parameters
    ----------
    labels : sequence of str
        What each node says, in prefix order.
    ends : sequence of int
        Where the subtree of each node ends.
    ax : Axes, optional
    """
    n = len(labels)
    depths = [0] * n
    children: list[list[int]] = [[] for _ in range(n)]
    for i in range(n):
        child = i + 1
        while child < ends[i]:
            children[i].append(child)
            depths[child] = depths[i] + 1
            child = ends[child]
    across, leaves = [0.0] * n, 0.0
    for i in range(n):
        if not children[i]:
            across[i] = leaves
            leaves += 1.0
    for i in range(n - 1, -1, -1):
        if children[i]:
            across[i] = sum(across[child] for child in children[i]) / len(children[i])
    width, height = min(max(3.0, 0.75 * leaves), 30.0), min(max(1.6, 0.75 * (max(depths) + 1)), 30.0)
    figure, axes = axes_for(ax, width, height)
    for i in range(n):
        for child in children[i]:
            axes.plot([across[i], across[child]], [-depths[i], -depths[child]], color=LINE, lw=1, zorder=1)
        label = shortened(labels[i], LONGEST)
        axes.text(
            across[i],
            -depths[i],
            label,
            ha="center",
            va="center",
            fontsize=9,
            color=DARK,
            bbox={
                "boxstyle": "round,pad=0.3",
                "fc": "white" if children[i] else PALE,
                "ec": PALETTE[0] if children[i] else LINE,
            },
            zorder=2,
        )
    axes.set_xlim(-0.7, max(leaves, 1.0) - 0.3)
    axes.set_ylim(-max(depths) - 0.5, 0.5)
    axes.set_axis_off()
    return figure


def draw_several(several: ClassFormulas) -> Figure:
    """Draw the trees of the formulas of classes, one below the other."""
    from matplotlib.figure import Figure

    from induce.hypotheses.naming import value_text

    formulas = several.formulas
    if not formulas:
        return draw_tree([value_text(several.classes[0])], [1])
    depths = [formula.depth() + 1.5 for formula in formulas]
    widest = max(sum(formula.words.arity(c) == 0 for c in formula.codes.tolist()) for formula in formulas)
    figure = Figure(
        figsize=(min(max(4.0, 0.75 * widest), 30.0), min(0.75 * sum(depths), 60.0)), layout="constrained"
    )
    spoken = several.classes[1:] if len(formulas) == 1 else several.classes
    grid = figure.subplots(len(formulas), 1, squeeze=False, height_ratios=depths)
    for axes, value, formula in zip(grid[:, 0], spoken, formulas, strict=True):
        formula.draw(axes)
        axes.set_title(value_text(value), fontsize=10, loc="left")
    return figure
