"""Pictures of trees: the root at the left, one row for each leaf."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from induce.hypotheses.conditions import Above, AtMost, Condition, NominalCondition
from induce.hypotheses.naming import number_text, plural, right_of_all, threshold_text, value_text, with_unit
from induce.pictures.style import DARK, EMPTY, GREY, LINE, PALE, PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.core.values import Value
    from induce.trees.hypothesis import Tree
    from induce.trees.structure import Structure
from induce.pictures.text import ink_on, text_width

MOST_ROWS = 60
MOST_LEVELS = 20
MOST_LEGEND = 24
NODE_LETTERS, EDGE_LETTERS, CLASS_LETTERS = 26, 26, 24
NODE_SIZE, EDGE_SIZE, TITLE_SIZE = 9.0, 8.0, 11.0

# inches
ROW = 0.32
BOX = 0.22
PAD = 0.08
BEND = 0.34
BAR = 0.9
MARGIN = 0.2
# points
THINNEST, THICKEST = 0.8, 7.0


@dataclass
class Spot:
    """A node in the picture: its condition, its position, and the number of nodes hidden there.

    `x` is in inches; `row` counts from the top. The node of hidden branches is -1.
    """

    node: int
    depth: int
    label: str = ""
    hidden: str = ""
    x: float = MARGIN
    row: float = 0.0
    children: list[Spot] = field(default_factory=list)


class Ends(Protocol):
    """Appearance of the leaves of a tree in a picture."""

    def says(self, node: int) -> str:
        """Return the prediction of a leaf."""

    def note(self, node: int) -> str:
        """Return the note on the examples of a leaf."""

    def fill(self, node: int) -> str:
        """Return the colour of the box of a leaf."""

    def bar(self, node: int) -> list[tuple[float, float, str]]:
        """Return the segments of the bar: start and width of each as fractions, and its colour."""

    def legend(self) -> list[tuple[str, str]]:
        """Return the legend of the colours."""


@dataclass(frozen=True)
class ClassEnds:
    """The leaves of a decision tree: the predicted class, and a bar of the class distribution."""

    tree: Tree

    def says(self, node: int) -> str:
        """Return the class that a node predicts."""
        return name_text(self.tree.prediction(node), CLASS_LETTERS)

    def note(self, node: int) -> str:
        """Return the number of examples of the predicted class."""
        counts = self.tree.counts[node].tolist()
        return f"({right_of_all(self.tree.prediction(node), self.tree.classes, counts)})"

    def fill(self, node: int) -> str:
        """Return the colour of the predicted class."""
        return colour(int(self.tree.majority[node]))

    def bar(self, node: int) -> list[tuple[float, float, str]]:
        """Return the relative frequency of each class."""
        counts = self.tree.counts[node]
        shares = (counts / (counts.sum() or 1.0)).tolist()
        return [(sum(shares[:code]), share, colour(code)) for code, share in enumerate(shares) if share]

    def legend(self) -> list[tuple[str, str]]:
        """Return the colours of more than two classes."""
        if len(self.tree.classes) <= 2:
            return []
        entries = [(colour(c), name_text(value, CLASS_LETTERS)) for c, value in enumerate(self.tree.classes)]
        if len(entries) > MOST_LEGEND:
            entries = [*entries[:MOST_LEGEND], ("", f"… {len(entries) - MOST_LEGEND} more classes")]
        return entries


def draw(tree: Structure, ends: Ends | None = None) -> Figure:
    """Return a figure of a tree, by default a decision tree.

    Every leaf has a row with its prediction, a bar, and a note on its examples. The width of a line grows
    with the number of examples; parts that no example reached are grey. For a tree with more than 60 leaves or
    20 levels, only the parts with the most examples are drawn.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> figure = draw(induce.ID3().fit(X, y).hypothesis_)
    >>> print(*(text.get_text() for text in figure.axes[0].texts[:3]), sep=", ")
    PlayTennis: 8 nodes, 5 leaves, depth 2, Outlook, Sunny
    """
    from matplotlib.figure import Figure

    if ends is None:
        of_classes: Any = tree
        ends = ClassEnds(of_classes)
    spots = visible(tree)
    columns = Columns.fit(ends, spots)
    title = f"{name_text(tree.target, 60)}: {tree.size()}"
    n_left_out = tree.n_nodes - sum(spot.node >= 0 for spot in spots)
    if any(spot.hidden for spot in spots):
        title += f"\nthe top of the tree: {plural(n_left_out, 'more node')} below"
    n_lines = title.count("\n") + 1
    width = max(
        columns.right, 2 * MARGIN + max(text_width(line, TITLE_SIZE, "bold") for line in title.split("\n"))
    )
    legend = legend_lines(ends.legend(), width - 2 * MARGIN)
    top = 0.35 + 0.2 * n_lines + 0.26 * len(legend)
    height = top + ROW * sum(not spot.children for spot in spots) + MARGIN / 2

    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    painter = Painter(axes, tree, ends, columns, top)
    painter.write(MARGIN, 0.17, title, TITLE_SIZE, weight="bold", va="top")
    for number, line in enumerate(legend):
        painter.legend(line, 0.37 + 0.2 * n_lines + 0.26 * number)
    for spot in spots:
        painter.spot(spot)
    return figure


def visible(tree: Structure) -> list[Spot]:
    """Return the nodes to draw, depth first; nodes with the most examples are expanded first."""
    weights = tree.weights
    root = Spot(0, 0)
    most_branches = MOST_ROWS if tree.n_leaves <= MOST_ROWS else MOST_ROWS // 2
    n_rows = 1
    waiting = [(-float(weights[0]), 0, root)]
    while waiting:
        _, _, spot = heapq.heappop(waiting)
        below = [
            Spot(child, spot.depth + 1, edge_text(condition))
            for branch, child in enumerate(tree.children(spot.node))
            if (condition := tree.condition(spot.node, branch)) is not None
        ]
        shown = sorted(sorted(below, key=lambda s: -weights[s.node])[:most_branches], key=lambda s: s.node)
        left_out = len(below) - len(shown)
        if not below or spot.depth == MOST_LEVELS or n_rows + len(shown) - 1 + (left_out > 0) > MOST_ROWS:
            continue
        spot.children = shown
        if left_out:
            spot.children = [*shown, Spot(-1, spot.depth + 1, hidden=f"… {left_out} more branches")]
        n_rows += len(spot.children) - 1
        for child in shown:
            heapq.heappush(waiting, (-float(weights[child.node]), child.node, child))
    return _placed(tree, root)


def _placed(tree: Structure, root: Spot) -> list[Spot]:
    """Assign rows to nodes: childless ones from top to bottom, others in the middle of their children.

    The subtree of a node occupies its own rows, so its children can be as close as their labels allow.
    """
    order: list[Spot] = []
    waiting = [root]
    while waiting:
        spot = waiting.pop()
        order.append(spot)
        waiting += reversed(spot.children)
        for group in ([c for c in spot.children if c.children], [c for c in spot.children if not c.children]):
            labels = max((text_width(child.label, EDGE_SIZE) for child in group), default=0.0)
            for child in group:
                child.x = spot.x + box_width(tree, spot) + BEND + labels + 2 * PAD
    row = 0
    for spot in order:
        if not spot.children:
            spot.row = float(row)
            row += 1
            if spot.node >= 0 and tree.attribute[spot.node] >= 0:
                spot.hidden = f"… {plural(_n_below(tree, spot.node), 'more node')} below"
    for spot in reversed(order):
        if spot.children:
            spot.row = (spot.children[0].row + spot.children[-1].row) / 2
    return order


def _n_below(tree: Structure, node: int) -> int:
    n = 0
    waiting = [node]
    while waiting:
        children = tree.children(waiting.pop())
        n += len(children)
        waiting += children
    return n


@dataclass(frozen=True)
class Columns:
    """Positions of the predictions, their bars and their notes, in inches from the left."""

    classes: float
    class_width: float
    bars: float
    counts: float
    right: float

    @staticmethod
    def fit(ends: Ends, spots: Sequence[Spot]) -> Columns:
        """Size every column to its longest text."""
        last = [spot for spot in spots if not spot.children and spot.node >= 0]
        classes = max(spot.x for spot in spots)
        class_width = max(text_width(ends.says(spot.node), NODE_SIZE) for spot in last) + 2 * PAD
        bars = classes + class_width + PAD
        counts = bars + BAR + PAD
        says = max(text_width(end_text(ends, spot), EDGE_SIZE) for spot in last)
        return Columns(classes, class_width, bars, counts, counts + says + MARGIN)


@dataclass(frozen=True)
class Painter:
    """Painter of a tree on axes in units of inches."""

    axes: Any
    tree: Structure
    ends: Ends
    columns: Columns
    top: float

    def spot(self, spot: Spot) -> None:
        """Draw a node and the lines to its children."""
        y = self._y(spot)
        if not spot.children:
            self._end(spot, y)
            return
        width = box_width(self.tree, spot)
        bend = spot.x + width
        for child in spot.children:
            self._edge(bend, y, child)
        self._box(spot.x, y, width, PALE, edge=GREY)
        self.write(spot.x + PAD, y, node_text(self.tree, spot), NODE_SIZE)
        for child in spot.children:
            above = self._y(child) - self._thickness(child) / 144 - 0.025
            self.write(bend + BEND + PAD, above, child.label, EDGE_SIZE, va="bottom")

    def write(self, x: float, y: float, text: str, size: float, **style: Any) -> None:
        """Write plain text that starts at a point."""
        style = {"va": "center_baseline", "color": DARK} | style
        self.axes.text(x, y, text, fontsize=size, parse_math=False, **style)

    def legend(self, line: Sequence[tuple[str, str, float]], y: float) -> None:
        """Draw one line of the legend."""
        from matplotlib.patches import Rectangle

        for fill, text, x in line:
            if fill:
                self.axes.add_patch(Rectangle((x, y - 0.06), 0.12, 0.12, color=fill, lw=0))
            self.write(x + 0.17, y, text, EDGE_SIZE)

    def _y(self, spot: Spot) -> float:
        return self.top + ROW * (spot.row + 0.5)

    def _share(self, spot: Spot) -> float:
        everything = float(self.tree.weights[0])
        return float(self.tree.weights[spot.node]) / everything if spot.node >= 0 and everything else 0.0

    def _thickness(self, spot: Spot) -> float:
        return THINNEST + (THICKEST - THINNEST) * self._share(spot)

    def _edge(self, x: float, y: float, child: Spot) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        to_x, to_y = child.x if child.children else self.columns.classes, self._y(child)
        middle = x + BEND / 2
        points = [(x, y), (middle, y), (middle, to_y), (x + BEND, to_y), (to_x, to_y)]
        path = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO])
        style = "-" if self._share(child) else ":"
        self.axes.add_patch(PathPatch(path, fill=False, ec=LINE, lw=self._thickness(child), ls=style))

    def _box(self, x: float, y: float, width: float, fill: str, edge: str) -> None:
        from matplotlib.patches import FancyBboxPatch

        shape = f"round,pad=0,rounding_size={BOX / 4}"
        self.axes.add_patch(
            FancyBboxPatch((x, y - BOX / 2), width, BOX, boxstyle=shape, fc=fill, ec=edge, lw=0.8)
        )

    def _end(self, spot: Spot, y: float) -> None:
        from matplotlib.patches import Rectangle

        columns = self.columns
        if spot.node < 0:
            self.write(columns.classes + PAD, y, spot.hidden, EDGE_SIZE, color=GREY, style="italic")
            return
        empty = not self.tree.weights[spot.node]
        fill = EMPTY if empty else self.ends.fill(spot.node)
        self._box(columns.classes, y, columns.class_width, fill, edge=fill)
        self.write(columns.classes + PAD, y, self.ends.says(spot.node), NODE_SIZE, color=ink_on(fill))
        for begin, wide, tint in self.ends.bar(spot.node):
            corner = columns.bars + BAR * begin, y - 0.06
            self.axes.add_patch(Rectangle(corner, BAR * wide, 0.12, color=tint, lw=0))
        self.write(columns.counts, y, end_text(self.ends, spot), EDGE_SIZE, color=GREY if empty else DARK)


def colour(code: int) -> str:
    """Return the colour of a class."""
    return PALETTE[code % len(PALETTE)]


def legend_lines(entries: list[tuple[str, str]], width: float) -> list[list[tuple[str, str, float]]]:
    """Return the legend as lines of (colour, name, position)."""
    if not entries:
        return []
    lines: list[list[tuple[str, str, float]]] = [[]]
    x = MARGIN
    for fill, text in entries:
        wide = 0.17 + text_width(text, EDGE_SIZE) + 0.2
        if lines[-1] and x + wide > MARGIN + width:
            lines.append([])
            x = MARGIN
        lines[-1].append((fill, text, x))
        x += wide
    return lines


def box_width(tree: Structure, spot: Spot) -> float:
    """Return the width of the box of an inner node."""
    return text_width(node_text(tree, spot), NODE_SIZE) + 2 * PAD


def node_text(tree: Structure, spot: Spot) -> str:
    """Return the name of the tested column of a node."""
    return name_text(tree.tested(spot.node).name, NODE_LETTERS)


def end_text(ends: Ends, spot: Spot) -> str:
    """Return the note after the bar of a row."""
    return f"{ends.note(spot.node)}  {spot.hidden}".rstrip()


def edge_text(condition: Condition) -> str:
    """Return a condition without the name of its attribute.

    Examples
    --------
    >>> from induce.hypotheses.conditions import OneOf
    >>> edge_text(AtMost("age", 0.1 + 0.2)), edge_text(OneOf("size", tuple("abcdefghijkl")))
    ('<= 0.3', 'a, b, c, d, e, f, 6 more')
    >>> edge_text(AtMost("mass", 70.5, "kg")), edge_text(Above("visit", 18774.5, "days"))
    ('<= 70.5 kg', '> 2021-05-27')
    """
    match condition:
        case AtMost(threshold=threshold, unit=unit):
            return f"<= {_cut_text(threshold, unit)}"
        case Above(threshold=threshold, unit=unit):
            return f"> {_cut_text(threshold, unit)}"
        case NominalCondition(accepted=values):
            return _values_text(values)
    return str(condition)


def _cut_text(threshold: float, unit: str) -> str:
    return threshold_text(threshold, unit) if unit == "days" else with_unit(_rounded(threshold), unit)


def _values_text(values: Sequence[Value]) -> str:
    if len(values) == 1:
        return name_text(values[0], EDGE_LETTERS)
    names = [name_text(value, EDGE_LETTERS - 8) for value in values]
    if len(", ".join(names)) <= EDGE_LETTERS:
        return ", ".join(names)
    n_shown = 1
    while len(", ".join(names[: n_shown + 1])) <= EDGE_LETTERS - 8:
        n_shown += 1
    return ", ".join([*names[:n_shown], f"{len(names) - n_shown} more"])


def _rounded(number: float) -> str:
    return number_text(number) if number == int(number) and abs(number) < 1e9 else f"{number:.5g}"


def name_text(name: Value, most: int) -> str:
    """Write a name or value, truncated if too long.

    Examples
    --------
    >>> name_text("a rather long name", 9)
    'a rather…'
    """
    if isinstance(name, str) and len(name) > most:
        name = name[: most - 1].rstrip() + "…"
    return value_text(name)
