"""The common checks find what is wrong with a learner that others write."""

from typing import Any

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.evaluation.learner_checks.checks import CHECKS
from induce.evaluation.learner_checks.runner import check_learner


class Sound(induce.DecisionStump):
    """A stump. A missing value goes down every branch, a category not seen in training too."""


class Undocumented(induce.DecisionStump):
    """A stump."""


class Undeclared(Sound):
    """A stump with a parameter that is not declared; missing and unseen values as before."""

    def __init__(self, *, depth: int = 1) -> None:
        super().__init__()
        self.depth = depth

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"depth": self.depth}


class Forgetful(Sound):
    """Learns from the global generator; a missing value and an unseen one go down every branch."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        np.random.random()
        return super().fit(X, y, sample_weight)


class Heedless(Sound):
    """Ignores weights; a missing value and an unseen one go down every branch."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        return super().fit(X, y)


class Careless(Sound):
    """Changes its parameters in the constructor; a missing value and an unseen one go down every branch."""

    def __init__(self, *, criterion: str = "gain", class_weight: Any = None, schema: Any = None) -> None:
        super().__init__(criterion=criterion, class_weight=class_weight, schema=dict(schema or {}))


class Contrary(Sound):
    """Predicts otherwise than its hypothesis; a missing value and an unseen one go down every branch."""

    def predict(self, X: Any) -> Any:
        return super().predict(X)[::-1]


def test_a_sound_learner_passes():
    report = check_learner(Sound)
    assert {*CHECKS, "check_fit_idempotent", "check_estimators_pickle"} <= set(report.passed)
    assert report.failed == ()


def test_an_instance_is_checked_with_its_parameters():
    assert check_learner(Sound(criterion="gini"), only="check_same_seed").passed == ("check_same_seed",)
    with pytest.raises(AssertionError, match="criterion is 'tea'"):
        check_learner(Sound(criterion="tea"), only="check_same_seed")


@pytest.mark.parametrize(
    ("learner", "check", "sentence"),
    [
        (Undocumented, "check_documentation", "the docstring does not describe missing values"),
        (Undeclared, "check_parameters", "parameters without a declaration: depth"),
        (Undeclared, "check_documentation", "does not describe depth under Parameters"),
        (Forgetful, "check_same_seed", "uses numpy's global random generator"),
        (Heedless, "check_weights", "a weight of 2 differs from repeating the row"),
        (Contrary, "check_later_rows", "the learner and its hypothesis predict differently"),
        (Contrary, "check_explanations", "explanations differ from the predictions"),
    ],
)
def test_what_is_wrong_is_named(learner, check, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_learner(learner, only=check)
    ((name, told),) = check_learner(learner, only=check, on_fail="report").failed
    assert name == check
    assert sentence in told


def test_a_constructor_that_changes_its_parameters_is_one_finding():
    ((name, told),) = check_learner(Careless, on_fail="report").failed
    assert name == "check_clone"
    assert "either does not set or modifies parameter schema" in told
    with pytest.raises(AssertionError, match="check_clone"):
        check_learner(Careless, expected={"check_documentation": "it is a test"})


def test_a_phrase_may_be_broken_over_two_lines():
    check_learner(induce.C45, only="check_documentation")


def test_a_difference_of_numbers_says_what_differs():
    check = "check_sample_weight_equivalence_on_dense_data"
    ((_, told),) = check_learner(Heedless, only=check, on_fail="report").failed
    assert "Not equal to tolerance" in told
    assert "sample_weight" in told


def test_expected_failures():
    excused = {"check_documentation": "it is a test"}
    report = check_learner(Undocumented, expected=excused, only="check_documentation")
    assert report.expected == (("check_documentation", "it is a test"),)
    assert "fails as expected: it is a test" in str(report)
    with pytest.raises(AssertionError, match="passes, although it was expected to fail"):
        check_learner(Sound, expected=excused, only="check_documentation")


def test_what_cannot_be_checked():
    with pytest.raises(InputError, match="QLearning has no fit; only learners from tables can be checked"):
        check_learner(induce.QLearning)
