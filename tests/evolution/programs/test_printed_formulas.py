"""The printed formula is the one that is computed: text and LaTeX, evaluated by numpy, equal the predictions."""

from __future__ import annotations

import re
import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.notes import Note
from induce.evolution import Formula, Language, Program, constant, formula_functions, variable
from induce.evolution.programs import _evaluation_loops as loops
from tests.evolution.programs.test_formulas import NUMBERS, formula_of, trees


def _near(a: np.ndarray, otherwise: float, value) -> np.ndarray:
    a = np.asarray(a, float)
    return np.where(np.abs(a) <= 0.001, otherwise, value(np.where(np.abs(a) <= 0.001, 1.0, a)))


def _power(a, b):
    a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    with np.errstate(all="ignore"):
        is_one = (b * np.log(np.abs(a)) >= 700) | ((b <= 0) & (np.abs(a) <= 0.001))
        return np.where(is_one, 1.0, np.where((a < 0) & (b % 2 == 1), -1.0, 1.0) * np.abs(a) ** b)


MEANING = {  # as the lines below a formula define them
    "div": lambda a, b: np.where(np.abs(b) <= 0.001, 1.0, a / np.where(np.abs(b) <= 0.001, 1.0, b)),
    "inv": lambda a: _near(a, 0.0, lambda b: 1 / b),
    "safe_log": lambda a: _near(a, 0.0, lambda b: np.log(np.abs(b))),
    "bounded_exp": lambda a: np.exp(np.clip(a, -50, 50)),
    "sig": lambda a: 1 / (1 + np.exp(-np.clip(a, -50, 50))),
    "power": _power,
    "max": np.maximum,
    "min": np.minimum,
    **{name: getattr(np, name) for name in ("sqrt", "log", "exp", "sin", "cos", "tan", "abs")},
}
COMMAND = re.compile(r"\\(operatorname|mathrm)\{((?:[^{}\\]|\\.)*)\}|\\(left|right)(.)|\\([a-z]+)|([{}^~])")


def evaluated(text: str, columns: dict[str, np.ndarray]) -> np.ndarray:
    """Evaluate a printed formula."""
    names = {f"[{name}]": f"column_{k}" for k, name in enumerate(columns)}
    for name, variable_name in names.items():
        text = text.replace(name, variable_name)
    space = {**MEANING, **columns, **{names[f"[{name}]"]: cells for name, cells in columns.items()}}
    n = len(next(iter(columns.values())))
    return np.broadcast_to(eval(_floats(text).replace("^", "**"), space), n)


def evaluated_latex(text: str, columns: dict[str, np.ndarray]) -> np.ndarray:
    """Evaluate the first line of a formula in LaTeX: braces group, and a fraction divides its two groups."""

    def python(match: re.Match[str]) -> str:
        kind, name, side, bracket, command, sign = match.groups()
        if kind is not None:
            name = name.replace("~", " ").replace("\\", "")
            return f"[{name}]" if kind == "mathrm" else name
        if side is not None:
            return {"(": "(", ")": ")", "|": "abs(" if side == "left" else ")"}[bracket]
        if command is not None:
            return {"cdot": "*", "frac": "divided", "sigma": "sig"}.get(command, command)
        return {"{": "(", "}": ")", "^": "**", "~": " "}[sign]

    text = COMMAND.sub(python, text).replace(")(", "),(")
    while "divided" in text:
        start = text.rindex("divided")
        first = _closing(text, start + len("divided"))
        second = _closing(text, first + 2)
        numerator, denominator = text[start + len("divided") : first + 1], text[first + 2 : second + 1]
        text = f"{text[:start]}({numerator}/{denominator}){text[second + 1 :]}"
    return evaluated(text, columns)


def _closing(text: str, start: int) -> int:
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    raise AssertionError(text)


def _floats(text: str) -> str:
    """Write whole numbers as floats, so that Python computes as numpy does."""
    return re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"\1.0", text)


def columns_of(formula: Formula, X) -> dict[str, np.ndarray]:
    matrix = formula.view.matrix(formula.encoded(X))
    return dict(zip(formula.view.quantities, matrix.T, strict=True))


def assert_printed_is_computed(formula: Formula, X, tolerance: float) -> None:
    columns = columns_of(formula, X)
    predicted = formula.predict(X)
    latex = formula.to_latex().split("\n")[0].split(" = ", 1)[1].removesuffix(",")
    with np.errstate(invalid="raise", divide="raise"):
        for value in (evaluated(formula.right_side(), columns), evaluated_latex(latex, columns)):
            assert np.abs(value - predicted).max() <= tolerance


def in_training(tree, rows) -> Formula:
    from dataclasses import replace

    cells = np.array(rows, float)
    return replace(formula_of(tree), ranges=np.array([cells.min(axis=0), cells.max(axis=0)]))


@given(trees(12), st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=4))
def test_any_formula_prints_what_it_computes(tree, rows):
    formula = in_training(tree, rows)
    X = [list(row) for row in rows]
    sizes = [abs(part.value) for told in formula.explain(X) for part in told.parts]
    if np.isfinite(sizes).all() and max(sizes) < 1e4:
        assert_printed_is_computed(formula, X, 1e-9 * max(1.0, *sizes))


def table(seed: int, kind: str) -> tuple[pl.DataFrame, pl.Series]:
    random = np.random.default_rng(seed)
    x, z = random.uniform(-4, 4, 60), random.uniform(0.5, 3, 60)
    colour = random.choice(["dark red", "blue"], 60)
    y = {
        "root": 2 * np.sqrt(np.abs(x)) + 1,
        "ratio": z / (x + 0.3) + 0.1 * random.normal(size=60),
        "law": 3.14159 * np.log(z) - 1.7 * (colour == "blue") + 0.2 * random.normal(size=60),
        "power": np.exp(0.7 * x) + z**2 + 0.05 * random.normal(size=60),
    }[kind]
    return pl.DataFrame({"x": x, "long name": z, "colour": colour}), pl.Series("y", y)


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.sampled_from(["root", "ratio", "law", "power"]))
def test_a_learned_formula_prints_what_it_computes(seed, kind):
    X, y = table(seed, kind)
    names = ("add", "sub", "mul", "div", "sqrt", "log", "exp", "pow", "inv", "square")
    learner = induce.SymbolicRegressor(
        population_size=80, generations=4, function_set=names, random_state=seed, max_size=25
    )
    formula = learner.fit(X, y).hypothesis_
    assert_printed_is_computed(formula, X, 1e-9 * float(np.abs(formula.predict(X)).max()))
    space: dict = {}
    exec(formula.to_python(), space)
    exported = [space["predict"](row) for row in X.to_dicts()]
    assert exported == pytest.approx(formula.predict(X).tolist(), rel=1e-9)


@settings(max_examples=4)
@given(st.integers(0, 10**6))
def test_formulas_of_classes_print_what_they_compute(seed):
    X, y = table(seed, "law")
    learner = induce.SymbolicClassifier(
        population_size=80,
        generations=3,
        function_set=("add", "mul", "div", "sqrt", "log"),
        random_state=seed,
    )
    several = learner.fit(X, np.digitize(y, [0.0, 2.0])).hypothesis_
    for formula in several.formulas:
        assert formula.right_side() in str(several)
        assert_printed_is_computed(formula, X, 1e-9 * max(1.0, float(np.abs(formula.predict(X)).max())))


def test_protected_functions_are_printed():
    formula = Formula.parse("(+ (sqrt x) (log y))", ("x", "y"), "z")
    assert formula.predict([[-4.0, -1.0]]).tolist() == [2.0]
    assert str(formula).splitlines() == [
        "z = sqrt(abs(x)) + safe_log(y)",
        "  safe_log(a) is log(abs(a)), or 0 where abs(a) <= 0.001",
    ]
    assert r"\operatorname{safe\_log}(a) = \begin{cases} 0 & \left|a\right| \le 0.001" in formula.to_latex()
    assert "sqrt(abs(x)) + safe_log(y)" in str(formula.explain([[-4.0, -1.0]])[0])


def test_the_sign_decides_the_form():
    X, y = table(0, "root")
    learner = induce.SymbolicRegressor(function_set=("add", "mul", "sqrt", "sub"))
    formula = learner.fit(X.select("x"), y).hypothesis_
    assert formula.right_side() == "1 + 2 * sqrt(abs(x))"
    assert formula.to_latex() == r"y = 1 + 2 \cdot \sqrt{\left|x\right|}"
    positive = X.select("x").with_columns(pl.col("x").abs())
    formula = learner.fit(positive, y).hypothesis_
    assert formula.right_side() == "1 + 2 * sqrt(x)"


def test_a_saved_formula_keeps_its_ranges(tmp_path):
    X, y = table(1, "law")
    fitted = induce.SymbolicRegressor(population_size=100, generations=3, function_set=("add", "log", "mul"))
    formula = fitted.fit(X.drop("x"), y).hypothesis_
    induce.save(formula, tmp_path / "law.induce")
    again = induce.load_hypothesis(tmp_path / "law.induce")
    assert str(again) == str(formula)
    assert "log([long name])" in str(again)
    beyond = X.drop("x")[:3].with_columns(pl.Series("long name", [1.0, 9.0, 2.0]))
    for each in (formula, again, fitted):
        with pytest.warns(
            Note, match=r"1 of 3 rows is outside the training ranges of the formula \(long name: "
        ):
            each.predict(beyond)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        formula.predict(X.drop("x"))


def test_constants_are_rounded_to_their_noise():
    X, y = table(2, "law")
    learner = induce.SymbolicRegressor(population_size=200, generations=5, function_set=("add", "log", "mul"))
    formula = learner.fit(X.drop("x"), y).hypothesis_
    digits = [
        len(text.replace(".", "").lstrip("0")) for text in re.findall(r"\d+\.?\d*", formula.right_side())
    ]
    assert digits
    assert max(digits) <= 4
    error = float(((formula.predict(X.drop("x")) - y.to_numpy()) ** 2).mean())
    assert error <= formula.front.errors[formula.front.chosen] * (1 + 0.2 / len(y))


def test_a_program_prints_what_it_computes():
    language = Language(
        (*formula_functions(("add", "div", "log", "square")), variable("x"), variable("y"), constant(-1, 1))
    )
    program = Program.parse("(+ (/ x y) (log (+ (square x) 0.1234567)))", language)
    assert program.to_formula().splitlines() == [
        "div(x, y) + log(x^2 + 0.1234567)",
        "div(a, b) is a / b, or 1 where abs(b) <= 0.001",
    ]
    x, y = np.array([-2.0, 3.0, 0.5]), np.array([0.0, 2.0, -1.0])
    values = [program.run({"x": a, "y": b}) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    assert evaluated(program.to_formula().split("\n")[0], {"x": x, "y": y}) == pytest.approx(
        values, rel=1e-12
    )


def test_tiny_powers_are_zero():
    formula = Formula.parse("(^ x 2)", ("x",))
    assert formula.right_side() == "x^2"
    assert formula.predict([[1e-200], [0.0], [-3.0]]).tolist() == [0.0, 0.0, 9.0]
    space: dict = {}
    exec(formula.to_python(), space)
    assert space["predict"]({"x": 1e-200}) == 0.0
    assert loops.power(1e-60, 2.0) == pytest.approx(1e-120)
