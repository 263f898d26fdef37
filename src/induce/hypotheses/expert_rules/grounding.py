"""First-order theories over finite constants: grounding of clauses (Mitchell, exercise 12.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from string import Formatter

from induce.core.errors import InputError
from induce.data.schema import Schema
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.domain_theory import flattened
from induce.logic.parsing import parse_literal, parse_program
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Term, Variable

MOST_GROUND = 10_000
"""Maximum number of clauses after grounding."""
Position = tuple[Predicate, int]


def ground_clauses(text: str, schema: Schema, patterns: Sequence[tuple[str, str]]) -> list[Clause]:
    """Return the clauses of a Prolog theory, grounding variables that range over constants.

    A variable ranges over constants if it is an argument of a pattern, whose columns determine the constants,
    or of a predicate defined by facts; the same holds wherever such a variable is passed on. Other variables
    denote the row.

    Parameters
    ----------
    text : str
    schema : Schema
    patterns : sequence of (literal, condition)

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> schema = Schema(tuple(Column(f"red_{k}", "nominal", ("no", "yes")) for k in "ab"))
    >>> for clause in ground_clauses("good :- red(X).", schema, [("red(X)", "red_{X} = yes")]):
    ...     print(clause)
    good :- red(a).
    good :- red(b).
    """
    clauses = list(flattened(parse_program(text)))
    shapes = [(parse_literal(literal), condition) for literal, condition in patterns]
    facts = _facts(clauses)
    known: dict[Position, list[Constant]] = {}
    for predicate, rows in facts.items():
        for place in range(predicate[1]):
            known[predicate, place] = list(dict.fromkeys(row[place] for row in rows))
    for pattern, condition in shapes:
        for place, argument in enumerate(pattern.arguments):
            values = _named(str(argument), condition, schema)
            if values:
                known[pattern.predicate, place] = values
    objects = _objects(clauses, set(known))
    if not any(_bound(clause, objects) for clause in clauses):
        return clauses
    everything = list(dict.fromkeys(one for values in known.values() for one in values))
    found: list[Clause] = []
    for clause in clauses:
        assert clause.head is not None
        if clause.head.predicate not in facts:
            for one in _ways(clause, objects, known, facts, everything):
                found.append(one)
                if len(found) > MOST_GROUND:
                    raise InputError(
                        f"grounding the theory gives more than {MOST_GROUND:,} clauses; use fewer constants"
                    )
    return _defined(list(dict.fromkeys(found)), {clause.head for clause in clauses if clause.head}, shapes)


def _facts(clauses: Sequence[Clause]) -> dict[Predicate, list[tuple[Constant, ...]]]:
    """Return the predicates that are defined by ground facts only and are called with a variable."""
    asked = {one.predicate for clause in clauses for one in clause.body if not one.ground}
    rows: dict[Predicate, list[tuple[Constant, ...]]] = {}
    others = set()
    for clause in clauses:
        head = clause.head
        assert head is not None
        constants = tuple(term for term in head.arguments if isinstance(term, Constant))
        if clause.body or not constants or len(constants) < len(head.arguments):
            others.add(head.predicate)
        else:
            rows.setdefault(head.predicate, []).append(constants)
    return {name: listed for name, listed in rows.items() if name in asked and name not in others}


def _named(variable: str, condition: str, schema: Schema) -> list[Constant]:
    """Return the constants for a variable of a pattern that yield the name of a column of the table."""
    parts = list(Formatter().parse(re.split(r"[=<>≤≥≠]|\bin\b", condition)[0].strip().strip('"')))
    if variable not in {name for _, name, _, _ in parts}:
        return []
    shape = "".join(
        re.escape(text) + ("" if name is None else "(.+?)" if name == variable else ".+?")
        for text, name, _, _ in parts
    )
    matches = (re.fullmatch(shape, name) for name in schema.names())
    return [Constant(_constant(match[1])) for match in matches if match]


def _constant(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def _objects(clauses: Sequence[Clause], objects: set[Position]) -> set[Position]:
    """Return all argument positions of constants: the known ones, and those that share a variable with one."""
    while True:
        more = set(objects)
        for clause in clauses:
            assert clause.head is not None
            variables = _bound(clause, objects)
            for literal in (clause.head, *clause.body):
                for place, term in enumerate(literal.arguments):
                    if term in variables:
                        more.add((literal.predicate, place))
        if more == objects:
            return objects
        objects = more


def _bound(clause: Clause, objects: set[Position]) -> list[Variable]:
    """Return the variables of a clause that range over constants."""
    assert clause.head is not None
    found = {
        term: None
        for literal in (clause.head, *clause.body)
        for place, term in enumerate(literal.arguments)
        if isinstance(term, Variable) and (literal.predicate, place) in objects
    }
    return list(found)


def _ways(
    clause: Clause,
    objects: set[Position],
    known: Mapping[Position, Sequence[Constant]],
    facts: Mapping[Predicate, Sequence[tuple[Constant, ...]]],
    everything: Sequence[Constant],
) -> Iterator[Clause]:
    """Yield the groundings of a clause over constants for which facts and comparisons hold."""
    assert clause.head is not None
    variables = _bound(clause, objects)
    ranges = []
    for variable in variables:
        listed = [
            known[literal.predicate, place]
            for literal in clause.body
            for place, term in enumerate(literal.arguments)
            if term == variable and not literal.negated and (literal.predicate, place) in known
        ]
        ranges.append(
            [one for one in (listed[0] if listed else everything) if all(one in each for each in listed)]
        )
    for values in product(*ranges):
        ground = Substitution(dict(zip(variables, values, strict=True))).apply(clause)
        assert ground.head is not None
        body = []
        for literal in ground.body:
            held = _decided(literal, facts)
            if held is False:
                break
            if held is None:
                body.append(literal)
        else:
            yield Clause(ground.head, tuple(body))


def _decided(literal: Literal, facts: Mapping[Predicate, Sequence[tuple[Term, ...]]]) -> bool | None:
    """Return whether a literal holds by facts or by comparing constants; None if it depends on the row."""
    if literal.predicate in facts:
        return (literal.arguments in facts[literal.predicate]) != literal.negated
    if literal.name in ("\\=", "\\==", "<", ">", "=<", ">=") and literal.ground:
        one, other = (term.value if isinstance(term, Constant) else None for term in literal.arguments)
        numbers = isinstance(one, int | float) and isinstance(other, int | float)
        if literal.name.startswith("\\=") and (
            numbers or (isinstance(one, str) and isinstance(other, int | float))
        ):
            return (one != other) != literal.negated
        if numbers and isinstance(one, int | float) and isinstance(other, int | float):
            held = {"<": one < other, ">": one > other, "=<": one <= other, ">=": one >= other}[literal.name]
            return held != literal.negated
    return None


def _defined(
    clauses: list[Clause], heads: Iterable[Literal], shapes: Sequence[tuple[Literal, str]]
) -> list[Clause]:
    """Repeatedly drop clauses that need an undefined concept."""
    concepts = {head.predicate for head in heads} - {pattern.predicate for pattern, _ in shapes}
    while True:
        there = {clause.head for clause in clauses}
        kept = []
        for clause in clauses:
            missing = [
                one
                for one in clause.body
                if one.predicate in concepts and one.ground and one.arguments and _plain(one) not in there
            ]
            if not any(not one.negated for one in missing):
                kept.append(Clause(clause.head, tuple(one for one in clause.body if one not in missing)))
        if kept == clauses:
            return clauses
        clauses = kept


def _plain(literal: Literal) -> Literal:
    return literal.negation() if literal.negated else literal
