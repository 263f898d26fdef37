"""Base class of learners that use domain theories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from induce.analytical.column_theory import ColumnTheory
from induce.analytical.derived_theory import DerivedTheory
from induce.analytical.diagnosis import tell_gaps
from induce.analytical.justification import Justification
from induce.analytical.table_cases import are_cases, case_schema, cases
from induce.core.errors import InputError
from induce.core.estimator import HypothesisClassifier
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameters import Declared, instance, truth
from induce.data.schema import Schema
from induce.estimators.relations import RelationalClassifier
from induce.hypotheses.theory import Derivation
from induce.logic.clauses import Clause, Predicate
from induce.logic.coverage.examples import Examples
from induce.logic.domain_theory import DomainTheory
from induce.logic.library import is_built_in
from induce.logic.stratification import written

NOTHING = "target"
"""Name of the target if there is no theory."""


@dataclass(frozen=True)
class Learned:
    """Clause with its justification."""

    clause: Clause
    justification: Justification


class TheoryGuidedClassifier(RelationalClassifier):
    """Learner of clauses entailed by a domain theory."""

    parameters: ClassVar[Declared] = {
        "theory": instance(
            "Domain theory that defines the target; without one, nothing is learned.",
            "DomainTheory",
            none=True,
            otherwise="give a DomainTheory, built from Prolog text",
        ),
        "fallback": truth("Whether the theory classifies examples not covered by a learned clause."),
    }
    theory: DomainTheory | None
    fallback: bool
    hypothesis_: DerivedTheory | ColumnTheory  # type: ignore[assignment]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # without a theory nothing can be explained
        tags.classifier_tags.poor_score = True
        return tags

    @property
    def target(self) -> str:  # type: ignore[override]
        """Name of the target relation, as given by the theory."""
        return NOTHING if self.theory is None else self.theory.predicate[0]

    def explain(self, X: Any, full: bool = False) -> tuple[Derivation, ...]:
        """Return the proof of each row of `X`, by one learned clause or by the whole theory."""
        return cast(DerivedTheory, self._fitted(X)).explain(X, full)

    def _learned_cases(self, X: Any, y: Any) -> bool:
        """Learn from a table of cases if its columns are predicates of the theory; return whether they are."""
        if self.theory is None or self.background is not None or not are_cases(X, self.theory):
            return False
        self._begin_fit()
        facts, rows = cases(X)
        inner = clone(self).set_params(background=facts).fit(rows, y)
        self._take_cases(X, inner, case_schema(X, self.theory))
        return True

    def _take_cases(self, X: Any, inner: TheoryGuidedClassifier, schema: Schema) -> None:
        """Adopt the results of a learner that was fitted to the cases of a table as facts."""
        self._seen(X, schema.names())
        for name in ("classes_", "unexplained_"):
            if hasattr(inner, name):
                setattr(self, name, getattr(inner, name))
        self.hypothesis_ = ColumnTheory.of(cast(DerivedTheory, inner.hypothesis_), schema)

    def _examples(self, X: Any, y: Any) -> Examples:
        examples = super()._examples(X, y)
        if self.theory is None:
            note("there is no theory, so no example can be explained; give theory=DomainTheory(...)")
            return examples
        if examples.target[1] != self.theory.predicate[1]:
            raise InputError(
                f"X has {examples.target[1]} columns, but the theory is about "
                f"{written(self.theory.predicate)}; give one column per argument"
            )
        tell_gaps(self.theory, examples.relations.predicates())
        relations = examples.relations.with_predicates(_operational(self.theory))
        return replace(examples, relations=relations)

    def _derived(
        self, examples: Examples, learned: Sequence[Learned], explained: NDArray[np.bool_] | None = None
    ) -> DerivedTheory:
        """Return the hypothesis for the given clauses, with the counts of examples that each is the first to
        cover.

        `explained` marks the positive examples that the theory proves, if known already.
        """
        theory = self.theory or DomainTheory(f"{NOTHING} :- fail.", NOTHING)
        if self.theory is None and examples.positive.all():
            # without negative examples, everything is positive
            learned = [Learned(Clause(examples.head), Justification("", "", ()))]
        draft = DerivedTheory(
            examples.target[0],
            examples.columns,
            examples.classes,
            "\n".join(str(each.clause) for each in learned),
            ((0.0, 0.0),) * len(learned),
            (0.0, 0.0),
            examples.relations,
            theory=theory,
            justifications=tuple(each.justification for each in learned),
            falls_back=self.fallback and self.theory is not None,
            proved=self._proved(examples, explained),
        )
        return cast(DerivedTheory, draft.counted(draft.deciding_rows(examples.rows), examples.positive))

    def _proved(self, examples: Examples, explained: NDArray[np.bool_] | None) -> tuple[float, float]:
        """Return the numbers of negative and positive examples that the theory proves; a note reports its errors."""
        if self.theory is None:
            return 0.0, 0.0
        proved = np.zeros(len(examples), np.bool_) if explained is None else explained.copy()
        open_ = np.flatnonzero(
            ~examples.positive if explained is not None else np.ones(len(examples), np.bool_)
        )
        if len(open_):
            prover = examples.relations.prover(self.theory.program.clauses, unknown="fail")
            proved[open_] = prover.holds_each([examples.literal(examples.rows[row]) for row in open_])
        wrong = int((proved & ~examples.positive).sum())
        missed = int((~proved & examples.positive).sum())
        if wrong:
            note(f"the theory proves {wrong} of {int((~examples.positive).sum())} negative examples")
        if missed:
            note(
                f"the theory has no proof of {missed} of {int(examples.positive.sum())} positive examples; see "
                "induce.analytical.diagnose"
            )
        return float(wrong), float((proved & examples.positive).sum())

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        theory = cast(DerivedTheory, hypothesis).theory
        if isinstance(hypothesis, ColumnTheory):
            HypothesisClassifier._restore(self, hypothesis, state)
            self.background, self.classes_ = None, np.asarray(state["classes"])
        else:
            super()._restore(hypothesis, state)
        self.theory = None if theory.predicate == (NOTHING, 0) else theory

    def _saved_parameters(self) -> dict[str, Any]:
        # the hypothesis contains the theory
        return {name: value for name, value in super()._saved_parameters().items() if name != "theory"}


def _operational(theory: DomainTheory) -> set[Predicate]:
    """Return the predicates that the theory calls but that only facts about the examples can define."""
    called = {literal.predicate for clause in theory.program for literal in clause.body}
    return {one for one in called if one not in theory.program.by_predicate and not is_built_in(one)}
