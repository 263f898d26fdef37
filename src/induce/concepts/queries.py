"""Choice of the next query: the instance that splits the version space most evenly (Mitchell 2.6.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.facets import Cells, distinct
from induce.concepts.hypothesis_counter import HypothesisCounter, Options, counter
from induce.concepts.version_space import VersionSpace
from induce.core.errors import InputError
from induce.hypotheses.naming import value_text

MOST_COMBINATIONS = 4_096
MOST_CELLS = 33
"""Maximum number of cells of an attribute for trying all of them."""


@dataclass(frozen=True)
class Query:
    """An instance to be labelled, and the number of hypotheses that each answer leaves.

    Parameters
    ----------
    instance : dict
        The value of each attribute.
    cells : tuple of int
        Instance, encoded as the index of the cell of each attribute; see `Facet`.
    yes, no : int
        Number of remaining hypotheses if the instance is positive, and if it is negative.
    best : bool
        Whether all instances were compared; if not, this is the best of those visited.
    """

    instance: Mapping[str, Any]
    cells: tuple[int, ...]
    yes: int
    no: int
    best: bool

    @property
    def share(self) -> Fraction:
        """Fraction of the hypotheses that predict positive; one half is the most informative."""
        return Fraction(self.yes, self.yes + self.no)

    def __str__(self) -> str:
        values = ", ".join(
            f"{value_text(name)} = {value_text(value)}" for name, value in self.instance.items()
        )
        return f"{values}? (yes leaves {self.yes:,} hypotheses, no leaves {self.no:,})"


def best_query(space: VersionSpace, pool: Any = None) -> Query:
    """Return the instance that splits the version space most evenly.

    Parameters
    ----------
    space : VersionSpace
        Version space to be split by the query.
    pool : frame or array, optional
        The candidate instances; by default all combinations of the declared values.

    Examples
    --------
    >>> import induce
    >>> from induce.concepts import CandidateElimination
    >>> space = CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_
    >>> query = best_query(space)
    >>> query.yes, query.no, query.instance["Wind"]
    (3, 3, 'Weak')
    """
    if space.status == "collapsed":
        raise InputError(
            f"no hypothesis is left, so there is nothing to ask; {space.reason or 'check the examples'}"
        )
    if space.status == "converged":
        raise InputError(
            f"a single hypothesis is left ({space.most_specific[0]}), so there is nothing to ask"
        )
    if pool is not None:
        return from_pool(space, space.language.attributes.encode(pool))
    if isinstance(space.language, Conjunctions):
        return _composed(space, counter(space.language, space.bounds))
    if space.language.attributes.n_instances > MOST_COMBINATIONS:
        raise InputError(
            f"there are {space.language.attributes.n_instances:.3g} instances, too many to compare; give a pool of "
            "rows to choose from"
        )
    return from_pool(space, np.array(list(space.language.attributes.instances()), dtype=np.int64))


def from_pool(space: VersionSpace, cells: Cells) -> Query:
    """Return the best of the given instances, which are encoded as cells."""
    open_, *_ = distinct(cells[(space.verdicts(cells) == 0) & (cells >= 0).all(axis=1)])
    if not len(open_):
        raise InputError("all rows of the pool are already decided; give others, or ask about any instance")
    votes = space.vote_cells(open_)
    if votes.total is None:
        return _query(space, open_[0].tolist(), 1, 2, best=False)
    gaps = [abs(2 * yes - votes.total) if yes is not None else votes.total for yes in votes.positive]
    place = gaps.index(min(gaps))
    return _query(space, open_[place].tolist(), votes.positive[place] or 0, votes.total, best=True)


def _query(space: VersionSpace, cells: Sequence[int], yes: int, total: int, best: bool) -> Query:
    return Query(space.language.attributes.decode(cells), tuple(cells), yes, total - yes, best)


def _composed(space: VersionSpace, count: HypothesisCounter) -> Query:
    """Build an instance attribute by attribute; cells that no hypothesis distinguishes count as one choice."""
    total = count.count()
    choices = [_choices(count, place) for place in range(len(count.facets))]
    n = 1
    for choice in choices:
        n *= len(choice)
    if n <= MOST_COMBINATIONS:
        instances: Iterator[list[int]] = _combinations(choices)
        best, exact = None, True
    else:
        best, instances, exact = _climbed(space, count, choices, total), iter(()), False
    for cells in instances:
        yes = count.count(cells)
        if best is None or abs(2 * yes - total) < abs(2 * best[1] - total):
            best = cells, yes
            if 2 * yes == total:
                break
    if best is None:
        raise InputError("there is no instance to ask about")
    return _query(space, best[0], best[1], total, exact or 2 * best[1] == total)


def _choices(count: HypothesisCounter, place: int) -> list[tuple[int, Options]]:
    n = len(count.facets[place])
    cells = range(n) if n <= MOST_CELLS else np.unique(np.linspace(0, n - 1, MOST_CELLS).astype(int)).tolist()
    if n > MOST_CELLS:
        near = {
            end + step for code in (*count.low, *count.high) for end in code[place] for step in (-1, 0, 1)
        }
        cells = sorted({*cells, *list(near)[: 2 * MOST_CELLS]} & set(range(n)))
    found: dict[Options, int] = {}
    for cell in cells:
        found.setdefault(tuple(sorted(count.options(place, cell))), cell)
    return [(cell, options) for options, cell in found.items()]


def _combinations(choices: list[list[tuple[int, Options]]]) -> Iterator[list[int]]:
    for chosen in product(*choices):
        yield [cell for cell, _ in chosen]


def _climbed(
    space: VersionSpace, count: HypothesisCounter, choices: list[list[tuple[int, Options]]], total: int
) -> tuple[list[int], int]:
    """Change one attribute at a time as long as the split becomes more even."""
    low = space.specific[0]
    cells = [
        run[0] if low != space.language.bottom() else choice[0][0]
        for run, choice in zip(low, choices, strict=True)
    ]
    yes = count.count(cells)
    best_split: tuple[list[int], int] | None = None
    while True:
        found = None
        for place, choice in enumerate(choices):
            for cell, _ in choice:
                if cell != cells[place]:
                    other = [*cells[:place], cell, *cells[place + 1 :]]
                    votes = count.count(other)
                    if found is None or abs(2 * votes - total) < abs(2 * found[1] - total):
                        found = other, votes
        if found is None or abs(2 * found[1] - total) >= abs(2 * yes - total):
            break
        cells, yes = found
        best_split = found
        if 2 * yes == total:
            break
    return best_split or (cells, yes)
