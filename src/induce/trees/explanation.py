"""Explanation of a tree's prediction for a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.explained import Explained
from induce.core.values import Value
from induce.data.table import MISSING, Table
from induce.hypotheses.naming import count_text, value_text

if TYPE_CHECKING:
    from induce.trees.hypothesis import Tree
    from induce.trees.structure import Structure


@dataclass(frozen=True)
class Step:
    """One test on the path: the row's outcome, and the class counts of the node it leads to."""

    text: str
    counts: tuple[float, ...]


@dataclass(frozen=True)
class TreeExplanation(Explained):
    """A prediction with the path that leads to it.

    The path ends early at a missing value, if fractions of the row go down several branches, and at a value
    not seen in training.
    """

    prediction: Value
    classes: tuple[Value, ...]
    probabilities: tuple[float, ...]
    steps: tuple[Step, ...]

    def _shares(self) -> dict[str, float]:
        return dict(zip(map(str, self.classes), self.probabilities, strict=True))

    def _because(self) -> list[str]:
        return [step.text for step in self.steps[1:]] or [self.steps[0].text]

    def __str__(self) -> str:
        width = max((len(step.text) for step in self.steps), default=0)
        lines = [
            f"  {step.text:<{width}}  {_counts_text(self.classes, step.counts)}".rstrip()
            for step in self.steps
        ]
        probability = max(self.probabilities)
        return "\n".join([f"{value_text(self.prediction)} ({probability:.0%}) because", *lines])


def explain_row(tree: Tree, table: Table, row: int, probabilities: NDArray[np.float64]) -> TreeExplanation:
    """Follow one encoded row down the tree."""
    node = 0
    steps = [Step("all examples", tuple(tree.counts[0].tolist()))]
    while tree.attribute[node] >= 0:
        text, branch = step_of(tree, node, table, row)
        if branch is None:
            steps.append(Step(text, ()))
            break
        node = int(tree.first[node]) + branch
        steps.append(Step(text, tuple(tree.counts[node].tolist())))
    best = int(probabilities.argmax())
    return TreeExplanation(tree.classes[best], tree.classes, tuple(probabilities.tolist()), tuple(steps))


def step_of(tree: Structure, node: int, table: Table, row: int) -> tuple[str, int | None]:
    """Return the outcome and the branch of a node's test for a row; None if its path ends early."""
    column = tree.tested(node)
    value = table.column(int(tree.attribute[node]))[row]
    if np.isnan(value) if column.kind != "nominal" else value == MISSING:
        name = value_text(column.name)
        for both in tree.surrogate_conditions(node):
            for branch, condition in enumerate(both):
                if condition is not None and condition.covers(table.rows(np.array([row])))[0]:
                    return (
                        f"{name} is missing: surrogate {condition} for {tree.condition(node, branch)}",
                        branch,
                    )
        parts = [(b, float(tree.share[child])) for b, child in enumerate(tree.children(node))]
        sent = ", ".join(f"{part:.0%} {tree.condition(node, b)}" for b, part in parts if part > 0)
        whole = [b for b, part in parts if part == 1.0]
        return f"{name} is missing: {sent}", whole[0] if whole else None
    if column.kind != "nominal":
        branch = int((value > tree.ends(node)).sum())
    elif value < 0:
        return f"{value_text(column.name)} has a value not seen in training", None
    else:
        start = int(tree.map_start[node])
        branch = int(value) if start < 0 else int(tree.branch_map[start + value])
    return str(tree.condition(node, branch)), branch


def _counts_text(classes: tuple[Value, ...], counts: tuple[float, ...]) -> str:
    present = [(value, count) for value, count in zip(classes, counts, strict=False) if count > 0]
    return "  ".join(f"{value_text(value)} {count_text(count)}" for value, count in present)
