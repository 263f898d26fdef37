"""Candidate elimination: how S and G move when an example comes in (Mitchell table 2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.counting import reduced
from induce.concepts.facets import NONE, Cells, Facet, Run
from induce.concepts.language import Bounds, Code, Language, Mask
from induce.core.errors import InputError

MOST_GENERAL = 1_000
"""How many members G may have before the negatives are kept in its place."""


class LargeGError(Exception):
    """G would have more members than allowed."""


def start(language: Language) -> Bounds:
    """Return the bounds before the first example: everything is possible."""
    none = np.empty((0, len(language.attributes.facets)), dtype=np.int64)
    return Bounds((language.bottom(),), (language.top(),), none)


def learn_example(
    language: Language, bounds: Bounds, cells: Sequence[int], positive: bool, most: int
) -> Bounds:
    """Return the bounds after one more example.

    When G would have more than `most` members it becomes None, and the negatives stand for it from then on.
    """
    if positive:
        return _positive(language, bounds, cells)
    return _negative(language, bounds, cells, most)


def _positive(language: Language, bounds: Bounds, cells: Sequence[int]) -> Bounds:
    general = bounds.general
    if general is not None:
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
    """When one boundary is empty there is nothing between it and the other."""
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
                code
                for code in language.specialise(high, cells)
                if any(language.more_general(code, low) for low in specific)
            ]
            # those that another one is above go away again, so that a few times as many may be looked at
            if len(lowered) > 20 * most:
                raise LargeGError
    found = language.maximal([*kept, *lowered])
    if len(found) > most:
        raise LargeGError
    return found


def at_once(language: Language, cells: Cells, labels: Mask, most: int) -> Bounds:
    """Return the bounds of many examples: positives first, which keeps G small (Mitchell exercise 2.2)."""
    if not language.joins_are_unique:
        bounds = start(language)
        for row, label in _positives_first(cells, labels):
            bounds = learn_example(language, bounds, row, label, most)
        return bounds
    specific = language.least(cells[labels])
    negatives = np.unique(cells[~labels], axis=0)
    if language.covers(specific, negatives).any():
        return Bounds((), (), negatives)
    return Bounds((specific,), expanded(language, (specific,), negatives, most), negatives)


def _positives_first(cells: Cells, labels: Mask) -> Iterable[tuple[list[int], bool]]:
    for label in (True, False):
        for row in np.unique(cells[labels == label], axis=0).tolist():
            yield row, label


def expanded(
    language: Language, specific: tuple[Code, ...], negatives: Cells, most: int
) -> tuple[Code, ...] | None:
    """Return the G that negatives stand for, or None when it has more than `most` members."""
    general: tuple[Code, ...] = (language.top(),)
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
    """Return one negative for each way of being negative; near misses first, so that G stays small."""
    joins = reduced(language, [specific], negatives)
    steps = [sum(run != low for run, low in zip(join, specific, strict=True)) for join in joins]
    rows = []
    for place in np.argsort(steps, kind="stable").tolist():
        parts = zip(language.attributes.facets, joins[place], specific, strict=True)
        rows.append([_far_end(facet, run, low) for facet, run, low in parts])
    return rows


def _far_end(facet: Facet, run: Run, low: Run) -> int:
    """Return a cell of `run` for which `run` is the least one that holds `low` and the cell.

    One of the two ends is such a cell: of two smaller runs that hold `low`, one would hold both ends.
    """
    first = facet.least(min(run[0], low[0]), low[1])
    return run[0] if first == run else run[1]


def merged(language: Language, one: Bounds, other: Bounds) -> Bounds:
    """Return the bounds of what lies within both (Hirsh's incremental version space merging)."""
    if not isinstance(language, Conjunctions):
        raise InputError(
            "only version spaces of conjunctions can be merged; learn the examples together instead"
        )
    if one.general is None or other.general is None:
        raise InputError(
            "a version space without G cannot be merged; raise max_general, or learn the examples together"
        )
    joins = [language.join(a, b) for a in one.specific for b in other.specific]
    meets = [language.meet(a, b) for a in one.general for b in other.general]
    specific = [
        code for code in joins if all(_under(language, code, bounds.general or ()) for bounds in (one, other))
    ]
    general = [
        code
        for code in meets
        if all(any(language.more_general(code, low) for low in bounds.specific) for bounds in (one, other))
    ]
    return _settled(Bounds(language.minimal(specific), language.maximal(general), None))


def _under(language: Language, code: Code, general: tuple[Code, ...]) -> bool:
    return any(language.more_general(high, code) for high in general)
