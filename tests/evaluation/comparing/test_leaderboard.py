"""Leaderboards: who is in, who is not and why, who differs, what is the least to read."""

import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import induce
from induce.core.declarations import EXPERTS, NUMBERS, ROWS, TEXTS
from induce.core.declarations import learners as catalogue
from induce.core.errors import InputError
from induce.core.notes import note, notes_of
from induce.data.generate import missing_values
from induce.evaluation import evaluate
from induce.evaluation.comparing.applicable import applicable, holds_numbers
from induce.evaluation.comparing.comparison import compare
from induce.evaluation.comparing.leaderboard import leaderboard
from induce.statistics import holm

X, CODES = load_wine(return_X_y=True)
Y = np.array(["barolo", "grignolino", "barbera"])[CODES]
FEW = {"tree": induce.C45(), "rules": induce.C45Rules(), "stump": induce.DecisionStump()}
pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")


@pytest.fixture(scope="module")
def board():
    return leaderboard(FEW, X, Y, random_state=3)


@pytest.mark.compiled
def test_errors_and_intervals_are_those_of_evaluate(board):
    for line in board.lines:
        alone = evaluate(FEW[line.name], X, Y, random_state=3)
        assert line.value == pytest.approx(alone.error)
        assert line.interval == alone.interval
    values = [line.value for line in board.lines]
    assert values == sorted(values)


@pytest.mark.compiled
def test_who_differs_from_the_best_is_as_compare_says(board):
    best, *others = (line.name for line in board.lines)
    found = compare(FEW, X, Y, random_state=3)
    expected = holm([found.pair(best, name).verdict.p_value for name in others])
    assert [line.p_value for line in board.lines[1:]] == pytest.approx(expected)
    assert math.isnan(board.lines[0].p_value)
    assert [line.worse for line in board.lines] == [False, False, True]


def test_the_most_readable_is_fitted_on_all_rows(board):
    fitted = induce.C45Rules().fit(X, Y).hypothesis_
    assert board.readable == "rules"
    assert board.learner.hypothesis_ == fitted
    assert str(fitted) in str(board)
    assert f"not significantly worse than the best: rules ({fitted.size()})" in str(board)
    assert min(line.parts for line in board.lines) == board.lines[-1].parts  # the stump, which is worse


def test_what_is_shown(board):
    lines = str(board).splitlines()
    assert lines[0] == "error by 10-fold cross-validation, 178 rows; cautious resampled t, Holm"
    assert re.split("  +", lines[1])[1:3] == ["error", "approximate 95% interval"]
    assert re.fullmatch(r"\w+ +0\.\d{3} +\[0\.\d+, 0\.\d+\] +\S+ +\d+ +best", lines[2])
    assert lines[4].endswith("worse: p < 0.001")
    assert "always predicting grignolino: error 0.601" in lines
    assert any("was selected by its value" in line for line in lines)
    assert "<table>" in board._repr_html_()
    figure = board.draw()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels[-1] == "stump (4)"
    assert board.draw(figure.add_subplot()) is figure


NOT_FOR_TENNIS = (EXPERTS, NUMBERS, ROWS, TEXTS)


@pytest.mark.compiled
@pytest.mark.usefixtures("small")
def test_all_learners_of_the_catalogue_are_in_or_accounted_for():
    rows, classes = induce.dataset("play-tennis")
    found = leaderboard("all", rows, classes, cv=2)
    named = {line.name for line in found.lines} | set(found.failed) | set(found.left_out)
    assert named == {entry.name for entry in catalogue() if entry.takes_tables}
    assert set(found.left_out) == {entry.name for entry in catalogue() if entry.needs in NOT_FOR_TENNIS}
    assert found.left_out["Halving"] == "it learns from the predictions of experts, not from a table"
    assert found.left_out["Rocchio"] == "it learns from text, but there is no text column"
    assert found.left_out["KernelDensity"] == ("it learns without a target, but the target is classes")
    assert set(found.failed) == {"LiteralDisjunction"}
    assert "no disjunction of tests agrees with the examples" in found.failed["LiteralDisjunction"]
    assert found.left_out["ModelTree"] == "it predicts numbers, but the target is classes"
    assert ", ModelTree" in next(note for note in found.notes() if "it predicts numbers" in note)


@pytest.mark.compiled
@pytest.mark.usefixtures("small")
def test_numbers_to_predict():
    rows, target = load_diabetes(return_X_y=True)
    found = leaderboard("all", rows[:100], target[:100], cv=3)
    assert {line.name for line in found.lines} == {
        entry.name for entry in catalogue() if entry.needs == NUMBERS
    }
    assert "it predicts classes, but the target is numbers" in found.left_out.values()
    median = np.median(target[:100])
    off = np.abs(target[:100] - median).mean()
    assert found.baseline == f"always predicting the median, {median:.4g}: mean absolute error {off:.3f}"
    assert found.measure == "mean absolute error"


def test_what_tables_learners_are_for():
    rows, _ = induce.dataset("play-tennis")
    assert "BFSID3" in applicable(rows, "classes", n_classes=2)[0]
    holes = missing_values(rows, 0.3)
    left_out = applicable(holes, "classes", n_classes=2)[1]
    assert (
        left_out["BFSID3"]
        == "it does not support missing values, but there are some in Outlook and 3 other columns"
    )
    one = rows.with_columns(
        pl.when(pl.col("Wind") == "Weak").then(None).otherwise(pl.col("Wind")).alias("Wind")
    )
    assert applicable(one, "classes", n_classes=2)[1]["BFSID3"].endswith("some in Wind")
    found = applicable(rows, "classes", 2, {"Wind": {"cost": 3}}, random_state=7)[0]
    assert found["CLS"].schema == {"Wind": {"cost": 3}}
    assert (
        found["OC1"].random_state
        == applicable(rows, "classes", 2, None, random_state=7)[0]["OC1"].random_state
    )


@pytest.mark.parametrize(
    ("y", "numbers"),
    [
        ([0.5, 1.0], True),
        ([1.0, 2.0], False),
        (range(21), True),
        (range(20), False),
        (["a", "b"], False),
        ([True, False], False),
        (pd.Series([1, None, 2.5], dtype=object), True),
        (pl.Series(["x", None]), False),
        (pd.Categorical(range(30)), True),
    ],
)
def test_numbers_or_classes(y, numbers):
    assert holds_numbers(y) is numbers


@pytest.mark.usefixtures("small")
def test_whole_numbers_can_be_either():
    target = np.arange(60) % 3
    rows = np.column_stack([target, np.arange(60)])
    numbers = leaderboard([induce.LinearRegression()], rows, target, cv=2, predict="numbers")
    assert numbers.measure == "mean absolute error"
    assert leaderboard([induce.C45()], rows, target, cv=2).measure == "error"


class Fails(DecisionTreeClassifier):
    def fit(self, X, y):
        raise RuntimeError("no luck\ntoday")


class FailsOnMany(DecisionTreeClassifier):
    """Fails in a fold, not on all rows."""

    def fit(self, X, y):
        if 100 < len(X) < 178:
            raise ValueError("too many")
        return super().fit(X, y)


class Slow(DecisionTreeClassifier):
    def fit(self, X, y):
        while len(X) > 100:
            pass
        return super().fit(X, y)


def test_who_fails_does_not_stop_the_others():
    learners = {"fails": Fails(), "many": FailsOnMany(), "slow": Slow(), "bayes": GaussianNB()}
    found = leaderboard(learners, X, Y, cv=5, time_limit=1.2)
    assert [line.name for line in found.lines] == ["bayes"]
    assert found.failed == {
        "fails": "on all rows: RuntimeError: no luck today",
        "many": "in fold 1 of 5: too many",
        "slow": "it takes longer than 0.2 s to learn, which is too slow; raise time_limit to wait for it",
    }
    assert "failed: fails: on all rows: RuntimeError: no luck today" in str(found)
    assert found.readable is None
    assert "has a readable" in str(found)


@pytest.mark.compiled
def test_an_exponential_search_does_not_hang():
    random = np.random.default_rng(0)
    rows, classes = random.normal(size=(300, 12)), random.integers(2, size=300)
    found = leaderboard([induce.BFSID3(), induce.ID3()], rows, classes, cv=2, time_limit=3)
    assert "too slow" in found.failed["BFSID3"]
    assert [line.name for line in found.lines] == ["ID3"]


def test_nobody_left():
    with pytest.raises(
        InputError, match="no learner could be evaluated; fails failed: on all rows: RuntimeError"
    ):
        leaderboard({"fails": Fails()}, X, Y)


def test_learners_without_a_size_and_scores():
    learners = [KNeighborsClassifier(), GaussianNB(), DummyClassifier(), induce.C45()]
    found = leaderboard(learners, X, Y, cv=5, score="balanced_accuracy", n_jobs=2)
    assert found.lines[0].name == "GaussianNB"
    assert found.lines[0].parts is None
    assert found.lines[-1].name == "DummyClassifier"
    assert found.baseline == ""
    values = [line.value for line in found.lines]
    assert values == sorted(values, reverse=True)
    assert found.readable == "C45"


def test_a_score_that_a_learner_does_not_have():
    class Silent(DecisionTreeClassifier):
        predict_proba = property()

    found = leaderboard({"silent": Silent(), "bayes": GaussianNB()}, X, Y, cv=3, score="log")
    assert "needs probabilities" in found.failed["silent"]


def test_one_learner_is_the_best():
    found = leaderboard([induce.C45()], X, Y, cv=3, test_size=60)
    assert found.readable == "C45"
    assert found.method == "hold-out"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"predict": "words"}, "predict is 'words'; it can be 'classes', 'numbers'"),
        ({"confidence": 0}, "confidence is 0; it must be a number between 0 and 1"),
        (
            {"learners": [LinearRegression(), GaussianNB()]},
            "LinearRegression predicts numbers and GaussianNB predicts classes",
        ),
        ({"learners": {}}, "learners has nobody; give at least 1"),
        ({"learners": [GaussianNB()], "time_limit": 0}, "the time limit is 0"),
        (
            {"learners": [GaussianNB()], "score": "acuracy"},
            "there is no score 'acuracy'; did you mean 'accuracy'?",
        ),
        (
            {"learners": [GaussianNB()], "score": "accuracy", "test_size": 50},
            "one split gives each learner a single",
        ),
    ],
)
def test_bad_input(options, sentence):
    with pytest.raises(InputError) as caught:
        leaderboard(X=X, y=Y, **{"learners": None} | options)
    assert sentence in str(caught.value)


def test_bad_targets():
    with pytest.raises(InputError, match="y has only one class, a"):
        leaderboard(FEW, X, ["a"] * len(X))
    with pytest.raises(InputError, match="X has 178 rows and y has 10"):
        leaderboard([Ridge()], X, CODES[:10])


def test_a_constant_is_not_recommended():
    rng = np.random.default_rng(0)
    rows, classes = rng.normal(size=(60, 2)), rng.choice(["a", "b"], 60, p=[0.8, 0.2])
    found = leaderboard([induce.CART()], rows, classes, cv=3)
    assert found.lines[0].size.startswith("1 node")
    assert found.readable is None


def test_notes_say_whom_they_are_from():
    with pytest.warns(induce.Note) as told, notes_of("C45"):
        note("numbers are cut")
    assert str(told[0].message) == "C45: numbers are cut"
