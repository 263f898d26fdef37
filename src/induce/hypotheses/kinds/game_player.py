"""Hypotheses that play games."""

from __future__ import annotations

from typing import ClassVar

from induce.core.hypothesis import Hypothesis
from induce.environments.games.contestants import Contestant
from induce.environments.games.game import Turn


class GamePlayer(Contestant, Hypothesis):
    """A learned player of the game named by `game`."""

    speaks_of: ClassVar[str] = "positions"
    takes_tables: ClassVar[bool] = False

    game: str

    def reasons(self, turn: Turn) -> str:
        """Return its choice in a turn, with the reason."""
        return str(self.explain(turn))
