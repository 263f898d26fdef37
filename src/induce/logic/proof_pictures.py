"""Plots of proofs, and of regression through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.logic.regression import regression_steps
from induce.pictures.style import DARK, GREY, LINE, PALE, axes_for
from induce.pictures.trees import (
    GAP,
    LABEL_LETTER,
    LABEL_SIZE,
    LABELLED_RISE,
    MARGIN,
    MOST,
    Box,
    draw_tree,
    write_box,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.logic.clauses import Literal
    from induce.logic.proofs import Proof
    from induce.logic.regression import Operational, Step

MOST_NODES = 300
LONGEST = 49
LOOKS = {"fact": (PALE, LINE, "-"), "rule": ("white", DARK, "-"), "built-in": ("white", GREY, ":")}
LOOKS["negation"] = ("white", GREY, "--")


def draw(proof: Proof, ax: Axes | None = None) -> Figure:
    """Draw a proof with its conclusion at the top; facts are shaded, built-ins dotted, negations dashed."""
    nodes = list(proof.walk())
    if len(nodes) > MOST_NODES:
        raise InputError(f"a proof with {len(nodes):,} nodes is too large to draw; print it instead")
    boxes = [Box(shortened(str(node.literal), LONGEST), *LOOKS[node.kind]) for _, node in nodes]
    children: list[list[int]] = [[] for _ in nodes]
    path: list[int] = []  # path from the root to the current node
    for number, (level, _) in enumerate(nodes):
        del path[level - 1 :]
        if path:
            children[path[-1]].append(number)
        path.append(number)
    return draw_tree(boxes, children, ax)


def draw_regression(
    proof: Proof,
    target: Literal | None = None,
    operational: Operational | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw the regression of a target through a proof, with the frontier after each step (as in Figure 11.3).

    The regressed literal has a dark frame and lines to the conditions that replace it. Next to it are the
    rule and the unifier of the rule's head with the literal. The last frontier, which is the body of the
    learned clause, is shaded.

    Parameters
    ----------
    proof : Proof
        Proof to regress through.
    target : Literal, optional
        Head of the resulting clause; see `regression_steps`.
    operational : function of a predicate, optional
        See `regression_steps`.
    ax : matplotlib Axes, optional
        Axes to draw on; by default a new figure is created.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> from induce.logic import Prover, parse_program
    >>> prover = Prover(parse_program("likes(X, pizza) :- student(X). student(ann)."))
    >>> figure = draw_regression(prover.first("likes(ann, pizza)").proof)
    """
    steps = list(regression_steps(proof, target, operational))
    rows = [(steps[0].literal,) if steps else (target or proof.literal,), *(step.frontier for step in steps)]
    if sum(map(len, rows)) > MOST_NODES:
        raise InputError(
            f"a regression of {len(steps):,} steps is too large to draw; print its steps instead"
        )
    boxes = [[_literal_box(one, steps[n : n + 1]) for one in row] for n, row in enumerate(rows)]
    widths = [sum(box.width + GAP for box in row) - GAP for row in boxes]
    across: list[list[float]] = []
    for row, width in zip(boxes, widths, strict=True):
        left = (max(widths) - width) / 2
        across.append([])
        for box in row:
            across[-1].append(left + box.width / 2)
            left += box.width + GAP
    beside = max(widths) + 2 * GAP
    notes = [(shortened(str(step.rule), 2 * LONGEST), f"θ = {step.general}") for step in steps]
    room = LABEL_LETTER * max((len(line) for note in notes for line in note), default=0)
    drop = boxes[0][0].height + LABELLED_RISE / 1.3
    figure, axes = axes_for(
        ax, min(beside + room + 2 * MARGIN, MOST), min(drop * len(steps) + 0.4 + 2 * MARGIN, MOST)
    )
    for n, step in enumerate(steps):
        places = {literal: place for place, literal in enumerate(step.frontier)}
        for literal, x in zip(rows[n], across[n], strict=True):
            chosen = literal == step.literal
            for below in step.rule.body if chosen else (literal,):
                to = across[n + 1][places[step.general.apply(below)]]
                look: dict[str, Any] = {"color": DARK, "lw": 1.2} if chosen else {"color": LINE, "lw": 0.9}
                axes.plot([x, to], [-drop * n, -drop * (n + 1)], zorder=1, **look)
        axes.text(
            beside,
            -drop * (n + 0.5),
            "\n".join(notes[n]),
            ha="left",
            va="center",
            fontsize=LABEL_SIZE,
            color=DARK,
            parse_math=False,
        )
    for n, (row, places_across) in enumerate(zip(boxes, across, strict=True)):
        for box, x in zip(row, places_across, strict=True):
            write_box(axes, x, -drop * n, box)
    axes.set_xlim(-MARGIN, beside + room + MARGIN)
    axes.set_ylim(-drop * len(steps) - 0.2 - MARGIN, 0.2 + MARGIN)
    axes.set_axis_off()
    return figure


def _literal_box(literal: Literal, next_step: Sequence[Step]) -> Box:
    text = shortened(str(literal), LONGEST)
    if not next_step:
        return Box(text, PALE, LINE)
    return Box(text, "white", DARK if literal == next_step[0].literal else LINE)
