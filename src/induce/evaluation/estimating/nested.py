"""Intervals by nested cross-validation, which estimates the error of cross-validation instead of assuming it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.evaluation.estimating.fits import Tested, fit_and_predict
from induce.evaluation.estimating.scores import FoldScoring, RowScoring
from induce.evaluation.estimating.splits import FOLDS, REPEATED, Plan
from induce.statistics.constants import Student
from induce.statistics.intervals import Interval, Sides
from induce.statistics.recipe import Recipe

NESTED = "nested"
FEWEST = 3
"""Minimum number of folds for nesting."""

Floats = NDArray[np.float64]


def nested_interval(
    learner: Any,
    X: Any,
    y: Any,
    actual: NDArray[Any],
    plan: Plan,
    scoring: RowScoring | FoldScoring,
    tested: Sequence[Tested],
    *,
    confidence: float,
    sides: Sides,
    n_jobs: int | None,
) -> Interval:
    """Return the interval of Bates, Hastie and Tibshirani for the error of the hypothesis trained on all rows.

    Every pair of folds is left out together, so k folds need k (k - 1) / 2 additional fits in each
    repetition. The losses on one fold, under hypotheses that saw neither fold of the pair, show how well the
    other folds estimate the error.

    References
    ----------
    S. Bates, T. Hastie, R. Tibshirani (2024). Cross-validation: what does it estimate and how well does it do it?
    Journal of the American Statistical Association 119(546).
    """
    if plan.kind not in (FOLDS, REPEATED) or not isinstance(scoring, RowScoring):
        raise InputError(
            "interval='nested' needs a number of folds and a loss per row; leave out other resampling "
            "parameters"
        )
    n_folds = len(plan.splits) // plan.repeats
    if n_folds < FEWEST:
        raise InputError(f"interval='nested' needs at least {FEWEST} folds, not {n_folds}")
    gaps, noise, inner = [], [], []
    for start in range(0, len(tested), n_folds):
        folds = tested[start : start + n_folds]
        within = _within(learner, X, y, actual, scoring, folds, n_jobs)
        for fold, losses in zip(folds, within, strict=True):
            outer = _losses(scoring, actual, fold.test, fold)
            gaps.append((losses.mean() - outer.mean()) ** 2)
            noise.append(outer.var(ddof=1) / outer.size if outer.size > 1 else 0.0)
            inner.append(losses)
    losses = np.concatenate([_losses(scoring, actual, fold.test, fold) for fold in tested])
    usual = float(losses.std(ddof=1)) / math.sqrt(plan.n_rows)
    # the difference of two noisy means may fall below the row variance, or be implausibly large
    squared = float(np.mean(gaps) - np.mean(noise))
    deviation = min(max(math.sqrt(max(squared, 0.0)), usual), math.sqrt(n_folds) * usual)
    by_pairs, by_folds = float(np.concatenate(inner).mean()), float(losses.mean())
    bias = (1 + (n_folds - 2) / n_folds) * (by_pairs - by_folds)  # correct the bias of training on fewer rows
    return Recipe(
        scoring.name,
        by_pairs - bias,
        math.sqrt((n_folds - 1) / n_folds) * deviation,
        Student(),
        lowest=scoring.lowest,
        highest=1.0 if scoring.proportion else math.inf,
        method="nested cross-validation",
        holds=False,
        preconditions="covers the error of the hypothesis trained on all rows, for many folds and "
        "repetitions",
    ).interval(confidence, sides)


def _within(
    learner: Any,
    X: Any,
    y: Any,
    actual: NDArray[Any],
    scoring: RowScoring,
    folds: Sequence[Tested],
    n_jobs: int | None,
) -> list[Floats]:
    """Return for each fold the losses of all other rows under hypotheses that saw neither them nor the fold."""
    pairs = list(combinations(range(len(folds)), 2))
    rows = np.arange(actual.size)
    splits = []
    for one, other in pairs:
        left_out = np.concatenate([folds[one].test, folds[other].test])
        splits.append((np.setdiff1d(rows, left_out), left_out))
    found: list[list[Floats]] = [[] for _ in folds]
    for (one, other), each in zip(
        pairs, fit_and_predict(learner, X, y, splits, n_jobs=n_jobs, also=scoring.also), strict=True
    ):
        losses = _losses(scoring, actual, each.test, each)
        cut = len(folds[one].test)
        found[one].append(losses[cut:])
        found[other].append(losses[:cut])
    return [np.concatenate(each) for each in found]


def _losses(scoring: RowScoring, actual: NDArray[Any], rows: NDArray[np.intp], each: Tested) -> Floats:
    return scoring.losses(actual[rows], each.predicted if scoring.also is None else each.also)
