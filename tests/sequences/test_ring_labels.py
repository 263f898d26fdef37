"""Labels in the picture of a chain."""

from itertools import combinations

import pytest

from induce.sequences.hypothesis import HiddenMarkovChain


@pytest.mark.parametrize("n", [2, 3, 4])
def test_labels_of_transitions_do_not_cover_each_other(n):
    states = "abcd"[:n]
    rest = round(0.4 / (n - 1), 4)
    rows = {one: {other: 1 - rest * (n - 1) if one == other else rest for other in states} for one in states}
    shown = {state: {"H": 0.5, "T": 0.5} for state in states}
    figure = HiddenMarkovChain.of(dict.fromkeys(states, 1 / n), rows, {"side": shown}).draw()
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()[0].isdigit()]
    assert len(boxes) == n * n
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
