"""Stumps from sorted columns: the best there are, plain and compiled, and those that trees grow."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.loops import compiled
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.ensembles import _loops
from induce.ensembles.stumps import Stumps, is_stump, stump_codes

SCHEMA = Schema(
    (Column("a"), Column("b", "nominal", ("x", "y", "z")), Column("o", "nominal", ("s", "m", "l"), True))
)
CLASSES = ("p", "q", "r")


def examples(seed, n=25, n_classes=2, holes=0.2):
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 6, (n, 1)).astype(float)
    numbers[rng.random(n) < holes] = np.nan
    codes = rng.integers(0, 3, (n, 2)).astype(np.int32)
    codes[rng.random((n, 2)) < holes] = -1
    weights = rng.integers(0, 4, n) / 4 + 0.05
    return Examples(Table(SCHEMA, numbers, codes), rng.integers(0, n_classes, n), weights, n_classes)


def stump_of(on, by_gain=False, directions=(0, 0, 0), rounds=1):
    n_classes = on.n_classes
    found = Stumps(on, SCHEMA, "class", CLASSES[:n_classes], by_gain, np.array(directions), rounds)
    return found.learn(on.weights)


def least_error(on):
    """The least weighted error of any stump, by trying all; leaves say what most known rows are."""
    best = on.weights[on.labels != np.bincount(on.labels, on.weights).argmax()].sum()
    for f, column in enumerate(SCHEMA):
        values = on.table.column(f)
        known = ~np.isnan(values) if column.kind != "nominal" else values >= 0
        if column.kind == "nominal" and not column.ordered:
            cuts = [values]
        else:
            cuts = [values > value for value in np.unique(values[known])[:-1]]
        for branch in cuts:
            if len(np.unique(branch[known])) < 2:
                continue
            said = np.full(len(on), np.bincount(on.labels[known], on.weights[known], on.n_classes).argmax())
            for each in np.unique(branch[known]):
                rows = known & (branch == each)
                said[rows] = np.bincount(on.labels[rows], on.weights[rows], on.n_classes).argmax()
            best = min(best, on.weights[said != on.labels].sum())
    return best


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), n_classes=st.integers(2, 3))
def test_no_stump_errs_less(seed, n_classes):
    on = examples(seed, n_classes=n_classes)
    stump = stump_of(on)
    stump.check()
    assert is_stump(stump)
    codes = stump_codes(stump, on.table)
    assert on.weights[codes != on.labels].sum() == pytest.approx(least_error(on))
    assert (np.array(CLASSES)[codes] == stump.predict(on.table)).all()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), n_classes=st.integers(2, 3))
def test_the_most_informative_stump_is_the_one_that_trees_grow(seed, n_classes):
    on = examples(seed, 40, n_classes, holes=0)
    stump = stump_of(on, by_gain=True)
    rows = [
        [None if np.isnan(a) else a, SCHEMA["b"].domain[b], SCHEMA["o"].domain[o]]
        for a, (b, o) in zip(on.table.numeric[:, 0], on.table.nominal, strict=True)
    ]
    grown = induce.DecisionStump(schema=dict(zip(("x0", "x1", "x2"), SCHEMA, strict=True)))
    y = np.array(CLASSES)[on.labels]
    tree = grown.fit(rows, y, sample_weight=on.weights).hypothesis_
    if len(tree.classes) == n_classes and tree.n_nodes == stump.n_nodes:
        assert tree.attribute[0] == stump.attribute[0]
        assert (tree.predict(rows) == stump.predict(on.table)).all()


@pytest.mark.compiled
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("by_gain", [False, True])
def test_plain_and_compiled_loops_find_the_same(n_classes, by_gain):
    for seed in range(5):
        on = examples(seed, 60, n_classes)
        found = Stumps(on, SCHEMA, "class", CLASSES[:n_classes], by_gain, np.zeros(3, np.int64), 1)
        found.search = _loops.search
        plain = found.learn(on.weights)
        found.search = compiled(_loops.search)
        assert found.learn(on.weights) == plain


def test_monotone_stumps_say_the_second_class_on_one_side_only():
    for seed in range(20):
        for sign in (1, -1):
            on = examples(seed, 40)
            stump = stump_of(on, directions=(sign, 0, sign))
            if stump.n_nodes == 3:
                low, high = stump.majority[1:]
                assert (low <= high) if sign > 0 else (high <= low)


@pytest.mark.compiled
def test_large_tables_are_boosted_by_the_compiled_loop():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4))
    y = np.where(X[:, 0] + X[:, 1] > 0, "a", "b")
    learner = induce.AdaBoost(n_estimators=30).fit(X, y)
    assert learner.score(X, y) > 0.93


def test_rows_of_weight_zero_leave_no_trace():
    on = examples(3, 50)
    weights = on.weights * (np.arange(50) % 3 > 0)
    some = Examples(on.table, on.labels, weights, 2)
    assert stump_of(some) == stump_of(some.counted())


@pytest.mark.compiled
def test_small_tables_are_boosted_without_a_compiler():
    script = (
        "import sys, induce; X, y = induce.dataset('play-tennis'); "
        "induce.AdaBoost().fit(X, y).predict(X); print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.strip() == "False"
