"""Disjunctive version spaces: one version space per example, and their votes (Sebag)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.events import example_value
from induce.concepts.facets import Cells
from induce.concepts.learners.base import numbers_of
from induce.concepts.voting_examples import VotingExamples
from induce.core import trace
from induce.core.parameters import Declared, whole
from induce.core.row_numbers import row_number
from induce.data.schema import Schema
from induce.estimators import ClassReading, UnweightedClassifier


class DisjunctiveVersionSpace(UnweightedClassifier):
    """One version space per example, which excludes all examples of other classes (Sebag 1994, 1996).

    An instance gets the vote of an example if, for every example of another class (except for up to
    `violations` of them), it shares at least `matches` of the attributes that distinguish the two. It shares
    a nominal attribute by its value, and an ordered or numeric one by being on the same side. The learner can
    therefore learn disjunctive concepts and tolerate noise. Missing values are rejected in training; in
    prediction, a missing value or an undeclared category distinguishes nothing.

    Parameters
    ----------
    matches : int, default=1
        M: minimum number of shared distinguishing attributes; larger values make votes more specific.
    violations : int, default=0
        Epsilon: maximum number of examples of other classes that a vote may ignore.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : VotingExamples
        The voting examples.

    See Also
    --------
    CandidateElimination : The version space by its boundaries.
    TolerantElimination : Version spaces that allow errors.

    References
    ----------
    M. Sebag (1996). Delaying the choice of bias: a disjunctive version space approach. In International
    Conference on Machine Learning, 444-452.

    Examples
    --------
    >>> import induce
    >>> learner = DisjunctiveVersionSpace(matches=2).fit(*induce.dataset("enjoy-sport"))
    >>> learner.hypothesis_.votes(induce.dataset("enjoy-sport-new").X)[:, [0, 1, 3]].astype(int).tolist()
    [[1, 1, 1], [1, 0, 0], [1, 1, 1], [1, 1, 0]]
    """

    hypothesis_: VotingExamples

    parameters: ClassVar[Declared] = {
        "matches": whole(
            "Minimum number of distinguishing attributes shared with an example; larger values make "
            "votes more specific.",
            at_least=1,
        ),
        "violations": whole(
            "Maximum number of examples of other classes that a vote may ignore.", at_least=0
        ),
    }

    def __init__(
        self,
        *,
        matches: int = 1,
        violations: int = 0,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.matches = matches
        self.violations = violations
        self.schema = schema

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        # its accuracy depends on whether matches and violations suit the data
        tags.classifier_tags.poor_score = True
        return tags

    def _learn(self, reading: ClassReading) -> VotingExamples:
        language = Conjunctions.over(reading.schema, numbers_of(reading))
        cells = language.attributes.encode(reading.table, training=True)
        if trace.active("version space"):
            for number, (row, label) in enumerate(zip(cells.tolist(), reading.labels.tolist(), strict=True)):
                trace.emit(
                    "version space",
                    row=row_number(number),
                    example=example_value(language, row),
                    of=reading.classes[label],
                    apart_from=int((reading.labels != label).sum()),
                    tests=_tests(language, cells[reading.labels != label], row),
                )
        return VotingExamples(
            language, reading.target, reading.classes, cells, reading.labels, self.matches, self.violations
        )


def _tests(language: Conjunctions, others: Cells, row: list[int]) -> dict[str, int]:
    """Count, for each attribute, the examples of other classes from which it distinguishes an example."""
    apart = (others != np.array(row)).sum(axis=0).tolist()
    return dict(zip((facet.name for facet in language.attributes.facets), apart, strict=True))
