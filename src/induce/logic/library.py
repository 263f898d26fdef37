"""The library predicates of the prover: those about lists in Prolog, those about the inside of terms in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cmp_to_key, lru_cache
from itertools import groupby

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.terms import EMPTY, Constant, Function, Term, Text, Variable, is_ground, listed, unlisted, variables

Outcome = bool | Sequence[tuple[Term | None, ...]]
"""Whether a goal holds, or what its arguments are to be unified with in each solution (None: with nothing)."""
BuiltIn = Callable[[tuple[Term, ...]], Outcome]

LONGEST_TEXT = 10_000_000
"""Names with more letters are refused, so that no program fills the memory with one."""
PRIVATE = "$"
"""Begins the names by which library predicates call each other, whatever a program defines under the plain names."""
HELPER = "_"
"""Ends the names of library predicates that only other library predicates may call."""

TEXT = """
append([], L, L).
append([X|L], M, [X|N]) :- append(L, M, N).
append(Ls, L) :- append_all_(Ls, L).
append_all_([], []).
append_all_([L|Ls], M) :- append(L, N, M), append_all_(Ls, N).
member(X, [Y|L]) :- member_of_(L, X, Y).
member_of_(_, X, X).
member_of_([Y|L], X, _) :- member_of_(L, X, Y).
memberchk(X, L) :- member(X, L), !.
reverse(L, M) :- reverse_onto_(L, [], M).
reverse_onto_([], M, M).
reverse_onto_([X|L], N, M) :- reverse_onto_(L, [X|N], M).
length(L, N) :- integer(N), !, N >= 0, length_given_(N, L).
length(L, N) :- var(N), length_from_(L, 0, N).
length_given_(0, L) :- !, L = [].
length_given_(N, [_|L]) :- M is N - 1, length_given_(M, L).
length_from_([], N, N).
length_from_([_|L], M, N) :- K is M + 1, length_from_(L, K, N).
nth0(N, L, X) :- integer(N), !, N >= 0, nth_given_(N, L, X).
nth0(N, L, X) :- var(N), nth_from_(L, X, 0, N).
nth1(N, L, X) :- integer(N), !, M is N - 1, M >= 0, nth_given_(M, L, X).
nth1(N, L, X) :- var(N), nth_from_(L, X, 1, N).
nth_given_(0, [Y|_], X) :- !, X = Y.
nth_given_(N, [_|L], X) :- M is N - 1, nth_given_(M, L, X).
nth_from_([Y|L], X, M, N) :- nth_here_(L, Y, X, M, N).
nth_here_(_, X, X, N, N).
nth_here_([Y|L], _, X, M, N) :- K is M + 1, nth_here_(L, Y, X, K, N).
last([X|L], Y) :- last_of_(L, X, Y).
last_of_([], X, X).
last_of_([X|L], _, Y) :- last_of_(L, X, Y).
between(L, H, X) :- integer(X), !, L =< X, at_most_(X, H).
between(L, inf, X) :- !, count_from_(L, X).
between(L, H, X) :- L =< H, M is L, N is H, count_between_(M, N, X).
at_most_(_, inf) :- !.
at_most_(X, H) :- X =< H.
count_from_(L, L).
count_from_(L, X) :- M is L + 1, count_from_(M, X).
count_between_(L, L, X) :- !, X = L.
count_between_(L, _, L).
count_between_(L, H, X) :- M is L + 1, count_between_(M, H, X).
numlist(L, H, []) :- L > H, !.
numlist(L, H, [L|M]) :- K is L + 1, numlist(K, H, M).
succ(X, Y) :- integer(X), !, X >= 0, Y is X + 1.
succ(X, Y) :- Y > 0, X is Y - 1.
plus(X, Y, Z) :- integer(X), integer(Y), !, Z is X + Y.
plus(X, Y, Z) :- integer(X), !, Y is Z - X.
plus(X, Y, Z) :- X is Z - Y.
select(X, [X|L], L).
select(X, [Y|L], [Y|M]) :- select(X, L, M).
selectchk(X, L, M) :- select(X, L, M), !.
exclude(_, [], []).
exclude(P, [X|L], M) :- call(P, X), !, exclude(P, L, M).
exclude(P, [X|L], [X|M]) :- exclude(P, L, M).
include(_, [], []).
include(P, [X|L], [X|M]) :- call(P, X), !, include(P, L, M).
include(P, [_|L], M) :- include(P, L, M).
partition(_, [], [], []).
partition(P, [X|L], [X|M], N) :- call(P, X), !, partition(P, L, M, N).
partition(P, [X|L], M, [X|N]) :- partition(P, L, M, N).
delete([], _, []).
delete([X|L], Y, M) :- X \\= Y, !, M = [X|N], delete(L, Y, N).
delete([_|L], Y, M) :- delete(L, Y, M).
subtract([], _, []).
subtract([X|L], M, N) :- memberchk(X, M), !, subtract(L, M, N).
subtract([X|L], M, [X|N]) :- subtract(L, M, N).
intersection([], _, []).
intersection([X|L], M, [X|N]) :- memberchk(X, M), !, intersection(L, M, N).
intersection([_|L], M, N) :- intersection(L, M, N).
union([], M, M).
union([X|L], M, N) :- memberchk(X, M), !, union(L, M, N).
union([X|L], M, [X|N]) :- union(L, M, N).
list_to_set(L, M) :- set_without_(L, [], M).
set_without_([], _, []).
set_without_([X|L], S, M) :- seen_(X, S), !, set_without_(L, S, M).
set_without_([X|L], S, [X|M]) :- set_without_(L, [X|S], M).
seen_(X, [Y|_]) :- X == Y, !.
seen_(X, [_|S]) :- seen_(X, S).
permutation([], []).
permutation(L, [X|M]) :- select(X, L, N), permutation(N, M).
flatten(X, L) :- flatten_onto_(X, [], M), !, L = M.
flatten_onto_(X, L, [X|L]) :- var(X), !.
flatten_onto_([], L, L) :- !.
flatten_onto_([X|Xs], L, M) :- !, flatten_onto_(X, N, M), flatten_onto_(Xs, L, N).
flatten_onto_(X, L, [X|L]).
is_list(L) :- nonvar(L), whole_list_(L).
whole_list_([]).
whole_list_([_|L]) :- is_list(L).
sum_list(L, N) :- sum_from_(L, 0, N).
sumlist(L, N) :- sum_from_(L, 0, N).
sum_from_([], N, N).
sum_from_([X|L], M, N) :- K is M + X, sum_from_(L, K, N).
max_list([X|L], N) :- Y is X, max_from_(L, Y, N).
max_from_([], N, N).
max_from_([X|L], M, N) :- K is max(M, X), max_from_(L, K, N).
min_list([X|L], N) :- Y is X, min_from_(L, Y, N).
min_from_([], N, N).
min_from_([X|L], M, N) :- K is min(M, X), min_from_(L, K, N).
max_member(X, L) :- msort(L, M), last(M, X).
min_member(X, L) :- msort(L, [X|_]).
maplist(_, []).
maplist(P, [X|L]) :- call(P, X), maplist(P, L).
maplist(_, [], []).
maplist(P, [X|L], [Y|M]) :- call(P, X, Y), maplist(P, L, M).
maplist(_, [], [], []).
maplist(P, [X|L], [Y|M], [Z|N]) :- call(P, X, Y, Z), maplist(P, L, M, N).
foldl(_, [], V, V).
foldl(P, [X|L], U, W) :- call(P, X, U, V), foldl(P, L, V, W).
foldl(_, [], [], V, V).
foldl(P, [X|L], [Y|M], U, W) :- call(P, X, Y, U, V), foldl(P, L, M, V, W).
ignore(G) :- call(G), !.
ignore(_).
apply(P, L) :- G =.. [call, P|L], call(G).
repeat.
repeat :- repeat.
_ ^ G :- call(G).
findall(X, G, L, M) :- findall(X, G, N), append(N, M, L).
aggregate_all(count, G, N) :- !, findall(x, G, L), length(L, N).
aggregate_all(sum(X), G, N) :- !, findall(X, G, L), sum_list(L, N).
aggregate_all(max(X), G, N) :- !, findall(X, G, L), max_list(L, N).
aggregate_all(min(X), G, N) :- !, findall(X, G, L), min_list(L, N).
aggregate_all(bag(X), G, L) :- !, findall(X, G, L).
aggregate_all(set(X), G, M) :- findall(X, G, L), sort(L, M).
bagof(X, G, L) :- free_variables_(X, G, W, H), findall(W - X, H, M), M \\== [], groups_(M, N), member(W - L, N).
setof(X, G, L) :- bagof(X, G, M), sort(M, L).
"""


@lru_cache(maxsize=1)
def library() -> dict[Predicate, tuple[Clause, ...]]:
    """Return the clauses of the library predicates, which call each other by their private names."""
    from induce.logic.parsing import parse_program

    plain: Program = parse_program(TEXT, "the library")
    own = {*plain.by_predicate, *PREDICATES}

    def private(literal: Literal) -> Literal:
        if literal.predicate not in own:
            return literal
        return Literal(PRIVATE + literal.name, literal.arguments, literal.negated)

    return {
        predicate: tuple(Clause(each.head, tuple(map(private, each.body))) for each in clauses)
        for predicate, clauses in plain.by_predicate.items()
    }


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


def _place(term: Term) -> tuple[float | int, ...] | tuple[int, int, str]:
    """Return where a term stands in the standard order, its arguments aside."""
    if isinstance(term, Variable):
        return 0, int(term.name[1:]) if term.name[1:].isdigit() else -1, term.name
    if isinstance(term, Text):
        return 3, 0, term.value
    if isinstance(term, Function):
        return 4, len(term.arguments), term.name
    if isinstance(term.value, str):
        return 2, 0, term.value
    return 1, term.value, int(isinstance(term.value, int))


def ordered(terms: Iterable[Term]) -> list[Term]:
    """Sort terms in the standard order."""
    return sorted(terms, key=cmp_to_key(compared))


def _list(term: Term) -> list[Term]:
    elements, end = unlisted(term)
    if end != EMPTY:
        raise InputError(f"a whole list is needed, but {'the end of the list' if elements else term} is no list")
    return elements


def _without_repeats(terms: Sequence[Term]) -> list[Term]:
    return [term for place, term in enumerate(terms) if not place or compared(terms[place - 1], term)]


def _sort_by(terms: tuple[Term, ...]) -> Outcome:
    key, order, given, _ = terms
    number = key.value if isinstance(key, Constant) else None
    relation = order.value if isinstance(order, Constant) else None
    if not isinstance(number, int) or relation not in ("@<", "@=<", "@>", "@>="):
        raise InputError("sort/4 takes the number of an argument (0: the whole term) and one of @<, @=<, @> and @>=")

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
    pairs = sorted(_list(terms[0]), key=cmp_to_key(lambda a, b: compared(_key(a), _key(b))))
    return [(None, listed(pairs))]


def _functor(terms: tuple[Term, ...]) -> Outcome:
    term, name, arity = terms
    if isinstance(term, Function):
        return [(None, Constant(term.name), Constant(len(term.arguments)))]
    if not isinstance(term, Variable):
        return [(None, term, Constant(0))]
    n = arity.value if isinstance(arity, Constant) else None
    if isinstance(name, Variable) or not isinstance(n, int):
        raise InputError("functor/3 needs a term, or a name and a number of arguments")
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
    """Answer for bagof/3: the variables that solutions are grouped by, and the goal without ``X ^``."""
    template, goal, _, _ = terms
    bound = set(variables(template))
    while isinstance(goal, Function) and (goal.name, len(goal.arguments)) == ("^", 2):
        bound.update(variables(goal.arguments[0]))
        goal = goal.arguments[1]
    free = [each for each in dict.fromkeys(variables(goal)) if each not in bound]
    return [(None, None, listed(free), goal)]


def _groups(terms: tuple[Term, ...]) -> Outcome:
    pairs = [each.arguments for each in _list(terms[0]) if isinstance(each, Function)]
    place = cmp_to_key(lambda a, b: compared(a[0], b[0]))
    found = [list(group) for _, group in groupby(sorted(pairs, key=place), key=place)]
    made = [Function("-", (group[0][0], listed([value for _, value in group]))) for group in found]
    return [(None, listed(made))]


def _text(term: Term) -> str:
    """Return the letters of a name, number or text."""
    if isinstance(term, Constant | Text):
        return term.value if isinstance(term.value, str) else str(term)
    if isinstance(term, Variable):
        raise InputError("a variable has no value yet where a name is needed")
    raise InputError(f"{term} is no name, number or text")


def _kept(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise InputError(f"a name with more than {LONGEST_TEXT:,} letters would be made")
    return text


def _number(text: str) -> Constant | None:
    """Read a number as Prolog writes it."""
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
    """Return the predicate that relates a name and the list of its letters (or of their codes)."""

    def spell(terms: tuple[Term, ...]) -> Outcome:
        whole, letters = terms
        if not isinstance(whole, Variable):
            return [(None, listed([make(letter) for letter in _text(whole)]))]
        values = [each.value if isinstance(each, Constant) else "" for each in _list(letters)]
        try:
            text = "".join(each if isinstance(each, str) else chr(int(each)) for each in values)
        except (ValueError, OverflowError):
            raise InputError(f"{letters} is no list of letters") from None
        return [(value(_kept(text)), None)]

    return spell


def _as_number(text: str) -> Term:
    found = _number(text)
    if found is None:
        raise InputError(f"{text!r} is no number")
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
    raise InputError("char_code/2 takes a letter or its code")


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
        raise InputError("sub_atom/5 would make too many names; give the length or the place")
    return [
        (None, Constant(i), Constant(n), Constant(len(text) - i - n), Constant(text[i : i + n])) for i, n in found
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
        [(Constant(_text(terms[1])), None)] if isinstance(terms[0], Variable) else [(None, Text(_text(terms[0])))]
    ),
    ("char_code", 2): _char_code,
    ("sub_atom", 5): _sub_atom,
    ("upcase_atom", 2): lambda terms: [(None, Constant(_kept(_text(terms[0]).upper())))],
    ("downcase_atom", 2): lambda terms: [(None, Constant(_kept(_text(terms[0]).lower())))],
}
