"""Read-only database catalogues: SQLite files through Python's sqlite3 module, other databases through SQLAlchemy."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

from induce.core.errors import InputError, not_installed

SQLITE = b"SQLite format 3\0"
TABLES = (".csv", ".tsv", ".parquet")
_URL = re.compile(r"[a-zA-Z][\w+.-]*://")


@dataclass(frozen=True)
class ForeignKey:
    """Foreign key: columns of a table that hold the key of another."""

    columns: tuple[str, ...]
    table: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class Description:
    """Table or view of a database, before its rows are read."""

    columns: tuple[str, ...]
    booleans: tuple[str, ...]
    key: tuple[str, ...]
    foreign: tuple[ForeignKey, ...]


class Catalogue(Protocol):
    """Read-only interface to a database."""

    def tables(self) -> list[str]:
        """Return the names of the tables."""

    def views(self) -> list[str]:
        """Return the names of the views."""

    def describe(self, table: str) -> Description:
        """Return the columns and keys of a table."""

    def rows(self, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return the rows of a table."""


def is_database(source: str) -> bool:
    """Return whether a source is the URL of a database, an SQLite file, or a folder of tables."""
    if _URL.match(source):
        return True
    if os.path.isdir(source):
        return bool(_files(source)) and not os.path.exists(os.path.join(source, "exs.pl"))
    try:
        with open(source, "rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except (OSError, ValueError):
        return False


def check_tables(source: str) -> None:
    """Raise an `InputError` for an invalid source, such as a missing file or a folder without tables."""
    if not os.path.exists(source):
        raise InputError(f"there is no file {source!r}; check the path")
    if os.path.isdir(source) and not os.path.exists(os.path.join(source, "exs.pl")):
        raise InputError(f"the folder {source!r} holds no table; tables are {', '.join(TABLES)} files")


@contextmanager
def opened(source: Any, schema: str | None) -> Iterator[Catalogue]:
    written = os.fspath(source) if isinstance(source, str | os.PathLike) else None
    path = None if written is None else _sqlite_path(written)
    if path is None:
        with _connected(source, schema) as catalogue:
            yield catalogue
        return
    if schema is not None:
        raise InputError(f"schema is {schema!r}, but an SQLite file has no schemas; omit it")
    if os.path.isdir(path):
        yield _Folder(path)
        return
    if not os.path.isfile(path):
        raise InputError(f"there is no file {path!r}; check the path")
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            yield _SQLite(connection)
    except sqlite3.Error as problem:
        raise InputError(f"the database {path!r} cannot be read: {problem}") from None


def _sqlite_path(source: str) -> str | None:
    """Return the path of an SQLite file named by a source; None for the URL of another database."""
    if not _URL.match(source):
        return source
    kind, _, rest = source.partition("://")
    if kind.split("+")[0].lower() != "sqlite":
        return None
    path = unquote(rest.partition("?")[0]).removeprefix("/")
    if path in ("", ":memory:"):
        raise InputError("an in-memory database cannot be read by its URL; pass the engine that holds it")
    return path


def _files(folder: str) -> dict[str, str]:
    """Return the tables of a folder: its CSV, TSV and Parquet files by name."""
    found = sorted(one for one in os.listdir(folder) if os.path.splitext(one)[1].lower() in TABLES)
    return {os.path.splitext(one)[0]: os.path.join(folder, one) for one in found}


class _Folder:
    """Folder whose files are the tables; they declare no keys."""

    def __init__(self, folder: str) -> None:
        self._paths = _files(folder)
        self._frames: dict[str, Any] = {}

    def tables(self) -> list[str]:
        return [*self._paths]

    def views(self) -> list[str]:
        return []

    def describe(self, table: str) -> Description:
        import polars as pl

        frame = self._frame(table)
        booleans = [name for name, kind in frame.schema.items() if kind == pl.Boolean]
        return Description(tuple(frame.columns), tuple(booleans), (), ())

    def rows(self, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        return list(self._frame(table).select(columns).rows())

    def _frame(self, table: str) -> Any:
        from induce.data.reading import read_frame

        if table not in self._frames:
            self._frames[table] = read_frame(self._paths[table])
        return self._frames[table]


class _SQLite:
    """SQLite file, read through Python's sqlite3 module."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def tables(self) -> list[str]:
        return self._named("table")

    def views(self) -> list[str]:
        return self._named("view")

    def describe(self, table: str) -> Description:
        columns = self._rows(f"PRAGMA table_info({_quoted(table)})")
        parts: dict[int, list[tuple[str, str, str | None]]] = {}
        for number, _, other, column, to, *_ in self._rows(f"PRAGMA foreign_key_list({_quoted(table)})"):
            parts.setdefault(number, []).append((other, column, to))
        return Description(
            tuple(name for _, name, *_ in columns),
            tuple(name for _, name, kind, *_ in columns if kind.lower().startswith("bool")),
            self._key(table),
            tuple(self._foreign(found) for found in parts.values()),
        )

    def rows(self, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        return self._rows(f"SELECT {', '.join(map(_quoted, columns))} FROM {_quoted(table)}")

    def _foreign(self, parts: list[tuple[str, str, str | None]]) -> ForeignKey:
        table = parts[0][0]
        # a foreign key that names no column references the primary key
        key = self._key(table) if None in [to for _, _, to in parts] else ()
        others = tuple(
            to or (key[place] if place < len(key) else "") for place, (_, _, to) in enumerate(parts)
        )
        return ForeignKey(tuple(column for _, column, _ in parts), table, others)

    def _key(self, table: str) -> tuple[str, ...]:
        columns = self._rows(f"PRAGMA table_info({_quoted(table)})")
        return tuple(
            name for _, name in sorted((place, name) for _, name, _, _, _, place in columns if place)
        )

    def _named(self, kind: str) -> list[str]:
        found = self._rows(
            f"SELECT name FROM sqlite_master WHERE type = '{kind}' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' "
            "ORDER BY rowid"
        )
        return [name for (name,) in found]

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement).fetchall()


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


@contextmanager
def _connected(source: Any, schema: str | None) -> Iterator[Catalogue]:
    """Connect through SQLAlchemy."""
    try:
        sqlalchemy: Any = import_module("sqlalchemy")
    except ImportError:
        raise not_installed("a database other than SQLite", "SQLAlchemy") from None
    if not isinstance(source, str | sqlalchemy.Engine):
        raise TypeError(
            f"a database is a URL, a path or an SQLAlchemy engine, not {type(source).__name__}; give "
            "one of these"
        )
    try:
        engine = sqlalchemy.create_engine(source) if isinstance(source, str) else source
        with engine.connect() as connection:
            yield _Alchemy(sqlalchemy, connection, schema)
    except sqlalchemy.exc.SQLAlchemyError as problem:
        reason = " ".join(str(getattr(problem, "orig", None) or problem).split())
        raise InputError(f"the database cannot be read: {reason}") from None
    except ModuleNotFoundError as problem:
        raise InputError(
            f"the database needs the driver {problem.name}, which is not installed; install it"
        ) from None


class _Alchemy:
    """Any database, read through SQLAlchemy."""

    def __init__(self, sqlalchemy: Any, connection: Any, schema: str | None) -> None:
        self._sqlalchemy = sqlalchemy
        self._connection = connection
        self._schema = schema
        self._inspector = sqlalchemy.inspect(connection)

    def tables(self) -> list[str]:
        return list(self._inspector.get_table_names(self._schema))

    def views(self) -> list[str]:
        return list(self._inspector.get_view_names(self._schema))

    def describe(self, table: str) -> Description:
        columns = self._inspector.get_columns(table, self._schema)
        foreign = self._inspector.get_foreign_keys(table, self._schema)
        return Description(
            tuple(column["name"] for column in columns),
            tuple(
                column["name"] for column in columns if isinstance(column["type"], self._sqlalchemy.Boolean)
            ),
            tuple(self._inspector.get_pk_constraint(table, self._schema)["constrained_columns"]),
            tuple(
                ForeignKey(
                    tuple(one["constrained_columns"]), one["referred_table"], tuple(one["referred_columns"])
                )
                for one in foreign
                if one["referred_schema"] in (None, self._schema)
            ),
        )

    def rows(self, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        known = {
            column["name"]: column["type"] for column in self._inspector.get_columns(table, self._schema)
        }
        chosen = [self._sqlalchemy.column(name, known[name]) for name in columns]
        whole = self._sqlalchemy.table(table, schema=self._schema)
        return [
            tuple(row)
            for row in self._connection.execute(self._sqlalchemy.select(*chosen).select_from(whole))
        ]
