"""Shared helpers of results: gains, trees as text, and numbers as the books print them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import Any

import induce

WHOLE = 1e-6
"""Maximum difference between a computed integer and the printed one."""
COUNTS = re.compile(r" \([\d.]+/[\d.]+\)$", re.MULTILINE)


def root_scores(X: Any, y: Any, criterion: str = "gain") -> dict[str, dict[str, float]]:
    """Return the gain and the merit of every attribute at the root, taken from the growth trace."""
    learner = induce.DecisionTreeClassifier(
        criterion=criterion, max_depth=1, schema=dict.fromkeys(X.columns, "input")
    )
    with induce.trace(only="split") as events:
        learner.fit(X, y)
    candidates: dict[str, dict[str, float]] = events[0]["candidates"]
    return candidates


def root_gains(X: Any, y: Any) -> dict[str, float]:
    """Return the information gain of every attribute at the root."""
    return {name: scores["gain"] for name, scores in root_scores(X, y).items()}


def entropy(*counts: int) -> float:
    """Return the entropy of a class column, computed as the gain of the class used as an attribute."""
    import polars as pl

    names = [f"class {k}" for k in range(len(counts))]
    labels = [name for name, count in zip(names, counts, strict=True) for _ in range(count)]
    column = pl.Series("copy", labels, dtype=pl.Enum(names))
    return root_gains(column.to_frame(), labels)["copy"]


def every_morning() -> Any:
    """Return all 36 distinct mornings of PlayTennis, as a table without classes."""
    import polars as pl

    columns = tuple(induce.dataset("play-tennis").input_schema)
    rows = list(product(*(column.domain for column in columns)))
    enums = {column.name: pl.Enum([str(value) for value in column.domain]) for column in columns}
    return pl.DataFrame(rows, schema=enums, orient="row")


def outline(hypothesis: Any) -> str:
    """Return a tree or a rule list as text, without the counts of training examples."""
    return COUNTS.sub("", str(hypothesis))


def as_printed(value: float, printed: str) -> bool:
    """Say whether a value, rounded to the printed number of decimals, equals the printed value.

    A printed integer matches only an integral value: nothing is rounded to it.

    Examples
    --------
    >>> as_printed(0.0481, "0.048"), as_printed(1.4, "1"), as_printed(1.0, "1")
    (True, False, True)
    """
    whole, _, decimals = printed.partition(".")
    if not decimals:
        return abs(value - float(whole)) < WHOLE
    return round(value, len(decimals)) == float(printed)


def all_as_printed(values: Sequence[float], printed: Sequence[str]) -> bool:
    """Say whether all values, rounded, equal the printed ones."""
    return all(as_printed(value, text) for value, text in zip(values, printed, strict=True))


def listed(values: dict[str, float], decimals: int = 4) -> str:
    """Format named numbers on one line."""
    return ", ".join(f"{name} {value:.{decimals}f}" for name, value in values.items())
