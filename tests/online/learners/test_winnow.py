"""Winnow: the algorithm step by step, its bound, classes, kinds of columns."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.online.bounds import winnow_bound
from induce.online.learners.winnow import Winnow
from induce.online.studies.protocol import play


def by_the_book(X, y, alpha, threshold, version):
    """Winnow as Littlestone writes it, on rows of bits."""
    weights = np.ones(X.shape[1])
    mistakes = []
    for row, label in zip(X, y, strict=True):
        said = weights[row].sum() >= threshold
        mistakes.append(bool(said != label))
        if said and not label:
            weights[row] = 0.0 if version == 1 else weights[row] / alpha
        elif label and not said:
            weights[row] *= alpha
    return weights, np.array(mistakes)


def both_literals(X):
    """Bits as the learner sees them: an indicator for False and one for True of every attribute."""
    return np.stack([~X, X], axis=2).reshape(len(X), -1)


@given(
    st.integers(1, 8),
    st.integers(1, 80),
    st.integers(0, 10**6),
    st.sampled_from([1, 2]),
    st.sampled_from([1.5, 2.0, 3.0]),
)
def test_as_written_and_within_the_bound(n, n_rows, seed, version, alpha):
    random = np.random.default_rng(seed)
    X = random.random((n_rows, n)) < random.random()
    k = int(random.integers(1, n + 1))
    relevant = random.choice(n, k, replace=False)
    signs = random.integers(0, 2, k).astype(bool)
    y = (X[:, relevant] == signs).any(axis=1)
    learner = Winnow(version=version, alpha=alpha, relevant=k)
    played = play(learner, X.astype(object), y, classes=[False, True])
    weights, mistakes = by_the_book(both_literals(X), y, alpha, max(1.0, n), version)
    assert learner.hypothesis_.weights[0] == pytest.approx(weights)
    assert played.wrong.tolist() == mistakes.tolist()
    assert learner.mistakes_ <= learner.bound_
    assert learner.bound_ == pytest.approx(winnow_bound(k, 2 * n, max(1.0, n), alpha, version))


def test_passes_over_the_rows_count_and_stop_when_all_is_right():
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (400, 60)).astype(bool)
    y = X[:, 3] | X[:, 17]
    learner = Winnow(version=1, relevant=2, max_iter=50).fit(X.astype(object), y)
    assert learner.score(X.astype(object), y) == 1
    assert learner.n_iter_ < 50
    assert learner.rounds_ == 400 * learner.n_iter_
    assert learner.mistakes_ <= learner.bound_ < 40
    heavy = learner.hypothesis_.indicators
    top = np.argsort(-learner.hypothesis_.weights[0])[:2]
    assert {str(heavy[i]) for i in top} == {"x3 = True", "x17 = True"}


@given(st.integers(1, 50), st.integers(1, 9), st.integers(0, 1000))
def test_batches_equal_row_by_row(n_rows, size, seed):
    random = np.random.default_rng(seed)
    kinds = {"a": pl.Enum(["u", "v", "w"]), "b": pl.Enum(["p", "q"])}
    X = pl.DataFrame(
        {"a": random.choice(["u", "v", "w"], n_rows), "b": random.choice(["p", "q"], n_rows)}, schema=kinds
    )
    y = random.choice(["x", "y", "z"], n_rows)
    whole, batches = Winnow(), Winnow()
    whole.partial_fit(X, y, classes=["x", "y", "z"])
    with induce.trace(only="round") as events:
        for start in range(0, n_rows, size):
            batches.partial_fit(X[start : start + size], y[start : start + size], classes=["x", "y", "z"])
    assert whole.hypothesis_ == batches.hypothesis_
    assert whole.history_.mistakes.tolist() == batches.history_.mistakes.tolist()
    assert len(events) == n_rows
    assert events[-1]["number"] == n_rows


def test_several_classes_each_have_weights_and_the_bound_is_that_of_all():
    random = np.random.default_rng(2)
    X = pl.DataFrame({f"a{i}": random.choice(["u", "v", "w"], 500) for i in range(12)})
    y = X["a4"]
    learner = Winnow(relevant=1, max_iter=30).fit(X, y)
    assert learner.score(X, y) == 1
    assert learner.hypothesis_.weights.shape == (3, 36)
    assert learner.mistakes_ <= learner.bound_
    assert "the class with the largest sum of weights of true conditions" in str(learner.hypothesis_)
    assert ", and " in str(learner.explain(X[:1])[0])


def test_missing_and_new_values_satisfy_nothing():
    X = pd.DataFrame({"a": ["u", "v", None, "u"], "n": [1.0, 2.0, np.nan, 4.0]})
    learner = Winnow(max_iter=20).fit(X, ["yes", "no", "no", "yes"])
    nothing = pd.DataFrame({"a": [None, "other"], "n": [np.nan, np.nan]})
    assert learner.predict(nothing).tolist() == ["no", "no"]
    assert str(learner.explain(nothing)[0]) == "no because nothing = 0 < 2.5"
    with pytest.warns(induce.Note, match="column 'a' contains a value that was not in the first rows"):
        learner.partial_fit(nothing, ["no", "no"])


def test_explanations_add_up():
    X, y = induce.dataset("restaurant")
    learner = Winnow().fit(X, y)
    for row, label in zip(learner.explain(X), learner.predict(X), strict=True):
        assert row.prediction == label
        assert sum(weight for _, weight in row.terms) == pytest.approx(row.total)
        assert (row.total >= row.threshold) == (label == learner.hypothesis_.classes[1])


def test_irrelevant_attributes_cost_few_mistakes():
    random = np.random.default_rng(0)
    n = 200
    X = random.integers(0, 2, (3000, n)).astype(bool)
    X[:, :5] = random.random((3000, 5)) < 0.1
    y = X[:, :5].any(axis=1)
    learner = Winnow(version=1, relevant=5)
    made = play(learner, X.astype(object), y).mistakes
    assert made <= learner.bound_ < 0.1 * len(X)


def test_one_class_only():
    learner = Winnow().fit([["a"], ["b"]], ["same", "same"])
    assert learner.predict([["c"]]).tolist() == ["same"]
    assert str(learner.hypothesis_) == "always same"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"version": 3}, "version is 3; give 1 or 2"),
        ({"alpha": 1}, "alpha is 1, with which no weight ever changes"),
        ({"alpha": 0.5}, "alpha is 0.5; it must be a number above 1"),
        ({"threshold": 0.1}, "threshold is 0.1; it must be a number of at least 0.5"),
        ({"relevant": 0}, "relevant is 0; it must be a whole number of at least 1"),
        ({"max_iter": 0}, "max_iter is 0"),
        ({"bins": 1}, "bins is 1"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(induce.InputError, match=message):
        Winnow(**parameters).fit([["a"], ["b"]], [0, 1])


def test_bound_is_not_known_without_the_number_of_relevant_indicators():
    learner = Winnow().fit([["a"], ["b"]], [0, 1])
    assert np.isnan(learner.bound_)
    assert "no bound is known" in str(learner.history_)
    assert learner.history_.within


@pytest.mark.parametrize("learner", [induce.OnlineFindS, induce.Winnow])
def test_the_concept_is_the_class_called_plus(learner):
    """It was the last class in sorted order: `IF TRUE THEN -`."""
    X = pl.DataFrame({"sky": ["sun", "rain", "sun", "rain", "sun"]})
    y = ["+", "-", "+", "-", "+"]
    found = learner().fit(X, y)
    assert found.hypothesis_.classes == ("-", "+")
    assert found.predict(X).tolist() == y
    assert found.predict_proba(X).argmax(axis=1).tolist() == [0, 1, 0, 1, 0]  # in the order of classes_
