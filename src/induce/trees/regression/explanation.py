"""Explanation of a regression tree's prediction for a row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from induce.core.explained import Explained
from induce.core.ties import ranked
from induce.data.table import MISSING, Table
from induce.hypotheses.naming import count_text, value_text

if TYPE_CHECKING:
    from induce.trees.regression.hypothesis import RegressionTree


WIDEST = 60


@dataclass(frozen=True)
class RegressionStep:
    """One test on the path, and the training examples at the node it leads to: number, mean and deviation.

    The deviation is taken from the fit to the examples, which is their mean or a linear function.
    """

    text: str
    n: float
    mean: float
    deviation: float
    summary: str = field(compare=False)


@dataclass(frozen=True)
class RegressionExplanation(Explained):
    """A predicted number with the path that leads to it.

    Parameters
    ----------
    prediction : float
        The predicted number.
    steps : tuple of RegressionStep
        The tests on the path.
    says : str
        Prediction of the last node as text, rounded for display.
    terms : dict
        Contribution of each attribute to the difference from `base`: its term of the linear function,
        relative to the training mean of the attribute. Empty if the last node predicts a constant.
    base : float
        Prediction of the last node if every attribute has its mean.
    shown : tuple of str
        Prediction and terms as text.
    """

    prediction: float
    steps: tuple[RegressionStep, ...]
    says: str
    terms: dict[str, float]
    base: float
    shown: tuple[str, ...] = field(repr=False, compare=False)

    def __str__(self) -> str:
        width = min(max(len(step.text) for step in self.steps), WIDEST)
        lines = [f"  {step.text:<{width}}  {step.summary}" for step in self.steps]
        return "\n".join([f"{self.shown[0]} because", *lines, *(f"  {line}" for line in self.shown[1:])])


def explain_row(tree: RegressionTree, table: Table, row: int) -> RegressionExplanation:
    """Follow one encoded row down the tree."""
    node = 0
    steps = [_step(tree, 0, "all examples")]
    while tree.attribute[node] >= 0:
        column = tree.tested(node)
        value = table.column(int(tree.attribute[node]))[row]
        missing = bool(np.isnan(value)) if column.kind != "nominal" else value == MISSING
        if missing:
            branch = int(np.argmax(tree.share[tree.children(node)]))
        elif column.kind != "nominal":
            branch = int(np.searchsorted(tree.ends(node), value))
        elif value < 0:
            steps.append(_step(tree, node, f"{value_text(column.name)} has a value not seen in training"))
            break
        else:
            start = int(tree.map_start[node])
            branch = int(value) if start < 0 else int(tree.branch_map[start + value])
        text = str(tree.condition(node, branch))
        node = int(tree.first[node]) + branch
        steps.append(
            _step(tree, node, f"{value_text(column.name)} is missing: most have {text}" if missing else text)
        )
    return _ended(tree, table, row, node, tuple(steps))


def _step(tree: RegressionTree, node: int, text: str) -> RegressionStep:
    n, mean, deviation = float(tree.n[node]), float(tree.mean[node]), float(tree.deviation[node])
    # with a formula at the node, what is left is not the deviation from the mean beside it
    spread = "residual sd" if len(tree.fill) else "sd"
    summary = f"n={count_text(n)}, mean {tree.number(mean)}, {spread} {tree.number(deviation)}"
    return RegressionStep(text, n, mean, deviation, summary)


def _ended(
    tree: RegressionTree, table: Table, row: int, node: int, steps: tuple[RegressionStep, ...]
) -> RegressionExplanation:
    nodes = np.array([node])
    prediction = float(tree.says(nodes, table.numeric[[row]])[0])
    base = float(tree.says(nodes, np.full((1, table.numeric.shape[1]), np.nan))[0])
    terms: dict[str, float] = {}
    lines = [tree.number(prediction)]
    if len(tree.fill):
        lines.append(tree.says_text(node))
        x = np.where(np.isnan(table.numeric[row]), tree.fill, table.numeric[row])
        moved = tree.coefficients[node] * (x - tree.fill)
        terms = {tree.numbers[j]: float(moved[j]) for j in np.flatnonzero(tree.coefficients[node])}
        lines.append(f"{tree.number(base)} at the mean of every attribute")
        lines += [
            f"{'+' if by > 0 else ''}{tree.number(by)} by {value_text(name)}"
            for name, by in ranked(terms.items(), lambda term: abs(term[1]))
            if tree.number(by) != "0"
        ]
    return RegressionExplanation(prediction, steps, tree.says_text(node), terms, base, tuple(lines))
