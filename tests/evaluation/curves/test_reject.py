"""Errors when uncertain rows are not decided."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import induce
from induce import InputError
from induce.evaluation.curves.reject import reject_curve, reject_curve_of
from induce.statistics.intervals import wilson

CANCER = induce.dataset("breast-cancer")
ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=50)


@given(rows=ROWS)
def test_every_point_by_hand(rows):
    right, confidence = map(np.array, zip(*rows, strict=True))
    curve = reject_curve_of(np.ones(len(right), int), right.astype(int), confidence / 7)
    assert curve.rejected[0] == 0
    assert (np.diff(curve.rejected) > 0).all()
    for threshold, rejected, error in zip(curve.thresholds, curve.rejected, curve.error, strict=True):
        kept = confidence / 7 >= threshold
        assert rejected == pytest.approx(1 - kept.mean())
        assert error == pytest.approx(1 - right[kept].mean())


@given(rows=ROWS, target=st.floats(0, 1))
def test_the_fewest_rejections_that_do(rows, target):
    right, confidence = map(np.array, zip(*rows, strict=True))
    curve = reject_curve_of(np.ones(len(right), int), right.astype(int), confidence)
    if (curve.error > target).all():
        with pytest.raises(InputError, match="no threshold lowers the error to"):
            curve.rejected_for(target)
        return
    found = curve.rejected_for(target)
    assert found.error <= target
    assert (curve.error[curve.rejected < found.rejected] > target).all()


def test_the_interval_of_a_chosen_threshold_says_that_it_is_optimistic():
    curve = reject_curve_of(list("aaab"), list("aaaa"), [0.9, 0.8, 0.7, 0.6])
    found = curve.rejected_for(0.1)
    assert (found.rejected, found.error, found.threshold, found.kept) == (0.25, 0, 0.7, 3)
    assert (found.interval.low, found.interval.high) == (wilson(0, 3).low, wilson(0, 3).high)
    assert not found.interval.holds
    assert "same rows" in found.interval.preconditions
    assert str(found).startswith("reject 25.0% (confidence below 0.7): error 0.00 on 3 rows, approximate 95%")
    assert curve.at(0.3).interval == wilson(0, 3)


def test_area():
    """Steps: all 4 rows 1/4, then 0: each share of rejections counts by its width."""
    curve = reject_curve_of(list("aaab"), list("aaaa"), [0.9, 0.8, 0.7, 0.6])
    assert curve.area == pytest.approx(0.25 * 0.25)
    useless = reject_curve_of(list("aaab"), list("aaaa"), [1, 1, 1, 1])
    assert useless.area == useless.error[0] == 0.25


class TestLearners:
    def test_naive_bayes(self):
        curve = reject_curve(GaussianNB(), *CANCER)
        error = induce.evaluate(GaussianNB(), *CANCER).error
        assert curve.error[0] == pytest.approx(error)
        assert curve.at(0.2).error < 0.7 * error
        assert "not independent" in curve.at(0.2).interval.preconditions
        assert "10-fold cross-validation, 569 rows" in str(curve)
        assert "rejected" in curve._repr_html_()

    def test_confidence_is_that_of_what_is_predicted(self):
        """A support vector machine may predict another class than its most probable one."""
        X, y = CANCER.X.to_numpy()[:120], CANCER.y.to_numpy()[:120]

        class Contrary(GaussianNB):
            def predict(self, X):
                return self.classes_[1 - self.predict_proba(X).argmax(axis=1)]

        curve = reject_curve(Contrary(), X, y, cv=3)
        assert curve.error[0] > 0.8
        assert curve.thresholds.max() <= 0.5

    def test_scores_that_are_no_probabilities(self):
        for learner in (LinearSVC(), SVC()):
            curve = reject_curve(make_pipeline(StandardScaler(), learner), *CANCER, cv=3)
            assert curve.at(0.2).error < curve.error[0]

    def test_many_classes_and_own_trees(self):
        curve = reject_curve(induce.C45(), *induce.dataset("wine"), test_size=60)
        assert curve.n == 60
        assert curve.caveat == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], ["a"], [np.nan]), "confidences contains NaN or infinite values; leave those rows out"),
        ((["a", "b"], ["a", "b"], [0.5]), "one per row"),
        ((["a", "b"], ["a"], [0.5, 0.5]), "row"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(InputError, match=message):
        reject_curve_of(*arguments)


def test_bad_questions():
    curve = reject_curve_of(["a", "b"], ["a", "a"], [0.5, 0.9])
    with pytest.raises(
        InputError, match=r"no threshold lowers the error to .*; the lowest error is 0.5, at 0.0% rejected"
    ):
        curve.rejected_for(0.1)
    with pytest.raises(InputError, match="target_error is 2"):
        curve.rejected_for(2)
    with pytest.raises(InputError, match="share is 1"):
        curve.at(1)


def test_picture():
    curve = reject_curve(GaussianNB(), *CANCER, cv=3)
    axes = curve.draw().axes[0]
    step = axes.lines[0]
    assert step.get_ydata()[0] == pytest.approx(curve.error[0])
    assert axes.get_xlim() == (0, 1)
    given_axes = Figure().add_subplot()
    assert curve.draw(given_axes) is given_axes.figure
