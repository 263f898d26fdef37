"""Tic-tac-toe: counts, exact values, and every probability of exercise 13.3."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve

from induce.core.errors import InputError
from induce.environments import (
    ForcedMoves,
    PerfectPlayer,
    RandomPlayer,
    TicTacToe,
    Turn,
    against,
    count_sequences,
    find_game,
    match,
    play,
)
from induce.reinforcement import DynamicProgramming

GAME = TicTacToe()
BLOCKS = ForcedMoves(win=False)
OPPONENTS = {"random": RandomPlayer(), "blocks": BLOCKS, "wins and blocks": ForcedMoves()}
# expected result; how likely the best policies win, from the fewest wins to the most: equally
# good moves may differ in how often they win, draw and lose
EXERCISE = {
    ("random", True): (0.99479, 0.99479, 0.99479),
    ("random", False): (0.92487, 0.92910, 0.93439),
    ("blocks", True): (0.92708, 0.92708, 0.94271),
    ("blocks", False): (0.46667, 0.47619, 0.53492),
    ("wins and blocks", True): (0.92708, 0.92708, 0.92708),
    ("wins and blocks", False): (0.40000, 0.43810, 0.46349),
}
# win, draw and loss of one best policy each, as printed in the solution
PRINTED = {
    ("random", True): (0.99479, 0.00521, 0),
    ("random", False): (0.93228, 0.06032, 0.00741),
    ("blocks", True): (0.92708, 0.07292, 0),
    ("blocks", False): (0.50317, 0.46032, 0.03651),
    ("wins and blocks", True): (0.92708, 0.07292, 0),
    ("wins and blocks", False): (0.44127, 0.51746, 0.04127),
}


def chances_of_results(mdp, policy):
    """The probability of each result under a policy: the chain of the chosen pairs, solved."""
    n = mdp.n_states
    rows, columns, shares = [], [], []
    for state in np.flatnonzero(policy.choice >= 0):
        span = slice(*mdp.first[policy.choice[state] : policy.choice[state] + 2])
        rows += [state] * len(mdp.probability[span])
        columns += mdp.next_state[span].tolist()
        shares += mdp.probability[span].tolist()
    chain = csr_matrix((shares, (rows, columns)), shape=(n, n))
    visits = spsolve((identity(n) - chain).T.tocsc(), mdp.start)
    return [visits[mdp.place(name)] if name in mdp.states else 0.0 for name in ("won", "drawn", "lost")]


@cache
def solved(name, first):
    mdp = against(GAME, OPPONENTS[name], first)
    return mdp, DynamicProgramming(discount=1.0).learn(mdp).hypothesis_


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "first"), EXERCISE)
def test_exercise_13_3(name, first):
    value, least, most = EXERCISE[name, first]
    mdp, policy = solved(name, first)
    assert policy.value() == pytest.approx(value, abs=5e-6)
    for bonus, wins in ((-1e-6, least), (1e-6, most)):
        told = replace(mdp, reward=np.where(mdp.reward == 1, 1 + bonus, mdp.reward))
        choice = DynamicProgramming(discount=1.0, tol=1e-12).learn(told).hypothesis_
        won, drawn, lost = chances_of_results(mdp, choice)
        assert won == pytest.approx(wins, abs=5e-6)
        assert won - lost == pytest.approx(value, abs=5e-6)
        assert won + drawn + lost == pytest.approx(1)
    won, drawn, lost = PRINTED[name, first]
    assert least - 5e-6 <= won <= most + 5e-6
    assert (won - lost, won + drawn + lost) == pytest.approx((value, 1), abs=2e-5)


def test_states_and_pairs_of_exercise_13_3():
    for first, states, pairs in ((True, 2423, 8631), (False, 2097, 7536)):
        mdp = solved("random", first)[0]
        assert (mdp.n_states - 3, mdp.n_pairs) == (states, pairs)


def test_first_moves_of_exercise_13_3():
    worth = {"random": (0.99479, 0.98958, 0.98698), "blocks": (0.92708, 0.83333, 0.84896)}
    for name, (corner, centre, edge) in worth.items():
        values = solved(name, True)[1].action_values("." * 9)
        for square in "13579":
            assert values[square] == pytest.approx(centre if square == "5" else corner, abs=5e-6)
        for square in "2468":
            assert values[square] == pytest.approx(edge, abs=5e-6)


def test_numbers_of_games():
    counts = count_sequences(GAME, 10)
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]


def test_perfect_play_is_a_draw_and_never_loses():
    perfect = PerfectPlayer(GAME)
    assert perfect.value(GAME.start()) == 0
    assert match(GAME, perfect, perfect, games=6, random_state=0).drawn == 6
    found = match(GAME, perfect, RandomPlayer(), games=40, random_state=0)
    assert found.lost == 0
    assert found.won > 30
    assert len(perfect._values) == 5478


def test_views_are_turned():
    position = GAME.start()
    for square in (4, 0, 8):
        moves, after = GAME.moves(position)
        position = after[moves.index(square)]
    assert GAME.state_name(position) == "O...X...X"
    assert position.tolist() == [1, 0, 0, 0, -1, 0, 0, 0, -1]
    turned = GAME.features(np.array([position, -position]))
    assert turned[0, 0::2].tolist() == turned[1, 1::2].tolist()


def test_moves_that_people_type():
    taken = GAME.moves(GAME.start())[1][0]
    assert GAME.parse_move(" 2 ", taken) == 0
    with pytest.raises(
        InputError, match=r"'1' is not a legal move here; the moves are 2, 3, 4, 5, 6, 7, 8, 9"
    ):
        GAME.parse_move("1", taken)
    with pytest.raises(InputError, match="is not a legal move"):
        GAME.parse_move("", taken)
    with pytest.raises(InputError, match=r"there is no game 'go'; the games are .*tic-tac-toe"):
        find_game("go")


def test_blocking_comes_before_chance_and_winning_before_blocking():
    position = np.array([1, 1, 0, -1, -1, 0, 0, 0, 0], dtype=np.int8)
    turn = Turn.of(GAME, position)
    assert turn.moves[int(np.argmax(ForcedMoves().chances(turn)))] == 2
    assert turn.moves[int(np.argmax(BLOCKS.chances(turn)))] == 5


def test_same_seed_same_games():
    players = (RandomPlayer(), ForcedMoves())
    records = [str(play(GAME, players, np.random.default_rng(3))) for _ in range(2)]
    assert records[0] == records[1]


def test_a_perfect_player_names_the_best_move():
    game = TicTacToe()
    perfect = PerfectPlayer(game)
    first = Turn.of(game, game.start(), None)
    assert "all moves are equally good; a draw under perfect play" in perfect.reasons(first)
    second = Turn.of(game, first.after[0], None)
    assert perfect.reasons(second).splitlines() == [
        "best: 5 (a draw under perfect play)",
        "worse: 2, 3, 4, 6, 7, 8, 9 (loses under perfect play)",
    ]
