"""Theories as definitions of literals by literals, from Prolog or from rules over columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count, product
from math import comb

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Condition, NominalCondition, NumericCondition
from induce.hypotheses.expert_rules.rules import Antecedent
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.bindings import compares
from induce.logic.domain_theory import DomainTheory
from induce.logic.stratification import written
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Function, Term, Variable

MOST_WAYS = 1_000
"""Maximum number of ways in which an "n of m" rule may hold; rules with more are refused."""

OPPOSITE = {"=": "\\=", "\\=": "=", "<": ">=", ">=": "<", ">": "=<", "=<": ">", "==": "\\==", "\\==": "=="}


@dataclass(frozen=True)
class Definition:
    """Single clause of a concept, whose head has distinct variables as arguments.

    Parameters
    ----------
    parameters : tuple of Variable
    body : tuple of Literal
    about_row : bool
        Whether the body is about the columns of a row, whose variables mean the same in every clause.
    """

    parameters: tuple[Variable, ...]
    body: tuple[Literal, ...]
    about_row: bool = False

    @classmethod
    def of(cls, clause: Clause) -> Definition:
        """Return the definition of a clause; head arguments that are not distinct variables become equalities."""
        assert clause.head is not None
        parameters: list[Variable] = []
        equal = []
        for place, term in enumerate(clause.head.arguments):
            if isinstance(term, Variable) and term not in parameters:
                parameters.append(term)
            else:
                name = Variable(f"Argument{place}")
                parameters.append(name)
                equal.append(Literal("=", (name, term)))
        return cls(tuple(parameters), (*equal, *clause.body))

    @property
    def local(self) -> frozenset[Variable]:
        """Variables that occur only in the body."""
        if self.about_row:
            return frozenset()
        return frozenset(name for one in self.body for name in one.variables()) - frozenset(self.parameters)

    def called(self, arguments: Sequence[Term], numbers: Iterator[int]) -> tuple[Literal, ...] | None:
        """Return the body for given arguments, local variables renamed; None if one of its comparisons is false."""
        names: dict[Variable, Term] = dict(zip(self.parameters, arguments, strict=True))
        for name in sorted(self.local, key=lambda one: one.name):
            names[name] = Variable(f"Local{next(numbers)}")
        put = Substitution(names)
        body = []
        for literal in map(put.apply, self.body):
            verdict = _known(literal)
            if verdict is False:
                return None
            if verdict is None:
                body.append(literal)
        return tuple(dict.fromkeys(body))


@dataclass(frozen=True, eq=False)
class LiteralTheory:
    """Definitions of the concepts of a theory.

    Parameters
    ----------
    goal : Literal
        Target of the theory, in the variables of the clauses to be learned.
    definitions : dict from Predicate to tuple of Definition
        Clauses of each concept that learned clauses must not contain.
    """

    goal: Literal
    definitions: dict[Predicate, tuple[Definition, ...]]

    def is_concept(self, literal: Literal) -> bool:
        """Return whether a literal must be replaced by its definition."""
        return literal.predicate in self.definitions

    def bodies(self, literal: Literal, numbers: Iterator[int]) -> list[tuple[Literal, ...]]:
        """Return the bodies by which a concept may hold."""
        found = (one.called(literal.arguments, numbers) for one in self.definitions[literal.predicate])
        return [body for body in found if body is not None]

    def denials(self, literal: Literal, numbers: Iterator[int]) -> list[tuple[Literal, ...]] | None:
        """Return, for each clause of a concept, the literals each of which refutes it; None if a clause has none.

        The negation of a conjunction with local variables is not a literal.
        """
        found = []
        for definition in self.definitions[literal.predicate]:
            body = definition.called(literal.arguments, numbers)
            if body is None:
                continue
            if len(body) > 1 and definition.local:
                return None
            found.append(tuple(map(opposite, body)))
        return found

    def ways(self, literal: Literal) -> list[tuple[Literal, ...]]:
        """Return all distinct concept-free conjunctions that make a literal about a row true."""
        if not self.is_concept(literal):
            return [(literal,)]
        found: list[tuple[Literal, ...]] = []
        for parts in self._alternatives(literal):
            for picked in product(*parts):
                way = tuple(dict.fromkeys(one for part in picked for one in part))
                if way not in found and not any(opposite(one) in way for one in way):
                    found.append(way)
                if len(found) > MOST_WAYS:
                    raise InputError(
                        f"the theory has more than {MOST_WAYS} ways in which {literal.name} holds; "
                        "give a smaller theory"
                    )
        return found

    def _alternatives(self, literal: Literal) -> Iterator[list[list[tuple[Literal, ...]]]]:
        """Yield lists of parts that together make a concept hold; each part is a list of alternatives."""
        numbers = count()
        if not literal.negated:
            for body in self.bodies(literal, numbers):
                yield [self.ways(one) for one in body]
            return
        denied = self.denials(literal, numbers)
        assert denied is not None  # definitions about a row have no local variables
        yield [[way for one in each for way in self.ways(one)] for each in denied]

    def concepts(self, numbers: Iterator[int]) -> Iterator[Literal]:
        """Yield the concepts below the goal that use only the goal's variables."""
        known = {*self.goal.variables()}
        seen, open_ = {self.goal}, [self.goal]
        while open_:
            for body in self.bodies(open_.pop(0), numbers):
                for one in body:
                    plain = Literal(one.name, one.arguments)
                    if plain not in seen and self.is_concept(one) and known.issuperset(one.variables()):
                        seen.add(plain)
                        open_.append(plain)
                        yield plain


def opposite(literal: Literal) -> Literal:
    """Return the negation of a literal; a comparison becomes its opposite."""
    if compares(literal) and not literal.negated and literal.name in OPPOSITE:
        return Literal(OPPOSITE[literal.name], literal.arguments)
    return literal.negation()


def _known(literal: Literal) -> bool | None:
    """Return whether a comparison of constants holds; None for other literals."""
    if literal.name not in ("=", "\\=") or not all(isinstance(one, Constant) for one in literal.arguments):
        return None
    same = literal.arguments[0] == literal.arguments[1]
    return (same == (literal.name == "=")) != literal.negated


def first_order(theory: DomainTheory, head: Literal, known: Collection[Predicate]) -> LiteralTheory:
    """Return the definitions of a domain theory.

    Parameters
    ----------
    theory : DomainTheory
    head : Literal
        Head of the clauses to be learned.
    known : collection of Predicate
        Predicates that learned clauses may use: those of the background.
    """
    if theory.predicate != head.predicate:
        raise InputError(
            f"the theory is about {written(theory.predicate)}, but {written(head.predicate)} is to be learned; give "
            "the theory's target, or clauses for the relation"
        )
    if theory.recursive:
        named = ", ".join(sorted(map(written, theory.recursive)))
        raise InputError(
            f"the theory is recursive: {named}; recursive clauses cannot be fully unfolded, so omit "
            "them or give them as background"
        )
    definitions: dict[Predicate, tuple[Definition, ...]] = {}
    for predicate, clauses in theory.program.by_predicate.items():
        # a concept with background facts may occur in a learned clause
        if predicate in known and predicate != head.predicate:
            continue
        definitions[predicate] = tuple(Definition.of(clause) for clause in clauses)
    for predicate, several in definitions.items():
        for definition in several:
            for literal in definition.body:
                _check_literal(literal, predicate, definitions, known)
    return LiteralTheory(head, definitions)


def _check_literal(
    literal: Literal, of: Predicate, concepts: Collection[Predicate], known: Collection[Predicate]
) -> None:
    if any(isinstance(term, Function) for term in literal.arguments):
        raise InputError(
            f"the theory has the structure {literal} in a clause of {written(of)}; use only variables "
            "and constants"
        )
    if not (compares(literal) or literal.predicate in concepts or literal.predicate in known):
        from difflib import get_close_matches

        names = [written(one) for one in (*known, *concepts)]
        near = get_close_matches(written(literal.predicate), names, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(names)[:8])}"
        raise InputError(
            f"the theory uses {written(literal.predicate)}, which neither the background nor a clause defines; {hint}"
        )


def over_columns(rules: ExpertRules, concept: str) -> LiteralTheory:
    """Return the definitions of rules over columns; conditions become comparisons of the head's variables.

    A column becomes a variable with its name, and a nominal value the constant `value_term`.
    """
    writer = _Writer(rules.schema)
    definitions: dict[Predicate, list[Definition]] = {}
    for rule in rules.clauses:
        if comb(len(rule.body), rule.at_least) > MOST_WAYS:
            raise InputError(
                f"the rule for {rule.head} requires {rule.at_least} of {len(rule.body)} conditions, "
                f"which can be met in more than {MOST_WAYS} ways; require more or fewer of them"
            )
        for chosen in combinations(rule.body, rule.at_least):
            body = tuple(dict.fromkeys(literal for one in chosen for literal in writer.literals(one)))
            definitions.setdefault((rule.head, 0), []).append(Definition((), body, True))
    definitions |= writer.sets
    return LiteralTheory(
        Literal(concept), {predicate: tuple(several) for predicate, several in definitions.items()}
    )


def column_variables(schema: Schema) -> tuple[Variable, ...]:
    """Return the variables that stand for columns: the column names in Prolog's spelling.

    Examples
    --------
    >>> [name.name for name in column_variables(Schema((Column("p-1"), Column("p 1"), Column("Light"))))]
    ['P_1', 'P_1_2', 'Light']
    """
    names: dict[str, Variable] = {}
    for column in schema:
        plain = re.sub(r"\W+", "_", column.name, flags=re.ASCII)
        plain = plain[:1].upper() + plain[1:] if plain[:1].isalpha() else f"Column_{plain}"
        name = next(one for n in count(1) if (one := plain if n == 1 else f"{plain}_{n}") not in names)
        names[name] = Variable(name)
    return tuple(names.values())


def value_term(column: Column, place: int) -> Constant:
    """Return the name of a nominal value; values with the same text get different names."""
    said = str(column.domain[place])
    alike = [other for other, value in enumerate(column.domain) if str(value) == said]
    return Constant(said if len(alike) == 1 else f"{said} ({place})")


class _Writer:
    """Translator of antecedents to literals."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.names = dict(zip(schema.names(), column_variables(schema), strict=True))
        self.sets: dict[Predicate, list[Definition]] = {}
        self._numbers = count()

    def literals(self, one: Antecedent) -> tuple[Literal, ...]:
        """Return the literals of an antecedent, all of which must hold."""
        if isinstance(one.of, str):
            return (Literal(one.of, (), one.negated),)
        ways = self._ways(one.of)
        if len(ways) == 1 and not one.negated:
            return ways[0]
        if len(ways) == 1 and len(ways[0]) == 1:
            return (opposite(ways[0][0]),)
        # a set of values, or a negated interval, becomes a concept of its own
        name = (f"condition {next(self._numbers)}", 0)
        self.sets[name] = [Definition((), way, True) for way in ways]
        return (Literal(name[0], (), one.negated),)

    def _ways(self, condition: Condition) -> list[tuple[Literal, ...]]:
        column = self.schema[condition.attribute]
        name = self.names[column.name]
        if isinstance(condition, NumericCondition):
            low, high = condition.bounds
            tests = []
            if low > float("-inf"):
                tests.append(Literal(">", (name, Constant(low))))
            if high < float("inf"):
                tests.append(Literal("=<", (name, Constant(high))))
            return [tuple(tests)]
        assert isinstance(condition, NominalCondition)
        domain = column.domain
        accepted = [domain.index(value) for value in condition.accepted]
        refused = [place for place in range(len(domain)) if place not in accepted]
        if len(refused) == 1 and len(accepted) > 1:
            return [(Literal("\\=", (name, value_term(column, refused[0]))),)]
        return [(Literal("=", (name, value_term(column, place))),) for place in accepted]
