"""The regression tree as a value: each leaf predicts a number, or a linear function of the numeric attributes."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.data.table import Table
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import count_text, number_text, value_text
from induce.trees.regression.explanation import RegressionExplanation, explain_row
from induce.trees.structure import MODE, PATH_STEPS, Floats, Structure

if TYPE_CHECKING:
    from induce.hypotheses.expressions.nodes import Expression

SHOWN = 1000
"""Resolution of printed numbers, relative to the spread of the target."""
LIKE_A_FORMULA = re.compile(r"(^|\s)[-+]|^[\d.]")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RegressionTree(SqlForm, PythonForm, OnnxForm, Structure, Regressor):
    """A tree that predicts a number.

    A row whose tested value is missing takes the branch with the most training examples; a category not seen
    in training gets the prediction of the node that tests it. In a linear function, a missing value is
    replaced by the mean of its column. Linear functions are not bounded: they extrapolate beyond the
    examples.

    Parameters
    ----------
    schema : Schema
        All columns of the training table; nodes test only inputs.
    target : str
        Name of the target column.
    attribute : array of int32
        The testable column that each node tests; -1 at a leaf.
    threshold : array of float64
        Threshold of a numeric test with two branches: values up to and including it take the first branch.
    first, n_branches : arrays of int32
        The first child and the number of children of each node.
    map_start : array of int32
        Start of a node's map in `branch_map`, or -1 if the code is the branch; for a numeric test, start of
        its intervals in `cuts`, or -1 if it has a single threshold.
    branch_map : array of int32
        Maps from nominal codes to branches, one node after another.
    cuts : array of float64
        Ends of the intervals of numeric tests with several cuts.
    missing : {"fractional", "mode"}
        Treatment of a row with a missing value: all branches, weighted by the training examples in each, or
        only the branch with the most training examples.
    surrogates : Surrogates, optional
        Surrogate tests, used if the value of a test is missing.
    n : array of float64
        The weight of the training examples at each node.
    mean : array of float64
        The mean target at each node.
    sse : array of float64
        The summed squared error at each node of its constant or linear function.
    intercept : array of float64
        Prediction of a node: a constant, or the constant term of its linear function.
    coefficients : array of float64, shape (nodes, numeric inputs)
        The coefficients of the linear function of each node; no columns if all nodes predict constants.
    fill : array of float64
        Replacement for missing values of each numeric input in the linear functions.
    spread : float
        Standard deviation of the target in training; it determines the number of printed digits.

    See Also
    --------
    Structure : the parameters that describe the tests.
    """

    n: Floats
    mean: Floats
    sse: Floats
    intercept: Floats
    coefficients: Floats
    spread: float
    fill: Floats = field(default_factory=lambda: np.empty(0))
    missing: str = MODE

    of_nodes: ClassVar[tuple[str, ...]] = ("n", "mean", "sse", "intercept", "coefficients")

    def __hash__(self) -> int:
        return hash((type(self), self.target, self.n_nodes))

    @property
    def weights(self) -> Floats:
        """The weight of the training examples that reached each node."""
        return self.n

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numeric inputs, in the order of `coefficients`."""
        return tuple(column.name for column in self.testable if column.kind != "nominal")

    @cached_property
    def deviation(self) -> Floats:
        """The standard deviation of the residuals at each node."""
        return np.asarray(np.sqrt(self.sse / np.where(self.n > 0, self.n, 1.0)))

    def reached(self, X: Any) -> NDArray[np.int64]:
        """Return the node where each row ends."""
        from induce.trees import _path_loops

        table = self.encoded(X)
        descend = repeated(_path_loops.descend, PATH_STEPS * len(table))
        nodes = np.asarray(descend(self.paths_arrays, table.numeric, table.nominal), np.int64)
        several = np.flatnonzero(nodes == _path_loops.EVERY)
        if len(several):
            # a row follows a single path, so the sum over its end nodes is the number of one node
            numbers = np.arange(self.n_nodes, dtype=np.float64)[:, None]
            ended = np.zeros((len(several), 1))
            spread = repeated(_path_loops.spread, PATH_STEPS * len(table))
            spread(self.paths_arrays, None, numbers, table.numeric, table.nominal, several, ended)
            nodes[several] = ended[:, 0].astype(np.int64)
        return nodes

    def says(self, nodes: NDArray[np.int64], numeric: Floats) -> Floats:
        """Return the predictions of nodes for rows of encoded numeric inputs, one node per row."""
        said = self.intercept[nodes]
        for j in np.flatnonzero(self.coefficients.any(axis=0)):
            x = numeric[:, j]
            said += self.coefficients[nodes, j] * np.where(np.isnan(x), self.fill[j], x)
        return said

    def _numbers(self, table: Table) -> Floats:
        return self.says(self.reached(table), table.numeric)

    def explain(self, X: Any) -> tuple[RegressionExplanation, ...]:
        """Return, for each row, the tests on its path and the prediction of its last node."""
        table = self.encoded(X)
        return tuple(explain_row(self, table, i) for i in range(len(table)))

    def _concluding(self, leaves: NDArray[np.intp]) -> int:
        # each term of a linear function is read separately
        return len(leaves) + int(np.count_nonzero(self.coefficients[leaves]))

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self.coefficients.any():
            lacking["onnx"] = "its leaves are formulas"
        return lacking

    def number(self, value: float) -> str:
        """Write a target with a precision that matches its spread in training.

        Examples
        --------
        >>> from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor().fit([[0], [1], [2]], [10, 20, 40]).hypothesis_
        >>> tree.number(70 / 3)
        '23.33'
        """
        if self.spread == 0:
            return number_text(value)
        return number_text(round(value, -math.floor(math.log10(self.spread / SHOWN))))

    def says_text(self, node: int) -> str:
        """Return the prediction of a node, a number or a linear function, rounded for display."""
        constant = self.number(float(self.intercept[node]))
        factors = self.coefficients[node]
        text = "" if constant == "0" and factors.any() else constant
        for j in np.flatnonzero(factors):
            size, name = (
                number_text(float(f"{abs(factors[j]):.5g}")),
                _term_text(self.schema[self.numbers[j]].quantity),
            )
            minus, plus = (" - ", " + ") if text else ("-", "")
            text += (minus if factors[j] < 0 else plus) + (name if size == "1" else f"{size} {name}")
        return f"{value_text(self.target)} = {text}"

    def leaf_text(self, node: int) -> str:
        """Return the prediction of a leaf, its number of training examples, and its deviation."""
        sd = self.number(float(self.deviation[node]))
        return f"{self.says_text(node)} (n={count_text(float(self.n[node]))}, sd {sd})"

    def __str__(self) -> str:
        return self.leaf_text(0) if self.n_nodes == 1 else super().__str__()

    def expression(self) -> Expression:
        """Return the tree as an expression: the prediction of the leaf that a row reaches.

        Examples
        --------
        >>> from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor(leaf="linear").fit([[0], [1], [2], [3]], [1, 3, 5, 7]).hypothesis_
        >>> print(tree.to_sql("points"))
        SELECT *,
          1 + 2 * COALESCE(CAST("x0" AS DOUBLE PRECISION), 1.5e0) AS "prediction"
        FROM "points"
        """
        from induce.hypotheses.expressions.nodes import Constant, Descent, WeightedSum
        from induce.trees.expression import splits_of

        terms = self._terms_of_functions()
        says: list[Expression] = []
        for constant, factors in zip(self.intercept.tolist(), self.coefficients, strict=True):
            used = np.flatnonzero(factors).tolist()
            weights = tuple(factors[used].tolist())
            said = WeightedSum(constant, weights, tuple(terms[j] for j in used))
            says.append(said if used else Constant(float(constant)))
        return Descent(splits_of(self), tuple(says))

    def _terms_of_functions(self) -> list[Expression]:
        from induce.hypotheses.expressions.nodes import Cell, Number

        numeric = [column for column in self.testable if column.kind != "nominal"]
        return [Number(Cell(column), fill) for column, fill in zip(numeric, self.fill.tolist(), strict=False)]

    def _repr_html_(self) -> str:
        from induce.trees.html import html

        return html(self)

    def draw(self) -> Any:
        """Return a matplotlib figure of the tree."""
        from induce.trees.pictures import draw
        from induce.trees.regression.pictures import NumberEnds

        return draw(self, NumberEnds(self))

    def _fits(self) -> bool:
        of_nodes = (self.n, self.mean, self.sse, self.intercept)
        n_terms = len(self.fill)
        return (
            all(isinstance(a, np.ndarray) and a.dtype == np.float64 and a.ndim == 1 for a in of_nodes)
            and all(
                isinstance(a, np.ndarray) and a.dtype == np.float64 for a in (self.coefficients, self.fill)
            )
            and self.coefficients.shape == (self.n_nodes, n_terms)
            and self.fill.shape == (n_terms,)
            and n_terms in (0, len(self.numbers))
            and all(bool(np.isfinite(a).all()) for a in (*of_nodes, self.coefficients, self.fill))
            and bool((self.n >= 0).all() and (self.sse >= 0).all() and self.n[0] > 0)
            and isinstance(self.spread, float)
            and 0 <= self.spread < np.inf
            and self.missing == MODE
            and self.surrogates is None
            and super()._fits()
        )


def _term_text(name: str) -> str:
    """Write the name of an attribute so that it cannot be mistaken for part of the formula."""
    return json.dumps(name, ensure_ascii=False) if LIKE_A_FORMULA.search(name) else value_text(name)
