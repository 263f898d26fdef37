"""Decision lists: the book's algorithm, its claims, its learning curve; many classes, missing values."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.data.generate import restaurant, restaurant_space
from induce.online.learners.decision_list_classifier import DecisionListClassifier
from induce.online.studies.protocol import play
from induce.online.uniform_tests import UniformTests, n_tests

LARGEST = [
    ("Pat = Some", "Yes", {1, 3, 6, 8}),
    ("Hun = No", "No", {5, 7, 9, 11}),
    ("Fri = No", "No", {2}),
    ("Price = $", "Yes", {4, 12}),
    ("Alt = Yes", "No", {10}),
]
FIRST = [
    ("Pat = None", "No", {7, 11}),
    ("Pat = Some", "Yes", {1, 3, 6, 8}),
    ("Alt = No", "No", {9}),
    ("Fri = No", "No", {2}),
    ("Hun = No", "No", {5}),
    ("Bar = No", "Yes", {4}),
    ("Price = $", "Yes", {12}),
    ("Alt = Yes", "No", {10}),
]


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize(("selection", "expected"), [("largest", LARGEST), ("first", FIRST)])
def test_lists_of_the_twelve_examples(k, selection, expected):
    X, y = induce.dataset("restaurant")
    learner = DecisionListClassifier(k, selection=selection, default="No", failure="error").fit(X, y)
    rules = learner.hypothesis_
    assert [(rule.premise(), rule.prediction) for rule in rules.rules] == [row[:2] for row in expected]
    assert rules.default == "No"
    assert [int(rule.covered) for rule in rules.rules] == [len(row[2]) for row in expected]
    decided = {row: str(why.rule.premise()) for row, why in enumerate(rules.explain(X), start=1)}
    assert decided == {row: premise for premise, _, rows in expected for row in rows}
    assert learner.score(X, y) == 1
    assert learner.mistakes_ == 0


def test_illustration_of_the_book_is_not_consistent():
    X, y = induce.dataset("restaurant")
    full, some = X["Pat"] == "Full", X["Pat"] == "Some"
    said = (some | (full & (X["Fri"] == "Yes"))).to_numpy()
    wrong = {row for row, right in enumerate(said == (y == "Yes").to_numpy(), start=1) if not right}
    assert wrong == {5, 9, 10}


def space(n):
    return np.array(list(product([False, True], repeat=n)))


@given(st.integers(1, 4), st.integers(0, 2**16 - 1))
def test_any_boolean_function_is_a_list_of_tests_of_n_literals(n, number):
    """Exercise 18.14: one test for every row of the truth table would do."""
    X = space(n)
    y = np.array([number >> row & 1 for row in range(len(X))])
    learner = DecisionListClassifier(n, failure="error").fit(X.astype(object), y)
    assert learner.predict(X.astype(object)).tolist() == y.tolist()


@given(st.integers(1, 3), st.integers(0, 10**6))
def test_trees_of_depth_k_are_k_decision_lists(k, seed):
    """Exercise 18.14: a path has at most k literals, so the algorithm cannot fail on what such a tree says."""
    random = np.random.default_rng(seed)
    X = space(5)

    def tree(rows, depth):
        if depth == 0:
            return np.full(len(rows), random.integers(2))
        split = rows[:, random.integers(5)]
        labels = np.empty(len(rows), int)
        for side in (False, True):
            labels[split == side] = tree(rows[split == side], depth - 1)
        return labels

    y = tree(X, k)
    learner = DecisionListClassifier(k, failure="error").fit(X.astype(object), y)
    assert learner.predict(X.astype(object)).tolist() == y.tolist()
    assert max((len(rule.conditions) for rule in learner.hypothesis_.rules), default=0) <= k


@pytest.mark.parametrize(
    ("selection", "bands"),
    [("largest", {20: 0.82, 50: 0.93, 100: 0.95}), ("first", {20: 0.82, 50: 0.87, 100: 0.94})],
)
def test_learning_curve_of_two_literals(selection, bands):
    """Figure 18.12, calibrated: the list comes close to the tree."""
    everything = restaurant_space()
    for size, mean in bands.items():
        scores = []
        for seed in range(10):
            X, y = restaurant(size, random_state=seed)
            learner = DecisionListClassifier(2, selection=selection, failure="error").fit(X, y)
            scores.append(learner.score(everything.X, everything.y))
        assert np.mean(scores) == pytest.approx(mean, abs=0.035), size


def test_one_literal_sometimes_fails():
    failed = 0
    for seed in range(24):
        X, y = restaurant(100, random_state=seed)
        rest = DecisionListClassifier(1, failure="default").fit(X, y).hypothesis_.default_counts
        if sum(rest):
            failed += 1
            with pytest.raises(
                induce.InputError, match=f"one class only among the {sum(rest):.0f} that are left"
            ):
                DecisionListClassifier(1, failure="error").fit(X, y)
    assert 2 <= failed <= 12, "calibrated: a quarter of the sets"


def brute_force(covers, labels, k, selection):
    """The first, or the largest, of the shortest conjunctions that hold for rows of one class only."""
    for size in range(1, k + 1):
        found = []
        for test in combinations(range(covers.shape[1]), size):
            classes = labels[covers[:, test].all(axis=1)]
            if len(set(classes.tolist())) == 1:
                found.append((len(classes), test, int(classes[0])))
        if found:
            return found[0] if selection == "first" else max(found, key=lambda one: one[0])
    return None


@given(st.integers(1, 15), st.integers(1, 6), st.integers(1, 4), st.integers(0, 10**6))
def test_search_finds_what_brute_force_finds(n_rows, n_literals, k, seed):
    random = np.random.default_rng(seed)
    covers = random.random((n_rows, n_literals)) < 0.6
    labels = random.integers(0, 3, n_rows)
    for selection in ("largest", "first"):
        search, left = UniformTests(covers, labels, 3, k), np.ones(n_rows, bool)
        while True:
            found = getattr(search, selection)()
            expected = brute_force(covers[left], labels[left], k, selection)
            if expected is None:
                assert found is None
                break
            assert (int(found[2].sum()), found[0], found[1]) == expected
            search.take_away(found[0])
            left &= ~covers[:, found[0]].all(axis=1)
            assert search.n_left == left.sum()


def test_number_of_tests():
    assert n_tests(20, 2) == 210
    X = pd.DataFrame({f"a{i}": ["u", "v", "w"] for i in range(10)})
    with pytest.raises(induce.InputError, match=r"k is 9, which with 30 literals makes .* tests"):
        DecisionListClassifier(9).fit(X, [0, 1, 2])


def test_several_classes_numbers_and_missing_values():
    X, y = induce.dataset("iris")
    learner = DecisionListClassifier(2).fit(X, y)
    assert learner.score(X, y) > 0.9
    assert np.allclose(learner.predict_proba(X).sum(axis=1), 1)
    holes = X.with_columns(pl.lit(None, dtype=pl.Float64).alias(name) for name in X.columns)
    assert set(learner.predict(holes).tolist()) == {learner.hypothesis_.default}
    assert "by default" in str(learner.explain(holes[:1])[0])
    X = pl.DataFrame({"a": ["u", None, "v", None]})
    assert DecisionListClassifier(1, failure="error", default="n").fit(X[::2], ["y", "n"]).predict(
        X
    ).tolist() == [
        "y",
        "n",
        "n",
        "n",
    ]


def test_what_happens_to_examples_that_clash():
    X = pl.DataFrame({"a": ["u", "u", "u", "v"]})
    y = ["yes", "yes", "no", "no"]
    with pytest.raises(induce.InputError, match="among the 3 that are left"):
        DecisionListClassifier(failure="error").fit(X, y)
    rest = DecisionListClassifier(failure="default").fit(X, y).hypothesis_
    assert str(rest) == "IF a = v THEN no (1/1)\nDEFAULT yes (2/3)"
    X = pl.DataFrame({"a": ["u"] * 8 + ["v"] * 8, "b": ["p", "q"] * 8})
    y = ["yes"] * 7 + ["no"] * 8 + ["yes"]
    y[1] = "no"
    purest = DecisionListClassifier(1, failure="purest").fit(X, y)
    assert purest.score(X, y) >= DecisionListClassifier(1, failure="default").fit(X, y).score(X, y)
    assert purest.mistakes_ == 3


@given(st.integers(1, 30), st.integers(1, 8), st.integers(0, 1000))
@settings(max_examples=20)
def test_batches_equal_row_by_row(n_rows, size, seed):
    X, y = restaurant(n_rows, random_state=seed)
    whole, batches = DecisionListClassifier(), DecisionListClassifier()
    whole.partial_fit(X, y)
    for start in range(0, n_rows, size):
        batches.partial_fit(X[start : start + size], y[start : start + size])
    assert whole.hypothesis_.classes == tuple(y.dtype.categories)
    assert whole.hypothesis_ == batches.hypothesis_
    assert whole.history_.mistakes.tolist() == batches.history_.mistakes.tolist()


def test_online_predictions_come_before_the_answer():
    X, y = restaurant(60, random_state=3)
    learner = DecisionListClassifier()
    played = play(learner, X, y)
    assert played.mistakes == learner.mistakes_ > 0
    assert learner.score(X, y) == 1
    again = DecisionListClassifier()
    said = []
    for row in range(60):
        said.append(again.predict(X[row : row + 1])[0] if row else played.predictions[0])
        again.partial_fit(X[row : row + 1], y[row : row + 1], classes=list(learner.hypothesis_.classes))
    assert said == played.predictions.tolist()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 0}, "k is 0; it must be a whole number of at least 1"),
        ({"selection": "best"}, "selection is 'best'; it can be 'largest', 'first'"),
        ({"failure": "ignore"}, "failure is 'ignore'; it can be 'purest', 'default', 'error'"),
        ({"default": "maybe"}, "default is 'maybe', which is not a class; the classes are 'no', 'yes'"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(induce.InputError, match=message):
        DecisionListClassifier(**parameters).fit([["a"], ["b"]], ["no", "yes"])


def test_exports_as_rules():
    X, y = induce.dataset("restaurant")
    rules = DecisionListClassifier(1, default="No").fit(X, y).hypothesis_
    assert "CASE" in rules.to_sql()
    assert "def predict" in rules.to_python()
    with induce.trace(only="test") as events:
        DecisionListClassifier(1).fit(X, y)
    assert [event["left"] for event in events] == [8, 4, 3, 1, 0]


@given(st.integers(2, 20), st.integers(1, 3), st.integers(0, 10**6))
def test_whole_weights_are_repeated_rows(n_rows, k, seed):
    random = np.random.default_rng(seed)
    X = pl.DataFrame(
        {
            "a": pl.Series(random.choice(["u", "v", "w"], n_rows), dtype=pl.Enum(["u", "v", "w"])),
            "b": pl.Series(random.choice(["p", "q"], n_rows), dtype=pl.Enum(["p", "q"])),
            "n": random.normal(size=n_rows).round(1),
        }
    )
    y = np.append(["x", "y"], random.choice(["x", "y"], n_rows - 2))
    weights = random.integers(0, 4, n_rows)
    weights[:2] += 1
    again = np.repeat(np.arange(n_rows), weights)
    for selection, failure in (("largest", "purest"), ("first", "default")):
        learner = DecisionListClassifier(k, selection=selection, failure=failure)
        weighted = learner.fit(X, y, sample_weight=weights).hypothesis_
        assert weighted == learner.fit(X[again], y[again]).hypothesis_
        halves = learner.fit(X[again], y[again], sample_weight=np.full(len(again), 0.5)).hypothesis_
        if failure == "default":
            assert [rule.conditions for rule in halves.rules] == [rule.conditions for rule in weighted.rules]
            assert halves.default == weighted.default


def test_a_row_of_little_weight_still_keeps_a_test_from_being_of_one_class():
    X = pl.DataFrame({"a": ["u", "u", "v", "v"], "b": ["p", "q", "p", "p"]})
    y = ["yes", "no", "no", "no"]
    light = DecisionListClassifier(1, failure="error").fit(X, y, sample_weight=[1e-9, 1.0, 0.1, 0.1])
    assert [rule.premise() for rule in light.hypothesis_.rules] == ["b = q", "a = v", "a = u"]
    assert light.hypothesis_.rules[0].counts == (pytest.approx(4 / 1.2), 0.0)  # weights sum to the rows
    none = DecisionListClassifier(1, failure="error").fit(X, y, sample_weight=[0, 1.0, 0.1, 0.1])
    assert none.hypothesis_.default == "no"
    assert all(rule.prediction == "no" for rule in none.hypothesis_.rules)
    heavy = DecisionListClassifier(1, failure="default").fit(
        [["a"]] * 3, ["x", "y", "y"], sample_weight=[5, 1, 1]
    )
    assert heavy.hypothesis_.default == "x"


def test_rows_keep_their_weights_when_more_come():
    X, y = restaurant(40, random_state=2)
    weights = 1 + np.arange(40) % 4
    learner = DecisionListClassifier(1).fit(X, y, sample_weight=weights)
    more, answers = restaurant(60, random_state=3)
    row = int((learner.predict(more) != answers.to_numpy()).argmax())
    learner.partial_fit(more[[row]], answers[[row]])
    whole = DecisionListClassifier(1).fit(
        pl.concat([X, more[[row]]]), pl.concat([y, answers[[row]]]), sample_weight=np.append(weights, 1.0)
    )
    assert learner.hypothesis_ == whole.hypothesis_
    assert whole.hypothesis_ != DecisionListClassifier(1).fit(X, y).hypothesis_


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1], "sample_weight holds a negative or infinite number"),
        ([1, np.nan], "sample_weight holds a negative or infinite number"),
        ([0, 0], "sample_weight is zero everywhere"),
        ([1], "sample_weight has shape"),
        (["a", "b"], "sample_weight contains a non-number"),
    ],
)
def test_bad_weights(weights, message):
    with pytest.raises(induce.InputError, match=message):
        DecisionListClassifier().fit([["a"], ["b"]], ["no", "yes"], sample_weight=weights)


@given(st.integers(1, 3), st.integers(0, 10**6))
def test_no_row_is_mistaken_twice(k, seed):
    """Where a list of such tests is right, the only bound that is known: one mistake per distinct row."""
    random = np.random.default_rng(seed)
    every = space(4)
    literals = np.concatenate([every, ~every], axis=1)
    y = np.zeros(16, int)
    for _ in range(6):
        y[literals[:, random.choice(8, k)].all(axis=1)] = random.integers(2)
    drawn = random.integers(0, 16, 60)
    learner = DecisionListClassifier(k, failure="error")
    played = play(learner, every[drawn].astype(object), y[drawn], classes=[0, 1])
    mistaken = drawn[played.wrong]
    assert len(set(mistaken.tolist())) == len(mistaken)
    assert learner.mistakes_ <= learner.bound_ == len(set(drawn.tolist()))
    assert "one mistake per distinct row" in learner.history_.promise


def test_no_bound_where_rows_contradict_each_other_or_numbers_are_cut():
    contradictory = DecisionListClassifier().fit([["a"], ["a"]], ["no", "yes"])
    assert np.isnan(contradictory.bound_)
    assert "no such list fits all rows" in str(contradictory.history_)
    assert np.isnan(DecisionListClassifier().fit([[1.0], [2.0]], ["no", "yes"]).bound_)
