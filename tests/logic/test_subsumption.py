"""θ-subsumption, equivalence, reduction, and the order of generality with entailment."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.generality import entails, more_general_than
from induce.logic.parsing import parse_clause, parse_program
from induce.logic.substitution import Substitution, variables_of
from induce.logic.subsumption import equivalent, reduced, theta_subsumes, variants
from induce.logic.terms import Constant, Function, Variable

MOTHER = parse_clause("mother(X, Y) :- father(X, Z), spouse(Z, Y).")
PRINTED = parse_clause("mother(X, louise) :- father(X, bob), spouse(bob, Y), female(X).")
CORRECTED = parse_clause("mother(X, louise) :- father(X, bob), spouse(bob, louise), female(X).")

some_terms = st.sampled_from([Variable("X"), Variable("Y"), Variable("Z"), Constant("a"), Constant("b")])
nested = st.one_of(some_terms, some_terms.map(lambda term: Function("f", (term,))))
literals = st.builds(
    lambda name, arguments: Literal(name, tuple(arguments)),
    st.sampled_from("qr"),
    st.lists(nested, min_size=2, max_size=2),
)
bodies = st.lists(literals, max_size=4)
clauses = st.builds(lambda body: Clause(Literal("p", (Variable("X"),)), tuple(body)), bodies)
disjunctions = st.frozensets(
    st.builds(
        lambda literal, negated: Literal(literal.name, literal.arguments, negated), literals, st.booleans()
    ),
    max_size=4,
)


def parts(term):
    return (
        [term, *(part for inner in term.arguments for part in parts(inner))]
        if isinstance(term, Function)
        else [term]
    )


def subsumes_by_brute_force(general, special):
    pool = list({part for literal in special for term in literal.arguments for part in parts(term)})
    names = variables_of(general)
    return any(
        Substitution(dict(zip(names, choice, strict=True))).apply(general) <= special
        for choice in product(pool, repeat=len(names))
    )


def test_10_b_18_as_printed_it_does_not_subsume():
    assert theta_subsumes(MOTHER, PRINTED) is None
    assert not subsumes_by_brute_force(MOTHER.literals(), PRINTED.literals())


def test_10_b_18_corrected():
    found = theta_subsumes(MOTHER, CORRECTED)
    assert found == Substitution({Variable("Y"): Constant("louise"), Variable("Z"): Constant("bob")})
    assert found.apply(MOTHER).literals() <= CORRECTED.literals()
    assert theta_subsumes(CORRECTED, MOTHER) is None


def test_10_b_19_entailment_without_subsumption():
    one = parse_clause("elephant(father_of(X)) :- elephant(X).")
    two = parse_clause("elephant(father_of(father_of(Y))) :- elephant(Y).")
    assert theta_subsumes(one, two) is None
    assert entails(one, two) is True
    assert entails(two, one) is not True


@given(disjunctions, disjunctions)
def test_subsumption_is_what_brute_force_finds(one, other):
    found = theta_subsumes(one, other)
    assert (found is not None) == subsumes_by_brute_force(one, other)
    if found is not None:
        assert found.apply(one) <= other


@given(clauses, st.dictionaries(st.sampled_from([Variable("X"), Variable("Y")]), nested), bodies)
def test_an_instance_with_more_literals_is_subsumed(clause, theta, more):
    special = Substitution(theta).apply(clause)
    special = Clause(special.head, tuple(more) + special.body)
    assert theta_subsumes(clause, special) is not None


@given(clauses, clauses)
def test_the_hierarchy(one, other):
    # more general than, then subsumption, then entailment
    more = more_general_than(one, other)
    subsumes = theta_subsumes(one, other) is not None
    assert more == subsumes
    if subsumes:
        assert entails(one, other) is True


@given(clauses, st.data())
def test_dropping_a_literal_generalises(clause, data):
    if clause.body:
        out = data.draw(st.integers(0, len(clause.body) - 1))
        shorter = Clause(clause.head, clause.body[:out] + clause.body[out + 1 :])
        assert more_general_than(shorter, clause)
        assert theta_subsumes(shorter, clause) is not None


@given(disjunctions)
def test_reduction_is_equivalent_and_cannot_be_shortened(clause):
    short = reduced(clause)
    assert short <= clause
    assert equivalent(short, clause)
    for literal in short:
        assert not subsumes_by_brute_force(short, short - {literal})


@given(disjunctions, st.permutations([Variable("X"), Variable("Y"), Variable("Z"), Variable("U")]))
def test_variants_are_found(clause, names):
    renaming = Substitution(dict(zip([Variable("X"), Variable("Y"), Variable("Z")], names, strict=False)))
    assert variants(clause, renaming.apply(clause))


@given(disjunctions, disjunctions)
def test_variants_are_equivalent(one, other):
    if variants(one, other):
        assert equivalent(one, other)
        assert len(one) == len(other)
        assert len(variables_of(one)) == len(variables_of(other))


def test_what_is_no_variant():
    assert not variants(parse_clause("p(X) :- q(X, Y), q(Y, X)."), parse_clause("p(X) :- q(X, Y), q(Y, Z)."))
    assert not variants(parse_clause("p(X) :- q(X, Y)."), parse_clause("p(X) :- q(X, a)."))
    assert not variants(parse_clause("p(X, Y)."), parse_clause("p(X, X)."))


def test_heads_bodies_and_negation_as_failure_are_kept_apart():
    assert theta_subsumes(parse_clause("p(X) :- \\+ q(X)."), parse_clause("q(X) :- \\+ p(X).")) is None
    assert theta_subsumes(parse_clause("p(X) :- \\+ q(X)."), parse_clause("p(a) :- \\+ q(a), r.")) is not None
    assert theta_subsumes(parse_clause("p(X) :- q(X)."), parse_clause("p(a) :- \\+ q(a).")) is None
    # as disjunctions both say that p or q
    assert equivalent(parse_clause("p :- \\+ q.").literals(), parse_clause("q :- \\+ p.").literals())


def test_the_same_names_on_both_sides_are_different_variables():
    one, other = parse_clause("p(X, Y) :- q(Y, X)."), parse_clause("p(Y, X) :- q(X, Y).")
    assert equivalent(one, other)
    assert theta_subsumes(parse_clause("p(X, X)."), parse_clause("p(X, Y).")) is None


def test_reduction_keeps_the_order():
    clause = parse_clause("p(X) :- r(Z, Z), q(X, U), q(X, a), r(a, a), q(X, a), s(U).")
    assert reduced(clause) == parse_clause("p(X) :- q(X, U), q(X, a), r(a, a), s(U).")
    # a path of three onto a loop needs all variables to move at once
    assert reduced(parse_clause("p :- e(A, B), e(B, C), e(C, A), e(X, X).")) == parse_clause("p :- e(X, X).")
    cycle = parse_clause("p :- e(A, B), e(B, C), e(C, A).")
    assert reduced(cycle) == cycle
    # of two cycles one may become the other, but not both at once
    two = parse_clause("p :- e(A, B), e(B, C), e(C, A), e(U, V), e(V, W), e(W, U).")
    assert variants(reduced(two), cycle)
    six = parse_clause(
        "p :- e(A, B), e(B, C), e(C, D), e(D, E), e(E, F), e(F, A), e(U, V), e(V, W), e(W, U)."
    )
    assert variants(reduced(six), cycle)


def _random_clauses(random_state, variables, links, constants, facts):
    """Give a body with links of different predicates, and facts for each of them."""
    pairs = [(random_state.randrange(each), each) for each in range(1, variables)]
    pairs += [tuple(random_state.sample(range(variables), 2)) for _ in range(links - len(pairs))]
    body = tuple(
        Literal(f"p{number}", (Variable(f"X{one}"), Variable(f"X{other}")))
        for number, (one, other) in enumerate(pairs)
    )
    ground = tuple(
        Literal(f"p{number}", (Constant(place // constants), Constant(place % constants)))
        for number in range(len(pairs))
        for place in random_state.sample(range(constants**2), facts)
    )
    return Clause(None, body), Clause(None, ground)


@pytest.mark.parametrize(
    ("variables", "links", "constants"), [(10, 20, 20), (12, 20, 24), (15, 25, 24), (15, 30, 20)]
)
def test_hard_random_clauses(variables, links, constants):
    # about half of these are subsumed, which is where the search is hardest
    random_state = random.Random(variables)
    answers = set()
    for _ in range(6):
        general, special = _random_clauses(random_state, variables, links, constants, 100)
        found = theta_subsumes(general, special)
        answers.add(found is not None)
        if found is not None:
            assert set(found.apply(general).body) <= set(special.body)
    assert answers == {True, False}


def test_more_than_a_hundred_literals():
    random_state = random.Random(0)

    def clause():
        names = [Variable(f"X{number}") for number in range(100)]
        body = (
            Literal(random_state.choice("qrs"), tuple(random_state.choices(names, k=2))) for _ in range(200)
        )
        return Clause(Literal("p", (names[0],)), tuple(body))

    one = clause()
    assert theta_subsumes(one, clause()) is None
    assert equivalent(one, reduced(one))


def test_independent_parts_are_searched_on_their_own():
    # 30 parts with many solutions each, and a last one without any
    odd = "e(A{0}, B{0}), e(B{0}, C{0}), e(C{0}, A{0})"
    easy = ", ".join(f"f(U{number}, V{number}), f(V{number}, W{number})" for number in range(30))
    general = parse_clause(f"p :- {easy}, {odd.format(0)}.")
    pairs = [(one, other) for one in range(8) for other in range(8)]
    facts = [f"f({one}, {other})" for one, other in pairs]
    facts += [f"e({one}, {other})" for one, other in pairs if (one + other) % 2]
    special = parse_clause(f"p :- {', '.join(facts)}.")
    assert theta_subsumes(general, special, max_steps=1_000) is None


def test_a_limit_on_steps():
    edges = ", ".join(f"e({one}, {other})" for one in range(7) for other in range(7) if one != other)
    names = [f"X{number}" for number in range(8)]
    clique = ", ".join(f"e({one}, {other})" for one in names for other in names if one < other)
    with pytest.raises(InputError, match="max_steps=10 "):
        theta_subsumes(parse_clause(f"p :- {clique}."), parse_clause(f"p :- {edges}."), max_steps=10)


def test_functions_and_deep_terms():
    assert theta_subsumes(parse_clause("p(f(X, g(Y)), X)."), parse_clause("p(f(a, g(h(b))), a).")) is not None
    assert theta_subsumes(parse_clause("p(f(X, g(Y)), X)."), parse_clause("p(f(a, g(b)), b).")) is None
    deep, end = Constant("z"), Variable("Y")
    for _ in range(20_000):
        deep, end = Function("s", (deep,)), Function("s", (end,))
    one, other = Clause(Literal("p", (end,))), Clause(Literal("p", (deep,)))
    assert theta_subsumes(one, other) == Substitution({Variable("Y"): Constant("z")})
    assert reduced(one) == one


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("p(X).", "q(X).", "heads"),
        ("p(X) :- r(X).", "p(a) :- r(a).", "heads"),
        ("p(X) :- \\+ r(X).", "p(X).", "negated"),
        (":- r(X).", "p(X).", "without a head"),
    ],
)
def test_where_more_general_than_is_not_decided(one, other, message):
    with pytest.raises(InputError, match=message):
        more_general_than(parse_clause(one), parse_clause(other))


def test_entailment_says_what_it_does_not_know():
    ancestor = parse_program(
        "anc(X, Y) :- par(X, Y). anc(X, Y) :- par(X, Z), anc(Z, Y). par(a, b). par(b, c). par(c, d)."
    )
    assert entails(ancestor, parse_clause("anc(a, d).")) is True
    assert entails(ancestor, parse_clause("anc(d, a).")) is False
    assert entails(ancestor, parse_clause("anc(X, Y) :- par(X, U), par(U, V), par(V, Y).")) is True
    assert entails(ancestor, parse_clause("anc(X, Y) :- anc(X, U), anc(U, Y).")) is False
    growing = parse_program("p(f(X)) :- p(X). p(a). q(X) :- p(X), r(X). r(g(X)) :- r(X). r(b).")
    assert entails(growing, parse_clause("q(c)."), max_steps=500) is not True
    # reasoning forwards would never end here, reasoning backwards ends at once
    assert entails(growing, parse_clause("s(a)."), max_steps=500) is False
    assert (
        entails(parse_program("p(X) :- p(f(X)). p(f(X)) :- p(X). p(a)."), parse_clause("p(b)."), max_steps=50)
        is None
    )
    # a literal of the clause may be denied by another one of it
    assert entails([], parse_clause("p(X) :- p(X).")) is True
    assert entails([parse_clause("p(some_1).")], parse_clause("p(X).")) is False
    with pytest.raises(TypeError, match="clauses"):
        entails([Literal("p")], parse_clause("p."))
