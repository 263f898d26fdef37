"""Choice of a significance test for given splits, and its result for two learners."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.evaluation.comparing.trials import Scoring, Trial
from induce.evaluation.estimating.scores import RowScoring
from induce.evaluation.estimating.splits import FOLDS, GIVEN, HOLD_OUT, REPEATED, SPLITS, Plan
from induce.statistics.verdict import Verdict
from induce.statistics.verdicts import (
    cautious_t,
    corrected_t,
    five_by_two,
    five_by_two_f,
    mcnemar,
    paired_t,
    sign,
    wilcoxon,
)

CAUTIOUS, RESAMPLED, PAIRED, HALVES, COMBINED, MCNEMAR, SIGN, WILCOXON = (
    "cautious t",
    "corrected t",
    "paired t",
    "5x2cv",
    "5x2cv F",
    "mcnemar",
    "sign",
    "wilcoxon",
)
TESTS = (CAUTIOUS, RESAMPLED, PAIRED, HALVES, COMBINED, MCNEMAR, SIGN, WILCOXON)
LEAST_ROWS = 30
"""Minimum number of rows of a test set for its error to be approximately normal (table 5.5)."""
FRESH = "fresh samples"
"""Plan type whose splits share no rows."""


def splits_for(test: str, cv: Any, repeats: int, test_size: float | None) -> tuple[Any, int]:
    """Return the number of folds and repetitions that a test requires."""
    one_of("test", test, TESTS)
    if test not in (HALVES, COMBINED):
        return cv, repeats
    unsaid = test_size is None and isinstance(cv, int) and (cv, repeats) in ((10, 1), (2, 5))
    if not unsaid:
        raise InputError(
            f"the test {test!r} draws its own five halvings; leave out cv, repeats and test_size"
        )
    return 2, 5


def check_test(test: str, plan: Plan, scoring: Scoring) -> None:
    """Raise an error if a test is not applicable to these splits or this score."""
    one_of("test", test, TESTS)
    if test == MCNEMAR:
        if not isinstance(scoring, RowScoring) or not scoring.proportion:
            raise InputError(
                "the test 'mcnemar' compares misclassified rows of classifiers; leave out score, or "
                "give another test"
            )
        if plan.kind not in (GIVEN, HOLD_OUT, FOLDS):
            raise InputError(
                "the test 'mcnemar' needs every row tested once; give a number of folds without "
                "repeats, or a test_size"
            )
    elif len(plan.splits) == 1 and not isinstance(scoring, RowScoring):
        raise InputError(
            f"one split gives each learner a single {scoring.name}, which cannot be tested; give cv"
        )


def judge(test: str, first: Trial, second: Trial, test_share: float, confidence: float = 0.95) -> Verdict:
    """Return the test result for two learners on the same splits.

    With several splits, the test uses the differences of their scores. A single split has only one
    difference, so the test uses its rows instead.
    """
    row_wise = None
    if first.losses is not None and second.losses is not None:
        row_wise = first.losses - second.losses
    if test == MCNEMAR and row_wise is not None:
        return mcnemar(
            int((row_wise > 0).sum()), int((row_wise < 0).sum()), n=row_wise.size, confidence=confidence
        )
    several = len(first.scores) > 1 or row_wise is None
    differences = first.scores - second.scores if several else np.asarray(row_wise)
    if test in (HALVES, COMBINED):
        return (five_by_two if test == HALVES else five_by_two_f)(differences.reshape(5, 2))
    if test == SIGN:
        return sign(differences)
    if test == WILCOXON:
        return wilcoxon(differences)
    if test in (CAUTIOUS, RESAMPLED) and several:
        return (cautious_t if test == CAUTIOUS else corrected_t)(differences, test_share, confidence)
    return paired_t(differences, confidence)


def remarks_on(test: str, plan: Plan, row_wise: bool) -> tuple[str, ...]:
    """Return caveats about a test on these splits, one sentence each.

    `row_wise` means that the score is the mean of the row losses.
    """
    found = []
    n_splits = len(plan.splits)
    smallest = min(len(test_rows) for _, test_rows in plan.splits)
    if n_splits == 1:
        found.append("one split compares these hypotheses, not the learners on other training rows")
    elif test in (CAUTIOUS, RESAMPLED, PAIRED) and row_wise and smallest < LEAST_ROWS:
        found.append(f"the smallest test set has only {smallest} rows; a t test needs at least {LEAST_ROWS}")
    if test in (PAIRED, SIGN, WILCOXON) and n_splits > 1 and plan.kind != FRESH:
        share = "test and training rows" if plan.kind in (REPEATED, SPLITS) else "training rows"
        found.append(
            f"the splits share {share}, which the test '{test}' ignores: it finds false differences "
            "too often; 'cautious t' allows for the overlap"
        )
    if test == MCNEMAR and plan.kind == FOLDS:
        found.append(
            "the rows are tested by hypotheses of different folds, which the test treats as one hypothesis"
        )
    return tuple(found)
