"""Grids drawn as text."""

import pytest

from induce.core.errors import InputError
from induce.environments import grid_world
from induce.reinforcement import DynamicProgramming


def test_letters_with_a_reward_are_free_squares():
    grid = grid_world("S.G\nXX.", {"X": -10, "G": 10})
    assert len(grid.states) == 6
    policy = DynamicProgramming(discount=0.9).learn(grid).hypothesis_
    assert policy.act((0, 0)) == "right"
    assert grid_world("SXG", {"X": -10, "G": 10}).reward.min() == -10


def test_other_letters_are_refused():
    with pytest.raises(
        InputError, match=r"contains 'Y'; squares are \. S G O C, # for walls, and letters with a"
    ):
        grid_world("S.G\nYX.", {"X": -10})
