"""scikit-learn's own checks of estimators, on every learner from tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import estimator_checks_generator

from induce.core.registry import ESTIMATORS, resolve
from tests.learners.checks import Check
from tests.learners.tables import reads_for_others

# learners over experts are no learners from tables until they are given experts: here each column is taken for one
EXPERTS = {"Halving", "RandomizedWeightedMajority", "WeightedMajority"}
PARAMETERS = {
    "LiteralDisjunction": {"positives": "ignore"},  # the tables of the checks are no such disjunctions
}
NOT_OURS = {"check_array_api_input"}  # it only runs where SCIPY_ARRAY_API was set before scipy was imported
TOO_LONG = {  # they have it list half a million hypotheses; what they ask is asked in test_bad_input too
    ("ListThenEliminate", "check_n_features_in_after_fitting"),
    ("ListThenEliminate", "check_positive_only_tag_during_fit"),
}

# what only the reading of a table decides: one learner of each preamble is asked
OF_READING = {
    "check_classifier_data_not_an_array",
    "check_dtype_object",
    "check_estimators_dtypes",
    "check_estimators_fit_returns_self",
    "check_f_contiguous_array_estimator",
    "check_fit_score_takes_y",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_positive_only_tag_during_fit",
    "check_readonly_memmap_input",
    "check_regressor_data_not_an_array",
    "check_sample_weight_equivalence_on_dense_data",  # all are asked by `properties.check_weights_are_repetitions`
    "check_sample_weights_list",
    "check_sample_weights_not_an_array",
    "check_sample_weights_pandas_series",
    "check_supervised_y_2d",
}

EXCEPTIONS = [
    (
        "a tree that is neither pruned nor stopped fits every example whatever its weight; scikit-learn's own tree "
        "passes because the check makes it stop early by min_weight_fraction_leaf",
        {"DecisionTreeClassifier", "ID3", "LookaheadTree"},
        {"check_class_weight_classifiers"},
    ),
    (
        "boosting goes on until all examples are right, whatever their weights were at the start",
        {"AdaBoost"},
        {"check_class_weight_classifiers"},
    ),
    (
        "as many rows are drawn as there are: with weights others than with repetitions; scikit-learn's own bagging "
        "is excepted too",
        {"AdaBoostRegressor", "Bagging", "BaggingRegressor", "RandomForest", "RandomForestRegressor"},
        {"check_sample_weight_equivalence_on_dense_data"},
    ),
    (
        "a weighted row is one longer update, its repetitions are several; scikit-learn's own perceptron is excepted "
        "too",
        {"Adaline", "LMS", "Perceptron"},
        {"check_sample_weight_equivalence_on_dense_data"},
    ),
    (
        "a missing value is refused in training, but not in prediction",
        {
            "BFSID3",
            "CandidateElimination",
            "DisjunctiveVersionSpace",
            "FindS",
            "ListThenEliminate",
            "LiteralDisjunction",
            "TolerantElimination",
        },
        {"check_estimators_nan_inf"},
    ),
    (
        "its table has negative numbers, which are no counts of words",
        {"Rocchio", "TextNaiveBayes"},
        {"check_class_weight_classifiers"},
    ),
    (
        "the language has more hypotheses than it lists, which it says instead of learning something",
        {"ListThenEliminate"},
        {"check_estimators_dtypes", "check_dtype_object"},
    ),
    (
        "the columns of X are taken for the predictions of experts, which they are not: they hold classes that were "
        "not announced, are text where y is not, or are no better than chance",
        EXPERTS,
        {
            "check_n_features_in_after_fitting",
            "check_classifiers_one_label",
            "check_classifiers_classes",
            "check_estimators_partial_fit_n_features",
            "check_classifiers_train",
        },
    ),
    (
        "no column agrees with all rows, which Halving says instead of learning something",
        {"Halving"},
        {
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
        },
    ),
]
EXPECTED_TO_FAIL = {
    (learner, check) for _, learners, checks in EXCEPTIONS for learner in learners for check in checks
}


def checks_of(name: str, small: dict[str, Any], rest: bool = False) -> Iterator[Check]:
    """Yield scikit-learn's checks of a learner, or those for `make test-all` only.

    Of a check that there is several times, as with read-only arrays, one learner of each preamble is asked all.
    """
    given = {**PARAMETERS.get(name, {}), **small}
    learner = resolve(name, ESTIMATORS)
    met: set[str] = set()
    for number, (estimator, check) in enumerate(estimator_checks_generator(learner(**given))):
        title = check.func.__name__
        is_repeated = (title in OF_READING or title in met) and not reads_for_others(learner)
        met.add(title)
        if title not in NOT_OURS and (name, title) not in TOO_LONG and is_repeated == rest:
            expected = (name, title) in EXPECTED_TO_FAIL
            yield (
                f"estimator_checks.{title}-{number}",
                partial(_fails if expected else _passes, check, clone(estimator)),
            )


def _passes(check: Callable[[Any], None], estimator: Any) -> None:
    with warnings.catch_warnings(action="ignore"):
        check(estimator)


def _fails(check: Callable[[Any], None], estimator: Any) -> None:
    with pytest.raises((AssertionError, ValueError)):
        _passes(check, estimator)
