"""Tables prepared once: trees grown from them are those grown from the rows themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.trees.binning import grow_binned
from induce.trees.growth import GrowthRule, grow
from induce.trees.prepared import Prepared

SCHEMA = Schema((Column("a"), Column("b"), Column("c", "nominal", ("x", "y", "z"))))


def examples(seed, n=60, holes=False):
    rng = np.random.default_rng(seed)
    numeric = rng.integers(0, 12, (n, 2)).astype(float)
    if holes:
        numeric[rng.random((n, 2)) < 0.1] = np.nan
    table = Table(SCHEMA, numeric, rng.integers(0, 3, (n, 1)).astype(np.int32))
    return Examples(table, rng.integers(0, 3, n), None, 3)


def weighted(of, weights):
    return Examples(of.table, of.labels, weights, of.n_classes)


def grown(on, binned, **more):
    rule = GrowthRule("gini", min_samples_leaf=2)
    if binned:
        return grow_binned(on, SCHEMA, "class", ("p", "q", "r"), rule, **more)
    return grow(on, SCHEMA, "class", ("p", "q", "r"), rule, **more)


@pytest.mark.parametrize("binned", [False, True])
@pytest.mark.parametrize("holes", [False, True])
@settings(max_examples=15)
@given(seed=st.integers(0, 1000))
def test_a_bag_is_its_rows(seed, holes, binned):
    whole = examples(seed, holes=holes)
    prepared = Prepared(whole.table)
    drawn = np.random.default_rng(seed).integers(0, len(whole), len(whole))
    times = np.bincount(drawn, minlength=len(whole))
    bag = grown(weighted(whole, times.astype(float)), binned, prepared=prepared)
    rows = grown(whole.rows(np.sort(drawn)), binned)
    assert str(bag) == str(rows)


@pytest.mark.parametrize("binned", [False, True])
def test_weights_with_zeros(binned):
    whole = examples(3)
    weights = np.random.default_rng(0).random(len(whole)) * (np.arange(len(whole)) % 3 > 0)
    some = weighted(whole, weights)
    assert str(grown(some, binned, prepared=Prepared(whole.table))) == str(grown(some.counted(), binned))


def test_sorting_happens_once():
    prepared = Prepared(examples(0).table)
    assert prepared.sorted is prepared.sorted
    assert prepared.binned(8) is prepared.binned(8)


class TestSomeColumns:
    def test_the_same_seed_gives_the_same_tree(self):
        on = examples(1)
        first, again, other = (grown(on, True, n_tried=1, seed=seed) for seed in (1, 1, 2))
        assert str(first) == str(again) != str(other)

    def test_all_columns_are_no_choice(self):
        on = examples(1)
        assert str(grown(on, True, n_tried=3, seed=5)) == str(grown(on, True))

    def test_columns_without_a_test_do_not_end_the_tree(self):
        table = Table(SCHEMA, np.column_stack([np.arange(40.0), np.ones(40)]), np.zeros((40, 1), np.int32))
        on = Examples(table, np.arange(40) // 20, None, 3)
        for seed in range(5):
            assert str(grown(on, True, n_tried=1, seed=seed)).startswith("a <= 19.5")

    @pytest.mark.compiled
    def test_every_column_gets_its_turn(self):
        on = examples(2, n=300)
        roots = {int(grown(on, True, n_tried=1, seed=seed).attribute[0]) for seed in range(30)}
        assert roots == {0, 1, 2}
