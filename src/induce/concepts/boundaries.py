"""Candidate elimination: update of S and G by an example (Mitchell table 2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.facets import NONE, Cells, Facet, Run, distinct
from induce.concepts.hypothesis_counter import reduced
from induce.concepts.language import Bounds, Code, Language, Mask
from induce.core.errors import InputError

MOST_GENERAL = 1_000
"""Maximum number of members of G; beyond it, the negative examples are kept instead."""


class LargeGError(Exception):
    """Signal that G would have more members than allowed."""


def start(language: Language) -> Bounds:
    """Return the boundaries before the first example, which contain all hypotheses."""
    none = np.empty((0, len(language.attributes.facets)), dtype=np.int64)
    return Bounds((language.bottom(),), (language.top(),), none)


def learn_example(
    language: Language, bounds: Bounds, cells: Sequence[int], positive: bool, most: int
) -> Bounds:
    """Return the boundaries after one more example.

    If G would have more than `most` members, it becomes None, and the negatives represent it afterwards.
    """
    if positive:
        return _positive(language, bounds, cells)
    return _negative(language, bounds, cells, most)


def _positive(language: Language, bounds: Bounds, cells: Sequence[int]) -> Bounds:
    general = bounds.general
    if general is not None:
        # Mitchell, table 2.5, positive example: G loses members that do not cover it. S is generalised
        # minimally, stays below some member of G, and keeps only its minimal members.
        general = _chosen(general, language.which_cover(general, cells))
    covering = language.which_cover(bounds.specific, cells)
    kept = [code for code, covers in zip(bounds.specific, covering, strict=True) if covers]
    raised = [
        code
        for low, covers in zip(bounds.specific, covering, strict=True)
        if not covers
        for code in language.generalise(low, cells)
        if _below(language, code, bounds, general)
    ]
    specific = language.minimal([*kept, *raised]) if raised or len(kept) < len(covering) else bounds.specific
    return _settled(replace(bounds, specific=specific, general=general))


def _negative(language: Language, bounds: Bounds, cells: Sequence[int], most: int) -> Bounds:
    # The dual case: S loses members that cover it; G is specialised minimally and stays above some member of
    # S.
    specific = _chosen(
        bounds.specific, [not covers for covers in language.which_cover(bounds.specific, cells)]
    )
    negatives = bounds.negatives
    if negatives is not None:
        negatives = np.vstack([negatives, np.asarray(cells, dtype=np.int64)])
    general = bounds.general
    if general is not None:
        try:
            general = specialised(language, general, specific, cells, most)
        except LargeGError:
            general = None
    return _settled(Bounds(specific, general, negatives))


def _settled(bounds: Bounds) -> Bounds:
    """Empty both boundaries if one is empty."""
    return Bounds((), (), bounds.negatives) if bounds.empty else bounds


def _chosen(codes: tuple[Code, ...], wanted: Sequence[bool]) -> tuple[Code, ...]:
    return codes if all(wanted) else tuple(code for code, keep in zip(codes, wanted, strict=True) if keep)


def _below(language: Language, code: Code, bounds: Bounds, general: tuple[Code, ...] | None) -> bool:
    if general is None:
        return not language.covers(code, bounds.excluded).any()
    return any(language.more_general(high, code) for high in general)


def specialised(
    language: Language, general: tuple[Code, ...], specific: tuple[Code, ...], cells: Sequence[int], most: int
) -> tuple[Code, ...]:
    """Return G after a negative example."""
    covering = language.which_cover(general, cells)
    if not any(covering):
        return general
    kept = [code for code, covers in zip(general, covering, strict=True) if not covers]
    lowered: list[Code] = []
    for high, covers in zip(general, covering, strict=True):
        if covers:
            lowered += [
                code for code in language.specialise(high, cells) if above_some(language, code, specific)
            ]
            # members below another are removed later, so intermediate results may be a few times larger
            if len(lowered) > 10 * most:
                raise LargeGError
    found = language.maximal([*kept, *lowered])
    if len(found) > most:
        raise LargeGError
    return found


def at_once(language: Language, cells: Cells, labels: Mask, most: int) -> Bounds:
    """Return the boundaries after many examples."""
    return further(language, start(language), cells, labels, most)


def further(language: Language, bounds: Bounds, cells: Cells, labels: Mask, most: int) -> Bounds:
    """Update the boundaries by many examples: positives first, which keeps G small (Mitchell exercise 2.2)."""
    if bounds.empty:
        return bounds
    # With unique joins, S is the join of all positives in any order, and can be computed at once.
    if not language.joins_are_unique or len(bounds.specific) != 1 or bounds.negatives is None:
        for row, label in _positives_first(cells, labels):
            bounds = learn_example(language, bounds, row, label, most)
        return bounds
    (before,) = bounds.specific
    (specific,) = language.joins(before, language.least(cells[labels]))
    fresh, *_ = distinct(cells[~labels])
    negatives = np.vstack([bounds.negatives, fresh])
    general = bounds.general
    if language.covers(specific, negatives).any():
        return Bounds((), (), negatives)
    if general is not None:
        kept = _chosen(general, [language.more_general(high, specific) for high in general])
        return _settled(Bounds((specific,), narrowed(language, kept, (specific,), fresh, most), negatives))
    if specific != before:  # S is more general now, so G may have become small enough to be kept
        general = expanded(language, (specific,), negatives, most)
    return Bounds((specific,), general, negatives)


def _positives_first(cells: Cells, labels: Mask) -> Iterable[tuple[list[int], bool]]:
    for label in (True, False):
        for row in distinct(cells[labels == label])[0].tolist():
            yield row, label


def expanded(
    language: Language, specific: tuple[Code, ...], negatives: Cells, most: int
) -> tuple[Code, ...] | None:
    """Return the G of some negatives, or None if it has more than `most` members."""
    return narrowed(language, (language.top(),), specific, negatives, most)


def narrowed(
    language: Language, general: tuple[Code, ...], specific: tuple[Code, ...], negatives: Cells, most: int
) -> tuple[Code, ...] | None:
    """Return G after many negatives, or None if it would have more than `most` members."""
    rows = negatives.tolist()
    if isinstance(language, Conjunctions) and len(specific) == 1 and specific[0][0] != NONE and len(rows):
        rows = _clauses(language, specific[0], negatives)
    try:
        for row in rows:
            general = specialised(language, general, specific, row, most)
    except LargeGError:
        return None
    return general


def _clauses(language: Conjunctions, specific: Code, negatives: Cells) -> list[list[int]]:
    """Return one negative per distinct set of excluding constraints; near misses first, to keep G small."""
    joins = reduced(language, [specific], negatives)
    steps = [sum(run != low for run, low in zip(join, specific, strict=True)) for join in joins]
    rows = []
    for place in np.argsort(steps, kind="stable").tolist():
        parts = zip(language.attributes.facets, joins[place], specific, strict=True)
        rows.append([_far_end(facet, run, low) for facet, run, low in parts])
    return rows


def _far_end(facet: Facet, run: Run, low: Run) -> int:
    """Return a cell of `run` for which `run` is the smallest run that contains `low` and the cell.

    One of the two ends is such a cell: of two smaller runs that contain `low`, one would contain both ends.
    """
    first = facet.least(min(run[0], low[0]), low[1])
    return run[0] if first == run else run[1]


def merged(language: Language, one: Bounds, other: Bounds, most: int = MOST_GENERAL) -> Bounds:
    """Return the boundaries of the intersection of two version spaces (Hirsh's version space merging).

    If one G is not kept, its negatives are excluded from the other.
    """
    negatives = None
    if one.negatives is not None and other.negatives is not None:
        negatives, *_ = distinct(np.vstack([one.negatives, other.negatives]))
    # Hirsh 1994: S of the intersection consists of the minimal joins of pairs below both G, and G of the
    # maximal meets of pairs above that S.
    joined = [code for a in one.specific for b in other.specific for code in language.joins(a, b)]
    specific = language.minimal([code for code in joined if _below_both(language, code, one, other)])
    general = _common_general(language, one, other, specific, most)
    return _settled(Bounds(specific, general, negatives))


def _below_both(language: Language, code: Code, one: Bounds, other: Bounds) -> bool:
    return all(_below(language, code, bounds, bounds.general) for bounds in (one, other))


def _common_general(
    language: Language, one: Bounds, other: Bounds, specific: tuple[Code, ...], most: int
) -> tuple[Code, ...] | None:
    """Return the G of the intersection of both, or None if it has more than `most` members."""
    if one.general is None or other.general is None:
        with_g, without = (other, one) if one.general is None else (one, other)
        if with_g.general is None:
            return None
        kept = tuple(code for code in with_g.general if above_some(language, code, specific))
        found = narrowed(language, kept, specific, without.excluded, most)
    else:
        meets = (code for a in one.general for b in other.general for code in language.meets(a, b))
        above = [code for code in dict.fromkeys(meets) if above_some(language, code, specific)]
        found = language.maximal(above)
        found = found if len(found) <= most else None
    if found is None and (one.negatives is None or other.negatives is None):
        raise InputError(
            f"G would have more than {most:,} members, and no negative examples can replace it; merge "
            "other pieces first, especially positive examples"
        )
    return found


def above_some(language: Language, code: Code, specific: tuple[Code, ...]) -> bool:
    """Return whether a hypothesis is at least as general as some member of S."""
    return any(language.more_general(code, low) for low in specific)
