"""Disjunctions of at most k conjunctions (Mitchell exercise 2.3 for pairs)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np

from induce.concepts.conjunctions import Conjunction, Conjunctions
from induce.concepts.facets import NONE, Attributes, Cells
from induce.concepts.hypothesis_counter import TangledError
from induce.concepts.language import OR, Bounds, Extents, Language, Mask, as_bits, packed
from induce.concepts.listed import Listed
from induce.core.checks import at_least

Disjunction = tuple[Conjunction, ...]
MOST_REPRESENTATIVES = 2**16
"""Maximum number of distinguishing instances for comparing boundaries by coverage; otherwise they are
compared by form.
"""


@dataclass(frozen=True)
class Disjunctions(Language):
    """Disjunctions of at most `k` conjunctions, ordered disjunct by disjunct.

    One disjunction is more general than another if each disjunct of the other is below one of its own.
    Syntactically different hypotheses can have the same extension, and one may cover more than another
    without being above it in this order. Learning keeps such members of a boundary, because later examples
    may need them; `narrowest` and `widest` drop redundant ones. `Listed` distinguishes hypotheses by their
    extension.

    Parameters
    ----------
    base : Conjunctions
        Language of the disjuncts.
    k : int
        Maximum number of disjuncts; 2 by default.

    Examples
    --------
    >>> import induce
    >>> pairs = Disjunctions(Conjunctions.over(induce.dataset("enjoy-sport").input_schema), 2)
    >>> pairs.size()
    473851
    """

    base: Conjunctions
    k: int = 2
    attributes: Attributes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", self.base.attributes)
        at_least("k", self.k, 1, whole=True)

    def bottom(self) -> Disjunction:
        """Return the most specific hypothesis, which has no disjunct."""
        return ()

    def top(self) -> Disjunction:
        """Return the most general hypothesis."""
        return (self.base.top(),)

    def covers(self, code: Disjunction, cells: Cells) -> Mask:
        """Return whether the hypothesis covers each instance."""
        covered = np.zeros(len(cells), dtype=np.bool_)
        for conjunction in code:
            covered |= self.base.covers(conjunction, cells)
        return covered

    def more_general(self, code: Disjunction, other: Disjunction) -> bool:
        """Return whether each disjunct of the other hypothesis is below one of this hypothesis."""
        return all(any(self.base.more_general(high, low) for high in code) for low in other)

    def generalise(self, code: Disjunction, cells: Sequence[int]) -> tuple[Disjunction, ...]:
        """Return the minimal generalisations: one more disjunct, or disjuncts merged down to the maximum."""
        return self.joins(code, self.base.generalise(self.base.bottom(), cells))

    def specialise(self, code: Disjunction, cells: Sequence[int]) -> tuple[Disjunction, ...]:
        """Return the minimal specialisations: the best selections from the specialisations of the disjuncts."""
        covering = self.base.which_cover(code, cells)
        pool: list[Conjunction] = []
        for conjunction, covers in zip(code, covering, strict=True):
            pool += self.base.specialise(conjunction, cells) if covers else (conjunction,)
        return self._chosen(pool)

    def joins(self, one: Disjunction, other: Disjunction) -> tuple[Disjunction, ...]:
        """Return the least common generalisations: the disjuncts of both, merged down to at most `k`."""
        waiting, found = {self._normal([*one, *other])}, set()
        while waiting:
            parts = waiting.pop()
            if len(parts) <= self.k:
                found.add(parts)
                continue
            for first, second in combinations(parts, 2):
                rest = [part for part in parts if part not in (first, second)]
                waiting.add(self._normal([*rest, self.base.join(first, second)]))
        return self.minimal(sorted(found))

    def meets(self, one: Disjunction, other: Disjunction) -> tuple[Disjunction, ...]:
        """Return the greatest common specialisations: the best selections from intersected disjuncts."""
        return self._chosen([self.base.meet(mine, theirs) for mine in one for theirs in other])

    def _chosen(self, pool: Sequence[Conjunction]) -> tuple[Disjunction, ...]:
        """Return the largest allowed selections from the most general conjunctions."""
        kept = [conjunction for conjunction in self.base.maximal(pool) if conjunction[0] != NONE]
        chosen = combinations(kept, min(self.k, len(kept)))
        return tuple(dict.fromkeys(self._normal(choice) for choice in chosen))

    def narrowest(self, codes: Sequence[Disjunction]) -> tuple[Disjunction, ...]:
        """Return the minimal hypotheses, which cover all instances of no other one; of those with equal
        coverage, the first.
        """
        return self._by_extent(codes, general=False)

    def widest(self, codes: Sequence[Disjunction]) -> tuple[Disjunction, ...]:
        """Return the maximal hypotheses, whose coverage no other one contains; of those with equal coverage,
        the first.
        """
        return self._by_extent(codes, general=True)

    def _by_extent(self, codes: Sequence[Disjunction], general: bool) -> tuple[Disjunction, ...]:
        instances = self._representatives(codes) if len(codes) > 1 else None
        if instances is None:
            return tuple(codes)
        extents = as_bits(self.coverage(codes, instances))
        seen = ~extents if general else extents
        kept: list[int] = []
        for place in np.argsort(np.bitwise_count(seen).sum(axis=1), kind="stable").tolist():
            # all hypotheses that are contained in this one came before it
            if not any(((seen[other] & ~seen[place]) == 0).all() for other in kept):
                kept.append(place)
        return tuple(codes[place] for place in sorted(kept))

    def _representatives(self, codes: Sequence[Disjunction]) -> Cells | None:
        """Return one instance per combination of conjunctions that cover it; None if there are too many."""
        ends = [{0} for _ in self.attributes.facets]
        for conjunction in {part for code in codes for part in code}:
            for place, (low, high) in enumerate(conjunction):
                ends[place] |= {low, high + 1} & set(range(len(self.attributes.facets[place])))
        if math.prod(map(len, ends)) > MOST_REPRESENTATIVES:
            return None
        return np.array(list(product(*map(sorted, ends))), dtype=np.int64)

    def _normal(self, parts: Sequence[Conjunction]) -> Disjunction:
        return tuple(sorted(part for part in self.base.maximal(list(parts)) if part[0] != NONE))

    def text(self, code: Disjunction) -> str:
        """Format a hypothesis in the book's notation."""
        return OR.join(map(self.base.text, code)) or self.base.text(self.base.bottom())

    def boxes(self, code: Disjunction) -> tuple[Conjunction, ...]:
        """Return a hypothesis as a disjunction of conjunctions: its disjuncts."""
        return code

    def size(self) -> int:
        """Return the number of selections of `k` conjunctions with repetition."""
        return math.comb(self.base.size() + self.k - 1, self.k)

    def fits(self, code: Any) -> bool:
        """Return whether a value is a hypothesis of the language."""
        return isinstance(code, tuple) and len(code) <= self.k and all(map(self.base.fits, code))

    @cached_property
    def _by_meaning(self) -> Listed:
        return Listed(self)

    def members(self, bounds: Bounds) -> Iterator[Disjunction]:
        """Yield the hypotheses within bounds, one per extension."""
        listed = self._by_meaning
        return (
            self._normal(listed.of_base(place)) for place in listed.members(listed.bounds_of_base(bounds))
        )

    def count(self, bounds: Bounds, cells: Sequence[int] | None = None) -> int:
        """Count the distinct extensions of the hypotheses within bounds, or of those that cover an instance."""
        listed = self._by_meaning
        if not listed.small:
            raise TangledError(
                f"{self.size():.3g} disjunctions over {self.attributes.n_instances:.3g} instances are "
                "too many to count; use fewer attributes or disjuncts, or language='conjunctions'"
            )
        return listed.count(listed.bounds_of_base(bounds), cells)

    def hypotheses(self) -> Iterator[Disjunction]:
        """Yield every syntactically distinct hypothesis."""
        seen = set()
        for choice in combinations_with_replacement(self.base.hypotheses(), self.k):
            code = self._normal(choice)
            if code not in seen:
                seen.add(code)
                yield code

    def extents(self, instances: Cells) -> tuple[list[Disjunction], Extents]:
        """Return every selection of conjunctions with its coverage; equal extensions are not merged."""
        conjunctions, single = self.base.extents(instances)
        places = np.arange(len(conjunctions))[:, None]
        union = single
        for _ in range(1, self.k):
            last = places[:, -1]
            counts = len(conjunctions) - last
            left = np.repeat(np.arange(len(places)), counts)
            right = np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts) + last[left]
            places, union = np.column_stack([places[left], right]), union[left] | single[right]
            # of equivalent selections, the one with the simplest disjuncts is kept, because these come first
            _, first = np.unique(packed(union), return_index=True)
            places, union = places[np.sort(first)], union[np.sort(first)]
        return [tuple(conjunctions[place] for place in choice) for choice in places.tolist()], union
