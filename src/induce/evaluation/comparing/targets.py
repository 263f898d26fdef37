"""Likely target columns of a table: by name, by position, and by what the other columns say about them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.data.schema import Column, Schema
from induce.evaluation.comparing.applicable import MOST_CLASSES

NAMES = {
    *(
        "class",
        "classes",
        "target",
        "label",
        "labels",
        "y",
        "outcome",
        "response",
        "churn",
        "default",
        "income",
    ),
    *("survived", "diagnosis", "decision", "event", "approved", "passed"),
}
"""Names of targets."""
POSSIBLE_NAMES = frozenset(
    (
        "result",
        "play",
        "status",
        "category",
        "type",
        "species",
        "price",
        "quality",
        "score",
        "rating",
        "answer",
    )
)
"""Names that targets and other columns have."""
NAMED, POSSIBLY_NAMED, NAMED_IN_PART = 4.0, 2.0, 1.0
LAST, FIRST, CLASSES, TWO_CLASSES = 3.0, 1.5, 1.0, 1.0
EXPLAINED, REDUNDANT = 4.0, 2.0
"""Weight of what the other columns say about a column, and of one that decides it or is decided by it."""
BY_POSITION = 0.75
"""Part of the weight of a position that does not depend on what the other columns say."""
MARGIN = 2.0
"""Distance of the scores of the two likeliest columns above which the first is sure."""
AMONG_NUMBERS = 0.25
"""Part of the weight of what the other columns say about a column of many numbers."""
LEAST = 0.05
"""Mean fraction of the entropy below which the other columns say nothing about a column."""
ROWS, BINS, OTHERS = 600, 5, 40
FEW_ROWS = 20
CAPPED, DECIDED = 0.3, 0.95
"""Fraction of the entropy that counts per other column, and above which that column alone decides."""

Codes = NDArray[np.int64]


class Candidate(NamedTuple):
    """A column that may be the target, and its score."""

    name: str
    score: float


def likely_targets(frame: pl.DataFrame, schema: Schema) -> list[str]:
    """Return the likely target columns of a table, most likely first; see `candidates`.

    Examples
    --------
    >>> import induce
    >>> table = induce.dataset("play-tennis")
    >>> likely_targets(table.frame, table.schema)[0]
    'PlayTennis'
    """
    return [candidate.name for candidate in candidates(frame, schema)]


def sure_target(frame: pl.DataFrame, schema: Schema) -> str | None:
    """Return the likeliest target if no other column comes near; None otherwise."""
    ranked = candidates(frame, schema)
    clear = ranked and (len(ranked) == 1 or ranked[0].score - ranked[1].score >= MARGIN)
    return ranked[0].name if clear else None


def candidates(frame: pl.DataFrame, schema: Schema) -> list[Candidate]:
    """Return the columns that may be the target with their scores, most likely first.

    A target is often named as such and is the last or the first column. It has two or a few classes, and depends a
    little on many columns rather than on one. Identifiers, texts, dates and constants are excluded.
    """
    columns = [column for column in schema if column.role in ("input", "target")]
    open_to_look = [column for column in columns if column.kind != "text" and not column.temporal]
    rows = frame[np.unique(np.linspace(0, len(frame) - 1, min(ROWS, len(frame))).astype(np.int64))]
    codes = {column.name: _codes(rows[column.name], column) for column in open_to_look}
    known = {column.name: _explained(column.name, codes) for column in open_to_look}
    most = max([LEAST, *(fraction for fraction, _ in known.values())])
    trusted = len(rows) / (len(rows) + FEW_ROWS)
    ranked = []
    for position, column in enumerate(columns):
        different = frame[column.name].drop_nulls().n_unique() if column.name in codes else 0
        if different < 2:
            continue
        fraction, redundant = known[column.name]
        explained = trusted * fraction / most
        few = different <= MOST_CLASSES and different <= max(2, len(frame) / 5)
        at = LAST * (position == len(columns) - 1) + FIRST * (position == 0)
        score = (
            _named(column.name) + at * (BY_POSITION + (1 - BY_POSITION) * explained) + EXPLAINED * explained
        )
        score += CLASSES * (few and column.kind == "nominal") + TWO_CLASSES * (different == 2)
        score -= REDUNDANT * redundant + EXPLAINED * explained * (not few) * (1 - AMONG_NUMBERS)
        ranked.append(Candidate(column.name, score))
    return sorted(ranked, key=lambda candidate: -candidate.score)


def _named(name: str) -> float:
    words = name.lower().replace("_", " ").replace("-", " ").split()
    if len(words) == 1 and words[0] in NAMES:
        return NAMED
    if len(words) == 1 and words[0] in POSSIBLE_NAMES:
        return POSSIBLY_NAMED
    return NAMED_IN_PART * bool({*words} & (NAMES | POSSIBLE_NAMES))


def _codes(cells: pl.Series, column: Column) -> Codes:
    """Return a column as codes: its values, or fifths of its numbers; a missing value is a value."""
    if column.kind == "nominal":
        ranks = cells.cast(pl.String).rank("dense").fill_null(0)
    else:
        numbers = cells.cast(pl.Float64, strict=False)
        ranks = numbers.rank("dense").fill_null(0)
        if numbers.n_unique() > MOST_CLASSES / 2:
            known = max(1, len(numbers) - numbers.null_count())
            ranks = (numbers.rank("average") / known * (BINS - 1e-9)).floor().fill_null(-1) + 1
    return np.unique(ranks.to_numpy(), return_inverse=True)[1].astype(np.int64)


def _explained(name: str, codes: dict[str, Codes]) -> tuple[float, bool]:
    """Return the mean fraction of a column's entropy that another column removes, each capped.

    Also return whether one column decides the other.
    """
    others = [other for other in codes if other != name]
    chosen = others[:: max(1, len(others) // OTHERS)]
    pairs = [_shared(codes[name], codes[other]) for other in chosen]
    if not pairs:
        return 0.0, False
    redundant = any(max(pair) > DECIDED for pair in pairs)
    return float(np.mean([min(own, CAPPED) for own, _ in pairs])), redundant


def _shared(values: Codes, others: Codes) -> tuple[float, float]:
    """Return the information that two columns share as a fraction of the entropy of each, corrected for chance."""
    n_values, n_others = int(values.max()) + 1, int(others.max()) + 1
    counts = np.bincount(others * n_values + values, minlength=n_values * n_others)
    fractions = counts.reshape(n_others, n_values) / len(values)
    own, other = _entropy(fractions.sum(axis=0)), _entropy(fractions.sum(axis=1))
    chance = (n_values - 1) * (n_others - 1) / (2 * len(values))
    shared = max(0.0, own + other - _entropy(fractions.ravel()) - chance)
    return shared / own if own > 0 else 0.0, shared / other if other > 0 else 0.0


def _entropy(fractions: NDArray[Any]) -> float:
    positive = fractions[fractions > 0]
    return float(-(positive * np.log(positive)).sum())
