"""Background knowledge: facts, rules, types, modes; copies, equality, storage and bad input."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.background.called import Called
from induce.logic.background.kinds import ANY, Kinds, fits
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.facts import Facts
from induce.logic.parsing import parse_clause
from induce.logic.terms import Constant, Text, listed

FAMILY = "parent(ann, bea). parent(bea, cal). female(ann). female(bea). "
GRAND = "grand(X, Z) :- parent(X, Y), parent(Y, Z)."


def rows(relations, name, arity):
    terms = relations.symbols.terms
    return [[str(terms[code]) for code in row] for row in relations.relation((name, arity)).rows.tolist()]


# -- modes --


def test_modes_print_and_tell_their_places():
    mode = Mode("bond", ("+atom", "-atom", "#kind"), 5)
    assert str(mode) == "bond(+atom, -atom, #kind)"
    assert mode.predicate == ("bond", 3)
    assert mode.types == ("atom", "atom", "kind")
    assert (mode.places("+"), mode.places("-"), mode.places("#")) == ((0,), (1,), (2,))
    assert str(Mode("rain", ())) == "rain"


@pytest.mark.parametrize("argument", ["atom", "+", "- ", "", "*atom"])
def test_a_mode_needs_a_sign_and_a_type(argument):
    with pytest.raises(InputError, match="write a sign and a type"):
        Mode("bond", (argument,))


def test_recall_is_a_positive_number():
    with pytest.raises(InputError, match=r"the mode p\(\+a\) has recall 0; give 1 or more"):
        Mode("p", ("+a",), 0)


# -- facts and rules --


def test_facts_become_arrays_and_rules_stay_rules():
    relations = Relations(program=FAMILY + GRAND)
    assert relations.facts["parent/2"].tolist() == [[0, 1], [1, 2]]
    assert relations.terms == ("ann", "bea", "cal")
    assert relations.program == "grand(X, Z) :- parent(X, Y), parent(Y, Z)."
    assert relations.predicates() == (("parent", 2), ("female", 1), ("grand", 2))
    assert rows(relations, "grand", 2) == [["ann", "cal"]]
    assert str(relations).splitlines()[-1] == "grand/2: 1 rule (parent_1, parent_1)"


def test_a_predicate_with_facts_and_rules():
    relations = Relations(program="likes(ann, cal). likes(X, Y) :- parent(X, Y). " + FAMILY)
    assert sorted(rows(relations, "likes", 2)) == [["ann", "bea"], ["ann", "cal"], ["bea", "cal"]]


def test_rules_add_to_the_facts_of_a_table():
    table = pl.DataFrame({"parent": ["ann"], "child": ["bea"]})
    relations = Relations(
        {"parent": table}, program="parent(bea, cal). parent(X, Y) :- child(Y, X). child(dan, cal)."
    )
    assert sorted(rows(relations, "parent", 2)) == [["ann", "bea"], ["bea", "cal"], ["cal", "dan"]]


def test_a_fact_said_twice_is_one():
    assert len(Relations(program="p(a). p(a). p(b).").listed["p", 1]) == 2


def test_programs_with_functions_are_asked_of_the_prover():
    program = "last([X], X). last([_|L], X) :- last(L, X)."
    relations = Relations(program=program, modes=[Mode("last", ("+list", "-any"))])
    found = relations.relation(("last", 2))
    assert isinstance(found, Called)
    term = listed([Constant(1), Constant(2), Constant(3)])
    matches = found.matches((0,), np.array([[relations.symbols.code(term)]]))
    assert matches.count.tolist() == [1]
    assert relations.symbols.terms[matches.rows[matches.order[0], 1]] == Constant(3)


def test_what_the_prover_knows_by_itself_can_be_called():
    relations = Relations(program=FAMILY, modes=[Mode("append", ("+list", "+list", "-list"))])
    found = relations.relation(("append", 3))
    assert isinstance(found, Called)
    code = relations.symbols.code
    key = np.array([[code(listed([Constant(1)])), code(listed([Constant(2)]))]])
    matches = found.matches((0, 1), key)
    answer = relations.symbols.terms[matches.rows[matches.order[0], 2]]
    assert answer == listed([Constant(1), Constant(2)])


def test_a_predicate_that_is_not_there():
    relations = Relations(program=FAMILY)
    with pytest.raises(InputError, match=r"no relation parents/2; did you mean parent/2\?"):
        relations.relation(("parents", 2))
    with pytest.raises(InputError, match=r"no relation zzz/1; it has parent/2, female/1"):
        relations.relation(("zzz", 1))
    with pytest.raises(InputError, match="no relation p/1; it has none"):
        Relations().relation(("p", 1))


# -- types --


def test_types_are_inferred_from_shared_values():
    relations = Relations(
        program="parent(ann, bea). parent(zoe, bea). female(ann). age(ann, 7). wheels(c1, 4). car(c1). car(c2)."
    )
    types = relations.kinds.types
    assert types["parent", 2] == ("parent_1", "parent_2")
    assert types["female", 1] == ("parent_1",)
    assert types["age", 2] == ("parent_1", "age_2")
    assert types["wheels", 2] == ("car", "wheels_2")


def test_told_types_win_and_stay_apart():
    told = {"lives/2": ("person", "place"), "near/2": ("town", "town")}
    relations = Relations(program="lives(ann, rome). near(rome, ostia). big(rome).", types=told)
    assert relations.kinds.types["near", 2] == ("town", "town")
    assert relations.kinds.types["big", 1] == ("place",)
    assert {*relations.kinds.values} == {"person", "place", "town"}


def test_the_type_any_says_nothing():
    assert fits("car", ANY)
    assert not fits("car", "train")
    relations = Relations(program="p(a). q(a). r(a).", types={"p/1": (ANY,)})
    assert relations.kinds.types["q", 1] == relations.kinds.types["r", 1] == ("q",)


def test_values_have_the_type_that_has_most_of_them():
    relations = Relations(
        program="id(1). id(2). id(3). id(4). wheels(1, 2). wheels(2, 4).", types={"wheels/2": ("id", "n")}
    )
    code = relations.symbols.code
    codes = [np.array([code(Constant(value)) for value in values]) for values in ([1, 3], [2, 4], [99])]
    assert [relations.kinds.of_values(each) for each in codes] == ["id", "id", ANY]
    assert relations.kinds.of_values(np.array([-1])) == ANY


def test_examples_tell_types_that_the_background_does_not():
    relations = Relations(program="husband(adam, eve).")
    assert relations.kinds.types["husband", 2] == ("husband_1", "husband_2")
    code = relations.symbols.code
    found = np.array([[code(Constant("adam")), code(Constant("kain"))], [code(Constant("eve")), -1]])
    found = np.vstack([found, [code(Constant("eve")), code(Constant("kain"))]])
    known = relations.with_examples(("parent", 2), found)
    assert known.kinds.types["husband", 2] == ("husband_1", "husband_1")
    assert known.types_of(("parent", 2), found) == ("husband_1", "parent_2")
    assert known.symbols is relations.symbols
    assert relations.types == {}
    assert Relations(**known._fields()) == known


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=3),
        min_size=1,
        max_size=5,
    )
)
def test_inferred_types_are_the_components_of_shared_values(tables):
    facts = {(f"r{i}", 2): Facts.of(np.array(table)) for i, table in enumerate(tables)}
    kinds = Kinds(facts, {}, 10)
    columns = [(kinds.types[one][place], facts[one].rows[:, place]) for one in facts for place in (0, 1)]
    for kind, values in columns:
        for other, others in columns:
            assert kind == other or not np.intersect1d(values, others).size
    for kind, values in columns:
        assert np.isin(values, kinds.values[kind]).all()
        reached, before = set(values.tolist()), set()
        while reached != before:
            before = set(reached)
            reached.update(*(set(one.tolist()) for _, one in columns if reached & set(one.tolist())))
        assert set(kinds.values[kind].tolist()) == reached


# -- values --


def test_copies_share_and_pickles_are_equal():
    relations = Relations(
        program=FAMILY + GRAND, modes=[Mode("parent", ("+p", "-p"))], types={"female/1": ("p",)}
    )
    assert copy.copy(relations) is relations
    assert copy.deepcopy(relations) is relations
    again = pickle.loads(pickle.dumps(relations))
    assert again == relations
    assert hash(again) == hash(relations)
    assert again != Relations(program=FAMILY + GRAND)
    assert relations != "relations"
    assert rows(again, "grand", 2) == [["ann", "cal"]]


def test_fields_hold_only_what_a_model_file_can_hold():
    program = "p([a, 1], \"text\"). p('New York', 2.0). p(f(x), 1). q(X) :- p(X, _)."
    relations = Relations(program=program)
    assert relations.terms == (("[a, 1]",), ('"text"',), "New York", 2.0, ("f(x)",), 1)
    again = Relations(**relations._fields())
    assert again == relations
    assert again.symbols.terms[1] == Text("text")
    assert again.symbols.terms[0] == listed([Constant("a"), Constant(1)])


def test_modes_of_one_predicate_with_different_types_can_be_stored():
    modes = [Mode("same", ("+car", "+car")), Mode("same", ("+train", "+train"))]
    relations = Relations(program="same(a, a).", modes=modes)
    assert Relations(**relations._fields()) == relations


def test_other_modes_leave_everything_else_shared():
    relations = Relations(program=FAMILY + GRAND)
    modes = relations.ways([("parent", 2), ("female", 1)])
    assert [str(mode) for mode in modes] == [
        "parent(+parent_1, -parent_1)",
        "parent(-parent_1, +parent_1)",
        "female(+parent_1)",
    ]
    other = relations.with_modes(modes)
    assert other.modes == modes
    assert relations.modes == ()
    assert other.symbols is relations.symbols
    assert rows(other, "grand", 2) == [["ann", "cal"]]
    with pytest.raises(
        InputError, match=r"there is a mode old\(\+p\), but the background has no relation old/1"
    ):
        relations.with_modes([Mode("old", ("+p",))])


def test_a_prover_for_the_background_and_a_theory():
    relations = Relations(program=FAMILY + GRAND)
    theory = [parse_clause("old(X) :- grand(X, _), female(X).")]
    assert relations.prover(theory).holds("old(ann)")
    assert not relations.prover(theory).holds("old(bea)")
    assert relations.prover().holds("grand(ann, cal)")
    assert relations.prover(theory, unknown="fail").holds("old(ann)")
    with pytest.raises(InputError, match="unknown predicate old/1"):
        relations.prover().holds("old(ann)")


def test_the_listing_can_be_read_again():
    relations = Relations(program=FAMILY + GRAND, facts={"never/1": np.empty((0, 1), np.int64)})
    assert relations.listing()[0] == ":- dynamic never/1."
    assert Relations(program="\n".join(relations.listing())).listing() == relations.listing()[1:]


# -- bad input --


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"types": {"parent": ("p", "p")}},
            "'parent' is not the name of a relation; write its name and arity",
        ),
        ({"types": {"parent/2": ("p",)}}, "types gives parent/2 1 types; give one for each argument"),
        (
            {"program": FAMILY, "types": {"parent/2": ("p", "p")}, "modes": [Mode("parent", ("+p", "-q"))]},
            "the mode parent(+p, -q) contradicts the types of parent/2, which are p, p",
        ),
        (
            {"program": FAMILY, "modes": [Mode("parent", ("+p",))]},
            "there is a mode parent(+p), but the background has no relation parent/1; did you mean parent/2?",
        ),
        ({"references": {"a": {"b": "c"}}}, "keys and references are given without tables"),
        ({"program": "p(a"}, "line 1, column 4"),
        (
            {"facts": {"p/2": np.zeros((1, 1), int)}},
            "the facts of p/2 must be an integer matrix with 2 columns",
        ),
        ({"facts": {"p/1": np.zeros((1, 1))}}, "must be an integer matrix"),
        (
            {"facts": {"p/1": np.array([[3]])}, "terms": ["a"]},
            "contain an integer that is not an index of the 1 terms",
        ),
        ({"facts": {"p/1": np.array([[-1]])}, "terms": ["a"]}, "not an index of the 1 terms"),
    ],
)
def test_bad_arguments_give_one_sentence(arguments, sentence):
    with pytest.raises(InputError) as error:
        Relations(**arguments)
    assert sentence in str(error.value)


def test_a_mode_of_the_target_needs_no_relation():
    modes = [Mode("anc", ("+p", "+p"), head=True), Mode("anc", ("+p", "-p"))]
    assert Relations(program=FAMILY, modes=modes).modes == tuple(modes)
