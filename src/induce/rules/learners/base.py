"""Base of rule learners: their parameters, and reading the table.

Rules are learned inside `induce.core.interrupts.interruptible`, so that Ctrl-C keeps the rules found so far.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from induce.core.parameters import Declared, items, mapping, whole
from induce.estimators import ClassReading
from induce.estimators.guidance import KnowledgeLearner
from induce.hypotheses.explanation import Explanation
from induce.hypotheses.rules import RuleList
from induce.rules.training import Problem


class RuleClassifier(KnowledgeLearner):
    """Base of rule learners: parameters and reading the table."""

    parameters: ClassVar[Declared] = {
        "max_length": whole(
            "Maximum number of conditions of a rule; None sets no limit.", at_least=1, none=True
        ),
        "max_rules": whole("Maximum number of rules; None sets no limit.", at_least=1, none=True),
        "require": items("Conditions that every rule must contain, such as 'age > 18'.", "conditions"),
        "forbid": items("Columns and conditions that no rule may contain.", "columns and conditions"),
        "monotone": mapping(
            "Monotone columns: larger values never favour an earlier class ('increasing') or a later one.",
            "a dict from columns to 'increasing' or 'decreasing'",
            none=True,
        ),
        "rules": items("Expert rules, refined by the examples; they precede the learned rules.", "rules"),
    }
    hypothesis_: RuleList

    def explain(self, X: Any, *, nearest: bool = False) -> tuple[Explanation, ...]:
        """Return the deciding rule for each row of `X` and, with `nearest`, the rule that came closest."""
        return cast(RuleList, self._fitted(X)).explain(X, nearest=nearest)

    def _problem(self, X: Any, y: Any, sample_weight: Any) -> Problem:
        """Encode the training table."""
        return problem_of(self._read(X, y, sample_weight))


def problem_of(reading: ClassReading) -> Problem:
    """Return a training table for rule learners; rows of weight zero are dropped."""
    return Problem(reading.examples(), *reading.names)
