"""The cross-validation wrapper of AIMA figure 18.8."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

import induce
from induce import InputError, Note
from induce.evaluation.choosing.wrapper import cross_validation_wrapper

X13 = np.arange(0, 6.5, 0.5)[:, None]
Y13 = np.array([1.5, 3.5625, 5.8, 5.3875, 5.6, 3.2125, 2.7, 1.0375, 1.5, 1.3625, 3.9, 6.6875, 13.3])
TRAIN = [10.023197, 8.570535, 5.874399, 0.170883, 0.163958, 0.155804, 0.117275, 0.111985, 0.103684]
VALIDATION = [11.845597, 13.727532, 15.856274, 0.440165, 0.60545, 2.240833, 0.772719, 6.888879, 15.527422]


class BasisRegression(RegressorMixin, BaseEstimator):
    """Least squares over the first functions of a list."""

    def __init__(self, functions=(), size=1):
        self.functions = functions
        self.size = size

    def fit(self, X, y):
        self.coef_ = np.linalg.lstsq(self._columns(X), y, rcond=None)[0]
        return self

    def predict(self, X):
        return self._columns(X) @ self.coef_

    def _columns(self, X):
        return np.column_stack([function(np.asarray(X)[:, 0]) for function in self.functions[: self.size]])


def polynomial():
    # powers of numbers between -1 and 1: those of 6 are too much for least squares as scikit-learn has it
    return make_pipeline(MinMaxScaler((-1, 1)), PolynomialFeatures(), LinearRegression())


@pytest.fixture(scope="module")
def degrees():
    return cross_validation_wrapper(
        polynomial(), X13, Y13, "polynomialfeatures__degree", sizes=range(9), k="loo", tol=None
    )


def test_degree_by_leave_one_out(degrees):
    assert degrees.sizes == tuple(range(9))
    assert degrees.train_error == pytest.approx(TRAIN, abs=1e-6)
    assert degrees.validation_error == pytest.approx(VALIDATION, abs=1e-6)
    assert degrees.best_size == 3
    assert degrees.converged is None


def test_the_winner_learns_from_all_rows(degrees):
    coefficients = np.polyfit(X13[:, 0], degrees.learner.predict(X13), 3)
    assert coefficients == pytest.approx([0.49137529, -3.902997, 7.69925907, 1.21730769], abs=1e-7)


def test_a_basis_of_sines_needs_three_functions():
    """AIMA figure 18.1(c), (d): 0.5 x + 1 + 2 sin x, against polynomials."""
    x = np.arange(7.0)[:, None]
    y = 0.5 * x[:, 0] + 1 + 2 * np.sin(x[:, 0])
    basis = BasisRegression((lambda v: v, np.ones_like, np.sin, np.cos))
    found = cross_validation_wrapper(basis, x, y, "size", sizes=range(1, 5), k="loo", tol=None)
    assert found.best_size == 3
    assert found.learner.coef_ == pytest.approx([0.5, 1, 2])
    sums = [
        7 * np.mean((polynomial().set_params(polynomialfeatures__degree=d).fit(x, y).predict(x) - y) ** 2)
        for d in range(1, 7)
    ]
    assert sums == pytest.approx([7.169912, 6.891257, 0.119606, 0.0945, 5.2e-5, 0], abs=1e-5)


def test_it_stops_when_the_training_error_has_converged():
    X, y = induce.dataset("play-tennis")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cross_validation_wrapper(induce.ID3(), X, y, "max_depth", k=KFold(7))
    assert found.converged
    assert "the training error has converged" in str(found)
    assert found.train_error[-1] == 0
    assert found.sizes[-1] < 50


@pytest.mark.parametrize(
    ("first", "tol", "patience", "last"),
    [(3, 0.5, 1, 4), (3, 0.5, 3, 6), (1, 0.06, 2, 5), (1, 0.99, 2, 3), (3, 0.045, 1, 4), (4, 0.046, 1, 7)],
)
def test_the_rule_of_convergence(first, tol, patience, last):
    """From size to size the training error changes by 31, 97, 4.1, 5.0, 25, 4.5 and 7.4 per cent, from 1 on."""
    sizes = range(first, 9)
    found = cross_validation_wrapper(
        polynomial(), X13, Y13, "polynomialfeatures__degree", sizes, "loo", tol=tol, patience=patience
    )
    assert found.converged
    assert found.sizes[-1] == last


def test_running_out_of_sizes_is_noted():
    with pytest.warns(
        Note, match="had not converged at polynomialfeatures__degree = 4, the last value tried"
    ):
        found = cross_validation_wrapper(
            polynomial(), X13, Y13, "polynomialfeatures__degree", max_size=4, k=13
        )
    assert not found.converged
    assert found.sizes == (1, 2, 3, 4)
    assert "has not converged" in str(found)


@pytest.mark.compiled
def test_threads_change_nothing():
    X, y = induce.dataset("wine")
    one, two = (
        cross_validation_wrapper(induce.ID3(), X, y, "max_depth", range(1, 4), 5, tol=None, n_jobs=n_jobs)
        for n_jobs in (1, 2)
    )
    assert np.array_equal(one.curve.errors.validation, two.curve.errors.validation)
    assert str(one.learner.hypothesis_) == str(two.learner.hypothesis_)


def test_a_loss_of_ones_own_and_groups():
    X, y = induce.dataset("wine")
    groups = np.arange(len(y)) // 4
    found = cross_validation_wrapper(
        KNeighborsClassifier(),
        X.to_numpy(),
        y.to_numpy(),
        "n_neighbors",
        (1, 5),
        3,
        tol=None,
        groups=groups,
        loss=lambda actual, predicted: 2.0 * (actual != predicted),
    )
    plain = cross_validation_wrapper(
        KNeighborsClassifier(), X.to_numpy(), y.to_numpy(), "n_neighbors", (1, 5), 3, tol=None, groups=groups
    )
    assert found.validation_error == pytest.approx(2 * plain.validation_error)
    assert "by groups" in str(plain)


def test_the_report(degrees):
    text = str(degrees)
    assert "polynomialfeatures__degree = 3" in text
    assert "is the minimum over 9, so it is optimistic" in text
    assert "<table>" in degrees._repr_html_()
    assert degrees.draw().axes[0].get_xlabel() == "polynomialfeatures__degree"


class Broken(RegressorMixin, BaseEstimator):
    def __init__(self, size=1):
        self.size = size

    def fit(self, X, y):
        if self.size == 2:
            raise RuntimeError("no memory for two")
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.full(len(X), np.nan if self.size == 3 else 0.0)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"parameter": "degree"}, InputError, "Broken has no parameter 'degree'"),
        ({"sizes": []}, InputError, "sizes is empty"),
        (
            {"sizes": [2]},
            InputError,
            "at size = 2: Broken failed in fold 1 of 5: RuntimeError: no memory for two",
        ),
        ({"sizes": [3]}, InputError, "at size = 3: the loss is NaN"),
        ({"tol": -1}, InputError, "tol is -1"),
        ({"patience": 0}, InputError, "patience is 0"),
        ({"max_size": 0}, InputError, "max_size is 0"),
        ({"k": None}, InputError, "k is None"),
        ({"k": 99}, InputError, "99"),
        ({"y": Y13[:3]}, InputError, "13 rows and y has 3"),
        ({"learner": PolynomialFeatures()}, TypeError, "PolynomialFeatures is neither"),
    ],
)
def test_bad_input_is_named(change, error, message):
    arguments = {"learner": Broken(), "X": X13, "y": Y13, "parameter": "size", "k": 5} | change
    with pytest.raises(error, match=message):
        cross_validation_wrapper(**arguments)
