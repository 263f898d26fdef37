"""Formulas over the columns of a table, as hypotheses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.notes import note
from induce.core.shapes import check_numbers, check_shapes
from induce.core.values import Value
from induce.data.numeric_view import FAR, NumericView
from induce.data.schema import Schema
from induce.data.table import Table
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs import text
from induce.evolution.programs.evaluation import Blocks, outputs
from induce.evolution.programs.flat import depth_of, parsed, subtree_ends, written
from induce.evolution.programs.front import Front
from induce.evolution.programs.functions import Guard, definitions
from induce.evolution.programs.grammar import Floats
from induce.evolution.programs.intervals import guards_of
from induce.evolution.programs.population import Codes
from induce.evolution.programs.simplify import FormulaMeaning, simplified
from induce.evolution.programs.vocabulary import FormulaWords
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import number_text, plural, value_text
from induce.statistics.logistic import sigmoid

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.evolution.programs.explanation import FormulaExplanation
    from induce.hypotheses.expressions.nodes import Expression

LONGEST = 50.0
"""Bound on the absolute scores of classes."""


@dataclass(frozen=True, eq=False)
class Formula(SqlForm, PythonForm, OnnxForm, Regressor):
    """A numeric prediction as a formula over the columns of a table (Mitchell §9.5).

    Partial functions are protected: dividing by less than 0.001 gives 1, the logarithm and the
    square root take the absolute value, and so on. The printed formula is computed: a function is printed plainly if
    its arguments are legal for all numbers within the training ranges, otherwise in its protected form. Rows
    outside the training ranges are predicted with a note. A missing number is replaced by the mean of the training
    rows; a missing or unseen category by the relative frequencies of the values in training. If a formula
    overflows, the mean of the training targets is predicted.

    Parameters
    ----------
    schema : Schema
        Schema of the input columns.
    target : str
        Name of the target.
    view : NumericView
        Conversion of rows to numbers: a nominal column becomes one indicator per value.
    codes : array of int32
        Formula in prefix order, flat, so that depth is unlimited.
    constants : array of float64
        Constant at each position.
    fallback : float
        Prediction if the formula is undefined.
    front : Front, optional
        Pareto front from which the formula was chosen.
    ranges : array of float64, optional
        Smallest and largest number of each column of the view in training; unknown by default.

    Examples
    --------
    >>> formula = Formula.parse("(+ (sin x) (sqrt (+ (^ x 2) y)))", ("x", "y"))
    >>> print(formula)
    y = sin(x) + sqrt(abs(x^2 + y))
    >>> formula.n_nodes, formula.predict([[0.0, 4.0], [1.0, 3.0]]).round(10).tolist()
    (9, [2.0, 2.8414709848])
    """

    schema: Schema
    target: str
    view: NumericView
    codes: Codes
    constants: Floats
    fallback: float
    front: Front | None = None
    ranges: Floats | None = None

    @classmethod
    def parse(cls, formula: str, columns: tuple[str, ...], target: str = "y") -> Formula:
        """Parse an S-expression over numeric columns."""
        from induce.data.schema import Column

        schema = Schema(tuple(Column(name) for name in columns))
        ones = np.ones(len(columns))
        view = NumericView(schema, 0.0 * ones, ones, 0.0 * ones)
        codes, constants = parsed(formula, FormulaWords(view.names))
        return cls(schema, target, view, np.array(codes, np.int32), np.array(constants), 0.0)

    @cached_property
    def words(self) -> FormulaWords:
        """Words of the formula."""
        return FormulaWords(self.view.quantities)

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the formula."""
        return len(self.codes)

    def depth(self) -> int:
        """Return the depth of the formula."""
        return depth_of(self.codes.tolist(), self.words.arity)

    def values(self, X: Any) -> Floats:
        """Return the value of the formula for each row."""
        return self._numbers(self.encoded(X))

    def _numbers(self, table: Table) -> Floats:
        matrix = self.view.matrix(table)
        self._note_outside(matrix)
        values = outputs(self.codes, self.constants, Blocks.of(matrix))
        return np.where(np.isfinite(values), values, self.fallback)

    def _note_outside(self, matrix: Floats) -> None:
        """Note the rows outside the training ranges of the columns of the formula."""
        if self.ranges is None:
            return
        used = sorted({code - loops.COLUMN for code in self.codes.tolist() if code >= loops.COLUMN})
        low, high = self.ranges[:, used]
        outside = (matrix[:, used] < low) | (matrix[:, used] > high)
        n = int(outside.any(axis=1).sum())
        if n:
            first = used[int(outside.any(axis=0).argmax())]
            limits = " to ".join(f"{limit:.6g}" for limit in self.ranges[:, first])
            note(
                f"{n:,} of {plural(len(matrix), 'row')} {'is' if n == 1 else 'are'} outside the training ranges "
                f"of the formula ({value_text(self.view.quantities[first])}: {limits}), where nothing was learned",
                about="rows outside the training ranges of the formula",
            )

    @cached_property
    def guards(self) -> dict[int, Guard]:
        """Nodes that are protected somewhere within the training ranges."""
        low, high = (-FAR, FAR) if self.ranges is None else self.ranges
        n = len(self.view.mean)
        limits = zip(np.broadcast_to(low, n).tolist(), np.broadcast_to(high, n).tolist(), strict=True)
        ranges = {loops.COLUMN + j: limit for j, limit in enumerate(limits)}
        return guards_of(self.codes.tolist(), self.constants.tolist(), FormulaMeaning(), ranges)

    def _written(self, write: Any) -> str:
        others = {i: guard.wording for i, guard in self.guards.items()}
        return str(write(self.codes.tolist(), self.constants.tolist(), self.words, others))

    def explain(self, X: Any) -> tuple[FormulaExplanation, ...]:
        """Return, for each row, the value of every part of the formula."""
        from induce.evolution.programs.explanation import explained

        return explained(self, X)

    def simplify(self) -> Self:
        """Return an equivalent formula, with fewer nodes where possible."""
        codes, constants = simplified(self.codes.tolist(), self.constants.tolist())
        return replace(self, codes=np.array(codes, np.int32), constants=np.array(constants))

    def to_sexpr(self) -> str:
        """Return the formula as an S-expression with full-precision constants."""
        return written(self.codes.tolist(), self.constants.tolist(), self.words)

    def to_latex(self) -> str:
        """Return the formula in LaTeX, with a line for each protected function."""
        first = f"{text.input_wording(self.target).latex} = {self._written(text.latex)}"
        return ",\n".join([first, *(rf"\quad {line}" for line in definitions(self.guards, is_latex=True))])

    def expression(self) -> Expression:
        """Return the formula as an expression of a row."""
        from induce.evolution.programs.expression import value_of

        return value_of(self)

    def right_side(self) -> str:
        """Return the right-hand side of the formula."""
        return self._written(text.infix)

    def parts(self) -> Parts:
        """Return the number of nodes."""
        return Parts(self.n_nodes, "nodes")

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self.front is None:
            lacking["front"] = "it was not chosen from one"
        return lacking

    def size(self) -> str:
        """Return the number of nodes."""
        return plural(self.n_nodes, "node")

    def __str__(self) -> str:
        lines = [f"{value_text(self.target)} = {self.right_side()}"]
        lines += [f"  {line}" for line in definitions(self.guards)]
        if self.front is not None:
            lines.append(f"  {plural(self.n_nodes, 'node')}; {self.front.how}")
        return "\n".join(lines)

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw the tree of the formula."""
        from induce.evolution.programs.pictures import draw_tree

        labels = [
            self.words.word(code) or number_text(constant)
            for code, constant in zip(self.codes.tolist(), self.constants.tolist(), strict=True)
        ]
        for i, guard in self.guards.items():
            labels[i] = guard.wording.call.format("·") or guard.wording.name
        return draw_tree(labels, subtree_ends(self.codes.tolist(), self.words.arity), ax)

    def draw_front(self, ax: Axes | None = None) -> Figure:
        """Plot the front of error against size from which the formula was chosen."""
        if self.front is None:
            raise InputError("this formula was not chosen from a front")
        return self.front.draw(ax)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent, for example after loading from a file."""
        check_shapes(self, {"codes": "nodes", "constants": "nodes"})
        if self.ranges is not None:
            check_shapes(self, {"ranges": "2 wide"}, wide=len(self.view.mean))
            check_numbers("ranges", self.ranges)
        well = len(self.codes) > 0
        well = well and isinstance(self.fallback, float)
        known = self.words.arity
        if well:
            codes = self.codes.tolist()
            in_range = all(
                0 <= code < loops.COLUMN + len(self.view.mean)
                and (known(code) or code == loops.CONSTANT or code >= loops.COLUMN)
                for code in codes
            )
            wanted, at = 1, 0
            while in_range and wanted and at < len(codes):
                wanted += known(codes[at]) - 1
                at += 1
            well = in_range and wanted == 0 and at == len(codes)
        if not well:
            raise InputError("the codes do not form a formula over the columns; learn it again")


@dataclass(frozen=True, eq=False)
class ClassFormulas(SqlForm, PythonForm, OnnxForm, Classifier):
    """Classification by formulas: one for the second of two classes, or one per class.

    The value of a formula is the log odds of its class against the others. With several classes, the probabilities
    are normalised to sum to 1, and ties go to the class declared first. Missing values and unseen categories are
    treated as in `Formula`.

    Parameters
    ----------
    schema : Schema
        Schema of the input columns.
    target : str
        Name of the target.
    classes : tuple
        Classes, in declared order.
    formulas : tuple of Formula
        One formula per class; with two classes one, for the second; with a single class none.
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    formulas: tuple[Formula, ...]

    def scores(self, X: Any) -> Floats:
        """Return the value of each formula for each row."""
        return self._scores(self.encoded(X))

    def _scores(self, table: Table) -> Floats:
        if not self.formulas:
            return np.empty((len(table), 0))
        found = np.column_stack([formula.values(table) for formula in self.formulas])
        return np.clip(found, -LONGEST, LONGEST)

    def _shares(self, scores: Floats) -> Floats:
        if not self.formulas:
            return np.ones((len(scores), 1))
        odds = sigmoid(scores)
        if len(self.formulas) == 1:
            return np.column_stack([1.0 - odds[:, 0], odds[:, 0]])
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def explain(self, X: Any) -> tuple[FormulaExplanation, ...]:
        """Return, for each row, the value of every part of the formula that decided."""
        from induce.evolution.programs.explanation import explained_classes

        return explained_classes(self, X)

    def simplify(self) -> ClassFormulas:
        """Return equivalent formulas, with fewer nodes where possible."""
        return replace(self, formulas=tuple(formula.simplify() for formula in self.formulas))

    def expression(self) -> Expression:
        """Return the predicted class as an expression."""
        from induce.evolution.programs.expression import class_of

        return class_of(self, LONGEST)

    def parts(self) -> Parts:
        """Return the total number of nodes."""
        return Parts(sum(formula.n_nodes for formula in self.formulas), "nodes")

    def size(self) -> str:
        """Return the total number of nodes."""
        return plural(sum(formula.n_nodes for formula in self.formulas), "node")

    def __str__(self) -> str:
        if not self.formulas:
            return f"{value_text(self.target)} is always {value_text(self.classes[0])}, the only class"
        spoken = self.classes[1:] if len(self.formulas) == 1 else self.classes
        lines = [f"{value_text(self.target)} by log odds"]
        for value, formula in zip(spoken, self.formulas, strict=True):
            lines.append(f"  {value_text(value)}: {formula.right_side()}")
            if formula.front is not None:
                lines.append(f"    {formula.size()}; {formula.front.how}")
        lines += [f"  {line}" for line in definitions(*(formula.guards for formula in self.formulas))]
        if len(self.formulas) == 1:
            lines.append(
                f"  {value_text(self.classes[1])} if it is above 0, else {value_text(self.classes[0])}"
            )
        else:
            lines.append("  the class of the largest")
        return "\n".join(lines)

    def draw(self) -> Figure:
        """Draw the trees of the formulas, one below the other."""
        from induce.evolution.programs.pictures import draw_several

        return draw_several(self)

    def check(self) -> None:
        """Raise an `InputError` unless every class that needs a formula has one."""
        n = len(self.classes)
        if len(self.formulas) != {1: 0, 2: 1}.get(n, n):
            raise InputError("the formulas do not fit the classes; learn them again")

    def _decided(self, scores: Floats) -> Places:
        if not self.formulas:
            return np.zeros(len(scores), np.intp)
        if len(self.formulas) == 1:
            return (scores[:, 0] > 0).astype(np.intp)
        return super()._decided(scores)
