"""Base of network learners: a network without a target, a classifier with one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from induce.belief_networks.cases import Cases
from induce.belief_networks.classifier import NetworkClassifier
from induce.belief_networks.network import BeliefNetwork
from induce.core.blas import one_thread
from induce.core.errors import InputError
from induce.core.estimator import given_weights, sorted_classes
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.partitioned import Partitioned
from induce.core.randomness import RandomState
from induce.data.frames import RawColumn, RawFrame, raw_frame
from induce.data.schema import Column, Schema
from induce.data.training import training_frame
from induce.estimators import Reading, ReadingClassifier
from induce.hypotheses.kinds.density import Density
from induce.hypotheses.naming import plural


def _learned(kind: type) -> Callable[[Any], bool]:
    """Return a predicate: whether a learner has produced, or may still produce, a kind of hypothesis."""
    return lambda learner: isinstance(learner.__dict__.get("hypothesis_"), kind | None)


class NetworkLearner(ReadingClassifier):
    """A learner of belief networks; subclasses define `_network_of`, which builds a network from cases.

    ``fit(X)`` learns a density: the hypothesis is a `BeliefNetwork`, which scores rows and samples new ones.
    ``fit(X, y)`` learns a classifier: the target becomes the first node, and the hypothesis is a
    `NetworkClassifier`, which predicts it. Columns that are identifiers, text or empty do not become nodes.
    """

    hypothesis_: BeliefNetwork | NetworkClassifier
    sums_to_one: ClassVar[bool] = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn a network from a table; with `y`, a network that predicts the class.

        Parameters
        ----------
        X : frame or array, or Scan
            Table of pandas, polars or pyarrow, or array; values may be missing. A scanned table has its own target.
        y : series, array or list, optional
            Class of each row.
        sample_weight : array, optional
            Weight of each row.
        """
        if isinstance(X, Partitioned):
            self._fit_scan(X, y, sample_weight)
            return self
        cases = self._cases(X, y, sample_weight)
        with one_thread():
            network = self._network_of(cases)
        if cases.target is None:
            self.hypothesis_ = network
        else:
            self.hypothesis_ = NetworkClassifier(network, cases.target)
            self.classes_ = np.unique(np.asarray(self.hypothesis_.classes))
        return self

    def _fit_scan(self, source: Any, y: Any, sample_weight: Any) -> None:
        """Learn from a table in partitions, with its target if it has one."""
        from induce.estimators.scale import fit_scan

        fit_scan(self, source, y, sample_weight, "class" if source.target else "nothing")

    def _network_of(self, cases: Cases) -> BeliefNetwork:
        """Return the network learned from cases; its nodes are the nodes of the cases."""
        raise TypeError(f"{type(self).__name__} does not learn")

    # --- asked

    @available_if(_learned(NetworkClassifier))
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row of `X`."""
        return cast(NDArray[Any], self._fitted(X).predict(self._nodes(X)))

    @available_if(_learned(NetworkClassifier))
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each of `classes_` for each row of `X`."""
        hypothesis = cast(NetworkClassifier, self._fitted(X))
        shares = hypothesis.predict_proba(self._nodes(X))
        order = [hypothesis.classes.index(value) for value in self.classes_.tolist()]
        return shares[:, order]

    @available_if(_learned(NetworkClassifier))
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probability of each of `classes_` for each row of `X`."""
        return super().predict_log_proba(X)

    @available_if(_learned(NetworkClassifier))
    def explain(self, X: Any) -> tuple[Any, ...]:
        """Return, for each row, the effect of each finding on the predicted class's probability."""
        return cast(tuple[Any, ...], self._fitted(X).explain(self._nodes(X)))

    @available_if(_learned(Density))
    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log probability (log density with numeric columns) of each row of `X`."""
        return cast(BeliefNetwork, self._fitted(X)).score_samples(self._nodes(X))

    @available_if(_learned(Density))
    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Return a polars frame of `n` random rows."""
        check_is_fitted(self, "hypothesis_")
        return cast(BeliefNetwork, self.hypothesis_).sample(n, random_state)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the accuracy if there is a target, otherwise the mean log probability of the rows."""
        if isinstance(self.__dict__.get("hypothesis_"), NetworkClassifier) or y is not None:
            return float(super().score(X, y, sample_weight))
        return float(np.mean(self.score_samples(X)))

    # --- rows

    def _cases(self, X: Any, y: Any, sample_weight: Any) -> Cases:
        """Encode a training table as cases."""
        if y is not None:
            reading = self._read(X, y, sample_weight)
            name = free_name(reading.target, reading.schema)
            target = Column(name, "nominal", reading.classes)
            return _encoded(reading, target, reading.labels.astype(np.int32))
        self._begin_fit()
        raw = training_frame(X)
        schema = self._training_schema(X, raw, None)
        if not len(schema.inputs()):
            raise InputError("no column is left to learn from: all are empty, identifiers, text or ignored")
        return _encoded(Reading(raw, schema, given_weights(sample_weight, raw.n_rows)))

    def _training_schema(self, X: Any, raw: RawFrame, n_targets: int | None) -> Schema:
        columns = []
        coded: list[str] = []
        for column, cells in zip(super()._training_schema(X, raw, n_targets), raw.columns, strict=True):
            known = column.domain if column.kind == "nominal" else len(cells.distinct)
            if column.role == "input" and not known:
                note(f"column {column.name!r} has no values and is ignored")
                column = replace(column, role="ignore")
            elif column.role == "input" and self._is_yes_or_no(column, cells):
                values = sorted(int(value) for value in cells.distinct)
                column = replace(column, kind="nominal", domain=tuple(values))
                coded.append(repr(column.name))
            columns.append(column)
        tell_coded(coded)
        self._ignored = tuple(k for k, column in enumerate(columns) if column.role != "input")
        return Schema(tuple(columns))

    def _is_yes_or_no(self, column: Column, cells: RawColumn) -> bool:
        """Return whether an undeclared column has only two distinct integers, so that no normal distribution
        fits it.
        """
        told = self.schema.names() if isinstance(self.schema, Schema) else (self.schema or {})
        if column.kind != "numeric" or column.name in told or cells.temporal:
            return False
        return two_whole(cells.distinct)

    def _nodes(self, X: Any) -> Any:
        """Return the columns of a table that become nodes; they need names if some nodes are hidden."""
        hypothesis = self.hypothesis_
        n_hidden = len(hypothesis.schema) + len(self._ignored) - self.n_features_in_
        if not self._ignored and not n_hidden:
            return X
        raw = raw_frame(X)
        if len(raw.columns) != self.n_features_in_:
            return X
        kept = tuple(column for k, column in enumerate(raw.columns) if k not in self._ignored)
        return RawFrame(kept, raw.n_rows, raw.named or n_hidden > 0)

    def _forget(self) -> None:
        super()._forget()
        self.__dict__.pop("classes_", None)

    def _resumable_state(self) -> dict[str, Any]:
        names = self.feature_names_in_.tolist() if hasattr(self, "feature_names_in_") else None
        return super()._resumable_state() | {
            "ignored": self._ignored,
            "columns": self.n_features_in_,
            "names": None if names is None else tuple(names),
        }

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        self.hypothesis_ = cast(Any, hypothesis)
        self._ignored = tuple(state["ignored"])
        self.n_features_in_ = int(state["columns"])
        names = state["names"]
        if names is not None:
            fits = isinstance(names, tuple) and len(names) == self.n_features_in_
            if not fits or not all(isinstance(name, str) for name in names):
                raise InputError(f"the learner needs the names of {self.n_features_in_} columns")
            self.feature_names_in_ = np.array(names, dtype=object)
        if isinstance(hypothesis, NetworkClassifier):
            self.classes_ = sorted_classes(hypothesis.classes)


def _encoded(
    reading: Reading, target: Column | None = None, labels: NDArray[np.int32] | None = None
) -> Cases:
    """Return the nodes' columns of a table as cases, target first."""
    table = reading.table
    own = [] if target is None else [target]
    schema = Schema((*own, *(replace(column, role="input") for column in table.schema)))
    shape = len(reading), len(schema)
    codes, numbers = np.full(shape, -1, np.int32), np.full(shape, np.nan)
    if labels is not None:
        codes[:, 0] = labels
    for k, column in enumerate(table.schema):
        (numbers if column.kind == "numeric" else codes)[:, k + len(own)] = table.column(k)
    kept = reading.weight() > 0
    cases = Cases.of(schema, codes, numbers, reading.weight(), None if target is None else target.name)
    return cases if kept.all() else cases.rows(np.flatnonzero(kept))


def two_whole(distinct: Collection[Any]) -> bool:
    """Return whether a column has exactly two distinct values, both integers."""
    return len(distinct) == 2 and all(float(value).is_integer() for value in distinct)


def tell_coded(coded: list[str]) -> None:
    """Emit a note that names the numeric columns treated as nominal, if any."""
    if coded:
        note(
            f"{plural(len(coded), 'column')} with two whole numbers as values, taken as nominal: "
            f"{', '.join(coded[:8])}{', …' if len(coded) > 8 else ''}; declare in schema which are "
            "numeric"
        )


def free_name(name: str, schema: Schema) -> str:
    """Return a name for the target that is not a column name."""
    while name in schema.names():
        name += "_"
    return name
