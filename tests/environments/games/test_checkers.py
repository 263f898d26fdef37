"""Checkers: counts of move sequences, the rules one by one, and the six features."""

from itertools import pairwise

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.environments import Checkers, MaterialPlayer, RandomPlayer, TicTacToe, Turn, match, play
from induce.environments.games import _checkers_loops as loops
from induce.environments.games.checkers import DRAWN, SQUARES

GAME = Checkers()


# --- the rules once more, over a dict of coordinates, as simply as they can be put -------------------------------


def coordinates(square):
    return square // 4, 2 * (square % 4) + (square // 4 + 1) % 2


def brute_jumps(board, at, piece, crowned):
    """Every way to take pieces to the end, as lists of coordinates."""
    found = []
    ahead = (1, -1) if piece == 2 else (1,)
    for up in () if crowned else ahead:
        for side in (-1, 1):
            over, to = (at[0] + up, at[1] + side), (at[0] + 2 * up, at[1] + 2 * side)
            on_board = 0 <= to[0] < 8 and 0 <= to[1] < 8
            if on_board and board.get(over, 0) < 0 and to not in board:
                rest = {place: other for place, other in board.items() if place != over}
                found += [[at, *path] for path in brute_jumps(rest, to, piece, piece == 1 and to[0] == 7)]
    return found or [[at]]


def brute_moves(board):
    jumps, steps = [], []
    for at, piece in board.items():
        if piece < 0:
            continue
        others = {place: other for place, other in board.items() if place != at}
        jumps += [path for path in brute_jumps(others, at, piece, False) if len(path) > 1]
        for up in (1, -1) if piece == 2 else (1,):
            for side in (-1, 1):
                to = (at[0] + up, at[1] + side)
                if 0 <= to[0] < 8 and 0 <= to[1] < 8 and to not in board:
                    steps.append([at, to])
    return jumps or steps


def brute_after(board, path):
    piece = 2 if path[-1][0] == 7 else board[path[0]]
    left = dict(board)
    del left[path[0]]
    for a, b in pairwise(path):
        left.pop(((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) if abs(a[0] - b[0]) == 2 else None, None)
    left[path[-1]] = piece
    return {(7 - row, 7 - column): -other for (row, column), other in left.items()}


def as_dict(position):
    return {coordinates(k): int(position[k]) for k in range(SQUARES) if position[k]}


def at(*places):
    """The squares at coordinates (row, column), row 0 at the own side."""
    return [4 * row + column // 2 + 1 for row, column in places]


@pytest.fixture(params=["plain", pytest.param("compiled", marks=pytest.mark.compiled)])
def generator(request):
    return loops.legal_moves if request.param == "plain" else compiled(loops.legal_moves)


def sequences(generator, position, depth):
    paths, after = np.empty((64, loops.LONGEST), np.int8), np.empty((64, SQUARES + 1), np.int8)
    n = generator(position, paths, after)
    return n if depth == 1 else sum(sequences(generator, after[k], depth - 1) for k in range(n))


def test_counts_of_move_sequences(generator):
    deep = generator is not loops.legal_moves
    known = [7, 49, 302, 1469, 7361, 36768, 179740][: 7 if deep else 3]
    assert [sequences(generator, GAME.start(), depth + 1) for depth in range(len(known))] == known


def test_moves_of_random_games_are_those_of_the_rules():
    checked = 0
    for seed in range(6):
        record = play(GAME, (RandomPlayer(), RandomPlayer()), np.random.default_rng(seed))
        for turn in record.turns[:: 1 + seed]:
            board = as_dict(turn.position)
            paths = brute_moves(board)
            expected = {(tuple(path), frozenset(brute_after(board, path).items())) for path in paths}
            found = {
                (tuple(map(coordinates, move)), frozenset(as_dict(after).items()))
                for move, after in zip(turn.moves, turn.after, strict=True)
            }
            assert found == expected
            assert len(turn.moves) == len(paths)
            checked += any(len(path) > 2 for path in paths)
    assert checked > 0  # a move that takes several pieces was among them


def texts(position):
    return [GAME.move_text(move) for move in GAME.moves(position)[0]]


def test_the_board_of_the_addendum():
    black = at((2, 3), (4, 3), (6, 7), (1, 6))
    red, king = at((3, 4), (5, 2)), at((5, 6))
    position = GAME.position(men=black, other_men=red, other_kings=king)
    assert GAME.features(position[None]).tolist() == [[4, 3, 0, 1, 1, 2]]
    moved = [(coordinates(move[0]), coordinates(move[-1])) for move in GAME.moves(position)[0]]
    assert sorted(moved) == [((2, 3), (4, 5)), ((4, 3), (6, 1))]
    turned = np.append(-position[:SQUARES][::-1], np.int8(0))
    assert GAME.features(turned[None]).tolist() == [[3, 4, 1, 0, 2, 1]]
    [(first, last)] = [(coordinates(move[0]), coordinates(move[-1])) for move in GAME.moves(turned)[0]]
    assert (first, last) == ((7 - 3, 7 - 4), (7 - 1, 7 - 2))
    assert GAME.features(GAME.start()[None]).tolist() == [[12, 12, 0, 0, 0, 0]]


@pytest.mark.compiled
def test_features_plain_and_compiled():
    record = play(GAME, (RandomPlayer(), RandomPlayer()), np.random.default_rng(3))
    boards = np.array([turn.position for turn in record.turns])
    plain, fast = np.empty((len(boards), 6)), np.empty((len(boards), 6))
    loops.count_features(boards.copy(), plain)
    compiled(loops.count_features)(boards.copy(), fast)
    assert np.array_equal(plain, fast)
    assert plain[:, 4:].max() > 1


def test_a_crowned_man_takes_no_more_and_a_king_does():
    other = [26, 27]  # beside each other: one on the way to the last row, one on the way back
    assert texts(GAME.position(men=[22], other_men=other)) == ["22x31"]
    assert texts(GAME.position(kings=[22], other_men=other)) == ["22x31x24"]
    after = GAME.moves(GAME.position(men=[22], other_men=other))[1][0]
    assert after[SQUARES - 31] == -2


def test_a_king_takes_in_a_circle_and_the_way_must_be_told():
    position = GAME.position(kings=[10], other_men=at((3, 4), (5, 4), (5, 2), (3, 2)))
    around = ["10x17x26x19x10", "10x19x26x17x10"]
    assert sorted(texts(position)) == around
    with pytest.raises(InputError, match=f"the moves are {', '.join(texts(position))}"):
        GAME.parse_move("10x10", position)
    for text in around:
        assert texts(position)[GAME.parse_move(text, position)] == text
    assert GAME.features(position[None]).tolist() == [[1, 4, 1, 0, 1, 4]]


def test_the_end_of_a_game():
    assert GAME.result(GAME.position(other_men=[20])) == -1
    assert GAME.result(GAME.position(men=[5], other_men=[9, 14])) == -1  # blocked
    kings = GAME.position(kings=[1], other_kings=[32])
    assert GAME.result(kings) is None
    for moves_ago in (DRAWN - 1, DRAWN):
        kings[SQUARES] = moves_ago
        assert (GAME.result(kings) == 0) == (moves_ago == DRAWN)
    after = GAME.moves(GAME.position(men=[9], kings=[1], other_kings=[32]))
    counts = dict(zip(map(GAME.move_text, after[0]), after[1][:, SQUARES].tolist(), strict=True))
    assert counts == {"1-5": 1, "1-6": 1, "9-13": 0, "9-14": 0}


def test_moves_that_people_type():
    start = GAME.start()
    for text in ("11-15", " 11 15 ", "11x15", "11,15"):
        assert GAME.move_text(GAME.moves(start)[0][GAME.parse_move(text, start)]) == "11-15"
    jump = GAME.position(men=[1], other_men=[6, 15])
    assert GAME.parse_move("1x19", jump) == GAME.parse_move("1x10x19", jump) == 0
    for text in ("", "1", "11-16-20", "hello", "99-1", "-11-15", "²"):
        with pytest.raises(InputError, match="is not a legal move here; the moves are 9-13, 9-14"):
            GAME.parse_move(text, start)


def test_positions_that_cannot_be():
    with pytest.raises(InputError, match="no square 33"):
        GAME.position(men=[33])
    with pytest.raises(InputError, match="two pieces on square 4"):
        GAME.position(men=[4], kings=[4])
    with pytest.raises(InputError, match="it would be a king"):
        GAME.position(other_men=[1])


def test_more_moves_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr("induce.environments.games.checkers.ROOM", 2)
    assert len(GAME.moves(GAME.start())[0]) == 7


def test_the_material_player_takes_what_it_can():
    position = GAME.position(men=[10, 22], other_men=[14, 15, 23, 29], other_kings=[26])
    turn = Turn.of(GAME, position)
    lost = {
        text: -int(after[:SQUARES].sum()) for text, after in zip(texts(position), turn.after, strict=True)
    }
    best = [
        text for text, chance in zip(texts(position), MaterialPlayer().chances(turn), strict=True) if chance
    ]
    assert best == [text for text in lost if lost[text] == max(lost.values())]
    assert len(best) < len(lost)
    with pytest.raises(InputError, match="plays checkers, not tic-tac-toe"):
        match(TicTacToe(), MaterialPlayer(), RandomPlayer(), 2, 0)
