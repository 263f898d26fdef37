"""Prolog text: what is read, what is refused and where, and texts that are deep, long, cut off or hostile."""

import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.parsing import (
    goals_of,
    literal_of,
    parse_clause,
    parse_literal,
    parse_program,
    parse_term,
    read_program,
    term_of,
)
from induce.logic.printing import write_term
from induce.logic.terms import Constant, Function, Term, Text, Variable, unlisted

DEEP = 20_000


def shape(term: Term) -> str:
    """Write a small term with all of its operators as functions."""
    if not isinstance(term, Function):
        return repr(term.value) if isinstance(term, Text) else write_term(term)
    return f"{write_term(Constant(term.name))}({','.join(map(shape, term.arguments))})"


SHAPES = {
    "a - b - c": "-(-(a,b),c)",
    "a - (b - c)": "-(a,-(b,c))",
    "2 ** 3 ^ 4": "error",
    "2 ^ 3 ^ 4": "^(2,^(3,4))",
    "1 + 2 * 3": "+(1,*(2,3))",
    "- 1": "-(1)",
    "-(1)": "-(1)",
    "- (1)": "-(1)",
    "-1": "-1",
    "- -1": "-(-1)",
    "- - 1": "-(-(1))",
    "1 -1": "-(1,1)",
    "1 - -1": "-(1,-1)",
    "a-1": "-(a,1)",
    "-1^2": "^(-1,2)",
    "- 1^2": "-(^(1,2))",
    "-a^2": "-(^(a,2))",
    "-(1, 2)": "-(1,2)",
    "- (1, 2)": "-(','(1,2))",
    "+1": "+(1)",
    "\\+ a": "\\+(a)",
    "\\+a = b": "\\+(=(a,b))",
    "\\+ (a, b)": "\\+(','(a,b))",
    "not a": "not(a)",
    "X is Y + 1": "is(X,+(Y,1))",
    "X =.. [f|Xs]": "=..(X,'.'(f,Xs))",
    "a :- b, c ; d -> e": ":-(a,;(','(b,c),->(d,e)))",
    "f((a :- b))": "f(:-(a,b))",
    "f(a :- b, c)": "f(:-(a,b),c)",
    "f((a, b), c)": "f(','(a,b),c)",
    ":- dynamic a/1, b/2": ":-(dynamic(','(/(a,1),/(b,2))))",
    "dynamic is / 2": "dynamic(/(is,2))",
    "dynamic :- a": ":-(dynamic,a)",
    "table = 1": "=(table,1)",
    "on(a, table)": "on(a,table)",
    "- = x": "=(-,x)",
    "\\+ =": "\\+(=)",
    "[-, +|*]": "'.'(-,'.'(+,*))",
    "- (-)": "-(-)",
    "=(a, b)": "=(a,b)",
    "'is'(a, b)": "is(a,b)",
    "a mod b": "mod(a,b)",
    "a 'mod' b": "error",
    "f(',', '|', ;, !)": "f(',','|',;,!)",
    "[a, b|T]": "'.'(a,'.'(b,T))",
    "[a|[b]]": "'.'(a,'.'(b,[]))",
    "'.'(a, [])": "'.'(a,[])",
    "[ ]": "[]",
    "[% nothing\n]": "[]",
    "{ }": "{}",
    "{a, b}": "{}(','(a,b))",
    "{}(a)": "{}(a)",
    "((((a))))": "a",
    "f()": "f()",
    "a/*b*/- /**/c": "-(a,c)",
    "a % b\n- c": "-(a,c)",
    "modeb(*, p(+t, -t, #t))": "modeb(*,p(+(t),-(t),#(t)))",
    "élan": "élan",
    "東京": "'東京'",
}


@pytest.mark.parametrize("text", SHAPES)
def test_operators_bind_as_in_standard_prolog(text: str) -> None:
    if SHAPES[text] == "error":
        with pytest.raises(InputError, match="line 1, column"):
            parse_term(text)
    else:
        assert shape(parse_term(text)) == SHAPES[text]
        assert parse_term(f" {text}\n .") == parse_term(text)


VALUES = {
    "'it''s'": "it's",
    "'New York'": "New York",
    "''": "",
    "'a\\nb\\tc\\\\d\\'e\\\"f\\`'": "a\nb\tc\\d'e\"f`",
    "'\\x41\\\\x42\\C'": "ABC",
    "'\\101\\\\u00e9\\U0001F600'": "Aé😀",
    "'one \\\nline'": "one line",
    "'one \\\r\nline'": "one line",
    "'a\"\"b'": 'a""b',
    "0'a": 97,
    "0' ": 32,
    "0'''": 39,
    "0'\\n": 10,
    "0'\\\\": 92,
    "0'\\x41\\": 65,
    "0x1F": 31,
    "0o17": 15,
    "0b101": 5,
    "1_000_000": 1_000_000,
    "12345678901234567890123": 12345678901234567890123,
    "1.5": 1.5,
    "1.5e3": 1500.0,
    "1.5E-3": 0.0015,
    "1e10": 1e10,
    "-2.5": -2.5,
    "-0x10": -16,
    "1_000.25": 1000.25,
}


@pytest.mark.parametrize("text", VALUES)
def test_names_and_numbers(text: str) -> None:
    assert parse_term(text) == Constant(VALUES[text])


def test_strings() -> None:
    assert parse_term('"a ""b"" \\"c\\" it\'\'s\\n"') == Text('a "b" "c" it\'\'s\n')


def test_numbers_of_any_size() -> None:
    digits = "123456789" * 1000
    value = parse_term(digits).value
    assert value % 10**9 == 123456789
    assert value == int(digits[:4000]) * 10**5000 + int(digits[4000:6000]) * 10**3000 + int(digits[6000:])
    assert parse_term(f"-{digits}") == Constant(-value)


ERRORS = [
    ("", "line 1, column 1: expected a term, but found the end of the text"),
    ("f(a", "line 1, column 4: expected an operator, a comma or ), but found the end of the text; "
     "the bracket of line 1, column 2 is still open"),
    ("f(a,\n [b).", "line 2, column 4: expected an operator, a comma, | or ], but found ); "
     "the bracket of line 2, column 2 is still open"),
    ("a)", "line 1, column 2: expected an operator or a full stop, but found )"),
    ("a b", "line 1, column 3: expected an operator or a full stop, but found b"),
    ("f (a)", "line 1, column 3: expected an operator or a full stop, but found ("),
    ("(a, )", "line 1, column 5: expected a term, but found ); the bracket of line 1, column 1 is still open"),
    ("[a|b, c]", "line 1, column 5: expected ], but found ,"),
    ("[a|b|c]", "line 1, column 5: expected ], but found |"),
    ("(a | b)", "line 1, column 4: | separates the rest of a list and cannot stand here; write ; for or"),
    ("{a", "line 1, column 3: expected an operator or }, but found the end of the text; "
     "the bracket of line 1, column 1 is still open"),
    ("a = b = c", "line 1, column 7: = cannot follow = without brackets; put brackets around one of the two"),
    ("a :- b :- c", "line 1, column 8: :- cannot follow :- without brackets; put brackets around one of the two"),
    ("1 - \\+ a", "line 1, column 5: \\+ is an operator with an operand here; put brackets around both"),
    ("a =", "line 1, column 4: expected a term, but found the end of the text"),
    ("a = , b", "line 1, column 5: expected a term, but found ,"),
    ("'abc", "line 1, column 1: this quoted name is not closed on its line; close it with ', or write \\n for a line "
     "break"),
    ("p('a\nb')", "line 1, column 3: this quoted name is not closed on its line; close it with ', or write \\n for a "
     "line break"),
    ('p("a\nb")', 'line 1, column 3: this string is not closed on its line; close it with ", or write \\n for a line '
     "break"),
    ("a /* b", "line 1, column 3: this comment is never closed; close it with */"),
    ("`abc`", "line 1, column 1: text in back quotes is not supported; write it in single or double quotes"),
    ("a ∧ b", "line 1, column 3: the character '∧' is not allowed here; put a name that contains it in single "
     "quotes"),
    ("a\0", "line 1, column 2: there is a NUL character; the source is not a text, or it is damaged"),
    ("'\\q'", "line 1, column 1: the escape \\q is not known; write \\\\ for a backslash"),
    ("'\\8'", "line 1, column 1: the escape \\8 is not known; write \\\\ for a backslash"),
    ("'\\xFFFFFFFF\\'",
     "line 1, column 1: the escape \\xFFFFFFFF\\ is not a character; the last one is \\x10FFFF\\"),
    ("0'\\\n", "line 1, column 1: 0' stands before a line break; write a character after it"),
    ("1e999", "line 1, column 1: this number is too large; fractions reach up to about 1.8e308"),
    ("1.0Inf", "line 1, column 4: expected an operator or a full stop, but found Inf"),
    ("a " + "9" * 5000, f"line 1, column 3: expected an operator or a full stop, but found {'9' * 40}…"),
    ("a 'b\\\nc'", "line 1, column 3: expected an operator or a full stop, but found \"'b\\\\\\nc'\""),
    ("'\\\1'", "line 1, column 1: the escape '\\\\\\x01' is not known; write \\\\ for a backslash"),
    ("a. b.", "line 1, column 4: the text continues after the full stop; give one term or clause at a time"),
    ("p(a))\n'", "line 1, column 5: expected an operator or a full stop, but found )"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), ERRORS, ids=[repr(text[:20]) for text, _ in ERRORS])
def test_errors_name_the_place_and_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_term(text)
    assert str(caught.value) == message


CLAUSE_ERRORS = [
    ("p.\n 3 :- q.", "line 2, column 2: 3 cannot be a literal; write a predicate with its arguments"),
    ("p.\nX :- q.", "line 2, column 1: X cannot be the head of a clause; name a predicate"),
    ("X.", "line 1, column 1: X cannot be the head of a clause; name a predicate"),
    ('"p".', 'line 1, column 1: "p" cannot be a literal; write a predicate with its arguments'),
    ("p :- q, 3.", "line 1, column 1: 3 cannot be a literal; write a predicate with its arguments"),
    ("\\+ p :- q.", "line 1, column 1: the head \\+ p of a clause is negated; give a positive literal"),
    ("not(p).", "line 1, column 1: the head not(p) of a clause is negated; give a positive literal"),
    ("p, q.", "line 1, column 1: the head p, q of a clause is a control construct; name a predicate"),
    ("!.", "line 1, column 1: the head ! of a clause is a control construct; name a predicate"),
    ("(a :- b) :- c.", "line 1, column 1: the head a :- b of a clause is a control construct; name a predicate"),
    ("s --> np, vp.",
     "line 1, column 1: grammar rules with --> are not supported; write the clauses that they stand for"),
    ("p.\nq", "line 2, column 2: the text ends without the full stop of the clause at line 2, column 1"),
    ("p :-\n  q(", "line 2, column 5: expected a term, but found the end of the text; "
     "the bracket of line 2, column 4 is still open"),
    ("p(a).\nq(b)\nr(c).", "line 3, column 1: expected an operator or a full stop, but found r"),
    ("p(a)..", "line 1, column 5: expected an operator or a full stop, but found .."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), CLAUSE_ERRORS, ids=[repr(text) for text, _ in CLAUSE_ERRORS])
def test_errors_in_programs(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_program(text)
    assert str(caught.value) == message
    with pytest.raises(InputError) as caught:
        parse_program(text, source="file.pl")
    assert str(caught.value) == f"file.pl, {message}"


def test_a_long_term_is_cut_in_a_message() -> None:
    with pytest.raises(InputError) as caught:
        parse_clause("\\+ p([" + "a, " * 1000 + "a])")
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("read", [parse_term, parse_literal, parse_clause, parse_program])
def test_only_text_is_read(read) -> None:
    with pytest.raises(TypeError, match="from text, not from a bytes"):
        read(b"p.")


def test_literals() -> None:
    negated = Literal("p", (Variable("X"),), negated=True)
    for text in ("\\+ p(X)", "\\+p(X).", "not p(X)", "not(p(X))", "\\+(p(X))"):
        assert parse_literal(text) == negated
    assert parse_literal("p") == Literal("p")
    assert parse_literal("X < 3") == Literal("<", (Variable("X"), Constant(3)))
    with pytest.raises(InputError, match="line 1, column 2: 3 cannot be a literal"):
        parse_literal(" 3")


def test_clauses() -> None:
    x, y = Variable("X"), Variable("Y")
    rule = Clause(Literal("d", (x, y)), (Literal("f", (y, x)), Literal("g", (y,), negated=True)))
    assert parse_clause("d(X, Y) :- f(Y, X), \\+ g(Y).") == rule
    assert parse_clause("d(X, Y):-f(Y,X),\\+g(Y)") == rule
    assert parse_clause("p.") == Clause(Literal("p"))
    assert parse_clause(":- p, q.") == parse_clause("?- p, q.") == Clause(None, (Literal("p"), Literal("q")))
    assert parse_clause(":- .") == Clause(None)


def test_control_constructs_are_literals_over_terms() -> None:
    a, b, x = Constant("a"), Constant("b"), Variable("X")
    clause = parse_clause(
        "p :- (a ; b), (a -> b), (a *-> b), \\+ (a, b), !, X, call(X, a), findall(X, a, L), \\+ \\+ a."
    )
    assert clause.body == (
        Literal(";", (a, b)),
        Literal("->", (a, b)),
        Literal("*->", (a, b)),
        Literal("\\+", (Function(",", (a, b)),)),
        Literal("!"),
        Literal("call", (x,)),
        Literal("call", (x, a)),
        Literal("findall", (x, a, Variable("L"))),
        Literal("\\+", (Function("\\+", (a,)),)),
    )
    assert parse_clause("p :- \\+ X, \\+ call(X, a), \\+ !.").body == (
        Literal("call", (x,), negated=True),
        Literal("call", (x, a), negated=True),
        Literal("\\+", (Constant("!"),)),
    )
    assert parse_clause("p :- ((a, b), (a, b)).").body == (Literal("a"), Literal("b")) * 2


def test_literals_and_terms_turn_into_each_other() -> None:
    for text in ("p", "p(X)", "\\+ p(X)", "X < Y", "a ; b", "\\+ (a, b)", "[]", "''", "call(X)", "!"):
        term = parse_term(text)
        assert term_of(literal_of(term)) == term
    assert literal_of(Variable("X")) == Literal("call", (Variable("X"),))
    assert goals_of(parse_term("a, X, \\+ b")) == (
        Literal("a"),
        Literal("call", (Variable("X"),)),
        Literal("b", negated=True),
    )


def test_each_anonymous_variable_is_another_one() -> None:
    assert [each.name for each in parse_clause("p(_, _) :- q(_).").variables()] == ["_1", "_2", "_3"]
    assert [each.name for each in parse_clause("p(_, _1, _) :- q(_3).").variables()] == [
        "_2",
        "_1",
        "_4",
        "_3",
    ]
    first, second = parse_program("p(_). q(_, X).")
    assert [each.name for each in first.variables()] == ["_1"]
    assert [each.name for each in second.variables()] == ["_1", "X"]


def test_a_program_keeps_the_order_of_clauses_and_directives() -> None:
    program = parse_program(
        ":- use_module(library(lists)).\n"
        "/* facts */ p(a). p(b).%end\n"
        "q(X) :- p(X).\n"
        "?- q(X), write(X).\n"
        ":- initialization main.\n"
        "p('C d', -1, 2.5)."
    )
    assert str(program) == "p(a).\np(b).\nq(X) :- p(X).\np('C d', -1, 2.5)."
    assert [str(each) for each in program.directives] == [
        "use_module(library(lists))",
        "q(X), write(X)",
        "initialization main",
    ]
    assert parse_program(" % nothing\n/* at all */") == parse_program("") == Program()


def test_operators_declared_in_a_text_hold_from_there_on() -> None:
    program = parse_program(
        ":- op(700, xfx, ===>). a ===> b.\n"
        ":- op(650, yf, [twice, thrice]), op(200, fy, &). p(x twice thrice, & & y).\n"
        ":- op(0, xfx, ===>). '===>'(c, d)."
    )
    assert str(program) == "===>(a, b).\np(thrice(twice(x)), &(&(y))).\n===>(c, d)."
    with pytest.raises(
        InputError, match="line 2, column 3: expected an operator or a full stop, but found ===>"
    ):
        parse_program(":- op(700, xfx, ===>), op(0, xfx, ===>).\na ===> b.")
    with pytest.raises(InputError, match="found ===>"):
        parse_program("a ===> b.")


@pytest.mark.parametrize(
    "declared",
    [
        "1201, xfx, is_",
        "-1, xfx, is_",
        "700, xfz, is_",
        "X, xfx, is_",
        "700, xfx, X",
        "700, xfx, 3",
        "7.0, xfx, is_",
    ],
)
def test_invalid_declarations_of_operators_are_left(declared: str) -> None:
    with pytest.raises(InputError, match="found is_"):
        parse_program(f":- op({declared}). a is_ b.")
    assert len(parse_program(f":- op({declared}). a = b.").directives) == 1


def test_commas_brackets_and_clashing_operators_cannot_be_declared() -> None:
    program = parse_program(
        ":- op(200, xfy, ','), op(200, xfy, '[]'), op(200, xf, +), op(200, xfy, '|'). p :- a + b, c."
    )
    assert str(program) == "p :- a + b, c."


# facts take a short way; with a comment inside they take the long one
plain = st.one_of(
    st.from_regex(r"[a-z]\w{0,3}", fullmatch=True),
    st.sampled_from(
        [
            "dynamic",
            "is",
            "mod",
            "-1",
            "- 1",
            "0",
            "007",
            "1.50",
            "-0.0",
            "1e5",
            "0'a",
            "1_0",
            "0x1f",
            "X",
            "_",
        ]
    ),
    st.sampled_from(
        ["'A b'", "'it''s'", "''", "'a\\nb'", "'x,y'", '"s"', "f(x)", "[]", "+", "é", "123456789012345678"]
    ),
    st.integers().map(str),
)


@settings(max_examples=150)
@given(
    st.sampled_from(["p", "dynamic", "is", "pÉ"]),
    st.lists(plain, min_size=1, max_size=4),
    st.sampled_from(["", " ", "\n "]),
)
def test_the_short_way_of_facts_gives_the_same(name: str, arguments: list[str], space: str) -> None:
    inside = f"{space},{space}".join(arguments)
    short = f"{space}{name}({space}{inside}{space}){space}.%"
    long = f"{name}(/**/{inside})."
    assert parse_program(short) == parse_program(long)
    assert parse_program(short).clauses[0] == parse_clause(long)


def test_many_facts() -> None:
    text = "\n".join(f"edge(n{place % 997}, n{place % 1009})." for place in range(20_000))
    program = parse_program(text)
    assert len(program) == 20_000
    assert str(program) == text


DEEP_TEXTS = {
    "functions": ("f(" * DEEP + "a" + ")" * DEEP, "f"),
    "brackets": ("(" * DEEP + "a" + ")" * DEEP, None),
    "signs": ("- " * DEEP + "1", "-"),
    "sums": ("1" + "+1" * DEEP, "+"),
    "conjunctions": ("a" + ",a" * DEEP, ","),
}


@pytest.mark.parametrize("kind", DEEP_TEXTS)
def test_texts_nested_deeply_are_read(kind: str) -> None:
    text, name = DEEP_TEXTS[kind]
    term = parse_term(text)
    depth = 0
    while isinstance(term, Function):
        assert term.name == name
        depth += 1
        term = term.arguments[-1] if kind == "conjunctions" else term.arguments[0]
    assert depth == (0 if kind == "brackets" else DEEP)


def test_a_long_list_is_read() -> None:
    elements, end = unlisted(parse_term("[" + "a," * (2 * DEEP - 1) + "a|T]"))
    assert len(elements) == 2 * DEEP
    assert end == Variable("T")


HOSTILE = {
    "comments": "/*" * DEEP,
    "quotes": "'" * (2 * DEEP + 1),
    "brackets": "([{" * DEEP,
    "closing": ")]}" * DEEP,
    "calls": "f(" * DEEP,
    "commas": "p(" + "a," * DEEP,
    "half lists": "[a|" * DEEP,
    "signs": "- " * DEEP,
    "equations": "a = " * DEEP + "a",
    "dots": "." * DEEP,
    "words": "a " * DEEP,
    "backslashes": "'" + "\\" * DEEP,
    "open list comments": "[/*" * DEEP,
    "facts without end": "p(" + "'a', " * DEEP + "'a') ",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_texts_get_one_sentence_soon(kind: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_program(HOSTILE[kind])
    message = str(caught.value)
    assert message.startswith("line 1, column ")
    assert len(message) < 250


@pytest.mark.parametrize(
    "text", [" " * 2 * DEEP, "\n" * 2 * DEEP, "%\n" * DEEP, "/**/" * DEEP, "p." + "\n" * 2 * DEEP]
)
def test_layout_alone_is_read_soon(text: str) -> None:
    assert len(parse_program(text)) == text.count("p.")


PROGRAM = """\
:- dynamic edge/2.
edge(a, 'B c'). edge("s", -1.5e3). /* note */
path(X, Y) :- edge(X, Y), \\+ X = Y, ( a -> [b, c|_] ; {d, 0'e} ). % end
p :- X is 2 ** -1 + 0x1F, q(X, 'it''s\\n').
"""


def refusal(read, text: str) -> str | None:
    """Say why a text is refused, or return None if it is read."""
    try:
        read(text)
    except InputError as problem:
        return str(problem)
    return None


def test_every_beginning_of_a_program_is_read_or_refused() -> None:
    problems = [refusal(parse_program, PROGRAM[:end]) for end in range(len(PROGRAM) + 1)]
    assert all(problem is None or problem.startswith("line ") for problem in problems)
    assert problems[-1] is None
    # the places behind the full stops, but not those within a comment that is not closed
    assert problems.count(None) > 10


WORDS = [
    "a",
    "X",
    "_",
    "1",
    "2.5",
    "-",
    "+",
    "=",
    ":-",
    "\\+",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "f(",
    "'q'",
    '"s"',
    "'",
]
WORDS += [
    " ",
    ".",
    ". ",
    "\n",
    "%",
    "/*",
    "*/",
    "0'",
    "\\",
    "dynamic",
    "is",
    "-->",
    "op(",
    "!",
    ";",
    "xfx",
    "700",
    "é",
    "∧",
    "\0",
]


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=30), st.lists(st.sampled_from(WORDS), max_size=15).map("".join)))
def test_any_text_is_read_or_refused_in_one_sentence(text: str) -> None:
    for read in (parse_term, parse_literal, parse_clause, parse_program):
        problem = refusal(read, text)
        if problem is not None:
            assert problem.startswith("line ")
        elif "_" not in text:
            value = read(text)
            assert read(str(value)) == (Program(value.clauses) if isinstance(value, Program) else value)


def test_a_file_with_a_byte_order_mark_and_directives_is_read_with_a_note(tmp_path: Path) -> None:
    file = tmp_path / "zoo.pl"
    file.write_bytes("\ufeff:- dynamic p/1.\r\n?- p(X).\r\np('zoë').\r\n".encode())
    with pytest.warns(Note, match=r"^zoo\.pl: 2 directives are ignored; nothing in a file is run$"):
        program = read_program(file)
    assert program.clauses == (Clause(Literal("p", (Constant("zoë"),))),)
    assert len(program.directives) == 2
    file.write_text(":- p.", encoding="utf-8")
    with pytest.warns(Note, match="1 directive is ignored"):
        read_program(str(file))


def test_a_file_without_directives_is_read_without_a_note(tmp_path: Path) -> None:
    file = tmp_path / "facts.pl"
    file.write_text("p(a).", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(read_program(file)) == 1


def test_errors_in_files_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.pl"
    file.write_text("p(a).\nq(b", encoding="utf-8")
    with pytest.raises(InputError, match=r"^bad\.pl, line 2, column 4: expected an operator, a comma or \)"):
        read_program(file)
    file.write_bytes(b"p(a).\nq(\xff).")
    with pytest.raises(
        InputError, match=r"^line 2 of 'bad\.pl' is not UTF-8 \(byte 0xff\); save the file as UTF-8$"
    ):
        read_program(file)
    with pytest.raises(InputError, match="there is no file"):
        read_program(tmp_path / "none.pl")
    with pytest.raises(InputError, match="is a folder"):
        read_program(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_program("a\0b")
