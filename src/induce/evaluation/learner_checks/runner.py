"""Runner of all common checks on one learner."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from sklearn.base import clone
from sklearn.utils.estimator_checks import estimator_checks_generator

from induce.core.errors import InputError
from induce.evaluation.learner_checks.checks import CHECKS

ELSEWHERE = {"check_array_api_input"}
"""Checks of scikit-learn that depend on a process-wide setting."""

NUMPY_BEGINS = ("Not equal to tolerance", "Arrays are not equal")


@dataclass(frozen=True)
class CheckReport:
    """Results of the common checks.

    Parameters
    ----------
    learner : str
        Name of the learner class.
    passed : tuple of str
        Names of the checks that passed.
    failed : tuple of tuple of str
        Names and first sentences of the failed checks.
    expected : tuple of tuple of str
        Names of the expected failures, with the given reason.
    """

    learner: str
    passed: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]
    expected: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        lines = [f"{self.learner}: {len(self.passed)} checks passed, {len(self.failed)} failed"]
        lines += [f"  {name}: {sentence}" for name, sentence in self.failed]
        lines += [f"  {name} fails as expected: {reason}" for name, reason in self.expected]
        return "\n".join(lines)


def check_learner(
    learner: Any,
    *,
    expected: Mapping[str, str] | None = None,
    only: str = "",
    on_fail: Literal["raise", "report"] = "raise",
) -> CheckReport:
    """Run the common checks on a user-written learner from tables.

    They comprise scikit-learn's estimator checks and the requirements on every learner of `induce`. The
    hypothesis prints and reports its parts and export formats. The same seed gives the same hypothesis, for
    any row order, for weights as for repeated rows, for any type of frame, and under a trace. Missing values
    and unseen categories are handled; explanations and exports agree with `predict`. Parameters are declared,
    and the docstring is complete.

    Parameters
    ----------
    learner : class or instance
        A learner from tables: a class whose parameters all have defaults, or a learner with the parameters to check.
    expected : mapping of str to str, optional
        Checks that are expected to fail, with the reason; if one passes, that counts as a failure.
    only : str, default=""
        Run only the checks with this text in their name.
    on_fail : {"raise", "report"}, default="raise"
        Whether failures raise an AssertionError that names them all, or are only reported.

    Returns
    -------
    CheckReport

    Examples
    --------
    >>> import induce
    >>> print(induce.check_learner(induce.DecisionStump, only="check_weights"))
    DecisionStump: 1 checks passed, 0 failed
    """
    make: Callable[[], Any] = learner if isinstance(learner, type) else partial(clone, learner)
    name = type(make()).__name__
    if not hasattr(make(), "fit"):
        raise InputError(f"{name} has no fit; only learners from tables can be checked")
    given = dict(expected or {})
    passed: list[str] = []
    failed: list[tuple[str, str]] = []
    foreseen: dict[str, str] = {}
    ran: set[str] = set()
    uncloned = _failure(partial(clone, make()))
    if uncloned is not None:  # every other check begins with a clone
        failed, given = [("check_clone", uncloned)], {}
    for title, check in () if uncloned else _checks(make, only):
        ran.add(title)
        sentence = _failure(check)
        if title in given:
            if sentence is not None:
                foreseen[title] = given[title]
        elif sentence is None:
            passed.append(title)
        else:
            failed.append((title, sentence))
    # scikit-learn yields some checks several times, as with read-only arrays; count each failure once
    failed += [
        (title, "passes, although it was expected to fail") for title in given if title in ran - {*foreseen}
    ]
    unknown = [] if only else sorted(set(given) - ran)
    if unknown:
        raise InputError(f"there is no check {unknown[0]!r} for {name}")
    report = CheckReport(name, tuple(passed), tuple(failed), tuple(foreseen.items()))
    if failed and on_fail == "raise":
        raise AssertionError(str(report))
    return report


def _checks(make: Callable[[], Any], only: str) -> Iterator[tuple[str, Callable[[], None]]]:
    for estimator, check in estimator_checks_generator(make()):
        title = check.func.__name__
        if title not in ELSEWHERE and only in title:
            yield title, partial(check, clone(estimator))
    for title, own in CHECKS.items():
        if only in title:
            yield title, partial(own, make)


def _failure(check: Callable[[], Any]) -> str | None:
    """Run a check and return the first sentence of its error, if it fails."""
    try:
        with warnings.catch_warnings(action="ignore"):
            check()
    except Exception as error:  # any exception from the learner counts as a failed check
        lines = [line for line in str(error).splitlines() if line.strip()]
        # numpy begins with the tolerance and names what differs after it
        said = lines[:2] if lines and lines[0].startswith(NUMPY_BEGINS) else lines[:1]
        return f"{type(error).__name__}: {'; '.join(said) or 'no message'}"
    return None
