"""What nodes say: linear functions with few terms, and smoothing along the path."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
from induce.trees.learners.model_tree import ModelTree
from induce.trees.regression._linear_loops import select_terms
from induce.trees.regression.models import smoothed


def linear(X, y, **parameters):
    tree = DecisionTreeRegressor(leaf="linear", max_depth=0, **parameters).fit(X, y).hypothesis_
    tree.check()
    return tree


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_a_linear_target_is_found_whatever_the_units(seed, k):
    rng = np.random.default_rng(seed)
    units = 10.0 ** rng.integers(-4, 5, k)
    X = (rng.normal(size=(40, k)) + rng.uniform(-3, 3, k)) * units
    factors = rng.choice([-2.0, 1.0, 3.5], k)
    y = 5.0 + X @ (factors / units)
    tree = linear(X, y)
    assert tree.coefficients[0] * units == pytest.approx(factors, rel=1e-6)
    assert tree.intercept[0] == pytest.approx(5.0, abs=1e-5)
    assert tree.predict(X * 7) == pytest.approx(5.0 + 7 * X @ (factors / units), rel=1e-6, abs=1e-4)


def test_terms_that_do_not_pay_are_dropped():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 12))
    tree = linear(X, 3 * X[:, 2] - 2 * X[:, 5] + rng.normal(size=200))
    kept = set(np.flatnonzero(tree.coefficients[0]))
    assert {2, 5} <= kept
    assert len(kept) <= 6
    assert tree.coefficients[0, [2, 5]] == pytest.approx([3, -2], abs=0.25)


def test_dropping_a_term_never_raises_the_estimate():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 6))
    y = X[:, 0] + 0.3 * X[:, 1] + rng.normal(size=60)
    block = np.column_stack([X, y])
    block -= block.mean(axis=0)
    chosen = select_terms(block.T @ block, 60.0, 6)

    def estimate(terms):
        z, target = block[:, terms], block[:, -1]
        errors = target - z @ np.linalg.lstsq(z, target, rcond=None)[0] if terms else target
        v = len(terms) + 1
        return np.sqrt((errors**2).mean()) * (60 + 2 * v) / (60 - v)

    kept = np.flatnonzero(chosen).tolist()
    assert 0 < len(kept) < 6
    assert estimate(kept) < estimate(list(range(6)))
    assert all(estimate(kept) < estimate([j for j in kept if j != out]) for out in kept)
    assert chosen[kept] == pytest.approx(np.linalg.lstsq(block[:, kept], block[:, -1], rcond=None)[0])


@pytest.mark.compiled
@pytest.mark.parametrize("n", [2, 3, 5, 10, 20])
def test_more_attributes_than_rows(n):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 60))
    y = X[:, 0] + rng.normal(size=n)
    tree = linear(X, y)
    assert np.count_nonzero(tree.coefficients[0]) <= max(0, n // 2 - 1)
    far = rng.normal(size=(1000, 60))
    assert np.abs(tree.predict(far) - y.mean()).max() < 30 * max(np.ptp(y), 1)
    for learner in (ModelTree(), DecisionTreeRegressor(leaf="linear", pruning="cost-complexity")):
        assert np.abs(learner.fit(X, y).predict(far) - y.mean()).max() < 30 * max(np.ptp(y), 1)


def test_columns_that_repeat_each_other_are_used_once():
    rng = np.random.default_rng(0)
    x = rng.normal(size=80)
    X = np.column_stack([x, 2 * x + 1, x + 1e-9 * rng.normal(size=80), np.full(80, 7.0)])
    tree = linear(X, 4 * x + 0.1 * rng.normal(size=80))
    assert np.count_nonzero(tree.coefficients[0]) == 1
    assert np.abs(tree.coefficients).max() < 5
    grown = DecisionTreeRegressor(leaf="linear", max_depth=3, min_samples_leaf=10).fit(X, 4 * x + 0.1)
    assert grown.hypothesis_.n_nodes == 1


def test_without_numbers_linear_leaves_are_constant():
    X = pl.DataFrame({"k": ["a", "a", "b", "b"] * 3})
    y = [1.0, 2.0, 5.0, 6.0] * 3
    tree = DecisionTreeRegressor(leaf="linear").fit(X, y).hypothesis_
    tree.check()
    assert tree.predict(X).tolist() == DecisionTreeRegressor().fit(X, y).predict(X).tolist()


def test_numbers_beyond_all_measure_do_no_harm():
    X = np.array([[1e300, 1.0], [1.0, 2.0], [2.0, 3.0], [-1e300, 4.0], [5e-324, 5.0], [0.0, 6.0]])
    tree = linear(X, X[:, 1])
    assert tree.predict(X) == pytest.approx(X[:, 1])


def test_smoothing_is_that_of_the_paper():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.where(X[:, 0] > 0, X[:, 1], -X[:, 1]) * 3 + rng.normal(size=120)
    for leaf in ("constant", "linear"):
        tree = DecisionTreeRegressor(leaf=leaf, max_depth=4, min_samples_leaf=8).fit(X, y).hypothesis_
        expected = []
        for x, node in zip(X, tree.reached(X), strict=True):
            said = tree.says(np.array([node]), x[None])[0]
            while node > 0:
                above = tree.parent[node]
                q = tree.says(np.array([above]), x[None])[0]
                said = (tree.n[node] * said + 15 * q) / (tree.n[node] + 15)
                node = above
            expected.append(said)
        smooth = smoothed(tree, 15.0)
        smooth.check()
        assert smooth.predict(X) == pytest.approx(np.array(expected))
        assert smoothed(tree, 0.0).predict(X) == pytest.approx(tree.predict(X))
        learner = DecisionTreeRegressor(leaf=leaf, max_depth=4, min_samples_leaf=8, smoothing=15.0)
        assert learner.fit(X, y).hypothesis_ == smooth


def test_a_branch_without_examples_says_what_its_parent_says():
    X = pl.DataFrame(
        {"k": pl.Series(["a", "b"] * 10, dtype=pl.Enum(list("abc"))), "x": np.linspace(0, 1, 20)}
    )
    y = np.where(np.arange(20) % 2, 5 + X["x"], X["x"])
    tree = DecisionTreeRegressor(leaf="linear", nominal="multiway", smoothing=3.0).fit(X, y).hypothesis_
    absent = int(tree.first[0]) + 2
    assert tree.n[absent] == 0
    assert tree.intercept[absent] == tree.intercept[0]
    assert tree.coefficients[absent].tolist() == tree.coefficients[0].tolist()
