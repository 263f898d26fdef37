"""Databases made by seeds, with a rule that a relational learner should find again.

Each family has its own schema: a bank and a university. A difficulty is a key of several columns, dates, missing
cells or wrong labels, alone or all together. The rule has two, five or eight literals. What is learned must say the
same as the rule of a fresh database of the same kind.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Difficulties:
    """What makes a database hard."""

    composite: bool = False
    dates: bool = False
    missing: float = 0.0
    wrong: float = 0.0


@dataclass(frozen=True)
class Made:
    """A database, its table of examples with the label, and which examples the rule says are inside."""

    path: Path
    target: str
    label: str
    inside: dict[object, bool]


Rows = dict[str, list[tuple[object, ...]]]


def _hidden(rng: np.random.Generator, rows: Rows, keep: dict[str, set[int]], share: float) -> None:
    """Hide a share of the cells that are no part of a key or a reference."""
    for name, mine in rows.items():
        for number, row in enumerate(mine):
            mine[number] = tuple(
                cell if place in keep[name] or rng.random() >= share else None
                for place, cell in enumerate(row)
            )


def _day(rng: np.random.Generator, first: int, last: int) -> str:
    start = date(first, 1, 1)
    return (start + timedelta(days=int(rng.integers(0, (date(last, 12, 31) - start).days)))).isoformat()


def _write(path: Path, schema: str, rows: Rows) -> None:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.executescript(schema)
        for name, mine in rows.items():
            if mine:
                marks = ", ".join("?" * len(mine[0]))
                database.executemany(f'INSERT INTO "{name}" VALUES ({marks})', mine)
        database.commit()


def _labels(
    rng: np.random.Generator, path: Path, table: str, label: str, key: str, question: str, wrong: float
) -> dict[object, bool]:
    """Label the examples by a question in SQL, some of them wrongly."""
    with closing(sqlite3.connect(path)) as database:
        inside = {one for (one,) in database.execute(question)}
        every = [one for (one,) in database.execute(f'SELECT {key} FROM "{table}"')]
        truth = {one: one in inside for one in every}
        told = {one: truth[one] != (rng.random() < wrong) for one in every}
        database.executemany(
            f'UPDATE "{table}" SET {label} = ? WHERE {key} = ?', [(int(told[one]), one) for one in every]
        )
        database.commit()
    return truth


class Draw:
    """Random cells of one database."""

    def __init__(self, seed: int, hard: Difficulties) -> None:
        self.rng, self.hard = np.random.default_rng(seed), hard

    def one(self, words: str | Sequence[str]) -> str:
        """Return a random word from a list."""
        known = words.split() if isinstance(words, str) else words
        return str(known[self.rng.integers(len(known))])

    def whole(self, low: int, high: int) -> int:
        """Return a whole number below `high`."""
        return int(self.rng.integers(low, high))

    def real(self, mean: float, digits: int = 2) -> float:
        """Return a random positive number with the given mean."""
        return round(float(self.rng.gamma(2.0, mean / 2)), digits)

    def day(self, first: int, last: int) -> str:
        """Return a random date from year `first` to year `last`."""
        return _day(self.rng, first, last)

    def when(self, first: int, last: int) -> str | int:
        """Return a date, or a year where dates are no difficulty."""
        return self.day(first, last) if self.hard.dates else self.whole(first, last + 1)

    def since(self, year: int) -> str:
        """Return the beginning of a year as SQL writes it."""
        return f"'{year}-01-01'" if self.hard.dates else str(year)

    def link(
        self, table: str, columns: str, key: str, rows: Iterable[tuple[object, ...]]
    ) -> tuple[str, list[tuple[object, ...]], set[int]]:
        """Return a table that links others, its rows and the places of its key: several columns, or a number."""
        width = key.count(",") + 1
        if self.hard.composite:
            return f"CREATE TABLE {table} ({columns}, PRIMARY KEY ({key}));", [*rows], {*range(width)}
        numbered = [(number, *row) for number, row in enumerate(rows)]
        return f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {columns});", numbered, {*range(width + 1)}


def made(
    draw: Draw,
    path: Path,
    schema: str,
    rows: Rows,
    keep: dict[str, set[int]],
    target: tuple[str, str, str],
    question: str,
) -> Made:
    """Write a database, and label the rows of a table, told by its key, by a question in SQL."""
    if draw.hard.missing:
        _hidden(draw.rng, rows, keep, draw.hard.missing)
    _write(path, schema, rows)
    table, key, label = target
    truth = _labels(draw.rng, path, table, label, key, question, draw.hard.wrong)
    return Made(path, table, label.strip('"'), truth)


# -- families --


def bank(path: Path, seed: int, n_rows: int, literals: int, hard: Difficulties) -> Made:
    """Customers with accounts of branches, and transactions of accounts."""
    d = Draw(seed, hard)
    n_customers = max(n_rows // 13, 50)
    n_branches, n_accounts, n_transactions = 40, int(1.6 * n_customers), n_rows - int(2.6 * n_customers) - 40
    regions, kinds, types = (
        ["north", "south", "east", "west"],
        ["salary", "card", "cash", "rent", "fee"],
        ["giro", "saving", "loan"],
    )
    rows: Rows = {
        "branch": [(f"b{k}", d.one(regions), d.whole(5, 200)) for k in range(n_branches)],
        "customer": [
            (
                f"c{k}",
                d.day(1930, 2004) if hard.dates else d.whole(18, 90),
                d.one("f m"),
                None,
            )
            for k in range(n_customers)
        ],
    }
    numbers: dict[str, int] = {}
    accounts = []
    for _ in range(n_accounts):
        branch = f"b{d.whole(0, n_branches)}"
        numbers[branch] = numbers.get(branch, 0) + 1
        accounts.append(
            (
                branch,
                numbers[branch],
                f"c{d.whole(0, n_customers)}",
                d.one(types),
                d.real(3000),
            )
        )
    moves = []
    for k in range(n_transactions):
        at = d.whole(0, n_accounts)
        moves.append(
            (
                k,
                accounts[at][0],
                accounts[at][1],
                at,
                d.one(kinds),
                round(float(d.rng.exponential(300.0)), 2),
                d.day(2015, 2023),
            )
        )
    if hard.composite:
        schema = """
            CREATE TABLE branch (code TEXT PRIMARY KEY, region TEXT, staff INTEGER);
            CREATE TABLE customer (id TEXT PRIMARY KEY, born, sex TEXT, risky BOOLEAN);
            CREATE TABLE account (branch TEXT REFERENCES branch, number INTEGER, customer TEXT REFERENCES customer,
                kind TEXT, balance REAL, PRIMARY KEY (branch, number));
            CREATE TABLE movement (id INTEGER PRIMARY KEY, branch TEXT, number INTEGER, kind TEXT, amount REAL,
                day TEXT, FOREIGN KEY (branch, number) REFERENCES account (branch, number));
        """
        rows["account"] = [tuple(one) for one in accounts]
        rows["movement"] = [(k, b, n, kind, amount, day) for k, b, n, _, kind, amount, day in moves]
        join = "m.branch = a.branch AND m.number = a.number"
        keep = {"branch": {0}, "customer": {0, 3}, "account": {0, 1, 2}, "movement": {0, 1, 2}}
    else:
        schema = """
            CREATE TABLE branch (code TEXT PRIMARY KEY, region TEXT, staff INTEGER);
            CREATE TABLE customer (id TEXT PRIMARY KEY, born, sex TEXT, risky BOOLEAN);
            CREATE TABLE account (number INTEGER PRIMARY KEY, branch TEXT REFERENCES branch, customer TEXT REFERENCES
                customer, kind TEXT, balance REAL);
            CREATE TABLE movement (id INTEGER PRIMARY KEY, account INTEGER REFERENCES account, kind TEXT, amount REAL,
                day TEXT);
        """
        rows["account"] = [(k, b, c, kind, balance) for k, (b, _, c, kind, balance) in enumerate(accounts)]
        rows["movement"] = [(k, at, kind, amount, day) for k, _, _, at, kind, amount, day in moves]
        join = "m.account = a.number"
        keep = {"branch": {0}, "customer": {0, 3}, "account": {0, 1, 2}, "movement": {0, 1}}
    born = "c.born < '1960-01-01'" if hard.dates else "c.born > 60"
    every = (
        f"FROM customer c JOIN account a ON a.customer = c.id JOIN movement m ON {join} "
        "JOIN branch b ON b.code = a.branch"
    )
    when = " AND m.day >= '2021-01-01'" if hard.dates else ""
    question = {
        2: f"SELECT c.id FROM customer c WHERE {born}",
        5: f"SELECT DISTINCT c.id {every} WHERE m.kind = 'cash' AND m.amount > 600",
        8: f"SELECT DISTINCT c.id {every} WHERE m.kind = 'cash' AND m.amount > 350 AND b.region = 'north' "
        f"AND a.balance > 2000{when}",
    }[literals]
    return made(d, path, schema, rows, keep, ("customer", "id", "risky"), question)


def university(path: Path, seed: int, n_rows: int, literals: int, hard: Difficulties) -> Made:
    """Students enrolled in courses of departments, which require other courses and are taught by lecturers."""
    d = Draw(seed, hard)
    n_students = max(n_rows // 10, 40)
    n_courses, n_lecturers, n_departments = 150, 60, 12
    faculties = ["law", "arts", "science", "medicine"]
    rows: Rows = {
        "department": [(f"dept{k}", d.one(faculties), d.whole(10, 90)) for k in range(n_departments)],
        "lecturer": [
            (
                f"l{k}",
                f"dept{d.whole(0, n_departments)}",
                d.day(1980, 2022) if hard.dates else d.whole(0, 40),
            )
            for k in range(n_lecturers)
        ],
        "course": [
            (
                f"k{k}",
                f"dept{d.whole(0, n_departments)}",
                f"l{d.whole(0, n_lecturers)}",
                d.whole(1, 5),
            )
            for k in range(n_courses)
        ],
        "requires": sorted({(f"k{d.whole(1, n_courses)}", f"k{d.whole(0, n_courses)}") for _ in range(200)}),
        "student": [
            (
                f"s{k}",
                d.day(1995, 2005) if hard.dates else d.whole(17, 40),
                d.one("bsc msc phd"),
                None,
            )
            for k in range(n_students)
        ],
    }
    pairs = {(d.whole(0, n_students), d.whole(0, n_courses)) for _ in range(n_rows - n_students)}
    graded = [
        (f"s{s}", f"k{c}", round(float(d.rng.normal(65.0, 15.0)), 1), d.day(2018, 2024))
        for s, c in sorted(pairs)
    ]
    columns = "student TEXT REFERENCES student, course TEXT REFERENCES course, grade REAL, day TEXT"
    enrolment, rows["enrolment"], keep_of = d.link("enrolment", columns, "student, course", graded)
    schema = f"""
        CREATE TABLE department (name TEXT PRIMARY KEY, faculty TEXT, rooms INTEGER);
        CREATE TABLE lecturer (id TEXT PRIMARY KEY, department TEXT REFERENCES department, hired);
        CREATE TABLE course (code TEXT PRIMARY KEY, department TEXT REFERENCES department, lecturer TEXT REFERENCES
            lecturer, level INTEGER);
        CREATE TABLE requires (course TEXT REFERENCES course, other TEXT REFERENCES course,
            PRIMARY KEY (course, other));
        CREATE TABLE student (id TEXT PRIMARY KEY, born, degree TEXT, honours BOOLEAN);
        {enrolment}
    """
    keep = {
        "department": {0},
        "lecturer": {0, 1},
        "course": {0, 1, 2},
        "requires": {0, 1},
        "student": {0, 3},
        "enrolment": keep_of,
    }
    every = (
        "FROM student s JOIN enrolment e ON e.student = s.id JOIN course k ON k.code = e.course "
        "JOIN department d ON d.name = k.department"
    )
    hired = "l.hired < '1995-01-01'" if hard.dates else "l.hired > 28"
    question = {
        2: f"SELECT s.id FROM student s WHERE {'''s.born >= '2001-01-01' ''' if hard.dates else 's.born > 33'}",
        5: f"SELECT DISTINCT s.id {every} WHERE e.grade > 82 AND d.faculty = 'law'",
        8: f"SELECT DISTINCT s.id {every} JOIN lecturer l ON l.id = k.lecturer WHERE e.grade > 70 "
        f"AND d.faculty = 'law' AND {hired} AND k.level > 2",
    }[literals]
    return made(d, path, schema, rows, keep, ("student", "id", "honours"), question)


FAMILIES: dict[str, Callable[[Path, int, int, int, Difficulties], Made]] = {
    "bank": bank,
    "university": university,
}
HARD = {
    "plain": Difficulties(),
    "composite": Difficulties(composite=True),
    "dates": Difficulties(dates=True),
    "missing": Difficulties(missing=0.08),
    "wrong": Difficulties(wrong=0.1),
    "all": Difficulties(composite=True, dates=True, missing=0.08, wrong=0.1),
}
