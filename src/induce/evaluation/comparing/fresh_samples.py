"""Comparison of learners on fresh samples (Mitchell, section 5.6.1)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from induce.core import parallel
from induce.core.checks import at_least, one_of, share
from induce.core.errors import InputError
from induce.core.progress import progress, report
from induce.core.randomness import RandomState, generator
from induce.evaluation.comparing.comparison import Comparison, comparison_of
from induce.evaluation.comparing.significance import FRESH, PAIRED, SIGN, WILCOXON
from induce.evaluation.comparing.trials import (
    Learners,
    Scoring,
    Trial,
    by_name,
    check_classes,
    common_kind,
    run_trials,
    scorings_of,
    unheard,
)
from induce.evaluation.estimating.kinds import CLASSES, actual_values
from induce.evaluation.estimating.splits import HOLD_OUT, Plan, Split

Sampler = Callable[[int, np.random.Generator], Any]


def compare_on_fresh_samples(
    learners: Learners,
    sampler: Sampler,
    n_train: int,
    n_test: int = 1000,
    k: int = 30,
    *,
    test: str = PAIRED,
    score: Any = None,
    confidence: float = 0.95,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> Comparison:
    """Compare learners on freshly drawn training and test rows (Mitchell, section 5.6.1).

    The differences are independent, which justifies the paired t test. They apply to training on any
    `n_train` rows of the distribution, not only on the rows of one table.

    Parameters
    ----------
    learners : dict or list
        Classifiers or regressors, by name or named after their classes.
    sampler : callable
        Function that takes a number of rows and a numpy Generator and returns that many rows: a pair ``X, y`` or a
        `Dataset`. The generators of `induce.data.generate` are suitable.
    n_train, n_test : int
        Number of training rows and number of test rows.
    k : int
        Number of samples.
    test : {"paired t", "sign", "wilcoxon"}
        Significance test.
    score, confidence, n_jobs, random_state
        Parameters of `compare`.

    Examples
    --------
    >>> import induce
    >>> from induce.data.generate import restaurant
    >>> found = compare_on_fresh_samples([induce.ID3(), induce.DecisionStump()], restaurant, 100, k=10)
    >>> print(found.pairs[0].says())
    ID3 has the lower error: p < 0.001
    """
    named = by_name(learners)
    kind = common_kind(named)
    one_of("test", test, (PAIRED, SIGN, WILCOXON))
    share("confidence", confidence)
    for name, value, least in (("n_train", n_train, 2), ("n_test", n_test, 1), ("k", k, 2)):
        at_least(name, value, least, whole=True)
    splits: tuple[Split, ...] = ((np.arange(n_train), np.arange(n_train, n_train + n_test)),)
    finished = count(1)
    once = Plan(splits, HOLD_OUT, HOLD_OUT, n_train + n_test, 1)

    def one(random: np.random.Generator) -> tuple[dict[str, Trial], Scoring]:
        X, y = sampler(n_train + n_test, random)
        actual = actual_values(kind, X, y, next(iter(named)))
        if actual.size != n_train + n_test:
            raise InputError(
                f"sampler returned {actual.size} rows instead of {n_train + n_test}; it must return "
                "the requested number"
            )
        if kind == CLASSES:
            check_classes(actual, splits)
        scorings = scorings_of(named, score, actual, kind)
        with progress(unheard):
            found = run_trials(named, X, y, actual, once, scorings)
        report(next(finished) / k)
        return found, next(iter(scorings.values()))

    rounds = parallel.run(one, generator(random_state).spawn(k), n_jobs)
    trials = {
        name: Trial(
            np.concatenate([found[name].scores for found, _ in rounds]),
            None,
            float(np.mean([found[name].seconds for found, _ in rounds])),
        )
        for name in named
    }
    method = f"{k} fresh samples of {n_train} training rows and {n_test} test rows"
    whole = Plan(splits * k, method, FRESH, k * (n_train + n_test), 1)
    return comparison_of(trials, whole, rounds[0][1], test, confidence)
