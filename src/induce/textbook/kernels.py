"""Russell and Norvig, section 18.9 and (second edition) section 20.6: kernel machines."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from induce.kernels import SVM, KernelPerceptron, Linear, Polynomial, Subsequence
from induce.kernels.definiteness import mercer
from induce.kernels.distance import kernel_distance
from induce.kernels.machine import KernelMachine
from induce.kernels.separability import cover_count, separable, separable_labellings
from induce.textbook.result import Outcome, Result

SIX = [[2, 2], [2, 3], [3, 3], [0, 0], [1, 0], [0, 1]]
SIDES = [1, 1, 1, 0, 0, 0]
CORNERS = [[-1, -1], [-1, 1], [1, -1], [1, 1]]
UNEQUAL = [0, 1, 1, 0]
ROUND = [[0, 0], [0.5, 0], [0, -0.5], [-0.5, 0.5], [2, 0], [0, 2], [-1.5, -1.5], [1.5, -1.5]]
INSIDE = [1, 1, 1, 1, 0, 0, 0, 0]
SQUARE = Polynomial(2, offset=0)


def _machine(kernel: Any, X: Any, y: Any, C: float = np.inf) -> KernelMachine:
    """Fit an SVM as in the book: without scaling, and to high precision."""
    return SVM(kernel=kernel, C=C, scale=None, tol=1e-10).fit(np.asarray(X, float), y).hypothesis_


def _alphas(machine: KernelMachine, n: int) -> list[float]:
    found = np.zeros(n)
    found[machine.rows[machine.separators[0].support]] = np.abs(machine.separators[0].coefficients)
    return found.round(4).tolist()


def _numbers(values: Any) -> str:
    return ", ".join(f"{value:.4g}" for value in values)


def _six_points() -> Outcome:
    machine = _machine("linear", SIX, SIDES)
    separator, weights = machine.separators[0], machine.weights()[0]
    return Outcome(
        f"alpha {_numbers(_alphas(machine, 6))}; w = ({_numbers(weights.weights)}), b = {weights.intercept:.4f}, "
        f"margin {separator.margin:.6f}, objective {separator.objective:.4f}",
        np.allclose(_alphas(machine, 6), [4 / 9, 0, 0, 0, 2 / 9, 2 / 9], atol=1e-4)
        and np.allclose([*weights.weights, weights.intercept], [2 / 3, 2 / 3, -5 / 3], atol=1e-6)
        and abs(separator.margin - 2.121320) < 1e-6,
        "a quadratic program gives the same",
    )


def _weights_need_the_classes() -> Outcome:
    machine = _machine("linear", SIX, SIDES)
    alpha = np.array(_alphas(machine, 6))
    printed = alpha @ np.asarray(SIX, float)
    right = machine.weights()[0].weights
    return Outcome(
        f"Σ alpha x = ({_numbers(printed)}), Σ alpha y x = ({_numbers(right)})",
        np.allclose(right, 2 / 3, atol=1e-6) and not np.allclose(printed, right, atol=0.1),
    )


def _intercept() -> Outcome:
    machine = _machine("linear", [[1, 1], [0, 0]], [1, 0])
    weights = machine.weights()[0]
    without, with_it = 0.1 * weights.weights.sum(), machine.decision_function([[0.1, 0.1]])[0]
    return Outcome(
        f"w = ({_numbers(weights.weights)}), b = {weights.intercept:.4f}; at (0.1, 0.1) without b {without:.1f}, "
        f"with it {with_it:.1f}",
        abs(without - 0.2) < 1e-6 and abs(with_it + 0.8) < 1e-6,
    )


def _soft_margin() -> Outcome:
    got = []
    for C in (1.0, 10.0):
        machine = _machine("linear", [*SIX, [0.5, 0.5]], [*SIDES, 1], C)
        got.append((_alphas(machine, 7), machine.separators[0].objective, machine.weights()[0].weights))
    return Outcome(
        "; ".join(
            f"C = {C}: alpha {_numbers(alpha)}, objective {objective:.4f}"
            for C, (alpha, objective, _) in zip((1, 10), got, strict=True)
        ),
        all(np.allclose(w, 2 / 3, atol=1e-5) for _, _, w in got)
        and np.allclose([objective for _, objective, _ in got], [2.4444, 20.4444], atol=1e-3)
        and [alpha[-1] for alpha, _, _ in got] == [1, 10],
        "the separator does not move, and the row on the wrong side is 2 away from its margin",
    )


def _xor() -> Outcome:
    machine = _machine(Polynomial(2), CORNERS, UNEQUAL)
    separator = machine.separators[0]
    scores = machine.decision_function(np.asarray(CORNERS, float))
    return Outcome(
        f"alpha {_numbers(_alphas(machine, 4))}, b = {abs(separator.intercept):.4f}, objective "
        f"{separator.objective:.4f}, margin {separator.margin:.6f}",
        np.allclose(_alphas(machine, 4), 1 / 8, atol=1e-6)
        and np.allclose(scores, [-1, 1, 1, -1], atol=1e-6)
        and abs(separator.margin - 2 * np.sqrt(2)) < 1e-6,
        "f is y at all four corners",
    )


def _xor_features() -> Outcome:
    corners = np.asarray(CORNERS, float)
    machine = _machine("linear", np.column_stack([corners[:, 0], corners[:, 0] * corners[:, 1]]), UNEQUAL)
    weights, separator = machine.weights()[0], machine.separators[0]
    return Outcome(
        f"w = ({_numbers(weights.weights.round(9) + 0.0)}), b = {abs(weights.intercept):.4g}, margin "
        f"{separator.margin:.4f}, objective {separator.objective:.4f}",
        np.allclose([*weights.weights, weights.intercept], [0, -1, 0], atol=1e-6)
        and abs(separator.margin - 2) < 1e-6
        and abs(separator.objective - 0.5) < 1e-6,
        "in input space, x1 x2 = 0 is the two axes",
    )


def _features() -> Outcome:
    x, z = [[1.0, 2.0]], [[3.0, -1.0]]
    f, g = SQUARE.features(x)[0], SQUARE.features(z)[0]
    return Outcome(
        f"F(1, 2) = ({_numbers(f)}), F(3, -1) = ({_numbers(g)}); F(x)·F(z) = {f @ g:.4g}, (x·z)² = "
        f"{SQUARE(x, z).item():.4g}",
        np.allclose([f @ g, *f], [SQUARE(x, z).item(), 1, 4, np.sqrt(8)]),
    )


def _circle() -> Outcome:
    machine = _machine(SQUARE, ROUND, INSIDE)
    separator = machine.separators[0]
    beta = np.zeros(8)
    beta[machine.rows[separator.support]] = separator.coefficients
    weights = beta @ SQUARE.features(np.asarray(ROUND, float))
    return Outcome(
        f"alpha {_numbers(_alphas(machine, 8))}; weights of x1², x2², √2 x1 x2 = ({_numbers(weights)}), b = "
        f"{separator.intercept:.4f}, margin {separator.margin:.6f}",
        np.allclose(weights, [-0.5625, -0.5625, -np.sqrt(2) / 16], atol=1e-6)
        and abs(separator.intercept - 1.25) < 1e-6
        and abs(separator.margin - 2.498780) < 1e-6,
    )


def _circle_at_random() -> Outcome:
    x = np.random.default_rng(0).uniform(-1.5, 1.5, (52, 2))
    inside = (x**2).sum(axis=1) < 1
    machine = _machine(SQUARE, x, inside)
    raw, featured = separable(x, inside), separable(SQUARE.features(x), inside)
    return Outcome(
        f"separable by a line: {raw}, by a plane in the three features: {featured}; {machine.size()}, margin "
        f"{machine.separators[0].margin:.6f}",
        not raw
        and featured
        and len(machine.rows) == 4
        and abs(machine.separators[0].margin - 0.303645) < 1e-6,
    )


def _dimensions() -> Outcome:
    cases = ((2, 2), (10, 3), (400, 2), (400, 3))
    got = [int(Polynomial(degree).dimension(n)) for n, degree in cases]
    return Outcome(
        ", ".join(f"{n} inputs, degree {d}: {count:,}" for (n, d), count in zip(cases, got, strict=True)),
        got == [6, 286, 80_601, 10_827_401],
    )


def _perceptron() -> Outcome:
    corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    learner = KernelPerceptron(kernel=Polynomial(2), scale=None).fit(corners, UNEQUAL)
    counts = learner.hypothesis_.support_vectors()["alpha"].to_list()
    line = KernelPerceptron(kernel=1 + Linear(), scale=None, max_iter=1_000)
    with warnings.catch_warnings(action="ignore"):
        errs = line.fit(corners, UNEQUAL).score(corners, UNEQUAL) < 1
    return Outcome(
        f"passes {learner.n_iter_}, counts {_numbers(counts)}; with 1 + x·z it still errs after 1,000 passes: {errs}",
        (learner.n_iter_, counts, errs) == (10, [7, 5, 5, 4], True),
        "rows in the order 00, 01, 10, 11; sign(0) is +",
    )


def _distance() -> Outcome:
    got = [kernel_distance(kernel)([1.0, 2.0], [3.0, -1.0]) ** 2 for kernel in (Polynomial(2), SQUARE)]
    return Outcome(_numbers(got), np.allclose(got, [149, 123]), "between (1, 2) and (3, -1)")


def _strings() -> Outcome:
    decay = 0.5
    plain = Subsequence(2, decay)(["cat"], ["car"]).item()
    alike = Subsequence(2, decay).normalised()(["cat"], ["car"]).item()
    return Outcome(
        f"{plain:.4f}, normalised {alike:.4f}",
        np.allclose([plain, alike], [decay**4, 1 / (2 + decay**2)]),
        "subsequences of two letters of cat and car, decay λ = 0.5: λ⁴ and 1 / (2 + λ²)",
    )


def _mercer() -> Outcome:
    twice = mercer(Linear(), [[1.0, 2.0], [1.0, 2.0]])
    negative = mercer(lambda x, z: -float(((x - z) ** 2).sum()), [[0.0], [1.0]])
    return Outcome(
        f"x·z of two equal rows: {twice}; -|x - z|²: {negative}",
        twice.holds and abs(twice.smallest) < 1e-9 and not negative.holds,
    )


def _labellings() -> Outcome:
    cases = ((2, 1), (3, 2), (4, 2), (4, 3), (5, 3), (5, 4), (6, 4))
    random = np.random.default_rng(0)
    got = [separable_labellings(random.normal(size=case)) for case in cases]
    line = separable_labellings([[0, 0], [1, 1], [2, 2]])
    return Outcome(
        ", ".join(f"{n} points in {d}: {count}/{2**n}" for (n, d), count in zip(cases, got, strict=True))
        + f"; three on a line: {line}/8",
        got == [cover_count(*case) for case in cases] and line == 6,
        "Cover's count is 2 Σ C(N-1, k) for k up to d; it covers all labellings if d ≥ N - 1, so the "
        "VC dimension of half-spaces is d + 1",
    )


RESULTS = (
    Result(
        "aima-18.9-maximum-margin",
        "Russell and Norvig, section 18.9",
        "the maximum-margin separator depends on few of the points",
        "[alpha 4/9, 0, 0, 0, 2/9, 2/9; w = (2/3, 2/3), b = -5/3, margin 2.121320]",
        _six_points,
    ),
    Result(
        "aima-18.9-weights",
        "Russell and Norvig, section 18.9",
        "the weights from the alphas",
        "w = Σ alpha x",
        _weights_need_the_classes,
        erratum="it is w = Σ alpha y x: the support vectors of the negative class are subtracted",
    ),
    Result(
        "aima-18.9-soft-margin",
        "Russell and Norvig, section 18.9",
        "a row may be on the wrong side, at a penalty proportional to its distance from the margin",
        "[objectives 2.4444 and 20.4444 for C = 1 and 10]",
        _soft_margin,
    ),
    Result(
        "aima-18.9-features",
        "Russell and Norvig, equation 18.15",
        "the features x1², x2², √2 x1 x2 have the dot product (x·z)²",
        "F(x)·F(z) = (x·z)²",
        _features,
    ),
    Result(
        "aima-18.31-circle",
        "Russell and Norvig, figure 18.31",
        "a circle becomes a plane in feature space",
        "[w = (-0.5625, -0.5625, -√2/16), b = 1.25, margin 2.498780]",
        _circle,
    ),
    Result(
        "aima-18.31-circle-at-random",
        "Russell and Norvig, figure 18.31",
        "random points in and around a circle are separable in feature space",
        "[4 support vectors of 52 points, margin 0.303645]",
        _circle_at_random,
    ),
    Result(
        "aima-18.9-dimensions",
        "Russell and Norvig, section 18.9",
        "number of features of the polynomial kernel of degree d",
        "exponentially many in d",
        _dimensions,
        erratum="for n inputs there are C(n + d, d)",
    ),
    Result(
        "aima-18.9-xor",
        "Russell and Norvig, section 18.9",
        "exclusive or is separable with the kernel (1 + x·z)²",
        "[every alpha is 1/8, b = 0, margin 2√2]",
        _xor,
    ),
    Result(
        "aima-18.9-perceptron",
        "Russell and Norvig, section 18.9",
        "any algorithm that uses only dot products can be kernelised: the perceptron learns exclusive or",
        "[10 passes, counts 7, 5, 5, 4]",
        _perceptron,
    ),
    Result(
        "aima-18.9-distance",
        "Russell and Norvig, section 18.9",
        "distances in feature space computed with kernels, for nearest neighbours",
        "[149 with (1 + x·z)², 123 with (x·z)²]",
        _distance,
    ),
    Result(
        "aima-20.6-intercept",
        "Russell and Norvig, section 20.6",
        "the class is the sign of Σ alpha y x·x_i",
        "h(x) = sign(Σ alpha y x·x_i)",
        _intercept,
        erratum="without an intercept the plane passes through the origin, which contradicts the "
        "constraint Σ alpha y = 0: it is sign(Σ alpha y x·x_i + b)",
    ),
    Result(
        "aima-20.6-mercer",
        "Russell and Norvig, section 20.6",
        "a function is a dot product of features if its Gram matrix over any rows is positive definite",
        "positive definite",
        _mercer,
        erratum="positive semidefinite is what is required: duplicate rows give an eigenvalue of 0",
    ),
    Result(
        "aima-20.6-strings",
        "Russell and Norvig, section 20.6",
        "there are kernels for strings, trees and other objects that are not vectors",
        "[λ⁴, normalised 1 / (2 + λ²)]",
        _strings,
    ),
    Result(
        "aima-exercise-20.12-xor",
        "Russell and Norvig, exercise 20.12",
        "exclusive or with the features x1 and x1 x2",
        "[the separator x1 x2 = 0, margin 2]",
        _xor_features,
    ),
    Result(
        "aima-exercise-20.21-dimensions",
        "Russell and Norvig, exercise 20.21",
        "N points are always separable in N - 1 dimensions or more",
        "[4/4, 8/8, 14/16, 16/16, 30/32, 32/32, 62/64; three on a line 6/8]",
        _labellings,
    ),
)
