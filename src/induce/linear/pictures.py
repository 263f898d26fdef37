"""Pictures of linear models: weights with their intervals, and paths of penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.reports import shortened
from induce.core.ties import largest_first
from induce.linear.path import Path
from induce.linear.weights import quantile, standard_errors
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.linear.model import LinearFunction

BARS = 24
"""So many terms are drawn."""
LINES = 9
"""So many paths have a colour and a name."""


def draw_weights(model: LinearFunction) -> Figure:
    """Return a figure of the weights per standard deviation of their term, the largest first."""
    effects = model.weights * model.known.deviations
    sizes = np.abs(effects).max(axis=0, initial=0.0)
    order = [k for k in largest_first(sizes).tolist() if sizes[k] > 0][:BARS] if len(sizes) else []
    outputs = [k for k in range(len(effects)) if effects[k].any()] or list(range(len(effects)))[:1]
    figure, axes = axes_for(None, 7.0, 1.4 + 0.26 * max(1, len(order)) * max(1, len(outputs)) ** 0.6)
    errors = standard_errors(model)[:, 1:] * model.known.deviations
    reach = quantile(model.known.degrees, 0.95) * errors
    for n, output in enumerate(outputs):
        shift = 0.0 if len(outputs) == 1 else 0.6 * (n / (len(outputs) - 1) - 0.5)
        at = np.arange(len(order)) + shift
        values = effects[output, order]
        colour = PALETTE[n % len(PALETTE)]
        low, high = values - reach[output, order], values + reach[output, order]
        if model.known.bootstrap is not None:
            low, high = model.known.bootstrap[:, output, 1:][:, order] * model.known.deviations[order]
        axes.hlines(at, low, high, color=colour, lw=2.0, alpha=0.5)
        name = model.outputs()[output] if len(outputs) > 1 else None
        axes.plot(values, at, "o", color=colour, ms=5, label=name)
    axes.axvline(0.0, color=GREY, lw=0.9)
    axes.set_yticks(
        range(len(order)), [shortened(model.design.names[k], 34) for k in order], fontsize=9, parse_math=False
    )
    axes.set_ylim(max(0.5, len(order) - 0.5), -0.6)
    what = (
        "log odds"
        if getattr(model, "link", "") == "logistic"
        else "the sum"
        if hasattr(model, "classes")
        else model.target
    )
    axes.set_xlabel(f"change of {what} per standard deviation of the term", parse_math=False)
    known = (
        "95% intervals"
        if np.isfinite(reach[:, order]).any() or model.known.bootstrap is not None
        else "no intervals"
    )
    axes.set_title(
        f"{model.target} by {model.known.method} ({known})", fontsize=10, loc="left", parse_math=False
    )
    if len(outputs) > 1:
        axes.legend(frameon=False, fontsize=9)
    tidy(axes, "x")
    return figure


def draw_path(path: Path) -> Figure:
    """Return a figure: the weights along the strengths, and below it the loss on rows held out."""
    from matplotlib.figure import Figure

    rows = 2 if path.kinds else 1
    figure = Figure(figsize=(7.0, 3.6 * rows), layout="constrained")
    all_axes = figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
    axes = all_axes[0]
    order = largest_first(np.abs(path.weights).max(axis=0, initial=0.0)).tolist() if path.weights.size else []
    for n, term in enumerate(order):
        named = n < LINES
        axes.plot(
            path.strengths,
            path.weights[:, term],
            color=PALETTE[n] if named else GREY,
            lw=1.6 if named else 0.6,
            label=shortened(path.terms[term], 30) if named else None,
            zorder=2 if named else 1,
        )
    axes.set_ylabel("weight per standard deviation")
    axes.set_title(f"weights along the {path.penalty} penalty", fontsize=10, loc="left")
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    for n, kind in enumerate(path.kinds):
        below = all_axes[1]
        below.errorbar(
            path.strengths,
            path.losses[n],
            path.errors[n],
            color=PALETTE[n],
            label=kind,
            lw=1.4,
            elinewidth=0.6,
        )
        below.set_ylabel("loss on rows held out")
        below.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    for each in all_axes:
        each.axvline(path.strengths[path.chosen], color=DARK, lw=0.9, ls=":")
        each.set_xscale("log")
        tidy(each)
    all_axes[-1].set_xlabel("strength of the penalty (dotted: chosen)")
    return figure
