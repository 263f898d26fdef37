"""Inverse resolution, the operators of CIGOL, inverse entailment, and their pictures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.generality import entails
from induce.logic.notations import parse_book, parse_disjunction
from induce.logic.parsing import parse_clause, parse_literal, parse_term
from induce.logic.refutation import refute
from induce.logic.resolution import resolvents, resolves_to
from induce.logic.substitution import Substitution
from induce.logic.subsumption import variants
from induce.logic.terms import Constant, Variable
from induce.relational.cigol.construction import inter_construction, intra_construction, truncation
from induce.relational.cigol.inverse_resolution import (
    absorption,
    explains,
    identification,
    inverse_resolvents,
    propositional_inverse,
)
from induce.relational.cigol.inverse_substitution import InverseSubstitution
from induce.relational.pictures import draw_inverse_resolution, draw_resolution

clause = parse_disjunction
GRANDCHILD = clause("GrandChild(Bob, Shannon)")
SHANNON, TOM = clause("Father(Shannon, Tom)"), clause("Father(Tom, Bob)")

propositions = st.frozensets(
    st.builds(lambda name, negated: Literal(name, negated=negated), st.sampled_from("abcd"), st.booleans()),
    min_size=1,
    max_size=3,
)
a_term = st.sampled_from([Variable("X"), Variable("Y"), Constant("a"), Constant("b")])
some_clauses = st.frozensets(
    st.builds(
        lambda name, terms, negated: Literal(name, terms, negated),
        st.sampled_from("pq"),
        st.tuples(a_term, a_term),
        st.booleans(),
    ),
    min_size=1,
    max_size=2,
)


def seconds(found):
    return [each.second for each in found]


def has(found, wanted):
    return any(variants(each.second, clause(wanted)) for each in found)


def test_10_b_14_propositional_inverse():
    assert seconds(propositional_inverse(clause("A | B"), clause("B | D"))) == [
        clause("A | ~D"),
        clause("A | ~D | B"),
    ]
    found = propositional_inverse(clause("PassExam | ~Study"), clause("PassExam | ~KnowMaterial"))
    assert seconds(found) == [clause("KnowMaterial | ~Study"), clause("KnowMaterial | ~Study | PassExam")]
    assert found[0].rule == parse_clause("knowMaterial :- study.")


def test_exercise_10_5():
    found = propositional_inverse(clause("A | B"), clause("A | B | G"))
    assert {each.literal for each in found} == {parse_literal("g")}
    assert found[0].second == clause("~G")
    assert set(seconds(found)) == {clause("~G"), clause("~G | A"), clause("~G | B"), clause("~G | A | B")}


def test_exercise_10_6():
    whole, first = clause("R(B, x) | P(x, A)"), clause("S(B, y) | R(z, x)")
    found = inverse_resolvents(whole, first)
    assert {each.literal for each in found} == {parse_literal("s(b, Y)")}
    assert {each.theta1 for each in found} == {Substitution({Variable("Z"): Constant("b")})}
    assert len(found) == 4
    for wanted in ("P(x, A) | ~S(B, y)", "P(x, A) | ~S(w, y)", "P(x, w) | ~S(B, y)", "P(x, w) | ~S(v, y)"):
        assert has(found, wanted)
    more = inverse_resolvents(whole, first, existing=True, keep=True)
    for wanted in ("P(x, A) | ~S(B, A)", "P(x, A) | ~S(B, x)", "P(x, A) | R(B, x) | ~S(B, y)"):
        assert has(more, wanted)
        assert not has(found, wanted)
    # L1 = R(z, x) would leave S(B, y) in the resolvent, which C has not
    assert {each.literal for each in more} == {parse_literal("s(b, Y)")}
    assert all(resolves_to(first, each.second, whole) for each in more)


@pytest.mark.parametrize("fact", [SHANNON, TOM])
def test_exercise_10_7(fact):
    found = inverse_resolvents(GRANDCHILD, fact)
    assert len(found) == 8
    more = inverse_resolvents(GRANDCHILD, fact, separately=True)
    assert len(more) == 20
    assert {each.second for each in found if not each.theta2_inverse.replaced} < {
        each.second for each in more
    }
    assert all(resolves_to(fact, each.second, GRANDCHILD) for each in [*found, *more])
    if fact == SHANNON:
        assert has(found, "GrandChild(Bob, Shannon) | ~Father(Shannon, Tom)")
        assert has(found, "GrandChild(y, x) | ~Father(x, z)")
        assert has(more, "GrandChild(Bob, Shannon) | ~Father(x, Tom)")
    else:
        assert has(found, "GrandChild(Bob, Shannon) | ~Father(Tom, Bob)")
        assert has(found, "GrandChild(y, Shannon) | ~Father(Tom, y)")


def figure_10_3():
    first = next(
        each
        for each in inverse_resolvents(GRANDCHILD, SHANNON)
        if variants(each.second, clause("GrandChild(Bob, x) | ~Father(x, Tom)"))
    )
    second = next(
        each
        for each in inverse_resolvents(first.second, TOM)
        if variants(each.second, clause("GrandChild(y, x) | ~Father(x, z) | ~Father(z, y)"))
    )
    return first, second


def test_10_b_17_figure_10_3():
    first, second = figure_10_3()
    assert (first.literal, first.theta1) == (parse_literal("father(shannon, tom)"), Substitution())
    assert [term for term, _, _ in first.theta2_inverse.replaced] == [Constant("shannon")]
    assert {term for term, _, _ in second.theta2_inverse.replaced} == {Constant("bob"), Constant("tom")}
    assert variants(second.rule, parse_book("GrandChild(y, x) <- Father(x, z) AND Father(z, y)"))


def test_10_b_17_forwards():
    _, second = figure_10_3()
    once = [step.clause for step in resolvents(second.second, TOM)]
    twice = [step.clause for each in once for step in resolvents(each, SHANNON)]
    assert GRANDCHILD in twice
    assert entails([second.second, TOM, SHANNON], GRANDCHILD) is True


def test_10_b_12_inverse_entailment():
    facts = [parse_literal(each) for each in ("male(bob)", "female(sharon)", "father(sharon, bob)")]
    child = parse_literal("child(bob, sharon)")
    parent = [parse_clause("parent(U, V) :- father(U, V).")]
    by_father, by_parent = (
        parse_clause("child(U, V) :- father(V, U)."),
        parse_clause("child(U, V) :- parent(V, U)."),
    )
    assert explains([], by_father, facts, child) is True
    assert explains([], by_parent, facts, child) is False
    assert explains(parent, by_parent, facts, child) is True
    assert explains(parent, [], facts, child) is False


def test_exercise_10_8_a_deductive_learner_makes_no_leap():
    # with h = D, what is concluded of an instance is what follows from B, D and the instance alone
    background = [parse_clause("parent(U, V) :- father(U, V).")]
    seen = [Clause(parse_literal("child(bob, sharon)")), Clause(parse_literal("father(sharon, bob)"))]
    new = [parse_literal("father(tom, abe)")]
    assert explains(background, seen, new, parse_literal("child(bob, sharon)")) is True
    assert explains(background, seen, new, parse_literal("parent(tom, abe)")) is True
    assert explains(background, [], new, parse_literal("parent(tom, abe)")) is True
    assert explains(background, seen, new, parse_literal("child(abe, tom)")) is False


@given(propositions, propositions)
def test_10_b_22_propositional_results_resolve_back(whole, first):
    for each in propositional_inverse(whole, first):
        assert resolves_to(first, each.second, whole)
        assert each.literal in first
        assert each.literal not in whole
        assert first - {each.literal} <= whole


@given(propositions, propositions)
def test_10_b_22_resolvents_are_inverted(first, second):
    for step in resolvents(first, second):
        # a clause that is true of everything, or from which nothing went, is not asked for
        if step.literal not in step.clause and step.other not in step.clause:
            assert second in seconds(propositional_inverse(step.clause, first))


@given(some_clauses, some_clauses, st.booleans(), st.booleans(), st.booleans())
def test_10_b_22_first_order_results_resolve_back(whole, first, separately, existing, keep):
    for each in inverse_resolvents(whole, first, separately=separately, existing=existing, keep=keep)[:12]:
        assert resolves_to(first, each.second, whole)
        assert entails([first, each.second], whole) is True


def test_one_result_of_those_that_differ_in_names():
    found = inverse_resolvents(clause("P(A) | P(B)"), clause("Q"), separately=True)
    assert len(found) == 4
    for number, each in enumerate(found):
        assert not any(variants(each.second, other.second) for other in found[:number])


def test_a_variable_of_both_clauses_is_two_variables():
    (found, *_) = inverse_resolvents(clause("P(x)"), clause("Q(x)"))
    assert variants(found.second, clause("P(x) | ~Q(y)"))


def test_chosen_terms_and_functions():
    found = inverse_resolvents(
        parse_clause("even(s(s(0)))."), parse_clause("even(0)."), terms=[parse_term("0"), parse_term("s(0)")]
    )
    assert {str(each.rule) for each in found} == {
        "even(s(s(0))) :- even(0).",
        "even(s(s(A))) :- even(A).",
        "even(s(A)) :- even(0).",
        "even(s(B)) :- even(A).",
    }


def test_inverse_substitutions():
    tom, x, y = Constant("tom"), Variable("X"), Variable("Y")
    literals = [parse_literal("p(tom, f(tom))"), parse_literal("q(tom)")]
    inverse = InverseSubstitution(((tom, (1, 3), x), (tom, (2,), y)))
    assert inverse.apply(literals) == [parse_literal("p(X, f(Y))"), parse_literal("q(X)")]
    assert str(inverse) == "{tom@1+3/X, tom@2/Y}"
    assert [inverse.inverse().apply(each) for each in inverse.apply(literals)] == literals
    # what is within a term that is replaced counts, but is not replaced again
    outer = InverseSubstitution(((parse_term("f(tom)"), None, y), (tom, (3,), x)))
    assert outer.apply(literals) == [parse_literal("p(tom, Y)"), parse_literal("q(X)")]


def test_too_many_choices():
    whole = parse_clause("p(a, b, c, d, e, f, g, h, i, j, k, l, m, n).")
    with pytest.raises(InputError, match="limit=100 "):
        inverse_resolvents(whole, parse_clause("q."), limit=100)
    assert len(inverse_resolvents(whole, parse_clause("q."), terms=[Constant("a")])) == 2
    with pytest.raises(InputError, match="not a proposition"):
        propositional_inverse(whole, parse_clause("q."))


def test_absorption_and_identification():
    (found,) = absorption(parse_clause("q :- a, b."), parse_clause("p :- a."))
    assert found.rule == parse_clause("q :- b, p.")
    (found,) = identification(parse_clause("p :- a, b."), parse_clause("p :- a, q."))
    assert found.rule == parse_clause("q :- b.")
    assert not identification(parse_clause("q :- a, b."), parse_clause("p :- a."))
    whole = parse_clause("gp(ann, carl) :- father(ann, bob), father(bob, carl).")
    parent = parse_clause("parent(X, Y) :- father(X, Y).")
    found = absorption(whole, parent)
    assert any(variants(each.rule, parse_clause("gp(X, Z) :- father(Y, Z), parent(X, Y).")) for each in found)
    assert all(resolves_to(parent, each.second, whole) for each in found)


def check(construction, clauses):
    """Resolve on the new predicate, and get the clauses back."""
    for other, whole in zip(construction.others, clauses, strict=True):
        name = construction.literal.name
        back = [step.clause for step in resolvents(construction.shared, other) if step.literal.name == name]
        assert any(variants(each, whole.literals()) for each in back)


def test_intra_construction():
    rules = [parse_clause("p :- a, b."), parse_clause("p :- a, c.")]
    found = intra_construction(rules, "q")
    assert str(found) == "p :- a, q.\nq :- b.\nq :- c."
    check(found, rules)
    # the predicate tells what the clauses say of Y, and the constants in which they differ
    rules = [
        parse_clause("likes(X, Y, a) :- person(X), food(Y, U), sweet(Y, U)."),
        parse_clause("likes(X, Y, b) :- person(X), food(Y, V), salty(Y)."),
        parse_clause("likes(X, Y, c) :- food(Y, W), person(X)."),
    ]
    found = intra_construction(rules, "tasty")
    check(found, rules)
    assert len(found.literal.arguments) == 3
    # a variable that becomes the same as another must be told too
    rules = [parse_clause("p(X, X) :- a(X), b."), parse_clause("p(X, Y) :- a(X), c.")]
    found = intra_construction(rules, "q")
    check(found, rules)
    assert len(found.literal.arguments) == 2


def test_inter_construction():
    rules = [parse_clause("p :- a, b."), parse_clause("q :- a, c.")]
    found = inter_construction(rules, "r")
    assert str(found) == "r :- a.\np :- b, r.\nq :- c, r."
    check(found, rules)
    rules = [
        parse_clause("aunt(X, Y) :- parent(Z, Y), sib(X, Z), female(X)."),
        parse_clause("uncle(U, V) :- male(U), parent(W, V), sib(U, W)."),
    ]
    found = inter_construction(rules, "kin")
    check(found, rules)
    assert variants(found.shared, parse_clause("kin(Y, X) :- parent(Z, Y), sib(X, Z)."))


def test_truncation():
    found = truncation([parse_clause("member(a, [a, b])."), parse_clause("member(c, [c]) :- list([c]).")])
    assert variants(found, parse_clause("member(X, [X|T])."))


@pytest.mark.parametrize(
    ("function", "clauses", "message"),
    [
        (intra_construction, ["p :- a."], "at least two"),
        (intra_construction, ["p :- a.", "q :- a."], "same head predicate"),
        (intra_construction, ["p :- new.", "p :- a."], "name='new'"),
        (inter_construction, ["p :- a.", "q :- b."], "give clauses that share one"),
    ],
)
def test_where_no_predicate_can_be_invented(function, clauses, message):
    with pytest.raises(InputError, match=message):
        function([parse_clause(each) for each in clauses], "new")


def test_where_nothing_can_be_truncated():
    for clauses in ([], ["p(a).", "q(a)."], [":- p(a)."]):
        with pytest.raises(InputError, match="truncation"):
            truncation([parse_clause(each) for each in clauses])


def test_results_print_themselves():
    first, _ = figure_10_3()
    assert str(first).replace("\N{LOGICAL OR}", "or") == (
        "C2 = grandChild(bob, A) or ¬father(A, tom)   from C = grandChild(bob, shannon), "
        "C1 = father(shannon, tom), L1 = father(shannon, tom), θ1 = {}, θ2⁻¹ = {shannon/A}"
    )


def texts(figure):
    return [
        text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text in figure.axes[0].texts if text.get_text()
    ]


def overlaps(figure):
    """Return the texts that run into each other or out of the picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    boxes = [text.get_window_extent(renderer) for text in figure.axes[0].texts if text.get_text()]
    whole = figure.bbox
    out = [box for box in boxes if not (whole.x0 <= box.x0 and box.x1 <= whole.x1)]
    out += [box for box in boxes if not (whole.y0 <= box.y0 and box.y1 <= whole.y1)]
    return out + [one for number, one in enumerate(boxes) for other in boxes[:number] if one.overlaps(other)]


def test_picture_of_figure_10_3():
    figure = draw_inverse_resolution(figure_10_3())
    written = " ".join(texts(figure))
    for part in (
        "grandChild(bob, shannon)",
        "father(tom, bob)",
        "{shannon/A}",
        "{bob/B, tom/C}",
        "¬father(A, C)",
    ):
        assert part in written
    assert not overlaps(figure)
    with pytest.raises(InputError, match="does not start"):
        draw_inverse_resolution(figure_10_3()[::-1])
    with pytest.raises(InputError, match="not 0"):
        draw_inverse_resolution([])


def test_picture_of_a_proof():
    rules = [
        "anc(X, Y) :- par(X, Y).",
        "anc(X, Y) :- par(X, Z), anc(Z, Y).",
        "par(a, b).",
        "par(b, c).",
        ":- anc(a, c).",
    ]
    figure = draw_resolution(refute(map(parse_clause, rules)).proof)
    assert "⊥" in texts(figure)
    assert not overlaps(figure)
    (step,) = resolvents(clause("White(x) | ~Swan(x)"), clause("Swan(Fred)"))
    figure = draw_resolution(step)
    assert "{X/fred}" in texts(figure)
    assert not overlaps(figure)
