"""Mitchell, chapter 1: the checkers learner, LMS and the tic-tac-toe learner."""

from __future__ import annotations

import numpy as np

from induce.environments import Checkers, Contestant, RandomPlayer, count_sequences, match
from induce.reinforcement import (
    LMS,
    LeastSquares,
    LinearProgramming,
    LinearValue,
    checkers_learner,
    tic_tac_toe_learner,
)
from induce.reinforcement.design.modules import training_values
from induce.textbook.result import Outcome, Result

TRACE = np.array([[12.0, 12, 0, 0, 0, 0], [11, 10, 0, 0, 1, 0], [6, 1, 1, 0, 0, 1], [3, 0, 1, 0, 0, 0]])


def _example() -> Outcome:
    learned = LMS(0.1, normalised=False).fit(TRACE[3:], [100.0])
    assert isinstance(learned, LinearValue)
    weights = learned.weights
    return Outcome(
        f"w0 = {weights[0]:g}, w1 = {weights[1]:g}, w3 = {weights[3]:g}, the others 0",
        bool(np.allclose(weights, [10, 30, 0, 10, 0, 0, 0])),
        "from zero weights, with the book's step size of 0.1",
    )


def _step() -> Outcome:
    start = TRACE[:1]
    # from zero weights, an update reduces the error on the same board by the step size times this factor
    share = float(LMS(0.001, normalised=False).fit(start, [1.0]).values(start)[0]) / 0.001
    factor = 1 - 0.1 * share
    return Outcome(
        f"repeating the first board multiplies its error by {factor:.4g}; the step size must be below "
        f"{2 / share:.3g}",
        round(factor, 6) == -27.9,
    )


def _values() -> Outcome:
    estimates = LinearValue(np.array([0.0, 10, -10, 30, -30, -5, 5])).values(TRACE)
    found = training_values(estimates, 100, "strict").tolist()
    return Outcome(
        ", ".join(f"{value:g}" for value in found),
        found == [5, 85, 60, 100],
        "with weights 0, 10, -10, 30, -30, -5, 5 and a won game of four boards",
    )


def _alternatives() -> Outcome:
    X, v = np.array([[0.0], [1], [2], [3]]), np.array([0.0, 1, 2, 9])
    squares = LeastSquares().fit(X, v)
    absolute = LinearProgramming().fit(X, v)
    largest = LinearProgramming(loss="largest").fit(X, v)
    sums = float(np.abs(v - absolute.values(X)).sum()), float(np.abs(v - largest.values(X)).max())
    assert isinstance(squares, LinearValue)
    return Outcome(
        f"least squares {squares.weights[0]:.3g}, {squares.weights[1]:.3g}; smallest sum of absolute "
        f"errors {sums[0]:.3g}; smallest maximum error {sums[1]:.3g}",
        bool(np.allclose(squares.weights, [-1.2, 2.8]) and np.allclose(sums, [6, 2])),
        "the values 0, 1, 2, 9 of the boards 0, 1, 2, 3",
    )


def _moves() -> Outcome:
    found = count_sequences(Checkers(), 4)
    return Outcome(", ".join(map(str, found)), found == [7, 49, 302, 1469])


def _checkers() -> Outcome:
    learned = checkers_learner(games=25, random_state=1).learn("checkers").hypothesis_
    before = match("checkers", learned.after_games(0), RandomPlayer(), 20, 0)
    after = match("checkers", learned, RandomPlayer(), 20, 0)
    return Outcome(
        f"{before.won} of 20 games won before, {after.won} after 25 practice games",
        after.won >= 19 > before.won,
        "against random play; the benchmarks show results with more games",
    )


def _tic_tac_toe() -> Outcome:
    learner = tic_tac_toe_learner(games=200, random_state=0)
    opponent = learner.experience
    assert isinstance(opponent, Contestant)
    learned = learner.learn("tic-tac-toe").hypothesis_
    found = [match("tic-tac-toe", learned.after_games(games), opponent, 40, 0) for games in (0, 200)]
    kept = [1 - each.lost / 40 for each in found]
    return Outcome(
        f"{kept[0]:.0%} of games not lost before, {kept[1]:.0%} after 200 games",
        kept[0] < 0.5 and kept[1] > 0.9,
        "against a fixed evaluation function that plays a random move 30 % of the time; one seed",
    )


RESULTS = (
    Result(
        "mitchell-1.2-moves",
        "Mitchell, section 1.2.5",
        "a legal-move generator, which the text assumes: number of sequences of 1 to 4 moves",
        "[7, 49, 302, 1469]",
        _moves,
    ),
    Result(
        "mitchell-1.2.4-training-values",
        "Mitchell, section 1.2.4.1, equation 1.1",
        "the training value of a board is the estimate of its successor, or the outcome at the end of "
        "the game",
        "[5, 85, 60, 100]",
        _values,
    ),
    Result(
        "mitchell-1.2.4-lms",
        "Mitchell, section 1.2.4.2",
        "one LMS update for the printed example: three pieces and one king against none, value 100",
        "[w0 = 10, w1 = 30, w3 = 10]",
        _example,
    ),
    Result(
        "mitchell-1.2.4-step",
        "Mitchell, section 1.2.4.2",
        "step size: a small constant such as 0.1",
        "e.g., 0.1",
        _step,
        comment="0.1 is an example of a constant, not a step size for these boards, on which it "
        "diverges: 12 men on each side give ‖x‖² = 289",
    ),
    Result(
        "mitchell-1.2.6-algorithms",
        "Mitchell, figure 1.2",
        "linear programming compared with gradient descent",
        "[-1.2, 2.8; 6; 2]",
        _alternatives,
    ),
    Result(
        "mitchell-1.2-checkers",
        "Mitchell, section 1.2",
        "a program learns to play checkers by self-play",
        "no number is given",
        _checkers,
    ),
    Result(
        "mitchell-1.5-tic-tac-toe",
        "Mitchell, exercise 1.5",
        "the tic-tac-toe learner against a fixed evaluation function",
        "[below 35 % on average to above 90 % of games not lost]",
        _tic_tac_toe,
    ),
)
