"""Fitness that is equal up to rounding decides nothing: of equals the first declared comes first."""

import numpy as np

from induce.evolution import Tournament
from induce.evolution.structures import Demes

NEARLY = np.array([0.3, 0.1 + 0.2, 0.2, 0.1])
EQUAL = np.array([0.3, 0.3, 0.2, 0.1])


def test_tournaments_do_not_follow_the_last_bit():
    for selection in (Tournament(), Tournament(0.8, 3), Tournament(size=3, replace=True)):
        drawn = [selection.draw(scores, 200, np.random.default_rng(0)) for scores in (NEARLY, EQUAL)]
        assert (drawn[0] == drawn[1]).all()
        assert selection.probabilities(NEARLY).tolist() == selection.probabilities(EQUAL).tolist()


def test_migration_does_not_follow_the_last_bit():
    demes = Demes(2, migrants=1)
    scores = [np.concatenate([half, half]) for half in (NEARLY, EQUAL)]
    assert (demes.migrated(scores[0]) == demes.migrated(scores[1])).all()
