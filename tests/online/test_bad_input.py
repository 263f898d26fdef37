"""Bad input gets one sentence that says what to do."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import induce
from induce.online.majority import Halving, RandomizedWeightedMajority, WeightedMajority
from induce.online.protocol import play
from induce.online.winnow import Winnow

X, Y = [["a", "b"], ["b", "b"]], ["a", "b"]


@pytest.mark.parametrize(
    ("learner", "rows", "answers", "message"),
    [
        (WeightedMajority([]), X, Y, "experts is empty; give at least one expert"),
        (WeightedMajority(5), X, Y, "experts is int; give a list or dict of experts"),
        (WeightedMajority([("e", len), ("e", len)]), X, Y, "two experts have the same name"),
        (WeightedMajority({"a": [0, 1], "b": [0, 1, 1]}), [0], [0], "expert 'b' says something of 3 instances"),
        (WeightedMajority([[0, 1], [1, 1]]), [2], [0], "whole numbers from 0 to 1"),
        (WeightedMajority({"f": lambda rows: ["a"]}), X, Y, r"expert 'f' gives predictions of shape \(1,\)"),
        (WeightedMajority(beta=1), X, Y, "beta is 1; it must be a number of at least 0 and below 1"),
        (WeightedMajority(ties="last"), X, Y, "ties is 'last'; it can be 'random', 'first'"),
        (RandomizedWeightedMajority(beta=0), X, Y, "beta is 0, with which one bad draw cannot be made good"),
        (RandomizedWeightedMajority(beta="auto"), X, Y, "beta is 'auto'; it must be a number above 0 and below 1"),
        (WeightedMajority(), [["a", None], ["b", "b"]], Y, "expert 'x1' makes no prediction in row 0"),
        (WeightedMajority(), pd.DataFrame({"e": [1.0, np.nan]}), [1, 0], "expert 'e' makes no prediction in row 1"),
        (WeightedMajority(), [[1, 0]], ["a"], "the experts predict text and y holds numbers, or the other way round"),
        (WeightedMajority(), X, ["a"], "X has 2 rows, y has 1"),
        (WeightedMajority(), X, ["a", None], "y holds missing values; drop the rows"),
        (WeightedMajority(), np.empty((0, 2)), [], "X has no rows"),
        (WeightedMajority(), np.empty((2, 0)), Y, "there are no experts; give one column"),
    ],
)  # fmt: skip
def test_one_sentence(learner, rows, answers, message):
    with pytest.raises(induce.InputError, match=message) as caught:
        learner.fit(rows, answers)
    assert "\n" not in str(caught.value)
    assert not hasattr(learner, "hypothesis_")


def test_something_that_predicts_nothing():
    with pytest.raises(TypeError, match="expert 'expert 2' is str, which predicts nothing"):
        WeightedMajority([len, "b"]).fit(X, Y)
    with pytest.raises(TypeError, match="cannot learn row by row; give a learner with partial_fit"):
        play(induce.ID3(), X, Y)


def test_contradictory_halving_says_which_row_and_stays_as_it_was():
    learner = Halving().partial_fit([["a", "b", "b"]], ["b"], classes=["a", "b"])
    with pytest.raises(
        induce.InputError, match=r"row 1 rules out the last of the 3 hypotheses \(x1, x2\): none agrees with"
    ):
        learner.partial_fit([["a", "b", "b"], ["b", "a", "a"]], ["b", "b"])
    assert (learner.rounds_, learner.hypothesis_.left) == (1, ("x1", "x2"))
    learner.partial_fit([["a", "a", "b"]], ["a"])
    assert learner.hypothesis_.left == ("x1",)
    with pytest.raises(induce.InputError, match="row 0 rules out the last of the 3 hypotheses"):
        learner.partial_fit([["a", "b", "b"]], ["a"])


def test_classes_that_come_later_must_be_announced():
    learner = WeightedMajority().fit(X, Y)
    with pytest.raises(
        induce.InputError, match="y holds 'c', which is none of the classes a, b; name all classes"
    ):
        learner.partial_fit(X, ["a", "c"])
    with pytest.raises(
        induce.InputError, match="expert 'x0' predicts 'c', which is none of the classes a, b"
    ):
        learner.partial_fit([["c", "a"]], ["a"])
    with pytest.raises(
        induce.InputError, match="expert 'x0' predicts 'c', which is none of the classes a, b"
    ):
        learner.predict([["c", "a"]])
    with pytest.raises(induce.InputError, match="y holds 'c', which is none of the classes a, b"):
        Winnow().fit(X, Y).partial_fit(X, ["a", "c"])
    with pytest.raises(induce.InputError, match="classes is 3; give a list of the classes that may come"):
        WeightedMajority().partial_fit(X, Y, classes=3)
    assert learner.rounds_ == 2


def test_other_experts_than_before():
    learner = WeightedMajority().fit(pd.DataFrame({"a": [0, 1], "b": [1, 1]}), [0, 1])
    with pytest.raises(
        induce.InputError, match="the columns of X are other experts than before; they were a, b"
    ):
        learner.predict(pd.DataFrame({"a": [0, 1], "c": [1, 1]}))
    with pytest.raises(
        induce.InputError, match="X has 3 features, but WeightedMajority is expecting 2 features"
    ):
        learner.predict([[0, 1, 1]])
    with pytest.raises(induce.InputError, match="give the predictions of 2 experts, one column for each"):
        learner.hypothesis_.predict([[0, 1, 1]])


@pytest.mark.parametrize("learner", [WeightedMajority(), Halving(), RandomizedWeightedMajority(), Winnow()])
def test_nothing_learned_yet(learner):
    with pytest.raises(NotFittedError):
        learner.predict(X)
    with pytest.raises(NotFittedError):
        learner.explain(X)


def test_a_fit_that_fails_leaves_nothing_half_learned():
    learner = WeightedMajority().fit(X, Y)
    with pytest.raises(induce.InputError):
        learner.fit([["a", None]], ["a"])
    with pytest.raises(NotFittedError):
        learner.predict(X)
