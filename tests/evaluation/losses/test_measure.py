"""What a `score` parameter stands for."""

import math

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.metrics import make_scorer, recall_score

from induce.core.errors import InputError
from induce.evaluation.losses.measure import Measure, check_finite, measure_of, score_text
from induce.evaluation.losses.table import LossTable


@pytest.mark.parametrize(
    ("score", "numeric", "name", "higher"),
    [
        (None, False, "error", False),
        (None, True, "absolute error", False),
        ("squared", True, "squared error", False),
        ("accuracy", False, "accuracy", True),
        ("neg_log_loss", False, "log loss", False),
        (make_scorer(recall_score), False, "recall score", True),
        (lambda learner, rows, actual: 1.0, False, "score", True),
        (lambda actual, predicted: actual, True, "loss", False),
        (np.subtract, True, "subtract", False),
        (LossTable.zero_one("ab"), False, "loss by the table", False),
    ],
)
def test_names_and_directions(score, numeric, name, higher):
    found = measure_of(score, numeric)
    assert (found.name, found.higher) == (name, higher)
    assert (found.loss is None) != (found.scorer is None)


def test_negated_scores_are_given_as_losses():
    rows, actual = np.zeros((4, 1)), np.array([0.0, 2.0, 4.0, 6.0])
    fitted = DummyRegressor().fit(rows, actual)
    assert measure_of("neg_mean_absolute_error", numeric=True).scorer(fitted, rows, actual) == pytest.approx(
        2
    )
    assert measure_of("r2", numeric=True).scorer(fitted, rows, actual) == pytest.approx(0)


def test_losses_of_rows():
    found = measure_of(None, numeric=True).losses(np.array([1.0, 2.0]), np.array([1.0, 5.0]))
    assert found.tolist() == [0, 3]
    assert measure_of("r2", numeric=True).losses(np.zeros(1), np.zeros(1)) is None


def test_numbers_as_text():
    assert [score_text(value) for value in (0.12345, -3.0, 123456.0)] == ["0.123", "-3.000", "1.235e+05"]
    assert Measure("error").text(0.5) == "0.500"


def test_bad_input():
    with pytest.raises(TypeError, match="score must be a name, a LossTable, a loss or a scorer, not 7"):
        measure_of(7, numeric=False)
    with pytest.raises(InputError, match="there is no score 'sqared'; did you mean 'squared'"):
        measure_of("sqared", numeric=True)
    with pytest.raises(
        InputError, match="the r2 of ridge is nan in fold 2 of 5; choose a score that is defined"
    ):
        check_finite(math.nan, Measure("r2"), "ridge", 2, 5)
    check_finite(0.5, Measure("r2"), "ridge", 2, 5)
