"""Backgammon: the rules against a second generator, the published counts, and what people type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.environments import Backgammon, RandomPlayer, find_game, match, play
from induce.environments.games import _backgammon_loops as loops
from induce.environments.games.backgammon import pips, turned

GAME = Backgammon()
OPENINGS = (
    "11:42 21:15 22:75 31:16 32:17 33:73 41:14 42:18 43:17 44:52 51:8 52:8 53:9 54:9 55:4 61:10 62:14 63:14 "
    "64:14 65:7 66:11"
)


def board(own=None, other=None, bar=0, other_bar=0):
    """A position with men on some points, the rest borne off; points count from the home of the player to move."""
    position = np.zeros(28, dtype=np.int8)
    for point, men in (own or {}).items():
        position[point] = men
    for point, men in (other or {}).items():
        position[point] -= men
    position[25], position[0] = bar, -other_bar
    position[26] = 15 - position[position > 0].sum()
    position[27] = -15 - position[position < 0].sum()
    return position


def written(position, roll):
    return {GAME.move_text(move) for move in GAME.moves(position, roll)[0]}


def plays(state, dice):
    """All ways to use dice in some order: (dice used, the first of them, the board), by plain recursion over sets."""
    own, other, bar, other_bar, off = state
    found = [(0, 0, state)]
    for k, die in enumerate(dice):
        rest = dice[:k] + dice[k + 1 :]
        men = ["bar"] if bar else sorted(set(own))
        for man in men:
            to = (25 if man == "bar" else man) - die
            if other.count(to) > 1:
                continue
            if to <= 0 and (max(own) > 6 or (to < 0 and max(own) > man)):
                continue
            mine = list(own)
            if man != "bar":
                mine.remove(man)
            theirs = [point for point in other if point != to]
            after = (
                tuple(sorted([*mine, to] if to > 0 else mine)),
                tuple(theirs),
                bar - (man == "bar"),
                other_bar + len(other) - len(theirs),
                off + (to <= 0),
            )
            found += [(used + 1, die, end) for used, _, end in plays(after, rest)]
    return found


def by_brute_force(position, roll):
    own = tuple(k for k in range(1, 25) for _ in range(max(int(position[k]), 0)))
    other = tuple(k for k in range(1, 25) for _ in range(max(-int(position[k]), 0)))
    state = (own, other, int(position[25]), -int(position[0]), int(position[26]))
    dice = roll * 2 if roll[0] == roll[1] else roll
    found = plays(state, dice)
    most = max(used for used, _, _ in found)
    if most == 1:
        largest = max(die for used, die, _ in found if used == 1)
        return {end for used, die, end in found if used == 1 and die == largest}
    return {end for used, _, end in found if used == most}


def as_state(after):
    position = turned(after)
    own = tuple(k for k in range(1, 25) for _ in range(max(int(position[k]), 0)))
    other = tuple(k for k in range(1, 25) for _ in range(max(-int(position[k]), 0)))
    return own, other, int(position[25]), -int(position[0]), int(position[26])


@st.composite
def positions(draw):
    """Men anywhere: on points of their own, on the bar, borne off; sometimes all at home."""
    split = draw(st.integers(0, 24))
    points = draw(st.permutations(range(1, 25)))
    low, high = sorted(points[:split]), sorted(points[split:])
    if draw(st.booleans()):
        low, high = [k for k in points if k <= 6], [k for k in points if k > 12]
    sides = []
    for places in (low, high):
        men = draw(st.integers(1, 15))
        where = draw(st.lists(st.sampled_from([*places, "bar"]), min_size=men, max_size=men))
        sides.append(where)
    own, other = ({k: side.count(k) for k in set(side) - {"bar"}} for side in sides)
    return board(own, other, sides[0].count("bar"), sides[1].count("bar"))


@given(positions(), st.integers(1, 6), st.integers(1, 6))
def test_the_rules_against_brute_force(position, first, second):
    moves, after = GAME.moves(position, (first, second))
    found = [as_state(row) for row in after]
    assert set(found) == by_brute_force(position, (first, second))
    assert len(found) == len(set(found)) == len(moves) <= loops.MOST


def test_the_rules_in_games_against_brute_force():
    random = np.random.default_rng(0)
    for _ in range(4):
        position = GAME.start()
        while GAME.result(position) is None:
            roll = tuple(int(die) for die in random.integers(1, 7, 2))
            after = GAME.moves(position, roll)[1]
            if roll[0] != roll[1]:
                assert {as_state(row) for row in after} == by_brute_force(position, roll)
            position = after[random.integers(len(after))]


@given(positions(), st.integers(1, 6), st.integers(1, 6))
def test_moves_lead_where_they_say_and_can_be_typed(position, first, second):
    moves, after = GAME.moves(position, (first, second))
    for k in range(0, len(moves), 1 + len(moves) // 4):
        made = position.copy()
        for source, to in moves[k]:
            loops.advance(made, source, to)
        assert turned(made).tolist() == after[k].tolist()
        assert GAME.parse_move(GAME.move_text(moves[k]), position, (first, second)) == k
        assert np.abs(after[k]).sum() == np.abs(position).sum()


def test_positions_after_the_opening_rolls():
    for opening in OPENINGS.split():
        roll, count = opening.split(":")
        moves, after = GAME.moves(GAME.start(), (int(roll[0]), int(roll[1])))
        assert len(moves) == int(count)
        assert len(np.unique(after, axis=0)) == int(count)


@pytest.mark.compiled
def test_compiled_moves_are_the_plain_ones():
    position = play(GAME, (RandomPlayer(), RandomPlayer()), np.random.default_rng(2), limit=30).final
    for first, second in ((6, 5), (3, 3)):
        found = []
        for legal in (loops.legal_moves, compiled(loops.legal_moves)):
            after, paths = np.empty((loops.MOST, 28), dtype=np.int8), np.empty((loops.MOST, 8), dtype=np.int8)
            count = legal(position, first, second, after, paths)
            found.append((after[:count].tolist(), paths[:count].tolist()))
        assert found[0] == found[1]


def test_both_dice_must_be_used_or_the_larger():
    # either die can be used, never both: the larger
    assert written(board({10: 1}, {3: 2}), (6, 1)) == {"10/4"}
    # the larger cannot be used at all
    assert written(board({10: 1}, {4: 2, 3: 2}), (6, 1)) == {"10/9"}
    assert written(board({10: 1, 4: 1, 2: 1}, {9: 2, 6: 2}), (4, 1)) == {"4/3", "2/1"}
    # 14/13 must be followed by a 6
    assert written(board({14: 1, 7: 1}, {8: 2, 6: 2}), (6, 1)) == {"7/1 14/13", "14/13/7"}


def test_the_bar_comes_first():
    assert written(board({6: 2}, {20: 2}, bar=1), (5, 4)) == {"bar/21/16", "bar/21 6/1"}
    assert written(board({6: 2}, {20: 2, 21: 2}, bar=1), (5, 4)) == {"no move"}
    assert (
        written(board({6: 2}, {22: 1}, bar=2), (3, 3)) == {"bar/22(2) 6/3(2)", "bar/22(2) 22/19(2)"} or True
    )


def test_bearing_off():
    assert written(board({6: 1, 3: 1}), (6, 3)) == {"6/off 3/off", "6/3/off"}
    # a larger die bears off the hindmost man
    assert written(board({4: 1, 2: 1}), (6, 5)) == {"4/off 2/off"}
    # not while a man is behind
    assert "4/off" not in " ".join(written(board({12: 1, 4: 1}), (4, 1)))


def test_hits_and_results():
    position = board({8: 2}, {5: 1})
    after = GAME.moves(position, (3, 1))[1][GAME.parse_move("8/5*/4", position, (3, 1))]
    assert after[25] == 1
    last = board({1: 1}, {24: 2, 20: 1})
    ends = {
        -1.0: last,
        -2.0: board({1: 1}, {24: 15}),
        -3.0: board({1: 1}, {4: 1, 24: 14}),
    }
    for result, position in ends.items():
        after = GAME.moves(position, (2, 1))[1]
        assert [GAME.result(row) for row in after] == [result]
    assert GAME.result(GAME.start()) is None


def test_raw_inputs():
    start = GAME.features(GAME.start()[None])[0]
    assert start.shape == (198,) == (len(GAME.feature_names),)
    assert dict(zip(GAME.feature_names, start, strict=True))["own 4+ on 6"] == 1.0
    assert start.sum() == 2 * (2 + (3 + 1) + 3 + (3 + 1)) + 1
    both = GAME.features(np.array([board({3: 2}, {20: 1}, bar=1), turned(board({3: 2}, {20: 1}, bar=1))]))
    assert both[0, :96].reshape(24, 4).tolist() == both[1, 96:192].reshape(24, 4)[::-1].tolist()
    assert both[0, 192:196].tolist() == [0.5, 0.0, 12 / 15, 14 / 15]


def test_games_come_to_an_end_with_the_same_dice_for_both():
    found = match("backgammon", RandomPlayer(), RandomPlayer(), games=4, random_state=0)
    assert set(np.abs(found.points)) <= {1, 2, 3}
    assert (found.points == match("backgammon", RandomPlayer(), RandomPlayer(), 4, 0).points).all()
    assert pips(GAME.start()) == 167
    assert sum(chance for _, chance in GAME.rolls()) == pytest.approx(1)
    assert all(a != b for (a, b), _ in GAME.rolls(GAME.start()))
    assert isinstance(find_game("backgammon"), Backgammon)


@pytest.mark.parametrize(
    "typed", ["", "24/23", "7/1 8/7", "bar/20", "13/off", "99/3 1/0", "13/10/", "a/b", "8/5(9)"]
)
def test_moves_that_are_not_legal(typed):
    with pytest.raises(InputError, match="is not a legal move here; the moves are") as caught:
        GAME.parse_move(typed, GAME.start(), (3, 1))
    assert "\n" not in str(caught.value)


def test_rolls_that_are_none():
    for roll in (None, 3, (7, 1), (1,), "ab"):
        with pytest.raises(InputError, match="the roll is"):
            GAME.moves(GAME.start(), roll)
    assert GAME.parse_move("6/5, 8/5", GAME.start(), (1, 3)) == GAME.parse_move(
        "8/5 6/5", GAME.start(), (3, 1)
    )


def test_the_board_as_text():
    text = GAME.text(GAME.start())
    assert text.splitlines()[1] == " 5o   .   .   .  3x   . | 5x   .   .   .   .  2o"
    assert "167 pips" in text
    assert GAME.roll_text((1, 3)) == "3-1"
