"""Formulas worked out on the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import sized
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.functions import BY_CODE
from induce.evolution.programs.grammar import Floats, Ints
from induce.evolution.programs.population import STEPS_A_NODE, Population, share_out

NODES = 15.0
"""Nodes of a formula, roughly, before it is known."""
ROUNDING = 1e-12
WIDTH = 512
"""Rows in a block: a few blocks stay in the fastest cache."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """The columns of a table, cut into blocks of rows.

    Parameters
    ----------
    cells : array of float64, shape (blocks, columns, rows of a block)
    n_rows : int
    """

    cells: Floats
    n_rows: int

    @classmethod
    def of(cls, matrix: Floats) -> Blocks:
        """Cut a matrix into blocks."""
        n, p = matrix.shape
        width = max(1, min(WIDTH, n))
        n_blocks = max(1, -(-n // width))
        cells = np.zeros((n_blocks, p, width))
        for b in range(n_blocks):
            part = matrix[b * width : (b + 1) * width]
            cells[b, :, : len(part)] = part.T
        return cls(cells, n)

    def room(self, n_slots: int) -> tuple[Floats, Ints, Ints]:
        """Return what the interpreter works with: slots, the stack, and the slots that are free."""
        places = np.zeros(n_slots, np.int64)
        return np.zeros((n_slots, self.cells.shape[2])), places, places.copy()


def outputs(codes: NDArray[np.int32], constants: Floats, blocks: Blocks, work: float = 0.0) -> Floats:
    """Return what a formula gives on every row; `work` is what there is to do besides.

    Examples
    --------
    >>> outputs(np.array([2, 32, 30], np.int32), np.array([0, 0, 0.5]), Blocks.of(np.array([[1.0], [3.0]])))
    array([0.5, 1.5])
    """
    found = np.empty(blocks.n_rows)
    loop: Any = sized(loops.outputs, max(work, 5.0 * len(codes) * blocks.n_rows))
    with np.errstate(all="ignore"):
        loop(
            codes,
            constants,
            len(codes),
            blocks.cells,
            blocks.n_rows,
            *blocks.room(stack_of(codes) + 1),
            found,
        )
    return found


@dataclass(frozen=True, eq=False)
class Fit:
    """Targets to be fitted.

    Parameters
    ----------
    blocks : Blocks
    target : array
        Without its mean.
    weights : array
        They sum to 1.
    mean, total : float
        The mean of the target, and the sum of the weights as they were given.
    work : float
        The elementary steps of the whole run.
    """

    blocks: Blocks
    target: Floats
    weights: Floats
    mean: float
    total: float
    work: float

    @classmethod
    def of(cls, matrix: Floats, target: Floats, weights: Floats, programs: float = 1.0) -> Fit:
        """Prepare the targets of some rows, for about so many programs."""
        total = float(weights.sum())
        shares = weights / total
        mean = float(shares @ target)
        work = programs * NODES * (len(target) + STEPS_A_NODE)
        return cls(Blocks.of(matrix), target - mean, shares, mean, total, work)

    @property
    def variance(self) -> float:
        """The mean squared error of the mean."""
        return float(self.weights @ self.target**2)

    def errors(
        self, population: Population, todo: Ints, terms: int, n_jobs: int | None, depth: int
    ) -> Floats:
        """Return the mean squared errors of some programs of a population.

        Parameters
        ----------
        population : Population
        todo : array of int
            Which programs.
        terms : int
            How many terms of a sum get a coefficient; 0 takes the formulas as they are.
        n_jobs : int or None
        depth : int
            Of the deepest program.
        """
        found = np.zeros(len(population))
        loop: Any = sized(loops.errors, self.work)
        sizes = np.ascontiguousarray(population.sizes)
        target = self.target if terms else self.target + self.mean

        def some(begin: int, end: int) -> None:
            loop(
                begin,
                end,
                todo,
                population.codes,
                population.constants,
                sizes,
                terms,
                self.blocks.cells,
                target,
                self.weights,
                *self._room(terms, depth + 3),
                found,
            )

        with np.errstate(all="ignore"):
            share_out(some, len(todo), n_jobs, max(1, 20_000 // self.blocks.n_rows))
        return found[todo]

    @cached_property
    def _loops(self) -> tuple[Any, Any]:
        """The loops for single formulas, plain or compiled as the whole run is."""
        return sized(loops.fitted, self.work), sized(loops.sensitivities, self.work)

    def coefficients(self, codes: NDArray[np.int32], constants: Floats, terms: int) -> Fitted:
        """Fit the coefficients of a formula's terms."""
        room = self._room(terms, stack_of(codes) + 1)
        with np.errstate(all="ignore"):
            error = self._loops[0](
                codes,
                constants,
                len(codes),
                terms,
                self.blocks.cells,
                self.target,
                self.weights,
                self.variance,
                *room,
            )
        starts, found = room[3], room[-1]
        n = int(loops.split(codes, len(codes), terms, starts))
        moves = np.abs(found[:n]) * np.ptp(room[4][:n], axis=1)
        if np.isfinite(moves).all():  # a term that moves nothing but the last digits is none
            found[:n][moves <= ROUNDING * self.variance**0.5] = 0.0
        ends = tuple((int(start), int(loops.term_end(codes, start))) for start in starts[:n])
        return Fitted(
            constants,
            found[:n].copy(),
            ends,
            float(found[n]) + self.mean,
            float(error) if error < np.inf else np.inf,
            self.variance**0.5,
        )

    def design(self, codes: NDArray[np.int32], fitted: Fitted, places: list[int]) -> Floats:
        """Return what each term of a formula gives on every row, and how the sum changes with each constant."""
        found = np.empty((len(fitted.ends) + len(places), self.blocks.n_rows))
        with np.errstate(all="ignore"):
            self._loops[1](
                codes,
                fitted.constants.copy(),
                np.array(fitted.ends, np.int64),
                fitted.coefficients,
                np.array(places, np.int64),
                self.blocks.cells,
                self.blocks.n_rows,
                *self.blocks.room(stack_of(codes) + 1),
                found,
            )
        return found

    def _room(self, terms: int, n_slots: int) -> tuple[Any, ...]:
        n = max(terms, 1)
        return (
            *self.blocks.room(n_slots),
            np.zeros(n + 1, np.int64),
            np.empty((n + 1, self.blocks.n_rows)),
            np.zeros((n + 3, n)),
            np.zeros(2 * n + 2),
        )


@dataclass(frozen=True, eq=False)
class Fitted:
    """A formula whose terms have coefficients.

    Parameters
    ----------
    constants : array
        Those inside the terms.
    coefficients : array
    ends : tuple of (int, int)
        Where each term begins and ends.
    intercept, error : float
    unit : float
        The deviation of the target, by which an intercept is large or small.
    evaluations : int
        How often the formula was worked out.
    """

    constants: Floats
    coefficients: Floats
    ends: tuple[tuple[int, int], ...]
    intercept: float
    error: float
    unit: float
    evaluations: int = 1


def stack_of(codes: Sequence[int] | NDArray[np.int32]) -> int:
    """Return how many values the interpreter holds at once."""
    most = held = 0
    for code in reversed(np.asarray(codes).tolist()):
        held += 1 - (BY_CODE[code].arity if code in BY_CODE else 0)
        most = max(most, held)
    return most
