"""Literals that abbreviate others during a search and are expanded in a theory: ``A = [B|C]``, ``\\+ p(A, B)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.substitution import Substitution, fresh_variables
from induce.logic.terms import Term, Variable
from induce.logic.unification import match

WRITTEN_OUT = "mode "
"""Prefix of the names of predicates that abbreviate the single literal of their single clause."""

Rules = Mapping[Predicate, Sequence[Clause]]


def written_out(clause: Clause, rules: Rules) -> Clause:
    """Return a clause with abbreviations expanded.

    Examples
    --------
    >>> from induce.logic.parsing import parse_clause
    >>> rule = parse_clause("'mode list'(A, B, C) :- A = [B|C].")
    >>> print(written_out(parse_clause("f(A) :- 'mode list'(A, D, E), f(E)."), {("mode list", 3): [rule]}))
    f(A) :- A = [D|E], f(E).
    """
    if not any(one.name.startswith(WRITTEN_OUT) for one in clause.body):
        return clause
    free = fresh_variables(clause.variables())
    body = []
    for one in clause.body:
        rule = rules[one.predicate][0] if one.name.startswith(WRITTEN_OUT) else None
        if rule is None or rule.head is None:
            body.append(one)
            continue
        names: dict[Variable, Term] = {
            old: next(free) for old in rule.variables() if old not in rule.head.arguments
        }
        given = zip(rule.head.arguments, one.arguments, strict=True)
        names |= {old: new for old, new in given if isinstance(old, Variable)}
        body.append(Substitution(names).apply(rule.body[0]))
    return Clause(clause.head, tuple(body))


def standing_for(literal: Literal, rules: Rules) -> Literal | None:
    """Return the abbreviation of an expanded literal; None if there is none."""
    for (name, _), (rule, *_) in rules.items():
        if not name.startswith(WRITTEN_OUT) or rule.head is None:
            continue
        inner = rule.body[0]
        if inner.predicate == literal.predicate and inner.negated == literal.negated:
            found = match(Literal(inner.name, inner.arguments), Literal(literal.name, literal.arguments))
            if found is not None:
                return found.apply(rule.head)
    return None
