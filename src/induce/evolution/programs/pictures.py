"""Plots of program trees, with the root at the top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from induce.core.reports import shortened
from induce.pictures.style import LINE, PALE, PALETTE
from induce.pictures.trees import Box
from induce.pictures.trees import draw_tree as boxes_and_lines

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
        Label of each node, in prefix order.
    ends : sequence of int
        End of the subtree of each node.
    ax : Axes, optional
    """
    children: list[list[int]] = [[] for _ in labels]
    for node, end in enumerate(ends):
        child = node + 1
        while child < end:
            children[node].append(child)
            child = ends[child]
    boxes = [
        Box(shortened(label, LONGEST), "white", PALETTE[0])
        if below
        else Box(shortened(label, LONGEST), PALE, LINE)
        for label, below in zip(labels, children, strict=True)
    ]
    return boxes_and_lines(boxes, children, ax)


def draw_several(several: ClassFormulas) -> Figure:
    """Plot the trees of the class formulas, one below the other."""
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
