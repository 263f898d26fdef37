"""Accuracy against the number of examples."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import induce
from induce import InputError
from induce.data.generate import restaurant
from induce.trees.understanding import learning_curve


def test_restaurant():
    """C1: more evenings, better trees, up to 95%."""
    curve = learning_curve(induce.ID3(), *restaurant(2100), sizes=(10, 20, 50, 100), test_size=2000)
    assert curve.mean.tolist() == pytest.approx([0.81, 0.91, 0.95, 0.951], abs=0.03)
    assert curve.accuracy.shape == (4, 20)
    assert (np.diff(curve.deviation[[0, 3]]) < 0).all()


def test_it_tests_on_all_that_is_left():
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y):
            seen.append([len(X)])
            return super().fit(X, y)

        def predict(self, X):
            seen[-1].append(len(X))
            return super().predict(X)

    X, y = np.arange(20.0).reshape(-1, 1), np.arange(20) % 2
    learning_curve(Spy(), X, y, sizes=[3, 19], trials=2)
    assert seen == [[3, 17], [3, 17], [19, 1], [19, 1]]


def test_rows_are_drawn_anew_and_never_tested_on():
    learned = []

    class Memory(DecisionTreeClassifier):
        """Says which rows it learned from."""

        def fit(self, X, y):
            self.known = set(X[:, 0].tolist())
            learned.append(frozenset(self.known))
            return super().fit(X, y)

        def predict(self, X):
            assert not self.known & set(X[:, 0].tolist())
            return super().predict(X)

    X, y = np.arange(30.0).reshape(-1, 1), np.arange(30) % 3
    learning_curve(Memory(), X, y, sizes=[10], trials=5)
    assert len(set(learned)) == 5


def test_frames_of_all_kinds():
    X, y = induce.dataset("iris")
    expected = learning_curve(induce.C45(), X, y, sizes=[20], trials=2)
    frame = pd.DataFrame(X.to_dict(as_series=False))
    found = learning_curve(induce.C45(), frame, y.to_list(), sizes=[20], trials=2)
    assert np.array_equal(found.accuracy, expected.accuracy)


def test_words_and_picture():
    X, y = induce.dataset("iris")
    curve = learning_curve(induce.C45(), X, y, sizes=[5, 100], trials=3)
    assert [line.partition(":")[0] for line in str(curve).splitlines()] == ["  5 examples", "100 examples"]
    (axes,) = curve.draw().axes
    assert axes.get_title(loc="left") == "mean and standard deviation of 3 trials"
    assert axes.lines[0].get_ydata().tolist() == curve.mean.tolist()


def test_bad_input():
    X, y = induce.dataset("iris")
    with pytest.raises(
        InputError, match="sizes has 150; of 150 rows it must be a whole number from 1 to 149"
    ):
        learning_curve(induce.C45(), X, y, sizes=[150])
    with pytest.raises(InputError, match=r"sizes has 100; .* from 1 to 50"):
        learning_curve(induce.C45(), X, y, sizes=[100], test_size=100)
    with pytest.raises(InputError, match="sizes is empty"):
        learning_curve(induce.C45(), X, y, sizes=[])
    with pytest.raises(InputError, match="trials is 0"):
        learning_curve(induce.C45(), X, y, sizes=[10], trials=0)
