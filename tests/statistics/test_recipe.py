"""The recipe of section 5.4: known intervals come out of it, and others can be made with it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from induce.core.errors import InputError
from induce.statistics import Recipe, Student, normal, normal_mean, t_mean, two_proportions


def test_the_error_rate_is_an_instance() -> None:
    recipe = Recipe("error rate", 0.3, math.sqrt(0.3 * 0.7 / 40), lowest=0.0, highest=1.0)
    ours, theirs = recipe.interval(0.9), normal(12, 40, 0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_a_mean_is_an_instance() -> None:
    values = np.array([1.0, 4.0, 2.0, 8.0, 5.0])
    recipe = Recipe("mean", values.mean(), values.std(ddof=1) / math.sqrt(5), Student(4))
    for sides in ("two", "lower", "upper"):
        ours, theirs = recipe.interval(0.95, sides), t_mean(values, 0.95, sides)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_any_distribution_of_scipy_can_be_plugged_in() -> None:
    skewed = Recipe("delay", 10.0, 2.0, stats.expon(), method="exponential")
    interval = skewed.interval(0.9)
    # the estimator strays upwards only, so the parameter lies below the estimate
    assert interval.high == pytest.approx(10 + 2 * math.log(0.95))
    assert interval.low == pytest.approx(10 + 2 * math.log(0.05))
    assert interval.method == "exponential"
    assert skewed.above(9) == pytest.approx(1 - math.exp(-0.5))


def test_functions_are_made_by_the_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = Recipe.interval

    def spy(recipe: Recipe, *arguments: object) -> object:
        made.append(recipe.parameter)
        return real(recipe, *arguments)

    monkeypatch.setattr(Recipe, "interval", spy)
    normal(3, 40), t_mean([1, 2, 3]), normal_mean(range(40)), two_proportions(3, 40, 5, 50)
    assert made == ["error rate", "mean", "mean", "difference of the error rates"]


@given(st.floats(-5, 5), st.floats(0.01, 10), st.floats(0.02, 0.98))
def test_a_lower_bound_is_what_one_may_say_with_its_confidence(
    estimate: float, deviation: float, confidence: float
) -> None:
    recipe = Recipe("parameter", estimate, deviation)
    bound = recipe.interval(confidence, "lower").low
    assert recipe.above(bound) == pytest.approx(confidence, abs=1e-9)


def test_without_spread() -> None:
    sure = Recipe("parameter", 1.0, 0.0)
    assert (sure.above(0), sure.above(1), sure.above(2)) == (1.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("estimate", "deviation", "message"),
    [
        (math.nan, 1.0, "the estimate of the mean must be a number, not nan"),
        (0.0, -1.0, "the deviation of the mean must be 0 or more, not -1.0"),
        (0.0, math.nan, "the deviation of the mean must be 0 or more, not nan"),
    ],
)
def test_refusals(estimate: float, deviation: float, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Recipe("mean", estimate, deviation)
    assert str(caught.value) == message
