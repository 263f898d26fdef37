"""Lazy decision trees: the branches of ID3, queries with holes, values no example has, and gains by hand."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.instances.lazy_tree.gain import best_threshold, gain_of_values, information

TENNIS = induce.dataset("play-tennis")


def entropy(labels, weights):
    shares = np.bincount(labels, weights) / weights.sum()
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def test_gains_of_play_tennis():
    gains = induce.LazyDecisionTree().fit(*TENNIS).hypothesis_.root_gains()
    assert list(gains.values()) == pytest.approx([0.246750, 0.029223, 0.151836, 0.048127], abs=5e-7)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(1, 3)), min_size=1, max_size=15))
def test_gains_against_their_definition(rows):
    values, labels = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    weights = np.array([float(r[2]) for r in rows])
    whole = weights.sum() * entropy(labels, weights)
    assert information(labels, weights) == pytest.approx(whole, abs=1e-9)

    def remainder(groups):
        return sum(
            weights[groups == g].sum() * entropy(labels[groups == g], weights[groups == g])
            for g in np.unique(groups)
        )

    assert gain_of_values(values.astype(np.int32), labels, weights) == pytest.approx(
        whole - remainder(values), abs=1e-9
    )
    gain, threshold = best_threshold(values.astype(float), labels, weights)
    cuts = [(a + b) / 2 for a, b in zip(np.unique(values), np.unique(values)[1:], strict=False)]
    gains = [whole - remainder(values <= cut) for cut in cuts]
    if not cuts:
        assert gain == -1
    else:
        assert gain == pytest.approx(max(gains), abs=1e-9)
        assert threshold == next(cut for cut, g in zip(cuts, gains, strict=True) if g >= max(gains) - 1e-9)


def test_branches_are_those_of_id3():
    X, y = TENNIS
    names = X.columns
    space = pl.DataFrame(
        list(product(*(X[name].dtype.categories.to_list() for name in names))), schema=names, orient="row"
    )
    lazy, eager = induce.LazyDecisionTree().fit(X, y), induce.ID3().fit(X, y)
    assert lazy.predict(X).tolist() == y.to_list()
    assert lazy.predict(space).tolist() == eager.predict(space).tolist()
    told, paths = lazy.explain(space), eager.explain(space)
    assert [len(each.steps) for each in told] == [len(path.steps) - 1 for path in paths]


def test_numeric_branches_are_those_of_id3():
    X, y = induce.dataset("iris")
    lazy, eager = induce.LazyDecisionTree().fit(X, y), induce.ID3().fit(X, y)
    assert (lazy.predict(X) == eager.predict(X)).all()


def test_only_columns_that_the_query_knows_are_tested():
    X, y = TENNIS
    lazy = induce.LazyDecisionTree().fit(X, y)
    row = X[:1].with_columns(Outlook=pl.lit(None, dtype=X["Outlook"].dtype))
    told = lazy.explain(row)[0]
    assert "Outlook" not in {step.condition.attribute for step in told.steps}
    assert told.steps[0].condition.attribute == "Humidity"
    nothing = X[:1].select(pl.lit(None, dtype=X[name].dtype).alias(name) for name in X.columns)
    assert lazy.predict(nothing).tolist() == ["Yes"]
    assert lazy.explain(nothing)[0].steps == ()
    unseen = X[:1].with_columns(Outlook=pl.lit("Fog"))
    assert lazy.explain(unseen)[0] == told


def test_a_value_that_no_example_has_here_is_not_tested():
    X = pl.DataFrame(
        {"a": ["u", "u", "v", "v", "u"], "b": ["p", "q", "r", "r", "q"], "c": ["k", "l", "k", "k", "k"]}
    )
    y = ["x", "y", "z", "z", "x"]
    lazy = induce.LazyDecisionTree().fit(X, y)
    told = lazy.explain(pl.DataFrame({"a": ["u"], "b": ["r"], "c": ["l"]}))[0]
    assert [str(step.condition) for step in told.steps] == ["b = r"]
    assert told.prediction == "z"
    other = lazy.explain(pl.DataFrame({"a": ["v"], "b": ["p"], "c": ["l"]}))[0]
    assert [str(step.condition) for step in other.steps] == ["b = p"]


def test_examples_with_holes_go_along_in_part():
    X = pl.DataFrame({"a": ["u", "u", "v", None]})
    lazy = induce.LazyDecisionTree().fit(X, ["p", "p", "q", "q"])
    assert lazy.predict_proba(X[:1]) == pytest.approx(np.array([[2, 2 / 3]]) / (8 / 3))
    assert str(lazy.explain(X[:1])[0].rule) == "IF a = u THEN p (2/2.7)"


def test_a_test_without_gain_is_taken_when_it_divides():
    X = [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]]
    y = ["even", "odd", "odd", "even"]
    assert induce.LazyDecisionTree().fit(X, y).predict(X).tolist() == y


def test_contradictions_end_with_the_first_of_the_most_frequent_classes():
    X, y = [["u"], ["u"], ["v"]], ["b", "a", "a"]
    assert induce.LazyDecisionTree().fit(X, y).predict([["u"]]).tolist() == ["a"]


def test_many_queries_are_the_same_as_each_alone():
    random = np.random.default_rng(0)
    X = pl.DataFrame(
        {"x": random.normal(size=60), "c": random.choice(["u", "v", "w"], 60), "z": random.integers(0, 5, 60)}
    )
    X = X.with_columns(
        pl.when(pl.Series(random.random(60) < 0.2)).then(None).otherwise(pl.col(name)).alias(name)
        for name in X.columns
    )
    y = random.choice(["p", "q"], 60)
    lazy = induce.LazyDecisionTree(max_depth=4).fit(X, y)
    together = lazy.predict_proba(X)
    assert [lazy.predict_proba(X[i : i + 1])[0].tolist() for i in range(60)] == together.tolist()


def test_limits():
    X, y = TENNIS
    assert {len(e.steps) for e in induce.LazyDecisionTree(max_depth=1).fit(X, y).explain(X)} == {1}
    assert {len(e.steps) for e in induce.LazyDecisionTree(min_samples_split=6).fit(X, y).explain(X)} == {1}
    for name, value in (("max_depth", -1), ("max_depth", 1.5), ("min_samples_split", "two")):
        with pytest.raises(induce.InputError, match=f"{name} is {value!r}"):
            induce.LazyDecisionTree(**{name: value}).fit(X, y)


def test_a_long_branch_needs_no_recursion():
    x = np.arange(1500.0)
    y = np.where(x % 2 == 0, "even", "odd")
    assert induce.LazyDecisionTree().fit(x[:, None], y).predict([[750.0]]).tolist() == ["even"]


def test_print_and_pictures():
    tree = induce.LazyDecisionTree().fit(*TENNIS).hypothesis_
    assert str(tree).splitlines() == [
        "PlayTennis: a branch is grown for each query; 14 stored examples",
        "  9 Yes, 5 No",
        "  gain 0.247  Outlook",
        "  gain 0.152  Humidity",
        "  gain 0.048  Wind",
        "  gain 0.029  Temperature",
    ]
    assert len(tree.draw().axes[0].patches) == 4
    assert len(tree.draw_branch(TENNIS.X[:1]).axes[0].patches) == 6


def test_an_explanation_without_a_test_prints():
    X, y = induce.dataset("play-tennis")
    (reason,) = induce.LazyDecisionTree().fit(X, y).explain([[None] * 4])
    assert str(reason) == "Yes because\n  IF TRUE THEN Yes (9/14)"
