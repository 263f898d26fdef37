"""What resamples make of a tree."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

import induce
from induce import InputError
from induce.trees.learners.bfsid3 import BFSID3
from induce.trees.understanding import instability
from induce.trees.understanding.stability import _agreement


def test_one_attribute_that_decides_is_always_at_the_root():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(60, 5))
    found = instability(induce.ID3(), X, X[:, 2])
    assert (found.root, found.same_root, found.roots) == ("x2", 1.0, {"x2": 50})
    assert (found.shapes, found.agreement, set(found.nodes)) == (1, 1.0, {3})


def test_a_copy_shares_the_root_but_not_the_function():
    """Two noisy copies of what decides take turns at the root, and the trees still mostly agree."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    copies = [np.where(rng.random(200) < 0.1, 1 - truth, truth) for _ in range(2)]
    X = pl.DataFrame({"one": copies[0], "other": copies[1]})
    found = instability(induce.ID3(), X, truth)
    assert 0 < found.same_root < 1
    assert sum(found.roots.values()) == 50
    assert found.agreement > 0.85


def test_agreement_counts_pairs_of_trees_on_rows_that_neither_saw():
    rng = np.random.default_rng(0)
    codes, unseen = rng.integers(0, 3, (6, 40)), rng.random((6, 40)) < 0.4
    same = both = 0
    for a, b in combinations(range(6), 2):
        rows = unseen[a] & unseen[b]
        both += rows.sum()
        same += (codes[a] == codes[b])[rows].sum()
    assert _agreement(codes, unseen) == pytest.approx(same / both)


def test_no_row_is_unseen_by_two():
    found = instability(induce.ID3(), [[1.0]], ["a"])
    assert np.isnan(found.agreement)
    assert "a leaf at the root in 100%" in str(found)
    assert str(found).endswith("agree on no row that neither has seen")


@pytest.mark.compiled
def test_same_seed_same_answer():
    X, y = induce.dataset("wine")
    assert instability(induce.C45(), X, y, 5, 3) == instability(induce.C45(), X, y, 5, 3)
    assert instability(induce.C45(), X, y, 5, 3) != instability(induce.C45(), X, y, 5, 4)


def test_every_learner_of_trees():
    X, y = induce.dataset("play-tennis")
    assert len(instability(BFSID3(), X, y, 5).nodes) == 5


def test_bad_input():
    X, y = induce.dataset("play-tennis")
    with pytest.raises(InputError, match="resamples is 1; it must be a whole number of at least 2"):
        instability(induce.ID3(), X, y, 1)
    with pytest.raises(InputError, match="dict does not learn a decision tree"):
        instability({}, X, y)
    with pytest.raises(InputError, match="C45Rules has no decision tree"):
        instability(induce.C45Rules(), X, y)
