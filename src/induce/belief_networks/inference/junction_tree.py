"""Junction trees: one propagation answers queries on all nodes (Lauritzen and Spiegelhalter 1988).

The tree is built for the variables that the evidence leaves open: observed nodes slice the tables, and nodes
irrelevant to evidence and query are omitted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.factors import Factors, Floats, Ints
from induce.belief_networks.inference import _propagation_loops, _triangulation_loops
from induce.belief_networks.inference._propagation_loops import Model as Factored
from induce.belief_networks.inference._triangulation_loops import Model
from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.progress import report

Codes = NDArray[np.int32]
Bools = NDArray[np.bool_]
Trees = tuple[Ints, Ints, Ints, float]
"""Several trees in one array, the start of each, the start of each one's rows, and the total work."""

MOST_ENTRIES = 2**27
"""Maximum number of table entries (1 GiB)."""
AGAIN = 10
"""Minimum number of repeated passes for which rows are planned."""
TRIED = 4
"""Number of row groups on which the two triangulation heuristics are compared."""
ROWS = 20
"""Minimum number of rows for considering one shared tree."""
SMALL = 5000
"""Number of table entries below which a smaller tree is not worth building."""
REMEMBERED = 64
"""Number of cached trees."""
STEP = 2e7
"""Approximate number of table entries processed per call, which takes some tenths of a second."""


class Posteriors(NamedTuple):
    """Posterior probabilities of each row.

    Parameters
    ----------
    probabilities : array of float64, shape (rows, values of all wanted variables)
        Probabilities; those of variable `v` start at ``places[v]``. NaN in an impossible row.
    places : array of int64
    log_probability : array of float64
        Log probability of the evidence in each row.
    """

    probabilities: Floats
    places: Ints
    log_probability: Floats

    def of(self, variable: int) -> Floats:
        """Return the posterior probabilities of a variable, one row each."""
        return self.probabilities[:, self.places[variable] : self.places[variable + 1]]


@dataclass(frozen=True, eq=False)
class JunctionTree:
    """Exact inference by a junction tree over factors.

    Parameters
    ----------
    factors : Factors
        Factors of the nodes first, then optional ones, such as virtual evidence.
    order : sequence of int
        Nodes, parents first. Factor `i` is the conditional of node `i`.

    Examples
    --------
    >>> factors = Factors.of([2, 2], [(0,), (0, 1)], [np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.3, 0.7]])])
    >>> found = JunctionTree(factors, (0, 1)).posteriors(np.array([[-1, 1]], np.int32))
    >>> found.of(0).round(4).tolist(), np.exp(found.log_probability).round(4).tolist()
    ([[0.3636, 0.6364]], [0.22])
    """

    factors: Factors
    order: tuple[int, ...]
    _kept: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)
    """Cached trees, by open and wanted variables, and trees that keep certain variables in one cluster."""

    @cached_property
    def _model(self) -> tuple[Model, Factored]:
        """The factors in the layouts of the triangulation and propagation loops."""
        f = self.factors
        arrays = f.sizes, f.starts, f.scopes, f.strides, f.offsets, f.tables
        return Model(*arrays, np.array(self.order, np.int64)), Factored(*arrays)

    def posteriors(self, rows: Codes, wanted: Bools | None = None) -> Posteriors:
        """Return the posterior probabilities of the wanted variables for each row.

        Parameters
        ----------
        rows : array of int32
            Code of each variable in each row; negative if not observed.
        wanted : array of bool, optional
            Mask of the wanted variables; all by default.
        """
        in_one = self._in_one(rows) if wanted is None else None
        wanted = self._all if wanted is None else wanted
        places = np.concatenate([[0], np.cumsum(self.factors.sizes * wanted)]).astype(np.int64)
        answers = np.empty((len(rows), int(places[-1])))
        if in_one is not None:
            logs = np.empty(len(rows))
            loop = sized(_propagation_loops.posteriors_in_one, 20 * len(rows) * len(self.factors.tables))
            loop(self._model[1], in_one, np.ascontiguousarray(rows, np.int32), wanted, places, answers, logs)
            return Posteriors(answers, places, logs)
        logs = self._propagate(rows, wanted, places, answers, np.empty(0), np.empty(0))
        return Posteriors(answers, places, logs)

    def _in_one(self, rows: Codes) -> Ints | None:
        """Return one small tree shared by all rows if nearly every row would need its own; otherwise None."""
        many = len(rows) >= ROWS and len(_grouped(rows)[2]) - 1 >= len(rows) / 2
        return self._small if many else None

    @cached_property
    def _small(self) -> Ints | None:
        """The tree without evidence, if its tables are small."""
        model, nothing = self._model[0], np.full((1, len(self._all)), -1, np.int32)
        grow = sized(_triangulation_loops.grow, 200 * len(self.factors.scopes) * ROWS, 1 / ROWS)
        grown = [grow(model, nothing, self._all, way, False, float(SMALL)) for way in (False, True)]
        plans, starts, entries = min(grown, key=lambda each: each[2].sum())
        return plans[: starts[-1]].copy() if len(entries) and entries.max() <= SMALL else None

    def expected_counts(self, rows: Codes, weights: Floats | None = None) -> tuple[Floats, Floats]:
        """Return the expected counts of each factor's states over the rows, and the log probability of each
        row.

        Counts are laid out like the tables. Impossible rows, whose log probability is minus infinity, are not
        counted.
        """
        counts = np.zeros(len(self.factors.tables))
        given = np.ones(len(rows)) if weights is None else np.asarray(weights, np.float64)
        logs = self._propagate(
            rows, self._all, np.empty(0, np.int64), np.empty((len(rows), 0)), given, counts
        )
        return counts, logs

    def planned(self, rows: Codes, weights: Floats) -> PlannedCounts:
        """Plan repeated computation of expected counts on the same rows with different tables.

        Only factors with open variables are counted.
        """
        order, sorted_rows, groups = _grouped(rows)
        grown = self._trees(sorted_rows, groups, self._all, constants=False) if len(rows) else ()
        try:
            trees = tuple(
                (plans[: starts[-1]].copy(), starts, bounds, n) for plans, starts, bounds, n in grown
            )
        except TooLargeError as error:
            raise TooLargeError(error.entries, "learn with method='loopy' or 'mean-field'") from None
        return PlannedCounts(self, trees, sorted_rows, weights[order])

    def log_probability(self, rows: Codes) -> Floats:
        """Return the log probability of the evidence in each row."""
        nothing, empty = np.zeros(len(self._all), np.bool_), np.empty((len(rows), 0))
        return self._propagate(rows, nothing, np.empty(0, np.int64), empty, np.empty(0), np.empty(0))

    def joint(self, row: Codes, variables: Sequence[int]) -> tuple[Floats, float]:
        """Return the joint posterior of the given variables given a row, and the row's log probability."""
        shape = tuple(self.factors.sizes[list(variables)].tolist())
        if math.prod(shape) > MOST_ENTRIES:
            raise TooLargeError(math.prod(shape))
        wanted = np.zeros(len(self._all), np.bool_)
        wanted[list(variables)] = True
        if len(shape) == 1:
            found = self.posteriors(row[None, :], wanted)
            return np.nan_to_num(found.probabilities[0]), float(found.log_probability[0])
        # A factor of ones over the variables forces them into one cluster; its expected counts are the joint
        # probabilities.
        tree = self._remembered(
            tuple(variables),
            lambda: JunctionTree(self.factors.joined([variables], [np.ones(shape)]), self.order),
        )
        counts = np.zeros(len(tree.factors.tables))
        logs = tree._propagate(
            row[None, :], wanted, np.empty(0, np.int64), np.empty((1, 0)), np.ones(1), counts
        )
        table = counts[tree.factors.offsets[-2] :].reshape(shape)
        return table, float(logs[0])

    @cached_property
    def _all(self) -> Bools:
        return np.ones(len(self.factors.sizes), np.bool_)

    def _propagate(
        self, rows: Codes, wanted: Bools, places: Ints, answers: Floats, weights: Floats, counts: Floats
    ) -> Floats:
        """Write posteriors and counts of the rows; return the log probability of each."""
        order, sorted_rows, groups = _grouped(rows)
        logs, own = np.empty(len(rows)), np.empty_like(answers)
        given = weights[order] if len(weights) else weights
        for plans, starts, bounds, entries in self._trees(sorted_rows, groups, wanted):
            loop = sized(_propagation_loops.posteriors, 20 * entries)
            loop(self._model[1], plans, starts, sorted_rows, bounds, wanted, places, own, logs, given, counts)
            report(int(bounds[-1]) / len(rows))
        answers[order] = own
        back = np.empty(len(rows))
        back[order] = logs
        return back

    def most_probable(self, rows: Codes) -> tuple[Codes, Floats]:
        """Return the most probable joint state for each row, and its joint log probability with the row."""
        order, rows, groups = _grouped(rows)
        states, logs = rows.copy(), np.empty(len(rows))
        for plans, starts, bounds, entries in self._trees(rows, groups, np.ones(rows.shape[1], np.bool_)):
            loop = sized(_propagation_loops.most_probable, 20 * entries)
            for tree, part in zip(pairwise(starts), pairwise(bounds), strict=True):
                group = slice(*part)
                loop(self._model[1], plans[slice(*tree)], rows[group], states[group], logs[group])
        back = np.argsort(order)
        return states[back], logs[back]

    def _trees(self, rows: Codes, groups: Ints, wanted: Bools, constants: bool = True) -> Iterator[Trees]:
        """Yield the trees of several row groups at a time: the trees, the start of each, the start of each group's
        rows, and the amount of work."""
        if len(groups) == 2:  # a single query, which may be repeated
            opened = np.packbits(rows[0] < 0).tobytes(), np.packbits(wanted).tobytes(), constants
            plans, starts, entries = self._remembered(opened, lambda: self._grown(rows, wanted, constants))
            if entries.max() > MOST_ENTRIES:
                raise TooLargeError(entries.max())
            yield plans, starts, groups, float((entries + len(self.factors.sizes)) @ np.diff(groups))
            return
        model = self._model[0]
        grow = sized(_triangulation_loops.grow, 200 * len(self.factors.scopes) * len(groups))
        # Neither heuristic is always better: the first groups decide for all.
        few = rows[groups[:-1][:TRIED]]
        by_fill, by_weight = (
            float(grow(model, few, wanted, way, constants, math.inf)[2].sum()) for way in (False, True)
        )
        expected = min(by_fill, by_weight) / max(len(few), 1)
        begin = 0
        while begin < len(groups) - 1:
            step = max(1, int(STEP / (expected + len(self.factors.sizes))))
            end = min(begin + step, len(groups) - 1)
            plans, starts, entries = grow(
                model, rows[groups[begin:end]], wanted, by_weight < by_fill, constants, float(MOST_ENTRIES)
            )
            if entries.max() > MOST_ENTRIES:
                raise TooLargeError(entries.max())
            end = begin + len(entries)
            bounds = groups[begin : end + 1]
            expected = float(entries.mean())
            yield plans, starts, bounds, float((entries + len(self.factors.sizes)) @ np.diff(bounds))
            begin = end

    def _grown(self, rows: Codes, wanted: Bools, constants: bool) -> tuple[Ints, Ints, Floats]:
        """Return the smaller of the two trees of the first row."""
        grow = sized(_triangulation_loops.grow, 400 * len(self.factors.scopes))
        ways = [grow(self._model[0], rows[:1], wanted, way, constants, math.inf) for way in (False, True)]
        plans, starts, entries = min(ways, key=lambda each: float(each[2].sum()))
        return plans[: starts[-1]].copy(), starts, entries

    def _remembered(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return the cached value of a key, or compute it; the oldest entry is evicted when the cache is
        full.
        """
        if key not in self._kept:
            while len(self._kept) >= REMEMBERED:
                self._kept.pop(next(iter(self._kept)), None)
            self._kept[key] = make()
        return self._kept[key]


@dataclass(frozen=True, eq=False)
class PlannedCounts:
    """Trees of rows that are processed repeatedly with different tables: the E step of EM."""

    tree: JunctionTree
    trees: tuple[Trees, ...]
    rows: Codes
    weights: Floats

    def count(self, tables: Floats, counts: Floats) -> float:
        """Add the expected counts, and return the log probability of the rows."""
        model = self.tree._model[1]._replace(tables=tables)
        nothing, logs = np.empty((len(self.rows), 0)), np.empty(len(self.rows))
        every, places = self.tree._all, np.empty(0, np.int64)
        for plans, starts, bounds, entries in self.trees:
            loop = sized(_propagation_loops.posteriors, 20 * entries * AGAIN, 1 / AGAIN)
            loop(model, plans, starts, self.rows, bounds, every, places, nothing, logs, self.weights, counts)
        return float(self.weights @ logs)


class TooLargeError(InputError):
    """An exact answer needs tables with too many entries.

    Parameters
    ----------
    entries : float
        Number of entries.
    remedy : str
        Alternative to suggest to the user.
    """

    def __init__(self, entries: float, remedy: str = "use method='likelihood-weighting'") -> None:
        super().__init__(
            f"an exact answer needs tables of {entries:,.0f} entries ({entries * 8 / 2**30:,.1f} GiB), more than "
            f"{MOST_ENTRIES:,}; observe more nodes, or {remedy}"
        )
        self.entries = entries


def _grouped(rows: Codes) -> tuple[Ints, Codes, Ints]:
    """Return an order that groups rows by their open variables, the rows in this order, and the start of each
    group."""
    rows = np.ascontiguousarray(rows, np.int32)
    if not rows.size or len(rows) == 1:
        return np.arange(len(rows)), rows, np.array([0, len(rows)][: 1 + (len(rows) > 0)], np.int64)
    # The tree depends on which variables are observed, not on their values: rows with the same pattern share
    # one.
    key = np.ascontiguousarray(np.packbits(rows >= 0, axis=1))
    _, group = np.unique(key.view(np.dtype((np.void, key.shape[1]))).reshape(-1), return_inverse=True)
    order = np.argsort(group, kind="stable")
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    return order, rows[order], np.append(begins, len(rows)).astype(np.int64)
