"""Figures of knowledge-guided learning: the fate of each rule, and FOCL's search (Mitchell, Fig. 12.8)."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.trace import Event
from induce.pictures.style import axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.knowledge.revised_theory import RevisedTheory

RIGHT, WRONG = "#4c78a8", "#e45756"
MOST_RULES = 40
MOST_IN_A_STEP = 7
LONGEST_HEAD = 50
SUGGESTED = "#fff3c4"
"""Fill colour of a box that the theory suggested."""


def draw_revision(theory: RevisedTheory) -> Figure:
    """Draw, for each rule, the training rows on which it fired before and fires now, correctly and wrongly."""
    from matplotlib.figure import Figure

    rules = theory.rules[:MOST_RULES]
    figure = Figure(figsize=(11, 1.3 + 0.55 * max(len(rules), 1)), layout="constrained")
    axes = figure.add_subplot()
    for number, rule in enumerate(rules):
        for offset, (good, bad), faint in ((-0.18, rule.before, 0.45), (0.18, rule.after, 1.0)):
            axes.barh(number + offset, good, 0.3, color=RIGHT, alpha=faint)
            axes.barh(number + offset, bad, 0.3, left=good, color=WRONG, alpha=faint)
    labels = [f"{shorten(rule.learned or rule.given, 90)}\n{shorten(rule.status, 60)}" for rule in rules]
    axes.set_yticks(range(len(rules)), labels, fontsize=8, parse_math=False)
    axes.set_ylim(max(len(rules), 1) - 0.5, -0.5)
    axes.set_xlabel(
        "training rows on which the rule fires, before (pale) and now; rows of other classes in red"
    )
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    more = len(theory.rules) - len(rules)
    title = f"{theory.target}: {theory.size()}" + (f"; {more} more are not drawn" if more else "")
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    return figure


def draw_focl(events: Iterable[Event], clause: int = 1, ax: Axes | None = None) -> Figure:
    """Draw the search for a clause: candidates per step with [p+, n-]; the theory's suggestions are filled.

    Parameters
    ----------
    events : Trace
        Trace of FOCL with ``"candidates"``, ``"suggestion"`` and ``"literal"`` events.
    clause : int
        Number of the clause, counted from 1.
    ax : Axes, optional
        Axes to draw on; by default a new figure is created.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("cup")
    >>> with induce.trace() as events:
    ...     _ = induce.FOCL(knowledge="cup :- bottom_is_flat, light, has_handle.").fit(X, y)
    >>> len(draw_focl(events).axes)
    1
    """
    steps = _steps(events, clause)
    rows = [_shown(step) for step in steps]
    widest = max(len(row) for row in rows)
    width = max(8.0, 1.9 * widest)
    figure, axes = axes_for(ax, width, 1.2 + 1.75 * len(rows))
    parent = (0.5, 0.0)
    said = steps[0]["head"]
    said = said if len(said) <= LONGEST_HEAD else said.partition("(")[0]
    head = f"{said}\n[{steps[0]['p0']}+, {steps[0]['n0']}-]"
    _box(axes, parent, head, bold=True, filled=False)
    for depth, row in enumerate(rows, 1):
        chosen = parent
        for place, (said, counts, taken, suggested) in enumerate(row):
            spot = ((place + 0.5) / len(row), -float(depth))
            axes.plot(
                [parent[0], spot[0]],
                [parent[1] - 0.16, spot[1] + 0.24],
                color="black",
                lw=1.8 if taken else 0.7,
                ls="-" if not suggested or taken else "--",
                zorder=0,
            )
            _box(axes, spot, f"{said}\n{counts}", bold=taken, filled=suggested)
            chosen = spot if taken else chosen
        parent = chosen
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-len(rows) - 0.5, 0.35)
    axes.axis("off")
    axes.set_title("steps to a clause; filled: suggested by the theory, bold: chosen", fontsize=9, loc="left")
    return figure


def _steps(events: Iterable[Event], clause: int) -> list[dict[str, Any]]:
    """Return the candidates of each step to a clause, with the chosen literals."""
    steps: list[dict[str, Any]] = []
    waiting: list[Event] = []
    number = 1
    for event in events:
        if event.kind == "suggestion":
            waiting.append(event)
        elif event.kind == "candidates" and number == clause and "p0" in event.data:
            head = event["clause"].partition(" :-")[0].rstrip(".")
            steps.append(
                {
                    "head": head,
                    "clause": event["clause"],
                    "p0": event["p0"],
                    "n0": event["n0"],
                    "candidates": event["candidates"],
                    "suggested": set(),
                    "taken": "",
                }
            )
            # suggestions are traced directly before the candidates that include them
            steps[-1]["suggested"] = {each["literals"] for each in waiting}
            waiting = []
        elif event.kind == "literal" and steps and number == clause:
            steps[-1]["taken"] = event["literal"]
        elif event.kind == "clause":
            number += 1
        if event.kind == "candidates":
            waiting = []
    steps = [step for step in steps if step["taken"]]
    if not steps:
        raise InputError(
            f"the trace has no search for clause {clause}; trace 'candidates', 'suggestion' and 'literal'"
        )
    return steps


def _shown(step: dict[str, Any]) -> list[tuple[str, str, bool, bool]]:
    """Return the drawn candidates of a step: the chosen one and those with the highest gains, without duplicates."""
    each: dict[str, tuple[str, int, int, float]] = {}
    for said, _, p1, n1, gain in step["candidates"]:
        each.setdefault(said, (said, p1, n1, gain))
    order = sorted(each, key=lambda said: (said != step["taken"], -round(each[said][3], 9)))
    kept = set(order[:MOST_IN_A_STEP])
    return [
        ("\n".join(wrap(said, 26)), f"[{p1}+, {n1}-]", said == step["taken"], said in step["suggested"])
        for said, p1, n1, _ in each.values()
        if said in kept
    ]


def _box(axes: Axes, spot: tuple[float, float], text: str, bold: bool, filled: bool) -> None:
    axes.text(
        *spot,
        text,
        ha="center",
        va="center",
        fontsize=7.5,
        fontweight="bold" if bold else "normal",
        parse_math=False,
        bbox={
            "boxstyle": "round,pad=0.35",
            "fc": SUGGESTED if filled else "white",
            "ec": "black",
            "lw": 1.8 if bold else 0.7,
        },
    )
