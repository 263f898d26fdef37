"""An artificial ant that follows a trail of food with gaps (after Koza 1992)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.loops import repeated
from induce.evolution.programs.genome import Programs, gathered
from induce.evolution.programs.grammar import Floats
from induce.evolution.programs.language import Language, Primitive
from induce.evolution.programs.population import share_out
from induce.evolution.programs.problems import _ant_loops as loops

TWO = ("value", "value")
LANGUAGE = Language(
    (
        Primitive("if-food", TWO),
        Primitive("prog2", TWO),
        Primitive("prog3", (*TWO, "value")),
        Primitive("move"),
        Primitive("left"),
        Primitive("right"),
    )
)
SIDE = 24
WALK = "EEEEEESSSSSEEEEEEESSSSSSSWWWWSSSSWWWWWWWSSSSEEEEEEEEEEEENNNNNNEEEENNNNNNNNWWN"
"""Path of the trail, step by step."""
GAPS = frozenset({5, 12, 13, 19, 24, 25, 31, 36, 37, 42, 43, 44, 50, 57, 58, 61, 66, 67, 68, 71, 74})
"""Steps without food; three in a row, or a gap at a corner, are difficult."""


@dataclass(frozen=True)
class AntTrail:
    """Eat the food along a winding trail with gaps on a 24 by 24 torus (a trail specific to this library).

    The ant senses whether there is food in the cell ahead (``if-food``), and can ``move`` there or turn ``left`` or
    ``right``; ``prog2`` and ``prog3`` run their arguments in sequence. The program is repeated until all actions are
    used. Fitness is the amount of food eaten.

    Parameters
    ----------
    actions : int
        Maximum number of moves and turns.
    n_jobs : int, optional
        Number of threads.

    Examples
    --------
    >>> from induce.evolution import Program
    >>> ant = AntTrail()
    >>> ant.eaten(Program.parse("(if-food move (prog2 right move))", ant.language)), int(ant.optimum)
    (5, 56)
    """

    actions: int = 400
    n_jobs: int | None = None
    minimise: bool = field(default=False, init=False)
    noisy: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        at_least("actions", self.actions, 1, whole=True)

    @property
    def language(self) -> Language:
        """Language of the programs."""
        return LANGUAGE

    @property
    def genome(self) -> Programs:
        """Programs of the language."""
        return Programs(LANGUAGE)

    @property
    def optimum(self) -> float:
        """Total amount of food."""
        return float(self.trail.sum())

    @cached_property
    def trail(self) -> NDArray[np.int8]:
        """Cells with food."""
        found = np.zeros((SIDE, SIDE), np.int8)
        y = x = 0
        for k, step in enumerate(WALK):
            y = (y + {"S": 1, "N": -1}.get(step, 0)) % SIDE
            x = (x + {"E": 1, "W": -1}.get(step, 0)) % SIDE
            if k not in GAPS:
                found[y, x] = 1
        return found

    def eaten(self, program: Any) -> int:
        """Return the amount of food eaten by a program's ant."""
        return int(self.scores([(program.codes, program.constants, program.starts)])[0])

    def scores(self, population: Any, rng: Any = None) -> Floats:
        """Return the amount of food eaten by each program's ant."""
        rows = gathered(population, 1)
        found = np.zeros(len(rows), np.int64)
        most = rows.codes.shape[1]
        loop = repeated(loops.eaten, 10.0 * len(rows) * self.actions)
        sizes = np.ascontiguousarray(rows.sizes)

        def work(begin: int, end: int) -> None:
            loop(
                begin,
                end,
                rows.codes,
                sizes,
                self.trail,
                self.actions,
                np.zeros(most + 1, np.int64),
                np.zeros(2 * most + 3, np.int64),
                np.zeros((SIDE, SIDE), np.int8),
                found,
            )

        share_out(work, len(rows), self.n_jobs, 20)
        return found.astype(np.float64)

    def __str__(self) -> str:
        return "\n".join("".join("#" if cell else "." for cell in row) for row in self.trail)
