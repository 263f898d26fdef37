"""Databases as relations: tables, with their primary and foreign keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.data.names import listed as listed_names
from induce.data.names import unknown
from induce.logic.background.key_inference import guessed_keys, guessed_references, named_key
from induce.logic.background.relations import Relations
from induce.logic.terms import Constant, Term
from induce.relational.readers.catalogues import Catalogue, Description, opened
from induce.relational.readers.problems import Problem, parse_target

if TYPE_CHECKING:
    import polars as pl


MOST_CLASSES = 50
"""Maximum number of distinct values of a label."""


def read_database(source: Any, tables: Sequence[str] | None = None, schema: str | None = None) -> Relations:
    """Read the tables of a database as background knowledge; the database is not modified.

    A single-column primary key gives a relation ``table_column(key, value)`` for each other column, as in
    `Relations`. A foreign key gives its column the type of the referenced key.

    Parameters
    ----------
    source : str, path or sqlalchemy.Engine
        An SQLite file, the URL of a database, or an engine; databases other than SQLite need SQLAlchemy.
    tables : sequence of str, optional
        Tables and views to read; by default all tables and no views, because views repeat the tables.
    schema : str, optional
        Schema of the database, if it has several schemas.

    Examples
    --------
    >>> import os, sqlite3, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "trains.db")
    ...     database = sqlite3.connect(path)
    ...     _ = database.executescript('''
    ...         CREATE TABLE train (id TEXT PRIMARY KEY);
    ...         CREATE TABLE car (id TEXT PRIMARY KEY, train TEXT REFERENCES train, wheels INTEGER);
    ...         INSERT INTO train VALUES ('t1'); INSERT INTO car VALUES ('c1', 't1', 2), ('c2', 't1', 3);
    ...     ''')
    ...     database.close()
    ...     print(read_database(path))
    train/1: 1 fact (train)
    car/1: 2 facts (car)
    car_train/2: 2 facts (car, train)
    car_wheels/2: 2 facts (car, car.wheels)
    """
    with opened(source, schema) as catalogue:
        return _relations(_loaded(catalogue, tables))


def problem_of_database(
    source: Any,
    target: str | None,
    label: str | None = None,
    schema: str | None = None,
    ignore: Sequence[str] = (),
) -> tuple[Problem, bool]:
    """Read a problem from a database; return it, and whether its positive examples are complete.

    With a label, each row of the target's table is an example. Its argument is the key if that is one column,
    otherwise its arguments are all other columns. Without a label, the rows of the table are the positive
    examples. An ignored item is a table, or a column ``table.column``.
    """
    with opened(source, schema) as catalogue:
        names = [*catalogue.tables(), *catalogue.views()]
        if target is None:
            raise InputError(
                f"target is missing; name the table of the examples, one of {listed_names(names)}"
            )
        name, arity = parse_target(target)
        if name not in names:
            raise unknown("table", name, names)
        loaded = _loaded(catalogue, [*dict.fromkeys([*catalogue.tables(), name])])
    loaded = _heeding(loaded, ignore, name, label)
    table = loaded[name]
    if label is not None and label not in table.frame.columns:
        raise unknown(f"column of {name!r} for the label", label, table.frame.columns)
    key = table.description.key or ((guessed,) if (guessed := named_key(table.frame, name)) else ())
    if label is None and len(key) == 1 and table.frame.width > 1:
        raise InputError(
            f"label is missing; name the column of {name} that marks the positive rows, one of "
            f"{listed_names(table.frame.columns)}"
        )
    problem = _problem(loaded, name, label, _title(source))
    if arity is not None and arity != problem.predicate[1]:
        raise InputError(
            f"the target is {target}, but the examples in {name} have {problem.predicate[1]} "
            "arguments; give that arity"
        )
    return problem, label is None


def _heeding(
    loaded: dict[str, _Loaded], ignore: Sequence[str], target: str, label: str | None
) -> dict[str, _Loaded]:
    """Return the tables without the ignored ones, and without ignored columns."""
    known = [*loaded, *(f"{name}.{column}" for name, one in loaded.items() for column in one.frame.columns)]
    for word in ignore:
        if word not in known:
            raise unknown("table or column to be ignored", word, known)
        if word in (target, f"{target}.{label}"):
            raise InputError(f"{word} holds the examples, so it cannot be ignored; remove it from ignore")
    return {
        name: replace(
            one,
            frame=one.frame.drop([column for column in one.frame.columns if f"{name}.{column}" in ignore]),
        )
        for name, one in loaded.items()
        if name not in ignore
    }


@dataclass(frozen=True, eq=False)
class _Loaded:
    description: Description
    frame: pl.DataFrame


def _problem(loaded: dict[str, _Loaded], name: str, label: str | None, title: str) -> Problem:
    """Build a problem from tables; the column or table that marks examples is removed from the background."""
    table = loaded[name]
    relations = _relations(loaded, name, label)
    of_label = f"{name}_{label}", 2
    symbols = relations.symbols
    if label is None:
        predicate = name, table.frame.width
        rows = relations.listed[predicate].rows
        inside = np.ones(len(rows), np.bool_)
        columns = table.frame.columns
        hidden, kinds = [predicate], relations.types[f"{name}/{predicate[1]}"]
    elif of_label in relations.listed:
        facts = relations.listed[of_label]
        rows, values = facts.rows[:, :1], facts.rows[:, 1]
        inside = _labels([symbols.terms[code] for code in values], name, label)
        columns = [table.description.key[0] if len(table.description.key) == 1 else name]
        hidden, kinds = [of_label], relations.types[f"{of_label[0]}/2"][:1]
        predicate = (label, 1) if (label, 1) not in relations.listed else (of_label[0], 1)
    else:
        whole = name, table.frame.width
        place = table.frame.columns.index(label)
        facts = relations.listed[whole]
        inside = _labels([symbols.terms[code] for code in facts.rows[:, place]], name, label)
        rows = np.delete(facts.rows, place, 1)
        columns = [column for column in table.frame.columns if column != label]
        types = relations.types[f"{name}/{whole[1]}"]
        hidden, kinds = [whole], types[:place] + types[place + 1 :]
        predicate = name, len(columns)
    if not len(rows) or not inside.any():
        raise InputError(f"the table {name!r} has no positive example; give at least one")
    return Problem.of_codes(
        title, predicate, rows, inside, _without(relations, hidden, predicate, kinds), {}, columns
    )


def _without(
    relations: Relations, hidden: list[tuple[str, int]], target: tuple[str, int], kinds: Sequence[str]
) -> Relations:
    """Return relations without the given ones, and with the argument types of the target."""
    modes = [mode for mode in relations.modes if mode.predicate not in hidden]
    for predicate in hidden:
        relations = relations.without(predicate)
    return relations.with_modes(modes).with_types({f"{target[0]}/{target[1]}": tuple(kinds)})


def _labels(terms: list[Term], table: str, label: str) -> NDArray[Any]:
    """Return whether each label is positive: true, yes, 1, or the later of two names.

    More than two values are classes, which are returned unchanged.
    """
    import polars as pl

    from induce.data.type_inference import truths

    found = sorted(
        {term.value for term in terms if isinstance(term, Constant)}, key=lambda one: (str(type(one)), one)
    )
    if len(found) > MOST_CLASSES:
        raise InputError(
            f"the label {label!r} of {table} has {len(found):,} distinct values, too many for classes; "
            f"give a column with at most {MOST_CLASSES}"
        )
    if len(found) > 2:
        values = [term.value if isinstance(term, Constant) else str(term) for term in terms]
        return np.array(values if len({*map(type, found)}) == 1 else [*map(str, values)])
    if not found:
        raise InputError(f"the label {label!r} of {table} has no value; give a column with values")
    if len(found) == 1:
        raise InputError(
            f"the label {label!r} of {table} is {found[0]} wherever it is known; rules need rows with "
            "another value"
        )
    words = pl.Series([str(one) for one in found])
    inside = found[-1]
    if (pair := truths(words)) is not None:  # "nein" sorts after "ja" but means no
        inside = found[words.str.to_lowercase().to_list().index(pair[1])]
    if {*found} - {"false", "true", 0, 1}:
        note(f"rows of {table} with {label} = {inside} are assumed to be in the relation")
    return np.array([term == Constant(inside) for term in terms], np.bool_)


# -- tables with their keys --


def _loaded(catalogue: Catalogue, tables: Sequence[str] | None) -> dict[str, _Loaded]:
    known = catalogue.tables()
    wanted = known if tables is None else tables
    for name in wanted:
        if name not in known and name not in catalogue.views():
            raise unknown("table", name, [*known, *catalogue.views()])
    if not wanted:
        raise InputError("the database has no table; give one with tables")
    found = {}
    for name in wanted:
        description = catalogue.describe(name)
        found[name] = _Loaded(
            description, _frame(name, description, catalogue.rows(name, description.columns))
        )
    return found


def _frame(table: str, description: Description, rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    import polars as pl

    columns = [*zip(*rows, strict=True)] if rows else [()] * len(description.columns)
    series, binary = [], []
    for name, cells in zip(description.columns, columns, strict=True):
        if any(isinstance(cell, bytes | bytearray | memoryview) for cell in cells):
            binary.append(name)
            continue
        if name in description.booleans:
            cells = tuple(None if cell is None else bool(cell) for cell in cells)
        series.append(pl.Series(name, _plain(cells), strict=False))
    if binary:
        note(f"the table {table!r} has binary cells in {listed_names(binary)}; these columns are left out")
    return pl.DataFrame(series)


def _plain(cells: Sequence[Any]) -> list[Any]:
    """Return cells converted to one type: numbers, booleans, dates, or else text."""
    values = [float(cell) if isinstance(cell, Decimal) else cell for cell in cells]
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1 and all(kind.__module__ in ("builtins", "datetime") for kind in kinds):
        return values
    return values if kinds <= {int, float} else [None if value is None else str(value) for value in values]


def _relations(loaded: dict[str, _Loaded], target: str = "", label: str | None = None) -> Relations:
    """Make relations from tables; a target without a label stays whole, since its rows are the examples."""
    keys: dict[str, str | tuple[str, ...]] = {}
    for name, table in loaded.items():
        key = table.description.key
        if name == target and label is None and len(key) != 1:
            continue
        if key and all(column in table.frame.columns for column in key):
            keys[name] = key[0] if len(key) == 1 else key
    frames = {name: table.frame for name, table in loaded.items()}
    told = keys | ({target: ()} if label is None else {})
    guessed = guessed_keys(frames | {target: frames[target].drop(label)} if label else frames, told)
    keys |= guessed
    references = _references(loaded, keys)
    if guessed:
        references = guessed_references(frames, keys, references)
    return Relations(frames, keys, references)


def _references(
    loaded: dict[str, _Loaded], keys: dict[str, str | tuple[str, ...]]
) -> dict[str, dict[str | tuple[str, ...], str]]:
    """Return the table whose key each column holds; for a composite key, also those of its parts."""
    found: dict[str, dict[str | tuple[str, ...], str]] = {name: {} for name in loaded}
    pairs = []
    for name, table in loaded.items():
        for foreign in table.description.foreign:
            other = _spelled(foreign.table, loaded)
            if other in loaded:
                columns = [_spelled(column, loaded[other].frame.columns) for column in foreign.others]
                key, mine = keys.get(other), dict(zip(columns, foreign.columns, strict=True))
                whole = isinstance(key, tuple) and {*key} == {*mine}
                if isinstance(key, tuple) and whole and {*mine.values()} <= {*table.frame.columns}:
                    found[name][tuple(mine[part] for part in key)] = other
                pairs += [
                    (name, *pair)
                    for pair in zip(foreign.columns, [other] * len(columns), columns, strict=True)
                ]
    for _ in loaded:  # a reference may lead through a chain of tables, at most through all of them
        for name, column, other, other_column in pairs:
            if column not in loaded[name].frame.columns:
                continue  # ignored, or left out because it holds binary cells
            if keys.get(other) == other_column:
                found[name][column] = other
            elif other_column in found[other]:
                found[name].setdefault(column, found[other][other_column])
    return found


def _spelled(name: str, known: Iterable[str]) -> str:
    """Return a name in its known spelling, since letter case may differ in a foreign key."""
    names = [*known]
    return name if name in names else next((one for one in names if one.lower() == name.lower()), name)


def _title(source: Any) -> str:
    written = str(getattr(source, "url", source))
    return Path(unquote(written.partition("?")[0].rstrip("/"))).stem or "database"
