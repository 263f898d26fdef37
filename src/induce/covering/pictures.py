"""Figure of the beam of LEARN-ONE-RULE: the general-to-specific search (Mitchell, Fig. 10.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.trace import Event
from induce.pictures.style import axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_IN_A_STEP = 8
FOUND = "#fff3c4"
"""Fill colour of a box that became the best rule so far."""


def draw_beam(events: Iterable[Event], rule: int = 1, ax: Axes | None = None) -> Figure:
    """Return a figure of the search for one rule, with a row of boxes per step and kept states in bold.

    A box that became the best rule so far is filled.

    Parameters
    ----------
    events : Trace
        Trace of a rule learner with ``"beam"`` events.
    rule : int
        Number of the search, counted from 1: the first search learned the first rule, and so on.
    ax : Axes, optional
        Axes to draw on; by default a new figure is created.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> with induce.trace("beam") as events:
    ...     _ = induce.CN2(ordered=True, measure="entropy", pruning=None).fit(X, y)
    >>> len(draw_beam(events, rule=2).axes)
    1
    """
    steps = _search(events, rule)
    rows = [_shown(event["members"]) for event in steps]
    widest = max(len(members) for members in rows)
    figure, axes = axes_for(ax, max(6.0, 1.75 * widest), 1.5 + 1.5 * len(rows))
    places: dict[str, tuple[float, float]] = {}
    start = rows[0][0]["parent"] if rows[0] else "TRUE"
    places[start] = (0.5, 0.0)
    _box(axes, "IF " + ("" if start == "TRUE" else start), (0.5, 0.0), bold=True)
    for depth, members in enumerate(rows, start=1):
        below: dict[str, tuple[float, float]] = {}
        for k, member in enumerate(members):
            spot = ((k + 0.5) / len(members), -float(depth))
            if member["parent"] in places:
                _arrow(axes, places[member["parent"]], spot, bold=member["kept"])
            _box(axes, f"{member['rule']}\n{member['score']:.3g}", spot, member["kept"], member["best"])
            below.setdefault(member["rule"], spot)
        places = below
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-len(rows) - 0.45, 0.45)
    axes.axis("off")
    return figure


def _search(events: Iterable[Event], rule: int) -> list[Event]:
    """Return the steps of each search; a search begins with step 1."""
    searches: list[list[Event]] = []
    for event in events:
        if event.kind == "beam":
            if event["step"] == 1:
                searches.append([])
            searches[-1].append(event)
    if not 1 <= rule <= len(searches):
        raise InputError(f"rule is {rule}, but the trace has {len(searches)} searches; count them from 1")
    if not searches[rule - 1][0]["members"]:
        raise InputError(
            "the trace does not describe the members of the beam; give the trace of a rule learner"
        )
    return searches[rule - 1]


def _shown(members: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the kept states and the best of the others, without duplicate rules."""
    seen: dict[str, dict[str, Any]] = {}
    for member in members:
        seen.setdefault(member["rule"], member)
    return list(seen.values())[:MOST_IN_A_STEP]


def _box(axes: Axes, text: str, at: tuple[float, float], bold: bool, best: bool = False) -> None:
    from induce.pictures.style import GREY, PALETTE

    axes.text(
        *at,
        text.replace(" AND ", "\nAND "),
        ha="center",
        va="center",
        fontsize=8,
        fontweight="bold" if bold else "normal",
        bbox={
            "boxstyle": "round,pad=0.35",
            "fc": FOUND if best else "white",
            "ec": PALETTE[0] if bold else GREY,
            "lw": 1 + bold,
        },
        zorder=3,
    )


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], bold: bool) -> None:
    from induce.pictures.style import GREY, PALETTE

    axes.plot(
        [start[0], end[0]],
        [start[1], end[1]],
        color=PALETTE[0] if bold else GREY,
        lw=1.4 if bold else 0.8,
        zorder=1,
    )
