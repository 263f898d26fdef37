"""The classifier of least expected loss: decisions, delegation and scikit-learn's checks."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import estimator_checks_generator

import induce
from induce import InputError
from induce.evaluation.choosing.decisions import ExpectedLossClassifier
from induce.evaluation.losses.rows import empirical_loss
from induce.evaluation.losses.table import LossTable

CHECKS = [
    pytest.param(estimator, check, id=f"{type(estimator.learner).__name__}-{check.func.__name__}-{number}")
    for learner in (induce.DecisionTreeClassifier(max_depth=4), GaussianNB())
    for number, (estimator, check) in enumerate(estimator_checks_generator(ExpectedLossClassifier(learner)))
    if check.func.__name__ != "check_array_api_input"  # it only runs where SCIPY_ARRAY_API was set
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_check(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def cancer():
    return induce.dataset("breast-cancer")


LOSSES = "malignant>benign=50, benign>malignant=1"


@pytest.mark.compiled
def test_it_costs_less_than_the_most_probable_class(cancer):
    X, y = cancer
    learner = make_pipeline(StandardScaler(), LogisticRegression())
    table = LossTable.read(LOSSES)
    X, y = X.to_numpy(), y.to_numpy()
    plain = cross_val_predict(learner, X, y, cv=5)
    careful = cross_val_predict(ExpectedLossClassifier(learner, LOSSES), X, y, cv=5)
    assert table.of(y, careful).mean() < table.of(y, plain).mean() / 2
    assert np.mean(careful == "malignant") > np.mean(plain == "malignant")


def test_two_classes_are_divided_at_the_threshold(cancer):
    X, y = cancer
    decider = ExpectedLossClassifier(GaussianNB(), LOSSES).fit(X.to_numpy(), y.to_numpy())
    share = decider.predict_proba(X.to_numpy())[:, decider.classes_.tolist().index("malignant")]
    assert np.array_equal(
        decider.predict(X.to_numpy()) == "malignant", share > decider.losses_.threshold("malignant")
    )


def test_expected_losses_decide():
    X, y = induce.dataset("wine")
    matrix = [[0, 1, 4], [2, 0, 1], [7, 1, 0]]
    decider = ExpectedLossClassifier(induce.C45(), matrix).fit(X, y)
    expected = decider.expected_losses(X)
    assert expected == pytest.approx(decider.predict_proba(X) @ np.array(matrix))
    decisions = np.array(decider.losses_.decisions)
    assert decider.predict(X).tolist() == decisions[expected.argmin(axis=1)].tolist()


def test_without_losses_it_predicts_as_the_learner(cancer):
    X, y = cancer
    tree = induce.DecisionTreeClassifier(max_depth=3)
    assert np.array_equal(ExpectedLossClassifier(tree).fit(X, y).predict(X), tree.fit(X, y).predict(X))


def test_ties_go_by_declared_order():
    X, y = induce.dataset("restaurant")  # Yes is declared before No, and six evenings are of each
    stump = induce.DecisionTreeClassifier(max_depth=0)
    assert set(ExpectedLossClassifier(stump).fit(X, y).predict(X)) == {"Yes"}
    assert set(ExpectedLossClassifier(stump, "No>Yes=1,Yes>No=1").fit(X, y).predict(X)) == {"No"}


def test_rejection(cancer):
    X, y = cancer
    table = LossTable.zero_one(["benign", "malignant"]).rejecting(0.1, "ask")
    decider = ExpectedLossClassifier(GaussianNB(), table).fit(X.to_numpy(), y.to_numpy())
    shares = decider.predict_proba(X.to_numpy()).max(axis=1)
    assert np.array_equal(decider.predict(X.to_numpy()) == "ask", shares < 0.9)
    assert decider.classes_.tolist() == ["benign", "malignant"]
    assert empirical_loss(decider, X.to_numpy(), y.to_numpy(), table) < 0.1


def test_hypothesis_and_explanation_are_passed_on():
    X, y = induce.dataset("play-tennis")
    decider = ExpectedLossClassifier(induce.ID3(), "Yes>No=1,No>Yes=2").fit(X, y)
    assert str(decider.hypothesis_) == str(induce.ID3().fit(X, y).hypothesis_)
    assert str(decider.explain(X[:1])[0]) == str(decider.learner_.explain(X[:1])[0])
    other = ExpectedLossClassifier(GaussianNB()).fit([[0], [1]], [0, 1])
    assert not hasattr(other, "explain")
    assert not hasattr(other, "hypothesis_")


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame, pa.table])
def test_frames_of_every_kind(frame):
    X, y = induce.dataset("restaurant")
    table = frame(X.to_dict(as_series=False))
    decider = ExpectedLossClassifier(induce.ID3(max_depth=1), "Yes>No=3,No>Yes=1").fit(table, y)
    assert decider.feature_names_in_.tolist() == X.columns
    assert (decider.predict(table) == "Yes").sum() == 10  # all but those of the two evenings without guests


def test_it_can_be_searched_and_cloned():
    X, y = induce.dataset("wine")
    search = GridSearchCV(ExpectedLossClassifier(induce.ID3()), {"learner__max_depth": [1, 4]}, cv=3).fit(
        X, y
    )
    assert search.best_params_ == {"learner__max_depth": 4}
    assert clone(search.best_estimator_).losses is None


def test_a_learner_without_probabilities():
    with pytest.raises(TypeError, match=r"LinearSVC has no class probabilities, .* CalibratedClassifierCV"):
        ExpectedLossClassifier(LinearSVC()).fit([[0], [1]], [0, 1])


def test_a_class_the_losses_do_not_know():
    with pytest.raises(
        InputError, match="y has the class b, for which there are no losses: the classes are a, c"
    ):
        ExpectedLossClassifier(GaussianNB(), LossTable.zero_one("ac")).fit([[0], [1]], ["a", "b"])
    with pytest.raises(InputError, match=r"losses has the shape \(3, 3\), but there are 2 classes"):
        ExpectedLossClassifier(GaussianNB(), np.zeros((3, 3))).fit([[0], [1]], ["a", "b"])
