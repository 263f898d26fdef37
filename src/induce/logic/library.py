"""Library predicates of the prover that are written in Prolog, mostly about lists."""

from __future__ import annotations

from functools import lru_cache

from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.term_predicates import PREDICATES

PRIVATE = "$"
"""Prefix of the private names by which library predicates call each other, whatever a program defines."""
HELPER = "_"
"""Suffix of the names of predicates reserved for the library."""

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
count_between_(L, _, L).
count_between_(L, H, X) :- L < H, M is L + 1, count_between_(M, H, X).
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
at_least(N, _) :- N =< 0, !.
at_least(N, [G|L]) :- call(G), !, M is N - 1, at_least(M, L).
at_least(N, [_|L]) :- at_least(N, L).
X #= Y :- ground(Y), !, V is Y, equation_(X, V).
X #= Y :- ground(X), V is X, equation_(Y, V).
equation_(X, V) :- var(X), !, X = V.
equation_(X, V) :- ground(X), !, V =:= X.
equation_(X + Y, V) :- ground(Y), !, W is V - Y, equation_(X, W).
equation_(X + Y, V) :- ground(X), W is V - X, equation_(Y, W).
equation_(X - Y, V) :- ground(Y), !, W is V + Y, equation_(X, W).
equation_(X - Y, V) :- ground(X), W is X - V, equation_(Y, W).
equation_(X * Y, V) :- ground(Y), !, Y =\\= 0, 0 is V mod Y, W is V // Y, equation_(X, W).
equation_(X * Y, V) :- ground(X), X =\\= 0, 0 is V mod X, W is V // X, equation_(Y, W).
X #\\= Y :- X =\\= Y.
X #< Y :- X < Y.
X #> Y :- X > Y.
X #=< Y :- X =< Y.
X #>= Y :- X >= Y.
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


def is_built_in(predicate: Predicate) -> bool:
    """Return whether the prover itself decides a predicate, such as arithmetic and comparisons."""
    from induce.logic.builtins import LOOPED, PYTHON

    return predicate in LOOPED or predicate in PYTHON or predicate in library()
