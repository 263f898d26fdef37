"""The block world of Koza (1992): programs that stack nine blocks so that they spell a word (Mitchell §9.5.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.core.randomness import stream
from induce.evolution.programs.genome import Programs, gathered
from induce.evolution.programs.grammar import Floats
from induce.evolution.programs.language import Language, Primitive
from induce.evolution.programs.population import share_out
from induce.evolution.programs.problems import _block_loops as loops
from induce.evolution.programs.program import Program

if TYPE_CHECKING:
    from induce.evolution.programs.explanation import ProgramExplanation

Stacks = tuple[NDArray[np.int8], NDArray[np.int64]]
"""Blocks from the bottom, as positions in the word from 1, and the height of each stack."""

WORD = "universal"
ONE, TWO = ("value",), ("value", "value")
LANGUAGE = Language(
    (
        Primitive("MS", ONE),
        Primitive("MT", ONE),
        Primitive("EQ", TWO),
        Primitive("NOT", ONE),
        Primitive("DU", TWO),
        Primitive("CS"),
        Primitive("TB"),
        Primitive("NN"),
    )
)
"""Move to the stack, move to the table, equal, not, do until; the current stack's top, the top correct block, the
next block needed."""
DISCOVERED = "(EQ (DU (MT CS) (NOT CS)) (DU (MS NN) (NOT NN)))"
"""Program found in Koza's run."""


@dataclass(frozen=True)
class BlockWorld:
    """Stack the blocks u, n, i, v, e, r, s, a, l so that they spell "universal" from the bottom (Mitchell §9.5.2).

    A program may move the top block of the stack to the table, ``(MT x)`` if x is in the stack, and a block from the
    table to the stack, ``(MS x)``. It senses the top of the stack (``CS``), the topmost block correct with all
    below it (``TB``) and the block needed next (``NN``); each is F if there is none. ``(DU x y)`` runs x until y
    returns T, at least once and at most `rounds` times. Fitness is the number of cases solved. As in Koza's study,
    these are 10 correct prefixes of the word, 8 of them with a wrong block on top, and random stacks.

    Parameters
    ----------
    cases : int
        Number of initial stacks.
    rounds : int
        Maximum number of iterations of a loop.
    steps : int
        Maximum number of nodes evaluated, at which a program stops.
    seed : int
        Random seed of the random stacks.
    n_jobs : int, optional
        Number of threads.

    Examples
    --------
    >>> world = BlockWorld()
    >>> world.solved(Program.parse(DISCOVERED, world.language))
    166
    """

    cases: int = 166
    rounds: int = 25
    steps: int = 400
    seed: int = 0
    n_jobs: int | None = None
    minimise: bool = field(default=False, init=False)
    noisy: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        at_least("cases", self.cases, 1, whole=True)
        at_least("rounds", self.rounds, 1, whole=True)
        at_least("steps", self.steps, 1, whole=True)

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
        """Number of cases."""
        return float(self.cases)

    @cached_property
    def stacks(self) -> Stacks:
        """Initial stacks of the cases."""
        rng = stream(self.seed)
        made: list[list[int]] = [list(range(1, n + 1)) for n in range(loops.N_BLOCKS + 1)]
        for n in range(loops.N_BLOCKS - 1):
            wrong = rng.choice([block for block in range(1, loops.N_BLOCKS + 1) if block > n + 1])
            made.append([*range(1, n + 1), int(wrong)])
        while len(made) < self.cases:
            n = int(rng.integers(loops.N_BLOCKS + 1))
            made.append((rng.permutation(loops.N_BLOCKS)[:n] + 1).tolist())
        return _as_arrays(made[: self.cases])

    def scores(self, population: Any, rng: Any = None) -> Floats:
        """Return the number of cases solved by each program."""
        return self._counted(population, self.stacks).astype(np.float64)

    def solved(self, program: Program, stacks: Stacks | None = None) -> int:
        """Return the number of stacks a program solves, by default of the problem's own cases."""
        genes = program.codes, program.constants, program.starts
        return int(self._counted([genes], self.stacks if stacks is None else stacks)[0])

    def after(self, program: Program, blocks: str) -> tuple[str, int, int]:
        """Run a program on a stack written from the bottom; return the final stack and the calls of MT and of MS."""
        _checked(blocks)
        stack = np.zeros(loops.N_BLOCKS, np.int8)
        stack[: len(blocks)] = [WORD.index(block) + 1 for block in blocks]
        codes, moves = program.codes, np.zeros(2, np.int64)
        ends, frames = self._room(len(codes))
        loops.subtree_ends(codes, len(codes), ends)
        height = loops.run(codes, ends, stack, len(blocks), self.rounds, self.steps, frames, moves)
        return "".join(WORD[k - 1] for k in stack[:height].tolist()), int(moves[0]), int(moves[1])

    def explain(self, program: Program, blocks: str) -> ProgramExplanation:
        """Run a program on a stack and return the value of each part, step by step: a block, True or False.

        Examples
        --------
        >>> world = BlockWorld()
        >>> print(world.explain(Program.parse("(DU (MS NN) (EQ CS NN))", world.language), "universa"))
        False
          DU(MS(NN), EQ(CS, NN)) = False
            MS(NN) = True
              NN = l
            EQ(CS, NN) = False
              CS = l
              NN = False
        ...
        """
        _checked(blocks)
        return self.running(program).explain(list(blocks), self.steps)

    def running(self, program: Program) -> Program:
        """Return a program whose primitives run on a list of letters, the stack from the bottom."""
        calls = _calls(self.rounds)
        primitives = tuple(
            replace(each, call=calls[each.name], effect=True, lazy=each.name == "DU")
            for each in LANGUAGE.primitives
        )
        return replace(program, language=Language(primitives))

    def _counted(self, population: Any, stacks: Stacks) -> NDArray[np.int64]:
        rows = gathered(population, 1)
        found = np.zeros(len(rows), np.int64)
        blocks, heights = stacks
        loop = repeated(loops.solved, 50.0 * len(rows) * len(heights))
        sizes = np.ascontiguousarray(rows.sizes)

        def work(begin: int, end: int) -> None:
            loop(
                begin,
                end,
                rows.codes,
                sizes,
                blocks,
                heights,
                self.rounds,
                self.steps,
                *self._room(rows.codes.shape[1]),
                np.zeros(loops.N_BLOCKS + 1, np.int8),
                np.zeros(2, np.int64),
                found,
            )

        share_out(work, len(rows), self.n_jobs, 20)
        return found

    def _room(self, most: int) -> tuple[Any, Any]:
        return np.zeros(most + 1, np.int64), np.zeros((most + 1, 4), np.int64)


def _checked(blocks: str) -> None:
    if len(set(blocks)) < len(blocks) or not set(blocks) <= set(WORD):
        raise InputError(f"the stack is {blocks!r}; write different letters of {WORD!r}")


def _calls(rounds: int) -> dict[str, Callable[..., Any]]:
    """Return the function of each primitive on a stack, a list of letters from the bottom."""

    def right(stack: list[str]) -> int:
        n = 0
        while n < len(stack) and stack[n] == WORD[n]:
            n += 1
        return n

    def to_stack(stack: list[str], block: Any) -> bool:
        moves = isinstance(block, str) and block not in stack
        if moves:
            stack.append(block)
        return moves

    def to_table(stack: list[str], block: Any) -> bool:
        moves = block in stack
        if moves:
            stack.pop()
        return moves

    def until(stack: list[str], does: Callable[[], Any], ends: Callable[[], Any]) -> bool:
        for _ in range(rounds):
            does()
            if ends() is True:
                return True
        return False

    return {
        "MS": to_stack,
        "MT": to_table,
        "EQ": lambda stack, a, b: a == b,
        "NOT": lambda stack, a: a is False,
        "DU": until,
        "CS": lambda stack: stack[-1] if stack else False,
        "TB": lambda stack: WORD[right(stack) - 1] if right(stack) else False,
        "NN": lambda stack: WORD[right(stack)] if right(stack) < len(WORD) else False,
    }


def all_stacks() -> Stacks:
    """Return all 986,410 stacks of different blocks, from none to nine."""
    made: list[Any] = [np.zeros((1, 0), np.int8)]
    for _ in range(loops.N_BLOCKS):
        last = made[-1]
        rows = []
        for block in range(1, loops.N_BLOCKS + 1):
            without = last[~(last == block).any(axis=1)]
            rows.append(np.column_stack([without, np.full(len(without), block, np.int8)]))
        made.append(np.concatenate(rows))
    stacks = np.concatenate([np.pad(rows, ((0, 0), (0, loops.N_BLOCKS - rows.shape[1]))) for rows in made])
    heights = np.concatenate([np.full(len(rows), rows.shape[1], np.int64) for rows in made])
    return np.ascontiguousarray(stacks), heights


def _as_arrays(made: list[list[int]]) -> Stacks:
    stacks = np.zeros((len(made), loops.N_BLOCKS), np.int8)
    for row, blocks in zip(stacks, made, strict=True):
        row[: len(blocks)] = blocks
    return stacks, np.array([len(blocks) for blocks in made], np.int64)
