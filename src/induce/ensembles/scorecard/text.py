"""Scorecards in print: a table of points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.hypotheses.naming import plural, value_text

if TYPE_CHECKING:
    from induce.ensembles.scorecard.card import Scorecard

MOST_LINES = 30
"""Maximum number of printed lines per attribute; the card itself has all."""


def card_text(card: Scorecard) -> str:
    """Return the decision rule of a card, and its lines with their points."""
    whole = all((part.points == np.rint(part.points)).all() for part in card.attributes)
    known = any(len(part.shares) for part in card.attributes)
    nothing = [""] * len(card.start)
    heads = ["points"] if len(card.start) == 1 else [value_text(value) for value in card.classes]
    rows = [("", heads, "rows" if known else "")]
    if card.start.any():
        rows.append(("every row", _written(card.start, whole), ""))
    for part in card.attributes:
        rows.append((value_text(part.column.name), nothing, ""))
        lines = list(part.lines())
        for text, k in lines[:MOST_LINES]:
            share = f"{part.shares[k]:.0%}" if len(part.shares) else ""
            rows.append((f"  {text}", _written(part.points[k], whole), share))
        if len(lines) > MOST_LINES:
            rows.append((f"  … {plural(len(lines) - MOST_LINES, 'line')} more", nothing, ""))
    return "\n".join([_head(card), *_aligned(rows)])


def _head(card: Scorecard) -> str:
    first, *others = map(value_text, card.classes)
    if not others:
        return f"always {first}"
    if len(others) == 1:
        return f"{others[0]} if the points add up to more than 0, else {first}"
    return "the class with the most points"


def _written(points: NDArray[np.float64], whole: bool) -> list[str]:
    return [f"{number:.0f}" if whole else f"{round(number, 2) + 0.0:.2f}" for number in points.tolist()]


def _aligned(rows: list[tuple[str, list[str], str]]) -> list[str]:
    first = max(len(text) for text, _, _ in rows)
    wide = [max(map(len, column)) for column in zip(*(points for _, points, _ in rows), strict=True)]
    return [
        "  ".join(
            [f"{text:<{first}}", *(f"{p:>{w}}" for p, w in zip(points, wide, strict=True)), f"{share:>4}"]
        ).rstrip()
        for text, points, share in rows
    ]
