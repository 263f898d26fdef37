"""Nomograms: additive hypotheses as points on one scale per column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl

from induce.data.frames import Floats
from induce.data.schema import Schema
from induce.hypotheses.naming import value_text

STEPS = 9
"""Number of values of a numeric column whose points are shown."""
CLOSE = 1e-6


def nomogram(
    schema: Schema,
    score: Callable[[pl.DataFrame], Floats],
    outputs: tuple[str, ...],
    spans: Mapping[str, tuple[float, float]],
    softmax: bool,
) -> dict[str, Any] | None:
    """Return the contribution of each value of each column to the scores; None if columns are not additive.

    Every value is evaluated in a row with all other values missing, so any additive hypothesis can be drawn.

    Parameters
    ----------
    schema : Schema
    score : callable
        Function from a frame to an array with one score per row and output.
    outputs : tuple of str
        Name of each score.
    spans : dict
        Displayed range of each numeric column.
    softmax : bool
        Whether probabilities are the softmax of the scores.
    """
    inputs = list(schema.inputs())
    rows: list[dict[str, Any]] = [{}]
    tried: list[tuple[str, list[Any], list[str]]] = []
    for column in inputs:
        if column.kind == "nominal":
            values: list[Any] = list(column.domain)
            texts = [value_text(value) for value in values]
        elif column.name in spans:
            low, high = spans[column.name]
            values = [float(f"{number:.3g}") for number in np.linspace(low, high, STEPS)]
            texts = [f"{number:g}" for number in values]
        else:
            return None
        if not values:
            return None
        tried.append((column.name, values, texts))
        rows += [{column.name: value} for value in values]
    # two complete rows for the additivity check: the first and the last values of all columns
    rows += [{name: values[0] for name, values, _ in tried}, {name: values[-1] for name, values, _ in tried}]
    scores = np.asarray(score(_frame(rows, inputs)), float)
    if not np.isfinite(scores).all():
        return None
    base, adds = scores[0], scores[1:-2] - scores[0]
    columns, at = [], 0
    whole = np.array([base, base])
    for name, values, texts in tried:
        part = adds[at : at + len(values)]
        whole += part[[0, -1]]
        at += len(values)
        points = [
            {"value": text, "adds": row} for text, row in zip(texts, part.round(9).tolist(), strict=True)
        ]
        columns.append({"name": name, "points": points})
    if np.abs(whole - scores[-2:]).max() > CLOSE * (1 + np.abs(scores).max()):
        return None
    return {"outputs": list(outputs), "base": base.round(9).tolist(), "columns": columns, "softmax": softmax}


def _frame(rows: list[dict[str, Any]], inputs: list[Any]) -> pl.DataFrame:
    cells = []
    for column in inputs:
        values = [row.get(column.name) for row in rows]
        cells.append(
            pl.Series(column.name, values, pl.Float64 if column.kind != "nominal" else None, strict=False)
        )
    return pl.DataFrame(cells)
