"""A lending library made by seeds: names with spaces, umlauts and reserved words, a table that refers to itself,
links of three columns, and a key of text and number.

Readers borrow copies of books, books have authors through a link, and readers were brought in by other readers.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.relational_databases import Difficulties, Draw, Made, Rows, made


def library(path: Path, seed: int, n_rows: int, literals: int, hard: Difficulties) -> Made:
    """Readers, the readers who brought them in, and the copies of books that they borrowed."""
    d = Draw(seed, hard)
    n = n_rows // 10
    n_books, n_copies = n // 2, n
    isbns = [f"3-{d.whole(100, 1000)}-{k:05d}" for k in range(n_books)]
    copies = [(isbns[d.whole(0, n_books)], k) for k in range(n_copies)]
    rows: Rows = {
        "Straße": [
            (f"PLZ {k:03d}", d.one(["Alt stadt", "Süd", "Über'm Fluss", "Nord"]), d.whole(2, 40))
            for k in range(50)
        ],
        "author": [(k, d.one("de fr uk us"), d.when(1880, 1990)) for k in range(n // 6)],
        "book": [(isbn, d.one("novel crime poetry travel cookery"), d.whole(40, 900)) for isbn in isbns],
        "reader": [
            (
                k,
                d.when(1930, 2010),
                f"PLZ {d.whole(0, 50):03d}",
                None if not k or d.rng.random() < 0.3 else d.whole(0, k),
                d.one("child adult senior"),
                None,
            )
            for k in range(n)
        ],
        "written by": sorted({(d.one(isbns), d.whole(0, n // 6), d.one("text pictures")) for _ in range(n)}),
    }
    loans = [
        (d.whole(0, n), d.whole(0, n_copies), d.when(2012, 2023), d.whole(1, 90), round(d.real(3), 2))
        for _ in range(n_rows - int(4.6 * n))
    ]
    if hard.composite:
        copy = '"isbn" TEXT REFERENCES "book", "no." INTEGER, "state" TEXT, PRIMARY KEY ("isbn", "no.")'
        ref, tail = (
            '"isbn" TEXT, "no." INTEGER',
            ', FOREIGN KEY ("isbn", "no.") REFERENCES "copy" ("isbn", "no.")',
        )
        join, at = 'l."isbn" = x."isbn" AND l."no." = x."no."', copies
        extra = 1
    else:
        copy = '"no." INTEGER PRIMARY KEY, "isbn" TEXT REFERENCES "book", "state" TEXT'
        ref, tail = '"copy" INTEGER REFERENCES "copy"', ""
        join, at, extra = 'l."copy" = x."no."', [(k,) for k in range(n_copies)], 0
    states = [d.one("new used torn") for _ in range(n_copies)]
    rows["copy"] = [
        (isbn, k, state) if hard.composite else (k, isbn, state)
        for (isbn, k), state in zip(copies, states, strict=True)
    ]
    rows["loan"] = [(k, one[0], *at[one[1]], *one[2:]) for k, one in enumerate(loans)]
    schema = f"""
        CREATE TABLE "Straße" ("post code" TEXT PRIMARY KEY, "Viertel" TEXT, "houses" INTEGER);
        CREATE TABLE author (id INTEGER PRIMARY KEY, country TEXT, "born in");
        CREATE TABLE book (isbn TEXT PRIMARY KEY, "group" TEXT, pages INTEGER);
        CREATE TABLE reader ("select" INTEGER PRIMARY KEY, "geboren am", "post code" TEXT REFERENCES "Straße",
            "brought by" INTEGER REFERENCES reader, "group" TEXT, "owes us" BOOLEAN);
        CREATE TABLE "written by" (isbn TEXT REFERENCES book, author INTEGER REFERENCES author, part TEXT,
            PRIMARY KEY (isbn, author, part));
        CREATE TABLE copy ({copy});
        CREATE TABLE loan ("from" INTEGER PRIMARY KEY, reader INTEGER REFERENCES reader, {ref}, "day",
            "days out" INTEGER, "fee €" REAL{tail});
    """
    keep = {
        "Straße": {0},
        "author": {0},
        "book": {0},
        "reader": {0, 2, 5},
        "written by": {0, 1, 2},
        "copy": {0, 1},
        "loan": {0, 1, 2, 2 + extra},
    }
    every = f'FROM reader r JOIN loan l ON l.reader = r."select" JOIN copy x ON {join}'
    question = {
        2: f'SELECT r."select" FROM reader r WHERE r."geboren am" < {d.since(1950)}',
        5: 'SELECT DISTINCT r."select" FROM reader r JOIN reader o ON o."select" = r."brought by" JOIN loan l '
        'ON l.reader = o."select" WHERE l."days out" > 70 AND o."group" = \'senior\'',
        8: f'SELECT DISTINCT r."select" {every} JOIN book b ON b.isbn = x.isbn JOIN "Straße" s '
        'ON s."post code" = r."post code" WHERE b."group" = \'crime\' AND b.pages > 300 AND l."fee €" > 1.5 '
        "AND s.\"Viertel\" = 'Über''m Fluss'",
    }[literals]
    return made(d, path, schema, rows, keep, ("reader", '"select"', '"owes us"'), question)
