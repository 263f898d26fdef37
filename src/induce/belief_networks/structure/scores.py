"""Scores of families; their sum is the score of the network (Mitchell 6.11.6; AIMA 20.2)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.conditionals.base import MOST_PARENT_STATES
from induce.belief_networks.structure import _loops
from induce.core.loops import sized

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
States = NDArray[np.int64]

SCORES = ("bic", "mdl", "k2", "bdeu")
MOST_CELLS = 2**22
"""Maximum number of cells of a family."""


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows of nominal columns in the layout for counting families.

    Parameters
    ----------
    codes : array of int32, shape (columns, rows)
        Codes of the values; negative if missing.
    sizes : array of int64
        Number of values of each column.
    weights : array of float64
        Row weights.

    Examples
    --------
    >>> rows = CodedRows.of(np.array([[0, 1], [1, 1], [1, 1]]), [2, 2])
    >>> rows.states([0, 1])[0].tolist(), rows.total
    ([1, 3, 3], 3.0)
    """

    codes: Codes
    sizes: NDArray[np.int64]
    weights: Floats

    @classmethod
    def of(cls, rows: NDArray[Any], sizes: Sequence[int], weights: Floats | None = None) -> CodedRows:
        """Return rows of codes; equal rows are merged if few distinct ones are possible."""
        columns = np.ascontiguousarray(np.asarray(rows).T, np.int32)
        found = cls(
            columns,
            np.asarray(sizes, np.int64),
            np.ones(columns.shape[1]) if weights is None else weights.astype(np.float64),
        )
        return found if math.prod(size + 1 for size in sizes) > columns.shape[1] else found._distinct()

    def _distinct(self) -> CodedRows:
        place = np.zeros(self.codes.shape[1], np.int64)
        for codes, size in zip(self.codes, self.sizes.tolist(), strict=True):
            place = place * (size + 1) + np.maximum(codes, -1) + 1
        _, first, which = np.unique(place, return_index=True, return_inverse=True)
        weights = np.asarray(np.bincount(which, self.weights, len(first)), np.float64)
        return CodedRows(np.ascontiguousarray(self.codes[:, first]), self.sizes, weights)

    def weighted(self, weights: Floats) -> CodedRows:
        """Return the same rows with other weights; rows of weight 0 are removed."""
        kept = weights > 0
        return CodedRows(np.ascontiguousarray(self.codes[:, kept]), self.sizes, weights[kept])

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.codes)

    @cached_property
    def total(self) -> float:
        """Total weight of the rows."""
        return float(self.weights.sum())

    @cached_property
    def holes(self) -> bool:
        """Whether values are missing."""
        return bool((self.codes < 0).any())

    @cached_property
    def extended(self) -> tuple[Codes, NDArray[np.int64]]:
        """The columns and their sizes, with an additional single-valued column, which as a parent has no
        effect.
        """
        constant = np.zeros((1, self.codes.shape[1]), np.int32)
        return np.ascontiguousarray(np.vstack([self.codes, constant])), np.append(self.sizes, 1)

    def states(self, columns: Collection[int]) -> tuple[States, int]:
        """Return the joint state of the given columns in each row (negative if a value is missing), and the
        number of states.

        Unoccupied states are omitted if there are more states than rows.
        """
        place = np.zeros(self.codes.shape[1], np.int64)
        known = None
        count = 1
        for column in columns:
            codes = self.codes[column]
            size = int(self.sizes[column])
            place *= size
            place += codes
            count *= size
            if self.holes:
                known = codes >= 0 if known is None else known & (codes >= 0)
                place[~known] = 0
            if count > max(len(place), 1024):
                found, place = np.unique(place, return_inverse=True)
                count = len(found)
        if known is not None:
            place[~known] = -1
        return place, count

    def n_states(self, columns: Collection[int]) -> int:
        """Return the number of joint states of the given columns."""
        return math.prod(int(self.sizes[column]) for column in columns)


class FamilyScores:
    """The scores of nodes given their parents, each computed once.

    ===========  ====================================================================================
    score        definition for a node with r values, whose parents have q states
    ===========  ====================================================================================
    ``"bic"``    log-likelihood - q (r - 1) / 2 · ln N
    ``"mdl"``    the same, minus the code length of the p parents among n nodes:
                 ln n + ln C(n, p) (Friedman and Goldszmidt 1996)
    ``"k2"``     log marginal likelihood under uniform priors (Cooper and Herskovits 1992)
    ``"bdeu"``   log marginal likelihood under priors with `equivalent_sample_size` rows in total
                 (Heckerman et al. 1995)
    ===========  ====================================================================================

    A row is used for a family if it has all of its values. Scores of families that need different rows are
    not comparable: `gains` and `difference` score both on the rows in which all values of both are observed.
    The score of a single family scales its counts up to the weight of all rows.

    Examples
    --------
    >>> rows = np.array([[1, 0, 0], [1, 1, 1], [0, 0, 1], [1, 1, 1], [0, 0, 0],
    ...                  [0, 1, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]])
    >>> families = FamilyScores(CodedRows.of(rows, [2, 2, 2]), "k2")
    >>> [round(1 / math.exp(score)) for score in (families.score(1, ()), families.score(1, (0,)))]
    [2772, 900]
    """

    def __init__(self, rows: CodedRows, score: str, equivalent_sample_size: float = 1.0) -> None:
        self.rows = rows
        self.kind = score
        self.equivalent_sample_size = equivalent_sample_size
        self._work = float(rows.codes.shape[1]) * len(rows) ** 2  # every pair is scored at least once
        self._rows: dict[tuple[int, tuple[int, ...]], Floats] = {}
        self._one: dict[tuple[int, tuple[int, ...], int], float] = {}
        self._single: dict[tuple[int, tuple[int, ...]], float] = {}
        self._pairs: dict[tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...], float] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def holes(self) -> bool:
        """Whether values are missing."""
        return self.rows.holes

    def score(self, node: int, parents: Collection[int]) -> float:
        """Return the score of a node given its parents."""
        key = node, tuple(sorted(parents))
        if key not in self._single:
            scores, _, _ = self._scored(node, key[1], [len(self)], self.rows.total)
            self._single[key] = float(scores[0] - self._price(node, key[1], [len(self)], self.rows.total)[0])
        return self._single[key]

    def gains(self, node: int, parents: Collection[int]) -> Floats:
        """Return the score gain of each node as an additional parent; minus infinity where it is not allowed."""
        key = node, tuple(sorted(parents))
        found = self._rows.get(key)
        if found is None:
            others = [k for k in range(len(self)) if k != node and k not in key[1]]
            found = np.full(len(self), -math.inf)
            found[others] = self._gained(node, key[1], others)
            self._rows[key] = found
        return found

    def gain(self, node: int, parents: Collection[int], parent: int) -> float:
        """Return the score gain of one additional parent."""
        key = node, tuple(sorted(parents))
        if key in self._rows:
            return float(self._rows[key][parent])
        if (*key, parent) not in self._one:
            self._one[(*key, parent)] = float(self._gained(node, key[1], [parent])[0])
        return self._one[(*key, parent)]

    def difference(self, before: Sequence[Collection[int]], after: Sequence[Collection[int]]) -> float:
        """Return the score difference of two graphs.

        With missing values, each family is compared on the rows that both graphs need for it. Two families
        between which an arc is reversed are compared jointly on the same rows; otherwise the arc would turn
        towards the node with more observed rows.
        """
        changed = [node for node in range(len(self)) if set(before[node]) != set(after[node])]
        if not self.holes:
            return sum(self.score(node, after[node]) - self.score(node, before[node]) for node in changed)
        return sum(
            self._exchanged([(node, before[node], after[node]) for node in group])
            for group in _turned_together(changed, before, after)
        )

    def _exchanged(self, families: Sequence[tuple[int, Collection[int], Collection[int]]]) -> float:
        """Return the score gain of other parents for the given nodes, on the rows in which all of them are
        observed.
        """
        key = tuple((node, tuple(sorted(before)), tuple(sorted(after))) for node, before, after in families)
        if key not in self._pairs:
            needed = sorted({column for node, *sides in key for side in sides for column in (node, *side)})
            self._pairs[key] = sum(
                self._score_on(needed, node, after) - self._score_on(needed, node, before)
                for node, before, after in key
            )
        return self._pairs[key]

    def total(self, parents: Sequence[Collection[int]]) -> float:
        """Return the score of a graph."""
        return sum(self.score(node, above) for node, above in enumerate(parents))

    def n_parameters(self, node: int, parents: Collection[int]) -> int:
        """Return the number of independent parameters of a node's table."""
        return self.rows.n_states(parents) * (int(self.rows.sizes[node]) - 1)

    def _gained(self, node: int, parents: tuple[int, ...], candidates: Sequence[int]) -> Floats:
        """Return the score gain of each candidate as an additional parent, on the rows in which it is
        observed.
        """
        wanted = [*candidates, len(self)]
        scores, without, lost = self._scored(node, parents, wanted, 0.0)
        known = self.rows.total - lost
        without = np.where(np.isnan(without), scores[-1], without)
        price = self._price(node, parents, wanted, known)
        before = self._price(node, parents, [len(self)] * len(wanted), known)
        return ((scores - price) - (without - before))[:-1]

    def _score_on(self, needed: Sequence[int], node: int, parents: tuple[int, ...]) -> float:
        """Return the score of a family on the rows in which all needed columns are observed."""
        known = np.asarray((self.rows.codes[needed] >= 0).all(axis=0))
        scores, _, lost = self._scored(node, parents, [len(self)], 0.0, known)
        return float(scores[0] - self._price(node, parents, [len(self)], self.rows.total - lost)[0])

    def _scored(
        self,
        node: int,
        parents: tuple[int, ...],
        candidates: Sequence[int],
        scale_to: float,
        known: NDArray[np.bool_] | None = None,
    ) -> tuple[Floats, Floats, Floats]:
        """Count and score a node given its parents and each candidate; the number of nodes stands for no
        candidate.

        Returns the scores, the scores without the candidate on the same rows (NaN if it loses no row), and
        the weight of the lost rows. The parameter penalty is not yet subtracted.
        """
        codes, sizes = self.rows.extended
        values, q = int(sizes[node]), self.rows.n_states(parents)
        wanted = np.asarray(candidates, np.int64)
        states = q * sizes[wanted].astype(float)
        fits = (states <= MOST_PARENT_STATES) & (states * values <= MOST_CELLS)
        place, n_states = self.rows.states(parents)
        base = place * values + codes[node]
        if self.rows.holes:
            base[(place < 0) | (codes[node] < 0)] = -1
        if known is not None:
            base[~known] = -1
        chosen = wanted[fits]
        found, without, lost = (np.empty(len(chosen)) for _ in range(3))
        prior = float(self._priors(np.array([float(q * values)]))[0])
        priors = self._priors(states[fits] * values)
        weights = self.rows.weights
        work = max(self._work, n_states * values * float(sizes[chosen].sum()))
        run = sized(_loops.score_families, work, len(chosen) / len(self.rows) ** 2)
        run(
            base, n_states, codes, sizes, node, chosen, weights, scale_to, prior, priors, found, without, lost
        )
        all_of = np.full((3, len(wanted)), -math.inf)
        all_of[1], all_of[2] = math.nan, 0.0
        all_of[:, fits] = found, without, lost
        return all_of[0], all_of[1], all_of[2]

    def _price(
        self, node: int, parents: tuple[int, ...], candidates: Sequence[int], known: Floats | float
    ) -> Floats:
        """Return the parameter penalty of a node given its parents and each candidate."""
        sizes = self.rows.extended[1]
        wanted = np.asarray(candidates, np.int64)
        parameters = self.rows.n_states(parents) * sizes[wanted].astype(float) * (int(sizes[node]) - 1)
        return self._penalties(parameters, len(parents) + (wanted < len(self)), known)

    def _priors(self, cells: Floats) -> Floats:
        if self.kind == "k2":
            return np.ones(len(cells))
        return self.equivalent_sample_size / cells if self.kind == "bdeu" else np.zeros(len(cells))

    def _penalties(self, parameters: Floats, n_parents: NDArray[np.int64], known: Floats | float) -> Floats:
        if self.kind not in ("bic", "mdl"):
            return np.zeros(len(parameters))
        price = parameters * np.log(np.maximum(known, 1.0)) / 2
        if self.kind == "mdl":
            n = len(self)
            price = price + math.log(n) + [math.log(math.comb(n, int(k))) for k in n_parents]
        return np.asarray(price)


def _turned_together(
    changed: Sequence[int], before: Sequence[Collection[int]], after: Sequence[Collection[int]]
) -> list[list[int]]:
    """Group the nodes whose parents change: nodes between which an arc is reversed belong together."""
    group = {node: node for node in changed}
    for child in changed:
        for parent in before[child]:
            if child in after[parent]:
                old, new = group[child], group[parent]
                group = {node: new if own == old else own for node, own in group.items()}
    return [[node for node in changed if group[node] == own] for own in dict.fromkeys(group.values())]
