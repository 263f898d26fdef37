"""Inverse substitutions: variables in place of terms (Mitchell §10.7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import TypeVar

from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution, fresh_variables, variables_of
from induce.logic.terms import Function, Term, Variable

Element = TypeVar("Element")


@dataclass(frozen=True)
class InverseSubstitution:
    """Inverse θ2⁻¹ of a substitution θ2, which replaces terms by variables.

    Parameters
    ----------
    replaced : tuple of (Term, tuple of int or None, Variable)
        Term, its replaced occurrences (counted from 1 through the literals; None for all of them), and the
        variable that replaces them. A variable replaces only one term.

    Examples
    --------
    >>> from induce.logic import Constant, parse_literal
    >>> tom, x, y = Constant("tom"), Variable("X"), Variable("Y")
    >>> twice = [parse_literal("p(tom, tom)")]
    >>> for inverse in (InverseSubstitution(((tom, None, x),)), InverseSubstitution(((tom, (2,), y),))):
    ...     print(inverse, *inverse.apply(twice))
    {tom/X} p(X, X)
    {tom@2/Y} p(tom, Y)
    """

    replaced: tuple[tuple[Term, tuple[int, ...] | None, Variable], ...] = ()

    def apply(self, literals: Sequence[Literal]) -> list[Literal]:
        """Return the literals with terms replaced by variables."""
        chosen: dict[Term, dict[int, Variable]] = {}
        for term, places, variable in self.replaced:
            chosen.setdefault(term, {}).update(dict.fromkeys(places or (0,), variable))
        counts = dict.fromkeys(chosen, 0)
        return [
            Literal(literal.name, tuple(_generalised(literal.arguments, chosen, counts)), literal.negated)
            for literal in literals
        ]

    def inverse(self) -> Substitution:
        """Return θ2, which puts the terms back."""
        return Substitution({variable: term for term, _, variable in self.replaced})

    def __str__(self) -> str:
        written = []
        for term, places, variable in self.replaced:
            at = "" if places is None else "@" + "+".join(map(str, places))
            written.append(f"{term}{at}/{variable}")
        return "{" + ", ".join(written) + "}"


def inverse_substitutions(
    literals: Sequence[Literal], terms: Sequence[Term], separately: bool, taken: Iterable[Variable]
) -> Iterator[InverseSubstitution]:
    """Yield the inverse substitutions of the given terms in the given literals."""
    if not separately:
        for some in subsets(terms):
            supply = fresh_variables(chain(taken, variables_of(literals)))
            yield InverseSubstitution(tuple((term, None, next(supply)) for term in some))
        return
    counts = dict.fromkeys(terms, 0)
    for literal in literals:
        for _ in _generalised(literal.arguments, {term: {} for term in terms}, counts):
            pass
    for shares in product(*(_shares(counts[term]) for term in terms)):
        supply = fresh_variables(chain(taken, variables_of(literals)))
        yield InverseSubstitution(
            tuple(
                (term, places, next(supply))
                for term, blocks in zip(terms, shares, strict=True)
                for places in blocks
            )
        )


def _shares(count: int) -> list[list[tuple[int, ...]]]:
    """Return all choices of occurrences to keep and of variables for the others, fewest variables first."""
    found: list[list[tuple[int, ...]]] = [[]]
    for place in range(1, count + 1):
        more = []
        for blocks in found:
            more.append(blocks)
            for number, block in enumerate(blocks):
                more.append([*blocks[:number], (*block, place), *blocks[number + 1 :]])
            more.append([*blocks, (place,)])
        found = more
    return found


def subsets(elements: Sequence[Element]) -> Iterator[tuple[Element, ...]]:
    """Yield all subsets of some elements, smallest first."""
    return chain.from_iterable(combinations(elements, size) for size in range(len(elements) + 1))


def constants_of(literals: Iterable[Literal]) -> tuple[Term, ...]:
    """Return the distinct constants of the given literals in the order of their first occurrence."""
    found: dict[Term, None] = {}
    waiting = [term for literal in literals for term in literal.arguments][::-1]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Function):
            waiting.extend(reversed(part.arguments))
        elif not isinstance(part, Variable):
            found[part] = None
    return tuple(found)


def _generalised(
    arguments: Sequence[Term], chosen: Mapping[Term, Mapping[int, Variable]], counts: dict[Term, int]
) -> list[Term]:
    """Replace the chosen occurrences of terms in arguments by variables, counting all occurrences.

    Parameters
    ----------
    arguments : sequence of Term
    chosen : mapping from Term to mapping from int to Variable
        Variable for each replaced occurrence, counted from 1; key 0 stands for all occurrences.
    counts : dict from Term to int
        Number of occurrences of each term so far.
    """
    # Terms in written order; a function is recorded by its name and arity. Occurrences inside a replaced term
    # are only counted.
    written: list[Term | tuple[str, int]] = []
    waiting = [(term, False) for term in reversed(arguments)]
    while waiting:
        part, hidden = waiting.pop()
        variable = None
        if part in counts:
            counts[part] += 1
            variable = chosen[part].get(0) or chosen[part].get(counts[part])
        if not hidden and variable is not None:
            written.append(variable)
        elif not hidden:
            written.append((part.name, len(part.arguments)) if isinstance(part, Function) else part)
        if isinstance(part, Function):
            waiting.extend((term, hidden or variable is not None) for term in reversed(part.arguments))
    built: list[Term] = []
    for piece in reversed(written):
        if isinstance(piece, tuple):
            name, size = piece
            built.append(Function(name, tuple(built.pop() for _ in range(size))))
        else:
            built.append(piece)
    return built[::-1]
