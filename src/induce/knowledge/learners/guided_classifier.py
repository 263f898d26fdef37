"""Any learner of classes, guided by rules of thumb and bound by laws."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, anything, learner
from induce.core.values import Value
from induce.data.decoding import decoded
from induce.data.schema import Schema
from induce.data.table import Table
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.conditions import covered_by_all
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.guided import TRUTHS, GuidedModel, read_laws
from induce.hypotheses.knowledge import Knowledge
from induce.hypotheses.naming import value_text

RULE_PARTS = ("rules", "require", "forbid", "monotone")
OWN = ("schema", "class_weight", "random_state")


class GuidedClassifier(TableClassifier):
    """A learner of classes that is given knowledge: rules to refine or to test as columns, and laws that it keeps.

    A learner of rules refines the rules and keeps `require`, `forbid` and `monotone`; `KBANN` begins its network with
    the rules; any other learner gets a column for each concept of the rules, yes or no, which it may test. A law is
    kept by every prediction, also of rows never seen: where it holds it decides, and `explain` names it. A part of
    the knowledge that the learner cannot use is refused. Without knowledge it predicts as the learner alone does.

    In rules and laws a missing value, and a category not seen in training, satisfies no condition. What they mean to
    the learner is said there.

    Parameters
    ----------
    learner : learner of classes, optional
        `C45` by default.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Rules of thumb, or a `Knowledge` with rules, laws and other parts.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    schema : Schema or dict, optional
        What is known of the columns.

    Attributes
    ----------
    hypothesis_ : GuidedModel
        Its `model` is the learner's own hypothesis.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> known = induce.Knowledge(rules="IF Outlook = Sunny AND Humidity = High THEN muggy",
    ...                          laws="IF Outlook = Rain AND Wind = Strong THEN No")
    >>> model = GuidedClassifier(knowledge=known).fit(X, y)
    >>> print(model.hypothesis_)
    LAW IF Outlook = Rain AND Wind = Strong THEN No
    IF Outlook = Sunny AND Humidity = High THEN muggy
    muggy = no: Yes (9/11)
    muggy = yes: No (3/3)
    >>> print(model.explain(X[13:])[0])
    No by law: IF Outlook = Rain AND Wind = Strong THEN No (corrected: the model alone says Yes)
    """

    parameters: ClassVar[Declared] = {
        "learner": learner("Learner that is guided; None is C45.", none=True),
        "knowledge": anything(
            "Rules of thumb and laws.",
            "rules as text, a Knowledge, a dict of its parts, or a hypothesis with rules",
        ),
    }
    hypothesis_: GuidedModel

    def __init__(
        self,
        learner: Any = None,
        *,
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.learner = learner
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema

    def _begins_with_theory(self) -> bool:
        settings = {} if self.learner is None else self.learner.get_params(deep=False)
        return "concept" in settings and bool(Knowledge.of(self.knowledge).rules)

    def _learn(self, reading: ClassReading) -> GuidedModel:
        from sklearn.base import clone

        from induce.trees.learners.c45 import C45

        own = C45() if self.learner is None else clone(self.learner)
        known = Knowledge.of(self.knowledge)
        name, settings = type(own).__name__, own.get_params(deep=False)
        given = {
            each: getattr(self, each)
            for each in ("class_weight", "schema")
            if getattr(self, each) is not None
        }
        own.set_params(**{each: value for each, value in given.items() if each in settings})
        known.only(name, ("laws", *usable(settings)))
        columns: tuple[tuple[str, str], ...] = ()
        theory: tuple[ExpertRules, ...] = ()
        X = reading.X
        if known.rules and "concept" in settings:
            own.set_params(**as_parameters(known))
        elif "rules" in settings:
            for part in ("require", "forbid", "monotone"):
                if getattr(known, part):
                    own.set_params(**{part: getattr(known, part)})
            if known.rules:
                own.set_params(rules=flat_rules(known, reading.table, reading.classes))
        elif known.rules:
            rules = ExpertRules(reading.schema, known.rules, known.concept, known.columns)
            taken = set(reading.schema.names())
            columns = tuple((head, _free(head, taken)) for head in rules.concepts)
            theory = (rules,)
            truths = rules.truths(reading.table)
            import polars as pl

            X = decoded(reading.table).with_columns(
                pl.Series(name, np.where(truths[head], "yes", "no")).cast(pl.Enum(TRUTHS))
                for head, name in columns
            )
        fitted = (
            own.fit(X, reading.y)
            if reading.sample_weight is None
            else own.fit(X, reading.y, reading.sample_weight)
        )
        model = fitted.hypothesis_
        laws = read_laws(known.laws, reading.schema, tuple(model.classes))
        return GuidedModel(reading.schema, reading.target, tuple(model.classes), model, laws, theory, columns)


def as_parameters(known: Knowledge) -> dict[str, Any]:
    """Return rules as learners take them that begin with a theory, such as KBANN and FOCL."""
    given: Any = known.rules if known.trust == 1.0 else Knowledge(rules=known.rules, trust=known.trust)
    found = {"knowledge": given, "concept": known.concept, "columns": dict(known.columns)}
    return {name: value for name, value in found.items() if value}


def usable(settings: dict[str, Any]) -> tuple[str, ...]:
    """Return the parts of knowledge that a learner with these parameters can use."""
    if "concept" in settings:
        return ("rules", "trust") if "weight" in settings else ("rules",)
    if "rules" in settings:
        return RULE_PARTS
    if "knowledge" in settings:
        return ()
    return ("rules",)


def flat_rules(known: Knowledge, table: Table, classes: tuple[Value, ...]) -> list[str]:
    """Return rules over columns for each class: those of its concept, unfolded, that hold of some row."""
    from induce.knowledge.learners.kbann import meant, outputs_of

    theory = ExpertRules(table.schema, known.rules, known.concept, known.columns)
    ordered = list(classes) if len(classes) != 2 or meant(classes) else list(classes)[::-1]
    outputs = outputs_of(theory, ordered)
    heads = ordered[1:] if len(outputs) == 1 and len(classes) == 2 else ordered
    found, silent = [], 0
    for concept, value in zip(outputs, heads, strict=True):
        for way in theory.unfolded(concept) if concept else ():
            if any(isinstance(one.of, str) or one.negated for one in way):
                raise InputError(
                    f"the rules for {concept} use a negation, which rules to refine cannot have; give the "
                    "opposite value"
                )
            conditions = [one.of for one in way if not isinstance(one.of, str)]
            if not covered_by_all(tuple(conditions), table).any():
                silent += 1
                continue
            found.append(f"IF {' AND '.join(map(str, way)) or 'TRUE'} THEN {value_text(value)}")
    if silent:
        rules = silent + len(found)
        note(f"{silent} of {rules} rules hold of no training row and are left out: nothing can refine them")
    return found


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
