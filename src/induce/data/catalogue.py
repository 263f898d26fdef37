"""Shipped tables: those of the books and of scikit-learn, and generated images."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from induce.core.errors import InputError
from induce.data.dataset import Dataset
from induce.data.names import unknown
from induce.data.reading import read

TABLES = Path(__file__).parent / "tables"


class Entry(NamedTuple):
    """A table of the catalogue: its name and description."""

    name: str
    description: str


def datasets() -> tuple[Entry, ...]:
    """List the tables that `dataset` knows.

    Examples
    --------
    >>> datasets()[4].name
    'play-tennis'
    """
    tables = {**_catalogue()["tables"], **_catalogue()["bundled"], **_catalogue()["generated"]}
    return tuple(Entry(name, table["description"]) for name, table in tables.items())


def dataset(name: str) -> Dataset:
    """Return a table of the catalogue.

    Parameters
    ----------
    name : str
        One of the names listed by `datasets`, such as ``"play-tennis"``.

    Examples
    --------
    >>> dataset("enjoy-sport").schema["Sky"]
    Column('Sky', nominal {Sunny, Cloudy, Rainy})
    """
    catalogue = _catalogue()
    if name in catalogue["tables"]:
        found = _typed_in(name, catalogue["tables"][name], catalogue["schemas"])
        return replace(found, description=catalogue["tables"][name]["description"])
    if name in catalogue["bundled"]:
        found = _bundled(name, catalogue["bundled"][name])
        return replace(found, description=catalogue["bundled"][name]["description"])
    if name in catalogue["generated"]:
        return replace(_generated(name), name=name, description=catalogue["generated"][name]["description"])
    raise unknown("dataset", str(name), [entry.name for entry in datasets()])


@cache
def _catalogue() -> dict[str, dict[str, Any]]:
    return tomllib.loads((TABLES / "catalogue.toml").read_text(encoding="utf-8"))


def _typed_in(name: str, table: dict[str, Any], schemas: dict[str, Any]) -> Dataset:
    absent = table.get("without", [])
    schema = {key: value for key, value in schemas[table["schema"]].items() if key not in absent}
    return read(TABLES / f"{name}.csv", schema=schema, missing=(), name=name)


def _bundled(name: str, table: dict[str, Any]) -> Dataset:
    target = table["target"]
    columns = table.get("columns") or _pixels(table["pixels"])
    if "target_file" in table:
        frame = _file(table["file"], table, columns)
        frame = frame.with_columns(_file(table["target_file"], {"skip": 0}, [target]))
        return read(frame, target, name=name)
    frame = _file(table["file"], table, [*columns, target])
    classes = dict(enumerate(table["classes"]))
    named = pl.col(target).cast(pl.Int64).replace_strict(classes, return_dtype=pl.Enum(table["classes"]))
    return read(frame.with_columns(named), target, name=name)


def _generated(name: str) -> Dataset:
    from induce.data.images import generated_digits, generated_faces

    return generated_digits(500) if name == "generated-digits" else generated_faces(6)


def _file(file: str, table: dict[str, Any], columns: list[str]) -> pl.DataFrame:
    # the files are read directly, because importing scikit-learn takes longer than everything else here
    found = find_spec("sklearn")
    folder = Path(((found and found.submodule_search_locations) or [""])[0]) / "datasets" / "data"
    if not (folder / file).is_file():
        raise InputError(
            f"this table comes with scikit-learn, but its file {file!r} is missing; reinstall scikit-learn"
        )
    return pl.read_csv(
        folder / file,
        has_header=False,
        skip_lines=table["skip"],
        separator=table.get("separator", ","),
        new_columns=columns,
        infer_schema_length=None,
    )


def _pixels(side: int) -> list[str]:
    return [f"pixel {row} {column}" for row in range(side) for column in range(side)]
