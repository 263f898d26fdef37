"""Rectangles in the plane."""

import pytest

import induce
from induce.concepts import draw_plane
from induce.core.errors import InputError

X = [[3, 3], [4, 4], [5, 2], [6, 5], [1, 6], [5, 8], [9, 4], [4, 0]]
Y = ["+"] * 4 + ["-"] * 4


def test_s_and_g_are_rectangles_around_the_examples():
    space = induce.CandidateElimination().fit(X, Y).hypothesis_
    patches = draw_plane(space, X, Y).axes[0].patches
    assert [patch.get_label() for patch in patches] == ["G", patches[1].get_label(), "S"]
    assert patches[-1].get_bbox().bounds == (3, 2, 3, 3)
    assert len(patches) == len(space.most_general) + 1
    assert draw_plane(space).axes


def test_what_is_not_a_plane():
    space = induce.CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_
    with pytest.raises(InputError, match="two numeric columns"):
        draw_plane(space)
    square = induce.CandidateElimination().fit(X, Y).hypothesis_
    with pytest.raises(InputError, match="X has 8 rows, but y has 1"):
        draw_plane(square, X, ["+"])
    collapsed = induce.CandidateElimination().fit([[1, 1], [3, 3], [2, 2]], ["+", "+", "-"]).hypothesis_
    with pytest.raises(InputError, match="there is nothing to draw"):
        draw_plane(collapsed)
