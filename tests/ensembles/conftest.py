"""A mixed table with holes and noise, and a database to ask, that the tests of this folder share."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest


def _mixed(
    n: int = 120, n_classes: int = 2, seed: int = 0, holes: float = 0.1
) -> tuple[pl.DataFrame, pl.Series]:
    """Two numeric columns and a nominal one, classes by their sum, a tenth of them wrong."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=n), rng.integers(0, 8, n).astype(float), rng.integers(0, 3, n)
    clean = np.digitize(a + 0.4 * b + c, [1.8, 3.2][: n_classes - 1])
    noisy = (clean + (rng.random(n) < 0.1)) % n_classes
    X = pl.DataFrame({"a": a, "b": b, "c": pl.Series([("u", "v", "w")[k] for k in c])})
    masks = [pl.Series(rng.random(n) < holes) for _ in X.columns]
    X = X.with_columns(
        pl.when(mask).then(None).otherwise(pl.col(name)).alias(name)
        for name, mask in zip(X.columns, masks, strict=True)
    )
    return X, pl.Series("class", [f"c{k}" for k in noisy])


def _met_later(X: pl.DataFrame) -> pl.DataFrame:
    """Return the rows, and some with holes and with a category never seen."""
    holes = [X[:5].with_columns(pl.lit(None, dtype=X[name].dtype).alias(name)) for name in X.columns]
    return pl.concat([X, *holes, X[:5].with_columns(pl.lit("never").alias("c"))])


def _ask(query: Any, X: pl.DataFrame) -> list[Any]:
    """Return the predictions of a query in SQLite."""
    with sqlite3.connect(":memory:") as database:
        columns = ", ".join(f'"{name}"' for name in X.columns)
        database.execute(f"CREATE TABLE data ({columns})")
        marks = ", ".join("?" * len(X.columns))
        database.executemany(f"INSERT INTO data VALUES ({marks})", X.rows())
        return [row[-1] for row in database.execute(query)]


@pytest.fixture(scope="session")
def mixed() -> Callable[..., tuple[pl.DataFrame, pl.Series]]:
    """Return the function that makes a mixed table."""
    return _mixed


@pytest.fixture(scope="session")
def met_later() -> Callable[[pl.DataFrame], pl.DataFrame]:
    """Return the function that adds rows to predict."""
    return _met_later


@pytest.fixture(scope="session")
def ask() -> Callable[[str, pl.DataFrame], list[Any]]:
    """Return the function that runs a query."""
    return _ask
