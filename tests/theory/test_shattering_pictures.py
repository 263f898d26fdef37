"""Pictures of dichotomies: a panel for each, and a region wherever one makes it."""

import pytest

from induce.core.errors import InputError
from induce.theory import dichotomies, draw_dichotomies

SQUARE = [[0, 1], [1, 0], [0, -1], [-1, 0]]


@pytest.mark.parametrize("family", ["half-spaces", "boxes", "discs"])
@pytest.mark.parametrize("points", [[[0, 0], [2, 0], [1, 1.5]], SQUARE, [[1, 1]]], ids=len)
def test_every_dichotomy_has_a_panel(points, family):
    figure = draw_dichotomies(points, family)
    made = len(dichotomies(points, family))
    assert len(figure.axes) == 2 ** len(points)
    assert f"{made} of {2 ** len(points)} dichotomies" in figure.get_suptitle()


@pytest.mark.parametrize("points", [[], [[1, 2, 3]], [[0, 0]] * 7, "abc"])
def test_points_that_cannot_be_drawn(points):
    with pytest.raises(InputError, match="points"):
        draw_dichotomies(points)


def test_an_unknown_family():
    with pytest.raises(InputError, match="family is 'lines'"):
        draw_dichotomies(SQUARE, "lines")
