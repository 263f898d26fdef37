"""Terms, literals and clauses written as Prolog text are read back as the same values."""

import math
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.operators import WRITTEN
from induce.logic.parsing import goals_of, literal_of, parse_clause, parse_literal, parse_term
from induce.logic.printing import shown_term, term_of, write_clause, write_literal, write_term
from induce.logic.terms import EMPTY, Constant, Function, Term, Text, Variable, listed

DEEPEST = 20_000
DEEP = 5_000
ODD_NAMES = [
    "",
    "it's",
    "New York",
    "Bob",
    "_x",
    "[]",
    "{}",
    "!",
    ";",
    ",",
    "|",
    ".",
    "/*",
    "%",
    "\\",
    "a\nb",
    "\t",
]
ODD_NAMES += [
    "\0",
    "\x7f",
    "é",
    "Élan",
    "ǅ",
    "東京",
    "ª",
    "²",
    "\ud800",
    "\ufeff",
    "a\u0301",
    '"',
    "`",
    "''",
    "not",
    "#",
]
SIGNS = sorted({*WRITTEN.infix, *WRITTEN.prefix})

names = st.one_of(st.sampled_from(ODD_NAMES + SIGNS), st.text(max_size=4), st.text("ab-+=.\\'", max_size=3))
numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.integers(-3, 3))
variables = st.sampled_from(["X", "Y", "_1", "_2", "_9", "_G", "Élan", "__"]).map(Variable)
leaves = st.one_of(names.map(Constant), numbers.map(Constant), variables, st.text(max_size=4).map(Text))


def compound(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    arguments = st.lists(inner, max_size=3).map(tuple)
    signs = st.sampled_from([*SIGNS, "-", "{}", "not"])
    return st.one_of(
        st.builds(Function, names, arguments),
        st.builds(Function, signs, st.tuples(inner, inner)),
        st.builds(Function, signs, st.tuples(inner)),
        st.builds(listed, st.lists(inner, max_size=3), st.one_of(st.just(EMPTY), inner)),
    )


terms = st.recursive(leaves, compound, max_leaves=12)


def atom(name: str) -> Constant:
    return Constant(name)


def of(name: str, *arguments: Term) -> Function:
    return Function(name, arguments)


A, B, C, ONE = atom("a"), atom("b"), atom("c"), Constant(1)
X, Y = Variable("X"), Variable("Y")

WRITTEN_TERMS = [
    (of("-", A, of("-", B, C)), "a - (b - c)"),
    (of("-", of("-", A, B), C), "a - b - c"),
    (of("^", A, of("^", B, C)), "a ^ b ^ c"),
    (of("^", of("^", A, B), C), "(a ^ b) ^ c"),
    (of("-", ONE), "-(1)"),
    (Constant(-1), "-1"),
    (of("-", Constant(-1)), "- -1"),
    (of("-", of("-", ONE)), "- -(1)"),
    (of("-", ONE, Constant(-1)), "1 - -1"),
    (of("-", of("^", ONE, Constant(2))), "-(1 ^ 2)"),
    (of("^", Constant(-1), Constant(2)), "-1 ^ 2"),
    (of("^", of("-", X), Constant(2)), "(-X) ^ 2"),
    (of("-", of("^", X, Constant(2))), "-X ^ 2"),
    (of("-", of("+", A, B)), "- (a + b)"),
    (of("-", of(",", A, B)), "- (a, b)"),
    (of("+", ONE), "+ 1"),
    (of("\\+", A), "\\+ a"),
    (of("\\+", of("=", A, B)), "\\+ a = b"),
    (of("=", of("\\+", A), B), "(\\+ a) = b"),
    (of("is", X, of("+", Y, ONE)), "X is Y + 1"),
    (of("=", of("=", A, B), C), "(a = b) = c"),
    (of("f", of(":-", A, B), of(",", A, B)), "f((a :- b), (a, b))"),
    (of(":-", A, of(",", B, C)), "a :- b, c"),
    (of(":-", of("dynamic", of("/", A, ONE))), ":- dynamic a / 1"),
    (of(";", of("->", A, B), C), "a -> b ; c"),
    (listed([A, of(",", A, B)], X), "[a, (a, b)|X]"),
    (of(".", A), "'.'(a)"),
    (of("{}", of(",", A, B)), "{a, b}"),
    (of("{}", A, B), "{}(a, b)"),
    (of("[]", A), "[](a)"),
    (of("f"), "f()"),
    (of("", A), "''(a)"),
    (of("=", atom("-"), atom("=")), "(-) = (=)"),
    (of("f", atom("-"), atom(":-")), "f(-, :-)"),
    (of("-", atom("-")), "- (-)"),
    (listed([atom("-")], atom("+")), "[-|+]"),
    (of("not", A), "not(a)"),
    (atom("it's"), "'it\\'s'"),
    (atom("New York"), "'New York'"),
    (atom("Bob"), "'Bob'"),
    (atom("_x"), "'_x'"),
    (atom(""), "''"),
    (atom("élan"), "élan"),
    (atom("a\nb\x01\\"), "'a\\nb\\x1\\\\\\'"),
    (atom("/*"), "'/*'"),
    (Text('say "a\'b"\t'), '"say \\"a\'b\\"\\t"'),
    (Constant(1.0), "1.0"),
    (Constant(1e22), "1.0e+22"),
    (Constant(-2.5e-10), "-2.5e-10"),
    (Constant(10**30), "1" + "0" * 30),
]


@pytest.mark.parametrize(("term", "text"), WRITTEN_TERMS, ids=[text for _, text in WRITTEN_TERMS])
def test_terms_are_written_as_prolog_reads_them(term: Term, text: str) -> None:
    assert write_term(term) == text
    assert parse_term(text) == term


@settings(max_examples=25)
@given(terms)
def test_every_term_comes_back(term: Term) -> None:
    text = write_term(term)
    assert parse_term(text) == term
    assert "\n" not in text
    assert parse_term(write_term(of("f", term, term))) == of("f", term, term)


@settings(max_examples=40)
@given(terms, terms, st.sampled_from(SIGNS))
def test_operators_come_back_with_any_operands(left: Term, right: Term, sign: str) -> None:
    for term in (
        of(sign, left, right),
        of(sign, left),
        of("-", of(sign, left, right)),
        of(sign, of("-", left), right),
    ):
        assert parse_term(write_term(term)) == term


def test_the_sign_of_zero_is_kept() -> None:
    assert math.copysign(1, parse_term(write_term(Constant(-0.0))).value) == -1


def test_a_number_with_more_digits_than_python_writes_comes_back() -> None:
    for number in (10**5000 + 7, -(10**6000)):
        assert parse_term(write_term(Constant(number))) == Constant(number)


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_without_notation_are_refused(number: float) -> None:
    with pytest.raises(InputError, match="has no Prolog notation; use a finite number"):
        write_term(of("f", Constant(number)))


@pytest.mark.parametrize("name", ["x", "", "_", "X Y", "1", "X'"])
def test_variables_without_notation_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="begin its name with a capital letter"):
        write_term(Variable(name))


@pytest.mark.parametrize("wrong", [Constant(True), Constant(None), 3, "a", None])
def test_what_is_no_term_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"not a (bool|NoneType|int|str)"):
        write_term(Function("f", (A, wrong)))


DEEP_TERMS = {
    "functions": lambda: chained(A, lambda term: of("f", term), DEEPEST),
    "second arguments": lambda: chained(A, lambda term: of("f", A, term)),
    "signs": lambda: chained(ONE, lambda term: of("-", term), DEEPEST),
    "sums on the left": lambda: chained(ONE, lambda term: of("+", term, ONE)),
    "sums on the right": lambda: chained(ONE, lambda term: of("+", ONE, term)),
    "sums of differences": lambda: chained(ONE, lambda term: of("-", of("+", term, ONE))),
    "powers": lambda: chained(X, lambda term: of("^", X, term)),
    "conjunctions": lambda: chained(A, lambda term: of(",", A, term)),
    "nested lists": lambda: chained(EMPTY, lambda term: listed([term])),
    "braces": lambda: chained(A, lambda term: of("{}", term)),
    "negations": lambda: chained(A, lambda term: of("\\+", term)),
}


def chained(term: Term, step, times: int = DEEP) -> Term:
    for _ in range(times):
        term = step(term)
    return term


@pytest.mark.parametrize("kind", DEEP_TERMS)
def test_terms_nested_deeply_come_back(kind: str) -> None:
    term = DEEP_TERMS[kind]()
    assert parse_term(write_term(term)) == term


def test_a_long_list_comes_back() -> None:
    elements = [Constant(number) for number in range(2 * DEEPEST)]
    term = listed(elements, X)
    text = write_term(term)
    assert text.startswith("[0, 1, 2, ")
    assert text.endswith(f", {2 * DEEPEST - 1}|X]")
    assert parse_term(text) == term


literals = st.builds(
    Literal,
    st.sampled_from(["p", "q r", "=", "-", "dynamic", "<"]),
    st.lists(terms, max_size=2).map(tuple),
    st.booleans(),
)


@settings(max_examples=40)
@given(literals)
def test_every_plain_literal_comes_back(literal: Literal) -> None:
    assert parse_literal(write_literal(literal)) == literal
    assert literal_of(term_of(literal)) == literal


@settings(max_examples=40)
@given(terms)
def test_what_was_read_as_a_literal_comes_back(term: Term) -> None:
    negated = isinstance(term, Function) and term.name in ("\\+", "not") and len(term.arguments) == 1
    said = term.arguments[0] if negated else term
    if isinstance(said, Text) or (isinstance(said, Constant) and not isinstance(said.value, str)):
        with pytest.raises(InputError, match="cannot be a literal"):
            literal_of(term)
        return
    literal = literal_of(term)
    assert literal_of(term_of(literal)) == literal
    assert parse_literal(write_literal(literal)) == literal


def up_to_anonymous(clause: Clause) -> Clause:
    """Number the anonymous variables that occur once by their order, behind all others."""
    written = [
        each
        for literal in ([clause.head] if clause.head else []) + list(clause.body)
        for each in literal.variables()
    ]
    single = [each for each in written if written.count(each) == 1 and each.name.strip(string.digits) == "_"]
    names = {each: Variable(f"Anonymous{place}") for place, each in enumerate(single)}

    def renamed(term: Term) -> Term:
        if isinstance(term, Function):
            return Function(term.name, tuple(map(renamed, term.arguments)))
        return names.get(term, term) if isinstance(term, Variable) else term

    def literal(told: Literal) -> Literal:
        return Literal(told.name, tuple(map(renamed, told.arguments)), told.negated)

    return Clause(clause.head and literal(clause.head), tuple(map(literal, clause.body)))


heads = literals.filter(lambda literal: not literal.negated)


@settings(max_examples=25)
@given(st.builds(Clause, st.one_of(st.none(), heads), st.lists(literals, max_size=3).map(tuple)))
def test_every_clause_comes_back_up_to_anonymous_variables(clause: Clause) -> None:
    text = write_clause(clause)
    assert text.endswith(".")
    assert "\n" not in text
    once = parse_clause(text)
    assert up_to_anonymous(once) == up_to_anonymous(clause)
    assert write_clause(once) == text


@pytest.mark.parametrize(
    "text",
    [
        "p(_, X, _) :- q(_, X).",
        "p(X) :- \\+ q(X, _), (a ; b -> c), !, findall(Y, r(Y, _), L), call(X, L).",
        "p :- \\+ (a, b), \\+ \\+ c, call(X).",
        "p(_1, _1, _).",
        ":- a, b.",
        ":- .",
        "- .",
        "+ :- a.",
        "dynamic.",
        "(dynamic) :- a.",
        "a = (=).",
        "X = Y :- X == Y.",
        "p(- 'A', 1.0e+22, \"s\", [a|T]).",
        "p :- true.",
    ],
)
def test_a_clause_that_was_read_comes_back_exactly(text: str) -> None:
    clause = parse_clause(text)
    assert parse_clause(write_clause(clause)) == clause


def test_clauses_are_written_on_one_line() -> None:
    clause = parse_clause("daughter(X,Y):-father(Y,X),female(Y),\\+adopted(X,_),\n(a;b)")
    assert write_clause(clause) == "daughter(X, Y) :- father(Y, X), female(Y), \\+ adopted(X, _), (a ; b)."
    assert write_clause(Clause(None)) == ":- ."
    assert write_clause(Clause(Literal("-"))) == "- ."
    assert write_clause(Clause(Literal("p"), (Literal("q"),))) == "p :- q."


def test_only_variables_without_a_name_that_occur_once_are_hidden() -> None:
    assert write_clause(parse_clause("p(_, _X, _1, _1, Y) :- q(_).")) == "p(_, _X, _1, _1, Y) :- q(_)."
    assert write_literal(parse_literal("p(_, _)")) == "p(_1, _2)"
    assert write_term(parse_term("f(_, _1)")) == "f(_2, _1)"


def test_literals_with_a_simpler_form_come_back_in_it() -> None:
    conjunction = Clause(Literal("p"), (Literal(",", (A, B)), Literal("c")))
    assert parse_clause(write_clause(conjunction)) == parse_clause("p :- a, b, c.")
    assert parse_literal(write_literal(Literal("\\+", (A,)))) == Literal("a", negated=True)
    assert parse_literal(write_literal(Literal("not", (A,)))) == Literal("a", negated=True)
    assert parse_literal(write_literal(Literal(";", (A, B), negated=True))) == Literal(
        "\\+", (of(";", A, B),)
    )


def test_a_long_body_comes_back() -> None:
    clause = Clause(Literal("p"), tuple(Literal("q", (Constant(place),)) for place in range(DEEP)))
    assert parse_clause(write_clause(clause)) == clause
    assert len(goals_of(parse_term("a" + ", a" * DEEP))) == DEEP + 1
    assert len(goals_of(parse_term("(" * DEEP + "a" + ", a)" * DEEP))) == DEEP + 1


def test_a_term_that_shares_its_parts_is_shown_up_to_a_bound() -> None:
    term: Term = A
    for _ in range(200):
        term = of("f", term, term)
    assert shown_term(term, most=100).endswith(" …")
    assert shown_term(of("f", A, B), most=100) == "f(a, b)"
