"""Regression ensemble: the weighted mean or median of hypotheses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.core.ties import levelled, ranked
from induce.data.decoded_rows import decoded
from induce.data.schema import Schema
from induce.data.table import Table
from induce.ensembles.arrays import is_floats
from induce.ensembles.attribution import Attribution, along_paths, by_revealing
from induce.ensembles.members import Given, given_rows, members_parts
from induce.hypotheses.exporting import Expressed, OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import number_text, plural, value_text
from induce.trees.forest import Forest, complete
from induce.trees.importances import number_importances
from induce.trees.regression.hypothesis import RegressionTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.expressions.nodes import Expression

Floats = NDArray[np.float64]

COMBINE = ("mean", "median")
MOST_SHOWN = 10
DIGITS = 4


@dataclass(frozen=True)
class NumberAttribution(Explained):
    """A predicted number as a sum: the base for all rows, and the contribution of each column of this row.

    Parameters
    ----------
    prediction : float
        The predicted number.
    attribution : Attribution
        Contributions, which sum to the prediction; for the median, those of the median member.
    spread : float
        Standard deviation of the members' predictions.
    member : str
        Member whose prediction is the weighted median; empty for a mean.
    """

    prediction: float
    attribution: Attribution
    spread: float
    member: str = ""

    def __str__(self) -> str:
        who = f"by member {self.member}, the weighted median" if self.member else "on average"
        lines = [f"  {line}" for line in self.attribution.lines(MOST_SHOWN)]
        start = f"{_number(self.prediction)} {who}; the members differ by {_number(self.spread)}"
        return "\n".join([start, f"  {_number(self.attribution.base)} for any row", *lines])

    def draw(self) -> Figure:
        """Return a figure of the contributions."""
        from induce.ensembles.pictures import draw_attribution

        return draw_attribution(self.attribution, f"{_number(self.prediction)}")


@dataclass(frozen=True, eq=False, repr=False)
class NumberEnsemble(SqlForm, PythonForm, OnnxForm, Regressor):
    """Regressors combined by the weighted mean or the weighted median of their predictions.

    Missing values and categories not seen in training are handled by the members.

    Parameters
    ----------
    schema : Schema
        Columns of the training table.
    target : str
        Name of the target column.
    members : tuple
        Hypotheses, or fitted estimators of another library, which cannot be stored in a model file.
    weights : array of float64
        Weight of the prediction of each member.
    combine : {"mean", "median"}
        Mean or weighted median, which is the first prediction in ascending order at which half of the weight
        is reached.

    Examples
    --------
    >>> import induce
    >>> X = [[k] for k in range(12)]
    >>> y = [k if k <= 5 else 20 - 2 * k for k in range(12)]
    >>> forest = induce.RandomForestRegressor(n_estimators=20).fit(X, y).hypothesis_
    >>> print(forest)
    the mean of 20 members, each a RegressionTree
      fraction of the squared error removed by the tests of each column
      100%  x0
    """

    schema: Schema
    target: str
    members: tuple[Any, ...]
    weights: Floats
    combine: str = "mean"

    def encoded(self, X: Any) -> Given:
        """Return rows both as given and encoded, because members differ in the form they take."""
        return given_rows(X, self.schema)

    def said(self, X: Any) -> Floats:
        """Return the prediction of each member for each row, of shape (rows, members)."""
        given = self.encoded(X)
        return np.stack([_numbers_of(member, given, self.schema) for member in self.members], axis=1)

    def _numbers(self, given: Given) -> Floats:
        if self.combine == "median":
            said = self.said(given)
            return said[np.arange(len(said)), self._medians(said)]
        table, known = given.table, complete(given.table)
        if self._forest is None:
            return self._mean(given)
        if known.all():
            return self._each * self._forest.total(table)[:, 0]
        found = np.empty(len(table))
        found[known] = self._each * self._forest.total(table.rows(known))[:, 0]
        rest = table.rows(~known)
        found[~known] = self._mean(Given(rest, rest))
        return found

    def _mean(self, given: Given) -> Floats:
        # summed member by member, as exports do, so that sums of fractions agree in the last bit
        found = np.zeros(len(given.table))
        for member, weight in zip(self.members, self.weights.tolist(), strict=True):
            found += weight * _numbers_of(member, given, self.schema)
        return self._each * found

    def _medians(self, said: Floats) -> NDArray[np.intp]:
        """Return, for each row, the member whose prediction is the weighted median."""
        order = np.argsort(said, axis=1, kind="stable")
        reached = np.cumsum(self.weights[order], axis=1) >= 0.5 * self.weights.sum()
        return np.take_along_axis(order, reached.argmax(axis=1)[:, None], axis=1)[:, 0]

    @cached_property
    def shares(self) -> Floats:
        """Normalised weight of each member."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def _each(self) -> float:
        """Normalised weight of a member with a raw weight of 1."""
        return 1.0 / float(self.weights.sum())

    @cached_property
    def _forest(self) -> Forest | None:
        """The members as one forest, if all are trees of constants trained with the same columns."""
        if not self._of_trees():
            return None
        says = [w * tree.intercept[:, None] for w, tree in zip(self.weights, self.members, strict=True)]
        return Forest.of(self.members, says)

    def _of_trees(self) -> bool:
        return all(
            type(member) is RegressionTree and member.schema == self.schema and not member.coefficients.any()
            for member in self.members
        )

    def explain(self, X: Any) -> tuple[NumberAttribution, ...]:
        """Return, for each row, the contribution of each column to the predicted number."""
        given = self.encoded(X)
        said, numbers = self.said(given), self._numbers(given)
        medians = self._medians(said) if self.combine == "median" else None
        return tuple(
            NumberAttribution(
                float(numbers[row]),
                self._attribution(given.table, row, None if medians is None else int(medians[row])),
                float(np.sqrt(np.average((said[row] - numbers[row]) ** 2, weights=self.weights))),
                "" if medians is None else str(int(medians[row]) + 1),
            )
            for row in range(len(said))
        )

    def _attribution(self, table: Table, row: int, median: int | None) -> Attribution:
        if not self._of_trees():
            return by_revealing(lambda rows: self._numbers(Given(rows, rows)), table, row)
        if median is not None:
            tree = self.members[median]
            return along_paths([tree], [tree.intercept], table, row)
        says = [share * tree.intercept for share, tree in zip(self.shares, self.members, strict=True)]
        return along_paths(self.members, says, table, row)

    @cached_property
    def importances(self) -> Floats:
        """Mean relative reduction of the squared error by each column in the trees."""
        if not all(isinstance(member, RegressionTree) for member in self.members):
            raise InputError("the members are not all trees; only trees have importances")
        return np.asarray(
            np.average([number_importances(member) for member in self.members], axis=0, weights=self.weights)
        )

    def size(self) -> str:
        """Return the number of members."""
        return plural(len(self.members), "member")

    def parts(self) -> Parts:
        """Return the number of readable items in all members, including their weights."""
        return members_parts(self.members)

    def __str__(self) -> str:
        kinds = list(dict.fromkeys(type(member).__name__ for member in self.members))
        what = "weighted median" if self.combine == "median" else "mean"
        head = f"the {what} of {self.size()}, each a {' or '.join(kinds)}"
        if not all(isinstance(member, RegressionTree) for member in self.members):
            return head
        names = self.schema.names()
        order = ranked(range(len(names)), lambda k: float(levelled(self.importances)[k]))
        lines = [
            f"  {self.importances[k]:>4.0%}  {value_text(names[k])}" for k in order if self.importances[k] > 0
        ]
        shown, rest = lines[:MOST_SHOWN], len(lines[MOST_SHOWN:])
        more = [f"  and {plural(rest, 'column')} more"] if rest else []
        about = "  fraction of the squared error removed by the tests of each column"
        return "\n".join([head, about, *shown, *more]) if lines else head

    def __repr__(self) -> str:
        return f"<NumberEnsemble for {self.target}: {self.size()}>"

    def draw(self) -> Figure:
        """Return a figure of the most important columns, or of the weights of the members."""
        from induce.ensembles.pictures import draw_numbers

        return draw_numbers(self)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        for form in ("sql", "python", "onnx"):
            mute = next((each for each in self.members if not _can_tell(each, form)), None)
            if mute is not None:
                lacking[form] = f"a member is a {type(mute).__name__}, whose numbers cannot be"
        return lacking

    def expression(self) -> Expression:
        """Return the ensemble as an expression: a sum over its members, or the median of their predictions.

        Examples
        --------
        >>> import induce
        >>> stumps = induce.BaggingRegressor(induce.DecisionTreeRegressor(max_depth=1), n_estimators=2)
        >>> print(stumps.fit([[1], [2], [3], [4]], [1, 1, 2, 2]).hypothesis_.to_sql("points"))
        SELECT *,
          0.5e0 * (CASE
            WHEN ("x0" <= 2.5 OR "x0" IS NULL) THEN 1e0
            WHEN "x0" > 2.5 THEN 2e0
          END
                + CASE
            WHEN ("x0" <= 2.5 OR "x0" IS NULL) THEN 1e0
            WHEN "x0" > 2.5 THEN 2e0
          END) AS "prediction"
        FROM "points"
        """
        from induce.ensembles.expression import mean_of, median_of

        return mean_of(self) if self.combine == "mean" else median_of(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n = len(self.members)
        fits = (
            n > 0
            and is_floats(self.weights, n)
            and bool((self.weights > 0).all())
            and self.combine in COMBINE
            and all(hasattr(member, "predict") for member in self.members)
            and all(
                len(member.schema.names()) == len(self.schema.names())
                for member in self.members
                if isinstance(member, RegressionTree)
            )
        )
        if not fits:
            raise InputError("the parts of the ensemble do not fit together; learn it again")


def _can_tell(member: Any, form: str) -> bool:
    return isinstance(member, Hypothesis) and isinstance(member, Expressed) and member.can(form)


def _numbers_of(member: Any, given: Given, schema: Schema) -> Floats:
    """Return a member's predictions for rows, encoded as in its training or as given."""
    if isinstance(member, Hypothesis) and member.takes_tables and getattr(member, "schema", None) == schema:
        return np.asarray(member.predict(given.table), np.float64)
    rows = decoded(given.raw) if isinstance(given.raw, Table) else given.raw
    return np.asarray(member.predict(rows), np.float64)


def _number(value: float) -> str:
    return number_text(float(f"{value:.{DIGITS}g}"))
