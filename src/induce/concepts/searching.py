"""Learners that end in one hypothesis or list them all: Find-S, enumeration, List-Then-Eliminate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar, Self

import numpy as np

from induce.concepts.clashes import clash_reason
from induce.concepts.concept import Concept
from induce.concepts.facets import Cells, distinct
from induce.concepts.language import Code, Language, Mask
from induce.concepts.training import ConceptLearner
from induce.concepts.version_space import VersionSpace
from induce.core import trace
from induce.core.errors import InputError
from induce.core.parameters import Declared, choice
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.rules import RuleList

LISTED_AT_ONCE = 10_000


class FindS(ConceptLearner):
    """The most specific hypothesis that covers the positive examples (Mitchell 2.4, table 2.3).

    Everything else is called negative. Missing values are refused in training; in prediction a missing value or a
    category never declared satisfies only ``?``. With `trace`, an event ``"generalised"`` follows each example.

    Parameters
    ----------
    negatives : {"ignore", "check", "backtrack"}
        The book's algorithm never looks at negative examples. With "check", one that is covered is an error: in a
        language where the most specific hypothesis is unique no other one agrees with the examples either. With
        "backtrack", other generalisations are tried where there are several (disjunctions).
    language, disjuncts, positive, schema
        As of `CandidateElimination`.

    Attributes
    ----------
    hypothesis_ : RuleList
        One rule for each disjunct.
    concept_ : Concept

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
    experience = "direct, supervised: labelled examples, the positive ones above all"
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

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from all rows, in their order.

        Parameters
        ----------
        X : dataframe or array
        y : sequence of two classes
        """
        space, cells, labels = self._first_examples(X, y)
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
        self.hypothesis_ = ruled(space, code, cells, labels)
        return self

    def _preference(self) -> str:
        return "the most specific hypothesis is right, so that what it does not cover is negative"


def _climb(language: Language, cells: Cells, labels: Mask) -> Code:
    """Generalise as little as each positive example demands; the first way where there are several."""
    if language.joins_are_unique and not trace.active("generalised"):
        return language.least(cells[labels])
    code = language.bottom()
    for row, positive in zip(cells.tolist(), labels.tolist(), strict=True):
        if positive and not language.covers_one(code, row):
            code = language.generalise(code, row)[0]
        trace.emit(
            "generalised", example=language.attributes.text(row), positive=positive, h=language.text(code)
        )
    return code


def _search(language: Language, code: Code, rows: Sequence[list[int]], avoided: Cells) -> Code | None:
    """Depth first through the ways to generalise; None when every one covers a negative.

    A stack of its own, because there may be more examples than Python allows calls.
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
            example=language.attributes.text(rows[place]),
            ways=len(ways),
            h=language.text(current),
        )
        waiting += [(place + 1, way) for way in reversed(ways)]
    return None


def ruled(space: VersionSpace, code: Code, cells: Cells, labels: Mask) -> RuleList:
    """Return one hypothesis as rules with what they cover among the examples."""
    rules = replace(space, specific=(code,), general=None).to_rules()
    classes = rules.classes
    at = {True: classes.index(space.positive), False: classes.index(space.negative)}
    open_ = np.ones(len(cells), dtype=np.bool_)
    counted = []
    for rule, box in zip(rules.rules, space.language.boxes(code), strict=True):
        low, high = np.array(box).T
        covered = ((low <= cells) & (cells <= high)).all(axis=1)
        mine = covered & open_
        counted.append(replace(rule, counts=_counts(labels[mine], at, len(classes))))
        open_ &= ~covered
    return replace(rules, rules=tuple(counted), default_counts=_counts(labels[open_], at, len(classes)))


def _counts(labels: Mask, at: dict[bool, int], n_classes: int) -> tuple[float, ...]:
    counts = [0.0] * n_classes
    counts[at[True]] += float(labels.sum())
    counts[at[False]] += float((~labels).sum())
    return tuple(counts)


class ListThenEliminate(ConceptLearner):
    """Every hypothesis is listed, and those that disagree with an example are dropped (Mitchell table 2.4).

    Only for small languages; `CandidateElimination` finds the same without listing them. Missing values and
    categories never declared are treated as there.

    Parameters
    ----------
    language, disjuncts, positive, undecided, unknown, schema
        As of `CandidateElimination`.

    Attributes
    ----------
    hypothesis_ : VersionSpace
        Its boundaries are the most specific and most general of those left.
    listing_ : tuple of Concept
        The hypotheses that are left.

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

    def fit(self, X: Any, y: Any) -> Self:
        """List the language and eliminate.

        Parameters
        ----------
        X : dataframe or array
        y : sequence of two classes
        """
        space, cells, labels = self._first_examples(X, y)
        language = space.language
        left = _eliminated(language, cells, labels)
        self.listing_ = tuple(Concept(language, code) for code in left)
        self.hypothesis_ = replace(
            space,
            specific=language.minimal(left),
            general=language.maximal(left),
            negatives=distinct(cells[~labels])[0],
            reason="" if left else clash_reason(language, cells, labels),
        )
        return self


def _eliminated(language: Language, cells: Cells, labels: Mask) -> list[Code]:
    """List the language a part at a time, and keep of each part what agrees with every example."""
    language.check_listable()
    hypotheses, left = language.hypotheses(), []
    while part := list(islice(hypotheses, LISTED_AT_ONCE)):
        agreeing = (language.coverage(part, cells) == labels).all(axis=1)
        left += [part[place] for place in np.flatnonzero(agreeing).tolist()]
    return left


def first_consistent(language: Language, cells: Cells, labels: Mask) -> Code | None:
    """Return the first hypothesis of a language that agrees with all examples (learning by enumeration)."""
    return next((code for code in language.hypotheses() if language.consistent(code, cells, labels)), None)
