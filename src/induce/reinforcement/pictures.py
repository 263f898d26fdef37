"""Pictures of policies: arrows on a grid, or values of states and actions as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.pictures.style import DARK, EMPTY, axes_for
from induce.reinforcement.explanation import state_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.reinforcement.policy import Policy

ARROWS = {"up": (0.0, -1.0), "right": (1.0, 0.0), "down": (0.0, 1.0), "left": (-1.0, 0.0)}
MOST_STATES = 60
"""The most states of a heat map."""


def draw_policy(policy: Policy) -> Figure:
    """Return a figure of a policy; on a grid every square has its value and arrows for the best moves."""
    if {"row", "column"} <= set(policy.features) and _one_state_a_square(policy):
        return _draw_grid(policy)
    return _draw_heat_map(policy)


def _one_state_a_square(policy: Policy) -> bool:
    squares = list(zip(policy.features["row"], policy.features["column"], strict=True))
    return len(set(squares)) == len(squares)


def _draw_grid(policy: Policy) -> Figure:
    rows, columns = (np.array(policy.features[name], dtype=int) for name in ("row", "column"))
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    figure, axes = axes_for(None, max(3.0, 1.1 * width), max(2.4, 1.1 * height))
    values = np.full((height, width), np.nan)
    values[rows, columns] = policy.values
    axes.imshow(values, cmap="Blues", alpha=0.55)
    for place, state in enumerate(policy.states):
        row, column = int(rows[place]), int(columns[place])
        moves = [move for move in policy.best(state) if move in ARROWS]
        for move in moves:
            right, down = ARROWS[str(move)]
            _arrow(axes, column, row, right, down)
        axes.text(column, row + 0.42, f"{policy.values[place]:.3g}", ha="center", va="bottom", fontsize=8)
        if not moves:
            axes.text(
                column, row, state_text(state) if width < 8 else "•", ha="center", va="center", fontsize=9
            )
    axes.set_xticks(np.arange(-0.5, width), labels=[])
    axes.set_yticks(np.arange(-0.5, height), labels=[])
    axes.grid(color=EMPTY)
    axes.tick_params(length=0)
    return figure


def _arrow(axes: Any, column: int, row: int, right: float, down: float) -> None:
    axes.annotate(
        "",
        xy=(column + 0.38 * right, row + 0.38 * down),
        xytext=(column + 0.05 * right, row + 0.05 * down),
        arrowprops={"arrowstyle": "-|>", "color": DARK, "lw": 1.2},
    )


def _draw_heat_map(policy: Policy) -> Figure:
    acting = np.flatnonzero(policy.choice >= 0)[:MOST_STATES]
    values = np.full((len(acting), len(policy.actions)), np.nan)
    row_of = {int(place): row for row, place in enumerate(acting)}
    figure, axes = axes_for(None, 1.5 + 0.9 * len(policy.actions), 1.0 + 0.24 * len(acting))
    for pair, (place, action) in enumerate(zip(policy.pair_state, policy.pair_action, strict=True)):
        row = row_of.get(int(place))
        if row is not None:
            values[row, action] = policy.q[pair]
            if policy.optimal[pair]:
                axes.text(
                    action, row, f"{policy.q[pair]:.4g}", ha="center", va="center", fontsize=8, color=DARK
                )
    shown = axes.imshow(values, cmap="Blues", alpha=0.55, aspect="auto")
    axes.set_xticks(range(len(policy.actions)), labels=list(map(str, policy.actions)))
    axes.set_yticks(range(len(acting)), labels=[state_text(policy.states[place]) for place in acting])
    axes.tick_params(length=0, labelsize=8)
    figure.colorbar(shown, ax=axes, label="value")
    left = int((policy.choice >= 0).sum()) - len(acting)
    if left:
        axes.set_xlabel(f"{left:,} more states are not shown")
    return figure
