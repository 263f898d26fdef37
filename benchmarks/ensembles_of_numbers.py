"""Regression ensembles, and the speed at which forests predict, beside scikit-learn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.measure import TIMES, Row, Section

FOLDS, SEEDS = 5, (0, 1)
NOISE = 2.5
"""Standard errors of the paired difference within which two learners are equally good."""
TABLES = {"autos": "price", "heart.c": "thalach", "diabetes": "plas"}
"""Tables of the data folder with the numeric column that is predicted."""
ROWS = (1_000, 10_000, 100_000)
REPEATS = 5


def numbers(folder: Path | None) -> Iterator[Section]:
    """Accuracy on tables, then the speed of predicting."""
    yield Section(
        "Regression ensembles",
        f"R² of {FOLDS}-fold cross-validation, shuffled with {len(SEEDS)} seeds, with the same folds "
        "and defaults for both (50 bags, 100 trees, 50 rounds of depth 3). scikit-learn gets one-hot "
        "encoded nominal columns and mean imputation. The target is missed if the loss exceeds "
        f"{NOISE:g} standard errors of the difference over folds.",
        tuple(_accuracy(folder)),
    )
    yield Section(
        "Forests: predicting",
        "100 trees learned from 5,000 rows of 20 numeric columns, the best of several calls in turn, by processor "
        "time on one thread.",
        tuple(_predicting()),
    )


def _accuracy(folder: Path | None) -> Iterator[Row]:
    from sklearn.model_selection import KFold

    for name, (X, y) in _tables(folder).items():
        plain = _as_numbers(X)
        for learner, (ours, theirs) in _pairs().items():
            scores: list[tuple[float, float]] = []
            for seed in SEEDS:
                for train, test in KFold(FOLDS, shuffle=True, random_state=seed).split(plain):
                    mine = ours().fit(X[train], y[train]).score(X[test], y[test])
                    peer = theirs().fit(plain[train], y[train]).score(plain[test], y[test])
                    scores.append((mine, peer))
            mine, peer = np.mean(scores, axis=0)
            difference = np.subtract(*np.transpose(scores))
            error = float(difference.std(ddof=1)) / len(difference) ** 0.5
            yield Row(
                f"{name}: {learner}",
                f"{mine:.3f}",
                f"scikit-learn {peer:.3f}",
                f"{mine - peer:+.3f} ± {error:.3f}",
                "within noise",
                bool(mine - peer > -NOISE * error),
            )


def _pairs() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    from sklearn import ensemble

    import induce

    return {
        "BaggingRegressor": (
            induce.BaggingRegressor,
            lambda: ensemble.BaggingRegressor(n_estimators=50, random_state=0),
        ),
        "RandomForestRegressor": (
            induce.RandomForestRegressor,
            lambda: ensemble.RandomForestRegressor(random_state=0),
        ),
        "AdaBoostRegressor": (
            induce.AdaBoostRegressor,
            lambda: ensemble.AdaBoostRegressor(random_state=0),
        ),
    }


def _tables(folder: Path | None) -> dict[str, tuple[pl.DataFrame, Any]]:
    from sklearn.datasets import load_diabetes, load_wine

    import induce

    wine = pl.from_pandas(load_wine(as_frame=True).data)
    diabetes = load_diabetes(as_frame=True)
    found = {
        "diabetes (bundled)": (pl.from_pandas(diabetes.data), diabetes.target.to_numpy()),
        "proline of wine (bundled)": (wine.drop("proline"), wine["proline"].to_numpy()),
    }
    for name, target in TABLES.items() if folder is not None else ():
        frame = induce.read(folder / "arff" / f"{name}.arff").frame.filter(pl.col(target).is_not_null())
        found[f"{target} of {name}"] = (frame.drop(target), frame[target].to_numpy().astype(np.float64))
    return found


def _as_numbers(X: pl.DataFrame) -> Any:
    """Return indicators for nominal columns, and means for missing values."""
    nominal = [name for name in X.columns if not X[name].dtype.is_numeric()]
    return (X.to_dummies(nominal) if nominal else X).fill_null(strategy="mean").to_numpy()


def _predicting() -> Iterator[Row]:
    from sklearn.datasets import make_classification
    from sklearn.ensemble import RandomForestClassifier

    import induce

    X, y = make_classification(max(ROWS), 20, n_informative=10, flip_y=0.05, random_state=0)
    ours = induce.RandomForest(n_estimators=100).fit(X[:5000], y[:5000])
    theirs = RandomForestClassifier(100, random_state=0, n_jobs=1).fit(X[:5000], y[:5000])
    ours.predict(X)  # compiled
    for n in ROWS:
        times: dict[str, list[float]] = {"ours": [], "theirs": []}
        for _ in range(REPEATS):
            for name, model in (("ours", ours), ("theirs", theirs)):
                started = time.process_time()
                model.predict(X[:n])
                times[name].append(time.process_time() - started)
        mine, peer = min(times["ours"]), min(times["theirs"])
        yield Row(
            f"{n:,} rows",
            f"{1000 * mine:.1f} ms",
            f"scikit-learn {1000 * peer:.1f} ms",
            f"{peer / mine:.2f}{TIMES}",
            f"≥ 1{TIMES}",
            peer >= mine,
        )
