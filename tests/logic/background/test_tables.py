"""Tables as relations: keys, references, types, modes, holes, strange names and bad input."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic.background.relations import Relations
from induce.logic.background.tables import facts_of_tables
from induce.logic.clauses import Literal
from induce.logic.coverage.examples import coded_rows
from induce.logic.facts import Symbols
from induce.logic.terms import Constant

PERSON = {"name": ["ann", "bea", "cal"], "age": [70, 45, 20], "city": ["Rome", "Rome", "New York"]}
PARENT = {"parent": ["ann", "bea"], "child": ["bea", "cal"]}
KEYS = {"person": "name"}


def facts(relations, name):
    """The facts of a predicate as text."""
    arity = relations.facts[name].shape[1]
    terms = relations.symbols.terms
    rows = relations.facts[name].tolist()
    return [
        str(Literal(name.rpartition("/")[0], tuple(terms[code] for code in row))) for row in rows if arity
    ]


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame, pa.table])
def test_any_frame_gives_the_same(frame):
    relations = Relations({"person": frame(PERSON), "parent": frame(PARENT)}, keys=KEYS)
    assert facts(relations, "person_age/2") == [
        "person_age(ann, 70)",
        "person_age(bea, 45)",
        "person_age(cal, 20)",
    ]
    assert facts(relations, "person_city/2")[2] == "person_city(cal, 'New York')"
    assert facts(relations, "parent/2") == ["parent(ann, bea)", "parent(bea, cal)"]
    assert relations.types == {
        "person/1": ("person",),
        "person_age/2": ("person", "person.age"),
        "person_city/2": ("person", "person.city"),
        "parent/2": ("person", "person"),
    }
    assert [str(mode) for mode in relations.modes] == [
        "person_age(+person, -person.age)",
        "person_city(+person, -person.city)",
        "person_city(+person, #person.city)",
        "parent(+person, -person)",
        "parent(-person, +person)",
    ]


def test_numbers_refer_to_keys_only_where_names_or_the_user_say_so():
    molecules = pl.DataFrame({"id": [1, 2, 3], "mass": [1.5, 2.5, 3.5]})
    atoms = pl.DataFrame(
        {"id": [1, 2], "molecule_id": [1, 2], "charge": [1, 3], "first_molecule": [3, 3], "of": [2, 2]}
    )
    keys = {"molecules": "id", "atoms": "id"}
    types = Relations({"molecules": molecules, "atoms": atoms}, keys).types
    assert types["atoms/1"] == ("atoms",)
    assert types["atoms_molecule_id/2"] == ("atoms", "molecules")
    assert types["atoms_first_molecule/2"] == ("atoms", "molecules")
    assert types["atoms_charge/2"] == ("atoms", "atoms.charge")
    assert types["atoms_of/2"] == ("atoms", "atoms.of")
    told = Relations({"molecules": molecules, "atoms": atoms}, keys, {"atoms": {"of": "molecules"}}).types
    assert told["atoms_of/2"] == ("atoms", "molecules")


def test_a_key_that_refers_to_another_key_has_its_type():
    person = pl.DataFrame({"name": ["ann", "bea", "cal"]})
    worker = pl.DataFrame({"name": ["ann", "bea"], "boss": ["bea", None]})
    with pytest.warns(Note, match="the table 'worker' has 1 missing value"):
        types = Relations({"worker": worker, "person": person}, {"person": "name", "worker": "name"}).types
    assert types["worker_boss/2"] == ("person", "person")


def test_tables_with_the_same_keys_share_the_type_of_the_first():
    tables = {name: pl.DataFrame({"name": ["ann", "bea"], "x": [1, 2]}) for name in ("person", "more")}
    types = Relations(tables, {"person": "name", "more": "name"}).types
    assert types["more/1"] == types["person/1"] == ("person",)


def test_names_that_columns_share_are_one_type():
    one = pl.DataFrame({"id": ["a", "b"], "born": ["Rome", "Oslo"], "colour": ["red", "red"]})
    two = pl.DataFrame({"firm": ["x"], "seat": ["Oslo"]})
    types = Relations({"one": one, "two": two}, {"one": "id", "two": "firm"}).types
    assert types["one_born/2"][1] == types["two_seat/2"][1] == "one.born"
    assert types["one_colour/2"][1] == "one.colour"


def test_true_and_false_are_values_and_a_missing_one_is_neither():
    frame = pl.DataFrame({"name": ["ann", "bea", "cal"], "smokes": [True, False, None]})
    with pytest.warns(
        Note, match=r"the table 'person' has 1 missing value; the facts that would need it are left out"
    ):
        relations = Relations({"person": frame}, KEYS)
    assert facts(relations, "person_smokes/2") == ["person_smokes(ann, true)", "person_smokes(bea, false)"]
    assert [str(mode) for mode in relations.modes] == ["person_smokes(+person, #person.smokes)"]


def test_constants_only_where_values_are_few_and_come_twice():
    frame = pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(100)],
            "many": [f"v{i // 2}" for i in range(98)] + ["w0", "w1"],
            "few": ["a", "b"] * 50,
            "wheels": [2, 3] * 50,
            "weight": np.arange(100) / 7,
        }
    )
    modes = [str(mode) for mode in Relations({"car": frame}, {"car": "id"}).modes if "#" in str(mode)]
    assert modes == ["car_few(+car, #car.few)", "car_wheels(+car, #car.wheels)"]
    once = Relations({"car": pl.DataFrame({"id": ["a", "b"], "name": ["x", "y"]})}, {"car": "id"})
    assert [str(mode) for mode in once.modes] == ["car_name(+car, -car.name)"]


def test_a_table_of_links_can_be_reached_from_each_key():
    atom = pl.DataFrame({"atom": ["a1", "a2", "a3"]})
    bond = pl.DataFrame(
        {"one": ["a1", "a2", "a1"], "other": ["a2", "a3", "a3"], "kind": ["single", "double", "single"]}
    )
    relations = Relations({"atom": atom, "bond": bond}, {"atom": "atom"})
    assert [str(mode) for mode in relations.modes] == [
        "bond(+atom, -atom, -bond.kind)",
        "bond(+atom, -atom, #bond.kind)",
        "bond(-atom, +atom, -bond.kind)",
        "bond(-atom, +atom, #bond.kind)",
    ]


def test_a_key_of_several_columns_is_one_thing_and_a_hole_hides_its_cell():
    flights = pl.DataFrame({"origin": ["a", "a"], "to": ["b", "c"], "hours": [1, None]})
    seats = pl.DataFrame({"id": ["x", "y"], "from": ["a", "a"], "to": ["c", None]})
    with pytest.warns(Note):
        relations = Relations(
            {"flight": flights, "seat": seats},
            {"flight": ("origin", "to"), "seat": "id"},
            {"seat": {("from", "to"): "flight"}},
        )
    assert facts(relations, "flight_hours/2") == ["flight_hours(flight(a, b), 1)"]
    assert facts(relations, "flight_to/2")[1] == "flight_to(flight(a, c), c)"
    assert facts(relations, "seat_flight/2") == ["seat_flight(x, flight(a, c))"]
    assert relations.types["seat_flight/2"] == ("seat", "flight")
    with pytest.raises(InputError, match="two rows of the table 'flight' have the key a, b in origin, to"):
        Relations({"flight": pl.concat([flights, flights])}, {"flight": ("origin", "to")})


def test_rows_without_a_key_and_holes_are_left_out_with_one_note_per_table():
    frame = pd.DataFrame(
        {"name": ["ann", None, "cal"], "age": [1.0, 2.0, np.nan], "city": ["Rome", "Rome", None]}
    )
    with pytest.warns(Note) as notes:
        relations = Relations({"person": frame}, KEYS)
    assert [str(note.message) for note in notes] == [
        "the table 'person' has 3 missing values; the facts that would need them are left out"
    ]
    assert facts(relations, "person_age/2") == ["person_age(ann, 1)"]
    assert facts(relations, "person/1") == ["person(ann)", "person(cal)"]


def test_numbers_dates_and_categories():
    frame = pd.DataFrame(
        {
            "id": ["a", "b"],
            "n": pd.array([1, 2], "Int64"),
            "kind": pd.Categorical(["x", "y"], ["y", "x"]),
            "day": pd.to_datetime(["2020-01-01", "1970-01-02"]),
        }
    )
    relations = Relations({"t": frame}, {"t": "id"})
    assert facts(relations, "t_n/2") == ["t_n(a, 1)", "t_n(b, 2)"]
    assert facts(relations, "t_kind/2") == ["t_kind(a, x)", "t_kind(b, y)"]
    assert facts(relations, "t_day/2")[1] == "t_day(b, '1970-01-02')"


def test_strange_names_are_quoted_and_can_be_read_back():
    frame = pl.DataFrame({"Größe (cm)": [1, 2], "名": ["x", "y'z"]})
    relations = Relations({"My Table": frame}, {"My Table": "名"})
    lines = relations.listing()
    assert "'My Table_Größe (cm)'('y\\'z', 2)." in lines
    again = Relations(program="\n".join(lines))
    assert sorted(again.listing()) == sorted(lines)


def test_names_of_columns_need_not_be_text():
    relations = Relations({"t": pd.DataFrame({0: ["a"], 1: [2]})}, {"t": "0"})
    assert facts(relations, "t_1/2") == ["t_1(a, 2)"]


def test_a_table_without_rows_is_an_empty_relation():
    relations = Relations(
        {"person": pl.DataFrame(PERSON).clear(), "parent": pl.DataFrame(PARENT).clear()}, KEYS
    )
    assert relations.facts["person_age/2"].shape == (0, 2)
    assert relations.facts["parent/2"].shape == (0, 2)
    assert "parent/2: 0 facts" in str(relations)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (({"t": pl.DataFrame()},), "the table 't' has no columns; omit it"),
        (({"t": pd.DataFrame([[1, 2]], columns=["a", "a"])},), "table 't': two columns are called 'a'"),
        (({"": pl.DataFrame(PARENT)},), "a table is named ''; give each table a non-empty string"),
        (({3: pl.DataFrame(PARENT)},), "a table is named 3"),
        (({"t": pl.DataFrame({"": [1]})},), "column 1 of the table 't' has no name"),
        (
            ({"person": pl.DataFrame(PERSON)}, {"persons": "name"}),
            "there is no table 'persons'; did you mean 'person'?",
        ),
        (({"person": pl.DataFrame(PERSON)}, {"person": "nam"}), "did you mean 'name'?"),
        (
            ({"t": pl.DataFrame({"k": ["a", "b", "a"]})}, {"t": "k"}),
            "two rows of the table 't' have the key a in k",
        ),
        (
            ({"p": pl.DataFrame(PERSON), "q": pl.DataFrame(PARENT)}, {}, {"q": {"child": "p"}}),
            "references say that q.child holds keys of p, whose key is not one known column; declare it in keys",
        ),
        (
            ({"p": pl.DataFrame(PERSON), "q": pl.DataFrame(PARENT)}, {"p": "name"}, {"q": {"kid": "p"}}),
            "there is no column of 'q' for its references 'kid'",
        ),
        (
            ({"p": pl.DataFrame(PERSON), "q": pl.DataFrame({"x": [1]})}, {"p": "name"}, {"q": {"x": "p"}}),
            "references say that q.x holds keys of p, but none of its values is one, not even 1",
        ),
        (
            (
                {"a_b": pl.DataFrame({"k": [1], "c": [2]}), "a": pl.DataFrame({"k": [1], "b_c": [2]})},
                {"a_b": "k", "a": "k"},
            ),
            "two tables or columns both give a relation a_b_c/2; rename one of them",
        ),
        ((None, {"t": "k"}), "keys and references are given without tables"),
        (({"t": pl.DataFrame({"k": [[1, 2]]})},), "table 't': column 'k' holds"),
    ],
)
def test_bad_tables_give_one_sentence(arguments, sentence):
    with pytest.raises(InputError) as error:
        Relations(*arguments)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_references_that_lead_nowhere_are_told():
    tables = {"p": pl.DataFrame(PERSON), "q": pl.DataFrame({"x": ["ann", "zoe"]})}
    with pytest.warns(Note, match=r"1 of the 2 values of q\.x are not keys of p, such as zoe"):
        Relations(tables, {"p": "name"}, {"q": {"x": "p"}})


def test_references_in_a_circle_end():
    tables = {name: pl.DataFrame({"k": ["a", "b"]}) for name in ("p", "q")}
    types = Relations(tables, {"p": "k", "q": "k"}, {"p": {"k": "q"}, "q": {"k": "p"}}).types
    assert types["p/1"][0] in ("p", "q")


CELLS = st.one_of(st.none(), st.text("ab é", max_size=2), st.integers(-3, 3))


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8))
def test_facts_are_the_rows_as_learners_read_them(rows):
    frame = pl.DataFrame(
        {"a": [None if a is None else str(a) for a, _ in rows], "b": [b for _, b in rows]}, strict=False
    )
    symbols = Symbols()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        read = facts_of_tables({"t": frame}, {}, {}, symbols)
    codes, _ = coded_rows(frame, symbols)
    expected = dict.fromkeys(map(tuple, codes[(codes >= 0).all(1)].tolist()))
    assert [tuple(row) for row in read.facts["t", 2].rows.tolist()] == [*expected]


def test_many_rows_are_read_at_once():
    n = 20_000
    frame = pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(n)],
            "city": [f"c{i % 1000}" for i in range(n)],
            "age": np.arange(n) % 90,
        }
    )
    facts_of_tables({"warm": frame[:10]}, {}, {}, Symbols())
    read = facts_of_tables({"person": frame}, {"person": "id"}, {}, Symbols())
    assert len(read.facts["person_city", 2]) == n


def test_tables_and_rules_together():
    program = "grand(X, Z) :- parent(X, Y), parent(Y, Z). likes(ann, cal)."
    relations = Relations(
        {"person": pl.DataFrame(PERSON), "parent": pl.DataFrame(PARENT)}, KEYS, program=program
    )
    modes = [str(mode) for mode in relations.modes]
    assert modes[-4:] == [
        "likes(+person, -person)",
        "likes(-person, +person)",
        "grand(+person, -person)",
        "grand(-person, +person)",
    ]
    assert relations.symbols.terms[relations.relation(("grand", 2)).rows[0, 1]] == Constant("cal")


def test_long_numbers_stay_apart_as_keys():
    table = pl.DataFrame({"k": [2**60, 2**60 + 1], "x": ["a", "b"]})
    prover = Relations({"t": table}, keys={"t": "k"}).prover()
    assert prover.holds(f"t_x('{2**60}', a)")
    assert not prover.holds(f"t_x('{2**60}', b)")
