"""Training rows of kernel machines: equal rows merged, in canonical order, scaled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.data.numeric_view import NumericView
from induce.data.schema import Schema
from induce.data.table import Table, declared_columns
from induce.estimators import ClassReading, NumberReading
from induce.kernels.inputs import WIDE, Floats, Inputs, Rows, inputs_of, rows_from
from induce.kernels.kernel import VECTORS, Kernel
from induce.kernels.separator import Ints

CHUNK = 2_000_000
"""Number of cells processed at a time, so that copies of a large table take little memory."""


@dataclass(frozen=True, eq=False)
class Training:
    """Training data of a machine.

    Parameters
    ----------
    schema : Schema
    rows : Rows
        Rows of the given table.
    order : array of int
        Indices of the rows of positive weight, in canonical order.
    numbers : array of int
        Row numbers, as shown to the user.
    labels : array of int
        Class indices; for regression, the ranks of the distinct target values.
    weights : array of float
        Weights of the rows.
    view : NumericView
        Scaling fitted to the rows.
    kernel : Kernel
        Kernel, with parameters inferred from the rows.
    inputs : Inputs
        Rows in the form that the kernel compares.
    """

    schema: Schema
    rows: Rows
    order: Ints
    numbers: Ints
    labels: Ints
    weights: Floats
    view: NumericView
    kernel: Kernel
    inputs: Inputs

    def __len__(self) -> int:
        return len(self.order)


def prepared(
    reading: ClassReading | NumberReading,
    kernel: Kernel,
    scale: str | None,
    merge: bool = True,
    single: bool = False,
) -> Training:
    """Prepare a reading for training.

    Parameters
    ----------
    reading : ClassReading or NumberReading
        Training rows; for regression the labels are ranks.
    kernel : Kernel
    scale : str or None
        Scaling; see `NumericView.of`.
    merge : bool
        Whether equal rows of one class are merged and rows put in canonical order, so that the order of the
        table has no effect.
    single : bool
        Whether single precision may be used if the kernel allows it.
    """
    texts = any(column.kind == "text" for column in reading.schema.inputs())
    rows = (
        rows_from(declared_columns(reading.raw, reading.schema), reading.schema, len(reading))
        if texts
        else Rows(reading.table, ())
    )
    labels = (
        reading.labels
        if isinstance(reading, ClassReading)
        else np.unique(reading.numbers, return_inverse=True)[1].astype(np.int64)
    )
    weights = reading.weight()
    order = np.flatnonzero(weights)
    if merge:
        order, weights = merged(rows, labels, weights)
    else:
        weights = weights[order]
    view = _view(rows.table, order, scale, weights)
    inputs = _inputs(rows, order, view, kernel.needs(), np.float32 if single else np.float64)
    settled = kernel.settled(inputs, weights)
    if single and not settled.single(inputs):
        inputs = _inputs(rows, order, view, kernel.needs(), np.float64)
    return Training(reading.schema, rows, order, order, labels[order], weights, view, settled, inputs)


def merged(rows: Rows, labels: Ints, weights: Floats) -> tuple[Ints, Floats]:
    """Return the first of each group of equal rows of one class with positive weight, and the group's total
    weight.

    The order of the groups depends only on their values.
    """
    there = np.flatnonzero(weights)
    keys = [labels[there].astype(np.uint64)]
    for cells in rows.things:
        texts = np.array([str(cells[i]) for i in there.tolist()], dtype=object)
        keys.append(np.unique(texts, return_inverse=True)[1].astype(np.uint64))
    keys.append(_hashed(rows.table, there))
    place = np.lexsort(keys)
    new = np.zeros(len(place), bool)
    new[:1] = True
    for key in keys:
        new[1:] |= key[place][1:] != key[place][:-1]
    first = there[place[new]]
    lot = np.cumsum(new) - 1
    np.minimum.at(first, lot, there[place])
    return first.astype(np.int64), np.bincount(lot, weights[there[place]]).astype(np.float64)


def _hashed(table: Table, there: Ints) -> NDArray[np.uint64]:
    """Return a hash of each row; collisions of different rows are practically impossible."""
    found = np.zeros(len(there), np.uint64)
    width = table.numeric.shape[1] + table.nominal.shape[1]
    factors = np.random.default_rng(0).integers(0, 2**63, width, np.uint64) * np.uint64(2) + np.uint64(1)
    for part in _chunks(len(there), width):
        numbers = table.numeric[there[part]] + 0.0  # makes -0.0 equal to 0.0
        numbers[np.isnan(numbers)] = np.nan
        bits = np.hstack(
            [numbers.view(np.uint64), table.nominal[there[part]].astype(np.int64).view(np.uint64)]
        )
        bits ^= bits >> np.uint64(32)  # round numbers differ only in their upper halves
        found[part] = bits @ factors
    return found


def _view(table: Table, order: Ints, scale: str | None, weights: Floats) -> NumericView:
    """Fit the scaling, a few columns at a time."""
    schema = table.schema
    size = max(1, CHUNK // max(1, len(order)))
    views = []
    for start in range(0, len(schema), size):
        part = range(start, min(start + size, len(schema)))
        columns = [table.column(j)[order] for j in part]
        nominal = [schema.columns[j].kind == "nominal" for j in part]
        numbers, codes = (
            [values for values, is_code in zip(columns, nominal, strict=True) if is_code == wanted]
            for wanted in (False, True)
        )
        some = Table(
            Schema(schema.columns[part.start : part.stop]),
            np.column_stack(numbers) if numbers else np.empty((len(order), 0)),
            np.column_stack(codes) if codes else np.empty((len(order), 0), np.int32),
        )
        views.append(NumericView.of(some, scale, weights))
    parts = [(np.empty(0),) * 3, *((view.offset, view.scale, view.mean) for view in views)]
    return NumericView(schema, *(np.concatenate(each) for each in zip(*parts, strict=True)))


def _inputs(rows: Rows, order: Ints, view: NumericView, needs: frozenset[str], dtype: Any) -> Inputs:
    """Return the kernel inputs of the rows, some at a time."""
    n, width = len(order), len(view.mean)
    if needs != {VECTORS} or width > WIDE:
        whole = inputs_of(rows.take(order), view, dtype)
        return whole
    vectors = np.empty((n, width), dtype)
    for part in _chunks(n, width):
        vectors[part] = view.matrix(rows.table.rows(order[part]))
    return Inputs(vectors, np.empty((n, 0)), np.empty((n, 0), np.int32))


def _chunks(n: int, width: int) -> Iterator[slice]:
    size = max(1, CHUNK // max(1, width))
    return (slice(start, start + size) for start in range(0, n, size))
