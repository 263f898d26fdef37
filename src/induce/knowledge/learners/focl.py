"""FOCL over the columns of a table: rules suggested by a theory and corrected by examples (Mitchell §12.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import Declared, mapping, number, text, truth, whole
from induce.core.ties import first_largest
from induce.core.values import Value
from induce.data.schema import Schema
from induce.estimators import ClassReading, UnweightedClassifier
from induce.estimators.guidance import TheoryLearner
from induce.hypotheses.expert_rules.classes import concepts_of, meant
from induce.hypotheses.expert_rules.oddities import note_oddities
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.rules import RuleList
from induce.knowledge.learners.relational_focl import GUIDANCE
from induce.knowledge.literal_theory import column_variables, over_columns
from induce.knowledge.operationalising import Operationaliser
from induce.knowledge.table_clauses import TableClauses
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.examples import Examples
from induce.rules.learners.base import problem_of
from induce.rules.training import Premise


class FOCL(TheoryLearner, UnweightedClassifier):
    """Rules by FOIL's search, with whole conjunctions suggested by an expert's rules (Pazzani and Kibler's FOCL).

    Rules grow condition by condition, by Foil_Gain. At each step the expert's rules are unfolded to
    conditions on columns; if a concept has several rules, the one with the highest gain is used. Conditions
    without which the rule is more accurate are dropped. The remaining conjunction competes with single
    conditions by its gain. So wrong expert rules are used only where the examples support them. Without
    knowledge it is `FOIL` on the rows of the table.

    With two classes, rules conclude the class that the theory is about, and rows that no rule covers belong
    to the other. With more classes, rules are learned for one class after another, rarest first, and the most
    frequent class is the default. A missing value and a category not seen in training satisfy no condition,
    even where the theory negates it. Without examples, or with examples of only one class, the rules are
    those of the theory, unfolded, with a note. The classes are then those that `y` declares, for example as a
    polars Enum or a pandas Categorical.

    Parameters
    ----------
    knowledge : str, DomainTheory or ExpertRules, optional
        Rules, as `ExpertRules` reads them: ``IF … AND NOT … THEN concept``, ``IF 2 OF (…) THEN concept``, or Prolog.
    concept : str, default=""
        Concept that stands for one of two classes: ``yes``, ``+`` or similar, otherwise the second. By
        default it is the only concept that no rule uses. It is not needed if rules conclude classes by name.
    columns : dict, optional
        Patterns that map literals of several arguments to columns, such as ``{"base(P, B)": "p{P} = {B}"}``.
    operators : sequence of {"target", "clauses", "concepts"}, default=('clauses', 'concepts')
        Parts of the theory that suggest conjunctions: the rule with the highest gain for the concept, as in
        the book; all its rules; or all concepts below it.
    theory_pruning : {"improve", "not_worse", None}, default="improve"
        Conditions of a suggestion to drop: those without which the rule is more accurate on the training rows
        (the book's example), or at least as accurate (the book's text). None drops no condition.
    max_literals : int or None, default=10
        Maximum number of steps per rule; a suggestion is one step.
    encoding_length : bool, default=True
        Whether to limit the length of a rule, in bits, to that of a list of the rows it covers.
    min_accuracy : float, default=0.8
        Minimum fraction of the class among the rows that a rule covers.
    prune : bool, default=True
        Whether to drop redundant rules, and redundant conditions that only the examples added.
    beam_width : int, default=1
        Beam width: number of rules kept at each step.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : RuleList

    See Also
    --------
    RelationalFOCL : First-order clauses from data and a theory.
    TheoryRevision : Rules changed as little as the data ask for.
    FOIL : First-order clauses.

    References
    ----------
    M. Pazzani and D. Kibler (1992). The utility of knowledge in inductive learning. Machine Learning 9, 57-94.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("cup")
    >>> rules = '''
    ...     cup :- stable, liftable, open_vessel.
    ...     stable :- bottom_is_flat.
    ...     liftable :- graspable, light.
    ...     graspable :- has_handle.
    ...     open_vessel :- has_concavity, concavity_points_up.
    ... '''
    >>> for rule in FOCL(knowledge=rules).fit(X, y).hypothesis_.rules:
    ...     print("; ".join(map(str, rule.conditions)))
    BottomIsFlat = yes; Light = yes; HasConcavity = yes; ConcavityPointsUp = yes; HandleOnTop = no
    """

    parameters: ClassVar[Declared] = {
        **GUIDANCE,
        "concept": text(
            "Concept that stands for one of two classes; empty means the only concept that no rule uses."
        ),
        "columns": mapping("Patterns that map literals of several arguments to columns.", none=True),
        "max_literals": whole("Maximum number of steps per rule; None sets no limit.", at_least=1, none=True),
        "encoding_length": truth(
            "Whether to limit the length of a rule to that of a list of the rows it covers."
        ),
        "min_accuracy": number(
            "Minimum fraction of the class among the rows that a rule covers.", at_least=0, at_most=1
        ),
        "prune": truth("Whether to drop redundant conditions and rules."),
        "beam_width": whole("Beam width: number of rules kept at each step.", at_least=1),
    }
    left_out = ""
    hypothesis_: RuleList

    def __init__(
        self,
        *,
        knowledge: Any = None,
        concept: str = "",
        columns: Mapping[str, str] | None = None,
        operators: Sequence[str] = ("clauses", "concepts"),
        theory_pruning: str | None = "improve",
        max_literals: int | None = 10,
        encoding_length: bool = True,
        min_accuracy: float = 0.8,
        prune: bool = True,
        beam_width: int = 1,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.knowledge = knowledge
        self.concept = concept
        self.columns = columns
        self.operators = operators
        self.theory_pruning = theory_pruning
        self.max_literals = max_literals
        self.encoding_length = encoding_length
        self.min_accuracy = min_accuracy
        self.prune = prune
        self.beam_width = beam_width
        self.schema = schema

    def _learn(self, reading: ClassReading) -> RuleList:
        problem = problem_of(reading)
        theory, concepts, known = None, {}, self._known()
        if known.rules:
            theory = known.theory(reading.schema, self.concept, self.columns)
            note_oddities(theory)
            concepts = concepts_of(theory, problem.classes)
        clauses = TableClauses.of(problem.table)
        silent = reading.says_nothing()
        if theory is not None and silent:
            note(f"{silent}, so the rules are those of the theory")
            return problem.ordered_list(*stated(theory, concepts, problem.classes, clauses))
        left = np.ones(len(problem.labels), np.bool_)
        premises: list[Premise] = []
        targets, default = order_of(problem.counts(), problem.classes, concepts)
        for target in targets:
            examples = clauses.examples(concepts.get(target, "rule"), problem.labels == target, left)
            suggester = None
            if theory is not None and target in concepts:
                literals = over_columns(theory, concepts[target])
                suggester = Operationaliser(literals, self.operators, self.theory_pruning)
            for clause in self._clauses(clauses, examples, suggester):
                premises.append((clauses.conditions(clause), target))
            left &= problem.labels != target
        return problem.ordered_list(premises, default)

    def _clauses(
        self, clauses: TableClauses, examples: Examples, suggester: Operationaliser | None
    ) -> list[Clause]:
        """Learn the clauses of one class."""
        cover = clauses.cover(
            examples,
            suggester,
            max_literals=self.max_literals,
            encoding_length=self.encoding_length,
            min_accuracy=self.min_accuracy,
            beam_width=self.beam_width,
        )
        found: list[Clause] = []
        with interruptible(found, "rules"):
            for clause in cover.clauses(self.prune):
                found.append(clause)
        return cover.needed(found) if self.prune else found


def stated(
    theory: ExpertRules, concepts: Mapping[int, str], classes: Sequence[Value], clauses: TableClauses
) -> tuple[list[Premise], int]:
    """Return the theory as rules over columns, and the default class: the first that no rule concludes."""
    concepts = concepts or {0: theory.about()}
    premises: list[Premise] = []
    for target, concept in concepts.items():
        head = Literal(concept, column_variables(clauses.schema))
        literals = over_columns(theory, concept)
        for way in literals.ways(literals.goal):
            premise = (clauses.conditions(Clause(head, way)), target)
            if premise not in premises:
                premises.append(premise)
    return premises, next((place for place in range(len(classes)) if place not in concepts), 0)


def order_of(counts: Any, classes: Sequence[Value], concepts: Mapping[int, str]) -> tuple[list[int], int]:
    """Return the classes to learn rules for, in order, and the default class."""
    if len(classes) == 1:
        return [], 0
    if len(classes) == 2:
        target = next(iter(concepts)) if len(concepts) == 1 else meant(classes)
        return [target], 1 - target
    default = first_largest(counts)
    others = [place for place in range(len(classes)) if place != default]
    return sorted(others, key=lambda place: counts[place]), default
