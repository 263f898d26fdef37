"""Search for oblique tests of a node: perturbed hyperplanes, and linear machines trained by error correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.data.table import MISSING, positions
from induce.discretise import thresholds
from induce.trees.oblique import _loops as loops
from induce.trees.oblique.growth import TOLERANCE, Candidate, Here
from induce.trees.oblique.hypothesis import machine_codes, weighted_sums
from induce.trees.structure import Floats, Ints

STEP = 2_000_000
"""Number of entries visited in one compiled step: takes a fraction of a second."""
MOVES, SORTING, STEPS = 8, 1_000, 20
"""Number of moves per column of a search, and their elementary steps: fixed, and per example."""
PLAIN_PASSES = 5
"""Number of passes of a linear machine over all examples in one interpreted step."""
SAMPLE = 500
"""Number of examples used for random restarts; the best hyperplane is then optimised on all."""
CHANCES = 61
PRECISION = 9
"""Decimals of standardised values, so that the units of columns make no difference."""
SHOWN, PASSES = 500_000, (100, 1_000)
"""Number of examples shown to a linear machine until it has cooled down, and minimum and maximum number of passes."""
FALL = 0.1
"""Decrease in the accuracy of a linear machine at which no more variables are dropped."""


@dataclass(frozen=True, eq=False)
class Standard:
    """The numeric columns that vary at a node, standardised (mean 0, deviation 1); missing values are 0.

    Parameters
    ----------
    columns : array of float64, shape (columns, examples)
        The standardised columns.
    used : array of int
        Positions of these columns among the numeric ones.
    size, mean, deviation : arrays of float64
        A value x is standardised to (x / size - mean) / deviation. Dividing by the size first keeps squares
        of huge values finite.
    """

    columns: Floats
    used: NDArray[np.int64]
    size: Floats
    mean: Floats
    deviation: Floats

    @staticmethod
    def of(here: Here) -> Standard:
        """Standardise the numeric columns of a node."""
        known = ~np.isnan(here.numeric)
        values = np.where(known, here.numeric, 0.0)
        size = np.abs(values).max(axis=0, initial=0.0)
        varies = np.where(known, values, -np.inf).max(axis=0, initial=-np.inf) > np.where(
            known, values, np.inf
        ).min(axis=0, initial=np.inf)
        used = np.flatnonzero(varies)
        values, known, size = values[:, used] / size[used], known[:, used], size[used]
        weight = here.weight[:, None] * known
        mean = (weight * values).sum(axis=0) / weight.sum(axis=0)
        deviation = np.sqrt((weight * (values - mean) ** 2).sum(axis=0) / weight.sum(axis=0))
        wide = deviation * size > 0
        columns = ((values[:, wide] - mean[wide]) / deviation[wide]).round(PRECISION) * known[:, wide]
        return Standard(np.ascontiguousarray(columns.T), used[wide], size[wide], mean[wide], deviation[wide])

    def __len__(self) -> int:
        return len(self.used)

    def with_ones(self) -> Floats:
        """Return the columns with a column of ones for the constant."""
        return np.vstack([self.columns, np.ones((1, self.columns.shape[1]))])

    def standardised(self, column: int, threshold: float) -> float:
        """Return the standardised threshold of the column at that position."""
        return float((threshold / self.size[column] - self.mean[column]) / self.deviation[column])

    def in_units(self, discriminants: Floats, n_numeric: int) -> Floats:
        """Convert weights and constants of standardised columns to those of the original numeric columns.

        They are scaled so that the largest weight is 1 and no sum of finite values overflows.
        """
        weights, constants = discriminants[:, :-1], discriminants[:, -1]
        weighed = weights.any(axis=0)
        spread = self.size * self.deviation
        unit = spread[weighed].min(initial=np.inf)
        found = np.zeros((len(discriminants), n_numeric + 1))
        with np.errstate(over="ignore", invalid="ignore"):
            found[:, self.used[weighed]] = weights[:, weighed] * (unit / spread[weighed])
            found[:, -1] = unit * (constants - weights @ (self.mean / self.deviation))
            return np.asarray(found / np.abs(found[:, :-1]).max())


def threshold_tests(here: Here) -> list[Candidate]:
    """Return the best threshold of each numeric column."""
    found = []
    for attribute, position in enumerate(positions(here.schema)):
        if position < 0:
            continue
        values = np.ascontiguousarray(here.numeric[:, position])
        order = np.argsort(values, kind="stable")
        order = order[: len(values) - int(np.isnan(values).sum())]
        best_cut = repeated(loops.best_cut, len(order) * here.n_classes)
        score, together, at = best_cut(
            values, order, here.labels, here.weight, here.n_classes, here.least, here.measure == "gini"
        )
        if at >= 0:
            threshold = float(thresholds(values[order[at]], values[order[at + 1]]))
            gain = max(0.0, float(score - together) / float(here.weight.sum()))
            found.append(Candidate(attribute, gain, _sides(values, threshold), threshold=threshold))
    return found


@dataclass(frozen=True, eq=False)
class HyperplaneSearch:
    """OC1's search for the hyperplane with the purest sides (Murthy and others 1994).

    Parameters
    ----------
    restarts : int
        Number of random initial hyperplanes, in addition to the best test of a single column.
    jumps : int
        Number of random directions to try at a local optimum.
    random : Generator
        Random generator of hyperplanes and directions.
    """

    restarts: int
    jumps: int
    random: np.random.Generator

    def __call__(self, here: Here) -> list[Candidate]:
        """Return the best threshold of each column, and the best hyperplane if it may be better than them."""
        ordinary = threshold_tests(here)
        best = max(ordinary, key=lambda candidate: candidate.gain, default=None)
        standard = Standard.of(here)
        enough = len(standard) >= 2 and len(here) >= 2 * len(standard)
        if (
            best is None
            or not enough
            or best.gain >= here.gain(here.labels.astype(np.int32), here.n_classes) - TOLERANCE
        ):
            return ordinary
        plane = self._plane(here, standard, self._start(here, standard, best))
        found = plane_test(here, standard, plane)
        return ordinary if found is None or found.weights is None else [*ordinary, found]

    def _start(self, here: Here, standard: Standard, best: Candidate) -> Floats:
        """Return the hyperplane of a test of one column."""
        plane = np.zeros(len(standard) + 1)
        column = np.flatnonzero(standard.used == positions(here.schema)[best.attribute])
        if len(column):
            plane[column[0]] = 1.0
            plane[-1] = -standard.standardised(int(column[0]), best.threshold)
        else:  # the values are too small to be standardised
            plane[0] = 1.0
        return plane

    def _plane(self, here: Here, standard: Standard, start: Floats) -> Floats:
        everything = _Climb(here, standard.with_ones(), self.random)
        sample = everything if len(here) <= SAMPLE else everything.sample(SAMPLE)
        best, best_score = start, everything.run(start, self.jumps if sample is everything else 0)
        tried: tuple[float, Floats] = (-np.inf, start)
        for _ in range(self.restarts):
            plane = self.random.uniform(-1.0, 1.0, len(start))
            score = sample.run(plane, self.jumps)
            if score > tried[0] + sample.slack:
                tried = score, plane
        if self.restarts:
            score = everything.run(tried[1], 0) if sample is not everything else tried[0]
            if score > best_score + everything.slack:
                best, best_score = tried[1], score
        return everything.simplified(best, best_score)


@dataclass(frozen=True, eq=False)
class _Climb:
    """Optimises hyperplanes locally for the examples of a node, or for a sample of them."""

    here: Here
    columns: Floats
    random: np.random.Generator

    @property
    def slack(self) -> float:
        return TOLERANCE * float(self.here.weight.sum())

    def sample(self, size: int) -> _Climb:
        """Return the search on a random sample of the examples."""
        here = self.here
        at = np.sort(self.random.choice(len(here), size, replace=False))
        some = Here(
            here.schema,
            here.numeric[at],
            here.nominal[at],
            here.labels[at],
            here.weight[at],
            here.n_classes,
            here.measure,
            here.least * size / len(here),
        )
        return _Climb(some, np.ascontiguousarray(self.columns[:, at]), self.random)

    def run(self, plane: Floats, jumps: int) -> float:
        """Move a hyperplane in place to a local optimum; return the purity of its sides."""
        here, n_axes = self.here, len(plane)
        state = np.zeros(6)
        state[loops.SCORE], state[loops.AXIS], state[loops.MOVE] = -np.inf, n_axes - 1, 1.0
        directions = self.random.uniform(-1.0, 1.0, (4 * jumps + 1, n_axes))
        chances = self.random.random(CHANCES)
        gini = here.measure == "gini"
        climb = repeated(loops.climb, self._steps(MOVES * n_axes + jumps))
        while not climb(
            self.columns,
            here.labels,
            here.weight,
            here.n_classes,
            plane,
            directions,
            chances,
            state,
            jumps,
            here.least,
            gini,
            STEP,
        ):
            pass
        return float(state[loops.SCORE])

    def _steps(self, moves: int) -> int:
        """Return the approximate number of elementary steps of a number of moves."""
        return int(moves * (SORTING + STEPS * self.columns.shape[1]))

    def simplified(self, plane: Floats, score: float) -> Floats:
        """Drop weights, smallest first, where this does not make the sides less pure."""
        here = self.here
        for column in np.argsort(np.abs(plane[:-1]), kind="stable"):
            if plane[column] == 0.0 or np.count_nonzero(plane[:-1]) == 1:
                continue
            without = repeated(loops.without, self._steps(1))
            other, constant = without(
                self.columns,
                here.labels,
                here.weight,
                here.n_classes,
                plane,
                int(column),
                here.least,
                here.measure == "gini",
            )
            if other >= score - self.slack:
                plane[column] = 0.0
                plane[-1] = constant
        return plane


@dataclass(frozen=True, eq=False)
class MachineSearch:
    """Training of linear machines on fewer and fewer variables (Utgoff and Brodley 1991).

    Parameters
    ----------
    random : Generator
        Random generator for the order of examples.
    """

    random: np.random.Generator

    def __call__(self, here: Here) -> list[Candidate]:
        """Return the test of a linear machine, if it separates any examples."""
        standard = Standard.of(here)
        if not len(standard):
            return []
        present, labels = np.unique(here.labels, return_inverse=True)
        machine = self._fewest_variables(here, standard, labels, len(present))
        if len(present) == 2:
            found = plane_test(here, standard, machine[1] - machine[0])
        else:
            found = machine_test(here, standard, machine, present)
        return [] if found is None else [found]

    def _fewest_variables(
        self, here: Here, standard: Standard, labels: NDArray[np.int64], n_classes: int
    ) -> Floats:
        """Return the machine with the fewest variables within one standard error of the best accuracy.

        The variable whose weights differ least between classes is dropped first. A machine with more than
        half as many variables as examples could fit anything, and is not considered.
        """
        examples = np.ascontiguousarray(standard.with_ones().T)
        order = self._order(here.weight)
        whole = float(here.weight.sum())
        kept = np.arange(len(standard))
        tried: list[tuple[float, Floats]] = []
        while True:
            used = np.append(kept, len(standard))
            small, errors = _trained(
                np.ascontiguousarray(examples[:, used]), labels, here.weight, order, n_classes
            )
            machine = np.zeros((n_classes, len(standard) + 1))
            machine[:, used] = small
            accuracy = 1.0 - errors / whole
            if len(kept) == 1 or 2 * len(kept) <= len(here):
                tried.append((accuracy, machine))
                best = max(accuracy for accuracy, _ in tried)
                if len(kept) == 1 or accuracy < best - FALL:
                    break
            spread = small[:, :-1].var(axis=0)
            kept = kept[np.sort(np.argsort(-spread, kind="stable")[: len(kept) - max(1, len(kept) // 20)])]
        allowed = best - np.sqrt(best * (1.0 - best) / whole) - TOLERANCE
        return next(machine for accuracy, machine in reversed(tried) if accuracy >= allowed)

    def _order(self, weight: Floats) -> NDArray[np.int64]:
        """Return the examples in presentation order, repeated according to their weights."""
        whole, n = float(weight.sum()), len(weight)
        shown = int(np.clip(round(whole), n, 4 * n))
        points = (np.arange(shown) + 0.5) / shown * whole
        order = np.minimum(np.searchsorted(np.cumsum(weight), points), n - 1)
        return np.asarray(self.random.permutation(order))


def _trained(
    examples: Floats, labels: NDArray[np.int64], weight: Floats, order: NDArray[np.int64], n_classes: int
) -> tuple[Floats, float]:
    """Train a linear machine; return its best state and the weight of its errors."""
    machine = np.zeros((n_classes, examples.shape[1]))
    best = np.zeros_like(machine)
    state = np.zeros(3)
    state[loops.BETA], state[loops.LEAST_ERRORS] = loops.HOT, np.inf
    n_passes = np.clip(SHOWN / len(order), *PASSES)
    cooling = (loops.COLD / loops.HOT) ** (1.0 / n_passes)
    arrays = examples, labels, weight, order, machine, best, state
    work = 2 * len(order) * machine.size
    while True:
        train = repeated(loops.train, PLAIN_PASSES * work)
        if train(*arrays, cooling, PLAIN_PASSES * work if train is loops.train else 50 * STEP):
            break
    return best, float(state[loops.LEAST_ERRORS])


def plane_test(here: Here, standard: Standard, plane: Floats) -> Candidate | None:
    """Return the test given by a hyperplane; None if it does not separate the examples."""
    if not plane[:-1].any():
        return None
    weights = standard.in_units(plane[None], here.numeric.shape[1])[0, :-1]
    above = plane[:-1] @ standard.columns + plane[-1] > 0
    if weights[np.flatnonzero(weights)[0]] < 0:  # so that formulas begin without a minus sign
        weights, above = -weights, ~above
    sums = weighted_sums(here.numeric, weights[None])[:, 0]
    low = sums[~above & ~np.isnan(sums)].max(initial=-np.inf)
    high = sums[above & ~np.isnan(sums)].min(initial=np.inf)
    if not (np.isfinite([low, high]).all() and low < high):  # one side is empty, or rounding mixes them
        return None
    threshold = float(thresholds(low, high))
    branch = _sides(sums, threshold)
    gain = here.gain(branch, 2)
    if np.isnan(gain):
        return None
    weighed = np.flatnonzero(weights)
    if len(weighed) == 1:
        attribute = int(np.flatnonzero(positions(here.schema) == weighed[0])[0])
        return Candidate(attribute, gain, branch, threshold=threshold)
    return Candidate(len(here.schema), gain, branch, threshold=threshold, weights=weights)


def machine_test(here: Here, standard: Standard, machine: Floats, present: NDArray[Any]) -> Candidate | None:
    """Return the test given by a linear machine; None if it does not separate the examples."""
    found = np.full((here.n_classes, here.numeric.shape[1] + 1), np.nan)
    found[present] = standard.in_units(machine, here.numeric.shape[1])
    if not np.isfinite(found[present]).all():
        return None
    branch = machine_codes(here.numeric, found[None])[:, 0]
    gain = here.gain(branch, len(present))
    return None if np.isnan(gain) else Candidate(len(here.schema), gain, branch, len(present), machine=found)


def _sides(values: Floats, threshold: float) -> Ints:
    return np.where(np.isnan(values), MISSING, values > threshold).astype(np.int32)
