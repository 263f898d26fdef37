"""Candidate elimination as a learner from tables: all hypotheses that agree with the examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self, cast

import numpy as np

from induce.concepts.boundaries import MOST_GENERAL, at_once, learn_example, start
from induce.concepts.clashes import clash_reason
from induce.concepts.facets import Cells, Taxonomy
from induce.concepts.language import Bounds, Mask
from induce.concepts.training import ConceptLearner
from induce.concepts.version_space import Concept, VersionSpace
from induce.core import trace
from induce.core.errors import InputError, ModelFileError
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameters import at_least
from induce.core.values import Value
from induce.data.schema import Schema

FEW_ROWS = 16
"""More rows than this are learned together with all before them, which gives the same boundaries sooner."""


class Memory:
    """What candidate elimination knows so far; the examples are kept to explain a collapse."""

    def __init__(self, space: VersionSpace, cells: Cells, labels: Mask, bounds: Bounds) -> None:
        self.space = space
        self.cells = cells
        self.labels = labels
        self.bounds = bounds
        self._snapshot: VersionSpace | None = None

    def snapshot(self) -> VersionSpace:
        """Return the version space of all examples so far, as an immutable value."""
        if self._snapshot is None:
            space = self.space.with_bounds(self.bounds)
            if self.bounds.empty:
                space = replace(space, reason=clash_reason(space.language, self.cells, self.labels))
            self._snapshot = space
        return self._snapshot


class CandidateElimination(ConceptLearner):
    """The version space of all hypotheses that agree with the examples (Mitchell 2.5, table 2.5).

    Missing values are refused in training, because such an example is not one instance; a missing value or a
    category never declared satisfies only ``?`` in prediction. Values that occur only later must be declared.
    With `trace`, an event ``"boundaries"`` tells S and G after each example, in the order of the rows.

    Parameters
    ----------
    language : {"conjunctions", "nominal", "disjunctions", "power set"}
        Conjunctions of values, groups of values (`taxonomies`) and intervals of ordered and numeric columns; the
        same over nominal columns only; disjunctions of up to `disjuncts` conjunctions; or no bias at all.
    disjuncts : int
        For disjunctions: how many conjunctions one may have.
    positive : str, int, float or bool, optional
        The class that is the concept. Otherwise the one called yes, true, + or the like, or the last.
    undecided : {"majority", "abstain", "refuse"}
        What to predict where the hypotheses disagree: what most of them say (the negative class if they are
        equal, or if they are too many to be counted), the label `unknown`, or an error.
    unknown : str, int, float or bool
    max_general : int
        How many members G may have. Beyond that the negative examples are kept in its place, with a note: votes,
        queries and convergence stay exact, but G cannot be listed.
    taxonomies : dict, optional
        For nominal columns, a dict from the name of each group of values to its members (values or groups).
    schema : Schema or dict, optional
        What is known of the columns beyond their types.

    Attributes
    ----------
    hypothesis_ : VersionSpace

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("enjoy-sport")
    >>> print(CandidateElimination().fit(X, y).hypothesis_)
    partly learned: 6 hypotheses; S 1 member, G 2 members
    S: ⟨Sunny, Warm, ?, Strong, ?, ?⟩
    G: ⟨Sunny, ?, ?, ?, ?, ?⟩, ⟨?, Warm, ?, ?, ?, ?⟩
    """

    def __init__(
        self,
        *,
        language: str = "conjunctions",
        disjuncts: int = 2,
        positive: Value | None = None,
        undecided: str = "majority",
        unknown: Value = "?",
        max_general: int = MOST_GENERAL,
        taxonomies: Mapping[str, Taxonomy] | None = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.language = language
        self.disjuncts = disjuncts
        self.positive = positive
        self.undecided = undecided
        self.unknown = unknown
        self.max_general = max_general
        self.taxonomies = taxonomies
        self.schema = schema

    @property
    def hypothesis_(self) -> VersionSpace:
        """The version space of all examples seen so far."""
        memory: Memory | None = self.__dict__.get("_memory")
        if memory is None:
            raise AttributeError(
                f"this {type(self).__name__} has learned nothing yet; call fit or partial_fit"
            )
        return replace(memory.snapshot(), undecided=self.undecided, unknown=self.unknown)

    @hypothesis_.setter
    def hypothesis_(self, space: Hypothesis) -> None:
        space = cast(VersionSpace, space)
        none = np.empty((0, len(space.language.attributes.facets)), dtype=np.int64)
        self._memory = Memory(space, none, np.empty(0, dtype=np.bool_), space.bounds)

    def _forget(self) -> None:
        self.__dict__.pop("_memory", None)

    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and learn from all rows.

        Parameters
        ----------
        X : dataframe or array
        y : sequence of two classes
        """
        at_least("max_general", self.max_general, 1, whole=True)
        self._forget()
        language, space, cells, labels = self._examples(X, y)
        self._seen(X, space.schema.names())
        if trace.active("boundaries"):
            memory = Memory(space, cells[:0], labels[:0], start(language))
            self._step_by_step(memory, cells, labels)
        else:
            memory = Memory(space, cells, labels, at_once(language, cells, labels, self.max_general))
            if memory.bounds.general is None:
                _announce(self.max_general)
        self._memory = memory
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from further rows, one after the other.

        Parameters
        ----------
        X : dataframe or array
            Columns as in the first call, whose schema settles which values there are.
        y : sequence of classes
        classes : sequence, optional
            Both classes, where the first rows have only one of them.
        """
        at_least("max_general", self.max_general, 1, whole=True)
        memory: Memory | None = self.__dict__.get("_memory")
        if memory is None:
            language, space, cells, labels = self._examples(X, y)
            self._seen(X, space.schema.names())
            memory = Memory(space, cells[:0], labels[:0], start(language))
        else:
            self._fitted(X)
            before = self.classes_
            _, space, cells, labels = self._examples(X, y, memory.space.language)
            self.classes_ = before
        self._join_classes(memory, space, classes, labels)
        self._step_by_step(memory, cells, labels)
        self._memory = memory
        return self

    def _join_classes(self, memory: Memory, further: VersionSpace, announced: Any, labels: Mask) -> None:
        """Take note of classes that were not seen before, of which there may be two in all."""
        given = [] if announced is None else np.asarray(announced).tolist()
        known = memory.space.classes if len(memory.cells) else ()
        classes = tuple(dict.fromkeys([*known, *given, *further.classes]))
        if len(classes) > 2:
            raise InputError(
                f"y has the classes {', '.join(map(repr, classes))}, but a concept has two; learn one at a time"
            )
        positive = self._positive_class(classes)
        if known and len(known) == 2:
            positive = memory.space.positive
        elif known and memory.space.positive != positive and memory.labels.any():
            raise InputError(
                f"{classes[-1]!r} came up after {known[0]!r} was taken for the concept; say which is with positive"
            )
        seen = dict(zip(memory.space.classes, memory.space.counts, strict=False)) if known else {}
        now = dict(zip(further.classes, further.counts, strict=False))
        counts = tuple(seen.get(value, 0.0) + now.get(value, 0.0) for value in classes)
        if positive not in further.classes:
            labels[:] = False
        elif further.positive != positive:
            labels[:] = ~labels
        memory.space = replace(memory.space, classes=classes, positive=positive, counts=counts)
        self.classes_ = np.unique(np.asarray(classes))

    def _step_by_step(self, memory: Memory, cells: Cells, labels: Mask) -> None:
        language = memory.space.language
        tracing = trace.active("boundaries")
        if len(cells) > FEW_ROWS and language.joins_are_unique and not tracing:
            kept = memory.bounds.general is not None
            memory.cells = np.vstack([memory.cells, cells])
            memory.labels = np.concatenate([memory.labels, labels])
            memory.bounds = at_once(language, memory.cells, memory.labels, self.max_general)
            memory._snapshot = None
            if kept and memory.bounds.general is None:
                _announce(self.max_general)
            return
        for row, positive in zip(cells.tolist(), labels.tolist(), strict=True):
            kept = memory.bounds.general is not None
            memory.bounds = learn_example(language, memory.bounds, row, positive, self.max_general)
            if kept and memory.bounds.general is None:
                _announce(self.max_general)
            if tracing:
                _tell(memory, row, positive)
        memory.cells = np.vstack([memory.cells, cells])
        memory.labels = np.concatenate([memory.labels, labels])
        memory._snapshot = None

    def _resumable_state(self) -> dict[str, Any]:
        return super()._resumable_state() | {"cells": self._memory.cells, "labels": self._memory.labels}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        cells, labels = state["cells"], state["labels"]
        width = len(self._memory.space.language.attributes.facets)
        if cells.ndim != 2 or cells.shape != (len(labels), width) or labels.dtype != np.bool_:
            raise ModelFileError("the examples it keeps do not fit its version space")
        self._memory.cells, self._memory.labels = cells, labels


def _tell(memory: Memory, row: list[int], positive: bool) -> None:
    language, bounds = memory.space.language, memory.bounds
    trace.emit(
        "boundaries",
        example=language.attributes.text(row),
        positive=positive,
        S=tuple(str(Concept(language, code)) for code in bounds.specific),
        G=None if bounds.general is None else tuple(str(Concept(language, code)) for code in bounds.general),
    )


def _announce(most: int) -> None:
    note(
        f"G has more than {most:,} members, so the negative examples are kept in its place; raise max_general to "
        "keep G itself"
    )
