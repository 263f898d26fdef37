import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Above, AtMost, Between, Is, NominalCondition, NoneOf, OneOf
from induce.hypotheses.expressions.shapes import condition_test
from induce.hypotheses.rules import Rule, RuleList
from induce.hypotheses.writers.prolog import prolog_atom, prolog_goals, prolog_term
from induce.hypotheses.writers.python import PythonWriter
from induce.hypotheses.writers.sql import SqlWriter
from induce.hypotheses.writers.sql_text import sql_identifier, sql_literal, sql_number

SCHEMA = Schema((Column("outlook", "nominal", ("sunny", "Rain's")), Column("age")))
RULES = RuleList(
    SCHEMA,
    "play",
    ("no", "yes"),
    (Rule((Is("outlook", "sunny"), AtMost("age", 30.5)), "no", (3.0, 0.5)), Rule((), "yes", (0.0, 4.0))),
    "yes",
    (0.0, 1.0),
)
VOTES = replace(RULES, ordered=False)


def sqlite_predictions(rules, columns, rows, affinity=""):
    with sqlite3.connect(":memory:") as connection:
        names = ", ".join(f"{sql_identifier(name)} {affinity}" for name in columns)
        connection.execute(f"CREATE TABLE data ({names})")
        connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(columns))})", rows)
        return [row[-1] for row in connection.execute(rules.to_sql())]


@pytest.mark.parametrize(
    ("condition", "sql", "python"),
    [
        (Is("a b", "x"), "\"a b\" = 'x'", "row.get('a b') == 'x'"),
        (Is("f", True), '"f" = (1 = 1)', "row.get('f') == True"),
        (OneOf("f", (1, 2)), '"f" IN (1, 2)', "row.get('f') in (1, 2)"),
        (OneOf("f", ("a",)), "\"f\" = 'a'", "row.get('f') == 'a'"),
        (NoneOf("f", ("a",), ("b", "c")), "\"f\" IN ('b', 'c')", "row.get('f') in ('b', 'c')"),
        (Above("x", -0.0), '"x" > 0', "row.get('x') is not None and row['x'] > 0"),
        (
            Between("x", 1.5, np.float64(2)),
            '"x" > 1.5 AND "x" <= 2',
            "row.get('x') is not None and 1.5 < row['x'] <= 2",
        ),
        (
            AtMost("x", 2.0**53),
            'CAST("x" AS DOUBLE PRECISION) <= 9007199254740992e0',
            "row.get('x') is not None and float(row['x']) <= 9007199254740992",
        ),
    ],
)
def test_conditions_in_sql_and_python(condition, sql, python):
    test = condition_test(condition, column_of(condition))
    assert SqlWriter([]).test(test) == sql
    assert PythonWriter().test(test) == python


def column_of(condition):
    nominal = isinstance(condition, NominalCondition)
    return (
        Column(condition.attribute, "nominal", condition.accepted) if nominal else Column(condition.attribute)
    )


def test_numbers_in_sql_are_read_back_exactly():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**63, 4000).view(np.float64)
    wild = bits[np.isfinite(bits)]
    tame = rng.uniform(1, 10, 8000) * 10.0 ** rng.integers(-9, 20, 8000)
    short = np.round(rng.uniform(0, 100, 4000), 3)
    with sqlite3.connect(":memory:") as connection:
        for numbers in (
            wild,
            tame,
            short,
            [5e-324, 1.7976931348623157e308, 0.1, 1 / 3, -(2.0**60), 2.0**-60],
        ):
            for number in map(float, numbers):
                assert connection.execute(f"SELECT {sql_literal(number)}").fetchone()[0] == number
                assert connection.execute(f"SELECT {sql_number(number)}").fetchone()[0] == number
    assert [sql_literal(number) for number in (2.45, 0.1, 1e300, 30.0)] == ["2.45", "0.1", "1e+300", "30"]


def test_whole_numbers_too_large_for_floats_compare_as_arrays_do():
    rules = RuleList(
        Schema((Column("x"),)), "y", ("a", "b"), (Rule((AtMost("x", 2.0**53),), "a", (1, 0)),), "b", (0, 1)
    )
    rows = [(2**53,), (2**53 + 1,), (2**53 + 2,)]
    expected = rules.predict(np.array(rows)).tolist()
    assert expected == ["a", "a", "b"]
    assert sqlite_predictions(rules, ["x"], rows) == expected
    space = {}
    exec(rules.to_python(), space)
    assert [space["predict"]({"x": x}) for (x,) in rows] == expected


def test_booleans_match_how_sqlite3_stores_them():
    rules = RuleList(
        Schema((Column("f", "nominal", (False, True)),)),
        "y",
        (False, True),
        (Rule((Is("f", True),), False, (1, 0)),),
        True,
        (0, 1),
    )
    assert sqlite_predictions(rules, ["f"], [(True,), (False,), (None,)]) == [0, 1, 1]


def test_sql_can_give_only_the_key():
    assert RULES.to_sql("my table", key="row id").startswith('SELECT "row id",\n  CASE')
    assert RULES.to_sql("my table").endswith('FROM "my table"')


def test_long_rules_and_many_votes_stay_within_sqlites_depth():
    names = [f"c{j}" for j in range(1500)]
    schema = Schema(tuple(map(Column, names)))
    long = Rule(tuple(Between(name, 0.5, 2.5) for name in names), "a", (1, 0))
    rules = RuleList(schema, "y", ("a", "b"), (long,), "b", (0, 1))
    rows = [[1] * 1500, [1] * 1499 + [3]]
    assert sqlite_predictions(rules, names, rows) == ["a", "b"]

    weights = np.random.default_rng(1).uniform(size=(2600, 2)).round(2)
    schema = Schema((Column("x"),))
    voting = tuple(Rule((Above("x", float(j)),), "a", tuple(pair)) for j, pair in enumerate(weights.tolist()))
    votes = RuleList(schema, "y", ("a", "b"), voting, "b", (0, 1), ordered=False)
    rows = [(float(x),) for x in range(0, 2700, 9)]
    assert sqlite_predictions(votes, ["x"], rows) == votes.predict(np.array(rows)).tolist()
    ordered = replace(votes, ordered=True)
    assert sqlite_predictions(ordered, ["x"], rows) == ordered.predict(np.array(rows)).tolist()


def test_votes_do_not_mix_with_columns_of_that_name():
    schema = Schema((Column("vote_0"), Column("VOTE_1"), Column("votes")))
    rule = Rule((AtMost("vote_0", 1), AtMost("VOTE_1", 1), AtMost("votes", 1)), "a", (1, 0))
    rules = RuleList(schema, "y", ("a", "b"), (rule,), "b", (0, 1), ordered=False)
    assert sqlite_predictions(rules, schema.names(), [(1, 1, 1), (2, 1, 1)]) == ["a", "b"]


def test_sql_refuses_what_it_cannot_write():
    with pytest.raises(InputError, match="NUL"):
        sql_literal("a\0b")
    with pytest.raises(InputError, match="finite"):
        sql_literal(float("inf"))


@pytest.mark.parametrize("name", ["two words", "class", "", "1x"])
def test_python_functions_need_a_name(name):
    with pytest.raises(InputError, match="name="):
        RULES.to_python(name)


@pytest.mark.parametrize(
    ("text", "atom"),
    [
        ("sunny", "sunny"),
        ("aB_1", "aB_1"),
        ("Sunny", "'Sunny'"),
        ("_x", "'_x'"),
        ("über", "'über'"),
        ("", "''"),
        ("1", "'1'"),
        ("don't", r"'don\'t'"),
        ("a\\b", r"'a\\b'"),
        ("a\nb", r"'a\nb'"),
        ("a\x01b", r"'a\x1\b'"),
        ("abc\n", r"'abc\n'"),
    ],
)
def test_prolog_atoms(text, atom):
    assert prolog_atom(text) == atom


def test_prolog_terms_and_conditions():
    values = (True, 3, 3.0, 1e22, -0.5, "3")
    assert [prolog_term(value) for value in values] == ["true", "3", "3.0", "1.0e+22", "-0.5", "'3'"]
    between = condition_test(Between("Age", 20.0, 1e22), Column("Age"))
    assert prolog_goals(between) == "'Age'(X, V1), V1 > 20, V1 =< 1.0e+22"


def test_a_value_that_was_not_seen_is_not_different_in_prolog_either():
    condition = NoneOf("f", ("a",), ("b", "C"))
    assert prolog_goals(condition_test(condition, column_of(condition))) == "( f(X, b) ; f(X, 'C') )"


def test_prolog_rules():
    assert RULES.to_prolog().splitlines()[2:] == [
        "class(X, no) :- outlook(X, sunny), age(X, V2), V2 =< 30.5, !.",
        "class(_, yes).",
    ]
    voting = VOTES.to_prolog().splitlines()
    assert voting[2:6] == [
        "vote(X, no, 3) :- once(( outlook(X, sunny), age(X, V2), V2 =< 30.5 )).",
        "vote(X, yes, 0.5) :- once(( outlook(X, sunny), age(X, V2), V2 =< 30.5 )).",
        "vote(X, yes, 4) :- once(( true )).",
        "class(X, C) :- best([no, yes], X, 0, yes, C).",
    ]
    clash = replace(RULES, schema=Schema((*SCHEMA.columns, Column("class"))))
    assert clash.to_prolog().endswith("class_(_, yes).\n")


def test_exports_say_how_dates_are_held():
    schema = Schema((SCHEMA["outlook"], Column("age", temporal="days")))
    dated = replace(RULES, schema=schema)
    assert dated.to_sql().startswith("-- age holds dates: ")
    assert "    # age holds dates: " in dated.to_python()
    assert "% age is a number: days since 1970-01-01" in dated.to_prolog()
    rows = [("sunny", "1970-01-03"), ("sunny", "1970-03-03"), ("sunny", "1970-01-31 11:59:59")]
    assert sqlite_predictions(dated, ["outlook", "age"], rows) == ["no", "yes", "no"]
