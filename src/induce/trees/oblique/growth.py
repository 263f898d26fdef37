"""Growth of oblique trees: the best axis-parallel or oblique test at every node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import MISSING, positions
from induce.data.training import Examples
from induce.trees.growth import SLACK, GrowthRule
from induce.trees.measures import MEASURES
from induce.trees.oblique.hypothesis import ObliqueTree, formula
from induce.trees.recursion import Division, Place, Test, arrays
from induce.trees.structure import Floats, Ints

TOLERANCE = 1e-9
SMALL = 0.1
"""Minimum fraction of a row that is split further."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A candidate test of a node.

    Parameters
    ----------
    attribute : int
        The tested input; the number of inputs for an oblique test.
    gain : float
        Gain of the test.
    branch : array of int32
        Branch of each example; -1 if a value is missing.
    n_branches : int
        Number of branches.
    threshold : float
        Threshold of a numeric test.
    weights : array of float64, optional
        The weights of a weighted sum.
    machine : array of float64, optional
        A linear machine, as in `ObliqueTree`.
    """

    attribute: int
    gain: float
    branch: Ints
    n_branches: int = 2
    threshold: float = np.nan
    weights: Floats | None = None
    machine: Floats | None = None


@dataclass(frozen=True, eq=False)
class Here:
    """The examples at a node, and the measure for comparing tests."""

    schema: Schema
    numeric: Floats
    nominal: Ints
    labels: NDArray[np.int64]
    weight: Floats
    n_classes: int
    measure: str
    least: float

    def __len__(self) -> int:
        return len(self.labels)

    def counts(self) -> Floats:
        """Return the weight of each class."""
        return np.bincount(self.labels, self.weight, self.n_classes).astype(np.float64)

    def gain(self, branch: Ints, n_branches: int) -> float:
        """Return the gain of a test, reduced for missing values; NaN if it does not split the examples.

        At least two branches must have the minimum weight.
        """
        known = branch != MISSING
        cells = branch[known] * self.n_classes + self.labels[known]
        table = np.bincount(cells, self.weight[known], n_branches * self.n_classes)
        table = table.reshape(n_branches, self.n_classes)
        sizes = table.sum(axis=1)
        if (sizes >= max(self.least, TOLERANCE * self.weight.sum())).sum() < 2:
            return np.nan
        return float(MEASURES[self.measure](table)) * float(sizes.sum() / self.weight.sum())


Search = Callable[[Here], list[Candidate]]
"""Function from the examples of a node to candidate tests on their numeric columns."""


def grow_oblique(
    examples: Examples,
    schema: Schema,
    target: str,
    classes: tuple[Value, ...],
    rule: GrowthRule,
    search: Search,
    progress: Callable[[float], None],
) -> ObliqueTree:
    """Grow a tree breadth first; a row with a missing value goes down all branches as fractions.

    With tests on many columns, there are many fractions of rows. So a fraction lighter than the lightest
    example is not split off, and a small fraction of a row takes the largest branch.
    """
    table, labels = examples.table, examples.labels
    lightest = float(examples.weight().min()) if rule.min_samples_leaf <= 1 else 1.0
    least = rule.min_samples_leaf * lightest * SLACK
    rows: list[NDArray[np.int64]] = [np.arange(len(examples))]
    weights: list[Floats] = [examples.weight()]
    counts: list[Floats] = []
    depths = [0]
    places = [Place(0, None, None)]
    chosen: list[Candidate | None] = []
    first: list[int] = []
    done = 0.0
    while len(chosen) < len(rows):
        node = len(chosen)
        at, weight = rows[node], weights[node]
        here = Here(
            table.schema,
            table.numeric[at],
            table.nominal[at],
            labels[at],
            weight,
            examples.n_classes,
            rule.measure,
            least,
        )
        counts.append(here.counts())
        picked = None if _is_terminal(counts[-1], depths[node], rule) else _pick(here, search)
        best, candidates = (None, []) if picked is None else picked
        chosen.append(best)
        if best is None:
            first.append(-1)
            done += float(weight.sum())
            progress(min(1.0, done / float(counts[0].sum())))
            continue
        first.append(len(rows))
        divided = list(_shares(best, weight, weight < SMALL * weights[0][at]))
        if trace.active("split"):
            branches = [
                np.bincount(here.labels[part], share, here.n_classes).tolist() for part, share in divided
            ]
            _emit(here, best, candidates, places[node], depths[node], branches)
        for number, (part, share) in enumerate(divided):
            places.append(Place(len(rows), node, number))
            rows.append(at[part])
            weights.append(share)
            depths.append(depths[node] + 1)
    return _tree(tuple(chosen), first, np.array(counts), schema, target, classes)


def merged(examples: Examples) -> Examples:
    """Return the examples in a canonical order, merging equal ones and summing their weights.

    Random choices therefore do not depend on the order of the rows, and a row of weight two equals two rows.
    """
    keys = [*examples.table.numeric.T, *examples.table.nominal.T, examples.labels]
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(examples), bool)
    new[0] = True
    for key in keys:
        ordered = key[order]
        new[1:] |= (ordered[1:] != ordered[:-1]) & (
            (ordered[1:] == ordered[1:]) | (ordered[:-1] == ordered[:-1])
        )
    weights = np.bincount(np.cumsum(new) - 1, examples.weight()[order]).astype(np.float64)
    kept = examples.rows(order[new])
    return Examples(kept.table, kept.labels, weights, kept.n_classes)


def _is_terminal(counts: Floats, depth: int, rule: GrowthRule) -> bool:
    weight = counts.sum()
    light = rule.min_samples_split > 2 and weight < rule.min_samples_split * SLACK
    deep = rule.max_depth is not None and depth >= rule.max_depth
    return bool(light or deep or counts.max() >= weight * (1.0 - 1e-12))


def _pick(here: Here, search: Search) -> tuple[Candidate, list[Candidate]] | None:
    """Return the candidate of largest gain, and all candidates, inputs first; ties go to the first."""
    candidates = sorted([*_nominal_tests(here), *search(here)], key=lambda candidate: candidate.attribute)
    best: Candidate | None = None
    for candidate in candidates:
        if best is None or candidate.gain > best.gain + TOLERANCE:
            best = candidate
    return None if best is None else (best, candidates)


def _emit(
    here: Here,
    best: Candidate,
    candidates: list[Candidate],
    place: Place,
    depth: int,
    branches: list[list[float]],
) -> None:
    """Report a split node to an active trace."""
    trace.emit(
        "split",
        node=place.node,
        depth=depth,
        counts=tuple(here.counts().tolist()),
        candidates={_name(here, each): {"gain": each.gain, "merit": each.gain} for each in candidates},
        chosen=_name(here, best),
        threshold=None if np.isnan(best.threshold) else best.threshold,
        parent=place.parent,
        branch=place.branch,
        branches=tuple(map(tuple, branches)),
    )


def _nominal_tests(here: Here) -> Iterator[Candidate]:
    """Yield the tests with one branch per value of a nominal column."""
    for attribute, position in enumerate(positions(here.schema)):
        if position < 0:
            branch, n_branches = here.nominal[:, -1 - position], len(here.schema.columns[attribute].domain)
            gain = here.gain(branch, n_branches)
            if not np.isnan(gain):
                yield Candidate(attribute, gain, branch, n_branches)


def _shares(
    picked: Candidate, weight: Floats, small: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    """Yield the examples of each branch and their weights.

    Examples with an unknown value go to all branches as fractions; fractions that are already small go to the
    largest.
    """
    known = picked.branch != MISSING
    sizes = np.bincount(picked.branch[known], weight[known], picked.n_branches)
    branch = np.where(known | ~small, picked.branch, sizes.argmax())
    divided = np.flatnonzero(branch == MISSING)
    for number, share in enumerate(sizes / sizes.sum()):
        part = np.flatnonzero(branch == number)
        if share > 0 and len(divided):
            yield np.append(part, divided), np.append(weight[part], share * weight[divided])
        else:
            yield part, weight[part]


def _name(here: Here, candidate: Candidate) -> str:
    if candidate.attribute < len(here.schema):
        return here.schema.columns[candidate.attribute].name
    if candidate.weights is None:
        return "linear machine"
    numeric = [column.name for column in here.schema if column.kind != "nominal"]
    return formula(numeric, candidate.weights)


def _tree(
    chosen: tuple[Candidate | None, ...],
    first: list[int],
    counts: Floats,
    schema: Schema,
    target: str,
    classes: tuple[Value, ...],
) -> ObliqueTree:
    inputs = schema.inputs()
    n_numeric = sum(column.kind != "nominal" for column in inputs)
    sums = [each.weights for each in chosen if each is not None and each.weights is not None]
    machines = [each.machine for each in chosen if each is not None and each.machine is not None]
    next_sum, next_machine = len(inputs), len(inputs) + len(sums)
    tests: list[Test | None] = []
    for each in chosen:
        if each is None:
            tests.append(None)
            continue
        attribute = each.attribute
        if each.weights is not None:
            attribute, next_sum = next_sum, next_sum + 1
        elif each.machine is not None:
            attribute, next_machine = next_machine, next_machine + 1
        tests.append(Test(attribute, each.n_branches, each.threshold))
    fields: dict[str, Any] = arrays(Division(tuple(tests), np.array(first, dtype=np.int32), ()))
    return ObliqueTree(
        schema=schema,
        target=target,
        classes=classes,
        counts=counts,
        combinations=np.array(sums, dtype=np.float64).reshape(len(sums), n_numeric),
        machines=np.array(machines, dtype=np.float64).reshape(len(machines), len(classes), n_numeric + 1),
        **fields,
    )
