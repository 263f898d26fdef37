"""Counts of a table's columns in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from induce.bayes.learners.density_selection import chosen_density
from induce.bayes.naive_bayes.column import ColumnModel
from induce.bayes.naive_bayes.column_settings import ColumnSettings
from induce.bayes.naive_bayes.numeric import NormalColumn
from induce.core.hashing import sampled_rows
from induce.counts.moments import Moments
from induce.data.schema import Column
from induce.estimators import ClassReading


def counted_columns(
    reading: ClassReading, settings: ColumnSettings, known: Sequence[ColumnModel], values: Iterable[Any]
) -> tuple[ColumnModel, ...]:
    """Count the columns of a table one at a time, with the settings of existing models, if any.

    `values` gives the encoded columns on demand.
    """
    inputs, n_classes = reading.schema.inputs(), len(reading.classes)
    labels, weights = reading.labels, reading.weights

    # a large table in memory is sampled like a partitioned one, so that both give the same model
    rows = sampled_rows(len(labels))

    def blank(place: int, values: Any) -> ColumnModel:
        if known:
            return known[place]
        column = inputs.columns[place]
        if len(rows) == len(labels) or column.kind != "numeric" or values is None:
            return blank_column(settings, column, values, labels, n_classes, weights)
        weight = None if weights is None else weights[rows]
        return blank_column(settings, column, values[rows], labels[rows], n_classes, weight)

    plain = reading.raw.matrix is not None and all(column.kind == "numeric" for column in inputs)
    if plain and settings.numeric == "normal":
        return tuple(_normal_columns(reading, [blank(place, None) for place in range(len(inputs))]))
    return tuple(blank(place, each).count(each, labels, weights) for place, each in enumerate(values))


def blank_column(
    settings: ColumnSettings,
    column: Column,
    values: Any,
    labels: NDArray[np.int64],
    n_classes: int,
    weights: NDArray[np.float64] | None,
) -> ColumnModel:
    """Return the empty model of a column, with density and intervals chosen from the given rows."""
    if settings.numeric == "auto" and column.kind == "numeric":
        settings = chosen_density(settings, column, values, labels, n_classes, weights)
    return settings.blank(column, values, labels, n_classes, weights)


def _normal_columns(reading: ClassReading, blanks: Sequence[ColumnModel]) -> Iterator[ColumnModel]:
    """Compute the moments of all columns of a matrix at once, which is much faster."""
    matrix = reading.table.numeric
    with np.errstate(over="ignore", invalid="ignore"):
        moments = Moments.of(matrix, reading.labels, len(reading.classes), reading.weights)
    usual = np.asarray(np.isfinite(matrix).all(axis=0) & np.isfinite(moments.m2).all(axis=0))
    for j, column in enumerate(blanks):
        if usual[j]:
            nothing = np.zeros(len(reading.classes))
            yield cast(NormalColumn, column).of(moments[:, j], nothing, matrix[:, j])
        else:
            yield column.count(matrix[:, j], reading.labels, reading.weights)
