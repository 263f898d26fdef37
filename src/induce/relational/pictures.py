"""Resolution and its inverse as pictures: two clauses above the one they give (Mitchell, Fig. 10.2 and 10.3)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.logic.clauses import Literal
from induce.logic.refutation import ResolutionProof, Step
from induce.logic.resolution import Resolvent, write_disjunction
from induce.logic.substitution import variables_of
from induce.pictures.style import DARK, GREY, LINE, PALE, PALETTE
from induce.relational.cigol.inverse_resolution import InverseResolvent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# in inches
LETTER, ROW, GAP, RISE, MARGIN = 0.088, 0.19, 0.35, 0.8, 0.2
LABEL_LETTER = 0.072
LINE_LENGTH = 38
MOST_STEPS = 200


@dataclass
class _Node:
    """A clause, and above it those it comes from, with what is written at the lines to them."""

    text: str
    found: bool = False
    above: list[tuple[_Node, str]] = field(default_factory=list)
    level: int = 0
    width: float = 0.0
    x: float = 0.0

    @property
    def height(self) -> float:
        return ROW * (self.text.count("\n") + 1) + 0.12

    @property
    def room(self) -> float:
        """How wide the text is."""
        return LETTER * max(map(len, self.text.split("\n"))) + 0.2


def draw_resolution(proof: ResolutionProof | Resolvent) -> Figure:
    """Draw a proof by resolution: what was given at the top, what was proved at the bottom.

    The substitutions stand at the lines. A clause that is used again is drawn again, without its own proof.

    Parameters
    ----------
    proof : ResolutionProof or Resolvent
    """
    if isinstance(proof, Resolvent):
        given = (Step(proof.first), Step(proof.second))
        last = Step(proof.clause, (0, 1), (proof.literal, proof.other), proof.theta)
        proof = ResolutionProof((*given, last))
    if not 0 < len(proof.steps) <= MOST_STEPS:
        raise InputError(
            f"a picture can show 1 to {MOST_STEPS} steps, and the proof has {len(proof.steps)}: print it"
        )
    nodes: list[_Node] = []
    drawn: set[int] = set()
    for step in proof.steps:
        node = _Node(_wrapped(step.clause), found=bool(step.parents))
        names = set(variables_of(proof.steps[step.parents[0]].clause)) if step.parents else set()
        for place, parent in enumerate(step.parents):
            # the variables of the second parent were renamed, so they are all those that the first has not
            theta = step.theta.restrict(each for each in step.theta if (each in names) == (place == 0))
            above = _Node(nodes[parent].text, nodes[parent].found) if parent in drawn else nodes[parent]
            drawn.add(parent)
            node.above.append((above, str(theta) if theta else ""))
        nodes.append(node)
    return _drawn(nodes[-1])


def draw_inverse_resolution(steps: InverseResolvent | Sequence[InverseResolvent]) -> Figure:
    """Draw steps of inverse resolution as in Fig. 10.3: the example at the bottom, what was induced at the top right.

    Parameters
    ----------
    steps : InverseResolvent or sequence of InverseResolvent
        Each starts from the clause that the one before it found.
    """
    steps = [steps] if isinstance(steps, InverseResolvent) else list(steps)
    if not 0 < len(steps) <= MOST_STEPS:
        raise InputError(
            f"a picture can show 1 to {MOST_STEPS} steps of inverse resolution, not {len(steps)}"
        )
    bottom = node = _Node(_wrapped(steps[0].clause))
    for before, step in zip([None, *steps[:-1]], steps, strict=True):
        if before is not None and before.second != step.clause:
            raise InputError(
                f"the step to {write_disjunction(step.second)} does not start where the one before ends"
            )
        second = _Node(_wrapped(step.second), found=True)
        theta1 = str(step.theta1) if step.theta1 else ""
        inverse = str(step.theta2_inverse) if step.theta2_inverse.replaced else ""
        node.above = [(_Node(_wrapped(step.first)), theta1), (second, inverse)]
        node = second
    return _drawn(bottom)


def _wrapped(clause: Iterable[Literal]) -> str:
    # a line may end after the sign between two literals only, and other spaces are kept from that
    kept = write_disjunction(clause).replace(" ", "\N{NO-BREAK SPACE}")
    sign = "\N{LOGICAL OR}"
    ends = kept.replace(f"{sign}\N{NO-BREAK SPACE}", f"{sign} ")
    return "\n".join(textwrap.wrap(ends, LINE_LENGTH, break_long_words=False, break_on_hyphens=False))


def _drawn(bottom: _Node) -> Figure:
    from matplotlib.figure import Figure

    nodes = [bottom]
    for node in nodes:
        for above, _ in node.above:
            above.level = node.level + 1
            nodes.append(above)
    for node in reversed(nodes):
        blocks = [_block(above, label) for above, label in node.above]
        node.width = max(node.room, sum(blocks) + GAP * (len(blocks) - 1))
    _place(nodes)
    heights = [
        max(each.height for each in nodes if each.level == level) for level in range(nodes[-1].level + 1)
    ]
    middles = [sum(heights[:level]) + height / 2 + RISE * level for level, height in enumerate(heights)]
    size = (bottom.width + 2 * MARGIN, middles[-1] + heights[-1] / 2 + 2 * MARGIN)
    figure = Figure(figsize=size)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-MARGIN, size[0] - MARGIN), ylim=(-MARGIN, size[1] - MARGIN))
    axes.axis("off")
    for node in nodes:
        _draw(axes, node, middles)
    return figure


def _block(node: _Node, label: str) -> float:
    """Return the width that a clause needs with all above it and with what is written at the line to it."""
    return max(node.width, 2 * LABEL_LETTER * len(label))


def _place(nodes: Sequence[_Node]) -> None:
    """Put every clause in the middle of those it comes from, without running into others."""
    left = {id(nodes[0]): 0.0}
    for node in nodes:
        blocks = [_block(above, label) for above, label in node.above]
        start = left[id(node)] + (node.width - sum(blocks) - GAP * (len(blocks) - 1)) / 2
        for (above, _), block in zip(node.above, blocks, strict=True):
            left[id(above)] = start + (block - above.width) / 2
            start += block + GAP
    for node in reversed(nodes):
        low, high = left[id(node)] + node.room / 2, left[id(node)] + node.width - node.room / 2
        middle = sum(above.x for above, _ in node.above) / len(node.above) if node.above else (low + high) / 2
        node.x = min(max(middle, low), high)


def _draw(axes: Axes, node: _Node, middles: Sequence[float]) -> None:
    y = middles[node.level]
    for place, (above, label) in enumerate(node.above):
        top = middles[node.level + 1]
        axes.plot([node.x, above.x], [y, top], color=LINE, lw=1.4, zorder=1)
        side = -1 if place == 0 and len(node.above) > 1 else 1
        axes.text(
            (node.x + above.x) / 2 + 0.05 * side,
            (y + top) / 2,
            label,
            ha="right" if side < 0 else "left",
            va="top",
            fontsize=8.5,
            color=GREY,
        )
    colour = PALETTE[0] if node.found else GREY
    box = {"boxstyle": "round,pad=0.35", "facecolor": PALE, "edgecolor": colour, "linewidth": 0.9}
    axes.text(node.x, y, node.text, ha="center", va="center", fontsize=10, color=DARK, bbox=box, zorder=2)
