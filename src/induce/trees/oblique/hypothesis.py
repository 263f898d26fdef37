"""Trees with tests on several numeric columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import MISSING, Table
from induce.hypotheses.conditions import Above, AtMost, Condition
from induce.hypotheses.kinds.classifier import Places
from induce.hypotheses.naming import number_text, value_text
from induce.hypotheses.rules import RuleList
from induce.trees.hypothesis import Tree
from induce.trees.structure import Floats, Ints

if TYPE_CHECKING:
    from induce.hypotheses.expressions.nodes import Cell, Expression

DIGITS = (4, 8, 17)
"""Candidate numbers of digits in a formula; the first that makes it unique is used."""
PART = 4_000_000
"""Number of sums that are computed at a time in prediction."""
OPERATOR = re.compile(r"(^|\s)[-+]|^[\d.]")


@dataclass(frozen=True)
class SumAtMost(AtMost):
    """Condition that a weighted sum is at most a threshold, which is rounded for printing like the weights."""

    def __str__(self) -> str:
        return f"{self.attribute} <= {_rounded(self.threshold)}"


@dataclass(frozen=True)
class SumAbove(Above):
    """Condition that a weighted sum is above a threshold, which is rounded for printing like the weights."""

    def __str__(self) -> str:
        return f"{self.attribute} > {_rounded(self.threshold)}"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ObliqueTree(Tree):
    """A decision tree with oblique tests on weighted sums of numeric columns or linear machines (§3.7.2).

    A weighted sum is an additional numeric column, and a linear machine an additional nominal column whose
    values are classes; they are numbered after the inputs. Either is missing if a value that it weighs is
    missing.

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
    classes : tuple
        The classes, in the order in which ties are broken.
    counts : array of float64, shape (nodes, classes)
        The weight of the training examples of each class.
    m : float
        m of the m-estimate: weight of the prior in a node's probabilities, in examples; 0 gives relative
        frequencies.
    prior : array of float64
        The prior probability of each class; uniform if empty.
    combinations : array of float64, shape (sums, numeric inputs)
        The weights of each sum, in the units of the columns.
    machines : array of float64, shape (machines, classes, numeric inputs + 1)
        The weights and the constant of the discriminant of each class. A machine chooses the class with the
        largest discriminant; ties go to the first. NaN marks the classes that it does not choose from.

    See Also
    --------
    Tree : the other parameters.

    Examples
    --------
    >>> from induce.trees.learners.oc1 import OC1
    >>> X = [[1.0, 4.0], [2.0, 2.0], [4.0, 1.0], [2.0, 4.0], [3.0, 3.0], [4.0, 2.0]]
    >>> tree = OC1().fit(X, [0, 0, 0, 1, 1, 1]).hypothesis_
    >>> print(tree)
    0.9634 x0 + x1 <= 5.4: 0 (3/3)
    0.9634 x0 + x1 > 5.4: 1 (3/3)
    >>> tree.predict([[0.0, 5.0], [5.0, 1.0]]).tolist()
    [0, 1]
    """

    combinations: Floats
    machines: Floats

    @cached_property
    def testable(self) -> Schema:
        """The columns that nodes can test: inputs, weighted sums and linear machines."""
        inputs = self.schema.inputs()
        taken = set(inputs.names())
        columns = list(inputs)
        costs = np.array([column.cost for column in inputs if column.kind != "nominal"])
        for weights in self.combinations:
            name = _free([self.formula(weights, 0.0, digits) for digits in DIGITS], taken)
            columns.append(Column(name, cost=float(costs[weights != 0].sum())))
        for number, machine in enumerate(self.machines, start=1):
            name = _free([f"linear machine {number}"], taken)
            domain = tuple(self.classes[code] for code in _rivals(machine))
            weighed = np.nan_to_num(machine[:, :-1]).any(axis=0)
            columns.append(Column(name, "nominal", domain, cost=float(costs[weighed].sum())))
        return Schema(tuple(columns))

    @property
    def numeric_names(self) -> list[str]:
        """The names of the numeric inputs."""
        return [column.name for column in self.schema.inputs() if column.kind != "nominal"]

    def formula(self, weights: Floats, constant: float = 0.0, digits: int = DIGITS[0]) -> str:
        """Return a weighted sum of the numeric inputs as a formula."""
        return formula(self.numeric_names, weights, constant, digits)

    def encoded(self, X: Any) -> Table:
        """Return the rows as this tree reads them, with weighted sums and the choices of the machines added.

        They are computed again even for an encoded table, unless this method returned it.
        """
        table = self._inputs(X)
        if table.schema is self.testable:
            return table
        sums = weighted_sums(table.numeric, self.combinations)
        return Table(
            self.testable,
            np.hstack([table.numeric, sums]),
            np.hstack([table.nominal, machine_codes(table.numeric, self.machines)]),
        )

    def _inputs(self, X: Any) -> Table:
        """Return the rows without the derived columns of a different tree."""
        table: Table = super().encoded(X)
        if table.schema is self.testable:
            return table
        inputs, n_numeric = self.schema.inputs(), self.combinations.shape[1]
        return Table(inputs, table.numeric[:, :n_numeric], table.nominal[:, : len(inputs) - n_numeric])

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class for each row, in the order of `classes`."""
        return self._in_parts(super().predict_proba, X)

    def places(self, X: Any) -> Places:
        """Return the position in `classes` of the most probable class of each row."""
        return self._in_parts(super().places, X)

    def _in_parts(self, predict: Callable[[Table], NDArray[Any]], X: Any) -> NDArray[Any]:
        """Predict in blocks of rows, to limit the memory for the sums."""
        table = self._inputs(X)
        size = max(1, PART // len(self.testable))
        starts = range(0, max(1, len(table)), size)
        parts = [predict(table.rows(np.arange(at, min(at + size, len(table))))) for at in starts]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def route(self, table: Table, labels: NDArray[np.int64], weights: Floats) -> Floats:
        """Return the class counts of each node for other examples sent down the tree."""
        return super().route(self.encoded(table), labels, weights)

    def condition(self, node: int, branch: int) -> Condition | None:
        """Return the condition of a branch of a node; None if no value can take it."""
        condition = super().condition(node, branch)
        if self.attribute[node] >= len(self.schema.inputs()):
            match condition:
                case AtMost(attribute=name, threshold=threshold):
                    return SumAtMost(name, threshold)
                case Above(attribute=name, threshold=threshold):
                    return SumAbove(name, threshold)
        return condition

    def _terms(self) -> NDArray[np.int64]:
        n_inputs, terms = len(self.schema.inputs()), super()._terms()
        terms[n_inputs : n_inputs + len(self.combinations)] = np.count_nonzero(self.combinations, axis=1)
        return terms

    def _concluding(self, leaves: NDArray[np.intp]) -> int:
        # the machines are written only once, below the tree
        return super()._concluding(leaves) + int(np.count_nonzero(np.nan_to_num(self.machines)))

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self._oblique:
            lacking |= dict.fromkeys(("rules", "statistics", "prolog"), "it tests weighted sums of columns")
        return lacking

    @property
    def _oblique(self) -> bool:
        """Whether any node tests several columns at once."""
        return bool((self.attribute >= len(self.schema.inputs())).any())

    def cut(self, at: NDArray[np.bool_]) -> Self:
        """Return the tree with the chosen nodes made leaves, without columns that are no longer tested."""
        tree = super().cut(at)
        n_inputs, n_sums = len(self.schema.inputs()), len(self.combinations)
        used = np.unique(tree.attribute[tree.attribute >= n_inputs])
        number = np.arange(len(self.testable) + 1, dtype=np.int32)
        number[used] = n_inputs + np.arange(len(used))
        number[-1] = -1
        used -= n_inputs
        return replace(
            tree,
            attribute=number[tree.attribute],
            combinations=self.combinations[used[used < n_sums]],
            machines=self.machines[used[used >= n_sums] - n_sums],
        )

    def machine_lines(self) -> list[str]:
        """Return, line by line, the discriminants that the linear machines compare."""
        lines = []
        for machine, column in zip(self.machines, self._machine_columns(), strict=True):
            lines.append(f"{value_text(column.name)} is the largest of")
            for code, value in zip(_rivals(machine), column.domain, strict=True):
                lines.append(
                    f"    {value_text(value)}: {self.formula(machine[code, :-1], machine[code, -1])}"
                )
        return lines

    def _machine_columns(self) -> Sequence[Column]:
        return self.testable.columns[len(self.testable) - len(self.machines) :]

    def __str__(self) -> str:
        lines = self.machine_lines()
        return "\n".join([super().__str__(), *([""] if lines else []), *lines])

    def _repr_html_(self) -> str:
        lines = self.machine_lines()
        return super()._repr_html_() + (f"<pre>{escape(chr(10).join(lines))}</pre>" if lines else "")

    def to_rules(self) -> RuleList:
        """Return the tree as a list of rules; possible only for a tree without oblique tests."""
        if self._oblique:
            raise InputError(
                "the tree tests weighted sums of columns, but rules test single columns; export it "
                "with to_python or to_sql"
            )
        return super().to_rules()

    def cell(self, attribute: int) -> Cell:
        """Return a testable column as an expression, with sums and machine choices expanded."""
        from induce.hypotheses.expressions.nodes import Derived

        n_inputs, n_sums = len(self.schema.inputs()), len(self.combinations)
        if attribute < n_inputs:
            return super().cell(attribute)
        column = self.testable.columns[attribute]
        if attribute < n_inputs + n_sums:
            weights = self.combinations[attribute - n_inputs]
            return Derived(column, self._sum(weights), self._weighed(weights))
        machine = self.machines[attribute - n_inputs - n_sums]
        return Derived(
            column, self._choice(machine), self._weighed(np.nan_to_num(machine[:, :-1]).any(axis=0))
        )

    def _numeric_cells(self) -> list[Cell]:
        inputs = enumerate(self.schema.inputs())
        return [self.cell(k) for k, column in inputs if column.kind != "nominal"]

    def _weighed(self, weights: NDArray[Any]) -> tuple[Cell, ...]:
        return tuple(cell for cell, weight in zip(self._numeric_cells(), weights, strict=True) if weight)

    def _sum(self, weights: Floats) -> Expression:
        from induce.hypotheses.expressions.nodes import Number, WeightedSum

        terms = tuple(Number(cell, 0.0) for cell in self._weighed(weights))
        return WeightedSum(0.0, tuple(weights[weights != 0].tolist()), terms)

    def _choice(self, machine: Floats) -> Expression:
        """Return the position of the class that a machine chooses among its classes."""
        from induce.hypotheses.expressions.nodes import Constant, Largest, Sum, Vector

        rivals = machine[_rivals(machine)]
        scores = tuple(Sum((self._sum(each[:-1]), Constant(float(each[-1])))) for each in rivals)
        return Largest(Vector(scores), tuple(Constant(float(k)) for k in range(len(rivals))))

    def _fits(self) -> bool:
        n_numeric = len(self.numeric_names)
        arrays = (self.combinations, self.machines)
        return (
            all(isinstance(a, np.ndarray) and a.dtype == np.float64 for a in arrays)
            and self.combinations.ndim == 2
            and self.combinations.shape[1] == n_numeric
            and self.machines.ndim == 3
            and self.machines.shape[1:] == (len(self.classes), n_numeric + 1)
            and bool(np.isfinite(self.combinations).all())
            and all(
                len(codes) and np.isfinite(machine[codes]).all() for machine, codes in self._rivals_of_all()
            )
            and super()._fits()
        )

    def _rivals_of_all(self) -> list[tuple[Floats, Ints]]:
        return [(machine, _rivals(machine)) for machine in self.machines]


def weighted_sums(numeric: Floats, weights: Floats) -> Floats:
    """Return a column per row of `weights`; NaN if a weighted value is missing.

    The products are added one by one, so that exported sums agree in the last bit.

    Examples
    --------
    >>> weighted_sums(np.array([[1.0, np.nan], [2.0, 3.0]]), np.array([[0.5, 0.0], [1.0, -1.0]])).tolist()
    [[0.5, nan], [1.0, -1.0]]
    """
    sums = np.zeros((len(numeric), len(weights)))
    with np.errstate(over="ignore", invalid="ignore"):
        for k, j in zip(*np.nonzero(weights), strict=True):
            sums[:, k] += weights[k, j] * numeric[:, j]
    return sums


def machine_codes(numeric: Floats, machines: Floats) -> Ints:
    """Return the class chosen by each machine; -1 if a weighted value is missing.

    Examples
    --------
    >>> machine = np.array([[1.0, 0.0], [np.nan, np.nan], [-1.0, 4.0]])
    >>> machine_codes(np.array([[1.0], [2.0], [np.nan]]), machine[None]).tolist()
    [[1], [0], [-1]]
    """
    codes = np.empty((len(numeric), len(machines)), np.int32)
    for k, machine in enumerate(machines):
        rivals = machine[_rivals(machine)]
        with np.errstate(over="ignore"):
            scores = weighted_sums(numeric, rivals[:, :-1]) + rivals[:, -1]
        codes[:, k] = np.where(np.isnan(scores).any(axis=1), MISSING, scores.argmax(axis=1))
    return codes


def formula(names: Sequence[str], weights: Floats, constant: float = 0.0, digits: int = DIGITS[0]) -> str:
    """Return a weighted sum as a formula.

    Examples
    --------
    >>> formula(["length", "width"], np.array([-1.0, 1 / 3]), 2.5)
    '-length + 0.3333 width + 2.5'
    """
    terms = []
    for weight, name in zip(weights, names, strict=True):
        if weight:
            size = _rounded(abs(weight), digits)
            shown = f'"{name}"' if OPERATOR.search(name) else value_text(name)
            terms.append((weight, shown if size == "1" else f"{size} {shown}"))
    if constant or not terms:
        terms.append((constant, _rounded(abs(constant), digits)))
    text = "".join(f" {'-' if weight < 0 else '+'} {term}" for weight, term in terms)
    return text.removeprefix(" + ") if text.startswith(" + ") else f"-{text[3:]}"


def _rivals(machine: Floats) -> Ints:
    """Return the classes that a machine chooses from."""
    return np.flatnonzero(~np.isnan(machine[:, -1])).astype(np.int32)


def _free(names: Sequence[str], taken: set[str]) -> str:
    """Return the first unused name, and mark it as used."""
    name = next((name for name in names if name not in taken), names[-1])
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def _rounded(number: float, digits: int = DIGITS[0]) -> str:
    return number_text(float(f"{number:.{digits}g}"))
