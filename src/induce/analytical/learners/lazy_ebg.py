"""LazyEBG: explanations with assumptions, refined where the rules err (Mitchell §11.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from induce.analytical.justification import Justification, Justifying
from induce.analytical.lazy_explanation import LazyExplainer, LazyRule
from induce.analytical.learners.base import Learned, TheoryGuidedClassifier
from induce.core import trace
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import Declared, items, whole
from induce.core.progress import report
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.examples import Examples
from induce.logic.domain_theory import DomainTheory


class LazyEBG(TheoryGuidedClassifier):
    """Learn clauses from explanations with assumptions, and explain an assumption when its clause errs.

    PROLOG-EBG explains an example completely, including a proof that nothing rules out a choice. Here,
    negated conditions defined by the theory, and predicates named in `assume`, are assumed at first, so the
    clause is overly general. If it covers a negative example, the assumption that fails there is explained. A
    negated assumption is explained by excluding the way in which it failed, any other by its proof in the
    source example of the clause.

    Parameters
    ----------
    theory : DomainTheory, optional
        Domain theory; without one, nothing is learned.
    background : Relations, optional
        Facts about the examples.
    assume : sequence of str, default=()
        Additional predicates to assume initially, such as ``"affordable/1"``. They must not bind variables.
    max_refinements : int, default=1000
        Maximum number of clause refinements.
    fallback : bool, default=False
        Whether the theory classifies examples not covered by a learned clause.

    Attributes
    ----------
    hypothesis_ : DerivedTheory or ColumnTheory
    classes_ : array
    unexplained_ : array of int
        Rows of positive examples that the theory does not prove.
    refinements_ : tuple of str
        Effects of the errors on the clauses, in order.

    See Also
    --------
    PrologEBG : Clauses from explanations.

    Notes
    -----
    A missing argument matches nothing, and an object unknown to the background has no properties.

    References
    ----------
    P. Tadepalli (1989). Lazy explanation-based learning: a solution to the intractable theory problem. IJCAI.

    S. A. Chien (1989). Using and refining simplifications: explanation-based learning of plans in intractable
    domains. IJCAI.

    Examples
    --------
    >>> theory = DomainTheory('''
    ...     assign(M, J) :- can_do(M, J), \\\\+ objection(M, J).
    ...     objection(M, J) :- broken(M).
    ...     objection(M, J) :- size(J, S), limit(M, L), S > L.
    ...     objection(M, J) :- reserved(M, O), owner(J, P), O \\\\= P.
    ... ''', "assign")
    >>> facts = Relations(program='''
    ...     can_do(m1, j1). can_do(m2, j1). can_do(m3, j2). size(j1, 3). size(j2, 9). limit(m1, 5). limit(m3, 5).
    ...     broken(m2).
    ... ''')
    >>> learner = LazyEBG(theory, facts).fit([["m1", "j1"]], [True])
    >>> print(learner.hypothesis_.clauses[0])
    assign(M, J) :- can_do(M, J).
    >>> _ = learner.partial_fit([["m2", "j1"]], [False])
    >>> for clause in learner.hypothesis_.clauses:
    ...     print(clause)
    assign(M, J) :- can_do(M, J), \\+ objection_1(M, J).
    objection_1(M, J) :- broken(M).
    """

    parameters: ClassVar[Declared] = {
        "assume": items("Additional predicates to assume initially.", "a list of predicates"),
        "max_refinements": whole("Maximum number of clause refinements.", at_least=0),
    }

    unexplained_: Any
    refinements_: tuple[str, ...]

    def __init__(
        self,
        theory: DomainTheory | None = None,
        background: Relations | None = None,
        *,
        assume: Sequence[str] = (),
        max_refinements: int = 1_000,
        fallback: bool = False,
    ) -> None:
        self.theory = theory
        self.background = background
        self.assume = assume
        self.max_refinements = max_refinements
        self.fallback = fallback

    def fit(self, X: Any, y: Any) -> LazyEBG:
        """Explain the positive rows of `X` and refine clauses that cover negative ones."""
        self._check_parameters()
        self._state = _State()
        return self if self._learned_cases(X, y) else self._learn(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> LazyEBG:
        """Process further examples: explain those not covered and refine clauses that err."""
        if not hasattr(self, "hypothesis_"):
            return self.fit(X, y)
        if not hasattr(self, "_state") or (self.background is None and self.theory is not None):
            raise InputError(
                "assumptions of a LazyEBG that was fitted to a table or loaded from a file are not "
                "kept; fit it again with all rows"
            )
        self._check_parameters()
        self._fitted(X)
        return self._learn(X, y)

    def _learn(self, X: Any, y: Any) -> LazyEBG:
        examples = self._examples(X, y)
        learned: list[Learned] = []
        unexplained = np.flatnonzero(examples.positive).tolist()
        if self.theory is not None:
            run = _Run(self.theory, examples, self, self._state)
            with interruptible(learned, "clauses"):
                unexplained = run.go()
            learned = run.learned()
        self.unexplained_ = np.array(unexplained, np.intp)
        self.refinements_ = tuple(self._state.refinements)
        self.hypothesis_ = self._derived(examples, learned)
        return self


@dataclass
class _State:
    """Clauses learned so far and their origins."""

    rules: list[LazyRule] = field(default_factory=list)
    seen: dict[Literal, bool] = field(default_factory=dict)
    tried: dict[Literal, list[Clause]] = field(default_factory=dict)
    refinements: list[str] = field(default_factory=list)


class _Run:
    """Learning loop over new and earlier examples."""

    def __init__(self, theory: DomainTheory, examples: Examples, learner: LazyEBG, state: _State) -> None:
        self.theory, self.examples, self.state = theory, examples, state
        self.max_refinements = learner.max_refinements
        self.explainer = LazyExplainer(theory, examples.relations, learner.assume)
        self.explainer._names.update(
            one.head.name for rule in state.rules for one in rule.helpers if one.head
        )

    def go(self) -> list[int]:
        """Process each example; return the rows of positive examples without an explanation."""
        rows = {self.examples.literal(row): number for number, row in enumerate(self.examples.rows)}
        waiting = list(rows)
        for goal, number in rows.items():
            self.state.seen[goal] = bool(self.examples.positive[number])
        unexplained: dict[int, None] = {}
        done = 0
        while waiting:
            goal = waiting.pop(0)
            report(min(1.0, done / len(rows)))
            done += 1
            if self.state.seen[goal]:
                if not self._explain(goal) and goal in rows:
                    unexplained[rows[goal]] = None
            elif self._correct(goal):
                # positive examples that a refined clause no longer covers are explained again
                waiting += [
                    one for one, positive in self.state.seen.items() if positive and one not in waiting
                ]
        return list(unexplained)

    def _explain(self, goal: Literal) -> bool:
        """Ensure that a positive example is covered by a clause that covers no known negative one."""
        tried = self.state.tried.setdefault(goal, [])
        while not any(self.explainer.covers(rule, goal) for rule in self.state.rules):
            rule = self.explainer.explained(goal, tried)
            if rule is None:
                return False
            tried.append(rule.clause)
            if trace.active("explain"):
                trace.emit("explain", example=str(goal), proof=str(rule.proof), clause=str(rule.clause))
            self.state.rules.append(rule)
            for negative in [one for one, positive in self.state.seen.items() if not positive]:
                self._correct(negative)
        return True

    def _correct(self, wrong: Literal) -> bool:
        """Refine the clauses that cover a negative example; return whether any was changed."""
        changed = False
        for place in range(len(self.state.rules) - 1, -1, -1):
            rule: LazyRule | None = self.state.rules[place]
            while rule is not None and self.explainer.covers(rule, wrong):
                if len(self.state.refinements) >= self.max_refinements:
                    note(
                        f"the limit of {self.max_refinements:,} refinements was reached; raise "
                        "max_refinements"
                    )
                    return changed
                new, why = self.explainer.refined(rule, wrong)
                if new is rule:
                    break
                changed = True
                after = "the clause was dropped" if new is None else str(new.clause)
                self.state.refinements.append(
                    f"{wrong} was misclassified, because {why} does not hold: {after}"
                )
                rule = new
            if rule is None:
                del self.state.rules[place]
            else:
                self.state.rules[place] = rule
        return changed

    def learned(self) -> list[Learned]:
        """Return the clauses with their justifications."""
        find = self.examples.relations.symbols.find
        arity = self.examples.target[1]
        sources = [[find(term) for term in rule.source.arguments] for rule in self.state.rules]
        rows = np.array(sources, np.int64).reshape(-1, arity)
        justifying = Justifying(self.theory, self.examples.relations, rows)
        found: dict[Clause, Justification] = {}
        helpers: dict[Clause, Justification] = {}
        for rule in self.state.rules:
            rules = self.explainer.rules_used(rule)
            justification = justifying.of(rule.proof, rules)
            assumed = tuple(str(one.literal) for one in rule.assumptions)
            relevant = tuple(map(str, self.explainer.facts_used(rule)))
            found.setdefault(rule.clause, replace(justification, assumed=assumed, relevant=relevant))
            for helper in rule.helpers:
                helpers.setdefault(helper, Justification("", "", justification.rules))
        return [Learned(*each) for each in (*found.items(), *helpers.items())]
