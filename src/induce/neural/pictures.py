"""Figures of networks: diagram, Hinton diagram, regions, and the error surface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.core.ties import largest_first
from induce.data.images.grid import Grid
from induce.data.numeric_view import Floats
from induce.data.table import as_table
from induce.neural.text import incoming, input_offsets, input_scales, node_names
from induce.pictures.style import DARK, GREY, PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.neural.hypothesis import TrainedNetwork
    from induce.neural.network import Group

MOST_NODES = 24
"""Maximum number of units drawn per group."""
MOST_LINES = 1500
MOST_INPUTS = 60
"""Maximum number of inputs with their own row in a Hinton diagram; if there are more, the strongest are drawn."""
CELLS = 140
POSITIVE, NEGATIVE = PALETTE[0], PALETTE[5]


def draw_diagram(network: TrainedNetwork, X: Any = None, y: Any = None) -> Figure:
    """Draw units and connections; blue is positive, orange negative, and the width is the magnitude of the weight."""
    value, names = network.network, node_names(network)
    depth = _depths(network)
    tallest = max(min(MOST_NODES, group.size) for group in value.groups)
    columns = max(depth.values()) + 1
    figure, axes = axes_for(None, 2.6 + 2.1 * columns, min(9.0, 1.2 + 0.34 * tallest))
    where: dict[str, Floats] = {}
    for group in value.groups:
        n = min(MOST_NODES, group.size)
        beside = [name for name in where if depth[name] == depth[group.name]]
        heights = np.linspace(
            0.5 + 0.5 * (n - 1) / max(1, tallest - 1), 0.5 - 0.5 * (n - 1) / max(1, tallest - 1), n
        )
        where[group.name] = np.column_stack([np.full(n, depth[group.name] + 0.3 * len(beside)), heights])
    largest = float(np.abs(value.weights).max(initial=0.0)) or 1.0
    _connections(network, axes, where, largest)
    for group in value.groups:
        points = where[group.name]
        is_end = group.unit == "input" or group.name in value.outputs
        axes.scatter(points[:, 0], points[:, 1], s=70, color="white", edgecolor=DARK, zorder=3, lw=1.1)
        for k, (x, height) in enumerate(points):
            text = (
                names[group.name][k] if k + 1 < MOST_NODES or group.size <= MOST_NODES else f"… {group.size}"
            )
            if is_end:
                left = group.unit == "input"
                axes.annotate(
                    shortened(text, 24),
                    (x, height),
                    (-8 if left else 8, 0),
                    textcoords="offset points",
                    ha="right" if left else "left",
                    va="center",
                    fontsize=8,
                    parse_math=False,
                )
        label = group.name if group.unit == "input" else f"{group.name}\n{group.unit}"
        axes.annotate(
            label,
            (points[0, 0], -0.02),
            (0, -14),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=8,
        )
    axes.set_xlim(-0.9, columns - 0.1)
    axes.set_ylim(-0.05, 1.05)
    axes.set_axis_off()
    axes.set_title(f"{network.target}: {network.size()}", fontsize=10, loc="left", parse_math=False)
    return figure


def _depths(network: TrainedNetwork) -> dict[str, int]:
    value = network.network
    depth: dict[str, int] = {}
    for place in value.plan.order:
        name = value.groups[place].name
        before = [depth[link.source] for link in value.links if link.target == name and not link.delay]
        depth[name] = 1 + max(before) if before else 0
    return depth


def _connections(network: TrainedNetwork, axes: Axes, where: dict[str, Floats], largest: float) -> None:
    from matplotlib.collections import LineCollection

    value = network.network
    lines, colours, widths = [], [], []
    for link in value.links:
        if link.delay:
            continue
        weights = value.get((link.source, link.target))
        sources, targets = where[link.source], where[link.target]
        for i in range(len(sources)):
            for j in range(len(targets)):
                if weights[i, j] != 0.0:
                    lines.append([sources[i], targets[j]])
                    colours.append(POSITIVE if weights[i, j] > 0 else NEGATIVE)
                    widths.append(2.6 * abs(weights[i, j]) / largest)
    kept = largest_first(widths)[:MOST_LINES].tolist() if widths else []
    axes.add_collection(
        LineCollection(
            [lines[k] for k in kept],
            colors=[colours[k] for k in kept],
            linewidths=[widths[k] for k in kept],
            alpha=0.75,
        )
    )


def draw_weights(network: TrainedNetwork, X: Any = None, y: Any = None) -> Figure:
    """Draw the weights of each group as squares: white is positive, black negative (Hinton; Figs 4.1 and 4.10).

    If the inputs are the pixels of images, the weights on them are drawn as images.
    """
    from matplotlib.figure import Figure

    if Grid.of(network.view.names) is not None:
        return draw_brightness(network)
    value, names = network.network, node_names(network)
    groups = [value.groups[place] for place in value.plan.order if value.groups[place].unit != "input"]
    parts = []
    for group in groups:
        sources, matrix = incoming(value, group.name, names)
        if group.bias:
            sources, matrix = ["bias", *sources], np.concatenate([value.get(group.name)[np.newaxis], matrix])
        kept = np.sort(largest_first(np.abs(matrix).max(axis=1, initial=0.0))[:MOST_INPUTS])
        parts.append(([sources[k] for k in kept], matrix[kept]))
    widths = [min(40, matrix.shape[1]) + 4 for _, matrix in parts]
    height = 1.1 + 0.2 * max(len(sources) for sources, _ in parts)
    figure = Figure(
        figsize=(1.5 + 0.2 * sum(widths) + 1.1 * len(parts), max(2.4, height)), layout="constrained"
    )
    panels = figure.subplots(1, len(parts), squeeze=False, width_ratios=widths)[0]
    for axes, group, (sources, matrix) in zip(panels, groups, parts, strict=True):
        hinton(axes, matrix)
        axes.set_yticks(
            range(len(sources)), [shortened(text, 22) for text in sources], fontsize=7, parse_math=False
        )
        axes.set_xticks(
            range(group.size),
            [shortened(text, 12) for text in names[group.name]],
            rotation=90,
            fontsize=7,
            parse_math=False,
        )
        axes.set_title(f"into {group.name}", fontsize=9)
    return figure


def hinton(axes: Axes, matrix: Floats) -> None:
    """Draw a matrix as squares whose area is the magnitude: white is positive, black negative."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    largest = float(np.abs(matrix).max(initial=0.0)) or 1.0
    squares, colours = [], []
    for (i, j), weight in np.ndenumerate(matrix):
        side = 0.92 * float(np.sqrt(abs(weight) / largest))
        squares.append(Rectangle((j - side / 2, i - side / 2), side, side))
        colours.append("white" if weight > 0 else "black")
    axes.add_collection(PatchCollection(squares, facecolors=colours, edgecolors="none"))
    axes.set_facecolor(GREY)
    axes.set_xlim(-0.5, matrix.shape[1] - 0.5)
    axes.set_ylim(matrix.shape[0] - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.tick_params(length=0)


def draw_brightness(
    network: TrainedNetwork, X: Any = None, y: Any = None, shape: tuple[int, int] | None = None
) -> Figure:
    """Draw weights by brightness: grey is 0, white positive, black negative (Fig. 4.10).

    If the shape of the input images is known, from an argument or from the names of pixels, the weights of each
    unit that sees them are drawn as an image, with the bias in the upper left corner.
    """
    from matplotlib.figure import Figure

    grid = Grid.of(network.view.names)
    if shape is None and grid is not None:
        shape = grid.shape
    value, names = network.network, node_names(network)
    groups = [value.groups[place] for place in value.plan.order if value.groups[place].unit != "input"]
    parts = [(group, *incoming(value, group.name, names)) for group in groups]
    if shape is not None:
        return _images(network, parts, shape)
    figure = Figure(figsize=(2.5 + 2.2 * len(parts), 4.2), layout="constrained")
    panels = figure.subplots(1, len(parts), squeeze=False)[0]
    for axes, (group, sources, matrix) in zip(panels, parts, strict=True):
        if group.bias:
            sources, matrix = ["bias", *sources], np.concatenate([value.get(group.name)[np.newaxis], matrix])
        image = _grey(axes, matrix, aspect="auto")
        if len(sources) <= MOST_INPUTS // 2:
            axes.set_yticks(
                range(len(sources)), [shortened(text, 22) for text in sources], fontsize=7, parse_math=False
            )
        axes.set_xticks(
            range(group.size),
            [shortened(text, 12) for text in names[group.name]],
            rotation=90,
            fontsize=7,
            parse_math=False,
        )
        axes.set_title(f"into {group.name}", fontsize=9)
        figure.colorbar(image, ax=axes)
    return figure


def _images(
    network: TrainedNetwork, parts: list[tuple[Group, list[str], Floats]], shape: tuple[int, int]
) -> Figure:
    """Draw the input weights of each unit as an image, and the weights of the output units as blocks below."""
    from matplotlib.figure import Figure

    n = int(np.prod(shape))
    if n != network.network.n_inputs:
        raise InputError(
            f"shape is {shape!r}, an image of {n} pixels, but the network has "
            f"{network.network.n_inputs} inputs; give the shape of the input images"
        )
    seen = [(group, matrix) for group, _, matrix in parts if len(matrix) == n]
    value, names = network.network, node_names(network)
    units = [
        (names[group.name][unit], matrix[:, unit], value.get(group.name)[unit] if group.bias else 0.0)
        for group, matrix in seen
        for unit in range(group.size)
    ][:MOST_NODES]
    if not units:
        raise InputError("no unit sees all pixels, so there are no weight images; use kind 'diagram'")
    last = [
        (group, sources, matrix)
        for group, sources, matrix in parts
        if group.name in value.outputs and 0 < len(matrix) <= MOST_NODES
    ]
    columns = min(6, max(3, len(units)))
    rows = -(-len(units) // columns)
    figure = Figure(
        figsize=(1.2 + 1.9 * columns, 0.6 + 2.0 * rows + (1.9 if last else 0.0)), layout="constrained"
    )
    heights = (2.0 * rows + 0.3, 1.9) if last else (1.0,)
    bands = list(
        np.ravel(np.asarray(figure.subfigures(len(heights), 1, height_ratios=heights), dtype=object))
    )
    above, below = bands[0], bands[-1]
    for place, (name, weights, bias) in enumerate(units):
        axes = above.add_subplot(rows, columns, place + 1)
        image = weights.reshape(shape).copy()
        corner = max(1, min(shape) // 10)
        image[:corner, :corner] = bias
        _grey(axes, image)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_title(name, fontsize=8, parse_math=False)
    for group, sources, matrix in last:
        axes = below.add_subplot(1, 1, 1)
        blocks = np.concatenate([value.get(group.name)[np.newaxis], matrix]) if group.bias else matrix
        _grey(axes, blocks.T, aspect="auto")
        labels = ["bias", *sources] if group.bias else sources
        axes.set_xticks(range(len(labels)), [shortened(text, 12) for text in labels], fontsize=7)
        axes.set_yticks(
            range(group.size),
            [shortened(text, 14) for text in names[group.name]],
            fontsize=7,
            parse_math=False,
        )
        axes.set_title(f"into {group.name}", fontsize=8)
    return figure


def _grey(axes: Axes, matrix: Floats, aspect: Literal["equal", "auto"] = "equal") -> Any:
    largest = float(np.abs(matrix).max(initial=0.0)) or 1.0
    return axes.imshow(
        matrix, cmap="gray", vmin=-largest, vmax=largest, aspect=aspect, interpolation="nearest"
    )


def draw_surface(network: TrainedNetwork, X: Any = None, y: Any = None) -> Figure:
    """Draw the error over the two weights that changed most, with the training path (Fig. 4.4)."""
    if X is None or y is None:
        raise InputError("the error surface needs examples; give X and y")
    return network.error_surface(X, y).draw()


def draw_regions(network: TrainedNetwork, X: Any = None, y: Any = None) -> Figure:
    """Draw predictions over the two numeric columns that affect the outputs most, with the others at their means."""
    from matplotlib.colors import ListedColormap

    places = _two_columns(network)
    rows = None if X is None else network.rows(as_table(X, network.schema))
    ends = [_span(rows, place) for place in places]
    points = np.tile(network.view.mean, (CELLS * CELLS, 1))
    grid = np.stack(np.meshgrid(*ends), axis=-1).reshape(-1, 2)
    for k, place in enumerate(places):
        points[:, place] = grid[:, k]
    outputs = network.network(points)
    scales, offsets = input_scales(network.view)[places], input_offsets(network.view)[places]
    shown = [end * scale + offset for end, scale, offset in zip(ends, scales, offsets, strict=True)]
    figure, axes = axes_for(None, 6.4, 4.8)
    classes = getattr(network, "classes", None)
    if classes is not None:
        n = len(classes)
        found = network.in_scores(outputs).argmax(axis=1).reshape(CELLS, CELLS)  # type: ignore[attr-defined]
        colours = ListedColormap([PALETTE[k % len(PALETTE)] for k in range(n)])
        axes.pcolormesh(
            *shown,
            found,
            cmap=colours,
            vmin=-0.5,
            vmax=n - 0.5,
            alpha=0.3,
            shading="nearest",
            rasterized=True,
        )
        codes = None if y is None else [[str(value) for value in classes].index(str(value)) for value in y]
        for k, value in enumerate(classes[:12]):
            colour = PALETTE[k % len(PALETTE)]
            own = [] if codes is None else [row for row, code in enumerate(codes) if code == k]
            at = (
                np.empty((2, 0))
                if rows is None
                else rows[own][:, places].T * scales[:, None] + offsets[:, None]
            )
            axes.plot(
                *at,
                "o" if codes is not None else "s",
                ms=4.5,
                color=colour,
                mec="white",
                mew=0.5,
                label=str(value),
            )
        axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    else:
        judged = network.judged(outputs, 0).reshape(CELLS, CELLS)  # type: ignore[attr-defined]
        mesh = axes.pcolormesh(*shown, judged, cmap="viridis", shading="gouraud", rasterized=True)
        figure.colorbar(mesh, ax=axes).set_label(network.target, parse_math=False)
    axes.set_xlim(shown[0][0], shown[0][-1])
    axes.set_ylim(shown[1][0], shown[1][-1])
    axes.set_xlabel(network.view.names[places[0]], parse_math=False)
    axes.set_ylabel(network.view.names[places[1]], parse_math=False)
    if len(network.view.mean) > 2:
        axes.set_title("the other columns are at their means", fontsize=9, loc="left", color=GREY)
    return figure


def _two_columns(network: TrainedNetwork) -> list[int]:
    """Return the inputs of the two numeric columns that affect the outputs most."""
    numeric, place = [], 0
    for column in network.view.schema:
        if column.kind != "nominal":
            numeric.append(place)
        place += len(column.domain) if column.kind == "nominal" else 1
    if len(numeric) < 2:
        raise InputError("regions need two numeric columns; draw the diagram or the weights")
    moved = []
    for place in numeric:
        points = np.tile(network.view.mean, (9, 1))
        points[:, place] += np.linspace(-2, 2, 9)
        moved.append(float(np.ptp(network.network(points), axis=0).max()))
    return sorted(numeric[int(k)] for k in largest_first(moved)[:2])


def _span(rows: Floats | None, place: int) -> Floats:
    low, high = (-2.5, 2.5) if rows is None else (float(rows[:, place].min()), float(rows[:, place].max()))
    room = 0.08 * (high - low) or 1.0
    return np.linspace(low - room, high + room, CELLS)
