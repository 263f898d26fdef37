"""Plots of finite-state machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.pictures.rings import draw_arrow, ring_places
from induce.pictures.style import DARK, GREY, PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.evolution.machine import StateMachine

RADIUS, RING = 0.17, 1.15


def machine_figure(machine: StateMachine) -> Figure:
    """Plot a state diagram: states on a ring, arrows labelled input / output, the initial state double-circled."""
    from matplotlib.patches import Circle

    states = machine.reached()
    figure, axes = axes_for(None, width=6.5, height=6.0)
    centres = dict(zip(states, ring_places(len(states), RING), strict=True))
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
            draw_arrow(axes, centres[state], centres[target], RADIUS, ", ".join(labels))
    reach = RING + 4 * RADIUS
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title("input / output; the machine begins in the double circle", fontsize=9, color=GREY)
    return figure
