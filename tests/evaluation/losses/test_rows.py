"""Losses by row, on rows and over a distribution."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error, mean_squared_error, zero_one_loss

import induce
from induce import InputError
from induce.evaluation.losses.rows import empirical_loss, generalisation_loss, loss_for, loss_text, row_losses
from induce.evaluation.losses.table import LossTable
from induce.evaluation.predictors import predictions


def test_the_three_losses_of_the_book():
    """AIMA 18.4.2: 137.035999 predicted as 137.036."""
    true, said = [137.035999], [137.036]
    assert row_losses("absolute", true, said)[0] == pytest.approx(1e-6, rel=1e-6)
    assert row_losses("squared", true, said)[0] == pytest.approx(1e-12, rel=1e-6)
    assert row_losses("zero-one", true, said)[0] == 1


def test_means_are_those_of_scikit_learn():
    random = np.random.default_rng(0)
    true, said = random.normal(size=(2, 40))
    classes, guesses = random.integers(0, 3, (2, 40))
    assert row_losses("absolute", true, said).mean() == pytest.approx(mean_absolute_error(true, said))
    assert row_losses("squared", true, said).mean() == pytest.approx(mean_squared_error(true, said))
    assert row_losses("zero-one", classes, guesses).mean() == pytest.approx(zero_one_loss(classes, guesses))


def test_a_function_is_a_loss():
    def doubled(actual, predicted):
        return 2 * np.abs(actual - predicted)

    assert row_losses(doubled, [1, 2], [2, 2]).tolist() == [2, 0]
    assert loss_text(doubled) == "doubled"
    assert loss_text(lambda a, b: a) == "loss"


def test_the_loss_follows_the_learner():
    assert loss_for(LinearRegression(), None) == "squared"
    assert loss_for(DummyClassifier(), None) == "zero-one"
    assert loss_for(len, None) == "zero-one"


def test_empirical_loss_of_anything_that_predicts():
    X, y = induce.dataset("restaurant")
    tree = induce.ID3(max_depth=1).fit(X, y)
    rules = tree.hypothesis_.to_rules()
    assert empirical_loss(tree, X, y) == pytest.approx(2 / 12)
    assert empirical_loss(tree.hypothesis_, X, y) == empirical_loss(rules, X, y) == pytest.approx(2 / 12)
    assert empirical_loss(lambda rows: ["Yes"] * len(rows), X, y) == pytest.approx(0.5)
    line = LinearRegression().fit([[0], [1], [2]], [0, 1, 5])
    assert empirical_loss(line, [[0], [1]], [0, 1]) == pytest.approx(((0 - -0.5) ** 2 + (1 - 2) ** 2) / 2)


def test_generalisation_loss_is_the_expected_loss():
    x, y, chance = [[0], [0], [1], [1]], ["no", "yes", "no", "yes"], [0.4, 0.1, 0.2, 0.3]
    losses = LossTable.read("no>yes=5,yes>no=1")
    assert generalisation_loss(lambda rows: ["no", "no", "yes", "yes"], x, y, chance) == pytest.approx(0.3)
    assert generalisation_loss(
        lambda rows: ["no", "no", "yes", "yes"], x, y, chance, losses
    ) == pytest.approx(1.1)


def test_generalisation_loss_is_what_samples_tend_to():
    random = np.random.default_rng(0)
    x, y, chance = np.array([[0], [0], [1]]), np.array(["no", "yes", "yes"]), [0.3, 0.1, 0.6]

    def hypothesis(rows):
        return np.where(np.asarray(rows)[:, 0] == 0, "no", "yes")

    drawn = random.choice(3, 20_000, p=chance)
    sampled = empirical_loss(hypothesis, x[drawn], y[drawn])
    assert sampled == pytest.approx(generalisation_loss(hypothesis, x, y, chance), abs=0.01)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: row_losses("cubed", [1], [1]), InputError, "loss is 'cubed'; it can be 'zero-one'"),
        (lambda: row_losses(3, [1], [1]), TypeError, "loss must be a name, a LossTable or a function, not 3"),
        (lambda: row_losses("squared", [1, 2], [1]), InputError, r"shape \(2,\) and predicted \(1,\)"),
        (lambda: row_losses("squared", ["a"], ["b"]), InputError, "this loss needs numbers"),
        (lambda: row_losses("squared", [1.0], [np.nan]), InputError, "the loss is NaN where .*1.0.* is true"),
        (
            lambda: row_losses(lambda a, b: 0, [1, 2], [1, 2]),
            InputError,
            r"returns the shape \(\) for 2 rows",
        ),
        (lambda: predictions(3, [[1]]), TypeError, "a method predict or be a function of the rows, not int"),
        (lambda: empirical_loss(lambda rows: [], [], []), InputError, "y is empty"),
        (lambda: _general([0.5, 0.5]), InputError, r"shape \(2,\) for 1 rows"),
        (lambda: _general([0.5]), InputError, "probability sums to 0.5"),
        (lambda: _general([-1]), InputError, "negative or not finite"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


def _general(probability):
    return generalisation_loss(lambda rows: ["a"], [[0]], ["a"], probability)
