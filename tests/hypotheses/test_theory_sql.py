"""Theories as SQL: the answers of SQLite and DuckDB are those of the prover, over learned and random theories."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.hypotheses.theory import Theory
from induce.logic.background.relations import Relations
from induce.logic.terms import Function
from induce.relational.learners.foil import FOIL

pytestmark = pytest.mark.filterwarnings("ignore::induce.core.notes.Note")

DIFFERS = "\\="


def _some(rng: np.random.Generator, cells: list[Any], share: float = 0.2) -> list[Any]:
    return [None if rng.random() < share else cell for cell in cells]


def _frames(seed: int) -> dict[str, pl.DataFrame]:
    """Tables with a key of two columns, dates, times, truth values, numbers, odd names and missing cells."""
    rng = np.random.default_rng(seed)
    n = 12
    places = [(town, number) for town in ("o'slo", "Bern") for number in (1, 2)]
    day = date(2020, 12, 20)
    shops = {
        "town": [town for town, _ in places],
        "number": [number for _, number in places],
        "big": _some(rng, [bool(rng.integers(2)) for _ in places]),
    }
    persons = {
        "id": [f"p{k}" for k in range(n)],
        "born on": _some(rng, [day + timedelta(days=int(rng.integers(20))) for _ in range(n)]),
        "city": _some(rng, [["o'slo", "Bern", "7"][rng.integers(3)] for _ in range(n)]),
        "score": _some(rng, [round(float(rng.normal()), 1) for _ in range(n)]),
    }
    at = [places[rng.integers(len(places))] for _ in range(2 * n)]
    hour = datetime(2021, 1, 1)
    sales = {
        "nr": list(range(2 * n)),
        "who": _some(rng, [f"p{rng.integers(n)}" for _ in at]),
        "town": _some(rng, [town for town, _ in at]),
        "number": [number for _, number in at],
        "price": _some(rng, [int(rng.integers(5)) for _ in at]),
        "time": _some(rng, [hour + timedelta(hours=int(rng.integers(50))) for _ in at]),
    }
    pairs = sorted({(f"p{rng.integers(n)}", f"p{rng.integers(n)}") for _ in range(n)})
    return {
        "shop": pl.DataFrame(shops),
        "person": pl.DataFrame(
            persons, {"born on": pl.Date, **dict.fromkeys(["id", "city"], pl.String), "score": float}
        ).select("id", "born on", "city", "score"),
        "sale": pl.DataFrame(sales),
        "knows": pl.DataFrame(pairs, ["one", "other"], orient="row"),
    }


def _relations(frames: dict[str, pl.DataFrame]) -> Relations:
    return Relations(
        frames,
        {"shop": ("town", "number"), "person": "id", "sale": "nr"},
        {
            "sale": {"who": "person", ("town", "number"): "shop"},
            "knows": {"one": "person", "other": "person"},
        },
    )


@st.composite
def theories(draw: st.DrawFn) -> tuple[dict[str, pl.DataFrame], Theory]:
    """Draw tables, and clauses whose literals follow the modes of the tables."""
    frames = _frames(draw(st.integers(0, 20)))
    relations = _relations(frames)
    clauses = [_clause(draw, relations) for _ in range(draw(st.integers(1, 3)))]
    background = Relations(
        terms=relations.terms,
        facts=relations.facts,
        types={**relations.types, "good/1": ("person",)},
        modes=relations.modes,
        origins=relations.origins,
    )
    counts = ((0.0, 0.0),) * len(clauses)
    theory = Theory("good", ("id",), (False, True), "\n".join(clauses), counts, (0.0, 0.0), background)
    return frames, theory


def _clause(draw: st.DrawFn, relations: Relations) -> str:
    known = {"V0": "person"}
    body = []
    for _ in range(draw(st.integers(0, 5))):
        ways = [mode for mode in relations.modes if mode.types[mode.places("+")[0]] in known.values()]
        mode = draw(st.sampled_from(ways))
        start = mode.places("+")[0]
        source = draw(st.sampled_from([name for name, kind in known.items() if kind == mode.types[start]]))
        negated = draw(st.integers(0, 3)) == 0
        rows = relations.listed[mode.predicate].rows
        arguments, new = [], {}
        for place, kind in enumerate(mode.types):
            if place == start:
                arguments.append(source)
            elif (place in mode.places("#") or draw(st.integers(0, 4)) == 0) and len(rows):
                code = int(rows[draw(st.integers(0, len(rows) - 1)), place])
                arguments.append(str(relations.symbols.terms[code]))
            else:
                name = f"V{len(known) + len(new)}"
                new[name] = kind
                arguments.append(name)
        sign = "\\+ " if negated else ""
        body.append(f"{sign}{_quoted(mode.name)}({', '.join(arguments)})")
        if negated:
            continue
        known |= new
        for name, kind in new.items():
            if kind in ("person.score", "sale.price") and draw(st.booleans()):
                body.append(
                    f"{name} {draw(st.sampled_from(['<', '>', '=<', '>=']))} {draw(st.integers(-1, 4))}"
                )
            elif kind in ("person.born on", "sale.time") and draw(st.booleans()):
                day = date(2020, 12, 25) + timedelta(days=draw(st.integers(0, 10)))
                body.append(f"{name} {draw(st.sampled_from(['@<', '@>=']))} '{day}'")
            elif kind == "person" and draw(st.booleans()):
                body.append(f"{name} {draw(st.sampled_from(['=', DIFFERS]))} V0")
    return f"good(V0) :- {', '.join(body)}." if body else "good(V0)."


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "\\'") + "'"


def _by_sqlite(frames: dict[str, pl.DataFrame], query: str) -> dict[Any, bool]:
    with closing(sqlite3.connect(":memory:")) as base:
        for name, frame in frames.items():
            held = frame.with_columns(
                pl.col(pl.Date).dt.to_string(), pl.col(pl.Datetime).dt.to_string("%Y-%m-%d %H:%M:%S")
            )
            columns = ", ".join(f'"{column}"' for column in held.columns)
            base.execute(f'CREATE TABLE "{name}" ({columns})')
            base.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * held.width)})', held.rows())
        return {row[0]: bool(row[-1]) for row in base.execute(query)}


def _by_duckdb(frames: dict[str, pl.DataFrame], query: str) -> dict[Any, bool]:
    with duckdb.connect() as base:
        for name, frame in frames.items():
            base.register(name, frame.to_arrow())
        return {row[0]: bool(row[-1]) for row in base.execute(query).fetchall()}


@settings(max_examples=60)
@given(theories())
def test_databases_answer_as_the_prover(drawn: tuple[dict[str, pl.DataFrame], Theory]) -> None:
    frames, theory = drawn
    people = frames["person"]["id"].to_list()
    told = dict(zip(people, theory.predict([[one] for one in people]).tolist(), strict=True))
    query = theory.to_sql()
    assert _by_sqlite(frames, query) == told
    assert _by_duckdb(frames, query) == told


def test_a_recursive_theory_is_a_recursive_query() -> None:
    links = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "e"), ("e", "f")]
    frames = {"parent": pl.DataFrame(links, ["elder", "child"], orient="row")}
    people = sorted({one for pair in links for one in pair})
    rows = [(one, other) for one in people for other in people]
    above = set(links)
    for _ in people:
        above |= {(one, other) for one, middle in links for start, other in above if middle == start}
    learned = FOIL(Relations(frames), "ancestor").fit(rows, [pair in above for pair in rows]).hypothesis_
    assert learned.recursive
    query = learned.to_sql()
    assert "WITH RECURSIVE" in query
    told = dict(zip(rows, learned.predict(rows).tolist(), strict=True))
    tables = frames | {"data": pl.DataFrame(rows, learned.columns, orient="row")}
    with closing(sqlite3.connect(":memory:")) as base:
        for name, frame in tables.items():
            base.execute(f'CREATE TABLE "{name}" ({", ".join(frame.columns)})')
            base.executemany(f'INSERT INTO "{name}" VALUES (?, ?)', frame.rows())
        assert {row[:2]: bool(row[2]) for row in base.execute(query)} == told
    with duckdb.connect() as base:
        for name, frame in tables.items():
            base.register(name, frame.to_arrow())
        assert {row[:2]: bool(row[2]) for row in base.execute(query).fetchall()} == told


def test_facts_of_no_table_are_expected_under_their_name() -> None:
    background = Relations(
        program="likes(ann, bob). likes(bob, ann). friend(X, Y) :- likes(X, Y), likes(Y, X)."
    )
    theory = Theory(
        "happy", ("who",), ("no", "yes"), "happy(A) :- friend(A, B).", ((0.0, 2.0),), (1.0, 0.0), background
    )
    query = theory.to_sql("people", key="who")
    assert query.startswith("-- likes/2 is the table likes(a1, a2)\nWITH")
    frames = {
        "likes": pl.DataFrame({"a1": ["ann", "bob", "cal"], "a2": ["bob", "ann", "ann"]}),
        "people": pl.DataFrame({"who": ["ann", "bob", "cal"]}),
    }
    with duckdb.connect() as base:
        for name, frame in frames.items():
            base.register(name, frame.to_arrow())
        assert sorted(base.execute(query).fetchall()) == [("ann", "yes"), ("bob", "yes"), ("cal", "no")]


@pytest.mark.parametrize(
    ("clauses", "reason"),
    [
        ("p(A) :- q(A), A = [B|C].", "a term that SQL cannot write"),
        ("p(A) :- member(A, B), q(B).", "a built-in of Prolog"),
        ("p(A) :- q(A). p(A) :- p(B), p(A), q(A).", "calls it twice"),
        ("p(A) :- q(A). p(A) :- r(A, B), p(B). p(A) :- r(B, A), p(B).", "several recursive clauses"),
        ("p(A) :- q(A), B < 3.", "an unbound variable"),
    ],
)
def test_what_sql_cannot_say_is_refused_with_the_reason(clauses: str, reason: str) -> None:
    background = Relations(program="q(1). r(1, 2).")
    number = clauses.count(":-")
    theory = Theory("p", ("x",), (False, True), clauses, ((0.0, 0.0),) * number, (0.0, 0.0), background)
    with pytest.raises(InputError, match=reason):
        theory.to_sql()
    assert "sql" not in theory.forms()


def test_names_and_values_are_quoted() -> None:
    frames = {'the "thing"': pl.DataFrame({"id": ["a", "b", "c"], "it's": ["x'; DROP", "y", "y"]})}
    background = Relations(frames, {'the "thing"': "id"}, types=None)
    mode = next(one for one in background.modes if one.places("#"))
    head = f"good(A) :- {_quoted(mode.name)}(A, 'x\\'; DROP')."
    theory = Theory("good", ("id",), (False, True), head, ((0.0, 1.0),), (1.0, 0.0), background)
    with duckdb.connect() as base:
        base.register("data", pl.DataFrame({"id": ["a", "b"]}).to_arrow())
        base.register('the "thing"', frames['the "thing"'].to_arrow())
        assert sorted(base.execute(theory.to_sql()).fetchall()) == [("a", True), ("b", False)]


def test_a_row_with_a_key_of_several_columns_may_be_named() -> None:
    frames = _frames(1)
    relations = _relations(frames)
    shop = next(term for term in relations.symbols.terms if isinstance(term, Function))
    theory = Theory(
        "good",
        ("id",),
        (False, True),
        f"good(A) :- sale_who(B, A), sale_shop(B, {shop}).",
        ((0.0, 1.0),),
        (1.0, 0.0),
        relations,
    )
    people = frames["person"]["id"].to_list()
    told = dict(zip(people, theory.predict([[one] for one in people]).tolist(), strict=True))
    assert _by_sqlite(frames, theory.to_sql("person", "id")) == told


def test_a_long_clause_is_drawn_in_lines_that_end_between_literals() -> None:
    body = ", ".join(f"q(A, B{number}), r(B{number}, some_word)" for number in range(6))
    background = Relations(program="q(1, 2). r(2, some_word).")
    theory = Theory("p", ("x",), (False, True), f"p(A) :- {body}.", ((0.0, 3.0),), (4.0, 0.0), background)
    label, none = (tick.get_text() for tick in theory.draw().axes[0].get_yticklabels())
    assert label.count("\n") == 2
    assert all(line.endswith((",", ":-", ".")) for line in label.split("\n"))
    assert none == "no clause: not p"
