"""Built-in predicates of the prover about terms: their order, parts and characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cmp_to_key
from itertools import groupby

from induce.core.errors import InputError
from induce.logic.clauses import Predicate
from induce.logic.terms import (
    EMPTY,
    Constant,
    Function,
    Term,
    Text,
    Variable,
    is_ground,
    listed,
    unlisted,
    variables,
)

Outcome = bool | Sequence[tuple[Term | None, ...]]
"""Outcome of a goal: whether it holds, or the terms to unify with its arguments in each solution (None: with
nothing).
"""
BuiltIn = Callable[[tuple[Term, ...]], Outcome]

LONGEST_TEXT = 10_000_000
"""Maximum number of characters of a name, so that no program exhausts the memory with one."""


def compared(left: Term, right: Term) -> int:
    """Compare two terms in the standard order: variables, numbers, names, texts, functions; return -1, 0 or 1.

    Examples
    --------
    >>> from induce.logic import parse_term
    >>> compared(parse_term("f(a, 2)"), parse_term("f(a, 1.0)")), compared(parse_term("b"), parse_term("f(a)"))
    (1, -1)
    """
    waiting = [(left, right)]
    while waiting:
        a, b = waiting.pop()
        if a is b:
            continue
        first, second = _place(a), _place(b)
        if first != second:
            return -1 if first < second else 1
        if isinstance(a, Function) and isinstance(b, Function):
            waiting.extend(zip(reversed(a.arguments), reversed(b.arguments), strict=True))
    return 0


def _place(term: Term) -> tuple[int, float, str]:
    """Return the key of a term in the standard order, without its arguments."""
    if isinstance(term, Variable):
        return 0, int(term.name[1:]) if term.name[1:].isdigit() else -1, term.name
    if isinstance(term, Text):
        return 3, 0, term.value
    if isinstance(term, Function):
        return 4, len(term.arguments), term.name
    if isinstance(term.value, str):
        return 2, 0, term.value
    return 1, term.value, "whole" if isinstance(term.value, int) else "fraction"


def ordered(terms: Iterable[Term]) -> list[Term]:
    """Sort terms in the standard order."""
    return sorted(terms, key=cmp_to_key(compared))


def _list(term: Term) -> list[Term]:
    elements, end = unlisted(term)
    if end != EMPTY:
        raise InputError(
            f"a proper list is needed, but {'the end of the list' if elements else term} is not a list"
        )
    return elements


def _without_repeats(terms: Sequence[Term]) -> list[Term]:
    return [term for place, term in enumerate(terms) if not place or compared(terms[place - 1], term)]


def _sort_by(terms: tuple[Term, ...]) -> Outcome:
    key, order, given, _ = terms
    number = key.value if isinstance(key, Constant) else None
    relation = order.value if isinstance(order, Constant) else None
    if not isinstance(number, int) or relation not in ("@<", "@=<", "@>", "@>="):
        raise InputError(
            "sort/4 takes the number of an argument (0: the whole term) and one of @<, @=<, @> and @>="
        )

    def part(term: Term) -> Term:
        if number == 0:
            return term
        if not isinstance(term, Function) or not 0 < number <= len(term.arguments):
            raise InputError(f"sort/4: {term} has no argument {number}")
        return term.arguments[number - 1]

    def compare(a: Term, b: Term) -> int:
        return compared(part(a), part(b))

    found = sorted(_list(given), key=cmp_to_key(compare), reverse=relation in ("@>", "@>="))
    if relation in ("@<", "@>"):
        found = [term for place, term in enumerate(found) if not place or compare(found[place - 1], term)]
    return [(None, None, None, listed(found))]


def _key(term: Term) -> Term:
    if not isinstance(term, Function) or (term.name, len(term.arguments)) != ("-", 2):
        raise InputError(f"keysort/2 takes pairs Key-Value, not {term}")
    return term.arguments[0]


def _keysort(terms: tuple[Term, ...]) -> Outcome:
    place = cmp_to_key(compared)
    return [(None, listed(sorted(_list(terms[0]), key=lambda pair: place(_key(pair)))))]


def _functor(terms: tuple[Term, ...]) -> Outcome:
    term, name, arity = terms
    if isinstance(term, Function):
        return [(None, Constant(term.name), Constant(len(term.arguments)))]
    if not isinstance(term, Variable):
        return [(None, term, Constant(0))]
    n = arity.value if isinstance(arity, Constant) else None
    if isinstance(name, Variable) or not isinstance(n, int):
        raise InputError("functor/3 needs a term, or a name and an arity")
    if n == 0:
        return [(name, None, None)]
    return [(_made(name, [Variable(f"_new{i}") for i in range(_arity(n))]), None, None)]


def _arity(n: int) -> int:
    if not 0 <= n <= 255:
        raise InputError(f"a term has at most 255 arguments, not {n}; use a list")
    return n


def _made(name: Term, arguments: Sequence[Term]) -> Term:
    if not isinstance(name, Constant) or not isinstance(name.value, str):
        raise InputError(f"{name} cannot be the name of a term with arguments")
    return Function(name.value, tuple(arguments))


def _argument(terms: tuple[Term, ...]) -> Outcome:
    place, term, _ = terms
    if not isinstance(term, Function):
        raise InputError(f"arg/3 takes a term with arguments, not {term}")
    if isinstance(place, Variable):
        return [(Constant(i), None, each) for i, each in enumerate(term.arguments, 1)]
    if not isinstance(place, Constant) or not isinstance(place.value, int):
        raise InputError(f"arg/3 takes the number of an argument, not {place}")
    if not 1 <= place.value <= len(term.arguments):
        return False
    return [(None, None, term.arguments[place.value - 1])]


def _univ(terms: tuple[Term, ...]) -> Outcome:
    term, parts = terms
    if isinstance(term, Function):
        return [(None, listed([Constant(term.name), *term.arguments]))]
    if not isinstance(term, Variable):
        return [(None, listed([term]))]
    if isinstance(parts, Variable):
        raise InputError("=.. needs a term, or the list of its name and arguments")
    name, *arguments = _list(parts) or [EMPTY]
    _arity(len(arguments))
    return [(_made(name, arguments) if arguments else name, None)]


def _copy(terms: tuple[Term, ...]) -> Outcome:
    from induce.logic.substitution import Substitution

    fresh = {each: Variable(f"_new{each.name}") for each in variables(terms[0])}
    return [(None, Substitution(fresh).apply(terms[0]))]


def _free_variables(terms: tuple[Term, ...]) -> Outcome:
    """Return the variables by which bagof/3 groups solutions, and the goal without ``X ^``."""
    template, goal, _, _ = terms
    bound = set(variables(template))
    while isinstance(goal, Function) and (goal.name, len(goal.arguments)) == ("^", 2):
        bound.update(variables(goal.arguments[0]))
        goal = goal.arguments[1]
    free = [each for each in dict.fromkeys(variables(goal)) if each not in bound]
    return [(None, None, listed(free), goal)]


def _groups(terms: tuple[Term, ...]) -> Outcome:
    pairs = [each.arguments for each in _list(terms[0]) if isinstance(each, Function)]
    place = cmp_to_key(compared)
    pairs.sort(key=lambda pair: place(pair[0]))
    found = [list(group) for _, group in groupby(pairs, key=lambda pair: place(pair[0]))]
    made = [Function("-", (group[0][0], listed([value for _, value in group]))) for group in found]
    return [(None, listed(made))]


def _text(term: Term) -> str:
    """Return the characters of a name, number or text."""
    if isinstance(term, Constant | Text):
        return term.value if isinstance(term.value, str) else str(term)
    if isinstance(term, Variable):
        raise InputError("a variable is unbound where a name is needed")
    raise InputError(f"{term} is not a name, number or text")


def _kept(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise InputError(f"the name would have more than {LONGEST_TEXT:,} characters")
    return text


def _number(text: str) -> Constant | None:
    """Read a number in Prolog's notation."""
    from induce.logic.parsing import parse_term

    try:
        term = parse_term(text)
    except InputError:
        return None
    return term if isinstance(term, Constant) and not isinstance(term.value, str) else None


def _concatenated(make: Callable[[str], Term]) -> BuiltIn:
    def concatenate(terms: tuple[Term, ...]) -> Outcome:
        left, right, whole = terms
        if not isinstance(left, Variable) and not isinstance(right, Variable):
            return [(None, None, make(_kept(_text(left) + _text(right))))]
        letters = _text(whole)
        return [(make(letters[:cut]), make(letters[cut:]), None) for cut in range(len(letters) + 1)]

    return concatenate


def _spelt(make: Callable[[str], Term], value: Callable[[str], Term]) -> BuiltIn:
    """Return the predicate that relates a name to the list of its characters (or of their codes)."""

    def spell(terms: tuple[Term, ...]) -> Outcome:
        whole, letters = terms
        if not isinstance(whole, Variable):
            return [(None, listed([make(letter) for letter in _text(whole)]))]
        values = [each.value if isinstance(each, Constant) else "" for each in _list(letters)]
        try:
            text = "".join(each if isinstance(each, str) else chr(int(each)) for each in values)
        except (ValueError, OverflowError):
            raise InputError(f"{letters} is not a list of characters") from None
        return [(value(_kept(text)), None)]

    return spell


def _as_number(text: str) -> Term:
    found = _number(text)
    if found is None:
        raise InputError(f"{text!r} is not a number")
    return found


def _atom_number(terms: tuple[Term, ...]) -> Outcome:
    name, number = terms
    if isinstance(name, Variable):
        return [(Constant(_text(number)), None)]
    found = _number(_text(name))
    return [(None, found)] if found is not None else False


def _char_code(terms: tuple[Term, ...]) -> Outcome:
    letter, code = terms
    if isinstance(letter, Constant) and isinstance(letter.value, str) and len(letter.value) == 1:
        return [(None, Constant(ord(letter.value)))]
    if isinstance(code, Constant) and isinstance(code.value, int) and 0 <= code.value < 0x110000:
        return [(Constant(chr(code.value)), None)]
    raise InputError("char_code/2 takes a character or its code")


def _sub_atom(terms: tuple[Term, ...]) -> Outcome:
    whole, before, length, after, part = terms
    text = _text(whole)
    if not isinstance(part, Variable):
        piece = _text(part)
        starts = [i for i in range(len(text) - len(piece) + 1) if text.startswith(piece, i)]
        found = [(i, len(piece)) for i in starts]
    else:
        known = [each.value if isinstance(each, Constant) else None for each in (before, length, after)]
        starts = [known[0]] if isinstance(known[0], int) else list(range(len(text) + 1))
        found = []
        for i in starts:
            if isinstance(known[1], int):
                sizes = [known[1]]
            elif isinstance(known[2], int):
                sizes = [len(text) - i - known[2]]
            else:
                sizes = list(range(len(text) - i + 1))
            found.extend((i, n) for n in sizes if i >= 0 and 0 <= n <= len(text) - i)
    if sum(n for _, n in found) > LONGEST_TEXT:
        raise InputError("sub_atom/5 would produce too many names; give the length or the position")
    return [
        (None, Constant(i), Constant(n), Constant(len(text) - i - n), Constant(text[i : i + n]))
        for i, n in found
    ]


def _length(terms: tuple[Term, ...]) -> Outcome:
    return [(None, Constant(len(_text(terms[0]))))]


PREDICATES: dict[Predicate, BuiltIn] = {
    ("functor", 3): _functor,
    ("arg", 3): _argument,
    ("=..", 2): _univ,
    ("copy_term", 2): _copy,
    ("ground", 1): lambda terms: is_ground(terms[0]),
    ("term_variables", 2): lambda terms: [(None, listed(list(dict.fromkeys(variables(terms[0])))))],
    ("string", 1): lambda terms: isinstance(terms[0], Text),
    ("msort", 2): lambda terms: [(None, listed(ordered(_list(terms[0]))))],
    ("sort", 2): lambda terms: [(None, listed(_without_repeats(ordered(_list(terms[0])))))],
    ("sort", 4): _sort_by,
    ("keysort", 2): _keysort,
    ("free_variables_", 4): _free_variables,
    ("groups_", 2): _groups,
    ("atom_length", 2): _length,
    ("string_length", 2): _length,
    ("atom_concat", 3): _concatenated(Constant),
    ("string_concat", 3): _concatenated(Text),
    ("atom_chars", 2): _spelt(Constant, Constant),
    ("atom_codes", 2): _spelt(lambda letter: Constant(ord(letter)), Constant),
    ("number_codes", 2): _spelt(lambda letter: Constant(ord(letter)), _as_number),
    ("atom_number", 2): _atom_number,
    ("atom_string", 2): lambda terms: (
        [(Constant(_text(terms[1])), None)]
        if isinstance(terms[0], Variable)
        else [(None, Text(_text(terms[0])))]
    ),
    ("char_code", 2): _char_code,
    ("sub_atom", 5): _sub_atom,
    ("upcase_atom", 2): lambda terms: [(None, Constant(_kept(_text(terms[0]).upper())))],
    ("downcase_atom", 2): lambda terms: [(None, Constant(_kept(_text(terms[0]).lower())))],
}
