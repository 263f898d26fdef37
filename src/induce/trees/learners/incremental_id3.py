"""Incremental ID3: learns one example at a time the tree that ID3 grows from all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any, Self, cast

import numpy as np
from sklearn.utils.validation import _check_feature_names

from induce.core.errors import InputError, ModelFileError
from induce.core.estimator import declared_classes
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.progress import report
from induce.core.values import Value
from induce.data.frames import RawFrame, raw_frame
from induce.data.schema import Column, Schema
from induce.data.table import UNSEEN, Table, encode, encode_declared, infer_schema
from induce.data.training import Examples
from induce.estimators import ClassReading, TableClassifier
from induce.trees.growth import GrowthRule, grow
from induce.trees.hypothesis import Tree
from induce.trees.incremental.mutable_tree import Memory
from induce.trees.learners.base import TreeLearner


class IncrementalID3(TreeLearner, TableClassifier):
    """Incremental ID3: after every example, the tree equals that of `ID3` on all examples so far.

    Counts at the nodes show immediately when a different test has become the best. Then that part of the tree
    is restructured, as in Utgoff's ID5R, and the rest stays. All examples are kept. Mitchell §3.8 mentions
    such extensions of ID3.

    Restructuring needs nominal attributes without missing values. If an attribute is numeric or ordered, or
    once a value is missing, `partial_fit` only stores the examples, and the tree is grown again when it is
    needed. Missing values are then treated as in `ID3`. In prediction, a row whose tested value is missing
    goes down every branch with a fraction of its weight, and a category not seen in training gets the class
    distribution of the node that tests it.

    Parameters
    ----------
    schema : Schema or dict, optional
        Schema of the columns. Later values that it does not declare are added to their column.

    Attributes
    ----------
    hypothesis_ : Tree
        The tree for all examples so far, built on first access.

    See Also
    --------
    ID3 : Trees by information gain, without pruning.
    C45 : C4.5: gain ratio, error-based pruning.

    References
    ----------
    P. E. Utgoff (1989). Incremental induction of decision trees. Machine Learning 4, 161-186.

    Examples
    --------
    >>> import induce
    >>> from induce.trees.learners.incremental_id3 import IncrementalID3
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = IncrementalID3().partial_fit(X[:6], y[:6])
    >>> print(tree.hypothesis_)
    Outlook = Sunny: No (2/2)
    Outlook = Overcast: Yes (1/1)
    Outlook = Rain
    |   Wind = Weak: Yes (2/2)
    |   Wind = Strong: No (1/1)
    >>> for day in range(6, 14):
    ...     tree = tree.partial_fit(X[day : day + 1], y[day : day + 1])
    >>> str(tree.hypothesis_) == str(induce.ID3().fit(X, y).hypothesis_)
    True
    """

    class_weight = None

    def __init__(self, *, schema: Schema | dict[str, Any] | None = None) -> None:
        self.schema = schema

    @property
    def hypothesis_(self) -> Tree:
        """The tree for all examples so far."""
        memory = self.__dict__.get("_memory")
        if memory is None:
            raise AttributeError(
                f"this {type(self).__name__} has learned nothing yet; call fit or partial_fit"
            )
        return cast(Memory, memory).tree()

    @hypothesis_.setter
    def hypothesis_(self, tree: Hypothesis) -> None:
        tree = cast(Tree, tree)
        self._memory = Memory(tree.schema, tree.target, tree.classes, tree)

    def _forget(self) -> None:
        self.__dict__.pop("_memory", None)

    def _keep(self, reading: ClassReading) -> None:
        examples = reading.examples()
        tree = grow(examples, *reading.names, GrowthRule(), report)
        memory = Memory(*reading.names)
        memory.add(examples, tree)
        self._memory = memory
        report(1.0)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from additional rows, one after another.

        Parameters
        ----------
        X : dataframe or array
            Additional rows.
        y : sequence of classes
            Class of each row.
        classes : sequence, optional
            Additional classes, in the order in which ties are broken; categories declared by `y` are known
            already. A class that was not announced is added at the end.
        sample_weight : array, optional
            Sample weights; a row of weight 2 counts as two rows.
        """
        memory: Memory | None = self.__dict__.get("_memory")
        announced = declared_classes(y) if classes is None else _listed(classes)
        if memory is not None and sample_weight is None and {*announced} <= {*memory.classes}:
            names = getattr(self, "feature_names_in_", None)
            quick = memory.known_rows(X, y, None if names is None else names.tolist())
            if quick is not None:
                memory.learn(quick)
                return self
        if memory is None:
            examples, schema, target, found = self._examples(X, y, sample_weight)
            memory, was_in_place = Memory(schema, target, ()), True
        else:
            examples, schema, found = self._further(memory, X, y, sample_weight)
            was_in_place = memory.in_place
        known = _joined(memory.classes, announced, found)
        if len({isinstance(value, str) for value in known}) > 1:
            raise InputError("y holds both text and numbers; make all classes text or all of them numbers")
        place = np.array([known.index(value) for value in found])
        examples = Examples(examples.table, place[examples.labels], examples.weights, len(known))
        self._memory, self.classes_ = memory, np.unique(np.asarray(known))
        memory.enlarge(schema, known)
        memory.learn(examples)
        if was_in_place and not memory.in_place:
            note(f"{_hindrance(memory)}: the tree is not restructured but grown again when it is needed")
        return self

    def _further(
        self, memory: Memory, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Examples, Schema, tuple[Value, ...]]:
        """Encode additional rows; also return the schema with their new values."""
        _check_feature_names(self, X, reset=False)
        raw = raw_frame(X)
        if len(raw.columns) != self.n_features_in_:
            raise InputError(
                f"X has {len(raw.columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        if raw.n_rows == 0:
            raise InputError("the table has no rows; give at least one to learn from")
        before = self.classes_
        try:
            _, found, codes = self._target(y)
        finally:
            self.classes_ = before
        if len(codes) != raw.n_rows:
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
                f"y has {len(codes)}"
            )
        schema = memory.schema
        table = encode(raw, schema)
        if (table.nominal == UNSEEN).any():
            schema = self._with_new_values(schema, raw, table)
            table = encode_declared(raw, schema)
        weights = self._weights(sample_weight, None, found, codes)
        return Examples(table, codes, weights, len(found)).counted(), schema, found

    def _with_new_values(self, schema: Schema, raw: RawFrame, table: Table) -> Schema:
        """Return the schema with new values added, except in columns with declared values."""
        given = self.schema if isinstance(self.schema, dict) else {c.name: c for c in self.schema or ()}
        columns = []
        unseen = iter((table.nominal == UNSEEN).any(axis=0))
        for column, cells in zip(schema, raw.columns, strict=True):
            if column.role == "input" and column.kind == "nominal" and next(unseen) and not column.ordered:
                change = {cells.name: given.get(column.name)}
                declared = Schema((Column(cells.name),)).override(change)[cells.name].domain
                alone = RawFrame((cells,), raw.n_rows, named=True)
                found = infer_schema(alone, {cells.name: Column(cells.name, "nominal")})[cells.name].domain
                if not declared and {*map(type, found)} == {*map(type, column.domain)}:
                    column = replace(column, domain=_joined(column.domain, found))
            columns.append(column)
        return Schema(tuple(columns))

    def _resumable_state(self) -> dict[str, Any]:
        seen = self._memory.examples()
        return super()._resumable_state() | {
            "nominal": seen.table.nominal,
            "numeric": seen.table.numeric,
            "labels": seen.labels,
            "weights": seen.weight(),
        }

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        tree = self.hypothesis_
        inputs = tree.schema.inputs()
        nominal, numeric, labels, weights = map(
            state.__getitem__, ("nominal", "numeric", "labels", "weights")
        )
        n_nominal = sum(column.kind == "nominal" for column in inputs)
        sizes = np.array([len(column.domain) for column in inputs if column.kind == "nominal"])
        sound = (
            (nominal.dtype, numeric.dtype) == (np.int32, np.float64)
            and (labels.dtype, weights.dtype) == (np.int64, np.float64)
            and labels.ndim == 1
            and labels.shape == weights.shape
            and nominal.shape == (len(labels), n_nominal)
            and numeric.shape == (len(labels), len(inputs) - n_nominal)
            and bool(((nominal >= -1) & (nominal < sizes)).all())
            and bool(((labels >= 0) & (labels < len(tree.classes))).all())
            and bool((np.isfinite(weights) & (weights > 0)).all())
            and not np.isinf(numeric).any()
        )
        if not sound:
            raise ModelFileError("the stored examples do not match the tree")
        table = Table(inputs, numeric, nominal)
        self._memory.add(Examples(table, labels, weights, len(tree.classes)), tree)


def _joined(*groups: Iterable[Value]) -> tuple[Value, ...]:
    """Return the distinct values of several groups in order of first occurrence."""
    return tuple(dict.fromkeys(chain(*groups)))


def _listed(classes: Any) -> list[Value]:
    values = np.asarray(classes)
    if values.ndim != 1 or values.dtype.kind not in "OUSbiuf":
        raise InputError(f"classes is {classes!r}; give a list of all possible classes")
    return cast(list[Value], values.tolist())


def _hindrance(memory: Memory) -> str:
    """Return the reason why a tree cannot be restructured in place."""
    for column in memory.inputs:
        if column.kind != "nominal":
            return f"column {column.name!r} is numeric"
        if column.ordered:
            return f"the values of column {column.name!r} are ordered"
    column = memory.inputs.columns[int((memory.nominal < 0).any(axis=0).argmax())]
    return f"column {column.name!r} has missing values"
