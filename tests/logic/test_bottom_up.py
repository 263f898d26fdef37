"""Bottom-up evaluation, against a naive one that tries all values of all variables."""

from __future__ import annotations

import operator
import pickle
import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic import joins
from induce.logic.bottom_up import LimitError, consequences
from induce.logic.builtins import evaluated
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.facts import Facts, Symbols
from induce.logic.parsing import parse_literal, parse_program
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Function, Variable

CHAIN = "parent(ann, bea). parent(bea, cal). parent(cal, dan). "
PATH = "path(X, Y) :- edge(X, Y). "
RECURSIONS = {
    "left": PATH + "path(X, Y) :- path(X, Z), edge(Z, Y).",
    "right": PATH + "path(X, Y) :- edge(X, Z), path(Z, Y).",
    "both": PATH + "path(X, Y) :- path(X, Z), path(Z, Y).",
}


def derived(text, **options):
    """Return what follows from a program, as text."""
    base = consequences(parse_program(text), **options)
    return sorted(str(fact) for predicate in base.relations for fact in base.facts(predicate))


def of(name, text, **options):
    return [fact for fact in derived(text, **options) if fact.split("(")[0] == name]


def graph(edges, n):
    return {("edge", 2): Facts.of(np.asarray(edges).reshape(-1, 2))}, Symbols(Constant(k) for k in range(n))


# the naive evaluation

VALUES = [Constant("a"), Constant("b"), Constant(1), Constant(2), Constant(1.0)]
COMPARE = {
    "<": operator.lt,
    ">": operator.gt,
    "=<": operator.le,
    ">=": operator.ge,
    "=:=": operator.eq,
    "=\\=": operator.ne,
}
LAYERS = [
    {("e", 2): 2, ("f", 1): 1},
    {("p", 2): 2, ("q", 1): 1},
    {("r", 2): 2, ("s", 3): 3},
    {("t", 0): 0, ("u", 2): 2},
]


def holds(name, arguments, known):
    if name in ("=", "=="):
        return arguments[0] == arguments[1]
    if name in ("\\=", "\\=="):
        return arguments[0] != arguments[1]
    if name in COMPARE:
        return not any(isinstance(each.value, str) for each in arguments) and COMPARE[name](
            *(each.value for each in arguments)
        )
    return (name, arguments) in known


def naively(clauses):
    known = set()
    for layer in LAYERS:
        size = -1
        while size < len(known):
            size = len(known)
            for clause in clauses:
                names = clause.variables()
                for values in product(VALUES, repeat=len(names)) if clause.head.predicate in layer else ():
                    value = dict(zip(names, values, strict=True))
                    ground = {
                        each: tuple(value.get(term, term) for term in each.arguments)
                        for each in (clause.head, *clause.body)
                    }
                    if all(holds(each.name, ground[each], known) != each.negated for each in clause.body):
                        known.add((clause.head.name, ground[clause.head]))
    return known


@st.composite
def programs(draw):
    """Draw facts, and rules that need lower layers or, without negation, their own; each is safe by itself."""
    names = [Variable(name) for name in "XYZ"]
    term = st.sampled_from(names * 3 + VALUES)
    clauses = []
    for name, arity in LAYERS[0]:
        for row in draw(st.lists(st.tuples(*[st.sampled_from(VALUES)] * arity), max_size=8)):
            clauses.append(Clause(Literal(name, row)))
    for _ in range(draw(st.integers(1, 6))):
        level = draw(st.integers(1, 3))
        head, arity = draw(st.sampled_from(sorted(LAYERS[level])))
        body = []
        for _ in range(draw(st.integers(1, 4))):
            below = draw(st.integers(0, level))
            name, width = draw(st.sampled_from(sorted(LAYERS[below])))
            negated = below < level and draw(st.integers(0, 3)) == 0
            body.append(Literal(name, tuple(draw(term) for _ in range(width)), negated))
        if draw(st.booleans()):
            name = draw(st.sampled_from([*COMPARE, "=", "==", "\\=", "\\=="]))
            compared = st.sampled_from(names * 3 + (VALUES[2:] if name in COMPARE else VALUES))
            body.append(Literal(name, (draw(compared), draw(compared)), draw(st.integers(0, 4)) == 0))
        given_values = {
            each
            for literal in body
            if not literal.negated and literal.name.isalpha()
            for each in literal.variables()
        }
        free = dict.fromkeys(
            each for literal in body for each in literal.variables() if each not in given_values
        )
        for variable in free:
            body.append(Literal("f", (variable,)))
        given_values |= free.keys()
        safe = st.sampled_from([*given_values, *VALUES] if given_values else VALUES)
        clauses.append(
            Clause(Literal(head, tuple(draw(safe) for _ in range(arity))), tuple(draw(st.permutations(body))))
        )
    return draw(st.permutations(clauses))


def all_facts(clauses, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        base = consequences(Program(tuple(clauses)), **options)
    facts = [(fact.name, fact.arguments) for predicate in base.relations for fact in base.facts(predicate)]
    assert len(facts) == len(set(facts)) == len(base)
    return set(facts)


@given(programs())
def test_same_as_the_naive_evaluation(clauses):
    assert all_facts(clauses) == naively(clauses)


@given(programs(), st.sampled_from([0, 3]), st.sampled_from([1, 5]), st.booleans())
def test_how_rows_are_kept_and_cut_into_pieces_makes_no_difference(clauses, bits, piece, many_symbols):
    expected = all_facts(clauses)
    symbols = Symbols(Constant(k) for k in range(1 << 10)) if many_symbols else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joins, "BITS_AT_MOST", bits)
        patch.setattr(joins, "BITS_FOR_A_WHILE", bits)
        patch.setattr(joins, "PIECE", piece)
        patch.setattr(joins, "STEPS", piece)
        assert all_facts(clauses, symbols=symbols) == expected


@settings(max_examples=20)
@given(programs(), st.randoms(use_true_random=False))
def test_order_makes_no_difference(clauses, random):
    expected = all_facts(clauses)
    shuffled = [
        Clause(clause.head, tuple(random.sample(clause.body, len(clause.body)))) for clause in clauses
    ]
    random.shuffle(shuffled)
    assert all_facts(shuffled) == expected


def test_many_arguments_and_symbols():
    # so many possible rows that they are not even numbered
    rows = np.random.default_rng(0).integers(0, 3, (300, 9))
    symbols = Symbols(Constant(k) for k in range(1000))
    program = parse_program(
        "back(I, H, G, F, E, D, C, B, A) :- wide(A, B, C, D, E, F, G, H, I). "
        "wide(B, C, D, E, F, G, H, I, A) :- back(I, H, G, F, E, D, C, B, A)."
    )
    base = consequences(program, {("wide", 9): Facts.of(rows)}, symbols)
    turned = {tuple(np.roll(row, -k).tolist()) for row in rows for k in range(9)}
    assert {tuple(row) for row in base.relations["wide", 9].rows.tolist()} == turned
    assert {tuple(row[::-1]) for row in base.relations["back", 9].rows.tolist()} == turned


# the book's example and other recursions


@pytest.mark.parametrize(
    "recursion",
    ["parent(X, Z), ancestor(Z, Y)", "ancestor(X, Z), parent(Z, Y)", "ancestor(X, Z), ancestor(Z, Y)"],
)
def test_10_b_8_ancestor(recursion):
    program = CHAIN + f"ancestor(X, Y) :- parent(X, Y). ancestor(X, Y) :- {recursion}."
    six = ["ann, bea", "ann, cal", "ann, dan", "bea, cal", "bea, dan", "cal, dan"]
    assert of("ancestor", program) == [f"ancestor({pair})" for pair in six]


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30))
@example([(k, k + 1) for k in range(11)])
def test_paths_are_the_powers_of_the_matrix(edges):
    matrix = np.zeros((12, 12), bool)
    for one, other in edges:
        matrix[one, other] = True
    reached = matrix
    for _ in range(12):
        reached = reached | (reached @ matrix)
    for text in RECURSIONS.values():
        base = consequences(parse_program(text), *graph(np.array(edges, np.int64), 12))
        assert sorted(base.relations["path", 2].rows.tolist()) == np.argwhere(reached).tolist()


@pytest.mark.compiled
@pytest.mark.parametrize("recursion", RECURSIONS)
def test_long_chain(recursion):
    # 300 rounds or 9, and many parts
    n = 300
    base = consequences(parse_program(RECURSIONS[recursion]), *graph([(k, k + 1) for k in range(n - 1)], n))
    rows = base.relations["path", 2].rows
    assert len(rows) == n * (n - 1) // 2
    assert (rows[:, 0] < rows[:, 1]).all()


def test_rules_that_need_each_other():
    text = "even(0). even(Y) :- odd(X), next(X, Y). odd(Y) :- even(X), next(X, Y). "
    text += " ".join(f"next({k}, {k + 1})." for k in range(6))
    assert of("even", text) == [f"even({k})" for k in (0, 2, 4, 6)]
    assert of("odd", text) == [f"odd({k})" for k in (1, 3, 5)]


def test_facts_and_rules_of_one_predicate():
    assert of("p", "p(a, b). p(Y, X) :- p(X, Y). p(X, X) :- q(X). q(c). q(a).") == [
        "p(a, a)",
        "p(a, b)",
        "p(b, a)",
        "p(c, c)",
    ]


def test_given_facts_are_joined_with_those_of_the_program():
    symbols = Symbols([Constant("ann"), Constant("bea")])
    given_facts = {("parent", 2): Facts.of(np.array([[0, 1]])), ("old", 1): Facts.of(np.array([[0]]))}
    base = consequences(
        parse_program("parent(bea, cal). grand(X, Y) :- parent(X, Z), parent(Z, Y)."), given_facts, symbols
    )
    assert [str(fact) for fact in base.facts(("grand", 2))] == ["grand(ann, cal)"]
    assert [str(fact) for fact in base.facts(("parent", 2))] == ["parent(ann, bea)", "parent(bea, cal)"]
    assert base.relations["old", 1] is given_facts["old", 1]
    assert base.symbols is symbols
    assert len(given_facts["parent", 2]) == 1


# literals of rules


def test_propositions():
    assert derived("rain. wet :- rain. dry :- \\+ wet. slippery :- wet, \\+ dry.") == [
        "rain",
        "slippery",
        "wet",
    ]


def test_constants_and_repeated_variables():
    facts = "r(a, a, b). r(a, b, b). r(b, b, b). r(b, a, c). "
    assert of("s", facts + "s(X, Y) :- r(X, Y, Y).") == ["s(a, b)", "s(b, b)"]
    assert of("s", facts + "s(X) :- r(X, X, X).") == ["s(b)"]
    assert of("s", facts + "s(X, new) :- r(a, X, b).") == ["s(a, new)", "s(b, new)"]
    assert of("s", facts + "s :- r(_, _, c).") == ["s"]
    assert of("s", facts + "s :- r(_, _, d).") == []


def test_negation_in_layers():
    text = (
        CHAIN
        + "person(X) :- parent(X, _). person(X) :- parent(_, X). childless(X) :- person(X), \\+ parent(X, _)."
    )
    assert of("childless", text) == ["childless(dan)"]
    text += " root(X) :- person(X), \\+ parent(_, X). other(X, Y) :- person(X), person(Y), \\+ X = Y, \\+ root(X)."
    assert of("root", text) == ["root(ann)"]
    assert len(of("other", text)) == 9


def test_values_from_equality():
    assert of("p", "q(a). q(b). p(X, Y, Z) :- Z = c, q(X), Y = X.") == ["p(a, a, c)", "p(b, b, c)"]
    assert of("p", "p(X) :- X = a.") == ["p(a)"]
    assert of("p", "q(a). q(f(a)). p(X) :- q(X), X \\= f(a).") == ["p(a)"]
    assert of("p", "q(a). p(X) :- q(X), true. p(none) :- fail. p(all) :- \\+ false.") == ["p(a)", "p(all)"]


def test_a_whole_number_and_a_fraction_are_two_constants_of_one_value():
    text = "n(1). n(1.0). n(2). n(a). "
    assert of("p", text + "p(X, Y) :- n(X), n(Y), X =:= Y, X \\== Y.") == ["p(1, 1.0)", "p(1.0, 1)"]
    assert of("p", text + "p(X) :- n(X), X =< 1.") == ["p(1)", "p(1.0)"]
    assert of("p", text + "p(X) :- n(X), \\+ X =< 1.") == ["p(2)", "p(a)"]
    assert of("p", text + "p :- n(X), X == 1.0.") == ["p"]


def test_whole_numbers_too_large_for_floats_are_compared_exactly():
    big = 2**53
    text = f"n({big}). n({big + 1}). n({10**400}). n({10**400 + 1}). n({float(big)}). "
    numbers = [big, big + 1, 10**400, 10**400 + 1, float(big)]
    expected = sum(x < y for x in numbers for y in numbers)
    assert len(of("p", text + "p(X, Y) :- n(X), n(Y), X < Y.")) == expected
    assert of("p", text + f"p(X) :- n(X), X > {10**400}.") == [f"p({10**400 + 1})"]


def test_arithmetic():
    text = "n(1). n(2). n(3). n(a). "
    assert of("p", text + "p(X, Y) :- n(X), Y is 2 * X - 1.") == ["p(1, 1)", "p(2, 3)", "p(3, 5)"]
    assert of("p", text + "p(X, Y) :- n(X), n(Y), X + 1 =:= Y.") == ["p(1, 2)", "p(2, 3)"]
    assert of("p", text + "p(X, Y) :- n(X), n(Y), Y is X + 1.") == ["p(1, 2)", "p(2, 3)"]
    assert of("p", text + "p(X, Y) :- n(X), Y is 6 / (X - 1).") == ["p(2, 6)", "p(3, 3)"]
    assert of("p", text + "p(Z) :- Z is X + Y, n(X), Y is X * X, X > 1.") == ["p(12)", "p(6)"]
    assert of("p", text + "p(X) :- n(X), X is 4 / 2.") == ["p(2)"]
    assert of("p", text + "p(X) :- n(X), \\+ X is 4 / 2.") == ["p(1)", "p(3)", "p(a)"]
    assert of("p", text + "p(X) :- n(X), X < pi, X * X > e.") == ["p(2)", "p(3)"]


expressions = st.recursive(
    st.sampled_from([Variable("X"), Variable("Y")]) | st.builds(Constant, st.integers(-3, 3) | st.just(0.5)),
    lambda inner: (
        st.builds(
            lambda name, one, other: Function(name, (one, other)),
            st.sampled_from(["+", "-", "*", "/", "mod"]),
            inner,
            inner,
        )
        | st.builds(lambda one: Function("-", (one,)), inner)
    ),
    max_leaves=5,
)


@given(expressions, expressions, st.sampled_from(sorted(COMPARE)))
def test_arithmetic_is_that_of_the_prover(one, other, name):
    values = [0, 3, -2, 2.5, 2.0, 2**53 - 1, -(2**53), 2**60 + 1, "a"]
    x, y, z = Variable("X"), Variable("Y"), Variable("Z")
    facts = [Clause(Literal("n", (Constant(value),))) for value in values]
    body = (Literal("n", (x,)), Literal("n", (y,)))
    rules = [
        Clause(Literal("v", (x, y, z)), (*body, Literal("is", (z, one)))),
        Clause(Literal("c", (x, y)), (*body, Literal(name, (one, other)))),
    ]

    def value(term, bindings):
        try:
            return evaluated(Substitution(bindings).apply(term))
        except InputError:
            return None

    expected = set()
    for pair in product(map(Constant, values), repeat=2):
        bindings = dict(zip((x, y), pair, strict=True))
        left, right = value(one, bindings), value(other, bindings)
        if left is not None:
            expected.add(("v", (*pair, Constant(left))))
        if left is not None and right is not None and COMPARE[name](left, right):
            expected.add(("c", pair))
    assert {fact for fact in all_facts([*facts, *rules]) if fact[0] != "n"} == expected


def test_counting_up_to_a_bound():
    text = "n(0). n(Y) :- n(X), X < 1000, Y is X + 1. half(Y) :- n(X), Y is X // 2."
    base = consequences(parse_program(text))
    assert len(base.relations["n", 1]) == 1001
    assert len(base.relations["half", 1]) == 501
    assert len(of("fib", "fib(0, 0, 1). fib(N, B, C) :- fib(M, A, B), M < 50, N is M + 1, C is A + B.")) == 51


def test_unicode_texts_and_ground_functions_are_constants():
    text = "kind('Ähre', [1, 2]). kind('日本', \"x\"). kind('Ähre', f(a)). both(X) :- kind(X, [1, 2]), kind(X, f(a))."
    assert of("both", text) == ["both('Ähre')"]


def test_a_long_body():
    n = 300
    body = ", ".join(f"edge(X{k}, X{k + 1})" for k in range(n))
    program = parse_program(f"walk(X0, X{n}) :- {body}.")
    base = consequences(program, *graph([(0, 1), (1, 0), (1, 2)], 3))
    assert sorted(base.relations["walk", 2].rows.tolist()) == [[0, 0], [0, 2], [1, 1]]


# what is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p(X, Y) :- q(X).", r"variable Y of p\(X, Y\) gets no values"),
        ("p(X).", r"variable X of p\(X\) gets no values"),
        ("p(X) :- q(X), \\+ r(X, Y).", r"variable Y of \\\+ r\(X, Y\) gets no values"),
        ("p(X) :- q(X), X < Y.", "variable Y of X < Y gets no values"),
        ("p(X) :- X is Y + 1, Y is X - 1.", "variable X of X is Y [+] 1 gets no values"),
        ("p(X) :- q(X), 3 is Z.", "variable Z of 3 is Z gets no values"),
        ("p(X) :- X = Y.", "variable X of X = Y gets no values"),
        ("p(f(X)) :- q(X).", r"p\(f\(X\)\) has a function of variables"),
        ("p(X) :- q([X|_]).", r"q\(\[X\|_1\]\) has a function of variables"),
        ("p(X) :- q(X), (r(X) ; s(X)).", "has a function of variables"),
        ("p(X) :- q(X), X + 1 is 3.", "has a function of variables"),
        ("p(X) :- q(X), X < ten.", "ten is neither a number nor an arithmetic function"),
        ("p(X) :- q(X), !.", "!/0 cannot be evaluated bottom-up"),
        ("p(X) :- q(X), atom(X).", "atom/1 cannot be evaluated bottom-up"),
        ("p(X) :- q(X), \\+ p(X).", r"p/1 depends on its own negation \(p/1 needs \\\+ p/1\)"),
        (
            "p :- q. q :- r. r :- \\+ p.",
            r"r/0 depends on its own negation \(r/0 needs \\\+ p/0 needs q/0 needs r/0\)",
        ),
    ],
)
def test_what_cannot_be_worked_out(text, message):
    with pytest.raises(InputError, match=message) as caught:
        consequences(parse_program(text))
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, LimitError)


def test_built_in_predicates_cannot_be_defined():
    clause = Clause(Literal("<", (Constant(1), Constant(2))))
    with pytest.raises(InputError, match="would redefine the built-in </2"):
        consequences(Program((clause,)))


def test_an_unknown_predicate_is_empty_and_noted():
    with pytest.warns(Note, match="no clauses and no facts for r/1, s/2:") as seen:
        base = consequences(parse_program("q(a). p(X) :- q(X), r(X). p(X) :- q(X), \\+ s(X, X), \\+ r(X)."))
    assert [str(fact) for fact in base.facts(("p", 1))] == ["p(a)"]
    assert len(seen) == 1


def test_a_program_is_no_text():
    with pytest.raises(TypeError, match="parse_program"):
        consequences("p(a).")


def test_wrong_facts_are_named():
    facts = {("edge", 2): Facts.of(np.array([[0, 1]]))}
    with pytest.raises(InputError, match="facts are given without symbols"):
        consequences(Program(), facts)
    with pytest.raises(InputError, match="facts of edge/2 contain codes that symbols does not define"):
        consequences(Program(), facts, Symbols([Constant("a")]))
    with pytest.raises(InputError, match="facts of edge/3 have 2 arguments; give 3"):
        consequences(Program(), {("edge", 3): facts["edge", 2]}, Symbols())


@pytest.mark.parametrize("limit", ["max_facts", "max_rounds", "max_seconds"])
def test_wrong_limits_are_named(limit):
    with pytest.raises(InputError, match=limit):
        consequences(Program(), **{limit: -1})


# limits


@pytest.mark.compiled
def test_a_huge_product_is_stopped():
    n = 100_000
    given_facts = {("thing", 1): Facts.of(np.arange(n)[:, None])}
    symbols = Symbols(Constant(k) for k in range(n))
    for text in ("p(X, Y) :- thing(X), thing(Y).", "p :- thing(X), thing(Y), thing(Z), X + Y + Z =:= -1."):
        with pytest.raises(LimitError, match=r"stopped by max_(facts=200,000|seconds=0.5)"):
            consequences(parse_program(text), given_facts, symbols, max_facts=200_000, max_seconds=0.5)


@pytest.mark.slow
def test_a_product_of_which_little_is_needed_is_none():
    n = 100_000
    given_facts = {("thing", 1): Facts.of(np.arange(n)[:, None])}
    symbols = Symbols(Constant(k) for k in range(n))
    base = consequences(
        parse_program("p(X) :- thing(X), thing(_), thing(_)."), given_facts, symbols, max_seconds=60
    )
    assert len(base.relations["p", 1]) == n


@pytest.mark.compiled
def test_literals_are_joined_in_a_good_order():
    n = 100_000
    given_facts = {
        ("thing", 1): Facts.of(np.arange(n)[:, None]),
        ("edge", 2): Facts.of(np.stack([np.arange(n), np.arange(n)[::-1]], axis=1)),
    }
    symbols = Symbols(Constant(k) for k in range(n))
    text = (
        "p(X, Y) :- thing(X), thing(Y), X > Y, edge(X, Y). q(Y) :- thing(X), edge(Z, Y), edge(X, Z), Z < 7."
    )
    base = consequences(parse_program(text), given_facts, symbols)
    assert len(base.relations["p", 2]) == n // 2
    assert len(base.relations["q", 1]) == 7


def test_counting_without_end_is_stopped():
    text = "n(0). n(Y) :- n(X), Y is X + 1."
    with pytest.raises(LimitError, match="stopped by max_facts=500, with 501 facts derived so far"):
        derived(text, max_facts=500)
    with pytest.raises(LimitError, match="stopped by max_rounds=50, with 50 facts"):
        derived(text, max_rounds=50)
    with pytest.raises(LimitError, match=r"stopped by max_seconds=0\.05"):
        derived(text, max_seconds=0.05)


def test_limits_that_are_just_large_enough():
    text = RECURSIONS["right"]
    edges = [(k, k + 1) for k in range(9)]
    assert len(consequences(parse_program(text), *graph(edges, 10), max_facts=45, max_rounds=9)) == 54
    with pytest.raises(LimitError, match="max_facts=44"):
        consequences(parse_program(text), *graph(edges, 10), max_facts=44)
    with pytest.raises(LimitError, match="max_rounds=8"):
        consequences(parse_program(text), *graph(edges, 10), max_rounds=8)


# the base


BASE = consequences(parse_program(CHAIN + "pair(a, a). pair(a, b). told([1, 2]). told([]). rain."))


def test_what_holds():
    ask = {
        "parent(ann, bea)": True,
        "parent(bea, ann)": False,
        "parent(ann, X)": True,
        "parent(dan, X)": False,
        "parent(X, zoe)": False,
        "\\+ parent(ann, bea)": False,
        "\\+ parent(dan, _)": True,
        "rain": True,
        "snow": False,
        "\\+ snow(here)": True,
        "pair(X, X)": True,
        "parent(X, X)": False,
        "told([X|T])": True,
    }
    assert {text: BASE.holds(parse_literal(text)) for text in ask} == ask


def test_answers():
    def answers(text):
        return [str(answer) for answer in BASE.answers(parse_literal(text))]

    assert answers("parent(X, cal)") == ["{X/bea}"]
    assert answers("parent(X, Y)") == ["{X/ann, Y/bea}", "{X/bea, Y/cal}", "{X/cal, Y/dan}"]
    assert answers("pair(X, X)") == ["{X/a}"]
    assert answers("told([X|T])") == ["{X/1, T/[2]}"]
    assert answers("parent(ann, bea)") == ["{}"]
    assert answers("parent(ann, cal)") == answers("unknown(X)") == []
    with pytest.raises(InputError, match="negated"):
        answers("\\+ parent(X, Y)")


def test_base_can_be_pickled():
    again = pickle.loads(pickle.dumps(BASE))
    assert len(again) == len(BASE) == 8
    assert again.holds(parse_literal("parent(ann, bea)"))
    assert list(again.facts(("parent", 2))) == list(BASE.facts(("parent", 2)))
    assert list(BASE.facts(("parent", 3))) == []


def test_nothing_follows_from_nothing():
    assert len(consequences(Program())) == 0
    assert derived(":- p(X). q(a).") == ["q(a)"]


def test_traced_rounds():
    program = parse_program(RECURSIONS["right"])
    with induce.trace(only="round") as events:
        base = consequences(program, *graph([(0, 1), (1, 2), (2, 3)], 4))
    assert [event["new"]["path/2"] for event in events] == [3, 2, 1, 0]
    assert len(base) == 9
