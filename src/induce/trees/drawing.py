"""Pictures of trees: the root at the left, one row for each leaf."""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from induce.hypotheses.conditions import Above, AtMost, Condition, NominalCondition
from induce.hypotheses.naming import number_text, plural, right_of_all, value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.trees.hypothesis import Tree

# told apart with every common kind of colour vision; the class names are written beside them anyway
PALETTE = [
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#f0e442",
    "#882255",
    "#999933",
    "#332288",
    "#44aa99",
    "#aa4499",
]
DARK, GREY, PALE = "#222222", "#8a8a8a", "#f1f1f1"
LINE = "#b4bcc4"

MOST_ROWS = 60
MOST_LEVELS = 20
MOST_LEGEND = 24
NODE_LETTERS, EDGE_LETTERS, CLASS_LETTERS = 28, 30, 24
NODE_SIZE, EDGE_SIZE, TITLE_SIZE = 9.0, 8.0, 11.0

# inches
ROW = 0.32
BOX = 0.22
PAD = 0.08
BEND = 0.34
BAR = 0.9
MARGIN = 0.2
THICKEST = 7.0  # points


@dataclass
class Spot:
    """A node of the picture: where it is, what leads to it and what it hides."""

    node: int
    depth: int
    label: str = ""
    row: float = 0.0
    hidden: str = ""
    children: list[Spot] = field(default_factory=list)

    @property
    def ends(self) -> bool:
        """Whether the picture shows nothing below it."""
        return not self.children


def draw(tree: Tree) -> Figure:
    """Return a figure of a tree.

    Every leaf has a row with its class, a bar of the classes of its examples, and how many of them are right;
    lines are as thick as many examples take them, and what no example reached is grey. Of a tree with more than
    60 leaves or 20 levels the parts with the most examples are drawn.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> figure = draw(induce.ID3().fit(X, y).hypothesis_)
    >>> print(*(text.get_text() for text in figure.axes[0].texts[:3]), sep=", ")
    PlayTennis: 8 nodes, 5 leaves, depth 2, Outlook, Sunny
    """
    from matplotlib.figure import Figure

    spots = visible(tree)
    rows = [spot for spot in spots if spot.ends]
    columns = Columns.fit(tree, spots)
    title = f"{value_text(shortened(tree.target, 60))}: {tree.size()}"
    unseen = tree.n_nodes - len(spots)
    if any(spot.hidden for spot in spots):
        title += f" (the top of it: {unseen} more nodes are not drawn)"
    width = max(columns.right, 2 * MARGIN + text_width(title, TITLE_SIZE))
    legend = legend_lines(tree, width - 2 * MARGIN)
    top = 0.55 + 0.26 * len(legend)
    height = top + ROW * len(rows) + MARGIN / 2

    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    painter = Painter(axes, tree, columns, top)
    painter.write(MARGIN, 0.27, title, TITLE_SIZE, weight="bold")
    for number, line in enumerate(legend):
        painter.legend(line, 0.57 + 0.26 * number)
    for spot in spots:
        painter.spot(spot)
    return figure


def visible(tree: Tree) -> list[Spot]:
    """Return the nodes to draw, depth first, those with the most examples opened first."""
    weights = tree.counts.sum(axis=1)
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
            rest = Spot(spot.node, spot.depth + 1, hidden=f"… {plural(left_out, 'more branch')}es")
            spot.children = [*shown, rest]
        n_rows += len(spot.children) - 1
        for child in shown:
            heapq.heappush(waiting, (-float(weights[child.node]), child.node, child))
    return _placed(tree, root)


def _placed(tree: Tree, root: Spot) -> list[Spot]:
    """Give the ends their rows from top to bottom, and each other node the middle of its children's."""
    order: list[Spot] = []
    waiting = [root]
    while waiting:
        spot = waiting.pop()
        order.append(spot)
        waiting += reversed(spot.children)
    row = 0
    for spot in order:
        if spot.ends:
            spot.row = float(row)
            row += 1
            if tree.attribute[spot.node] >= 0 and not spot.hidden:
                spot.hidden = f"… {plural(_n_below(tree, spot.node), 'more node')} below"
    for spot in reversed(order):
        if spot.children:
            spot.row = (spot.children[0].row + spot.children[-1].row) / 2
    return order


def _n_below(tree: Tree, node: int) -> int:
    n = 0
    waiting = [node]
    while waiting:
        children = tree.children(waiting.pop())
        n += len(children)
        waiting += children
    return n


@dataclass(frozen=True)
class Columns:
    """Where things stand from left to right, in inches."""

    left: tuple[float, ...]
    node_width: tuple[float, ...]
    leaf: float
    class_width: float
    counts: float
    right: float

    @staticmethod
    def fit(tree: Tree, spots: Sequence[Spot]) -> Columns:
        """Give every level the room of its longest names."""
        depth = max(spot.depth for spot in spots)
        node_width = [0.0] * (depth + 1)
        edge_width = [0.0] * (depth + 1)
        for spot in spots:
            edge_width[spot.depth] = max(edge_width[spot.depth], text_width(spot.label, EDGE_SIZE) + 2 * PAD)
            if spot.children:
                width = text_width(node_text(tree, spot.node), NODE_SIZE) + 2 * PAD
                node_width[spot.depth] = max(node_width[spot.depth], width)
        left = [MARGIN]
        for level in range(depth):
            left.append(left[-1] + node_width[level] + BEND + edge_width[level + 1])
        ends = [spot for spot in spots if spot.ends]
        class_width = max(text_width(class_text(tree, spot.node), NODE_SIZE) for spot in ends) + 2 * PAD
        counts = left[-1] + class_width + BAR + 2 * PAD
        says = max(text_width(end_text(tree, spot), EDGE_SIZE) for spot in ends)
        return Columns(tuple(left), tuple(node_width), left[-1], class_width, counts, counts + says + MARGIN)


@dataclass(frozen=True)
class Painter:
    """What puts a tree on axes whose unit is the inch."""

    axes: Any
    tree: Tree
    columns: Columns
    top: float

    def spot(self, spot: Spot) -> None:
        """Paint a node and the lines to its children."""
        y = self._y(spot)
        if spot.ends:
            self._end(spot, y)
            return
        x = self.columns.left[spot.depth]
        label = node_text(self.tree, spot.node)
        width = text_width(label, NODE_SIZE) + 2 * PAD
        for child in spot.children:
            self._edge(x + width, x + self.columns.node_width[spot.depth], y, child)
        self._box(x, y, width, PALE, edge=GREY)
        self.write(x + PAD, y, label, NODE_SIZE)
        for child in spot.children:
            offset = self._thickness(child) / 144 + 0.025
            at = x + self.columns.node_width[spot.depth] + BEND + PAD
            self.write(at, self._y(child) - offset, child.label, EDGE_SIZE, va="bottom")

    def write(self, x: float, y: float, text: str, size: float, **style: Any) -> None:
        """Write plain text that begins at a point."""
        style = {"va": "center_baseline", "color": DARK} | style
        self.axes.text(x, y, text, fontsize=size, parse_math=False, **style)

    def legend(self, line: Sequence[tuple[int, str, float]], y: float) -> None:
        """Paint one line of the legend."""
        from matplotlib.patches import Rectangle

        for code, text, x in line:
            if code >= 0:
                self.axes.add_patch(Rectangle((x, y - 0.06), 0.12, 0.12, color=colour(code), lw=0))
            self.write(x + 0.17, y, text, EDGE_SIZE)

    def _y(self, spot: Spot) -> float:
        return self.top + ROW * (spot.row + 0.5)

    def _thickness(self, spot: Spot) -> float:
        everything = float(self.tree.counts[0].sum())
        here = 0.0 if spot.hidden.endswith("branches") else float(self.tree.counts[spot.node].sum())
        return 0.8 + (THICKEST - 0.8) * (here / everything if everything else 0.0)

    def _edge(self, x: float, bend: float, y: float, child: Spot) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        to_x = self.columns.leaf if child.ends else self.columns.left[child.depth]
        to_y = self._y(child)
        points = [(x, y), (bend, y), (bend + BEND / 2, y), (bend + BEND / 2, to_y), (bend + BEND, to_y)]
        codes = [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
        path = Path([*points, (to_x, to_y)], codes)
        style = "-" if self.tree.counts[child.node].any() else ":"
        self.axes.add_patch(
            PathPatch(path, fill=False, ec=LINE, lw=self._thickness(child), ls=style, capstyle="butt")
        )

    def _box(self, x: float, y: float, width: float, fill: str, edge: str) -> None:
        from matplotlib.patches import FancyBboxPatch

        shape = f"round,pad=0,rounding_size={BOX / 4}"
        self.axes.add_patch(
            FancyBboxPatch((x, y - BOX / 2), width, BOX, boxstyle=shape, fc=fill, ec=edge, lw=0.8)
        )

    def _end(self, spot: Spot, y: float) -> None:
        from matplotlib.patches import Rectangle

        columns, counts = self.columns, self.tree.counts[spot.node]
        if spot.hidden.endswith("branches"):
            self.write(columns.leaf + PAD, y, spot.hidden, EDGE_SIZE, color=GREY, style="italic")
            return
        code = int(self.tree.majority[spot.node])
        empty = not counts.any()
        fill = "#dddddd" if empty else colour(code)
        self._box(columns.leaf, y, columns.class_width, fill, edge=fill)
        ink = "#666666" if empty else ink_on(fill)
        self.write(columns.leaf + PAD, y, class_text(self.tree, spot.node), NODE_SIZE, color=ink)
        x = columns.leaf + columns.class_width + PAD
        for other, count in enumerate(counts):
            if count:
                wide = BAR * float(count / counts.sum())
                self.axes.add_patch(Rectangle((x, y - 0.06), wide, 0.12, color=colour(other), lw=0))
                x += wide
        self.write(columns.counts, y, end_text(self.tree, spot), EDGE_SIZE, color=GREY if empty else DARK)


def colour(code: int) -> str:
    """Return the colour of a class."""
    return PALETTE[code % len(PALETTE)]


def ink_on(fill: str) -> str:
    """Return the colour in which text is read best on another.

    Examples
    --------
    >>> ink_on("#f0e442"), ink_on("#332288")
    ('#222222', 'white')
    """
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return DARK if 0.299 * red + 0.587 * green + 0.114 * blue > 135 else "white"


def legend_lines(tree: Tree, width: float) -> list[list[tuple[int, str, float]]]:
    """Return the legend as lines of (class code, name, place); there is none for two classes."""
    if len(tree.classes) <= 2:
        return []
    entries = [(code, shortened(value_text(value), CLASS_LETTERS)) for code, value in enumerate(tree.classes)]
    if len(entries) > MOST_LEGEND:
        entries = [*entries[:MOST_LEGEND], (-1, f"… {len(entries) - MOST_LEGEND} more classes")]
    lines: list[list[tuple[int, str, float]]] = [[]]
    x = MARGIN
    for code, text in entries:
        wide = 0.17 + text_width(text, EDGE_SIZE) + 0.2
        if lines[-1] and x + wide > MARGIN + width:
            lines.append([])
            x = MARGIN
        lines[-1].append((code, text, x))
        x += wide
    return lines


def node_text(tree: Tree, node: int) -> str:
    """Return the name of what a node tests, not too long."""
    return shortened(value_text(tree.tested(node).name), NODE_LETTERS)


def class_text(tree: Tree, node: int) -> str:
    """Return the class of a node, not too long."""
    return shortened(value_text(tree.prediction(node)), CLASS_LETTERS)


def end_text(tree: Tree, spot: Spot) -> str:
    """Return what stands behind the bar of a row."""
    if spot.hidden.endswith("branches"):
        return ""
    counts = right_of_all(tree.prediction(spot.node), tree.classes, tree.counts[spot.node].tolist())
    return f"({counts})  {spot.hidden}".rstrip()


def edge_text(condition: Condition) -> str:
    """Return what a condition says beside the name of its attribute.

    Examples
    --------
    >>> edge_text(AtMost("age", 0.1 + 0.2))
    '<= 0.3'
    """
    match condition:
        case AtMost(threshold=threshold):
            return f"<= {_rounded(threshold)}"
        case Above(threshold=threshold):
            return f"> {_rounded(threshold)}"
        case NominalCondition():
            return shortened(", ".join(map(value_text, condition.accepted)), EDGE_LETTERS)
    return str(condition)


def _rounded(number: float) -> str:
    return number_text(number) if number == int(number) and abs(number) < 1e9 else f"{number:.5g}"


def shortened(text: str, most: int) -> str:
    """Return a text with its end cut off if it is too long.

    Examples
    --------
    >>> shortened("a rather long name", 9)
    'a rather…'
    """
    return text if len(text) <= most else text[: most - 1].rstrip(" ,") + "…"


def text_width(text: str, size: float) -> float:
    """Return how wide a text is, in inches, in the font that matplotlib is set to."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    if not text:
        return 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that the font lacks is told when the figure is painted
        width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size), False)
    return float(width) / 72
