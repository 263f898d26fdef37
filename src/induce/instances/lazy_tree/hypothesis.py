"""Stored examples that classify each query by one branch of a decision tree (Mitchell, exercise 8.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_places, check_shapes
from induce.core.ties import ranked
from induce.core.values import Value
from induce.data.numeric_view import Floats
from induce.data.schema import Column, Schema
from induce.data.table import Codes, Table
from induce.hypotheses.kinds.classifier import ProbabilisticClassifier
from induce.hypotheses.naming import count_text, value_text
from induce.hypotheses.rules import Rule
from induce.instances.lazy_tree.growth import Node, Step, best_test, branches

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class BranchExplanation(Explained):
    """A prediction with the branch that was grown for it.

    Parameters
    ----------
    prediction : str, int, float or bool
    steps : tuple of Step
        Tests, each with its gain and the examples before it.
    rule : Rule
        The branch as a rule, with the examples at its end.
    """

    prediction: Value
    steps: tuple[Step, ...]
    rule: Rule

    def __str__(self) -> str:
        lines = [f"{value_text(self.prediction)} because"]
        before = [*(step.counts for step in self.steps), self.rule.counts]
        for step, after in zip(self.steps, before[1:], strict=True):
            lines.append(
                f"  {step.condition}  (gain {step.gain:.3f}, leaves {_tally(self.rule.classes, after)})"
            )
        return "\n".join([*lines, f"  {self.rule}"])


@dataclass(frozen=True, eq=False)
class LazyTree(ProbabilisticClassifier):
    """Examples for which only the branch of a query is grown.

    At each node, as in ID3, the test with the largest information gain on the examples consistent with the
    query so far is chosen. Only columns with a value in the query are tested. Examples with a missing tested
    value count fractionally. A value that no example has is not tested.

    Parameters
    ----------
    schema : Schema
        The columns of the table.
    target : str
    classes : tuple
    numeric : array of float64
    nominal : array of int32
        The inputs of the examples, encoded.
    labels : array of int64
        Index in `classes` of the class of each example.
    weights : array of float64
    max_depth : int or None
    min_samples_split : float
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    numeric: Floats
    nominal: Codes
    labels: NDArray[np.int64]
    weights: Floats
    max_depth: int | None
    min_samples_split: float

    def __post_init__(self) -> None:
        n, places = len(self.labels), len(self.classes)
        if not n or {len(self.numeric), len(self.nominal), len(self.weights)} != {n}:
            raise InputError("the examples of the lazy tree do not fit together; fit it again")
        if not ((self.labels >= 0) & (self.labels < places)).all():
            raise InputError("the examples of the lazy tree have unknown classes; fit it again")
        if not self.nominals:
            raise InputError("the lazy tree has no columns to test; fit it again")
        shapes = {"labels": "n", "weights": "n", "numeric": "n numbers", "nominal": "n names"}
        check_shapes(self, shapes, numbers=self.nominals.count(False), names=self.nominals.count(True))
        for column, codes in zip(self._nominal_inputs, self.nominal.T, strict=True):
            check_places(f"column {column.name!r}", codes, len(column.domain), least=-1)
        check_numbers("weights", self.weights, at_least=0)
        check_numbers("numeric", self.numeric[~np.isnan(self.numeric)])
        check_numbers("min_samples_split", [self.min_samples_split])
        if not self.weights.sum() > 0:
            raise InputError("the examples of the lazy tree have no weight; fit it again")

    @cached_property
    def table(self) -> Table:
        """The inputs of the examples."""
        return Table(self.schema.inputs(), self.numeric, self.nominal)

    @property
    def _nominal_inputs(self) -> list[Column]:
        return [column for column in self.schema.inputs() if column.kind == "nominal"]

    @cached_property
    def nominals(self) -> tuple[bool, ...]:
        """Whether each input is nominal."""
        return tuple(column.kind == "nominal" for column in self.schema.inputs())

    def counts(self, node: Node) -> Floats:
        """Return the weight of the examples of a node, by class."""
        return np.bincount(self.labels[node.rows], node.weights, len(self.classes)).astype(np.float64)

    def _scores(self, table: Table) -> Floats:
        found = np.zeros((len(table), len(self.classes)))
        for node in branches(self, table):
            counts = self.counts(node)
            found[node.queries] = counts / counts.sum()
        return found

    def explain(self, X: Any) -> tuple[BranchExplanation, ...]:
        """Return, for each row, the branch that was grown for it."""
        table = self.encoded(X)
        found: dict[int, BranchExplanation] = {}
        for node in branches(self, table):
            counts = self.counts(node)
            prediction = self.classes[int(np.argmax(counts / counts.sum()))]
            conditions = tuple(step.condition for step in node.steps)
            told = BranchExplanation(
                prediction, node.steps, Rule(conditions, prediction, tuple(counts.tolist()), self.classes)
            )
            found.update(dict.fromkeys(node.queries.tolist(), told))
        return tuple(found[row] for row in range(len(table)))

    def root_gains(self) -> dict[str, float]:
        """Return the gain of each column on all examples, in bits."""
        rows = np.arange(len(self.labels))
        gains = {}
        for number, column in enumerate(self.schema.inputs()):
            test = best_test(self, Node(rows, rows, self.weights, (number,), ()))
            gains[column.name] = test.gain if test else 0.0
        return gains

    def parts(self) -> Parts:
        """Return a note that only the examples can be read."""
        return Parts(None, "it keeps its examples; each row gets its own branch")

    def size(self) -> str:
        """Return the number of stored examples."""
        total = count_text(float(self.weights.sum()))
        return f"{total} stored example{'s' if total != '1' else ''}"

    def __str__(self) -> str:
        totals = np.bincount(self.labels, self.weights, len(self.classes)).tolist()
        gains = ranked(self.root_gains().items(), lambda each: each[1])[:10]
        lines = [f"{value_text(self.target)}: a branch is grown for each query; {self.size()}"]
        lines.append(f"  {_tally(self.classes, totals)}")
        return "\n".join([*lines, *(f"  gain {gain:.3f}  {value_text(name)}" for name, gain in gains)])

    def draw(self) -> Figure:
        """Return a figure of the gain of each column on all examples, which shows where most branches begin."""
        from induce.instances.lazy_tree.pictures import draw_gains

        return draw_gains(self)

    def draw_branch(self, X: Any) -> Figure:
        """Return a figure of the branch of the first row of `X`."""
        from induce.instances.lazy_tree.pictures import draw_branch

        return draw_branch(self, self.explain(X)[0])


def _tally(classes: tuple[Value, ...], counts: Any) -> str:
    """Return the number of examples of each class as text, limited to the most frequent."""
    found = sorted(zip(classes, counts, strict=True), key=lambda each: -each[1])
    shown = [f"{count_text(count)} {value_text(value)}" for value, count in found if count > 0]
    return ", ".join(shown[:5]) + (f", … ({len(shown) - 5} more classes)" if len(shown) > 5 else "")
