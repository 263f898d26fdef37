"""Theory revision: an expert's rules, revised where held-out rows support it (beyond Mitchell §12.2.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from induce.core.folds import folds
from induce.core.notes import note
from induce.core.parameters import Declared, anything, mapping, number, text, whole
from induce.core.randomness import RandomState
from induce.core.values import Value
from induce.data.schema import Schema
from induce.estimators import ClassReading, UnweightedClassifier
from induce.estimators.guidance import TheoryLearner
from induce.hypotheses.expert_rules.classes import concepts_of, meant
from induce.hypotheses.expert_rules.oddities import note_oddities
from induce.hypotheses.expert_rules.rules import ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.expert_rules.writing import written
from induce.knowledge.blame import Reading, Truths
from induce.knowledge.criterion import instances
from induce.knowledge.revised_theory import RevisedRule, RevisedTheory, status_of
from induce.knowledge.revision import Clause, Reviser

CONCEPT = "concluded"
"""Concept of the rules that are learned without knowledge."""


class TheoryRevision(TheoryLearner, UnweightedClassifier):
    """An expert's rules, revised as little as the examples allow; held-out rows must support each change.

    A clause is to blame if it takes part in wrong proofs, or if proofs are missing that it could provide.
    Clauses are changed one at a time: an antecedent is dropped or added, the m of an m-of-n rule is raised or
    lowered, a threshold is moved, a clause is deleted, or FOIL learns a new one. The chosen change lowers the
    criterion most on some of the rows. The criterion is `data_weight` times the error on these rows, plus
    `theory_weight` times the fraction of possible rows on which the revised and the given theory disagree.
    The change is kept if it corrects more held-out rows than it breaks. Then other rows are held out, until
    none of the folds supports a change.

    A missing value and a category not seen in training satisfy no condition, so a negated condition holds for
    them. Only two classes can be learned. Without knowledge all rules are new. Without examples, or with
    examples of only one class, the theory is unchanged, with a note. The classes are then those that `y`
    declares, for example as a polars Enum or a pandas Categorical.

    Parameters
    ----------
    knowledge : str, DomainTheory or ExpertRules, optional
        Rules, as `ExpertRules` reads them: ``IF … AND NOT … THEN concept``, ``IF 2 OF (…) THEN concept``, or
        Prolog. The less a rule is trusted, the less it costs to change it. Laws are kept in addition to the
        revised rules.
    concept : str, default=""
        Concept that stands for one of the classes: ``yes``, ``+`` or similar, otherwise the second. By
        default it is the only concept that no rule uses.
    columns : dict, optional
        Patterns that map literals of several arguments to columns, such as ``{"base(P, B)": "p{P} = {B}"}``.
    data_weight : float, default=1.0
        Weight of the error on the rows.
    theory_weight : float, default=0.1
        Weight of the distance from the given theory; larger values change less.
    n_folds : int, default=5
        Number of folds, each of which is held out in turn.
    max_changes : int, optional
        Maximum number of changes.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed of the folds, and of the rows on which theories are compared if there are too many to
        compare all.

    Attributes
    ----------
    hypothesis_ : RevisedTheory

    See Also
    --------
    FOCL : Rules from data and a domain theory.
    KBANN : A network that begins with rules.

    References
    ----------
    D. Ourston and R. J. Mooney (1994). Theory refinement combining analytical and empirical methods. Artificial
    Intelligence 66, 273-309.

    Examples
    --------
    >>> import polars as pl
    >>> X = pl.DataFrame({"flat": ["yes", "no"] * 20, "light": (["yes"] * 2 + ["no"] * 2) * 10, "red": ["no"] * 40})
    >>> y = ["cup" if row == ("yes", "yes") else "not a cup" for row in X.select("flat", "light").rows()]
    >>> rules = "IF stable AND light = yes AND red = yes THEN cup" + chr(10) + "IF flat = yes THEN stable"
    >>> schema = {"red": {"kind": "nominal", "domain": ["no", "yes"]}}
    >>> print(TheoryRevision(knowledge=rules, schema=schema).fit(X, y).hypothesis_)
    ~ IF stable AND light = yes AND red = yes THEN cup
      → IF stable AND light = yes THEN cup
        weakened (without red = yes); fired on 0+ 0-, now 10+ 0-
      IF flat = yes THEN stable
        kept; fired on 10+ 10-, now 10+ 10-
    cup holds: cup (10/10), else not a cup (30/30)
    """

    parameters: ClassVar[Declared] = {
        "knowledge": anything(
            "Rules to revise; None learns all rules.", "give rules as text, or a theory", none=True
        ),
        "concept": text(
            "Concept that stands for one of the classes; empty means the only concept that no rule uses."
        ),
        "columns": mapping("Patterns that map literals of several arguments to columns.", none=True),
        "data_weight": number("Weight of the error on the rows.", above=0),
        "theory_weight": number(
            "Weight of the distance from the given theory; larger values change less.", at_least=0
        ),
        "n_folds": whole("Number of folds, each of which is held out in turn.", at_least=2),
        "max_changes": whole("Maximum number of changes; None sets no limit.", at_least=0, none=True),
    }
    uses = ("rules", "trust")
    left_out = ""
    hypothesis_: RevisedTheory

    def __init__(
        self,
        *,
        knowledge: Any = None,
        concept: str = "",
        columns: Mapping[str, str] | None = None,
        data_weight: float = 1.0,
        theory_weight: float = 0.1,
        n_folds: int = 5,
        max_changes: int | None = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.knowledge = knowledge
        self.concept = concept
        self.columns = columns
        self.data_weight = data_weight
        self.theory_weight = theory_weight
        self.n_folds = n_folds
        self.max_changes = max_changes
        self.schema = schema
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _learn(self, reading: ClassReading) -> RevisedTheory:
        from induce.core.errors import InputError

        classes = reading.classes
        if len(classes) > 2:
            raise InputError(
                f"Only binary classification is supported: y has {len(classes)} classes, but a theory "
                "either holds or not; revise the rules of one class against the rest, or use FOCL"
            )
        theory, concept, place = self._theory(reading.schema, classes)
        rules = () if theory is None else theory.clauses
        concepts = (concept,) if theory is None else theory.concepts
        table = reading.table
        inside = np.asarray(reading.labels == place)
        clauses = tuple(Clause(rule, origin) for origin, rule in enumerate(rules))
        silent = reading.says_nothing()
        if not silent:
            reviser = Reviser(
                rules,
                concepts,
                concept,
                table,
                inside,
                instances(table.schema, table, self.random_state),
                (float(self.data_weight), float(self.theory_weight) * self._known().trust),
            )
            clauses = reviser.revise(self._folds(inside), self.max_changes)
        elif theory is not None:
            note(f"{silent}, so the theory is unchanged")
        return self._hypothesis(reading, theory, concept, place, clauses, inside)

    def _theory(self, schema: Schema, classes: Sequence[Value]) -> tuple[ExpertRules | None, str, int]:
        """Return the theory, its concept, and the index of the class that it is about."""
        known = self._known()
        if not known.rules:
            return None, CONCEPT, meant(classes) if len(classes) == 2 else 0
        theory = known.theory(schema, self.concept, self.columns)
        note_oddities(theory)
        found = concepts_of(theory, classes) or {0: theory.about()}
        place = max(found)
        return theory, found[place], place

    def _folds(self, inside: Any) -> list[Any]:
        n_folds = min(int(self.n_folds), len(inside))
        if n_folds < 2:
            return []
        split = folds(inside, n_folds, self.random_state).split(inside, inside)
        return [held for _, held in split]

    def _hypothesis(
        self,
        reading: ClassReading,
        theory: ExpertRules | None,
        concept: str,
        place: int,
        clauses: tuple[Clause, ...],
        inside: Any,
    ) -> RevisedTheory:
        given = () if theory is None else theory.clauses
        concepts = (concept,) if theory is None else theory.concepts
        kept = in_use(clauses, given, concept)
        truths = Truths(reading.table)
        before = Reading(given, concepts, concept, truths)
        after = Reading([one.rule for one in kept], concepts, concept, truths)
        said = {one.origin: place for place, one in enumerate(kept) if one.origin is not None}
        told = []
        for origin, rule in enumerate(given):
            now = said.get(origin)
            learned = None if now is None else kept[now].rule
            fires = np.zeros(len(inside), np.bool_) if now is None else after.fired[now]
            told.append(_revised(rule, learned, before.fired[origin], fires, inside))
        for now, one in enumerate(kept):
            if one.origin is None:
                told.append(_revised(None, one.rule, None, after.fired[now], inside))
        rules = [one.rule for one in kept]
        if theory is None:
            text = "".join(f"{rule}\n" for rule in rules)
        elif rules == list(given):
            text = theory.text
        else:
            text = written(theory, rules)
        verdict = after.verdict
        n_classes = len(reading.classes)
        counts = [np.bincount(reading.labels[verdict == side], minlength=n_classes) for side in (False, True)]
        return RevisedTheory(
            reading.schema,
            reading.target,
            reading.classes,
            place,
            concept,
            "" if theory is None else theory.text,
            text if any(rule.head == concept for rule in rules) else "",
            () if theory is None else theory.columns,
            tuple(told),
            (tuple(map(float, counts[0])), tuple(map(float, counts[1]))),
        )


def _revised(
    given: ExpertRule | None, learned: ExpertRule | None, fired: Any, fires: Any, inside: Any
) -> RevisedRule:
    def counts(mask: Any) -> tuple[int, int]:
        return (0, 0) if mask is None else (int((mask & inside).sum()), int((mask & ~inside).sum()))

    return RevisedRule(
        "" if given is None else str(given),
        "" if learned is None else str(learned),
        status_of(given, learned),
        counts(fired),
        counts(fires),
    )


def in_use(clauses: Sequence[Clause], given: Sequence[ExpertRule], target: str) -> tuple[Clause, ...]:
    """Return the clauses without those that can no longer fire or that nothing uses any more.

    A concept without rules is false: a conjunction that requires it is dropped, and a negation of it is
    omitted.
    """
    kept = list(clauses)
    while True:
        defined = {one.rule.head for one in kept}
        cleaned = [
            replace(one, rule=rule) for one in kept if (rule := _without(one.rule, defined)) is not None
        ]
        if len(cleaned) == len(kept):
            break
        kept = cleaned
    used = _reached([one.rule for one in cleaned], target)
    once = _reached(given, target)
    return tuple(one for one in cleaned if one.rule.head in used or one.rule.head not in once)


def _without(rule: ExpertRule, defined: set[str]) -> ExpertRule | None:
    false = [one for one in rule.body if isinstance(one.of, str) and one.of not in defined]
    if not false:
        return rule
    body = tuple(one for one in rule.body if one not in false)
    need = rule.at_least - sum(one.negated for one in false)
    if need > len(body):
        return None
    return replace(rule, body=body if need > 0 else (), at_least=max(need, 0))


def _reached(rules: Sequence[ExpertRule], target: str) -> set[str]:
    found, open_ = {target}, [target]
    while open_:
        head = open_.pop()
        for rule in rules:
            if rule.head == head:
                for one in rule.body:
                    if isinstance(one.of, str) and one.of not in found:
                        found.add(one.of)
                        open_.append(one.of)
    return found
