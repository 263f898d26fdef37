"""Minimal sets of conflicting examples, which explain a collapse."""

from __future__ import annotations

import numpy as np

from induce.concepts.boundaries import MOST_GENERAL, at_once
from induce.concepts.facets import Cells
from induce.concepts.language import Language, Mask

MOST_TRIED = 200
"""Maximum number of examples for leave-one-out tests in languages without unique joins."""


def clash(language: Language, cells: Cells, labels: Mask) -> tuple[int, ...]:
    """Return the positions of a minimal set of conflicting examples.

    The result is empty if some hypothesis agrees with all examples, or if there are too many examples to try.
    """
    if not language.joins_are_unique:
        if len(cells) > MOST_TRIED or not at_once(language, cells, labels, MOST_GENERAL).empty:
            return ()
        return tuple(_without_needless(language, cells, labels, list(range(len(cells)))))
    covered = language.covers(language.least(cells[labels]), cells) & ~labels
    if not covered.any():
        return ()
    negative = int(np.flatnonzero(covered)[0])
    # positives with the same values as the negative are a conflict by themselves; otherwise as few positives
    # as possible
    alike = np.flatnonzero(labels & (cells == cells[negative]).all(axis=1))
    if len(alike):
        return tuple(sorted((int(alike[0]), negative)))
    positives = np.flatnonzero(labels)
    return tuple(sorted([negative, *_few(language, cells, positives.tolist(), negative)]))


def _few(language: Language, cells: Cells, positives: list[int], negative: int) -> list[int]:
    """Return a small set of positives whose least generalisation covers the negative."""

    def clashes(places: list[int]) -> bool:
        return bool(language.covers(language.least(cells[places]), cells[[negative]])[0])

    kept: list[int] = []
    # the last positive, which completes the conflict, belongs to it; search for the others before it
    pool = positives
    while not clashes(kept):
        low, high = 0, len(pool)
        while low < high:
            middle = (low + high) // 2
            if clashes([*kept, *pool[:middle]]):
                high = middle
            else:
                low = middle + 1
        kept.append(pool[low - 1])
        pool = pool[: low - 1]
    return kept


def _without_needless(language: Language, cells: Cells, labels: Mask, places: list[int]) -> list[int]:
    for place in list(places):
        rest = [each for each in places if each != place]
        if at_once(language, cells[rest], labels[rest], MOST_GENERAL).empty:
            places = rest
    return places


def clash_reason(language: Language, cells: Cells, labels: Mask) -> str:
    """Describe in one sentence which examples conflict; rows are counted from 1."""
    places = clash(language, cells, labels)
    if not places:
        return "the examples contradict each other, or no hypothesis of the language is the concept"
    if len(places) == 2 and (cells[places[0]] == cells[places[1]]).all():
        return f"rows {places[0] + 1} and {places[1] + 1} are the same instance with different classes"
    positive = [str(place + 1) for place in places if labels[place]]
    negative = [str(place + 1) for place in places if not labels[place]]
    rows = f"positive row{'s' * (len(positive) > 1)} {_and(positive)}"
    others = f"negative row{'s' * (len(negative) > 1)} {_and(negative)}"
    return (
        f"no hypothesis covers {rows} and not {others}: one of them is mislabelled, or the language "
        "is too weak"
    )


def _and(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "(none)"
