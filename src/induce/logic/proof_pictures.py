"""Pictures of proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.pictures.style import DARK, GREY, LINE, PALE
from induce.pictures.trees import Box, draw_tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.logic.proofs import Proof

MOST_NODES = 300
LONGEST = 49
LOOKS = {"fact": (PALE, LINE, "-"), "rule": ("white", DARK, "-"), "built-in": ("white", GREY, ":")}
LOOKS["negation"] = ("white", GREY, "--")


def draw(proof: Proof, ax: Axes | None = None) -> Figure:
    """Draw a proof with what it proves on top; facts are shaded, built-in predicates dotted, negations dashed."""
    nodes = list(proof.walk())
    if len(nodes) > MOST_NODES:
        raise InputError(f"a proof with {len(nodes):,} nodes is too large to draw; print it instead")
    boxes = [Box(shortened(str(node.literal), LONGEST), *LOOKS[node.kind]) for _, node in nodes]
    children: list[list[int]] = [[] for _ in nodes]
    path: list[int] = []  # from the root to the node at hand, as the tree is walked
    for number, (level, _) in enumerate(nodes):
        del path[level - 1 :]
        if path:
            children[path[-1]].append(number)
        path.append(number)
    return draw_tree(boxes, children, ax)
