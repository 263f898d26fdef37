"""Expressions as ONNX models.

Numbers are tensors of shape (rows, 1), vectors (rows, parts), and tests Boolean tensors of the same shapes.
An outcome is an index into a list of outcomes, which is looked up at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.ties import TOLERANCE
from induce.core.values import Value, plain
from induce.data.schema import Column, Schema
from induce.hypotheses.conflict_resolution import class_array
from induce.hypotheses.expressions.functions import NEAR
from induce.hypotheses.expressions.nodes import (
    Affine,
    And,
    Case,
    Cell,
    Comparison,
    Constant,
    Derived,
    Descent,
    Distances,
    Expression,
    Function,
    Indicators,
    Largest,
    Let,
    LogSumExp,
    LookUp,
    Maximum,
    Membership,
    Missing,
    Not,
    Number,
    Or,
    Part,
    Product,
    Split,
    Steps,
    Sum,
    Unseen,
    Variable,
    Vector,
    WeightedSum,
)
from induce.hypotheses.expressions.shapes import width
from induce.hypotheses.writers.onnx_graph import TYPES, Graph, written

SIGNS = {"<": "Less", "<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual", "=": "Equal"}
FUNCTIONS = {
    "sum": "Add",
    "product": "Mul",
    "negative": "Neg",
    "difference": "Sub",
    "quotient": "Div",
    "abs": "Abs",
    "root": "Sqrt",
    "exp": "Exp",
    "log": "Log",
    "tanh": "Tanh",
    "sigmoid": "Sigmoid",
    "power": "Pow",
    "sin": "Sin",
    "larger": "Max",
    "smaller": "Min",
}
OUTPUTS = ("prediction", "scores")


def onnx_model(expression: Expression, inputs: Schema) -> bytes:
    """Return a model with one input per column, the output "prediction" and, for classes, "scores"."""
    names = [*inputs.names(), *OUTPUTS]
    if len(set(names)) < len(names):
        raise InputError("cannot export to ONNX where a column is called prediction or scores; rename it")
    writer = OnnxWriter(Graph(names), inputs)
    return writer.model(expression)


def _width_within(expression: Expression) -> int | None:
    """Return the number of predicted numbers per row; None for one."""
    while isinstance(expression, Let):
        expression = expression.within
    return width(expression)


class OnnxWriter:
    """Writer of one graph."""

    def __init__(self, graph: Graph, inputs: Schema) -> None:
        self.graph = graph
        self.inputs = {column.name: column for column in inputs}
        self._variables: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        self._derived: dict[str, str] = {}
        self._outcomes: list[Value] = []
        self._scores: str | None = None
        for column in inputs:
            self.graph.reads(column.name, _kind(column))

    def model(self, expression: Expression) -> bytes:
        """Return the file of a complete expression."""
        if not self.inputs:
            raise InputError("cannot export a hypothesis without columns to ONNX")
        found = self.tensor(expression)
        if not self._outcomes and (n := _width_within(expression)) is not None:
            self.graph.add("Identity", found, gives="prediction")
            return written(self.graph, {"prediction": ("f", n)})
        if not self._outcomes:
            self._of_rows(found, "prediction")
            return written(self.graph, {"prediction": ("f", None)})
        classes = class_array(tuple(self._outcomes))
        if classes.dtype.kind not in TYPES:
            raise InputError("cannot export to ONNX: classes must be of one type")
        codes = self._of_rows(found, None)
        self.graph.add("Gather", self._held(classes), codes, gives="prediction")
        outputs: dict[str, tuple[str, int | None]] = {"prediction": (classes.dtype.kind, None)}
        scores, n = self._said_scores(expression)
        if scores is not None:
            self.graph.add("Identity", scores, gives="scores")
            outputs["scores"] = ("f", n)
        return written(self.graph, outputs)

    def _said_scores(self, expression: Expression) -> tuple[str | None, int | None]:
        """Return the scores that alone determine the decision, if there are any: named scores, or those of an
        argmax.
        """
        if "scores" in self._variables:
            while isinstance(expression, Let) and expression.name != "scores":
                expression = expression.within
            return self._variables["scores"], width(expression.value) if isinstance(expression, Let) else None
        while isinstance(expression, Let):
            expression = expression.within
        return (self._scores, width(expression.scores)) if isinstance(expression, Largest) else (None, None)

    def _of_rows(self, tensor: str, gives: str | None) -> str:
        """Broadcast a tensor to one entry per row, even if it is a constant."""
        first = next(iter(self.inputs))
        whole = self.graph.add("Expand", tensor, self.graph.add("Shape", first))
        return self.graph.add("Squeeze", whole, self._held(np.array([1])), gives=gives)

    def _held(self, values: NDArray[Any]) -> str:
        return self.graph.constant(values)

    def _number(self, value: float) -> str:
        return self._held(np.array([[float(value)]]))

    def _add(self, operator: str, *takes: str, **attributes: Any) -> str:
        return self.graph.add(operator, *takes, **attributes)

    def _gathered(self, rows: NDArray[Any], codes: str) -> str:
        """Replace each code by a row of a table."""
        return self._add("Squeeze", self._add("Gather", self._held(rows), codes), self._held(np.array([1])))

    # --- cells -----------------------------------------------------------------------------------------------

    def _code(self, cell: Cell) -> str:
        """Return the index of each value in the domain, followed by those for unseen and for missing values."""
        column = cell.column
        if isinstance(cell, Derived):
            return self._name(cell)
        if column.name not in self._codes:
            values, n = np.array(column.domain), len(column.domain)
            places, unseen = list(range(n)), n
            if _kind(column) == "U":
                keys: dict[str, Any] = {"keys_strings": values.tolist()}
                if "" not in column.domain:
                    keys["keys_strings"] = [*keys["keys_strings"], ""]
                    places.append(n + 1)
            else:
                keys, unseen = {"keys_int64s": values.astype(int).tolist()}, n + 1
            self._codes[column.name] = self._add(
                "LabelEncoder", column.name, values_int64s=places, default_int64=unseen, **keys
            )
        return self._codes[column.name]

    def _name(self, cell: Cell) -> str:
        """Return the tensor of a column; a derived one is computed once."""
        name = cell.column.name
        if not isinstance(cell, Derived):
            return name
        if name not in self._derived:
            blank = [self.tensor(Missing(need)) for need in cell.needs] or [self._held(np.array([[False]]))]
            missing = reduce(lambda a, b: self._add("Or", a, b), blank)
            nominal = cell.column.kind == "nominal"
            value, absent = self.tensor(cell.value), float(len(cell.column.domain) + 1) if nominal else np.nan
            found = self._add("Where", missing, self._number(absent), value)
            self._derived[name] = self._add("Cast", found, to="INT64") if nominal else found
        return self._derived[name]

    def _test(self, expression: Expression) -> str | None:
        match expression:
            case Comparison(left=left, sign=sign, right=right):
                return self._add(SIGNS[sign], self.tensor(left), self.tensor(right))
            case Membership(cell=cell, values=values):
                accepted = {plain(value) for value in values}
                table = [plain(value) in accepted for value in cell.column.domain]
                return self._gathered(np.array([*table, False, False])[:, None], self._code(cell))
            case Missing(cell=cell) if cell.column.kind == "nominal":
                return self._add(
                    "Equal", self._code(cell), self._held(np.array([[len(cell.column.domain) + 1]]))
                )
            case Missing(cell=cell):
                return self._add("IsNaN", self._name(cell))
            case Unseen(cell=cell):
                return self._add("Equal", self._code(cell), self._held(np.array([[len(cell.column.domain)]])))
            case And(parts=parts):
                return reduce(lambda a, b: self._add("And", a, b), map(self._holds, parts))
            case Or(parts=parts):
                return reduce(lambda a, b: self._add("Or", a, b), map(self._holds, parts))
            case Not(part=part):
                return self._add("Not", self._holds(part))
        return None

    def _holds(self, test: Expression) -> str:
        """Write a test; a constant is a truth value here, not an outcome."""
        if isinstance(test, Constant):
            return self._held(np.array([[bool(test.value)]]))
        return self.tensor(test)

    # --- all types -------------------------------------------------------------------------------------------

    def tensor(self, expression: Expression) -> str:
        """Write an expression; return the name of its tensor."""
        for write in (self._test, self._read, self._computed, self._choice):
            found = write(expression)
            if found is not None:
                return found
        named = {"Words": "the words of texts", "Voted": "a voted perceptron"}
        what = named.get(type(expression).__name__, f"a {type(expression).__name__.lower()}")
        raise InputError(f"cannot export {what} to ONNX; use to_python")

    def _read(self, expression: Expression) -> str | None:
        match expression:
            case Constant():
                return self._held(self._row(expression)[None, :])
            case Cell():
                return self._name(expression)
            case Number(cell=cell, missing=missing, offset=offset, scale=scale, far=far):
                x = self._name(cell)
                found = x if not offset else self._add("Sub", x, self._number(offset))
                found = found if scale == 1 else self._add("Div", found, self._number(scale))
                if far < np.inf:
                    found = self._add("Clip", found, self._held(np.array(-far)), self._held(np.array(far)))
                return self._add("Where", self._add("IsNaN", x), self._number(missing), found)
            case LookUp(cell=cell, says=says, unseen=unseen, missing=missing):
                return self._gathered(self._rows([*says, unseen, missing]), self._code(cell))
            case Indicators(cell=cell, missing=missing):
                return self._gathered(np.vstack([np.eye(len(missing)), missing, missing]), self._code(cell))
            case Steps(cell=cell, ends=ends, says=says, missing=missing):
                x = cell.column.name
                above = self._add("Cast", self._add("Greater", x, self._held(np.array([ends]))), to="INT64")
                place = self._add("ReduceSum", above, self._held(np.array([1])), keepdims=1)
                last = self._held(np.array([[len(says)]]))
                place = self._add("Where", self._add("IsNaN", x), last, place)
                return self._gathered(self._rows([*says, missing]), place)
        return None

    def _row(self, said: Constant) -> NDArray[Any]:
        value = plain(said.value)
        if isinstance(value, tuple):
            return np.array(value, np.float64)
        if isinstance(value, float):
            return np.array([value])
        if value is None:
            raise InputError(
                "cannot export a hypothesis to ONNX that may leave rows unpredicted; use to_python"
            )
        return np.array([self._outcome(value)])

    def _rows(self, says: Sequence[Constant]) -> NDArray[Any]:
        return np.array([self._row(said) for said in says])

    def _outcome(self, value: Value) -> int:
        for place, known in enumerate(self._outcomes):
            if known == value and type(known) is type(value):
                return place
        self._outcomes.append(value)
        return len(self._outcomes) - 1

    def _computed(self, expression: Expression) -> str | None:
        match expression:
            case Vector(parts=parts):
                # a constant has only one row
                rows = self._add("Shape", next(iter(self.inputs)))
                wide = [self._add("Expand", self.tensor(part), rows) for part in parts]
                return self._add("Concat", *wide, axis=1)
            case Part(vector=vector, place=place):
                return self._add("Gather", self.tensor(vector), self._held(np.array([place])), axis=1)
            case Sum(terms=()):
                return self._number(0.0)
            case Product(factors=()):
                return self._number(1.0)
            case Sum(terms=terms):
                return reduce(lambda a, b: self._add("Add", a, b), map(self.tensor, terms))
            case Product(factors=factors):
                return reduce(lambda a, b: self._add("Mul", a, b), map(self.tensor, factors))
            case WeightedSum(constant=constant, weights=weights, terms=terms):
                found = self._number(constant)
                for weight, term in zip(weights, terms, strict=True):
                    found = self._add("Add", found, self._add("Mul", self._number(weight), self.tensor(term)))
                return found
            case Function(name=name, arguments=arguments):
                return self._function(name, [self.tensor(argument) for argument in arguments])
            case LogSumExp(vector=vector):
                return self._add("ReduceLogSumExp", self.tensor(vector), axes=[1], keepdims=1)
            case Maximum(vector=vector):
                return self._add("ReduceMax", self.tensor(vector), axes=[1], keepdims=1)
            case Affine(matrix=matrix, vector=vector, offset=offset):
                product = self._add("MatMul", self.tensor(vector), self._held(np.ascontiguousarray(matrix.T)))
                return self._add("Add", product, self._held(offset[None, :]))
            case Distances(points=points, vector=vector, weights=weights):
                apart = self._add("Unsqueeze", self.tensor(vector), self._held(np.array([1])))
                gap = self._add("Sub", apart, self._held(points[None, :, :]))
                gap = self._add("Mul", gap, self._held(weights[None, None, :]))
                square = self._add("Mul", gap, gap)
                return self._add("ReduceSum", square, self._held(np.array([2])), keepdims=0)
        return None

    def _function(self, name: str, takes: list[str]) -> str:
        if name in FUNCTIONS:
            return self._add(FUNCTIONS[name], *takes)
        special: dict[str, Callable[[], str]] = {
            "square": lambda: self._add("Mul", takes[0], takes[0]),
            "protected quotient": lambda: self._apart(takes[0], takes[1], 1.0),
            "protected inverse": lambda: self._apart(self._number(1.0), takes[0], 0.0),
            "protected root": lambda: self._add("Sqrt", self._add("Abs", takes[0])),
            "protected exp": lambda: self._add("Exp", self._bounded(takes[0])),
            "protected sigmoid": lambda: self._add("Sigmoid", self._bounded(takes[0])),
        }
        if name not in special:
            raise InputError(f"cannot export the function {name} to ONNX; use to_python")
        return special[name]()

    def _apart(self, x: str, y: str, otherwise: float) -> str:
        far = self._add("Greater", self._add("Abs", y), self._number(NEAR))
        quotient = self._add("Div", x, self._add("Where", far, y, self._number(1.0)))
        return self._add("Where", far, quotient, self._number(otherwise))

    def _bounded(self, x: str) -> str:
        return self._add("Clip", x, self._held(np.array(-50.0)), self._held(np.array(50.0)))

    def _choice(self, expression: Expression) -> str | None:
        match expression:
            case Case(branches=branches, otherwise=otherwise):
                found = self.tensor(otherwise)
                for test, said in reversed(branches):
                    found = self._add("Where", self._holds(test), self.tensor(said), found)
                return found
            case Largest(scores=scores, says=says):
                self._scores = self.tensor(scores)
                ranked = self._up_to_rounding(self._scores) if expression.rounds else self._scores
                best = self._add("ArgMax", ranked, axis=1, keepdims=1)
                return self._gathered(self._rows(says), best)
            case Let(name=name, value=value, within=within):
                self._variables[name] = self.tensor(value)
                return self.tensor(within)
            case Variable(name=name):
                return self._variables[name]
            case Descent():
                return self._descent(expression)
        return None

    def _up_to_rounding(self, scores: str) -> str:
        """Write 1 for each score that is the largest up to rounding, 0 for the others."""
        top = self._add("ReduceMax", scores, axes=[1], keepdims=1)
        slack = self._add("Mul", self._add("Abs", top), self._number(TOLERANCE))
        return self._add(
            "Cast", self._add("GreaterOrEqual", scores, self._add("Sub", top, slack)), to="DOUBLE"
        )

    # --- trees -----------------------------------------------------------------------------------------------

    def _descent(self, tree: Descent) -> str:
        """Pass rows down a tree: multiply the fraction that takes each branch by the fraction that reaches
        its parent.
        """
        if any(split is not None and split.surrogates for split in tree.splits):
            raise InputError("cannot export a tree with surrogate splits to ONNX; use to_python")
        functions = [said for said in tree.says if isinstance(said, WeightedSum)]
        if functions:
            return self._functions_at_leaves(tree, functions)
        rows = self._rows([said for said in tree.says if isinstance(said, Constant)])
        if len(tree.splits) == 1:
            return self._held(rows[:1].astype(np.float64))
        parent = np.zeros(len(tree.splits), np.int64)
        for node, split in enumerate(tree.splits):
            for child in split.children if split is not None else ():
                parent[child] = node
        taken = self._taken(tree)
        reached = taken
        for _ in range(max(tree.depths) - 1):
            # a branch from the root is complete after one step, one level further after two, and so on
            reached = self._add("Mul", self._add("Gather", reached, self._held(parent), axis=1), taken)
        stops = self._stops(tree)
        return self._add("MatMul", self._add("Mul", reached, stops), self._held(rows.astype(np.float64)))

    def _functions_at_leaves(self, tree: Descent, functions: Sequence[WeightedSum]) -> str:
        """Combine the leaf values with the weights of all terms, and sum the terms."""
        terms = tuple(dict.fromkeys(term for each in functions for term in each.terms))
        says = []
        leaves: tuple[Any, ...] = tree.says
        for said in leaves:
            affine = isinstance(said, WeightedSum)
            weights = dict(zip(said.terms, said.weights, strict=True)) if affine else {}
            constant = said.constant if affine else said.value
            says.append(Constant((constant, *(weights.get(term, 0.0) for term in terms))))
        weighed = self._descent(Descent(tree.splits, tuple(says)))
        values = self.tensor(Vector((Constant(1.0), *terms)))
        return self._add(
            "ReduceSum", self._add("Mul", weighed, values), self._held(np.array([1])), keepdims=1
        )

    def _taken(self, tree: Descent) -> str:
        """Return the fraction of a row that takes the branch to each node; 1 for the root."""
        pieces, order = [self._like_rows(1.0)], [0]
        by_column: dict[str, list[tuple[int, Split]]] = {}
        for node, split in enumerate(tree.splits):
            if split is not None:
                by_column.setdefault(split.test.cell.column.name, []).append((node, split))
        for splits in by_column.values():
            order += [child for _, split in splits for child in split.children]
            pieces.append(self._branches([split for _, split in splits]))
        together = self._add("Concat", *pieces, axis=1)
        return self._add("Gather", together, self._held(np.argsort(order)), axis=1)

    def _branches(self, splits: Sequence[Split]) -> str:
        """Return the fraction of a row that takes each branch of the tests of one column."""
        cell = splits[0].test.cell
        shares = np.array([[share for split in splits for share in split.shares]])
        if cell.column.kind == "nominal":
            table = np.zeros((len(cell.column.domain) + 2, shares.shape[1]))
            start = 0
            for split in splits:
                for code, branch in enumerate(split.test.branches):
                    if branch is not None:
                        table[code, start + branch] = 1.0
                start += len(split.children)
            table[-1] = shares
            return self._gathered(table, self._code(cell))
        low: list[float] = []
        high: list[float] = []
        for split in splits:
            ends = (-np.inf, *split.test.ends, np.inf)
            low += ends[:-1]
            high += ends[1:]
        x = self._name(cell)
        above = self._add("Greater", x, self._held(np.array([low])))
        below = self._add("LessOrEqual", x, self._held(np.array([high])))
        within = self._add("Cast", self._add("And", above, below), to="DOUBLE")
        return self._add("Where", self._add("IsNaN", x), self._held(shares), within)

    def _stops(self, tree: Descent) -> str:
        """Return whether a row that reaches a node ends there: at leaves, and at tests of an unseen value."""
        pieces = []
        for split in tree.splits:
            if split is None or split.test.cell.column.kind != "nominal":
                pieces.append(self._like_rows(float(split is None)))
            else:
                pieces.append(self._add("Cast", self.tensor(Unseen(split.test.cell)), to="DOUBLE"))
        return self._add("Concat", *pieces, axis=1)

    def _like_rows(self, value: float) -> str:
        shape = self._add("Shape", next(iter(self.inputs)))
        return self._add("Expand", self._number(value), shape)


def _kind(column: Column) -> str:
    """Return the ONNX type of a column as a numpy kind; Booleans are the integers 0 and 1."""
    if column.kind != "nominal":
        return "f"
    kinds = {type(plain(value)) for value in column.domain}
    if len(kinds) > 1 or not kinds <= {str, int, bool}:
        raise InputError(
            f"column {column.name!r} mixes types of values, which ONNX does not support; use all "
            "strings, all integers or all truth values"
        )
    return "i" if kinds & {int, bool} else "U"
