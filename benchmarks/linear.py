"""Linear models beside scikit-learn's: logistic regression to the same loss, separability, and the census table."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Row, Section, at_most, speed

REPEATS = 3
PEER = "scikit-learn"


def linear(folder: Path | None, n: int = 1_000_000) -> Iterator[Section]:
    """Speed first; with data, the census table as it comes."""
    yield Section(
        "Linear models: speed",
        f"Processor time on one thread, the best of three in turn. Logistic regression on {n:,} rows "
        "of 20 normal columns, without a penalty, against the fastest of scikit-learn's solvers, at a "
        "tolerance that gives the same loss to nine digits; `LogisticRegression` also reads the "
        "table, tests for separation and computes standard errors. The separability test uses 10,000 "
        "rows of 50 columns, once separable and once not.",
        tuple(_speeds(n)),
    )
    if folder is not None:
        yield _adult(folder)


def _speeds(n: int) -> Iterator[Row]:
    import sklearn.linear_model

    import induce
    from induce.linear import separable

    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(n, 20)), rng.normal(size=20)
    y = (X @ w + rng.logistic(size=n) > 0).astype(int)

    def theirs(solver: str) -> Callable[[], Any]:
        return lambda: sklearn.linear_model.LogisticRegression(C=np.inf, solver=solver, tol=1e-6).fit(X, y)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = _best(lambda: induce.LogisticRegression().fit(X, y))
        best = min(_best(theirs(solver)) for solver in ("newton-cholesky", "lbfgs"))
    yield speed(f"LogisticRegression, {n:,} x 20", ours, PEER, best, 1.0)
    rows = rng.normal(size=(10_000, 50))
    sums = rows @ rng.normal(size=50)
    yield at_most("separable, with a plane", _best(lambda: separable(rows, sums > 0)), 5.0)
    noisy = sums + 0.5 * rng.normal(size=10_000)
    yield at_most("separable, without", _best(lambda: separable(rows, noisy > 0)), 5.0)


def _adult(folder: Path) -> Section:
    import induce

    train = induce.read(folder / "tables" / "adult-train.csv", target="income")
    test = induce.read(folder / "tables" / "adult-test.csv", target="income")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = induce.LogisticRegression().fit(*train)
    X, y = test
    error = float(np.mean(learner.predict(X) != np.array(y.to_list())))
    row = Row("test error", f"{100 * error:.2f}%", target="≤ 15.0%", holds=error <= 0.15)
    return Section(
        "Linear models: census",
        "UCI adult without preprocessing; `LogisticRegression()` with its defaults.",
        (row,),
    )


def _best(task: Callable[[], Any]) -> float:
    found = []
    for _ in range(REPEATS):
        start = time.process_time()
        task()
        found.append(time.process_time() - start)
    return min(found)
