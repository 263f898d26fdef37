"""Junction trees: one propagation answers for all nodes (Lauritzen and Spiegelhalter 1988).

The tree is made for what the evidence leaves open: observed nodes slice the tables, and nodes that bear neither on
the evidence nor on the question are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.progress import report
from induce.graphical.factors import Factors, Floats, Ints
from induce.graphical.inference import _propagation_loops, _triangulation_loops
from induce.graphical.inference._propagation_loops import Model as Factored
from induce.graphical.inference._triangulation_loops import Model

Codes = NDArray[np.int32]
Bools = NDArray[np.bool_]

MOST_ENTRIES = 2**27
"""Tables with more entries than this (1 GiB) are refused."""
TRIED = 16
"""On so many groups of rows it is tried which way to triangulate is better."""
STEP = 2e7
"""About how many entries of tables are worked on in one call, some tenths of a second."""


@dataclass(frozen=True, eq=False)
class Posteriors:
    """What was found for each row.

    Parameters
    ----------
    probabilities : array of float64, shape (rows, values of all variables)
        Those of a variable `v` stand from ``places[v]`` on; NaN in a row that is impossible, and for what was not
        wanted.
    places : array of int64
    log_probability : array of float64
        Of the evidence in each row.
    counts : array of float64
        The expected counts of all rows, in the form of the tables of the factors; empty unless asked for.
    """

    probabilities: Floats
    places: Ints
    log_probability: Floats
    counts: Floats

    def of(self, variable: int) -> Floats:
        """Return the probabilities of the values of a variable, a row for each."""
        return self.probabilities[:, self.places[variable] : self.places[variable + 1]]


@dataclass(frozen=True, eq=False)
class JunctionTree:
    """Exact inference with factors.

    Parameters
    ----------
    factors : Factors
        Those of nodes first, then perhaps others, such as the likelihoods of virtual evidence.
    order : sequence of int
        The nodes, parents first. Factor `i` is the conditional of node `i`.

    Examples
    --------
    >>> factors = Factors.of([2, 2], [(0,), (0, 1)], [np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.3, 0.7]])])
    >>> found = JunctionTree(factors, (0, 1)).posteriors(np.array([[-1, 1]], np.int32))
    >>> found.of(0).round(4).tolist(), np.exp(found.log_probability).round(4).tolist()
    ([[0.3636, 0.6364]], [0.22])
    """

    factors: Factors
    order: tuple[int, ...]

    @cached_property
    def _model(self) -> tuple[Model, Factored]:
        """The factors as the loops that make trees, and those that propagate, take them."""
        f = self.factors
        arrays = f.sizes, f.starts, f.scopes, f.strides, f.offsets, f.tables
        return Model(*arrays, np.array(self.order, np.int64)), Factored(*arrays)

    def posteriors(
        self,
        rows: Codes,
        wanted: Bools | None = None,
        weights: Floats | None = None,
        count: bool = False,
    ) -> Posteriors:
        """Return the probabilities of all values of the wanted variables given each row.

        Parameters
        ----------
        rows : array of int32
            The code of each variable in each row, or less than 0 where it is not observed.
        wanted : array of bool, optional
            By default all variables.
        weights : array, optional
            The weights of the rows in the expected counts.
        count : bool
            Whether to add up the expected counts.
        """
        n = len(self.factors.sizes)
        matter = np.ones(n, np.bool_) if wanted is None or count else wanted
        wanted = matter if wanted is None else wanted
        places = np.concatenate([[0], np.cumsum(self.factors.sizes * wanted)]).astype(np.int64)
        order, rows, groups = _grouped(rows)
        answers, logs = np.empty((len(rows), int(places[-1]))), np.empty(len(rows))
        given = np.ones(len(rows)) if weights is None else np.asarray(weights, np.float64)[order]
        counts = np.zeros(len(self.factors.tables) if count else 0)
        for plans, starts, bounds, entries in self._trees(rows, groups, matter):
            loop = sized(_propagation_loops.posteriors, 20 * entries)
            loop(self._model[1], plans, starts, rows, bounds, wanted, places, answers, logs, given, counts)
            report(int(bounds[-1]) / len(rows))
        back = np.argsort(order)
        return Posteriors(answers[back], places, logs[back], counts)

    def most_probable(self, rows: Codes) -> tuple[Codes, Floats]:
        """Return the most probable state of all variables given each row, and its log probability with the row."""
        order, rows, groups = _grouped(rows)
        states, logs = rows.copy(), np.empty(len(rows))
        for plans, starts, bounds, entries in self._trees(rows, groups, np.ones(rows.shape[1], np.bool_)):
            loop = sized(_propagation_loops.most_probable, 20 * entries)
            for tree, part in zip(pairwise(starts), pairwise(bounds), strict=True):
                group = slice(*part)
                loop(self._model[1], plans[slice(*tree)], rows[group], states[group], logs[group])
        back = np.argsort(order)
        return states[back], logs[back]

    def _trees(self, rows: Codes, groups: Ints, wanted: Bools) -> Iterator[tuple[Ints, Ints, Ints, float]]:
        """Yield the trees of some groups of rows at a time: the trees, where each begins, where the rows of each
        group begin, and how many entries are to be worked on."""
        model = self._model[0]
        grow = sized(_triangulation_loops.grow, 200 * len(self.factors.scopes) * len(groups))
        few = rows[groups[:-1][:TRIED]]
        by_fill, by_weight = (
            float(grow(model, few, wanted, way, math.inf)[2].sum()) for way in (False, True)
        )
        expected = min(by_fill, by_weight) / max(len(few), 1)
        begin = 0
        while begin < len(groups) - 1:
            step = max(1, int(STEP / (expected + len(self.factors.sizes))))
            end = min(begin + step, len(groups) - 1)
            plans, starts, entries = grow(
                model, rows[groups[begin:end]], wanted, by_weight < by_fill, float(MOST_ENTRIES)
            )
            if entries.max() > MOST_ENTRIES:
                raise too_large(entries.max())
            end = begin + len(entries)
            bounds = groups[begin : end + 1]
            expected = float(entries.mean())
            yield plans, starts, bounds, float((entries + len(self.factors.sizes)) @ np.diff(bounds))
            begin = end


def too_large(entries: float) -> InputError:
    """Return the error for tables that do not fit."""
    return InputError(
        f"an exact answer needs tables of {entries:,.0f} entries ({entries * 8 / 2**30:,.1f} GiB), more than "
        f"{MOST_ENTRIES:,}; observe more nodes, or ask with method='likelihood-weighting'"
    )


def _grouped(rows: Codes) -> tuple[Ints, Codes, Ints]:
    """Return an order of rows in which those with the same open variables follow each other, the rows in this order,
    and where those begin that have the same."""
    rows = np.ascontiguousarray(rows, np.int32)
    if not rows.size:
        return np.arange(len(rows)), rows, np.array([0, len(rows)][: 1 + (len(rows) > 0)], np.int64)
    key = np.ascontiguousarray(np.packbits(rows >= 0, axis=1))
    _, group = np.unique(key.view(np.dtype((np.void, key.shape[1]))).reshape(-1), return_inverse=True)
    order = np.argsort(group, kind="stable")
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    return order, rows[order], np.append(begins, len(rows)).astype(np.int64)
