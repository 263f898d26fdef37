"""Hidden nodes: nodes that are never observed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from induce.belief_networks.cases import Cases
from induce.core.errors import InputError
from induce.core.parameters import mapping
from induce.data.schema import Column, Schema

FEW = 10
"""Number of cases per state of the hidden nodes that are completed at random."""


HIDDEN = mapping(
    "Hidden nodes with their values or number of values.",
    none=True,
    otherwise="give a dict from hidden nodes to their values",
)
"""Declared parameter of learners with hidden nodes."""


def with_hidden(cases: Cases, hidden: Mapping[str, Any]) -> Cases:
    """Return cases with additional nodes that are missing in every row.

    Parameters
    ----------
    cases : Cases
    hidden : dict
        Mapping from names of hidden nodes to their values or number of values.

    Examples
    --------
    >>> nodes = Schema((Column("flavour", "nominal", ("cherry", "lime")),))
    >>> with_hidden(Cases.of(nodes, np.array([[0]], np.int32)), {"bag": 2}).schema.columns[1]
    Column('bag', nominal {1, 2})
    """
    if not isinstance(hidden, Mapping):
        raise InputError(f"hidden is {hidden!r}; give a dict from hidden nodes to their values")
    columns = [_column(name, values, cases.schema) for name, values in hidden.items()]
    if not columns:
        return cases
    n = len(cases), len(columns)
    return replace(
        cases,
        schema=Schema((*cases.schema.columns, *columns)),
        codes=np.ascontiguousarray(np.hstack([cases.codes, np.full(n, -1, np.int32)])),
        numbers=np.hstack([cases.numbers, np.full(n, np.nan)]),
    )


def completed_at_random(cases: Cases, hidden: Sequence[int], rng: np.random.Generator) -> Cases:
    """Return a small sample of the cases with random values of hidden nodes, so that the values differ by
    chance.
    """
    if not hidden:
        return cases
    most = FEW * int(cases.sizes[list(hidden)].prod())
    rows = rng.choice(len(cases), min(len(cases), most), replace=False)
    some = cases.rows(np.sort(rows))
    codes = some.codes.copy()
    for node in hidden:
        codes[:, node] = rng.integers(0, cases.sizes[node], len(codes))
    return replace(some, codes=codes)


def _column(name: str, values: int | Sequence[Any], known: Schema) -> Column:
    if name in known.names():
        raise InputError(f"hidden contains {name!r}, which is a column; remove it")
    if isinstance(values, int) and not isinstance(values, bool):
        values = [str(value) for value in range(1, values + 1)]
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) < 1:
        raise InputError(
            f"hidden gives {name!r} the values {values!r}; give a list of values or their number"
        )
    return Column(name, "nominal", tuple(values))
