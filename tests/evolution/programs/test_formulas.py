"""Formulas: the book's tree, printing and parsing, exports, simplification, files."""

from __future__ import annotations

import math
import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.loops import compiled
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.evaluation import Blocks, slots_of
from induce.evolution.programs.flat import swapped
from induce.evolution.programs.formula import Formula
from induce.evolution.programs.functions import BY_CODE, FUNCTIONS
from induce.evolution.programs.vocabulary import FormulaWords

COLUMNS = ("x", "y", "colour = red")
NUMBERS = st.floats(-20, 20).map(lambda number: round(number, 3))
BOOK = "(+ (sin x) (sqrt (+ (^ x 2) y)))"  # 04:9.B-9, sin(x) + sqrt(x^2 + y)
OTHER = "(+ (sin x) (^ 2 (+ x y)))"


@st.composite
def trees(draw: st.DrawFn, most: int = 20) -> tuple[list[int], list[float]]:
    """Codes in prefix order, and constants."""
    codes, constants, wanted = [], [], 1
    while wanted:
        kinds = ["leaf", "leaf"] + ["function"] * (3 if len(codes) + wanted < most else 0)
        if draw(st.sampled_from(kinds)) == "function":
            function = draw(st.sampled_from(list(FUNCTIONS.values())))
            codes.append(function.code)
            constants.append(0.0)
            wanted += function.arity - 1
        else:
            number = draw(st.one_of(st.none(), NUMBERS))
            codes.append(loops.CONSTANT if number is not None else loops.COLUMN + draw(st.integers(0, 1)))
            constants.append(number or 0.0)
            wanted -= 1
    return codes, constants


def formula_of(tree: tuple[list[int], list[float]]) -> Formula:
    whole = Formula.parse("x", COLUMNS[:2], "z")
    return Formula(whole.schema, "z", whole.view, np.array(tree[0], np.int32), np.array(tree[1], float), -1.0)


def test_the_tree_of_the_book():
    formula = Formula.parse(BOOK, COLUMNS[:2])
    assert formula.n_nodes == 9
    assert formula.predict([[0.0, 4.0], [1.0, 3.0]]) == pytest.approx([2.0, 2.8414709848], abs=1e-10)


def test_the_crossover_of_the_book():
    words = FormulaWords(COLUMNS[:2])
    a, b = (Formula.parse(text, COLUMNS[:2]) for text in (OTHER, BOOK))
    point, other = a.codes.tolist().index(0, 1), b.codes.tolist().index(loops.POW)
    first, second = swapped((a.codes, a.constants), point, (b.codes, b.constants), other, words.arity)
    found = [formula_of(each) for each in (first, second)]
    assert [each.to_sexpr() for each in found] == [
        "(+ (sin x) (^ 2 (^ x 2)))",
        "(+ (sin x) (sqrt (+ (+ x y) y)))",
    ]
    values = [float(each.predict([[1.0, 3.0]])[0]) for each in (a, *found)]
    assert values == pytest.approx([16.8414709848, 2.8414709848, 3.4872222959], abs=1e-10)
    assert sum(each.n_nodes for each in found) == a.n_nodes + b.n_nodes == 8 + 9


@given(trees(), trees(), st.data())
def test_crossover_conserves_nodes(a, b, data):
    i, j = data.draw(st.integers(0, len(a[0]) - 1)), data.draw(st.integers(0, len(b[0]) - 1))
    first, second = swapped(a, i, b, j, FormulaWords(()).arity)
    assert len(first[0]) + len(second[0]) == len(a[0]) + len(b[0])
    for each in (first, second):
        formula_of(each).check()


@given(trees())
def test_print_parse_print(tree):
    formula = formula_of(tree)
    text = formula.to_sexpr()
    again = Formula.parse(text, COLUMNS[:2], "z")
    assert again.to_sexpr() == text
    assert again.codes.tolist() == tree[0]


@pytest.mark.parametrize("name", ["7", "a b", "(", "it's | \\", "sin", "größe", "-1e5", ""])
def test_names_that_need_quotes(name):
    formula = Formula.parse(f"(sin {_quoted(name)})", (name,))
    assert formula.codes.tolist() == [loops.SIN, loops.COLUMN]
    assert Formula.parse(formula.to_sexpr(), (name,)).codes.tolist() == formula.codes.tolist()


def _quoted(name: str) -> str:
    from induce.evolution.programs.flat import quoted

    return quoted(name)


@given(trees(), st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=3))
def test_exports_and_simplification_change_nothing(tree, rows):
    formula = formula_of(tree)
    expected = formula.predict([list(row) for row in rows]).tolist()
    assert formula.simplify().predict([list(row) for row in rows]).tolist() == expected
    assert formula.simplify().n_nodes <= formula.n_nodes
    space: dict = {}
    exec(formula.to_python(), space)
    assert [space["predict"](dict(zip("xy", row, strict=True))) for row in rows] == expected
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE data (x REAL, y REAL)")
        base.executemany("INSERT INTO data VALUES (?, ?)", rows)
        found = [row[-1] for row in base.execute(formula.to_sql())]
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.compiled
@given(trees(), st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=3))
def test_plain_and_compiled(tree, rows):
    blocks = Blocks.of(np.array(rows, float))
    codes, constants = np.array(tree[0], np.int32), np.array(tree[1], float)
    found = []
    with np.errstate(all="ignore"):
        for loop in (loops.evaluate, compiled(loops.evaluate)):
            out = np.empty(len(rows))
            room = blocks.room(slots_of(codes))
            loop(codes, constants, 0, len(codes), blocks.cells[0], len(rows), *room, out)
            found.append(out)
    assert np.array_equal(*found, equal_nan=True)


@given(trees())
def test_every_part_is_explained(tree):
    formula = formula_of(tree)
    (told,) = formula.explain([[0.5, -1.5]])
    assert told.prediction == formula.predict([[0.5, -1.5]])[0]
    assert math.isnan(told.parts[0].value) or told.parts[0].value == told.prediction or told.prediction == -1
    assert str(told)


def test_depth_is_no_limit(tmp_path):
    n = 3000
    formula = Formula.parse("(sin " * n + "x" + ")" * n, ("x",))
    assert formula.depth() == n
    assert len(str(formula)) > n
    induce.save(formula, tmp_path / "deep.induce")
    again = induce.load_hypothesis(tmp_path / "deep.induce")
    assert again == formula
    space: dict = {}
    exec(formula.to_python(), space)
    assert space["predict"]({"x": 1.0}) == formula.predict([[1.0]])[0]


@pytest.mark.parametrize(
    ("text", "infix", "latex"),
    [
        ("(- x (- y 1))", "x - (y - 1)", r"x - \left(y - 1\right)"),
        ("(/ (/ x 4) (+ (square y) 2))", "x / 4 / (y^2 + 2)", r"\frac{\frac{x}{4}}{{y}^{2} + 2}"),
        ("(^ (/ x 2) 2)", "(x / 2)^2", r"{\left(\frac{x}{2}\right)}^{2}"),
        ("(/ 3 (inv (exp (sin x))))", "3 / (1 / exp(sin(x)))", r"\frac{3}{\frac{1}{\exp(\sin(x))}}"),
        ("(square 1e-07)", "1e-07^2", r"{\left(1 \cdot 10^{-7}\right)}^{2}"),
        ("(* x 0.30000000000000004)", "x * 0.30000000000000004", r"x \cdot 0.30000000000000004"),
        ("(* (+ x 1) (neg y))", "(x + 1) * (-y)", r"\left(x + 1\right) \cdot \left(-y\right)"),
        ("(^ (^ x 2) 3)", "(x^2)^3", r"{\left({x}^{2}\right)}^{3}"),
        ("(+ x (* -0.5 y))", "x + -0.5 * y", r"x + -0.5 \cdot y"),
        ("(max (square x) (log 0.01))", "max(x^2, log(0.01))", None),
    ],
)
def test_what_is_printed(text, infix, latex):
    formula = Formula.parse(text, COLUMNS[:2], "z")
    assert formula.right_side() == infix
    if latex is not None:
        assert formula.to_latex() == f"z = {latex}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(+ x", "ends unexpectedly"),
        ("(+ x y) y", "nothing more is expected"),
        (")", "no matching '\\('"),
        ("(())", "name of a function"),
        ("(sin x y)", "'sin' takes 2 arguments"),
        ("(+ x z)", "'z' is a terminal"),
        ("", "ends unexpectedly"),
    ],
)
def test_what_is_no_formula(text, said):
    with pytest.raises(induce.InputError, match=said):
        Formula.parse(text, COLUMNS[:2])


def test_files_that_do_not_fit_are_refused(tmp_path):
    formula = Formula.parse(BOOK, COLUMNS[:2])
    for codes in ([0, 32], [0, 32, 40], [21, 32, 32], []):
        with pytest.raises(induce.InputError, match="do not form a formula"):
            Formula(
                formula.schema, "z", formula.view, np.array(codes, np.int32), np.zeros(len(codes)), 0.0
            ).check()


def test_every_function_has_all_its_forms():
    for function in BY_CODE.values():
        arguments = " ".join("xy"[: function.arity])
        formula = Formula.parse(f"({function.name} {arguments})", COLUMNS[:2])
        assert formula.to_latex()
        assert "{" not in formula.to_sql() + formula.to_python()
