"""Mitchell, chapters 11 to 13: explanations, networks from theories, and Q learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import induce
from induce.textbook.pictures.panels import boxes_and_arrows

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _explanation() -> Figure:
    from induce.textbook.analytical import explanation

    figure: Figure = explanation().draw()
    return figure


def _regression() -> Figure:
    from induce.analytical.examples import SAFE_TO_STACK
    from induce.logic.proof_pictures import draw_regression
    from induce.textbook.analytical import explanation

    return draw_regression(explanation(), operational=SAFE_TO_STACK.is_operational)


def _theory() -> Figure:
    from induce.textbook.knowledge import CUP

    data = induce.dataset("cup")
    learner = induce.KBANN(knowledge=CUP, weight=4.0, weight_decay=1e9, extra="none").fit(data.X, data.y)
    figure: Figure = learner.hypothesis_.draw()
    return figure


def _refined() -> Figure:
    from induce.textbook.knowledge import refined

    return refined().hypothesis_.draw_refinement()


def _focl() -> Figure:
    from induce.knowledge.pictures import draw_focl
    from induce.textbook.knowledge import CUP

    data = induce.dataset("cup")
    with induce.trace() as events:
        induce.FOCL(knowledge=CUP).fit(data.X, data.y)
    return draw_focl(events)


def _interaction() -> Figure:
    places = {"Agent": (2.0, 2.4), "Environment": (2.0, 0.5)}
    figure = boxes_and_arrows(places, [], 6.4, 3.0)
    axes = figure.axes[0]
    style = {"arrowstyle": "-|>", "color": "#8a8a8a", "lw": 1.2}
    for x, y, start, end, label in (
        (0.8, 1.45, (1.4, 0.6), (1.4, 2.3), "state s,\nreward r"),
        (3.2, 1.45, (2.6, 2.3), (2.6, 0.6), "action a"),
    ):
        axes.annotate("", end, start, arrowprops={**style, "connectionstyle": "arc3,rad=-0.6"})
        axes.text(x - 0.35 if x < 2 else x + 0.45, y, label, va="center", ha="center", fontsize=9)
    axes.text(4.2, 1.8, "s0, a0, r0 → s1, a1, r1 → s2 …", fontsize=9)
    axes.text(4.2, 1.2, "BL up 0, TL right 0, TM right 100:\n0 + 0.9·0 + 0.81·100 = 81", fontsize=9, va="top")
    return figure


def _values() -> Figure:
    learner = induce.DynamicProgramming(discount=0.9)
    figure: Figure = learner.learn("mitchell-13.2").hypothesis_.draw()
    return figure


def _update() -> Figure:
    """Draw the values around s1 and s2 of figure 13.3, before and after the agent goes right."""
    from induce.textbook.pictures.panels import panels
    from induce.textbook.reinforcement import values_of_the_update

    before, others = values_of_the_update()
    figure, both = panels(2, 3.8, 2.6)
    for axes, title, value in zip(
        both, ("before", "after going right"), (before, 0.9 * max(others.values())), strict=True
    ):
        for x, name in ((0.5, "s1"), (1.5, "s2"), (2.5, "goal")):
            axes.add_patch(_cell(x))
            axes.text(x, 1.92, name, ha="center", fontsize=9)
        moves = [(0.62, 1.62, 0.76, 0.0, value), (1.62, 1.5, 0.76, 0.0, others["right"])]
        moves += [(1.38, 1.38, -0.76, 0.0, others["left"]), (1.5, 1.1, 0.0, -0.5, others["down"])]
        for x, y, dx, dy, number in moves:
            style = {"arrowstyle": "-|>", "color": "#555555", "lw": 1.2}
            axes.annotate("", (x + dx, y + dy), (x, y), arrowprops=style)
            aside, above = (0.2, 0.0) if dy else (0.0, -0.14 if dx < 0 else 0.05)
            axes.text(x + dx / 2 + aside, y + dy / 2 + above, f"{number:.3g}", ha="center", fontsize=9)
        axes.plot(0.2 if title == "before" else 1.2, 1.16, "o", color="#D55E00", ms=9)
        axes.set(xlim=(-0.05, 3.05), ylim=(0.4, 2.2), title=title, aspect="equal")
        axes.set_axis_off()
    return figure


def _cell(x: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.5, 1.0), 1.0, 0.8, fill=False, edgecolor="#8a8a8a")


PICTURES = {
    "mitchell-13.3-update": _update,
    "mitchell-11.2-proofs": _explanation,
    "mitchell-11.3-regression": _regression,
    "mitchell-12.2-network": _theory,
    "mitchell-12.3-refined": _refined,
    "mitchell-12.8-candidates": _focl,
    "mitchell-13.1-interaction": _interaction,
    "mitchell-13.2-values": _values,
}
