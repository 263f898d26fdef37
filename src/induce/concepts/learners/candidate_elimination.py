"""Candidate elimination as a learner on tables: all hypotheses that agree with the examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from induce.concepts.boundaries import MOST_GENERAL, further, learn_example
from induce.concepts.clashes import clash_reason
from induce.concepts.events import tell_boundaries, tell_start
from induce.concepts.facets import Cells
from induce.concepts.language import Bounds, Mask
from induce.concepts.learners.base import ConceptLearner
from induce.concepts.version_space import VersionSpace
from induce.core import trace
from induce.core.errors import ModelFileError
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameters import Declared, whole
from induce.core.values import Value
from induce.data.schema import Schema
from induce.estimators import ClassReading

FEW_ROWS = 16
"""Number of rows above which all are learned at once, which gives the same boundaries faster."""


class Memory:
    """State of candidate elimination; the examples are kept to explain a collapse."""

    def __init__(self, space: VersionSpace) -> None:
        self.space = space
        self.bounds = space.bounds
        self.cells = np.empty((0, len(space.language.attributes.facets)), dtype=np.int64)
        self.labels = np.empty(0, dtype=np.bool_)
        self._snapshot: VersionSpace | None = None

    def learned(self, cells: Cells, labels: Mask, bounds: Bounds) -> None:
        """Record more examples and the resulting bounds."""
        self.cells = np.vstack([self.cells, cells])
        self.labels = np.concatenate([self.labels, labels])
        self.bounds = bounds
        self._snapshot = None

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

    Missing values are rejected in training, because such an example is not a single instance; in prediction,
    a missing value or an undeclared category satisfies only ``?``. Values that occur only in later rows must
    be declared. With `trace`, ``"start"`` reports S and G before the first example, and ``"boundaries"``
    reports them after each row, with the hypotheses that left them and why.

    Parameters
    ----------
    language : {"conjunctions", "nominal", "disjunctions", "power set"}, default="conjunctions"
        Language of the hypotheses: conjunctions of values, groups of values (a taxonomy in the schema) and
        closed intervals of ordered and numeric columns; the same over nominal columns only; disjunctions of
        up to `disjuncts` conjunctions; or no bias at all.
    disjuncts : int, default=2
        Maximum number of conjunctions in a disjunction.
    positive : str, int, float or bool, optional
        Positive class. None chooses one named yes, true, + or similar, or else the last class.
    undecided : {"majority", "abstain", "refuse"}, default="majority"
        Prediction if the hypotheses disagree: the majority (the negative class on ties, or if they are too
        many to count), the label `unknown`, or an error.
    unknown : str, int, float or bool, default="?"
        Label of instances on which the hypotheses disagree, with "abstain".
    max_general : int, default=1000
        Maximum number of members of G. Beyond it, the negative examples are kept instead, with a note: votes,
        queries and convergence stay exact, but G cannot be listed.
    schema : Schema or dict, optional
        Schema of the columns: domains, orders, taxonomies.

    Attributes
    ----------
    hypothesis_ : VersionSpace
        The learned version space.

    See Also
    --------
    FindS : The most specific conjunction.
    ListThenEliminate : The version space as a list.
    TolerantElimination : Version spaces that allow errors.

    References
    ----------
    T. M. Mitchell (1982). Generalization as search. Artificial Intelligence 18, 203-226.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("enjoy-sport")
    >>> print(CandidateElimination().fit(X, y).hypothesis_)
    partly learned: 6 hypotheses; S 1 member, G 2 members
    S: ⟨Sunny, Warm, ?, Strong, ?, ?⟩
    G: ⟨Sunny, ?, ?, ?, ?, ?⟩, ⟨?, Warm, ?, ?, ?, ?⟩
    """

    parameters: ClassVar[Declared] = {
        "max_general": whole(
            "Maximum number of members of G; beyond it, the negative examples are kept instead.",
            at_least=1,
        ),
    }

    def __init__(
        self,
        *,
        language: str = "conjunctions",
        disjuncts: int = 2,
        positive: Value | None = None,
        undecided: str = "majority",
        unknown: Value = "?",
        max_general: int = MOST_GENERAL,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.language = language
        self.disjuncts = disjuncts
        self.positive = positive
        self.undecided = undecided
        self.unknown = unknown
        self.max_general = max_general
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
        self._memory = Memory(cast(VersionSpace, space))

    def _forget(self) -> None:
        self.__dict__.pop("_memory", None)

    def _keep(self, reading: ClassReading) -> None:
        space, cells, labels = self._first_examples(reading)
        memory = Memory(space)
        self._eliminate(memory, cells, labels, singly=False)
        self._memory = memory

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from additional rows.

        Parameters
        ----------
        X : dataframe or array
            Rows with the columns of the first call, whose schema determines the values.
        y : sequence of classes
            Class of each row.
        classes : sequence, optional
            Both classes, if the first rows contain only one of them.
        """
        self._check_parameters()
        memory: Memory | None = self.__dict__.get("_memory")
        if memory is None:
            space, cells, labels = self._first_examples(self._read(X, y, None), classes)
            memory = Memory(space)
        else:
            counts, cells, labels = self._further_examples(memory.space, X, y, classes)
            memory.space = replace(memory.space, counts=counts)
        self._eliminate(memory, cells, labels, singly=len(cells) <= FEW_ROWS)
        self._memory = memory
        return self

    def _eliminate(self, memory: Memory, cells: Cells, labels: Mask, singly: bool) -> None:
        """Learn from more examples: all at once, or one at a time, which can be traced."""
        language, before = memory.space.language, memory.bounds
        bounds = before
        if singly or trace.active("boundaries"):
            if not len(memory.labels):
                tell_start(language, bounds)
            for number, (row, positive) in enumerate(
                zip(cells.tolist(), labels.tolist(), strict=True), len(memory.labels)
            ):
                earlier = bounds
                bounds = learn_example(language, bounds, row, positive, self.max_general)
                tell_boundaries(language, earlier, bounds, number, row, positive)
        else:
            bounds = further(language, bounds, cells, labels, self.max_general)
        memory.learned(cells, labels, bounds)
        if bounds.general is None and before.general is not None:
            note(
                f"G has more than {self.max_general:,} members, so the negative examples are kept "
                "instead; raise max_general to keep G itself"
            )

    def _resumable_state(self) -> dict[str, Any]:
        return super()._resumable_state() | {"cells": self._memory.cells, "labels": self._memory.labels}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        cells, labels = state["cells"], state["labels"]
        width = len(self._memory.space.language.attributes.facets)
        if cells.ndim != 2 or cells.shape != (len(labels), width) or labels.dtype != np.bool_:
            raise ModelFileError("the stored examples do not match the version space")
        self._memory.cells, self._memory.labels = cells, labels
