"""Comparisons: the printed procedure, second opinions, what is the same whichever way round, bad input."""

import math
import warnings
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import make_scorer, recall_score
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from statsmodels.stats.contingency_tables import mcnemar as other_mcnemar
from statsmodels.stats.multitest import multipletests

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.core.progress import progress
from induce.evaluation.comparing.comparison import compare, comparison_of
from induce.evaluation.comparing.significance import TESTS, judge
from induce.evaluation.comparing.trials import Trial
from induce.evaluation.estimating.scores import RowScoring
from induce.evaluation.estimating.splits import plan
from induce.evaluation.losses.rows import LOSSES
from induce.evaluation.losses.table import LossTable

X, CODES = load_wine(return_X_y=True)
Y = np.array(["barolo", "grignolino", "barbera"])[CODES]
TREE = DecisionTreeClassifier(random_state=0, max_depth=3)
BAYES = GaussianNB()
PAIR = {"tree": TREE, "bayes": BAYES}
RX, RY = make_regression(120, 4, n_informative=2, noise=20, random_state=3)
RESAMPLING = [test for test in TESTS if test != "mcnemar"]

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")


def scored(learner, splits):
    return 1 - cross_val_score(learner, X, Y, cv=list(splits))


def test_the_differences_are_those_of_table_5_5():
    folds = StratifiedKFold(10, shuffle=True, random_state=4)
    found = compare(PAIR, X, Y, random_state=4)
    expected = scored(TREE, folds.split(X, Y)) - scored(BAYES, folds.split(X, Y))
    assert found.pairs[0].differences == pytest.approx(expected)
    assert found.means["tree"] - found.means["bayes"] == pytest.approx(expected.mean())
    assert found.best == "bayes"
    assert np.ptp(expected) > 0


def test_paired_t_is_that_of_scipy():
    found = compare(PAIR, X, Y, test="paired t")
    expected = stats.ttest_rel(found.scores[:, 0], found.scores[:, 1])
    verdict = found.pairs[0].verdict
    low, high = expected.confidence_interval(0.95)
    assert (verdict.statistic, verdict.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert (verdict.interval.low, verdict.interval.high) == pytest.approx((low, high))


def test_paired_t_of_the_book():
    deltas = np.array([0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05, 0.04])
    verdict = judge("paired t", Trial(deltas + 0.2, None), Trial(np.full(11, 0.2), None), math.nan)
    assert verdict.difference == pytest.approx(0.03)
    assert verdict.difference / verdict.statistic == pytest.approx(0.0064666979)
    assert verdict.statistic == pytest.approx(4.6391528)
    assert verdict.p_value == pytest.approx(0.00092319, abs=1e-8)
    assert (verdict.interval.low, verdict.interval.high) == pytest.approx((0.0155912991, 0.0444087009))
    assert verdict.degrees == 10


@pytest.mark.parametrize(("test", "times"), [("corrected t", 1), ("cautious t", 2)])
def test_corrected_t_by_hand(test, times):
    found = compare(PAIR, X, Y, cv=5, repeats=3, test=test, random_state=1)
    splits = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=1)
    deltas = scored(TREE, splits.split(X, Y)) - scored(BAYES, splits.split(X, Y))
    made = plan(X, Y, 5, repeats=3, random_state=1)
    share = np.mean([len(test) / len(train) for train, test in made.splits])
    statistic = deltas.mean() / math.sqrt((1 / 15 + times * share) * deltas.var(ddof=1))
    assert found.pairs[0].verdict.statistic == pytest.approx(statistic)
    assert found.pairs[0].verdict.p_value == pytest.approx(2 * stats.t.sf(abs(statistic), 14))
    assert found.method == "3 times 5-fold cross-validation"


@pytest.mark.parametrize("how", [{}, {"test_size": 90}], ids=["folds", "hold-out"])
def test_mcnemar_is_that_of_statsmodels(how):
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    found = compare([stump, BAYES], X, Y, test="mcnemar", **how)
    made = plan(X, Y, **how)
    wrong = [
        np.concatenate(
            [learner.fit(X[train], Y[train]).predict(X[test]) != Y[test] for train, test in made.splits]
        )
        for learner in (stump, BAYES)
    ]
    table = [[(~wrong[0] & ~wrong[1]).sum(), (~wrong[0] & wrong[1]).sum()]]
    table.append([(wrong[0] & ~wrong[1]).sum(), (wrong[0] & wrong[1]).sum()])
    expected = other_mcnemar(table, exact=table[0][1] + table[1][0] < 25)
    assert found.pairs[0].verdict.p_value == pytest.approx(float(expected.pvalue))
    assert found.pairs[0].differs()


def test_wilcoxon_and_sign_are_those_of_scipy():
    for test in ("wilcoxon", "sign"):
        deltas = (found := compare(PAIR, X, Y, test=test)).pairs[0].differences
        nonzero = deltas[deltas != 0]
        if test == "sign":
            expected = stats.binomtest(int((nonzero > 0).sum()), len(nonzero)).pvalue
        else:
            ties = len(np.unique(np.abs(nonzero))) < len(nonzero)
            expected = stats.wilcoxon(nonzero, method="approx" if ties else "exact", correction=ties).pvalue
        assert found.pairs[0].verdict.p_value == pytest.approx(expected)


def test_5x2cv_halves_the_rows_five_times():
    found = compare(PAIR, X, Y, test="5x2cv")
    assert found.scores.shape == (10, 2)
    deltas = found.pairs[0].differences.reshape(5, 2)
    statistic = deltas[0, 0] / math.sqrt((deltas.var(axis=1, ddof=1)).mean())
    assert found.pairs[0].verdict.statistic == pytest.approx(statistic)
    assert found.pairs[0].verdict.degrees == 5


@pytest.mark.compiled
def test_p_values_of_several_pairs_are_corrected_by_holm():
    found = compare([TREE, BAYES, KNeighborsClassifier(), DummyClassifier()], X, Y)
    raw = [pair.verdict.p_value for pair in found.pairs]
    assert [pair.p_value for pair in found.pairs] == pytest.approx(multipletests(raw, method="holm")[1])
    assert len(raw) == 6
    assert "corrected for 6 pairs (Holm)" in str(found)
    assert "Holm" not in str(compare(PAIR, X, Y))


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers the rows it was given, and says the first class."""

    seen: ClassVar[list] = []

    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        Recorder.seen.append((self.number, tuple(X[:, 0])))
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_all_learners_get_the_same_rows():
    Recorder.seen = []
    rows = np.arange(20.0)[:, None]
    compare([Recorder(1), Recorder(2)], rows, ["a", "b"] * 10, cv=5)
    by_learner = [[given for number, given in Recorder.seen if number == k] for k in (1, 2)]
    assert by_learner[0] == by_learner[1]
    assert len(by_learner[0]) == 5


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_the_same_whatever_n_jobs(n_jobs):
    alone, together = (compare(PAIR, X, Y, cv=4, n_jobs=n) for n in (None, n_jobs))
    assert (alone.scores == together.scores).all()
    assert str(alone) == str(together)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, lambda d: pa.table(d)])
def test_any_frame(kind):
    frame = kind({f"x{k}": X[:, k] for k in range(13)})
    found = compare({"tree": induce.C45(), "stump": induce.DecisionStump()}, frame, list(Y), cv=5)
    assert found.pair("stump", "tree").differs()


def test_names():
    found = compare([TREE, BAYES, make_pipeline(StandardScaler(), BAYES), TREE], X, Y, cv=3)
    assert found.names == ("DecisionTreeClassifier 1", "GaussianNB", "Pipeline", "DecisionTreeClassifier 2")
    with pytest.raises(InputError, match="there is no learner 'Pipelin'; did you mean 'Pipeline'"):
        found.pair("Pipelin", "GaussianNB")


# what is the same whichever way round

deltas = arrays(
    np.float64, st.integers(10, 10), elements=st.integers(-20, 20).map(lambda n: n / 40), unique=False
)


@given(deltas, st.sampled_from(RESAMPLING))
def test_swapping_negates_the_difference_and_keeps_p(values, test):
    one, other = Trial(values, None), Trial(np.zeros(10), None)
    there, back = judge(test, one, other, 1 / 9), judge(test, other, one, 1 / 9)
    assert there.difference == -back.difference
    assert (there.p_value == back.p_value) or (math.isnan(there.p_value) and math.isnan(back.p_value))
    if there.interval is not None:
        assert (there.interval.low, there.interval.high) == pytest.approx(
            (-back.interval.high, -back.interval.low)
        )


@given(arrays(np.bool_, (2, 40)))
def test_swapping_mcnemar(wrong):
    one, other = (Trial(row.mean(keepdims=True), row.astype(float)) for row in wrong)
    there, back = judge("mcnemar", one, other, 1.0), judge("mcnemar", other, one, 1.0)
    assert (there.difference, there.p_value) == (-back.difference, back.p_value)


@given(arrays(np.float64, 10, elements=st.floats(0, 1)), st.sampled_from(TESTS))
def test_against_itself_there_is_no_evidence(scores, test):
    trial = Trial(scores, (scores > 0.5).astype(float))
    splits = plan(np.zeros((20, 1)), np.array([0, 1] * 10), 2 if test == "5x2cv" else 10)
    scoring = RowScoring("error", LOSSES["zero-one"], proportion=True)
    pair = comparison_of({"a": trial, "b": trial}, splits, scoring, test, 0.95).pairs[0]
    assert pair.p_value == 1
    assert pair.verdict.difference == 0
    assert pair.says() == "no evidence of a difference: p = 1"


@pytest.mark.parametrize("test", TESTS)
def test_a_learner_against_itself(test):
    found = compare({"a": TREE, "b": TREE}, X, Y, test=test)
    assert found.pairs[0].p_value == 1
    assert "no evidence" in str(found)


# what to compare by


def test_regressors_are_compared_by_the_absolute_error():
    found = compare([LinearRegression(), DecisionTreeRegressor(random_state=0)], RX, RY, cv=5)
    folds = KFold(5, shuffle=True, random_state=0)
    expected = -cross_val_score(LinearRegression(), RX, RY, cv=folds, scoring="neg_mean_absolute_error")
    assert found.scores[:, 0] == pytest.approx(expected)
    assert found.pairs[0].says().startswith("LinearRegression has the lower mean absolute error: p ")


def test_a_loss_of_each_row():
    def far(actual, predicted):
        return np.abs(actual - predicted) > 30

    found = compare([LinearRegression(), DecisionTreeRegressor(random_state=0)], RX, RY, score=far, cv=5)
    assert found.measure == "far"
    assert ((found.scores >= 0) & (found.scores <= 1)).all()
    squared = compare([LinearRegression(), Ridge(100)], RX, RY, score="squared", cv=5)
    folds = KFold(5, shuffle=True, random_state=0)
    expected = -cross_val_score(Ridge(100), RX, RY, cv=folds, scoring="neg_mean_squared_error")
    assert squared.scores[:, 1] == pytest.approx(expected)


@pytest.mark.parametrize("score", [LossTable.zero_one(np.unique(Y)), "log", "brier"])
def test_a_table_of_losses_and_probabilities(score):
    found = compare([BAYES, DummyClassifier()], X, Y, score=score, cv=5)
    assert not found.higher
    assert found.pairs[0].says().startswith("GaussianNB has the lower ")


@pytest.mark.parametrize("score", ["balanced_accuracy", make_scorer(recall_score, average="macro")])
def test_scorers_of_scikit_learn(score):
    found = compare({"bayes": BAYES, "most": DummyClassifier()}, X, Y, score=score, cv=5)
    expected = cross_val_score(
        BAYES, X, Y, cv=StratifiedKFold(5, shuffle=True, random_state=0), scoring=score
    )
    assert found.scores[:, 0] == pytest.approx(expected)
    assert found.higher
    assert found.best == "bayes"
    assert found.pairs[0].says().startswith("bayes has the higher ")


def test_one_split_compares_the_hypotheses():
    found = compare(PAIR, X, Y, test_size=90)
    train, test = plan(X, Y, test_size=90).splits[0]
    wrong = [learner.fit(X[train], Y[train]).predict(X[test]) != Y[test] for learner in (TREE, BAYES)]
    expected = stats.ttest_rel(*[each.astype(float) for each in wrong])
    assert found.scores.shape == (1, 2)
    assert found.pairs[0].verdict.p_value == pytest.approx(expected.pvalue)
    assert "one split compares these hypotheses, not the learners on other training rows" in found.remarks[0]


def test_fitted_learners_on_given_rows():
    fitted = {"tree": TREE.fit(X[::2], Y[::2]), "most": DummyClassifier().fit(X[::2], Y[::2])}
    found = compare(fitted, X[1::2], Y[1::2], cv=None, test="mcnemar")
    assert found.means["tree"] == pytest.approx((TREE.predict(X[1::2]) != Y[1::2]).mean())
    assert found.pairs[0].differs()
    with pytest.raises(InputError, match="GaussianNB is not fitted"):
        compare([TREE, GaussianNB()], X, Y, cv=None)


def test_leaving_one_out():
    found = compare(PAIR, X[::4], Y[::4], cv="loo")
    assert found.method == "leave-one-out"
    assert len(found.scores) == len(X[::4])


# what to bear in mind


def test_small_test_sets_are_remarked_on():
    assert compare(PAIR, X, Y).remarks[0].startswith("the smallest test set has only 17 rows")
    assert compare(PAIR, X, Y, cv=5).remarks == ()
    assert "at least 30" in str(compare(PAIR, X, Y))


@pytest.mark.filterwarnings("default")
def test_the_plain_t_test_warns_of_splits_that_share_rows():
    splits = ShuffleSplit(8, test_size=60, random_state=0)
    with pytest.warns(
        Note, match="the splits share test and training rows, .*'cautious t' allows for the overlap"
    ):
        compare(PAIR, X, Y, splits, test="paired t")
    with pytest.warns(Note, match="the splits share training rows"):
        compare(PAIR, X, Y, 5, test="wilcoxon")
    with warnings.catch_warnings():
        warnings.simplefilter("error", Note)
        compare(PAIR, X, Y, splits)


def test_progress_is_reported():
    seen = []
    with progress(seen.append):
        compare(PAIR, X, Y, cv=4)
    assert seen == [k / 8 for k in range(1, 9)]


def test_what_is_shown():
    found = compare({"<b>": TREE, "bayes": BAYES, "stump": DecisionTreeClassifier(max_depth=1)}, X, Y, cv=5)
    text = str(found)
    assert text.startswith("error by 5-fold cross-validation, 178 rows; cautious resampled t, p-values")
    assert "<b> and stump: <b> has the lower error: p " in text
    assert "bayes and stump: bayes has the lower error: p = 0.0017 (difference -0.35, approximate 95%" in text
    assert "&lt;b&gt; and stump" in found._repr_html_()
    assert "<b>" not in found._repr_html_()
    assert "effect" in text
    figure = found.draw()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["<b> - bayes", "<b> - stump", "bayes - stump"]
    beside = [each.get_text() for each in figure.axes[0].texts]
    assert beside[2] == "p = 0.0017"
    assert len(beside) == 3
    assert found.draw(figure.add_subplot()) is figure


# bad input


class Fails(DecisionTreeClassifier):
    def fit(self, X, y):
        raise RuntimeError("no luck\ntoday")


def one_class_to_learn_from():
    return [(np.arange(10), np.arange(59, 80)), (np.arange(60, 100), np.arange(10))]


@pytest.mark.parametrize(
    ("learners", "options", "sentence"),
    [
        ([], {}, "learners has nobody; give at least 2 to compare"),
        ([TREE], {}, "learners has only DecisionTreeClassifier; give at least 2 to compare"),
        (
            PAIR,
            {"test": "t"},
            "test is 't'; it can be 'cautious t', 'corrected t', 'paired t', '5x2cv', '5x2cv F', ",
        ),
        (
            PAIR,
            {"test": "5x2cv", "cv": 5},
            "the test '5x2cv' draws its own five halvings; leave out cv",
        ),
        (PAIR, {"test": "5x2cv", "test_size": 9}, "draws its own five halvings"),
        (PAIR, {"test": "mcnemar", "repeats": 2}, "the test 'mcnemar' needs every row tested once"),
        (
            PAIR,
            {"test": "mcnemar", "score": "accuracy"},
            "the test 'mcnemar' compares misclassified rows of classifiers",
        ),
        (
            PAIR,
            {"test_size": 50, "score": "accuracy"},
            "one split gives each learner a single accuracy, which cannot be tested; give cv",
        ),
        (PAIR, {"confidence": 95}, "confidence is 95; it must be a number between 0 and 1"),
        (PAIR, {"score": "acuracy"}, "there is no score 'acuracy'; did you mean 'accuracy'?"),
        (PAIR, {"cv": 1}, "cv is 1; give a number of folds from 2 to the number of rows, 178"),
        ([TREE, Ridge()], {}, "DecisionTreeClassifier predicts classes and Ridge predicts numbers; compare"),
        ({"ok": TREE, "bad": Fails()}, {}, "bad failed in fold 1 of 10: RuntimeError: no luck today"),
        (
            PAIR,
            {"cv": one_class_to_learn_from()},
            "fold 1 of 2 has only training rows of the class barolo; give fewer folds, or stratify",
        ),
        ([TREE, BAYES], {"score": lambda a, b: np.full(len(a), np.nan)}, "NaN"),
    ],
)
def test_bad_input(learners, options, sentence):
    with pytest.raises(InputError) as caught:
        compare(learners, X, Y, **options)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_kinds():
    with pytest.raises(
        TypeError, match="learners must be a dict from names to learners or a list of learners, not"
    ):
        compare(TREE, X, Y)
    with pytest.raises(TypeError, match="learner must be a scikit-learn classifier or regressor"):
        compare([TREE, DecisionTreeClassifier], X, Y)
    with pytest.raises(TypeError, match="score must be a name, a LossTable, a loss or a scorer, not 3"):
        compare(PAIR, X, Y, score=3)


def test_one_class_only():
    with pytest.raises(InputError, match="y has only one class, a; give rows of two or more classes"):
        compare(PAIR, X, ["a"] * len(X))


def test_a_score_that_is_not_a_number():
    def odd(learner, rows, actual):
        return math.nan

    with pytest.raises(InputError, match=r"tree failed in fold 1 of 10: the odd is nan; give fewer folds or"):
        compare(PAIR, X, Y, score=odd)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_test_fold_of_one_class():
    rows, classes = load_iris(return_X_y=True)
    order = [(np.arange(25, 100), np.arange(25)), (np.arange(75), np.arange(75, 100))]
    with pytest.raises(InputError, match=r"fold 1 of 2: .*one class"):
        compare([TREE, BAYES], rows[:100], classes[:100], order, score="roc_auc")
