"""Plots of policies: arrows on a grid, or a heat map of state and action values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.environments.names import SQUARE
from induce.pictures.style import DARK, EMPTY, GREY, PALE, PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.environments.mdp import MDP
    from induce.reinforcement.policy import Policy

ARROWS = {
    **{"up": (0.0, -1.0), "right": (1.0, 0.0), "down": (0.0, 1.0), "left": (-1.0, 0.0)},
    **{"north": (0.0, -1.0), "east": (1.0, 0.0), "south": (0.0, 1.0), "west": (-1.0, 0.0)},
}
COLOURS = {"start": PALETTE[0], "goal": PALETTE[2], "hole": DARK, "cliff": DARK}
ENDS = ("goal", "hole", "cliff")
"""Kinds of squares without actions."""
MOST_LINES = 1000
"""Maximum number of rows and of columns of a grid that is drawn."""
MOST_STATES = 60
"""Maximum number of states in a heat map."""
TIE = 1e-9
"""Relative difference below which rewards count as equal."""


def draw_policy(policy: Policy) -> Figure:
    """Plot a policy; on a grid, every square shows its value and arrows for the best moves."""
    return _draw_grid(policy) if is_grid(policy) else _draw_heat_map(policy)


def is_grid(policy: Policy) -> bool:
    """Return whether every state is a square of a grid."""
    if not {"row", "column"} <= set(policy.features):
        return False
    squares = list(zip(policy.features["row"], policy.features["column"], strict=True))
    numbered = all(isinstance(part, int) and 0 <= part < MOST_LINES for square in squares for part in square)
    return numbered and len(set(squares)) == len(squares)


def _draw_grid(policy: Policy) -> Figure:
    from matplotlib.patches import Rectangle

    rows, columns = (np.array(policy.features[name], dtype=int) for name in ("row", "column"))
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    figure, axes = axes_for(None, max(3.0, 1.2 * width), max(2.4, 1.0 * height))
    values = np.full((height, width), np.nan)
    values[rows, columns] = np.where(policy.met, policy.values, np.nan)
    axes.imshow(values, cmap="Blues", alpha=0.55)
    squares = squares_of(policy)
    for place, square in enumerate(squares):
        _square(axes, policy, place, square, int(rows[place]), int(columns[place]))
    walls = {(row, column) for row in range(height) for column in range(width)}
    for row, column in walls - set(zip(rows.tolist(), columns.tolist(), strict=True)):
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=GREY, edgecolor="none"))
    axes.set_xticks(np.arange(-0.5, width), labels=[])
    axes.set_yticks(np.arange(-0.5, height), labels=[])
    axes.grid(color=EMPTY)
    axes.tick_params(length=0)
    return figure


def _square(axes: Any, policy: Policy, place: int, square: str, row: int, column: int) -> None:
    """Draw a square: arrows for the best moves on the left, the value on the right, its kind in the corner."""
    from matplotlib.patches import Rectangle

    ends = square in ENDS
    moves = [move for move in policy.best_texts(place) if move in ARROWS] if policy.met[place] else []
    if square in COLOURS:
        axes.add_patch(
            Rectangle(
                *((column - 0.46, row - 0.46), 0.92, 0.92),
                facecolor=PALE if ends else "none",
                edgecolor=COLOURS[square],
                lw=1.6,
            )
        )
        at = (column, row) if ends else (column - 0.42, row - 0.4)
        where = {"ha": "center", "va": "center"} if ends else {"ha": "left", "va": "top"}
        axes.text(*at, square, fontsize=8, color=COLOURS[square], **where)
    if ends:
        return
    if not policy.met[place]:
        axes.text(column, row, "?", ha="center", va="center", fontsize=9, color=GREY)
        return
    for move in moves:
        right, down = ARROWS[move]
        _arrow(axes, column - 0.25, row, right, down)
    other = [text for text in policy.best_texts(place) if text not in ARROWS]
    if not moves and other:
        axes.text(column - 0.2, row, " or ".join(other), ha="center", va="center", fontsize=7)
    axes.text(
        column + 0.22, row, f"{policy.values[place]:.3g}", ha="center", va="center", fontsize=8, color=DARK
    )


def squares_of(policy: Policy) -> tuple[str, ...]:
    """Return the kind of each grid square, if known: start, goal, hole, cliff or free.

    Unless a feature marks them, the terminal states are goals if no other terminal state has a better reward.
    """
    told = policy.features.get(SQUARE)
    if told is not None:
        return tuple(map(str, told))
    found = ["free"] * len(policy.states)
    starts = np.flatnonzero(policy.start > 0) if len(policy.start) else np.empty(0, dtype=int)
    if len(starts) * 2 <= len(found):
        for place in starts.tolist():
            found[place] = "start"
    if policy.model is not None:
        best = _rewards_of_ends(policy.model)
        most = max(best.values(), default=0.0)
        for place, reward in best.items():
            found[place] = "goal" if reward >= most - TIE * max(1.0, abs(most)) else "hole"
    return tuple(found)


def _rewards_of_ends(model: MDP) -> dict[int, float]:
    """Return the largest reward for entering each absorbing state from another state."""
    source = np.repeat(model.pair_state, np.diff(model.first))
    comes = (model.next_state != source) & (model.probability > 0)
    found: dict[int, float] = {}
    for place in np.flatnonzero(model.absorbing).tolist():
        rewards = model.reward[comes & (model.next_state == place)]
        found[place] = float(rewards.max()) if len(rewards) else 0.0
    return found


def _arrow(axes: Any, column: float, row: float, right: float, down: float) -> None:
    axes.annotate(
        "",
        xy=(column + 0.21 * right, row + 0.21 * down),
        xytext=(column + 0.02 * right, row + 0.02 * down),
        arrowprops={"arrowstyle": "-|>", "color": DARK, "lw": 1.2},
    )


def _draw_heat_map(policy: Policy) -> Figure:
    acting = policy.in_order()[:MOST_STATES]
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
    axes.set_xticks(range(len(policy.actions)), labels=list(policy.action_texts))
    axes.set_yticks(range(len(acting)), labels=[policy.state_text(place) for place in acting])
    axes.tick_params(length=0, labelsize=8)
    figure.colorbar(shown, ax=axes, label="value")
    left = len(policy.in_order()) - len(acting)
    unknown = int(((policy.choice >= 0) & ~policy.met).sum())
    more = [f"{left:,} more states are not shown"] * (left > 0) + [f"{unknown:,} never visited"] * (
        unknown > 0
    )
    axes.set_xlabel(", ".join(more))
    return figure
