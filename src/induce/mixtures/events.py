"""Trace events of mixtures and k-means, in the units of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from induce.core.trace import emit
from induce.data.numeric_view import Floats
from induce.data.schema import Schema
from induce.mixtures.components import Components
from induce.mixtures.rows import Places, Rows, Units

MOST_STEPS = 300
"""Maximum number of k-means steps in a trace."""


def telling(
    schema: Schema, units: Units, rows: Rows, shift: float
) -> Callable[[Components, float], dict[str, Any]]:
    """Return the fields of an EM event: the objective, and the components in the units of the table."""
    steps = np.where(np.isnan(units.scale), 0.0, units.scale)

    def told(components: Components, objective: float) -> dict[str, Any]:
        matrices = components.matrices() * steps * steps[:, np.newaxis]
        return {
            "objective": objective - shift,
            "hypothesis": centres(
                schema, units, rows, components.shares, components.means, components.tables
            ),
            "covariances": tuple(np.asarray(matrix).tolist() for matrix in matrices),
        }

    return told


def centres(
    schema: Schema, units: Units, rows: Rows, shares: Floats, means: Floats, tables: Floats
) -> tuple[dict[str, Any], ...]:
    """Return each cluster as a record: weight, mean of each numeric column and most likely value of each
    nominal one.
    """
    inputs = list(schema.inputs())
    numeric = [column.name for column in inputs if column.kind != "nominal"]
    nominal = [column for column in inputs if column.kind == "nominal"]
    located = means * np.where(np.isnan(units.scale), 0.0, units.scale) + units.offset
    records = []
    for share, place, table in zip(shares.tolist(), located.tolist(), tables, strict=True):
        likeliest = {
            column.name: column.domain[int(table[start : start + size].argmax())]
            for column, start, size in zip(nominal, rows.places.tolist(), rows.sizes, strict=True)
            if size
        }
        values = dict(zip(numeric, place, strict=True)) | likeliest
        records.append({"share": share} | {column.name: values.get(column.name) for column in inputs})
    return tuple(records)


def tell_steps(
    matrix: Floats,
    weights: Floats,
    start: int,
    first: Floats,
    located: Callable[[Places], tuple[dict[str, Any], ...]],
) -> None:
    """Emit the steps of k-means to an active trace: assignment to the nearest mean, then new means."""
    from scipy.spatial.distance import cdist

    middles, before = first, None
    for iteration in range(1, MOST_STEPS + 1):
        squares = cdist(matrix, middles, "sqeuclidean")
        labels = squares.argmin(axis=1)
        if before is not None and (labels == before).all():
            break
        emit(
            "k-means",
            clusters=len(first),
            start=start,
            iteration=iteration,
            moved=len(labels) if before is None else int((labels != before).sum()),
            inertia=float(weights @ squares[np.arange(len(labels)), labels]),
            means=located(labels),
        )
        totals = np.bincount(labels, weights, len(first))
        sums = np.stack([np.bincount(labels, weights * column, len(first)) for column in matrix.T], axis=1)
        middles = np.where(totals[:, None] > 0, sums / np.maximum(totals[:, None], 1e-300), middles)
        before = labels
