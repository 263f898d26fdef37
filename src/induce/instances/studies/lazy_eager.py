"""Lazy and eager learning on the same data: computing times and errors (Mitchell §8.6)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone, is_classifier

from induce.core.checks import share
from induce.core.estimator import rows_at
from induce.core.folds import hold_out
from induce.core.randomness import RandomState
from induce.data.numeric_view import Floats
from induce.instances.learners.locally_weighted_regressor import LocallyWeightedRegressor
from induce.instances.local.fitting import terms

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class LearnerTimes:
    """Times and error of a learner.

    Parameters
    ----------
    name : str
    train_seconds : float
        Total training time.
    query_seconds : float
        Mean time of one query.
    error : float
        Error on held-out rows: the error rate, or the root mean squared error.
    """

    name: str
    train_seconds: float
    query_seconds: float
    error: float


@dataclass(frozen=True)
class LazyEager:
    """Lazy and eager learners on the same rows.

    Parameters
    ----------
    learners : tuple of LearnerTimes
    n_train, n_test : int
    """

    learners: tuple[LearnerTimes, ...]
    n_train: int
    n_test: int

    def __str__(self) -> str:
        from induce.core.reports import text_table

        head = (f"{self.n_train} rows, {self.n_test} queries", "training (ms)", "per query (µs)", "error")
        lines = [
            (
                each.name,
                f"{1e3 * each.train_seconds:.3g}",
                f"{1e6 * each.query_seconds:.3g}",
                f"{each.error:.4g}",
            )
            for each in self.learners
        ]
        return text_table([head, *lines])

    def draw(self) -> Figure:
        """Return a figure of the three measures."""
        from matplotlib.figure import Figure

        from induce.pictures.style import PALETTE, tidy

        figure = Figure(figsize=(10.0, 1.3 + 0.45 * len(self.learners)), layout="constrained")
        panels = figure.subplots(1, 3, sharey=True)
        places = range(len(self.learners))
        measures = (
            ("training (ms)", [1e3 * each.train_seconds for each in self.learners]),
            ("per query (µs)", [1e6 * each.query_seconds for each in self.learners]),
            ("error on held-out rows", [each.error for each in self.learners]),
        )
        for axes, (name, values) in zip(panels, measures, strict=True):
            axes.barh(places, values, color=PALETTE[0], height=0.6)
            axes.set_xlabel(name)
            axes.set_ylim(len(self.learners) - 0.4, -0.6)
            tidy(axes, "x")
        panels[0].set_yticks(places, [each.name for each in self.learners], parse_math=False)
        return figure


class _EagerLinear(RegressorMixin, BaseEstimator):
    """One linear function for all queries, fitted by least squares in training."""

    def fit(self, X: Any, y: Any) -> Self:
        stored = LocallyWeightedRegressor(kernel="uniform", n_neighbors=None).fit(X, y).hypothesis_
        middle = stored.view.mean[np.newaxis]
        self.stored, self.function = stored, stored.functions(middle, stored.near(middle))
        return self

    def predict(self, X: Any) -> Floats:
        offsets = self.stored.rows(X) - self.function.centre
        return np.asarray(self.function.constant + terms(offsets, "linear") @ self.function.coefficients[0])


def lazy_or_eager(
    X: Any,
    y: Any,
    learners: Mapping[str, Any] | None = None,
    *,
    test_size: float = 1 / 3,
    random_state: RandomState = 0,
) -> LazyEager:
    """Compare the computing times and errors of learners on the same rows (Mitchell §8.6).

    Parameters
    ----------
    X, y : frame or array, and a target
        Table, and the target of each row.
    learners : dict, optional
        Learners by name. By default, one linear function for all queries is compared with one per query: the
        same hypothesis space, but the lazy learner has as many functions as there are queries.
    test_size : float
        Fraction of the rows used as queries.
    random_state : int, Generator or None
        Random seed of the held-out rows.

    Examples
    --------
    >>> x = np.linspace(0, 6, 120)[:, None]
    >>> found = lazy_or_eager(x, np.sin(x[:, 0]))
    >>> eager, lazy = found.learners
    >>> eager.name, bool(lazy.error < eager.error / 10)
    ('eager linear', True)
    """
    share("test_size", test_size)
    if learners is None:
        learners = {"eager linear": _EagerLinear(), "locally weighted linear": LocallyWeightedRegressor()}
    n = len(y)
    train, test = hold_out(np.zeros(n), max(1, round(test_size * n)), random_state, stratify=False)
    parts = [rows_at(each, rows) for rows in (train, test) for each in (X, y)]
    found = []
    for name, learner in learners.items():
        learner = clone(learner)
        started = time.perf_counter()
        learner.fit(*parts[:2])
        fitted = time.perf_counter()
        said = np.asarray(learner.predict(parts[2]))
        queried = time.perf_counter()
        true = np.asarray(parts[3])
        wrong = np.mean(said != true) if is_classifier(learner) else np.sqrt(np.mean(np.square(said - true)))
        found.append(LearnerTimes(name, fitted - started, (queried - fitted) / len(test), float(wrong)))
    return LazyEager(tuple(found), len(train), len(test))
