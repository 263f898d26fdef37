"""Substitutions of terms for variables (Mitchell §10.4.2), and the renaming of variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from string import ascii_uppercase
from typing import TypeVar, overload

from induce.logic.clauses import Clause, Literal
from induce.logic.terms import Function, Term, Variable

Named = TypeVar("Named", Term, Literal, Clause, frozenset[Literal])
"""Any object with variables: a term, a literal, a clause, or a clause as the set of literals of its disjunction."""


class Substitution(Mapping[Variable, Term]):
    """Substitution: terms that replace variables simultaneously, such as {X/bob, Y/Z}.

    Identity bindings are omitted. Application rebuilds only the parts that change: ground parts are shared,
    and a shared part is built only once, so the cost is the number of distinct parts.

    Parameters
    ----------
    bindings : mapping from Variable to Term
        Term for each variable, or pairs of both.

    Examples
    --------
    >>> from induce.logic import Constant, Literal, Variable
    >>> x, y, z = (Variable(name) for name in "XYZ")
    >>> theta = Substitution({x: Constant("bob"), y: z})
    >>> print(theta, theta.apply(Literal("father", (x, Constant("bill")))))
    {X/bob, Y/Z} father(bob, bill)
    """

    __slots__ = ("_bindings",)

    def __init__(self, bindings: Mapping[Variable, Term] | Iterable[tuple[Variable, Term]] = ()) -> None:
        self._bindings = {name: term for name, term in dict(bindings).items() if name != term}

    def __getitem__(self, variable: Variable) -> Term:
        return self._bindings[variable]

    def __iter__(self) -> Iterator[Variable]:
        return iter(self._bindings)

    def __len__(self) -> int:
        return len(self._bindings)

    def __hash__(self) -> int:
        return hash(frozenset(self._bindings.items()))

    def __str__(self) -> str:
        return "{" + ", ".join(f"{variable}/{term}" for variable, term in self._bindings.items()) + "}"

    def __repr__(self) -> str:
        return f"Substitution({self})"

    @overload
    def apply(self, to: Term) -> Term: ...
    @overload
    def apply(self, to: Literal) -> Literal: ...
    @overload
    def apply(self, to: Clause) -> Clause: ...
    @overload
    def apply(self, to: frozenset[Literal]) -> frozenset[Literal]: ...
    def apply(
        self, to: Term | Literal | Clause | frozenset[Literal]
    ) -> Term | Literal | Clause | frozenset[Literal]:
        """Apply the substitution to a term, a literal or a clause."""
        if not self._bindings:
            return to
        return replaced(to, lambda variable: self._bindings.get(variable, variable))

    def compose(self, other: Substitution) -> Substitution:
        """Return the composition: this substitution followed by the other."""
        # one cache for all bindings, since they may share subterms
        done: dict[int, Term] = {}
        first = {
            name: rebuilt(term, lambda variable: other.get(variable, variable), done)
            for name, term in self._bindings.items()
        }
        return Substitution({**other, **first})

    def restrict(self, variables: Iterable[Variable]) -> Substitution:
        """Return the restriction of the substitution to the given variables, in their order."""
        wanted = dict.fromkeys(variables)
        return Substitution({name: self._bindings[name] for name in wanted if name in self._bindings})


def replaced(
    within: Term | Literal | Clause | frozenset[Literal], value_of: Callable[[Variable], Term]
) -> Term | Literal | Clause | frozenset[Literal]:
    """Return a term, a literal or a clause with a function applied to each variable."""
    done: dict[int, Term] = {}

    def literal(old: Literal) -> Literal:
        if old.ground:
            return old
        arguments = tuple(rebuilt(term, value_of, done) for term in old.arguments)
        return Literal(old.name, arguments, old.negated)

    if isinstance(within, Literal):
        return literal(within)
    if isinstance(within, Clause):
        head = None if within.head is None else literal(within.head)
        return Clause(head, tuple(map(literal, within.body)))
    if isinstance(within, frozenset):
        return frozenset(map(literal, within))
    return rebuilt(within, value_of, done)


def rebuilt(term: Term, value_of: Callable[[Variable], Term], done: dict[int, Term]) -> Term:
    """Return a term with its variables replaced.

    Parameters
    ----------
    term : Term
    value_of : function of a variable
    done : dict
        Cache of results by subterm identity; it may be reused for further terms while the subterms exist.
    """
    if isinstance(term, Variable):
        return value_of(term)
    if not isinstance(term, Function) or term.ground:
        return term
    waiting = [term]
    while waiting:
        part = waiting[-1]
        arguments: list[Term] = []
        for argument in part.arguments:
            new = done.get(id(argument))
            if new is None:
                if isinstance(argument, Variable):
                    new = done[id(argument)] = value_of(argument)
                elif not isinstance(argument, Function) or argument.ground:
                    new = argument
                else:
                    waiting.append(argument)
                    continue
            arguments.append(new)
        if waiting[-1] is part:
            waiting.pop()
            same = all(new is old for new, old in zip(arguments, part.arguments, strict=True))
            done[id(part)] = part if same else Function(part.name, tuple(arguments))
    return done[id(term)]


def variables_of(within: Term | Literal | Clause | Iterable[Literal]) -> tuple[Variable, ...]:
    """Return the distinct variables in order of first occurrence.

    The literals of a set are visited in the order given by `ordered`.
    """
    if isinstance(within, Clause):
        return within.variables()
    if isinstance(within, Literal):
        return tuple(dict.fromkeys(within.variables()))
    if isinstance(within, Variable):
        return (within,)
    if isinstance(within, Iterable):
        literals = ordered(within) if isinstance(within, frozenset) else within
        return tuple(dict.fromkeys(each for literal in literals for each in literal.variables()))
    return tuple(dict.fromkeys(Literal("", (within,)).variables()))


def ordered(literals: Iterable[Literal]) -> list[Literal]:
    """Return the literals of a set in a deterministic order: positive ones first, by name.

    Examples
    --------
    >>> print(*ordered({Literal("q"), Literal("p", negated=True), Literal("a")}), sep="; ")
    a; q; \\+ p
    """
    found = list(literals)
    return sorted(found, key=_place) if len(found) > 1 else found


def _place(literal: Literal) -> tuple[object, ...]:
    tokens: list[tuple[int, str, str]] = []
    waiting: list[Term] = list(reversed(literal.arguments))
    while waiting:
        part = waiting.pop()
        if isinstance(part, Function):
            tokens.append((3, part.name, str(len(part.arguments))))
            waiting.extend(reversed(part.arguments))
        elif isinstance(part, Variable):
            tokens.append((0, part.name, ""))
        else:
            tokens.append((1, type(part.value).__name__, str(part.value)))
    return literal.negated, literal.name, len(literal.arguments), tuple(tokens)


def fresh_variables(taken: Iterable[Variable] = ()) -> Iterator[Variable]:
    """Yield variables other than the given ones: A, B, … Z, A1, B1, ….

    Examples
    --------
    >>> supply = fresh_variables([Variable("B")])
    >>> print(next(supply), next(supply))
    A C
    """
    names = {variable.name for variable in taken}
    for turn in count():
        for letter in ascii_uppercase:
            name = f"{letter}{turn}" if turn else letter
            if name not in names:
                yield Variable(name)


def renaming_apart(within: Iterable[Variable], taken: Iterable[Variable]) -> Substitution:
    """Return new names for the variables whose names are taken: ``X`` becomes ``X1``, ``X2``, ….

    Examples
    --------
    >>> x, y = Variable("X"), Variable("Y")
    >>> print(renaming_apart([x, y], [x, Variable("X1")]))
    {X/X2}
    """
    mine = tuple(dict.fromkeys(within))
    others = {variable.name for variable in taken}
    names = others | {variable.name for variable in mine}
    new: dict[Variable, Term] = {}
    numbers: dict[str, Iterator[int]] = {}
    for variable in mine:
        if variable.name in others:
            stem = variable.name.rstrip("0123456789")
            # one counter per stem, so that thousands of taken names are not tried again for each variable
            counted = numbers.setdefault(stem, count(1))
            new[variable] = Variable(next(name for n in counted if (name := f"{stem}{n}") not in names))
    return Substitution(new)


def renamed_apart(within: Named, *others: Term | Literal | Clause | frozenset[Literal]) -> Named:
    """Return a term, a literal or a clause renamed apart from the variables of others.

    Parameters
    ----------
    within : term, literal or clause
        Object to rename.
    *others : terms, literals or clauses
        Objects whose variables must not occur in the result.

    Examples
    --------
    >>> from induce.logic import parse_literal
    >>> print(renamed_apart(parse_literal("p(X, Y)"), parse_literal("q(X, a)")))
    p(X1, Y)
    """
    taken = [variable for other in others for variable in variables_of(other)]
    return renaming_apart(variables_of(within), taken).apply(within)


def canonical(within: Named) -> Named:
    """Return a term, a literal or a clause with its variables renamed to A, B, … in order of occurrence.

    Terms, literals or clauses that differ only in variable names become equal, provided that their literals
    are in the same order. For sets of literals use `induce.logic.subsumption.variants`.

    Parameters
    ----------
    within : term, literal or clause
        Object whose variables are renamed.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> print(canonical(parse_clause("p(Y, X) :- q(X, Z).")))
    p(A, B) :- q(B, C).
    """
    return Substitution(dict(zip(variables_of(within), fresh_variables(), strict=False))).apply(within)
