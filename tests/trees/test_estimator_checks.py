"""scikit-learn's own checks of estimators, on every learner from tables."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from induce.core.registry import ESTIMATORS, resolve

UNPRUNED = (
    "a tree that is neither pruned nor stopped fits every example whatever its weight; scikit-learn's own tree "
    "passes because the check makes it stop early by min_weight_fraction_leaf"
)
EXPECTED_TO_FAIL = {
    ("DecisionTreeClassifier", "check_class_weight_classifiers"): UNPRUNED,
    ("ID3", "check_class_weight_classifiers"): UNPRUNED,
    ("LookaheadTree", "check_class_weight_classifiers"): UNPRUNED,
    ("BFSID3", "check_estimators_nan_inf"): "a missing value is refused in training, but not in prediction",
}
NOT_OURS = {"check_array_api_input"}  # it only runs where SCIPY_ARRAY_API was set before scipy was imported

CHECKS = [
    pytest.param(estimator, check, id=f"{type(estimator).__name__}-{check.func.__name__}-{number}")
    for name, home in ESTIMATORS.items()
    if home.startswith("induce.trees")
    for number, (estimator, check) in enumerate(estimator_checks_generator(resolve(name, ESTIMATORS)()))
    if check.func.__name__ not in NOT_OURS
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_check(estimator, check):
    if (type(estimator).__name__, check.func.__name__) in EXPECTED_TO_FAIL:
        with pytest.raises(AssertionError):
            check(estimator)
    else:
        check(estimator)


def test_class_weight_decides_where_a_leaf_is_mixed():
    """What the check above is after, for trees that do stop early."""
    X, y = [[0.0]] * 10, ["rare"] * 3 + ["common"] * 7
    for name in ("DecisionTreeClassifier", "ID3"):
        learner = resolve(name, ESTIMATORS)
        assert learner().fit(X, y).predict([[0.0]])[0] == "common"
        assert learner(class_weight={"rare": 3}).fit(X, y).predict([[0.0]])[0] == "rare"
        assert learner(class_weight="balanced").fit(X, y).predict_proba([[0.0]]) == pytest.approx(0.5)
