"""Candidate elimination for noisy examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

from induce.concepts.bounded_errors import BoundedErrors, no_errors_yet
from induce.concepts.events import tell_boundaries, tell_start
from induce.concepts.facets import Cells
from induce.concepts.language import Mask
from induce.concepts.learners.base import ConceptLearner
from induce.core import trace
from induce.core.parameters import Declared, whole
from induce.core.values import Value
from induce.data.schema import Schema
from induce.estimators import ClassReading
from induce.hypotheses.naming import plural


class TolerantElimination(ConceptLearner):
    """All hypotheses with at most `max_errors` errors on the examples (Mitchell 2.8, bounded inconsistency).

    The set is represented by families of boundaries and never enumerated; votes, counts and predictions are
    exact, although it need not be convex. A repeated row counts twice. Missing values are rejected in
    training; in prediction, a missing value or an undeclared category satisfies only ``?``.

    Parameters
    ----------
    max_errors : int, default=1
        Maximum number of misclassified examples. The boundaries grow quickly with it.
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
    hypothesis_ : BoundedErrors
        The hypotheses that are left.

    See Also
    --------
    CandidateElimination : The version space by its boundaries.
    DisjunctiveVersionSpace : A version space for each example.

    References
    ----------
    H. Hirsh (1990). Incremental Version-Space Merging: A General Framework for Concept Learning. Kluwer.

    T. M. Mitchell (1982). Generalization as search. Artificial Intelligence 18, 203-226.

    Examples
    --------
    >>> import induce
    >>> learner = TolerantElimination(max_errors=1).fit(*induce.dataset("enjoy-sport"))
    >>> print(learner.hypothesis_)
    36 hypotheses err on at most 1 example; 40 lie between its boundaries, so it is not convex
    >>> print(learner.hypothesis_.vote(induce.dataset("enjoy-sport-new").X[:1]))
    1: don't know (8 for Yes, 28 against)
    """

    hypothesis_: BoundedErrors

    parameters: ClassVar[Declared] = {
        "max_errors": whole("Maximum number of examples that a hypothesis may misclassify.", at_least=0),
    }

    def __init__(
        self,
        *,
        max_errors: int = 1,
        language: str = "conjunctions",
        disjuncts: int = 2,
        positive: Value | None = None,
        undecided: str = "majority",
        unknown: Value = "?",
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.max_errors = max_errors
        self.language = language
        self.disjuncts = disjuncts
        self.positive = positive
        self.undecided = undecided
        self.unknown = unknown
        self.schema = schema

    def _learn(self, reading: ClassReading) -> BoundedErrors:
        first, cells, labels = self._first_examples(reading)
        tell_start(first.language, first.bounds)
        return self._eliminated(no_errors_yet(first.language, self.max_errors, first), cells, labels)

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
        space: BoundedErrors | None = self.__dict__.get("hypothesis_")
        if space is None:
            first, cells, labels = self._first_examples(self._read(X, y, None), classes)
            space = no_errors_yet(first.language, self.max_errors, first)
        else:
            counts, cells, labels = self._further_examples(space, X, y, classes)
            space = replace(space, counts=counts)
        self.hypothesis_ = self._eliminated(space, cells, labels)
        return self

    def _eliminated(self, space: BoundedErrors, cells: Cells, labels: Mask) -> BoundedErrors:
        """Learn from all examples at once, because their order does not matter; a trace reports each of them."""
        after = space.learn(cells, labels)
        if trace.active("boundaries"):
            before, wrong = space, f"errs more than {plural(self.max_errors, 'time')}"
            for number, (row, positive) in enumerate(zip(cells.tolist(), labels.tolist(), strict=True), 1):
                now = space.learn(cells[:number], labels[:number])
                tell_boundaries(
                    space.language,
                    before.bounds,
                    now.bounds,
                    number - 1,
                    row,
                    positive,
                    wrong,
                )
                before = now
        return after

    def _preference(self) -> str:
        wrong = f"at most {plural(self.max_errors, 'example')} may be misclassified"
        return "; ".join(filter(None, (wrong, super()._preference())))
