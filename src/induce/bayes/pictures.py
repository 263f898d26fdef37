"""Figures of posteriors as data arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.core.ties import largest_first
from induce.pictures.style import DARK, PALETTE, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.bayes.evolution import Evolution

MOST_LINES, MOST_LONG = len(PALETTE), 6
MOST_NAMED = 12
MOST_BARS = 64
MOST_LETTERS = 24
SHORT = 10
READERS = {"bayes": ("Bayes", "-"), "map": ("MAP", "--"), "ml": ("ML", ":")}


def draw_evolution(evolution: Evolution, outcome: Any = None) -> Figure:
    """Return a figure of the posteriors as lines and, beside it, of their predictions."""
    from matplotlib.figure import Figure

    predicts = bool(evolution.outcomes)
    figure = Figure(figsize=(10.5 if predicts else 7, 4.2), layout="constrained")
    panels = figure.subplots(1, 2 if predicts else 1, squeeze=False)[0]
    _lines(panels[0], evolution)
    if predicts:
        if outcome is None:
            outcome = evolution.observations[-1] if evolution.observations else evolution.outcomes[0]
        if outcome not in evolution.outcomes:
            raise InputError(
                f"{outcome!r} is not an outcome; give one of {', '.join(map(repr, evolution.outcomes))}"
            )
        for reader, (label, style) in READERS.items():
            line = evolution.predictions(outcome, reader)
            if reader == "ml":
                line[0] = np.nan  # before any observation, all hypotheses have the same likelihood
            colour, width = (DARK, 2.0) if reader == "bayes" else (PALETTE[5 if reader == "map" else 0], 1.4)
            panels[1].plot(line, color=colour, lw=width, ls=style, label=label, **_marks(evolution))
        _finish(panels[1], f"P(next is {outcome})")
    return figure


def _lines(axes: Axes, evolution: Evolution) -> None:
    chances = evolution.probabilities
    # if there are many hypotheses, only those that were the most probable at some point are drawn
    most = MOST_LINES if max(map(len, evolution.names)) <= SHORT else MOST_LONG
    order = largest_first(chances.max(axis=0))[:most]
    for colour, k in zip(PALETTE, sorted(order.tolist()), strict=False):
        axes.plot(chances[:, k], color=colour, lw=1.6, label=evolution.names[k], **_marks(evolution))
    left = len(evolution.names) - len(order)
    _finish(
        axes, "P(h | D)" + (f", the {len(order)} most probable of {len(evolution.names)}" if left else "")
    )


def _marks(evolution: Evolution) -> dict[str, Any]:
    return {"marker": "o", "ms": 3.5} if len(evolution.posteriors) <= 25 else {}


def _finish(axes: Axes, what: str) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xlabel("observations")
    axes.set_ylabel(what, parse_math=False)
    axes.set_ylim(-0.03, 1.03)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    tidy(axes)
    labels = axes.get_legend_handles_labels()[1]
    columns = 5 if max(map(len, labels)) <= SHORT else 2
    legend = axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, frameon=False, fontsize=8)
    for text in legend.get_texts():
        text.set_parse_math(False)


def draw_bars(evolution: Evolution, after: tuple[int, ...]) -> Figure:
    """Return a figure with one panel of bars per number of observations."""
    from matplotlib.figure import Figure

    chances, n = evolution.probabilities, len(evolution.names)
    wrong = [number for number in after if not 0 <= number < len(chances)]
    if wrong:
        raise InputError(f"after is {wrong[0]}; give numbers of observations from 0 to {len(chances) - 1}")
    shown = np.arange(n)
    if n > MOST_BARS:
        shown = np.lexsort(-chances)[:MOST_BARS]
    figure = Figure(figsize=(max(2.6 * len(after), 4), 3.2), layout="constrained")
    panels = figure.subplots(1, len(after), sharey=True, squeeze=False)[0]
    for axes, number in zip(panels, after, strict=True):
        axes.bar(range(len(shown)), chances[number, shown], width=0.8, color=PALETTE[0])
        axes.set_title("P(h)" if number == 0 else f"P(h | {number} observed)", fontsize=10)
        if n <= MOST_NAMED:
            names = [shortened(name, SHORT) for name in evolution.names]
            crowded = sum(map(len, names)) > MOST_LETTERS
            axes.set_xticks(range(n), names, fontsize=8, rotation=90 if crowded else 0, parse_math=False)
        else:
            axes.set_xticks([])
        tidy(axes)
    if n > MOST_NAMED:
        figure.supxlabel(
            "hypotheses" if n <= MOST_BARS else (f"{MOST_BARS} of {n} hypotheses, the most probable first")
        )
    return figure
