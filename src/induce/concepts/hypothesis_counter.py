"""Number of conjunctions between boundaries, counted attribute by attribute without enumeration.

A conjunction is one run per attribute. While the attributes are processed in turn, the state is only which
members of S the prefix is still above, and which members of G it is still below (or which negatives it still
covers). Two prefixes in the same state have the same continuations, so the work grows with the number of
distinct states and not with the number of hypotheses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from operator import and_
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from induce.concepts.facets import NONE, Cells, Facet, Run, distinct
from induce.core.errors import InputError
from induce.core.loops import repeated

if TYPE_CHECKING:
    from induce.concepts.conjunctions import Conjunctions
    from induce.concepts.language import Bounds

MOST_MEMORIES = 50_000
FEW = 8
"""Maximum size of a G that is used without searching for a shorter representation."""

Options = tuple[tuple[int, int], ...]
"""A state that runs of an attribute lead to, and the number of runs that lead to it."""


class TangledError(InputError):
    """Signal that the boundaries are too complex for counting the hypotheses between them."""


class HypothesisCounter:
    """Counter of the conjunctions within bounds.

    Parameters
    ----------
    language : Conjunctions
        Language of the hypotheses.
    bounds : Bounds
        Boundaries of the hypotheses to count.
    """

    def __init__(self, language: Conjunctions, bounds: Bounds) -> None:
        self.facets = language.attributes.facets
        self.with_nothing = any(code[0] == NONE for code in bounds.specific)
        low = [code for code in bounds.specific if code[0] != NONE]
        self.n_low = 0 if self.with_nothing else len(low)
        self.empty = bounds.empty
        self.low = low[: self.n_low]
        general = [code for code in bounds.general or () if code[0] != NONE]
        left_out = None
        if bounds.general is None or (len(general) > FEW and bounds.negatives is not None):
            left_out = reduced(language, low, bounds.excluded)
        # the forbidden hypotheses are equivalent to G, and often much shorter
        self.by_negatives = left_out is not None and (bounds.general is None or len(left_out) < len(general))
        self.high = left_out if left_out is not None and self.by_negatives else general
        self._all = (1 << (self.n_low + len(self.high))) - 1
        self._low_bits = (1 << self.n_low) - 1
        self._cache: dict[tuple[int, int | None], Options] = {}
        self._known: dict[tuple[Options, ...], int] = {}

    def options(self, place: int, cell: int | None = None) -> Options:
        """Return the states that the runs of an attribute (those that contain `cell`) lead to."""
        key = place, cell
        if key not in self._cache:
            facet = self.facets[place]
            marks = [code[place] for code in (*self.low, *self.high)]
            grouped: Counter[int] = Counter()
            for run, count in _runs(facet, marks, cell):
                grouped[self._memory(place, run)] += count
            self._cache[key] = tuple(grouped.items())
        return self._cache[key]

    def count(self, cells: Sequence[int] | None = None) -> int:
        """Count the hypotheses, or those that cover an instance."""
        if self.empty:
            return 0
        chosen = [self.options(i, None if cells is None else int(cells[i])) for i in range(len(self.facets))]
        return self.count_chosen(chosen) + (self.with_nothing and cells is None)

    def count_chosen(self, chosen: Iterable[Options]) -> int:
        """Count the hypotheses that can be composed from given options of each attribute."""
        # An attribute that affects no member of a boundary contributes only a factor.
        plain, tangled = 1, []
        for options in chosen:
            if len(options) == 1 and options[0][0] == self._all:
                plain *= options[0][1]
            else:
                tangled.append(options)
        # the order does not change the result; attributes that affect the same members are best processed
        # together
        tangled.sort(key=lambda options: (self._all & ~options[0][0] & ~options[-1][0]).bit_length())
        key = tuple(tangled)
        if key not in self._known:
            self._known[key] = self._total(tangled)
        return plain * self._known[key]

    def _total(self, chosen: list[Options]) -> int:
        # Dynamic programming over the attributes: the number of partial hypotheses for each set of boundary members
        # to which they still have the required relation.
        memories: dict[int, int] = {self._all: 1}
        kept_later = [self._all] * (len(chosen) + 1)
        for place in range(len(chosen) - 1, -1, -1):
            kept_later[place] = kept_later[place + 1] & reduce(
                and_, (kept for kept, _ in chosen[place]), self._all
            )
        for place, options in enumerate(chosen):
            # a negative that no later attribute can exclude must already be excluded
            hopeless = kept_later[place + 1] >> self.n_low << self.n_low if self.by_negatives else 0
            after: dict[int, int] = {}
            for memory, count in memories.items():
                for kept, more in options:
                    left = memory & kept
                    if self._alive(left) and not left & hopeless:
                        after[left] = after.get(left, 0) + count * more
            memories = within_reach(after)
        if self.by_negatives:
            return sum(count for memory, count in memories.items() if not memory >> self.n_low)
        return sum(memories.values())

    def members(self) -> Iterator[tuple[Run, ...]]:
        """Yield the hypotheses one at a time."""
        if self.empty:
            return
        if self.with_nothing:
            yield (NONE,) * len(self.facets)
        yield from self._members((), self._all)

    def _members(self, start: tuple[Run, ...], memory: int) -> Iterator[tuple[Run, ...]]:
        place = len(start)
        if place == len(self.facets):
            if not (self.by_negatives and memory >> self.n_low):
                yield start
            return
        for run in self.facets[place].runs:
            left = memory & self._memory(place, run)
            if self._alive(left):
                yield from self._members((*start, run), left)

    def _memory(self, place: int, run: Run) -> int:
        """Return the members of S that a run is above, and those of G it is below (or negatives covered)."""
        memory = 0
        for bit, code in enumerate(self.low):
            first, last = code[place]
            memory |= (run[0] <= first and last <= run[1]) << bit
        for bit, code in enumerate(self.high, start=self.n_low):
            inner, outer = (code[place], run) if self.by_negatives else (run, code[place])
            memory |= (outer[0] <= inner[0] and inner[1] <= outer[1]) << bit
        return memory

    def _alive(self, memory: int) -> bool:
        if self.n_low and not memory & self._low_bits:
            return False
        return self.by_negatives or bool(memory >> self.n_low)


def _runs(facet: Facet, marks: list[Run], cell: int | None) -> Iterable[tuple[Run, int]]:
    """Yield runs with the number of allowed runs that have the same relation to the marks (and to `cell`)."""
    if cell is not None and cell < 0:
        yield facet.whole, 1
        return
    if not facet.line:
        for low, high in facet.runs:
            if cell is None or low <= cell <= high:
                yield (low, high), 1
        return
    n = len(facet)
    lows = sorted({0, n, *(run[0] for run in marks), *(run[0] + 1 for run in marks)})
    highs = sorted({0, n, *(run[1] for run in marks), *(run[1] + 1 for run in marks)})
    if cell is not None:
        lows, highs = sorted({*lows, cell + 1}), sorted({*highs, cell})
    for a, b in pairwise(lows):
        for c, d in pairwise(highs):
            if cell is not None and not (a <= cell and c >= cell):
                continue
            count = _ordered_pairs(a, b, c, d)
            if count:
                yield (a, c) if a <= c else (a, d - 1), count


def _ordered_pairs(a: int, b: int, c: int, d: int) -> int:
    """Count the pairs low <= high with a <= low < b and c <= high < d."""

    def up_to(limit: int, width: int) -> int:
        """Count the pairs low <= high with low < limit and high < width, low not below 0."""
        limit = min(limit, width)
        return limit * width - limit * (limit - 1) // 2

    # Inclusion and exclusion over the four corners; pairs with high < c also have low < c.
    return up_to(b, d) - up_to(a, d) - up_to(min(b, c), c) + up_to(min(a, c), c)


def reduced(
    language: Conjunctions, low: Sequence[tuple[Run, ...]], negatives: Cells
) -> list[tuple[Run, ...]]:
    """Return the minimal elements among the least forbidden hypotheses.

    Above a most specific hypothesis s, excluding a negative n means not being above the least hypothesis that
    covers s and n; only the most specific of these matter.
    """
    if len(low) != 1 or not len(negatives):
        return [tuple((cell, cell) for cell in row) for row in distinct(negatives)[0].tolist()]
    (specific,) = low
    places = np.empty_like(negatives)
    found = []
    for j, (facet, (first, last)) in enumerate(zip(language.attributes.facets, specific, strict=True)):
        cells, inverse = np.unique(negatives[:, j], return_inverse=True)
        joins = [facet.least(min(first, cell), max(last, cell)) for cell in cells.tolist()]
        number = {join: place for place, join in enumerate(dict.fromkeys(joins))}
        found.append(np.array(list(number)))
        places[:, j] = np.array([number[join] for join in joins])[inverse]
    kinds, *_ = distinct(places)
    runs = np.stack([joins[kind] for joins, kind in zip(found, kinds.T, strict=True)], axis=1)
    kept = runs[outermost(runs, general=False)]
    return [tuple((first, last) for first, last in code) for code in kept.tolist()]


def outermost(runs: NDArray[np.int64], general: bool) -> NDArray[np.bool_]:
    """Return, for each of many distinct conjunctions, whether it contains no other (or lies within no other)."""
    from induce.concepts import _loops

    # with complemented bounds, "lies within" becomes "contains", so one loop serves both
    seen = np.stack([-runs[:, :, 0], -runs[:, :, 1]], axis=2) if general else runs
    order = np.argsort((seen[:, :, 1] - seen[:, :, 0]).sum(axis=1), kind="stable")
    kept = np.zeros(len(runs), dtype=np.bool_)
    minimal = repeated(_loops.minimal, float(len(runs)) ** 2)
    kept[order] = minimal(np.ascontiguousarray(seen[order], dtype=np.int64))
    return kept


def within_reach(memories: dict[int, int]) -> dict[int, int]:
    """Return the partial sums of a count, if there are few enough."""
    if len(memories) > MOST_MEMORIES:
        raise TangledError(
            f"the boundaries are too complex to count the hypotheses between them (more than {MOST_MEMORIES:,} "
            "partial sums); give more examples first"
        )
    return memories


_COUNTERS: WeakKeyDictionary[Bounds, HypothesisCounter] = WeakKeyDictionary()


def counter(language: Conjunctions, bounds: Bounds) -> HypothesisCounter:
    """Return the cached counter for the given bounds."""
    if bounds not in _COUNTERS:
        _COUNTERS[bounds] = HypothesisCounter(language, bounds)
    return _COUNTERS[bounds]
