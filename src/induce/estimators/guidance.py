"""`knowledge=` of classifiers: rules as columns or as a starting point, and laws that always hold."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, Self

from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameters import Declared, anything
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.estimators import ClassReading, ReadingClassifier
from induce.estimators.rule_choice import supported
from induce.hypotheses.conditions import covered_by_all
from induce.hypotheses.expert_rules.classes import check_conclusions, concepts_of
from induce.hypotheses.expert_rules.classifier import ExpertClassifier
from induce.hypotheses.expert_rules.oddities import note_oddities
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.guided import GuidedModel, read_laws, with_concepts
from induce.hypotheses.knowledge import Knowledge
from induce.hypotheses.naming import value_text

KNOWLEDGE = anything(
    "Rules and laws that guide learning.",
    "rules as text, a Knowledge, a dict of its parts, or a hypothesis with rules",
)
REFINED = ("require", "forbid", "monotone")
"""Parts of knowledge that rule learners also take as parameters."""


class KnowledgeLearner(ReadingClassifier):
    """A classifier that accepts knowledge.

    Every prediction obeys the laws. A learner lists in `uses` the other parts that it supports; the rest is refused.
    Rules become yes/no columns, which the learner may test, unless it overrides `_learn_guided`. Rules that raise the
    cross-validated error on the training rows are not used. Without examples the rules are the hypothesis. Without
    knowledge nothing changes.
    """

    parameters: ClassVar[Declared] = {"knowledge": KNOWLEDGE}
    uses: ClassVar[tuple[str, ...]] = ("rules",)
    """Parts of knowledge that the learner supports besides laws."""
    left_out: ClassVar[str] = "each rule"
    """Unit that may be left out: "each rule", "all rules", or "" if the learner leaves out rules itself."""
    knowledge: Any = None
    _in_use: Knowledge | None = None
    """Knowledge in use during `fit`; None outside."""

    def _known(self) -> Knowledge:
        """Return the given knowledge; a part that the learner does not support is refused."""
        if self._in_use is not None:
            return self._in_use
        if isinstance(self.knowledge, str) and not self.knowledge.strip():
            raise InputError("the theory is empty; give rules IF … THEN …, or Prolog clauses")
        return Knowledge.of(self.knowledge).only(type(self).__name__, ("laws", *self.uses))

    def _begins_with_theory(self) -> bool:
        return bool(self._known().rules)

    def _keep(self, reading: ClassReading) -> None:
        self._check_classes(reading)
        known = self._known()
        if known.rules and self._in_use is None and not (known.concept or self._theory_options()[0]):
            check_conclusions(known.theory(reading.schema, *self._theory_options()), reading.classes)
        if self.left_out and known.rules and self._in_use is None and not reading.says_nothing():

            def read() -> ExpertRules:
                return known.theory(reading.schema, *self._theory_options())

            used = supported(known, read, reading, self._trial, self.left_out == "each rule")
        else:
            used = known
        before, self._in_use = self._in_use, used
        try:
            model: Any = self._learn_guided(used, reading) if used.parts() else self._learn(reading)
        finally:
            self._in_use = before
        self.hypothesis_ = lawful(model, used, reading.schema, reading.target)

    def _check_classes(self, reading: ClassReading) -> None:
        """Raise an `InputError` if the learner cannot use knowledge about these classes."""

    def _theory_options(self) -> tuple[Any, ...]:
        """Return the concept and the columns given beside the knowledge."""
        return getattr(self, "concept", ""), getattr(self, "columns", None)

    def _trial(self, known: Knowledge) -> Self:
        """Return an unfitted copy that uses the given knowledge as it is."""
        from sklearn.base import clone

        own: Self = clone(self)
        own._in_use = known
        return own

    def _learn_guided(self, known: Knowledge, reading: ClassReading) -> Hypothesis:
        """Learn with knowledge; laws are applied afterwards."""
        if not known.rules:
            return self._learn(reading)
        theory = known.theory(reading.schema)
        note_oddities(theory)
        silent = reading.says_nothing()
        if silent:
            note(f"{silent}, so the theory itself becomes the hypothesis")
            return theory_alone(theory, reading)
        columns = concept_columns(theory, reading.schema)
        table = with_concepts(reading.table, theory, columns)
        wider = replace(reading, schema=table.schema)
        wider.__dict__["table"] = table  # columns that the reading would encode
        model: Any = self._learn(wider)
        return GuidedModel(*reading.names, model, (), (theory,), columns)


class TheoryLearner(KnowledgeLearner):
    """A learner whose `_learn` uses the rules in its own way, changes them, and takes longer for it."""

    left_out = "all rules"

    def _learn_guided(self, known: Knowledge, reading: ClassReading) -> Hypothesis:
        return self._learn(reading)


class RefiningLearner(KnowledgeLearner):
    """A rule learner that refines an expert's rules: they join its parameters `rules`, `require` and so on."""

    uses: ClassVar[tuple[str, ...]] = ("rules", *REFINED)

    def _learn_guided(self, known: Knowledge, reading: ClassReading) -> Hypothesis:
        own: Any = copy(self)
        for part in ("require", "forbid"):
            setattr(own, part, (*getattr(self, part), *getattr(known, part)))
        own.monotone = {**(own.monotone or {}), **known.monotone} or None
        if known.rules:
            theory = known.theory(reading.schema)
            note_oddities(theory)
            silent = reading.says_nothing()
            if silent:
                note(f"{silent}, so the theory itself becomes the hypothesis")
                return theory_alone(theory, reading)
            own.rules = (*own.rules, *flat_rules(theory, reading.table, reading.classes))
        return own._learn(reading)  # type: ignore[no-any-return]


def lawful(model: Any, known: Knowledge, schema: Schema, target: str) -> Any:
    """Return a model that obeys the laws of some knowledge; the model itself if there are none."""
    classes = tuple(model.classes)
    laws = read_laws(known, schema, classes)
    if not laws:
        return model
    if isinstance(model, GuidedModel):
        return replace(model, laws=laws)
    return GuidedModel(schema, target, classes, model, laws)


def theory_alone(theory: ExpertRules, reading: ClassReading) -> ExpertClassifier:
    """Return the rules unchanged, as a classifier."""
    classes = reading.classes
    concepts = concepts_of(theory, classes) or {0: theory.about()}
    default = next((value for place, value in enumerate(classes) if place not in concepts), classes[0])
    said = tuple(concepts.get(place, "") for place in range(len(classes)))
    return ExpertClassifier(*reading.names, theory, said, default)


def concept_columns(theory: ExpertRules, schema: Schema) -> tuple[tuple[str, str], ...]:
    """Return each concept of a theory with a unique column name."""
    taken, found = set(schema.names()), []
    for head in theory.concepts:
        name = head
        while name in taken:
            name += "_"
        taken.add(name)
        found.append((head, name))
    return tuple(found)


def flat_rules(theory: ExpertRules, table: Table, classes: tuple[Value, ...]) -> list[str]:
    """Return rules over columns for each class: the unfolded rules of its concept that cover some row."""
    found, silent = [], 0
    for place, concept in concepts_of(theory, classes).items():
        for way in theory.unfolded(concept):
            if any(isinstance(one.of, str) or one.negated for one in way):
                raise InputError(
                    f"the rules for {concept} contain a negation, which cannot be refined; test the "
                    "opposite value instead"
                )
            conditions = [one.of for one in way if not isinstance(one.of, str)]
            if not covered_by_all(tuple(conditions), table).any():
                silent += 1
                continue
            found.append(f"IF {' AND '.join(map(str, way)) or 'TRUE'} THEN {value_text(classes[place])}")
    if silent:
        rules = silent + len(found)
        note(f"{silent} of {rules} rules cover no training row and are dropped: they cannot be refined")
    return found
