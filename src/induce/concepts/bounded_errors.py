"""Version spaces for noisy examples (Mitchell 2.8: bounded inconsistency).

A hypothesis with at most `k` errors misses i positive examples and covers at most k - i negative ones, for
some i. S_i is the set of most specific hypotheses that miss at most i positives; all such hypotheses lie
above it. G_j is the set of most general hypotheses that cover at most j negatives; all such hypotheses lie
below it. The set is therefore the union of the k + 1 intervals between S_i and G_(k-i), and need not be
convex. The hypotheses are never enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from induce.concepts.boundaries import MOST_GENERAL, LargeGError, above_some, specialised
from induce.concepts.concept import Concept
from induce.concepts.conjunctions import Conjunctions
from induce.concepts.facets import Cells, distinct
from induce.concepts.language import Bounds, Code, Language, Mask
from induce.concepts.votes import MOST_MEMBERS, UNDECIDED, VotingHypothesis, amount
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.values import Value, positive_rows
from induce.hypotheses.naming import plural

MOST_SPECIFIC = 10_000
"""Maximum number of hypotheses of each S_i; each G_j has the maximum of G."""
STEP = 100
"""Number of rows per batch; rows that change nothing are first dropped from each batch."""

Family = tuple[tuple[Code, ...], ...]


@dataclass(frozen=True, eq=False, repr=False)
class BoundedErrors(VotingHypothesis):
    """The hypotheses with at most k errors on the examples, represented by the boundaries of k + 1 pieces.

    Parameters
    ----------
    language : Language
        Hypothesis language.
    target : str
        Name of the target column.
    classes : tuple
        The two classes in declared order.
    positive : str, int, float or bool
        Positive class.
    specific : tuple of tuple
        The most specific hypotheses that miss at most i positive examples (S_i), for i = 0, ..., k.
    general : tuple of tuple
        The most general hypotheses that cover at most j negative examples (G_j), for j = 0, ..., k.
    counts : tuple of float
        Number of examples of each class.
    undecided : {"majority", "abstain", "refuse"}
        Prediction if the hypotheses disagree.
    unknown : str, int, float or bool
        Label predicted in that case with "abstain".
    """

    language: Language
    target: str
    classes: tuple[Value, ...]
    positive: Value
    specific: Family
    general: Family
    counts: tuple[float, ...] = (0.0, 0.0)
    undecided: str = "majority"
    unknown: Value = "?"

    @property
    def k(self) -> int:
        """Maximum number of errors."""
        return len(self.specific) - 1

    @cached_property
    def pieces(self) -> tuple[Bounds, ...]:
        """The interval between S_i and G_(k-i) for each i, the number of positives that may be missed."""
        return tuple(
            Bounds(low, high, None) for low, high in zip(self.specific, reversed(self.general), strict=True)
        )

    @cached_property
    def _twice(self) -> tuple[Bounds, ...]:
        """Intersection of each piece with the previous one: the same G, but fewer positives missed."""
        return tuple(
            Bounds(before.specific, piece.general, None)
            for before, piece in zip(self.pieces, self.pieces[1:], strict=False)
        )

    @cached_property
    def bounds(self) -> Bounds:
        """The most specific and most general hypotheses of all pieces; some between them belong to none."""
        low = [code for piece in self.pieces for code in piece.specific]
        high = [code for piece in self.pieces for code in piece.general or ()]
        return Bounds(self.language.minimal(low), self.language.maximal(high), None)

    @property
    def minimal(self) -> tuple[Code, ...]:
        """The most specific of the hypotheses."""
        return self.bounds.specific

    @property
    def maximal(self) -> tuple[Code, ...]:
        """The most general of the hypotheses."""
        return self.bounds.general or ()

    def count(self) -> int:
        """Return the number of hypotheses with at most k errors, without enumerating them."""
        return self._total(None)

    def count_covering(self, cells: list[int]) -> int:
        """Return the number of hypotheses that cover an instance given in cells."""
        return self._total(cells)

    def _total(self, cells: Sequence[int] | None) -> int:
        def size(bounds: Bounds) -> int:
            return 0 if bounds.empty else self.language.count(bounds, cells)

        return sum(map(size, self.pieces)) - sum(map(size, self._twice))

    @cached_property
    def n_between(self) -> int:
        """Number of hypotheses between the boundaries; larger than the count if the set is not convex."""
        return 0 if self.empty else self.language.count(self.bounds)

    @property
    def convex(self) -> bool:
        """Whether the set is convex: every hypothesis between two members is a member."""
        return self.n_between == self.count()

    @property
    def status(self) -> str:
        """``"converged"`` (one hypothesis is left), ``"partly learned"`` or ``"collapsed"`` (none is left)."""
        return "collapsed" if self.empty else "converged" if self.count() == 1 else "partly learned"

    def errors_of(self, concept: Concept) -> int | None:
        """Return the number of examples that a hypothesis misclassifies; None if it is more than k."""
        language, code = self.language, concept.code
        missed = (
            i for i, low in enumerate(self.specific) if any(language.more_general(code, s) for s in low)
        )
        taken = (
            j for j, high in enumerate(self.general) if any(language.more_general(g, code) for g in high)
        )
        errors = next(missed, self.k + 1) + next(taken, self.k + 1)
        return errors if errors <= self.k else None

    def __contains__(self, concept: Concept) -> bool:
        return self.errors_of(concept) is not None

    def _codes(self) -> Iterator[Code]:
        before: tuple[Code, ...] = ()
        for piece in self.pieces:
            if not piece.empty:
                yield from (
                    code
                    for code in self.language.members(piece)
                    if not any(self.language.more_general(code, low) for low in before)
                )
            before = piece.specific

    def members(self, most: int = MOST_MEMBERS) -> tuple[Concept, ...]:
        """Return all hypotheses if there are at most `most`."""
        found = tuple(Concept(self.language, code) for code in islice(self._codes(), most + 1))
        if len(found) > most:
            raise InputError(f"more than {most:,} hypotheses are left; use `count()`, or raise most")
        return found

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """All hypotheses as codes of the language, if there are few enough."""
        return tuple(concept.code for concept in self.members())

    def learn(self, cells: Cells, labels: Mask) -> BoundedErrors:
        """Return the hypotheses with at most k errors after more examples, which are given in cells.

        Each example is either classified correctly or counted as an error. Positives come first, because
        members of G that are not above any of them can be dropped.
        """
        specific, general = self.specific, self.general
        rows, _, times = distinct(cells[labels])
        for start in range(0, len(rows), STEP):
            part = slice(start, start + STEP)
            telling = ~_coverage(self.language, specific, rows[part]).all(axis=0)
            for row, weight in zip(rows[part][telling].tolist(), times[part][telling].tolist(), strict=True):
                specific = _raised(self.language, specific, row, weight)
        rows, _, times = distinct(cells[~labels])
        order = _near_misses_first(self.language, specific, rows)
        rows, times = rows[order], times[order]
        for start in range(0, len(rows), STEP):
            part = slice(start, start + STEP)
            telling = _coverage(self.language, general, rows[part]).any(axis=0)
            for row, weight in zip(rows[part][telling].tolist(), times[part][telling].tolist(), strict=True):
                general = _lowered(self.language, specific, general, row, weight)
        general = tuple(
            tuple(code for code in high if above_some(self.language, code, low))
            for low, high in zip(reversed(specific), general, strict=True)
        )
        specific = tuple(
            tuple(code for code in low if any(self.language.more_general(g, code) for g in high))
            for low, high in zip(specific, reversed(general), strict=True)
        )
        return replace(self, specific=specific, general=general)

    def size(self) -> str:
        """Return the number of remaining hypotheses."""
        number = self.count()
        return f"{amount(number)} {'hypothesis' if number == 1 else 'hypotheses'}"

    def __str__(self) -> str:
        allowed = f"at most {plural(self.k, 'example')}"
        if self.empty:
            return f"collapsed: no hypothesis errs on {allowed}"
        holes = (
            ""
            if self.convex
            else f"; {amount(self.n_between)} lie between its boundaries, so it is not convex"
        )
        return f"{self.size()} err on {allowed}{holes}"

    def __repr__(self) -> str:
        return f"BoundedErrors({self})"

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        if not isinstance(self.language, Language) or len(self.classes) != 2 or len(self.counts) != 2:
            raise InputError("the hypotheses have no language, or the number of classes is not two")
        if not self.specific or len(self.specific) != len(self.general):
            raise InputError("S and G are given for different numbers of errors")
        if not all(self.language.fits(code) for family in (*self.specific, *self.general) for code in family):
            raise InputError("the boundaries are not hypotheses of the language")
        if self.undecided not in UNDECIDED or self.positive not in self.classes:
            raise InputError("the class of the concept or the treatment of undecided instances is missing")


def _coverage(language: Language, families: Family, rows: Cells) -> Mask:
    return language.coverage([*{code for family in families for code in family}], rows)


def _near_misses_first(language: Language, specific: Family, rows: Cells) -> Cells:
    """Return an order of negatives that keeps G small, starting with those that few constraints of S exclude."""
    low = specific[0]
    if not isinstance(language, Conjunctions) or not low or low[0] == language.bottom():
        return np.arange(len(rows))
    first, last = np.array(low[0]).T
    outside = (rows < first) | (rows > last)
    _, kinds, _ = distinct(outside.astype(np.int64))
    return np.lexsort((kinds, outside.sum(axis=1)))


def _raised(language: Language, specific: Family, row: list[int], weight: int) -> Family:
    """Return S_0, ..., S_k after a positive example of multiplicity `weight`: covered, or missed that often."""
    found = []
    for i, low in enumerate(specific):
        covering = language.which_cover(low, row)
        if all(covering):
            found.append(low)
            continue
        raised = [
            code
            for s, covers in zip(low, covering, strict=True)
            for code in ((s,) if covers else language.generalise(s, row))
        ]
        found.append(language.minimal([*raised, *(specific[i - weight] if i >= weight else ())]))
        if len(found[i]) > MOST_SPECIFIC:
            raise InputError(_too_many(MOST_SPECIFIC))
    return tuple(found)


def _lowered(language: Language, specific: Family, general: Family, row: list[int], weight: int) -> Family:
    """Return G_0, ..., G_k after a negative example of multiplicity `weight`, excluded or covered."""
    found = []
    for j, (low, high) in enumerate(zip(reversed(specific), general, strict=True)):
        try:
            lowered = specialised(language, high, low, row, MOST_GENERAL)
        except LargeGError:
            raise InputError(_too_many(MOST_GENERAL)) from None
        if lowered is not high and j >= weight:
            spared = [code for code in general[j - weight] if above_some(language, code, low)]
            lowered = language.maximal([*lowered, *spared])
        found.append(lowered)
    return tuple(found)


def _too_many(most: int) -> str:
    return (
        f"a boundary of the hypotheses with bounded errors has more than {most:,} members; allow fewer errors, "
        "or give more positive examples"
    )


def no_errors_yet(language: Language, k: int, like: VotingHypothesis | None = None) -> BoundedErrors:
    """Return the set of all hypotheses before the first example, with at most k errors allowed."""
    at_least("max_errors", k, 0, whole=True)
    specific, general = ((language.bottom(),),) * (k + 1), ((language.top(),),) * (k + 1)
    if like is None:
        return BoundedErrors(language, "class", (False, True), True, specific, general)
    return BoundedErrors(
        language,
        like.target,
        like.classes,
        like.positive,
        specific,
        general,
        like.counts,
        like.undecided,
        like.unknown,
    )


def within_errors(language: Language, cells: Cells, labels: Any, k: int) -> BoundedErrors:
    """Return the hypotheses of a language with at most `k` errors on the examples.

    Parameters
    ----------
    language : Language
        Hypothesis language.
    cells : array of int64, shape (rows, attributes)
        Examples, encoded as the index of the cell of each attribute; see `Facet`.
    labels : array
        Whether each example is positive.
    k : int
        Maximum number of errors of a hypothesis.

    Examples
    --------
    >>> import induce
    >>> import numpy as np
    >>> from induce.concepts import Conjunctions
    >>> sport = induce.dataset("enjoy-sport")
    >>> language = Conjunctions.over(sport.input_schema)
    >>> cells, labels = language.attributes.encode(sport.X), np.array([day == "Yes" for day in sport.y])
    >>> print(within_errors(language, cells, labels, 1))
    36 hypotheses err on at most 1 example; 40 lie between its boundaries, so it is not convex
    """
    labels = positive_rows(labels)
    return no_errors_yet(language, k).learn(cells, labels)
