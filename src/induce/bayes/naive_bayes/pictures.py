"""Figures of naive Bayes: a nomogram for two classes, bars of evidence for several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.bayes.naive_bayes.column import ColumnModel
from induce.bayes.naive_bayes.numeric import NumericColumn
from induce.bayes.naive_bayes.report import evidence_of
from induce.core.reports import shortened
from induce.core.ties import ranked
from induce.counts.additive import Floats
from induce.hypotheses.naming import number_text, plural, value_text
from induce.pictures.style import DARK, GREY, LINE, PALETTE, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel

MOST_COLUMNS = 25
MOST_VALUES = 8
MOST_CLASSES = 12
MOST_BARS = 10
MOST_LETTERS = 28
NEVER = 5.0
"""Log odds at which impossible values are drawn."""
CHANCES = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999)
REACH = 2.0
"""Range around the class means that is drawn, in standard deviations."""


def draw(model: NaiveBayesModel) -> Figure:
    """Return a nomogram for two classes, bars of evidence for more."""
    return _nomogram(model) if len(model.classes) == 2 else _bars(model)


@dataclass(frozen=True, eq=False)
class _Strip:
    """One scale of the nomogram: possible values, and their log odds; `curve` if it is continuous."""

    name: str
    labels: Sequence[str]
    weight: Floats
    curve: tuple[Floats, Floats] | None = None


def _nomogram(model: NaiveBayesModel) -> Figure:
    from matplotlib.figure import Figure

    strips = [strip for column in model.columns if (strip := _strip(column)) is not None]
    strips = ranked(strips, lambda strip: float(np.ptp(np.clip(strip.weight, -1e9, 1e9))))
    left_out = len(strips) - MOST_COLUMNS
    prior = float(model.log_priors[1] - model.log_priors[0])
    strips = [_Strip("beforehand", ["prior"], np.array([prior])), *strips[:MOST_COLUMNS]]
    finite = np.concatenate([strip.weight[np.isfinite(strip.weight)] for strip in strips])
    edge = max(1.0, float(np.abs(finite).max(initial=0.0))) * 1.08
    if any(np.isinf(strip.weight).any() for strip in strips):
        edge = max(edge, NEVER)
    levels = [_levels(strip, edge) for strip in strips]
    heights = [
        2.6 if strip.curve else 0.7 + 0.85 * max(map(abs, level))
        for strip, level in zip(strips, levels, strict=True)
    ]
    bottoms = np.cumsum(heights)
    figure = Figure(figsize=(9, 1.9 + 0.33 * float(bottoms[-1])), layout="constrained")
    ratio = [max(1.0, 0.33 * float(bottoms[-1])), 0.55]
    axes, scale = figure.subplots(2, 1, height_ratios=ratio)
    middles = [float(bottom - height / 2) for bottom, height in zip(bottoms, heights, strict=True)]
    for strip, middle, level in zip(strips, middles, levels, strict=True):
        _draw_strip(axes, strip, middle, level, edge)
    axes.set_xlim(-edge, edge)
    axes.set_ylim(float(bottoms[-1]), 0)
    names = [shortened(strip.name, MOST_LETTERS) for strip in strips]
    axes.set_yticks(middles, names, fontsize=9, parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.axvline(0, color=LINE, lw=1, zorder=0)
    tidy(axes, "x")
    axes.spines["left"].set_visible(False)
    first, second = (shortened(value_text(value), MOST_LETTERS) for value in model.classes)
    axes.set_xlabel(
        f"log odds: for {first} to the left, for {second} to the right", fontsize=9, parse_math=False
    )
    more = f"; {plural(left_out, 'more column')} not drawn" if left_out > 0 else ""
    title = f"{value_text(model.target)}: add the log odds of each value of a row{more}"
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    _probabilities(scale, second)
    return figure


def _probabilities(axes: Axes, second: str) -> None:
    """Draw the scale from the sum of log odds to the probability."""
    chances = np.array(CHANCES)
    odds = np.log(chances / (1 - chances))
    axes.set_xlim(float(odds[0]) * 1.05, float(odds[-1]) * 1.05)
    axes.set_ylim(0, 1)
    axes.set_yticks([0.5], [f"P({second})"], fontsize=9, parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.set_xticks(range(-6, 7))
    axes.plot(axes.get_xlim(), [0.5, 0.5], color=DARK, lw=1)
    for chance, odd in zip(CHANCES, odds.tolist(), strict=True):
        axes.plot([odd, odd], [0.4, 0.6], color=DARK, lw=1)
        axes.text(odd, 0.68, f"{chance:g}", ha="center", va="bottom", fontsize=8)
    axes.set_xlabel("sum of all log odds", fontsize=9)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _strip(column: ColumnModel) -> _Strip | None:
    name = column.column.name
    if isinstance(column, NumericColumn):
        mean, variance = column.spread
        deviation = np.sqrt(variance)
        low, high = float((mean - REACH * deviation).min()), float((mean + REACH * deviation).max())
        if column.steps.low < column.steps.high:  # no curve where there are no data
            low, high = max(low, column.steps.low), min(high, column.steps.high)
        grid = np.linspace(low, high, 201)
        logs = column.densities(grid)
        with np.errstate(invalid="ignore"):
            curve = logs[1] - logs[0]
        # one class may be so narrow that the other decides everywhere else; that part is not drawn
        curve = np.clip(np.nan_to_num(curve), -1.2 * NEVER, 1.2 * NEVER)
        ticks = np.linspace(0, 200, 6).astype(int)
        labels = [number_text(float(f"{number:.3g}")) for number in grid[ticks].tolist()]
        return _Strip(name, labels, curve[ticks], (curve, np.linspace(-1, 1, 201)))
    found = evidence_of(column)
    if found is None or len(found.labels) < 2:
        return None
    order = found.strongest(1, MOST_VALUES)
    shown = [found.labels[value].removeprefix(f"{value_text(name)} = ") for value in order]
    shown = [label.removeprefix(f"{value_text(name)}: ") for label in shown]
    return _Strip(name, [shortened(label, MOST_LETTERS) for label in shown], found.weight[order, 1])


def _levels(strip: _Strip, edge: float) -> list[int]:
    """Return the height of each label above (positive) or below the scale; 0 if there is no space."""
    per_letter = 2 * edge / 90  # width of a letter in a figure of this size
    taken = dict.fromkeys((1, -1, 2, -2, 3, -3), -np.inf)
    found = [0] * len(strip.labels)
    for place in np.argsort(strip.weight, kind="stable").tolist():
        half = per_letter * (len(strip.labels[place]) + 1) / 2
        centre = float(np.clip(strip.weight[place], -edge + half, edge - half))
        found[place] = next((level for level, end in taken.items() if end <= centre - half), 0)
        taken[found[place]] = centre + half
    return found


def _draw_strip(axes: Axes, strip: _Strip, middle: float, levels: Sequence[int], edge: float) -> None:
    inside = np.clip(strip.weight, -edge * 0.98, edge * 0.98)
    if strip.curve is not None:
        x, y = strip.curve
        axes.plot(np.clip(x, -edge * 0.98, edge * 0.98), middle - 0.85 * y, color=PALETTE[0], lw=1.4)
        ticks = np.linspace(0, len(x) - 1, len(strip.labels)).astype(int)
        for label, weight, tick in zip(strip.labels, inside.tolist(), ticks.tolist(), strict=True):
            height = middle - 0.85 * float(y[tick])
            axes.plot([weight], [height], "o", color=PALETTE[0], ms=4)
            side = 1 if weight < 0.8 * edge else -1
            axes.annotate(
                label,
                (weight, height),
                xytext=(6 * side, 0),
                textcoords="offset points",
                ha="left" if side > 0 else "right",
                va="center",
                fontsize=8,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85},
            )
        return
    axes.plot([inside.min(), inside.max()], [middle, middle], color=GREY, lw=1)
    for label, weight, raw, level in zip(
        strip.labels, inside.tolist(), strip.weight.tolist(), levels, strict=True
    ):
        marker = "o" if np.isfinite(raw) else (">" if raw > 0 else "<")
        axes.plot([weight], [middle], marker, color=PALETTE[0], ms=6, zorder=3)
        if level == 0:
            continue
        axes.annotate(
            label,
            (weight, middle),
            xytext=(0, (5 if level > 0 else -5) + 10 * (level - (1 if level > 0 else -1))),
            textcoords="offset points",
            ha="center" if abs(weight) < 0.85 * edge else ("right" if weight > 0 else "left"),
            va="bottom" if level > 0 else "top",
            fontsize=8,
            parse_math=False,
        )


def _bars(model: NaiveBayesModel) -> Figure:
    """Draw, in a panel for each class, the strongest evidence for and against it."""
    from matplotlib.figure import Figure

    order = np.argsort(-model.class_counts, kind="stable")[:MOST_CLASSES]
    shown = sorted(order.tolist())
    n_columns = min(3, len(shown)) if len(shown) > 1 else 1
    n_rows = -(-len(shown) // n_columns)
    figure = Figure(figsize=(4.6 * n_columns, 0.6 + 2.5 * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    for axes, place in zip(panels, shown, strict=False):
        _panel(axes, model, place)
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    left_out = len(model.classes) - len(shown)
    more = f"; {left_out:,} more not drawn" if left_out > 0 else ""
    title = f"{value_text(model.target)}: evidence for and against each class{more}"
    figure.suptitle(title, fontsize=10, x=0.01, ha="left", parse_math=False)
    return figure


def _panel(axes: Axes, model: NaiveBayesModel, place: int) -> None:
    found: list[tuple[str, float, float, float]] = []
    for column in model.columns:
        evidence = evidence_of(column)
        if evidence is not None:
            numbers = np.stack([evidence.weight, evidence.low, evidence.high])[:, :, place]
            for value in evidence.strongest(place, MOST_BARS):
                weight, low, high = numbers[:, value].tolist()
                found.append((evidence.labels[value], weight, low, high))
        elif isinstance(column, NumericColumn):
            found.append(_at_the_mean(model, column, place))
    found = ranked(found, lambda line: abs(line[1]))
    found = ranked(found[:MOST_BARS], lambda line: -line[1])
    finite = [number for _, *numbers in found for number in numbers if np.isfinite(number)]
    low_edge, high_edge = min(0.0, *finite, 0.0), max(0.0, *finite, 0.0)
    if any(np.isinf(weight) for _, weight, *_ in found):
        low_edge, high_edge = min(low_edge, -NEVER), max(high_edge, NEVER)
    for height, (_, weight, low, high) in enumerate(found):
        colour = PALETTE[0] if weight > 0 else PALETTE[5]
        axes.barh(height, np.clip(weight, low_edge, high_edge), 0.7, color=colour)
        if np.isfinite([low, high]).all() and low < high:
            axes.plot([low, high], [height, height], color=DARK, lw=1)
    axes.set_yticks(
        range(len(found)),
        [shortened(label, MOST_LETTERS) for label, *_ in found],
        fontsize=8,
        parse_math=False,
    )
    margin = 0.05 * (high_edge - low_edge) or 1.0
    axes.set_xlim(low_edge - margin, high_edge + margin)
    axes.axvline(0, color=LINE, lw=1)
    axes.set_title(
        shortened(value_text(model.classes[place]), MOST_LETTERS), fontsize=9, loc="left", parse_math=False
    )
    axes.tick_params(axis="x", labelsize=8)
    tidy(axes, "x")


def _at_the_mean(
    model: NaiveBayesModel, column: NumericColumn, place: int
) -> tuple[str, float, float, float]:
    """Return the evidence at the mean of a class for it against the others, which are weighted by their
    counts.
    """
    mean = float(column.spread[0][place])
    logs = column.densities(np.array([mean]))[:, 0]
    others = np.arange(len(model.classes)) != place
    counts = column.moments.count[others]
    weight = 0.0
    if counts.any():
        with np.errstate(divide="ignore"):
            rest = np.logaddexp.reduce(logs[others] + np.log(counts / counts.sum()))
        weight = float(logs[place] - rest)
    return f"{column.column.name} = {number_text(float(f'{mean:.3g}'))}", weight, weight, weight
