"""Lazy explanation: assume expensive conditions, explain them when a rule errs (Mitchell §11.4; Chien, Tadepalli).

Proving that nothing rules out a choice requires a proof for every possible objection. A lazy explanation
assumes such conditions, so the rule it justifies is overly general. Where the rule errs, the failed
assumption is explained, but only as far as that case requires.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from induce.analytical.explainer import Explainer, proof_limits
from induce.core.errors import InputError
from induce.core.notes import note
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.domain_theory import DomainTheory
from induce.logic.parsing import literal_of
from induce.logic.printing import term_of
from induce.logic.proofs import Proof
from induce.logic.prover import Prover
from induce.logic.regression import leaves_of, weakest_preimage
from induce.logic.stratification import written
from induce.logic.substitution import Substitution, renamed_apart, variables_of
from induce.logic.terms import Variable
from induce.logic.unfolding import simplified
from induce.logic.unification import unify

ASSUMED: Predicate = ("assumed", 1)
"""Placeholder in a lazy proof for an assumed condition."""
MOST_WAYS = 100
"""Maximum number of ways in which a rule covers an example that are examined."""


@dataclass(frozen=True)
class Assumption:
    """Condition that a rule assumes.

    Parameters
    ----------
    literal : Literal
        Literal with the variables of the rule.
    exceptions : tuple of Literal
        Explained part of a negated condition: negations of the ways in which it failed.
    """

    literal: Literal
    exceptions: tuple[Literal, ...] = ()


@dataclass(frozen=True)
class LazyRule:
    """Rule from a possibly incomplete explanation.

    Parameters
    ----------
    head : Literal
    body : tuple of Literal
        Explained conditions.
    assumptions : tuple of Assumption
    helpers : tuple of Clause
        Clauses that define exceptions.
    proof : Proof
        Lazy explanation of the rule's source example.
    """

    head: Literal
    body: tuple[Literal, ...]
    assumptions: tuple[Assumption, ...]
    helpers: tuple[Clause, ...]
    proof: Proof

    @property
    def clause(self) -> Clause:
        """Rule as a clause."""
        exceptions = [one for assumption in self.assumptions for one in assumption.exceptions]
        return Clause(self.head, tuple(dict.fromkeys((*self.body, *exceptions))))

    @property
    def source(self) -> Literal:
        """Source example of the rule."""
        return self.proof.literal


class LazyExplainer:
    """Explainer of examples only as far as necessary.

    Parameters
    ----------
    theory : DomainTheory
    relations : Relations
    assume : iterable of str
        Additional predicates to assume initially; negated predicates that the theory defines are always
        assumed.
    """

    def __init__(self, theory: DomainTheory, relations: Relations, assume: Iterable[str] = ()) -> None:
        self.theory, self.relations = theory, relations
        self.assume = frozenset(map(theory._found, assume))
        if theory.predicate in self.assume:
            raise InputError(
                f"the target {written(theory.predicate)} cannot be assumed; remove it from assume"
            )
        if ASSUMED in theory.program.by_predicate:
            raise InputError("the theory defines assumed/1, a name reserved for assumptions; rename it")
        self._names = {name for name, _ in theory.program.by_predicate}
        self._explainers: dict[Predicate, Explainer] = {}
        self._limits = proof_limits(theory)

    @cached_property
    def lazy(self) -> Prover:
        """Prover of examples with assumptions."""
        clauses = [Clause(one.head, tuple(self._lazily(one))) for one in self.theory.program]
        granted = Clause(Literal(ASSUMED[0], (Variable("Anything"),)))
        tabled = "auto" if self.theory.recursive else None
        return self.relations.prover((*clauses, granted), limits=self._limits, tabled=tabled, unknown="fail")

    @cached_property
    def full(self) -> Prover:
        """Prover with the whole theory and without assumptions."""
        return self.relations.prover(self.theory.program.clauses, limits=self._limits, unknown="fail")

    def _lazily(self, clause: Clause) -> Iterator[Literal]:
        bound = set(variables_of(clause.head)) if clause.head is not None else set()
        for place, literal in enumerate(clause.body):
            denied = literal.negated and not self.theory.is_operational(literal.predicate)
            if not denied and literal.predicate not in self.assume:
                bound.update(variables_of(literal))
                yield literal
                continue
            later = set(variables_of(clause.body[place + 1 :]))
            for variable in variables_of(literal):
                if not literal.negated and variable not in bound and variable in later:
                    raise InputError(
                        f"{literal} cannot be assumed, because it binds {variable.name}, which other "
                        f"conditions need: {clause}"
                    )
            yield Literal(ASSUMED[0], (term_of(literal),))

    def _operational(self, predicate: Predicate) -> bool:
        return predicate == ASSUMED or self.theory.is_operational(predicate)

    def explained(self, goal: Literal, tried: Iterable[Clause] = ()) -> LazyRule | None:
        """Return the rule of the first untried lazy explanation of an example."""
        without = set(tried)
        answers = self.lazy.prove(goal)
        for answer in answers:
            rule = self._rule(answer.proof)
            if rule is not None and rule.clause not in without:
                return rule
        if answers.stopped_by is not None:
            note(
                f"{goal} was abandoned after {self._limits.inferences:,} inferences; the theory may "
                "not terminate"
            )
        return None

    def _rule(self, proof: Proof) -> LazyRule | None:
        clause = simplified(weakest_preimage(proof, None, self._operational))
        if clause is None or clause.head is None:
            return None
        body, assumed = _split(clause.body)
        return LazyRule(clause.head, body, tuple(map(Assumption, assumed)), (), proof)

    def covers(self, rule: LazyRule, goal: Literal) -> bool:
        """Return whether a rule covers an example."""
        return next(self._ways(rule, goal), None) is not None

    def _ways(self, rule: LazyRule, goal: Literal) -> Iterator[Substitution]:
        """Yield the variable bindings under which a rule covers an example."""
        theta = unify(rule.head, goal)
        if theta is None:
            return
        body = tuple(map(theta.apply, rule.clause.body))
        if not body:
            yield theta
            return
        prover = self.relations.prover(rule.helpers, limits=self._limits, unknown="fail")
        for number, answer in enumerate(prover.prove(body, proofs=False)):
            if number == MOST_WAYS:
                return
            yield theta.compose(answer.substitution)

    def refined(self, rule: LazyRule, wrong: Literal) -> tuple[LazyRule | None, str]:
        """Explain the first assumption of a rule that fails in an example covered by mistake.

        Returns
        -------
        rule : LazyRule or None
            The result is the same rule if all its assumptions hold, so that the theory is wrong. It is None
            if the explained conditions also fail in the source example of the rule.
        why : str
            Explained conditions.
        """
        for theta in self._ways(rule, wrong):
            for place, assumption in enumerate(rule.assumptions):
                literal = theta.apply(assumption.literal)
                if not self.full.holds(literal):
                    new = self._denial(rule, place, literal) if literal.negated else self._proved(rule, place)
                    if new is not None and not self.covers(new, rule.source):
                        new = None
                    return new, str(literal)
            return rule, ""
        return rule, ""

    def _denial(self, rule: LazyRule, place: int, literal: Literal) -> LazyRule | None:
        """Exclude the way in which an assumed negation was shown to be false."""
        assumption = rule.assumptions[place]
        positive = literal.negation()
        answer = self.full.first(positive)
        assert answer is not None
        explainer = self._explainer(positive.predicate)
        explained = next(explainer.explanations(answer.proof.literal), None)
        if explained is None or explained.clause.head is None:
            return None
        name = self._new_name(positive.name)
        head = Literal(name, explained.clause.head.arguments)
        exception = Literal(name, assumption.literal.arguments, True)
        new = replace(assumption, exceptions=(*assumption.exceptions, exception))
        helpers = (*rule.helpers, Clause(head, explained.clause.body), *explained.helpers)
        assumptions = (*rule.assumptions[:place], new, *rule.assumptions[place + 1 :])
        return replace(rule, assumptions=assumptions, helpers=tuple(dict.fromkeys(helpers)))

    def _explainer(self, predicate: Predicate) -> Explainer:
        if predicate not in self._explainers:
            theory = DomainTheory(str(self.theory), written(predicate), self.theory.operational)
            self._explainers[predicate] = Explainer(theory, self.relations, limits=self._limits)
        return self._explainers[predicate]

    def _proved(self, rule: LazyRule, place: int) -> LazyRule | None:
        """Explain an assumption by its proof in the source example of the rule."""
        assumed = rule.assumptions[place].literal
        for theta in self._ways(rule, rule.source):
            literal = theta.apply(assumed)
            if not self.full.holds(literal):
                continue
            answer = self.lazy.first(literal)
            clause = (
                None
                if answer is None
                else simplified(weakest_preimage(answer.proof, None, self._operational))
            )
            if clause is None:
                continue
            apart = renamed_apart(clause, rule.clause, Clause(assumed))
            sigma = None if apart.head is None else unify(assumed, apart.head)
            if sigma is None:
                continue
            body, further = _split(map(sigma.apply, apart.body))
            others = [
                Assumption(sigma.apply(one.literal), tuple(map(sigma.apply, one.exceptions)))
                for number, one in enumerate(rule.assumptions)
                if number != place
            ]
            return replace(
                rule,
                head=sigma.apply(rule.head),
                body=tuple(dict.fromkeys((*map(sigma.apply, rule.body), *body))),
                assumptions=(*others, *map(Assumption, further)),
            )
        return None

    def _new_name(self, stem: str) -> str:
        number = 1
        while f"{stem}_{number}" in self._names:
            number += 1
        self._names.add(f"{stem}_{number}")
        return f"{stem}_{number}"

    def facts_used(self, rule: LazyRule) -> tuple[Literal, ...]:
        """Return the facts of the example that the lazy explanation depends on."""
        leaves = leaves_of(rule.proof, self._operational)
        facts = (leaf.literal for leaf in leaves if leaf.kind == "fact" and leaf.literal.predicate != ASSUMED)
        return tuple(dict.fromkeys(facts))

    def rules_used(self, rule: LazyRule) -> tuple[Clause, ...]:
        """Return the clauses of the theory used by the lazy explanation."""
        numbers = dict.fromkeys(
            node.number
            for _, node in rule.proof.walk()
            if node.number is not None and not self._operational(node.literal.predicate)
        )
        program: Program = self.theory.program
        return tuple(program.clauses[number] for number in numbers if number < len(program))


def _split(body: Iterable[Literal]) -> tuple[tuple[Literal, ...], tuple[Literal, ...]]:
    """Split a body into explained and assumed conditions."""
    explained: list[Literal] = []
    assumed: list[Literal] = []
    for literal in body:
        if literal.predicate == ASSUMED:
            assumed.append(literal_of(literal.arguments[0]))
        else:
            explained.append(literal)
    return tuple(dict.fromkeys(explained)), tuple(dict.fromkeys(assumed))
