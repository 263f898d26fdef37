"""Plain search: what is found, with how many evaluations."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.search import anneal, draw_histories, hill_climb, random_search, searches, side_by_side

RUGGED = np.random.default_rng(0).random(400).cumsum() % 7


def step(x, rng):
    return int(np.clip(x + rng.integers(-3, 4), 0, 399))


def draw(rng):
    return int(rng.integers(400))


def score(x):
    return float(RUGGED[x])


def test_all_use_the_evaluations_they_are_given():
    calls = []

    def counted(x):
        calls.append(x)
        return score(x)

    found = searches(counted, draw, step, evaluations=333)
    assert len(calls) == 3 * 333
    for each in found.values():
        assert each.history.evaluations == 333
        assert each.score == score(each.best) == each.history.best
        bests = [row.best for row in each.history.rows]
        assert bests == sorted(bests)
        assert str(each.best) in str(each)
    histories = {name: each.history for name, each in found.items()}
    assert side_by_side(histories).count("333") == 3
    assert draw_histories(histories).axes


def test_seeds():
    again = [anneal(score, 0, step, evaluations=100, random_state=3).best for _ in range(2)]
    assert again[0] == again[1]


def test_restarts_leave_local_optima():
    stuck = hill_climb(score, 0, step, evaluations=2000)
    free = hill_climb(score, 0, step, evaluations=2000, restart=draw, patience=30)
    assert stuck.score < free.score


def test_annealing_takes_worse_neighbours_at_first():
    worse = []
    last = [score(0)]

    def watched(x):
        worse.append(score(x) < last[0])
        last[0] = score(x)
        return score(x)

    anneal(watched, 0, step, evaluations=500, temperature=5.0)
    assert sum(worse[:250]) > 50


def test_scores_that_are_no_numbers():
    found = hill_climb(lambda x: float("nan") if x % 2 else float(x), 0, step, evaluations=200)
    assert found.best % 2 == 0
    assert found.history.failures > 0
    assert "failed" in found.history.failed()
    with pytest.raises(InputError, match="no state has a finite score"):
        random_search(lambda x: float("nan"), draw, evaluations=5)
    with pytest.raises(InputError, match="evaluations is 0"):
        random_search(score, draw, evaluations=0)
    with pytest.raises(InputError, match="patience is 0"):
        hill_climb(score, 0, step, evaluations=5, patience=0)
