"""Evaluation of formulas on the rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import sized
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.grammar import Floats, Ints
from induce.evolution.programs.population import STEPS_A_NODE, Population, share_out

NODES = 15.0
"""Approximate number of nodes of a formula, used before it is known."""
ROUNDING = 1e-12
STEP = 1e-6
"""Relative step of a constant for numerical derivatives."""
WIDTH = 512
"""Number of rows per block: a few blocks fit into the fastest cache."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """Columns of a table, divided into blocks of rows.

    Parameters
    ----------
    cells : array of float64, shape (blocks, columns, rows of a block)
    n_rows : int
    """

    cells: Floats
    n_rows: int

    @classmethod
    def of(cls, matrix: Floats) -> Blocks:
        """Divide a matrix into blocks."""
        n, p = matrix.shape
        width = max(1, min(WIDTH, n))
        n_blocks = max(1, -(-n // width))
        cells = np.zeros((n_blocks, p, width))
        for b in range(n_blocks):
            part = matrix[b * width : (b + 1) * width]
            cells[b, :, : len(part)] = part.T
        return cls(cells, n)

    def rows(self, values: Floats) -> Floats:
        """Return one value per row, in blocks."""
        found = np.zeros((len(self.cells), self.cells.shape[2]))
        found.reshape(-1)[: self.n_rows] = values
        return found

    def evaluate(
        self,
        loop: Any,
        codes: NDArray[np.int32],
        constants: Floats,
        part: tuple[int, int],
        room: tuple[Floats, Ints, Ints],
        found: Floats,
    ) -> None:
        """Evaluate a part of a formula on every row, using the given loop."""
        width = self.cells.shape[2]
        for b, columns in enumerate(self.cells):
            out = found[b * width : (b + 1) * width]
            loop(codes, constants, *part, columns, len(out), *room, out)

    def room(self, n_slots: int) -> tuple[Floats, Ints, Ints]:
        """Return the interpreter's workspace: slots, stack and free slots."""
        places = np.zeros(n_slots, np.int64)
        return np.empty((n_slots, self.cells.shape[2])), places, places.copy()


def outputs(codes: NDArray[np.int32], constants: Floats, blocks: Blocks, work: float = 0.0) -> Floats:
    """Return the output of a formula for every row; `work` is the amount of other work.

    Examples
    --------
    >>> outputs(np.array([2, 32, 30], np.int32), np.array([0, 0, 0.5]), Blocks.of(np.array([[1.0], [3.0]])))
    array([0.5, 1.5])
    """
    found = np.empty(blocks.n_rows)
    own = 5.0 * len(codes) * blocks.n_rows
    all_of_it = max(work, own, 1.0)
    loop: Any = sized(loops.evaluate, all_of_it, own / all_of_it)
    with np.errstate(all="ignore"):
        blocks.evaluate(loop, codes, constants, (0, len(codes)), blocks.room(slots_of(codes)), found)
    return found


@dataclass(frozen=True, eq=False)
class Fit:
    """A target to fit.

    Parameters
    ----------
    blocks : Blocks
    target : array
        Target with its mean subtracted.
    weights : array
        Normalised weights of the rows.
    mean, total : float
        Mean of the target, and sum of the original weights.
    work : float
        Number of elementary steps of the whole run.
    """

    blocks: Blocks
    target: Floats
    weights: Floats
    mean: float
    total: float
    work: float

    @classmethod
    def of(cls, matrix: Floats, target: Floats, weights: Floats, programs: float = 1.0) -> Fit:
        """Prepare the target of the given rows, for about `programs` programs."""
        total = float(weights.sum())
        shares = weights / total
        mean = float(shares @ target)
        work = programs * NODES * (len(target) + STEPS_A_NODE)
        return cls(Blocks.of(matrix), target - mean, shares, mean, total, work)

    @cached_property
    def variance(self) -> float:
        """Mean squared error of the mean."""
        return float(self.weights @ self.target**2)

    def errors(
        self, population: Population, todo: Ints, terms: int, n_jobs: int | None, depth: int
    ) -> Floats:
        """Return the mean squared errors of some programs of a population.

        Parameters
        ----------
        population : Population
        todo : array of int
            Indices of the programs to evaluate.
        terms : int
            Maximum number of terms with a fitted coefficient; 0 evaluates the formulas unchanged.
        n_jobs : int or None
        depth : int
            Depth of the deepest program.
        """
        found = np.zeros(len(population))
        sums = partial(self._sums, population.codes, population.constants, todo, terms, depth + 3, found)
        share_out(sums, len(todo), n_jobs, max(1, 20_000 // self.blocks.n_rows))
        return found[todo]

    def coefficients(self, codes: NDArray[np.int32], constants: Floats, terms: int) -> Fitted:
        """Fit the coefficients of a formula's terms."""
        error, alone = np.zeros(1), np.zeros(1, np.int64)
        places, found = self._sums(codes[None], constants[None], alone, terms, slots_of(codes), error, 0, 1)
        n = int(np.count_nonzero(places[1]))
        moves = np.abs(found[:n]) * np.sqrt(np.maximum(found[2 * n + 1 : 3 * n + 1], 0.0))
        found[:n][moves <= ROUNDING * self.variance**0.5] = 0.0  # it affects only the last digits
        return Fitted(
            constants,
            found[:n].copy(),
            tuple((int(start), int(end)) for start, end in places[:, :n].T),
            float(found[n]) + self.mean,
            float(error[0]),
            self.variance**0.5,
        )

    def design(self, codes: NDArray[np.int32], fitted: Fitted, places: list[int]) -> Floats:
        """Return the output of each term on every row, and the derivative of the sum by each constant."""
        n = len(fitted.ends)
        found = np.empty((n + len(places), self.blocks.n_rows))
        constants, room = fitted.constants.copy(), self.blocks.room(slots_of(codes))
        own = 5.0 * len(codes) * found.size
        loop: Any = sized(loops.evaluate, max(self.work, own), own / max(self.work, own))
        with np.errstate(all="ignore"):
            for part, row in zip(fitted.ends, found, strict=False):
                self.blocks.evaluate(loop, codes, constants, part, room, row)
            for place, row in zip(places, found[n:], strict=True):
                k = next(k for k, (start, end) in enumerate(fitted.ends) if start <= place < end)
                before = constants[place]
                width = STEP * max(1.0, abs(before))
                constants[place] += width
                self.blocks.evaluate(loop, codes, constants, fitted.ends[k], room, row)
                constants[place] = before
                row -= found[k]
                row *= fitted.coefficients[k] / width
        return found

    @cached_property
    def _errors(self) -> Any:
        """Loop, chosen once for the whole run."""
        return sized(loops.errors, self.work)

    @cached_property
    def _rows(self) -> tuple[Floats, Floats, Floats]:
        """Centred target, target and weights, in blocks."""
        rows = self.blocks.rows
        return rows(self.target), rows(self.target + self.mean), rows(self.weights)

    def _sums(
        self,
        codes: NDArray[np.int32],
        constants: Floats,
        todo: Ints,
        terms: int,
        n_slots: int,
        found: Floats,
        begin: int,
        end: int,
    ) -> tuple[Ints, Floats]:
        """Compute the errors of some formulas; return the terms of the last one and the fitted coefficients."""
        centred, whole, weights = self._rows
        n = max(terms, 1)
        places, fitted = np.zeros((2, n), np.int64), np.zeros(3 * n + 1)
        with np.errstate(all="ignore"):
            self._errors(
                begin,
                end,
                todo,
                codes,
                constants,
                terms,
                self.blocks.cells,
                self.blocks.n_rows,
                centred if terms else whole,
                weights,
                *self.blocks.room(n_slots),
                places,
                np.empty((n + 1, self.blocks.cells.shape[2])),
                np.zeros((n + 3, n)),
                fitted,
                found,
            )
        return places, fitted


@dataclass(frozen=True, eq=False)
class Fitted:
    """A formula with fitted coefficients of its terms.

    Parameters
    ----------
    constants : array
        Constants inside the terms.
    coefficients : array
    ends : tuple of (int, int)
        Start and end of each term.
    intercept, error : float
    unit : float
        Standard deviation of the target, the scale of the intercept.
    evaluations : int
        Number of evaluations of the formula.
    """

    constants: Floats
    coefficients: Floats
    ends: tuple[tuple[int, int], ...]
    intercept: float
    error: float
    unit: float
    evaluations: int = 1


def slots_of(codes: NDArray[np.int32]) -> int:
    """Return an upper bound on the number of slots: half the nodes of a binary tree are leaves."""
    return len(codes) // 2 + 2
