"""Popper's files: examples, background, bias; what is noted, what is refused, what is written."""

from __future__ import annotations

import pytest

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic.background.called import Called
from induce.logic.parsing import parse_clause
from induce.logic.terms import Constant
from induce.relational.clauses.constraints import EVERY_HEAD_VARIABLE, NO_SINGLETON, Constraints
from induce.relational.readers.popper import _bias, read_popper, write_popper

EXAMPLES = "pos(grand(ann, cal)). pos(grand(ann, 'Dan B.')). neg(grand(ann, bea)). neg(grand(cal, ann))."
BACKGROUND = "parent(ann, bea). parent(bea, cal). parent(bea, 'Dan B.').\nold(X) :- parent(X, _)."
BIAS = """
max_vars(3). max_body(2). % a comment.
max_clauses(1).
head_pred(grand,2).
body_pred(parent,2).
body_pred(old,1).
type(grand,(person,person)).
type(parent,(person,person)).
type(old,(person,)).
direction(grand,(in,out)).
direction(parent,(in,out)).
"""

OWN = (EVERY_HEAD_VARIABLE, NO_SINGLETON)


@pytest.fixture
def folder(tmp_path):
    """Write the three files and return the folder."""

    def writing(examples=EXAMPLES, background=BACKGROUND, bias=BIAS):
        path = tmp_path / "grand"
        path.mkdir(exist_ok=True)
        for name, text in (("exs.pl", examples), ("bk.pl", background), ("bias.pl", bias)):
            if text is not None:
                (path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return writing


def test_everything_is_read(folder):
    problem = read_popper(folder())
    assert str(problem) == "grand: grand/2, 2 positive and 2 negative examples; 2 relations, 3 facts, 1 rule"
    assert problem.X.columns == ["person_1", "person_2"]
    assert problem.X.rows()[1] == ("ann", "Dan B.")
    assert problem.y.tolist() == [True, True, False, False]
    assert problem.settings == {"max_vars": 3, "max_body": 2, "max_clauses": 1, "constraints": OWN}
    assert [str(mode) for mode in problem.background.modes] == [
        "grand(+person, -person)",
        "parent(+person, -person)",
        "old(+person)",
    ]
    assert [mode.head for mode in problem.background.modes] == [True, False, False]


def test_without_types_and_directions_values_tell_and_every_way_is_open(folder):
    bias = "head_pred(grand,2). body_pred(parent,2). enable_recursion."
    problem = read_popper(folder(bias=bias))
    assert [str(mode) for mode in problem.background.modes] == [
        "grand(+parent_1, +parent_1)",
        "parent(+parent_1, -parent_1)",
        "parent(-parent_1, +parent_1)",
        "grand(+parent_1, -parent_1)",
        "grand(-parent_1, +parent_1)",
    ]
    assert problem.settings == {"recursion": True, "constraints": OWN}
    assert problem.X.columns == ["x0", "x1"]


def test_positive_examples_only(folder):
    problem = read_popper(folder(examples="pos(grand(ann, cal))."))
    assert problem.settings["positive_only"] is True
    assert problem.y.all()


def test_lists_stay_lists(folder):
    problem = read_popper(
        folder(
            "pos(last([1,2,[]],3)). pos(last([a],a)). neg(last([a,b],a)). neg(last([],f(x))).",
            "head([H|_],H). tail([_|T],T). empty([]).",
            "head_pred(last,2). body_pred(head,2). body_pred(tail,2). body_pred(empty,1). non_datalog.\n"
            "allow_singletons.\n"
            "type(last,(list,element)). type(head,(list,element)). type(tail,(list,list)). type(empty,(list,)).\n"
            "direction(last,(in,out)). direction(head,(in,out)). direction(tail,(in,out)). direction(empty,(in,)).",
        )
    )
    assert problem.X.shape == (4, 2)
    assert problem.X[1].tolist() == [["a"], "a"]
    assert problem.X[0][0] == [1, 2, "[]"]
    assert str(problem.X[3][1]) == "f(x)"
    assert isinstance(problem.background.relation(("tail", 2)), Called)
    assert [str(one) for one in problem.literals()[0]] == ["last([1, 2, []], 3)", "last([a], a)"]


def test_constraints_and_strange_words_are_noted_once(folder):
    bias = BIAS + (
        ":- clause(C), #count{P,A : body_literal(C,P,A,_)} > 3.\n"
        ":- body_literal(_,old,_,(V,)), not head_var(V).\n"
        "enable_pi.\nstrange(0,2).\nprolog."
    )
    with pytest.warns(Note) as notes:
        problem = read_popper(folder(bias=bias))
    assert [str(note.message) for note in notes] == [
        "bias.pl has 1 constraint for Popper's solver, not used here: "
        ":- body_literal(_,old,_,(V)), not head_var(V).",
        "bias.pl declares strange, which is unknown and ignored",
    ]
    assert problem.settings["enable_pi"] is True
    assert problem.settings["constraints"][-1] == ":- clause(C), #count{P,A : body_literal(C,P,A,_)} > 3."
    with pytest.warns(Note, match="Progol has no parameter for enable_pi"):
        problem.learner("Progol")


def test_one_example_variable_in_each_clause(folder):
    """Without the constraint the states of a game are pooled: what holds in one is taken from another."""
    facts, examples = [], []
    for state in range(20):
        facts.append(f"cell(s{state}, c{state % 5}). cell(s{state}, c{state % 3}). ")
        facts += [f"next(s{state}, s{(state + 1) % 20}). "]
        examples.append(f"{'pos' if state % 5 == 2 else 'neg'}(win(s{state})). ")
    facts += ["red(c2). " + "".join(f"marked(s{state}). " for state in range(20) if state % 5 == 3)]
    bias = (
        "head_pred(win,1). body_pred(cell,2). body_pred(next,2). body_pred(marked,1). type(win,(state,)). "
        "type(cell,(state,colour)). type(next,(state,state)). type(marked,(state,)). max_vars(4).\n"
    )
    one = ":- clause(C), #count{V : var_type(C,V,state)} != 1.\n"
    files = {"examples": "".join(examples), "background": "".join(facts)}
    for name in ("FOIL", "Progol", "RelationalLearner"):
        free = read_popper(folder(bias=bias, **files))
        theory = free.learner(name).fit(free.X, free.y).hypothesis_
        assert not theory.errors()
        assert any(one.name == "next" for clause in theory.clauses for one in clause.body)
        bound = read_popper(folder(bias=bias + one, **files))
        theory = bound.learner(name).fit(bound.X, bound.y).hypothesis_
        assert not any(one.name == "next" for clause in theory.clauses for one in clause.body)


def test_rules_of_the_bias_are_followed(folder):
    bias = (
        "head_pred(grand,2). body_pred(parent,2).\n"
        "body_pred(P,1) :- constant(P,_).\ntype(P,(T,)) :- constant(P,T).\ndirection(P,(out,)) :- constant(P,_).\n"
        "constant(the_ann, person). constant(the_bea, person). type(grand,(person,person))."
    )
    problem = read_popper(folder(background=BACKGROUND + " the_ann(ann). the_bea(bea).", bias=bias))
    modes = [str(mode) for mode in problem.background.modes]
    assert "the_ann(-person)" in modes
    assert "the_bea(-person)" in modes


def test_what_the_prover_has_built_in_needs_no_definition(folder):
    problem = read_popper(folder(bias=BIAS + "body_pred(append,3). type(append,(list,list,list))."))
    assert "append(+list, -list, -list)" in [str(mode) for mode in problem.background.modes]


def test_a_predicate_may_be_declared_without_facts(folder):
    text = ":- dynamic rich/1.\n:- consult(other).\n" + BACKGROUND
    with pytest.warns(
        Note, match=r"bk\.pl: the loaded file other does not exist in its folder and is left out"
    ):
        problem = read_popper(folder(background=text, bias=BIAS + "body_pred(rich,1)."))
    assert "rich(+rich)" in [str(mode) for mode in problem.background.modes]


def test_background_of_the_target_is_left_out(folder):
    with pytest.warns(
        Note, match="bk.pl defines grand/2, the relation to be learned; these clauses are left out"
    ):
        problem = read_popper(folder(background=BACKGROUND + " grand(ann, cal)."))
    assert ("grand", 2) not in problem.background.predicates()


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"examples": None}, "has no exs.pl; it needs exs.pl, bk.pl, bias.pl"),
        ({"background": None}, "has no bk.pl"),
        ({"bias": None}, "has no bias.pl"),
        ({"examples": ""}, "exs.pl of grand has no positive example; write pos(p(a, b))."),
        ({"examples": "neg(grand(a, b))."}, "exs.pl of grand has no positive example"),
        ({"examples": "pos(grand(a, b)"}, "exs.pl, line 1, column 16"),
        ({"examples": "pos(grand(a, X))."}, "the example grand(a, X) has a variable"),
        ({"examples": "pos(grand)."}, "exs.pl holds pos(grand), which is not an example"),
        (
            {"examples": "grand(a, b)."},
            "exs.pl holds grand(a, b), which is not an example; write pos(p(a, b)).",
        ),
        ({"examples": "pos(grand(a, b)) :- true."}, "among the examples; give only facts there"),
        ({"examples": "pos(grand(a, b)). pos(other(a))."}, "name the relation of grand to learn"),
        (
            {"examples": "pos(other(a))."},
            "exs.pl of grand has examples of other/1, but bias.pl declares head_pred(grand, 2)",
        ),
        ({"examples": b"pos(grand(\xff, b))."}, "line 1 of 'exs.pl' is not UTF-8 (byte 0xff)"),
        ({"background": "parent(ann, bea"}, "bk.pl, line 1, column 16"),
        (
            {"bias": "head_pred(grand,2). body_pred(parents,2)."},
            "bias.pl names body_pred(parents, 2), but the background has no relation parents/2; did you mean parent",
        ),
        ({"bias": BIAS + "type(old,(a,b))."}, "bias.pl gives old/1 2 types; give one for each argument"),
        ({"bias": BIAS + "direction(old,(in,in))."}, "bias.pl gives old/1 2 directions"),
        ({"bias": BIAS + "direction(old,(inn,))."}, "the direction inn; use in or out"),
        ({"bias": "\n\nbody_pred(parent 2)."}, "bias.pl, line 3, column 18"),
        (
            {"bias": "body_pred(parent)."},
            "bias.pl has body_pred(parent); write body_pred(name, number of arguments).",
        ),
        (
            {"bias": "type(parent)."},
            "bias.pl has type(parent); write type(name, (one, for, each, argument)).",
        ),
    ],
)
def test_bad_files_give_one_sentence(folder, files, sentence):
    with pytest.raises(InputError) as error:
        read_popper(folder(**files))
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_one_of_several_targets(folder):
    examples = EXAMPLES + " pos(other(ann))."
    problem = read_popper(folder(examples=examples), "grand/2")
    assert len(problem.y) == 4
    with pytest.raises(InputError, match=r"grand has no relation third/1 to learn; it has grand/2, other/1"):
        read_popper(folder(examples=examples), "third/1")


def test_what_is_written_is_read_again(folder, tmp_path):
    problem = read_popper(folder(bias=BIAS + "direction(old,(in,)). enable_recursion."))
    write_popper(problem, tmp_path / "new" / "grand")
    again = read_popper(tmp_path / "new" / "grand")
    assert again.X.equals(problem.X)
    assert again.y.tolist() == problem.y.tolist()
    assert again.background.listing() == problem.background.listing()
    assert {*again.background.modes} == {*problem.background.modes}
    assert again.settings == problem.settings


def test_terms_are_written_and_read_again(folder, tmp_path):
    examples = "pos(p([a,'B c'],1.0)). neg(p([],-2))."
    problem = read_popper(folder(examples, "q([X|_], X).", "head_pred(p,2). body_pred(q,2)."))
    write_popper(problem, tmp_path / "again")
    again = read_popper(tmp_path / "again")
    assert again.literals() == problem.literals()
    assert again.literals()[0][0].arguments[1] == Constant(1.0)


def test_constraints_after_comments_are_read():
    """A comment before a constraint made it a directive, which was dropped without a word."""
    text = "head_pred(f,1). body_pred(p,1). body_pred(q,2).\n"
    for comment in ("", "% never together\n", "/* never\n together */ ", "%\n\n% two\n"):
        denied = ":- body_literal(C, p, _, _), body_literal(C, q, _, _)."
        constraints = Constraints(_bias(f"{text}{comment}{denied}\n").settings["constraints"])
        assert constraints.forbids(parse_clause("f(A) :- p(A), q(A, B), p(B)."))
        assert not constraints.forbids(parse_clause("f(A) :- q(A, B), q(B, A)."))
