"""How complex a hypothesis is."""

import math

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import induce
from induce.evaluation.choosing.complexity import complexity_of
from induce.evaluation.choosing.decisions import ExpectedLossClassifier
from induce.evaluation.readability import parts


def test_linear_models_by_their_squared_coefficients():
    line = make_pipeline(PolynomialFeatures(2, include_bias=False), Ridge(alpha=1e-9))
    line.fit([[0], [1], [2], [3]], [1, 1 + 2 + 3, 1 + 4 + 12, 1 + 6 + 27])
    assert complexity_of(line) == pytest.approx(2**2 + 3**2, rel=1e-4)
    many = LogisticRegression().fit([[0], [1], [2]], [0, 1, 2])
    assert complexity_of(many) == pytest.approx((many.coef_**2).sum())


def test_what_is_inside_counts():
    X, y = induce.dataset("wine")
    tree = induce.ID3().fit(X, y)
    assert complexity_of(tree) == complexity_of(tree.hypothesis_) == parts(tree)
    assert complexity_of(ExpectedLossClassifier(induce.ID3()).fit(X, y)) == parts(tree)
    search = GridSearchCV(induce.ID3(), {"max_depth": [1]}, cv=2).fit(X, y)
    assert complexity_of(search) == parts(search.best_estimator_)


def test_unknown_is_not_a_number():
    assert math.isnan(complexity_of(KNeighborsClassifier(1).fit([[0], [1]], [0, 1])))
