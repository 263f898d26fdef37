"""scikit-learn's own checks of estimators, on every learner from tables."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import estimator_checks_generator

from induce.core.declarations import learners
from induce.core.registry import ESTIMATORS, resolve

ENTRIES = {entry.name: entry for entry in learners()}

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
        {"Bagging", "RandomForest"},
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

CHECKS = [
    pytest.param(estimator, check, id=f"{type(estimator).__name__}-{check.func.__name__}-{number}")
    for name in ESTIMATORS
    if ENTRIES[name].takes_tables
    for number, (estimator, check) in enumerate(
        estimator_checks_generator(resolve(name, ESTIMATORS)(**PARAMETERS.get(name, {})))
    )
    if check.func.__name__ not in NOT_OURS and (name, check.func.__name__) not in TOO_LONG
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_check(estimator, check, small):
    estimator = clone(estimator).set_params(**small.get(type(estimator).__name__, {}))
    if (type(estimator).__name__, check.func.__name__) in EXPECTED_TO_FAIL:
        with pytest.raises((AssertionError, ValueError)):
            check(estimator)
    else:
        check(estimator)


def test_every_exception_is_one_of_the_checks():
    made = {(type(p.values[0]).__name__, p.values[1].func.__name__) for p in CHECKS}
    assert made >= EXPECTED_TO_FAIL


def test_class_weight_decides_where_a_leaf_is_mixed():
    """What the check of class weights is after, for the trees that fail it."""
    X, y = [[0.0]] * 10, ["rare"] * 3 + ["common"] * 7
    for name in ("DecisionTreeClassifier", "ID3", "LookaheadTree"):
        learner = resolve(name, ESTIMATORS)
        assert learner().fit(X, y).predict([[0.0]])[0] == "common"
        assert learner(class_weight={"rare": 3}).fit(X, y).predict([[0.0]])[0] == "rare"
        assert learner(class_weight="balanced").fit(X, y).predict_proba([[0.0]]) == pytest.approx(0.5)
