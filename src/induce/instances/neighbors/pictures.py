"""Figures of neighbours: regions and Voronoi cells over two columns, curves over one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.data.schema import Column
from induce.data.table import Table
from induce.distances.attributes import AttributeDistance
from induce.distances.rows import Floats
from induce.hypotheses.naming import value_text
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.instances.neighbors.mean import NeighborMean
    from induce.instances.neighbors.stored import Neighbors
    from induce.instances.neighbors.vote import NeighborVote

GRID = 220
MOST_CELLS = 1_000
MOST_POINTS = 2_000
MOST_NAMED = 12
LETTERS = 12


@dataclass(frozen=True, eq=False)
class Axis:
    """A column along an axis: its ticks, positions of examples, and points of prediction."""

    column: Column
    place: int
    points: Floats
    asked: Floats
    limits: tuple[float, float]

    @classmethod
    def of(cls, stored: Neighbors, name: str) -> Axis:
        """Return the axis of a column; missing values have no position."""
        table = stored.table
        place = table.schema.names().index(name)
        column = table.schema.columns[place]
        points = table.column(place).astype(np.float64)
        if column.kind == "nominal":
            points = np.where(points < 0, np.nan, points)
            n = max(1, len(column.domain))
            return cls(column, place, points, np.arange(n, dtype=np.float64), (-0.5, n - 0.5))
        low, high = (float(each(points)) for each in (np.fmin.reduce, np.fmax.reduce))
        low, high = (low, high) if np.isfinite(low) else (0.0, 0.0)
        margin = 0.05 * (high - low) or 1.0
        limits = low - margin, high + margin
        return cls(column, place, points, np.linspace(*limits, GRID), limits)

    @property
    def edges(self) -> Floats:
        """Edges of the cells around the points of prediction."""
        return np.linspace(*self.limits, len(self.asked) + 1)

    def jittered(self) -> Floats:
        """Return the positions of drawn examples; nominal values are jittered."""
        if self.column.kind != "nominal":
            return self.points
        spread = np.random.default_rng(self.place).uniform(-0.28, 0.28, len(self.points))
        return np.asarray(self.points + spread)

    def label(self, axes: Axes, which: str) -> None:
        """Label the axis with the name of the column and its values."""
        getattr(axes, f"set_{which}label")(self.column.name, parse_math=False)
        getattr(axes, f"set_{which}lim")(*self.limits)
        if self.column.kind == "nominal":
            names = [shortened(value_text(value), LETTERS) for value in self.column.domain]
            turned = {"rotation": 30, "ha": "right"} if which == "x" and sum(map(len, names)) > 40 else {}
            getattr(axes, f"set_{which}ticks")(range(len(names)), names, parse_math=False, **turned)


def draw_regions(vote: NeighborVote, columns: tuple[str, ...] | None) -> Figure:
    """Return a figure of the regions of the classes."""
    chosen = _columns(vote, columns)
    if len(chosen) == 1:
        return _draw_shares(vote, chosen[0])
    x, y = chosen
    figure, axes = axes_for(None, 7.0, 5.0)
    grid = np.stack(np.meshgrid(x.asked, y.asked), axis=-1).reshape(-1, 2)
    decided = vote.decide(vote.queries(_slice(vote, chosen, grid)))[0]
    image = np.array([_tint(_colour(c)) for c in decided]).reshape(len(y.asked), len(x.asked), 3)
    axes.pcolormesh(x.edges, y.edges, image, shading="flat", rasterized=True)
    _draw_cells(axes, vote, x, y)
    _draw_examples(axes, vote, x, y)
    x.label(axes, "x")
    y.label(axes, "y")
    axes.set_title(_title(vote, chosen), fontsize=10, parse_math=False)
    return figure


def draw_numbers(mean: NeighborMean, columns: tuple[str, ...] | None) -> Figure:
    """Return a figure of the predicted numbers."""
    chosen = _columns(mean, columns)
    if len(chosen) == 1:
        (x,) = chosen
        figure, axes = axes_for(None)
        said = mean.predict(_slice(mean, chosen, x.asked[:, np.newaxis]))
        style = "o" if x.column.kind == "nominal" else "-"
        axes.plot(x.asked, said, style, color=PALETTE[0], ms=9, mfc="none")
        axes.plot(x.jittered(), mean.numbers, "o", color=DARK, ms=4, mec="white", mew=0.4)
        x.label(axes, "x")
        axes.set_ylabel(mean.target, parse_math=False)
        axes.set_title(_title(mean, chosen), fontsize=10, parse_math=False)
        tidy(axes)
        return figure
    x, y = chosen
    figure, axes = axes_for(None, 7.0, 5.0)
    grid = np.stack(np.meshgrid(x.asked, y.asked), axis=-1).reshape(-1, 2)
    said = mean.predict(_slice(mean, chosen, grid)).reshape(len(y.asked), len(x.asked))
    span = {"vmin": mean.numbers.min(), "vmax": mean.numbers.max(), "cmap": "viridis"}
    mesh = axes.pcolormesh(x.edges, y.edges, said, shading="flat", rasterized=True, **span)
    some = _some(mean)
    axes.scatter(
        x.jittered()[some], y.jittered()[some], c=mean.numbers[some], s=22, ec="white", lw=0.6, **span
    )
    figure.colorbar(mesh, ax=axes).set_label(mean.target, parse_math=False)
    x.label(axes, "x")
    y.label(axes, "y")
    axes.set_title(_title(mean, chosen), fontsize=10, parse_math=False)
    return figure


def _columns(stored: Neighbors, names: tuple[str, ...] | None) -> tuple[Axis, ...]:
    """Return the axes of the named columns, or of the first two, numeric ones before others."""
    inputs = stored.table.schema
    if names is None:
        numeric = [column.name for column in inputs if column.kind != "nominal"]
        nominal = [column.name for column in inputs if column.kind == "nominal"]
        names = tuple([*numeric, *nominal][:2])
    if not 1 <= len(set(names)) == len(names) <= 2:
        raise InputError(f"columns is {names!r}; give one or two columns")
    for name in names:
        inputs[name]
    return tuple(Axis.of(stored, name) for name in names)


def _slice(stored: Neighbors, chosen: tuple[Axis, ...], values: Floats) -> Table:
    """Return rows with these values of the chosen columns, and the others at their typical values."""
    table = stored.table
    middle = [
        np.median(column[~np.isnan(column)]) if (column == column).any() else np.nan
        for column in table.numeric.T
    ]
    common = [
        np.bincount(codes[codes >= 0]).argmax() if (codes >= 0).any() else -1 for codes in table.nominal.T
    ]
    numeric = np.tile(np.array(middle, dtype=np.float64), (len(values), 1))
    nominal = np.tile(np.array(common, dtype=np.int32), (len(values), 1))
    for axis, column in zip(chosen, values.T, strict=True):
        position = int(table.positions[axis.place])
        if position >= 0:
            numeric[:, position] = column
        else:
            nominal[:, -1 - position] = column
    return Table(table.schema, numeric, nominal)


def _draw_shares(vote: NeighborVote, x: Axis) -> Figure:
    """Draw the fraction of votes for each class along one column."""
    figure, axes = axes_for(None)
    shares = vote.predict_proba(_slice(vote, (x,), x.asked[:, np.newaxis]))
    step = 0.05 / max(1, len(vote.classes))
    for c, value in enumerate(vote.classes[:MOST_NAMED]):
        style = "o" if x.column.kind == "nominal" else "-"
        axes.plot(x.asked, shares[:, c], style, color=_colour(c), label=value_text(value))
        mine = vote.labels == c
        axes.plot(x.jittered()[mine], np.full(mine.sum(), -0.04 - c * step), "|", color=_colour(c), ms=6)
    axes.set_ylabel("fraction of the vote")
    axes.legend(frameon=False, fontsize=9)
    x.label(axes, "x")
    axes.set_title(_title(vote, (x,)), fontsize=10, parse_math=False)
    tidy(axes)
    return figure


def _draw_examples(axes: Axes, vote: NeighborVote, x: Axis, y: Axis) -> None:
    some = _some(vote)
    across, up = x.jittered()[some], y.jittered()[some]
    labels = vote.labels[some]
    for c in np.unique(labels):
        name = value_text(vote.classes[c]) if c < MOST_NAMED else None
        mine = labels == c
        axes.plot(across[mine], up[mine], "o", color=_colour(c), mec="white", mew=0.5, ms=5, label=name)
    axes.legend(
        fontsize=9,
        framealpha=0.85,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        title=shortened(vote.target, LETTERS),
    )


def _draw_cells(axes: Axes, vote: NeighborVote, x: Axis, y: Axis) -> None:
    """Draw the Voronoi cells of the examples; faces between classes are the decision surface (figure 8.1)."""
    measure, points = vote.distance, np.column_stack([x.points, y.points])
    plain = (
        vote.n_neighbors == 1
        and not vote.local_rows
        and len(vote.table.schema) == 2
        and isinstance(measure, AttributeDistance)
        and measure.power == 2
        and "nominal" not in (x.column.kind, y.column.kind)
        and not np.isnan(points).any()
    )
    if not plain or len(points) > MOST_CELLS:
        return
    origin = measure.rows(Table(vote.table.schema, np.zeros((1, 2)), np.empty((1, 0), np.int32))).numbers
    unit = measure.rows(Table(vote.table.schema, np.ones((1, 2)), np.empty((1, 0), np.int32))).numbers
    stretch = (unit - origin)[0][[x.place, y.place]]
    if not stretch.all():
        return
    for between, ends in _ridges(points * stretch, vote.labels):
        axes.plot(
            *(ends / stretch).T,
            color=DARK if between else GREY,
            lw=1.6 if between else 0.5,
            alpha=0.9 if between else 0.6,
            solid_capstyle="round",
        )


def _ridges(points: Floats, labels: NDArray[np.int64]) -> list[tuple[bool, Floats]]:
    """Return the faces between the cells of points, each with whether it divides two classes."""
    from scipy.spatial import Voronoi

    distinct, first = np.unique(points, axis=0, return_index=True)
    centre, reach = distinct.mean(axis=0), 1e3 * max(float(np.ptp(distinct, axis=0).max()), 1e-9)
    corners = centre + reach * np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
    cells = Voronoi(np.vstack([distinct, corners]))  # distant corners make all faces of the points finite
    known = labels[first]
    found = []
    for (a, b), (start, stop) in zip(cells.ridge_points, cells.ridge_vertices, strict=True):
        if max(a, b) < len(distinct) and start >= 0:
            found.append((bool(known[a] != known[b]), cells.vertices[[start, stop]]))
    return found


def _some(stored: Neighbors) -> NDArray[np.int64]:
    n = len(stored.weights)
    return np.linspace(0, n - 1, min(n, MOST_POINTS)).astype(np.int64)


def _title(stored: Neighbors, chosen: tuple[Axis, ...]) -> str:
    title = str(stored).splitlines()[0]
    others = len(stored.table.schema) - len(chosen)
    return title if not others else f"{title}\nother columns at their median or most frequent value"


def _colour(c: Any) -> str:
    return PALETTE[int(c) % len(PALETTE)]


def _tint(colour: str) -> tuple[float, ...]:
    """Return a pale version of a colour."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(1 - 0.28 * (1 - part) for part in parts)
