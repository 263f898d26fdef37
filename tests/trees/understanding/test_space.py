"""The space of instances and its cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce import InputError
from induce.data.schema import Column
from induce.hypotheses.conditions import Above, AtMost, Between, Is, OneOf
from induce.trees.understanding.space import Axis, axes, common, volume

AGE = Axis("age", cuts=(20.0, 30.0, 40.0))
WIND = Axis("wind", ("none", "weak", "strong"))


@pytest.mark.parametrize(
    ("condition", "cells"),
    [
        (AtMost("age", 20.0), range(0, 1)),
        (Above("age", 20.0), range(1, 4)),
        (Between("age", 20.0, 40.0), range(1, 3)),
        (Above("age", 40.0), range(3, 4)),
    ],
)
def test_conditions_and_intervals_are_the_same_thing(condition, cells):
    assert AGE.satisfying(condition) == cells
    assert AGE.condition(cells) == condition


@pytest.mark.parametrize(
    ("condition", "cells"), [(Is("wind", "weak"), (1,)), (OneOf("wind", ("none", "strong")), (0, 2))]
)
def test_conditions_and_values_are_the_same_thing(condition, cells):
    assert WIND.satisfying(condition) == cells
    assert WIND.condition(cells) == condition


def test_all_cells_need_no_condition():
    assert AGE.condition(AGE.whole) is None
    assert WIND.condition(WIND.whole) is None


def test_a_threshold_belongs_to_the_interval_below_it():
    assert AGE.below(range(0, 4), 30.0) == (range(0, 2), range(2, 4))
    assert [len(part) for part in AGE.below(range(2, 4), 20.0)] == [0, 2]
    assert [len(part) for part in AGE.below(range(0, 1), 40.0)] == [1, 0]


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
def test_common_cells_of_intervals(a, b, c, d):
    assert list(common(range(a, b), range(c, d))) == sorted(set(range(a, b)) & set(range(c, d)))


def test_axes_of_two_schemas_are_joined():
    found = axes(
        [
            Column("wind", "nominal", ("weak", "none")),
            Column("age"),
            Column("wind", "nominal", ("none", "wild")),
        ],
        {"age": [3.0, 1.0, 3.0]},
    )
    assert found["wind"].values == ("weak", "none", "wild")
    assert found["age"].cuts == (1.0, 3.0)
    assert volume(found.values()) == 9


def test_a_column_of_two_kinds_is_named():
    with pytest.raises(InputError, match="column 'age' is nominal in one tree and numeric in the other"):
        axes([Column("age"), Column("age", "nominal", ("old",))], {})
