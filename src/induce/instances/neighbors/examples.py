"""Stored encoded examples, and later additions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.data.frames import RawFrame
from induce.data.schema import Schema
from induce.data.table import UNSEEN, Table, codes_of, infer_schema
from induce.distances.rows import Floats

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Stored:
    """Encoded examples with their targets: class indices or numeric values."""

    schema: Schema
    target: str
    table: Table
    known: NDArray[Any]
    weights: Floats

    def __len__(self) -> int:
        return len(self.weights)

    def rows(self, index: Places) -> Stored:
        """Return a subset of the examples."""
        return replace(
            self, table=self.table.rows(index), known=self.known[index], weights=self.weights[index]
        )

    def counted(self) -> Stored:
        """Return the examples of nonzero weight."""
        return self if self.weights.all() else self.rows(np.flatnonzero(self.weights))

    def joined(self, more: list[Stored]) -> Stored:
        """Return these examples followed by others, whose domains must begin with those of these."""
        parts, schema = [self, *more], more[-1].schema
        numeric = np.concatenate([part.table.numeric for part in parts])
        nominal = np.concatenate([part.table.nominal for part in parts])
        return Stored(
            schema,
            self.target,
            Table(schema.inputs(), numeric, nominal),
            np.concatenate([part.known for part in parts]),
            np.concatenate([part.weights for part in parts]),
        )


def with_new_values(schema: Schema, raw: RawFrame) -> Schema:
    """Return a schema whose nominal columns also contain the values of further rows."""
    columns = []
    for column, cells in zip(schema, raw.columns, strict=True):
        if column.role == "input" and column.kind == "nominal" and UNSEEN in codes_of(cells, column.domain):
            alone = RawFrame((cells,), raw.n_rows, named=True)
            found = infer_schema(alone, {cells.name: "nominal"})[cells.name].domain
            new = tuple(value for value in found if value not in column.domain)
            column = replace(column, domain=(*column.domain, *new))
        columns.append(column)
    return Schema(tuple(columns))
