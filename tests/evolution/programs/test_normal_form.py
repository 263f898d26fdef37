"""The end of learning: normal forms that predict the same, constants inside functions, the shortest description."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from induce.evolution import SymbolicClassifier, SymbolicRegressor
from induce.evolution.programs.constants import Openness, opened
from induce.evolution.programs.description import description_length, trimmed
from induce.evolution.programs.evaluation import Blocks, Fit, Fitted, outputs
from induce.evolution.programs.final_formula import read_as, scale_of, settled, shortened
from induce.evolution.programs.flat import parsed
from induce.evolution.programs.free_constants import loosened
from induce.evolution.programs.normal_form import normal_form, written_out
from induce.evolution.programs.regression import MOST_TERMS
from induce.evolution.programs.text import infix, latex
from induce.evolution.programs.vocabulary import FormulaWords
from tests.evolution.programs.test_formulas import trees

WORDS = FormulaWords(("a", "b"))
ROWS = np.random.default_rng(0).uniform(0.5, 3.0, (40, 2))
A, B = ROWS.T


def arrays(text: str) -> tuple[np.ndarray, np.ndarray]:
    codes, constants = parsed(text, WORDS)
    return np.array(codes, np.int32), np.array(constants, float)


def fit_of(target: np.ndarray, rows: np.ndarray = ROWS) -> Fit:
    return Fit.of(rows, target, np.ones(len(rows)))


def settled_text(text: str, target: np.ndarray) -> str:
    fit = fit_of(target)
    codes, constants = arrays(text)
    form = settled(codes, fit.coefficients(codes, constants, MOST_TERMS), fit)
    scale = scale_of(fit, form.fitted.error)
    codes, constants = shortened((form.codes, form.constants), fit.blocks, fit.weights, scale)
    return infix(codes.tolist(), constants.tolist(), WORDS)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("(* (- (* 2 a) b) (+ (+ a a) b))", "4 * a^2 - b^2"),
        ("(- -439.3 (/ (* 1163 -0.4161) a))", "-439.3 + 483.9243 / a"),
        ("(/ (sin (* 2.5 b)) (+ -2.85e-16 (exp (* 0.8 a))))", "sin(2.5 * b) / exp(0.8 * a)"),
        ("(/ (* (exp a) 2) (exp (* 3 a)))", "2 * exp(-2 * a)"),
        ("(cos (+ -1.5707963267948966 (* -2 a)))", "-sin(2 * a)"),
        ("(cos (+ -0.8707963267948966 (* 2 a)))", "sin(0.7 + 2 * a)"),
        ("(log (* 2 (exp a)))", "0.6931471805599453 + a"),
        ("(sqrt (* 4 (* a a)))", "2 * abs(a)"),
        ("(* (sqrt a) (sqrt a))", "abs(a)"),
        ("(* (+ a 1) (+ b 2))", "(1 + a) * (2 + b)"),
        ("(- (* (+ a 1) b) (* a b))", "b"),
        ("(- (square (+ a b)) (square (- a b)))", "4 * a * b"),
        ("(/ (+ b (+ 1 a)) (* 2 (+ a (+ b 1))))", "0.5"),
        ("(* a (* a (* a b)))", "a^3 * b"),
        ("(^ a 0.5)", "sqrt(a)"),
        ("(max (+ a a) (* b 0))", "max(2 * a, 0)"),
        ("(- a a)", "0"),
    ],
)
def test_the_normal_form(text, normal):
    assert infix(*written_out(normal_form(*parsed(text, WORDS))), WORDS) == normal


@given(trees())
def test_a_normal_form_predicts_the_same(tree):
    rows = np.array([[0.5, -1.5], [2.0, 3.0], [-4.0, 0.25], [0.0, 7.0]])
    codes, constants = np.array(tree[0], np.int32), np.array(tree[1])
    blocks = Blocks.of(rows)
    fitted = Fitted(constants, np.ones(1), ((0, len(codes)),), 0.0, 0.0, 1.0)
    before, after = outputs(codes, constants, blocks), outputs(*read_as(codes, fitted, blocks, 2.0), blocks)
    finite = np.isfinite(before)
    assert np.array_equal(finite, np.isfinite(after))
    assert (np.abs(before[finite] - after[finite]) <= 2e-9).all()


def test_what_was_found_is_read_as_the_law():
    text = "(+ (sin a) (* (/ (/ 0.0652 b) 0.886) (- (* -0.9719 b) (* -0.6309 (* a a)))))"
    assert settled_text(text, A**2 / B + np.sin(A)) == "sin(a) + a^2 / b"
    assert settled_text("(/ -0.4161 a)", -439.3 + 483.9 / A) == "-439.3 + 483.9 / a"


def test_terms_that_move_nothing_go():
    assert settled_text("(+ (* a b) (exp (exp (* -0.5 a))))", 2 * A * B) == "2 * a * b"


def test_powers_are_printed_as_such():
    codes, constants = parsed("(* (* a a) (* a (+ a b)))", WORDS)
    assert infix(codes, constants, WORDS) == "a^2 * a * (a + b)"
    assert infix(*parsed("(square (* a a))", WORDS), WORDS) == "a^4"
    assert infix(*parsed("(* 2 2)", WORDS), WORDS) == "2 * 2"
    assert latex(*parsed("(* (square a) a)", WORDS), WORDS) == "{a}^{3}"


def test_functions_take_constants_of_their_own():
    loose, held, added = loosened(*parsed("(* (sin a) (/ 1 (exp b)))", WORDS))
    assert infix(loose, held, WORDS) == "sin(0 + 1 * a) * 1 / (0 + exp(1 * b))"
    assert [held[place] for place in added] == [0.0, 1.0, 0.0, 1.0]
    assert loosened(*parsed("(sin (* 2 (+ a 1)))", WORDS))[2] == []


def test_constants_inside_functions_are_fitted():
    fit = fit_of(np.exp(-1.7 * A) * np.sin(1.3 * B + 0.2))
    codes, constants = arrays("(* (exp a) (sin b))")
    made, fitted = opened(codes, constants, fit, MOST_TERMS, 30, Openness(True, True, 50, 10))
    form = settled(made, fitted, fit)
    said = infix(form.codes.tolist(), form.constants.tolist(), WORDS)
    assert said == "sin(0.2 + 1.3 * b) * exp(-1.7 * a)"
    same, _ = opened(codes, constants, fit, MOST_TERMS, 3, Openness(False, False, 50, 10))
    assert same.tolist() == codes.tolist()
    small, _ = opened(codes, constants, fit, MOST_TERMS, 3, Openness(True, True, 5, 10))
    assert small.tolist() == codes.tolist()


def test_the_shortest_description_has_no_spurious_terms():
    rng = np.random.default_rng(1)
    fit = fit_of(A * B + rng.normal(0, 0.05, len(A)))
    found = []
    for text in ("(* a b)", "(+ (* a b) (exp (exp (+ a b))))"):
        codes, constants = arrays(text)
        form = settled(codes, fit.coefficients(codes, constants, MOST_TERMS), fit)
        found.append((description_length(form, fit, 8), form))
    assert found[0][0] < found[1][0]
    assert len(trimmed(found[1][1], fit, 8).codes) == len(found[0][1].codes)


def test_terms_that_cancel_cost_more():
    rows = np.linspace(0, 1, 50)[:, None]
    fit = fit_of(np.sin(3 * rows[:, 0]), rows)
    codes, constants = arrays("(+ (exp (* 0.01 a)) (+ (exp (* 0.02 a)) (exp (* 0.03 a))))")
    fitted = fit.coefficients(codes, constants, MOST_TERMS)
    left = fit.target + fit.mean - fitted.intercept - fitted.coefficients @ fit.design(codes, fitted, [])
    assert np.abs(fitted.coefficients).max() > 1e3
    assert fitted.error > 10 * (left**2).mean()


def test_what_is_learned_is_a_normal_form():
    X = ROWS[:30]
    settings = {"population_size": 20, "generations": 2, "random_state": 1}
    formula = SymbolicRegressor(**settings).fit(X, 3 * X[:, 0] + X[:, 0] * X[:, 1]).hypothesis_
    assert formula.right_side() == "3 * x0 + x0 * x1"
    space: dict = {}
    exec(formula.to_python(), space)
    rows = [dict(zip(("x0", "x1"), row, strict=True)) for row in X.tolist()]
    assert [space["predict"](row) for row in rows] == formula.predict(X).tolist()
    classes = SymbolicClassifier(**settings).fit(X, X[:, 0] > 1.5).hypothesis_
    for each in classes.formulas:
        again = infix(*written_out(normal_form(each.codes.tolist(), each.constants.tolist())), each.words)
        assert again == each.right_side()


@pytest.mark.slow
@pytest.mark.compiled
def test_laws_with_inner_constants_are_found():
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 2, (200, 2))
    y = 1.5 * np.sin(2.7 * X[:, 0]) + 0.4 * X[:, 0] * X[:, 1]
    functions = ("add", "sub", "mul", "div", "sin", "cos", "exp", "log", "sqrt")
    formula = SymbolicRegressor(function_set=functions).fit(X, y).hypothesis_
    assert formula.right_side() == "1.5 * sin(2.7 * x0) + 0.4 * x0 * x1"
