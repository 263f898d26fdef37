"""scikit-learn's own checks of estimators, on the concept learners."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from induce.concepts import CandidateElimination, DisjunctiveVersionSpace, FindS

EXPECTED_TO_FAIL = {
    "check_estimators_nan_inf": "a missing value is refused in training, but not in prediction"
}
NOT_OURS = {"check_array_api_input"}

CHECKS = [
    pytest.param(estimator, check, id=f"{type(estimator).__name__}-{check.func.__name__}-{number}")
    for learner in (CandidateElimination, FindS, DisjunctiveVersionSpace)
    for number, (estimator, check) in enumerate(estimator_checks_generator(learner()))
    if check.func.__name__ not in NOT_OURS
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_check(estimator, check):
    if check.func.__name__ in EXPECTED_TO_FAIL:
        with pytest.raises(AssertionError, match="in predict"):
            check(estimator)
    else:
        check(estimator)
