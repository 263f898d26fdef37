"""Base of hypotheses that store training rows as support vectors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.shapes import check_places, check_shapes
from induce.data.numeric_view import NumericView
from induce.data.schema import Schema
from induce.data.table import Table
from induce.kernels.inputs import Floats, Rows, inputs_of, rows_of, without_text
from induce.kernels.kernel import Kernel

CELLS = 4_000_000
"""Number of kernel values computed at a time when predicting."""


class RestsOnRows:
    """A hypothesis with a kernel that stores some training rows."""

    schema: Schema
    kernel: Kernel
    view: NumericView
    numeric: Floats
    nominal: NDArray[np.int32]
    things: tuple[tuple[str, ...], ...]
    rows: NDArray[np.int64]

    def check_rows(self, *fields: str) -> None:
        """Raise an `InputError` unless the rows match the columns, and certain fields have one entry per row."""
        inputs = without_text(self.schema)
        names = sum(column.kind == "nominal" for column in inputs)
        shapes = {**dict.fromkeys(("rows", *fields), "n"), "numeric": "n numbers", "nominal": "n names"}
        check_shapes(self, shapes, numbers=len(inputs) - names, names=names)
        domains = [len(column.domain) for column in inputs if column.kind == "nominal"]
        for codes, size in zip(self.nominal.T, domains, strict=True):
            check_places("nominal", codes, size, least=-2)

    def _kept(self) -> Rows:
        """Return the support vectors as rows of the table."""
        return Rows(Table(without_text(self.schema), self.numeric, self.nominal), self.things)

    def _vectors(self) -> Any:
        """Return the support vectors as scaled numeric vectors."""
        return inputs_of(self._kept(), self.view).vectors

    @cached_property
    def _support(self) -> Any:
        """The support vectors in the form that the kernel compares."""
        return self.kernel.prepare(inputs_of(self._kept(), self.view))

    def encoded(self, X: Any) -> Rows:
        """Return rows in the form that the kernel reads: encoded, together with their texts."""
        return rows_of(X, self.schema)

    def _kernel_values(self, rows: Rows) -> Iterator[Floats]:
        """Yield the kernel values of batches of rows with all support vectors."""
        size = max(1, CELLS // max(1, len(self.rows), len(self.view.mean)))
        for start in range(0, len(rows), size):
            part = rows.take(np.arange(start, min(start + size, len(rows))))
            prepared = self.kernel.prepare(inputs_of(part, self.view))
            if len(self.rows):
                yield np.asarray(self.kernel.between(prepared, self._support), np.float64)
            else:
                yield np.empty((len(part), 0))
