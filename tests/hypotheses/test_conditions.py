import math

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.hypotheses.conditions import Above, AtMost, Between, Is, NoneOf, OneOf, none_of, simplified

SCHEMA = Schema((Column("age"), Column("colour", "nominal", ("red", "green", "blue")), Column("size")))
TABLE = Table(
    SCHEMA,
    np.array([[20.0, 1.0], [30.5, 2.0], [np.nan, 3.0], [31.0, 4.0], [20.5, 5.0]]),
    np.array([[0], [1], [2], [-1], [-2]], dtype=np.int32),
)


@pytest.mark.parametrize(
    ("condition", "rows", "text"),
    [
        (Is("colour", "red"), [0], "colour = red"),
        (OneOf("colour", ("red", "blue")), [0, 2], "colour in {red, blue}"),
        (OneOf("colour", ("red", "green", "blue")), [0, 1, 2], "colour in {red, green, blue}"),
        (none_of(SCHEMA["colour"], ("red",)), [1, 2], "colour != red"),
        (none_of(SCHEMA["colour"], ("red", "blue")), [1], "colour not in {red, blue}"),
        (AtMost("age", 30.5), [0, 1, 4], "age <= 30.5"),
        (Above("age", 30.5), [3], "age > 30.5"),
        (Between("age", 20.5, 30.5), [1], "20.5 < age <= 30.5"),
        (Above("size", 3.0), [3, 4], "size > 3"),
        (Is("colour", "pink"), [], "colour = pink"),
    ],
)
def test_a_missing_or_unseen_value_satisfies_no_test(condition, rows, text):
    assert np.flatnonzero(condition.covers(TABLE)).tolist() == rows
    assert str(condition) == text


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (AtMost("x", 0.1 + 0.2), "x <= 0.30000000000000004"),
        (AtMost("x", np.float64(2.0)), "x <= 2"),
        (AtMost("x", -0.0), "x <= 0"),
        (Above("x", 1e300), "x > 1e+300"),
        (Is("the sky", "partly cloudy"), "the sky = partly cloudy"),
        (Is("petal length (cm)", "größer"), "petal length (cm) = größer"),
        (Is("income", ">50K"), 'income = ">50K"'),
        (Is("a = b", "c AND d"), '"a = b" = "c AND d"'),
        (Is("x", 'say "hi"'), r'x = "say \"hi\""'),
        (Is("x", "two\nlines"), r'x = "two\nlines"'),
        (Is("x", ""), 'x = ""'),
        (Is("x", " y"), 'x = " y"'),
        (OneOf("x", ("a, b", "c")), 'x in {"a, b", c}'),
        (NoneOf("x y", ("a, b",), ("c",)), 'x y != "a, b"'),
        (NoneOf("x", ("a, b", 1), ("c",)), 'x not in {"a, b", 1}'),
        (OneOf("x not", ("a",)), '"x not" in {a}'),
        (Is("knot", "not known"), "knot = not known"),
        (Is("x", True), "x = True"),
        (Is("x", 1.5), "x = 1.5"),
        (Above("x", math.nextafter(4, 0)), "x >= 4"),
        (AtMost("x", math.nextafter(9, 0)), "x < 9"),
        (Between("x", math.nextafter(4, 0), 6.0), "4 <= x <= 6"),
        (Above("x", 0.1 + 0.2), "x > 0.30000000000000004"),
        (Is("x", 3), "x = 3"),
    ],
)
def test_text_is_short_exact_and_quoted_only_where_it_could_be_misread(condition, text):
    assert str(condition) == text


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (AtMost("x", 3), AtMost("x", 2), AtMost("x", 2)),
        (Above("x", 3), Above("x", 2), Above("x", 3)),
        (Above("x", 1), AtMost("x", 2), Between("x", 1, 2)),
        (AtMost("x", 2), Above("x", 1), Between("x", 1, 2)),
        (Between("x", 1, 5), AtMost("x", 4), Between("x", 1, 4)),
        (Between("x", 1, 5), Between("x", 0, 2), Between("x", 1, 2)),
        (Above("x", 2), AtMost("x", 2), None),
        (AtMost("x", 2), AtMost("y", 2), None),
        (Is("c", "a"), Is("c", "a"), Is("c", "a")),
        (Is("c", "a"), Is("c", "b"), None),
        (OneOf("c", ("a", "b", "d")), OneOf("c", ("d", "a")), OneOf("c", ("a", "d"))),
        (OneOf("c", ("a", "b")), OneOf("c", ("b", "d")), Is("c", "b")),
        (OneOf("c", ("a", "b")), Is("c", "d"), None),
        (
            NoneOf("c", ("a",), ("b", "d", "e")),
            NoneOf("c", ("b",), ("a", "d", "e")),
            NoneOf("c", ("a", "b"), ("d", "e")),
        ),
        (NoneOf("c", ("a",), ("b", "d")), NoneOf("c", ("b",), ("a", "d")), Is("c", "d")),
        (NoneOf("c", ("a",), ("b", "d", "e")), OneOf("c", ("a", "b", "d")), OneOf("c", ("b", "d"))),
        (OneOf("c", ("a", "b", "d")), NoneOf("c", ("a",), ("b", "d", "e")), OneOf("c", ("b", "d"))),
        (OneOf("c", ("a", "b", "d")), NoneOf("c", ("a",), ("b", "d")), NoneOf("c", ("a",), ("b", "d"))),
        (NoneOf("c", ("a",), ("b", "d")), OneOf("c", ("b", "d")), NoneOf("c", ("a",), ("b", "d"))),
        (NoneOf("c", ("a",), ("b", "d")), Is("c", "d"), Is("c", "d")),
        (NoneOf("c", ("a",), ("b", "d")), Is("c", "a"), None),
        (Is("x", "a"), AtMost("x", 2), None),
    ],
)
def test_intersect(one, other, both):
    assert one.intersect(other) == both


def test_conditions_that_exclude_each_other_stay():
    path = (Above("x", 5), Is("c", "a"), AtMost("x", 2), Above("x", 6))
    assert simplified(path) == (Above("x", 6), Is("c", "a"), AtMost("x", 2))


def test_a_test_of_the_wrong_kind_or_an_absent_column_is_named():
    with pytest.raises(InputError, match="column 'colour' is nominal"):
        AtMost("colour", 2).covers(TABLE)
    with pytest.raises(InputError, match="column 'age' is numeric"):
        Is("age", 2).covers(TABLE)
    with pytest.raises(InputError, match="no column 'weight'"):
        AtMost("weight", 2).covers(TABLE)


@pytest.mark.parametrize(
    "condition",
    [
        Is("colour", "pink"),
        Is("colour", ("red",)),
        OneOf("colour", ()),
        OneOf("colour", "red"),
        NoneOf("colour", ("red",), ("green",)),
        NoneOf("colour", ("red",), ()),
        NoneOf("colour", (), ("red", "green", "blue")),
        NoneOf("colour", ("pink",), ("green", "blue")),
        NoneOf("colour", ("red", ["x"]), ("green",)),
        NoneOf("colour", ("red", "green"), ("green",)),
        NoneOf("colour", "red", ("green", "blue")),
        Above("age", float("inf")),
        AtMost("age", float("nan")),
        AtMost("age", "30"),
        Between("age", 3, 2),
        Between("age", float("-inf"), 2),
        Is("age", 3),
    ],
)
def test_check_refuses(condition):
    with pytest.raises(InputError, match=condition.attribute):
        condition.check_column(SCHEMA[condition.attribute])


def test_what_excludes_nothing_or_everything_is_refused():
    with pytest.raises(InputError, match="'colour' accepts no value"):
        none_of(SCHEMA["colour"], ("red", "green", "blue"))
    with pytest.raises(InputError, match="'colour' excludes no value"):
        none_of(SCHEMA["colour"], ())
    with pytest.raises(InputError, match="'age' is numeric"):
        none_of(SCHEMA["age"], (3,))
