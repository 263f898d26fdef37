"""Mitchell, §4.4, and AIMA, §18.6: linear models and single units."""

from __future__ import annotations

from typing import Any

import numpy as np

import induce
from induce.linear import (
    ThresholdUnit,
    corners,
    fewest_errors,
    majority,
    separable,
    threshold_functions,
    truth_table_network,
)
from induce.linear.model import LinearFunction
from induce.optimise import Decay
from induce.textbook.result import Outcome, Result

SIGNS = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
BITS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def _weights(model: LinearFunction) -> list[float]:
    return [float(each) for each in np.append(model.intercepts, model.weights[0]).round(6) + 0.0]


def _conjunction() -> Outcome:
    said = ThresholdUnit(-0.8, np.array([0.5, 0.5]))(corners(2)).astype(int).tolist()
    return Outcome(f"{said}", said == [-1, -1, -1, 1])


def _disjunction() -> Outcome:
    weights = np.array([0.5, 0.5])
    printed = ThresholdUnit(-0.3, weights)(corners(2)).astype(int).tolist()
    right = ThresholdUnit(0.3, weights)(corners(2)).astype(int).tolist()
    return Outcome(
        f"with -0.3: {printed}; with +0.3: {right}",
        printed == [-1, -1, -1, 1] and right == [-1, 1, 1, 1],
        "inputs (-1, -1), (-1, 1), (1, -1), (1, 1)",
    )


def _update() -> Outcome:
    learner = induce.Perceptron(scale=None, order="given", max_epochs=1)
    with induce.trace("update") as events:
        learner.fit([[0.8], [-0.8]], ["yes", "no"])
    moved = float(events[0]["weights"][1])
    return Outcome(f"{moved:.2f}", abs(moved - 0.16) < 1e-12)


def _rule_on_gates() -> Outcome:
    found = []
    for values in ([1, 0, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0]):
        learner = induce.Perceptron(scale=None, order="given", max_epochs=100).fit(SIGNS, values)
        found.append((_weights(learner.hypothesis_), learner.converged_))
    agrees = found == [([-0.2, 0.2, 0.2], True), ([0.2, 0.2, 0.2], True), ([0.2, 0.2, 0.2], False)]
    return Outcome(
        "; ".join(f"{weights} {'converged' if done else 'not converged'}" for weights, done in found),
        agrees,
        "AND, OR and XOR of -1 and 1; rate 0.1, zero initial weights, a sum of 0 gives -1",
    )


def _truth_tables() -> Outcome:
    rows = corners(3)
    every = [[bool(number >> k & 1) for k in range(8)] for number in range(256)]
    right = sum(bool(((truth_table_network(values)(rows) > 0) == values).all()) for values in every)
    return Outcome(f"{right} of 256 functions", right == 256)


def _delta_rule_on_a_grid() -> Outcome:
    X = np.array([(a, b) for a in range(-2, 3) for b in range(-2, 3)], float)
    t = np.where(-2 + X[:, 0] + 2 * X[:, 1] > 0, 1.0, -1.0)
    learner = induce.LMS(
        learning_rate=0.01, decay=None, batch_size=None, scale=None, max_epochs=50, patience=None
    )
    descended = _weights(learner.fit(X, t).hypothesis_)
    best = _weights(induce.LinearRegression().fit(X, t).hypothesis_)
    agrees = np.allclose(descended, [-0.52, 0.2, 0.4], atol=1e-5) and np.allclose(best, [-0.52, 0.2, 0.4])
    return Outcome(f"{best}; after 50 epochs {descended}", bool(agrees), "25 points of a grid, rate 0.01")


def _line() -> Outcome:
    model = induce.LinearRegression().fit([[1.0], [2.0], [3.0], [4.0]], [2.0, 3.0, 5.0, 4.0]).hypothesis_
    w0, w1 = _weights(model)
    return Outcome(f"w1 = {w1:g}, w0 = {w0:g}", (w0, w1) == (1.5, 0.8), "x = 1, 2, 3, 4; y = 2, 3, 5, 4")


def _lasso_is_not_turned() -> Outcome:
    X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    y = X @ [3.0, 0.2]
    settings: dict[str, Any] = {"strength": 1.0, "fit_intercept": False}
    ridge = _weights(induce.LinearRegression(penalty="l2", **settings).fit(X, y).hypothesis_)[1:]
    lasso = _weights(induce.LinearRegression(penalty="l1", **settings).fit(X, y).hypothesis_)[1:]
    agrees = np.allclose(ridge, [1.5, 0.1]) and np.allclose(lasso, [2.5, 0.0])
    return Outcome(f"L2 {ridge}, L1 {lasso}", bool(agrees), "four points, least squares (3, 0.2), strength 1")


def _seismic_line() -> Outcome:
    counts = []
    for name in ("earthquakes", "earthquakes-noisy"):
        X, y = induce.dataset(name)
        explosion = np.array(y.to_list()) == "explosion"
        counts.append(int(((X.to_numpy() @ [1.7, -1.0] - 4.9 >= 0) != explosion).sum()))
    X, y = induce.dataset("earthquakes")
    return Outcome(
        f"{counts[0]} and {counts[1]} errors; the first set is "
        f"{'separable' if separable(X, y.to_list()) else 'not separable'}",
        counts == [0, 4],
        "invented points modelled on the figure, whose data are not printed",
    )


def _three_errors() -> Outcome:
    X, y = induce.dataset("earthquakes-noisy")
    errors = fewest_errors(X.to_numpy(), np.array(y.to_list()) == "explosion")[1]
    return Outcome(f"{errors} errors", errors == 3, "all lines through two points, slightly shifted")


def _carry() -> Outcome:
    settings: dict[str, Any] = {
        "coding": "zero-one",
        "at_zero": "high",
        "learning_rate": 1.0,
        "scale": None,
        "order": "given",
    }
    carry = induce.Perceptron(**settings).fit(BITS, [0, 0, 0, 1])
    total = induce.Perceptron(**settings).fit(BITS, [0, 1, 1, 0])
    found = _weights(carry.hypothesis_)
    return Outcome(
        f"carry {found}; sum {'converged' if total.converged_ else 'never converges'}",
        found == [-3, 2, 1] and not total.converged_,
    )


def _majority() -> Outcome:
    wrong = []
    for n in (3, 4, 5, 6, 11):
        rows = corners(n, "zero-one")
        wanted = rows.sum(axis=1) > n / 2
        book = ThresholdUnit(-n / 2, np.ones(n), "zero-one", "high")(rows) > 0
        assert ((majority(n)(rows) > 0) == wanted).all()
        wrong.append(int((book != wanted).sum()))
    return Outcome(f"{wrong} inputs wrong for n = 3, 4, 5, 6, 11", wrong == [0, 6, 0, 20, 0])


def _schedule() -> Outcome:
    schedule = Decay(1.0, 1000)
    squares = float((schedule.rates(0, 2_000_000) ** 2).sum())
    return Outcome(
        f"sum of squares {squares:.0f}; {schedule.conditions()}", schedule.converges and squares < 1001
    )


def _counts() -> Outcome:
    found = [threshold_functions(n) for n in (1, 2, 3, 4)]
    return Outcome(", ".join(map(str, found)), found == [4, 14, 104, 1882])


RESULTS = (
    Result(
        "mitchell-4.4.1-and",
        "Mitchell, section 4.4.1",
        "a perceptron with weights -0.8, 0.5, 0.5 is AND",
        "[-1, -1, -1, 1]",
        _conjunction,
    ),
    Result(
        "mitchell-4.4.1-or",
        "Mitchell, section 4.4.1",
        "with the threshold changed to -0.3 it is OR",
        "-0.3",
        _disjunction,
        "+0.3: with inputs -1 and 1, which the text assumes, -0.3 is AND again",
    ),
    Result(
        "mitchell-4.4.2-update",
        "Mitchell, section 4.4.2",
        "the change of a weight with input 0.8, rate 0.1, target 1 and output -1",
        "0.16",
        _update,
    ),
    Result(
        "mitchell-4.4.2-gates",
        "Mitchell, section 4.4.2",
        "the perceptron rule converges on AND and OR, and not on XOR",
        "[AND -0.2, 0.2, 0.2; OR 0.2, 0.2, 0.2]",
        _rule_on_gates,
    ),
    Result(
        "mitchell-4.6.2-truth-tables",
        "Mitchell, section 4.6.2",
        "every Boolean function is a network of two layers",
        "no number is given",
        _truth_tables,
    ),
    Result(
        "mitchell-exercise-4.4-grid",
        "Mitchell, exercise 4.4",
        "the delta rule approaches the weights of least squared error",
        "[-0.52, 0.2, 0.4]",
        _delta_rule_on_a_grid,
    ),
    Result(
        "aima-18.6.1-line",
        "Russell and Norvig, equation 18.3",
        "the line of least squared error",
        "[0.8 x + 1.5]",
        _line,
    ),
    Result(
        "aima-18.6.1-schedule",
        "Russell and Norvig, section 18.6.3",
        "the rate 1000 / (1000 + t) satisfies the conditions of convergence",
        "no number is given",
        _schedule,
    ),
    Result(
        "aima-18.14-penalties",
        "Russell and Norvig, section 18.6.2 and figure 18.14",
        "an L1 penalty leaves weights of exactly 0, an L2 penalty does not",
        "[L2 1.5, 0.1; L1 2.5, 0]",
        _lasso_is_not_turned,
    ),
    Result(
        "aima-18.15-line",
        "Russell and Norvig, section 18.6.3 and figure 18.15",
        "the line x2 = 1.7 x1 - 4.9 separates earthquakes from explosions",
        "[0 errors; 4 with the noisy points]",
        _seismic_line,
    ),
    Result(
        "aima-18.16-three-errors",
        "Russell and Norvig, section 18.6.3",
        "the minimum number of errors of a line on the noisy data",
        "3",
        _three_errors,
    ),
    Result(
        "aima-18.7.2-adder",
        "Russell and Norvig, section 18.7.2",
        "a perceptron learns the carry of two bits, but never their sum",
        "[carry -3, 2, 1]",
        _carry,
    ),
    Result(
        "aima-18.7.2-majority",
        "Russell and Norvig, section 18.7.2",
        "weights of 1 and a bias of -n/2 compute the majority function",
        "no number is given",
        _majority,
        "right for odd n; for even n a tie sums to 0 and fires, so the bias must be slightly lower",
    ),
    Result(
        "aima-exercise-18.20-counts",
        "Russell and Norvig, exercise 18.20",
        "the number of Boolean functions of 1 to 4 inputs that are linearly separable",
        "[4, 14, 104, 1882]",
        _counts,
    ),
)
