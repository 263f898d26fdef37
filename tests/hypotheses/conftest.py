"""Rule lists of every kind, with names and values that are hard to write, and rows for them."""

import math

import polars as pl
import pytest
from hypothesis import strategies as st

from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Above, AtMost, Between, Is, OneOf, none_of
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
def _cases(draw):
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
                st.lists(st.sampled_from(columns).flatmap(lambda c: _conditions(c, numbers)), max_size=5).map(
                    tuple
                ),
                st.sampled_from(classes),
                counts,
            ),
            max_size=5,
        )
    )
    rows = draw(st.lists(st.tuples(*[_cells(column, numbers) for column in columns]), min_size=1, max_size=6))
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


def _conditions(column, numbers):
    name = st.just(column.name)
    if column.kind == "nominal":
        value = st.sampled_from(column.domain)
        several = st.lists(value, min_size=1, unique=True).map(tuple)
        tests = [st.builds(Is, name, value), st.builds(OneOf, name, several)]
        if len(column.domain) > 1:
            some = st.lists(value, min_size=1, max_size=len(column.domain) - 1, unique=True).map(tuple)
            tests.append(some.map(lambda values: none_of(column, values)))
        return st.one_of(tests)
    threshold = st.sampled_from(numbers)
    pairs = st.tuples(threshold, threshold).filter(lambda pair: pair[0] < pair[1])
    single = st.one_of(st.builds(AtMost, name, threshold), st.builds(Above, name, threshold))
    if len(set(numbers)) == 1:
        return single
    return st.one_of(single, pairs.map(lambda pair: Between(column.name, *pair)))


def _cells(column, numbers):
    if column.kind == "numeric":
        return st.one_of(st.none(), st.just(math.nan), st.sampled_from(numbers), NUMBERS)
    if isinstance(column.domain[0], str):
        return st.one_of(st.none(), st.sampled_from(column.domain), TEXTS)
    unseen = st.booleans() if isinstance(column.domain[0], bool) else st.integers(-9, 9)
    return st.one_of(st.none(), st.sampled_from(column.domain), unseen)


def _frame(hypothesis, rows):
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


@pytest.fixture(scope="session")
def cases():
    """The strategy: a rule list and some rows."""
    return _cases()


@pytest.fixture(scope="session")
def frame():
    """Makes a frame of a rule list's rows."""
    return _frame
