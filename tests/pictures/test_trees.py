"""Trees of boxes: no box runs into another, parents stand among their children."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg

from induce.pictures.trees import GAP, Box, draw_tree, levels_of, tree_places


@st.composite
def trees(draw):
    children: list[list[int]] = [[]]
    for node in range(1, draw(st.integers(1, 25))):
        children[draw(st.integers(0, node - 1))].append(node)
        children.append([])
    return children


@given(trees(), st.data())
def test_boxes_of_a_level_do_not_meet(children, data):
    widths = [data.draw(st.floats(0.1, 5.0)) for _ in children]
    rooms = [data.draw(st.floats(0.0, 5.0)) for _ in children]
    middles, total = tree_places(children, widths, rooms, GAP)
    levels = levels_of(children)
    for level in range(max(levels) + 1):
        row = sorted(
            (middles[node] - widths[node] / 2, middles[node] + widths[node] / 2)
            for node in range(len(children))
            if levels[node] == level
        )
        assert all(end <= start + 1e-9 for (_, end), (start, _) in pairwise(row))
        assert row[0][0] >= -1e-9
        assert row[-1][1] <= total + 1e-9


@pytest.mark.parametrize("rising", [False, True])
def test_the_root_stands_on_top_or_at_the_bottom(rising):
    boxes = [Box("root"), Box("a child of two\nlines", label="why"), Box("$x_1$"), Box("leaf")]
    figure = draw_tree(boxes, [[1, 2], [3], [], []], rising=rising)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (axes,) = figure.axes
    written = {text.get_text(): text for text in axes.texts}
    assert set(written) == {"root", "a child of two\nlines", "$x_1$", "leaf", "why"}
    heights = [written[box.text].get_position()[1] for box in boxes]
    assert (heights[0] < heights[1] == heights[2] < heights[3]) == rising
    extents = [written[box.text].get_bbox_patch().get_window_extent() for box in boxes]
    assert not any(a.overlaps(b) for i, a in enumerate(extents) for b in extents[:i])
