"""Rows that repeat others count once in everything that is said about a fitted learner."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.notes import Note
from induce.evaluation.assessment import assess


def test_copies_count_once_in_all_figures():
    rng = np.random.default_rng(3)
    once = pl.DataFrame({"x": rng.normal(size=80), "z": rng.normal(size=80)})
    labels = np.where(once["x"].to_numpy() + rng.normal(size=80) > 0, "yes", "no")
    tree = induce.C45().fit(rng.normal(size=(50, 2)), rng.choice(["no", "yes"], 50))
    single = assess(tree, once.to_numpy(), labels)
    with pytest.warns(Note, match="240 of 320 rows repeat others; each distinct row counts once"):
        found = assess(tree, np.vstack([once.to_numpy()] * 4), np.tile(labels, 4))
    assert str(found.estimate.interval) == str(single.estimate.interval)
    assert found.confusion.caption() == single.confusion.caption()
    assert found.estimate.n == 80
