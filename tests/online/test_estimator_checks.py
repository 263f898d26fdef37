"""scikit-learn's own checks of estimators."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from induce.online.decision_list import DecisionListClassifier
from induce.online.find_s import OnlineFindS
from induce.online.majority import Halving, RandomizedWeightedMajority, WeightedMajority
from induce.online.winnow import Winnow

NOT_OURS = {"check_array_api_input"}  # it only runs where SCIPY_ARRAY_API was set before scipy was imported
NOT_PREDICTIONS = (
    "the columns of X are taken for the predictions of experts, which they are not: they hold classes that were not "
    "announced, are text where y is not, or are no better than chance"
)
EXPERTS = {
    "check_n_features_in_after_fitting",
    "check_classifiers_one_label",
    "check_classifiers_classes",
    "check_estimators_partial_fit_n_features",
    "check_classifiers_train",
}
NO_HYPOTHESIS = "no column agrees with all rows, which Halving says instead of learning something"
HALVING = EXPERTS | {
    "check_fit_score_takes_y",
    "check_estimators_overwrite_params",
    "check_estimators_fit_returns_self",
    "check_readonly_memmap_input",
    "check_positive_only_tag_during_fit",
    "check_estimators_dtypes",
    "check_dtype_object",
    "check_supervised_y_2d",
    "check_fit_idempotent",
    "check_fit_check_is_fitted",
    "check_n_features_in",
    "check_estimators_nan_inf",
    "check_classifier_data_not_an_array",
    "check_dont_overwrite_attributes",
}
EXPECTED_TO_FAIL = {
    WeightedMajority: (EXPERTS, NOT_PREDICTIONS),
    RandomizedWeightedMajority: (EXPERTS, NOT_PREDICTIONS),
    Halving: (HALVING, NO_HYPOTHESIS),
    Winnow: (frozenset(), ""),
    DecisionListClassifier: (frozenset(), ""),
    OnlineFindS: (frozenset(), ""),
}

CHECKS = [
    pytest.param(estimator, check, id=f"{learner.__name__}-{check.func.__name__}-{number}")
    for learner in EXPECTED_TO_FAIL
    for number, (estimator, check) in enumerate(estimator_checks_generator(learner()))
    if check.func.__name__ not in NOT_OURS
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_check(estimator, check):
    if check.func.__name__ in EXPECTED_TO_FAIL[type(estimator)][0]:
        with pytest.raises((AssertionError, ValueError)):
            check(estimator)
    else:
        check(estimator)
