"""PDDL reader and writer for domains and problems; errors give their position."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from induce.core.errors import InputError
from induce.logic.clauses import Literal
from induce.logic.terms import Constant, Term, Variable
from induce.planning.domains import EQUALS, OBJECT, Domain, Operator, PlanningProblem

SUPPORTED = (":strips", ":typing", ":negative-preconditions", ":equality")
TOKEN = re.compile(r"\s+|;[^\n]*|(?P<token>[()]|[^\s();]+)")


@dataclass(frozen=True)
class Word:
    """Token and its position."""

    text: str
    place: int


@dataclass(frozen=True)
class Group:
    """Contents of a pair of parentheses."""

    parts: tuple[Part, ...]
    place: int


Part: TypeAlias = Word | Group


def read_domain(source: str | os.PathLike[str]) -> Domain:
    """Read a domain from PDDL text or from a file.

    STRIPS with types, negative preconditions and equality is supported; errors name any other feature.

    Parameters
    ----------
    source : str or path-like
        PDDL text, or path of a file.

    Examples
    --------
    >>> from induce.planning.domains import BLOCKS
    >>> [operator.name for operator in read_domain(BLOCKS).operators]
    ['pick-up', 'put-down', 'stack', 'unstack']
    """
    return _Reader(source, "domain").domain()


def read_problem(source: str | os.PathLike[str], domain: Domain) -> PlanningProblem:
    """Read a problem of a domain from PDDL text or from a file.

    Parameters
    ----------
    source : str or path-like
        PDDL text, or path of a file.
    domain : Domain
        Domain of the problem.
    """
    return _Reader(source, "problem").problem(domain)


class _Reader:
    """Text with the error positions in it."""

    def __init__(self, source: str | os.PathLike[str], kind: str) -> None:
        text = os.fspath(source)
        self.file = ""
        if "(" not in text:
            self.file = f"{text}, "
            try:
                text = Path(text).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"{source} cannot be read: {error}") from None
        self.text = text
        whole = self._parsed()
        head = whole.parts[0] if whole.parts else None
        if not isinstance(head, Word) or head.text != "define" or len(whole.parts) < 2:
            raise self.wrong(whole, f"expected (define ({kind} …) …)")
        title = self.words(whole.parts[1])
        if len(title) != 2 or title[0] != kind:
            raise self.wrong(whole.parts[1], f"expected ({kind} NAME)")
        self.name = title[1]
        self.sections = [self.group(part) for part in whole.parts[2:]]

    def wrong(self, part: Part | int, what: str) -> InputError:
        place = part if isinstance(part, int) else part.place
        line = self.text.count("\n", 0, place) + 1
        column = place - (self.text.rfind("\n", 0, place) + 1) + 1
        return InputError(f"{self.file}line {line}, column {column}: {what}")

    def _parsed(self) -> Group:
        stack: list[tuple[int, list[Part]]] = []
        found: Group | None = None
        place = 0
        while place < len(self.text):
            match = TOKEN.match(self.text, place)
            assert match is not None
            token = match["token"]
            if token is not None and found is not None:
                raise self.wrong(place, "expected nothing after the last parenthesis")
            if token == "(":
                stack.append((place, []))
            elif token == ")":
                if not stack:
                    raise self.wrong(place, "a parenthesis is closed that was not opened")
                start, parts = stack.pop()
                group = Group(tuple(parts), start)
                if stack:
                    stack[-1][1].append(group)
                else:
                    found = group
            elif token is not None:
                if not stack:
                    raise self.wrong(place, f"expected (, but found {token}")
                stack[-1][1].append(Word(token.lower(), place))
            place = match.end()
        if stack:
            raise self.wrong(stack[-1][0], "this parenthesis is never closed")
        if found is None:
            raise self.wrong(0, "the text is empty")
        return found

    def group(self, part: Part) -> Group:
        if isinstance(part, Word):
            raise self.wrong(part, f"expected (, but found {part.text}")
        return part

    def word(self, part: Part) -> str:
        if isinstance(part, Group):
            raise self.wrong(part, "expected a word, but found (")
        return part.text

    def words(self, part: Part) -> list[str]:
        return [self.word(one) for one in self.group(part).parts]

    def title(self, group: Group) -> str:
        if not group.parts:
            raise self.wrong(group, "expected a word, but found ()")
        return self.word(group.parts[0])

    def typed(self, parts: Sequence[Part]) -> Iterator[tuple[str, str]]:
        """Yield names with their types: ``a b - block c``."""
        waiting: list[str] = []
        place = 0
        while place < len(parts):
            name = self.word(parts[place])
            if name == "-":
                if place + 1 == len(parts):
                    raise self.wrong(parts[place], "expected a type after -")
                kind = parts[place + 1]
                if isinstance(kind, Group):
                    raise self.wrong(
                        kind, "alternative types (either …) are not supported; declare a common supertype"
                    )
                yield from ((one, kind.text) for one in waiting)
                waiting = []
                place += 2
            else:
                waiting.append(name)
                place += 1
        yield from ((one, OBJECT) for one in waiting)

    def domain(self) -> Domain:
        types: dict[str, str] = {}
        constants: dict[str, str] = {}
        predicates: dict[str, tuple[str, ...]] = {}
        operators: list[Operator] = []
        for section in self.sections:
            title = self.title(section)
            if title == ":requirements":
                for part in section.parts[1:]:
                    if self.word(part) not in SUPPORTED:
                        raise self.wrong(
                            part, f"{self.word(part)} is not supported; use only {', '.join(SUPPORTED)}"
                        )
            elif title == ":types":
                types |= dict(self.typed(section.parts[1:]))
            elif title == ":constants":
                constants |= dict(self.typed(section.parts[1:]))
            elif title == ":predicates":
                for part in section.parts[1:]:
                    one = self.group(part)
                    predicates[self.title(one)] = tuple(kind for _, kind in self.typed(one.parts[1:]))
            elif title == ":action":
                operators.append(self.action(section))
            else:
                raise self.wrong(section, f"{title} is not supported")
        # a supertype need not be declared separately
        types |= {above: OBJECT for above in types.values() if above not in types and above != OBJECT}
        return Domain(self.name, tuple(operators), predicates, types, constants)

    def action(self, section: Group) -> Operator:
        if len(section.parts) < 2:
            raise self.wrong(section, "an action has no name; give it one")
        name = self.word(section.parts[1])
        fields: dict[str, Part] = {}
        rest = section.parts[2:]
        if len(rest) % 2:
            raise self.wrong(rest[-1], f"expected a keyword and its value in action {name}")
        for key, value in zip(rest[::2], rest[1::2], strict=True):
            keyword = self.word(key)
            if keyword not in (":parameters", ":precondition", ":effect"):
                raise self.wrong(key, f"{keyword} is not supported")
            fields[keyword] = value
        if ":effect" not in fields:
            raise self.wrong(section, f"action {name} has no :effect")
        given = self.group(fields[":parameters"]).parts if ":parameters" in fields else ()
        parameters = list(self.typed(given))
        conditions = list(self.literals(fields[":precondition"])) if ":precondition" in fields else []
        effects = list(self.literals(fields[":effect"]))
        return Operator(
            name,
            tuple(_variable(one) for one, _ in parameters),
            tuple(kind for _, kind in parameters),
            tuple(conditions),
            tuple(one for one in effects if not one.negated),
            tuple(one.negation() for one in effects if one.negated),
        )

    def literals(self, part: Part) -> Iterator[Literal]:
        """Yield the literals of a conjunction."""
        group = self.group(part)
        if not group.parts:
            return
        title = self.title(group)
        if title == "and":
            for one in group.parts[1:]:
                yield from self.literals(one)
        elif title == "not":
            if len(group.parts) != 2:
                raise self.wrong(group, "not takes one literal")
            (inside,) = tuple(self.literals(group.parts[1])) or (None,)
            if inside is None or inside.negated:
                raise self.wrong(group, "only a literal can be negated")
            yield inside.negation()
        elif title in ("or", "imply", "forall", "exists", "when", "increase", "decrease", "assign"):
            raise self.wrong(group, f"{title} is not supported; STRIPS has only conjunctions of literals")
        else:
            yield Literal(title, tuple(_term(one) for one in map(self.word, group.parts[1:])))

    def problem(self, domain: Domain) -> PlanningProblem:
        objects: dict[str, str] = {}
        initial: list[Literal] = []
        goal: list[Literal] = []
        for section in self.sections:
            title = self.title(section)
            if title == ":objects":
                objects |= dict(self.typed(section.parts[1:]))
            elif title == ":init":
                for part in section.parts[1:]:
                    initial.extend(one for one in self.literals(part) if not one.negated)
            elif title == ":goal":
                if len(section.parts) != 2:
                    raise self.wrong(section, "expected one condition after :goal")
                goal = list(self.literals(section.parts[1]))
            elif title == ":domain":
                if self.word(section.parts[-1]) != domain.name:
                    named = self.word(section.parts[-1])
                    raise self.wrong(
                        section,
                        f"the problem is of the domain {named}, not "
                        f"{domain.name}; give the domain of the problem",
                    )
            elif title not in (":requirements",):
                raise self.wrong(section, f"{title} is not supported")
        return PlanningProblem(domain, objects, frozenset(initial), tuple(goal), self.name)


def write_domain(domain: Domain) -> str:
    """Return a domain as PDDL that `read_domain` can read back.

    Parameters
    ----------
    domain : Domain
        Domain to write.
    """
    lines = [f"(define (domain {domain.name})", f"  (:requirements {' '.join(_requirements(domain))})"]
    if domain.types:
        lines.append(f"  (:types {' '.join(f'{one} - {above}' for one, above in domain.types.items())})")
    if domain.constants:
        lines.append(
            f"  (:constants {' '.join(f'{one} - {kind}' for one, kind in domain.constants.items())})"
        )
    written = [
        f"({' '.join([name, *(f'?x{n} - {kind}' for n, kind in enumerate(kinds))])})"
        for name, kinds in domain.predicates.items()
    ]
    if written:
        lines.append(f"  (:predicates {' '.join(written)})")
    for operator in domain.operators:
        parameters = " ".join(
            f"{_written(one)} - {kind}" for one, kind in zip(operator.parameters, operator.types, strict=True)
        )
        effects = (*operator.adds, *(one.negation() for one in operator.deletes))
        lines += [
            f"  (:action {operator.name}",
            f"    :parameters ({parameters})",
            f"    :precondition {_conjunction(operator.preconditions)}",
            f"    :effect {_conjunction(effects)})",
        ]
    return "\n".join([*lines, ")"]) + "\n"


def write_problem(problem: PlanningProblem) -> str:
    """Return a problem as PDDL that `read_problem` can read back.

    Parameters
    ----------
    problem : PlanningProblem
        Problem to write.
    """
    objects = " ".join(f"{one} - {kind}" for one, kind in problem.objects.items())
    initial = " ".join(sorted(map(written_literal, problem.initial)))
    return (
        f"(define (problem {problem.name})\n  (:domain {problem.domain.name})\n  (:objects {objects})\n"
        f"  (:init {initial})\n  (:goal {_conjunction(problem.goal)})\n)\n"
    )


def _requirements(domain: Domain) -> Iterator[str]:
    conditions = [literal for operator in domain.operators for literal in operator.preconditions]
    yield ":strips"
    yield ":typing"
    if any(literal.negated for literal in conditions):
        yield ":negative-preconditions"
    if any(literal.name == EQUALS for literal in conditions):
        yield ":equality"


def _variable(word: str) -> Variable:
    if not word.startswith("?") or len(word) == 1:
        raise InputError(f"a parameter begins with ?, as in ?{word.lstrip('?') or 'x'}; not {word}")
    return Variable(word[1].upper() + word[2:].replace("-", "_"))


def _term(word: str) -> Term:
    return _variable(word) if word.startswith("?") else Constant(word)


def _written(term: Term) -> str:
    return (
        f"?{term.name[0].lower()}{term.name[1:]}"
        if isinstance(term, Variable)
        else str(getattr(term, "value", term))
    )


def written_literal(literal: Literal) -> str:
    """Return a literal as PDDL."""
    text = written_terms(literal.name, literal.arguments)
    return f"(not {text})" if literal.negated else text


def _conjunction(literals: Sequence[Literal]) -> str:
    return f"(and {' '.join(map(written_literal, literals))})"


def written_terms(name: str, terms: Sequence[Term]) -> str:
    """Return a name and its terms as PDDL.

    Examples
    --------
    >>> written_terms("stack", (Variable("X"), Constant("b1")))
    '(stack ?x b1)'
    """
    return f"({' '.join([name, *map(_written, terms)])})"


def parsed_terms(text: str) -> tuple[str, tuple[Term, ...]]:
    """Parse the name and the terms of PDDL such as ``(stack ?x b1)``."""
    if not re.fullmatch(r"\([^()\s]+(?: [^()\s]+)*\)", text):
        raise InputError(f"expected (NAME TERM …), but found {text}")
    name, *words = text[1:-1].split()
    return name, tuple(map(_term, words))


def parsed_literal(text: str) -> Literal:
    """Parse a PDDL literal such as ``(not (on ?x b1))``.

    Examples
    --------
    >>> print(parsed_literal("(not (on ?x b1))"))
    \\+ on(X, b1)
    """
    negated = text.startswith("(not (")
    return Literal(*parsed_terms(text[5:-1] if negated else text), negated)
