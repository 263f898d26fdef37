"""The three notations of a clause in the book (FOL-01)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.notations import parse_book, parse_disjunction, write_book
from induce.logic.parsing import parse_clause, parse_literal
from induce.logic.terms import Constant, Function, Text, Variable

OR = "\N{LOGICAL OR}"
DAUGHTER = parse_clause("daughter(X, Y) :- father(Y, X), female(Y).")


def test_fol_01_one_clause_in_three_notations() -> None:
    written = {
        "if": "IF Father(y,x) ∧ Female(y) THEN Daughter(x,y)",
        "arrow": "Daughter(x,y) ← Father(y,x) ∧ Female(y)",
        "or": f"Daughter(x,y) {OR} ¬Father(y,x) {OR} ¬Female(y)",
    }
    for style, text in written.items():
        assert write_book(DAUGHTER, style) == text
    assert parse_book(written["if"]) == parse_book(written["arrow"]) == DAUGHTER
    assert parse_disjunction(written["or"]) == DAUGHTER.literals()


@pytest.mark.parametrize(
    "text",
    [
        "IF Father(y, x) AND Female(y) THEN Daughter(x, y).",
        "IF Father(y,x), Female(y) THEN Daughter(x,y)",
        "Daughter(x,y) <- Father(y,x) & Female(y)",
        "Daughter(x,y) :- Father(y,x) && Female(y)",
        "Daughter ( x , y )\n  ← Father(y,x)\n  ∧ Female(y) .",
    ],
)
def test_plain_characters_for_the_signs(text: str) -> None:
    assert parse_book(text) == DAUGHTER


@pytest.mark.parametrize("text", ["D(x) | ~F(x) | G", "D(x) OR NOT F(x) OR G", f"D(x) {OR} not F(x) || G."])
def test_plain_characters_for_the_signs_of_a_disjunction(text: str) -> None:
    assert parse_disjunction(text) == {
        Literal("d", (Variable("X"),)),
        parse_literal("\\+ f(X)"),
        Literal("g"),
    }


def test_what_the_book_calls_terms() -> None:
    clause = parse_book(
        'Older(Bob,x1) ← LessThan(age(x1), age(father_of(Bob))) ∧ ¬At(x1,-3,2.5,"New York",_1)'
    )
    x1, bob = Variable("X1"), Constant("bob")
    ages = Function("age", (x1,)), Function("age", (Function("father_of", (bob,)),))
    at = Literal("at", (x1, Constant(-3), Constant(2.5), Text("New York"), Variable("_1")), negated=True)
    assert clause == Clause(Literal("older", (bob, x1)), (Literal("lessThan", ages), at))


def test_clauses_without_head_or_body() -> None:
    assert (
        parse_book("Father(Sharon,Bob)")
        == parse_book("IF THEN Father(Sharon,Bob)")
        == parse_clause("father(sharon, bob).")
    )
    assert parse_book("Rain ←") == parse_book("Rain ← .") == Clause(Literal("rain"))
    denial = parse_clause(":- p(X), q.")
    assert parse_book("IF P(x) ∧ Q THEN FALSE") == parse_book("← P(x) ∧ Q") == denial
    assert [write_book(denial, style) for style in ("if", "arrow", "or")] == [
        "IF P(x) ∧ Q THEN FALSE",
        "← P(x) ∧ Q",
        f"¬P(x) {OR} ¬Q",
    ]
    for style in ("if", "arrow", "or"):
        assert write_book(parse_clause("rain."), style) == "Rain"
        assert write_book(Clause(None), style) == "⊥"
    assert parse_book("⊥") == parse_book("□") == Clause(None)
    assert parse_disjunction("⊥") == frozenset()


def test_a_disjunction_need_not_be_a_horn_clause() -> None:
    assert parse_disjunction(f"A {OR} B {OR} ¬¬C") == {Literal("a"), Literal("b"), Literal("c")}
    clause = parse_clause("p(X) :- \\+ q(X).")
    assert write_book(clause, "or") == f"P(x) {OR} Q(x)"


small = st.sampled_from(["a", "father_of", "xY", "if", "not", "é"])
leaves = st.one_of(
    small.map(Constant),
    st.integers().map(Constant),
    st.floats(allow_nan=False, allow_infinity=False).map(Constant),
    st.text(max_size=3).map(Text),
    st.sampled_from(["X", "Y1", "If", "_1", "_X", "ÉA"]).map(Variable),
)
terms = st.recursive(
    leaves, lambda inner: st.builds(Function, small, st.lists(inner, max_size=2).map(tuple)), max_leaves=6
)
literals = st.builds(Literal, small, st.lists(terms, max_size=3).map(tuple), st.booleans())
clauses = st.builds(
    Clause,
    st.one_of(st.none(), literals.filter(lambda head: not head.negated)),
    st.lists(literals, max_size=3).map(tuple),
)


@settings(max_examples=25)
@given(clauses)
def test_every_clause_that_has_the_notation_comes_back(clause: Clause) -> None:
    assert parse_book(write_book(clause, "if")) == clause
    assert parse_book(write_book(clause, "arrow")) == clause
    assert parse_disjunction(write_book(clause, "or")) == clause.literals()


@pytest.mark.parametrize(
    "text",
    [
        "p('Bob').",
        "p('New York').",
        "X = Y.",
        "p([a]).",
        "p(X + 1).",
        "p('F'(x)).",
        "'P'(x).",
        "p :- !.",
        "p('ßa').",
        "p('東').",
    ],
)
def test_names_that_do_not_survive_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="has no book notation"):
        write_book(parse_clause(text))


def test_the_words_of_the_notation_are_no_predicates() -> None:
    for name in ("iF", "tHEN", "aND", "oR", "nOT", "fALSE"):
        with pytest.raises(InputError, match=f"the predicate {name} has no book notation"):
            write_book(Clause(Literal(name)))
    assert parse_book("P(IF,and,or,not)") == parse_clause("p(iF, And, Or, Not).")


ERRORS = [
    ("", "line 1, column 1: expected a predicate, which begins with a capital letter, but found the end of the text"),
    ("father(x)", "line 1, column 1: expected a predicate, which begins with a capital letter, but found father"),
    ("IF P(x)", "line 1, column 8: expected ∧ or THEN, but found the end of the text"),
    ("IF P(x) THEN", "line 1, column 13: expected a predicate, which begins with a capital letter, but found the end "
     "of the text"),
    ("P(x) ← Q(x) R(x)", "line 1, column 13: expected ∧, ← or the end of the clause, but found R"),
    ("P(x,\n,y)", "line 2, column 1: expected a term, but found ,"),
    ("P(x y)", "line 1, column 5: expected a comma or ), but found y"),
    ("P(x", "line 1, column 4: expected a comma or ), but found the end of the text"),
    ("P(Q(x))", "line 1, column 3: Q is used as a function; begin functions with a small letter"),
    ("¬P(x) ← Q(x)", "line 1, column 1: the head of a clause cannot be negated"),
    ("P(x) | Q(x)",
     "line 1, column 6: a disjunction is not a rule; read it with parse_disjunction, or give a rule with IF or ←"),
    ("P(1e999)", "line 1, column 3: this number is too large; fractions reach up to about 1.8e308"),
    ("P(東)", "line 1, column 3: 東 must begin with a letter that is either small or capital"),
    ("P(x) @", "line 1, column 6: expected ∧, ← or the end of the clause, but found @"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), ERRORS, ids=[repr(text) for text, _ in ERRORS])
def test_errors_name_the_place_and_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_book(text)
    assert str(caught.value) == message


def test_a_disjunction_has_no_arrow() -> None:
    with pytest.raises(
        InputError, match=r"line 1, column 3: expected .* or the end of the clause, but found ←"
    ):
        parse_disjunction("P ← Q")


def test_unknown_styles_and_kinds_are_refused() -> None:
    with pytest.raises(InputError, match="style is 'prolog'; give 'if', 'arrow' or 'or'"):
        write_book(DAUGHTER, "prolog")
    for read in (parse_book, parse_disjunction):
        with pytest.raises(TypeError, match="a clause is read from text, not from a NoneType"):
            read(None)


WORDS = [
    "P",
    "x",
    "(",
    ")",
    ",",
    "∧",
    OR,
    "¬",
    "←",
    "IF",
    "THEN",
    "FALSE",
    " ",
    "1",
    "-",
    "f(",
    '"',
    "⊥",
    ".",
    "&",
    "|",
]


@settings(max_examples=150)
@given(st.one_of(st.text(max_size=20), st.lists(st.sampled_from(WORDS), max_size=12).map("".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse_book, parse_disjunction):
        try:
            value = read(text)
        except InputError as problem:
            value = str(problem)
        if isinstance(value, Clause):
            assert parse_book(write_book(value)) == value
        elif isinstance(value, str):
            assert value.startswith("line ")


def test_functions_nested_deeply_come_back() -> None:
    depth = 20_000
    text = "P(" + "f(" * depth + "x" + ")" * depth + ")"
    assert write_book(parse_book(text)) == text
