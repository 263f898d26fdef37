"""Bias, variance and noise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import induce
from induce import InputError
from induce.data.generate import label_noise, restaurant, restaurant_space
from induce.evaluation.curves.decomposition import (
    _resampled,
    bias_variance,
    known_bias_variance,
    squared_parts,
    zero_one_parts,
)
from induce.evaluation.estimating.fits import fit_and_predict

WINE = induce.dataset("wine")


def shares(rows, classes):
    weights = arrays(np.float64, (rows, classes), elements=st.floats(0.001, 1))
    return weights.map(lambda table: table / table.sum(axis=1, keepdims=True))


def adds_up(parts):
    whole = parts["bias"] + parts["unbiased_variance"] - parts["biased_variance"] + parts["noise_effect"]
    np.testing.assert_allclose(whole, parts["error"], atol=1e-12)


class TestZeroOneParts:
    @given(classes=st.integers(2, 5), data=st.data())
    def test_the_parts_add_up_to_the_error(self, classes, data):
        predicted, true = data.draw(shares(7, classes)), data.draw(shares(7, classes))
        parts = zero_one_parts(predicted, true)
        adds_up(parts)
        np.testing.assert_allclose(parts["error"], 1 - (predicted * true).sum(axis=1))

    @given(predicted=shares(7, 2), true=shares(7, 2))
    def test_two_classes_by_domingos_formula(self, predicted, true):
        """Error = c1 N + B + c2 V with c1 = 2 P(y = y*) - 1 and c2 = 1 where unbiased, -1 where biased."""
        parts = zero_one_parts(predicted, true)
        best = true.argmax(axis=1)
        right = predicted[np.arange(7), best]
        np.testing.assert_allclose(parts["noise_effect"], (2 * right - 1) * parts["noise"], atol=1e-12)
        np.testing.assert_allclose(
            parts["unbiased_variance"] - parts["biased_variance"],
            np.where(parts["bias"] == 1, -1, 1) * parts["variance"],
            atol=1e-12,
        )

    @given(predicted=shares(7, 4), labels=arrays(np.int64, 7, elements=st.integers(0, 3)))
    def test_without_noise_the_rest_of_the_error_is_net_variance(self, predicted, labels):
        parts = zero_one_parts(predicted, np.eye(4)[labels])
        assert not parts["noise_effect"].any()
        np.testing.assert_allclose(
            parts["unbiased_variance"] - parts["biased_variance"], parts["error"] - parts["bias"], atol=1e-12
        )

    def test_three_classes_by_hand(self):
        """Biased: of the predictions that differ from the main one, only those of the best class save anything."""
        parts = zero_one_parts(np.array([[0.2, 0.5, 0.3]]), np.array([[0.8, 0.1, 0.1]]))
        assert parts["bias"] == 1
        assert parts["variance"] == pytest.approx(0.5)
        assert parts["biased_variance"] == pytest.approx(0.2)
        assert parts["noise"] == pytest.approx(0.2)
        assert parts["error"] == pytest.approx(1 - (0.16 + 0.05 + 0.03))


@given(
    predictions=arrays(np.float64, (6, 4), elements=st.floats(-10, 10)),
    true=arrays(np.float64, 4, elements=st.floats(-10, 10)),
    noise=arrays(np.float64, 4, elements=st.floats(0, 5)),
)
def test_squared_parts_add_up_to_the_error(predictions, true, noise):
    parts = squared_parts(predictions.mean(axis=0), predictions.var(axis=0), np.full(4, 6.0), true, noise)
    adds_up(parts)
    np.testing.assert_allclose(parts["error"], ((predictions - true) ** 2).mean(axis=0) + noise, atol=1e-9)
    np.testing.assert_allclose(parts["variance"], predictions.var(axis=0, ddof=1))


class TestBiasVariance:
    @pytest.mark.parametrize("resampling", ["bootstrap", "halves"])
    def test_the_error_is_the_mean_over_rows_of_their_losses(self, resampling):
        X, y = WINE.X.to_numpy(), WINE.y.to_numpy()
        learner = DecisionTreeClassifier(max_depth=2, random_state=0)
        (found,) = bias_variance(learner, X, y, repeats=12, resampling=resampling).learners.values()
        # the same resamples again, counted by hand
        seen = {}
        random = np.random.default_rng(0)
        splits = [_resampled(len(y), resampling, random) for _ in range(12)]
        for tested in fit_and_predict(learner, X, y, splits):
            for row, said in zip(tested.test, tested.predicted, strict=True):
                seen.setdefault(row, []).append(said)
        losses = [np.mean(np.array(said) != y[row]) for row, said in seen.items() if len(said) > 1]
        assert found.error == pytest.approx(np.mean(losses))
        assert found.n == len(losses)
        assert found.error == pytest.approx(found.bias + found.net_variance + found.noise_effect)
        assert found.kong_dietterich == (found.bias, pytest.approx(found.net_variance))
        assert found.noise is None

    def test_no_row_is_tested_by_what_has_seen_it(self):
        class Rote(ClassifierMixin, BaseEstimator):
            def fit(self, X, y):
                self.classes_ = np.unique(y)
                self.known_ = set(X[:, 0].tolist())
                return self

            def predict(self, X):
                assert not self.known_ & set(X[:, 0].tolist())
                return np.full(len(X), self.classes_[0])

        X, y = np.arange(30.0).reshape(-1, 1), np.array(["a", "b"] * 15)
        for resampling in ("bootstrap", "halves"):
            found = bias_variance(Rote(), X, y, repeats=10, resampling=resampling)["Rote"]
            assert found.bias == pytest.approx(0.5, abs=0.1)
            assert found.variance == 0

    @pytest.mark.compiled
    def test_a_stump_has_bias_and_a_tree_has_less(self):
        sources = bias_variance({"stump": induce.ID3(max_depth=1), "tree": induce.ID3()}, *WINE, repeats=20)
        assert sources["stump"].bias > 5 * sources["tree"].bias
        assert "stump: mostly bias or noise" in str(sources)
        assert "net variance" in sources._repr_html_()

    def test_numbers(self):
        random = np.random.default_rng(0)
        X = random.uniform(-3, 3, (120, 1))
        y = np.sin(X[:, 0]) + random.normal(scale=0.1, size=120)
        learners = {"mean": DummyRegressor(), "tree": DecisionTreeRegressor(random_state=0)}
        sources = bias_variance(learners, X, y, repeats=30)
        for found in sources.learners.values():
            assert found.loss == "squared"
            assert found.error == pytest.approx(found.bias + found.variance)
        assert sources["mean"].bias == pytest.approx(y.var(), rel=0.1)
        assert sources["tree"].variance > sources["mean"].variance
        with pytest.raises(InputError, match="zero-one loss"):
            _ = sources["mean"].kong_dietterich

    def test_same_seed_same_parts_whatever_the_threads(self):
        one, two = (bias_variance(induce.C45(), *WINE, repeats=8, n_jobs=jobs)["C45"] for jobs in (1, 2))
        assert (one.error, one.bias, one.variance) == (two.error, two.bias, two.variance)

    def test_tables_of_pandas(self):
        frame, y = WINE.X.to_pandas(), WINE.y.to_pandas()
        one, two = (bias_variance(induce.ID3(), *data, repeats=5)["ID3"] for data in ((frame, y), WINE))
        assert one.error == two.error

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"repeats": 1}, "repeats is 1"),
            ({"loss": "hinge"}, "loss is 'hinge'"),
            ({"loss": "squared"}, "must be numbers|number"),
            ({"resampling": "thirds"}, "resampling is 'thirds'"),
        ],
    )
    def test_bad_parameters(self, options, message):
        with pytest.raises(InputError, match=message):
            bias_variance(induce.ID3(), *WINE, **options)

    def test_other_bad_input(self):
        with pytest.raises(InputError, match="'zero-one', which is for classifiers"):
            bias_variance(LinearRegression(), np.zeros((9, 1)), np.arange(9.0), loss="zero-one")
        with pytest.raises(InputError, match="X has one row"):
            bias_variance(induce.ID3(), [[1.0]], ["a"])
        with pytest.raises(InputError, match="no row was predicted twice"):
            bias_variance(KNeighborsClassifier(1), [[0.0], [1.0]], ["a", "b"], repeats=2, random_state=5)

    def test_picture(self):
        sources = bias_variance({"stump": induce.ID3(max_depth=1), "tree": induce.ID3()}, *WINE, repeats=10)
        axes = sources.draw().axes[0]
        labels = {text.get_text() for text in axes.get_legend().get_texts()}
        assert {"bias and noise", "variance", "error"} <= labels
        diamonds = next(line for line in axes.lines if line.get_label() == "error")
        assert diamonds.get_xdata() == pytest.approx([found.error for found in sources.learners.values()])
        given = Figure().add_subplot()
        assert sources.draw(given) is given.figure


class TestKnownBiasVariance:
    def test_the_mean_of_normal_numbers(self):
        """Mean of 20 numbers of variance 4: no bias, variance 4/20, noise 4."""

        def draw(n, random):
            return np.zeros((n, 1)), random.normal(10, 2, n)

        found = known_bias_variance(
            DummyRegressor(),
            draw,
            lambda X: (np.full(len(X), 10.0), np.full(len(X), 4.0)),
            n_train=20,
            n_test=3,
            repeats=400,
        )["DummyRegressor"]
        assert found.noise == 4
        assert found.bias == pytest.approx(0, abs=0.01)
        assert found.variance == pytest.approx(0.2, abs=0.04)
        assert found.error == pytest.approx(found.bias + found.variance + found.noise)

    def test_a_constant_is_all_bias(self):
        class Seven(RegressorMixin, BaseEstimator):
            def fit(self, X, y):
                self.n_features_in_ = 1
                return self

            def predict(self, X):
                return np.full(len(X), 7.0)

        found = known_bias_variance(
            Seven(), lambda n, random: (np.zeros((n, 1)), np.full(n, 10.0)), lambda X: np.full(len(X), 10.0)
        )["Seven"]
        assert (found.error, found.bias, found.variance, found.noise) == (9, 9, 0, 0)

    @pytest.mark.compiled
    def test_noise_is_told_from_bias(self):
        """A fifth of the labels are wrong: noise 0.2, and more rows leave hardly anything else."""
        true = induce.ID3().fit(*restaurant_space())

        def draw(n, random):
            evenings = restaurant(n, random)
            return evenings.X, label_noise(evenings.y, 0.2, random)

        def truth(X):
            yes = np.where(true.predict(X) == "Yes", 0.8, 0.2)
            return {"Yes": yes, "No": 1 - yes}

        few, many = (
            known_bias_variance(induce.C45(), draw, truth, n_train=n, n_test=300, repeats=15)["C45"]
            for n in (30, 500)
        )
        assert few.noise == many.noise == pytest.approx(0.2)
        assert many.error < few.error
        assert many.bias + many.net_variance < 0.1
        for found in (few, many):
            whole = found.bias + found.net_variance + found.noise_effect
            assert found.error == pytest.approx(whole)

    @pytest.mark.compiled
    def test_classes_that_are_sure(self):
        true = induce.ID3().fit(*restaurant_space())
        sources = known_bias_variance(
            induce.ID3(), restaurant, true.predict, n_train=40, n_test=200, repeats=10
        )
        assert sources["ID3"].noise == 0
        assert sources["ID3"].n == 200
        assert "noise" in str(sources).splitlines()[1]

    @pytest.mark.parametrize(
        ("truth", "message"),
        [
            (lambda X: ["Yes"], "truth has the shape"),
            (lambda X: {"Yes": np.full(len(X), 0.5)}, "sum to 1"),
            (lambda X: {"Yes": np.full(len(X), np.nan), "No": np.ones(len(X))}, "sum to 1"),
        ],
    )
    def test_bad_truths(self, truth, message):
        with pytest.raises(InputError, match=message):
            known_bias_variance(induce.ID3(), restaurant, truth, n_train=10, n_test=10, repeats=3)

    def test_other_bad_input(self):
        with pytest.raises(InputError, match="n_train is 0"):
            known_bias_variance(induce.ID3(), restaurant, lambda X: X, n_train=0)
        with pytest.raises(InputError, match="sampler returned 5 rows instead of"):
            known_bias_variance(
                induce.ID3(), lambda n, random: restaurant(5), lambda X: X, n_train=10, n_test=10, repeats=3
            )
        with pytest.raises(InputError, match="not finite"):
            known_bias_variance(
                DummyRegressor(),
                lambda n, random: (np.zeros((n, 1)), np.ones(n)),
                lambda X: np.full(len(X), np.inf),
                n_test=5,
                repeats=2,
            )
