"""PROLOG-EBG: explanation-based generalisation (Kedar-Cabelli & McCarty 1987; Mitchell §11.2, Table 11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from typing import Literal as OneOf

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from induce.analytical.column_theory import ColumnTheory
from induce.analytical.explainer import Explained, Explainer, Generalise
from induce.analytical.justification import Justification, Justifying
from induce.analytical.learners.base import Learned, TheoryGuidedClassifier
from induce.analytical.table_cases import cases, widened_schema
from induce.core import trace
from induce.core.interrupts import interruptible
from induce.core.parameters import Declared, choice, truth
from induce.core.progress import report
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.coverage.examples import Examples
from induce.logic.domain_theory import DomainTheory
from induce.logic.facts import Codes

ALONE = "is covered"
"""Predicate name under which a clause is proved in isolation."""


class PrologEBG(TheoryGuidedClassifier):
    """Learn flat clauses by explaining positive examples with a domain theory.

    Each positive example not yet covered is proved by the theory. The most general conditions under which
    that proof holds become the body of a new clause. So every clause follows from the theory, and the
    examples only select which consequences are useful (Mitchell §11.2, Table 11.2).

    Parameters
    ----------
    theory : DomainTheory, optional
        Domain theory; without one, nothing is learned.
    background : Relations, optional
        Facts about the examples.
    explanations : {"first", "all"}, default="first"
        Whether to use only the first explanation of an example, or all of them.
    skip_covered : bool, default=True
        Whether to skip examples already covered by a learned clause, as in Table 11.2. If False, every
        example is explained. This yields more clauses; redundant ones are dropped and the others are sorted
        by coverage.
    generalise : {"preimage", "leaves"}, default="preimage"
        Method of generalisation: the weakest preimage of the target under the proof, or the facts of the
        example with variables for the arguments of the target.
    negation : bool, default=True
        Whether explanations may use negation as failure.
    repetition : bool, default=False
        Whether to generalise repeated steps of an explanation to any number of repetitions: one tower of
        three blocks yields recursive clauses for towers of any height.
    fallback : bool, default=False
        Whether the theory classifies examples not covered by a learned clause.

    Attributes
    ----------
    hypothesis_ : DerivedTheory or ColumnTheory
        Learned clauses; a ColumnTheory for a table of cases.
    classes_ : array
    unexplained_ : array of int
        Rows of positive examples that the theory does not prove.

    See Also
    --------
    LazyEBG : Explanations with assumptions, refined on errors.
    FOCL : Rules from data and a domain theory.

    Notes
    -----
    Negative examples are only counted. A missing argument matches nothing, and an object unknown to the
    background has no properties. Only clauses without conditions on it can cover such an example.

    References
    ----------
    S. T. Kedar-Cabelli and L. T. McCarty (1987). Explanation-based generalization as resolution theorem
    proving. Fourth International Workshop on Machine Learning, 383-389.

    T. M. Mitchell, R. M. Keller and S. T. Kedar-Cabelli (1986). Explanation-based generalization: a unifying
    view. Machine Learning 1, 47-80.

    Examples
    --------
    >>> theory = DomainTheory('''
    ...     safe_to_stack(X, Y) :- lighter(X, Y).
    ...     lighter(X, Y) :- weight(X, A), weight(Y, B), less_than(A, B).
    ...     weight(X, W) :- volume(X, V), density(X, D), equal(W, times(V, D)).
    ...     weight(X, 5) :- type(X, endtable).
    ... ''', "safe_to_stack")
    >>> facts = Relations(program='''
    ...     volume(obj1, 2). density(obj1, 0.3). color(obj1, red). type(obj1, box).
    ...     type(obj2, endtable). color(obj2, blue).
    ... ''')
    >>> learner = PrologEBG(theory, facts).fit([["obj1", "obj2"]], [True])
    >>> print(learner.hypothesis_.clauses[0])
    safe_to_stack(X, Y) :- volume(X, V), density(X, D), equal(A, times(V, D)), type(Y, endtable), less_than(A, 5).
    >>> learner.hypothesis_.features
    ('V * D < 5',)
    """

    parameters: ClassVar[Declared] = {
        "explanations": choice("Explanations used per example.", "first", "all"),
        "skip_covered": truth("Whether to skip examples already covered by a clause."),
        "generalise": choice("Method of generalising an explanation to a clause.", "preimage", "leaves"),
        "negation": truth("Whether explanations may use negation as failure."),
        "repetition": truth("Whether to generalise repeated steps to any number of repetitions."),
    }

    unexplained_: Any

    def __init__(
        self,
        theory: DomainTheory | None = None,
        background: Relations | None = None,
        *,
        explanations: OneOf["first", "all"] = "first",
        skip_covered: bool = True,
        generalise: Generalise = "preimage",
        negation: bool = True,
        repetition: bool = False,
        fallback: bool = False,
    ) -> None:
        self.theory = theory
        self.background = background
        self.explanations = explanations
        self.skip_covered = skip_covered
        self.generalise = generalise
        self.negation = negation
        self.repetition = repetition
        self.fallback = fallback

    def fit(self, X: Any, y: Any) -> PrologEBG:
        """Explain the positive rows of `X` and learn clauses from the explanations.

        Without a background, a theory over the columns of `X` treats each row as a separate case.
        """
        self._check_parameters()
        return self if self._learned_cases(X, y) else self._learn(X, y, [])

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> PrologEBG:
        """Explain further examples not covered by the clauses learned so far; `classes` is optional.

        If the theory has changed, clauses that no longer follow are dropped and named in a note. The clause counts
        are those of the most recent examples.
        """
        self._check_parameters()
        if not hasattr(self, "hypothesis_"):
            return self if self._learned_cases(X, y) else self._learn(X, y, [])
        self._fitted(X)
        before = self.hypothesis_
        if self.theory is not None and before.theory != self.theory:
            before = before.under(self.theory)
        known = [Learned(*each) for each in zip(before.clauses, before.justifications, strict=True)]
        if not isinstance(before, ColumnTheory):
            return self._learn(X, y, known)
        schema = widened_schema(before.schema, X)
        facts, rows = cases(X)
        inner = clone(self).set_params(background=facts)._learn(rows, y, known)
        self._take_cases(X, inner, schema)
        return self

    def _learn(self, X: Any, y: Any, learned: list[Learned]) -> PrologEBG:
        examples = self._examples(X, y)
        unexplained: list[int] = []
        if self.theory is not None:
            run = _Run(self, self.theory, examples, learned)
            with interruptible(learned, "clauses"):
                unexplained = run.explain_all()
            if not self.skip_covered:
                learned = run.ordered()
        else:
            unexplained = np.flatnonzero(examples.positive).tolist()
        self.unexplained_ = np.array(unexplained, np.intp)
        # examples covered by a learned clause follow from the theory
        explained = examples.positive.copy()
        explained[self.unexplained_] = False
        # without negation some proofs are missing, so this is unknown then
        self.hypothesis_ = self._derived(examples, learned, explained if self.negation else None)
        return self


class _Run:
    """Learning loop of Table 11.2."""

    def __init__(
        self, learner: PrologEBG, theory: DomainTheory, examples: Examples, learned: list[Learned]
    ) -> None:
        self.theory, self.examples, self.learned = theory, examples, learned
        self.explainer = Explainer(
            theory if learner.negation else theory.without_negation(),
            examples.relations,
            learner.explanations == "all",
            learner.generalise,
            repetition=learner.repetition,
        )
        self.coverage = examples.coverage()
        self.justifying = Justifying(
            self.explainer.theory, examples.relations, examples.rows[examples.positive]
        )
        self.rows = np.flatnonzero(examples.positive)
        self.covered = np.zeros(len(self.rows), np.bool_)
        self.skip_covered = learner.skip_covered
        self.repetition = learner.repetition
        self.clauses = {each.clause for each in learned}
        for clause in self.clauses:
            self._cover(clause)

    def explain_all(self) -> list[int]:
        """Explain each uncovered positive example; return those that cannot be explained."""
        unexplained = []
        for place, row in enumerate(self.rows):
            report(place / len(self.rows))
            if self.skip_covered and self.covered[place]:
                continue
            goal = self.examples.literal(self.examples.rows[row])
            found = False
            for explained in self.explainer.explanations(goal):
                found = True
                self._take(explained)
            if not found:
                unexplained.append(int(row))
        return unexplained

    def ordered(self) -> list[Learned]:
        """Return the clauses sorted by coverage, without redundant ones."""
        rows = self.examples.rows[self.rows]
        kept: list[tuple[int, int, Learned]] = []
        for each in general_ones(self.learned):
            covers = self._covers(each.clause, rows).sum() if self._concludes(each.clause) else -1
            kept.append((-int(covers), len(kept), each))
        return [each for _, _, each in sorted(kept, key=lambda one: one[:2])]

    def _take(self, explained: Explained) -> None:
        if explained.clause in self.clauses and not self.repetition:
            return
        justification = self.justifying.of(explained.proof, explained.rules)
        new = [Learned(explained.clause, justification)]
        rules = tuple(map(str, explained.rules))
        new.extend(Learned(one, Justification("", "", rules)) for one in explained.helpers)
        for each in new:
            if each.clause not in self.clauses:
                self.clauses.add(each.clause)
                self.learned.append(each)
        if trace.active("explain"):
            trace.emit(
                "explain",
                example=justification.example,
                proof=justification.proof,
                clause=str(explained.clause),
            )
        self._cover(explained.clause)

    def _cover(self, clause: Clause) -> None:
        if self.repetition:
            # a recursive clause covers examples only with the others, and its calls are proved by learned
            # clauses
            left = np.flatnonzero(~self.covered)
            prover = self.examples.relations.prover(
                [each.clause for each in self.learned], limits=self.explainer.prover.limits, unknown="fail"
            )
            goals = [self.examples.literal(self.examples.rows[self.rows[place]]) for place in left]
            self.covered[left] = prover.holds_each(goals)
        elif self.skip_covered and self._concludes(clause):
            left = np.flatnonzero(~self.covered)
            self.covered[left] = self._covers(clause, self.examples.rows[self.rows[left]])

    def _concludes(self, clause: Clause) -> bool:
        return clause.head is not None and clause.head.predicate == self.examples.target

    def _covers(self, clause: Clause, rows: Codes) -> NDArray[np.bool_]:
        if self.coverage.decides(clause):
            return self.coverage.covered(clause, rows)
        # only the theory defines predicates that the clause negates
        assert clause.head is not None
        alone = Clause(Literal(ALONE, clause.head.arguments), clause.body)
        prover = self.explainer.prover.extended(Program((alone,)))
        goals = [Literal(ALONE, self.examples.literal(row).arguments) for row in rows]
        return prover.holds_each(goals)


def general_ones(learned: Sequence[Learned]) -> list[Learned]:
    """Return the clauses whose conditions are not a superset of another clause's conditions."""
    # Variables are named as in the target's first clause and in the rules, so that equal conditions are equal
    # terms.
    by_literal: dict[Literal, set[int]] = {}
    bodies = [frozenset(each.clause.body) for each in learned]
    for number, body in enumerate(bodies):
        for literal in body:
            by_literal.setdefault(literal, set()).add(number)
    dropped: set[int] = set()
    for number in sorted(range(len(bodies)), key=lambda one: len(bodies[one])):
        if number in dropped or not bodies[number]:
            continue
        more = set.intersection(*(by_literal[literal] for literal in bodies[number]))
        head = learned[number].clause.head
        dropped |= {one for one in more if one != number and learned[one].clause.head == head}
    return [each for number, each in enumerate(learned) if number not in dropped]
