"""Operators, domains and problems as immutable values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from induce.core.errors import InputError
from induce.data.names import listed
from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Variable

OBJECT = "object"
"""Supertype of all objects."""
EQUALS = "="


def shown(literal: Literal) -> str:
    """Return a condition as readable text."""
    terms = ", ".join(map(str, literal.arguments))
    if literal.name.startswith(":"):
        return f"{terms} is {'not ' if literal.negated else ''}of type {literal.name[1:]}"
    if literal.name == EQUALS:
        return f"{literal.arguments[0]} {'!=' if literal.negated else '='} {literal.arguments[1]}"
    text = f"{literal.name}({terms})" if terms else literal.name
    return f"not {text}" if literal.negated else text


@dataclass(frozen=True)
class Operator:
    """Action schema: preconditions, add effects and delete effects.

    Parameters
    ----------
    name : str
        Name of the operator.
    parameters : tuple of Variable
        Variables of the schema.
    types : tuple of str
        Type of each parameter.
    preconditions : tuple of Literal
        Literals that must be true, negated literals that must be false, and ``=`` between two terms.
    adds, deletes : tuple of Literal
        Facts added and deleted. A fact that is both deleted and added is true afterwards.

    Examples
    --------
    >>> from induce.planning.pddl import read_domain
    >>> print(read_domain(BLOCKS).operators[0])
    pick-up(X): clear(X), ontable(X), handempty => +holding(X), -clear(X), -ontable(X), -handempty
    """

    name: str
    parameters: tuple[Variable, ...]
    types: tuple[str, ...]
    preconditions: tuple[Literal, ...]
    adds: tuple[Literal, ...]
    deletes: tuple[Literal, ...]

    def __post_init__(self) -> None:
        if len(self.parameters) != len(self.types):
            raise InputError(
                f"operator {self.name} has {len(self.parameters)} parameters, but {len(self.types)} "
                "types; give one type per parameter"
            )
        known = set(self.parameters)
        for literal in (*self.preconditions, *self.adds, *self.deletes):
            free = next((one for one in literal.variables() if one not in known), None)
            if free is not None:
                raise InputError(
                    f"operator {self.name} uses {free}, which is not among its parameters; declare it"
                )

    def applied(self, theta: Substitution) -> Operator:
        """Return the operator with its parameters replaced by terms."""
        names = [theta.apply(one) for one in self.parameters]
        left = [n for n, one in enumerate(names) if isinstance(one, Variable)]
        variables = tuple(dict.fromkeys(one for one in names if isinstance(one, Variable)))
        types = {names[n]: self.types[n] for n in reversed(left)}
        return Operator(
            self.name,
            variables,
            tuple(types[one] for one in variables),
            tuple(map(theta.apply, self.preconditions)),
            tuple(map(theta.apply, self.adds)),
            tuple(map(theta.apply, self.deletes)),
        )

    def __str__(self) -> str:
        before = ", ".join(map(shown, self.preconditions)) or "always"
        effects = [f"+{shown(one)}" for one in self.adds] + [f"-{shown(one)}" for one in self.deletes]
        arguments = ", ".join(map(str, self.parameters))
        return f"{self.name}({arguments}): {before} => {', '.join(effects)}"


@dataclass(frozen=True)
class Domain:
    """Planning domain: operators, predicates and types.

    Parameters
    ----------
    name : str
        Name of the domain.
    operators : tuple of Operator
        Action schemas.
    predicates : dict, optional
        Argument types of each predicate.
    types : dict, optional
        Mapping from each type to its supertype.
    constants : dict, optional
        Mapping from the constants of the domain to their types.
    """

    name: str
    operators: tuple[Operator, ...]
    predicates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [one.name for one in self.operators]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"two operators are named {twice}; rename one of them")
        for operator in self.operators:
            for kind in operator.types:
                self._check_type(kind, f"operator {operator.name}")
            for literal in (*operator.preconditions, *operator.adds, *operator.deletes):
                self._check_literal(literal, f"operator {operator.name}")

    def above(self, kind: str) -> Iterator[str]:
        """Yield a type and all its supertypes."""
        seen: set[str] = set()
        while kind not in seen:
            seen.add(kind)
            yield kind
            kind = self.types.get(kind, OBJECT)

    def operator(self, name: str) -> Operator:
        """Return an operator by its name."""
        found = next((one for one in self.operators if one.name == name), None)
        if found is None:
            raise InputError(
                f"there is no operator {name!r}; there are {listed([one.name for one in self.operators])}"
            )
        return found

    @cached_property
    def changed(self) -> frozenset[str]:
        """Predicates that some operator changes."""
        return frozenset(each.name for one in self.operators for each in (*one.adds, *one.deletes))

    def with_operators(self, *more: Operator) -> Domain:
        """Return the domain with additional operators, such as macros."""
        return Domain(self.name, (*self.operators, *more), self.predicates, self.types, self.constants)

    def _check_type(self, kind: str, where: str) -> None:
        if kind != OBJECT and kind not in self.types:
            raise InputError(f"{where} uses the type {kind}, which the domain does not declare; declare it")

    def _check_literal(self, literal: Literal, where: str) -> None:
        if literal.name == EQUALS or not self.predicates:
            return
        if literal.name not in self.predicates:
            raise InputError(
                f"{where} uses the predicate {literal.name}, which the domain does not declare; declare it"
            )
        wanted = len(self.predicates[literal.name])
        if len(literal.arguments) != wanted:
            raise InputError(
                f"{where} gives {literal.name} {len(literal.arguments)} arguments; it takes {wanted}"
            )

    def __str__(self) -> str:
        return "\n".join(map(str, self.operators))


@dataclass(frozen=True)
class PlanningProblem:
    """Planning problem: objects, initial state and goal.

    Parameters
    ----------
    domain : Domain
        Domain of the problem.
    objects : dict
        Mapping from objects to their types.
    initial : frozenset of Literal
        Facts that are initially true.
    goal : tuple of Literal
        Goal literals; negated ones must be false.
    name : str, default="problem"
    """

    domain: Domain
    objects: Mapping[str, str]
    initial: frozenset[Literal]
    goal: tuple[Literal, ...]
    name: str = "problem"

    def __post_init__(self) -> None:
        for thing, kind in self.objects.items():
            self.domain._check_type(kind, f"the object {thing}")
        things = {**self.domain.constants, **self.objects}
        for literal in (*self.initial, *self.goal):
            self.domain._check_literal(literal, f"problem {self.name}")
            for term in literal.arguments:
                if not isinstance(term, Constant):
                    raise InputError(f"{literal} in problem {self.name} has a variable; give ground facts")
                if term.value not in things:
                    raise InputError(
                        f"{literal} in problem {self.name} uses {term}, which is not an object; declare it"
                    )

    @cached_property
    def things(self) -> dict[str, tuple[str, ...]]:
        """All objects of each type, including those of its subtypes."""
        found: dict[str, list[str]] = {OBJECT: []}
        for thing, kind in {**self.domain.constants, **self.objects}.items():
            for one in self.domain.above(kind):
                found.setdefault(one, []).append(thing)
        return {kind: tuple(members) for kind, members in found.items()}


BLOCKS = """
(define (domain blocks)
  (:requirements :strips)
  (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
  (:action pick-up :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (holding ?x) (not (clear ?x)) (not (ontable ?x)) (not (handempty))))
  (:action put-down :parameters (?x)
    :precondition (holding ?x)
    :effect (and (clear ?x) (ontable ?x) (handempty) (not (holding ?x))))
  (:action stack :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (on ?x ?y) (clear ?x) (handempty) (not (holding ?x)) (not (clear ?y))))
  (:action unstack :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (handempty)))))
"""
"""Blocks world with a robot hand that stacks blocks (Mitchell §11.4)."""
