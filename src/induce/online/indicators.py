"""Attributes as indicators: one test per value of a nominal, one per interval of a numeric attribute."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from induce.data.table import Table
from induce.hypotheses.conditions import Condition, Is, NominalCondition, interval

SLOTS = 10
"""Resolution of fractional weights, relative to the average weight, when numbers are cut into intervals."""


def indicators(table: Table, bins: int, weights: NDArray[np.float64] | None = None) -> tuple[Condition, ...]:
    """Return the tests on a table, attribute by attribute; exactly one is true for each known value.

    A numeric attribute is cut into at most `bins` intervals that hold about equally many rows of this table,
    or equal weights if these are given.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.data.table import encode
    >>> schema = Schema((Column("age"), Column("wind", "nominal", ("weak", "strong"))))
    >>> print(*indicators(encode([[20, "weak"], [30, "strong"], [40, "weak"]], schema), bins=2), sep="; ")
    age <= 25; age > 25; wind = weak; wind = strong
    """
    # importing here, because prediction does not need the compiler
    from induce.discretise import quantile_cuts

    copies = None if weights is None else _copies(weights)
    found: list[Condition] = []
    for place, column in enumerate(table.schema):
        if column.kind == "nominal":
            found += [Is(column.name, value) for value in column.domain]
            continue
        values = table.column(place)
        cuts = quantile_cuts(values if copies is None else np.repeat(values, copies), bins).tolist()
        if cuts:
            edges = [-np.inf, *cuts, np.inf]
            found += [interval(column.name, low, high, column.counted) for low, high in pairwise(edges)]
    return tuple(found)


def _copies(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the number of copies of each row, in proportion to its weight."""
    room = SLOTS * max(1, len(weights))
    if weights.sum() > room or (weights != np.rint(weights)).any():
        weights = np.maximum(1.0, np.rint(weights * (room / weights.sum())))
    return weights.astype(np.int64)


def active_indicators(tests: Sequence[Condition], table: Table) -> NDArray[np.int32]:
    """Return the test that is true for each row and tested attribute; -1 if none is.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.data.table import encode
    >>> schema = Schema((Column("wind", "nominal", ("weak", "strong")),))
    >>> tests = Is("wind", "weak"), Is("wind", "strong")
    >>> active_indicators(tests, encode([["strong"], [None]], schema)).tolist()
    [[1], [-1]]
    """
    by_attribute: dict[str, list[int]] = {}
    for number, test in enumerate(tests):
        by_attribute.setdefault(test.attribute, []).append(number)
    active = np.full((len(table), len(by_attribute)), -1, dtype=np.int32)
    for place, (attribute, numbers) in enumerate(by_attribute.items()):
        column = table.schema[attribute]
        if column.kind == "nominal":
            # codes -1 (missing) and -2 (unseen) index the last two entries
            which = np.full(len(column.domain) + 2, -1, dtype=np.int32)
            for number in numbers:
                accepted = cast(NominalCondition, tests[number]).accepted
                which[[column.domain.index(value) for value in accepted]] = number
            active[:, place] = which[table.column(table.schema.names().index(attribute))]
        else:
            for number in numbers:
                active[tests[number].covers(table), place] = number
    return active
