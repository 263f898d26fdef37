"""Linear models as hypotheses: a weighted sum of terms, with statistics of each weight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_shapes
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.exporting import LatexForm, OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.hypotheses.kinds.predictor import Predictor
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import plural, value_text
from induce.linear.path import Path
from induce.linear.terms import Design
from induce.linear.weights import WeightTable, weight_table
from induce.optimise.descent import History
from induce.statistics.logistic import sigmoid, softmax

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.expressions.nodes import Expression
    from induce.linear.explanation import LinearExplanation

Floats = NDArray[np.float64]

PICTURES = ("weights", "path", "regions", "errors")
LINKS = ("logistic", "probit", "threshold")
"""Link functions from a sum to a probability; a threshold only ranks rows."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Statistics of the weights of a linear model.

    Parameters
    ----------
    method : str
        Name of the fitting method.
    n_rows : float
        Number of training rows, or the sum of their weights.
    means, deviations : array of float
        Mean and standard deviation of each term in training.
    covariance : array of float or None
        Covariance of the intercept and the weights, one output after another; None if unavailable.
    degrees : float
        Degrees of freedom of the residuals; infinite if the normal distribution is used.
    sigma : float
        Standard deviation of the residuals of a regression.
    without : str
        Reason for missing standard errors.
    bootstrap : array of float or None
        Bounds of 95% intervals from resampled rows, shape (2, outputs, terms + 1); the intercept comes first.
    loss : float
        Mean training loss.
    path : Path or None
        Weights along a path of penalty strengths.
    courses : tuple of History
        Losses over the epochs of training, one course per unit; empty if no unit was trained by descent.
    """

    method: str
    n_rows: float
    means: Floats
    deviations: Floats
    covariance: Floats | None = None
    degrees: float = np.inf
    sigma: float = np.nan
    without: str = ""
    bootstrap: Floats | None = None
    loss: float = np.nan
    path: Path | None = None
    courses: tuple[History, ...] = ()


@dataclass(frozen=True, eq=False)
class LinearFunction(SqlForm, PythonForm, OnnxForm, LatexForm, Predictor):
    """A weighted sum of terms for each output: intercept + Σ weight · term, in the columns' own units.

    Parameters
    ----------
    schema : Schema
        The columns of the table.
    target : str
    design : Design
        Conversion of a row to terms.
    intercepts : array of float, shape (outputs,)
    weights : array of float, shape (outputs, terms)
    known : Knowledge
        Statistics of the weights.
    """

    schema: Schema
    target: str
    design: Design
    intercepts: Floats
    weights: Floats
    known: Knowledge

    outputs_named: ClassVar[str] = ""

    def sums(self, table: Table) -> Floats:
        """Return the weighted sum of each output for each row of an encoded table."""
        return np.column_stack(
            [
                self.design.scores(table, float(intercept), weights)
                for intercept, weights in zip(self.intercepts, self.weights, strict=True)
            ]
        )

    def _sum_expressions(self) -> list[Expression]:
        """Return the weighted sum of each output as an expression."""
        return [
            self.design.expression(float(intercept), weights)
            for intercept, weights in zip(self.intercepts, self.weights, strict=True)
        ]

    def table(self, confidence: float = 0.95) -> WeightTable:
        """Return the weights with their standard errors and intervals.

        Parameters
        ----------
        confidence : float
            Coverage of the intervals.
        """
        return weight_table(self, confidence)

    def explain(self, X: Any) -> tuple[LinearExplanation, ...]:
        """Return, for each row, the contribution of each column to the sum, relative to the mean of the
        training rows.
        """
        from induce.linear.explanation import explained

        return explained(self, self.encoded(X))

    def outputs(self) -> tuple[str, ...]:
        """Return the label of each weighted sum."""
        return ("",)

    def size(self) -> str:
        """Return the number of terms with a weight."""
        return plural(int(self.weights.any(axis=0).sum()), "term")

    def parts(self) -> Parts:
        """Return the number of nonzero weights and intercepts."""
        return Parts(int(np.count_nonzero(self.weights)) + len(self.intercepts), "weights")

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return a nomogram: the contribution of each value to the weighted sum."""
        from induce.hypotheses.nomogram import nomogram

        about = zip(map(str, self.design.terms), self.known.means, self.known.deviations, strict=True)
        spans = {name: (float(mean - 2 * spread), float(mean + 2 * spread)) for name, mean, spread in about}

        def score(frame: Any) -> Floats:
            return self.sums(self.encoded(frame))

        found = nomogram(
            self.schema, score, tuple(name or self.target for name in self.outputs()), spans, softmax=False
        )
        return super()._picture() if found is None else ("nomogram", found | {"text": str(self)})

    def draw(self, kind: str = "weights", X: Any = None, y: Any = None) -> Figure:
        """Draw the model.

        Parameters
        ----------
        kind : {"weights", "path", "regions", "errors"}
            Kind of plot. "weights": weights per standard deviation of their term, with intervals if
            available. "path": weights along the strengths of the penalty. "regions": predictions over two
            numeric columns, the others at their means. "errors": losses over the epochs of training.
        X, y : table and target, optional
            Rows shown in the regions.
        """
        one_of("kind", kind, PICTURES)
        if kind == "regions":
            return self.draw_regions(X, y)
        if X is not None or y is not None:
            raise InputError(f"X and y are used only by the plot 'regions', not by {kind!r}; omit them")
        if kind == "errors":
            return self.draw_errors()
        return self.draw_path() if kind == "path" else self.draw_weights()

    def draw_weights(self) -> Figure:
        """Return a figure of the weights per standard deviation of their term, with intervals if available."""
        from induce.linear.pictures import draw_weights

        return draw_weights(self)

    def draw_regions(self, X: Any = None, y: Any = None) -> Figure:
        """Return a figure of the predictions over the two numeric columns that affect the sums most."""
        from induce.linear.pictures import draw_regions

        return draw_regions(self, X, y)

    def draw_path(self) -> Figure:
        """Return a figure of the weights along the strengths of the penalty, with the chosen one."""
        from induce.linear.pictures import draw_path

        if self.known.path is None:
            raise InputError("there is no path of penalties; learn with penalty='auto', 'l1' or 'elastic'")
        return draw_path(self.known.path)

    def draw_errors(self) -> Figure:
        """Return a figure of the losses over the epochs of training, one line for each unit."""
        from induce.linear.pictures import draw_errors

        if not self.known.courses:
            raise InputError("there are no epochs to draw; learn with Perceptron, Adaline or LMS")
        return draw_errors(self)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if not self.known.courses:
            lacking["errors"] = "it was not trained by epochs"
        if self.known.path is None:
            lacking["path"] = "it was trained with a single strength of the penalty"
        if sum(column.kind != "nominal" for column in self.design.schema) < 2:
            lacking["regions"] = "it reads fewer than two numeric columns"
        return lacking

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        self.design.check()
        if self.design.schema != self.schema.inputs():
            raise InputError("the terms do not match the columns of the table; learn the model again")
        sizes = {"terms": len(self.design.terms)}
        sizes |= check_shapes(self, {"intercepts": "outputs", "weights": "outputs terms"}, **sizes)
        check_shapes(self.known, {"means": "terms", "deviations": "terms"}, **sizes)
        covariance, resampled = self.known.covariance, self.known.bootstrap
        if covariance is not None:
            side = (sizes["terms"] + 1) * sizes["outputs"]
            fewer = side - sizes["terms"] - 1  # the reference class may have none
            if covariance.shape not in ((side, side), (fewer, fewer)):
                raise InputError("the covariance does not match the weights; learn the model again")
        if resampled is not None:
            check_shapes(self.known, {"bootstrap": "2 outputs weights"}, weights=sizes["terms"] + 1, **sizes)
        check_numbers("weights", self.weights)
        check_numbers("intercepts", self.intercepts)

    def _head(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return f"{self._head()}\n{self.table()}"


@dataclass(frozen=True, eq=False)
class LinearRegressionModel(LinearFunction, Regressor):
    """A number predicted by a weighted sum of terms.

    Parameters
    ----------
    schema, target, design, intercepts, weights, known
        Fields of `LinearFunction`.

    See Also
    --------
    LinearFunction : the parameters.

    Examples
    --------
    >>> import induce
    >>> model = induce.LinearRegression().fit([[1.0], [2.0], [3.0], [4.0]], [2.0, 3.0, 5.0, 4.0]).hypothesis_
    >>> print(model)
    y by least squares, 4 rows, residual deviation 0.9487
    term         weight  standard error  95% interval
    (intercept)     1.5           1.162  [-3.499, 6.499]
    x0              0.8          0.4243  [-1.025, 2.625]
    """

    names: tuple[str, ...] = ()
    """Names of the outputs, if there are several."""

    def _numbers(self, table: Table) -> Floats:
        found = self.sums(table)
        return found if self.names else found[:, 0]

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the predicted numbers, if there are several."""
        return self.names or ("",)

    def expression(self) -> Expression:
        """Return the weighted sum as an expression."""
        from induce.hypotheses.expressions.nodes import Vector

        sums = self._sum_expressions()
        return Vector(tuple(sums)) if self.names else sums[0]

    def to_sql(self, table: str = "data", key: str | None = None) -> str:
        """Return a query with a column "prediction", or "prediction_y0" and so on for several targets.

        Parameters
        ----------
        table : str
            Name of the table.
        key : str, optional
            Key column returned with the predictions, instead of all columns.
        """
        if not self.names:
            return super().to_sql(table, key)
        from induce.hypotheses.writers.sql import sql_queries

        sums = zip(self.names, self._sum_expressions(), strict=True)
        return sql_queries({f"prediction_{name}": each for name, each in sums}, table, key)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self.names:
            lacking["latex"] = "it predicts several numbers"
        return lacking

    def predict_interval(self, X: Any, confidence: float = 0.95, of: str = "row") -> tuple[Floats, Floats]:
        """Return the bounds of an interval for each row.

        Parameters
        ----------
        X : frame or array
        confidence : float
            Coverage of the intervals.
        of : {"row", "mean"}
            "row": prediction interval for a new row. "mean": confidence interval for the mean of such rows.
        """
        from induce.linear.weights import quantile, standard_errors_of_sums

        if of not in ("row", "mean"):
            raise InputError(f"of is {of!r}; give 'row' or 'mean'")
        if self.names:
            raise InputError("it predicts several numbers; train one model per number for intervals")
        table = self.encoded(X)
        error = standard_errors_of_sums(self, table)
        if of == "row":
            error = np.sqrt(np.square(error) + self.known.sigma**2)
        middle, reach = self._numbers(table), quantile(self.known.degrees, confidence) * error
        return middle - reach, middle + reach

    def _head(self) -> str:
        known = self.known
        spread = f", residual deviation {known.sigma:.4g}" if np.isfinite(known.sigma) else ""
        return f"{value_text(self.target)} by {known.method}, {known.n_rows:g} rows{spread}"


@dataclass(frozen=True, eq=False)
class LinearClassifier(LinearFunction, Classifier):
    """A classifier by weighted sums of terms.

    With two classes there is one sum, and the second class is predicted if it is above 0. With more, there is
    one sum per class, and the largest wins. With the logistic link the sum is the log odds.

    Parameters
    ----------
    schema, target, design, intercepts, weights, known
        Fields of `LinearFunction`.
    classes : tuple
        Classes in declared order.
    link : {"logistic", "probit", "threshold"}
        Link function from a sum to a probability. A threshold gives no probabilities; its scores only rank rows by
        their distance from the boundary.
    fires_at_zero : bool
        Whether a sum of exactly 0 predicts the second of two classes.
    unit : float
        Typical magnitude of a sum, by which sums of a threshold unit are divided.

    See Also
    --------
    LinearFunction : the other parameters.
    """

    classes: tuple[Value, ...] = field(kw_only=True)
    link: str = "logistic"
    fires_at_zero: bool = False
    unit: float = 1.0

    ties_by_rounding: ClassVar[bool] = False

    def _scores(self, table: Table) -> Floats:
        if len(self.classes) == 1:
            return np.zeros((len(table), 1))
        found = self.sums(table)
        return found if len(self.classes) > 2 else np.column_stack([np.zeros(len(table)), found[:, 0]])

    def _decided(self, scores: Floats) -> Places:
        if len(self.classes) == 2 and self.fires_at_zero:
            return (scores[:, 1] >= 0).astype(np.intp)
        return np.asarray(scores.argmax(axis=1))

    def _shares(self, scores: Floats) -> Floats:
        if len(self.classes) == 2:
            ahead = self.probability(scores[:, 1])
            shares = np.column_stack([1.0 - ahead, ahead])
        else:
            shares = softmax(scores / self.unit)
        # a sum too small to change the probability still decides
        decided = self._decided(scores)
        odd = np.flatnonzero(shares.argmax(axis=1) != decided)
        shares[odd, decided[odd]] = np.nextafter(shares[odd].max(axis=1), 1.0)
        return shares

    def probability(self, sums: Floats) -> Floats:
        """Return the probability of the second class from the sum of each row."""
        if self.link == "probit":
            from scipy.special import ndtr

            return np.asarray(ndtr(sums))
        return sigmoid(sums / self.unit)

    def decision_function(self, X: Any) -> Floats:
        """Return the weighted sums: one per row with two classes, otherwise one per class."""
        scores = self._scores(self.encoded(X))
        return scores[:, 1] if len(self.classes) == 2 else scores

    def predict_interval(self, X: Any, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Return the bounds of an interval for the probability of the second of two classes, for each row."""
        from induce.linear.weights import quantile, standard_errors_of_sums

        if len(self.classes) != 2:
            raise InputError(f"there are {len(self.classes)} classes; intervals of the probability need two")
        table = self.encoded(X)
        middle = self.sums(table)[:, 0]
        reach = quantile(self.known.degrees, confidence) * standard_errors_of_sums(self, table)
        return self.probability(middle - reach), self.probability(middle + reach)

    def outputs(self) -> tuple[str, ...]:
        """Return the class of each weighted sum."""
        names = self.classes[1:2] if len(self.classes) == 2 else self.classes
        return tuple(map(value_text, names))

    def expression(self) -> Expression:
        """Return the decision as an expression of the weighted sums."""
        from induce.hypotheses.expressions.nodes import Case, Comparison, Constant, Largest, Vector

        says = tuple(map(Constant, self.classes))
        if len(says) == 1:
            return says[0]
        sums = self._sum_expressions()
        if len(says) > 2:
            return Largest(Vector(tuple(sums)), says)
        ahead = Comparison(sums[0], ">=" if self.fires_at_zero else ">", Constant(0.0))
        return Case(((ahead, says[1]),), says[0])

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        super().check()
        n = len(self.classes)
        if len(self.intercepts) != (n if n > 2 else n - 1) or self.link not in LINKS or not self.unit > 0:
            raise InputError("the weights do not match the classes; learn them again")

    def _head(self) -> str:
        n = f"{self.known.n_rows:g} rows"
        if len(self.classes) == 1:
            return f"always {value_text(self.classes[0])} ({n})"
        what = {"logistic": "log odds of ", "probit": "probit of ", "threshold": ""}[self.link]
        if len(self.classes) == 2:
            said = self.outputs()[0]
            what = (
                f"{what}{value_text(self.target)} = {said}"
                if what
                else f"{value_text(self.target)} = {said} if the sum is above 0,"
            )
        else:
            what = (
                f"{what}{value_text(self.target)}"
                if what
                else f"the {value_text(self.target)} with the largest sum,"
            )
        return f"{what} by {self.known.method}, {n}"
