"""Small example tables that match a learner's declared capabilities, and its predictions for their rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags

WORDS = ("red", "green", "blue")
TALK = ("a red rose smells sweet today", "the blue sea is deep and cold", "green leaves fall in the end")

Make = Callable[[], Any]
"""A learner class, or any function that returns a new learner: the argument of a check."""


def allows_missing(make: Make) -> bool:
    """Return whether a learner declares support for missing values."""
    return bool(get_tags(make()).input_tags.allow_nan)


def learns_many_classes(make: Make) -> bool:
    """Return whether a learner is a classifier that supports more than two classes."""
    learner = make()
    return is_classifier(learner) and bool(get_tags(learner).classifier_tags.multi_class)


def example_table(
    make: Make, seed: int = 0, n: int = 30, missing: float = 0.1, texts: bool = False
) -> tuple[pl.DataFrame, Any]:
    """Return a table that the learner supports: a nominal, a boolean and two numeric columns; or texts.

    Binary classes are a conjunction of two values, multiple classes a noisy function of all columns, and numeric
    targets a sum. A learner without a target gets None.
    """
    rng = np.random.default_rng(seed)
    colour, sold = rng.integers(0, 3, n), rng.random(n) < 0.5
    # few distinct numbers, for learners that enumerate all intervals
    size, price = rng.integers(0, 4, n), rng.integers(-2, 3, n) / 2
    y: pl.Series | None = None
    if is_regressor(make()):
        y = pl.Series("target", (colour * 2 + sold * size + price).round(2))
    elif learns_many_classes(make):
        true = np.where(colour == 1, 0, np.where(size > 2, 1, 2))
        noisy = np.where(rng.random(n) < 0.1, rng.integers(0, 3, n), true)
        y = pl.Series("target", np.array(["low", "mid", "top"])[noisy], dtype=pl.Enum(["mid", "top", "low"]))
    elif is_classifier(make()):
        y = pl.Series("target", np.where((colour == 1) & sold, "yes", "no"), dtype=pl.Enum(["yes", "no"]))
    X = pl.DataFrame(
        {
            "colour": pl.Series([WORDS[c] for c in colour], dtype=pl.Enum(WORDS)),
            "sold": sold,
            "size": size,
            "price": price,
        }
    )
    if texts:
        said = [
            f"{TALK[c]} {'sold' if s else 'kept'} {k}"
            for k, (c, s) in enumerate(zip(colour, sold, strict=True))
        ]
        X = pl.DataFrame({"title": said, "body": said[::-1]})
    if missing and allows_missing(make):
        X = X.with_columns(
            pl.when(pl.Series(rng.random(n) < missing)).then(None).otherwise(pl.col(name)).alias(name)
            for name in X.columns
        )
    return X, y


def later_rows(X: pl.DataFrame) -> pl.DataFrame:
    """Return rows to predict: training rows, rows with missing values, and rows with unseen categories and words."""
    text = X.with_columns(pl.col(pl.Enum).cast(pl.String))
    holes = [text.with_columns(pl.lit(None, dtype=dtype).alias(name)) for name, dtype in text.schema.items()]
    unseen = text.with_columns(pl.lit("mauve").alias(name) for name in text.select(pl.col(pl.String)).columns)
    return pl.concat([text, *(part[:7] for part in (*holes, unseen))])


def answers(fitted: Any, X: Any) -> Any:
    """Return the outputs of a learner or a hypothesis for rows: predictions, or log densities."""
    return fitted.score_samples(X) if hasattr(fitted, "score_samples") else fitted.predict(X)


def alike(mine: Any, other: Any, X: Any) -> bool:
    """Return whether two hypotheses have the same type, the same text and, up to rounding, the same outputs."""
    if type(mine) is not type(other) or str(mine) != str(other):
        return False
    if hasattr(mine, "predict_proba"):
        return bool(np.allclose(mine.predict_proba(X), other.predict_proba(X)))
    return bool(np.allclose(answers(mine, X), answers(other, X)))
