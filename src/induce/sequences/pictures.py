"""Plots of hidden Markov chains: states and transitions, and the decoded path below the data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.core.ties import largest_first
from induce.hypotheses.naming import value_text
from induce.pictures.rings import draw_arrow, ring_places
from induce.pictures.style import DARK, EMPTY, GREY, PALE, PALETTE, tidy
from induce.sequences.hypothesis import HiddenMarkovChain
from induce.sequences.inference import best_paths, smoothed
from induce.sequences.parameters import Floats, nominal_columns, numeric_columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_STATES, MOST_BARS, MOST_LETTERS = 12, 8, 60
RADIUS, RING, WIDE_RING = 0.5, 1.3, 1.9
SEEN = 0.005
"""Minimum probability of a transition that is drawn."""


def draw(chain: HiddenMarkovChain) -> Figure:
    """Plot the states with their transitions on the left, and their emissions on the right.

    Examples
    --------
    >>> coin = HiddenMarkovChain.of({"a": 1.0}, {"a": {"a": 1.0}}, {"side": {"a": {"H": 0.5, "T": 0.5}}})
    >>> [axes.get_title() for axes in draw(coin).axes]
    ['', 'side']
    """
    from matplotlib.figure import Figure

    n_states = len(chain.states)
    if n_states > MOST_STATES:
        raise InputError(f"{n_states} states are too many for a figure; at most {MOST_STATES} can be drawn")
    columns = list(chain.schema.inputs())[:4]
    side = 3.2 if n_states <= 2 else 5.0
    figure = Figure(figsize=(side + 2.6 * len(columns), side), layout="constrained")
    panels = figure.subplots(1, 1 + len(columns), width_ratios=[side, *[2.6] * len(columns)], squeeze=False)[
        0
    ]
    _draw_states(panels[0], chain)
    tables = dict(zip((c.name for c in nominal_columns(chain.schema)), chain.parameters.tables, strict=True))
    numbers = [column.name for column in numeric_columns(chain.schema)]
    for axes, column in zip(panels[1:], columns, strict=True):
        axes.set_title(value_text(column.name), size=10)
        if column.name in tables:
            _draw_table(axes, chain, column.domain, tables[column.name])
        else:
            _draw_densities(axes, chain, numbers.index(column.name))
    return figure


def _draw_states(axes: Axes, chain: HiddenMarkovChain) -> None:
    from matplotlib.patches import Circle

    n_states = len(chain.states)
    # with three or more states, pairs of opposite arrows bulge into the ring, which must hold their labels
    ring = (0.0, RING)[n_states - 1] if n_states <= 2 else WIDE_RING * max(1.0, n_states / 6)
    places = ring_places(n_states, ring, first=math.pi)
    for i, place in enumerate(places):
        for j, other in enumerate(places):
            chance = float(chain.parameters.transitions[i, j])
            if chance >= SEEN:
                colour, width = PALETTE[i % len(PALETTE)], 0.6 + 2.4 * chance
                draw_arrow(axes, place, other, RADIUS, f"{chance:.2g}", colour, width, out=math.pi)
    for k, (x, y) in enumerate(places):
        colour = PALETTE[k % len(PALETTE)]
        axes.add_patch(Circle((x, y), RADIUS, facecolor="white", edgecolor=colour, lw=2, zorder=2))
        name = value_text(chain.states[k])
        axes.text(
            x,
            y + 0.06,
            shortened(name, 9),
            ha="center",
            va="center",
            size=9,
            weight="bold",
            color=DARK,
            zorder=3,
        )
        start = f"start {chain.parameters.start[k]:.2g}"
        axes.text(x, y - 0.17, start, ha="center", va="center", size=7, color=GREY, zorder=3)
    edge = ring + RADIUS + 0.85
    tall = edge if n_states > 2 else 1.15
    axes.set_xlim(-edge, edge)
    axes.set_ylim(-tall, tall)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _draw_table(axes: Axes, chain: HiddenMarkovChain, domain: tuple[Any, ...], table: Floats) -> None:
    """Plot the probabilities of values (for long domains, the most probable), one bar per state."""
    shown = np.arange(len(domain))
    if len(domain) > MOST_BARS:
        shown = np.sort(largest_first(table.max(axis=0))[:MOST_BARS])
        axes.set_xlabel(f"the {MOST_BARS} most probable of {len(domain)} values", size=8)
    height = 0.8 / len(chain.states)
    for k in range(len(chain.states)):
        places = np.arange(len(shown)) + height * (k - (len(chain.states) - 1) / 2)
        axes.barh(places, table[k, shown], height * 0.92, color=PALETTE[k % len(PALETTE)])
    axes.set_yticks(range(len(shown)), [value_text(domain[code]) for code in shown], size=8)
    axes.invert_yaxis()
    axes.set_xlim(0, None)
    tidy(axes, "x")


def _draw_densities(axes: Axes, chain: HiddenMarkovChain, number: int) -> None:
    parameters = chain.parameters
    means, variances = parameters.means[:, :, number], parameters.variances[:, :, number]
    if parameters.is_constant[number]:  # all mass is at one number
        for k, mean in enumerate(means[:, 0]):
            axes.axvline(mean, color=PALETTE[k % len(PALETTE)], lw=1.6)
        axes.set_yticks([])
        tidy(axes, "x")
        return
    reach = 3 * np.sqrt(variances)
    points = np.linspace((means - reach).min(), (means + reach).max(), 300)
    for k in range(len(chain.states)):
        away = (points[:, np.newaxis] - means[k]) ** 2 / variances[k]
        curve = (np.exp(-away / 2) / np.sqrt(2 * math.pi * variances[k])) @ parameters.weights[k]
        axes.plot(points, curve, color=PALETTE[k % len(PALETTE)], lw=1.6)
        axes.fill_between(points, curve, color=PALETTE[k % len(PALETTE)], alpha=0.12, lw=0)
    axes.set_yticks([])
    axes.set_ylim(0, None)
    tidy(axes, "x")


def draw_path(chain: HiddenMarkovChain, X: Any, sequence: int = 0) -> Figure:
    """Plot one sequence: each column, the decoded path, and the state probabilities."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch
    from matplotlib.ticker import MaxNLocator

    sequences, steps, past = chain.read(X)
    if not isinstance(sequence, int) or not 0 <= sequence < len(sequences):
        raise InputError(f"sequence is {sequence!r}; give an index below {len(sequences)}")
    states = smoothed(chain.parameters, steps, past).states
    own = slice(int(steps.offsets[sequence]), int(steps.offsets[sequence + 1]))
    path = best_paths(chain.parameters, steps)[0][0, own]
    columns = list(chain.schema.inputs())
    heights = [1.6 if column.kind == "numeric" else 0.9 for column in columns] + [0.35, 1.0]
    figure = Figure(figsize=(8, sum(heights) + 1.0), layout="constrained")
    panels = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights, squeeze=False)[:, 0]
    nominal = number = 0
    for axes, column in zip(panels, columns, strict=False):
        if column.kind == "numeric":
            _draw_numbers(axes, steps.numbers[own, number], path)
            number += 1
        else:
            _draw_values(axes, column.domain, steps.codes[own, nominal], path)
            nominal += 1
        axes.set_ylabel(value_text(column.name), size=9, rotation=0, ha="right", va="center")
    _draw_band(panels[-2], path)
    panels[-2].set_ylabel("path", size=9, rotation=0, ha="right", va="center")
    places = np.arange(1, len(path) + 1)
    colours = [PALETTE[k % len(PALETTE)] for k in range(len(chain.states))]
    panels[-1].stackplot(places, states[own].T, colors=colours, step="mid", lw=0)
    panels[-1].set_ylim(0, 1)
    panels[-1].set_yticks([0, 1])
    panels[-1].set_ylabel("P(state)", size=9, rotation=0, ha="right", va="center")
    panels[-1].set_xlabel("step")
    panels[-1].set_xlim(0.5, len(path) + 0.5)
    panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    patches = [
        Patch(color=colour, label=value_text(state))
        for colour, state in zip(colours, chain.states, strict=True)
    ]
    figure.legend(handles=patches, loc="outside upper center", ncols=min(6, len(patches)), frameon=False)
    return figure


def _draw_numbers(axes: Axes, numbers: Floats, path: NDArray[np.int32]) -> None:
    places = np.arange(1, len(path) + 1)
    axes.plot(places, numbers, color=EMPTY, lw=0.8, zorder=1)
    colours = [PALETTE[k % len(PALETTE)] for k in path]
    axes.scatter(places, numbers, c=colours, s=9 if len(path) > 100 else 16, zorder=2)
    tidy(axes)


def _draw_values(
    axes: Axes, domain: tuple[Any, ...], codes: NDArray[np.int32], path: NDArray[np.int32]
) -> None:
    """Write the values over a short sequence; in a long one, mark them by height."""
    colours = [PALETTE[k % len(PALETTE)] for k in path]
    names = [value_text(value) for value in domain]
    if len(path) <= MOST_LETTERS and max(map(len, names)) <= 3:
        for t, code in enumerate(codes.tolist(), start=1):
            name = names[code] if code >= 0 else "?"
            axes.text(t, 0.5, name, ha="center", va="center", size=8, color=colours[t - 1], weight="bold")
        axes.set_ylim(0, 1)
        axes.set_yticks([])
        axes.spines[:].set_visible(False)
        return
    seen = np.where(codes >= 0, codes.astype(float), np.nan)
    axes.scatter(np.arange(1, len(path) + 1), seen, c=colours, s=9, marker="|", lw=1.5)
    if len(names) <= MOST_BARS:
        axes.set_yticks(range(len(names)), names, size=8)
    else:
        axes.set_yticks([])
    axes.set_ylim(-0.5, len(names) - 0.5)
    tidy(axes)


def _draw_band(axes: Axes, path: NDArray[np.int32]) -> None:
    """Draw the decoded path as a band of colours."""
    edges = np.flatnonzero(np.diff(path)) + 1
    begins, ends = np.concatenate([[0], edges]), np.concatenate([edges, [len(path)]])
    axes.set_facecolor(PALE)
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        axes.axvspan(begin + 0.5, end + 0.5, color=PALETTE[int(path[begin]) % len(PALETTE)], lw=0)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
