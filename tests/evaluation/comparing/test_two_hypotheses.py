"""Two hypotheses on rows of their own (section 5.5)."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.evaluation.comparing.two_hypotheses import compare_hypotheses
from induce.statistics import two_proportions

X, Y = load_wine(return_X_y=True)
TRAIN, ONE, OTHER = slice(0, None, 3), slice(1, None, 3), slice(2, None, 3)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X[TRAIN], Y[TRAIN])
BAYES = GaussianNB().fit(X[TRAIN], Y[TRAIN])


def wrong(learner, rows):
    return int((learner.predict(X[rows]) != Y[rows]).sum()), len(Y[rows])


def test_own_rows():
    found = compare_hypotheses(STUMP, X[ONE], Y[ONE], BAYES, X[OTHER], Y[OTHER])
    assert found == two_proportions(*wrong(STUMP, ONE), *wrong(BAYES, OTHER))
    assert found.probability > 0.999
    assert found.verdict.says("stump", "bayes") == "bayes has the lower error: p < 0.001"


def test_the_example_of_the_book():
    """Errors 0.30 and 0.20 on 100 rows each: 1.64 standard deviations (section 5.5.1)."""

    class Says:
        def __init__(self, errors):
            self.errors = errors

        def predict(self, X):
            return np.arange(len(X)) < self.errors

    rows, classes = np.zeros((100, 1)), np.zeros(100, bool)
    found = compare_hypotheses(Says(30), rows, classes, Says(20), np.ones((100, 1)), classes.copy())
    assert found.difference == pytest.approx(0.10)
    assert found.deviation == pytest.approx(0.0608276253)
    assert found.probability == pytest.approx(0.9499108529)
    low = compare_hypotheses(
        Says(30), rows, classes, Says(20), rows.copy(), classes.copy(), confidence=0.9, sides="two"
    ).interval.low
    assert low == pytest.approx(0.1 - 1.6448536 * 0.0608276253, abs=1e-8)


def test_the_same_rows():
    with pytest.warns(
        Note,
        match="both hypotheses are tested on the same rows, so the interval is probably wider than necessary",
    ):
        found = compare_hypotheses(STUMP, X[ONE], Y[ONE], BAYES)
    assert found == two_proportions(*wrong(STUMP, ONE), *wrong(BAYES, ONE), shared_sample=True)
    assert "use mcnemar" in found.interval.preconditions


def test_hypotheses_of_ours_and_one_side():
    tree = induce.C45().fit(X[TRAIN], Y[TRAIN])
    with pytest.warns(Note):
        found = compare_hypotheses(tree.hypothesis_, X[ONE], Y[ONE], BAYES, sides="lower", confidence=0.9)
    assert found.interval.sides == "lower"


def test_bad_input():
    with pytest.raises(InputError, match="X2 and y2 go together"):
        compare_hypotheses(STUMP, X, Y, BAYES, X)
    with pytest.raises(InputError, match="GaussianNB is not fitted"):
        compare_hypotheses(STUMP, X[ONE], Y[ONE], GaussianNB(), X, Y)
    with pytest.raises(TypeError, match="Ridge predicts numbers, and section"):
        compare_hypotheses(STUMP, X[ONE], Y[ONE], Ridge().fit(X, Y), X[OTHER], Y[OTHER])
    with pytest.raises(InputError, match="y is missing in 1 row; leave those rows out"):
        compare_hypotheses(STUMP, X[:2], [1, None], BAYES, X[2:4], [0, 1])
