"""Nothing to learn, and what is learned all the same."""

import numpy as np
import pytest

import induce
from induce import InputError
from induce.data.generate import DIE, die_rolls
from induce.trees.understanding import overfit_dice


def test_rolls():
    rolls = die_rolls(6000, random_state=1)
    assert rolls.X.columns == list(DIE) == ["colour", "weight", "time", "fingers crossed"]
    assert (rolls.y == "six").mean() == pytest.approx(1 / 6, abs=0.015)
    for name, domain in DIE.items():
        for value in domain:
            chosen = rolls.frame.filter(rolls.X[name] == value)
            assert len(chosen) / 6000 == pytest.approx(1 / len(domain), abs=0.03)
            assert (chosen["roll"] == "six").mean() == pytest.approx(1 / 6, abs=0.04)
    assert die_rolls(10, 3).frame.equals(die_rolls(10, 3).frame)


def test_rolls_of_nothing():
    with pytest.raises(InputError, match="n is 0; give a number of rows of at least 1"):
        die_rolls(0)


def test_pruning_finds_that_there_is_nothing():
    found = overfit_dice(200, alpha=0.01)
    assert found.nodes > 50
    assert found.error > 1 / 6 + 0.015
    assert found.single_leaf >= 0.8
    assert found.pruned_nodes < 4
    assert found.pruned_error == pytest.approx(1 / 6, abs=0.005)


@pytest.mark.compiled
def test_more_rolls_overfit_less():
    errors = [overfit_dice(n, runs=10).error for n in (50, 200, 1000)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == pytest.approx(1 / 6, abs=0.005)


def test_more_attributes_overfit_more():
    """The same rolls with more that does not matter give a tree that says six more often."""
    rng = np.random.default_rng(0)
    rolls = die_rolls(200)
    wider = np.hstack([rng.integers(0, 2, (200, 8)).astype(str), rolls.X.to_numpy()])
    more = induce.ID3().fit(wider, rolls.y).hypothesis_
    few = induce.ID3().fit(*rolls).hypothesis_
    wrong_share = {tree: np.mean(tree.predict(X) == "six") for tree, X in ((more, wider), (few, rolls.X))}
    assert wrong_share[more] > wrong_share[few]


def test_the_error_is_that_on_new_rolls():
    found = overfit_dice(100, runs=1, random_state=5)
    tree = induce.ID3().fit(*die_rolls(100, np.random.default_rng(5)))
    new = die_rolls(50_000, 77)
    assert found.error == pytest.approx(1 - tree.score(*new), abs=0.01)


def test_words():
    assert str(overfit_dice(50, runs=2)).endswith("always saying other: 1 node, error 0.167")


def test_bad_input():
    with pytest.raises(InputError, match="runs is 0"):
        overfit_dice(runs=0)
    with pytest.raises(InputError, match="alpha is 2"):
        overfit_dice(alpha=2, runs=1)
