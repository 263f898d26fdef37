"""Players by name or from model files, for `induce play` and `induce match`."""

from __future__ import annotations

import os
from typing import Any


def game_of(*players: str) -> str | None:
    """Return the common game of the model files among some players; None if there is none."""
    from induce.core.errors import InputError
    from induce.environments.games.contestants import NAMED

    known = {}
    for player in players:
        if player not in NAMED:
            known[player] = str(_loaded(player).game)
    if len(set(known.values())) > 1:
        (first, one), (second, other) = list(known.items())[:2]
        raise InputError(f"{first!r} plays {one} and {second!r} plays {other}; they cannot meet")
    return next(iter(known.values()), None)


def find_player(name: str, game: Any) -> Any:
    """Return the player with a name, or from a model file.

    Examples
    --------
    >>> from induce.environments import Checkers
    >>> find_player("random", Checkers())
    RandomPlayer()
    """
    from induce.core.errors import InputError
    from induce.environments.games.contestants import NAMED, contestant

    if name in NAMED:
        return contestant(name, game)
    player = _loaded(name)
    if player.game != game.name:
        raise InputError(f"{name!r} plays {player.game}, not {game.name}")
    return player


def reasons(player: Any, turn: Any) -> str:
    """Return a player's choice in a turn, with the reason if the player gives one."""
    return str(player.reasons(turn))


def _loaded(path: str) -> Any:
    from induce.core.errors import InputError
    from induce.core.persistence import load_hypothesis
    from induce.environments.games.contestants import NAMED

    if not os.path.exists(path):
        raise InputError(f"there is no player {path!r}; give a model file, or {', '.join(NAMED)}")
    hypothesis = load_hypothesis(path)
    if hypothesis.speaks_of != "positions":
        raise InputError(f"{path!r} contains a {type(hypothesis).__name__}, which does not play games")
    return hypothesis
