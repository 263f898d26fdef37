"""Checks that run together hide nothing."""

import pytest

from tests.learners.checks import run_all


def test_every_failure_is_told_by_name():
    def fails():
        assert [] == [1]

    def raises_nothing():
        with pytest.raises(ValueError):  # noqa: PT011
            pass

    ran = []
    with pytest.raises(BaseExceptionGroup, match="2 of 4 checks failed: first, third") as caught:
        run_all(
            [("first", fails), ("second", list), ("third", raises_nothing), ("last", lambda: ran.append(1))]
        )
    assert [error.__notes__ for error in caught.value.exceptions] == [["in first"], ["in third"]]
    assert ran == [1]
    assert run_all([("second", list), ("last", list)]) == 2
