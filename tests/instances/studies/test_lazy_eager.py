"""Lazy and eager learners side by side."""

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

import induce
from induce.core.folds import hold_out
from induce.instances.studies.lazy_eager import _EagerLinear, lazy_or_eager


def test_the_same_space_but_a_function_for_each_query():
    random = np.random.default_rng(0)
    x = random.uniform(0, 6, (400, 1))
    found = lazy_or_eager(x, np.sin(x[:, 0]) + random.normal(0, 0.05, 400))
    eager, lazy = found.learners
    assert (found.n_train, found.n_test) == (267, 133)
    assert lazy.error < 0.07 < 0.3 < eager.error
    assert min(each.train_seconds for each in found.learners) > 0
    assert min(each.query_seconds for each in found.learners) > 0
    assert str(found).splitlines()[0].startswith("267 rows, 133 queries")
    assert len(found.draw().axes) == 3


def test_where_the_target_is_linear_both_find_it():
    x = np.random.default_rng(1).normal(size=(90, 2))
    found = lazy_or_eager(x, 3 + x @ [2.0, -1.0])
    assert max(each.error for each in found.learners) < 1e-6


def test_the_eager_line_is_that_of_least_squares():
    random = np.random.default_rng(2)
    x, y = random.normal(size=(30, 2)), random.normal(size=30)
    A = np.hstack([np.ones((30, 1)), x])
    expected = A @ np.linalg.lstsq(A, y, rcond=None)[0]
    assert _EagerLinear().fit(x, y).predict(x) == pytest.approx(expected)


def test_any_learners_of_classes_too():
    X, y = induce.dataset("play-tennis")
    learners = {"eager": induce.ID3(), "lazy": induce.LazyDecisionTree()}
    found = lazy_or_eager(X, y, learners, random_state=1)
    assert [each.name for each in found.learners] == ["eager", "lazy"]
    train, test = hold_out(np.zeros(14), 5, 1, stratify=False)
    for each in found.learners:
        alone = clone(learners[each.name]).fit(X[train], y[train])
        assert each.error == pytest.approx(1 - alone.score(X[test], y[test]))
    assert not hasattr(learners["lazy"], "hypothesis_")


def test_mixed_tables():
    X = pl.DataFrame({"x": np.arange(30.0), "c": ["u", "v"] * 15})
    y = 2 * X["x"].to_numpy() + 5 * (X["c"] == "u").to_numpy()
    assert lazy_or_eager(X, y).learners[0].error == pytest.approx(0, abs=1e-6)


def test_bad_input():
    with pytest.raises(induce.InputError, match="test_size is 2"):
        lazy_or_eager([[1.0], [2.0]], [1.0, 2.0], test_size=2)
