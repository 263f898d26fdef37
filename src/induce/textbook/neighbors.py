"""Mitchell, section 8.2, and AIMA, sections 18.8.1 to 18.8.4: nearest neighbours, distances and search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import induce
from induce.distances import distance, mahalanobis
from induce.distances.metrics import encoded
from induce.instances import KDTree, any_table, bit_collision
from induce.textbook.measuring import all_as_printed
from induce.textbook.result import Outcome, Result

FIGURE = [[0.5, 0], [0, 1], [-1.1, 0], [0, -1.2], [1.3, 0.4], [-2, 2], [2.5, 2]]
SIGNS = ["+", "-", "-", "-", "+", "-", "+"]
SQUARES = np.arange(5.0)[:, None], np.arange(5.0) ** 2
POINTS = [(2, 3), (5, 4), (9, 6), (4, 7), (8, 1), (7, 2)]
TRIALS = 20


def _figure() -> Outcome:
    votes = {
        (k, weights): str(
            induce.KNeighborsClassifier(k, weights=weights, metric="euclidean")
            .fit(FIGURE, SIGNS)
            .predict([[0, 0]])[0]
        )
        for weights in ("uniform", "inverse-square")
        for k in (1, 5)
    }
    return Outcome(
        f"1-NN {votes[1, 'uniform']}, 5-NN {votes[5, 'uniform']}; weighted by 1/d² {votes[5, 'inverse-square']}",
        list(votes.values()) == ["+", "-", "+", "+"],
        "seven invented points: the figure prints no numbers",
    )


def _weighted_means() -> Outcome:
    found = [
        float(
            induce.KNeighborsRegressor(k, weights=weights, metric="euclidean").fit(*SQUARES).predict([[x]])[0]
        )
        for k, weights, x in (
            (3, "uniform", 1.2),
            (3, "inverse-square", 1.2),
            (None, "inverse-square", 1.2),
            (3, "inverse-square", 2.0),
        )
    ]
    return Outcome(
        ", ".join(f"{value:.6f}" for value in found),
        all_as_printed(found, ("1.666667", "1.146497", "1.302438", "4")),
        "f(x) = x² at 0 to 4: three neighbours of 1.2 unweighted and weighted, all weighted "
        "(Shepard), and an exact match",
    )


def _irrelevant() -> Outcome:
    def accuracy(n: int, weights: Sequence[float] | None) -> float:
        scores = []
        for seed in range(TRIALS):
            random = np.random.default_rng(seed)
            X, T = random.random((100, n)), random.random((1_000, n))
            y, truth = (part[:, 0] + part[:, 1] > 1 for part in (X, T))
            nearest = induce.KNeighborsClassifier(5, metric="euclidean", attribute_weights=weights).fit(X, y)
            scores.append(float(np.mean(nearest.predict(T) == truth)))
        return float(np.mean(scores))

    found = [
        accuracy(2, None),
        accuracy(20, None),
        accuracy(20, [1, 1] + [0] * 18),
        accuracy(20, [1, 1] + [0.2] * 18),
    ]
    expected = (0.944, 0.740, 0.945, 0.928)
    return Outcome(
        f"2 attributes {found[0]:.3f}, 20 {found[1]:.3f}; 18 axes of length 0 {found[2]:.3f}, of 0.2 {found[3]:.3f}",
        all(abs(mine - wanted) < 0.02 for mine, wanted in zip(found, expected, strict=True)),
        f"5-NN on 100 examples of a1 + a2 > 1 in a cube, mean accuracy of {TRIALS} runs",
    )


def _stretching() -> Outcome:
    X, y = [[0, 0], [0.2, 5], [0.4, 1], [1, 0.1], [1.2, 5.1], [1.4, 1.1]], list("aaabbb")
    wrong = [
        int(
            (
                induce.KNeighborsClassifier(1, metric="euclidean", attribute_weights=z).leave_one_out_predict(
                    X, y
                )
                != np.array(y)
            ).sum()
        )
        for z in ([1, 1], [1, 0], [0, 1], [1, 0.1])
    ]
    return Outcome(
        f"errors {', '.join(map(str, wrong))}",
        wrong == [6, 0, 6, 0],
        "six invented examples, z = (1, 1), (1, 0), (0, 1) and (1, 0.1), leave-one-out with one neighbour",
    )


def _distances() -> Outcome:
    point, other = [[1, 2, 3]], [[4, 0, 3]]
    found = [float(distance("minkowski", point, p=p).between(point, other)[0, 0]) for p in (1, 2, 3, np.inf)]
    ellipse = mahalanobis(encoded([[0.0, 0.0]]), [[2, 1], [1, 2]])
    found += ellipse.between([[1, 0], [1, -1]], [[0, 0]]).ravel().tolist()
    X = induce.dataset("restaurant").X
    found += [float(distance("hamming", X).between(X[a], X[b])[0, 0]) for a, b in ((0, 1), (2, 6), (0, 4))]
    return Outcome(
        ", ".join(f"{value:.6g}" for value in found),
        all_as_printed(found, ("5", "3.605551", "3.271066", "3", "0.816497", "1.414214", "5", "2", "4")),
        "L1, L2, L3 and Chebyshev distance of (1, 2, 3) and (4, 0, 3); Mahalanobis with S = [[2, 1], "
        "[1, 2]]; Hamming on the restaurant",
    )


def _restaurant() -> Outcome:
    X, y = induce.dataset("restaurant")
    wrong = {}
    for k in (1, 3, 5):
        nearest = induce.KNeighborsClassifier(k, metric="hamming", equidistant="first")
        said = nearest.leave_one_out_predict(X, y)
        wrong[k] = [row + 1 for row in np.flatnonzero(said != y.to_numpy()).tolist()]
    return Outcome(
        "; ".join(f"k = {k}: {', '.join(map(str, rows))}" for k, rows in wrong.items()),
        wrong
        == {1: [1, 2, 3, 4, 5, 7, 11, 12], 3: [1, 2, 3, 4, 9, 10, 12], 5: [1, 2, 3, 4, 7, 9, 10, 11, 12]},
        "the evenings misclassified in leave-one-out with Hamming distance; ties are broken by order",
    )


def _tree() -> Outcome:
    tree = KDTree.of(POINTS)
    found = [tree.search(query, 2) for query in ((9, 2), (6, 5))]
    near = [[POINTS[place] for place in each.places] for each in found]
    return Outcome(
        f"{tree}\n(9, 2): {near[0]}, {found[0].nodes} of {tree.n_nodes} nodes; (6, 5): {near[1]}, {found[1].nodes}",
        near == [[(8, 1), (7, 2)], [(5, 4), (4, 7)]],
        "six invented points; both neighbours of (6, 5) lie on the other side of the first boundary",
    )


def _hashing() -> Outcome:
    settings = ((2, 8, 4), (8, 8, 4), (8, 16, 50), (16, 16, 50), (32, 8, 4))
    found = [any_table(bit_collision(64, differ, m), tables) for differ, m, tables in settings]
    return Outcome(
        ", ".join(f"{value:.5f}" for value in found),
        all_as_printed(found, ("0.99689", "0.78735", "0.98838", "0.20651", "0.00947")),
        "64-bit strings that differ in 2, 8, 8, 16 and 32 bits, hashed by 8 or 16 bits in 4 or 50 tables",
    )


def _left_out() -> Outcome:
    random = np.random.default_rng(0)
    X, Q, y = random.random((30, 2)), random.random((20, 2)), random.integers(0, 2, 30)
    learner = induce.KNeighborsClassifier(3, metric="euclidean").fit(X, y)
    said, places, without = learner.hypothesis_.without_each(Q)
    same = True
    for row in range(30):
        others = np.delete(np.arange(30), row)
        anew = induce.KNeighborsClassifier(3, metric="euclidean").fit(X[others], y[others]).predict(Q)
        own = places == row
        same &= np.array_equal(np.where(own.any(axis=1), (without * own).sum(axis=1), said), anew)
    return Outcome(
        f"20 queries with {places.shape[1] + 1} neighbours each give the predictions of all 30 "
        "leave-one-out fits",
        same,
        "two random classes",
    )


RESULTS = (
    Result(
        "mitchell-8.1-neighbours",
        "Mitchell, figure 8.1",
        "a query that its nearest neighbour calls positive and its five nearest neighbours negative",
        "1-NN +, 5-NN - [weighted by 1/d² +]",
        _figure,
    ),
    Result(
        "mitchell-8.4-weighted-means",
        "Mitchell, equations 8.1 and 8.4",
        "means of neighbours, weighted by 1/d², over all examples (Shepard), and at an exact match",
        "[1.666667, 1.146497, 1.302438, 4]",
        _weighted_means,
    ),
    Result(
        "mitchell-8.2.2-irrelevant",
        "Mitchell, section 8.2.2",
        "with only 2 of 20 attributes relevant, neighbours are misleading; rescaling the axes helps",
        "[0.944, 0.740; 0.945, 0.928]",
        _irrelevant,
    ),
    Result(
        "mitchell-8.2.2-stretching",
        "Mitchell, section 8.2.2",
        "axis weights can be chosen by cross-validation; a weight of 0 removes an axis",
        "[errors 6, 0, 6, 0]",
        _stretching,
    ),
    Result(
        "aima-18.8.1-distances",
        "Russell and Norvig, section 18.8.1",
        "Minkowski, Mahalanobis and Hamming distance",
        "[5, 3.605551, 3.271066, 3; 0.816497, 1.414214; 5, 2, 4]",
        _distances,
    ),
    Result(
        "aima-18.8.1-restaurant",
        "Russell and Norvig, section 18.8.1",
        "leave-one-out error of nearest neighbours on the restaurant",
        "[8, 7 and 9 of 12 wrong]",
        _restaurant,
    ),
    Result(
        "aima-18.8.2-kd-tree",
        "Russell and Norvig, section 18.8.2",
        "a k-d tree splits at the median, and a search may have to cross a boundary",
        "[(8, 1), (7, 2); (5, 4), (4, 7)]",
        _tree,
    ),
    Result(
        "aima-18.8.3-hashing",
        "Russell and Norvig, section 18.8.3",
        "the probability that bit strings share a bucket in at least one hash table",
        "[0.99689, 0.78735, 0.98838, 0.20651, 0.00947]",
        _hashing,
    ),
    Result(
        "aima-18.8.4-left-out",
        "Russell and Norvig, section 18.8.4",
        "leave-one-out for k nearest neighbours needs one more neighbour, not a refit for each example",
        "with N examples it is O(k), not O(kN)",
        _left_out,
        "that is the cost per test example once its neighbours are known; for N of them it is O(kN), "
        "not O(kN²)",
    ),
)
