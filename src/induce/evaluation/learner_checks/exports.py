"""Execution of exported hypotheses on the rows of a polars frame."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import polars as pl


def in_python(hypothesis: Any, rows: pl.DataFrame) -> list[Any]:
    """Run the exported Python function of a hypothesis."""
    space: dict[str, Any] = {}
    exec(hypothesis.to_python("decide"), space)
    return [space["decide"](row) for row in rows.to_dicts()]


def in_sqlite(hypothesis: Any, rows: pl.DataFrame) -> list[Any]:
    """Run the exported query in SQLite, which stores dates as text and booleans as numbers."""
    held = rows.with_columns(
        pl.col(pl.Date).dt.to_string(),
        pl.col(pl.Datetime).dt.to_string("%Y-%m-%d %H:%M:%S%.3f"),
        pl.col(pl.Enum).cast(str),
    )
    with closing(sqlite3.connect(":memory:")) as base:
        names = ", ".join('"' + name.replace('"', '""') + '"' for name in held.columns)
        base.execute(f"CREATE TABLE data ({names})")
        base.executemany(f"INSERT INTO data VALUES ({', '.join('?' * held.width)})", held.rows())
        return [row[-1] for row in base.execute(hypothesis.to_sql())]
