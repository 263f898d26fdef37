"""Disjunctions of literals, learned in one pass: the dual of Find-S (Mitchell exercise 2.9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from induce.concepts.facets import Taxonomy
from induce.concepts.training import ConceptLearner
from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.conditions import Is
from induce.hypotheses.rules import Rule, RuleList


class LiteralDisjunction(ConceptLearner):
    """The most general disjunction of tests ``attribute = value`` that agrees with the examples.

    All tests are taken, and those that a negative example passes are dropped; every positive example must pass one
    that is left. It takes time in proportion to the cells of the table. For two-valued attributes the tests are the
    attributes and their negations. Missing values are refused in training and pass no test in prediction, as
    categories never declared.

    Parameters
    ----------
    positive : str, int, float or bool, optional
        The class that is the concept; see `CandidateElimination`.
    schema : Schema or dict, optional
        What is known of the columns beyond their types.

    Attributes
    ----------
    hypothesis_ : RuleList
        One rule for each test.

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
    language = "nominal"
    disjuncts = 1
    undecided = "majority"
    unknown = "?"
    taxonomies: Mapping[str, Taxonomy] | None = None

    def __init__(
        self, *, positive: Value | None = None, schema: Schema | dict[str, Any] | None = None
    ) -> None:
        self.positive = positive
        self.schema = schema

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from all rows.

        Parameters
        ----------
        X : dataframe or array
            Nominal columns.
        y : sequence of two classes
        """
        self._forget()
        language, space, cells, labels = self._examples(X, y)
        self._seen(X, space.schema.names())
        tests = []
        covered = np.zeros(len(cells), dtype=np.bool_)
        template = space.to_rules()
        classes = template.classes
        at = classes.index(space.positive)
        for place, facet in enumerate(language.attributes.facets):
            for cell, value in enumerate(facet.cells):
                passing = cells[:, place] == cell
                if not (passing & ~labels).any():
                    fresh = passing & ~covered
                    covered |= passing
                    counts = tuple(float(fresh.sum()) if k == at else 0.0 for k in range(len(classes)))
                    tests.append(Rule((Is(facet.name, value),), space.positive, counts))
        if (labels & ~covered).any():
            row = int(np.flatnonzero(labels & ~covered)[0])
            raise InputError(
                f"no disjunction of tests agrees with the examples: every value of positive row {row + 1} occurs in "
                "a negative one; use a richer language"
            )
        left = tuple(0.0 if k == at else float((~labels).sum()) for k in range(len(classes)))
        self.hypothesis_ = RuleList(
            template.schema, template.target, classes, tuple(tests), space.negative, left
        )
        return self
