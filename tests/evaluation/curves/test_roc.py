"""ROC curves and their areas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import induce
from induce import InputError
from induce.evaluation.curves.roc import area_interval, roc, roc_of
from induce.evaluation.curves.scores import class_scores
from induce.statistics.intervals import clopper_pearson

CANCER = induce.dataset("breast-cancer")


def sample(random, m, n, shift):
    hits = np.repeat([True, False], [m, n])
    return hits, random.normal(size=m + n) + shift * hits


class TestInterval:
    @given(seed=st.integers(0, 10**6), m=st.integers(2, 30), n=st.integers(2, 30), decimals=st.integers(0, 3))
    def test_holds_the_area(self, seed, m, n, decimals):
        hits, scores = sample(np.random.default_rng(seed), m, n, 1)
        scores = scores.round(decimals)
        interval = area_interval(hits, scores)
        if interval.method == "DeLong":
            assert 0 < interval.low <= roc_auc_score(hits, scores) <= interval.high < 1
        assert area_interval(hits, scores, 0.8).high <= interval.high + 1e-12

    def test_variance_by_all_pairs(self):
        """DeLong's variance written out with every pair, on the logit scale."""
        hits, scores = sample(np.random.default_rng(3), 12, 17, 1)
        scores = scores.round(1)
        pairs = (scores[hits][:, None] > scores[~hits]) + 0.5 * (scores[hits][:, None] == scores[~hits])
        area = pairs.mean()
        variance = pairs.mean(axis=1).var(ddof=1) / 12 + pairs.mean(axis=0).var(ddof=1) / 17
        reach = 1.959964 * np.sqrt(variance) / (area * (1 - area))
        bounds = 1 / (1 + np.exp(-(np.log(area / (1 - area)) + reach * np.array([-1, 1]))))
        interval = area_interval(hits, scores)
        assert (interval.low, interval.high) == pytest.approx(tuple(bounds), abs=1e-6)
        assert interval.holds

    def test_agrees_with_the_bootstrap(self):
        random = np.random.default_rng(1)
        hits, scores = sample(random, 120, 150, 1.2)
        members, others = scores[hits], scores[~hits]
        areas = [
            np.mean(random.choice(members, 120)[:, None] > random.choice(others, 150)) for _ in range(1000)
        ]
        interval = area_interval(hits, scores)
        assert (interval.low, interval.high) == pytest.approx(np.quantile(areas, [0.025, 0.975]), abs=0.01)

    def test_covers_as_often_as_it_says(self):
        """Normal scores one standard deviation apart have the area Phi(1/sqrt 2) = 0.760."""
        random = np.random.default_rng(0)
        found = [area_interval(*sample(random, 30, 30, 1)) for _ in range(500)]
        inside = np.mean([interval.low <= 0.7602499 <= interval.high for interval in found])
        assert 0.93 <= inside <= 0.975

    def test_a_perfect_order_is_not_certain(self):
        interval = area_interval([True] * 5 + [False] * 8, np.arange(13, 0, -1))
        exact = clopper_pearson(5, 5)
        assert (interval.low, interval.high) == (exact.low, 1)
        assert not interval.holds
        assert area_interval([True] * 5 + [False] * 8, np.arange(13)).low == 0

    def test_few_rows_and_ties(self):
        few = area_interval([True] * 4 + [False] * 4, [0.9, 0.8, 0.35, 0.7, 0.1, 0.2, 0.3, 0.4])
        assert not few.holds
        assert "4 rows" in few.preconditions
        tied = area_interval([True, True, False, False], [1, 1, 1, 1])
        assert tied.low < 0.5 < tied.high

    def test_one_kind_only(self):
        with pytest.raises(
            InputError, match="hits must contain both true and false for an area under the curve to exist"
        ):
            area_interval([True, True], [0.1, 0.2])


class TestCurves:
    def test_two_classes_agree_with_scikit_learn(self):
        X, y = CANCER.X.to_numpy(), CANCER.y.to_numpy()
        found = roc(GaussianNB(), X, y, cv=5)
        scores = class_scores(GaussianNB(), X, y, cv=5).values[:, 1]
        assert list(found.curves) == ["malignant"]
        curve = found["malignant"]
        false, true, _ = roc_curve(y == "malignant", scores)
        np.testing.assert_array_equal(curve.false_positive_rate, false)
        np.testing.assert_array_equal(curve.true_positive_rate, true)
        assert curve.area == found.area == pytest.approx(roc_auc_score(y == "malignant", scores))
        assert curve.average_precision == pytest.approx(average_precision_score(y == "malignant", scores))
        assert not curve.interval.holds
        assert "not independent" in curve.interval.preconditions

    def test_many_classes_one_against_the_rest(self):
        X, y = load_digits(return_X_y=True)
        found = roc(GaussianNB(), X, y, cv=3)
        scores = class_scores(GaussianNB(), X, y, cv=3)
        assert found.area == pytest.approx(roc_auc_score(y, scores.values, multi_class="ovr"))
        assert list(found.curves) == list(range(10))
        assert f"mean area {found.area:.4f}" in str(found)
        assert "average precision" in found._repr_html_()

    def test_scores_that_are_no_probabilities(self):
        found = roc(make_pipeline(StandardScaler(), LinearSVC()), *CANCER, test_size=0.3)
        assert found["malignant"].area > 0.97
        assert found["malignant"].interval.holds

    def test_given_scores(self):
        found = roc_of(["no", "no", "yes", "yes"], [-3.0, 0.4, 0.35, 12.0])
        assert found["yes"].area == 0.75
        table = roc_of(list("abc") * 4, np.tile(np.eye(3), (4, 1)))
        assert [curve.area for curve in table.curves.values()] == [1, 1, 1]

    def test_a_class_without_rows(self):
        with pytest.raises(InputError, match="there are no rows of class c"):
            roc_of(["a", "b"], np.eye(3)[:2], ["a", "b", "c"])
        with pytest.raises(InputError, match="there are no rows of class yes"):
            roc_of(["no", "no"], [0.1, 0.2], ["no", "yes"])

    def test_nan_scores(self):
        with pytest.raises(InputError, match="NaN"):
            roc_of(["no", "yes"], [0.1, np.nan])


class TestPictures:
    def test_the_worst_of_many_are_coloured(self):
        random = np.random.default_rng(0)
        y = random.integers(0, 12, 600)
        scores = np.eye(12)[y] + random.normal(scale=np.geomspace(0.1, 3, 12), size=(600, 12))
        found = roc_of(y, scores)
        for kind in ("roc", "precision-recall"):
            axes = found.draw(kind=kind).axes[0]
            labels = [text.get_text() for text in axes.get_legend().get_texts()]
            assert len(labels) == 7
            assert labels[-1] == "the 6 better ones"
            assert {label.split()[0] for label in labels[:-1]} == {str(k) for k in range(6, 12)}

    def test_given_axes(self):
        found = roc_of(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8])
        axes = Figure().add_subplot()
        assert found.draw(axes) is axes.figure
        with pytest.raises(InputError, match="kind is 'lift'"):
            found.draw(kind="lift")
