"""The compiled loops of PART, against the plain way."""

from __future__ import annotations

import numpy as np
import pytest

from induce.rules import _part_loops
from induce.trees._loops import Columns
from induce.trees.measures import entropy


def test_keep_rows_is_a_selection_that_leaves_the_order():
    draws = np.random.default_rng(0)
    rows = np.array([draws.permutation(20) for _ in range(3)], np.int32)
    ranks, labels = rows + np.int32(100), (rows % 3).astype(np.uint8)
    kept = draws.random(20) < 0.6
    expected = np.array([column[kept[column]] for column in rows])
    room = Columns(np.zeros_like(rows), np.zeros_like(ranks), np.zeros_like(labels), np.zeros(3), np.zeros(3))
    n_left = _part_loops.keep_rows(kept, 20, rows, ranks, labels, room)
    assert n_left == kept.sum()
    for found in (rows, room.rows, ranks - 100, room.ranks - 100):
        assert np.array_equal(found[:, :n_left], expected)
    assert np.array_equal(room.labels[:, :n_left], expected % 3)


def test_entropies_of_subsets():
    counts = np.array([[3.0, 3.0, 0.0], [5.0, 0.0, 0.0], [1.0, 2.0, 3.0], [1.0, 0.5, 0.0], [0.0, 0.0, 0.0]])
    bits = np.empty(5)
    _part_loops.entropies(counts, 2.0, bits)
    assert bits[:3] == pytest.approx(entropy(counts[:3]), abs=1e-6)
    assert bits[1] == 0
    assert bits[3:].tolist() == [-1, -1]
    _part_loops.entropies(counts, 0.0, bits)
    assert bits[3] == pytest.approx(entropy(counts[3]), abs=1e-6)
    assert bits[4] == -1
