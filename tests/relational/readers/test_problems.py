"""Problems: Prolog files, targets, negative examples, the closed world, cells of any kind."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic.background.relations import Relations
from induce.logic.clauses import Literal
from induce.logic.coverage.examples import coded_rows
from induce.logic.facts import Symbols
from induce.logic.parsing import parse_literal, parse_term
from induce.logic.terms import Constant, listed
from induce.relational.clauses.closed_world import other_tuples
from induce.relational.readers.problems import Problem, column_names, frame_of, read_problem

FAMILY = (
    "husband(adam, eve). husband(bert, cora). parent(adam, bert). parent(eve, bert). parent(bert, dora). "
)


@pytest.fixture
def prolog(tmp_path):
    def writing(text, name="family.pl"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return writing


def test_facts_of_the_target_are_a_closed_world(prolog):
    problem = read_problem(prolog(FAMILY), "parent/2")
    assert problem.y.sum() == 3
    assert len(problem.y) == 25
    assert problem.background.predicates() == (("husband", 2),)
    assert problem.settings == {}
    assert len({*problem.X.rows()}) == 25


def test_no_negative_examples_on_request(prolog):
    problem = read_problem(prolog(FAMILY), "parent/2", negatives="none")
    assert problem.y.tolist() == [True] * 3
    assert problem.settings == {"positive_only": True}
    with pytest.raises(
        InputError, match="family gives no negative example of parent; ask for closed-world or none"
    ):
        read_problem(prolog(FAMILY), "parent/2", negatives="given")


def test_marked_examples(prolog):
    text = FAMILY + "pos(grand(adam, dora)). neg(grand(adam, bert)). neg(grand(dora, adam))."
    problem = read_problem(prolog(text))
    assert problem.predicate == ("grand", 2)
    assert problem.y.tolist() == [True, False, False]
    assert problem.background.predicates() == (("husband", 2), ("parent", 2))
    closed = read_problem(prolog(text), negatives="closed-world")
    assert closed.y.tolist() == [True] + [False] * 24


def test_progol_writes_negative_examples_as_goals(prolog):
    text = (
        ":- modeh(1, east(+train))?\n".replace("?", ".")
        + ":- modeb(1, q(+train)).\neast(a). :- east(b). q(a). q(b)."
    )
    problem = read_problem(prolog(text))
    assert problem.y.tolist() == [True, False]
    assert problem.X.columns == ["train"]
    assert [mode.head for mode in problem.background.modes] == [True, False]


def test_several_files(prolog):
    paths = [prolog("parent(adam, bert).", "a.pl"), prolog("grand(adam, dora). parent(bert, dora). ", "b.pl")]
    problem = read_problem(paths, "grand")
    assert problem.name == "a"
    assert len(problem.background.listed["parent", 2]) == 2


def test_contradictory_examples_are_kept(prolog):
    problem = read_problem(prolog("pos(p(a)). neg(p(a)). q(a)."))
    assert problem.y.tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "target", "sentence"),
    [
        (
            FAMILY,
            None,
            "target is missing; name the relation of family to learn, one of husband/2, parent/2",
        ),
        (FAMILY, "parents/2", "family has no relation parents/2 to learn; it has husband/2, parent/2"),
        (
            FAMILY + "parent(x).",
            "parent",
            "family has parent/2 and parent/1; write the target as one of these",
        ),
        (
            FAMILY + "grand(X, Y) :- parent(X, Y).",
            "grand",
            "family has rules for grand/2, the relation to be learned",
        ),
        ("", "p/1", "family has no relation p/1 to learn; it has none"),
        ("neg(p(a)).", None, "family has no positive example of p/1"),
        ("pos(p).", None, "family has pos(p)., which is not an example; write pos(p(a, b))."),
        ("p(a", "p", "family.pl, line 1, column 4"),
        ("p(X). q(a).", "p", "the example p(X) has a variable; give ground facts"),
        ("p. q(a).", "p", "the example p has no argument"),
        ("p(a). p(b).", "p", "every tuple of the types of p is a positive example"),
        ("p(a).", "", "the target has no name"),
    ],
)
def test_bad_files_give_one_sentence(prolog, text, target, sentence):
    with pytest.raises(InputError) as error:
        read_problem(prolog(text), target)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_sources_give_one_sentence(prolog, tmp_path):
    with pytest.raises(
        InputError, match=r"there is no file 'no/such', and no such\.b and such\.f; name a folder"
    ):
        read_problem("no/such")
    with pytest.raises(InputError, match="is a folder; give a folder as the only source"):
        read_problem([prolog(FAMILY), tmp_path])
    with pytest.raises(InputError, match=r"has no exs\.pl"):
        read_problem(tmp_path)
    with pytest.raises(InputError, match="no source is given"):
        read_problem([])
    with pytest.raises(InputError, match="label 'x' applies to tables of a database"):
        read_problem(prolog(FAMILY), "parent", label="x")
    latin = tmp_path / "latin.pl"
    latin.write_bytes("p('Größe').\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"line 1 of 'latin\.pl' is not UTF-8"):
        read_problem(latin, "p")


# -- the closed world --


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(2, 5)), max_size=8))
def test_the_closed_world_is_everything_else(rows):
    found = other_tuples(np.array(rows, np.int64).reshape(-1, 2), [np.arange(4), np.arange(2, 6)])
    assert {*map(tuple, found.tolist())} == {*itertools.product(range(4), range(2, 6))} - {*rows}
    assert len(found) == 16 - len({*rows})


def test_a_large_closed_world_is_sampled():
    rows = np.array([[0, 0]])
    with pytest.warns(
        Note, match="the closed world has 999,999 negative examples, of which a random sample of 100 is"
    ):
        found = other_tuples(rows, [np.arange(1000)] * 2, 100, 1)
    assert len({*map(tuple, found.tolist())}) == 100
    assert [0, 0] not in found.tolist()
    with pytest.warns(Note):
        again = other_tuples(rows, [np.arange(1000)] * 2, 100, 1)
    with pytest.warns(Note):
        other = other_tuples(rows, [np.arange(1000)] * 2, 100, 2)
    assert found.tolist() == again.tolist()
    assert found.tolist() != other.tolist()
    with pytest.warns(Note, match="of which a random sample of 5 is taken"):
        assert other_tuples(np.zeros((1, 9), int), [np.arange(10**6)] * 9, 5).shape == (5, 9)
    with pytest.raises(InputError, match="limit is 0"):
        other_tuples(rows, [np.arange(3)] * 2, 0)


def test_types_bound_the_closed_world():
    background = Relations(program="lives(ann, rome). lives(bea, oslo). near(rome, oslo). near(oslo, ostia).")
    problem = Problem.of("p", [parse_literal("visits(ann, oslo)")], [], background).with_closed_world()
    assert sorted(problem.X.rows()) == sorted(itertools.product(["ann", "bea"], ["rome", "oslo", "ostia"]))


# -- cells --


def test_names_of_columns():
    assert column_names(["a", "b"]) == ["a", "b"]
    assert column_names(["a", "a"]) == ["a_1", "a_2"]
    assert column_names(["a", "a", "a_1"]) == ["x0", "x1", "x2"]
    assert column_names(["any", "a"]) == ["x0", "a"]


TERMS = st.sampled_from(
    [
        "a",
        "'A b'",
        "''",
        "1",
        "-2",
        "2.5",
        "3.0",
        "[]",
        "[a]",
        "[1, [2]]",
        "f(a)",
        '"text"',
        "12345678901234567890",
        "[a|b]",
    ]
)


@given(st.lists(st.tuples(TERMS, TERMS), min_size=1, max_size=6))
def test_cells_stand_for_the_terms_they_come_from(rows):
    symbols = Symbols()
    codes = symbols.codes([parse_term(text) for row in rows for text in row]).reshape(-1, 2)
    X = frame_of(codes, symbols, ["one", "two"])
    found, _ = coded_rows(X, symbols)
    assert found.tolist() == codes.tolist()


def test_plain_columns_are_frames():
    symbols = Symbols()
    codes = symbols.codes([parse_term(text) for text in ("a", "1", "2.5", "b", "2", "3")]).reshape(2, 3)
    frame = frame_of(codes, symbols, ["name", "n", "x"])
    assert frame.rows() == [("a", 1, 2.5), ("b", 2, 3.0)]
    assert [str(kind) for kind in frame.dtypes] == ["String", "Int64", "Float64"]


def test_a_list_much_longer_than_the_stack_is_deep():
    example = Literal("p", (listed([*map(Constant, range(20_000))]),))
    problem = Problem.of("long", [example], [], Relations())
    assert problem.X[0][0] == [*range(20_000)]
    assert problem.rows().tolist() == [[0]]
