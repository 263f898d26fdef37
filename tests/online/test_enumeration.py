"""Identification in the limit by enumeration."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.online import identify


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=12), st.data())
def test_always_the_first_that_agrees_with_all_so_far(table, data):
    target = data.draw(st.integers(0, len(table) - 1))
    points = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=12))
    examples = [(x, table[target][x]) for x in points]
    found = identify([row.__getitem__ for row in table], iter(examples))
    for n, place in enumerate(found.conjectures, start=1):
        agreeing = [i for i, row in enumerate(table) if all(row[x] == label for x, label in examples[:n])]
        assert place == agreeing[0] <= target
    assert found.changes <= found.conjectures[-1]
    if found.changes:
        settled = found.last_change
        assert set(found.conjectures[settled - 1 :]) == {found.conjectures[-1]}
        assert settled == 1 or found.conjectures[settled - 2] != found.conjectures[-1]


def test_an_endless_list():
    thresholds = ((lambda x, t=t: x >= t) for t in count())
    found = identify(thresholds, ((x, x >= 70) for x in range(100)))
    assert found.conjectures[-1] == 70
    assert found.hypothesis(70)
    assert not found.hypothesis(69)
    assert found.changes == 70
    assert str(identify([bool], [(1, True)])) == "hypothesis 0 after 1 example: 0 changes of the conjecture"


@pytest.mark.parametrize(
    ("hypotheses", "examples", "kind", "sentence"),
    [
        ([bool], [], induce.InputError, "examples is empty; give at least one pair"),
        ([bool], [3], induce.InputError, "examples contains 3; give pairs"),
        (
            [bool],
            [(1, False)],
            induce.InputError,
            "agrees with the first 1 example, as far as the next 50 were tried",
        ),
        ([bool], [(1, True), (1, False)], induce.InputError, "or the examples conflict"),
        ((bool for _ in count()), [(0, True)], induce.InputError, "the next 50 were tried"),
        ([3], [(1, True)], TypeError, "hypothesis 0 is int; give functions"),
    ],
)
def test_bad_input(hypotheses, examples, kind, sentence):
    with pytest.raises(kind, match=sentence):
        identify(hypotheses, examples, most=50)
    with pytest.raises(induce.InputError, match="most is 0"):
        identify([bool], [(1, True)], most=0)
