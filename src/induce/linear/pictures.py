"""Figures of linear models: weights with their intervals, penalty paths, and class regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.core.ties import largest_first
from induce.data.table import Table, as_table
from induce.hypotheses.naming import value_text
from induce.linear.path import Path
from induce.linear.weights import quantile, standard_errors
from induce.pictures.courses import draw_course
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.linear.model import LinearFunction

BARS = 24
"""Maximum number of terms drawn."""
LINES = 9
"""Maximum number of paths with a colour and a name."""
CELLS = 160
UNSEEN = -2
"""Code of a category that is replaced by the relative frequencies of all in training."""


def draw_weights(model: LinearFunction) -> Figure:
    """Return a figure of the weights per standard deviation of their term, largest first."""
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
    """Return a figure: the weights along the strengths, and below it the loss on held-out rows."""
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
        below.set_ylabel("loss on held-out rows")
        below.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    for each in all_axes:
        each.axvline(path.strengths[path.chosen], color=DARK, lw=0.9, ls=":")
        each.set_xscale("log")
        tidy(each)
    all_axes[-1].set_xlabel("strength of the penalty (dotted: chosen)")
    return figure


def draw_errors(model: LinearFunction) -> Figure:
    """Draw the loss of each unit over the epochs of training, and its validation error if there is one."""
    histories = model.known.courses
    names = (
        [f" of {value_text(name)}" for name in getattr(model, "classes", ())] if len(histories) > 1 else [""]
    )
    courses = {}
    for name, history in zip(names, histories, strict=True):
        courses[f"training loss{name}"] = (history.epoch, history.loss)
        if len(history.validation):
            courses[f"validation error{name}"] = (history.epoch, history.validation)
    return draw_course(courses, f"{model.target}: {model.known.method}")


def draw_regions(model: LinearFunction, X: Any = None, y: Any = None) -> Figure:
    """Return a figure of the predictions over the two numeric columns that affect the sums most.

    The other columns are at their training means. Without rows the axes extend two and a half standard deviations
    from the means.
    """
    from matplotlib.colors import ListedColormap

    design = model.design
    names = [column.name for column in design.schema if column.kind != "nominal"]
    if len(names) < 2:
        raise InputError("regions need two numeric columns; use kind 'weights'")
    effects = np.abs(model.weights * model.known.deviations).max(axis=0, initial=0.0)
    moved = dict.fromkeys(names, 0.0)
    for effect, term in zip(effects.tolist(), design.terms, strict=True):
        for factor in term.factors:
            if factor.column in moved:
                moved[factor.column] = max(moved[factor.column], effect)
    chosen = sorted(largest_first(list(moved.values()))[:2].tolist())
    shown = None if X is None else as_table(X, model.schema.inputs()).numeric[:, chosen]
    centre = np.array([design.fill(name) for name in names])
    ends = [_span(model, names[k], None if shown is None else shown[:, n]) for n, k in enumerate(chosen)]
    numeric = np.tile(centre, (CELLS * CELLS, 1))
    numeric[:, chosen] = np.stack(np.meshgrid(*ends), axis=-1).reshape(-1, 2)
    nominal = np.full((CELLS * CELLS, len(design.schema) - len(names)), UNSEEN, np.int32)
    table = Table(design.schema, numeric, nominal)
    figure, axes = axes_for(None, 6.4, 4.8)
    classes = getattr(model, "classes", None)
    if classes is None:
        numbers = np.asarray(model.predict(table)).reshape(CELLS * CELLS, -1)[:, 0].reshape(CELLS, CELLS)
        mesh = axes.pcolormesh(*ends, numbers, cmap="viridis", shading="gouraud", rasterized=True)
        figure.colorbar(mesh, ax=axes).set_label(model.target, parse_math=False)
    else:
        colours = [PALETTE[k % len(PALETTE)] for k in range(len(classes))]
        places = np.asarray(model.places(table)).reshape(CELLS, CELLS)  # type: ignore[attr-defined]
        axes.pcolormesh(
            *ends,
            places,
            cmap=ListedColormap(colours),
            vmin=-0.5,
            vmax=len(classes) - 0.5,
            alpha=0.3,
            shading="nearest",
            rasterized=True,
        )
        said = np.array([] if y is None else [str(value) for value in y])
        for value, colour in list(zip(classes, colours, strict=True))[:LINES]:
            own = np.empty((2, 0)) if shown is None or y is None else shown[said == str(value)].T
            axes.plot(*own, "o", ms=4.5, color=colour, mec="white", mew=0.5, label=str(value))
        axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    axes.set_xlim(ends[0][0], ends[0][-1])
    axes.set_ylim(ends[1][0], ends[1][-1])
    axes.set_xlabel(names[chosen[0]], parse_math=False)
    axes.set_ylabel(names[chosen[1]], parse_math=False)
    if len(design.schema) > 2:
        axes.set_title("the other columns are at their means", fontsize=9, loc="left", color=GREY)
    return figure


def _span(model: LinearFunction, name: str, cells: Any) -> Any:
    """Return the plotted values of a column."""
    known = np.empty(0) if cells is None else cells[np.isfinite(cells)]
    if len(known):
        low, high = float(known.min()), float(known.max())
    else:
        spread = float(model.known.deviations[list(map(str, model.design.terms)).index(name)])
        low, high = model.design.fill(name) - 2.5 * spread, model.design.fill(name) + 2.5 * spread
    room = 0.08 * (high - low) or 1.0
    return np.linspace(low - room, high + room, CELLS)
