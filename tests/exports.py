"""Exports, run where users run them, on the rows of a polars frame."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import onnxruntime
import polars as pl

from induce.evaluation.learner_checks.exports import in_python, in_sqlite

__all__ = ["in_duckdb", "in_onnx", "in_python", "in_sqlite"]


def in_duckdb(hypothesis: Any, rows: Any) -> list[Any]:
    """Ask DuckDB, which holds every column in a type of its own."""
    with duckdb.connect() as base:
        # a query promises no order: where DuckDB joins with a list of values, rows come out as they are found
        base.register("data", rows.with_row_index("number of the row").to_arrow())
        answers = base.execute(hypothesis.to_sql()).fetchall()
        return [row[-1] for row in sorted(answers, key=lambda row: row[0])]


def in_onnx(hypothesis: Any, rows: Any) -> dict[str, Any]:
    """Ask onnxruntime, which has no missing strings and whole numbers; return all outputs by name."""
    session = onnxruntime.InferenceSession(hypothesis.to_onnx())
    given = {}
    for each in session.get_inputs():
        cells = rows[each.name]
        if cells.dtype in (pl.Date, pl.Datetime):
            cells = cells.dt.timestamp("ms") / 86_400_000
        if each.type == "tensor(double)":
            held = cells.cast(pl.Float64).fill_null(np.nan).to_numpy()
        elif each.type == "tensor(int64)":
            held = cells.cast(pl.Int64, strict=False).fill_null(-999).to_numpy()
        else:
            held = np.array(cells.cast(pl.String).fill_null("").to_list(), dtype=object)
        given[each.name] = np.ascontiguousarray(held.reshape(-1, 1))
    names = [each.name for each in session.get_outputs()]
    return dict(zip(names, session.run(names, given), strict=True))
