"""Naive Bayes hypothesis: counts of classes, and of each column in each class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from induce.bayes.naive_bayes.column import ColumnModel, places
from induce.bayes.naive_bayes.explanation import WeightOfEvidence, weighed
from induce.bayes.naive_bayes.numeric import NumericColumn
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_numbers
from induce.core.values import Value
from induce.counts.additive import Floats
from induce.data.frames import raw_frame
from induce.data.schema import Schema
from induce.data.table import encode, encoded_columns
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier
from induce.hypotheses.naming import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.belief_networks.network import BeliefNetwork
    from induce.hypotheses.expressions.nodes import Expression

CELLS = 2**15
"""Number of scores computed at a time, so that they fit into the processor's cache."""
LEAST_ROWS = 128
IMPOSSIBLE = -1e305
"""Score below which a row is impossible in a class."""


@dataclass(frozen=True, eq=False)
class NaiveBayesModel(SqlForm, PythonForm, OnnxForm, Classifier):
    """The most probable class if the columns are independent given the class: P(class) times all P(value | class).

    The hypothesis stores counts, from which probabilities are derived. A row that is impossible in every
    class, because each has a value with probability 0, gets the class of the highest prior. Ties go to the
    first class.

    Parameters
    ----------
    schema : Schema
        Columns of the table.
    target : str
        Name of the target.
    classes : tuple
        Classes in declared order.
    class_counts : array of float64
        Weight of the rows of each class.
    columns : tuple of ColumnModel
        Column models, one for each input of the schema.
    class_alpha : float
        Pseudo-count of each class.
    given_priors : array of float64
        Given prior probability of each class; empty if priors are derived from the counts.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> model = induce.NaiveBayes(alpha=0).fit(X, y).hypothesis_
    >>> model.size()
    '20 conditional probabilities of 4 columns'
    """

    takes_tables = False

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    class_counts: Floats
    columns: tuple[ColumnModel, ...]
    class_alpha: float
    given_priors: Floats

    @cached_property
    def priors(self) -> Floats:
        """P(class): given, or by counting."""
        if len(self.given_priors):
            return self.given_priors
        counts = self.class_counts + self.class_alpha
        total = counts.sum()
        return counts / total if total > 0 else np.full(len(counts), 1 / len(counts))

    @cached_property
    def log_priors(self) -> Floats:
        """ln P(class)."""
        with np.errstate(divide="ignore"):
            return np.log(self.priors)

    def _shares(self, scores: Floats) -> Floats:
        # class by class, in the memory order of the scores
        by_class = scores.T - scores.max(axis=1)
        np.exp(by_class, out=by_class)
        by_class /= by_class.sum(axis=0)
        return np.asarray(by_class.T)

    def log_joint(self, X: Any) -> Floats:
        """Return ln P(class) plus the sum of ln P(value | class) for each row and class.

        If every class has a value of probability 0, it is ln P(class) alone.
        """
        return self._scores(self.encoded(X))

    def explain(self, X: Any) -> tuple[WeightOfEvidence, ...]:
        """Return, for each row, the weights of evidence that add up to the log odds of its class."""
        values = self.encoded(X)
        return tuple(
            weighed(self, [column[i : i + 1] for column in values], row)
            for i, row in enumerate(self._scores(values))
        )

    def size(self) -> str:
        """Return the size of the hypothesis in parameters."""
        n = sum(column.n_parameters() for column in self.columns)
        return (
            f"{n:,} conditional probabilit{'y' if n == 1 else 'ies'} of {plural(len(self.columns), 'column')}"
        )

    def parts(self) -> Parts:
        """Return the number of conditional probabilities, including those of the classes."""
        n = sum(column.n_parameters() for column in self.columns) + len(self.classes)
        return Parts(n, "probabilities")

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        for column in self.columns:
            lacking |= {
                form: f"column {column.column.name!r} {why}" for form, why in column.lacking().items()
            }
        return lacking

    def n_free_parameters(self) -> int:
        """Return the number of free parameters: 2 n + 1 for two classes and n Boolean columns (AIMA §20.2).

        Examples
        --------
        >>> import induce
        >>> induce.NaiveBayes().fit([[True, False], [False, False]], ["no", "yes"]).hypothesis_.n_free_parameters()
        5
        """
        return len(self.classes) - 1 + sum(column.n_free() for column in self.columns)

    def __str__(self) -> str:
        from induce.bayes.naive_bayes.report import report

        return report(self)

    def evidence(self) -> Any:
        """Return a polars frame with the weight of evidence of each value, interval or word for each class.

        It has the columns ``column``, ``value``, ``class``, ``count``, ``of`` (all rows or words of the class),
        ``weight``, ``low`` and ``high`` (a 95 % interval).
        """
        from induce.bayes.naive_bayes.report import evidence_frame

        return evidence_frame(self)

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return a nomogram: the log probability of each value in each class."""
        from induce.hypotheses.nomogram import nomogram

        spans: dict[str, tuple[float, float]] = {}
        for column, model in zip(self.schema.inputs(), self.columns, strict=True):
            if isinstance(model, NumericColumn):
                means, variances = model.spread
                twice = 2 * np.sqrt(variances)
                spans[column.name] = float((means - twice).min()), float((means + twice).max())
        found = nomogram(self.schema, self.log_joint, tuple(map(str, self.classes)), spans, softmax=True)
        return super()._picture() if found is None else ("nomogram", found | {"text": str(self)})

    def draw(self) -> Figure:
        """Return a figure: a nomogram for two classes, the strongest evidence for each of several."""
        from induce.bayes.naive_bayes.pictures import draw

        return draw(self)

    def to_network(self) -> BeliefNetwork:
        """Return the equivalent belief network: the class is the only parent of every column."""
        from induce.bayes.naive_bayes.network import to_network

        return to_network(self)

    def expression(self) -> Expression:
        """Return `predict` as an expression: the class with the largest sum of logarithms.

        Examples
        --------
        >>> import induce
        >>> model = induce.NaiveBayes().fit([["a"], ["b"], ["b"]], ["no", "yes", "yes"]).hypothesis_
        >>> print(model.to_sql())
        SELECT *,
          (WITH
            step_0 AS (SELECT
              -1.0986122886681098e0 + CASE WHEN "x0" = 'a' THEN -0.40546510810816444e0 WHEN "x0" = 'b' THEN
              -1.0986122886681098e0 ELSE 0 END AS scores_0,
              -0.40546510810816444e0 + CASE WHEN "x0" = 'a' THEN -1.3862943611198906e0 WHEN "x0" = 'b' THEN
              -0.2876820724517809e0 ELSE 0 END AS scores_1)
          SELECT CASE
            WHEN scores_0 < -1e+305 AND scores_1 < -1e+305 THEN 'yes'
            WHEN scores_0 >= scores_1 - 1e-09 * ABS(scores_1) THEN 'no'
            ELSE 'yes'
          END FROM step_0) AS "prediction"
        FROM "data"
        """
        from induce.bayes.naive_bayes.expression import expression_of

        return expression_of(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n_classes = len(self.classes)
        fits = (
            self.class_counts.shape == (n_classes,)
            and len(self.given_priors) in (0, n_classes)
            and len(self.columns) == len(self.schema.inputs())
            and all(isinstance(column, ColumnModel) for column in self.columns)
            and all(column.holes.shape == (n_classes,) for column in self.columns)
        )
        if not fits:
            raise InputError("the counts do not match the columns and classes; learn them again")
        check_numbers("class_counts", self.class_counts, at_least=0)
        check_numbers("class_alpha", [self.class_alpha], at_least=0)
        check_numbers("given_priors", self.given_priors, at_least=0)
        for column, model in zip(self.schema.inputs(), self.columns, strict=True):
            own = model.column
            if (own.name, own.kind, own.domain) != (column.name, column.kind, column.domain):
                raise InputError(f"the counts of column {column.name!r} are those of another column")
            model.check_classes(n_classes)

    def __add__(self, other: Self) -> Self:
        """Return the hypothesis of the combined rows."""
        return replace(
            self,
            class_counts=self.class_counts + other.class_counts,
            columns=tuple(mine + theirs for mine, theirs in zip(self.columns, other.columns, strict=True)),
        )

    def enlarged(self, schema: Schema, classes: tuple[Value, ...]) -> Self:
        """Return the hypothesis with further values of its columns or further classes."""
        found = places(self.classes, classes)
        counts = np.zeros(len(classes))
        counts[found] = self.class_counts
        return replace(
            self,
            schema=schema,
            classes=classes,
            class_counts=counts,
            columns=tuple(
                model.enlarged(column, found, len(classes))
                for model, column in zip(self.columns, schema.inputs(), strict=True)
            ),
        )

    def encoded(self, X: Any) -> list[Any]:
        """Return the input columns of the given rows in the form that their models read."""
        raw = raw_frame(X)
        if raw.matrix is not None and all(isinstance(column, NumericColumn) for column in self.columns):
            return list(encode(raw, self.schema).numeric.T)
        return list(encoded_columns(raw, self.schema))

    def _scores(self, values: Sequence[Any]) -> Floats:
        """Return ln P(class) + ln P(row | class)."""
        return np.concatenate(list(self._blocks(values)))

    def _blocks(self, values: Sequence[Any]) -> Iterator[Floats]:
        n_rows = len(values[0])
        step = max(LEAST_ROWS, CELLS // len(self.classes))
        for start in range(0, max(1, n_rows), step):
            part = [each[start : start + step] for each in values]
            scores = np.repeat(self.log_priors[:, np.newaxis], len(part[0]), axis=1)
            for column, each in zip(self.columns, part, strict=True):
                column.add(scores, each)
            impossible = scores.max(axis=0) < IMPOSSIBLE
            if impossible.any():
                scores[:, impossible] = self.log_priors[:, np.newaxis]
            yield scores.T
