"""Why a tree predicts what it predicts for a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.values import Value
from induce.data.table import MISSING, Table
from induce.hypotheses.naming import count_text, value_text

if TYPE_CHECKING:
    from induce.trees.hypothesis import Tree


@dataclass(frozen=True)
class Step:
    """One test on the way: what the row answered, and the class counts of the node it led to."""

    text: str
    counts: tuple[float, ...]


@dataclass(frozen=True)
class TreeExplanation:
    """A prediction with the path that led to it.

    A path ends early at a missing value, where fractions of the row go down several branches, and at a value
    not seen in training.
    """

    prediction: Value
    classes: tuple[Value, ...]
    probabilities: tuple[float, ...]
    steps: tuple[Step, ...]

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
        column = tree.tested(node)
        value = table.column(int(tree.attribute[node]))[row]
        if column.kind != "nominal":
            if np.isnan(value):
                steps.append(_spread_step(tree, node))
                break
            branch = int(value > tree.threshold[node])
        elif value == MISSING:
            steps.append(_spread_step(tree, node))
            break
        elif value < 0:
            steps.append(Step(f"{value_text(column.name)} has a value not seen in training", ()))
            break
        else:
            start = int(tree.map_start[node])
            branch = int(value) if start < 0 else int(tree.branch_map[start + value])
        text = str(tree.condition(node, branch))
        node = int(tree.first[node]) + branch
        counts = tuple(tree.counts[node].tolist())
        steps.append(Step(text, counts))
    best = int(probabilities.argmax())
    return TreeExplanation(tree.classes[best], tree.classes, tuple(probabilities.tolist()), tuple(steps))


def _spread_step(tree: Tree, node: int) -> Step:
    shares = ", ".join(
        f"{tree.share[child]:.0%} {tree.condition(node, b)}"
        for b, child in enumerate(tree.children(node))
        if tree.share[child] > 0
    )
    return Step(f"{value_text(tree.tested(node).name)} is missing: {shares}", ())


def _counts_text(classes: tuple[Value, ...], counts: tuple[float, ...]) -> str:
    present = [(value, count) for value, count in zip(classes, counts, strict=False) if count > 0]
    return "  ".join(f"{value_text(value)} {count_text(count)}" for value, count in present)
