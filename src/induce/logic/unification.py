"""Unification and matching (Mitchell §10.4.2 and §10.7.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution
from induce.logic.terms import Function, Term, Variable

_Key: TypeAlias = Variable | int
_Links: TypeAlias = dict[_Key, Term]


def unify(one: Term | Literal, other: Term | Literal, *, occurs_check: bool = True) -> Substitution | None:
    """Return the most general substitution that makes two terms or two literals equal, or None.

    During the search, every variable and function is only linked to its equal (a triangular form); this takes
    hardly more than one step per part of the two terms. The result is the solved form: no replaced variable
    occurs in a term that replaces one. Its terms share subterms, so it has at most as many distinct parts as
    the input; written out they may be exponentially longer.

    Parameters
    ----------
    one, other : Term or Literal
        Terms or literals. A variable that occurs in both is the same variable, so rename clauses apart first.
    occurs_check : bool
        Whether to reject the unification of X and f(X). Without the check the result contains {X/f(X)}, as in Prolog,
        and applying it once does not make the two equal.

    Examples
    --------
    >>> from induce.logic import parse_literal
    >>> print(unify(parse_literal("father(X, Y)"), parse_literal("father(bill, Z)")))
    {X/bill, Z/Y}
    """
    if isinstance(one, Literal) or isinstance(other, Literal):
        if not (isinstance(one, Literal) and isinstance(other, Literal)):
            raise TypeError("a literal can be unified only with a literal, and a term only with a term")
        if one.predicate != other.predicate or one.negated != other.negated:
            return None
        return unify_all(zip(one.arguments, other.arguments, strict=True), occurs_check=occurs_check)
    return unify_all([(one, other)], occurs_check=occurs_check)


def unify_all(pairs: Iterable[tuple[Term, Term]], *, occurs_check: bool = True) -> Substitution | None:
    """Return the most general substitution that makes the two terms of every pair equal, or None.

    Examples
    --------
    >>> from induce.logic import parse_term
    >>> print(unify_all([(Variable("X"), parse_term("f(Y)")), (Variable("Y"), parse_term("a"))]))
    {X/f(a), Y/a}
    """
    links: _Links = {}
    waiting = list(pairs)[::-1]
    while waiting:
        left, right = waiting.pop()
        left, right = _found(left, links), _found(right, links)
        if left is right:
            continue
        # if both are variables, the left one is kept
        if isinstance(right, Variable):
            if left != right:
                links[right] = left
        elif isinstance(left, Variable):
            links[left] = right
        elif isinstance(left, Function) and isinstance(right, Function):
            if left.name != right.name or len(left.arguments) != len(right.arguments):
                return None
            if left.ground and right.ground and hash(left) != hash(right):
                return None
            links[id(left)] = right
            waiting.extend(zip(reversed(left.arguments), reversed(right.arguments), strict=True))
        elif left != right:
            return None
    return _solved(links, occurs_check)


def _key(term: Term) -> _Key:
    return term if isinstance(term, Variable) else id(term)


def _found(term: Term, links: _Links) -> Term:
    """Return the representative of a term, and compress the path to it."""
    way: list[_Key] = []
    while isinstance(term, Variable | Function) and (further := links.get(_key(term))) is not None:
        way.append(_key(term))
        term = further
    for key in way[:-1]:
        links[key] = term
    return term


def _solved(links: _Links, occurs_check: bool) -> Substitution | None:
    bound = [key for key in links if isinstance(key, Variable)]
    built: dict[_Key, Term] = {}
    opened: set[_Key] = set()
    waiting: list[Term] = [*reversed(bound)]
    while waiting:
        term = _found(waiting[-1], links)
        key = _key(term)
        if key in built:
            waiting.pop()
        elif not isinstance(term, Function) or term.ground:
            built[key] = term
        elif key in opened:
            arguments = []
            for argument in term.arguments:
                arguments.append(built.get(_key(_found(argument, links)), argument))
            built[key] = Function(term.name, tuple(arguments))
        else:
            opened.add(key)
            for argument in term.arguments:
                part = _found(argument, links)
                if _key(part) in built:
                    continue
                # opened but not yet built, so the term contains itself
                if _key(part) in opened:
                    if occurs_check:
                        return None
                else:
                    waiting.append(part)
    return Substitution({variable: built[_key(_found(variable, links))] for variable in bound})


def match(general: Term | Literal, special: Term | Literal) -> Substitution | None:
    """Return the substitution that maps the first to the second, or None.

    The variables of the second count as constants, even if the first has variables with the same names.

    Parameters
    ----------
    general : Term or Literal
        Pattern whose variables are bound.
    special : Term or Literal
        Term or literal to be matched.

    Examples
    --------
    >>> from induce.logic import parse_literal
    >>> print(match(parse_literal("p(X, Y)"), parse_literal("p(Y, f(a))")))
    {X/Y, Y/f(a)}
    >>> match(parse_literal("p(X, X)"), parse_literal("p(a, Y)")) is None
    True
    """
    bindings = matching(general, special)
    return None if bindings is None else Substitution(bindings)


def matching(general: Term | Literal, special: Term | Literal) -> dict[Variable, Term] | None:
    """Return the value of every variable of the first under which it equals the second, or None."""
    if isinstance(general, Literal) and isinstance(special, Literal):
        if general.predicate != special.predicate or general.negated != special.negated:
            return None
        waiting = list(zip(general.arguments, special.arguments, strict=True))[::-1]
    elif isinstance(general, Literal) or isinstance(special, Literal):
        raise TypeError("a literal can be matched only with a literal, and a term only with a term")
    else:
        waiting = [(general, special)]
    bindings: dict[Variable, Term] = {}
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, Variable):
            if bindings.setdefault(left, right) != right:
                return None
        elif isinstance(left, Function) and not left.ground:
            if not isinstance(right, Function) or left.name != right.name:
                return None
            if len(left.arguments) != len(right.arguments):
                return None
            waiting.extend(zip(reversed(left.arguments), reversed(right.arguments), strict=True))
        elif left != right:
            return None
    return bindings
