"""Naive Bayes on mixed tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_feature_names, check_is_fitted

from induce.bayes.learners.column_counts import counted_columns
from induce.bayes.naive_bayes.column import places
from induce.bayes.naive_bayes.column_settings import DENSITIES, UNKNOWN, Alpha, ColumnSettings, given_priors
from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel
from induce.bayes.naive_bayes.numeric import WIDTHS, NumericColumn
from induce.core.errors import InputError
from induce.core.estimator import declared_classes
from induce.core.notes import note
from induce.core.parameter_kinds import Dict, Number, OneOf
from induce.core.parameters import Declared, anything, choice, either, number
from induce.core.values import Value
from induce.counts.additive import Floats, sums
from induce.data.frames import RawFrame
from induce.data.schema import Column, Schema
from induce.data.table import declared_columns, infer_schema
from induce.data.text import WORD_PARAMETERS, WORDS, Tokeniser
from induce.data.training import training_frame
from induce.estimators import ClassReading, TableClassifier

if TYPE_CHECKING:
    from induce.belief_networks.network import BeliefNetwork


class NaiveBayes(TableClassifier):
    """The most probable class if columns are independent given the class (Mitchell §6.9, AIMA §20.2).

    Nominal columns are counted, numeric ones have a density in each class, and texts are bags of words; a
    table may contain all three. Learning is a single pass over the columns.

    A missing value and a category not seen in training are ignored, or are values of their own (`unknown`). A
    word not seen in training is ignored. A row that has probability 0 in every class gets the class of the
    highest prior. Ties go to the first class in declared order.

    Parameters
    ----------
    alpha : float or dict, default=1.0
        Pseudo-count of every value of a nominal column and of every word: 1 is Laplace's estimate, 0 gives
        relative frequencies, so that a single value can rule a class out. A dict sets it per column: a
        number, or one for each value of its domain (a Dirichlet prior); unlisted columns have 1.
    m : float, optional
        Equivalent sample size of the m-estimate with uniform priors, in place of `alpha` on nominal columns.
    class_alpha : float, default=0.0
        Pseudo-count of every class.
    priors : dict or list, optional
        Prior probabilities of the classes; None estimates them by counting. A list is in the order of
        ``classes_``.
    numeric : {"auto", "normal", "kernel", "intervals"}, default="auto"
        Density of numeric columns. ``"normal"``: one normal density per class. ``"kernel"``: a normal kernel
        around each number; the hypothesis stores all numbers. ``"intervals"``: uniform within intervals,
        chosen by minimum description length (Fayyad and Irani). ``"auto"``: per column, the one of normal and
        intervals that predicts left-out rows better (normal if a column has fewer than 30 numbers).
    bandwidth : {"silverman", "scott"} or float, default="silverman"
        Standard deviation of the kernels, or the rule that computes it.
    min_variance : float, default=1e-09
        Minimum variance of a class, relative to that of the column. If a column has few distinct numbers, the
        variance is also at least that of rounding to steps of their mean distance, d: d² / 12. A note names
        columns that are constant within a class.
    unknown : {"ignore", "value"}, default="ignore"
        Treatment of missing values and of categories not seen in training: ignored, or values of their own.
    pattern : str
        Regular expression for the words of texts.
    lowercase : bool, default=True
        Whether texts are converted to lower case.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : NaiveBayesModel

    See Also
    --------
    TextNaiveBayes : Naive Bayes for texts.
    LogisticRegression : Probabilities of classes from weighted sums.

    References
    ----------
    P. Domingos and M. Pazzani (1997). On the optimality of the simple Bayesian classifier under zero-one loss.
    Machine Learning 29, 103-130.

    Examples
    --------
    >>> import induce
    >>> import polars
    >>> X, y = induce.dataset("play-tennis")
    >>> bayes = induce.NaiveBayes(alpha=0).fit(X, y)
    >>> today = {"Outlook": ["Sunny"], "Temperature": ["Cool"], "Humidity": ["High"], "Wind": ["Strong"]}
    >>> print(bayes.explain(polars.DataFrame(today))[0])
    No rather than Yes (79.5 %): log odds +1.36
      +0.99  Outlook = Sunny
      +0.88  Humidity = High
      +0.59  Wind = Strong
      -0.51  Temperature = Cool
      -0.59  No rather than Yes beforehand
    """

    takes_text = True
    hypothesis_: NaiveBayesModel
    _model: ClassVar[type[NaiveBayesModel]] = NaiveBayesModel

    parameters: ClassVar[Declared] = {
        "alpha": either(
            "Pseudo-count of every value and word: 1 is Laplace's estimate; a dict gives columns their own.",
            Number(at_least=0),
            Dict("a dict from columns to pseudo-counts"),
        ),
        "m": number(
            "Equivalent sample size of the m-estimate, in place of alpha on nominal columns.",
            at_least=0,
            none=True,
        ),
        "class_alpha": number("Pseudo-count of every class.", at_least=0),
        "priors": anything(
            "Prior probabilities of the classes, as a dict or in the order of classes_; None counts them.",
            "a dict or list of probabilities",
            none=True,
        ),
        "numeric": choice("Density of numeric columns within a class.", *DENSITIES),
        "bandwidth": either(
            "Width of kernels: a rule or a number; larger values smooth more.",
            OneOf(tuple(WIDTHS)),
            Number(above=0, finite=True),
            otherwise=f"give a number above 0, or a rule: {', '.join(map(repr, WIDTHS))}",
        ),
        "min_variance": number(
            "Minimum variance of a normal density, as a fraction of the column's variance.",
            above=0,
            at_most=1,
        ),
        "unknown": choice(
            "Treatment of missing and unseen values: ignored, or values of their own.", *UNKNOWN
        ),
        **WORD_PARAMETERS,
    }

    def __init__(
        self,
        *,
        alpha: Alpha = 1.0,
        m: float | None = None,
        class_alpha: float = 0.0,
        priors: Any = None,
        numeric: str = "auto",
        bandwidth: str | float = "silverman",
        min_variance: float = 1e-9,
        unknown: str = "ignore",
        pattern: str = WORDS,
        lowercase: bool = True,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.alpha = alpha
        self.m = m
        self.class_alpha = class_alpha
        self.priors = priors
        self.numeric = numeric
        self.bandwidth = bandwidth
        self.min_variance = min_variance
        self.unknown = unknown
        self.pattern = pattern
        self.lowercase = lowercase
        self.class_weight = class_weight
        self.schema = schema

    def _settings(self, reading: ClassReading) -> ColumnSettings:
        return ColumnSettings(
            alpha=self.alpha,
            m=self.m,
            numeric=self.numeric,
            bandwidth=self.bandwidth,
            min_variance=self.min_variance,
            unknown=self.unknown,
            tokeniser=Tokeniser(self.pattern, self.lowercase),
        )

    def _n_passes(self) -> int:
        """Return the number of passes over a table in partitions."""
        return 2

    def _learn_scan(self, source: Any) -> NaiveBayesModel:
        from induce.bayes.learners.partitions import counted_partitions

        self.hypothesis_ = counted_partitions(self, source)
        self._tell()
        return self.hypothesis_

    def _learn(self, reading: ClassReading) -> NaiveBayesModel:
        self._take(reading)
        self._tell()
        return self.hypothesis_

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows by adding their counts.

        The first rows determine the kinds of columns, the densities of numeric columns and their intervals. A
        new value is added to its column with a note, unless `schema` declares the values; so is a new class.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Class of each row.
        classes : list, optional
            Further classes.
        sample_weight : array, optional
            Weight of each row.
        """
        self._check_parameters()
        if self.class_weight == "balanced":
            raise InputError(
                "class_weight='balanced' needs all rows at once; give a dict from classes to weights, or use fit"
            )
        known = self.__dict__.get("hypothesis_")
        reading = (
            self._read(X, y, sample_weight) if known is None else self._further(known, X, y, sample_weight)
        )
        announced = declared_classes(y) if classes is None else _listed(classes)
        before = () if known is None else known.classes
        found = _joined(before, announced, reading.classes, declared=bool(declared_classes(y)))
        if len({isinstance(value, str) for value in found}) > 1:
            raise InputError("y holds both text and numbers; make all classes text or all of them numbers")
        place = np.array(places(reading.classes, found), np.int64)
        self._take(replace(reading, classes=found, labels=place[reading.labels]))
        return self

    def leave_one_out_predict(self, X: Any, y: Any) -> NDArray[Any]:
        """Return the leave-one-out prediction of each row.

        If the hypothesis consists of counts and moments, each row is subtracted from them; with kernels,
        intervals, texts or balanced class weights, the model is refitted without each row.
        """
        from induce.bayes.learners.leave_one_out import leave_one_out_predict

        return leave_one_out_predict(self, X, y)

    def to_network(self) -> BeliefNetwork:
        """Return the equivalent belief network: the class is the only parent of every column."""
        check_is_fitted(self, "hypothesis_")
        return self.hypothesis_.to_network()

    def _take(self, reading: ClassReading) -> None:
        """Update the hypothesis with more rows, which may enlarge its schema and its classes."""
        settings = self._settings(reading)
        settings.check(reading.schema.names())
        known: NaiveBayesModel | None = self.__dict__.get("hypothesis_")
        if known is not None and (known.schema, known.classes) != (reading.schema, reading.classes):
            known = known.enlarged(reading.schema, reading.classes)
        values = self._values_of(reading)
        found = self._model(
            schema=reading.schema,
            target=reading.target,
            classes=reading.classes,
            class_counts=sums(reading.labels, reading.weights, len(reading.classes)),
            columns=counted_columns(reading, settings, () if known is None else known.columns, values),
            class_alpha=float(self.class_alpha),
            given_priors=given_priors(self.priors, reading.classes),
        )
        self.hypothesis_ = found if known is None else found + known
        self.classes_ = np.unique(np.asarray(reading.classes))

    def _tell(self) -> None:
        """Emit a note for the columns that are constant within some class."""
        model = self.hypothesis_
        for column in model.columns:
            if isinstance(column, NumericColumn) and column.flat.any():
                n, first = int(column.flat.sum()), model.classes[int(column.flat.argmax())]
                where = f"class {first!r}" if n == 1 else f"{n:,} classes, such as {first!r}"
                raised = column.spread[1][column.flat].min()
                note(
                    f"column {column.column.name!r} is constant in {where}; its variance is taken as "
                    f"{raised:.3g}"
                )

    def _values_of(self, reading: ClassReading) -> Iterable[Any]:
        """The encoded columns of a table, one by one."""
        return declared_columns(reading.raw, reading.schema)

    def _further(self, known: NaiveBayesModel, X: Any, y: Any, sample_weight: Any) -> ClassReading:
        """Read further rows and their new values."""
        _check_feature_names(self, X, reset=False)
        raw = training_frame(X)
        if len(raw.columns) != self.n_features_in_:
            raise InputError(
                f"X has {len(raw.columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        classes, labels, weights = self._further_classes(y, raw.n_rows, sample_weight)
        schema = self._with_new_values(known.schema, raw)
        return ClassReading(raw, schema, weights, known.target, classes, labels)

    def _further_classes(
        self, y: Any, n_rows: int, sample_weight: Any
    ) -> tuple[tuple[Value, ...], NDArray[np.int64], Floats | None]:
        """Read the classes of further rows, with their weights."""
        before = self.classes_
        try:
            _, classes, labels = self._target(y)
        finally:
            self.classes_ = before
        if len(labels) != n_rows:
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, "
                f"y has {len(labels)}"
            )
        return classes, labels, self._weights(sample_weight, self.class_weight, classes, labels)

    def _with_new_values(self, schema: Schema, raw: RawFrame) -> Schema:
        """Return the schema extended by new values, except for columns with declared values."""
        columns = []
        for column, cells in zip(schema, raw.columns, strict=True):
            if column.role == "input" and column.kind == "nominal" and not self._declared(column):
                alone = RawFrame((cells,), raw.n_rows, named=True)
                found = infer_schema(alone, {cells.name: Column(cells.name, "nominal")})[cells.name].domain
                new = [value for value in found if value not in column.domain]
                if new and {*map(type, found)} == {*map(type, column.domain)}:
                    note(
                        f"column {column.name!r} has {new[0]!r}, which earlier rows did not have; it is added"
                    )
                    column = replace(column, domain=_joined(column.domain, new))
            columns.append(column)
        return Schema(tuple(columns))

    def _declared(self, column: Column) -> bool:
        """Whether the user declared the values of a column."""
        told = {each.name: each for each in self.schema} if isinstance(self.schema, Schema) else self.schema
        said = Schema((Column(column.name),)).override({column.name: (told or {}).get(column.name)})
        return bool(said[column.name].domain)


def _joined(known: Iterable[Value], *more: Iterable[Value], declared: bool = False) -> tuple[Value, ...]:
    """Known values followed by further ones: sorted if the known ones are, unless their order was declared."""
    before = tuple(known)
    found = tuple(dict.fromkeys(chain(before, *more)))
    mixed = len({isinstance(value, str) for value in found}) > 1
    return found if declared or mixed or list(before) != sorted(before) else tuple(sorted(found))


def _listed(classes: Any) -> list[Value]:
    values = np.asarray(classes)
    if values.ndim != 1 or values.dtype.kind not in "OUSbiuf":
        raise InputError(f"classes is {classes!r}; give a list of all expected classes")
    return cast(list[Value], values.tolist())
