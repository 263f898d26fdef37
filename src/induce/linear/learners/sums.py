"""The terms of a linear model of a table in partitions: one pass over moments and counts determines them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.engines import total
from induce.core.errors import InputError
from induce.core.pass_results import pass_result
from induce.core.values import Value
from induce.counts.moments import Moments
from induce.data.numeric_view import FAR, NumericView
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.data.table import Table
from induce.estimators.scale import OFFERED
from induce.linear.products import MOST, Products
from induce.linear.standard import TINY, by_columns
from induce.linear.terms import Design, parsed_terms, plain_terms

Floats = NDArray[np.float64]

MOST_TERMS = 5_000
"""Maximum number of terms whose products are summed over partitions: 200 MB."""


@pass_result
@dataclass(eq=False)
class _Columns:
    """Statistics that determine the terms: moments of numbers, counts of categories, missing values."""

    moments: list[Moments]
    counts: list[Floats]
    holes: Floats
    weight: float

    def __add__(self, later: _Columns) -> _Columns:
        return _Columns(
            [mine + theirs for mine, theirs in zip(self.moments, later.moments, strict=True)],
            [mine + theirs for mine, theirs in zip(self.counts, later.counts, strict=True)],
            self.holes + later.holes,
            self.weight + later.weight,
        )


def _looked_at(partition: Partition, of_class: Floats | None) -> _Columns:
    values, labels = partition.columns()
    weight = np.ones(len(labels)) if of_class is None else of_class[labels]
    moments, counts, holes = [], [], []
    for column, cells in zip(partition.layout.schema.inputs(), values, strict=True):
        if column.kind == "nominal":
            known = cells >= 0
            counts.append(np.bincount(cells[known], weight[known], len(column.domain)).astype(np.float64))
            holes.append(float(weight[~known].sum()))
        else:
            nobody = np.zeros(len(labels), np.int64)
            moments.append(Moments.of(np.clip(cells, -FAR, FAR), nobody, 1, weight))
            holes.append(float(weight[np.isnan(cells)].sum()))
    return _Columns(moments, counts, np.array(holes), float(weight.sum()))


class _Categories:
    """Categories that have a term, by their counts."""

    def __init__(self, found: dict[str, tuple[Value, ...]]) -> None:
        self.categories = found.__getitem__

    def least(self, column: str, function: str) -> float | None:
        """Raise an `InputError` for functions that need the smallest number."""
        if function in ("log", "sqrt"):
            raise InputError(
                f"terms has {function}({column}), which learning from partitions does not support; leave it out"
            )
        return None


def design_of(source: Scan, of_class: Floats | None, extra: str, reference: bool) -> Design:
    """Return the design of the same table in memory; `of_class` gives the weight of the rows of each class."""
    inputs = source.schema.inputs()
    looked = total(partial(_looked_at, of_class=of_class), source.partitions())
    moments, counts = iter(looked.moments), iter(looked.counts)
    means: list[float] = []
    categories: dict[str, tuple[Value, ...]] = {}
    for column in inputs:
        if column.kind == "nominal":
            here = next(counts)
            means += (here / max(float(here.sum()), 1e-300)).tolist()
            there = np.flatnonzero(here).tolist()
            categories[column.name] = tuple(column.domain[code] for code in there[int(reference) :])
        else:
            means.append(float(next(moments).mean[0]))
    holes = tuple(
        column.name
        for column, empty in zip(inputs, looked.holes.tolist(), strict=True)
        if 0 < empty < looked.weight * (1 - 1e-12)
    )
    seen: Any = _Categories(categories)
    terms = [term for column in inputs for term in plain_terms(column, seen, column.name in holes)]
    for written in filter(None, map(str.strip, extra.split(","))):
        terms += [term for term in parsed_terms(written, inputs, seen) if term not in terms]
    width = sum(column.kind != "nominal" for column in inputs)
    return Design(NumericView(inputs, np.zeros(width), np.ones(width), np.array(means)), tuple(terms), holes)


def term_rows(partition: Partition, design: Design) -> tuple[Floats, NDArray[Any]]:
    """Return the terms of a partition, and the class index or target value of each row."""
    table, goals = partition.table()
    own = Table(table.schema, by_columns(table.numeric), table.nominal)
    return design.matrix(own), goals


def summed_products(source: Scan, extra: str, reference: bool) -> tuple[Design, Products]:
    """Return the terms and the sums that determine all weights by least squares."""
    design = design_of(source, None, extra, reference)
    if len(design.terms) > MOST_TERMS:
        raise InputError(
            f"the columns become {len(design.terms):,} weights, but at most {MOST_TERMS:,} are learned from "
            f"partitions; leave columns out, or learn from a sample: fit(*source.sample({OFFERED:_}))"
        )
    unit = total(partial(_largest, design=design), source.partitions(), np.maximum)
    found = total(partial(_products, design=design, unit=unit), source.partitions(), _plus)
    if found is None:
        raise InputError(f"{source.name!r} has no rows")
    return design, found


def _largest(partition: Partition, design: Design) -> Floats:
    x, _ = term_rows(partition, design)
    return np.asarray(np.maximum(np.abs(x).max(axis=0, initial=0.0), TINY))


def _products(partition: Partition, design: Design, unit: Floats) -> Products | None:
    x, y = term_rows(partition, design)
    if np.abs(y).max(initial=0.0) > MOST:
        raise InputError(
            f"the target holds numbers beyond {MOST:g}, whose squares cannot be added; scale them down"
        )
    return Products.of(x, y, np.ones(len(y)), unit) if len(y) else None


def _plus(earlier: Products | None, later: Products | None) -> Products | None:
    return earlier if later is None else later if earlier is None else earlier + later
