"""Decision lists in Prolog, whose order is expressed by cuts, converted to order-independent clauses."""

from __future__ import annotations

from collections.abc import Sequence

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.terms import Constant, Term, Variable

RULE = "rule {}"
"""Name of the predicate for a rule's premise that a later rule negates."""


def without_cuts(program: Program, value: Term) -> tuple[Clause, ...]:
    """Return the clauses for one class of a decision list ``class(Row, Class)``.

    A rule that follows rules for other classes holds only if none of these does. No negation is needed if its
    own conditions exclude theirs, as on the paths of a tree.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> rules = parse_program("class(X, no) :- a(X, 1), !. class(X, yes) :- a(X, 2), !. class(_, yes).")
    >>> print(*without_cuts(rules, Constant("yes")), sep="\\n")
    yes(X) :- a(X, 2).
    yes(X) :- \\+ 'rule 1'(X).
    'rule 1'(X) :- a(X, 1).
    """
    rules = [_rule(clause) for clause in program]
    head = Literal(str(value.value) if isinstance(value, Constant) else str(value), (ROW,))
    found: list[Clause] = []
    denied: dict[int, None] = {}
    for number, (said, body) in enumerate(rules):
        if said != value:
            continue
        before = [
            earlier
            for earlier, (other, test) in enumerate(rules[:number])
            if other != value and not exclusive(body, test)
        ]
        denied |= dict.fromkeys(before)
        others = [Literal(RULE.format(one + 1), (ROW,), negated=True) for one in before]
        found.append(Clause(head, (*body, *others)))
    if not found:
        classes = ", ".join(dict.fromkeys(str(one) for one, _ in rules))
        raise InputError(
            f"the hypothesis never predicts {value}; give one of its predictions as value: {classes}"
        )
    found.extend(Clause(Literal(RULE.format(one + 1), (ROW,)), rules[one][1]) for one in sorted(denied))
    return tuple(found)


ROW = Variable("X")


def _rule(clause: Clause) -> tuple[Term, tuple[Literal, ...]]:
    head = clause.head
    body = clause.body[:-1] if clause.body and clause.body[-1].name == "!" else clause.body
    plain = all(one.name not in ("!", "findall", "once", "->", ";") for one in body)
    if (
        head is None
        or head.predicate != ("class", 2)
        or not isinstance(head.arguments[1], Constant)
        or not plain
    ):
        raise InputError(
            f"the hypothesis is not a list of rules, so it has no clauses: {clause}; give a tree or a "
            "rule list without voting"
        )
    from induce.logic.substitution import Substitution

    row = head.arguments[0]
    theta = Substitution({row: ROW}) if isinstance(row, Variable) and row != ROW else Substitution()
    return head.arguments[1], tuple(map(theta.apply, body))


def exclusive(one: Sequence[Literal], other: Sequence[Literal]) -> bool:
    """Return whether two conjunctions are obviously exclusive, by two values or two ranges of a column.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> low, high = (parse_clause(f"p(X) :- age(X, A), {test}.").body for test in ("A =< 3", "A > 3"))
    >>> exclusive(low, high)
    True
    """
    mine, theirs = _columns(one), _columns(other)
    for name in mine.keys() & theirs.keys():
        (values, low, high), (others, bottom, top) = mine[name], theirs[name]
        if values and others and not values & others:
            return True
        if _below(high, bottom) or _below(top, low):
            return True
    return False


Bound = tuple[float, bool] | None
"""Bound of a range, and whether the range includes it."""


def _columns(body: Sequence[Literal]) -> dict[str, tuple[frozenset[Term], Bound, Bound]]:
    """Return, for each column, its required values and its numeric range."""
    found: dict[str, tuple[frozenset[Term], Bound, Bound]] = {}
    names: dict[Term, str] = {}
    for literal in body:
        if literal.negated or len(literal.arguments) != 2:
            continue
        first, second = literal.arguments
        if first == ROW and isinstance(second, Variable):
            names[second] = literal.name
            found.setdefault(literal.name, (frozenset(), None, None))
        elif first == ROW:
            _, low, high = found.get(literal.name, (frozenset(), None, None))
            found[literal.name] = frozenset([second]), low, high
        elif first in names and isinstance(second, Constant) and not isinstance(second.value, str):
            values, low, high = found[names[first]]
            limit = float(second.value), literal.name in ("=<", ">=")
            if literal.name in ("<", "=<"):
                high = limit if high is None else min(high, limit)
            elif literal.name in (">", ">="):
                low = limit if low is None else max(low, limit, key=lambda each: (each[0], not each[1]))
            found[names[first]] = values, low, high
    return found


def _below(high: Bound, low: Bound) -> bool:
    if high is None or low is None:
        return False
    return high[0] < low[0] or (high[0] == low[0] and not (high[1] and low[1]))
