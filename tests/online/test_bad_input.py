"""Bad input gets one sentence that says what to do."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

import induce
from induce.online import Halving, RandomizedWeightedMajority, WeightedMajority
from induce.online.learners.decision_list_classifier import DecisionListClassifier
from induce.online.learners.online_find_s import OnlineFindS
from induce.online.learners.winnow import Winnow
from induce.online.studies.protocol import play

X, Y = [["a", "b"], ["b", "b"]], ["a", "b"]


@pytest.mark.parametrize(
    ("learner", "rows", "answers", "message"),
    [
        (WeightedMajority([]), X, Y, "experts is empty; give at least one expert"),
        (WeightedMajority(5), X, Y, "experts is int; give a list or dict of experts"),
        (WeightedMajority([("e", len), ("e", len)]), X, Y, "two experts have the same name"),
        (WeightedMajority({"a": [0, 1], "b": [0, 1, 1]}), [0], [0], "expert 'b' labels 3 instances"),
        (WeightedMajority([[0, 1], [1, 1]]), [2], [0], "whole numbers from 0 to 1"),
        (WeightedMajority({"f": lambda rows: ["a"]}), X, Y, r"expert 'f' gives predictions of shape \(1,\)"),
        (WeightedMajority(beta=1), X, Y, "beta is 1; it must be a number of at least 0 and below 1"),
        (WeightedMajority(ties="last"), X, Y, "ties is 'last'; it can be 'random', 'first'"),
        (RandomizedWeightedMajority(beta=0), X, Y, "beta is 0, but one unlucky mistake would then exclude"),
        (RandomizedWeightedMajority(beta="auto"), X, Y, "beta is 'auto'; it must be a number above 0 and below 1"),
        (WeightedMajority(), [["a", None], ["b", "b"]], Y, "expert 'x1' makes no prediction in row 0"),
        (WeightedMajority(), pd.DataFrame({"e": [1.0, np.nan]}), [1, 0], "expert 'e' makes no prediction in row 1"),
        (WeightedMajority(), [[1, 0]], ["a"],  "expert 'x0' predicts numbers, but y contains text; make all classes"),
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


def test_text_with_a_hole_is_no_class_called_nan():
    rows = pd.DataFrame({"e": pd.Series(["a", np.nan, "b"], dtype=object), "f": ["a", "b", "b"]})
    with pytest.raises(induce.InputError, match="expert 'e' makes no prediction in row 1"):
        WeightedMajority().fit(rows, ["a", "b", "b"])


def test_an_expert_that_cannot_predict_is_named():
    X, y = induce.dataset("play-tennis")
    for expert, trouble in (
        (induce.ID3(), "This ID3 instance is not fitted yet"),
        (induce.ID3().fit(*induce.dataset("iris")), ""),
        (lambda rows: int("x"), "invalid literal"),
        (lambda rows: 1 + "x", "unsupported operand"),
    ):
        with pytest.raises(induce.InputError, match=f"^expert 'größe' cannot predict: {trouble}") as caught:
            WeightedMajority({"größe": expert}).fit(X, y)
        assert "\n" not in str(caught.value)


def test_a_halving_that_fails_at_once_has_learned_nothing():
    learner = Halving()
    with pytest.raises(induce.InputError, match="row 1 rules out the last"):
        learner.fit([["a", "b"], ["b", "a"]], ["a", "a"])
    with pytest.raises(NotFittedError):
        learner.predict([["a", "b"]])


NAN, INF = float("nan"), float("inf")
GOOD = pl.DataFrame({"größe ✓": ["klein", "groß", "klein", "中"], "n": [1.0, 2.0, 3.0, 4.0]})
LABELS = ["да", "нет", "да", "нет"]
HOLES = {"n": pl.Float64, "a": pl.Enum(["u", "v"]), "t": pl.String}
TABLES = [Winnow, OnlineFindS, DecisionListClassifier]


@pytest.mark.filterwarnings("ignore::induce.Note")
@pytest.mark.parametrize("learner", TABLES)
@pytest.mark.parametrize(
    ("rows", "answers"),
    [
        (GOOD, LABELS),
        (GOOD[:1], ["да"]),
        (GOOD, ["да"] * 4),
        (pl.DataFrame(dict.fromkeys(HOLES, [None] * 4), schema=HOLES), LABELS),
        (pl.DataFrame({"a": ["u"] * 4, "n": [1.0] * 4}), LABELS),
        (np.array([[1e308], [-1e308], [NAN], [5e-324]]), LABELS),
        (pl.DataFrame({"a": [True, False, None, False]}), [True, False, True, False]),
    ],
    ids=["names", "one row", "one class", "all missing", "constant", "huge", "truth values"],
)
def test_tables_that_are_odd_but_can_be_learned_from(learner, rows, answers):
    one = learner().fit(rows, answers)
    both = [False, True] if answers[0] is True else ["да", "нет"]
    two = learner().partial_fit(rows, answers, classes=both)
    for each in (one, two):
        assert set(each.predict(rows).tolist()) <= set(each.classes_.tolist())
        assert len(each.explain(rows)) == len(answers)
        assert np.allclose(each.predict_proba(rows).sum(axis=1), 1)
        for thing in (each.hypothesis_, each.history_):
            assert str(thing)
            thing.draw().canvas.draw()
    unseen = pl.DataFrame({name: [None] for name in GOOD.columns}) if rows is GOOD else rows[:1]
    assert len(one.predict(unseen)) == 1


@pytest.mark.parametrize("learner", TABLES)
@pytest.mark.parametrize(
    ("rows", "answers", "sentence"),
    [
        (GOOD[:0], [], "the table has no rows"),
        (np.empty((2, 0)), [0, 1], "the table has no columns"),
        (np.array([[INF], [1.0]]), [0, 1], "column 'x0' holds infinity"),
        (GOOD, [1.0, NAN, 0.0, 1.0], "y holds missing values"),
        (GOOD, [1.0, INF, 0.0, 1.0], "y contains NaN or infinity"),
        (GOOD, None, "the target y is None"),
        (GOOD, ["a"], "X has 4 rows, y has 1"),
        (GOOD, ["a", 1, "b", 2], "y holds both text and numbers"),
        ("rows", LABELS, "Expected 2D array, got 0D array"),
        ([[1], [1, 2]], [0, 1], "X has rows of different lengths"),
        (pl.DataFrame({"id": ["a1", "b2", "c3", "d4"]}), LABELS, "no column is left to learn from"),
    ],
)
@pytest.mark.filterwarnings("ignore::induce.Note")
def test_tables_that_cannot_be_learned_from(learner, rows, answers, sentence):
    for one, learn in ((learner(), "fit"), (learner(), "partial_fit")):
        with pytest.raises(induce.InputError, match=sentence) as caught:
            getattr(one, learn)(rows, answers)
        assert "\n" not in str(caught.value)
        assert not hasattr(one, "hypothesis_")
        with pytest.raises(AttributeError, match="has learned nothing yet"):
            _ = one.history_


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("learner", TABLES)
def test_rows_that_do_not_go_on_where_the_first_ended(learner):
    one = learner().fit(GOOD, LABELS)
    before = one.hypothesis_
    for rows, answers, sentence in (
        (GOOD.rename({"n": "m"}), LABELS, "feature names should match"),
        (GOOD[:0], [], "give at least one row"),
        (GOOD[:, :1].to_numpy(), LABELS, "X has 1 features"),
        (GOOD, ["да", "maybe", "да", "да"], "y contains 'maybe', which is not one of the classes"),
    ):
        with pytest.raises(ValueError, match=sentence):
            one.partial_fit(rows, answers)
    assert one.hypothesis_ == before
    assert one.classes_.tolist() == ["да", "нет"]
    with pytest.warns(induce.Note, match="column 'größe ✓' contains a value that was not in the first rows"):
        one.partial_fit(GOOD.with_columns(pl.lit("neu").alias("größe ✓")), LABELS)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"alpha": INF}, "make the weights overflow"),
        ({"alpha": NAN}, "alpha is nan"),
        ({"threshold": 1e308}, "make the weights overflow"),
        ({"alpha": "2"}, "alpha is '2'"),
        ({"bins": 2.5}, "bins is 2.5"),
        ({"schema": 3}, "schema is 3"),
    ],
)
def test_parameters_of_winnow(parameters, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        Winnow(**parameters).fit(GOOD, LABELS)


@pytest.mark.parametrize(
    ("classes", "sentence"),
    [
        ([], "give a list of all possible classes"),
        ("да", "give a list of all possible classes"),
        ([1, "a"], "classes contains both text and numbers"),
        ([1.0, NAN], "classes contains a missing value or infinity"),
        (["a", None], "classes contains a missing value or infinity"),
        ([INF, 1], "classes contains a missing value or infinity"),
        ([["a"], ["b"]], "a class is text, a number, True or False"),
        (["a", "b"], "y contains 'да', which is not one of the classes a, b"),
    ],
)
@pytest.mark.parametrize("learner", [*TABLES, WeightedMajority])
def test_announced_classes(learner, classes, sentence):
    rows = [["да", "нет"]] * 4 if learner is WeightedMajority else GOOD
    with pytest.raises(
        induce.InputError, match=sentence.replace("y contains", "(y contains|expert 'x0' predicts)")
    ):
        learner().partial_fit(rows, LABELS, classes=classes)


@pytest.mark.parametrize("learner", [WeightedMajority, RandomizedWeightedMajority, Halving])
@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([["a"], ["a", "b"]], "X has rows of different lengths"),
        (pd.DataFrame([["a", "b"], ["b", "b"]], columns=["e", "e"]), "two columns of X have the same name"),
        (["a", "b"], "Expected 2D array, got 1D array"),
        ([[INF], [1.0]], "expert 'x0' predicts numbers, but y contains text"),
    ],
)
def test_predictions_that_are_none(learner, rows, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        learner().fit(rows, Y)
    with pytest.raises(TypeError, match="X is NoneType; give a frame or array"):
        learner().fit(None, Y)
    with pytest.raises(TypeError, match="X is int; give a frame or array"):
        learner([("a", len)]).fit(5, Y)


def test_experts_of_one_row_one_class_and_any_name():
    rows = pl.DataFrame({"größe ✓": ["да"], "中": ["нет"]})
    for learner in (WeightedMajority(), RandomizedWeightedMajority(), Halving()):
        learner.fit(rows, ["да"])
        assert learner.predict(rows).tolist() == ["да"]
        assert "größe ✓" in str(learner.hypothesis_)
        learner.hypothesis_.draw().canvas.draw()
        learner.fit([[1], [1]], [1, 1])
        assert (learner.mistakes_, learner.classes_.tolist()) == (0, [1])


def test_something_that_predicts_nothing():
    with pytest.raises(TypeError, match="expert 'expert 2' is str, which predicts nothing"):
        WeightedMajority([len, "b"]).fit(X, Y)
    with pytest.raises(TypeError, match="cannot learn incrementally; give a learner with partial_fit"):
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
        induce.InputError, match="y contains 'c', which is not one of the classes a, b; name all classes"
    ):
        learner.partial_fit(X, ["a", "c"])
    with pytest.raises(
        induce.InputError, match="expert 'x0' predicts 'c', which is not one of the classes a, b"
    ):
        learner.partial_fit([["c", "a"]], ["a"])
    with pytest.raises(
        induce.InputError, match="expert 'x0' predicts 'c', which is not one of the classes a, b"
    ):
        learner.predict([["c", "a"]])
    with pytest.raises(induce.InputError, match="y contains 'c', which is not one of the classes a, b"):
        Winnow().fit(X, Y).partial_fit(X, ["a", "c"])
    with pytest.raises(induce.InputError, match="classes is 3; give a list of all possible classes"):
        WeightedMajority().partial_fit(X, Y, classes=3)
    assert learner.rounds_ == 2


def test_other_experts_than_before():
    learner = WeightedMajority().fit(pd.DataFrame({"a": [0, 1], "b": [1, 1]}), [0, 1])
    with pytest.raises(
        induce.InputError, match="the columns of X are not the same experts as before, which were a, b"
    ):
        learner.predict(pd.DataFrame({"a": [0, 1], "c": [1, 1]}))
    with pytest.raises(
        induce.InputError, match="X has 3 features, but WeightedMajority is expecting 2 features"
    ):
        learner.predict([[0, 1, 1]])
    with pytest.raises(induce.InputError, match="give the predictions of 2 experts, one column for each"):
        learner.hypothesis_.predict([[0, 1, 1]])


@pytest.mark.parametrize("learner", [WeightedMajority(), Halving(), RandomizedWeightedMajority()])
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
