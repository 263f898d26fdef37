"""Any classifier, guided by rules of thumb and constrained by laws."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.notes import note
from induce.core.parameters import Declared, learner
from induce.data.decoded_rows import decoded
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.estimators.guidance import KNOWLEDGE, KnowledgeLearner, concept_columns, lawful, theory_alone
from induce.estimators.rule_choice import supported
from induce.hypotheses.expert_rules.classes import check_conclusions
from induce.hypotheses.expert_rules.oddities import note_oddities
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.guided import GuidedModel, with_concepts
from induce.hypotheses.knowledge import ARC_PARTS, Knowledge

OWN = ("schema", "class_weight")


class GuidedClassifier(TableClassifier):
    """Meta-classifier that gives a learner knowledge: rules to refine or to use as columns, and laws to obey.

    A learner with a `knowledge` parameter of its own receives the knowledge: rule learners refine the rules,
    and `KBANN` initialises its network with them. Any other learner gets a yes/no column for each concept of
    the rules; learners of belief networks also receive the parts about arcs. Every prediction obeys the laws,
    also for unseen rows: a law decides where it holds, and `explain` names it. Parts of the knowledge that
    the learner cannot use raise an error. Without knowledge it predicts as the learner alone. Without
    examples the rules are the hypothesis.

    In rules and laws a missing value, and a category not seen in training, satisfies no condition. See the
    learner for their treatment elsewhere.

    Parameters
    ----------
    learner : learner of classes, optional
        Learner to guide; `C45` by default.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Rules of thumb, or a `Knowledge` with rules, laws and other parts.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : GuidedModel
        Hypothesis; its `model` is the wrapped learner's hypothesis.

    See Also
    --------
    KBANN : A network that begins with rules.
    FOCL : Rules from data and a domain theory.
    TheoryRevision : Rules changed as little as the data ask for.

    References
    ----------
    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, chapter 12.

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
        "learner": learner("Learner to guide; None means C45.", none=True),
        "knowledge": KNOWLEDGE,
    }
    hypothesis_: GuidedModel
    _in_use: Knowledge | None = None
    """Knowledge in use in a trial of rules."""

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

    def _known(self) -> Knowledge:
        return Knowledge.of(self.knowledge) if self._in_use is None else self._in_use

    def _trial(self, known: Knowledge) -> GuidedClassifier:
        """Return an unfitted copy that uses the given knowledge as it is."""
        from sklearn.base import clone

        own: GuidedClassifier = clone(self)
        own._in_use = known
        return own

    def _begins_with_theory(self) -> bool:
        own = self._own()
        return own._begins_with_theory() if _takes_rules(own) else bool(Knowledge.of(self.knowledge).rules)

    def _own(self) -> Any:
        """Return the learner with the knowledge that it accepts, and with the schema and the classes."""
        from sklearn.base import clone

        from induce.trees.learners.c45 import C45

        own = C45() if self.learner is None else clone(self.learner)
        settings = own.get_params(deep=False)
        given = {each: getattr(self, each) for each in OWN if getattr(self, each) is not None}
        known = Knowledge.of(self.knowledge)
        if _takes_rules(own):
            given |= {} if self.knowledge is None else {"knowledge": self.knowledge}
        elif "knowledge" in settings:
            known.only(type(own).__name__, ("laws", "rules", *ARC_PARTS))
            arcs = known.without(("rules", "concept", "columns", "laws"))
            given |= {"knowledge": arcs} if arcs.parts() else {}
        else:
            known.only(type(own).__name__, ("laws", "rules"))
        return own.set_params(**{each: value for each, value in given.items() if each in settings})

    def _learn(self, reading: ClassReading) -> GuidedModel:
        own, known = self._own(), self._known()
        X, schema = reading.X, reading.schema
        columns: tuple[tuple[str, str], ...] = ()
        theory: tuple[ExpertRules, ...] = ()
        if known.rules and not _takes_rules(own):
            theory = (known.theory(schema),)
            note_oddities(theory[0])
            if self._in_use is None and not known.concept:
                check_conclusions(theory[0], reading.classes)
            silent = reading.says_nothing()
            if silent:
                note(f"{silent}, so the theory itself becomes the hypothesis")
                alone = theory_alone(theory[0], reading)
                return lawful(GuidedModel(*reading.names, alone), known, schema, reading.target)  # type: ignore[no-any-return]
            if self._in_use is None:
                own_theory = theory[0]
                known = supported(known, lambda: own_theory, reading, self._trial, one_by_one=True)
                theory = (known.theory(schema),) if known.rules else ()
        if theory:
            columns = concept_columns(theory[0], schema)
            X = decoded(with_concepts(reading.table, theory[0], columns))
        weights = () if reading.sample_weight is None else (reading.sample_weight,)
        model = own.fit(X, reading.y, *weights).hypothesis_
        if isinstance(model, GuidedModel):
            return model
        guided = GuidedModel(schema, reading.target, tuple(model.classes), model, (), theory, columns)
        found: GuidedModel = lawful(guided, known, schema, reading.target)
        return found


def _takes_rules(own: Any) -> bool:
    """Return whether a learner accepts rules and laws; the knowledge of structure learners is about arcs."""
    takes_it = isinstance(own, KnowledgeLearner | GuidedClassifier)
    return takes_it and "knowledge" in own.get_params(deep=False)
