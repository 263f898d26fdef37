"""ENV and MODEL arguments: a table of transitions, a log, a shipped environment, or one of gymnasium."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

TABLES = (".csv", ".tsv", ".txt", ".parquet", ".json", ".jsonl", ".ndjson", ".gz", ".arff", ".xlsx")


def environment_names() -> list[str]:
    """Return the names of the shipped processes, for completion."""
    from induce.environments.catalogue import ENVIRONMENTS

    return list(ENVIRONMENTS)


def list_environments(as_json: bool) -> None:
    """Print the shipped processes."""
    from induce.cli.output import put_json, put_table
    from induce.environments.catalogue import ENVIRONMENTS

    if as_json:
        put_json([{"name": name, "summary": entry.summary} for name, entry in ENVIRONMENTS.items()])
    else:
        rows = [(name, entry.summary) for name, entry in ENVIRONMENTS.items()]
        put_table(("environment", "task"), rows)


def opened_process(source: str, settings: Sequence[str] = (), start: str | None = None) -> Any:
    """Return the process named by `source`; return the name itself if the learner must open it.

    A table with a column ``episode`` is a log, from which the process is estimated; any other table lists
    transitions.
    """
    from induce.core.errors import InputError
    from induce.environments.catalogue import ENVIRONMENTS, environment, setting_of
    from induce.environments.mdp import MDP
    from induce.environments.tables import estimate

    if os.path.isfile(source) or source.endswith(TABLES):
        if settings:
            raise InputError("--set is for shipped environments, but a table is given; leave it out")
        frame = _table(source)
        if "episode" in frame.columns:
            return estimate(frame)
        return MDP.from_table(frame, start=None if start is None else _start(start, frame))
    if start is not None:
        raise InputError("--start is for tables, and an environment has its own start state; leave it out")
    if source not in ENVIRONMENTS:
        if settings:
            raise InputError(f"--set is for shipped environments, and {source!r} is not one of them")
        return source
    return environment(source, **dict(map(setting_of, settings)))


def _start(start: str, frame: pl.DataFrame) -> Any:
    return int(start) if frame["state"].dtype.is_integer() and start.lstrip("-").isdigit() else start


def _table(source: str) -> pl.DataFrame:
    """Return a table whose columns have the types that transitions need; cells of a text file are strings."""
    import polars as pl

    from induce.data.reading import pieces

    frame = pl.concat(list(pieces(source)))
    for name in ("probability", "reward"):
        if name in frame.columns:
            frame = frame.with_columns(_numbers(frame[name]))
    for names in (("state", "next"), ("action",)):
        there = [name for name in names if name in frame.columns]
        whole = [frame[name].cast(pl.Int64, strict=False) for name in there if frame[name].dtype == pl.String]
        if whole and all(not column.null_count() for column in whole):
            frame = frame.with_columns(whole)
    if "ends" in frame.columns and frame["ends"].dtype == pl.String:
        ends = frame["ends"].str.to_lowercase().is_in(["true", "1", "yes"])
        frame = frame.with_columns(ends.alias("ends"))
    return frame


def _numbers(column: pl.Series) -> pl.Series:
    import polars as pl

    from induce.core.errors import InputError

    found = column.cast(pl.Float64, strict=False)
    odd = found.is_null() & column.is_not_null()
    if odd.any():
        row = int(odd.arg_true()[0])
        raise InputError(f"column {column.name!r} has {column[row]!r} in row {row + 1}; give numbers")
    return found
