"""Regression through the steps of a proof (Mitchell §11.2.1.2, Table 11.3; Waldinger 1977)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.proofs import Proof
from induce.logic.substitution import Substitution, fresh_variables, variables_of
from induce.logic.terms import Term, Variable
from induce.logic.unification import unify, unify_all

Operational = Callable[[Predicate], bool]


@dataclass(frozen=True)
class Step:
    """Single call of `regress`.

    Parameters
    ----------
    rule : Clause
        Clause used in the proof, with its variables renamed apart.
    literal : Literal
        Literal of the frontier that the rule concludes.
    instance : Substitution
        Unifier of the rule's head with the proved literal (the book's theta_hi).
    general : Substitution
        Most general unifier of the rule's head with the literal (the book's theta_hl).
    frontier : tuple of Literal
        Conditions that remain after the step.
    """

    rule: Clause
    literal: Literal
    instance: Substitution
    general: Substitution
    frontier: tuple[Literal, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.frontier))


def regress(
    frontier: Sequence[Literal], rule: Clause, literal: Literal
) -> tuple[tuple[Literal, ...], Substitution]:
    """Replace a literal of the frontier by the conditions under which a rule concludes it (Table 11.3).

    Parameters
    ----------
    frontier : sequence of Literal
        Conditions before the step.
    rule : Clause
        Rule that shares no variables with the frontier.
    literal : Literal
        Literal of the frontier that the rule's head unifies with.

    Returns
    -------
    frontier : tuple of Literal
    general : Substitution
        Most general unifier of the rule's head with the literal.

    Examples
    --------
    >>> from induce.logic import parse_clause, parse_literal
    >>> frontier = [parse_literal("less_than(A, B)"), parse_literal("weight(Y, B)")]
    >>> regressed, general = regress(frontier, parse_clause("weight(Z, 5) :- type(Z, endtable)."), frontier[1])
    >>> print(*regressed, general)
    less_than(A, 5) type(Y, endtable) {Z/Y, B/5}
    """
    if literal not in frontier:
        raise InputError(
            f"{literal} is not in the frontier {', '.join(map(str, frontier))}; give one of its literals"
        )
    general = None if rule.head is None else unify(literal, rule.head)
    if general is None:
        raise InputError(f"the rule does not conclude {literal}: {rule}")
    place = list(frontier).index(literal)
    replaced = (*frontier[:place], *rule.body, *frontier[place + 1 :])
    return tuple(dict.fromkeys(map(general.apply, replaced))), general


def weakest_preimage(
    proof: Proof, target: Literal | None = None, operational: Operational | None = None
) -> Clause:
    """Return the most general clause that concludes a target by the steps of a proof (weakest preimage).

    All steps are unified at once, which gives the same result as step-by-step regression in time linear in
    the size of the proof.

    Parameters
    ----------
    proof : Proof
        Proof to generalise.
    target : Literal, optional
        Head of the resulting clause; by default the proved predicate with distinct variables.
    operational : function of a predicate, optional
        Predicates at which the explanation ends; facts by default.

    Examples
    --------
    >>> from induce.logic import Prover, parse_program
    >>> prover = Prover(parse_program('''
    ...     likes(X, pizza) :- student(X).
    ...     student(ann). tall(ann).
    ... '''))
    >>> print(weakest_preimage(prover.first("likes(ann, pizza)").proof))
    likes(A, pizza) :- student(A).
    """
    names = _Names()
    goal = names.target(proof, target)
    pairs: list[tuple[Term, Term]] = []
    leaves: list[Literal] = []
    waiting = [(goal, proof)]
    while waiting:
        literal, node = waiting.pop()
        if _is_leaf(node, operational):
            leaves.append(literal)
            continue
        rule = names.apart(node)
        assert rule.head is not None
        pairs.extend(zip(literal.arguments, rule.head.arguments, strict=True))
        waiting.extend(reversed(list(zip(rule.body, node.children, strict=True))))
    theta = unify_all(pairs)
    if theta is None:
        raise InputError(f"the proof of {proof.literal} is not a proof of {goal}; give its own goal")
    head, *body = map(theta.apply, (goal, *leaves))
    return Clause(head, tuple(dict.fromkeys(body)))


def regression_steps(
    proof: Proof, target: Literal | None = None, operational: Operational | None = None
) -> Iterator[Step]:
    """Yield the calls of `regress` that lead from a target to its weakest preimage (Figure 11.3).

    Parameters
    ----------
    proof : Proof
        Proof to regress through.
    target : Literal, optional
        Literal to regress; by default the proved predicate with distinct variables.
    operational : function of a predicate, optional
        Predicates at which the explanation ends; facts by default.
    """
    names = _Names()
    goal = names.target(proof, target)
    waiting: list[tuple[Literal, Proof]] = [(goal, proof)]
    while True:
        place = next((n for n, (_, node) in enumerate(waiting) if not _is_leaf(node, operational)), None)
        if place is None:
            return
        literal, node = waiting[place]
        rule = names.apart(node)
        assert rule.head is not None
        _, general = regress([literal], rule, literal)
        waiting[place : place + 1] = zip(rule.body, node.children, strict=True)
        waiting = [(general.apply(each), below) for each, below in waiting]
        instance = unify(rule.head, node.literal) or Substitution()
        yield Step(rule, literal, instance, general, tuple(dict.fromkeys(each for each, _ in waiting)))


def leaf_generalisation(
    proof: Proof, things: Sequence[Term], operational: Operational | None = None
) -> Clause:
    """Return the clause of the facts that a proof depends on, with some constants replaced by variables (AL-4).

    The clause is valid but more specific than the weakest preimage: the remaining values are those of the
    example.

    Parameters
    ----------
    proof : Proof
    things : sequence of Term
        Constants to replace by variables, usually the arguments of the target.
    operational : function of a predicate, optional
    """
    variables = dict(zip(things, (Variable(f"X{n}") for n in range(1, len(things) + 1)), strict=True))

    def general(literal: Literal) -> Literal:
        return Literal(
            literal.name, tuple(variables.get(term, term) for term in literal.arguments), literal.negated
        )

    leaves = [node.literal for node in leaves_of(proof, operational) if node.kind != "built-in"]
    return Clause(general(proof.literal), tuple(dict.fromkeys(map(general, leaves))))


def leaves_of(proof: Proof, operational: Operational | None = None) -> Iterator[Proof]:
    """Yield the nodes at which an explanation ends, from left to right."""
    waiting = [proof]
    while waiting:
        node = waiting.pop()
        if _is_leaf(node, operational):
            yield node
        else:
            waiting.extend(reversed(node.children))


def cut(proof: Proof, operational: Operational) -> Proof:
    """Return a proof that ends at operational predicates."""
    if _is_leaf(proof, operational):
        return Proof(proof.literal, proof.kind, proof.clause, proof.number, (), proof.tabled)
    below = tuple(cut(child, operational) for child in proof.children)
    return Proof(proof.literal, proof.kind, proof.clause, proof.number, below, proof.tabled)


def _is_leaf(node: Proof, operational: Operational | None) -> bool:
    if node.kind in ("built-in", "negation") or node.clause is None:
        return True
    return node.kind == "fact" if operational is None else operational(node.literal.predicate)


class _Names:
    """Source of fresh variables for clauses: X, X1, X2, …"""

    def __init__(self) -> None:
        self.taken: dict[Variable, None] = {}
        self.last: dict[str, int] = {}

    def target(self, proof: Proof, target: Literal | None) -> Literal:
        if target is None:
            root = proof.clause.head if proof.clause is not None else None
            arguments = () if root is None else root.arguments
            plain = all(isinstance(term, Variable) for term in arguments) and len(set(arguments)) == len(
                arguments
            )
            if not plain or root is None:
                supply = fresh_variables()
                root = Literal(proof.literal.name, tuple(next(supply) for _ in proof.literal.arguments))
            target = root
        if unify(target, proof.literal) is None:
            raise InputError(
                f"{proof.literal} is not an instance of the target {target}; give a more general target"
            )
        self.taken |= dict.fromkeys(variables_of(target))
        return target

    def apart(self, node: Proof) -> Clause:
        assert node.clause is not None
        new: dict[Variable, Term] = {}
        for variable in node.clause.variables():
            name = variable
            while name in self.taken:
                stem = variable.name.rstrip("0123456789")
                self.last[stem] = self.last.get(stem, 0) + 1
                name = Variable(f"{stem}{self.last[stem]}")
            new[variable] = name
            self.taken[name] = None
        return Substitution(new).apply(node.clause)
