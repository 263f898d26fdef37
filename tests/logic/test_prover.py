"""The prover: classical Prolog behaviour, limits, batches, and the oracles of chapter 10 that need proofs."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.limits import Limits
from induce.logic.parsing import parse_literal, parse_program, parse_term
from induce.logic.prover import Prover
from induce.logic.terms import Constant, Function, Variable, listed, unlisted

ANCESTOR = """
    ancestor(X, Y) :- parent(X, Y).
    ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).
    parent(ann, bea). parent(bea, cal). parent(cal, dan).
"""
NREV = """
    app([], L, L).
    app([H|T], L, [H|R]) :- app(T, L, R).
    nrev([], []).
    nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).
"""


def prover(text="", **options):
    return Prover(parse_program(text), **options)


def values(answers, name="X"):
    return [str(answer.substitution[Variable(name)]) for answer in answers]


def test_solutions_come_in_the_order_of_the_clauses():
    p = prover("p(c). p(a). p(b). q(X, Y) :- p(X), p(Y).")
    assert values(p.prove("p(X)")) == ["c", "a", "b"]
    assert [str(each) for each in p.prove("q(X, Y)")][:4] == [
        "{X/c, Y/c}",
        "{X/c, Y/a}",
        "{X/c, Y/b}",
        "{X/a, Y/c}",
    ]


def test_ancestor_10_b_8():
    p = prover(ANCESTOR)
    found = {tuple(map(str, answer.substitution.values())) for answer in p.prove("ancestor(X, Y)")}
    people = ("ann", "bea", "cal", "dan")
    assert found == set(itertools.combinations(people, 2))
    assert len(found) == 6
    assert p.holds("ancestor(ann, dan)")
    assert not p.holds("ancestor(dan, ann)")


def test_inverse_entailment_10_b_12():
    x = "male(bob). female(sharon). father(sharon, bob)."
    h1, h2 = "child(U, V) :- father(V, U).", "child(U, V) :- parent(V, U)."
    background = "parent(U, V) :- father(U, V)."
    goal = "child(bob, sharon)"
    assert prover(f"{x} {h1}").holds(goal)
    assert not prover(f"{x} {h2}", unknown="fail").holds(goal)
    assert prover(f"{x} {h2} {background}").holds(goal)


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("cut(X)", ["1", "2", "3"]),
        ("first(X)", ["a"]),
        ("max(3, 7, X)", ["7"]),
        ("(p(X), X \\= a)", ["b", "c"]),
        ("\\+ p(z), X = yes", ["yes"]),
        ("\\+ p(a), X = yes", []),
        ("(p(X) -> true ; X = none)", ["a"]),
        ("(p(z) -> X = some ; X = none)", ["none"]),
        ("(p(X) *-> true ; X = none)", ["a", "b", "c"]),
        ("(fail *-> true ; X = none)", ["none"]),
        ("(X = 1 ; X = 2 ; X = 3)", ["1", "2", "3"]),
        ("once(p(X))", ["a"]),
        ("(p(X) -> fail)", []),
        ("call(p, X)", ["a", "b", "c"]),
        ("G = p(X), call(G)", ["a", "b", "c"]),
        ("G = (p(X), !), call(G)", ["a"]),
        ("(G = !, p(X), call(G))", ["a", "b", "c"]),
        ("(p(X), ! ; X = d)", ["a"]),
        ("forall(p(X), atom(X)), X = free", ["free"]),
        ("not(forall(p(Y), Y == a)), X = yes", ["yes"]),
        ("findall(Y, p(Y), X)", ["[a, b, c]"]),
        ("findall(Y - Z, (p(Y), findall(W, p(W), Z)), L), length(L, X)", ["3"]),
        ("findall(Y, fail, X)", ["[]"]),
        ("nested(X)", ["b"]),
    ],
)
def test_control(goal, expected):
    p = prover(
        """
        p(a). p(b). p(c).
        cut(X) :- member(X, [1, 2]).
        cut(X) :- !, X = 3.
        cut(4).
        first(X) :- p(X), !.
        max(X, Y, X) :- X >= Y, !.
        max(_, Y, Y).
        nested(X) :- p(X), (X == a -> fail ; true), !.
        """
    )
    assert values(p.prove(goal, proofs=False)) == expected
    assert values(p.prove(goal, proofs=True)) == expected


def test_findall_renames_variables():
    (answer,) = prover("p(a).").prove("findall(f(Y, Y, Z), p(_), [X])")
    term = answer.substitution[Variable("X")]
    assert term.arguments[0] == term.arguments[1] != term.arguments[2]
    assert not {Variable("Y"), Variable("Z")} & set(term.arguments)


def test_a_cut_is_local_to_its_clause():
    p = prover("a(X) :- b(X). a(9). b(X) :- member(X, [1, 2]), !. b(3).")
    assert values(p.prove("a(X)")) == ["1", "9"]


def test_naive_reverse_takes_496_inferences():
    p = prover(NREV, limits=Limits(inferences=496))
    numbers = listed([Constant(i) for i in range(30)])
    goal = Literal("nrev", (numbers, Variable("X")))
    answers = p.prove(goal)
    assert unlisted(answers.first().substitution[Variable("X")])[0] == [
        Constant(i) for i in reversed(range(30))
    ]
    assert len(answers.all()) == 1
    assert answers.complete
    short = prover(NREV, limits=Limits(inferences=495)).prove(goal)
    assert short.all() == ()
    assert (short.complete, short.stopped_by) == (False, "inferences")


@pytest.mark.compiled
def test_queens():
    p = prover(
        """
        queens(N, Qs) :- numlist(1, N, Ns), permutation(Ns, Qs), safe(Qs).
        safe([]).
        safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs).
        no_attack(_, [], _).
        no_attack(Q, [P|Ps], D) :- Q =\\= P + D, Q =\\= P - D, E is D + 1, no_attack(Q, Ps, E).
        """
    )
    assert len(p.prove("queens(6, X)", proofs=False).all()) == 4
    assert values([p.first("queens(8, X)")]) == ["[1, 5, 8, 6, 3, 7, 2, 4]"]


def test_hanoi():
    p = prover(
        """
        hanoi(0, _, _, _, []) :- !.
        hanoi(N, A, B, C, Moves) :-
            M is N - 1, hanoi(M, A, C, B, First), hanoi(M, C, B, A, Then), append(First, [A - B|Then], Moves).
        """
    )
    answer = p.first("hanoi(10, left, right, middle, Moves), length(Moves, X)")
    assert values([answer]) == ["1023"]


@pytest.mark.compiled
def test_zebra():
    p = prover(
        """
        right(X, Y, [X, Y|_]).
        right(X, Y, [_|L]) :- right(X, Y, L).
        next(X, Y, L) :- right(X, Y, L).
        next(X, Y, L) :- right(Y, X, L).
        zebra(Owner) :-
            S = [h(_, norwegian, _, _, _), _, h(_, _, _, milk, _), _, _],
            member(h(red, english, _, _, _), S), member(h(green, _, _, coffee, _), S),
            member(h(_, spanish, dog, _, _), S), member(h(_, ukrainian, _, tea, _), S),
            right(h(ivory, _, _, _, _), h(green, _, _, _, _), S), member(h(_, _, snails, _, winston), S),
            member(h(yellow, _, _, _, kools), S), next(h(_, _, _, _, chesterfield), h(_, _, fox, _, _), S),
            next(h(_, _, _, _, kools), h(_, _, horse, _, _), S), member(h(_, _, _, juice, lucky), S),
            member(h(_, japanese, _, _, parliament), S), next(h(_, norwegian, _, _, _), h(blue, _, _, _, _), S),
            member(h(_, Owner, zebra, _, _), S).
        """
    )
    assert values(p.prove("zebra(X)")) == ["japanese"]


def test_mutual_recursion():
    p = prover("even(0). even(N) :- N > 0, M is N - 1, odd(M). odd(N) :- N > 0, M is N - 1, even(M).")
    assert p.holds("even(1000)")
    assert not p.holds("odd(1000)")


@pytest.mark.compiled
def test_occurs_check():
    assert prover().holds("X = f(X)")
    assert not prover(occurs_check=True).holds("X = f(X)")
    assert not prover("p(X, f(X)).", occurs_check=True).holds("p(Y, Y)")
    assert not prover("p(X, X).", occurs_check=True).holds("p(Y, g(a, Y))")
    assert prover("p(X, X).", occurs_check=True).holds("p(Y, g(a, Z))")
    assert prover(NREV, occurs_check=True).holds("nrev([1, 2, 3], [3, 2, 1])")
    with pytest.raises(InputError, match="contains itself"):
        prover().prove("X = f(X)").all()
    with pytest.raises(InputError, match="too large to compare or cyclic"):
        prover().holds("X = f(X), Y = f(Y), X = Y")


def test_unknown_predicates():
    p = prover("parent(a, b). p(X) :- undefined_thing(X). :- dynamic later/1. q(X) :- later(X).")
    with pytest.raises(InputError, match=r"^unknown predicate parnt/2; did you mean parent/2\?$"):
        p.holds("parnt(a, b)")
    with pytest.raises(InputError, match=r"^unknown predicate parent/3; did you mean parent/2\?$"):
        p.holds("parent(a, b, c)")
    with pytest.raises(InputError, match="unknown predicate undefined_thing/1"):
        p.holds("p(a)")
    assert not p.holds("q(a)")
    assert not prover("p(X) :- undefined_thing(X).", unknown="fail").holds("p(a)")


@pytest.mark.parametrize(
    "name", ["shell", "consult", "open", "halt", "assertz", "format", "read", "member_of_", "seen_"]
)
def test_nothing_outside_exists(name):
    with pytest.raises(InputError, match=f"unknown predicate {name}/1"):
        prover().holds(f"{name}(x)")


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("X", "a goal is an unbound variable"),
        ("call(1)", "1 cannot be called"),
        ("call(1, a)", "cannot be called"),
        ("(p(a) ; 3), fail", "3 cannot be called"),
        ("G = 3, call(G)", "3 cannot be called"),
    ],
)
def test_goals_that_are_none(goal, message):
    with pytest.raises(InputError, match=message):
        prover("p(a).").holds(goal)


def test_control_cannot_be_defined_anew():
    program = Program((Clause(Literal(",", (Constant("a"), Constant("b")))),))
    with pytest.raises(InputError, match="control construct"):
        Prover(program).holds("true")


def test_own_definitions_win():
    p = prover(
        """
        append(mine, X, X). member(X, _) :- X = mine. less_than(a, b).
        """
    )
    assert values(p.prove("append(mine, 1, X)")) == ["1"]
    assert not p.holds("append([1], [2], X)")
    assert values(p.prove("member(X, [1, 2])")) == ["mine"]
    # the library still uses its own
    assert values(p.prove("append([[1], [2]], X)")) == ["[1, 2]"]
    assert values(p.prove("setof(Y, Z ^ nth0(Z, [c, b, c], Y), X)")) == ["[b, c]"]
    assert p.holds("less_than(a, b)")
    assert not p.holds("less_than(1, 2)")


def test_the_order_of_a_book_s_built_ins():
    p = prover(
        "weight(X, W) :- volume(X, V), density(X, D), equal(W, times(V, D)). volume(o, 2). density(o, 0.3)."
    )
    assert values(p.prove("weight(o, X)")) == ["0.6"]
    assert p.holds("weight(o, W), less_than(W, 5), greater_than(W, 0.5)")
    assert p.holds("equal(6, times(2, 3))")
    assert values(p.prove("equal(plus(1, minus(5, 2)), X)")) == ["4"]


# limits


def test_limit_of_depth():
    p = prover("n(X) :- n(s(X)). n(s(s(s(0)))).", limits=Limits(depth=10))
    answers = p.prove("n(0)")
    assert len(answers.all()) == 1
    assert (answers.complete, answers.stopped_by) == (False, "depth")
    assert prover("c(0). c(s(X)) :- c(X).", limits=Limits(depth=4)).holds("c(s(s(s(0))))")
    assert not prover("c(0). c(s(X)) :- c(X).", limits=Limits(depth=3)).holds("c(s(s(s(0))))")


def test_limit_of_solutions_and_time():
    p = prover("n(0). n(s(X)) :- n(X).", limits=Limits(solutions=3))
    answers = p.prove("n(X)")
    assert values(answers) == ["0", "s(0)", "s(s(0))"]
    assert answers.stopped_by == "solutions"
    slow = prover("loop :- repeat, fail.", limits=Limits(seconds=0.3)).prove("loop")
    assert slow.all() == ()
    assert slow.stopped_by == "seconds"


@pytest.mark.compiled
def test_limit_of_memory():
    p = prover("n(X) :- n(s(X)), n(X).", limits=Limits(memory=30_000_000))
    with pytest.raises(InputError, match=r"more than 30 MB.*last goal: n/1"):
        p.holds("n(0)")
    assert p.holds("true")
    with pytest.raises(InputError, match="more than 30 MB"):
        prover("n(L) :- findall(X, (repeat, X = f(a)), L).", limits=Limits(memory=30_000_000)).holds("n(L)")


def test_an_error_ends_the_search():
    answers = prover("p(1). p(X) :- X is foo.").prove("p(X)")
    with pytest.raises(InputError, match="foo is not a number"):
        answers.all()
    assert values(answers) == ["1"]
    assert (answers.complete, answers.stopped_by) == (False, "error")


def test_a_limit_of_depth_spoils_no_table():
    text = "path(X, Y) :- path(X, Z), low(Z, Y). path(X, Y) :- low(X, Y). low(X, Y) :- e(X, Y). e(a, b). e(b, c)."
    p = prover(text, limits=Limits(depth=2))
    goals = [parse_literal("path(a, c)"), parse_literal("e(a, b)"), parse_literal("path(a, b)")]
    assert p.holds_each(goals).tolist() == [False, True, False]
    assert prover(text, limits=Limits(depth=4)).holds_each(goals).tolist() == [True, True, True]


def test_answers_are_found_as_they_are_asked_for():
    p = prover("n(0). n(s(X)) :- n(X).")
    first, second = p.prove("n(X)"), p.prove("n(s(X))")
    assert values(itertools.islice(first, 2)) == ["0", "s(0)"]
    assert values(itertools.islice(second, 2)) == ["0", "s(0)"]
    assert values(itertools.islice(first, 3)) == ["0", "s(0)", "s(s(0))"]
    assert not first.complete
    assert first.stopped_by is None


def test_ctrl_c(ctrl_c):
    p = prover("loop :- repeat, fail.")
    p.holds("true")
    ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        p.holds("loop")
    assert p.holds("true")


# large things


@pytest.mark.compiled
def test_long_lists():
    p = prover(NREV)
    assert p.holds("length(L, 50000), app(L, [z], M), length(M, 50001), M = N, M == N, last(N, z)")
    n = 20_000
    numbers = listed([Constant(i) for i in range(n)])
    answer = p.first(Literal("app", (numbers, listed([Constant("z")]), Variable("X"))))
    elements, _ = unlisted(answer.substitution[Variable("X")])
    assert len(elements) == n + 1
    assert answer.proof.depth() == n + 1


@pytest.mark.compiled
def test_deep_terms():
    total = Constant(0)
    for _ in range(20_000):
        total = Function("+", (total, Constant(1)))
    p = prover("same(X, X).")
    goals = [Literal("same", (total, Variable("Y"))), Literal("same", (total, Variable("Y")))]
    assert p.holds([*goals, parse_literal("Y = _ + 1")])
    (answer,) = p.prove(Literal("is", (Variable("X"), total)), proofs=False)
    assert values([answer]) == ["20000"]


@pytest.mark.slow
def test_many_facts_are_found_by_any_argument():
    n = 100_000
    codes = np.column_stack([np.arange(n), np.arange(n)[::-1], np.arange(n) % 3])
    terms = [Constant(i) for i in range(n)]
    p = prover("two(X, Y) :- fact(X, Z, _), fact(Z, Y, _).", facts={("fact", 3): (codes, terms)})
    assert values(p.prove("fact(500, X, Y)")) == ["99499"]
    assert values(p.prove("fact(X, 500, Y)")) == ["99499"]
    assert p.holds("fact(500, 99499, 2)")
    assert not p.holds("fact(500, 99498, 2)")
    assert values(p.prove("two(77, X)")) == ["77"]
    assert p.first("fact(7, X, Y)").proof.kind == "fact"
    held = p.holds_each([Literal("two", (Constant(i), Constant(i))) for i in range(10_000)])
    assert held.all()


def test_facts_are_checked():
    with pytest.raises(InputError, match="must be an array of codes with 2 columns"):
        prover(facts={("p", 2): (np.zeros((3, 1), int), [Constant("a")])}).holds("true")
    with pytest.raises(InputError, match="between 0 and 0"):
        prover(facts={("p", 1): (np.ones((3, 1), int), [Constant("a")])}).holds("true")
    with pytest.raises(InputError, match="must be ground"):
        prover(facts={("p", 1): (np.zeros((3, 1), int), [Variable("X")])}).holds("true")


def test_facts_come_before_clauses_and_may_hold_any_term():
    terms = [Constant("a"), Constant(2.5), Constant(2**80), parse_term("[f(x), 1]"), parse_term('"text"')]
    facts = {("p", 1): (np.arange(5)[:, None], terms)}
    p = prover("p(last).", facts=facts)
    assert values(p.prove("p(X)")) == ["a", "2.5", str(2**80), "[f(x), 1]", '"text"', "last"]
    for term in terms:
        assert p.holds(Literal("p", (term,)))
    assert not p.holds("p(2.6)")
    assert not p.holds("p([f(x), 2])")


def test_indexing_keeps_the_order_of_clauses():
    rules = [f"p({'X' if i % 7 == 3 else f'k{i % 4}'}, {i})." for i in range(40)]
    p = prover("\n".join(rules))
    expected = [str(i) for i in range(40) if i % 7 == 3 or i % 4 == 1]
    assert values(p.prove("p(k1, X)")) == expected
    assert values(p.prove("p(new, X)")) == [str(i) for i in range(40) if i % 7 == 3]
    assert len(p.prove("p(_, X)").all()) == 40
    assert p.holds("p(anything, 3)")


# batches


def test_holds_each_equals_holds():
    p = prover(ANCESTOR + NREV)
    names = ("ann", "bea", "cal", "dan", "eve")
    goals = [Literal("ancestor", (Constant(a), Constant(b))) for a in names for b in names]
    goals += [goal.negation() for goal in goals[:5]] + [parse_literal("nrev([1, 2], [2, 1])")]
    assert p.holds_each(goals).tolist() == [p.holds(goal) for goal in goals]
    both = [(goals[1], goals[7]), (goals[1], goals[5])]
    assert p.holds_each(both).tolist() == [p.holds(goal) for goal in both]
    assert p.holds_each([]).shape == (0,)


def test_limits_hold_for_each_goal():
    p = prover("loop(0). loop(s(X)) :- loop(X).", limits=Limits(inferences=5))
    sizes = [3, 100, 4, 5]
    goals = [parse_literal(f"loop({'s(' * n}0{')' * n})") for n in sizes]
    assert p.holds_each(goals).tolist() == [True, False, True, False]


def test_solutions_each():
    p = prover(NREV)
    lists = ["[a, b]", "[]", "f(x)", "[c]"]
    found = p.solutions_each(("app", 3), [2], [[parse_term(text)] for text in lists])
    assert [[str(Function("-", pair)) for pair in each] for each in found.found] == [
        ["[] - [a, b]", "[a] - [b]", "[a, b] - []"],
        ["[] - []"],
        ["[] - f(x)"],
        ["[] - [c]", "[c] - []"],
    ]
    assert found.complete.all()
    assert found.dropped == 0
    numbers = p.solutions_each(("is", 2), [1], [[parse_term("1 + 1.5")], [parse_term("2 ** 100")]])
    assert [each[0][0].value for each in numbers.found] == [2.5, 2**100]
    several = p.solutions_each(("app", 3), [0], [[parse_term("[a]")]], limits=Limits(solutions=2))
    assert (several.found, several.dropped) == (((),), 1)
    endless = p.solutions_each(("app", 3), [], [[]], limits=Limits(inferences=20))
    assert not endless.complete.any()
    with pytest.raises(InputError, match="row 1 has 0 terms; it needs 1"):
        p.solutions_each(("app", 3), [0], [[Constant("a")], []])


def test_solutions_each_equals_prove():
    p = prover(ANCESTOR)
    people = [[Constant(name)] for name in ("ann", "bea", "dan")]
    found = p.solutions_each(("ancestor", 2), [0], people).found
    for row, each in zip(people, found, strict=True):
        assert [str(term) for (term,) in each] == values(p.prove(Literal("ancestor", (*row, Variable("X")))))


def test_extended():
    base = prover(ANCESTOR)
    assert base.holds("ancestor(ann, dan)")
    more = base.extended(parse_program("parent(dan, eve). old(X) :- \\+ parent(_, X)."))
    assert more.holds("ancestor(ann, eve)")
    assert not base.holds("ancestor(ann, eve)")
    assert more.holds("old(ann)")
    circle = prover("edge(a, b). edge(b, a). path(X, Y) :- edge(X, Y).")
    assert circle.holds("path(a, b)")
    closed = circle.extended(parse_program("path(X, Y) :- path(X, Z), edge(Z, Y)."))
    assert values(closed.prove("path(a, X)")) == ["b", "a"]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_a_copy_of_a_prover_that_was_asked_reckons_the_same(copied):
    p = prover()
    for _ in range(2):
        assert values(p.prove("X is 1.5 + 1")) == ["2.5"]
        p = copied(p)


def test_arguments_are_checked():
    with pytest.raises(TypeError, match="must be a Program"):
        Prover("p(a).")
    with pytest.raises(InputError, match="unknown is"):
        prover(unknown="maybe")
    with pytest.raises(TypeError, match="a goal is a Literal"):
        prover().holds([3])
    with pytest.raises(InputError, match="the goal is empty"):
        prover().holds([])
    with pytest.raises(InputError, match="the limit depth"):
        Limits(depth=-1)


# against a naive bottom-up evaluation


CONSTANTS = ("a", "b", "c")
VARIABLES = ("X", "Y", "Z")
PREDICATES = {"p": 1, "q": 2, "e": 2}


@st.composite
def programs(draw):
    def literal(name, terms):
        arguments = tuple(draw(st.sampled_from(terms)) for _ in range(PREDICATES[name]))
        return Literal(name, tuple(Variable(t) if t in VARIABLES else Constant(t) for t in arguments))

    clauses = [
        Clause(literal(draw(st.sampled_from(["p", "q", "e"])), CONSTANTS))
        for _ in range(draw(st.integers(1, 5)))
    ]
    for _ in range(draw(st.integers(1, 4))):
        body = tuple(
            literal(draw(st.sampled_from(["p", "q", "e"])), VARIABLES + CONSTANTS[:1])
            for _ in range(draw(st.integers(1, 3)))
        )
        used = sorted({each.name for goal in body for each in goal.variables()}) or ["a"]
        clauses.append(Clause(literal(draw(st.sampled_from(["p", "q"])), used), body))
    return Program(tuple(draw(st.permutations(clauses))))


def bottom_up(program):
    known = set()
    while True:
        new = set()
        for clause in program:
            names = clause.variables()
            for constants in itertools.product(CONSTANTS, repeat=len(names)):
                value = dict(zip(names, map(Constant, constants), strict=True))

                def ground(literal, value=value):
                    return literal.name, tuple(value.get(term, term) for term in literal.arguments)

                if all(ground(goal) in known for goal in clause.body):
                    new.add(ground(clause.head))
        if new <= known:
            return known
        known |= new


@given(programs())
def test_function_free_programs_have_the_solutions_of_bottom_up_evaluation(program):
    expected = bottom_up(program)
    p = Prover(program, unknown="fail")
    goals, answers = [], set()
    for name, arity in PREDICATES.items():
        question = Literal(name, tuple(Variable(v) for v in VARIABLES[:arity]))
        found = p.prove(question)
        for answer in found:
            answers.add((name, tuple(answer.substitution[each] for each in question.arguments)))
            assert answer.proof.literal == answer.substitution.apply(question)
        assert found.complete
        goals += [Literal(name, each) for each in itertools.product(map(Constant, CONSTANTS), repeat=arity)]
    assert answers == expected
    assert p.holds_each(goals).tolist() == [(goal.name, goal.arguments) in expected for goal in goals]
    for goal in goals[:6]:
        assert p.holds(goal) == ((goal.name, goal.arguments) in expected)


@pytest.mark.parametrize("value", ["0 - 5", "0", "5", "2 ** 59", "0 - 2 ** 59", "2 ** 70", "0 - 2.5"])
@pytest.mark.parametrize("sign", ["<", ">", "=<", ">=", "=:=", "=\\=", "is"])
def test_an_old_value_decides_no_comparison(value, sign):
    for goal, message in (
        (f"B {sign} B" if sign != "is" else "B is C", "a variable is unbound where a number is needed"),
        (f"1 {sign} foo" if sign != "is" else "B is foo", "foo is not a number"),
        (f"1 {sign} 1 / 0", "zero"),
    ):
        with pytest.raises(InputError, match=message):
            prover(f"r(X) :- A is {value}, {goal}.").holds("r(1)")
    assert prover(f"r(X) :- A is {value}, 1 + 1 {sign if sign != 'is' else '=:='} 2.").holds("r(1)") == (
        sign in ("=<", ">=", "=:=", "is")
    )
