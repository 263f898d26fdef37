"""Growth on bins: the tree of exact growth where bins lose nothing, and nearly as good a one where they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.data.frames import raw_frame
from induce.data.schema import Column, Schema
from induce.data.table import Table, encode, infer_schema
from induce.data.training import Examples
from induce.trees import _bin_loops, binning
from induce.trees.binning import grow_binned
from induce.trees.growth import GrowthRule, grow
from induce.trees.hypothesis import Tree
from induce.trees.prepared import bin_table

properties = settings(derandomize=True)
CLASSES = ("no", "yes", "maybe", "never")


def numeric(X: Any, y: Any, weights: Any = None, n_classes: int = 2) -> Examples:
    X = np.asarray(X, float)
    schema = Schema(tuple(Column(f"x{j}") for j in range(X.shape[1])))
    return Examples(
        Table(schema, X, np.empty((len(X), 0), np.int32)), np.asarray(y, np.int64), weights, n_classes
    )


def mixed(X: pl.DataFrame, y: pl.Series, weights: Any = None) -> Examples:
    schema = infer_schema(raw_frame(X))
    return Examples(
        encode(X, schema), y.to_physical().to_numpy().astype(np.int64), weights, len(y.dtype.categories)
    )


def grown(
    how: Callable[..., Tree], examples: Examples, rule: GrowthRule | None = None, **options: Any
) -> Tree:
    tree = how(
        examples,
        examples.table.schema,
        "target",
        CLASSES[: examples.n_classes],
        rule or GrowthRule(),
        **options,
    )
    tree.check()
    return tree


def assert_same(one: Tree, other: Tree) -> None:
    for field in fields(Tree):
        if field.name in ("threshold", "counts"):
            np.testing.assert_allclose(
                getattr(one, field.name), getattr(other, field.name), rtol=1e-9, atol=1e-9
            )
        elif isinstance(getattr(one, field.name), np.ndarray):
            np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


def random_mixed(rng: np.random.Generator, n: int, n_classes: int = 2, n_values: int = 30) -> Examples:
    """Numbers of few values, a nominal and an ordered column, and classes that depend on some of them."""
    small, many = tuple("abcd"), tuple(f"v{i}" for i in range(14))
    schema = Schema(
        (
            Column("x0"),
            Column("few", "nominal", small),
            Column("x1"),
            Column("many", "nominal", many),
            Column("size", "nominal", ("s", "m", "l", "xl"), ordered=True),
        )
    )
    numbers = rng.integers(0, n_values, (n, 2)) / 7
    names = np.column_stack([rng.integers(0, size, n) for size in (4, 14, 4)]).astype(np.int32)
    labels = (numbers[:, 0] > 2).astype(np.int64) + (names[:, 1] % 3 == 0) + (names[:, 2] > 1)
    noisy = rng.random(n) < 0.2
    labels[noisy] = rng.integers(0, n_classes, noisy.sum())
    return Examples(Table(schema, numbers, names), labels % n_classes, None, n_classes)


rules = st.builds(
    GrowthRule,
    measure=st.sampled_from(["gain", "gain_ratio", "gini"]),
    nominal=st.sampled_from(["multiway", "subset"]),
    max_depth=st.sampled_from([None, None, 2]),
    min_samples_split=st.sampled_from([2, 5]),
    min_samples_leaf=st.sampled_from([1, 1, 3]),
    min_gain=st.sampled_from([0.0, 0.05]),
    guard_thresholds=st.booleans(),
)


# --- the tree of exact growth --------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["gain", "gain_ratio", "gini"])
@pytest.mark.parametrize("name", ["play-tennis", "temperature", "shapes-2", "restaurant"])
def test_the_trees_of_the_books(name, measure):
    examples = mixed(*induce.dataset(name))
    rule = GrowthRule(measure=measure)
    assert_same(grown(grow_binned, examples, rule), grown(grow, examples, rule))


@pytest.mark.compiled
def test_few_values_lose_nothing(tables):
    @properties
    @given(tables(most_rows=30), rules)
    def holds(table, rule):
        examples = mixed(*table)
        assert_same(grown(grow_binned, examples, rule), grown(grow, examples, rule))

    holds()


@pytest.mark.compiled
@pytest.mark.parametrize("nominal", ["multiway", "subset"])
@pytest.mark.parametrize("measure", ["gain", "gain_ratio", "gini"])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_larger_tables_of_few_values_lose_nothing(rng, n_classes, measure, nominal):
    """Large enough for nodes that are counted in bins, and for their children."""
    examples = random_mixed(rng, 3000, n_classes)
    rule = GrowthRule(measure=measure, nominal=nominal, min_samples_leaf=3)
    tree = grown(grow_binned, examples, rule)
    assert tree.n_nodes > 100
    assert_same(tree, grown(grow, examples, rule))


@pytest.mark.compiled
@pytest.mark.parametrize("measure", ["gain", "gain_ratio", "gini"])
def test_weights_and_few_values_lose_nothing(rng, measure):
    examples = random_mixed(rng, 1500, 3)
    examples = replace(examples, weights=rng.choice([0.25, 1.0, 3.0], 1500))
    rule = GrowthRule(measure=measure, nominal="subset", min_samples_leaf=2.5, guard_thresholds=True)
    assert_same(grown(grow_binned, examples, rule), grown(grow, examples, rule))


@pytest.mark.compiled
def test_missing_values_go_down_all_branches_as_in_exact_growth(rng):
    examples = random_mixed(rng, 1500, 3)
    table = examples.table
    numbers, names = table.numeric.copy(), table.nominal.copy()
    numbers[rng.random(numbers.shape) < 0.1] = np.nan
    names[rng.random(names.shape) < 0.1] = -1
    examples = replace(examples, table=Table(table.schema, numbers, names))
    for rule in (GrowthRule(nominal="subset", min_samples_leaf=5, max_depth=6), GrowthRule(max_depth=9)):
        tree = grown(grow_binned, examples, rule)
        assert tree.counts.sum(axis=1)[tree.attribute < 0].sum() == pytest.approx(1500)
        assert_same(tree, grown(grow, examples, rule))


def test_a_fraction_of_a_row():  # O3.13
    known = [[1.0]] * 6 + [[0.0]] * 4
    tree = grown(grow_binned, numeric([*known, [np.nan]], [0] * 6 + [1] * 5), GrowthRule(max_depth=1))
    assert tree.counts[1:].tolist() == [[0, 4.4], [6, 0.6]]


def test_numbers_nearly_too_many(rng):
    """As many different values as there are bins; one more does not fit."""
    X = np.column_stack([rng.permutation(255) for _ in range(4)])
    examples = numeric(np.vstack([X, X]), rng.integers(0, 2, 510))
    assert_same(grown(grow_binned, examples), grown(grow, examples))
    assert len(np.unique(bin_table(numeric(np.arange(256.0)[:, None], [0] * 256).table, 255).codes)) == 255


@pytest.mark.compiled
def test_a_nominal_column_of_many_values(rng):
    """More values than a byte can hold."""
    domain = tuple(f"v{i}" for i in range(400))
    schema = Schema((Column("many", "nominal", domain), Column("x")))
    names = rng.integers(0, 400, (2000, 1)).astype(np.int32)
    numbers = rng.integers(0, 50, (2000, 1)).astype(float)
    labels = (names[:, 0] % 3 == 0) ^ (rng.random(2000) < 0.1)
    examples = Examples(Table(schema, numbers, names), labels.astype(np.int64), None, 2)
    for nominal in ("subset", "multiway"):
        rule = GrowthRule(nominal=nominal)
        assert_same(grown(grow_binned, examples, rule), grown(grow, examples, rule))


@pytest.mark.compiled
def test_classes_that_are_many(rng):
    X = rng.integers(0, 60, (4000, 3)) / 3
    labels = (X[:, 0] // 2 + rng.integers(0, 2, 4000)).astype(np.int64) % 11
    schema = Schema(tuple(Column(f"x{j}") for j in range(3)))
    examples = Examples(Table(schema, X, np.empty((4000, 0), np.int32)), labels, None, 11)
    names = tuple(f"c{i}" for i in range(11))
    for measure in ("gain", "gini"):
        rule = GrowthRule(measure=measure)
        one, other = (how(examples, schema, "target", names, rule) for how in (grow_binned, grow))
        assert one.n_nodes > 500
        assert_same(one, other)


# --- what must not matter ------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_the_order_of_the_rows_does_not_matter(rng):
    X = rng.normal(size=(2000, 4))
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=2000) > 1).astype(int)
    order = rng.permutation(2000)
    assert_same(
        grown(grow_binned, numeric(X, y), n_bins=50),
        grown(grow_binned, numeric(X[order], y[order]), n_bins=50),
    )


def test_weights_of_two_are_rows_given_twice(rng):
    X = rng.normal(size=(1000, 4)).round(1)
    y = (X[:, 0] + X[:, 1] + rng.normal(size=1000) > 0).astype(int)
    rule = GrowthRule(min_samples_leaf=4)
    weighted = grown(grow_binned, numeric(X, y, np.full(1000, 2.0)), rule)
    assert_same(weighted, grown(grow_binned, numeric(np.vstack([X, X]), np.append(y, y)), rule))
    assert weighted.n_nodes > 50


@pytest.mark.compiled
def test_weights_of_one_are_no_weights(rng):
    """Counting anew and subtracting, whole numbers and fractions, come to the same."""
    X, y = rng.normal(size=(3000, 5)), rng.integers(0, 2, 3000)
    for measure in ("gain", "gini"):
        rule = GrowthRule(measure=measure, min_samples_leaf=5)
        assert_same(
            grown(grow_binned, numeric(X, y), rule), grown(grow_binned, numeric(X, y, np.ones(3000)), rule)
        )


@pytest.mark.compiled
def test_little_memory_gives_the_same_tree(rng, monkeypatch):
    examples = numeric(rng.normal(size=(4000, 5)), rng.integers(0, 3, 4000), n_classes=3)
    tree = grown(grow_binned, examples)
    for most in (1, 2, 3):
        monkeypatch.setattr(binning, "MOST_SLOTS", most)
        assert_same(grown(grow_binned, examples), tree)


@pytest.mark.compiled
def test_steps_and_progress_do_not_change_the_tree(rng, monkeypatch):
    X = rng.normal(size=(2000, 4))
    X[rng.random(X.shape) < 0.1] = np.nan
    examples = numeric(X, rng.integers(0, 2, 2000))
    rule = GrowthRule(min_samples_leaf=10, max_depth=7)
    tree = grown(grow_binned, examples, rule)
    monkeypatch.setattr(binning, "STEP", 1)
    told: list[float] = []
    assert_same(grown(grow_binned, examples, rule, progress=told.append), tree)
    assert told == sorted(told)
    assert told[0] >= 0
    assert told[-1] <= 1


def test_a_trace_tells_what_that_of_exact_growth_tells(rng):
    examples = random_mixed(rng, 800, 3)
    rule = GrowthRule(measure="gain_ratio", max_depth=4)
    with induce.trace("split") as binned:
        traced = grown(grow_binned, examples, rule)
    with induce.trace("split") as exact:
        grown(grow, examples, rule)
    assert_same(traced, grown(grow_binned, examples, rule))
    assert len(binned) == len(exact) > 5
    for one, other in zip(binned, exact, strict=True):
        for key in ("node", "depth", "counts", "chosen"):
            assert one[key] == other[key]
        assert one["candidates"].keys() == other["candidates"].keys()
        for name, candidate in one["candidates"].items():
            assert candidate == pytest.approx(other["candidates"][name], abs=1e-9, nan_ok=True)


# --- what bins cost ------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_many_values_are_learned_nearly_as_well(rng):
    X = rng.normal(size=(20_000, 8))
    y = ((X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3])) > 0).astype(int)
    train, test = numeric(X[:15_000], y[:15_000]), X[15_000:]
    names = np.array(CLASSES[:2])[y[15_000:]]
    right = [(grown(how, train).predict(test) == names).mean() for how in (grow_binned, grow)]
    assert right[1] > 0.85
    assert abs(right[0] - right[1]) < 0.01


def test_thresholds_part_the_rows_as_the_bins_did(rng):
    """What the training rows do at prediction is what they did in growth."""
    X = rng.normal(size=(3000, 3)) * 10.0 ** rng.integers(-300, 300, 3000)[:, None]
    examples = numeric(X, rng.integers(0, 2, 3000))
    tree = grown(grow_binned, examples, n_bins=20)
    routed = tree.route(examples.table, examples.labels, np.ones(3000))
    np.testing.assert_array_equal(routed, tree.counts)


def test_a_threshold_lies_in_the_middle_of_an_empty_stretch():
    """Below the first test no row has a value between 1 and 8, though others above it have."""
    X = [[1, 0], [8, 0], [2, 1], [3, 1], [5, 1], [6, 1]]
    tree = grown(grow_binned, numeric(X, [0, 1, 1, 1, 1, 1]))
    assert tree.threshold[0] == 1.5
    X = [[1, 0], [8, 0], [4, 1], [4, 1], [4, 1]]
    tree = grown(grow_binned, numeric(X, [0, 1, 2, 2, 2], n_classes=3))
    assert sorted(t for t in tree.threshold if t == t) == [0.5, 4.5]


# --- edges ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0]], [0]),
        ([[1.0], [1.0]], [0, 1]),
        ([[np.nan], [np.nan]], [0, 1]),
        ([[np.nan, 1.0], [np.nan, 2.0]], [0, 1]),
        (np.empty((3, 0)), [0, 1, 1]),
    ],
)
def test_little_to_learn(X, y):
    assert_same(grown(grow_binned, numeric(X, y)), grown(grow, numeric(X, y)))


@pytest.mark.parametrize("weight", [1e-300, 1e-9, 1e9])
def test_a_weight_far_from_the_others_does_not_hang_growth(rng, weight):
    X = rng.normal(size=(400, 3))
    weights = np.ones(400)
    weights[::7] = weight
    tree = grown(grow_binned, numeric(X, rng.integers(0, 2, 400), weights))
    assert 3 <= tree.n_nodes < 800


def test_the_lowest_bit_is_found():
    positions = binning._positions_of_bits()
    for bit in range(64):
        power = np.int64(-(2**63)) if bit == 63 else np.int64(2**bit)
        with np.errstate(over="ignore"):
            product = power * np.int64(_bin_loops.DE_BRUIJN)
        assert positions[(product >> np.int64(58)) & 63] == bit


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"measure": "twoing"}, "measure is 'twoing'"),
        ({"nominal": "one-value"}, "nominal is 'one-value'"),
        ({"numeric": "intervals"}, "numeric is 'intervals'"),
        ({"missing": "mode"}, "missing is 'mode'"),
        ({"significance": 0.05}, "significance is 0.05"),
    ],
)
def test_what_growth_on_bins_does_not_offer(change, says):
    with pytest.raises(InputError, match=says):
        grown(grow_binned, numeric([[1.0], [2.0]], [0, 1]), GrowthRule(**change))


@pytest.mark.parametrize("n_bins", [1, 0, 2.0, "many", 70_000])
def test_a_bad_number_of_bins(n_bins):
    with pytest.raises(InputError, match=r"bins is .*; give a whole number from 2 to 65535"):
        grown(grow_binned, numeric([[1.0], [2.0]], [0, 1]), n_bins=n_bins)
