"""Find-S: the most specific hypothesis that covers the positive examples (Mitchell §2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from induce.concepts.clashes import clash_reason
from induce.concepts.concept import Concept
from induce.concepts.events import example_value, hypothesis_value
from induce.concepts.facets import Cells, distinct
from induce.concepts.language import Code, Language, Mask
from induce.concepts.learners.base import ConceptLearner
from induce.concepts.search import ruled
from induce.core import trace
from induce.core.errors import InputError
from induce.core.parameters import Declared, choice
from induce.core.row_numbers import row_number
from induce.core.values import Value
from induce.data.schema import Schema
from induce.estimators import ClassReading
from induce.hypotheses.rules import RuleList


class FindS(ConceptLearner):
    """The most specific hypothesis that covers the positive examples (Mitchell 2.4, table 2.3).

    All other instances are predicted negative. Missing values are rejected in training; in prediction, a
    missing value or an undeclared category satisfies only ``?``. With `trace`, an event ``"generalised"``
    follows each example.

    Parameters
    ----------
    negatives : {"ignore", "check", "backtrack"}, default="ignore"
        Use of negative examples; the algorithm in the book ignores them. With "check", a covered negative is
        an error: if the most specific hypothesis is unique, no other hypothesis agrees with the examples
        either. With "backtrack", other generalisations are tried if there are several (disjunctions).
    language : {"conjunctions", "nominal", "disjunctions", "power set"}, default="conjunctions"
        Language of the hypotheses.
    disjuncts : int, default=2
        Maximum number of conjunctions in a disjunction.
    positive : str, int, float or bool, optional
        Positive class. None chooses one named yes, true, + or similar, or else the last class.
    schema : Schema or dict, optional
        Schema of the columns: domains, orders, taxonomies.

    Attributes
    ----------
    hypothesis_ : RuleList
        The hypothesis as rules, one per disjunct.
    concept_ : Concept
        The most specific hypothesis.

    See Also
    --------
    CandidateElimination : The version space by its boundaries.
    OnlineFindS : Find-S row by row.

    References
    ----------
    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, section 2.4.

    Examples
    --------
    >>> import induce
    >>> learner = FindS().fit(*induce.dataset("enjoy-sport"))
    >>> print(learner.concept_)
    ⟨Sunny, Warm, ?, Strong, ?, ?⟩
    >>> print(learner.hypothesis_)
    IF Sky = Sunny AND AirTemp = Warm AND Wind = Strong THEN Yes (3/3)
    DEFAULT No (1/1)
    """

    hypothesis_: RuleList
    experience = "direct, supervised: labelled examples, mainly the positive ones"
    undecided = "majority"
    unknown = "?"

    parameters: ClassVar[Declared] = {
        "negatives": choice("Use of negative examples.", "ignore", "check", "backtrack"),
    }

    def __init__(
        self,
        *,
        negatives: str = "ignore",
        language: str = "conjunctions",
        disjuncts: int = 2,
        positive: Value | None = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.negatives = negatives
        self.language = language
        self.disjuncts = disjuncts
        self.positive = positive
        self.schema = schema

    def _learn(self, reading: ClassReading) -> RuleList:
        space, cells, labels = self._first_examples(reading)
        language = space.language
        avoided = cells[:0] if self.negatives == "ignore" else distinct(cells[~labels])[0]
        if self.negatives == "backtrack":
            code = _search(language, language.bottom(), cells[labels].tolist(), avoided)
        else:
            code = _climb(language, cells, labels)
            if language.covers(code, avoided).any():
                code = None
        if code is None:
            raise InputError(
                f"no hypothesis was found that agrees with all examples: {clash_reason(language, cells, labels)}"
            )
        self.concept_ = Concept(language, code)
        return ruled(space, code, cells, labels)

    def _preference(self) -> str:
        return "the most specific hypothesis is right, so uncovered instances are negative"


def _climb(language: Language, cells: Cells, labels: Mask) -> Code:
    """Generalise minimally for each positive example; take the first of several minimal generalisations."""
    if language.joins_are_unique and not trace.active("generalised"):
        return language.least(cells[labels])
    code = language.bottom()
    trace.emit("start", h=hypothesis_value(language, code))
    for number, (row, positive) in enumerate(zip(cells.tolist(), labels.tolist(), strict=True)):
        if positive and not language.covers_one(code, row):
            code = language.generalise(code, row)[0]
        trace.emit(
            "generalised",
            row=row_number(number),
            example=example_value(language, row),
            positive=positive,
            h=hypothesis_value(language, code),
        )
    return code


def _search(language: Language, code: Code, rows: Sequence[list[int]], avoided: Cells) -> Code | None:
    """Search depth first through the generalisations; return None if every one covers a negative.

    The stack is explicit, because there may be more examples than Python allows nested calls.
    """
    waiting: list[tuple[int, Code]] = [(0, code)]
    tried: set[tuple[int, Code]] = set()
    while waiting:
        place, current = waiting.pop()
        while place < len(rows) and language.covers_one(current, rows[place]):
            place += 1
        if (place, current) in tried:
            continue
        tried.add((place, current))
        if place == len(rows):
            return current
        ways = [
            way
            for way in language.generalise(current, rows[place])
            if not language.covers(way, avoided).any()
        ]
        trace.emit(
            "generalised",
            row=None,  # only the positive examples, in their order
            example=example_value(language, rows[place]),
            positive=True,
            h=hypothesis_value(language, current),
            ways=len(ways),
        )
        waiting += [(place + 1, way) for way in reversed(ways)]
    return None
