"""Input forms of kernels: numeric vectors, columns of a table, or objects such as texts and terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.frames import RawFrame, raw_frame
from induce.data.numeric_view import FAR, NumericView
from induce.data.schema import Schema
from induce.data.table import Table, encoded_columns, infer_schema

Floats = NDArray[np.float64]
Array = NDArray[Any]
Things = tuple[Sequence[Any], ...]
"""Cells of each text column."""

WIDE = 2_000
"""Number of columns above which matrices are sparse, since most are indicators of rare values."""


@dataclass(frozen=True, eq=False)
class Inputs:
    """Rows in every form that kernels may need.

    Parameters
    ----------
    vectors : array or sparse array of shape (rows, numbers)
        All nominal and numeric columns as numbers without missing values.
    numeric : array of shape (rows, numeric columns)
        Numeric columns only, with the same scaling; NaN if missing.
    nominal : array of shape (rows, nominal columns)
        Codes of values; negative if missing or unseen.
    things : tuple of sequences
        Cells of each text column.
    """

    vectors: Any
    numeric: Array
    nominal: Array
    things: Things = ()

    def __len__(self) -> int:
        return len(self.things[0]) if self.things else int(self.vectors.shape[0])


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a table before scaling: unscaled numbers, codes, and text cells."""

    table: Table
    things: Things

    def __len__(self) -> int:
        return len(self.table)

    def take(self, index: NDArray[Any]) -> Rows:
        """Return a subset of the rows."""
        return Rows(
            self.table.rows(index), tuple([cells[i] for i in index.tolist()] for cells in self.things)
        )


def rows_of(X: Any, schema: Schema) -> Rows:
    """Read the rows of a frame, an array or an encoded table by a fixed schema."""
    if isinstance(X, Table):
        if any(column.kind == "text" for column in schema.inputs()):
            raise InputError("an encoded table contains no text, which this machine needs; give the frame")
        return Rows(X, ())
    raw = X if isinstance(X, RawFrame) else raw_frame(X)
    return rows_from(encoded_columns(raw, schema), schema, raw.n_rows)


def rows_from(columns: Iterable[Any], schema: Schema, n_rows: int) -> Rows:
    """Return the rows of encoded columns; a missing text becomes an empty one."""
    numeric, nominal, things = [], [], []
    for column, values in zip(schema.inputs(), columns, strict=True):
        match column.kind:
            case "text":
                things.append([text or "" for text in values.to_list()])
            case "nominal":
                nominal.append(values)
            case _:
                numeric.append(values)
    table = Table(
        without_text(schema),
        np.column_stack(numeric) if numeric else np.empty((n_rows, 0)),
        np.column_stack(nominal) if nominal else np.empty((n_rows, 0), np.int32),
    )
    return Rows(table, tuple(things))


def without_text(schema: Schema) -> Schema:
    """Return the inputs without text columns."""
    return Schema(tuple(column for column in schema.inputs() if column.kind != "text"))


def inputs_of(rows: Rows, view: NumericView, dtype: Any = np.float64) -> Inputs:
    """Return rows of a table as kernel inputs, scaled by a view."""
    table = rows.table
    with np.errstate(over="ignore"):
        numeric = np.clip((table.numeric - view.offset) / view.scale, -FAR, FAR)
    dense = len(view.mean) <= WIDE
    vectors = view.matrix(table) if dense else _sparse(view, table)
    return Inputs(vectors.astype(dtype, copy=False), numeric, table.nominal, rows.things)


def _sparse(view: NumericView, table: Table) -> Any:
    """Return the sparse matrix of a view; a missing or unseen value has no indicator."""
    from scipy.sparse import csr_array, hstack

    parts, place = [], 0
    for column, position in zip(view.schema, table.positions, strict=True):
        if position >= 0:
            with np.errstate(over="ignore"):
                numbers = (table.numeric[:, position] - view.offset[position]) / view.scale[position]
            numbers = np.where(np.isnan(numbers), view.mean[place], np.clip(numbers, -FAR, FAR))
            parts.append(csr_array(numbers[:, np.newaxis]))
            place += 1
        else:
            codes = table.nominal[:, -1 - position]
            known = np.flatnonzero(codes >= 0)
            shape = len(table), len(column.domain)
            parts.append(csr_array((np.ones(len(known)), (known, codes[known])), shape))
            place += len(column.domain)
    return hstack(parts, format="csr")


def plain_inputs(A: Any, like: Any = None) -> tuple[Inputs, Any]:
    """Return any kernel argument as inputs, and a reader for more of the same kind.

    Parameters
    ----------
    A : array, frame, or sequence of strings or terms
        Rows or objects; numbers are not scaled.
    like : object
        Result of an earlier call, so that a second table is read in the same way.
    """
    if _are_things(A):
        cells = list(A)
        nothing = np.empty((len(cells), 0))
        return Inputs(nothing, nothing, nothing, (cells,)), None
    if like is None:
        raw = raw_frame(A)
        schema = infer_schema(raw, text=True)
        rows = rows_of(raw, schema)
        like = schema, NumericView.of(rows.table, scale=None)
    else:
        rows = rows_of(A, like[0])
    return inputs_of(rows, like[1]), like


def _are_things(A: Any) -> bool:
    """Return whether these are texts or terms rather than rows of a table."""
    from induce.logic.terms import Constant, Function, Text, Variable

    if getattr(A, "ndim", 1) != 1 or not hasattr(A, "__len__") or not len(A):
        return False
    first = next(iter(A))
    if isinstance(first, str | Constant | Function | Text | Variable):
        return True
    return isinstance(A, list | tuple) and isinstance(first, tuple) and isinstance(first[0], str)
