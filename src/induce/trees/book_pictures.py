"""A tree as the books draw it: from the root down, with examples and gains at its nodes (Mitchell fig. 3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.values import positive_class
from induce.hypotheses.naming import number_text
from induce.pictures.style import PALE
from induce.pictures.trees import Box, draw_tree
from induce.trees.measures import gain
from induce.trees.pictures import CLASS_LETTERS, NODE_LETTERS, colour, edge_text, name_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.trees.hypothesis import Tree
from induce.trees.size import breadth_first

MOST_NODES = 60
"""Maximum number of nodes; of a larger tree, only the top is drawn."""


def draw_with_gains(tree: Tree, ax: Axes | None = None) -> Figure:
    """Return a figure of a tree from the root down, with [9+, 5-] and the information gain at each node.

    Examples
    --------
    >>> import induce
    >>> figure = draw_with_gains(induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_)
    >>> print(figure.axes[0].texts[3].get_text())
    Outlook
    [9+, 5-]
    gain 0.2467
    """
    whole = tree.n_nodes
    shown = tree if whole <= MOST_NODES else breadth_first(tree, MOST_NODES)
    # a box precedes its children, as nodes do; branches without a condition are not drawn
    children: list[list[int]] = [[] for _ in range(shown.n_nodes)]
    boxes = []
    labels = [""] * shown.n_nodes
    for node in range(shown.n_nodes):
        for branch, child in enumerate(shown.children(node)):
            condition = shown.condition(node, branch)
            children[node].append(child)
            labels[child] = "" if condition is None else edge_text(condition)
        boxes.append(_box(shown, node, labels[node]))
    figure = draw_tree(boxes, children, ax)
    if shown.n_nodes < whole:
        figure.axes[0].set_title(f"the first {shown.n_nodes} of {whole} nodes", fontsize=9)
    return figure


def counts_text(tree: Tree, node: int) -> str:
    """Return the examples of a node in the books' notation, [9+, 5-], or the number of each class.

    Examples
    --------
    >>> import induce
    >>> counts_text(induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_, 1)
    '[2+, 3-]'
    """
    numbers = [number_text(round(float(count), 2)) for count in tree.counts[node]]
    if len(tree.classes) != 2:
        return f"[{', '.join(numbers)}]"
    positive = tree.classes.index(positive_class(tree.classes))
    return f"[{numbers[positive]}+, {numbers[1 - positive]}-]"


def _box(tree: Tree, node: int, label: str) -> Box:
    counts = counts_text(tree, node)
    below = list(tree.children(node))
    if not below:
        says = name_text(tree.prediction(node), CLASS_LETTERS)
        return Box(f"{says}\n{counts}", edge=colour(int(tree.majority[node])), label=label)
    name = name_text(tree.tested(node).name, NODE_LETTERS)
    return Box(f"{name}\n{counts}\ngain {float(gain(tree.counts[below])):.4f}", face=PALE, label=label)
