"""Columns derived from dates, such as year, month and day of the week."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from induce.core.errors import InputError
from induce.data.dataset import Dataset
from induce.data.schema import Column, Schema

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PARTS = ("year", "quarter", "month", "day", "weekday", "hour")
DERIVED = re.compile(rf"({'|'.join(PARTS)}) of (.+)$")


def add_date_parts(data: Dataset, parts: Sequence[str]) -> Dataset:
    """Return a dataset with a column for each part of each date among its inputs, such as ``month of visit``.

    Parameters
    ----------
    data : Dataset
    parts : sequence of {"year", "quarter", "month", "day", "weekday", "hour"}

    Examples
    --------
    >>> from induce.data.reading import read
    >>> visits = read(pl.DataFrame({"visit": ["2024-02-29", "2024-03-04"], "sick": ["no", "yes"]}), "sick")
    >>> add_date_parts(visits, ["month", "weekday"]).X.rows()[0][1:]
    (2, 'Thursday')
    """
    for part in parts:
        if part not in PARTS:
            raise InputError(f"there is no part {part!r} of a date; the parts are {', '.join(PARTS)}")
    cells, columns = data.frame, []
    for column in data.schema:
        columns.append(column)
        if not column.temporal or column.role != "input" or column.name in data.aside:
            continue
        for part in parts:
            name = f"{part} of {column.name}"
            if part == "hour" and data.frame[column.name].dtype == pl.Date:
                continue
            domain = WEEKDAYS if part == "weekday" else ()
            columns.append(Column(name, "nominal" if domain else "numeric", domain))
            cells = cells.with_columns(_part(data.frame[column.name], part).alias(name))
    names = [column.name for column in columns]
    if len(names) == len(data.schema):
        raise InputError("date_parts needs a column of dates, but there is none; leave it out")
    return Dataset(
        cells.select(names), data.target, Schema(tuple(columns)), data.name, data.description, data.aside
    )


def parts_needed(schema: Schema, names: Sequence[str]) -> dict[str, str]:
    """Return the date parts in a schema that are missing from `names`, each with its date column."""
    found = {}
    for column in schema.inputs():
        derived = DERIVED.match(column.name)
        if derived and column.name not in names and derived[2] in names:
            found[column.name] = derived[2]
    return found


def with_parts(frame: pl.DataFrame, needed: dict[str, str]) -> pl.DataFrame:
    """Return a frame with the parts of its dates added; see `parts_needed`."""
    return frame.with_columns(
        _part(frame[source], name.split(" of ", 1)[0]).alias(name) for name, source in needed.items()
    )


def _part(dates: pl.Series, part: str) -> pl.Series:
    if part == "weekday":
        return (
            (dates.dt.weekday() - 1)
            .cast(pl.Int64)
            .replace_strict(dict(enumerate(WEEKDAYS)), return_dtype=pl.Enum(WEEKDAYS))
        )
    found: pl.Series = getattr(dates.dt, part)()
    return found.cast(pl.Int64)
