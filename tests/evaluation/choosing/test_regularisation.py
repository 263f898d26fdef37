"""The strength of regularisation by validation."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, validation_curve
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import induce
from induce import InputError
from induce.evaluation.choosing.regularisation import regularisation_path

ALPHAS = [0.001, 0.1, 10.0, 1000.0]
FOLDS = KFold(5, shuffle=True, random_state=0)


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


@pytest.fixture(scope="module")
def ridge():
    return make_pipeline(StandardScaler(), PolynomialFeatures(2, include_bias=False), Ridge())


@pytest.fixture(scope="module")
def path(ridge, diabetes):
    return regularisation_path(ridge, *diabetes, "ridge__alpha", ALPHAS, FOLDS)


def test_losses_are_those_of_scikit_learn(path, ridge, diabetes):
    train, validation = validation_curve(
        ridge,
        *diabetes,
        param_name="ridge__alpha",
        param_range=ALPHAS,
        cv=FOLDS,
        scoring="neg_mean_squared_error",
    )
    assert path.errors.train == pytest.approx(-train)
    assert path.errors.validation == pytest.approx(-validation)


def test_complexity_falls_and_training_loss_rises(path):
    assert (np.diff(path.complexity) < 0).all()
    assert (np.diff(path.errors.train_error) > 0).all()
    assert path.best not in (ALPHAS[0],)


def test_the_winner_is_learned_from_all_rows(path, ridge, diabetes):
    again = ridge.set_params(ridge__alpha=path.best).fit(*diabetes)
    assert path.chosen == path.best
    assert path.learner.predict(diabetes[0]) == pytest.approx(again.predict(diabetes[0]))


def test_one_standard_error(path, ridge, diabetes):
    mean, error = path.errors.validation_error, path.errors.standard_error
    best, simple = (path.values.index(value) for value in (path.best, path.one_standard_error))
    assert mean[best] == mean.min()
    near = np.flatnonzero(mean <= mean[best] + error[best])
    assert path.complexity[simple] == path.complexity[near].min()
    careful = regularisation_path(
        ridge, *diabetes, "ridge__alpha", ALPHAS, FOLDS, choose="one-standard-error"
    )
    assert careful.chosen == careful.one_standard_error == path.one_standard_error
    assert careful.learner.get_params()["ridge__alpha"] == careful.chosen


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("learner", "parameter", "values"),
    [
        (induce.CART(), "ccp_alpha", [0.0, 0.02, 0.5]),
        (induce.C45(subtree_raising=False), "confidence_factor", [0.5, 0.01, 1e-9]),
    ],
)
def test_trees_of_ours(learner, parameter, values):
    X, y = induce.dataset("breast-cancer")
    path = regularisation_path(learner, X, y, parameter, values, 3)
    assert path.complexity[0] > path.complexity[-1]
    assert path.learner.get_params()[parameter] == path.best
    assert path.loss == "error"


def test_equal_losses_go_to_the_simpler():
    X, y = induce.dataset("wine")
    path = regularisation_path(induce.ID3(), X, y, "max_depth", [30, 20, 2], 3)
    assert path.best == 30  # as complex as 20, and first
    by_hand = regularisation_path(
        induce.ID3(), X, y, "max_depth", [30, 20, 2], 3, complexity=lambda fitted: fitted.max_depth
    )
    assert by_hand.best == 20


def test_unknown_complexity(diabetes):
    X, y = diabetes
    path = regularisation_path(KNeighborsRegressor(), X, y, "n_neighbors", [1, 10, 50], 3)
    assert np.isnan(path.complexity).all()
    assert path.one_standard_error == path.best
    assert "give complexity" in str(path)
    path.draw()
    with pytest.raises(InputError, match="the complexity of a KNeighborsRegressor is unknown"):
        regularisation_path(
            KNeighborsRegressor(), X, y, "n_neighbors", [1, 10], 3, choose="one-standard-error"
        )
    told = regularisation_path(
        KNeighborsRegressor(),
        X,
        y,
        "n_neighbors",
        [1, 10, 50],
        3,
        complexity=lambda fitted: -fitted.n_neighbors,
    )
    assert told.complexity.tolist() == [-1, -10, -50]


def test_the_report(path):
    assert "squared error by ridge__alpha, 5-fold cross-validation" in str(path)
    assert "within one standard error" in str(path)
    assert "<table>" in path._repr_html_()
    figure = path.draw()
    assert [axes.get_ylabel() for axes in figure.axes] == ["squared error", "complexity (grey)"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"choose": "largest"}, "choose is 'largest'"),
        ({"values": []}, "values is empty"),
        ({"parameter": "alphas"}, "Ridge has no parameter 'alphas'"),
        ({"cv": None}, "cv is None"),
        ({"values": [-1.0]}, "Ridge failed in fold 1 of 3: .*alpha"),
    ],
)
def test_bad_input_is_named(diabetes, change, message):
    arguments = {"learner": Ridge(), "parameter": "alpha", "values": [1.0], "cv": 3} | change
    with pytest.raises(InputError, match=message):
        regularisation_path(X=diabetes[0], y=diabetes[1], **arguments)
