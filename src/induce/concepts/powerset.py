"""The unbiased language: every set of instances is a concept (Mitchell 2.7.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np

from induce.concepts.facets import Attributes, Cells
from induce.concepts.hypothesis_counter import within_reach
from induce.concepts.language import OR, Bounds, Box, Language, Mask

InstanceSet = tuple[bool, tuple[tuple[int, ...], ...]]


@dataclass(frozen=True)
class PowerSet(Language):
    """All sets of instances; a hypothesis is a set of instances (True, …) or its complement (False, …).

    Parameters
    ----------
    attributes : Attributes
        Attributes of the language.

    Examples
    --------
    >>> import induce
    >>> from induce.concepts.facets import Attributes
    >>> PowerSet(Attributes.of(induce.dataset("enjoy-sport").input_schema)).size() == 2**96
    True
    """

    attributes: Attributes

    joins_are_unique = True

    def bottom(self) -> InstanceSet:
        """Return the most specific hypothesis, the empty set."""
        return True, ()

    def top(self) -> InstanceSet:
        """Return the most general hypothesis, the set of all instances."""
        return False, ()

    def covers(self, code: InstanceSet, cells: Cells) -> Mask:
        """Return whether the hypothesis covers each instance."""
        inside, members = code
        listed = set(members)
        return np.array([(tuple(row) in listed) == inside for row in cells.tolist()], dtype=np.bool_)

    def more_general(self, code: InstanceSet, other: InstanceSet) -> bool:
        """Return whether a hypothesis covers everything that another one covers."""
        mine, others = set(code[1]), set(other[1])
        if code[0] and other[0]:
            return mine >= others
        if not code[0]:
            return not mine & others if other[0] else mine <= others
        return len(mine - others) == self.attributes.n_instances - len(others)

    def generalise(self, code: InstanceSet, cells: Sequence[int]) -> tuple[InstanceSet, ...]:
        """Return the minimal generalisation: the hypothesis with this instance added."""
        return (_with(code, tuple(cells), True),)

    def specialise(self, code: InstanceSet, cells: Sequence[int]) -> tuple[InstanceSet, ...]:
        """Return the minimal specialisation: the hypothesis with this instance removed."""
        return (_with(code, tuple(cells), False),)

    def joins(self, one: InstanceSet, other: InstanceSet) -> tuple[InstanceSet, ...]:
        """Return the union of two sets."""
        mine, others = set(one[1]), set(other[1])
        if one[0] and other[0]:
            return ((True, tuple(sorted(mine | others))),)
        if one[0] or other[0]:
            inside, outside = (mine, others) if one[0] else (others, mine)
            return ((False, tuple(sorted(outside - inside))),)
        return ((False, tuple(sorted(mine & others))),)

    def meets(self, one: InstanceSet, other: InstanceSet) -> tuple[InstanceSet, ...]:
        """Return the intersection of two sets."""
        ((inside, members),) = self.joins((not one[0], one[1]), (not other[0], other[1]))
        return ((not inside, members),)

    def least(self, cells: Cells) -> InstanceSet:
        """Return the set of these instances."""
        return True, tuple(sorted({tuple(row) for row in cells.tolist()}))

    def text(self, code: InstanceSet) -> str:
        """Format a hypothesis as a disjunction of instances, or as the negation of one."""
        inside, members = code
        named = OR.join(self.attributes.text(row) for row in members)
        if not members:
            return "∅" if inside else "?"
        return named if inside else f"¬({named})"

    def boxes(self, code: InstanceSet) -> tuple[Box, ...]:
        """Return a hypothesis as a disjunction of conjunctions.

        A complement is split by the first attribute that differs from each excluded instance, one instance at
        a time.
        """
        inside, members = code
        if inside:
            return tuple(tuple((cell, cell) for cell in row) for row in members)
        parts: list[Box] = [tuple(facet.whole for facet in self.attributes.facets)]
        for row in members:
            parts = [smaller for part in parts for smaller in _without(part, row)]
        return tuple(parts)

    def size(self) -> int:
        """Return the number of sets of instances."""
        return int(2**self.attributes.n_instances)

    def fits(self, code: Any) -> bool:
        """Return whether a value is a hypothesis of the language."""
        widths = self.attributes.widths.tolist()
        return (
            isinstance(code, tuple)
            and len(code) == 2
            and isinstance(code[0], bool)
            and isinstance(code[1], tuple)
            and all(
                isinstance(row, tuple)
                and len(row) == len(widths)
                and all(
                    isinstance(cell, int) and 0 <= cell < width
                    for cell, width in zip(row, widths, strict=True)
                )
                for row in code[1]
            )
        )

    def hypotheses(self) -> Iterator[InstanceSet]:
        """Yield every set of instances."""
        everything = list(self.attributes.instances())
        sizes = range(len(everything) + 1)
        return ((True, chosen) for chosen in chain.from_iterable(combinations(everything, n) for n in sizes))

    def count(self, bounds: Bounds, cells: Sequence[int] | None = None) -> int:
        """Count the sets between boundaries: each instance that no boundary mentions doubles their number."""
        if bounds.empty:
            return 0
        outside = bounds.general
        if outside is None:
            outside = ((False, tuple(map(tuple, bounds.excluded.tolist()))),)
        if not all(inside for inside, _ in bounds.specific) or any(inside for inside, _ in outside):
            return super().count(bounds, cells)
        low, high = ([set(members) for _, members in codes] for codes in (bounds.specific, outside))
        named = set().union(*low, *high)
        wanted = None if cells is None else tuple(cells)
        free = self.attributes.n_instances - len(named) - (wanted is not None and wanted not in named)
        # for each set so far: the members of S that it can still be above, and those of G it can still be
        # below
        all_low, all_high = (1 << len(low)) - 1, ((1 << len(high)) - 1) << len(low)
        memories = {all_low | all_high: 1}
        for row in sorted(named):
            with_it = all_low | sum((row not in members) << bit for bit, members in enumerate(high, len(low)))
            without = all_high | sum((row not in members) << bit for bit, members in enumerate(low))
            after: dict[int, int] = {}
            for memory, count in memories.items():
                for kept in (with_it,) if row == wanted else (with_it, without):
                    left = memory & kept
                    if left & all_low and left & all_high:
                        after[left] = after.get(left, 0) + count
            memories = within_reach(after)
        return sum(memories.values()) << free


def _with(code: InstanceSet, row: tuple[int, ...], wanted: bool) -> InstanceSet:
    inside, members = code
    changed = set(members) | {row} if inside == wanted else set(members) - {row}
    return inside, tuple(sorted(changed))


def _without(part: Box, row: tuple[int, ...]) -> Iterator[Box]:
    """Yield disjoint boxes whose union is a box without one of its instances."""
    if not all(low <= cell <= high for (low, high), cell in zip(part, row, strict=True)):
        yield part
        return
    for place, ((low, high), cell) in enumerate(zip(part, row, strict=True)):
        before = tuple((each, each) for each in row[:place])
        for run in ((low, cell - 1), (cell + 1, high)):
            if run[0] <= run[1]:
                yield (*before, run, *part[place + 1 :])
