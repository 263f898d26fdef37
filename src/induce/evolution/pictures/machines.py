"""Pictures of finite-state machines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from induce.pictures.style import DARK, GREY, PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.evolution.machine import StateMachine

RADIUS = 0.17


def machine_figure(machine: StateMachine) -> Figure:
    """Return a state diagram: circles on a ring, arrows with input / output, a double circle to begin with."""
    from matplotlib.patches import Circle

    states = machine.reached()
    figure, axes = axes_for(None, width=6.5, height=6.0)
    around = max(1, len(states))
    centres = {
        state: (
            math.cos(math.pi / 2 - 2 * math.pi * k / around) * (0 if around == 1 else 1.15),
            math.sin(math.pi / 2 - 2 * math.pi * k / around) * (0 if around == 1 else 1.15),
        )
        for k, state in enumerate(states)
    }
    for state, centre in centres.items():
        axes.add_patch(Circle(centre, RADIUS, facecolor="white", edgecolor=PALETTE[0], lw=1.6, zorder=3))
        if state == machine.start:
            axes.add_patch(Circle(centre, RADIUS * 0.84, fill=False, edgecolor=PALETTE[0], lw=1.2, zorder=4))
        axes.text(*centre, f"S{state}", ha="center", va="center", fontsize=10, color=DARK, zorder=5)
    for state in states:
        said: dict[int, list[str]] = {}
        for k, symbol in enumerate(machine.inputs):
            output = machine.outputs[int(machine.output[state, k])]
            said.setdefault(int(machine.target[state, k]), []).append(f"{symbol} / {output}")
        for target, labels in said.items():
            _arrow(axes, centres[state], centres[target], ", ".join(labels))
    reach = 1.15 + 4 * RADIUS
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title("input / output; the machine begins in the double circle", fontsize=9, color=GREY)
    return figure


def _arrow(axes: Any, start: tuple[float, float], end: tuple[float, float], label: str) -> None:
    from matplotlib.patches import FancyArrowPatch

    style: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 12, "color": GREY, "lw": 1.2, "zorder": 2}
    if start == end:  # a loop on the outer side
        length = math.hypot(*start) or 1.0
        out = (start[0] / length, start[1] / length) if math.hypot(*start) else (0.0, 1.0)
        side = (-out[1], out[0])
        ends: list[Any] = [
            tuple(start[i] + RADIUS * (0.8 * out[i] + sign * 0.6 * side[i]) for i in range(2))
            for sign in (1, -1)
        ]
        axes.add_patch(FancyArrowPatch(*ends, connectionstyle="arc3,rad=-1.6", **style))
        place = (start[0] + out[0] * RADIUS * 2.9, start[1] + out[1] * RADIUS * 2.9)
    else:
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = math.hypot(dx, dy)
        tips = [
            (start[0] + dx / length * RADIUS, start[1] + dy / length * RADIUS),
            (end[0] - dx / length * RADIUS, end[1] - dy / length * RADIUS),
        ]
        axes.add_patch(FancyArrowPatch(*tips, connectionstyle="arc3,rad=0.18", **style))
        bend = 0.13 * length
        place = ((start[0] + end[0]) / 2 + dy / length * bend, (start[1] + end[1]) / 2 - dx / length * bend)
    axes.text(
        *place,
        label,
        ha="center",
        va="center",
        fontsize=8,
        color=DARK,
        zorder=6,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9},
    )
