"""`induce play` and `induce match`: a person at the board, hints with reasons, and matches of players."""

import re

import numpy as np
import pytest

import induce
from induce.reinforcement import Evaluation, LinearValue


@pytest.fixture
def player(tmp_path):
    """A model file: the fixed evaluation function of tic-tac-toe."""
    path = tmp_path / "player.induce"
    induce.save(Evaluation("tic-tac-toe", LinearValue(np.array([0.0, 1, -1, 10, -20, 100, -100]))), path)
    return path


def test_a_game_with_a_hint(run, player):
    result = run(
        "play", "tic-tac-toe", "--against", player, "--seed", 1, stdin=b"moves\nhint\n5\nboard\n\n5\nq\n"
    )
    assert result.code == 0, result.err
    assert "1, 2, 3, 4, 5, 6, 7, 8, 9" in result.out
    assert "5, worth 4\n  move  V  own 1\n  5     4     +4" in result.out
    assert "the other plays" in result.out
    assert "'5' is not a legal move here; the moves are" in result.out
    assert result.out.splitlines()[-1] == "left after 2 moves"
    assert result.err == ""


def test_a_game_to_its_end(run):
    def typed(*squares: int) -> bytes:
        return "".join(f"{square}\n" for square in squares).encode()

    # squares that are taken are refused, so that each of these games comes to its end
    ends = {
        run("play", "tic-tac-toe", "--seed", seed, stdin=typed(*range(1, 10))).out.splitlines()[-1]
        for seed in range(8)
    }
    assert ends <= {"you won", "you lost", "a draw"}
    assert "you won" in ends
    lost = run(
        "play", "tic-tac-toe", "--against", "perfect", "--second", "--seed", 0, stdin=typed(*range(9, 0, -1))
    )
    assert lost.out.splitlines()[-1] in ("you lost", "a draw")
    assert lost.out.splitlines()[1].startswith("the other plays ")


def test_the_end_of_the_input_is_a_clean_end(run):
    result = run("play", "checkers", stdin=b"hint\n12-17")
    assert result.code == 0
    assert (
        "it would play 9-13 (14%), 9-14 (14%), 10-14 (14%), 10-15 (14%), 11-15 (14%) or another" in result.out
    )
    assert "'12-17' is not a legal move here; the moves are 9-13, 9-14, 10-14" in result.out
    assert result.out.splitlines()[-1] == "left after 0 moves"


def test_moves_of_the_other_are_counted_from_the_own_side(run):
    result = run("play", "checkers", "--second", "--seed", 0)
    told = next(line for line in result.out.splitlines() if line.startswith("the other plays"))
    first, last = map(int, told.removeprefix("the other plays ").split("-"))
    assert 21 <= first <= 24
    assert f"o{last}" in result.out
    assert f".{first}" in result.out


def test_a_game_with_dice(run):
    result = run("play", "backgammon", "--second", "--seed", 1, stdin=b"hint\nnonsense\n")
    assert result.code == 0
    lines = result.out.splitlines()
    assert re.fullmatch(r"the other plays \d-\d: .+/.+", lines[1])
    assert re.search(r"^your move with \d-\d: hint$", result.out, re.MULTILINE)
    assert "'nonsense' is not a legal move here; the moves are" in result.out
    assert lines[-1] == "left after 1 move"


def test_hints_of_somebody_else(run, player):
    result = run("play", "tic-tac-toe", "--hints", player, stdin=b"hint\n")
    assert "5, worth 4" in result.out


def test_matches(run, player):
    result = run("match", player, "random", "--games", 40)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == f"{player} against random, 40 games of tic-tac-toe"
    found = run("match", player, "random", "--games", 40, "--json").json
    assert lines[1] == f"won {found['won']}, drawn {found['drawn']}, lost {found['lost']}"
    assert lines[2].startswith(f"win rate {found['win_rate']:.1%}, ")
    assert "95% interval [" in lines[2]
    assert ("draws counting half" in lines[2]) == (found["drawn"] > 0)
    assert found["interval"][0] < found["win_rate"] == (found["won"] + found["drawn"] / 2) / 40
    assert found["win_rate"] > 0.75
    other = run("match", "random", player, "--games", 40, "--json").json
    assert other["won"] < 10
    assert run("match", "material", "random", "--game", "checkers", "--games", 2).code == 0
    assert (
        run("match", "perfect", "perfect", "--game", "tic-tac-toe", "--games", 4, "--json").json["drawn"] == 4
    )


def test_what_is_refused(run, player, tennis, tmp_path):
    assert "there is no game 'chess'; the games are" in run("play", "chess").sentence()
    assert "there is no player 'nobody'" in run("play", "checkers", "--against", "nobody").sentence()
    assert "plays tic-tac-toe, not checkers" in run("play", "checkers", "--against", player).sentence()
    assert "contains a Tree, which does not play games" in run("match", tennis, "random").sentence()
    assert (
        "the material player plays checkers" in run("play", "tic-tac-toe", "--against", "material").sentence()
    )
    assert "backgammon has dice" in run("play", "backgammon", "--against", "perfect").sentence()
    assert "name the game with --game" in run("match", "random", "random").sentence()
    assert "games is 0" in run("match", player, "random", "--games", 0).sentence()
    assert "Invalid value for '--seed'" in run("play", "tic-tac-toe", "--seed", -1).sentence()
    other = tmp_path / "checkers.induce"
    induce.save(Evaluation("checkers", LinearValue(np.zeros(7))), other)
    assert "they cannot meet" in run("match", player, other).sentence()
    broken = tmp_path / "broken.induce"
    broken.write_bytes(other.read_bytes()[:100])
    assert "broken.induce" in run("match", broken, "random").sentence()
