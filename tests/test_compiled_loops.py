"""Loops whose work is too little in every other test to be compiled: compiled they give what they give plain."""

from __future__ import annotations

import numpy as np
import pytest

from induce.core.loops import compiled
from induce.environments import Backgammon
from induce.environments.games import _backgammon_loops as backgammon
from induce.kernels import _string_loops as strings
from induce.reinforcement.selfplay import _loops as selfplay
from induce.rules.ripper import _loops as ripper

pytestmark = pytest.mark.compiled


def test_common_subsequences():
    rng = np.random.default_rng(0)
    one, letters, starts = rng.integers(0, 3, 7), rng.integers(0, 3, 15), np.array([0, 5, 9, 15])
    found = []
    for loop in (strings.subsequences, compiled(strings.subsequences)):
        kernels = np.zeros(3)
        loop(one, letters, starts, 2, 0.5, np.empty((2, 7)), kernels)
        found.append(kernels)
    assert found[0].tolist() == found[1].tolist()
    assert (found[0] > 0).all()


def test_bits_of_a_rule():
    asked = [(0, 40.0), (1, 40.0), (3, 40.0), (5, 7.0)]
    assert [ripper.theory_bits(*each) for each in asked] == pytest.approx(
        [compiled(ripper.theory_bits)(*each) for each in asked], rel=1e-15
    )


def test_networks_judge_and_read_positions():
    """TD-Gammon: the inputs of positions, and what the network says of them."""
    positions = np.array([Backgammon().start()] * 3, dtype=np.int8)
    positions[1:, 5] -= 1
    found = []
    for read in (backgammon.all_inputs, compiled(backgammon.all_inputs)):
        rows = np.zeros((3, 198))
        read(positions, rows)
        found.append(rows)
    assert found[0].tolist() == found[1].tolist() == Backgammon().features(positions).tolist()
    rng = np.random.default_rng(0)
    into, out = rng.normal(size=(199, 4)), rng.normal(size=(2, 5))
    said = []
    for judge in (selfplay.judge_all, compiled(selfplay.judge_all)):
        outputs = np.zeros((3, 2))
        judge(found[0], into, out, outputs)
        said.append(outputs)
    np.testing.assert_allclose(said[0], said[1], rtol=1e-14)
