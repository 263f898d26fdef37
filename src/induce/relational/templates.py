"""Rule schemata: clauses with predicate variables (Kietz & Wrobel 1992; Mitchell §10.8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from induce.core.errors import InputError
from induce.logic.background.kinds import ANY, fits
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.parsing import parse_clause
from induce.logic.substitution import canonical
from induce.logic.terms import Variable

CHAIN = "P(X, Y) :- Q(X, Z), R(Z, Y)."
"""Schema of relations composed of two others."""

_SCHEMATIC = re.compile(r"(?<![\w'])([A-Z]\w*)\(")


def parse_template(text: str) -> Clause:
    """Read a rule schema: a clause in which capitalised predicates are predicate variables.

    Parameters
    ----------
    text : str
        Text such as ``P(X, Y) :- Q(X, Z), R(Z, Y).``

    Examples
    --------
    >>> [literal.name for literal in parse_template("P(X, Y) :- Q(X, Z), parent(Z, Y)").body]
    ['Q', 'parent']
    """
    text = text.strip()
    clause = parse_clause(_SCHEMATIC.sub(r"'\1'(", text if text.endswith(".") else f"{text}."))
    if clause.head is None:
        raise InputError(f"the template {text!r} has no head; write P(X, Y) :- Q(X, Z), R(Z, Y).")
    return clause


def written(template: Clause) -> str:
    """Return a rule schema as written.

    Examples
    --------
    >>> written(parse_template("P(X) :- Q(X, Y), open(Y)"))
    'P(X) :- Q(X, Y), open(Y).'
    """
    return re.sub(r"'([A-Z]\w*)'\(", r"\1(", str(template))


def instances(
    template: Clause | str,
    relations: Relations,
    target: Predicate | None = None,
    types: Sequence[str] | None = None,
) -> Iterator[Clause]:
    """Yield the instances of a rule schema.

    A predicate variable stands for any relation of its arity, the same at each occurrence; different
    predicate variables may stand for the same relation. Each variable must have a single type.

    Parameters
    ----------
    template : Clause or str
        Rule schema, or its text.
    relations : Relations
        Relations that the predicate variables range over.
    target : (str, int), optional
        Head predicate; any relation by default.
    types : sequence of str, optional
        Types of the target's arguments.

    Examples
    --------
    >>> family = Relations(program="mother(ann, bea). father(bob, bea). mother(bea, cal). female(ann).")
    >>> for clause in instances(CHAIN, family, ("grandmother", 2)):
    ...     print(clause)
    grandmother(A, B) :- mother(A, C), mother(C, B).
    grandmother(A, B) :- father(A, C), mother(C, B).
    """
    template = parse_template(template) if isinstance(template, str) else template
    assert template.head is not None
    literals = (template.head, *template.body)
    kinds = dict(relations.kinds.types)
    if target is not None:
        if template.head.predicate[1] != target[1]:
            raise InputError(
                f"the head of the template {written(template)} has {template.head.predicate[1]} "
                f"arguments, but {target[0]}/{target[1]} has {target[1]}; give them the same arity"
            )
        kinds[target] = tuple(types or kinds.get(target, (ANY,) * target[1]))
    names = [*dict.fromkeys(literal.predicate for literal in literals if literal.name[:1].isupper())]
    choices: list[list[Predicate]] = []
    for name, arity in names:
        if target is not None and name == template.head.name:
            choices.append([target])
        else:
            choices.append([one for one in relations.predicates() if one[1] == arity and one != target])
    for choice in product(*choices):
        chosen = dict(zip(names, choice, strict=True))
        clause = _filled(literals, chosen)
        if (
            len(set(clause.body)) == len(clause.body)
            and clause.head not in clause.body
            and _typed(clause, kinds)
        ):
            yield canonical(clause)


def _filled(literals: Sequence[Literal], chosen: dict[Predicate, Predicate]) -> Clause:
    head, *body = (
        Literal(chosen.get(one.predicate, one.predicate)[0], one.arguments, one.negated) for one in literals
    )
    return Clause(head, tuple(body))


def _typed(clause: Clause, kinds: dict[Predicate, tuple[str, ...]]) -> bool:
    """Return whether each variable has a single type."""
    found: dict[Variable, str] = {}
    assert clause.head is not None
    for literal in (clause.head, *clause.body):
        for term, kind in zip(literal.arguments, kinds.get(literal.predicate, ()), strict=False):
            if isinstance(term, Variable):
                if not fits(found.setdefault(term, kind), kind):
                    return False
                if found[term] == ANY:
                    found[term] = kind
    return True
