"""Stored examples as Python source without dependencies: the smallest distances decide."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.data.schema import Schema
from induce.distances.attributes import AttributeDistance
from induce.hypotheses.writers.python import python_literal, python_module
from induce.instances.kernels import DistanceKernel
from induce.instances.search.hashing import LSH

if TYPE_CHECKING:
    from induce.instances.neighbors.stored import Neighbors

MOST_EXAMPLES = 100_000
BODY = """\

def within(number, most):
    return min(max(number, -most), most)

def raised(gap):
    return gap * gap if power == 2 else gap if power in (1, math.inf) else gap**power

point = []
for name, scale, weight, _ in numeric:
    cell = row.get(name)
    if missing(cell):
        point.append(None)
    else:
        number = days(cell) if name in dates else float(cell)
        point.append(within(within(number / scale, most) * weight, most))
costs = []
for name, values, table in nominal:
    cell = text(row.get(name)) if name in texts else row.get(name)
    costs.append(table[values.index(cell)] if cell in values else table[-1])
near = []
for place, (numbers, codes, weight, said) in enumerate(examples):
    terms = [
        axis[3] if x is None or z is None else raised(abs(x - z)) for x, z, axis in zip(point, numbers, numeric)
    ]
    terms += [table[code] for table, code in zip(costs, codes)]
    total = 0.0
    for term in terms:
        total = max(total, term) if power == math.inf else total + term
    distance = math.sqrt(total) if power == 2 else total if power in (1, math.inf) else total ** (1 / power)
    near.append((total, place, distance, weight, said))
near.sort()
distances = [each[2] for each in near]
weights = [each[3] for each in near]

counted, before, start = [], 0.0, 0
while start < len(near):  # examples that are equally far share what is left of the votes
    end = start + 1
    while shared and end < len(near) and distances[end] == distances[start]:
        end += 1
    group = sum(weights[start:end])
    part = min(max(k - before, 0.0), group) / group if group > 0 else 0.0
    counted += [weight * part for weight in weights[start:end]]
    before, start = before + group, end

nearest = min(d for d, weight in zip(distances, counted) if weight > 0)

def among(d):
    if kernel == 'uniform':
        return 1.0
    if kernel == 'gaussian':
        return math.exp(0.5 * max((nearest - d) / width, -1e150) * min((nearest + d) / width, 1e150))
    if kernel in ('inverse', 'inverse-square'):
        return (nearest / d) ** (1 if kernel == 'inverse' else 2) if nearest > 0 else float(d == 0)
    u = min(d / width, 1e100)
    if kernel == 'tophat':
        return float(u <= 1)
    if kernel == 'tricube':
        return max(0.0, 1.0 - u**3) ** 3
    return max(0.0, 1.0 - (2 * u if kernel == 'quadratic' else u) ** 2)

found = [among(d) if weight > 0 else 0.0 for d, weight in zip(distances, counted)]
if not any(found):
    found = [float(d == nearest) for d in distances]
counts = [share * weight for share, weight in zip(found, counted)]
"""
MEAN = """\
return sum(count * each[4] for count, each in zip(counts, near)) / sum(counts)
"""
VOTE = """\
votes = [0.0] * len(classes)
for count, each in zip(counts, near):
    votes[each[4]] += count
tied = [vote >= max(votes) * (1 - 1e-09) for vote in votes]
if ties == 'first':
    return classes[tied.index(True)]
if ties == 'last':
    return classes[len(tied) - 1 - tied[::-1].index(True)]
if shared:
    reached = [math.inf] * len(classes)
    for count, each in zip(counts, near):
        if count > 0:
            reached[each[4]] = min(reached[each[4]], each[2])
    reached = [distance if tie else math.inf for distance, tie in zip(reached, tied)]
    return classes[reached.index(min(reached))]
return next(classes[each[4]] for count, each in zip(counts, near) if tied[each[4]] and count > 0)
"""


def mean_source(hypothesis: Neighbors, numbers: list[float], name: str) -> str:
    """Return the source of a function that gives the mean of the nearest examples."""
    return _source(hypothesis, numbers, [], MEAN, name)


def vote_source(
    hypothesis: Neighbors, labels: list[int], classes: tuple[object, ...], ties: str, name: str
) -> str:
    """Return the source of a function that gives the class that the nearest examples vote for."""
    lines = [f"classes = {python_literal(classes)}", f"ties = {python_literal(ties)}"]
    return _source(hypothesis, labels, lines, VOTE, name)


def _source(
    hypothesis: Neighbors, said: list[float] | list[int], more: list[str], decide: str, name: str
) -> str:
    distance, kernel = hypothesis.distance, hypothesis.kernel
    if not isinstance(distance, AttributeDistance) or not isinstance(kernel, DistanceKernel):
        raise InputError(
            "cannot export neighbours by this distance or these weights to Python; use induce.save"
        )
    if isinstance(hypothesis.algorithm, LSH) or len(said) > MOST_EXAMPLES:
        raise InputError("cannot export so many examples, or approximate search, to Python; use induce.save")
    k = float(hypothesis.n_neighbors or hypothesis.weights.sum())
    lines = [
        f"power, k, shared = {python_literal((float(distance.power), k, hypothesis.equidistant == 'share'))}",
        f"kernel, width = {python_literal((kernel.name, float(kernel.width)))}",
        f"most = {python_literal(float(distance._bounded(np.array([math.inf]))[0]))}",
        *more,
        "# per numeric column: the column, its scale, its weight, and the contribution of a missing value",
        *_numeric(distance),
        "# per nominal column: its values, and the contribution of each against a missing value and "
        "every other",
        *_nominal(distance),
        "# the examples: scaled numbers, positions of values, weight, and prediction",
        *_examples(hypothesis, said),
    ]
    return python_module(
        lines, BODY + decide, name, hypothesis.target, Schema(tuple(hypothesis.schema.inputs()))
    )


def _numeric(distance: AttributeDistance) -> list[str]:
    columns = [column.name for column in distance.schema if column.kind != "nominal"]
    numbers = (distance.scale, distance._numeric_weights(), distance.unknown_powers())
    rows = zip(columns, *(each.tolist() for each in numbers), strict=True)
    return ["numeric = (", *(f"    {python_literal(row)}," for row in rows), ")"]


def _nominal(distance: AttributeDistance) -> list[str]:
    lines = []
    for place, column in enumerate(column for column in distance.schema if column.kind == "nominal"):
        table = distance.costs(place, np.append(np.arange(len(column.domain)), -1))
        rows = tuple(tuple(row) for row in table.tolist())
        lines.append(f"    {python_literal((column.name, column.domain, rows))},")
    return ["nominal = (", *lines, ")"]


def _examples(hypothesis: Neighbors, said: list[float] | list[int]) -> list[str]:
    rows = hypothesis.rows
    lines = []
    for numbers, codes, weight, each in zip(
        rows.numbers.tolist(), rows.codes.tolist(), hypothesis.weights.tolist(), said, strict=True
    ):
        known = tuple(None if math.isnan(number) else number for number in numbers)
        places = tuple(max(code, -1) + 1 for code in codes)
        lines.append(f"    {python_literal((known, places, weight, each))},")
    return ["examples = (", *lines, ")"]
