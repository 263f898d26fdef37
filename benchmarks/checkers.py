"""Learners of games: checkers from self-play, what other modules give, and tic-tac-toe (Mitchell, chapter 1)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

import induce
from benchmarks.measure import Listing
from induce.core.trace import Event
from induce.environments import Contestant, MaterialPlayer, RandomPlayer, match
from induce.reinforcement import (
    LMS,
    Evaluation,
    EvolvedWeights,
    GameLearner,
    Generalizer,
    LeastSquares,
    LinearProgramming,
    NearestBoards,
    ValueNetwork,
    checkers_learner,
    tic_tac_toe_learner,
)
from induce.reinforcement.design.generalizers import Fitted
from induce.reinforcement.design.modules import EXPERIMENTS

SEEDS = 5
AMOUNTS = (0, 1, 2, 5, 12, 50, 200)
OPPONENTS: dict[str, Contestant] = {"random": RandomPlayer(), "material": MaterialPlayer()}
EXAMPLES = (30, 100, 300, 1000, 3000)
GENERALIZERS: dict[str, tuple[Generalizer, str]] = {
    "LMS": (LMS(), "successor"),
    "least squares": (LeastSquares(), "successor"),
    "linear programming, sum of errors": (LinearProgramming(), "outcome"),
    "linear programming, largest error": (LinearProgramming(loss="largest"), "outcome"),
    "network of 10 hidden units": (ValueNetwork(), "successor"),
    "nearest boards": (NearestBoards(), "outcome"),
    "evolved weights": (EvolvedWeights(), "outcome"),
}


def checkers(seeds: int = SEEDS, games: int = 100) -> Iterator[Listing]:
    """Win rates after self-play; what other modules give; tic-tac-toe."""
    learned = [checkers_learner(random_state=seed).learn("checkers").hypothesis_ for seed in range(seeds)]
    yield _self_play(learned, games)
    yield _experiments(learned[0], min(seeds, 3), min(games, 40))  # games between learners are long
    yield _generalizers(min(seeds, 2), games)
    yield _tic_tac_toe(2 * seeds, games)


def won(player: Contestant, opponent: Contestant, games: int, seed: int) -> float:
    """The share of games of checkers won; draws are not."""
    return match("checkers", player, opponent, games, seed).won / games


def after_examples(learned: Evaluation, events: Sequence[Event], n: int) -> Evaluation:
    """What LMS had learned after so many examples, in the midst of a game if need be."""
    seen = np.cumsum([0] + [len(event["wanted"]) for event in events])
    if seen[-1] < n:
        raise ValueError(f"only {seen[-1]} examples were seen, not {n}")
    whole = int(np.searchsorted(seen, n, side="right")) - 1
    before = learned.after_games(whole)
    if seen[whole] == n:
        return before
    game, left = events[whole], slice(0, n - int(seen[whole]))
    fitted = LMS().learn(Fitted(before.value), game["features"][left], game["wanted"][left], 0)
    return replace(before, value=fitted.value)


def _self_play(learned: list[Evaluation], games: int) -> Listing:
    lines, last = [], {}
    for amount in AMOUNTS:
        line = [f"{amount}"]
        for name, opponent in OPPONENTS.items():
            shares = [
                won(each.after_games(amount), opponent, games, seed) for seed, each in enumerate(learned)
            ]
            last[name] = shares
            line.append(f"{np.mean(shares):.1%} ({min(shares):.1%} to {max(shares):.1%})")
        lines.append(tuple(line))
    holds = all(min(shares) >= 0.95 for shares in last.values())
    return Listing(
        "Checkers: games won after games of self-play",
        f"`checkers_learner`, {len(learned)} independent runs, the mean and the range over them; "
        f"{games} games per percentage, different ones in each run. The players take turns to start, "
        "and draws do not count as wins.",
        ("training games", *(f"against {name}" for name in OPPONENTS)),
        tuple(lines),
        f"Target of at least 95 % in every run after {AMOUNTS[-1]} games, against both: "
        f"{'' if holds else 'not '}reached. The first run learned {learned[0]}.",
    )


def _experiments(reference: Evaluation, seeds: int, games: int) -> Listing:
    lines = []
    for name in EXPERIMENTS:
        scores: dict[int, list[float]] = {n: [] for n in EXAMPLES}
        for seed in range(seeds):
            with induce.trace(only={"examples"}) as events:
                learner = GameLearner(60, experiment=name, random_state=seed + 100).learn("checkers")
            for n in EXAMPLES:
                player = after_examples(learner.hypothesis_, events, n)
                scores[n].append(match("checkers", player, reference, games, seed).win_rate())
        lines.append(
            (name, *(f"{np.mean(each):.1%} ± {np.std(each, ddof=1):.1%}" for each in scores.values()))
        )
    return Listing(
        "Checkers: experiment generators (exercise 1.4)",
        "Points (a draw counts half) after the same number of training examples, against the first "
        f"learner above with its 200 games: 50 % means equal strength. {seeds} runs each, the mean and "
        f"the standard deviation over them, {games} games per percentage.",
        ("generator", *(f"{n:,} examples" for n in EXAMPLES)),
        tuple(lines),
        "`initial`: the usual starting position; `random`: after up to 30 random moves; "
        "`alternative`: after an alternative to a move of the last game; `undecided`: the random "
        "position closest to a draw. A player that makes the same moves as the opponent gets exactly "
        "half: each pair of games uses the same random numbers with the sides exchanged.",
    )


def _generalizers(seeds: int, games: int) -> Listing:
    lines = []
    for name, (generalizer, critic) in GENERALIZERS.items():
        shares: dict[str, list[float]] = {opponent: [] for opponent in OPPONENTS}
        took = 0.0
        for seed in range(seeds):
            learner = GameLearner(200, generalizer=generalizer, critic=critic, random_state=seed)
            start = time.process_time()
            player = learner.learn("checkers").hypothesis_
            took += time.process_time() - start
            for opponent, each in OPPONENTS.items():
                shares[opponent].append(won(player, each, games, seed))
        spread = [f"{np.mean(each):.1%} ({min(each):.1%} to {max(each):.1%})" for each in shares.values()]
        lines.append((name, critic, *spread, f"{took / seeds:.1f} s"))
    return Listing(
        "Checkers: generalizers",
        f"200 games of self-play, {seeds} runs each, the mean and the range over them; {games} games "
        "per percentage; processor time of learning.",
        ("generalizer", "critic", *(f"against {name}" for name in OPPONENTS), "time"),
        tuple(lines),
        "The largest error is minimal with V = 0 everywhere as soon as one board has led to both a "
        "win and a loss: that loss does not suit training with exploration.",
    )


def _tic_tac_toe(seeds: int, games: int) -> Listing:
    lines = []
    for mistakes in (0.3, 0.1):
        learners = [tic_tac_toe_learner(mistakes, games=2000, random_state=seed) for seed in range(seeds)]
        learned = [learner.learn("tic-tac-toe").hypothesis_ for learner in learners]
        opponent = learners[0].experience
        assert isinstance(opponent, Contestant)
        for amount in (0, 50, 100, 200, 500, 2000):
            found = [
                match("tic-tac-toe", each.after_games(amount), opponent, games, seed)
                for seed, each in enumerate(learned)
            ]
            wins = float(np.mean([each.won for each in found]) / games)
            draws = float(np.mean([each.drawn for each in found]) / games)
            lines.append(
                (f"{mistakes:.0%}", f"{amount:,}", f"{wins:.1%}", f"{draws:.1%}", f"{wins + draws:.1%}")
            )
    return Listing(
        "Tic-tac-toe against a fixed evaluation function (exercise 1.5)",
        f"`tic_tac_toe_learner`, {seeds} runs; the opponent makes a random legal move in some of its "
        f"turns; {games} games per percentage, the mean over the runs.",
        ("opponent's random moves", "training games", "won", "drawn", "not lost"),
        tuple(lines),
        "Another program gave in the same setting, against 30 % random moves: won 6.9, 13, 21, 36, 42, 42 %, drawn "
        "19, 11, 9, 41, 55, 57 %; against 10 %: won 1.9 to 15.2 %, drawn 19 to 73 %.",
    )
