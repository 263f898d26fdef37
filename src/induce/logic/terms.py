"""Terms of first-order logic as immutable values (Mitchell §10.4.2, Table 10.3).

Terms may be nested as deeply as memory allows, as long lists are; no function here is recursive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Variable:
    """Variable; two variables with the same name within a clause are the same.

    Parameters
    ----------
    name : str
        Name, which begins with a capital letter or ``_``.
    """

    name: str

    def __str__(self) -> str:
        return _written(self)


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """Name or number; the integer 1 and the float 1.0 are different constants, as in Prolog.

    Parameters
    ----------
    value : str, int or float
        Name or number.
    """

    value: str | int | float

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constant):
            return NotImplemented
        return type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))

    def __str__(self) -> str:
        return _written(self)


@dataclass(frozen=True, slots=True)
class Text:
    """String in double quotes.

    Parameters
    ----------
    value : str
        Characters of the string.
    """

    value: str

    def __str__(self) -> str:
        return _written(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Function:
    """Function applied to terms, such as ``age(bob)``, ``X + 1`` or a list.

    Parameters
    ----------
    name : str
        Name of the function.
    arguments : tuple of Term
        Arguments of the function.

    Examples
    --------
    >>> print(Function("age", (Constant("bob"),)))
    age(bob)
    """

    name: str
    arguments: tuple[Term, ...]
    ground: bool = field(init=False)
    """Whether the term contains no variable."""
    _hash: int = field(init=False)

    def __post_init__(self) -> None:
        ground = True
        for term in self.arguments:  # a plain loop, since proofs and parsers create very many of these
            if isinstance(term, Variable) or (isinstance(term, Function) and not term.ground):
                ground = False
                break
        object.__setattr__(self, "ground", ground)
        object.__setattr__(self, "_hash", hash((self.name, self.arguments)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Function):
            return NotImplemented
        return _same(self, other)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without recursion: leaves as they are, each function as its name and arity."""
        flat: list[Any] = []
        waiting: list[Term] = [self]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Function):
                flat.append((part.name, len(part.arguments)))
                waiting.extend(part.arguments)
            else:
                flat.append(part)
        return _unflattened, (flat,)

    def __str__(self) -> str:
        return _written(self)

    def __repr__(self) -> str:
        return f"Function({self.name!r}, <{len(self.arguments)} arguments>)"


Term: TypeAlias = Variable | Constant | Text | Function
"""Variable, constant, text, or function of terms."""

EMPTY = Constant("[]")
"""Empty list."""

CONS = "."
"""Name of the list constructor, which joins a first element and the rest of a list."""


def is_ground(term: Term) -> bool:
    """Return whether a term contains no variable.

    Examples
    --------
    >>> is_ground(Variable("X")), is_ground(listed([Constant(1)]))
    (False, True)
    """
    return term.ground if isinstance(term, Function) else not isinstance(term, Variable)


def variables(term: Term) -> Iterator[Variable]:
    """Yield every variable occurrence in a term, from left to right."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Variable):
            yield part
        elif isinstance(part, Function) and not part.ground:
            waiting.extend(reversed(part.arguments))


def listed(elements: Sequence[Term], end: Term = EMPTY) -> Term:
    """Return the Prolog list of the given terms.

    Parameters
    ----------
    elements : sequence of Term
        Elements of the list.
    end : Term, default=EMPTY
        Rest of the list after the elements.

    Examples
    --------
    >>> print(listed([Constant("a"), Constant("b")], Variable("T")))
    [a, b|T]
    """
    whole = end
    for element in reversed(elements):
        whole = Function(CONS, (element, whole))
    return whole


def unlisted(term: Term) -> tuple[list[Term], Term]:
    """Return the elements of a list and its tail (`EMPTY` for a proper list).

    Parameters
    ----------
    term : Term
        List, or any other term.
    """
    elements = []
    while isinstance(term, Function) and term.name == CONS and len(term.arguments) == 2:
        elements.append(term.arguments[0])
        term = term.arguments[1]
    return elements, term


def _same(mine: Function, other: Function) -> bool:
    waiting: list[tuple[Term, Term]] = [(mine, other)]
    while waiting:
        left, right = waiting.pop()
        if left is right:
            continue
        if isinstance(left, Function) and isinstance(right, Function):
            if left._hash != right._hash or left.name != right.name:
                return False
            if len(left.arguments) != len(right.arguments):
                return False
            waiting.extend(zip(left.arguments, right.arguments, strict=True))
        elif left != right:
            return False
    return True


def _unflattened(flat: list[Any]) -> Term:
    built: list[Term] = []
    for part in reversed(flat):
        if isinstance(part, tuple):
            name, count = part
            arguments = tuple(built[len(built) - count :])
            del built[len(built) - count :]
            built.append(Function(name, arguments))
        else:
            built.append(part)
    return built[0]


def _written(term: Term) -> str:
    from induce.logic.printing import shown_term

    return shown_term(term)
