"""Comparison of two trees as functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.table import UNSEEN
from induce.hypotheses.conditions import Condition
from induce.hypotheses.naming import value_text
from induce.trees.hypothesis import Tree
from induce.trees.understanding.arguments import refuse_oblique, the_tree
from induce.trees.understanding.space import Axis, Part, axes, volume

MOST_PARTS = 200_000
SHOWN = 5
READABLE = 10**9


@dataclass(frozen=True)
class Difference:
    """A region on which two trees disagree: its conditions, both predictions, and its number of cells."""

    conditions: tuple[Condition, ...]
    says: tuple[Value, Value]
    cells: int

    def __str__(self) -> str:
        where = " AND ".join(map(str, self.conditions)) or "everywhere"
        one, other = map(value_text, self.says)
        return f"{where}: {one}, not {other}"


@dataclass(frozen=True)
class Agreement:
    """Agreement of two trees.

    Parameters
    ----------
    counts : mapping
        Number of instances or rows for each pair of predictions by the first and the second tree.
    of : {"instances", "cells", "rows"}
        Unit of the counts: instances of the whole space, cells of it if a numeric attribute is cut at the
        thresholds of both trees, or given rows.
    differences : tuple of Difference
        Regions of disagreement, largest first; empty for rows.
    """

    counts: Mapping[tuple[Value, Value], int]
    of: str
    differences: tuple[Difference, ...] = ()

    @property
    def total(self) -> int:
        """Total number of instances, cells or rows."""
        return sum(self.counts.values())

    @property
    def same(self) -> int:
        """Number of instances on which the trees agree."""
        return sum(count for (one, other), count in self.counts.items() if one == other)

    @property
    def share(self) -> float:
        """Fraction of instances on which the trees agree."""
        return self.same / self.total

    def __str__(self) -> str:
        total, same = (f"{n:,}" if n < READABLE else f"{n:.3g}" for n in (self.total, self.same))
        lines = [f"the same on {same} of {total} {self.of} ({100 * self.share:.1f}%)"]
        lines += [f"  {difference} ({difference.cells:,})" for difference in self.differences[:SHOWN]]
        if len(self.differences) > SHOWN:
            lines.append(f"  and {len(self.differences) - SHOWN} smaller parts")
        return "\n".join(lines)


def agreement(one: Any, other: Any, X: Any = None) -> Agreement:
    """Compare two trees as functions.

    Without rows, the comparison is exact over all combinations of declared values; a numeric attribute counts
    once for each interval between the thresholds of both trees. The trees are descended in parallel, so
    untested attributes take no time.

    Parameters
    ----------
    one, other : Tree or fitted tree learner
        Trees to compare. A declared value that only one of them knows ends at the node that tests it in the
        other.
    X : frame or array, optional
        Rows on which to compare the trees instead.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(agreement(induce.ID3().fit(X, y), induce.ID3(max_depth=1).fit(X, y)))
    the same on 24 of 36 instances (66.7%)
      Outlook = Sunny AND Humidity = Normal: Yes, not No (6)
      Outlook = Rain AND Wind = Strong: No, not Yes (6)
    """
    first, second = the_tree(one), the_tree(other)
    if X is not None:
        return _on_rows(first, second, X)
    for tree in (first, second):
        refuse_oblique(tree, "give X to compare the trees on rows")
    found = axes([*first.schema.inputs(), *second.schema.inputs()], _thresholds(first, second))
    counts: dict[tuple[Value, Value], int] = {}
    differences = []
    for region, says, cells in _descend(first, second, found):
        counts[says] = counts.get(says, 0) + cells
        if says[0] != says[1]:
            conditions = (found[name].condition(part) for name, part in region.items())
            differences.append(Difference(tuple(c for c in conditions if c is not None), says, cells))
    differences.sort(key=lambda difference: -difference.cells)
    whole = all(axis.values is not None for axis in found.values())
    return Agreement(counts, "instances" if whole else "cells", tuple(differences))


def _on_rows(first: Tree, second: Tree, X: Any) -> Agreement:
    predicted = list(zip(first.predict(X).tolist(), second.predict(X).tolist(), strict=True))
    if not predicted:
        raise InputError("X has no rows to compare the trees on; give at least one")
    counts: dict[tuple[Value, Value], int] = {}
    for says in predicted:
        counts[says] = counts.get(says, 0) + 1
    return Agreement(counts, "rows")


def _thresholds(*trees: Tree) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for tree in trees:
        for node in np.flatnonzero(tree.attribute >= 0).tolist():
            column = tree.tested(node)
            if column.kind != "nominal":
                found.setdefault(column.name, []).extend(tree.ends(node).tolist())
    return found


def _descend(
    first: Tree, second: Tree, found: Mapping[str, Axis]
) -> Iterator[tuple[dict[str, Part], tuple[Value, Value], int]]:
    """Yield the regions on which both trees are constant, their predictions, and the number of cells."""
    one, other = _Reader(first, found), _Reader(second, found)
    waiting: list[tuple[int, int, dict[str, Part], int]] = [(0, 0, {}, volume(found.values()))]
    n_parts = 0
    while waiting:
        a, b, region, cells = waiting.pop()
        reader, node = (one, a) if one.tests(a) else (other, b)
        if not reader.tests(node):
            n_parts += 1
            if n_parts > MOST_PARTS:
                raise InputError(
                    f"the two trees cut the space into more than {MOST_PARTS:,} regions; give X to "
                    "compare the trees on rows"
                )
            yield region, (one.says(a), other.says(b)), cells
            continue
        name = reader.names[node]
        whole = region.get(name, found[name].whole)
        waiting += [
            (
                to if reader is one else a,
                to if reader is other else b,
                {**region, name: part},
                cells * len(part) // len(whole),
            )
            for part, to in reversed(list(reader.divide(node, whole)))
        ]


class _Reader:
    """State of a descent through a tree with cells of a space; ~node means ended at an inner node."""

    def __init__(self, tree: Tree, found: Mapping[str, Axis]) -> None:
        self.tree = tree
        self.axes = found
        self.names = {node: tree.tested(node).name for node in np.flatnonzero(tree.attribute >= 0).tolist()}
        self.codes = {
            column.name: [
                column.domain.index(value) if value in column.domain else UNSEEN
                for value in found[column.name].values or ()
            ]
            for column in tree.schema.inputs()
        }

    def tests(self, node: int) -> bool:
        """Return whether the descent continues at a node."""
        return node in self.names

    def says(self, node: int) -> Value:
        """Return the prediction at the end of a descent."""
        return self.tree.prediction(node if node >= 0 else ~node)

    def divide(self, node: int, whole: Part) -> Iterator[tuple[Part, int]]:
        """Yield the parts into which a node splits cells, and the next node of each."""
        tree, name = self.tree, self.names[node]
        first, start = int(tree.first[node]), int(tree.map_start[node])
        if isinstance(whole, range):
            rest = whole
            for branch, end in enumerate(tree.ends(node).tolist()):
                below, rest = self.axes[name].below(rest, end)
                if below:
                    yield below, first + branch
            if rest:
                yield rest, first + int(tree.n_branches[node]) - 1
            return
        parts: dict[int, list[int]] = {}
        for cell in whole:
            code = self.codes[name][cell]
            branch = code if start < 0 or code == UNSEEN else int(tree.branch_map[start + code])
            parts.setdefault(~node if code == UNSEEN else first + branch, []).append(cell)
        for to, cells in parts.items():
            yield tuple(cells), to
