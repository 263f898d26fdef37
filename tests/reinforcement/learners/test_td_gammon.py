"""Players that teach themselves: they beat chance, the loops agree, games of one's own, bad input."""

from typing import ClassVar

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.core.randomness import streams
from induce.environments import Backgammon, Game, PerfectPlayer, RandomPlayer, TicTacToe, Turn, match
from induce.reinforcement import TDGammon
from induce.reinforcement.selfplay import _backgammon_loops as backgammon
from induce.reinforcement.selfplay import _loops as loops
from induce.reinforcement.selfplay.player import outcome_levels

QUICK = {"n_hidden": 10, "learning_rate": 0.6, "lambda_": 0.7, "measure_every": 0, "random_state": 0}


def weights(levels, n_inputs=198, n_hidden=3, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(n_inputs + 1, n_hidden)) / 5, random.normal(
        size=(len(levels), n_hidden + 1)
    ) / 5


@pytest.mark.compiled
def test_some_hundred_games_of_backgammon_beat_chance():
    learner = TDGammon(games=500, **QUICK).learn("backgammon")
    player = learner.hypothesis_
    won = np.empty(400)
    compiled(backgammon.against_chance)(
        Backgammon().start(), player.into, player.out, player._gaps, streams(1, n=1)[0], won
    )
    assert (won > 0).mean() > 0.9
    assert won.mean() > 1.5
    assert 20_000 < learner.state_.moves < 60_000
    # the same player, asked move by move
    assert match("backgammon", player, RandomPlayer(), games=10, random_state=0).won >= 8


@pytest.mark.compiled
def test_tic_tac_toe_by_self_play():
    player = (
        TDGammon(10, 400, learning_rate=0.6, lambda_=0.7, measure_every=200).learn(TicTacToe()).hypothesis_
    )
    found = match("tic-tac-toe", player, RandomPlayer(), games=100, random_state=0)
    assert found.win_rate() > 0.85
    assert player.curve[:, 0].tolist() == [200, 400]
    assert match("tic-tac-toe", player, PerfectPlayer(TicTacToe()), games=20, random_state=0).won == 0


@pytest.mark.compiled
@pytest.mark.parametrize("decay", [0.0, 0.7])
def test_whole_games_plain_and_compiled(decay):
    levels, gaps = outcome_levels(Backgammon(), "points")
    found = []
    for play in (backgammon.self_play, compiled(backgammon.self_play)):
        into, out = weights(levels)
        traces = np.zeros((len(levels) if decay else 0, into.size + out.size))
        tally, chance = np.zeros(3), streams(3, n=1)[0]
        start = Backgammon().start()
        start[[13, 12, 6, 19]] = 0  # a shorter game
        start[[26, 27]] = 10, -10
        play(1, start, into, out, levels, gaps, 0.1, decay, traces, chance, tally)
        found.append((into, out, tally, chance))
    for plain, fast in zip(*found, strict=True):
        assert np.allclose(plain, fast, rtol=1e-12, atol=1e-15)


def test_traces_without_decay_are_td_0():
    levels = outcome_levels(Backgammon(), "points")[0]
    random = np.random.default_rng(0)
    x, target = random.integers(0, 2, 6).astype(float), random.random(5)
    results = []
    for decay in (0.0, 1e-300):
        into, out = weights(levels, 6)
        hidden, output = np.empty(3), np.empty(5)
        loops.judge(x, into, out, hidden, output)
        if decay:
            traces = np.zeros((5, into.size + out.size))
            loops.trace_step(x, hidden, output, target, into, out, 0.3, decay, True, traces)
        else:
            loops.td_step(x, hidden, output, target, into, out, 0.3, np.empty(3))
        results.append(np.concatenate([into.ravel(), out.ravel()]))
    assert results[0] == pytest.approx(results[1], rel=1e-12)


def test_with_lambda_1_every_judgement_moves_towards_the_result():
    """The steps of TD(1) add up to gradient steps towards the final result, whoever is to move (Sutton 1988)."""
    levels = np.array([-1.5, 0.0, 1.5])
    random = np.random.default_rng(1)
    rows = random.random((4, 5))
    first_into, first_out = weights(levels, 5)
    rate, result = 1e-6, 2.0  # what who moved first gets, so small steps that the weights hardly change
    into, out = first_into.copy(), first_out.copy()
    traces = np.zeros((3, into.size + out.size))
    hidden, output, following, target = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for k in range(4):
        loops.judge(rows[k], first_into, first_out, hidden, output)
        if k < 3:
            loops.judge(rows[k + 1], first_into, first_out, np.empty(3), following)
            loops.next_target(following, True, target)
        else:
            loops.final_target(-result, levels, target)  # the last to move is the other
        loops.trace_step(rows[k], hidden, output, target, into, out, rate, 1.0, True, traces)
    wished_into, wished_out = first_into.copy(), first_out.copy()
    for k in range(4):
        loops.judge(rows[k], first_into, first_out, hidden, output)
        loops.final_target(result if k % 2 == 0 else -result, levels, target)
        loops.td_step(rows[k], hidden, output, target, wished_into, wished_out, rate, np.empty(3))
    assert (into - first_into) / rate == pytest.approx((wished_into - first_into) / rate, abs=1e-4)
    assert (out - first_out) / rate == pytest.approx((wished_out - first_out) / rate, abs=1e-4)


class Nim(Game):
    """Take one, two or three of ten matches; who takes the last wins."""

    name: ClassVar[str] = "nim"
    feature_names: ClassVar[tuple[str, ...]] = tuple(f"{k} left" for k in range(11))

    def start(self):
        return np.array([10], dtype=np.int8)

    def moves(self, position, roll=None):
        taken = tuple(k for k in (1, 2, 3) if k <= position[0])
        return taken, np.array([[position[0] - k] for k in taken], dtype=np.int8)

    def result(self, position):
        return -1.0 if position[0] == 0 else None

    def features(self, positions):
        return (positions == np.arange(11)).astype(np.float64)

    def text(self, position):
        return "|" * int(position[0])


class Climb(Nim):
    """A game of one player with a die: reach ten with as many pips as one dares; more than ten loses."""

    name: ClassVar[str] = "climb"
    players: ClassVar[int] = 1

    def start(self):
        return np.array([0, 0], dtype=np.int8)

    def rolls(self, position=None):
        return ((3, 0.5), (5, 0.5))

    def moves(self, position, roll=None):
        return ("take", "pass"), np.array(
            [[position[0] + roll, 0], [position[0], position[1] + 1]], dtype=np.int8
        )

    def result(self, position):
        if position[0] >= 10:
            return 1.0 if position[0] == 10 else -1.0
        return -1.0 if position[1] > 3 else None

    def features(self, positions):
        return (np.minimum(positions[:, :1], 10) == np.arange(11)).astype(np.float64)


@pytest.mark.compiled
def test_a_game_of_ones_own(tmp_path):
    learner = TDGammon(8, 1000, exploration=0.3, lambda_=0.5, measure_every=0).learn(Nim())
    player = learner.hypothesis_
    # who is left with a multiple of four loses
    for left in (5, 6, 7, 9, 10):
        reasons = player.explain([left])
        assert int(reasons.moves[0].move) == left % 4
    assert "worth +" in str(player.explain([3]))
    induce.save(learner, tmp_path / "nim.induce")
    assert induce.load_hypothesis(tmp_path / "nim.induce") == player
    assert player.value([4]) < player.value([5])


def test_a_game_of_one_player_with_dice():
    player = TDGammon(4, 600, measure_every=300).learn(Climb()).hypothesis_
    assert player.curve[-1, 2] > 0.5  # 5 + 5 is reached: a 3 is passed
    assert player.explain([5, 0], 5).moves[0].move == "take"
    assert player.explain([5, 0], 3).moves[0].move == "pass"


@pytest.mark.compiled
def test_what_a_player_says():
    player = TDGammon(games=100, **QUICK).learn("backgammon").hypothesis_
    reasons = player.explain(Backgammon().start(), (3, 1))
    assert len(reasons.moves) == 16
    assert reasons.names == ("win", "win 2", "win 3", "lose 2", "lose 3")
    values = [move.points for move in reasons.moves]
    assert values == sorted(values, reverse=True)
    for move in reasons.moves:
        win, gammon, backgammons, lost, lost3 = move.chances
        assert move.points == pytest.approx(2 * win - 1 + gammon + backgammons - lost - lost3)
    turn = Turn.of(Backgammon(), Backgammon().start(), (3, 1))
    assert (
        turn.game.move_text(turn.moves[player.choose(turn, np.random.default_rng())]) == reasons.moves[0].move
    )
    end = np.zeros(28, dtype=np.int8)
    end[[1, 27]] = 15, -15
    assert player.value(end) == -2


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_hidden": 0}, "n_hidden is 0"),
        ({"games": -1}, "games is -1"),
        ({"learning_rate": 2}, "learning_rate is 2; it must be a number from 0 to 1"),
        ({"lambda_": "a"}, "lambda_ is 'a'"),
        ({"objective": "gold"}, "objective is 'gold'; it can be 'points', 'wins'"),
        ({"exploration": float("nan")}, "exploration is nan"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(InputError, match=sentence):
        TDGammon(**parameters).learn("tic-tac-toe")


def test_what_does_not_fit():
    learner = TDGammon(2, 2, measure_every=0, random_state=0).learn("tic-tac-toe")
    with pytest.raises(InputError, match="this learner has played tic-tac-toe, not backgammon"):
        learner.resume("backgammon")
    with pytest.raises(InputError, match="n_hidden, objective or the game changed"):
        learner.set_params(n_hidden=3).resume("tic-tac-toe")
    player = learner.hypothesis_
    with pytest.raises(InputError, match="this player plays tic-tac-toe, not backgammon"):
        player.choose(Turn.of(Backgammon(), Backgammon().start(), (2, 1)), np.random.default_rng())
    with pytest.raises(InputError, match="a position of tic-tac-toe is an array of 9 whole numbers"):
        player.explain([1, 2])
    with pytest.raises(InputError, match="the game is over"):
        player.explain([1, -1, 1, 1, -1, 1, -1, 1, -1])
