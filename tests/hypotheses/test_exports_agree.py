"""Whatever the rules, the names and the rows: SQL, Python, explanations and `predict` say the same."""

import math
import sqlite3

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses.conditions import Above, AtMost, Between, Is, OneOf
from induce.hypotheses.export_sql import sql_identifier
from induce.hypotheses.rules import Rule, RuleList

ODD = [
    "select",
    "a b",
    'qu"ote',
    "it's",
    "größe",
    "from",
    "x",
    "vote_0",
    "a AND b",
    "-- c",
    "%s",
    "{y}",
    "\\n",
    "d\n",
]
TEXTS = st.one_of(
    st.sampled_from([*ODD, "1", "1.0", "TRUE", "null", ""]),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=4),
)
NAMES = st.one_of(st.sampled_from(ODD), TEXTS.filter(bool))
NUMBERS = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([0.1, 0.1 + 0.2, 1e300, -1e300, 5e-324, 2.0**53, -0.0, 2.5]),
    st.floats(allow_nan=False, allow_infinity=False),
)
DOMAINS = st.one_of(
    st.lists(TEXTS, min_size=1, max_size=4, unique=True),
    st.lists(st.integers(-5, 5), min_size=1, max_size=4, unique=True),
    st.just([False, True]),
).map(tuple)
COUNTS = st.one_of(st.integers(0, 4).map(float), st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 2.5]))


@st.composite
def cases(draw):
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=str.lower))
    columns = [
        Column(name, "nominal", draw(DOMAINS)) if draw(st.booleans()) else Column(name) for name in names
    ]
    classes = draw(
        st.one_of(
            st.lists(TEXTS, min_size=1, max_size=3, unique=True), st.just([False, True]), st.just([3, 1])
        )
    )
    numbers = draw(st.lists(NUMBERS, min_size=2, max_size=5))
    counts = st.tuples(*[COUNTS] * len(classes))
    rules = draw(
        st.lists(
            st.builds(
                Rule,
                st.lists(st.sampled_from(columns).flatmap(lambda c: conditions(c, numbers)), max_size=5).map(
                    tuple
                ),
                st.sampled_from(classes),
                counts,
            ),
            max_size=5,
        )
    )
    rows = draw(st.lists(st.tuples(*[cells(column, numbers) for column in columns]), min_size=1, max_size=6))
    hypothesis = RuleList(
        Schema(tuple(columns)),
        draw(TEXTS),
        tuple(classes),
        tuple(rules),
        draw(st.sampled_from(classes)),
        draw(counts),
        draw(st.booleans()),
    )
    return hypothesis, rows


def conditions(column, numbers):
    name = st.just(column.name)
    if column.kind == "nominal":
        value = st.sampled_from(column.domain)
        several = st.lists(value, min_size=1, unique=True).map(tuple)
        return st.one_of(st.builds(Is, name, value), st.builds(OneOf, name, several))
    threshold = st.sampled_from(numbers)
    pairs = st.tuples(threshold, threshold).filter(lambda pair: pair[0] < pair[1])
    single = st.one_of(st.builds(AtMost, name, threshold), st.builds(Above, name, threshold))
    if len(set(numbers)) == 1:
        return single
    return st.one_of(single, pairs.map(lambda pair: Between(column.name, *pair)))


def cells(column, numbers):
    if column.kind == "numeric":
        return st.one_of(st.none(), st.just(math.nan), st.sampled_from(numbers), NUMBERS)
    if isinstance(column.domain[0], str):
        return st.one_of(st.none(), st.sampled_from(column.domain), TEXTS)
    unseen = st.booleans() if isinstance(column.domain[0], bool) else st.integers(-9, 9)
    return st.one_of(st.none(), st.sampled_from(column.domain), unseen)


def frame(hypothesis, rows):
    kinds = {str: pl.String, int: pl.Int64, bool: pl.Boolean}
    return pl.DataFrame(
        [
            pl.Series(
                column.name,
                [row[j] for row in rows],
                dtype=pl.Float64 if column.kind == "numeric" else kinds[type(column.domain[0])],
            )
            for j, column in enumerate(hypothesis.schema)
        ]
    )


@settings(deadline=None, max_examples=300)
@given(cases())
def test_sql_python_and_explanations_agree_with_predict(case):
    hypothesis, rows = case
    hypothesis.check()
    X = frame(hypothesis, rows)
    expected = hypothesis.predict(X).tolist()

    names = ", ".join(map(sql_identifier, hypothesis.schema.names()))
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE data ({names})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(hypothesis.schema))})", rows)
    assert [row[-1] for row in connection.execute(hypothesis.to_sql())] == expected
    connection.close()

    space = {}
    exec(hypothesis.to_python("decide"), space)
    dicts = [dict(zip(hypothesis.schema.names(), row, strict=True)) for row in rows]
    assert [space["decide"](row) for row in dicts] == expected
    present = [{name: cell for name, cell in row.items() if cell is not None} for row in dicts]
    assert [space["decide"](row) for row in present] == expected

    likeliest = hypothesis.predict_proba(X)
    assert [hypothesis.classes[code] for code in likeliest.argmax(axis=1)] == expected
    np.testing.assert_allclose(likeliest.sum(axis=1), 1.0)

    table = encode(X, hypothesis.schema)
    covers = np.array([rule.covers(table) for rule in hypothesis.rules]).reshape(-1, len(rows))
    for row, explanation in enumerate(hypothesis.explain(X)):
        assert explanation.prediction == expected[row]
        fired = [rule for rule, covered in zip(hypothesis.rules, covers[:, row], strict=True) if covered]
        if hypothesis.ordered:
            assert explanation.rules == tuple(fired[:1])
            assert explanation.prediction == (fired[0].prediction if fired else hypothesis.default)
        else:
            assert explanation.rules == tuple(rule for rule in fired if any(rule.counts))
        assert str(explanation)
    assert len(str(hypothesis).split("\n")) == len(hypothesis.rules) + 1


@settings(deadline=None, max_examples=200)
@given(cases())
def test_simplified_rules_cover_the_same_rows(case):
    hypothesis, rows = case
    table = encode(frame(hypothesis, rows), hypothesis.schema)
    for rule in hypothesis.rules:
        shorter = rule.simplified()
        assert shorter.covers(table).tolist() == rule.covers(table).tolist()
        assert shorter.simplified() == shorter
        assert len(shorter.conditions) <= len(rule.conditions)
