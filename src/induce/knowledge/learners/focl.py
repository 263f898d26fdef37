"""FOCL over the columns of a table: rules that a theory suggests and examples correct (Mitchell §12.5)."""

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
    """Rules by FOIL's search, to which an expert's rules suggest whole conjunctions (Pazzani and Kibler's FOCL).

    Rules grow condition by condition, by Foil_Gain. At each step the expert's rules are unfolded to conditions on
    columns; of several rules for a concept that of the highest gain is taken. Conditions without which the rule is
    more accurate are dropped. What is left competes with single conditions by its gain. Wrong rules of the expert
    matter only where the examples support them. Without knowledge it is `FOIL` on the rows of the table.

    Two classes: rules conclude the class that the theory is about, whatever no rule covers is of the other one. More
    classes: rules are learned for one class after the other, the rarest first, and the most frequent is the default.
    A missing value and a category not seen in training satisfy no condition, also where the theory negates it.
    Without examples, or with examples of one class, the rules are those of the theory, unfolded, with a note; the
    classes are then those that `y` declares, as an Enum of polars or a Categorical of pandas does.

    Parameters
    ----------
    knowledge : str, DomainTheory or ExpertRules, optional
        Rules, as `ExpertRules` reads them: ``IF … AND NOT … THEN concept``, ``IF 2 OF (…) THEN concept``, or Prolog.
    concept : str, default=""
        The concept that means one of two classes: ``yes``, ``+`` or the like, else the second. By default it is the
        only one that no rule uses. Not needed where rules conclude classes by name.
    columns : dict, optional
        Patterns for literals of several arguments, such as ``{"base(P, B)": "p{P} = {B}"}``.
    operators : sequence of {"target", "clauses", "concepts"}, default=('clauses', 'concepts')
        Parts of the theory that suggest conjunctions: the rule of the concept with the highest gain, as in the book;
        every rule of it; every concept below it.
    theory_pruning : {"improve", "not_worse", None}, default="improve"
        Conditions of a suggestion that are dropped: those without which the rule is more accurate on the training
        rows (the book's example), or no less accurate (the book's words); None drops none.
    max_literals : int or None, default=10
        Maximum number of steps to a rule; a suggestion is one.
    encoding_length : bool, default=True
        Whether a rule may be no longer, in bits, than the list of the rows that it explains.
    min_accuracy : float, default=0.8
        Minimum share of the class among the rows that a rule covers.
    prune : bool, default=True
        Whether conditions that the examples alone added and rules are dropped that are not needed.
    beam_width : int, default=1
        Number of rules kept at each step.
    schema : Schema or dict, optional
        What is known of the columns.

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
        "concept": text("Concept that means one of two classes; empty: the only one that no rule uses."),
        "columns": mapping("Patterns that tie literals of several arguments to columns.", none=True),
        "max_literals": whole(
            "Maximum number of steps to a rule; None sets no limit.", at_least=1, none=True
        ),
        "encoding_length": truth("Whether a rule may be no longer than the rows that it covers."),
        "min_accuracy": number("Minimum share of its class among the rows of a rule.", at_least=0, at_most=1),
        "prune": truth("Whether conditions and rules that are not needed are dropped."),
        "beam_width": whole("Number of rules kept at each step.", at_least=1),
    }
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
    """Return the theory as rules over columns, and the class where none applies: the first that no rule concludes."""
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
    """Return the classes to learn rules for, one after the other, and the default class."""
    if len(classes) == 1:
        return [], 0
    if len(classes) == 2:
        target = next(iter(concepts)) if len(concepts) == 1 else meant(classes)
        return [target], 1 - target
    default = first_largest(counts)
    others = [place for place in range(len(classes)) if place != default]
    return sorted(others, key=lambda place: counts[place]), default
