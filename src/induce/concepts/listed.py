"""Extensional form of a small language, in which equivalent hypotheses are merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.concepts.facets import Attributes, Cells
from induce.concepts.language import MOST_LISTED, Bounds, Box, Code, Extents, Language, Mask, as_bits, packed
from induce.core.errors import InputError

MOST_INSTANCES = 4_096


@dataclass(frozen=True)
class Listed(Language):
    """A small language with one hypothesis per set of instances that some hypothesis of `base` covers.

    The order is set inclusion, as in the definition of the more-general-than relation.

    Parameters
    ----------
    base : Language
        Language whose hypotheses are merged by their extension.

    Examples
    --------
    >>> import induce
    >>> from induce.concepts import Conjunctions, Disjunctions
    >>> schema = induce.Schema(induce.dataset("enjoy-sport").input_schema.columns[:3])
    >>> pairs = Disjunctions(Conjunctions.over(schema), 2)
    >>> pairs.size(), Listed(pairs).size()
    (703, 412)
    """

    base: Language
    attributes: Attributes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", self.base.attributes)

    @cached_property
    def _table(self) -> tuple[list[Code], Extents]:
        n = self.attributes.n_instances
        if not self.small:
            raise InputError(
                f"there are {n:.3g} instances and {self.base.size():.3g} hypotheses, too many to list what each "
                f"covers (at most {MOST_INSTANCES:,} and {MOST_LISTED:,}); use the language itself"
            )
        codes, extents = self.base.extents(np.array(list(self.attributes.instances()), dtype=np.int64))
        _, first = np.unique(packed(extents), return_index=True)
        first.sort()
        return [codes[place] for place in first.tolist()], extents[first]

    @cached_property
    def _weights(self) -> NDArray[np.int64]:
        return np.asarray(np.bitwise_count(self._table[1]).sum(axis=1), dtype=np.int64)

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {row.tobytes(): place for place, row in enumerate(self._table[1])}

    @property
    def small(self) -> bool:
        """Whether the language is small enough to enumerate."""
        return self.attributes.n_instances <= MOST_INSTANCES and self.base.size() <= MOST_LISTED

    def place(self, code: Code) -> int:
        """Return the hypothesis with the same extension as one of `base`."""
        instances = np.array(list(self.attributes.instances()), dtype=np.int64)
        (row,) = as_bits(self.base.covers(code, instances)[None, :])
        return self._places[row.tobytes()]

    def of_base(self, code: int) -> Code:
        """Return the representative of `base` for an extension."""
        return self._table[0][code]

    def bounds_of_base(self, bounds: Bounds) -> Bounds:
        """Return bounds of `base` as bounds of this language."""
        general = None if bounds.general is None else tuple(map(self.place, bounds.general))
        return Bounds(tuple(map(self.place, bounds.specific)), general, bounds.negatives)

    def bottom(self) -> int:
        """Return the most specific hypothesis."""
        return int(self._weights.argmin())

    def top(self) -> int:
        """Return the most general hypothesis."""
        return int(self._weights.argmax())

    def covers(self, code: int, cells: Cells) -> Mask:
        """Return whether the hypothesis covers each instance."""
        return self.base.covers(self._table[0][code], cells)

    def which_cover(self, codes: Sequence[int], cells: Sequence[int]) -> list[bool]:
        """Return whether each hypothesis covers an instance."""
        return [bool(covered) for covered in self._covering(cells)[list(codes)]]

    def _covering(self, cells: Sequence[int]) -> Mask:
        if (
            min(cells) < 0
        ):  # an undeclared value is not in the table of instances, so each hypothesis is evaluated
            row = np.asarray([cells], dtype=np.int64)
            return np.array([self.base.covers(code, row)[0] for code in self._table[0]], dtype=np.bool_)
        place = int(np.ravel_multi_index(tuple(cells), tuple(self.attributes.widths)))
        return np.asarray(
            (self._table[1][:, place // 64] >> np.uint64(place % 64)) & np.uint64(1), dtype=np.bool_
        )

    def more_general(self, code: int, other: int) -> bool:
        """Return whether a hypothesis covers everything that another one covers."""
        extents = self._table[1]
        return bool(((extents[other] & ~extents[code]) == 0).all())

    def generalise(self, code: int, cells: Sequence[int]) -> tuple[int, ...]:
        """Return the minimal generalisations that cover an instance."""
        extents = self._table[1]
        above = ((extents[code] & ~extents) == 0).all(axis=1) & self._covering(cells)
        return self._extreme(np.flatnonzero(above), general=False)

    def specialise(self, code: int, cells: Sequence[int]) -> tuple[int, ...]:
        """Return the minimal specialisations that exclude an instance."""
        extents = self._table[1]
        below = ((extents & ~extents[code]) == 0).all(axis=1) & ~self._covering(cells)
        return self._extreme(np.flatnonzero(below), general=True)

    def joins(self, one: int, other: int) -> tuple[int, ...]:
        """Return the least common generalisations of two hypotheses."""
        extents = self._table[1]
        above = (((extents[one] | extents[other]) & ~extents) == 0).all(axis=1)
        return self._extreme(np.flatnonzero(above), general=False)

    def meets(self, one: int, other: int) -> tuple[int, ...]:
        """Return the greatest common specialisations of two hypotheses."""
        extents = self._table[1]
        below = ((extents & ~(extents[one] & extents[other])) == 0).all(axis=1)
        return self._extreme(np.flatnonzero(below), general=True)

    def minimal(self, codes: Sequence[int]) -> tuple[int, ...]:
        """Return the hypotheses that are not more general than another of them."""
        return self._extreme(np.unique(np.asarray(codes, dtype=np.int64)), general=False)

    def maximal(self, codes: Sequence[int]) -> tuple[int, ...]:
        """Return the hypotheses that are not less general than another of them."""
        return self._extreme(np.unique(np.asarray(codes, dtype=np.int64)), general=True)

    def _extreme(self, codes: NDArray[np.int64], general: bool) -> tuple[int, ...]:
        extents = ~self._table[1][codes] if general else self._table[1][codes]
        order = np.argsort(-self._weights[codes] if general else self._weights[codes], kind="stable")
        left, found = order, []
        while len(left):
            found.append(int(codes[left[0]]))
            left = left[((extents[left[0]] & ~extents[left]) != 0).any(axis=1)]
        return tuple(found)

    def text(self, code: int) -> str:
        """Format a hypothesis in the book's notation."""
        return self.base.text(self._table[0][code])

    def boxes(self, code: int) -> tuple[Box, ...]:
        """Return a hypothesis as a disjunction of conjunctions."""
        return self.base.boxes(self._table[0][code])

    def size(self) -> int:
        """Return the number of semantically distinct hypotheses."""
        return len(self._table[0])

    def fits(self, code: Any) -> bool:
        """Return whether a value is a hypothesis of the language."""
        return isinstance(code, int) and 0 <= code < self.size()

    def hypotheses(self) -> Iterator[int]:
        """Yield every hypothesis."""
        return iter(range(self.size()))

    def members(self, bounds: Bounds) -> Iterator[int]:
        """Yield the hypotheses within bounds."""
        return iter(np.flatnonzero(self._within(bounds)).tolist())

    def count(self, bounds: Bounds, cells: Sequence[int] | None = None) -> int:
        """Count the hypotheses within bounds, or those of them that cover an instance."""
        within = self._within(bounds)
        return int((within if cells is None else within & self._covering(cells)).sum())

    def _within(self, bounds: Bounds) -> Mask:
        extents = self._table[1]
        above = np.zeros(len(extents), dtype=np.bool_)
        for low in bounds.specific:
            above |= ((extents[low] & ~extents) == 0).all(axis=1)
        if bounds.general is None:
            for row in bounds.excluded.tolist():
                above &= ~self._covering(row)
            return above
        below = np.zeros(len(extents), dtype=np.bool_)
        for high in bounds.general:
            below |= ((extents & ~extents[high]) == 0).all(axis=1)
        return above & below
