"""Probabilities taken at their word, and where they come from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_digits
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import ShuffleSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import induce
from induce import InputError
from induce.core.folds import folds
from induce.evaluation.curves.calibration import (
    TOP,
    calibration,
    calibration_of,
    class_scores,
    given_scores,
    reliability_curve,
)
from induce.statistics.intervals import wilson

CANCER = induce.dataset("breast-cancer")
WINE = induce.dataset("wine")


class TestScores:
    def test_same_as_scikit_learn(self):
        X, y = WINE.X.to_numpy(), WINE.y.to_numpy()
        learner = make_pipeline(StandardScaler(), LogisticRegression())
        splitter = folds(y, 5, 0)
        expected = cross_val_predict(learner, X, y, cv=splitter, method="predict_proba")
        scores = class_scores(learner, X, y, cv=5)
        np.testing.assert_allclose(scores.values, expected)
        np.testing.assert_array_equal(scores.actual, y)
        np.testing.assert_array_equal(scores.predicted, np.array(scores.classes)[expected.argmax(axis=1)])
        assert scores.method == "5-fold cross-validation"
        assert "not independent" in scores.caveat

    def test_decision_functions(self):
        X, y = CANCER.X.to_numpy(), CANCER.y.to_numpy()
        scores = class_scores(make_pipeline(StandardScaler(), LinearSVC()), X, y, cv=3)
        assert not scores.probable
        np.testing.assert_array_equal(scores.values[:, 0], -scores.values[:, 1])
        assert np.mean(scores.predicted == y) > 0.9

    def test_a_fitted_learner_is_taken_as_it_is(self):
        learner = GaussianNB().fit(WINE.X[::2].to_numpy(), WINE.y[::2].to_numpy())
        rows = WINE.X[1::2].to_numpy()
        scores = class_scores(learner, rows, WINE.y[1::2].to_numpy(), cv=None)
        np.testing.assert_array_equal(scores.values, learner.predict_proba(rows))

    def test_a_class_that_a_fold_has_not_seen_has_probability_0(self):
        X, y = np.arange(9.0).reshape(-1, 1), np.array(["a"] * 4 + ["b"] * 4 + ["c"])
        with pytest.warns(induce.Note, match="not stratified"):
            scores = class_scores(GaussianNB(), X, y, cv=9)
        assert scores.values[8, 2] == 0
        np.testing.assert_allclose(scores.values.sum(axis=1), 1)

    def test_rows_tested_several_times_count_once(self):
        X, y = WINE
        with pytest.warns(induce.Note, match="first test"):
            scores = class_scores(induce.C45(), X, y, cv=ShuffleSplit(4, test_size=0.5, random_state=0))
        assert len(scores.actual) <= 178
        with pytest.warns(induce.Note, match="first test"):
            repeated = class_scores(induce.C45(), X, y, cv=5, repeats=2)
        np.testing.assert_array_equal(repeated.values, class_scores(induce.C45(), X, y, cv=5).values)

    @pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "list"])
    def test_tables_of_all_kinds(self, kind):
        X, y = induce.dataset("iris")
        tables = {
            "pandas": (X.to_pandas(), y.to_pandas()),
            "polars": (X, y),
            "pyarrow": (X.to_arrow(), y.to_arrow()),
            "list": (X.rows(), y.to_list()),
        }
        expected = class_scores(induce.C45(), X, y, cv=3)
        scores = class_scores(induce.C45(), *tables[kind], cv=3, n_jobs=2)
        np.testing.assert_array_equal(scores.values, expected.values)

    def test_learners_without_scores(self):
        X, y = WINE.X.to_numpy(), WINE.y.to_numpy()

        class Deaf(NearestCentroid):
            predict_proba = decision_function = property()

        with pytest.raises(
            InputError, match="Deaf has no class probabilities; use a learner with predict_proba"
        ):
            class_scores(Deaf(), X, y)
        with pytest.raises(TypeError, match="LinearRegression is not one"):
            class_scores(LinearRegression(), X, y)
        with pytest.raises(InputError, match="Perceptron gives scores but no probabilities"):
            calibration(Perceptron(), X, y, cv=3)

    def test_nan_scores(self):
        class Broken(ClassifierMixin, BaseEstimator):
            def fit(self, X, y):
                self.classes_ = np.unique(y)
                return self

            def predict(self, X):
                return np.full(len(X), self.classes_[0])

            def predict_proba(self, X):
                return np.full((len(X), len(self.classes_)), np.nan)

        with pytest.raises(InputError, match=r"Broken .* in fold 1 of 3: its scores contain NaN"):
            class_scores(Broken(), WINE.X.to_numpy(), WINE.y.to_numpy(), cv=3)

    def test_one_class(self):
        with pytest.raises(InputError, match="y has only the class a"):
            class_scores(GaussianNB(), np.zeros((6, 1)), ["a"] * 6)

    @pytest.mark.parametrize(
        ("actual", "values", "classes", "message"),
        [
            (["a", "b"], [0.1, np.nan], None, "NaN"),
            (["a", "b"], [0.1, 1.2], None, "between 0 and 1"),
            (["a", "b"], [[0.1, 0.2], [0.5, 0.5]], None, "sum to 1"),
            (["a", "b"], [[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]], None, "one column per class"),
            (["a", "b"], [0.1, 0.2, 0.3], None, "3 rows"),
            (["a", "a"], [0.1, 0.2], None, "only the class a"),
            (["a", "c"], [0.1, 0.2], ["a", "b"], "class 'c'"),
        ],
    )
    def test_bad_given_scores(self, actual, values, classes, message):
        with pytest.raises(InputError, match=message):
            given_scores(actual, values, classes)


class TestReliabilityCurve:
    @given(
        rows=st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=60),
        bins=st.integers(1, 12),
        strategy=st.sampled_from(["uniform", "quantile"]),
    )
    def test_the_brier_score_is_the_sum_of_its_parts(self, rows, bins, strategy):
        hits, chances = map(np.array, zip(*rows, strict=True))
        curve = reliability_curve(hits, chances, bins=bins, strategy=strategy)
        whole = curve.reliability - curve.resolution + curve.uncertainty + curve.within
        assert curve.brier == pytest.approx(whole, abs=1e-9)
        assert curve.brier == pytest.approx(brier_score_loss(hits, chances, pos_label=True))
        assert curve.counts.sum() == len(hits)
        assert curve.expected_error <= curve.largest_error + 1e-12

    @given(
        seed=st.integers(0, 1000), bins=st.integers(2, 10), strategy=st.sampled_from(["uniform", "quantile"])
    )
    def test_agrees_with_scikit_learn(self, seed, bins, strategy):
        random = np.random.default_rng(seed)
        chances = random.beta(2, 2, 200)
        hits = random.random(200) < chances
        curve = reliability_curve(hits, chances, bins=bins, strategy=strategy)
        observed, predicted = calibration_curve(hits, chances, n_bins=bins, strategy=strategy)
        np.testing.assert_allclose(curve.observed, observed)
        np.testing.assert_allclose(curve.predicted, predicted)

    def test_intervals_are_wilsons(self):
        curve = reliability_curve([True] * 3 + [False] * 7, [0.3] * 10, confidence=0.9)
        assert curve.intervals == (wilson(3, 10, 0.9),)
        assert curve.counts.tolist() == [0, 0, 10, 0, 0, 0, 0, 0, 0, 0]
        assert curve.within == pytest.approx(0)
        doubtful = reliability_curve([True], [0.3], caveat="rows are related")
        assert not doubtful.intervals[0].holds
        assert doubtful.intervals[0].preconditions == "rows are related"

    def test_expected_error_by_hand(self):
        curve = reliability_curve([True, False, True, True], [0.2, 0.2, 0.9, 0.9], bins=2)
        assert curve.expected_error == pytest.approx(0.5 * 0.3 + 0.5 * 0.1)
        assert curve.largest_error == pytest.approx(0.3)

    def test_bad_parameters(self):
        for options, message in (
            ({"bins": 0}, "bins is 0"),
            ({"strategy": "log"}, "strategy is 'log'"),
            ({"confidence": 0}, "confidence"),
        ):
            with pytest.raises(InputError, match=message):
                reliability_curve([True], [0.5], **options)


class TestCalibration:
    def test_perfect_probabilities_are_reliable(self):
        random = np.random.default_rng(0)
        chances = random.random(20000)
        report = calibration_of(random.random(20000) < chances, chances)
        assert report[True].expected_error < 0.02
        assert report[True].reliability < 0.001

    def test_naive_bayes_is_too_sure(self):
        report = calibration(GaussianNB(), *CANCER)
        assert report.shown == "malignant"
        assert report["malignant"].observed[0] > 5 * report["malignant"].predicted[0]
        assert report["malignant"].brier == pytest.approx(report["benign"].brier)
        assert not report["malignant"].intervals[0].holds
        assert "probability of malignant, 10-fold cross-validation, 569 rows" in str(report)
        assert "Brier score" in report._repr_html_()

    def test_many_classes(self):
        X, y = load_digits(return_X_y=True)
        report = calibration(GaussianNB(), X, y, cv=3)
        assert report.shown == TOP
        assert set(report.curves) == {TOP, *range(10)}
        scores = class_scores(GaussianNB(), X, y, cv=3)
        error = 1 - np.mean(scores.predicted == scores.actual)
        curve = report[TOP]
        right = np.average(curve.observed, weights=curve.counts[curve.counts > 0])
        assert right == pytest.approx(1 - error)
        assert report.brier == pytest.approx(sum(report[digit].brier for digit in range(10)))
        assert "class 8 has the largest" in str(report)
        assert "probability of 3" in str(report.of(3))

    def test_a_class_that_is_not_there(self):
        with pytest.raises(InputError, match="there is no curve 'maybe'; give one of no, yes"):
            calibration_of(["no", "yes"], [0.1, 0.8]).of("maybe")

    def test_pictures(self):
        report = calibration(GaussianNB(), *CANCER, cv=3, strategy="quantile")
        curve, below = report.draw().axes
        assert curve.get_xlim() == (-0.02, 1.02)
        assert sum(bar.get_height() for bar in below.patches) == 569
        given_axes = Figure().add_subplot()
        assert report.draw(given_axes) is given_axes.figure

    def test_equal_probabilities_in_quantiles(self):
        report = calibration_of(["a", "b", "b"], [0.5, 0.5, 0.5], strategy="quantile")
        assert report["b"].counts.tolist() == [3]
        assert report.draw().axes
        assert "0.5000 to 0.5000" in str(report)
