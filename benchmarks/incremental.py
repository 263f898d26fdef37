"""Examples per second of the incremental ID3, in batches and one by one, against growing the tree anew."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import polars as pl

import induce
from benchmarks.measure import Row, Section, interleaved, seconds

ATTRIBUTES = 20
VALUES = 3
NOISE = 0.05
BATCH = 1_000
ALONE = 2_000


def draw(n: int) -> tuple[pl.DataFrame, pl.Series]:
    """Rows of nominal attributes whose class is the parity of the sum of four of them, some of it wrong."""
    random = np.random.default_rng(0)
    codes = random.integers(0, VALUES, (n, ATTRIBUTES))
    labels = (codes[:, :4].sum(axis=1) % 2) ^ (random.random(n) < NOISE)
    value, said = pl.Enum([f"v{i}" for i in range(VALUES)]), pl.Enum(["no", "yes"])
    X = pl.DataFrame(
        {f"a{j}": np.array(value.categories)[codes[:, j]] for j in range(ATTRIBUTES)},
        schema_overrides=dict.fromkeys((f"a{j}" for j in range(ATTRIBUTES)), value),
    )
    return X, pl.Series("class", np.array(said.categories)[labels], dtype=said)


def incremental(n: int) -> Section:
    """Learn `n` rows in batches and some more one by one; then ask for the tree."""
    X, y = draw(n + ALONE)
    step = min(BATCH, n // 2)
    learner = induce.IncrementalID3()
    for first in (slice(0, step - 1), slice(step - 1, step)):  # loads what is compiled
        learner.partial_fit(X[first], y[first])
    batches = _learned(learner, X, y, step, n, step)
    alone = _learned(learner, X, y, n, n + ALONE, 1)
    asked, _ = interleaved(1, {"tree": lambda: learner.hypothesis_})["tree"]
    anew, whole = interleaved(3, {"ID3": lambda: induce.ID3().fit(X, y)})["ID3"]
    same = str(whole.hypothesis_) == str(learner.hypothesis_)
    rows = (
        Row(f"{n - step:,} examples in batches of {step:,}", f"{(n - step) / batches:,.0f} per second"),
        Row(f"{ALONE:,} more one by one", f"{ALONE / alone:,.0f} per second"),
        Row("building the tree of all examples", seconds(asked)),
        Row("`ID3` on all of them at once", seconds(anew)),
        Row("the same tree as `ID3`", whole.hypothesis_.size(), target="the same", holds=same),
    )
    remark = (
        f"{ATTRIBUTES} nominal attributes of {VALUES} values; the class is the parity of the sum of "
        f"four of them, with {NOISE:.0%} label noise. `partial_fit` is called on slices of a frame "
        "whose columns declare their values."
    )
    return Section("Learning example by example", remark, rows)


def _learned(learner: Any, X: Any, y: Any, begin: int, end: int, step: int) -> float:
    """Seconds of learning the rows from `begin` to `end`, so many at a time."""
    start = time.perf_counter()
    for first in range(begin, end, step):
        rows = slice(first, min(first + step, end))
        learner.partial_fit(X[rows], y[rows])
    return time.perf_counter() - start
