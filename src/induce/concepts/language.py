"""Hypothesis language: a space of concepts ordered from general to specific."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.concepts.facets import Attributes, Cells, Run
from induce.core.errors import InputError
from induce.hypotheses.conditions import Condition

OR = " \N{LOGICAL OR} "
MOST_LISTED = 1_000_000
"""Maximum number of hypotheses that are enumerated."""

Mask = NDArray[np.bool_]
Extents = NDArray[np.uint64]
"""The instances that each hypothesis covers as bits, 64 per word."""
Box = tuple[Run, ...]
Code = Any
"""Code of a hypothesis: a hashable tuple or set that only the language can interpret."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """Boundaries of a set of hypotheses.

    Parameters
    ----------
    specific : tuple
        S, the most specific members.
    general : tuple or None
        G, the most general members; None if G is not kept and the negative examples represent it ([S, N]).
    negatives : array or None
        The negative examples that G represents; None if only G itself is known.
    """

    specific: tuple[Code, ...]
    general: tuple[Code, ...] | None
    negatives: Cells | None

    @property
    def excluded(self) -> Cells:
        """The negative examples, which must be known if G is not kept."""
        if self.negatives is None:
            raise InputError(
                "the negative examples of this version space are not known, only its G; learn from "
                "all examples together instead"
            )
        return self.negatives

    @property
    def empty(self) -> bool:
        """Whether no hypothesis is left."""
        return not self.specific or (self.general is not None and not self.general)


class Language(ABC):
    """A hypothesis space with the more-general-than order (Mitchell 2.3).

    All learners are built on these few operations. Instances are rows of cells (see `Attributes`).
    """

    attributes: Attributes
    joins_are_unique: bool = False
    """Whether every set of instances has a unique least hypothesis that covers it."""

    @abstractmethod
    def bottom(self) -> Code:
        """Return the most specific hypothesis, which covers nothing."""

    @abstractmethod
    def top(self) -> Code:
        """Return the most general hypothesis, which covers everything."""

    @abstractmethod
    def covers(self, code: Code, cells: Cells) -> Mask:
        """Return whether the hypothesis covers each instance."""

    @abstractmethod
    def more_general(self, code: Code, other: Code) -> bool:
        """Return whether a hypothesis is at least as general as another."""

    @abstractmethod
    def generalise(self, code: Code, cells: Sequence[int]) -> tuple[Code, ...]:
        """Return the minimal generalisations that cover an instance; unknown cells need ``?``."""

    @abstractmethod
    def specialise(self, code: Code, cells: Sequence[int]) -> tuple[Code, ...]:
        """Return the minimal specialisations that exclude an instance."""

    @abstractmethod
    def joins(self, one: Code, other: Code) -> tuple[Code, ...]:
        """Return the least common generalisations of two hypotheses."""

    @abstractmethod
    def meets(self, one: Code, other: Code) -> tuple[Code, ...]:
        """Return the greatest common specialisations of two hypotheses."""

    @abstractmethod
    def text(self, code: Code) -> str:
        """Format a hypothesis in the book's notation."""

    @abstractmethod
    def boxes(self, code: Code) -> tuple[Box, ...]:
        """Return a hypothesis as a disjunction of conjunctions, each with one run of cells per attribute."""

    @abstractmethod
    def size(self) -> int:
        """Return the number of hypotheses of the language."""

    @abstractmethod
    def hypotheses(self) -> Iterator[Code]:
        """Yield every hypothesis."""

    @abstractmethod
    def fits(self, code: Code) -> bool:
        """Return whether a value, perhaps from a damaged file, is a hypothesis of the language."""

    def terms(self, code: Code) -> tuple[tuple[Condition, ...], ...]:
        """Return a hypothesis as a disjunction of conjunctions of conditions."""
        return tuple(map(self.term, self.boxes(code)))

    def term(self, box: Box) -> tuple[Condition, ...]:
        """Return a conjunction as conditions."""
        asked = (facet.condition(run) for facet, run in zip(self.attributes.facets, box, strict=True))
        return tuple(condition for condition in asked if condition is not None)

    def covers_one(self, code: Code, cells: Sequence[int]) -> bool:
        """Return whether a hypothesis covers one instance."""
        return bool(self.covers(code, np.asarray([cells], dtype=np.int64))[0])

    def consistent(self, code: Code, cells: Cells, labels: Mask) -> bool:
        """Return whether a hypothesis agrees with every example (Mitchell 2.5.1)."""
        return bool((self.covers(code, cells) == labels).all())

    def within(self, code: Code, bounds: Bounds) -> bool:
        """Return whether a hypothesis lies within bounds (Mitchell's theorem 2.1)."""
        if not any(self.more_general(code, low) for low in bounds.specific):
            return False
        if bounds.general is None:
            return not self.covers(code, bounds.excluded).any()
        return any(self.more_general(high, code) for high in bounds.general)

    def members(self, bounds: Bounds) -> Iterator[Code]:
        """Yield the hypotheses within bounds."""
        return (code for code in self.listed() if self.within(code, bounds))

    def count(self, bounds: Bounds, cells: Sequence[int] | None = None) -> int:
        """Count the hypotheses within bounds, or those of them that cover an instance."""
        return sum(1 for code in self.members(bounds) if cells is None or self.covers_one(code, cells))

    def which_cover(self, codes: Sequence[Code], cells: Sequence[int]) -> list[bool]:
        """Return whether each hypothesis covers an instance."""
        return [self.covers_one(code, cells) for code in codes]

    def coverage(self, codes: Sequence[Code], cells: Cells) -> Mask:
        """Return, for each hypothesis (one per row), which of the instances it covers."""
        return np.array([self.covers(code, cells) for code in codes], dtype=np.bool_).reshape(
            len(codes), len(cells)
        )

    def minimal(self, codes: Sequence[Code]) -> tuple[Code, ...]:
        """Return the hypotheses that are not more general than another of them."""
        return _outermost(codes, self.more_general)

    def maximal(self, codes: Sequence[Code]) -> tuple[Code, ...]:
        """Return the hypotheses that are not less general than another of them."""
        return _outermost(codes, lambda code, other: self.more_general(other, code))

    def narrowest(self, codes: Sequence[Code]) -> tuple[Code, ...]:
        """Return the minimal members of S; of those with equal coverage, the first."""
        return tuple(codes)

    def widest(self, codes: Sequence[Code]) -> tuple[Code, ...]:
        """Return the maximal members of G; of those with equal coverage, the first."""
        return tuple(codes)

    def least(self, cells: Cells) -> Code:
        """Return the least hypothesis that covers all of these instances, if the language has one."""
        code = self.bottom()
        for row in cells.tolist():
            (code,) = self.generalise(code, row)
        return code

    def extents(self, instances: Cells) -> tuple[list[Code], Extents]:
        """Return every hypothesis, general ones first, with the instances it covers as bits."""
        codes = self.listed()
        covered = self.coverage(codes, instances)
        order = np.argsort(-covered.sum(axis=1), kind="stable")
        return [codes[place] for place in order.tolist()], as_bits(covered[order])

    def listed(self) -> list[Code]:
        """Return every hypothesis, if there are few enough."""
        self.check_listable()
        return list(self.hypotheses())

    def check_listable(self) -> None:
        """Raise an `InputError` if there are too many hypotheses to enumerate."""
        if self.size() > MOST_LISTED:
            raise InputError(
                f"the language has {self.size():.3g} hypotheses, too many to list (at most {MOST_LISTED:,}); use "
                "CandidateElimination, which keeps only the boundaries"
            )


def _outermost(codes: Sequence[Code], beyond: Callable[[Code, Code], bool]) -> tuple[Code, ...]:
    """Return the extremal hypotheses of an order, only the first of those with the same extension."""
    distinct = list(dict.fromkeys(codes))
    return tuple(
        code
        for place, code in enumerate(distinct)
        if not any(
            beyond(code, other) and (other_place < place or not beyond(other, code))
            for other_place, other in enumerate(distinct)
            if other_place != place
        )
    )


def as_bits(covered: Mask) -> Extents:
    """Return the coverage of hypotheses as bits, one row each."""
    bits = np.zeros((len(covered), -(-covered.shape[1] // 64) * 64), dtype=np.uint8)
    bits[:, : covered.shape[1]] = covered
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def packed(extents: Extents) -> NDArray[np.void]:
    """Return each row as one value, so that rows can be sorted and compared."""
    rows = np.ascontiguousarray(extents)
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).reshape(-1)
