"""Experiments on theoretical bounds: failure rates of learners on random rows (Mitchell §7.2.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from induce.core.checks import share
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.statistics import Interval, wilson
from induce.theory.checks import drawn
from induce.theory.epsilon_exhaustion import setting


@dataclass(frozen=True)
class FailureRate:
    """Failure rate of a learner on random rows.

    Parameters
    ----------
    failures, trials : int
        Number of failures, and number of trials.
    m : int
        Number of rows per trial.
    epsilon : float
        True error above which a trial is a failure.
    who : str
        Name of the learner or hypothesis whose error is measured.
    """

    failures: int
    trials: int
    m: int
    epsilon: float
    who: str

    @property
    def rate(self) -> float:
        """Fraction of the trials that failed."""
        return self.failures / self.trials

    def __str__(self) -> str:
        return (
            f"{self.m} rows: in {self.failures:,} of {self.trials:,} trials ({self.rate:.4g}) {self.who} had a true "
            f"error above {self.epsilon:g}"
        )


def pac_experiment(
    hypotheses: ArrayLike,
    target: ArrayLike,
    m: int,
    epsilon: float,
    weights: ArrayLike | None = None,
    trials: int = 1000,
    random_state: RandomState = 0,
) -> FailureRate:
    """Count the trials in which a hypothesis consistent with random rows has an error above epsilon (§7.2.3).

    A class is probably approximately correctly learned if this happens in at most a fraction delta of the
    trials; the m of `sample_complexity` guarantees that for every target and distribution.

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Label of each instance by each hypothesis.
    target : array-like of 0 and 1
        True label of each instance.
    weights : array-like of float, optional
        Probability of each instance, up to a factor; uniform if not given.
    m : int
        Number of random rows per trial.
    epsilon : float
        True error above which a trial is a failure.
    trials : int
        Number of trials; 1000 by default.
    random_state : int, Generator or None
        Random seed for drawing rows; 0 by default.

    Examples
    --------
    >>> from induce.theory.families import conjunction_table
    >>> print(pac_experiment(conjunction_table(2), [0, 0, 0, 1], m=10, epsilon=0.2))
    10 rows: in 115 of 1,000 trials (0.115) some consistent hypothesis had a true error above 0.2
    """
    drawn("m", m, least=0)
    drawn("trials", trials)
    share("epsilon", epsilon)
    table, truth, shares = setting(hypotheses, target, weights)
    wrong = table != truth
    bad = wrong[wrong @ shares > epsilon + 1e-12]
    occurs = generator(random_state).multinomial(m, shares, trials) > 0
    survives = ~(occurs.astype(np.int64) @ bad.T.astype(np.int64) > 0)
    return FailureRate(int(survives.any(axis=1).sum()), trials, m, epsilon, "some consistent hypothesis")


def sampled_error(
    hypothesis: Callable[[Any], ArrayLike],
    target: Callable[[Any], ArrayLike],
    draw: Callable[[int, np.random.Generator], Any],
    m: int = 10_000,
    confidence: float = 0.95,
    random_state: RandomState = 0,
) -> Interval:
    """Estimate the true error of a hypothesis from random instances (§7.2.2).

    `true_errors` computes it exactly if there are finitely many instances.

    Parameters
    ----------
    hypothesis, target : callable
        Functions from instances to labels.
    draw : callable
        Distribution: a function that draws a given number of instances with a random generator.
    m : int
        Number of instances to draw.
    confidence : float
        Confidence level of the Wilson interval.
    random_state : int, Generator or None
        Random seed for drawing instances; 0 by default.

    Examples
    --------
    >>> uniform = lambda n, random: random.uniform(0, 1, n)
    >>> print(sampled_error(lambda x: x > 0.5, lambda x: x > 0.4, uniform))
    approximate 95% interval [0.094, 0.105] (Wilson)
    """
    drawn("m", m)
    _check_functions(hypothesis=hypothesis, target=target, draw=draw)
    X = draw(m, generator(random_state))
    return wilson(_n_wrong(hypothesis, target, X), m, confidence)


def learner_experiment(
    learn: Any,
    target: Callable[[Any], ArrayLike],
    draw: Callable[[int, np.random.Generator], Any],
    m: int,
    epsilon: float,
    trials: int = 200,
    test_rows: int = 2000,
    random_state: RandomState = 0,
) -> FailureRate:
    """Train repeatedly on random rows and count the trials with an error above epsilon.

    Parameters
    ----------
    learn : estimator or callable
        Estimator with `fit` and `predict`, or a function of X and y that returns a function from instances to labels.
    target : callable
        Function from instances to their true labels.
    draw : callable
        Distribution: a function that draws a given number of instances with a random generator.
    m : int
        Number of training rows per trial.
    epsilon : float
        True error above which a trial is a failure.
    trials : int
        Number of trials; 200 by default.
    test_rows : int
        Number of instances for estimating the true error, redrawn in each trial; the standard error is at
        most 1 / (2 sqrt(test_rows)).
    random_state : int, Generator or None
        Random seed of rows and learners; 0 by default.

    Examples
    --------
    The tightest interval around the positive numbers (exercise 7.4):

    >>> from induce.theory.boxes import tightest_box
    >>> found = learner_experiment(
    ...     lambda X, y: tightest_box(X, y).covers,
    ...     target=lambda X: (X > 0.2) & (X < 0.8),
    ...     draw=lambda n, random: random.uniform(0, 1, n),
    ...     m=50,
    ...     epsilon=0.1,
    ... )
    >>> print(found)
    50 rows: in 8 of 200 trials (0.04) the learner had a true error above 0.1
    """
    for name, number in (("m", m), ("trials", trials), ("test_rows", test_rows)):
        drawn(name, number)
    share("epsilon", epsilon)
    if not callable(learn) and not hasattr(learn, "fit"):
        raise InputError(f"learn is a {type(learn).__name__}; give an estimator or a function of X and y")
    _check_functions(target=target, draw=draw)
    random = generator(random_state)
    failures = 0
    for _ in range(trials):
        X, new = draw(m, random), draw(test_rows, random)
        predict = learn.fit(X, target(X)).predict if hasattr(learn, "fit") else learn(X, target(X))
        failures += _n_wrong(predict, target, new) > epsilon * test_rows
    return FailureRate(failures, trials, m, epsilon, "the learner")


def _n_wrong(predict: Callable[[Any], ArrayLike], target: Callable[[Any], ArrayLike], X: Any) -> int:
    return int((np.asarray(predict(X)) != np.asarray(target(X))).sum())


def _check_functions(**functions: Any) -> None:
    for name, function in functions.items():
        if not callable(function):
            raise InputError(f"{name} is {type(function).__name__}; give a function")
