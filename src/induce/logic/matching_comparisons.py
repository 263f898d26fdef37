"""Comparisons in the conditions of rules to be matched."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from induce.core.errors import InputError
from induce.logic.builtins import evaluated
from induce.logic.clauses import Literal
from induce.logic.comparisons import COMPARISONS
from induce.logic.substitution import Substitution, variables_of
from induce.logic.terms import Constant, Function, Term, Variable

Values = tuple[Term, ...]
NAMED = {"less_than": "<", "greater_than": ">"}
IDENTICAL = {"==": True, "=": True, "\\==": False, "\\=": False}


def is_comparison(name: str) -> bool:
    return NAMED.get(name, name) in COMPARISONS or name in IDENTICAL or name in ("is", "equal")


def gives_value(test: Literal, bound: Iterable[Variable]) -> bool:
    """Return whether a test binds its first variable."""
    first = test.arguments[0] if len(test.arguments) == 2 else None
    return (
        test.name in ("is", "equal", "=")
        and not test.negated
        and isinstance(first, Variable)
        and first not in bound
        and set(variables_of(_goal(test))) <= set(bound)
    )


def _goal(test: Literal) -> Literal:
    return Literal(test.name, test.arguments[1:])


def compiled_test(
    test: Literal, places: dict[Variable, int], gives: bool
) -> Callable[[Values], Values | None]:
    """Compile a comparison to a function of some values that returns the added values, or None if it fails."""
    name = NAMED.get(test.name, test.name)
    left, right = test.arguments

    def value(term: Term, values: Values) -> Term:
        found = Substitution({one: values[place] for one, place in places.items()}).apply(term)
        if name in IDENTICAL and not gives:
            return found
        if isinstance(found, Function) or name not in ("equal", "="):
            return Constant(evaluated(found))
        return found

    def holds(values: Values) -> Values | None:
        try:
            second = value(right, values)
            if gives:
                return (second,)
            first = value(left, values)
        except InputError:  # a name was compared with a number
            return None
        if name in IDENTICAL:
            truth = (first == second) == IDENTICAL[name]
        elif name in ("is", "equal"):
            truth = first == second
        else:
            truth = bool(COMPARISONS[name](first.value, second.value))  # type: ignore[union-attr]
        return () if truth != test.negated else None

    return holds
