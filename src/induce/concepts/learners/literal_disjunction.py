"""Disjunctions of literals, learned in one pass: the dual of Find-S (Mitchell exercise 2.9)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.concepts.bias import InductiveBias
from induce.concepts.facets import Cells, Facet, Run
from induce.concepts.learners.base import ConceptLearner
from induce.core import trace
from induce.core.errors import InputError
from induce.core.parameters import Declared, choice
from induce.core.values import Value
from induce.data.schema import Schema
from induce.estimators import ClassReading
from induce.hypotheses.rules import Rule, RuleList


class LiteralDisjunction(ConceptLearner):
    """The most general disjunction of tests of single attributes that agrees with the examples.

    It starts with all tests ``attribute = value`` and drops those that a negative example passes; every
    positive example must pass a remaining one. For two-valued attributes, the tests are the attributes and
    their negations. For an ordered or numeric attribute, the widest intervals without a negative remain. The
    time is linear in the number of cells of the table. Missing values are rejected in training and pass no
    test in prediction, like undeclared categories.

    Parameters
    ----------
    positives : {"check", "ignore"}, default="check"
        Use of positive examples; only negative examples drop tests. With "check", a positive example that
        passes no remaining test is an error, because no disjunction of tests agrees with the examples. With
        "ignore", it is not.
    positive : str, int, float or bool, optional
        Class of the concept; see `CandidateElimination`.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : RuleList
        The hypothesis as rules, one per test.

    See Also
    --------
    CandidateElimination : The version space by its boundaries.
    FindS : The most specific conjunction.

    References
    ----------
    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, exercise 2.9.

    Examples
    --------
    >>> X = [["T", "F", "T"], ["F", "F", "T"], ["F", "T", "T"]]
    >>> schema = {f"x{j}": {"domain": ("T", "F")} for j in range(3)}
    >>> print(LiteralDisjunction(schema=schema).fit(X, ["+", "-", "-"]).hypothesis_)
    IF x0 = T THEN + (1/1)
    IF x2 = F THEN + (0/0)
    DEFAULT - (2/2)
    """

    hypothesis_: RuleList
    experience = "direct, supervised: labelled examples, mainly the negative ones"
    language = "conjunctions"
    disjuncts = 1
    undecided = "majority"
    unknown = "?"

    parameters: ClassVar[Declared] = {
        "positives": choice("Use of positive examples.", "check", "ignore"),
    }

    def __init__(
        self,
        *,
        positives: str = "check",
        positive: Value | None = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.positives = positives
        self.positive = positive
        self.schema = schema

    def _learn(self, reading: ClassReading) -> RuleList:
        space, cells, labels = self._first_examples(reading)
        language = space.language
        rules = []
        covered = np.zeros(len(cells), dtype=np.bool_)
        for place, facet in enumerate(language.attributes.facets):
            column = cells[:, place]
            for low, high in _without(facet, column[~labels]):
                passing = (low <= column) & (column <= high)
                if facet.thresholds and 0 < low <= high < len(facet) - 1 and not passing.any():
                    continue  # an empty interval between two negatives is rejected
                fresh = float((passing & ~covered).sum())
                covered |= passing
                condition = facet.condition((low, high))
                counts = tuple(fresh if value == space.positive else 0.0 for value in space.classes)
                rules.append(Rule(() if condition is None else (condition,), space.positive, counts))
                trace.emit(
                    "literal", test=str(condition or "TRUE"), positives=int(passing.sum()), new=int(fresh)
                )
        if self.positives == "check" and (labels & ~covered).any():
            row = int(np.flatnonzero(labels & ~covered)[0])
            raise InputError(
                "no disjunction of tests agrees with the examples: every value of positive row "
                f"{row + 1} occurs in a negative row; use a richer language"
            )
        n_left = {True: float((labels & ~covered).sum()), False: float((~labels).sum())}
        left = tuple(n_left[value == space.positive] for value in space.classes)
        n_all = {True: float(labels.sum()), False: float((~labels).sum())}
        everything = tuple(n_all[value == space.positive] for value in space.classes)
        return RuleList(
            space.schema,
            space.target,
            space.classes,
            tuple(rules),
            space.negative,
            left,
            class_counts=everything,
        )

    def inductive_bias(self) -> InductiveBias:
        """Return the assumptions that the learner makes beyond the examples."""
        return InductiveBias(
            "the concept is a disjunction of tests of single attributes",
            "the most general hypothesis is right",
        )


def _without(facet: Facet, negatives: Cells) -> list[Run]:
    """Return the values that no negative example has; for an ordered attribute, the widest runs of them."""
    free = np.ones(len(facet), dtype=np.bool_)
    free[negatives] = False
    if not facet.line:
        return [(cell, cell) for cell in np.flatnonzero(free).tolist()]
    ends = np.flatnonzero(np.diff(np.concatenate([[False], free, [False]]).astype(np.int8))).tolist()
    return [(first, last - 1) for first, last in zip(ends[::2], ends[1::2], strict=True)]
