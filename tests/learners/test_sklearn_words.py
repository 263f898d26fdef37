"""scikit-learn's words: values, attributes and methods that its users expect."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import induce


@pytest.fixture(scope="module")
def iris():
    return induce.dataset("iris")


@pytest.mark.parametrize(
    ("learner", "ours"),
    [
        (induce.DecisionTreeClassifier(criterion="entropy"), {"criterion": "gain"}),
        (induce.CART(criterion="log_loss"), {"criterion": "gain"}),
        (induce.RandomForest(criterion="entropy", max_features="log2"), {"criterion": "gain"}),
        (induce.SVM(kernel="rbf", multi_class="ovo"), {"kernel": "gaussian", "multi_class": "one-against-one"}),
        (induce.SVM(kernel="poly", multi_class="ovr"), {"kernel": "polynomial", "multi_class": "one-against-rest"}),
        (induce.KNeighborsClassifier(metric="l1"), {"metric": "manhattan"}),
    ],
)  # fmt: skip
def test_values(learner, ours):
    learner._check_parameters()
    assert {name: getattr(learner, name) for name in ours} == ours


def test_cosine_neighbors(iris):
    X, y = iris
    found = induce.KNeighborsClassifier(3, metric="cosine").fit(X, y)
    assert found.score(X, y) > 0.95
    brute, _ = induce.KNeighborsClassifier(3, metric="cosine", algorithm="scan").fit(X, y).kneighbors(X[:9])
    np.testing.assert_allclose(found.kneighbors(X[:9])[0], brute)


def test_importances_of_a_tree_are_those_of_scikit_learn():
    X, y = induce.dataset("wine")
    ours = induce.DecisionTreeClassifier(criterion="gini", max_depth=2).fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X.to_numpy(), y.to_numpy())
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


def test_importances_of_a_regression_tree_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = 3 * X[:, 1] + X[:, 0] + 0.1 * rng.normal(size=80)
    ours = induce.DecisionTreeRegressor(max_depth=3, pruning=None).fit(X, y)
    theirs = DecisionTreeRegressor(max_depth=3, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


def test_importances_count_every_column(iris):
    X, y = iris
    named = X.with_columns(name=X[X.columns[0]].cast(str) + "x")
    assert len(induce.C45().fit(named, y).feature_importances_) == named.width
    forest = induce.RandomForest(n_estimators=5, oob_score=True).fit(X, y)
    assert forest.feature_importances_.sum() == pytest.approx(1)
    assert 0.8 < forest.oob_score_ <= 1
    assert not hasattr(induce.RandomForest(n_estimators=2).fit(X, y), "oob_score_")
    assert not hasattr(induce.Bagging(induce.NaiveBayes(), n_estimators=2).fit(X, y), "feature_importances_")
    assert not hasattr(induce.C45Rules().fit(X, y), "feature_importances_")


def test_out_of_bag_score_is_that_of_the_estimate(iris):
    from induce.evaluation import out_of_bag

    X, y = iris
    forest = induce.RandomForest(n_estimators=20, oob_score=True).fit(X, y)
    assert forest.oob_score_ == pytest.approx(1 - out_of_bag(forest, X, y).value)


def test_support_vectors(iris):
    X, y = iris
    machine = induce.SVM(kernel="linear").fit(X, y)
    assert (np.diff(machine.support_) > 0).all()
    assert machine.support_.max() < len(X)
    assert machine.decision_function(X).shape == (len(X), 3)


def test_boosting_stage_by_stage(iris):
    X, y = iris
    boosted = induce.AdaBoost(n_estimators=4).fit(X, y)
    stages = list(boosted.staged_predict(X))
    assert len(stages) == len(boosted.hypothesis_.members)
    assert (stages[-1] == boosted.predict(X)).all()
    assert (stages[0] == boosted.hypothesis_.first(1).predict(X)).all()


@pytest.mark.parametrize("learner", [induce.C45(), induce.NaiveBayes(), induce.RandomForest(n_estimators=3)])
def test_log_probabilities(iris, learner):
    X, y = iris
    learner.fit(X, y)
    np.testing.assert_allclose(np.exp(learner.predict_log_proba(X)), learner.predict_proba(X))


def test_log_probabilities_of_networks(iris):
    X, y = iris
    assert hasattr(induce.ChowLiu().fit(X, y), "predict_log_proba")
    assert not hasattr(induce.ChowLiu().fit(X), "predict_log_proba")
