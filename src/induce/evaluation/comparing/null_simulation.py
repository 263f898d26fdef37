"""Simulated type I errors of significance tests between equally good learners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core import parallel
from induce.core.checks import at_least, one_of, share
from induce.core.errors import InputError
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.evaluation.comparing.significance import (
    CAUTIOUS,
    COMBINED,
    HALVES,
    MCNEMAR,
    PAIRED,
    RESAMPLED,
    SIGN,
    WILCOXON,
    check_test,
    judge,
    splits_for,
)
from induce.evaluation.comparing.trials import Trial
from induce.evaluation.estimating.scores import RowScoring
from induce.evaluation.estimating.splits import Plan, plan
from induce.evaluation.losses.rows import LOSSES, ZERO_ONE
from induce.evaluation.reports import html_table, text_table
from induce.pictures.style import DARK, PALETTE, axes_for, tidy
from induce.statistics.interval import Interval
from induce.statistics.intervals import wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

COLUMNS = 4
SHIFT = 0.45
"""Absolute class mean in every column; the two classes have opposite signs."""


def _nearest_mean(rows: Floats, positive: Bools, new: Floats) -> Bools:
    low, high = rows[~positive].mean(axis=0), rows[positive].mean(axis=0)
    return np.asarray((new - (low + high) / 2) @ (high - low) > 0)


def _nearest_row(rows: Floats, positive: Bools, new: Floats) -> Bools:
    distances = (rows**2).sum(
        axis=1
    ) - 2 * new @ rows.T  # squared distance up to a term common to all new rows
    return np.asarray(positive[distances.argmin(axis=1)])


def _stump(rows: Floats, positive: Bools, new: Floats) -> Bools:
    order = rows.argsort(axis=0)
    gains = np.cumsum(np.where(positive[order], -1, 1), axis=0)[
        :-1
    ]  # gain of predicting positive above each cut
    cut, column = np.unravel_index(gains.argmax(), gains.shape)
    threshold = rows[order[cut : cut + 2, column], column].mean()
    return np.asarray(new[:, column] > threshold)


LEARNERS: Mapping[str, Callable[[Floats, Bools, Floats], Bools]] = MappingProxyType(
    {"nearest mean": _nearest_mean, "nearest row": _nearest_row, "stump": _stump}
)
"""Learners in order of increasing dependence on the training sample."""

USUAL: tuple[Mapping[str, Any], ...] = (
    {"test": PAIRED, "test_size": 1 / 3, "repeats": 30},
    {"test": PAIRED},
    {"test": CAUTIOUS, "test_size": 1 / 3, "repeats": 30},
    {"test": CAUTIOUS},
    {"test": CAUTIOUS, "repeats": 10},
    {"test": RESAMPLED, "test_size": 1 / 3, "repeats": 30},
    {"test": RESAMPLED},
    {"test": RESAMPLED, "repeats": 10},
    {"test": HALVES},
    {"test": COMBINED},
    {"test": MCNEMAR, "test_size": 1 / 3},
    {"test": MCNEMAR},
    {"test": SIGN},
    {"test": WILCOXON},
)
"""Tests with their usual splits."""


@dataclass(frozen=True)
class TypeOneError:
    """Type I error of a test: the rate of significant differences between equally good learners.

    Parameters
    ----------
    test, method, learner : str
        Test, splits, and the learner used on both sides.
    found, simulations : int
        Number of significant differences, and number of simulations.
    alpha : float
        Significance level of the test: the maximum acceptable rate of false positives.
    error : float
        Mean error of both learners over all simulations.
    """

    test: str
    method: str
    learner: str
    found: int
    simulations: int
    alpha: float
    error: float

    @property
    def rate(self) -> float:
        """Fraction of the simulations with a significant difference."""
        return self.found / self.simulations

    @property
    def interval(self) -> Interval:
        """Confidence interval of the rate."""
        return wilson(self.found, self.simulations)

    @property
    def honest(self) -> bool:
        """Whether the interval of the rate includes values not above the significance level."""
        return self.interval.low <= self.alpha

    def __str__(self) -> str:
        rate = f"{self.rate:.3f} at the level {self.alpha:g}, {self.interval.summary}"
        return f"{self.test}, {self.method} of {self.learner}: {rate}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"


def type_one_error(
    test: str = CAUTIOUS,
    cv: Any = 10,
    *,
    repeats: int = 1,
    test_size: float | None = None,
    learner: str = "nearest row",
    n_rows: int = 300,
    simulations: int = 1000,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> TypeOneError:
    """Simulate the type I error of a test between two equally good learners (after Dietterich).

    The columns of a two-class table form two halves with the same distribution. The same learner is trained on the
    first half and on the second half. Its expected error is therefore the same, and every difference that a test
    finds is a false positive.

    Parameters
    ----------
    test : {"cautious t", "corrected t", "paired t", "5x2cv", "5x2cv F", "mcnemar", "sign", "wilcoxon"}
        Significance test.
    cv, repeats, test_size
        Resampling parameters of `compare`.
    learner : {"nearest mean", "nearest row", "stump"}
        Learner that depends weakly, moderately or strongly on the training sample.
    n_rows : int
        Number of rows of each simulated table.
    simulations : int
        Number of simulated tables.
    alpha : float
        Significance level of the test.
    n_jobs : int, optional
        Number of parallel jobs; it does not affect the result.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> found = type_one_error("paired t", test_size=1 / 3, repeats=30, simulations=15)
    >>> found.rate > 4 * found.alpha
    True
    """
    cv, repeats = splits_for(test, cv, repeats, test_size)
    if cv is None and test_size is None:
        raise InputError(
            "cv is None, which leaves nothing to train on; give a number of folds or a test_size"
        )
    one_of("learner", learner, LEARNERS)
    share("alpha", alpha)
    at_least("n_rows", n_rows, 20, whole=True)
    at_least("simulations", simulations, 1, whole=True)
    scoring = RowScoring("error", LOSSES[ZERO_ONE], proportion=True)
    finished = count(1)

    def one(random: np.random.Generator) -> tuple[str, bool, float]:
        actual, tables = _rows(n_rows, random)
        made = plan(actual, actual, cv, repeats=repeats, test_size=test_size, random_state=random)
        check_test(test, made, scoring)
        first, second = (_trial(learner, table, actual, made) for table in tables)
        verdict = judge(test, first, second, made.test_share, 1 - alpha)
        report(next(finished) / simulations)
        return made.method, verdict.p_value <= alpha, float(np.mean([first.scores, second.scores]))

    rounds = parallel.run(one, generator(random_state).spawn(simulations), n_jobs)
    found = sum(wrong for _, wrong, _ in rounds)
    error = float(np.mean([each for _, _, each in rounds]))
    return TypeOneError(test, rounds[0][0], learner, found, simulations, alpha, error)


@dataclass(frozen=True)
class TypeOneErrors:
    """Type I errors of several tests with several learners."""

    errors: tuple[TypeOneError, ...]

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners, in the given order."""
        return tuple(dict.fromkeys(each.learner for each in self.errors))

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        tests = dict.fromkeys((each.test, each.method) for each in self.errors)
        rates = {(each.test, each.method, each.learner): f"{each.rate:.3f}" for each in self.errors}
        rows = [
            (f"{test}, {method}", *(rates.get((test, method, learner), "") for learner in self.learners))
            for test, method in tests
        ]
        return ("", *self.learners), rows

    def __str__(self) -> str:
        return text_table(*self._table())

    def _repr_html_(self) -> str:
        return html_table("type I errors between equally good learners", *self._table())

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw the type I error of each test against its significance level."""
        tests = list(dict.fromkeys(f"{each.test}, {each.method}" for each in self.errors))
        figure, axes = axes_for(ax, 8.0, 1.5 + 0.36 * len(tests))
        for learner, colour, marker in zip(self.learners, (0, 1, 5), "osD", strict=False):
            own = [each for each in self.errors if each.learner == learner]
            places = np.array([tests.index(f"{each.test}, {each.method}") for each in own])
            rates = np.array([each.rate for each in own])
            bounds = np.array([[each.interval.low, each.interval.high] for each in own]).T
            axes.errorbar(
                rates,
                places,
                xerr=np.abs(bounds - rates),
                ls="",
                marker=marker,
                ms=5.5,
                elinewidth=1.1,
                color=PALETTE[colour],
                label=learner,
            )
        for alpha in sorted({each.alpha for each in self.errors}):
            axes.axvline(alpha, color=DARK, lw=1, ls="--")
        axes.set_yticks(range(len(tests)), tests)
        axes.set_ylim(len(tests) - 0.5, -0.5)
        axes.set_xlim(left=0)
        axes.set_xlabel("fraction of tables with a significant difference (dashed: significance level)")
        axes.tick_params(axis="y", length=0)
        axes.legend(frameon=False, fontsize=9)
        tidy(axes, "both")
        return figure


def type_one_errors(
    simulations: int = 1000,
    *,
    n_rows: int = 300,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> TypeOneErrors:
    """Simulate all tests with their usual splits and with learners of different stability.

    Parameters
    ----------
    simulations, n_rows, alpha, n_jobs, random_state
        Parameters of `type_one_error`. Every test gets the same tables.

    Examples
    --------
    >>> found = type_one_errors(simulations=2, n_rows=40)
    >>> len(found.errors), found.learners
    (42, ('nearest mean', 'nearest row', 'stump'))
    """
    return TypeOneErrors(
        tuple(
            type_one_error(
                **splits,
                learner=learner,
                simulations=simulations,
                n_rows=n_rows,
                alpha=alpha,
                n_jobs=n_jobs,
                random_state=random_state,
            )
            for learner in LEARNERS
            for splits in USUAL
        )
    )


def _rows(n: int, random: np.random.Generator) -> tuple[NDArray[np.int64], tuple[Floats, Floats]]:
    """Draw random class labels and both halves of the columns."""
    actual = np.arange(n) % 2
    random.shuffle(actual)
    sides = np.where(actual == 1, SHIFT, -SHIFT)[:, None]
    columns = random.normal(size=(n, 2 * COLUMNS)) + sides
    return actual, (columns[:, :COLUMNS], columns[:, COLUMNS:])


def _trial(learner: str, columns: Floats, actual: NDArray[np.int64], made: Plan) -> Trial:
    predict, positive = LEARNERS[learner], actual == 1
    losses = [
        (predict(columns[train], positive[train], columns[test]) != positive[test]).astype(np.float64)
        for train, test in made.splits
        if train is not None
    ]
    return Trial(np.array([each.mean() for each in losses]), np.concatenate(losses))
