"""GOLEM: generalisations of examples relative to facts, on the problems it is known for; and what it is made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.hypotheses.theory import Theory
from induce.logic import parse_clause, parse_literal, parse_program
from induce.logic.background.modes import Mode
from induce.logic.background.reach import Reach, parts, saturated
from induce.logic.background.relations import Relations
from induce.logic.coverage.bindings import Coverage
from induce.logic.coverage.examples import Examples
from induce.logic.generality import more_general_than
from induce.logic.subsumption import variants
from induce.relational.clauses.cover_tester import CoverTester, note_unproved
from induce.relational.clauses.descent import Descent
from induce.relational.learners.golem import Golem

FAMILY = """
    father(sharon, bob). father(tom, bob). father(bob, victor). father(ann, tom). female(sharon). female(ann)."""

PARENTS = [
    ("ann", "bea"), ("ann", "cal"), ("bob", "bea"), ("bob", "cal"), ("bea", "dan"), ("bea", "eve"), ("cal", "fay"),
    ("dan", "gus"), ("fay", "hal"), ("gus", "ida"), ("eve", "joy"), ("zoe", "fay"),
]  # fmt: skip
WOMEN = ["ann", "bea", "eve", "fay", "ida", "joy", "zoe"]
PEOPLE = sorted({person for pair in PARENTS for person in pair})
PAIRS = [(one, other) for one in PEOPLE for other in PEOPLE]


def relations(parents=PARENTS, women=WOMEN):
    facts = [f"parent({one}, {other})." for one, other in parents] + [f"female({one})." for one in women]
    return Relations(program=" ".join(facts))


def grandparents():
    return {(one, other) for one, child in PARENTS for again, other in PARENTS if child == again}


def labelled(inside):
    return PAIRS, np.array([pair in inside for pair in PAIRS])


def bodies(theory):
    return [str(clause) for clause in theory.clauses]


# -- the oracle of the least general generalisation --


def test_10_b_21_the_rlgg_of_the_two_granddaughters_is_what_golem_learns():
    pairs = [("victor", "sharon"), ("bob", "ann"), ("victor", "tom"), ("bob", "victor"), ("tom", "ann")]
    learner = Golem(Relations(program=FAMILY), "gd").fit(pairs, [1, 1, 0, 0, 0])
    (clause,) = learner.hypothesis_.clauses
    assert variants(clause, parse_clause("gd(X, Y) :- father(Z, X), father(Y, Z), female(Y)."))
    assert learner.hypothesis_.counts == ((0.0, 2.0),)
    assert learner.predict(pairs).tolist() == [1, 1, 0, 0, 0]
    assert learner.stopped_ is None


def test_the_trace_tells_each_generalisation_and_changes_nothing():
    pairs = [("victor", "sharon"), ("bob", "ann"), ("victor", "tom"), ("bob", "victor"), ("tom", "ann")]
    with induce.trace() as events:
        traced = Golem(Relations(program=FAMILY), "gd").fit(pairs, [1, 1, 0, 0, 0])
    plain = Golem(Relations(program=FAMILY), "gd").fit(pairs, [1, 1, 0, 0, 0])
    assert str(traced.hypothesis_) == str(plain.hypothesis_)
    (made,) = [event for event in events if event.kind == "generalisation"]
    assert (made["positives"], made["negatives"]) == (2, 0)
    learned = parse_clause(str(plain.hypothesis_).split("  %")[0])
    assert more_general_than(learned, parse_clause(made["clause"]))
    (kept,) = [event for event in events if event.kind == "clause"]
    assert (kept["accepted"], kept["positives"]) == (True, 2)


# -- family relations, trains --


def test_grandparent_over_relations_that_are_not_determinate():
    X, y = labelled(grandparents())
    learner = Golem(relations(), "grandparent", determinate=False).fit(X, y)
    assert bodies(learner.hypothesis_) == ["grandparent(A, B) :- parent(A, C), parent(C, B)."]
    assert (learner.predict(X) == y).all()


def test_daughter_of_two_clauses():
    facts = (
        "father(sharon, bob). father(tom, bob). father(ann, tom). father(eve, victor). father(jim, victor). "
    )
    facts += (
        "mother(sharon, louise). mother(ann, kim). mother(eve, louise). mother(jim, kim). mother(tom, kim). "
    )
    facts += "female(sharon). female(ann). female(eve). female(louise). female(kim)."
    known = Relations(program=facts)
    parents = {
        tuple(map(str, fact.head.arguments)) for fact in parse_program(facts) if len(fact.head.arguments) == 2
    }
    women = {"sharon", "ann", "eve", "louise", "kim"}
    people = sorted({person for pair in parents for person in pair})
    X = [(child, parent) for child in people for parent in people]
    y = np.array([(child, parent) in parents and child in women for child, parent in X])
    learner = Golem(known, "daughter").fit(X, y)
    wanted = ["daughter(A, B) :- father(A, B), female(A).", "daughter(A, B) :- mother(A, B), female(A)."]
    assert learner.hypothesis_.size() == "2 clauses, 4 literals"
    for clause in map(parse_clause, wanted):
        assert any(variants(clause, found) for found in learner.hypothesis_.clauses)
    assert (learner.predict(X) == y).all()


def trains():
    """Ten trains after Michalski's: one goes east if and only if it has a short closed car."""
    random = np.random.default_rng(7)
    facts, east = [], []
    for train in range(10):
        cars = [(random.integers(2), random.integers(2)) for _ in range(random.integers(2, 5))]
        short_and_closed = [one for one in cars if one == (1, 1)]
        if train < 5 and not short_and_closed:
            cars[0] = (1, 1)
        if train >= 5:
            cars = [one if one != (1, 1) else (1, 0) for one in cars]
        for number, (short, closed) in enumerate(cars):
            car = f"car_{train}{number}"
            facts += [f"has_car(t{train}, {car}).", f"{'short' if short else 'long'}({car})."]
            facts += [f"{'closed' if closed else 'open'}({car}).", f"wheels({car}, {random.integers(2, 4)})."]
            shape = ["rectangle", "ellipse", "hexagon"][random.integers(3)]
            facts.append(f"shape({car}, {shape}).")
        east.append(train < 5)
    return " ".join(facts), [(f"t{train}",) for train in range(10)], np.array(east)


@pytest.mark.compiled
def test_trains_need_what_is_not_determined():
    facts, X, y = trains()
    known = Relations(program=facts)
    with pytest.warns(Note, match="set determinate=False to allow literals"):
        nothing = Golem(known, "eastbound").fit(X, y)
    assert nothing.hypothesis_.clauses == ()
    learner = Golem(known, "eastbound", determinate=False).fit(X, y)
    (clause,) = learner.hypothesis_.clauses
    assert variants(clause, parse_clause("eastbound(A) :- has_car(A, B), short(B), closed(B)."))


def test_declared_modes_say_where_clauses_lead():
    facts, X, y = trains()
    ways = [Mode("has_car", ("+train", "-car")), Mode("short", ("+car",)), Mode("closed", ("+car",))]
    learner = Golem(Relations(program=facts, modes=ways), "eastbound", determinate=False).fit(X, y)
    (clause,) = learner.hypothesis_.clauses
    assert variants(clause, parse_clause("eastbound(A) :- has_car(A, B), short(B), closed(B)."))
    only = Relations(program=facts, modes=ways[:2])
    assert Golem(only, "eastbound", determinate=False).fit(X, y).hypothesis_.clauses == ()


def test_noise_leaves_the_definition_and_drops_the_wrong_examples():
    X, y = labelled(grandparents())
    wrong = y.copy()
    wrong[np.flatnonzero(y)[0]] = False
    strict = Golem(relations(), "grandparent", determinate=False).fit(X, wrong)
    assert bodies(strict.hypothesis_) != ["grandparent(A, B) :- parent(A, C), parent(C, B)."]
    tolerant = Golem(relations(), "grandparent", determinate=False, noise=0.2, n_pairs=20).fit(X, wrong)
    assert bodies(tolerant.hypothesis_)[0] == "grandparent(A, B) :- parent(A, C), parent(C, B)."
    assert (tolerant.predict(X) == y).all()


# -- functions and recursion --

MEMBERS = [
    (1, [1]), (2, [2, 3]), (3, [3, 1, 2]), (1, [2, 1]), (3, [2, 3]), (4, [1, 4, 2]), (2, [1, 3, 2]), (5, [2, 3, 5]),
    (4, [4]), (2, [2]), (3, [3]), (5, [5]), (5, [3, 5]), (2, [3, 2]), (4, [4, 2]),
]  # fmt: skip
STRANGERS = [
    (1, []),
    (2, [1]),
    (3, [1, 2]),
    (4, [2, 3, 1]),
    (5, [1]),
    (1, [2]),
    (2, []),
    (3, [2, 1, 4]),
    (4, [3]),
]


def test_member_of_a_list_is_learned_as_a_program():
    X, y = MEMBERS + STRANGERS, [1] * len(MEMBERS) + [0] * len(STRANGERS)
    learner = Golem(None, "member", recursion=True).fit(X, y)
    assert learner.hypothesis_.recursive
    assert learner.predict([(9, [1, 2, 3, 9]), (9, [1, 2, 3]), (7, [7]), (7, [])]).tolist() == [1, 0, 1, 0]
    (why,) = learner.explain([(9, [1, 9])])
    assert "member(9, [9])" in str(why.proof)


def test_first_of_a_list_needs_no_recursion():
    X = [(1, [1]), (2, [2, 3]), (3, [3, 1, 2]), (1, [2, 1]), (3, [2, 3]), (2, [])]
    learner = Golem(None, "first").fit(X, [1, 1, 1, 0, 0, 0])
    assert bodies(learner.hypothesis_) == ["first(A, [A|B])."]


def test_ancestor_calls_itself_about_someone_younger():
    known = Relations(program="parent(ann, bea). parent(bea, cal). parent(cal, dan). parent(dan, eve).")
    people = ["ann", "bea", "cal", "dan", "eve"]
    X = [(one, other) for one in people for other in people]
    y = [people.index(one) < people.index(other) for one, other in X]
    learner = Golem(known, "ancestor", recursion=True, depth=1).fit(X, y)
    assert (learner.predict(X) == y).all()
    assert learner.hypothesis_.recursive


def test_calls_must_be_about_something_smaller():
    rows = np.zeros((1, 2), np.int64)
    known = Relations(program="parent(ann, bea). parent(bea, cal).")
    kinds = known.kinds.types["parent", 2]
    descent = Descent(Examples(("up", 2), ("x", "y"), kinds, rows, rows[:, 0] == 0, known))
    down, round_and_round = "up(A, B) :- parent(A, C), up(C, B).", "up(A, B) :- up(B, A)."
    assert descent.admits(parse_clause(down))
    assert not descent.admits(parse_clause(round_and_round))
    assert descent.limited(parse_clause("up(A, B) :- up(A, C), parent(A, C).")).body == (
        parse_literal("parent(A, C)"),
    )
    assert descent.admits(parse_clause("up(A, [B|C]) :- up(A, C)."))
    assert not descent.admits(parse_clause("up(A, B) :- up(A, [C|B])."))
    descent.remember(parse_clause(down))
    assert not descent.admits(parse_clause("up(A, B) :- parent(C, A), up(C, B)."))


def test_a_note_says_when_a_program_proves_less_than_its_examples():
    known = Relations(program="parent(ann, bea). parent(bea, cal). parent(cal, dan).")
    codes = {str(term): code for code, term in enumerate(known.symbols.terms)}
    rows = np.array([[codes["bea"], codes["dan"]], [codes["ann"], codes["dan"]]])
    kinds = known.kinds.types["parent", 2]
    examples = Examples(("far", 2), ("x", "y"), kinds, rows, np.ones(2, np.bool_), known)
    endless = "far(A, B) :- parent(A, C), far(C, B)."
    theory = Theory("far", ("x", "y"), (False, True), endless, ((0.0, 0.0),), (0.0, 0.0), known)
    with pytest.warns(Note, match="proves 0 of the positive examples, but its clauses cover 1 when"):
        note_unproved(theory.counted(theory.deciding_rows(rows), examples.positive), CoverTester(examples))


# -- seeds, order, limits, bad input --


def test_the_same_seed_gives_the_same_theory_and_the_order_of_rows_does_not_matter():
    X, y = labelled(grandparents())
    order = np.random.default_rng(3).permutation(len(X))
    shuffled = [X[place] for place in order]
    learners = [
        Golem(relations(), "grandparent", determinate=False, n_pairs=2, random_state=5).fit(*rows)
        for rows in ((X, y), (X, y), (shuffled, y[order]))
    ]
    assert len({str(learner.hypothesis_) for learner in learners}) == 1


def test_the_time_limit_ends_the_search():
    X, y = labelled(grandparents())
    with pytest.warns(Note, match="the time limit of 1e-09 s ended the search"):
        learner = Golem(relations(), "grandparent", determinate=False, time_limit=1e-9).fit(X, y)
    assert learner.stopped_ == "the time limit of 1e-09 s"
    assert learner.hypothesis_.clauses == ()


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"depth": -1}, "depth is -1; it must be a whole number of at least 0"),
        ({"n_pairs": 0}, "n_pairs is 0"),
        ({"min_positives": 1.5}, "min_positives is 1.5"),
        ({"noise": 1.0}, "noise is 1.0; give a fraction"),
        ({"time_limit": 0}, "time_limit is 0"),
        ({"target": ""}, "target is ''"),
        ({"background": "parent(a, b)."}, "background is 'parent"),
    ],
)
def test_bad_parameters_are_named(parameters, told):
    with pytest.raises(InputError, match=told):
        Golem(**parameters).fit([("a", "b"), ("b", "a")], [1, 0])


def test_missing_arguments_and_strangers_are_outside():
    X, y = labelled(grandparents())
    learner = Golem(relations(), "grandparent", determinate=False).fit([*X, ("ann", None)], [*y, True])
    assert bodies(learner.hypothesis_) == ["grandparent(A, B) :- parent(A, C), parent(C, B)."]
    assert learner.predict([("ann", None), ("nobody", "dan"), ("ann", "dan")]).tolist() == [
        False,
        False,
        True,
    ]


def test_copies_share_the_background_and_relations_without_facts_are_told():
    known = Relations(program=FAMILY + " first([H|T], H).")
    assert clone(Golem(known)).background is known
    pairs = [("victor", "sharon"), ("bob", "ann"), ("victor", "tom"), ("bob", "victor"), ("tom", "ann")]
    with pytest.warns(Note, match="first/2 cannot be listed as facts, so Golem does not use it"):
        learner = Golem(known, "gd").fit(pairs, [1, 1, 0, 0, 0])
    assert len(learner.hypothesis_.clauses) == 1


# -- what it is made of --


def test_saturation_follows_modes_and_counts_steps():
    facts = [
        clause.head
        for clause in parse_program("has(t, c1). has(t, c2). red(c1). next(c1, c2). next(c2, c3).")
    ]
    east = parse_literal("east(t)")

    def said(reach, depth, determinate=False, most=9):
        clause = saturated(east, reach, depth, max_arity=2, determinate=determinate, max_literals=most)
        return [str(literal) for literal in clause.body]

    assert said(Reach(facts), 0) == []
    assert said(Reach(facts), 1) == ["has(t, c1)", "has(t, c2)", "red(c1)", "next(c1, c2)"]
    assert said(Reach(facts), 2) == ["has(t, c1)", "has(t, c2)", "red(c1)", "next(c1, c2)", "next(c2, c3)"]
    assert said(Reach(facts), 2, most=2) == ["has(t, c1)", "has(t, c2)"]
    assert said(Reach(facts), 2, determinate=True) == []
    modes = [Mode("has", ("+train", "-car")), Mode("next", ("-car", "+car"))]
    assert said(Reach(facts, modes), 2) == ["has(t, c1)", "has(t, c2)", "next(c1, c2)"]


def test_parts_of_a_long_list_do_not_overflow():
    from induce.logic import Constant, listed

    long = listed([Constant(number) for number in range(50_000)])
    assert sum(1 for _ in parts([long])) == 100_001


@pytest.mark.compiled
def test_a_clause_of_hundreds_of_determinate_literals_is_joined():
    """Which takes no end where a join forgets that a literal is determinate."""
    names = [f"a{number}" for number in range(240)]
    rows = np.stack([np.arange(50), 50 + np.arange(50) % 3], 1)
    terms = [f"o{number}" for number in range(50)] + ["red", "green", "blue"]
    known = Relations(terms=terms, facts={f"{name}/2": rows for name in names})
    text = ", ".join(f"{name}(X, V{number})" for number, name in enumerate(names))
    linked = ", ".join(f"{one}(X, V{number})" for number, one in enumerate([*names[1:], names[0]]))
    clause = parse_clause(f"t(X) :- {text}, {linked}.")
    assert Coverage(known).covered(clause, np.arange(50)[:, None]).all()


@given(st.data())
def test_the_order_of_joins_makes_no_difference(data):
    """A clause covers an example if and only if some values make all its literals facts."""
    constants = "abc"
    pairs = [(one, other) for one in constants for other in constants]
    p = data.draw(st.lists(st.sampled_from(pairs), max_size=5, unique=True))
    q = data.draw(st.lists(st.sampled_from(constants), max_size=3, unique=True))
    facts = (
        [f"p({one}, {other})." for one, other in p]
        + [f"q({one})." for one in q]
        + ["p(z, z). q(z). r(a). r(b)."]
    )
    literals = [f"p({one}, {other})" for one in "XYZ" for other in "XYZ"] + [f"q({one})" for one in "XYZ"]
    body = data.draw(
        st.lists(st.sampled_from([*literals, "p(X, a)", "\\+ q(X)"]), min_size=1, max_size=5, unique=True)
    )
    clause = parse_clause(f"t(X) :- {', '.join(body)}.")
    known = Relations(program=" ".join(facts))
    symbols = known.symbols
    codes = np.array([[symbols.code(parse_literal(f"t({one})").arguments[0])] for one in constants])
    examples = Examples(("t", 1), ("x",), ("any",), codes, np.ones(3, np.bool_), known)
    found = CoverTester(examples).covered(clause, codes)
    true = {
        fact.rstrip(".")
        for line in facts
        for fact in line.replace(" ", "").replace(").", ");").split(";")
        if fact
    }
    for constant, covered in zip(constants, found, strict=True):
        some = any(_holds(body, {"X": constant, "Y": y, "Z": z}, true) for y in "abcz" for z in "abcz")
        assert covered == some


def _holds(body, values, true):
    for literal in body:
        wanted = not literal.startswith("\\+")
        ground = literal.removeprefix("\\+ ").replace(" ", "")
        for name, value in values.items():
            ground = ground.replace(name, value)
        if (ground in true) != wanted:
            return False
    return True
