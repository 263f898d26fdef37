"""Find-S row by row."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.online.learners.online_find_s import OnlineFindS
from induce.online.studies.protocol import play


def rows(*texts):
    return np.array([[character == "1" for character in text] for text in texts], dtype=object)


def test_every_literal_may_cost_a_mistake():
    learner = OnlineFindS()
    counts, literals = [], []
    for row in rows("111", "011", "101", "110", "000"):
        with induce.trace(only="generalised") as events:
            learner.partial_fit([row], [True], classes=[False, True])
        counts.append(learner.mistakes_)
        literals += [event["literals"] for event in events]
    assert counts == [1, 2, 3, 4, 4]
    assert literals == [
        ("x0 = True", "x1 = True", "x2 = True"),
        ("x1 = True", "x2 = True"),
        ("x2 = True",),
        (),
    ]
    assert learner.bound_ == 4
    assert str(learner.hypothesis_).startswith("IF TRUE THEN True")


def test_never_wrong_on_a_negative_row_when_a_conjunction_is_right():
    X = rows("010", "110", "111", "100", "001")
    learner = OnlineFindS()
    played = play(learner, X, [False, True, False, True, False])
    assert (played.mistakes, played.last_mistake) == (2, 4)
    assert played.wrong.tolist() == [False, True, False, True, False]
    assert learner.hypothesis_.rules[0].premise() == "x0 = True AND x2 = False"


@given(st.integers(1, 6), st.integers(1, 40), st.integers(0, 10**6))
def test_at_most_one_mistake_more_than_attributes(n, n_rows, seed):
    random = np.random.default_rng(seed)
    X = random.integers(0, 2, (n_rows, n)).astype(bool)
    literals = random.integers(-1, 2, n)
    y = ((literals == -1) | (literals == X)).all(axis=1)
    learner, batches = OnlineFindS(), OnlineFindS()
    played = play(learner, X.astype(object), y, classes=[False, True])
    assert played.mistakes == learner.mistakes_ <= learner.bound_ == n + 1
    assert not (played.wrong & ~y).any()
    for row in range(n_rows):
        batches.partial_fit(X[[row]].astype(object), y[[row]], classes=[False, True])
    assert batches.history_.mistakes.tolist() == learner.history_.mistakes.tolist()
    assert [r.conditions for r in batches.hypothesis_.rules] == [
        r.conditions for r in learner.hypothesis_.rules
    ]


def test_the_concept_of_the_book():
    X, y = induce.dataset("enjoy-sport")
    learner = OnlineFindS(positive="Yes").fit(X, y)
    assert learner.hypothesis_.rules[0].premise() == "Sky = Sunny AND AirTemp = Warm AND Wind = Strong"


def test_positive_class_missing_values_and_bad_input():
    X = pl.DataFrame({"a": ["u", "u", None], "b": ["p", "q", "p"]})
    learner = OnlineFindS(positive="no").fit(X, ["no", "yes", "no"])
    assert learner.hypothesis_.rules[0].premise() == "b = p"
    assert learner.predict(X).tolist() == ["no", "yes", "no"]
    with pytest.raises(
        induce.InputError, match="positive is 'maybe', which is not a class; the classes are 'no', 'yes'"
    ):
        OnlineFindS(positive="maybe").fit(X, ["no", "yes", "no"])
    with pytest.raises(induce.InputError, match="3 classes, but a conjunction describes one of two"):
        OnlineFindS().fit(X, ["a", "b", "c"])


def test_without_a_literal_nothing_is_positive_until_a_positive_row_came(tmp_path):
    """A column of which no value is known has no literals."""
    X = pl.DataFrame({"n": [None, None]}, schema={"n": pl.Float64})
    learner = OnlineFindS().partial_fit(X, ["no", "no"], classes=["no", "yes"])
    assert (learner.mistakes_, learner.predict(X).tolist()) == (0, ["no", "no"])
    assert str(learner.hypothesis_) == "DEFAULT no (2/2)"
    induce.save(learner, tmp_path / "empty.induce")
    again = induce.load(tmp_path / "empty.induce")
    again.partial_fit(X, ["yes", "yes"])
    assert (again.mistakes_, again.predict(X).tolist()) == (1, ["yes", "yes"])


def test_one_class_only():
    learner = OnlineFindS()
    played = play(learner, [["a"], ["b"]], ["same", "same"])
    assert played.mistakes == learner.mistakes_ == 0
    assert learner.predict([["c"]]).tolist() == ["same"]
