"""Conjunctions with one constraint per attribute: a value, a group of values, an interval, or any value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.concepts.facets import NONE, Attributes, Cells, Facet, Run
from induce.concepts.hypothesis_counter import counter, outermost
from induce.concepts.language import Bounds, Language, Mask
from induce.core.errors import InputError
from induce.data.schema import Schema

Conjunction = tuple[Run, ...]
FEW = 200
"""Maximum number of conjunctions that are compared in pairs at once."""


@dataclass(frozen=True)
class Conjunctions(Language):
    """Conjunctions over nominal, hierarchical, ordered and numeric attributes (Mitchell 2.2, ex. 2.4, 2.5).

    Parameters
    ----------
    attributes : Attributes
        Attributes of the language.
    groups : tuple of int
        Sizes of groups of attributes, if instances are tuples of objects (structured pairs); used only for
        printing. Empty for a single group.

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
        groups: tuple[int, ...] = (),
    ) -> Conjunctions:
        """Return the conjunctions over the input columns of a schema (see `Attributes.of`)."""
        if groups and sum(groups) != len(schema.inputs()):
            raise InputError(
                f"groups is {groups}, but there are {len(schema.inputs())} attributes; give group "
                "sizes with that sum"
            )
        return cls(Attributes.of(schema, numbers), groups)

    def bottom(self) -> Conjunction:
        """Return the most specific hypothesis, which covers nothing."""
        return (NONE,) * len(self.attributes.facets)

    def top(self) -> Conjunction:
        """Return the most general hypothesis, which covers everything."""
        return tuple(facet.whole for facet in self.attributes.facets)

    def covers(self, code: Conjunction, cells: Cells) -> Mask:
        """Return, for each instance, whether the hypothesis covers it; undeclared values satisfy only ``?``."""
        runs = np.array(code)
        within = (runs[:, 0] <= cells) & (cells <= runs[:, 1])
        whole = (runs[:, 0] == 0) & (runs[:, 1] == self.attributes.widths - 1)
        return np.asarray((within | whole).all(axis=1))

    def coverage(self, codes: Sequence[Conjunction], cells: Cells) -> Mask:
        """Return, for each hypothesis (one per row), which of the instances it covers."""
        runs = np.array(codes).reshape(len(codes), len(self.attributes.facets), 2)
        covered = np.ones((len(codes), len(cells)), dtype=np.bool_)
        # column by column, because an array over hypotheses, instances and columns would not fit into memory
        for place, width in enumerate(self.attributes.widths.tolist()):
            low, high, column = runs[:, place, :1], runs[:, place, 1:], cells[:, place]
            covered &= ((low <= column) & (column <= high)) | ((low == 0) & (high == width - 1))
        return covered

    def more_general(self, code: Conjunction, other: Conjunction) -> bool:
        """Return whether a hypothesis is at least as general as another."""
        return other[0] == NONE or all(
            low <= first and last <= high for (low, high), (first, last) in zip(code, other, strict=True)
        )

    def generalise(self, code: Conjunction, cells: Sequence[int]) -> tuple[Conjunction, ...]:
        """Return the minimal generalisation that covers an instance, in a list."""
        point = tuple(
            (cell, cell) if cell >= 0 else facet.whole
            for facet, cell in zip(self.attributes.facets, cells, strict=True)
        )
        return (self.join(code, point),)

    def specialise(self, code: Conjunction, cells: Sequence[int]) -> tuple[Conjunction, ...]:
        """Return the minimal specialisations that exclude an instance."""
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

    def joins(self, one: Conjunction, other: Conjunction) -> tuple[Conjunction, ...]:
        """Return the least common generalisation of two hypotheses, in a list."""
        return (self.join(one, other),)

    def meets(self, one: Conjunction, other: Conjunction) -> tuple[Conjunction, ...]:
        """Return the greatest common specialisation of two hypotheses, in a list."""
        return (self.meet(one, other),)

    def meet(self, one: Conjunction, other: Conjunction) -> Conjunction:
        """Return the greatest common specialisation of two hypotheses."""
        if NONE in (one[0], other[0]):
            return self.bottom()
        common = [facet.meet(a, b) for facet, a, b in zip(self.attributes.facets, one, other, strict=True)]
        runs = tuple(run for run in common if run is not None)
        return runs if len(runs) == len(common) else self.bottom()

    def least(self, cells: Cells) -> Conjunction:
        """Return the least hypothesis that covers all of these instances."""
        if not len(cells):
            return self.bottom()
        lows, highs = cells.min(axis=0).tolist(), cells.max(axis=0).tolist()
        facets = self.attributes.facets
        return tuple(facet.least(low, high) for facet, low, high in zip(facets, lows, highs, strict=True))

    def steps_up(self, code: Conjunction) -> tuple[Conjunction, ...]:
        """Return the least hypotheses above a hypothesis that covers something."""
        return tuple(
            (*code[:place], run, *code[place + 1 :])
            for place, facet in enumerate(self.attributes.facets)
            for run in facet.steps_up(code[place])
        )

    def minimal(self, codes: Sequence[Conjunction]) -> tuple[Conjunction, ...]:
        """Return the hypotheses that are not more general than another of them."""
        if self.bottom() in codes:
            return (self.bottom(),)
        return self._outermost(codes, general=False)

    def maximal(self, codes: Sequence[Conjunction]) -> tuple[Conjunction, ...]:
        """Return the hypotheses that are not less general than another of them."""
        found = [code for code in codes if code[0] != NONE]
        return self._outermost(found, general=True) if found else tuple(codes[:1])

    def _outermost(self, codes: Sequence[Conjunction], general: bool) -> tuple[Conjunction, ...]:
        """Return the nonempty codes that contain no other code (with `general`, that lie within no other)."""
        distinct = list(dict.fromkeys(codes))
        if len(distinct) < 2:
            return tuple(distinct)
        runs = np.array(distinct).reshape(len(distinct), len(self.attributes.facets), 2)
        kept = (_outermost_of_few if len(distinct) <= FEW else outermost)(runs, general)
        return tuple(code for code, keep in zip(distinct, kept.tolist(), strict=True) if keep)

    def which_cover(self, codes: Sequence[Conjunction], cells: Sequence[int]) -> list[bool]:
        """Return, for each hypothesis, whether it covers an instance without missing values."""
        runs = np.array(codes).reshape(len(codes), len(self.attributes.facets), 2)
        row = np.asarray(cells)
        within = np.asarray(((runs[:, :, 0] <= row) & (row <= runs[:, :, 1])).all(axis=1))
        return [bool(covered) for covered in within]

    def text(self, code: Conjunction) -> str:
        """Format a hypothesis in the book's notation."""
        facets = self.attributes.facets
        parts = ["∅" if run == NONE else facet.text(run) for facet, run in zip(facets, code, strict=True)]
        ends = np.cumsum(self.groups or (len(parts),)).tolist()
        starts = [0, *ends[:-1]]
        return "".join(f"⟨{', '.join(parts[a:b])}⟩" for a, b in zip(starts, ends, strict=True))

    def members(self, bounds: Bounds) -> Iterator[Conjunction]:
        """Yield the hypotheses within bounds."""
        return counter(self, bounds).members()

    def count(self, bounds: Bounds, cells: Sequence[int] | None = None) -> int:
        """Count the hypotheses within bounds, or those that cover an instance, without enumerating them."""
        return counter(self, bounds).count(cells)

    def boxes(self, code: Conjunction) -> tuple[Conjunction, ...]:
        """Return a hypothesis as a disjunction of conjunctions: itself, unless it covers nothing."""
        return () if code[0] == NONE else (code,)

    def size(self) -> int:
        """Return the number of semantically distinct hypotheses: all that cover nothing count as one."""
        return 1 + math.prod(facet.n_runs for facet in self.attributes.facets)

    def fits(self, code: Any) -> bool:
        """Return whether a value is a hypothesis of the language."""
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
        """Return the number of syntactically distinct hypotheses, including the empty constraint."""
        return math.prod(facet.n_runs + 1 for facet in self.attributes.facets)

    def hypotheses(self) -> Iterator[Conjunction]:
        """Yield every hypothesis."""
        return chain((self.bottom(),), product(*(facet.runs for facet in self.attributes.facets)))

    def read(self, constraints: Sequence[Any]) -> Conjunction:
        """Return the hypothesis for a list of constraints, one per attribute.

        ``?`` accepts any value, ``∅`` (or ``0``) none; an interval is a pair of numbers.
        """
        facets = self.attributes.facets
        if len(constraints) != len(facets):
            raise InputError(
                f"{len(constraints)} constraints were given for {len(facets)} attributes; "
                "give one per attribute"
            )
        if any(constraint in ("∅", "0") for constraint in constraints):
            return self.bottom()
        return tuple(_read(facet, constraint) for facet, constraint in zip(facets, constraints, strict=True))


def _outermost_of_few(runs: NDArray[np.int64], general: bool) -> Mask:
    """Compare all pairs at once, without a compiled loop."""
    low, high = runs[:, :, 0], runs[:, :, 1]
    within = ((low[None] <= low[:, None]) & (high[:, None] <= high[None])).all(axis=2)
    return np.asarray(within.sum(axis=1 if general else 0) == 1)


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
