"""Russell and Norvig: figures not covered by other results, reproduced as far as they can be computed."""

from __future__ import annotations

import warnings

import numpy as np

import induce
from induce.data.numeric_view import Floats
from induce.textbook.measuring import all_as_printed
from induce.textbook.result import Outcome, Result

CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
GATES = {"AND": "0001", "OR": "0111", "XOR": "0110"}
NEIGHBOURS = (1, 3, 5, 9, 15)


def logistic(values: Floats) -> Floats:
    """Return the outputs of a sigmoid unit with weight 1 for several inputs."""
    from induce.neural import Network

    unit = Network.layered(1, 1).set(("inputs", "outputs"), [[1.0]])
    return np.asarray(unit(np.asarray(values)[:, np.newaxis]).ravel())


def _thresholds() -> Outcome:
    values = logistic(np.array([-6.0, -1.0, 0.0, 1.0, 6.0]))
    return Outcome(
        ", ".join(f"{value:.4f}" for value in values),
        all_as_printed(values.tolist(), ("0.0025", "0.2689", "0.5000", "0.7311", "0.9975")),
        "1 / (1 + exp(-z)) at -6, -1, 0, 1 and 6",
    )


def gate(bits: str) -> tuple[induce.Perceptron, list[str]]:
    """Return the best perceptron found for a function of two bits, and the classes of the four corners."""
    with warnings.catch_warnings(action="ignore"):
        return induce.Perceptron(variant="pocket", max_epochs=20).fit(CORNERS, list(bits)), list(bits)


def _separability() -> Outcome:
    right = {name: round(4 * gate(bits)[0].score(CORNERS, list(bits))) for name, bits in GATES.items()}
    return Outcome(
        ", ".join(f"{name} {count} of 4" for name, count in right.items()),
        right["AND"] == right["OR"] == 4 > right["XOR"],
        "rows classified correctly by the best perceptron found",
    )


def _neighbours() -> Outcome:
    X, y = induce.dataset("earthquakes-noisy")
    X = (X * 10).cast(int)  # integers, so that equal distances are equal on every processor
    wrong, left_out = {}, {}
    for k in NEIGHBOURS:
        learner = induce.KNeighborsClassifier(k, metric="euclidean")
        wrong[k] = int((learner.fit(X, y).predict(X) != y.to_numpy()).sum())
        left_out[k] = int((learner.leave_one_out_predict(X, y) != y.to_numpy()).sum())
    return Outcome(
        f"k = {', '.join(map(str, NEIGHBOURS))}: {', '.join(map(str, wrong.values()))} training "
        f"errors, {', '.join(map(str, left_out.values()))} leave-one-out errors",
        wrong[1] == 0 and left_out[5] < left_out[1],
        f"{len(X)} invented points modelled on the figure",
    )


def weights_by_round(rounds: int) -> list[list[float]]:
    """Return the weights of the twelve examples in each round of AdaBoost."""
    with induce.trace(only="round") as events:
        induce.AdaBoost(n_estimators=rounds).fit(*induce.dataset("restaurant"))
    return [event["weights"].tolist() for event in events]


def _weights() -> Outcome:
    weights = weights_by_round(3)
    heavy = [[k + 1 for k, w in enumerate(row) if w > 1 / 12 + 1e-9] for row in weights]
    return Outcome(
        "; ".join(
            f"round {k + 1}: {', '.join(map(str, each)) or 'all alike'}" for k, each in enumerate(heavy)
        ),
        heavy == [[], [4, 12], [2, 3, 4, 10, 12]],
        "examples whose weight has grown: those misclassified by the hypotheses so far",
    )


def lifted_circle() -> tuple[induce.SVM, Floats, list[int]]:
    """Return a linear SVM on squared coordinates of points in and around a circle, with the inputs and classes."""
    from induce.textbook.kernels import INSIDE, ROUND

    squares = np.square(np.asarray(ROUND, float))
    return induce.SVM(kernel="linear", C=np.inf, scale=None, tol=1e-10).fit(squares, INSIDE), squares, INSIDE


def _margin() -> Outcome:
    machine, _, _ = lifted_circle()
    separator = machine.hypothesis_.separators[0]
    return Outcome(
        f"{len(separator.support)} support vectors, margin {separator.margin:.4f}",
        separator.margin > 1,
        "squared inputs of eight points, four of them inside the circle",
    )


def easy_and_hard_digits() -> tuple[list[int], list[int]]:
    """Return, for each class, the shipped digit that is easiest and the one that is hardest to recognise.

    Easy digits are much nearer to another digit of their class than to any of another class; hard ones the opposite.
    Distances are squared and whole, so that they are exact.
    """
    X, y = induce.dataset("digits")
    pixels, labels = X.to_numpy().astype(np.int64), y.to_numpy().astype(int)
    products = pixels @ pixels.T
    own = np.diagonal(products)
    squares = own[:, np.newaxis] + own - 2 * products
    np.fill_diagonal(squares, np.iinfo(np.int64).max)
    same = labels[:, np.newaxis] == labels
    far = np.iinfo(np.int64).max
    gains = np.where(same, far, squares).min(axis=1) - np.where(same, squares, far).min(axis=1)
    members = [np.flatnonzero(labels == digit) for digit in range(10)]
    return [int(rows[np.argmax(gains[rows])]) for rows in members], [
        int(rows[np.argmin(gains[rows])]) for rows in members
    ]


def _digits() -> Outcome:
    X, y = induce.dataset("digits")
    found = induce.KNeighborsClassifier(1, metric="euclidean").leave_one_out_predict(X, y)
    wrong = found != y.to_numpy()
    easy, hard = easy_and_hard_digits()
    return Outcome(
        f"the nearest neighbour has {wrong.sum()} of {len(X):,} digits wrong, {wrong[easy].sum()} of the easy and "
        f"{wrong[hard].sum()} of the hard ones",
        bool(not wrong[easy].any() and wrong[hard].any()),
        "digits of 8 x 8 pixels instead of those of NIST, each left out in turn",
    )


RESULTS = (
    Result(
        "aima-18.36-digits",
        "Russell and Norvig, figure 18.36",
        "handwritten digits that are easy to recognise, and others that are hard",
        "no number is given",
        _digits,
    ),
    Result(
        "aima-20.28-margin",
        "Russell and Norvig, figure 20.28",
        "the maximum-margin separator of the circle in the space of squared inputs, with its support vectors",
        "no number is given",
        _margin,
    ),
    Result(
        "aima-18.17-thresholds",
        "Russell and Norvig, figure 18.17",
        "the logistic function is a soft threshold",
        "[0.0025, 0.2689, 0.5, 0.7311, 0.9975]",
        _thresholds,
    ),
    Result(
        "aima-18.21-separability",
        "Russell and Norvig, figure 18.21",
        "a threshold perceptron can represent AND and OR, not XOR",
        "no line separates XOR",
        _separability,
    ),
    Result(
        "aima-18.26-neighbours",
        "Russell and Norvig, figure 18.26",
        "nearest neighbours on the earthquake data overfit with k = 1; the boundary is good with k = 5",
        "k = 1 overfits, k = 5 does not",
        _neighbours,
    ),
    Result(
        "aima-18.33-weights",
        "Russell and Norvig, figure 18.33",
        "boosting gives more weight to misclassified examples",
        "no number is given",
        _weights,
    ),
)
