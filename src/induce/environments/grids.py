"""Grid worlds, drawn as text (Mitchell 13.2, figure 13.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from induce.core.checks import one_of, probability
from induce.core.errors import InputError
from induce.environments.mdp import MDP

MOVES = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
PLAIN: dict[str, Any] = {
    "rewards": {},
    "step": 0.0,
    "slip": 0.0,
    "sideways": False,
    "blocked": "omit",
    "names": None,
}
SHIPPED: dict[str, dict[str, Any]] = {
    "mitchell-13.2": {
        "drawing": "..G\n...",
        "rewards": {"G": 100},
        "names": (("TL", "TM", "G"), ("BL", "BM", "BR")),
    },
    "exercise-13.2": {
        "drawing": "...\n.G.",
        "rewards": {"G": 10},
        "names": (("TL", "TM", "TR"), ("BL", "G", "BR")),
    },
    "frozen-lake": {
        "drawing": "S...\n.O.O\n...O\nO..G",
        "rewards": {"G": 1},
        "slip": 2 / 3,
        "sideways": True,
        "blocked": "stay",
    },
    "cliff": {
        "drawing": "............\n............\n............\nSCCCCCCCCCCG",
        "rewards": {"C": -100},
        "step": -1,
        "blocked": "stay",
    },
}


def grid_world(
    drawing: str,
    rewards: Mapping[str, float] | None = None,
    *,
    step: float | None = None,
    slip: float | None = None,
    sideways: bool | None = None,
    blocked: str | None = None,
    names: tuple[tuple[Any, ...], ...] | None = None,
) -> MDP:
    """Build a decision process from a drawing.

    Parameters
    ----------
    drawing : str
        Lines of squares: ``.`` free, ``#`` wall, ``S`` a start, ``G`` a goal and ``O`` a hole, both terminal, ``C`` a
        cliff, which leads back to the start. Any letter of `rewards` is free, too. Or the name of a built-in grid:
        'mitchell-13.2', 'exercise-13.2', 'frozen-lake', 'cliff'; the other arguments then override its own.
    rewards : dict, optional
        Reward for entering a square, by letter, in place of `step`.
    step : float, optional
        Reward of every other step; 0 by default.
    slip : float, optional
        Probability that a move fails and the agent stays, with the reward of a step; 0 by default.
    sideways : bool, optional
        Whether a slip moves sideways instead of staying; False by default.
    blocked : 'omit' or 'stay', optional
        Moves against walls and borders are not allowed ('omit', the default) or without effect ('stay').
    names : tuple, optional
        Names of the squares; row and column by default.

    Returns
    -------
    MDP
        The process, with the features ``row`` and ``column``.

    Examples
    --------
    >>> grid_world("S.G", {"G": 10}).pairs()
    [((0, 0), 'right'), ((0, 1), 'right'), ((0, 1), 'left'), ((0, 2), 'stay')]
    >>> grid_world("SXG", {"X": -10, "G": 10}).pairs()[0]
    ((0, 0), 'right')
    >>> print(grid_world("mitchell-13.2"))
    MDP: 6 states, 5 actions, 13 pairs, 13 transitions, 1 absorbing state
    >>> print(grid_world("mitchell-13.2", slip=0.2))
    MDP: 6 states, 5 actions, 13 pairs, 25 transitions, 1 absorbing state
    """
    given = {"rewards": rewards, "step": step, "slip": slip, "sideways": sideways, "blocked": blocked}
    told = {name: value for name, value in {**given, "names": names}.items() if value is not None}
    return _grid(**{**PLAIN, **SHIPPED.get(drawing, {"drawing": drawing}), **told})


def _grid(
    drawing: str,
    rewards: Mapping[str, float],
    step: float,
    slip: float,
    sideways: bool,
    blocked: str,
    names: tuple[tuple[Any, ...], ...] | None,
) -> MDP:
    one_of("blocked", blocked, ("omit", "stay"))
    probability("slip", slip)
    squares = _squares(drawing, rewards)
    called = {place: place if names is None else names[place[0]][place[1]] for place in squares}
    starts = [place for place, letter in squares.items() if letter == "S"]
    if "C" in squares.values() and not starts:
        raise InputError("the drawing has a cliff but no start; mark one with S")

    def lands(place: tuple[int, int], move: str) -> tuple[int, int]:
        down, right = MOVES[move]
        after = (place[0] + down, place[1] + right)
        return after if after in squares else place

    def reached(place: tuple[int, int], move: str, chance: float) -> tuple[Any, float, float]:
        after = lands(place, move)
        letter = squares[after]
        reward = float(rewards.get(letter, step)) if after != place else float(step)
        return called[starts[0]] if letter == "C" else called[after], chance, reward

    def outcomes(place: tuple[int, int], move: str) -> list[tuple[Any, float, float]]:
        sure = [reached(place, move, 1.0 - slip)]
        if not slip:
            return sure
        if not sideways:
            return [*sure, (called[place], slip, float(step))]
        order = list(MOVES)
        turn = order.index(move)
        return [*sure, *(reached(place, order[(turn + by) % 4], slip / 2) for by in (1, 3))]

    model: dict[Any, dict[str, Any]] = {}
    for place, letter in squares.items():
        if letter in "GO":
            model[called[place]] = {"stay": (called[place], 0.0)}
        else:
            allowed = [move for move in MOVES if blocked == "stay" or lands(place, move) != place]
            model[called[place]] = {move: outcomes(place, move) for move in allowed}
    features = {"row": [row for row, _ in squares], "column": [column for _, column in squares]}
    chances = {called[place]: 1 / len(starts) for place in starts} if starts else None
    return MDP.of(model, start=chances, features=features, actions=[*MOVES, "stay"])


def _squares(drawing: str, rewards: Mapping[str, float]) -> dict[tuple[int, int], str]:
    """Return the letter of every square that is not a wall, by row and column; letters with a reward are free."""
    lines = [line.strip() for line in drawing.strip().splitlines()]
    squares = {
        (row, column): letter
        for row, line in enumerate(lines)
        for column, letter in enumerate(line)
        if letter != "#"
    }
    odd = sorted(set(squares.values()) - {*".SGOC", *rewards})
    if odd:
        raise InputError(
            f"the drawing contains {odd[0]!r}; squares are . S G O C, # for walls, and letters with a reward"
        )
    if not squares:
        raise InputError("the drawing has no free square; draw lines of . S G O C and #")
    return squares
