"""When to stop opening candies (AIMA, exercise 20.3)."""

import pytest

from induce.textbook.candy_trading import trade


@pytest.mark.parametrize(
    ("n", "ann", "bob", "value", "sell_now", "sell_from"),
    [
        (20, (1, 0), (0.5, 0.6), 12.230036, 11, (1, 3, 4, 5, 9, 10)),
        (20, (1, -1), (0.2, 0.5), 8.046640, 7, (1, 1, 1, 2, 3, 4)),
        (100, (1, -1), (0.2, 0.5), 44.368550, 35, (1, 2, 3, 4, 5, 5)),
    ],
)
def test_optimal_stopping(n, ann, bob, value, sell_now, sell_from):
    found = trade(n, ann, bob)
    assert (found.value, found.sell_now) == pytest.approx((value, sell_now), abs=5e-7)
    assert found.sell_from == sell_from


def test_who_likes_nothing_sells_at_once():
    found = trade(8, (-1, -1), (1, 1), cherries=1)
    assert found.value == found.sell_now == pytest.approx(8)
    assert found.sell_from == (0,)
