"""Errors by the number of rows, by a parameter and by size."""

from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure
from scipy.stats import t as student
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.model_selection import validation_curve as validation_curve_of_scikit_learn
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import induce
from induce import InputError
from induce.data.generate import restaurant
from induce.evaluation.curves.learning import learning_curve
from induce.evaluation.curves.parameters import complexity_curve, validation_curve
from induce.evaluation.losses.table import LossTable

WINE = induce.dataset("wine")


def nodes(fitted):
    return fitted.hypothesis_.n_nodes


class Spy(DecisionTreeClassifier):
    """Remembers which rows every copy learned from and was asked about."""

    seen: ClassVar[list] = []

    def fit(self, X, y):
        Spy.seen.append([X[:, 0].tolist()])
        return super().fit(X, y)

    def predict(self, X):
        Spy.seen[-1].append(X[:, 0].tolist())
        return super().predict(X)


class TestLearningCurve:
    @pytest.mark.compiled
    def test_restaurant(self):
        """AIMA figure 18.7: the happy graph, mean of 20 trials on 2000 test evenings."""
        curve = learning_curve(
            induce.ID3(),
            *restaurant(2100),
            sizes=(10, 20, 50, 100),
            test_size=2000,
            repeats=20,
            random_state=1,
        )
        accuracy = 1 - curve["ID3"].validation_error
        assert accuracy == pytest.approx([0.81, 0.91, 0.95, 0.951], abs=0.04)
        assert (np.diff(accuracy) > 0).all()
        assert (curve["ID3"].train == 0).all()
        assert curve["ID3"].validation.shape == (4, 20)

    def test_intervals_are_students_over_the_repeats(self):
        curve = learning_curve(induce.ID3(), *WINE, sizes=(20, 80), repeats=6, confidence=0.9)
        errors = curve["ID3"].validation[0]
        reach = student.ppf(0.95, 5) * errors.std(ddof=1) / np.sqrt(6)
        interval = curve["ID3"].intervals[0]
        assert (interval.low, interval.high) == pytest.approx((errors.mean() - reach, errors.mean() + reach))
        assert interval.approximate
        assert not interval.holds
        assert "not independent" in interval.preconditions
        assert all(found.low >= 0 for found in curve["ID3"].train_intervals)

    def test_training_sets_are_nested_and_never_tested_on(self):
        X, y = np.arange(60.0).reshape(-1, 1), np.arange(60) % 2
        Spy.seen = []
        learning_curve(Spy(), X, y, sizes=[30, 5, 10], repeats=3, test_size=20)
        learned = [set(each[0]) for each in Spy.seen]
        assert [len(rows) for rows in learned] == [5] * 3 + [10] * 3 + [30] * 3
        for k in range(3):
            small, middle, large = learned[k::3]
            assert small < middle < large
            tests = {tuple(each[2]) for each in Spy.seen[k::3]}
            assert len(tests) == 1
            assert not large & set(tests.pop())
        assert len({frozenset(rows) for rows in learned}) == 9

    def test_several_learners_get_the_same_rows(self):
        curve = learning_curve({"one": induce.ID3(), "other": induce.ID3()}, *WINE, sizes=(20, 60), repeats=3)
        np.testing.assert_array_equal(curve["one"].validation, curve["other"].validation)
        assert "one" in str(curve)
        assert "other" in curve._repr_html_()

    def test_default_sizes_rise_to_all_training_rows(self):
        curve = learning_curve(induce.ID3(), *WINE, repeats=2)
        assert curve.sizes[0] == 10
        assert curve.sizes[-1] == 178 - 36
        assert len(curve.sizes) == 8

    def test_folds_instead_of_hold_outs(self):
        curve = learning_curve(induce.ID3(), *WINE, sizes=(50,), cv=KFold(4))
        assert curve["ID3"].validation.shape == (1, 4)
        curve = learning_curve(induce.ID3(), *WINE, sizes=(50,), cv=5)
        assert curve["ID3"].validation.shape == (1, 5)
        assert curve.method == "5-fold cross-validation"

    def test_groups_are_not_divided(self):
        X, y = np.arange(60.0).reshape(-1, 1), np.arange(60) % 2
        Spy.seen = []
        learning_curve(Spy(), X, y, sizes=[20], groups=np.arange(60) // 6, cv=GroupKFold(3))
        for learned, _, tested in Spy.seen:
            assert not {row // 6 for row in learned} & {row // 6 for row in tested}

    def test_same_seed_same_curve_whatever_the_threads(self):
        one = learning_curve(induce.C45(), *WINE, sizes=(20, 60), repeats=4)
        two = learning_curve(induce.C45(), *WINE, sizes=(20, 60), repeats=4, n_jobs=2)
        other = learning_curve(induce.C45(), *WINE, sizes=(20, 60), repeats=4, random_state=1)
        np.testing.assert_array_equal(one["C45"].validation, two["C45"].validation)
        assert (one["C45"].validation != other["C45"].validation).any()

    @pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "array"])
    def test_tables_of_all_kinds(self, kind):
        X, y = induce.dataset("iris")
        tables = {
            "pandas": (X.to_pandas(), y.to_pandas()),
            "polars": (X, y),
            "pyarrow": (X.to_arrow(), y.to_list()),
            "array": (X.to_numpy(), y.to_numpy()),
        }
        curve = learning_curve(induce.C45(), *tables[kind], sizes=(60,), repeats=3)
        assert 0 < curve["C45"].validation_error[0] < 0.2

    def test_numbers_and_other_losses(self):
        random = np.random.default_rng(0)
        X = random.normal(size=(80, 2))
        y = X @ [1.0, 2.0] + random.normal(size=80)
        squared = learning_curve(LinearRegression(), X, y, sizes=(10, 60), repeats=5)
        absolute = learning_curve(LinearRegression(), X, y, sizes=(10, 60), repeats=5, loss="absolute")
        assert squared.label == "squared error"
        assert (
            squared["LinearRegression"].validation_error[0] > squared["LinearRegression"].validation_error[1]
        )
        assert (absolute["LinearRegression"].validation_error < 1.2).all()

    def test_a_table_of_losses(self):
        plain = learning_curve(induce.ID3(), *WINE, sizes=(40,), repeats=3)
        table = LossTable(("class 0", "class 1", "class 2"), 3 * (1 - np.eye(3)))
        dear = learning_curve(induce.ID3(), *WINE, sizes=(40,), repeats=3, loss=table)
        np.testing.assert_allclose(dear["ID3"].validation, 3 * plain["ID3"].validation)

    def test_progress_is_told_by_learner(self):
        told = []
        with induce.core.progress.progress(told.append):
            learning_curve({"a": induce.ID3(), "b": induce.ID3()}, *WINE, sizes=(20,), repeats=2)
        assert told == [0.5, 1.0]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"sizes": (10, 143)}, "sizes contains 143, but 142 rows"),
            ({"sizes": (0,)}, "sizes contains 0"),
            ({"sizes": (0.5,)}, "sizes contains 0.5"),
            ({"sizes": (True,)}, "sizes contains True"),
            ({"sizes": ()}, "sizes is empty"),
            (
                {"repeats": 1},
                "one split does not show how much errors vary; give cv or repeats of at least 2",
            ),
            ({"repeats": 0}, "repeats"),
            ({"confidence": 1.0}, "confidence"),
            ({"loss": "hinge"}, "loss is 'hinge'"),
        ],
    )
    def test_bad_parameters(self, options, message):
        with pytest.raises(InputError, match=message):
            learning_curve(induce.ID3(), *WINE, **options)

    def test_bad_learners(self):
        with pytest.raises(TypeError, match="learner must be"):
            learning_curve("C45", *WINE)
        with pytest.raises(InputError, match="empty mapping"):
            learning_curve({}, *WINE)
        with pytest.raises(InputError, match="mixes classifiers and regressors"):
            learning_curve({"a": induce.ID3(), "b": Ridge()}, *WINE)

    def test_a_learner_that_cannot_learn_one_class_says_so(self):
        X, y = np.zeros((40, 1)), ["a"] * 39 + ["b"]
        with (
            pytest.warns(
                induce.Note,
                match="some class has too few rows to stratify the hold-out, so it is drawn at random",
            ),
            pytest.raises(InputError, match="LogisticRegression failed"),
        ):
            learning_curve(LogisticRegression(), X, y, sizes=(2,), repeats=2)

    def test_picture(self):
        curve = learning_curve({"tree": induce.ID3(), "k-NN": KNeighborsClassifier()}, *WINE, repeats=2)
        figure = curve.draw()
        (axes,) = figure.axes
        assert axes.get_xscale() == "log"
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        assert labels == ["tree, validation", "tree, training", "k-NN, validation", "k-NN, training"]
        given = Figure().add_subplot()
        assert curve.draw(given) is given.figure


class TestValidationCurve:
    def test_polynomials(self):
        """AIMA-style oracle O3: degrees 0 to 8 by leave-one-out, squared error."""
        x = np.arange(0, 6.5, 0.5).reshape(-1, 1)
        y = [1.5, 3.5625, 5.8, 5.3875, 5.6, 3.2125, 2.7, 1.0375, 1.5, 1.3625, 3.9, 6.6875, 13.3]
        learner = make_pipeline(MinMaxScaler((-1, 1)), PolynomialFeatures(), LinearRegression())
        curve = validation_curve(learner, x, y, "polynomialfeatures__degree", range(9), cv="loo")
        train = [10.023197, 8.570535, 5.874399, 0.170883, 0.163958, 0.155804, 0.117275, 0.111985, 0.103684]
        other = [11.845597, 13.727532, 15.856274, 0.440165, 0.60545, 2.240833, 0.772719, 6.888879, 15.527422]
        assert curve.errors.train_error == pytest.approx(train, abs=1e-6)
        assert curve.errors.validation_error == pytest.approx(other, abs=1e-6)
        assert curve.best == 3
        assert curve.method == "leave-one-out"

    def test_agrees_with_scikit_learn(self):
        X, y = WINE.X.to_numpy(), WINE.y.to_numpy()
        learner = make_pipeline(StandardScaler(), SVC())
        values = [0.001, 0.01, 0.1, 1.0]
        folds = StratifiedKFold(5, shuffle=True, random_state=3)
        curve = validation_curve(learner, X, y, "svc__gamma", values, cv=folds)
        train, other = validation_curve_of_scikit_learn(
            learner, X, y, param_name="svc__gamma", param_range=values, cv=folds
        )
        np.testing.assert_allclose(curve.errors.train, 1 - train)
        np.testing.assert_allclose(curve.errors.validation, 1 - other)

    @pytest.mark.compiled
    def test_simplest_within_one_standard_error(self):
        curve = validation_curve(induce.ID3(), *WINE, "max_depth", (1, 2, 3, 4))
        errors, deviation = curve.errors.validation_error, curve.errors.validation.std(axis=1, ddof=1)
        best = errors.argmin()
        assert curve.best == (1, 2, 3, 4)[best]
        limit = errors[best] + deviation[best] / np.sqrt(10)
        assert curve.simplest == next(
            value for value, error in zip(curve.values, errors, strict=True) if error <= limit
        )
        assert curve.simplest < curve.best
        assert f"best max_depth = {curve.best}" in str(curve)

    def test_hold_outs_and_repeats(self):
        curve = validation_curve(induce.ID3(), *WINE, "max_depth", (1, 2), cv=5, repeats=2)
        assert curve.errors.validation.shape == (2, 10)
        curve = validation_curve(induce.ID3(), *WINE, "max_depth", (1, 2), test_size=0.3, repeats=4)
        assert curve.errors.validation.shape == (2, 4)

    def test_values_that_are_no_numbers(self):
        learner = induce.DecisionTreeClassifier()
        curve = validation_curve(learner, *WINE, "criterion", ["gain", "gini"], cv=3)
        axes = curve.draw().axes[0]
        assert [tick.get_text() for tick in axes.get_xticklabels()] == ["gain", "gini"]

    def test_geometric_values_get_a_logarithmic_axis(self):
        curve = validation_curve(
            KNeighborsClassifier(), WINE.X.to_numpy(), WINE.y.to_numpy(), "n_neighbors", (32, 8, 2), cv=3
        )
        assert curve.draw().axes[0].get_xscale() == "log"

    def test_the_learner_is_left_alone(self):
        learner = induce.ID3(max_depth=7)
        validation_curve(learner, *WINE, "max_depth", (1,), cv=3)
        assert learner.max_depth == 7
        assert not hasattr(learner, "hypothesis_")

    @pytest.mark.parametrize(
        ("parameter", "values", "how", "message"),
        [
            ("depth", (1,), {}, "ID3 has no parameter 'depth'; it has .*max_depth"),
            ("max_depth", (), {}, "values is empty"),
            ("max_depth", (1,), {"cv": None}, "cv is None"),
            ("max_depth", (1,), {"test_size": 0.3}, "one split"),
            ("max_depth", ("deep",), {}, "ID3 failed"),
        ],
    )
    def test_bad_parameters(self, parameter, values, how, message):
        with pytest.raises(InputError, match=message):
            validation_curve(induce.ID3(), *WINE, parameter, values, **how)


class TestComplexityCurve:
    @pytest.mark.compiled
    def test_nodes(self):
        curve = complexity_curve(
            induce.ID3(), *WINE, "max_depth", (3, 1, 2), size=nodes, unit="nodes", random_state=0
        )
        assert curve.sizes.shape == (3, 10)
        assert (curve.sizes[1] == 3).all()
        assert curve.size[1] < curve.size[2] < curve.size[0]
        assert curve.path.values == (3, 1, 2)
        printed = [line.split()[0] for line in str(curve).splitlines()[2:5]]
        assert printed == [f"{size:.1f}" for size in sorted(curve.size)]

    def test_errors_are_those_of_the_validation_curve(self):
        one = complexity_curve(induce.ID3(), *WINE, "max_depth", (1, 2), cv=5)
        other = validation_curve(induce.ID3(), *WINE, "max_depth", (1, 2), cv=5)
        np.testing.assert_array_equal(one.path.errors.validation, other.errors.validation)

    @pytest.mark.compiled
    def test_the_smallest_that_is_nearly_best(self):
        curve = complexity_curve(induce.ID3(), *WINE, "max_depth", (4, 3, 2, 1), size=nodes)
        close = curve.path.close
        assert curve.simplest_size == curve.size[close].min()
        assert curve.simplest_size <= curve.best_size
        assert curve.simplest == curve.path.values[int(np.flatnonzero(curve.size == curve.simplest_size)[0])]

    def test_what_has_a_known_size(self):
        X, y = WINE.X.to_numpy(), WINE.y.to_numpy()
        tree = complexity_curve(DecisionTreeClassifier(random_state=0), X, y, "max_depth", (1, 3), cv=3)
        assert (np.diff(tree.size) > 0).all()
        assert tree.unit == "conditions and conclusions"
        linear = make_pipeline(StandardScaler(), LogisticRegression(l1_ratio=1, solver="saga", max_iter=3000))
        path = complexity_curve(linear, X, y, "logisticregression__C", (0.01, 1.0), cv=3)
        assert path.size[0] < path.size[1]

    def test_what_has_none(self):
        with pytest.raises(InputError, match="size of the hypotheses of SVC is unknown; give size"):
            complexity_curve(SVC(), WINE.X.to_numpy(), WINE.y.to_numpy(), "C", (1.0, 2.0), cv=3)

    def test_picture(self):
        curve = complexity_curve(induce.ID3(), *WINE, "max_depth", (4, 1), size=nodes, unit="nodes", cv=3)
        axes = curve.draw().axes[0]
        assert axes.get_xlabel() == "nodes"
        places = axes.lines[0].get_xdata()
        assert list(places) == sorted(curve.size)
        assert "nodes" in curve._repr_html_()


def test_frames_keep_their_types():
    frame = pd.DataFrame({"a": pl.Series([1.0, 2.0] * 20).to_list(), "b": ["x", "y"] * 20})
    y = pd.Series(["no", "yes"] * 20, index=range(100, 140))
    curve = validation_curve(induce.C45(), frame, y, "max_depth", (1,), cv=4)
    assert curve.errors.validation.max() == 0
