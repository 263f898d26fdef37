"""A single general hypothesis and unresolved negatives in place of G (Smith and Rosenbloom)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from induce.concepts.conjunctions import Conjunction, Conjunctions
from induce.concepts.events import example_value, hypothesis_value
from induce.concepts.facets import NONE, Cells, distinct
from induce.core import trace
from induce.core.values import positive_rows


@dataclass(frozen=True)
class NearMissSpace:
    """S, an upper bound of all members, and the negatives that do not yet determine how to specialise it.

    Parameters
    ----------
    specific, general : tuple
        The most specific hypothesis, and the upper bound of all members.
    pending : tuple of tuple of int
        Negatives that can still be excluded in more than one way.
    empty : bool
        Whether no hypothesis agrees with the examples.
    """

    specific: Conjunction
    general: Conjunction
    pending: tuple[tuple[int, ...], ...]
    empty: bool = False

    @property
    def converged(self) -> bool:
        """Whether a single hypothesis is left."""
        return not self.empty and self.specific == self.general


def near_miss_space(language: Conjunctions, cells: Cells, labels: Any) -> NearMissSpace:
    """Learn S and one general hypothesis, which is specialised by near misses only.

    A negative that a single constraint of S excludes is a near miss; others wait until S is so general that
    they become one. Memory and time stay linear in the number of examples, whereas G can grow exponentially.

    Parameters
    ----------
    language : Conjunctions
        Language of conjunctions.
    cells : array of int64, shape (rows, attributes)
        Examples, encoded as the index of the cell of each attribute; see `Facet`.
    labels : array
        Whether each example is positive.

    Examples
    --------
    >>> import induce
    >>> import numpy as np
    >>> sport = induce.dataset("enjoy-sport")
    >>> language = Conjunctions.over(sport.input_schema)
    >>> cells, labels = language.attributes.encode(sport.X), np.array([day == "Yes" for day in sport.y])
    >>> space = near_miss_space(language, cells, labels)
    >>> language.text(space.general), len(space.pending)
    ('⟨?, ?, ?, ?, ?, ?⟩', 1)
    """
    labels = positive_rows(labels)
    low = language.least(cells[labels])
    general = language.top()
    pending = [tuple(row) for row in distinct(cells[~labels])[0].tolist()]
    if low[0] == NONE:
        return NearMissSpace(low, general, tuple(pending))
    changed = True
    while changed:
        changed, waiting = False, []
        for row in pending:
            if not language.covers_one(general, row):
                continue
            ways = [way for way in language.specialise(general, row) if language.more_general(way, low)]
            if not ways:
                return NearMissSpace(low, general, (row,), empty=True)
            if len(ways) == 1:
                general, changed = ways[0], True
                if trace.active("near miss"):
                    trace.emit(
                        "near miss",
                        example=example_value(language, row),
                        general=hypothesis_value(language, general),
                        specific=hypothesis_value(language, low),
                    )
            else:
                waiting.append(row)
        pending = waiting
    return NearMissSpace(low, general, tuple(pending))
