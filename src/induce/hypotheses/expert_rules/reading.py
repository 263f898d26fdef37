"""Parser of theories, written in Prolog or as rules IF … THEN …, with literals mapped to columns by the schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.names import listed
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Condition, Is
from induce.hypotheses.expert_rules.grounding import ground_clauses
from induce.hypotheses.expert_rules.marks import (
    LAW,
    RULE,
    TRUST,
    is_prolog,
    trust_of,
    unmarked,
    with_trust_as_literal,
)
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.hypotheses.parsing import parse_condition
from induce.logic.clauses import Clause, Literal
from induce.logic.parsing import goals_of, parse_literal
from induce.logic.rule_text import RANGE, alternatives, split
from induce.logic.terms import Constant, Term, Variable, unlisted

Patterns = Sequence[tuple[str, str]]

THEN = re.compile(r"\sTHEN\s+", re.I)
OF = re.compile(r"\s*(?:AT\s+LEAST\s+)?(\d+)\s+OF\s*[({](.*)[)}]\s*", re.I | re.S)
NOT = re.compile(r"NOT\s+", re.I)
COMPARED = {
    "<": "<",
    "=<": "<=",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "=": "=",
    "==": "=",
    "\\=": "!=",
    "=:=": "=",
}
TRUE = ("true", "yes", "t", "y", "1", "1.0", "+", "pos", "positive")
MISSING_THRESHOLD = "compare it with a threshold, such as {name} > 30"


def read_clauses(text: str, schema: Schema, patterns: Patterns = ()) -> tuple[ExpertRule, ...]:
    """Parse rules IF … THEN …, one per line, or a Prolog program; ``[0.8]`` at the end of a rule is its trust.

    Parameters
    ----------
    text : str
    schema : Schema
        Columns to which literals are mapped.
    patterns : sequence of (literal, condition)
        Patterns that map literals of several arguments to a column, such as ``("base(P, B)", "p{P} = {B}")``.

    Examples
    --------
    >>> columns = Column("light", "nominal", (False, True)), Column("age")
    >>> for clause in read_clauses("good :- light, age > 30, \\\\+ used. used :- age > 80.", Schema(columns)):
    ...     print(clause)
    IF light = True AND age > 30 AND NOT used THEN good
    IF age > 80 THEN used
    """
    if not isinstance(text, str):
        raise TypeError(f"a theory must be text, not a {type(text).__name__}")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("%", "#"))]
    if not lines:
        raise InputError("the theory is empty; give rules IF … THEN …, or Prolog clauses")
    if is_prolog(text):
        return tuple(_prolog_clauses(text, schema, patterns))
    return tuple(_rules("\n".join(lines), schema))


def _rules(text: str, schema: Schema) -> Iterator[ExpertRule]:
    # a rule may continue over several lines, up to the next IF
    starts = [match.start() for match in re.finditer(rf"^{RULE.pattern}", text, re.I | re.M)]
    parts = [text[start:stop].strip() for start, stop in zip(starts, [*starts[1:], None], strict=True)]
    cut = []
    for part in parts:
        halves = THEN.split(part)
        if len(halves) != 2 or not halves[1].strip():
            raise InputError(
                f"the rule {part!r} has no THEN with one conclusion; write IF … AND … THEN concept"
            )
        conclusion, mark = unmarked(halves[1])
        if mark == LAW or RULE.match(part)[0].strip()[:3].upper() == "LAW":  # type: ignore[index]
            raise InputError(
                f"{part!r} is a law; give it to a learner as Knowledge, which separates laws from rules"
            )
        head = " ".join(conclusion.strip(" .").split())
        cut.append((RULE.sub("", halves[0], count=1).strip(), head, trust_of(mark, part)))
    heads = {head for _, head, _ in cut}
    for premise, head, trust in cut:
        for stated in [[]] if premise.upper() in ("", "TRUE") else alternatives(premise):
            several = OF.fullmatch(stated[0]) if len(stated) == 1 else None
            parts = [part for part in split(several[2], "[,;]") if part] if several else stated
            if several is None and any(OF.fullmatch(part) for part in parts):
                raise InputError(
                    f"the rule {premise!r} has an m-of-n condition among others; define a concept for it by a rule "
                    "of its own"
                )
            body = tuple(_read_antecedent(part, schema, heads) for part in parts)
            yield _checked(ExpertRule(head, body, int(several[1]) if several else len(body), trust))


def _read_antecedent(text: str, schema: Schema, heads: set[str]) -> Antecedent:
    negated = bool(NOT.match(text))
    bare = NOT.sub("", text, count=1).strip() if negated else text
    if bare in heads:
        return Antecedent(bare, negated)
    within = RANGE.match(bare)
    if within is not None:
        bare = f"{within['low']} <= {within['name']} <= {within['high']}"
    if re.search(r"[=<>≤≥≠]|\bin\s*\{", bare):
        return Antecedent(parse_condition(bare, schema), negated)
    return Antecedent(_truth(bare.strip('"'), schema, heads), negated)


def _prolog_clauses(text: str, schema: Schema, patterns: Patterns) -> Iterator[ExpertRule]:
    clauses = trusted_clauses(text, schema, patterns)
    reader = _LiteralReader(schema, {clause.head.name for clause, _ in clauses if clause.head}, patterns)
    for clause, trust in clauses:
        assert clause.head is not None
        head = reader.concept(clause.head)
        if len(clause.body) == 1 and clause.body[0].predicate == ("at_least", 2):
            number, items = clause.body[0].arguments
            elements, _ = unlisted(items)
            if not isinstance(number, Constant) or not isinstance(number.value, int):
                raise InputError(f"at_least in {clause} needs a whole number; write at_least(2, [a, b, c])")
            body = tuple(reader.antecedent(goals_of(element)[0]) for element in elements)
            yield _checked(ExpertRule(head, body, number.value, trust))
        else:
            body = tuple(reader.antecedent(literal) for literal in clause.body if literal.name != "true")
            yield _checked(ExpertRule(head, body, len(body), trust))


def trusted_clauses(text: str, schema: Schema, patterns: Patterns) -> list[tuple[Clause, float]]:
    """Return the clauses of a Prolog theory after grounding, each with its trust."""
    found = []
    for clause in ground_clauses(with_trust_as_literal(text), schema, patterns):
        trusts = [one.arguments[0] for one in clause.body if one.name == TRUST]
        body = tuple(one for one in clause.body if one.name != TRUST)
        trust = trusts[0].value if trusts and isinstance(trusts[0], Constant) else 1.0
        found.append((Clause(clause.head, body), float(trust)))
    return found


class _LiteralReader:
    """Reader that maps literals to columns or concepts."""

    def __init__(self, schema: Schema, heads: set[str], patterns: Patterns) -> None:
        self.schema, self.heads = schema, heads
        self.patterns = [(parse_literal(literal), condition) for literal, condition in patterns]

    def concept(self, literal: Literal) -> str:
        """Return the name of a concept: the predicate without the variable for the row."""
        rest = _without_row(literal.arguments)
        if any(isinstance(term, Variable) for term in rest):
            raise InputError(
                f"{literal} has a variable that no row of a table binds; write one clause for each of "
                "its values"
            )
        return literal.name if not rest else f"{literal.name}({', '.join(map(str, rest))})"

    def antecedent(self, literal: Literal) -> Antecedent:
        """Return a body literal as an antecedent."""
        if literal.name in self.heads:
            return Antecedent(self.concept(literal), literal.negated)
        return Antecedent(self._condition(literal), literal.negated)

    def _condition(self, literal: Literal) -> Condition:
        for pattern, condition in self.patterns:
            if pattern.predicate == literal.predicate:
                return parse_condition(_filled(pattern, condition, literal), self.schema)
        if literal.name in COMPARED and len(literal.arguments) == 2:
            column = _column(str(literal.arguments[0]).strip("'"), self.schema, self.heads)
            return parse_condition(
                f'"{column.name}" {COMPARED[literal.name]} {_value(literal.arguments[1])}', self.schema
            )
        rest = _without_row(literal.arguments)
        if len(rest) == 1:
            column = _column(literal.name, self.schema, self.heads)
            return parse_condition(f'"{column.name}" = {_value(rest[0])}', self.schema)
        if not rest:
            return _truth(literal.name, self.schema, self.heads)
        shape = f"{literal.name}({', '.join('ABCDEFGH'[: len(literal.arguments)])})"
        raise InputError(
            f"{literal} has {len(rest)} arguments, so the column it tests is unknown; give a pattern, such as "
            f"columns={{{shape!r}: 'column{{A}} = {{B}}'}}"
        )


def _without_row(arguments: tuple[Term, ...]) -> tuple[Term, ...]:
    """Drop the first argument if it is a variable, which denotes the row."""
    return arguments[1:] if arguments and isinstance(arguments[0], Variable) else arguments


def _filled(pattern: Literal, condition: str, literal: Literal) -> str:
    given = {
        str(name): _value(value, quoted=False)
        for name, value in zip(pattern.arguments, literal.arguments, strict=True)
    }
    try:
        return condition.format(**given)
    except (KeyError, IndexError) as error:
        raise InputError(f"the pattern {condition!r} contains {error}, which {pattern} does not") from None


def _value(term: Term, quoted: bool = True) -> str:
    value = term.value if isinstance(term, Constant) else str(term)
    return f'"{value}"' if quoted and isinstance(value, str) else str(value)


def _truth(name: str, schema: Schema, heads: set[str]) -> Condition:
    """Return the condition that a Boolean column is true."""
    column = _column(name, schema, heads)
    if column.kind == "numeric":
        raise InputError(
            f"column {column.name!r} is numeric, so {name!r} alone is not a condition; "
            + MISSING_THRESHOLD.format(name=column.name)
        )
    found = [value for value in column.domain if says_yes(value)]
    if len(column.domain) > 2 or len(found) != 1:
        raise InputError(
            f"column {column.name!r} has the values {listed([str(value) for value in column.domain])}, so {name!r} "
            f"alone is not a condition; write {column.name} = value"
        )
    return Is(column.name, found[0])


def says_yes(value: Value) -> bool:
    """Return whether a Boolean value is true, such as ``yes``, ``true``, ``1`` and ``+``."""
    return value is True or str(value).lower() in TRUE


def _column(name: str, schema: Schema, heads: set[str]) -> Column:
    """Return the column with a name, in the spelling of the table or of Prolog."""
    wanted = _letters(name)
    inputs = [column for column in schema if column.role == "input"]
    for column in inputs:
        if column.name == name:
            return column
    found = [column for column in inputs if _letters(column.name) == wanted]
    if len(found) == 1:
        return found[0]
    from difflib import get_close_matches

    known = [*(column.name for column in inputs), *sorted(heads)]
    by_lower = {each.lower(): each for each in reversed(known)}
    near = get_close_matches(name.lower(), by_lower, 1, 0.6)
    hint = (
        f"; did you mean {by_lower[near[0]]!r}?"
        if near
        else f"; the columns are {listed(known[: len(inputs)])}"
    )
    raise InputError(f"the theory uses {name!r}, which is neither a column nor concluded by a rule{hint}")


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _checked(clause: ExpertRule) -> ExpertRule:
    if clause.body and not 1 <= clause.at_least <= len(clause.body):
        raise InputError(
            f"the rule for {clause.head} requires {clause.at_least} of {len(clause.body)} conditions; require 1 to "
            f"{len(clause.body)}"
        )
    return clause
