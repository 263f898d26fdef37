"""Estimates: equal to scikit-learn's own, honest about their intervals, clear about bad input."""

import math
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression
from sklearn.metrics import brier_score_loss, cohen_kappa_score, get_scorer, log_loss, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.core.progress import progress
from induce.evaluation import evaluate
from induce.evaluation.losses.rows import LossTable
from induce.statistics.intervals import (
    bootstrap_proportion,
    cautious_mean,
    cautious_proportion,
    clopper_pearson,
    normal,
    t_mean,
    variance_over_folds,
    wilson,
)
from induce.statistics.verdicts import cautious_t, corrected_t

X, CODES = load_iris(return_X_y=True)
Y = np.array(["setosa", "versicolor", "virginica"])[CODES]
TREE = DecisionTreeClassifier(random_state=0, max_depth=2)


@pytest.mark.parametrize("stratify", [True, False])
def test_folds_are_those_of_scikit_learn(stratify: bool) -> None:
    kind = StratifiedKFold if stratify else KFold
    folds = kind(10, shuffle=True, random_state=3)
    expected = cross_val_predict(TREE, X, Y, cv=folds)
    estimate = evaluate(TREE, X, Y, stratify=stratify, random_state=3)
    assert (estimate.predicted == expected).all()
    assert (estimate.actual == Y).all()
    assert estimate.errors == (expected != Y).sum() > 0
    assert estimate.n == 150
    assert estimate.error == estimate.errors / 150
    assert estimate.accuracy == 1 - estimate.error
    assert estimate.fold_errors == tuple((expected != Y)[test].mean() for _, test in folds.split(X, Y))
    assert estimate == evaluate(TREE, X, Y, folds)


def test_cross_validated_interval_is_approximate() -> None:
    estimate = evaluate(TREE, X, Y)
    variance = variance_over_folds(estimate.fold_errors, 1 / 9)
    exact = cautious_proportion(estimate.errors, 150, variance=variance)
    assert not estimate.interval.holds
    assert estimate.interval.approximate
    assert "share training rows" in estimate.interval.preconditions
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx((exact.low, exact.high))
    assert estimate.interval.low <= estimate.error <= estimate.interval.high
    assert estimate.standard_deviation == math.sqrt(estimate.error * estimate.accuracy / 150)
    assert estimate.seconds > 0


def test_text() -> None:
    rows, classes = [[0]] * 14, ["no"] * 3 + ["yes"] * 11
    estimate = evaluate(DummyClassifier(), rows, classes, cv=10, stratify=False)
    assert (
        str(estimate)
        == "error 0.21, approximate 95% interval [0.01, 0.74] (10-fold cross-validation, 14 rows)"
    )
    html = estimate._repr_html_()
    assert "error 0.21" in html
    assert "share training rows" in html
    assert "predicted" not in repr(estimate)


def test_hold_out_is_that_of_scikit_learn() -> None:
    rows, classes = load_breast_cancer(return_X_y=True)
    estimate = evaluate(TREE, rows, classes, test_size=0.3, random_state=1)
    train_rows, test_rows, train, test = train_test_split(
        rows, classes, test_size=0.3, stratify=classes, random_state=1
    )
    wrong = clone(TREE).fit(train_rows, train).predict(test_rows) != test
    assert estimate.errors == wrong.sum() > 0
    assert estimate.n == test.size == 171
    assert estimate.method == "hold-out"
    assert estimate.fold_errors == (estimate.error,)
    assert estimate.interval == clopper_pearson(int(wrong.sum()), 171)
    assert not estimate.interval.approximate


def test_hold_out_of_a_number_of_rows() -> None:
    assert evaluate(TREE, X, Y, test_size=30).n == 30
    assert evaluate(TREE, X, Y, test_size=np.int64(30)).n == 30
    assert evaluate(TREE, X, Y, test_size=30, stratify=False).n == 30


def test_given_data_scores_the_learner_as_it_is() -> None:
    fitted = clone(TREE).fit(X[::2], Y[::2])
    estimate = evaluate(fitted, X[1::2], Y[1::2], cv=None)
    wrong = int((fitted.predict(X[1::2]) != Y[1::2]).sum())
    assert (estimate.errors, estimate.n, estimate.method) == (wrong, 75, "given data")
    assert estimate.interval.holds
    assert "not fitted on" in estimate.interval.preconditions
    assert evaluate(fitted, X[:1], Y[:1], cv=None).n == 1


def test_learner_is_left_alone() -> None:
    tree = clone(TREE)
    evaluate(tree, X, Y, cv=2)
    assert not hasattr(tree, "tree_")


FRAMES: list[Callable[[], Any]] = [
    lambda: X,
    lambda: X.tolist(),
    lambda: pd.DataFrame(X, columns=list("abcd"), index=range(1000, 1150)),
    lambda: pl.DataFrame(X, schema=list("abcd")),
    lambda: pa.table({name: X[:, j] for j, name in enumerate("abcd")}),
]
TARGETS: list[Callable[[], Any]] = [
    lambda: Y,
    lambda: Y.tolist(),
    lambda: pd.Series(Y, index=range(150, 0, -1)),
    lambda: pd.Series(Y, dtype="category"),
    lambda: pl.Series(Y),
    lambda: pl.Series(Y, dtype=pl.Enum(["virginica", "versicolor", "setosa"])),
    lambda: pa.array(Y),
    lambda: pa.chunked_array([Y[:70], Y[70:]]),
]


@pytest.mark.parametrize("frame", FRAMES)
def test_frames(frame: Callable[[], Any]) -> None:
    assert evaluate(TREE, frame(), Y, cv=3) == evaluate(TREE, X, Y, cv=3)
    assert evaluate(TREE, frame(), Y, test_size=0.3) == evaluate(TREE, X, Y, test_size=0.3)


@pytest.mark.parametrize("target", TARGETS)
def test_targets(target: Callable[[], Any]) -> None:
    assert evaluate(TREE, X, target(), cv=3) == evaluate(TREE, X, Y, cv=3)


@pytest.mark.parametrize("classes", [CODES, CODES == 1, pl.Series(CODES), pl.Series(CODES == 1)])
def test_classes_that_are_numbers_or_truth_values(classes: Any) -> None:
    estimate = evaluate(TREE, X, classes, cv=3)
    assert estimate.actual.tolist() == np.asarray(classes).tolist()
    assert 0 < estimate.error < 0.4


def test_same_seed_same_estimate_whatever_the_threads() -> None:
    tree = DecisionTreeClassifier(max_features=1, random_state=5)
    one = evaluate(tree, X, Y, random_state=7)
    assert one == evaluate(tree, X, Y, random_state=7, n_jobs=2)
    assert one == evaluate(tree, X, Y, random_state=7, n_jobs=-1)
    assert one.fold_errors != evaluate(tree, X, Y, random_state=8).fold_errors


def test_pipeline() -> None:
    pipeline = make_pipeline(StandardScaler(), clone(TREE))
    assert evaluate(pipeline, X, Y, cv=3).n == 150
    assert evaluate(pipeline.fit(X, Y), X, Y, cv=None).n == 150


def test_rows_tested_repeatedly_count_once() -> None:
    repeated = evaluate(TREE, X, Y, RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0))
    once = evaluate(TREE, X, Y, 5)
    assert repeated.n == 150
    assert repeated.method == "20 splits by RepeatedStratifiedKFold"
    assert len(repeated.fold_errors) == 20
    assert repeated.predicted.size == 600
    assert repeated.error == pytest.approx(np.mean(repeated.fold_errors))
    width = repeated.interval.high - repeated.interval.low
    assert width == pytest.approx(once.interval.high - once.interval.low, rel=0.2)
    narrow = evaluate(TREE, X, Y, RepeatedStratifiedKFold(n_splits=5, random_state=0), confidence=0.001)
    assert narrow.interval.low <= narrow.error <= narrow.interval.high


def test_other_splitters() -> None:
    assert evaluate(TREE, X[50:], Y[50:], LeaveOneOut()).method == "leave-one-out"
    in_time = evaluate(TREE, X[::-1], Y[::-1], TimeSeriesSplit(2))
    assert (in_time.n, in_time.method) == (100, "2 splits by TimeSeriesSplit")
    single = evaluate(TREE, X, Y, ShuffleSplit(1, test_size=30, random_state=0))
    assert (single.n, single.method, single.interval.holds) == (30, "hold-out", True)


def test_rare_class_gives_a_note_and_the_others_stay_stratified() -> None:
    classes = np.where(np.arange(150) < 3, "rare", "common")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimate = evaluate(TREE, X, classes)
    assert [str(warning.message) for warning in caught] == [
        "a class has only 3 rows, so some of the 10 folds have no test row of it"
    ]
    assert issubclass(caught[0].category, Note)
    assert estimate.n == 150


@pytest.mark.parametrize(("rare", "size"), [(1, 30), (2, 1), (2, 149)])
def test_hold_out_too_small_for_strata_gives_a_note(rare: int, size: int) -> None:
    classes = np.where(np.arange(150) < rare, "rare", "common")
    with pytest.warns(
        Note, match="some class has too few rows to stratify the hold-out, so it is drawn at random"
    ):
        assert evaluate(TREE, X, classes, test_size=size).n == size


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cv": 151}, "cv is 151; give a number of folds from 2 to the number of rows, 150"),
        ({"cv": 1}, "cv is 1; give a number of folds from 2 to the number of rows, 150"),
        ({"X": X[:1], "y": Y[:1]}, "X has one row, which leaves none to test on; give at least two"),
        ({"X": X[:0], "y": Y[:0]}, "X has no rows; give at least one"),
        ({"y": Y[:149]}, "X has 150 rows and y has 149; give one class or number per row"),
        ({"y": np.ones((150, 1))}, "y must be one column of classes, but its shape is (150, 1)"),
        ({"test_size": 0.0}, "test_size must be a fraction between 0 and 1 or a number of rows, not 0.0"),
        ({"test_size": 1.5}, "test_size must be a fraction between 0 and 1 or a number of rows, not 1.5"),
        (
            {"test_size": 150},
            "test_size 150 of 150 rows leaves no training rows or no test rows; give another size",
        ),
        (
            {"test_size": 0.999},
            "test_size 0.999 of 150 rows leaves no training rows or no test rows; give another size",
        ),
        ({"confidence": 95}, "confidence must lie between 0 and 1, not 95"),
        (
            {"cv": None},
            "DecisionTreeClassifier is not fitted, but cv=None scores it as it is; fit it first or give cv",
        ),
        ({"y": ["a"] * 75 + [1] * 75}, "y mixes strings with other values; convert them all to strings"),
    ],
)
def test_refusals(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(TREE, **({"X": X, "y": Y} | change))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "classes",
    [
        ["a", None, "b", "a"],
        ["a", math.nan, "b", "a"],
        np.array([0.0, math.nan, 1.0, 0.0]),
        pd.Series(["a", None, "b", "a"]),
        pd.Series([1, None, 2, 1], dtype="Int64"),
        pd.Series([True, None, False, True], dtype="boolean"),
        pl.Series(["a", None, "b", "a"], dtype=pl.Enum(["a", "b"])),
        pl.Series([1, None, 2, 1]),
        pa.array(["a", None, "b", "a"]),
        pa.array([True, None, False, True]),
    ],
)
def test_missing_classes_are_refused(classes: Any) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(TREE, X[:4], classes, cv=2)
    assert str(caught.value) == "y is missing in 1 row; leave those rows out"


def test_splitter_that_cannot_split() -> None:
    with pytest.raises(InputError, match="cv cannot split these rows: "):
        evaluate(TREE, X, Y, GroupKFold(3))


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (
            StandardScaler(),
            "only classifiers, regressors and density estimators can be evaluated, and StandardScaler is none "
            "of these",
        ),
        (DecisionTreeClassifier, "learner must be a scikit-learn classifier or regressor"),
        ("tree", "learner must be a scikit-learn classifier or regressor"),
    ],
)
def test_other_learners(learner: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        evaluate(learner, X, Y)


def test_learner_of_other_classes() -> None:
    with pytest.raises(InputError) as caught:
        evaluate(clone(TREE).fit(X, Y), X, CODES, cv=None)
    assert str(caught.value) == "'setosa' is predicted where y has 0; use the classes that were learned"


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_progress_is_that_of_the_whole(n_jobs: int | None) -> None:
    shares: list[float] = []
    with progress(shares.append):
        evaluate(TREE, X, Y, cv=4, n_jobs=n_jobs)
    assert sorted(shares) == [0.25, 0.5, 0.75, 1.0]


BAYES = GaussianNB()
TWO = CODES[50:] == 1
PAIR = X[50:]


def test_zero_one_intervals_are_those_of_the_statistics() -> None:
    estimate = evaluate(TREE, X, Y, test_size=60)
    r, n = estimate.errors, 60
    assert r > 0
    for method, expected in {
        "clopper-pearson": clopper_pearson,
        "wilson": wilson,
        "normal": normal,
        "bootstrap": bootstrap_proportion,
    }.items():
        for confidence in (0.68, 0.9, 0.99):
            for sides in ("two", "lower", "upper"):
                assert estimate.interval_by(method, confidence, sides) == expected(r, n, confidence, sides)
    wrong = (estimate.predicted != estimate.actual).astype(float)
    student = estimate.interval_by("t")
    assert student.high == pytest.approx(t_mean(wrong).high)
    assert not student.holds
    assert estimate.interval == estimate.interval_by()


def test_one_sided_bound_of_the_book() -> None:
    """Mitchell, section 5.3.6: 12 of 40 wrong, so with 97.5% confidence the error is at most 0.44."""
    rows, classes = np.zeros((40, 1)), np.array(["yes"] * 28 + ["no"] * 12)
    fitted = DummyClassifier(strategy="constant", constant="yes").fit(rows, classes)
    estimate = evaluate(fitted, rows, classes, cv=None, confidence=0.975, interval="normal", sides="upper")
    assert estimate.error == pytest.approx(0.3)
    assert estimate.standard_deviation == pytest.approx(0.0724568837)
    assert estimate.interval.high == pytest.approx(0.4420154921, abs=1e-5)
    assert estimate.interval.low == 0
    assert "approximate 97.5% upper bound 0.44" in str(estimate)
    two = estimate.interval_by("clopper-pearson", 0.95, "two")
    assert (two.low, two.high) == pytest.approx((0.1656272044, 0.4653162853))


def test_table_of_intervals() -> None:
    table = evaluate(TREE, X, Y, test_size=60).intervals(0.9)
    assert [each.method for each in table] == [
        "Clopper-Pearson",
        "Wilson",
        "normal",
        "t",
        "bootstrap, percentile",
    ]
    assert len(table) == 5
    assert table[0].confidence == 0.9
    lines = str(table).splitlines()
    assert lines[0].startswith("Clopper-Pearson        90% interval [")
    assert lines[0].endswith("holds: independent rows")
    assert "is below 5, so use the exact interval" in lines[2]
    assert "does not hold" in lines[2]
    assert table._repr_html_().count("<tr>") == 6
    crossed = evaluate(TREE, X, Y).intervals(sides="upper")
    assert {each.sides for each in crossed} == {"upper"}
    assert not any(each.holds for each in crossed)
    assert all("share training rows" in each.preconditions for each in crossed)


def test_picture_of_intervals() -> None:
    table = evaluate(TREE, X, Y).intervals()
    (axes,) = table.draw().axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [each.method for each in table]
    assert axes.get_title(loc="left") == "95% intervals; dashed: assumptions violated"
    figure = Figure()
    own = figure.add_subplot()
    bounds = evaluate(TREE, X, Y, test_size=60).intervals(sides="lower")
    assert bounds.draw(own) is figure
    assert own.get_title(loc="left").startswith("95% lower bounds")


@pytest.mark.parametrize("method", ["normal", "t", "bootstrap"])
def test_intervals_hold_only_for_rows_not_learned_from(method: str) -> None:
    loss = {"score": "log"}
    held = evaluate(BAYES, X, Y, test_size=60, **loss).interval_by(method)
    crossed = evaluate(BAYES, X, Y, **loss).interval_by(method)
    assert held.holds == (method != "t")
    assert not crossed.holds
    assert "share training rows" in crossed.preconditions
    assert held.low >= 0


def test_named_losses_are_those_of_scikit_learn() -> None:
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    chances = cross_val_predict(BAYES, X, Y, cv=folds, method="predict_proba")
    log = evaluate(BAYES, X, Y, score="log")
    assert log.error == pytest.approx(log_loss(Y, chances))
    assert log.measure == "log loss"
    losses = -np.log(chances[np.arange(150), CODES])
    variance = variance_over_folds(log.fold_errors, 1 / 9)
    assert log.interval.high == pytest.approx(cautious_mean(losses, variance=variance).high)
    assert log.interval_by("t").high == pytest.approx(t_mean(losses).high)
    assert log.errors == (cross_val_predict(BAYES, X, Y, cv=folds) != Y).sum()
    assert evaluate(BAYES, X, Y, score="brier").error == pytest.approx(
        brier_score_loss(Y, chances, labels=np.unique(Y))
    )
    two = cross_val_predict(BAYES, PAIR, TWO, cv=folds, method="predict_proba")
    assert evaluate(BAYES, PAIR, TWO, score="brier").error == pytest.approx(brier_score_loss(TWO, two[:, 1]))
    assert evaluate(BAYES, X, Y, score="zero-one") == evaluate(BAYES, X, Y)


def test_class_that_no_training_row_has() -> None:
    rows, classes = np.arange(6.0).reshape(-1, 1), np.array(list("aabbcc"))
    split = [([0, 1, 2, 3], [4, 5])]
    assert evaluate(BAYES, rows, classes, split, score="brier").error == pytest.approx(2, abs=1e-3)
    assert evaluate(BAYES, rows, classes, split, score="log").error == pytest.approx(-math.log(2**-52))
    given = clone(BAYES).fit(rows, classes)
    assert evaluate(given, rows[:2], classes[:2], cv=None, score="log").error < 0.1


def test_losses_of_ones_own() -> None:
    def far(actual: Any, predicted: Any) -> Any:
        return np.where(actual == predicted, 0, np.where(actual == "setosa", 5, -1))

    estimate = evaluate(TREE, X, Y, score=far)
    wrong = estimate.predicted != estimate.actual
    assert wrong.any()
    assert estimate.error == pytest.approx(-wrong.mean())
    assert estimate.measure == "far"
    table = LossTable.read("setosa>virginica=5, versicolor>virginica=1, virginica>versicolor=2, *=3")
    by_table = evaluate(TREE, X, Y, score=table)
    assert by_table.error == pytest.approx(table.of(by_table.actual, by_table.predicted).mean())
    assert by_table.interval.low >= 0

    class Costs:
        def of(self, actual: Any, predicted: Any) -> Any:
            return far(actual, predicted)

    assert evaluate(TREE, X, Y, score=Costs()).error == estimate.error


@pytest.mark.parametrize("score", ["roc_auc_ovr", "f1_macro", "accuracy", make_scorer(cohen_kappa_score)])
def test_scores_are_those_of_scikit_learn(score: Any) -> None:
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=2)
    expected = cross_val_score(BAYES, X, Y, cv=folds, scoring=score)
    estimate = evaluate(BAYES, X, Y, 5, repeats=3, score=score, random_state=2)
    assert estimate.fold_values == pytest.approx(expected)
    assert estimate.value == pytest.approx(expected.mean())
    assert estimate.n == 150
    assert estimate.higher
    spread = math.sqrt((1 / 15 + 1 / 4) * expected.var(ddof=1))
    assert estimate.standard_deviation == pytest.approx(spread)
    for method, test in (("cautious", cautious_t), ("t", corrected_t)):
        same, found = test(expected, 1 / 4).interval, estimate.interval_by(method)
        assert same is not None
        assert found.low == pytest.approx(same.low)
        assert found.high == pytest.approx(min(same.high, 1.0 if isinstance(score, str) else 9.0))
        assert found.approximate
    assert "corrected variance" in found.preconditions
    assert found.method == "corrected t over folds"
    assert estimate.interval.method == "cautious t over folds"
    assert estimate.interval_by(sides="lower").low > estimate.interval.low
    with pytest.raises(AttributeError, match="is a score to be maximised, so it has no error; use value"):
        _ = estimate.error
    with pytest.raises(
        InputError, match=r"'wilson' has no interval for this .*; the methods are 'cautious', 't'"
    ):
        estimate.interval_by("wilson")


def test_negated_scores_are_errors() -> None:
    estimate = evaluate(BAYES, X, Y, score="neg_log_loss")
    assert estimate.error == pytest.approx(
        -cross_val_score(BAYES, X, Y, cv=_folds(), scoring="neg_log_loss").mean()
    )
    assert str(estimate).startswith("log loss 0.")


def _folds() -> Any:
    return StratifiedKFold(10, shuffle=True, random_state=0)


@pytest.mark.compiled
@pytest.mark.parametrize("how", [{"cv": None}, {"test_size": 60}])
def test_one_score_of_all_rows_is_resampled(how: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("induce.evaluation.estimating.scores.RESAMPLES", 100)
    learner = clone(BAYES).fit(PAIR, TWO)
    estimate = evaluate(learner, PAIR, TWO, score="roc_auc", **how)
    own = evaluate(learner, PAIR, TWO, score=lambda fitted, X, y: get_scorer("roc_auc")(fitted, X, y), **how)
    assert estimate.value == own.value
    assert estimate.interval == own.interval  # what is recalled is what would be predicted again
    assert estimate.interval.method == "bootstrap, percentile"
    assert estimate.interval.holds
    assert estimate.interval.low < estimate.value < estimate.interval.high <= 1
    assert estimate.standard_deviation > 0
    assert estimate == evaluate(learner, PAIR, TWO, score="roc_auc", **how)
    assert estimate.n == (60 if "test_size" in how else 100)


@pytest.mark.compiled
def test_bootstrap_of_accuracy_is_that_of_the_proportion() -> None:
    estimate = evaluate(TREE, X, Y, test_size=75, score="accuracy")
    expected = bootstrap_proportion(round(75 * (1 - estimate.value)), 75)
    assert estimate.interval.low == pytest.approx(1 - expected.high, abs=0.014)
    assert estimate.interval.high == pytest.approx(1 - expected.low, abs=0.014)
    few = evaluate(TREE, X, Y, test_size=9, score="accuracy").interval
    assert not few.holds
    assert few.preconditions == "9 rows are few for a bootstrap"


def test_training_error_is_optimistic() -> None:
    tree = DecisionTreeClassifier(random_state=0)
    noisy = np.where(np.random.default_rng(0).random(150) < 0.2, "setosa", Y)
    estimate = evaluate(tree, X, noisy, train=True)
    assert estimate.train_error is not None
    assert 0 <= estimate.train_error < 0.02
    assert estimate.optimism == pytest.approx(estimate.error - estimate.train_error)
    assert estimate.optimism > 0.1
    assert "on training rows" in str(estimate)
    shares = [
        (clone(tree).fit(X[a], noisy[a]).predict(X[a]) != noisy[a]).mean()
        for a, _ in _folds().split(X, noisy)
    ]
    assert estimate.train_error == pytest.approx(np.mean(shares))
    for score in ("log", "f1_macro"):
        assert evaluate(tree, X, noisy, train=True, score=score).optimism > 0.1
    assert evaluate(tree, X, noisy).train_error is None
    with pytest.raises(AttributeError, match="evaluate with train=True"):
        _ = evaluate(tree, X, noisy).optimism


@pytest.mark.compiled
def test_leave_one_out() -> None:
    one = evaluate(TREE, X, Y, "loo")
    assert one == evaluate(TREE, X, Y, LeaveOneOut())
    folds = evaluate(TREE, X, Y, 150, stratify=False)
    assert (one.predicted == folds.predicted).all()
    assert one.error == folds.error
    assert one.interval.low == folds.interval.low
    assert one.method == "leave-one-out"


def test_leave_one_out_of_polynomials() -> None:
    """Squared error of polynomials by leave-one-out and on the rows learned from; degree 3 is the best."""
    x = np.arange(0, 6.5, 0.5).reshape(-1, 1)
    y = [1.5, 3.5625, 5.8, 5.3875, 5.6, 3.2125, 2.7, 1.0375, 1.5, 1.3625, 3.9, 6.6875, 13.3]
    tested = {0: 11.845597, 1: 13.727532, 2: 15.856274, 3: 0.440165, 4: 0.60545}
    learned = {0: 10.023197, 1: 8.570535, 2: 5.874399, 3: 0.170883, 4: 0.163958}
    for degree in tested:
        curve = make_pipeline(PolynomialFeatures(degree), LinearRegression())
        estimate = evaluate(curve, x, y, "loo", score="squared", train=True)
        assert estimate.error == pytest.approx(tested[degree], rel=1e-5)
        assert estimate.train_error == pytest.approx(learned[degree], rel=1e-5)


def test_groups_and_time() -> None:
    groups = np.arange(150) % 25
    estimate = evaluate(TREE, X, Y, 5, groups=groups)
    assert estimate.method == "5-fold cross-validation by groups"
    assert "rows of the same group are not independent" in estimate.interval.preconditions
    assert evaluate(TREE, X, Y, GroupKFold(5), groups=groups).n == 150
    assert not evaluate(TREE, X, Y, test_size=5, groups=groups).interval.holds


@pytest.mark.compiled
@settings(max_examples=15)
@given(
    seed=st.integers(0, 1000), cv=st.integers(2, 6), score=st.sampled_from([None, "log", "brier", "f1_macro"])
)
def test_neither_threads_nor_the_names_of_classes_matter(seed: int, cv: int, score: str | None) -> None:
    rows, codes = X[::3], CODES[::3]
    one = evaluate(BAYES, rows, np.array(["a", "b", "c"])[codes], cv, score=score, random_state=seed)
    two = evaluate(
        BAYES, rows, np.array(["a", "b", "c"])[codes], cv, score=score, random_state=seed, n_jobs=2
    )
    assert one == two
    assert (one.predicted == two.predicted).all()
    other = evaluate(BAYES, rows, np.array(["z", "m", "a"])[codes], cv, score=score, random_state=seed)
    assert other.value == pytest.approx(one.value)
    assert other.fold_values == pytest.approx(one.fold_values)


@given(
    wrong=st.lists(st.booleans(), min_size=1, max_size=40),
    confidence=st.floats(0.5, 0.999),
    method=st.sampled_from(["auto", "normal", "wilson", "clopper-pearson"]),
)
def test_error_is_the_share_of_wrong_rows_and_lies_in_its_interval(
    wrong: list[bool], confidence: float, method: str
) -> None:
    classes = np.where(wrong, "no", "yes")
    always = DummyClassifier(strategy="constant", constant="yes").fit([[0]] * 2, ["yes", "no"])
    estimate = evaluate(always, [[0]] * len(wrong), classes, None, confidence=confidence, interval=method)
    assert estimate.error == pytest.approx(np.mean(wrong))
    assert estimate.errors == sum(wrong)
    assert 0 <= estimate.interval.low <= estimate.error <= estimate.interval.high <= 1


def test_as_dict_has_no_arrays() -> None:
    found = evaluate(TREE, X, Y, 3).as_dict()
    assert found["error"] == found["value"]
    assert found["fold_errors"] == found["fold_values"]
    assert found["errors"] == round(found["error"] * 150)
    assert not any(isinstance(value, np.ndarray) for value in found.values())
    assert "error" not in evaluate(TREE, X, Y, 3, score="accuracy").as_dict()


@pytest.mark.compiled
@pytest.mark.parametrize("score", [None, "log", "f1_macro"])
def test_estimates_can_be_pickled(score: str | None) -> None:
    for how in ({"cv": 3}, {"test_size": 30}):
        estimate = evaluate(BAYES, X, Y, score=score, **how)
        again = pickle.loads(pickle.dumps(estimate))
        assert again == estimate
        assert again.interval_by(confidence=0.8) == estimate.interval_by(confidence=0.8)


def test_time_of_the_fits_is_known() -> None:
    estimate = evaluate(TREE, X, Y, 3)
    assert 0 < estimate.fit_seconds < estimate.seconds
    assert evaluate(clone(TREE).fit(X, Y), X, Y, None).fit_seconds == 0


@pytest.mark.parametrize(
    ("learner", "change", "message"),
    [
        (TREE, {"score": "acuracy"}, "there is no score 'acuracy'; did you mean 'accuracy'?"),
        (
            LinearSVC(),
            {"score": "log"},
            "the log loss needs probabilities, and LinearSVC has no predict_proba; give another score",
        ),
        (
            LinearSVC(),
            {"score": "neg_log_loss"},
            "LinearSVC cannot be scored in fold 1 of 10: the log loss needs a method that this learner lacks: "
            "LinearSVC has none of the following attributes: predict_proba.",
        ),
        (
            TREE,
            {"score": lambda actual, predicted: 0.5},
            "the loss function returns the shape () for 15 rows; it must return one loss per row",
        ),
        (
            TREE,
            {"score": lambda actual, predicted: np.full(len(actual), math.inf)},
            "the loss is inf for row 4; check the predictions there",
        ),
        (
            TREE,
            {"score": lambda fitted, X, y: math.nan},
            "DecisionTreeClassifier cannot be scored in fold 1 of 10: the score is nan; give fewer folds or "
            "another score",
        ),
        (
            TREE,
            {"score": lambda fitted, X, y: [1, 2]},
            "DecisionTreeClassifier cannot be scored in fold 1 of 10: the score must be one number per "
            "fold, not [1, 2]",
        ),
        (
            TREE,
            {"interval": "exact"},
            "interval is 'exact'; for this error it must be 'auto' or one of 'cautious', 'clopper-pearson', "
            "'wilson', 'normal', 't', 'bootstrap'",
        ),
        (
            TREE,
            {"interval": "wilson", "score": "log"},
            "'wilson' has no interval for this log loss; the methods are 'cautious', 't', 'normal', 'bootstrap'",
        ),
        (TREE, {"sides": "both"}, "sides must be one of two, lower, upper, not 'both'"),
        (TREE, {"groups": range(149)}, "groups has 149 for 150 rows; give one group per row"),
        (
            TREE,
            {"repeats": 3, "cv": "loo"},
            "repeats needs a number of folds or a test_size; give a splitter that repeats instead",
        ),
    ],
)
def test_more_refusals(learner: Any, change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(learner, X, Y, **change)
    assert str(caught.value) == message


def test_score_that_a_fold_of_one_class_does_not_have() -> None:
    splits = [(np.arange(25, 100), np.arange(25)), (np.arange(25), np.arange(25, 100))]
    with (
        pytest.warns(UndefinedMetricWarning),
        pytest.raises(InputError) as caught,
    ):
        evaluate(BAYES, PAIR, TWO, splits, score="roc_auc")
    assert str(caught.value) == (
        "GaussianNB cannot be scored in fold 1 of 2: the roc_auc is nan; its test rows have only one class; "
        "give fewer folds or another score"
    )


def test_learner_that_raises_is_named_with_its_fold() -> None:
    with pytest.raises(InputError, match=r"^MultinomialNB failed in fold 1 of 10: Negative values") as caught:
        evaluate(MultinomialNB(), -X, Y)
    assert isinstance(caught.value.__cause__, ValueError)


def test_score_of_another_kind() -> None:
    with pytest.raises(TypeError, match="score must be a name, a LossTable, a loss or a scorer, not 3"):
        evaluate(TREE, X, Y, score=3)
