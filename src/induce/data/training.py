"""First steps of every learner from a table: inferring the schema and encoding the examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.frames import RawFrame, raw_frame
from induce.data.schema import Schema
from induce.data.table import Table, as_table, infer_schema


@dataclass(frozen=True, eq=False)
class Examples:
    """Encoded training examples: inputs, class codes and weights (None if every example counts once)."""

    table: Table
    labels: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    n_classes: int

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self, index: NDArray[Any]) -> Examples:
        """Return the examples at the given row indices."""
        weights = None if self.weights is None else self.weights[index]
        return Examples(self.table.rows(index), self.labels[index], weights, self.n_classes)

    def counted(self) -> Examples:
        """Return the examples of nonzero weight."""
        if self.weights is None or self.weights.all():
            return self
        return self.rows(np.flatnonzero(self.weights))

    def weight(self) -> NDArray[np.float64]:
        """Return the weight of every example."""
        return np.ones(len(self)) if self.weights is None else self.weights


def training_frame(X: Any, may_be_empty: bool = False) -> RawFrame:
    """Return the columns of a training table.

    Raise an error without columns or, unless it may be empty, without rows.
    """
    raw = raw_frame(X)
    if raw.n_rows == 0 and not may_be_empty:
        raise InputError(
            "Found array with 0 sample(s) while a minimum of 1 is required: the table has no rows"
        )
    if not raw.columns:
        raise InputError(
            f"0 feature(s) (shape=({raw.n_rows}, 0)) while a minimum of 1 is required: the table has no columns"
        )
    return raw


def training_schema(
    raw: RawFrame,
    n_targets: int | None,
    told: Schema | dict[str, Any] | None,
    text: bool = False,
    names: bool = False,
) -> Schema:
    """Infer the schema of a training table; targets must match the number of rows.

    Columns that identify rows are set aside, unless `names` is set because the learner can use them.
    """
    if n_targets is not None and n_targets != raw.n_rows:
        raise InputError(
            f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
            f"y has {n_targets}"
        )
    if not isinstance(told, Schema | dict | None):
        raise InputError(f"schema is {told!r}; give a Schema, or a dict from columns to their declarations")
    schema = infer_schema(raw, told, text, names)
    if not len(schema.inputs()):
        raise InputError(
            "no column is left to learn from: all are identifiers, text or ignored; declare some nominal or numeric"
        )
    return schema


def validation_table(rows: Any, schema: Schema) -> Table:
    """Return validation rows as a table; errors mention that they concern the validation rows."""
    try:
        table = as_table(rows, schema)
    except InputError as error:
        raise InputError(f"validation does not have the columns of X: {error}") from None
    if not len(table):
        raise InputError("validation has no rows; give some for early stopping, or leave it out")
    return table


def must_be_as_begun(
    begun: Schema, now: Schema, classes_begun: Sequence[Any] = (), classes_now: Sequence[Any] = ()
) -> None:
    """Raise an `InputError` unless a warm start continues with its original columns and classes."""
    remedy = "give the same, or set warm_start to False to start again"
    for one, other, words in (
        (begun, now, "X lacks"),
        (now, begun, "X has"),
    ):
        odd = [name for name in one.names() if name not in other.names()]
        if odd:
            raise InputError(
                f"{words} the column {odd[0]!r}, unlike in the training that warm_start continues; {remedy}"
            )
    for name in begun.names():
        if begun[name] != now[name]:
            raise InputError(
                f"column {name!r} has other values than in the training that warm_start continues; {remedy}, or "
                "declare its values in schema"
            )
    if begun != now:
        raise InputError(
            f"the columns are in another order than in the training that warm_start continues; {remedy}"
        )
    if tuple(classes_begun) != tuple(classes_now):
        first, then = (", ".join(map(repr, classes)) for classes in (classes_now, classes_begun))
        raise InputError(
            f"the classes are {first}, but in the training that warm_start continues they were {then}; {remedy}"
        )
