"""Dependence of a subgoal's result on earlier facts, as proofs over situations.

Every fact of a situation has a proof from the facts before the impasse. Its literals have the situation as
last argument, ``on(a, b, do(move(a, b), now))``. So regression distinguishes the times at which facts hold,
and all steps of one operator refer to the same operator. The persistence of a fact through an operator is a
separate step (frame step), under the conditions that prevented each production from removing it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from induce.analytical.chunking.memory import Situation, Support
from induce.analytical.chunking.productions import LOCAL, PROPOSE, SELECTED, Production, derived_predicates
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.library import is_built_in
from induce.logic.printing import shown_term
from induce.logic.proofs import Proof
from induce.logic.regression import weakest_preimage
from induce.logic.substitution import Substitution, renamed_apart, variables_of
from induce.logic.terms import Constant, Function, Term, Variable
from induce.logic.unfolding import simplified
from induce.logic.unification import match, unify_all

NOW = Constant("now")
WHEN = Variable("When")
OPERATOR = Variable("O")
ABSENT = "not "
"""Name prefix of literals that state the absence of a fact."""
REMOVED = "removed "
"""Name prefix of literals that state the removal of a fact by an operator."""


class NoChunk(Exception):  # noqa: N818
    """Reason why no chunk can be learned from a result."""


def at(literal: Literal, when: Term) -> Literal:
    """Return a literal with a situation argument."""
    name = ABSENT + literal.name if literal.negated else literal.name
    return Literal(name, (*literal.arguments, when))


def during(operator: Term) -> Term:
    """Return the situation in which an operator is to be applied; it contains the operator, so that it is unique."""
    return Function("during", (operator,))


def general(term: Term, stem: str) -> Term:
    """Return an operator with variables as arguments."""
    if not isinstance(term, Function):
        return term
    return Function(term.name, tuple(Variable(f"{stem}{n}") for n in range(len(term.arguments))))


@dataclass
class Episode:
    """Situations of a subgoal, starting from the facts before the impasse.

    Parameters
    ----------
    situations : list of Situation
    operators : list of Term
        Operators that led from each situation to the next.
    before : Situation
        Situation in which the impasse arose; the first situation of the subgoal contains additional facts.
    productions : tuple of Production
    task : Term, optional
        Operator that the subgoal implements.
    """

    situations: list[Situation]
    operators: list[Term]
    before: Situation
    productions: tuple[Production, ...]
    task: Term | None = None
    _proofs: dict[tuple[Literal, int], Proof] = field(default_factory=dict)

    @property
    def start(self) -> Term:
        """Situation before the impasse, as a term."""
        return NOW if self.task is None else during(self.task)

    def when(self, step: int) -> Term:
        """Return the situation after the given steps as a term."""
        term = self.start
        for operator in self.operators[:step]:
            term = Function("do", (operator, term))
        return term

    def proof(self, literal: Literal, step: int) -> Proof:
        """Return the proof of a literal, positive or negated, after the given steps."""
        if is_built_in(literal.predicate):
            return Proof(literal, "built-in")
        key = literal, step
        if key not in self._proofs:
            self._proofs[key] = (
                self._absent(literal, step) if literal.negated else self._present(literal, step)
            )
        return self._proofs[key]

    # -- facts that hold --

    def _present(self, fact: Literal, step: int) -> Proof:
        situation = self.situations[step]
        if step == 0:
            if fact in self.before:
                return Proof(at(fact, self.start), "fact")
            if fact.predicate == ("item", 1):
                return self._renamed(fact, Literal(PROPOSE[0], fact.arguments), NOW)
            if fact.predicate == ("task", 1):
                return self._renamed(fact, Literal(SELECTED[0], fact.arguments), during(OPERATOR))
            if fact.predicate == ("impasse", 1):
                raise NoChunk(
                    f"it depends on {fact}, which only states that knowledge was lacking; without that "
                    "condition the chunk would be overly general"
                )
        if fact in situation.base:
            if fact in situation.added:
                return self._changed(fact, situation.added[fact], step)
            return self._kept(fact, at(_pattern(fact), WHEN), self.proof(fact, step - 1), step)
        return self._derived(fact, situation.derived[fact], step)

    def _renamed(self, fact: Literal, source: Literal, when: Term) -> Proof:
        """Return the proof of a fact of the subgoal from a fact outside it."""
        head, condition = (at(Literal(one.name, (OPERATOR,)), when) for one in (fact, source))
        outside = Proof(at(source, self.start), "fact")
        return Proof(at(fact, self.start), "rule", Clause(head, (condition,)), None, (outside,))

    def _derived(self, fact: Literal, support: Support, step: int) -> Proof:
        clause = support.production.clause
        assert clause.head is not None
        rule = Clause(at(clause.head, WHEN), tuple(map(_said, clause.body)))
        number = self.productions.index(support.production)
        return Proof(at(fact, self.when(step)), "rule", rule, number, self._below(clause.body, support, step))

    def _changed(self, fact: Literal, support: Support, step: int, name: str = "") -> Proof:
        """Return the proof by the production that added or removed a fact; removal is marked by a name prefix."""
        production = support.production
        effect = Literal(name + production.effect.name, production.effect.arguments)
        head = at(effect, Function("do", (production.operator, WHEN)))
        # that the operator can be chosen is stated once per step, since the situation contains the operator
        body = tuple(one for one in production.clause.body if one.predicate != SELECTED)
        rule = Clause(head, tuple(map(_said, body)))
        below = self._below(body, support, step - 1)
        shown = at(Literal(name + fact.name, fact.arguments), self.when(step))
        return Proof(shown, "rule", rule, self.productions.index(production), below)

    def _below(self, body: Sequence[Literal], support: Support, step: int) -> tuple[Proof, ...]:
        return tuple(self.proof(support.values.apply(pattern), step) for pattern in body)

    # -- facts that do not hold --

    def _absent(self, literal: Literal, step: int) -> Proof:
        fact = literal.negation()
        if fact.predicate in self._local:
            raise NoChunk(f"it depends on the absence of {fact}, which is known only in the subgoal")
        if step == 0:
            return Proof(at(literal, self.start), "fact")
        if fact.predicate in derived_predicates(self.productions):
            raise NoChunk(
                f"it depends on the absence of {fact} in a look-ahead situation, and productions "
                f"derive {fact.name}, so no condition states its absence"
            )
        earlier = [
            one for one in self.situations[step - 1].of(fact.predicate) if match(fact, one) is not None
        ]
        if not earlier:
            return self._kept(literal, at(_pattern(literal), WHEN), self.proof(literal, step - 1), step)
        if earlier != [fact]:
            raise NoChunk(
                f"it depends on the removal of every fact like {fact}, which is not a single condition"
            )
        removal = self._changed(fact, self.situations[step].removed[fact], step, REMOVED)
        pattern = _pattern(fact)
        acting = Function("do", (general(self.operators[step - 1], "P"), WHEN))
        source = at(Literal(REMOVED + pattern.name, pattern.arguments), acting)
        return self._kept(literal, source, removal, step)

    @cached_property
    def _local(self) -> frozenset[Predicate]:
        """Predicates that refer to a subgoal, directly or through the conditions of productions."""
        found = set(LOCAL)
        while True:
            more = {
                one.clause.head.predicate
                for one in self.productions
                if one.clause.head is not None
                and one.kind == "elaborate"
                and any(condition.predicate in found for condition in one.clause.body)
            }
            if more <= found:
                return frozenset(found)
            found |= more

    # -- persistence through an operator --

    def _kept(self, literal: Literal, source: Literal, why: Proof, step: int) -> Proof:
        """Return the proof that a literal persists from a source that the operator did not undo."""
        operator = self.operators[step - 1]
        pattern = _pattern(literal)
        values: dict[Variable, Term] = {}
        for variable, term in zip(pattern.arguments, literal.arguments, strict=True):
            assert isinstance(variable, Variable)
            values[variable] = term
        acting = general(operator, "P")
        if isinstance(operator, Function) and isinstance(acting, Function):
            values |= dict(zip(acting.arguments, operator.arguments, strict=True))  # type: ignore[arg-type]
        conditions, below = [source], [why]
        name = "add" if literal.negated else "remove"
        for production in self.productions:
            head = production.clause.head
            if production.kind == "apply" and head is not None and head.name == name:
                for condition, proof in self._prevented(production, pattern, acting, values, step):
                    conditions.append(condition)
                    below.append(proof)
        rule = Clause(at(pattern, Function("do", (acting, WHEN))), tuple(conditions))
        return Proof(at(literal, self.when(step)), "rule", rule, None, tuple(below))

    def _prevented(
        self, production: Production, pattern: Literal, acting: Term, values: dict[Variable, Term], step: int
    ) -> list[tuple[Literal, Proof]]:
        """Return a condition that prevented a production from changing a fact; none if it never could."""
        clause = renamed_apart(production.clause, Clause(pattern, (Literal("do", (acting, WHEN)),)))
        apart = Production.of(clause)
        effect = apart.effect
        if effect.predicate != pattern.predicate:
            return []
        pairs = [*zip(effect.arguments, pattern.arguments, strict=True), (apart.operator, acting)]
        theta = unify_all(pairs)
        if theta is None:
            return []
        example = Substitution(values)
        for one, other in _equations(theta, values):
            left, right = example.apply(one), example.apply(other)
            if not variables_of(left) and not variables_of(right) and left != right:
                return [(Literal("\\=", (one, other)), Proof(Literal("\\=", (left, right)), "built-in"))]
        for condition in clause.body:
            if condition.predicate == SELECTED or is_built_in(condition.predicate) or condition.negated:
                continue
            wanted = _named(theta, values).apply(condition)
            failed = example.apply(wanted)
            if any(
                match(failed, fact) is not None for fact in self.situations[step - 1].of(failed.predicate)
            ):
                continue
            return [(at(wanted.negation(), WHEN), self.proof(failed.negation(), step - 1))]
        raise NoChunk(
            f"{example.apply(pattern)} persisted when {shown_term(self.operators[step - 1])} was "
            f"applied, for reasons that are not a single condition of {production.clause}"
        )


@dataclass(frozen=True)
class Result:
    """Result of a subgoal and its grounds.

    Parameters
    ----------
    literal : Literal
    rule : Clause
        Clause whose head is the generalised result and whose body states its grounds, with situation arguments.
    grounds : tuple of (Episode, Literal, int)
        Fact that satisfies each body literal, and the step of an episode after which it holds.
    """

    literal: Literal
    rule: Clause
    grounds: tuple[tuple[Episode, Literal, int], ...]

    def proof(self) -> Proof:
        """Return the dependence of the result on the facts before the impasse; raise `NoChunk` if there is none."""
        below = tuple(episode.proof(literal, step) for episode, literal, step in self.grounds)
        return Proof(self.literal, "rule", self.rule, None, below)


def _pattern(literal: Literal) -> Literal:
    """Return a literal with variables as arguments."""
    things = tuple(Variable(f"A{n}") for n in range(len(literal.arguments)))
    return Literal(literal.name, things, literal.negated)


def _equations(theta: Substitution, values: dict[Variable, Term]) -> Iterator[tuple[Term, Term]]:
    """Yield the equations between the variables of an example that a unifier requires."""
    first: dict[Term, Variable] = {}
    for variable in values:
        term = theta.apply(variable)
        if not isinstance(term, Variable):
            yield variable, term
        elif term in first:
            yield first[term], variable
        else:
            first[term] = variable


def _named(theta: Substitution, values: dict[Variable, Term]) -> Substitution:
    """Return a unifier that maps the variables of a production to their names in an example."""
    names: dict[Variable, Term] = {}
    for variable in values:
        term = theta.apply(variable)
        if isinstance(term, Variable):
            names.setdefault(term, variable)
    return theta.compose(Substitution(names))


def _said(pattern: Literal) -> Literal:
    return pattern if is_built_in(pattern.predicate) else at(pattern, WHEN)


def conditions(proof: Proof) -> Clause:
    """Return the most general clause that a proof of a result justifies, about the situation before the impasse."""
    clause = weakest_preimage(proof)
    body = []
    for literal in clause.body:
        if is_built_in(literal.predicate):
            body.append(literal)
        else:
            denied = literal.name.startswith(ABSENT)
            body.append(Literal(literal.name.removeprefix(ABSENT), literal.arguments[:-1], denied))
    kept = simplified(Clause(clause.head, tuple(dict.fromkeys(body))))
    if kept is None:
        raise NoChunk("its conditions cannot hold")
    return kept


def leaves(proof: Proof) -> tuple[Literal, ...]:
    """Return the facts before the impasse that a proof depends on."""
    found: dict[Literal, None] = {}
    for _, node in proof.walk():
        if node.kind == "fact":
            denied = node.literal.name.startswith(ABSENT)
            fact = Literal(node.literal.name.removeprefix(ABSENT), node.literal.arguments[:-1], denied)
            found[fact] = None
    return tuple(found)
