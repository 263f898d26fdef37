"""List-Then-Eliminate: all consistent hypotheses by enumeration (Mitchell §2.5.2)."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from induce.concepts.clashes import clash_reason
from induce.concepts.concept import Concept
from induce.concepts.events import example_value, hypothesis_values
from induce.concepts.facets import Cells, distinct
from induce.concepts.language import Code, Language, Mask
from induce.concepts.learners.base import ConceptLearner
from induce.concepts.version_space import VersionSpace
from induce.core import trace
from induce.core.row_numbers import row_number
from induce.core.values import Value
from induce.data.schema import Schema
from induce.estimators import ClassReading

LISTED_AT_ONCE = 10_000

LISTED_IN_TRACES = 20
"""Maximum number of hypotheses listed in a trace event."""


class ListThenEliminate(ConceptLearner):
    """Enumeration of all hypotheses, dropping those that disagree with an example (Mitchell table 2.4).

    For small languages only; `CandidateElimination` finds the same hypotheses without enumeration, and treats
    missing values and undeclared categories in the same way.

    Parameters
    ----------
    language : {"conjunctions", "nominal", "disjunctions", "power set"}, default="conjunctions"
        Language of the hypotheses.
    disjuncts : int, default=2
        Maximum number of conjunctions in a disjunction.
    positive : str, int, float or bool, optional
        Positive class. None chooses one named yes, true, + or similar, or else the last class.
    undecided : {"majority", "abstain", "refuse"}, default="majority"
        Prediction if the hypotheses disagree: the majority, the label `unknown`, or an error.
    unknown : str, int, float or bool, default="?"
        Label of instances on which the hypotheses disagree, with "abstain".
    schema : Schema or dict, optional
        Schema of the columns: domains, orders, taxonomies.

    Attributes
    ----------
    hypothesis_ : VersionSpace
        The version space, bounded by the most specific and most general of the remaining hypotheses.
    listing_ : tuple of Concept
        The remaining hypotheses.

    See Also
    --------
    CandidateElimination : The version space by its boundaries.
    FindS : The most specific conjunction.

    References
    ----------
    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, section 2.5.

    Examples
    --------
    >>> import induce
    >>> len(ListThenEliminate().fit(*induce.dataset("enjoy-sport")).listing_)
    6
    """

    hypothesis_: VersionSpace

    def __init__(
        self,
        *,
        language: str = "conjunctions",
        disjuncts: int = 2,
        positive: Value | None = None,
        undecided: str = "majority",
        unknown: Value = "?",
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.language = language
        self.disjuncts = disjuncts
        self.positive = positive
        self.undecided = undecided
        self.unknown = unknown
        self.schema = schema

    def _learn(self, reading: ClassReading) -> VersionSpace:
        space, cells, labels = self._first_examples(reading)
        language = space.language
        left = _eliminated(language, cells, labels)
        self.listing_ = tuple(Concept(language, code) for code in left)
        return replace(
            space,
            specific=language.minimal(left),
            general=language.maximal(left),
            negatives=distinct(cells[~labels])[0],
            reason="" if left else clash_reason(language, cells, labels),
        )


def _eliminated(language: Language, cells: Cells, labels: Mask) -> list[Code]:
    """Enumerate the language in parts, and keep the hypotheses that agree with every example."""
    language.check_listable()
    if trace.active("eliminated"):
        return _eliminated_singly(language, cells, labels)
    hypotheses, left = language.hypotheses(), []
    while part := list(islice(hypotheses, LISTED_AT_ONCE)):
        agreeing = (language.coverage(part, cells) == labels).all(axis=1)
        left += [part[place] for place in np.flatnonzero(agreeing).tolist()]
    return left


def _eliminated_singly(language: Language, cells: Cells, labels: Mask) -> list[Code]:
    """Process one example at a time, with the hypotheses it rules out, as in Mitchell's table 2.4."""
    left = list(language.hypotheses())
    trace.emit("start", left=len(left), hypotheses=hypothesis_values(language, left[:LISTED_IN_TRACES]))
    for number, (row, positive) in enumerate(zip(cells, labels.tolist(), strict=True)):
        agreeing = (language.coverage(left, row[np.newaxis])[:, 0] == positive) if left else np.zeros(0, bool)
        gone = [code for code, agrees in zip(left, agreeing.tolist(), strict=True) if not agrees]
        left = [code for code, agrees in zip(left, agreeing.tolist(), strict=True) if agrees]
        trace.emit(
            "eliminated",
            row=row_number(number),
            example=example_value(language, row.tolist()),
            positive=positive,
            eliminated=len(gone),
            why="do not cover it" if positive else "cover it",
            left=len(left),
            hypotheses=hypothesis_values(language, left[:LISTED_IN_TRACES]),
        )
    return left
