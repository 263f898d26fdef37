"""Random games of backgammon by OpenSpiel, driven from Python: turns per second of processor time."""

from __future__ import annotations

import json
import random
import sys
import time

import pyspiel


def play(game: pyspiel.Game, games: int) -> int:
    """Play games with any legal moves, and return the number of turns: of rolls of the dice."""
    turns = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                turns += 1
                rolls, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(rolls, chances)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
    return turns


def main() -> None:
    """Print the best result of several rounds."""
    games, rounds = map(int, sys.argv[1:])
    game = pyspiel.load_game("backgammon")
    random.seed(0)
    best = 0.0
    for _ in range(rounds):
        start = time.process_time()
        turns = play(game, games)
        best = max(best, turns / (time.process_time() - start))
    print(json.dumps({"turns": best}))


if __name__ == "__main__":
    main()
