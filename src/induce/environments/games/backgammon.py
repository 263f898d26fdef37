"""Backgammon, without the doubling cube (Mitchell 13.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated, sized
from induce.environments.games import _backgammon_loops as loops
from induce.environments.games.game import Floats, Game, Position, Positions

START = {24: 2, 13: 5, 8: 3, 6: 5}
ROLLS = tuple(((a, b), (1 if a == b else 2) / 36) for a in range(1, 7) for b in range(1, a + 1))
OPENING = tuple(((a, b), 1 / 15) for a in range(2, 7) for b in range(1, a))
STEP = re.compile(r"(bar|\d+)((?:/(?:\d+|off)\*?)+)(?:\((\d)\))?")
AFTER, PATHS = (loops.MOST, loops.SIZE), (loops.MOST, 8)
MOVE_WORK = 2_000
"""Approximate number of elementary steps per turn."""


class Steps(Sequence[tuple[tuple[int, int], ...]]):
    """Moves from the compiled loop, converted to tuples of steps on access."""

    def __init__(self, paths: NDArray[np.int8]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    @overload
    def __getitem__(self, index: int) -> tuple[tuple[int, int], ...]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[tuple[int, int], ...]]: ...

    def __getitem__(
        self, index: int | slice
    ) -> tuple[tuple[int, int], ...] | Sequence[tuple[tuple[int, int], ...]]:
        if isinstance(index, slice):
            return Steps(self._paths[index])
        path = self._paths[index].tolist()
        return tuple((path[k], path[k + 1]) for k in (0, 2, 4, 6) if path[k] >= 0)


@dataclass(frozen=True)
class Backgammon(Game):
    """Backgammon for one point, two for a gammon, three for a backgammon; no doubling cube.

    A position has 28 numbers, seen by the player to move: at 1 to 24 the men on the points (the opponent's negative),
    at 25 the player's men on the bar and at 26 those borne off; at 0 and 27 the opponent's, negative. Men go from 24
    to 1. A move is a tuple of steps, each a source and a destination; 0 is off, 25 the bar. Features are Tesauro's
    198 raw inputs.

    Examples
    --------
    >>> game = Backgammon()
    >>> moves, after = game.moves(game.start(), (3, 1))
    >>> len(moves)
    16
    >>> game.move_text(moves[game.parse_move("8/5 6/5", game.start(), (3, 1))])
    '8/5 6/5'
    """

    name: ClassVar[str] = "backgammon"
    stakes: ClassVar[tuple[int, ...]] = (1, 2, 3)
    feature_names: ClassVar[tuple[str, ...]] = (
        *(
            f"{who} {k}{'+' if k == 4 else ''} on {point}"
            for who in ("own", "other")
            for point in range(1, 25)
            for k in (1, 2, 3, 4)
        ),
        *("own on bar", "other on bar", "own off", "other off", "own to move", "other to move"),
    )

    def start(self) -> Position:
        """Return the initial position."""
        position = np.zeros(loops.SIZE, dtype=np.int8)
        for point, men in START.items():
            position[point] = men
            position[25 - point] = -men
        return position

    def rolls(self, position: Position | None = None) -> tuple[tuple[Any, float], ...]:
        """Return the 21 rolls of two dice; the first roll of a game is not a double."""
        return OPENING if position is not None and np.array_equal(position, self.start()) else ROLLS

    def moves(self, position: Position, roll: Any = None) -> tuple[Sequence[Any], Positions]:
        """Return the legal moves, one per resulting position, and these positions."""
        first, second = _dice(roll)
        position = np.ascontiguousarray(position, dtype=np.int8)
        after, paths = np.empty(AFTER, np.int8), np.empty(PATHS, np.int8)
        count = repeated(loops.legal_moves, MOVE_WORK)(position, first, second, after, paths)
        return Steps(paths[:count].copy()), after[:count].copy()

    def result(self, position: Position) -> float | None:
        """Return -1, -2 or -3 if the opponent has borne off all men."""
        found = loops.points(position)
        return float(found) if found else None

    def features(self, positions: Positions) -> Floats:
        """Return Tesauro's raw inputs."""
        rows = np.empty((len(positions), loops.INPUTS))
        sized(loops.all_inputs, 500 * len(positions))(np.ascontiguousarray(positions), rows)
        return rows

    def text(self, position: Position) -> str:
        """Return the board seen by the player to move: own men o, opponent's x, points numbered from the own home."""
        cells = [_cell(int(men)) for men in position[:26]]
        upper = " ".join(f"{cells[k]:>3}" for k in range(13, 19)) + " |" + _row(cells, range(19, 25))
        lower = " ".join(f"{cells[k]:>3}" for k in range(12, 6, -1)) + " |" + _row(cells, range(6, 0, -1))
        above = " ".join(f"{k:>3}" for k in range(13, 19)) + " |" + _row(list(range(26)), range(19, 25))
        below = " ".join(f"{k:>3}" for k in range(12, 6, -1)) + " |" + _row(list(range(26)), range(6, 0, -1))
        own = f"o to move: {position[25]} on the bar, {position[26]} off, {pips(position)} pips to go"
        other = f"x: {-position[0]} on the bar, {-position[27]} off, {pips(turned(position))} pips to go"
        return "\n".join((above, upper, "", lower, below, own, other))

    def roll_text(self, roll: Any) -> str:
        """Return the two dice, the larger first."""
        first, second = _dice(roll)
        return f"{max(first, second)}-{min(first, second)}"

    def move_text(self, move: Any) -> str:
        """Return a move in standard notation: ``24/18 13/11``, ``bar/22``, ``6/off``, ``8/5(2)``."""
        if not move:
            return "no move"
        chains: list[list[int]] = []
        for source, to in move:
            if chains and chains[-1][-1] == source:
                chains[-1].append(to)
            else:
                chains.append([source, to])
        steps = [
            "/".join({loops.BAR: "bar", 0: "off"}.get(place, str(place)) for place in chain)
            for chain in chains
        ]
        return " ".join(
            step if steps.count(step) == 1 else f"{step}({steps.count(step)})"
            for k, step in enumerate(steps)
            if step not in steps[:k]
        )

    def parse_move(self, text: str, position: Position, roll: Any = None) -> int:
        """Return the index of the legal move given by a text; steps in any order, ``24/18/13`` for one man.

        Examples
        --------
        >>> game = Backgammon()
        >>> game.parse_move("24/20", game.start(), (3, 1)) == game.parse_move("24/21/20", game.start(), (3, 1))
        True
        """
        moves, after = self.moves(position, roll)
        written = [self.move_text(move) for move in moves]
        wanted = " ".join(text.lower().replace(",", " ").split())
        if wanted in written:
            return written.index(wanted)
        steps = _steps(wanted)
        if steps is not None:
            board = position.copy()
            for source, to in sorted(steps, reverse=True):
                if (
                    not 0 < source <= loops.BAR
                    or not 0 <= to < source
                    or board[source] <= 0
                    or board[to] < -1 < to
                ):
                    raise self.no_move(text, written)
                loops.advance(board, source, to)
            found = np.flatnonzero((after == turned(board)).all(axis=1))
            if len(found):
                return int(found[0])
        raise self.no_move(text, written)


def turned(position: Position) -> Position:
    """Return a position from the other player's point of view."""
    other = np.empty_like(position)
    loops.turn(position, other)
    return other


def pips(position: Position) -> int:
    """Return the pip count of the player to move.

    Examples
    --------
    >>> pips(Backgammon().start())
    167
    """
    return int((np.maximum(position[:26], 0) * np.arange(26)).sum())


def _dice(roll: Any) -> tuple[int, int]:
    try:
        first, second = roll
        first, second = int(first), int(second)
    except (TypeError, ValueError):
        raise InputError(f"the roll is {roll!r}; give two dice, such as (3, 1)") from None
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise InputError(f"the roll is {roll!r}; dice show 1 to 6")
    return first, second


def _steps(text: str) -> list[tuple[int, int]] | None:
    """Parse the steps of a move; None if the text is not a move."""
    steps: list[tuple[int, int]] = []
    for part in text.split():
        found = STEP.fullmatch(part)
        if found is None:
            return None
        stops = [found[1], *re.findall(r"\d+|off", found[2])]
        places = [loops.BAR if stop == "bar" else 0 if stop == "off" else int(stop) for stop in stops]
        steps += list(pairwise(places)) * int(found[3] or 1)
    return steps or None


def _cell(men: int) -> str:
    return "." if men == 0 else f"{abs(men)}{'o' if men > 0 else 'x'}"


def _row(cells: list[Any], places: range) -> str:
    return " ".join(f"{cells[k]:>3}" for k in places)
