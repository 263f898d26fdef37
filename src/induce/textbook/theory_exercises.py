"""Mitchell, chapter 7: the exercises."""

from __future__ import annotations

import math
from itertools import product

from induce.textbook.measuring import all_as_printed, as_printed
from induce.textbook.result import Outcome, Result


def _lines() -> Outcome:
    from induce.theory import half_spaces, sample_complexity

    found = sample_complexity(half_spaces(2), epsilon=0.05, delta=0.1, setting="vc")
    return Outcome(f"{found.rows} ({found.m:.2f})", found.rows == 4197 and as_printed(found.m, "4196.49"))


def _rectangles() -> Outcome:
    from induce.theory import grid_rectangles, rectangles, sample_complexity

    grid = sample_complexity(grid_rectangles(100), epsilon=0.15, delta=0.05)
    plane = sample_complexity(rectangles(), epsilon=0.15, delta=0.05, setting="vc")
    return Outcome(f"{grid.rows}; {plane.rows}", (grid.rows, plane.rows) == (134, 1516))


def _relative() -> Outcome:
    from induce.theory import relative_rows

    found = relative_rows(10 * math.log(3), p=0.1, gamma=0.5, delta=0.05)
    return Outcome(
        f"{found:.1f}",
        as_printed(found, "2516.7"),
        "m >= 2 (1 + gamma)^2 / (gamma^2 p) (ln |H| + ln(1/delta)) follows from Chernoff's bound; |H| = 3^10, gamma "
        "1/2, a true error of 0.1 at least, delta 0.05",
    )


def _interval_learner() -> Outcome:
    from induce.theory import intervals, learner_experiment, sample_complexity, tightest_box

    general = sample_complexity(intervals(), epsilon=0.1, delta=0.05, setting="vc").rows
    first_principles = math.ceil(math.log(2 / 0.05) / (0.1 / 2))
    bound = 2 * (1 - 0.1 / 2) ** 50
    tried = learner_experiment(
        lambda X, y: tightest_box(X, y).covers,
        target=lambda X: (X > 0.2) & (X < 0.8),
        draw=lambda n, random: random.uniform(0, 1, n),
        m=50,
        epsilon=0.1,
        trials=500,
    )
    return Outcome(
        f"{first_principles} rows against {general}; {tried.rate:.3f} against {bound:.3f}",
        (first_principles, general) == (74, 1337) and tried.rate < bound and abs(tried.rate - 0.033) < 0.03,
        "2 exp(-epsilon m / 2) for the tightest interval, against equation 7.7; failures in 500 trials with 50 rows, "
        "against 2 (1 - epsilon / 2)^50",
    )


def _dimensions() -> Outcome:
    from induce.theory import circles, dichotomies, rectangles, triangles

    diamond = [[0, 1], [1, 0], [0, -1], [-1, 0]]
    made = {
        "rectangles on a diamond": len(dichotomies(diamond, "boxes")),
        "with its centre": len(dichotomies([*diamond, [0, 0]], "boxes")),
        "discs on three points": len(dichotomies([[0, 0], [1, 0], [0, 1]], "discs")),
        "discs on a square": len(dichotomies([[0, 0], [1, 0], [0, 1], [1, 1]], "discs")),
    }
    cuts = [max(_runs(labels) for labels in product((0, 1), repeat=n)) for n in (7, 8)]
    known = rectangles().vc, circles().vc, triangles().vc
    return Outcome(
        ", ".join(f"{name} {count}" for name, count in made.items()) + f"; cuts on a circle {cuts}",
        list(made.values()) == [16, 21, 8, 14] and cuts == [3, 4] and known == (4, 3, 7),
        "it is known, and not shown here, that no larger set is shattered; a triangle cuts off at "
        "most three arcs of a circle, so it picks any subset of seven points on one but not every "
        "second of eight",
    )


def _runs(labels: tuple[int, ...]) -> int:
    """Return the number of arcs of a circle that contain the points not picked."""
    return sum(labels[i - 1] == 1 and labels[i] == 0 for i in range(len(labels))) or int(not any(labels))


def _experiment() -> Outcome:
    from induce.theory import box_experiment

    found = box_experiment((100, 1000))
    return Outcome(
        str(found),
        bool((found.quantile < found.promised).all()) and found.quantile[1] < 0.01 < found.promised[1],
        "the text's delta of 0.95 is read as a confidence of 95%",
    )


def _regular_trees() -> Outcome:
    from induce.theory import (
        concepts,
        regular_depth_two_trees,
        regular_tree_table,
        sample_complexity,
        weighted_majority_bound,
    )

    trees = [len(regular_tree_table(n)) for n in (2, 3, 4)]
    functions = [len(concepts(regular_tree_table(n))) for n in (2, 3, 4)]
    rows = sample_complexity(regular_depth_two_trees(10), epsilon=0.1, delta=0.05).rows
    factor = weighted_majority_bound(1, 1)
    return Outcome(
        f"{', '.join(map(str, trees))} trees, {', '.join(map(str, functions))} functions; {rows} rows; "
        f"{factor:.2f} (k + log2(16 n (n - 1)))",
        (trees, functions, rows) == ([32, 96, 192], [16, 38, 70], 103) and as_printed(factor, "2.41"),
        "for n = 2, 3, 4; the rows for n = 10, epsilon 0.1, delta 0.05",
    )


def _test_set() -> Outcome:
    from induce.statistics import normal
    from induce.theory import conjunctions, sample_complexity

    few, many = (sample_complexity(conjunctions(n), m=100, delta=0.05) for n in (10, 100))
    tested = normal(30, 100)
    return Outcome(
        f"[0, {few.epsilon:.4f}] for n = 10, {many.epsilon:.3f} for n = 100; "
        f"tested [{tested.low:.3f}, {tested.high:.3f}]",
        as_printed(few.epsilon, "0.1398")
        and many.vacuous
        and all_as_printed([tested.low, tested.high], ("0.210", "0.390")),
        "consistent with 100 rows; and wrong on 30 of 100 others",
    )


RESULTS = (
    Result(
        "mitchell-exercise-7.1",
        "Mitchell, exercise 7.1",
        "rows needed for a perceptron with two inputs, error 0.05, probability 90%",
        "[4197]",
        _lines,
    ),
    Result(
        "mitchell-exercise-7.2",
        "Mitchell, exercise 7.2",
        "rows needed for rectangles on a grid of 100 by 100, and in the plane, error 0.15, probability 95%",
        "[134; 1516]",
        _rectangles,
    ),
    Result(
        "mitchell-exercise-7.3",
        "Mitchell, exercise 7.3",
        "rows needed so that no true error exceeds 1 + gamma times the training error",
        "[2516.7]",
        _relative,
    ),
    Result(
        "mitchell-exercise-7.4",
        "Mitchell, exercise 7.4",
        "rows needed for the tightest interval, from first principles and by equation 7.7, error 0.1, "
        "probability 95%",
        "[74 against 1337; failures 0.033 against 0.154]",
        _interval_learner,
    ),
    Result(
        "mitchell-exercise-7.5",
        "Mitchell, exercise 7.5",
        "the VC dimensions of rectangles, circles and triangles in the plane",
        "[4, 3, 7]",
        _dimensions,
    ),
    Result(
        "mitchell-exercise-7.6",
        "Mitchell, exercise 7.6",
        "errors of the tightest rectangle on random targets, compared with the bound of equation 7.7",
        "[far below the bound: 0.0075 against 0.211 for 1000 rows]",
        _experiment,
    ),
    Result(
        "mitchell-exercise-7.7",
        "Mitchell, exercise 7.7",
        "regular trees of depth 2: their number, the rows they need, the mistakes of Weighted-Majority",
        "[16 n (n - 1); 103 rows for n = 10; 2.41 (k + log2(16 n (n - 1)))]",
        _regular_trees,
    ),
    Result(
        "mitchell-exercise-7.8",
        "Mitchell, exercise 7.8",
        "the error of a conjunction consistent with 100 rows, and of one tested on 100 others",
        "[[0, 0.1398], vacuous for n = 100; [0.210, 0.390]]",
        _test_set,
    ),
)
