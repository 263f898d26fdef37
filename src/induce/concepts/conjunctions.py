"""Conjunctions of one constraint for each attribute: values, groups of values, intervals, or anything."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.concepts.counting import counter
from induce.concepts.facets import NONE, Attributes, Cells, Facet, Run, Taxonomy
from induce.concepts.language import Bounds, Language, Mask
from induce.core.errors import InputError
from induce.data.schema import Schema
from induce.hypotheses.conditions import Condition

Conjunction = tuple[Run, ...]


@dataclass(frozen=True)
class Conjunctions(Language):
    """Conjunctions over nominal, hierarchical, ordered and numeric attributes (Mitchell 2.2, ex. 2.4, 2.5).

    Parameters
    ----------
    attributes : Attributes
    groups : tuple of int
        How many attributes belong together where instances are tuples of things (structured pairs); only for
        writing. All of them together when empty.

    Examples
    --------
    >>> import induce
    >>> language = Conjunctions.over(induce.dataset("enjoy-sport").input_schema)
    >>> language.size(), language.attributes.n_instances
    (973, 96)
    >>> language.text(language.read(["Sunny", "?", "?", "Strong", "?", "?"]))
    '⟨Sunny, ?, ?, Strong, ?, ?⟩'
    """

    attributes: Attributes
    groups: tuple[int, ...] = ()

    joins_are_unique = True

    @classmethod
    def over(
        cls,
        schema: Schema,
        numbers: Mapping[str, Any] | None = None,
        taxonomies: Mapping[str, Taxonomy] | None = None,
        groups: tuple[int, ...] = (),
    ) -> Conjunctions:
        """Return the conjunctions over the input columns of a schema (see `Attributes.of`)."""
        if groups and sum(groups) != len(schema.inputs()):
            raise InputError(
                f"groups is {groups}, but there are {len(schema.inputs())} attributes to be grouped"
            )
        return cls(Attributes.of(schema, numbers, taxonomies), groups)

    def bottom(self) -> Conjunction:
        """Return the most specific hypothesis, which covers nothing."""
        return (NONE,) * len(self.attributes.facets)

    def top(self) -> Conjunction:
        """Return the most general hypothesis, which covers everything."""
        return tuple(facet.whole for facet in self.attributes.facets)

    def covers(self, code: Conjunction, cells: Cells) -> Mask:
        """Say of each instance whether the hypothesis covers it; a value never declared satisfies only ``?``."""
        runs = np.array(code)
        within = (runs[:, 0] <= cells) & (cells <= runs[:, 1])
        whole = (runs[:, 0] == 0) & (runs[:, 1] == self.attributes.widths - 1)
        return np.asarray((within | whole).all(axis=1))

    def more_general(self, code: Conjunction, other: Conjunction) -> bool:
        """Say whether a hypothesis is more general than another or equal to it."""
        return other[0] == NONE or all(
            low <= first and last <= high for (low, high), (first, last) in zip(code, other, strict=True)
        )

    def generalise(self, code: Conjunction, cells: Sequence[int]) -> tuple[Conjunction, ...]:
        """Return the minimal generalisations that cover an instance: there is one."""
        if code[0] == NONE:
            return (tuple((cell, cell) for cell in cells),)
        facets = self.attributes.facets
        return (
            tuple(
                facet.least(min(low, cell), max(high, cell))
                for facet, (low, high), cell in zip(facets, code, cells, strict=True)
            ),
        )

    def specialise(self, code: Conjunction, cells: Sequence[int]) -> tuple[Conjunction, ...]:
        """Return the minimal specialisations that leave out an instance."""
        found = tuple(
            (*code[:place], cut, *code[place + 1 :])
            for place, (facet, cell) in enumerate(zip(self.attributes.facets, cells, strict=True))
            for cut in facet.cuts(code[place], cell)
        )
        return found or (self.bottom(),)

    def join(self, one: Conjunction, other: Conjunction) -> Conjunction:
        """Return the least common generalisation of two hypotheses."""
        if NONE in (one[0], other[0]):
            return other if one[0] == NONE else one
        return tuple(
            facet.least(min(a[0], b[0]), max(a[1], b[1]))
            for facet, a, b in zip(self.attributes.facets, one, other, strict=True)
        )

    def meet(self, one: Conjunction, other: Conjunction) -> Conjunction:
        """Return the greatest common specialisation of two hypotheses."""
        if NONE in (one[0], other[0]):
            return self.bottom()
        common = [facet.meet(a, b) for facet, a, b in zip(self.attributes.facets, one, other, strict=True)]
        runs = tuple(run for run in common if run is not None)
        return runs if len(runs) == len(common) else self.bottom()

    def least(self, cells: Cells) -> Conjunction:
        """Return the least hypothesis that covers all these instances."""
        if not len(cells):
            return self.bottom()
        lows, highs = cells.min(axis=0).tolist(), cells.max(axis=0).tolist()
        facets = self.attributes.facets
        return tuple(facet.least(low, high) for facet, low, high in zip(facets, lows, highs, strict=True))

    def steps_up(self, code: Conjunction) -> tuple[Conjunction, ...]:
        """Return the least hypotheses above one that covers something."""
        return tuple(
            (*code[:place], run, *code[place + 1 :])
            for place, facet in enumerate(self.attributes.facets)
            for run in facet.steps_up(code[place])
        )

    def minimal(self, codes: Sequence[Conjunction]) -> tuple[Conjunction, ...]:
        """Return the hypotheses that are not more general than another of them."""
        if self.bottom() in codes:
            return (self.bottom(),)
        distinct = list(dict.fromkeys(codes))
        below = self._order(distinct)
        return tuple(code for code, others in zip(distinct, below.sum(axis=0), strict=True) if others == 1)

    def maximal(self, codes: Sequence[Conjunction]) -> tuple[Conjunction, ...]:
        """Return the hypotheses that are not less general than another of them."""
        distinct = list(dict.fromkeys(codes))
        if len(distinct) > 1:
            distinct = [code for code in distinct if code[0] != NONE]
        above = self._order(distinct)
        return tuple(code for code, others in zip(distinct, above.sum(axis=1), strict=True) if others == 1)

    def _order(self, codes: Sequence[Conjunction]) -> NDArray[np.bool_]:
        """Say of each pair whether the second is at least as general as the first."""
        runs = np.array(codes).reshape(len(codes), len(self.attributes.facets), 2)
        order = np.ones((len(codes), len(codes)), dtype=np.bool_)
        for place in range(runs.shape[1]):
            low, high = runs[:, place, 0], runs[:, place, 1]
            if (low != low[:1]).any() or (high != high[:1]).any():
                order &= (low[None, :] <= low[:, None]) & (high[:, None] <= high[None, :])
        return order

    def which_cover(self, codes: Sequence[Conjunction], cells: Sequence[int]) -> list[bool]:
        """Say of each hypothesis whether it covers one instance, whose values are all known."""
        runs = np.array(codes).reshape(len(codes), len(self.attributes.facets), 2)
        row = np.asarray(cells)
        within = np.asarray(((runs[:, :, 0] <= row) & (row <= runs[:, :, 1])).all(axis=1))
        return [bool(covered) for covered in within]

    def text(self, code: Conjunction) -> str:
        """Write a hypothesis as the book does."""
        facets = self.attributes.facets
        parts = ["∅" if run == NONE else facet.text(run) for facet, run in zip(facets, code, strict=True)]
        ends = np.cumsum(self.groups or (len(parts),)).tolist()
        starts = [0, *ends[:-1]]
        return "".join(f"⟨{', '.join(parts[a:b])}⟩" for a, b in zip(starts, ends, strict=True))

    def members(self, bounds: Bounds) -> Iterator[Conjunction]:
        """Yield the hypotheses within bounds."""
        return counter(self, bounds).members()

    def count(self, bounds: Bounds, cells: Sequence[int] | None = None) -> int:
        """Count the hypotheses within bounds, or those of them that cover an instance, without listing them."""
        return counter(self, bounds).count(cells)

    def terms(self, code: Conjunction) -> tuple[tuple[Condition, ...], ...]:
        """Return a hypothesis as a disjunction of conjunctions of conditions."""
        if code[0] == NONE:
            return ()
        found = [facet.condition(run) for facet, run in zip(self.attributes.facets, code, strict=True)]
        return (tuple(condition for condition in found if condition is not None),)

    def size(self) -> int:
        """Return how many hypotheses differ in meaning: all that ask for nothing acceptable are one."""
        return 1 + math.prod(facet.n_runs for facet in self.attributes.facets)

    def fits(self, code: Any) -> bool:
        """Say whether something is a hypothesis of the language."""
        facets = self.attributes.facets
        if not isinstance(code, tuple) or len(code) != len(facets):
            return False
        if code == self.bottom():
            return True
        return all(
            isinstance(run, tuple)
            and len(run) == 2
            and all(isinstance(end, int) and 0 <= end < len(facet) for end in run)
            and run[0] <= run[1]
            and facet.least(*run) == run
            for facet, run in zip(facets, code, strict=True)
        )

    def syntactic_size(self) -> int:
        """Return how many hypotheses differ as they are written, the empty constraint included."""
        return math.prod(facet.n_runs + 1 for facet in self.attributes.facets)

    def hypotheses(self) -> Iterator[Conjunction]:
        """Yield every hypothesis."""
        return chain((self.bottom(),), product(*(facet.runs for facet in self.attributes.facets)))

    def read(self, constraints: Sequence[Any]) -> Conjunction:
        """Return the hypothesis that is written as one constraint for each attribute.

        ``?`` and ``∅`` (or ``0``) stand for any value and for none; an interval is a pair of numbers.
        """
        facets = self.attributes.facets
        if len(constraints) != len(facets):
            raise InputError(f"{len(constraints)} constraints were given for {len(facets)} attributes")
        if any(constraint in ("∅", "0") for constraint in constraints):
            return self.bottom()
        return tuple(_read(facet, constraint) for facet, constraint in zip(facets, constraints, strict=True))


def _read(facet: Facet, constraint: Any) -> Run:
    if constraint == "?":
        return facet.whole
    if isinstance(constraint, tuple):
        first, last = (facet.cells.index(end) for end in constraint)
        return first, last
    for name, low, high in facet.nodes:
        if name == constraint:
            return low, high
    if constraint not in facet.cells:
        raise InputError(
            f"column {facet.name!r} has no value {constraint!r}; write one of its values, ? or ∅"
        )
    cell = facet.cells.index(constraint)
    return cell, cell
