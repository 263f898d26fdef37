"""Small questions are answered without a compiler, and as with one."""

import re
import subprocess
import sys

import numpy as np
import pytest

from induce.core import loops
from induce.core.errors import InputError
from induce.logic import _machine_loops as machine_loops
from induce.logic import joins, machine
from induce.logic.bottom_up import consequences
from induce.logic.facts import Facts, Symbols
from induce.logic.limits import Limits
from induce.logic.parsing import parse_literal, parse_program
from induce.logic.prover import Prover
from induce.logic.terms import Constant

pytestmark = pytest.mark.compiled

PROGRAM = """
edge(a, b). edge(b, c). edge(c, a). edge(c, d).
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
size(1, small). size(2, small). size(3.5, small). size(-4, large). size("t", text). size(f(X), X). size([], none).
size(7, odd). size(8, even). size(f(f(g)), deep).
reverse([], []). reverse([H | T], R) :- reverse(T, S), append(S, [H], R).
sink(X) :- path(_, X), \\+ edge(X, _).
"""
GOALS = [
    "path(X, Y)",
    "sink(X)",
    "size(X, small), integer(X), Y is X * -7 // 2 + X mod 3",
    "size(X, small), number(X), Y is X * -7.25 + abs(X), Y < -2",
    "size(f(g), X)",
    "size(X, Y), (number(X) -> Z = number ; Z = other)",
    'reverse([1, 2.5, f(Z), "text", Y, [], Y], X)',
    "findall(X-Y, path(X, Y), L), msort(L, S), length(S, N)",
    "X is 2 ** 80 + 1.5 - 3 / 4, Y is max(3, 10 rem -4), compare(O, X, Y)",
    "forall(edge(X, Y), path(X, Y)), once(path(X, d)), call(edge, X, Y)",
    "X = f(Y, Y), Y = g(Z), X \\= f(a, b), f(Z, 1) @< X",
    "append(X, Y, [1, 2]), X \\== Y",
]


def named(text):
    """Return a text in which new variables have the same names every time."""
    names = dict.fromkeys(re.findall(r"_\d+", text))
    return re.sub(r"_\d+", lambda found: f"_{list(names).index(found[0])}", text)


def answers(occurs_check):
    program = parse_program(PROGRAM)
    found = []
    for goal in GOALS:
        prover = Prover(program, occurs_check=occurs_check, limits=Limits(inferences=10_000))
        found.append([named(f"{each.substitution} {each.proof}") for each in prover.prove(goal)])
    held = prover.holds_each([parse_literal(f"path({x}, {y})") for x in "abcd" for y in "abcd"])
    given = prover.solutions_each(("size", 2), [1], [[Constant(name)] for name in ("small", "odd", "none")])
    return found, held.tolist(), str(given)


@pytest.mark.parametrize("occurs_check", [False, True])
def test_plain_and_compiled_machines_find_the_same(occurs_check, monkeypatch):
    monkeypatch.setattr(loops, "PLAIN_WORK", np.inf)
    plain = answers(occurs_check)
    assert all(plain[0])
    monkeypatch.setattr(loops, "PLAIN_WORK", -1.0)
    assert answers(occurs_check) == plain
    # in the midst of it, wherever that is
    monkeypatch.setattr(machine, "PLAIN_FUEL", 1)
    turns = iter(range(10**9))

    def in_turn(function, work):
        return loops.compiled(function) if next(turns) % 13 == 12 else function

    monkeypatch.setattr(machine, "repeated", in_turn)
    assert answers(occurs_check) == plain


def test_terms_that_contain_themselves_are_left_to_the_compiled_machine(monkeypatch):
    monkeypatch.setattr(machine, "LONGEST", 2_000)
    monkeypatch.setattr(machine, "PLAIN_LONGEST", 100)
    monkeypatch.setattr(loops, "PLAIN_WORK", np.inf)
    prover = Prover(parse_program(""))
    with pytest.raises(InputError, match="too large to compare or cyclic"):
        prover.holds("X = f(X, X), Y = f(Y, Y), X = Y")
    long = "length(L, 200), length(M, 200), maplist(=(a), L), "
    assert prover.holds(long + "maplist(=(a), M), L = M")


def test_numbers_are_mixed_alike():
    of_code = np.array([3, 4, 0, 0, 0, 1 << 60, -1 << 61, -5, 0x3FF8000000000000])
    index, entries = np.zeros(64, np.int64), np.array([7, -1 << 40, 1, 2, 8, 1 << 59, 3, 4, 7, 12, 5, 6])
    plain = np.zeros(64, np.int64)
    machine_loops.fill_index(plain.data, entries.data)
    loops.compiled(machine_loops.fill_index)(index, entries)
    assert plain.tolist() == index.tolist()
    found = []
    for rehash in (machine_loops.rehash, loops.compiled(machine_loops.rehash)):
        after = np.zeros(1 << 12, np.int64)
        code = np.append(np.zeros(1, np.int64), of_code)
        rehash(code, np.array([1, 0]), after)
        found.append(after.tolist())
    assert found[0] == found[1]


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(("bits", "n_symbols"), [(1 << 20, 30), (0, 30), (0, 50_000)])
def test_plain_and_compiled_joins_derive_the_same(bits, n_symbols, monkeypatch):
    monkeypatch.setattr(joins, "BITS_AT_MOST", bits)
    monkeypatch.setattr(joins, "BITS_FOR_A_WHILE", bits)
    rows = np.random.default_rng(0).integers(0, 25, (60, 2))
    program = parse_program(
        "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z). "
        "wide(X, Y, Z, c) :- edge(X, Y), edge(Y, Z), X \\= Z."
    )
    found = []
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
        symbols = Symbols(Constant(k) for k in range(n_symbols))
        base = consequences(program, {("edge", 2): Facts.of(rows)}, symbols)
        found.append({name: facts.rows.tolist() for name, facts in base.relations.items()})
    assert found[0] == found[1]
    assert len(found[0]["path", 2]) > 100


def test_small_questions_need_no_compiler():
    code = (
        "import sys; from induce.logic import parse_program; from induce.logic.prover import Prover; "
        "from induce.logic.bottom_up import consequences; "
        "program = parse_program('p(a, b). p(b, c). q(X, Y) :- p(X, Y). q(X, Z) :- p(X, Y), q(Y, Z).'); "
        "assert len(list(Prover(program).prove('q(a, X)'))) == 2; assert len(consequences(program)) == 5; "
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
