"""Players by name, and perfect players, which refuse games that are too large."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.environments import Backgammon, Checkers, Game, PerfectPlayer, TicTacToe, match
from induce.environments.games import contestants
from induce.environments.games.contestants import contestant


class Countdown(Game):
    """Players take one or two from a heap; who takes the last wins. `passes` lets them take none."""

    name = "countdown"
    players = 2

    def __init__(self, size=5, passes=False):
        self.size, self.passes = size, passes

    def start(self):
        return np.array([self.size])

    def moves(self, position, roll=None):
        taken = [k for k in ((0, 1, 2) if self.passes else (1, 2)) if k <= position[0]]
        return tuple(taken), np.array([[position[0] - k] for k in taken])

    def result(self, position):
        return -1.0 if position[0] == 0 else None

    def features(self, positions):
        return positions.astype(float)

    def text(self, position):
        return str(position[0])


def test_perfect_play_of_a_long_game():
    player = PerfectPlayer(Countdown(3000))
    assert player.value(np.array([3000])) == -1
    assert player.value(np.array([2999])) == 1


def test_large_games_are_refused_with_the_learner_to_use(monkeypatch):
    monkeypatch.setattr(contestants, "MOST_POSITIONS", 1000)
    with pytest.raises(InputError, match=r"checkers has more than 1,000 positions.*GameLearner or TDGammon"):
        PerfectPlayer(Checkers()).value(Checkers().start())
    with pytest.raises(InputError, match=r"tic-tac-toe has more than 1,000 positions"):
        match("tic-tac-toe", "perfect", "random", games=2)
    with pytest.raises(InputError, match=r"backgammon has dice"):
        contestant("perfect", Backgammon())
    with pytest.raises(InputError, match=r"countdown can return to an earlier position"):
        PerfectPlayer(Countdown(3, passes=True)).value(np.array([3]))


def test_a_match_takes_names():
    named = match("tic-tac-toe", "perfect", "random", games=6, random_state=0)
    players = match("tic-tac-toe", PerfectPlayer(TicTacToe()), contestant("random", TicTacToe()), 6, 0)
    assert named.points.tolist() == players.points.tolist()
    with pytest.raises(InputError, match=r"'nobody' is not a player; give a player, or 'random'"):
        match("tic-tac-toe", "nobody", "random")
