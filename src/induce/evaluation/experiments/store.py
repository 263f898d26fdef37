"""Storage of experiment results in one SQLite file: every finished cell is written immediately.

A running experiment holds SQLite's exclusive lock on the file, which is released when the process ends in any way.
Unfinished writes of a killed process are rolled back when the file is next opened.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.evaluation.experiments.plan import ExperimentPlan
from induce.evaluation.experiments.tables import ExperimentTable

DONE, FAILED = "done", "failed"
MAGIC = int.from_bytes(b"indu")
FORMAT = 1
PATIENCE = 0.3
"""Seconds to wait for concurrent readers of the file."""

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (run INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, versions TEXT NOT NULL);
CREATE TABLE learners (name TEXT PRIMARY KEY, place INTEGER NOT NULL, definition TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE datasets (
    name TEXT PRIMARY KEY, place INTEGER NOT NULL, definition TEXT NOT NULL, fingerprint TEXT NOT NULL,
    target TEXT NOT NULL, columns INTEGER NOT NULL, rows INTEGER NOT NULL, classes TEXT, actual BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE splits (
    dataset TEXT NOT NULL, seed INTEGER NOT NULL, repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
    train INTEGER NOT NULL, test BLOB NOT NULL, PRIMARY KEY (dataset, seed, repeat, fold)
) WITHOUT ROWID;
CREATE TABLE cells (
    learner TEXT NOT NULL, dataset TEXT NOT NULL, seed INTEGER NOT NULL, repeat INTEGER NOT NULL,
    fold INTEGER NOT NULL, status TEXT NOT NULL, error TEXT, score REAL, fit_seconds REAL, size TEXT,
    predicted BLOB, hypothesis TEXT, model BLOB, run INTEGER NOT NULL, finished TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (learner, dataset, seed, repeat, fold)
);
"""


class Key(NamedTuple):
    """Cell of the experiment: its learner, data set and split."""

    learner: str
    dataset: str
    seed: int
    repeat: int
    fold: int


@dataclass(frozen=True)
class Cell:
    """Result of one cell.

    Parameters
    ----------
    status : {"done", "failed"}
    error : str or None
        Reason for the failure: the error type and its message.
    score, fit_seconds : float or None
    size, hypothesis : str or None
        Size of the hypothesis, and its text if it was stored.
    predicted : bytes or None
        Packed predictions for the test rows.
    model : bytes or None
        Hypothesis in the model file format.
    """

    status: str
    error: str | None = None
    score: float | None = None
    fit_seconds: float | None = None
    size: str | None = None
    predicted: bytes | None = None
    hypothesis: str | None = None
    model: bytes | None = None


def packed(array: NDArray[Any]) -> bytes:
    """Pack a numeric array into a few bytes.

    Examples
    --------
    >>> unpacked(packed(np.arange(3))).tolist()
    [0, 1, 2]
    """
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return zlib.compress(stream.getvalue())


def unpacked(data: bytes) -> NDArray[Any]:
    """Unpack an array packed by `packed`."""
    found: NDArray[Any] = np.load(io.BytesIO(zlib.decompress(data)), allow_pickle=False)
    return found


class Store:
    """An open results file; see `writing` and `reading`."""

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._turn = threading.Lock()
        self._run = 0

    @classmethod
    @contextmanager
    def writing(cls, path: str | os.PathLike[str]) -> Iterator[Self]:
        """Open or create a results file for a run; raise an error if another run is active."""
        shown = os.fspath(path)
        new, store = not os.path.exists(shown), None
        with _understood(shown), _connected(shown, "rwc") as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try:
                with _transaction(connection, "EXCLUSIVE"):
                    store = cls(shown, connection)
                    if _is_empty(connection):
                        _make(connection)
                    else:
                        _check_kind(connection, shown)
                yield store
            finally:
                if store is not None:
                    with store._turn:  # another thread may be writing its cell
                        connection.close()
                    if new and not store._run:
                        os.unlink(shown)

    @classmethod
    @contextmanager
    def reading(cls, path: str | os.PathLike[str]) -> Iterator[Self]:
        """Open an existing results file for reading."""
        shown = os.fspath(path)
        if not os.path.isfile(shown):
            raise InputError(f"there is no results file {shown!r}; run `induce experiment` to create one")
        # opened for writing, because unfinished writes of a killed run must be rolled back
        with _understood(shown), _connected(shown, "rw") as connection, _transaction(connection, "DEFERRED"):
            if _is_empty(connection):
                raise InputError(f"{shown!r} is empty; run `induce experiment` to create a results file")
            _check_kind(connection, shown)
            yield cls(shown, connection)

    def settle(
        self, plan: ExperimentPlan, tables: Sequence[ExperimentTable], versions: dict[str, str]
    ) -> None:
        """Begin a run of a plan; results of a different plan are rejected, those of a subset of it are kept."""
        for problem in self._differences(plan, tables):
            raise InputError(
                f"{self.path!r} contains results of another plan: {problem}; give another file for the "
                "results"
            )
        about = {
            "splits": str(plan.splits),
            "score": plan.measure.name,
            "higher": plan.measure.higher,
            "keep": plan.keep,
            "seeds": plan.seeds,
            "title": plan.title,
            "plan": plan.text,
        }
        with self._turn, _transaction(self._connection, "IMMEDIATE"):
            put = self._connection.executemany
            put("INSERT OR REPLACE INTO about VALUES (?, ?)", ((k, json.dumps(v)) for k, v in about.items()))
            put(
                "INSERT OR REPLACE INTO learners VALUES (?, ?, ?)",
                ((name, place, _written(plan.learners[name])) for place, name in enumerate(plan.learners)),
            )
            put(
                "INSERT OR REPLACE INTO datasets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (_row(table, place, plan) for place, table in enumerate(tables)),
            )
            put("INSERT OR IGNORE INTO splits VALUES (?, ?, ?, ?, ?, ?)", _split_rows(plan, tables))
            begun = self._connection.execute(
                "INSERT INTO runs (started, versions) VALUES (?, ?)", (_now(), json.dumps(versions))
            )
            self._run = int(begun.lastrowid or 0)

    def put(self, key: Key, cell: Cell) -> None:
        """Store the final result of a cell, replacing an earlier failed attempt."""
        values = {**key._asdict(), **asdict(cell), "run": self._run, "finished": _now()}
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        changes = ", ".join(f"{name} = excluded.{name}" for name in values)
        with self._turn, _transaction(self._connection, "IMMEDIATE"):
            self._connection.execute(
                f"INSERT INTO cells ({names}) VALUES ({marks}) "
                f"ON CONFLICT DO UPDATE SET {changes}, attempts = attempts + 1",
                list(values.values()),
            )

    def end(self) -> None:
        """Record that the run has finished."""
        with self._turn, _transaction(self._connection, "IMMEDIATE"):
            self._connection.execute("UPDATE runs SET ended = ? WHERE run = ?", (_now(), self._run))

    def statuses(self) -> dict[Key, str]:
        """Return the status of each stored cell."""
        rows = self._connection.execute("SELECT learner, dataset, seed, repeat, fold, status FROM cells")
        return {Key(*row[:5]): row[5] for row in rows}

    def about(self) -> dict[str, Any]:
        """Return the file's information about its plan."""
        return {key: json.loads(value) for key, value in self._connection.execute("SELECT * FROM about")}

    def rows(self, table: str, columns: str = "*", order: str = "1", **where: Any) -> list[dict[str, Any]]:
        """Return the rows of a table of the file as dicts, optionally filtered by column values."""
        chosen = " AND ".join(f"{name} = ?" for name in where) or "TRUE"
        found = self._connection.execute(
            f"SELECT {columns} FROM {table} WHERE {chosen} ORDER BY {order}", list(where.values())
        )
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def _differences(self, plan: ExperimentPlan, tables: Sequence[ExperimentTable]) -> Iterator[str]:
        """Yield descriptions of the differences between the results and the plan."""
        about = self.about()
        if not about:
            return
        own = {"splits": str(plan.splits), "score": plan.measure.name, "keep": plan.keep}
        for key, value in own.items():
            if about[key] != value:
                yield f"{key} was {about[key]!r} and is {value!r} in the plan"
        for seed in about["seeds"]:
            if seed not in plan.seeds:
                yield f"it has the seed {seed}, which is not in the plan"
        for section, what in (("learners", "learner"), ("datasets", "data set")):
            wanted = getattr(plan, section)
            for row in self.rows(section, order="place"):
                if row["name"] not in wanted:
                    yield f"it has the {what} {row['name']!r}, which is not in the plan"
                elif row["definition"] != (now := _written(wanted[row["name"]])):
                    yield (f"the {what} {row['name']!r} was {row['definition']} and is {now} in the plan")
        prints = {table.name: table.fingerprint for table in tables}
        for row in self.rows("datasets"):
            if prints.get(row["name"]) != row["fingerprint"]:
                yield f"the data of {row['name']!r} have changed"
        known = {tuple(row[:4]): row[5] for row in self._connection.execute("SELECT * FROM splits")}
        for *split, _, test in _split_rows(plan, tables):
            if not np.array_equal(unpacked(known.get(tuple(split), test)), unpacked(test)):
                yield f"this version of scikit-learn draws different splits of {split[0]!r}"


def split_keys(plan: ExperimentPlan, table: ExperimentTable) -> Iterator[tuple[tuple[int, int, int], int]]:
    """Yield the seed, repeat and fold of every split of a table, and its position within the seed."""
    folds = plan.splits.folds or 1
    for seed, drawn in table.drawn.items():
        for place in range(len(drawn.splits)):
            yield (seed, *divmod(place, folds)), place


def _split_rows(plan: ExperimentPlan, tables: Sequence[ExperimentTable]) -> Iterator[tuple[Any, ...]]:
    for table in tables:
        for (seed, repeat, fold), place in split_keys(plan, table):
            train, test = table.drawn[seed].splits[place]
            learned = 0 if train is None else len(train)
            yield table.name, seed, repeat, fold, learned, packed(test.astype(np.int32))


def _row(table: ExperimentTable, place: int, plan: ExperimentPlan) -> tuple[Any, ...]:
    definition = _written(plan.datasets[table.name])
    classes = None if table.classes is None else json.dumps(table.classes)
    size = (table.data.X.width, len(table.data))
    return (
        table.name,
        place,
        definition,
        table.fingerprint,
        table.data.target,
        *size,
        classes,
        packed(table.actual),
    )


def _written(definition: Any) -> str:
    return json.dumps(definition, sort_keys=True, ensure_ascii=False, default=str)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@contextmanager
def _connected(path: str, mode: str) -> Iterator[sqlite3.Connection]:
    address = f"{Path(path).absolute().as_uri()}?mode={mode}"
    # threads are serialised by our own lock, and transactions are controlled explicitly
    connection = sqlite3.connect(
        address, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=True
    )
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def _transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    connection.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _make(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {MAGIC}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in filter(str.strip, _SCHEMA.split(";")):
        connection.execute(statement)


def _check_kind(connection: sqlite3.Connection, path: str) -> None:
    kind, form = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    )
    if kind != MAGIC:
        raise InputError(f"{path!r} is a database without results of `induce experiment`; give another path")
    if form > FORMAT:
        raise InputError(f"{path!r} was written by a newer version of induce; upgrade induce to continue")
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise InputError(f"the results file {path!r} is damaged; start a new file")


@contextmanager
def _understood(path: str) -> Iterator[None]:
    """Convert an SQLite file error to a one-sentence message."""
    try:
        yield
    except sqlite3.Error as problem:
        code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
        sentence = {
            sqlite3.SQLITE_BUSY: f"an experiment is currently writing to {path!r}; wait until it has "
            "finished",
            sqlite3.SQLITE_NOTADB: f"{path!r} is not a results file of `induce experiment`",
            sqlite3.SQLITE_CANTOPEN: f"cannot write {path!r}; give a writable path",
            sqlite3.SQLITE_CORRUPT: f"the results file {path!r} is damaged; start a new file",
        }.get(code, f"cannot use the results file {path!r} ({problem}); start a new file")
        raise InputError(sentence) from problem
