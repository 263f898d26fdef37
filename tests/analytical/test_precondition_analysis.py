"""Precondition analysis: the purposes of steps, learned from solved equations (Mitchell §11.5; Silver)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.analytical import Equation, Method, PreconditionAnalysis, equation_solving
from induce.core.errors import InputError

LOGARITHMS = """
    log(2, x + 1) + log(2, x - 1) = 3
    log(2, (x + 1) * (x - 1)) = 3
    log(2, x^2 - 1) = 3
    x^2 - 1 = 8
    x^2 = 9
    x = plus_minus(3)
"""
LINEAR = """
    5*x - 3 = 2*x + 9
    (5*x - 3) - (2*x + 9) = 0
    5*x - (2*x + 9) - 3 = 0
    5*x - 2*x - 9 - 3 = 0
    3*x - 9 - 3 = 0
    3*x - 9 = 3
    3*x = 12
    x = 4
"""


def equations(text):
    return [Equation.parse(line) for line in text.strip().splitlines()]


@pytest.fixture(scope="module")
def solving():
    return equation_solving()


def test_the_purposes_of_a_worked_example(solving):
    worked = equations(LOGARITHMS)
    assert solving.recognised(worked) == ("attract", "collect", "isolate", "isolate", "isolate")
    strategy = solving.learn(worked)
    assert [(one.method, one.purpose, one.needed_by) for one in strategy.steps] == [
        ("attract", ("like parts stand together",), ("collect",)),
        ("collect", ("the unknown occurs once",), ("isolate",)),
        ("isolate", ("the unknown is alone",), ("the goal",)),
    ]
    assert strategy.conditions == ("the unknown is on the left only", "parts can be drawn together")


def test_the_strategy_solves_equations_that_look_different(solving):
    strategy = solving.learn(equations(LOGARITHMS))
    for text, expected in (
        ("log(3, x + 2) + log(3, x - 2) = 2", math.sqrt(13)),
        ("3^x * 3^(2*x) = 27", 1),
        ("2*x + 5 + 3*x = 20", 3),
        ("x + x = 7", 3.5),
    ):
        equation = Equation.parse(text)
        solution = solving.solve(equation, strategy)
        assert solution.solved
        assert solution.states[-1].solutions(of=equation) == (pytest.approx(expected),)


def test_false_roots_are_left_out(solving):
    worked = equations(LOGARITHMS)
    assert worked[-1].solutions() == (3.0, -3.0)
    assert worked[-1].solutions(of=worked[0]) == (3.0,)  # the logarithm of a negative number does not exist


def test_what_holds_is_skipped_and_what_fails_is_told(solving):
    strategy = solving.learn(equations(LINEAR))
    assert [one.method for one in strategy.steps] == ["move", "attract", "collect", "isolate"]
    assert solving.solve(Equation.parse("x = 4"), strategy).methods == ()
    assert solving.solve(Equation.parse("4 = 2*x"), strategy).methods == ("move", "isolate")
    assert solving.solve(Equation.parse("2*x + 3*x = 10"), strategy).methods == ("collect", "isolate")
    failed = solving.solve(Equation.parse("x^2 = 5*x"), strategy)
    assert not failed.solved
    assert "no method achieves that like parts stand together" in str(failed)


def test_a_strategy_needs_fewer_states_than_search(solving):
    strategy = solving.learn(equations(LINEAR))
    equation = Equation.parse("7*x + 1 = x - 11")
    with_it, without = solving.solve(equation, strategy), solving.search(equation)
    assert with_it.solved
    assert without.solved
    assert (with_it.n_states, without.n_states) == (11, 22)


@settings(max_examples=40, deadline=None)
@given(*[st.integers(2, 9)] * 2, *[st.integers(1, 20)] * 2)
def test_every_linear_equation(a, c, b, d):
    solving = equation_solving()
    strategy = solving.learn(equations(LINEAR))
    equation = Equation.parse(f"{a + c}*x + {b} = {c}*x - {d}")
    solution = solving.solve(equation, strategy)
    assert solution.solved
    assert solution.states[-1].solutions(of=equation) == (pytest.approx((-d - b) / a),)


def test_steps_without_a_later_use_are_no_part_of_the_strategy():
    def adds(number):
        return lambda state: [state + number]

    numbers = PreconditionAnalysis(
        [Method("add one", (), adds(1)), Method("double", ("even",), lambda state: [state * 2])],
        {"even": lambda state: state % 2 == 0, "large": lambda state: state >= 20},
        "large",
    )
    strategy = numbers.learn([9, 10, 20])
    assert [str(one) for one in strategy.steps] == [
        "add one so that even (for double)",
        "double so that large (for the goal)",
    ]
    assert numbers.solve(10, strategy).methods == ("double",)


def test_bad_worked_examples(solving):
    with pytest.raises(InputError, match="no method leads from x \\+ 1 = 3 to x = 5"):
        solving.learn(equations("x + 1 = 3\n x = 5"))
    with pytest.raises(InputError, match="at least two states"):
        solving.learn(equations("x = 3"))
    with pytest.raises(InputError, match="does not end with the unknown is alone"):
        solving.learn(equations("x + x = 4\n 2*x = 4"))
    with pytest.raises(InputError, match="is not an equation"):
        Equation.parse("x + 1")
    with pytest.raises(InputError, match="the unknown x does not occur"):
        Equation.parse("y = 1")
    with pytest.raises(InputError, match="is not solved for x"):
        Equation.parse("2*x = 1").solutions()
    with pytest.raises(InputError, match="needs 'shiny'"):
        PreconditionAnalysis([Method("rub", ("shiny",), lambda state: [])], {"done": bool}, "done")
    with pytest.raises(InputError, match="the goal 'done'"):
        PreconditionAnalysis([], {}, "done")
