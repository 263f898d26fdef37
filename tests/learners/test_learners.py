"""Every learner from tables, one test each: scikit-learn's checks, what holds of every learner, and bad input.

All checks run, and all failures are told by name. `-k C45 --check order` runs those of one learner with that in their
name, `--check properties.` those of one file.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import induce
from induce.core.registry import ESTIMATORS, resolve
from tests.learners import bad_input, estimator_checks, forms, properties
from tests.learners.checks import Check, checks_of, run_all
from tests.learners.tables import ENTRIES, LEARNERS

NAMES = [name for name in ESTIMATORS if ENTRIES[name].takes_tables]
LONG_LOOPS = {
    "CART",
    "DisjunctiveVersionSpace",
    "GABIL",
    "LMDT",
    "LookaheadTree",
    "ModelTree",
    "OC1",
    "SymbolicClassifier",
}  # seconds to minutes, plain


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.compiled] if name in LONG_LOOPS else []) for name in NAMES],
)
def test_learner(name: str, small: dict[str, Any], tmp_path: Any, request: pytest.FixtureRequest) -> None:
    wanted = request.config.getoption("--check")
    ran = run_all(each for each in all_checks(name, small, tmp_path) if wanted in each[0])
    assert ran or wanted  # of some checks a learner may have none


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.compiled] if name in LONG_LOOPS else []) for name in NAMES],
)
def test_what_others_are_asked_for_it(
    name: str, small: dict[str, Any], tmp_path: Any, request: pytest.FixtureRequest
) -> None:
    """The cases on which another learner, which reads or speaks as it does, is tried in `make test`."""
    wanted = request.config.getoption("--check")
    run_all(each for each in all_checks(name, small, tmp_path, rest=True) if wanted in each[0])


def all_checks(name: str, small: dict[str, Any], folder: Any, rest: bool = False) -> Iterator[Check]:
    """Yield the checks of a learner from all files; or those that are left for `make test-all`."""
    learner = resolve(name, ESTIMATORS)
    yield from estimator_checks.checks_of(name, small.get(name, {}), rest)
    if learner in LEARNERS:
        yield from checks_of(bad_input, learner, folder, rest)
        yield from map(without_notes, checks_of(properties, learner, folder, rest))
        yield from map(without_notes, checks_of(forms, learner, folder, rest))


def without_notes(check: Check) -> Check:
    """Return a check in which notes to the user are no news."""
    title, run = check

    def run_quietly() -> None:
        with warnings.catch_warnings(action="ignore", category=induce.Note):
            run()

    return title, run_quietly


def test_the_lists_name_learners():
    named = set(properties.ORDER_MATTERS) | set(properties.WEIGHTS_ARE_NOT_REPETITIONS)
    assert named | properties.EXPLAINED_BY_A_VOTE <= set(ESTIMATORS)


def test_every_exception_is_one_of_the_checks():
    excepted = {name for name, _ in estimator_checks.EXPECTED_TO_FAIL}
    made = {
        (name, title.partition(".")[2].rpartition("-")[0])
        for name in excepted
        for rest in (False, True)
        for title, _ in estimator_checks.checks_of(name, {}, rest)
    }
    assert made >= estimator_checks.EXPECTED_TO_FAIL


def test_class_weight_decides_where_a_leaf_is_mixed():
    """What the check of class weights is after, for the trees that fail it."""
    X, y = [[0.0]] * 10, ["rare"] * 3 + ["common"] * 7
    for name in ("DecisionTreeClassifier", "ID3", "LookaheadTree"):
        learner = resolve(name, ESTIMATORS)
        assert learner().fit(X, y).predict([[0.0]])[0] == "common"
        assert learner(class_weight={"rare": 3}).fit(X, y).predict([[0.0]])[0] == "rare"
        assert learner(class_weight="balanced").fit(X, y).predict_proba([[0.0]]) == pytest.approx(0.5)
