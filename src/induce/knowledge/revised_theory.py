"""Revised theory: the given rules next to the learned ones, as a hypothesis that predicts and exports itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.shapes import check_numbers
from induce.core.values import Value
from induce.data.frames import Floats
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.conflict_resolution import probabilities
from induce.hypotheses.expert_rules.rules import ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.exporting import PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Places, ProbabilisticClassifier
from induce.hypotheses.naming import plural, right_of_all, value_text

if TYPE_CHECKING:
    from induce.hypotheses.expressions.nodes import Expression

SIGNS = {"kept": " ", "dropped": "-", "new": "+"}


@dataclass(frozen=True)
class RevisedRule:
    """Rule of the given theory, and the rule that replaced it.

    Parameters
    ----------
    given, learned : str
        Rule before and after the revision; `given` is empty for a new rule, `learned` for a dropped one.
    status : str
        ``kept``, ``weakened (5 of 6)``, ``strengthened``, ``changed``, ``dropped`` or ``new``.
    before, after : (int, int)
        Numbers of training rows, of the theory's class and of other classes, on which the rule fires before and
        after the revision.
    """

    given: str
    learned: str
    status: str
    before: tuple[int, int]
    after: tuple[int, int]

    def __str__(self) -> str:
        lines = [f"{SIGNS.get(self.status, '~')} {self.given or self.learned}"]
        if self.given and self.learned and self.given != self.learned:
            lines.append(f"  → {self.learned}")
        fired = f"fired on {self.before[0]}+ {self.before[1]}-" if self.given else ""
        fires = f"{'now' if self.given else 'fires on'} {self.after[0]}+ {self.after[1]}-"
        told = ", ".join(part for part in (fired, fires if self.learned else "") if part)
        lines.append(f"    {self.status}; {told}")
        return "\n".join(lines)


@dataclass(frozen=True)
class ProofExplanation(Explained):
    """Prediction with the rules that prove it; without rules if the target cannot be proved.

    Parameters
    ----------
    prediction : str, int, float or bool
    concept : str
    rules : tuple of str
        Rules of one proof, from the target down.
    """

    prediction: Value
    concept: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        said = value_text(self.prediction)
        if not self.rules:
            return f"{said} because no rule proves {self.concept or 'anything'}"
        return "\n  ".join([f"{said} because {self.concept} is proved by", *self.rules])


@dataclass(frozen=True, eq=False)
class RevisedTheory(SqlForm, PythonForm, ProbabilisticClassifier):
    """Rules over columns, revised where rows supported it.

    Parameters
    ----------
    schema : Schema
        Columns of the table.
    target : str
        Column that is predicted.
    classes : tuple
        Class labels.
    place : int
        Index of the class that the theory is about.
    concept : str
        Concept that stands for this class.
    given : str
        Given theory; empty if there was none.
    text : str
        Revised theory, in the form of the given one; empty if no rule is left.
    columns : tuple of (str, str)
        Patterns that map literals of several arguments to columns.
    rules : tuple of RevisedRule
        Fate of each given rule, and the new rules.
    counts : two tuples of float
        Numbers of training rows of each class for which the theory does not hold, and for which it holds.
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    place: int
    concept: str
    given: str
    text: str
    columns: tuple[tuple[str, str], ...]
    rules: tuple[RevisedRule, ...]
    counts: tuple[tuple[float, ...], tuple[float, ...]]

    @cached_property
    def theory(self) -> ExpertRules | None:
        """Revised rules; None if there are none."""
        if not self.text:
            return None
        return ExpertRules(self.schema, self.text, self.concept, self.columns)

    def holds(self, X: Any) -> NDArray[np.bool_]:
        """Return the rows for which the theory holds."""
        table = self.encoded(X)
        return np.zeros(len(table), np.bool_) if self.theory is None else self.theory.holds(table)

    def given_holds(self, X: Any) -> NDArray[np.bool_]:
        """Return the rows for which the given theory holds."""
        table = self.encoded(X)
        if not self.given:
            return np.zeros(len(table), np.bool_)
        return ExpertRules(self.schema, self.given, self.concept, self.columns).holds(table)

    def places(self, X: Any) -> Places:
        """Return, for each row, the index in `classes` of the prediction."""
        return np.where(self.holds(X), self.place, self._other)

    @property
    def _other(self) -> int:
        return 1 - self.place if len(self.classes) > 1 else 0

    def _scores(self, table: Table) -> Floats:
        held = self.holds(table)
        counts = np.array(self.counts, np.float64)[held.astype(int)]
        return probabilities(counts, np.where(held, self.place, self._other).astype(np.intp))

    def explain(self, X: Any) -> tuple[ProofExplanation, ...]:
        """Return, for each row, the rules that prove its class."""
        table = self.encoded(X)
        if not len(table):
            return ()
        truths = {} if self.theory is None else self.theory.truths(table)
        found = []
        for row, place in enumerate(self.places(table)):
            rules: list[str] = []
            if self.theory is not None and truths[self.concept][row]:
                self._prove(self.concept, row, table, truths, rules)
            found.append(ProofExplanation(self.classes[place], self.concept, tuple(rules)))
        return tuple(found)

    def _prove(
        self, concept: str, row: int, table: Table, truths: Mapping[str, NDArray[np.bool_]], rules: list[str]
    ) -> None:
        assert self.theory is not None
        for rule in self.theory.by_head[concept]:
            if self.theory.fires(rule, table, truths)[row]:
                if str(rule) not in rules:
                    rules.append(str(rule))
                for one in rule.body:
                    if isinstance(one.of, str) and not one.negated and truths[one.of][row]:
                        self._prove(one.of, row, table, truths, rules)
                return

    def expression(self) -> Expression:
        """Return the prediction as an expression: the theory's class where the theory holds."""
        from induce.hypotheses.expert_rules.exports import concept_test
        from induce.hypotheses.expressions.nodes import Case, Constant

        other = Constant(self.classes[self._other])
        if self.theory is None:
            return other
        holds = concept_test(self.theory, self.concept)
        return Case(((holds, Constant(self.classes[self.place])),), other)

    def size(self) -> str:
        """Return a text that states the size of the theory."""
        rules = () if self.theory is None else self.theory.clauses
        return f"{plural(len(rules), 'rule')}, {plural(sum(len(rule.body) for rule in rules), 'condition')}"

    def parts(self) -> Parts:
        """Return the number of conditions and conclusions."""
        rules = () if self.theory is None else self.theory.clauses
        return Parts(sum(len(rule.body) + 1 for rule in rules) + 1, "conditions and conclusions")

    def __str__(self) -> str:
        told = [str(rule) for rule in self.rules]
        means = [
            f"{self.concept or 'the theory'} holds: {value_text(self.classes[self.place])} "
            f"({right_of_all(self.classes[self.place], self.classes, self.counts[1])}), "
            f"else {value_text(self.classes[self._other])} "
            f"({right_of_all(self.classes[self._other], self.classes, self.counts[0])})"
        ]
        return "\n".join([*told, *means])

    def draw(self) -> Any:
        """Return a figure that shows, for each rule, the rows on which it fired before and fires now."""
        from induce.knowledge.pictures import draw_revision

        return draw_revision(self)

    def check(self) -> None:
        """Raise an `InputError` if the fields are inconsistent, as in a damaged file."""
        if not 0 <= self.place < max(len(self.classes), 1):
            raise InputError(f"the theory is about class {self.place} of {len(self.classes)}")
        if len(self.counts) != 2 or any(len(counts) != len(self.classes) for counts in self.counts):
            raise InputError("the theory needs the counts of each class where it holds and where it does not")
        check_numbers("counts", self.counts, at_least=0)
        _ = self.theory


def status_of(given: ExpertRule | None, learned: ExpertRule | None) -> str:
    """Return a text that describes the change to a rule.

    Examples
    --------
    >>> from induce.hypotheses.expert_rules.rules import Antecedent
    >>> a, b, c = (Antecedent(name) for name in "abc")
    >>> status_of(ExpertRule("x", (a, b, c), 3), ExpertRule("x", (a, b, c), 2))
    'weakened (2 of 3)'
    >>> status_of(ExpertRule("x", (a, b), 2), ExpertRule("x", (a,), 1))
    'weakened (without b)'
    """
    if learned is None:
        return "dropped"
    if given is None:
        return "new"
    if given == learned:
        return "kept"
    before, after = list(given.body), list(learned.body)
    if before == after:
        verb = "weakened" if learned.at_least < given.at_least else "strengthened"
        return f"{verb} ({learned.at_least} of {len(after)})"
    less = [str(one) for one in before if one not in after]
    more = [str(one) for one in after if one not in before]
    if learned.is_conjunction and not more:
        return f"weakened (without {', '.join(less)})"
    if given.is_conjunction and learned.is_conjunction and not less:
        return f"strengthened (with {', '.join(more)})"
    return "changed"
