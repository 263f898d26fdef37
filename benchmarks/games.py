"""Backgammon beside OpenSpiel, and players that taught themselves against Tesauro's public player."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import induce
from benchmarks import _pubeval_loops as public
from benchmarks.measure import TIMES, Listing, Row, Section, at_most, run
from induce.core.loops import compiled
from induce.core.randomness import streams
from induce.environments import Backgammon, Match
from induce.environments.games.backgammon import ROLLS
from induce.reinforcement import Player, TDGammon
from induce.reinforcement.selfplay import _backgammon_loops as loops

SERVED = Path(__file__).parent / "peers" / "served" / "random_backgammon.py"
GAMES, ROUNDS = 100, 5
PLANS = {40: (10_000, 60_000), 80: (160_000, 300_000, 1_000_000)}
"""Hidden units, and after how many games their player is measured."""
LEAST = {(40, 60_000): 0.50, (80, 160_000): 0.59}
"""The share of games against the public player that was promised."""
MEASURED = 5_000
"""Games against the public player."""
FIRST = (
    "import time; start = time.process_time(); from induce.reinforcement import TDGammon; "
    "TDGammon(40, 1, measure_every=1).learn('backgammon'); print(time.process_time() - start)"
)


def games(
    folder: Path | None, openspiel: str | None, players: Path | None, most: int
) -> Iterator[Section | Listing]:
    """Speed, and where the public player's weights are, how strong players get."""
    yield speed(openspiel)
    if folder is not None:
        yield strength(folder, players, most)


def speed(openspiel: str | None, games: int = GAMES, rounds: int = ROUNDS) -> Section:
    """Turns per second of random play, positions judged, and the first compilation."""
    theirs = None
    if openspiel is not None:
        theirs = float(json.loads(run([openspiel, str(SERVED), str(games), str(rounds)]).stdout)["turns"])
    rows = [
        _turns("random play, whole games in a loop", _best(rounds, _in_a_loop, games), theirs, 2),
        _turns("random play, move by move from Python", _best(rounds, _from_python, games), theirs, None),
        _judged(rounds, games),
    ]
    with tempfile.TemporaryDirectory() as cache:
        found = run([sys.executable, "-c", FIRST], {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": "src"})
    rows.append(
        at_most("the first game of self-play ever: compiles (processor time)", float(found.stdout), 10)
    )
    return Section(
        "Backgammon: speed",
        f"Processor time of one thread. {games} random games, repeated {rounds} times, the best "
        "counts; a turn is a roll of the dice and the moves played with it. OpenSpiel is driven from "
        "Python, as is usual.",
        tuple(rows),
    )


def _best(rounds: int, task: Any, games: int) -> float:
    task(2)  # compiles or loads what is compiled
    found = 0.0
    for _ in range(rounds):
        start = time.process_time()
        turns = task(games)
        found = max(found, turns / (time.process_time() - start))
    return found


def _in_a_loop(games: int) -> int:
    return int(compiled(public.random_games)(Backgammon().start(), games, streams(0, n=1)[0]))


def _from_python(games: int) -> int:
    game, turns = Backgammon(), 0
    rolls, chances = zip(*ROLLS, strict=True)
    random.seed(0)
    for _ in range(games):
        position = game.start()
        while game.result(position) is None:
            moves, after = game.moves(position, random.choices(rolls, chances)[0])
            position = after[random.randrange(len(moves))]
            turns += 1
    return turns


def _turns(what: str, ours: float, theirs: float | None, least: float | None) -> Row:
    if theirs is None:
        return Row(what, f"{ours:,.0f} turns/s")
    ratio = ours / theirs
    target = "" if least is None else f"≥ {least:g}{TIMES}"
    holds = None if least is None else ratio >= least
    return Row(
        what, f"{ours:,.0f} turns/s", f"OpenSpiel {theirs:,.0f} turns/s", f"{ratio:.2f}{TIMES}", target, holds
    )


def _judged(rounds: int, games: int) -> Row:
    learner = TDGammon(40, games, measure_every=0).learn("backgammon")
    state, gaps = learner.state_, learner.hypothesis_._gaps
    levels = np.array([-2.5, -1.5, 0.0, 1.5, 2.5])
    best = 0.0
    for _ in range(rounds):
        tally = np.zeros(3)
        into, out, chance = state.into.copy(), state.out.copy(), state.chance.copy()
        start = time.process_time()
        compiled(loops.self_play)(
            games, Backgammon().start(), into, out, levels, gaps, 0.1, 0.0, np.zeros((0, 0)), chance, tally
        )
        best = max(best, tally[1] / (time.process_time() - start))
    return Row(
        "positions evaluated by 40 hidden units, learning included",
        f"{best:,.0f} /s",
        target="≥ 400,000 /s",
        holds=best >= 400_000,
    )


def public_weights(folder: Path) -> Any:
    """The weights of the public player: a row for races, one for contact."""
    table = np.loadtxt(folder / "games" / "pubeval.csv", delimiter=",", skiprows=1)
    return np.ascontiguousarray(table[:, 1:].T)


def against_public(player: Player, weights: Any, games: int = MEASURED, seed: int = 1) -> Match:
    """What a player wins against the public player."""
    points = np.empty(games)
    compiled(public.against_public)(
        Backgammon().start(), player.into, player.out, player._gaps, weights, streams(seed, n=1)[0], points
    )
    return Match(points)


def against_chance(player: Player, games: int = 2_000, seed: int = 2) -> Match:
    """What a player wins against random play."""
    points = np.empty(games)
    compiled(loops.against_chance)(
        Backgammon().start(), player.into, player.out, player._gaps, streams(seed, n=1)[0], points
    )
    return Match(points)


def strength(folder: Path, players: Path | None, most: int) -> Listing:
    """How strong self-play makes a player, against random play and the public player."""
    weights = public_weights(folder)
    lines = []
    for hidden, stops in PLANS.items():
        learner = TDGammon(hidden, 0, measure_every=0)
        spent = 0.0
        for stop in [stop for stop in stops if stop <= most]:
            learner, more = _learned(learner, stop, players)
            spent += more
            chance, won = against_chance(learner.hypothesis_), against_public(learner.hypothesis_, weights)
            share, points = won.win_interval(), won.interval()
            promised = LEAST.get((hidden, stop))
            verdict = (
                ""
                if promised is None
                else f", ≥ {promised:.0%}: {'yes' if won.win_rate() >= promised else 'no'}"
            )
            if stop == 10_000:
                verdict = f"random play ≥ 95%: {'yes' if chance.win_rate() >= 0.95 else 'no'}"
            lines.append(
                (
                    f"{hidden} hidden units, {stop:,} games",
                    f"{spent:.0f} s",
                    f"{chance.win_rate():.1%}",
                    f"{won.win_rate():.1%} [{share.low:.1%}, {share.high:.1%}]",
                    f"{won.points.mean():+.3f} [{points.low:+.3f}, {points.high:+.3f}]",
                    verdict.lstrip(", "),
                )
            )
    return Listing(
        "Backgammon: self-taught players",
        "`TDGammon` with its defaults and the raw 198 inputs, one seed each; processor time of one thread. "
        f"{MEASURED:,} games against `pubeval` with 95 % intervals, which do not cover the variation between seeds.",
        ("player", "learning", "against random play", "won against pubeval", "points per game", "target"),
        tuple(lines),
        "",
    )


def _learned(learner: TDGammon, stop: int, players: Path | None) -> tuple[TDGammon, float]:
    """Learn on, or load what an earlier run has learned, and say how long it took."""
    kept = None if players is None else players / f"td-gammon-{learner.n_hidden}-{stop}.induce"
    if kept is not None and kept.exists():
        found = induce.load(kept)
        took = json.loads(kept.with_suffix(".json").read_text(encoding="utf-8"))["seconds"]
        return found, float(took)
    start = time.process_time()
    learner.set_params(games=stop)
    (learner.resume if hasattr(learner, "state_") else learner.learn)("backgammon")
    took = time.process_time() - start
    if kept is not None:
        induce.save(learner, kept)
        kept.with_suffix(".json").write_text(json.dumps({"seconds": took}), encoding="utf-8")
    return learner, took
