"""Classifier systems: multiplexers, the bucket brigade, acting."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.environments import MDP, grid_world
from induce.evolution import bucket_brigade


def multiplexer(k):
    n = k + 2**k
    rows = np.array([[int(bit) for bit in format(i, f"0{n}b")] for i in range(2**n)])
    address = rows[:, :k] @ (2 ** np.arange(k)[::-1])
    frame = pl.DataFrame({f"b{j}": rows[:, j].astype(str) for j in range(n)})
    return frame, rows[np.arange(len(rows)), k + address].astype(str)


@pytest.mark.parametrize(
    ("episode", "strengths"),
    [
        (1, (10, 10, 109)),
        (2, (10, 19.9, 198.1)),
        (3, (10.99, 37.72, 278.29)),
        (10, (79.4889, 271.2621, 654.8083)),
        (50, (889.3885, 966.5520, 994.8978)),
        (1000, (1000, 1000, 1000)),
    ],
)
def test_a_chain_of_rules(episode, strengths):
    """08:AD-05."""
    assert bucket_brigade([10, 10, 10], 100, episodes=episode)[-1] == pytest.approx(strengths, abs=6e-5)


def test_the_multiplexer_of_six_bits():
    X, y = multiplexer(2)
    learner = induce.ClassifierSystem(200, 60).fit(X, y)
    assert learner.score(X, y) >= 0.99
    assert len(learner.hypothesis_.rules) <= 16
    by_strength = induce.ClassifierSystem(200, 20, fitness="strength").fit(X, y)
    assert by_strength.score(X, y) > 0.55


@pytest.mark.compiled
def test_plain_and_compiled_are_the_same(monkeypatch):
    X, y = induce.dataset("play-tennis")
    corridor = grid_world("S..G", {"G": 10})
    learners = [induce.ClassifierSystem(30, 30, fitness=fitness) for fitness in ("accuracy", "strength")]
    plain = [learner.fit(X, y).hypothesis_ for learner in learners]
    acting = induce.BucketBrigade(600, 20).learn(corridor)
    monkeypatch.setattr("induce.core.loops.PLAIN_WORK", -1)
    assert [learner.fit(X, y).hypothesis_ for learner in learners] == plain
    again = induce.BucketBrigade(600, 20).learn(corridor)
    assert again.hypothesis_ == acting.hypothesis_
    assert again.rewards_ == acting.rewards_


def test_rules_that_act():
    corridor = grid_world("S...G", {"G": 100})
    learner = induce.BucketBrigade(2000, 60).learn(corridor)
    states = [[0, column] for column in range(4)]
    assert set(learner.hypothesis_.predict(states)) == {"right"}
    assert sum(learner.rewards_[-2:]) > sum(learner.rewards_[:1])
    longer = induce.BucketBrigade(1000, 60).learn(corridor).set_params(n_steps=2000).resume(corridor)
    assert longer.hypothesis_ == learner.hypothesis_


def test_bad_input():
    X, y = induce.dataset("play-tennis")
    for parameters, message in (
        ({"max_rules": 1}, "max_rules is 1"),
        ({"general": 2}, "general is 2"),
        ({"fitness": "luck"}, "fitness is 'luck'"),
        ({"patience": 0}, "patience is 0"),
    ):
        with pytest.raises(InputError, match=message):
            induce.ClassifierSystem(**parameters).fit(X, y)
    with pytest.raises(InputError, match="a reward is negative"):
        induce.BucketBrigade().learn(grid_world("cliff"))
    with pytest.raises(InputError, match="no features"):
        induce.BucketBrigade().learn(MDP.of({"a": {"go": ("b", 1)}}))
    with pytest.raises(InputError, match="explore is 3"):
        induce.BucketBrigade(explore=3).learn(grid_world("S.G", {"G": 1}))
    with pytest.raises(InputError, match="bid is 1"):
        bucket_brigade([1], 1, bid=1)
