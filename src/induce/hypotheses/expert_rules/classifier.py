"""Expert rules as a hypothesis that predicts a class, explains it, and exports to Prolog, SQL and Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.frames import Floats
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.conflict_resolution import probabilities
from induce.hypotheses.expert_rules.rules import ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules, Mask
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Places, ProbabilisticClassifier
from induce.hypotheses.naming import plural, value_text

if TYPE_CHECKING:
    from induce.hypotheses.expressions.nodes import Expression


@dataclass(frozen=True)
class FiredRules(Explained):
    """A prediction of expert rules, with the rules that fire for the row; those for the predicted class come first.

    Parameters
    ----------
    prediction : str, int, float or bool
    rules : tuple of ExpertRule
        Rules that fire; empty if the default decided.
    """

    prediction: Value
    rules: tuple[ExpertRule, ...]

    def __str__(self) -> str:
        said = value_text(self.prediction)
        if not self.rules:
            return f"{said} by default, because no rule for another class holds"
        if len(self.rules) == 1:
            return f"{said} because {self.rules[0]}"
        return "\n  ".join([f"{said} because", *map(str, self.rules)])


@dataclass(frozen=True)
class ExpertClassifier(SqlForm, PythonForm, OnnxForm, ProbabilisticClassifier):
    """Expert rules as a classifier: the first class whose concept holds, else the default.

    Missing values and unseen categories satisfy no condition.

    Parameters
    ----------
    schema : Schema
        Schema of the input columns.
    target : str
        Name of the target.
    classes : tuple
        Classes, in declared order.
    theory : ExpertRules
        Domain theory that defines the concepts.
    concepts : tuple of str
        Concept of each class; empty if no rule concludes it.
    default : str, int, float or bool
        Class of rows for which no concept holds.
    counts : tuple of tuple of float
        Number of training rows of each class decided by each class's concept and, last, by the default.
        Normalised counts are the probabilities; without counts each prediction has probability 1.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> schema = Schema((Column("light", "nominal", ("no", "yes")), Column("size")))
    >>> theory = ExpertRules(schema, "IF light AND small THEN cup\\nIF size <= 12 THEN small", "cup")
    >>> cups = ExpertClassifier(schema, "is", ("mug", "cup"), theory, ("", "cup"), "mug")
    >>> print(cups)
    IF light = yes AND small THEN cup
    IF size <= 12 THEN small
    is: cup if cup, else mug
    >>> print(cups.explain([["yes", 10.0]])[0])
    cup because
      IF light = yes AND small THEN cup
      IF size <= 12 THEN small
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    theory: ExpertRules
    concepts: tuple[str, ...]
    default: Value
    counts: tuple[tuple[float, ...], ...] = ()

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        self.theory.check()
        if len(self.concepts) != len(self.classes) or self.default not in self.classes:
            raise InputError(
                "expert rules need one concept per class (possibly empty) and a default among the classes"
            )
        unknown = [each for each in self.concepts if each and each not in self.theory.by_head]
        if unknown:
            raise InputError(f"no rule concludes {unknown[0]!r}")
        if self.counts and {len(each) for each in self.counts} != {len(self.classes)}:
            raise InputError("expert rules need one count per class for each concept and the default")

    @cached_property
    def used(self) -> tuple[ExpertRule, ...]:
        """Return the rules on which the prediction depends, in the order of the text."""
        open_, found = [each for each in self.concepts if each], set()
        while open_:
            head = open_.pop()
            if head not in found:
                found.add(head)
                for rule in self.theory.by_head[head]:
                    open_ += [one.of for one in rule.body if isinstance(one.of, str)]
        return tuple(rule for rule in self.theory.clauses if rule.head in found)

    def counted(self, X: Any, labels: Any) -> ExpertClassifier:
        """Return the rules with probabilities estimated from rows, given the class index of each."""
        from dataclasses import replace

        decider = self._decider(self.encoded(X))
        counts = np.zeros((len(self.classes) + 1, len(self.classes)))
        np.add.at(counts, (decider, np.asarray(labels, np.intp)), 1.0)
        return replace(self, counts=tuple(tuple(row) for row in counts.tolist()))

    def places(self, X: Any) -> Places:
        """Return the index in `classes` of the predicted class of each row."""
        return self._heads()[self._decider(self.encoded(X))]

    def _heads(self) -> Places:
        return np.array([*range(len(self.classes)), self.classes.index(self.default)], np.intp)

    def _decider(self, table: Table) -> Places:
        """Return, for each row, the index of the class whose concept decides, or the number of classes."""
        truths = self.theory.truths(table)
        found = np.full(len(table), len(self.classes), np.intp)
        for place in reversed(range(len(self.classes))):
            if self.concepts[place]:
                found[truths[self.concepts[place]]] = place
        return found

    def _scores(self, table: Table) -> Floats:
        decider = self._decider(table)
        n = len(self.classes)
        counts = np.array(self.counts) if self.counts else np.zeros((n + 1, n))
        return probabilities(counts[decider], self._heads()[decider])

    def explain(self, X: Any) -> tuple[FiredRules, ...]:
        """Return, for each row, the rules that fire and lead to its class."""
        table = self.encoded(X)
        truths = self.theory.truths(table)
        fired = {rule: self.theory.fires(rule, table, truths) for rule in self.used}
        places, decider = self.places(table), self._decider(table)
        found = []
        for row, place in enumerate(places):
            by_default = decider[row] == len(self.classes)
            concept = "" if by_default else self.concepts[decider[row]]
            rules = self._leading(concept, fired, row) if concept else ()
            found.append(FiredRules(self.classes[place], rules))
        return tuple(found)

    def _leading(self, concept: str, fired: dict[ExpertRule, Mask], row: int) -> tuple[ExpertRule, ...]:
        """Return the rules that fire for a row and lead to a concept, top down."""
        found: dict[ExpertRule, None] = {}
        open_ = [concept]
        while open_:
            head = open_.pop(0)
            for rule in self.theory.by_head[head]:
                if fired[rule][row] and rule not in found:
                    found[rule] = None
                    open_ += [one.of for one in rule.body if isinstance(one.of, str) and not one.negated]
        return tuple(found)

    def size(self) -> str:
        """Return the number of rules and conditions."""
        n = sum(len(rule.body) for rule in self.used)
        return f"{plural(len(self.used), 'rule')}, {plural(n, 'condition')}"

    def parts(self) -> Parts:
        """Return the number of conditions and conclusions."""
        return Parts(sum(len(rule.body) + 1 for rule in self.used), "conditions and conclusions")

    def __str__(self) -> str:
        cases = [
            f"{value_text(value)} if {concept}"
            for value, concept in zip(self.classes, self.concepts, strict=True)
            if concept
        ]
        decision = f"{value_text(self.target)}: {', '.join([*cases, f'else {value_text(self.default)}'])}"
        return "\n".join([*map(str, self.used), decision])

    def expression(self) -> Expression:
        """Return the rules as an expression: the first class whose concept holds."""
        from induce.hypotheses.expert_rules.exports import concept_test
        from induce.hypotheses.expressions.nodes import Case, Constant

        branches = tuple(
            (concept_test(self.theory, concept), Constant(value))
            for value, concept in zip(self.classes, self.concepts, strict=True)
            if concept
        )
        return Case(branches, Constant(self.default)) if branches else Constant(self.default)

    def to_prolog(self) -> str:
        """Return clauses of `class(Row, Class)` and of the concepts, over facts such as `outlook(d1, sunny)`."""
        from induce.hypotheses.expert_rules.exports import prolog_classes

        return prolog_classes(self)
