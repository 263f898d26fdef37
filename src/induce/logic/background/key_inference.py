"""Inference of undeclared table keys from names and values."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

from induce.core.notes import note
from induce.logic.background.tables import GENERIC, simple_name

if TYPE_CHECKING:
    import polars as pl

MOST_COLUMNS = 8
"""Number of leading columns considered for a two-column key."""

Keys = dict[str, str | tuple[str, ...]]


def guessed_keys(tables: Mapping[str, pl.DataFrame], known: Mapping[str, Any]) -> Keys:
    """Infer a key for each table without a declared one: a column, or a pair of columns, that identifies its rows.

    A column is a key if its values are unique and complete, and its name or position suggests a key. Two
    columns are a key if each has repeated values but the pair has none. A two-column table without a key is a
    table of pairs.

    Examples
    --------
    >>> import polars as pl
    >>> train = pl.DataFrame({"id": ["t1", "t2"], "cars": [3, 4]})
    >>> load = pl.DataFrame({"train": ["t1", "t1", "t2"], "place": [1, 2, 1], "kind": ["coal", "wood", "coal"]})
    >>> guessed_keys({"train": train, "load": load}, {})
    {'train': 'id', 'load': ('train', 'place')}
    """
    found: Keys = {}
    for name, table in tables.items():
        if name in known or not table.height:
            continue
        first = table.columns[0]
        counts = table.width != 2 and _may_number(table[first]) and _tells_apart(table, [first])
        if (named := named_key(table, name)) is not None or counts:
            found[name] = named or first
        elif table.width > 2 and (pair := _pair(table)) is not None:
            found[name] = pair
    if found:
        told = ", ".join(
            f"{name}({written if isinstance(written, str) else ', '.join(written)})"
            for name, written in found.items()
        )
        note(f"keys were inferred from names and values: {told}; declare them if that is wrong")
    return found


def named_key(table: pl.DataFrame, name: str) -> str | None:
    """Return the first column that identifies the rows of a table and whose name suggests a key."""
    named = (column for column in table.columns if _says_key(column, name) and _tells_apart(table, [column]))
    return next(named, None)


def guessed_references(
    tables: Mapping[str, pl.DataFrame], keys: Mapping[str, Any], known: Mapping[str, Mapping[Any, str]]
) -> dict[str, dict[str | tuple[str, ...], str]]:
    """Return the columns that form a foreign key to another table: they have its column names and only its values."""
    found: dict[str, dict[str | tuple[str, ...], str]] = {name: dict(mine) for name, mine in known.items()}
    for other, key in keys.items():
        if isinstance(key, str) or len(key) < 2:
            continue
        for name, table in tables.items():
            mine = found.setdefault(name, {})
            if name == other or other in mine.values() or not {*key} <= {*table.columns}:
                continue
            strange = table.select(key).drop_nulls().join(tables[other].select(key), on=[*key], how="anti")
            if not strange.height:
                mine[tuple(key)] = other
    return found


def _tells_apart(table: pl.DataFrame, columns: list[str]) -> bool:
    part = table.select(columns)
    return not any(part.null_count().row(0)) and part.n_unique() == table.height


def _says_key(column: str, table: str) -> bool:
    """Return whether a column name suggests a key: id, name, number, or the name of its table."""
    written, own = simple_name(column), simple_name(table)
    return written in GENERIC or written in (own, *(f"{own}_{word}" for word in GENERIC))


def _may_number(cells: Any) -> bool:
    import polars as pl

    return bool(cells.dtype.is_integer() or cells.dtype == pl.String)


def _pair(table: pl.DataFrame) -> tuple[str, str] | None:
    usable = [name for name in table.columns[:MOST_COLUMNS] if _may_number(table[name])]
    for one, other in combinations(usable, 2):
        if _tells_apart(table, [one, other]):
            return one, other
    return None
