"""The true error over a known distribution: exact, and what estimates from samples come to."""

from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.tree import DecisionTreeClassifier

import induce
from induce.core.errors import InputError
from induce.data.generate import restaurant, restaurant_space
from induce.evaluation.estimating.true_error import sampled_error, true_error

CELLS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
XOR = np.array(["no", "yes", "yes", "no"])
ALWAYS = DummyClassifier(strategy="constant", constant="yes").fit(CELLS, XOR)


def test_weights_are_how_often_examples_are_met() -> None:
    assert true_error(ALWAYS, CELLS, XOR) == 0.5
    assert true_error(ALWAYS, CELLS, XOR, [1, 3, 3, 3]) == pytest.approx(0.4)
    assert true_error(ALWAYS, CELLS, XOR, [0, 0.1, 0, 0.3]) == pytest.approx(0.75)
    assert true_error(ALWAYS, CELLS, XOR, loss=lambda true, said: np.full(len(true), 7.0)) == pytest.approx(7)
    assert true_error(DecisionTreeClassifier().fit(CELLS, XOR), CELLS, XOR) == 0


def test_numbers() -> None:
    mean = DummyRegressor().fit(CELLS, [0.0, 1.0, 2.0, 3.0])
    assert true_error(mean, CELLS, [0.0, 1.0, 2.0, 3.0]) == pytest.approx(1.0)
    assert true_error(mean, CELLS, [0.0, 1.0, 2.0, 3.0], loss="squared") == pytest.approx(1.25)


def test_sampling_comes_to_the_same() -> None:
    tree = induce.ID3().fit(*induce.dataset("restaurant"))
    exact = true_error(tree, *restaurant_space())
    covered = 0
    for seed in range(1, 21):
        estimate = sampled_error(tree, restaurant, 400, random_state=seed)
        covered += estimate.interval.low <= exact <= estimate.interval.high
    assert covered >= 18
    assert estimate.method == "fresh examples"
    assert estimate.interval.holds
    assert estimate == sampled_error(tree, restaurant, 400, random_state=20)
    upper = sampled_error(tree, restaurant, 400, interval="wilson", sides="upper", confidence=0.99)
    assert (upper.interval.method, upper.interval.sides) == ("Wilson", "upper")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2, 3], r"weights has the shape \(3,\) for 4 rows"),
        ([1, 2, 3, -1], "weights must be nonnegative"),
        ([0, 0, 0, 0], "weights must be nonnegative, with at least one above 0"),
        ([1, 2, 3, np.nan], "weights must be nonnegative"),
    ],
)
def test_bad_weights(weights: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        true_error(ALWAYS, CELLS, XOR, weights)


def test_other_refusals() -> None:
    with pytest.raises(InputError, match="DecisionTreeClassifier is not fitted"):
        true_error(DecisionTreeClassifier(), CELLS, XOR)
    with pytest.raises(TypeError, match="draw must be a function"):
        sampled_error(ALWAYS, CELLS)
