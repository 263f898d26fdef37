"""Mitchell, chapter 7, and Russell and Norvig, section 18.5: how many rows, how many mistakes."""

from __future__ import annotations

import math
from typing import Any

from induce.textbook.measuring import all_as_printed, as_printed
from induce.textbook.result import Outcome, Result

LISTS = {(3, 1): "16.2154", (3, 2): "72.6407", (10, 1): "68.4510", (10, 2): "1153.6445", (20, 2): "5594.5745"}


def _conjunctions() -> Outcome:
    from induce.theory import conjunctions, sample_complexity

    found = sample_complexity(conjunctions(10), epsilon=0.1, delta=0.05)
    return Outcome(f"{found.rows} ({found.m:.4f})", found.rows == 140)


def _agnostic() -> Outcome:
    from induce.theory import conjunctions, sample_complexity

    rows = [
        sample_complexity(conjunctions(10), epsilon=epsilon, delta=0.05, setting="agnostic").rows
        for epsilon in (0.1, 0.05, 0.01)
    ]
    return Outcome(", ".join(map(str, rows)), rows == [700, 2797, 69910], "for epsilon 0.1, 0.05 and 0.01")


def _unbiased() -> Outcome:
    from induce.theory import rows_by_size, unbiased

    found = rows_by_size({"all functions": unbiased}, (1, 2, 3, 4, 5, 10))
    rows = [math.ceil(m) for m in found.rows["all functions"]]
    return Outcome(
        ", ".join(map(str, rows)), rows == [44, 58, 86, 141, 252, 7128], "for 1 to 5 and 10 attributes"
    )


def _term_dnf() -> Outcome:
    from induce.theory import k_cnf, k_term_dnf, sample_complexity

    as_terms = [sample_complexity(k_term_dnf(10, k), epsilon=0.1, delta=0.05).rows for k in (1, 2, 3)]
    as_clauses = [sample_complexity(k_cnf(10, k), epsilon=0.1, delta=0.05).rows for k in (1, 2, 3)]
    return Outcome(
        f"{', '.join(map(str, as_terms))}; as k-CNF {', '.join(map(str, as_clauses))}",
        as_terms == [140, 250, 360],
        "k = 1, 2, 3 over ten attributes; k-CNF needs more rows, but can be learned in polynomial time",
    )


def _exhaustion() -> Outcome:
    from induce.theory import conjunction_table, failure_chance

    found = [failure_chance(conjunction_table(2), [0, 0, 0, 1], m, 0.25) for m in (5, 10, 20)]
    return Outcome(
        "\n".join(map(str, found)),
        all_as_printed([each.exact for each in found], ("0.472656", "0.112625", "0.006342"))
        and all(each.exact <= each.from_bad <= each.from_all for each in found),
        "all nine conjunctions of two attributes, the target both, every instance as likely",
    )


def _interval_shattering() -> Outcome:
    from induce.theory import dichotomies, shattering

    two = shattering(dichotomies([3.1, 5.7], "boxes"))
    three = shattering(dichotomies([1.0, 2.0, 3.0], "boxes"))
    return Outcome(
        f"{two}\n{three}", two.shattered and three.missing == ((1, 0, 1),), "3.1 and 5.7; then any third"
    )


def _plane_shattering() -> Outcome:
    from induce.theory import dichotomies

    sets = {
        "three points": [[0, 0], [1, 0], [0, 1]],
        "three on a line": [[0, 0], [1, 1], [2, 2]],
        "four points": [[0, 0], [1, 0], [0, 1], [1, 1]],
    }
    made = {name: len(dichotomies(points, "half-spaces")) for name, points in sets.items()}
    return Outcome(
        ", ".join(f"{name} {count} of {2 ** len(sets[name])}" for name, count in made.items()),
        list(made.values()) == [8, 6, 14],
    )


def _conjunction_dimension() -> Outcome:
    from induce.theory import conjunction_table, vc_dimension

    found = [vc_dimension(conjunction_table(n)).value for n in (1, 2, 3, 4)]
    with_false = vc_dimension(conjunction_table(1, always_false=True)).value
    return Outcome(
        ", ".join(map(str, found)),
        found == [1, 2, 3, 4],
        f"for 1 to 4 attributes, by search; for a single one it is {with_false} if the hypothesis that is never true "
        "counts too",
    )


def _lower_bound() -> Outcome:
    from induce.theory import necessary_rows

    found = [
        necessary_rows(*numbers) for numbers in ((2, 0.1, 0.005), (1000, 0.1, 0.005), (200, 0.01, 0.005))
    ]
    return Outcome(
        ", ".join(f"{rows:.3f}" for rows in found),
        as_printed(found[0], "52.983")
        and as_printed(found[2], "621.875")
        and abs(found[1] - 312.1875) < 1e-9,
        "VC dimension 2 and 1000 with epsilon 0.1, 200 with 0.01; delta 0.005; the printed log taken as natural",
    )


def _networks() -> Outcome:
    from induce.theory import perceptron_network, sample_complexity

    spaces = [perceptron_network(r, s) for r, s in ((2, 2), (2, 3), (10, 5))]
    rows = [sample_complexity(space, epsilon=0.1, delta=0.05, setting="vc").rows for space in spaces]
    dimensions = [space.vc or 0.0 for space in spaces]
    return Outcome(
        "; ".join(f"{vc:.3f}, {m}" for vc, m in zip(dimensions, rows, strict=True)),
        all_as_printed(dimensions, ("29.312", "54.498", "414.109")) and rows == [16681, 30830, 232855],
        "VC dimension at most, rows; networks of 2, 3 and 5 units with 2, 2 and 10 inputs each",
    )


def _mistake_chain() -> Outcome:
    from induce.theory import conjunction_table, find_s_bound, mistake_bounds

    tables: dict[str, Any] = {
        "thresholds": [[int(x >= t) for x in range(7)] for t in range(8)],
        "conjunctions of two": conjunction_table(2),
        "conjunctions of three": conjunction_table(3),
        "selector": [
            *([0, *(int(x >= t) for x in range(3)), *[0] * 5] for t in range(4)),
            *([1, *[0] * 3, *(int(i == s) for i in range(5))] for s in range(5)),
        ],
    }
    found = {name: mistake_bounds(table) for name, table in tables.items()}
    numbers = [(each.vc, each.opt, each.halving) for each in found.values()]
    return Outcome(
        "\n".join(f"{name}: {each}" for name, each in found.items()),
        numbers == [(1, 3, 3), (2, 3, 3), (3, 4, 4), (1, 2, 3)]
        and [numbers[1][1], numbers[2][1]] == [find_s_bound(2), find_s_bound(3)],
        "for conjunctions of two and of three attributes no learner does better than Find-S",
    )


def _weighted_majority() -> Outcome:
    from induce.theory import weighted_majority_bound

    factor = weighted_majority_bound(1, 1)
    return Outcome(f"{factor:.5f} (k + log2 n)", as_printed(factor, "2.40942"))


def _rectangles() -> Outcome:
    from induce.theory import grid_rectangles, rectangles, sample_complexity

    grid = sample_complexity(grid_rectangles(100), epsilon=0.15, delta=0.05)
    plane = sample_complexity(rectangles(), epsilon=0.15, delta=0.05, setting="vc")
    return Outcome(f"{grid.rows}; {plane.rows}", (grid.rows, plane.rows) == (134, 1516))


def _experiment() -> Outcome:
    from induce.theory import box_experiment

    found = box_experiment((100, 1000))
    return Outcome(
        str(found),
        bool((found.quantile < found.promised).all()) and found.quantile[1] < 0.01 < found.promised[1],
        "the text's delta of 0.95 is taken for a confidence of 95%",
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


def _decision_lists() -> Outcome:
    from induce.theory import decision_lists

    found = {numbers: decision_lists(*numbers).ln_size for numbers in LISTS}
    return Outcome(
        ", ".join(f"n {n}, k {k}: {size:.4f}" for (n, k), size in found.items()),
        all_as_printed(list(found.values()), list(LISTS.values())),
        "the logarithm of 3^C C!",
    )


def _sizes() -> Outcome:
    from induce.theory import of_size, sample_complexity

    rows = [
        sample_complexity(of_size(size), epsilon=0.1, delta=0.05).rows for size in (2, 10, 100, 1000, 10**6)
    ]
    return Outcome(", ".join(map(str, rows)), rows == [37, 53, 77, 100, 169])


def _randomised() -> Outcome:
    from induce.theory import randomized_majority_bound

    bounds = [
        (
            randomized_majority_bound(1, 10, beta) - randomized_majority_bound(0, 10, beta),
            randomized_majority_bound(0, 10, beta),
        )
        for beta in (0.5, 0.75)
    ]
    return Outcome(
        ", ".join(f"{factor:.3f} M* + {constant:.3f}" for factor, constant in bounds),
        all_as_printed([number for pair in bounds for number in pair], ("1.39", "4.6", "1.15", "9.2")),
    )


RESULTS = (
    Result(
        "mitchell-7.3-conjunctions",
        "Mitchell, section 7.3.2",
        "rows for conjunctions of up to 10 literals, error 0.1, probability 95%",
        "140",
        _conjunctions,
    ),
    Result(
        "mitchell-7.3-agnostic",
        "Mitchell, section 7.3.1",
        "the same without supposing that the target is a conjunction",
        "[700 for error 0.1, 2797 for 0.05, 69910 for 0.01]",
        _agnostic,
    ),
    Result(
        "mitchell-7.3-unbiased",
        "Mitchell, section 7.3.3.1",
        "rows for the unbiased class of all Boolean functions grow exponentially",
        "[44, 58, 86, 141, 252; 7128 for ten attributes]",
        _unbiased,
    ),
    Result(
        "mitchell-7.3-k-term-dnf",
        "Mitchell, section 7.3.3.2",
        "k-term DNF needs polynomially many rows, and can be learned as k-CNF",
        "[140, 250, 360 for k = 1, 2, 3 and ten attributes]",
        _term_dnf,
    ),
    Result(
        "mitchell-7.1-exhaustion",
        "Mitchell, theorem 7.1",
        "the chance that a version space is not epsilon-exhausted is at most exp(-epsilon m) for each hypothesis",
        "[0.472656, 0.112625, 0.006342 for 5, 10 and 20 rows of a small case]",
        _exhaustion,
    ),
    Result(
        "mitchell-7.4-intervals",
        "Mitchell, section 7.4.2",
        "intervals shatter 3.1 and 5.7, but no three numbers",
        "VC dimension 2",
        _interval_shattering,
    ),
    Result(
        "mitchell-7.4-plane",
        "Mitchell, section 7.4.2",
        "lines in the plane shatter three points that are not on a line, but no four",
        "VC dimension 3",
        _plane_shattering,
    ),
    Result(
        "mitchell-7.4-conjunctions",
        "Mitchell, section 7.4.2",
        "the VC dimension of conjunctions of n literals",
        "n",
        _conjunction_dimension,
    ),
    Result(
        "mitchell-7.3-lower-bound",
        "Mitchell, theorem 7.3",
        "rows that no learner can do without",
        "[52.983, 312.188, 621.875]",
        _lower_bound,
    ),
    Result(
        "mitchell-7.4-networks",
        "Mitchell, theorem 7.4 and equation 7.8",
        "the VC dimension of layered networks of perceptrons, and the rows they need",
        "[29.312, 16681; 54.498, 30830; 414.109, 232855]",
        _networks,
    ),
    Result(
        "mitchell-7.5-chain",
        "Mitchell, section 7.5.3",
        "no VC dimension is above Opt, no Opt above the mistakes of Halving, and these not above log2 of the size",
        "[1, 3, 3; 2, 3, 3; 3, 4, 4; 1, 2, 3, where all differ]",
        _mistake_chain,
    ),
    Result(
        "mitchell-7.5-weighted-majority",
        "Mitchell, theorem 7.5",
        "the mistakes of Weighted-Majority with beta 1/2, for n predictors of which the best errs k times",
        "2.4 (k + log2 n)",
        _weighted_majority,
        "the factor is 1 / log2(4/3) = 2.40942, and rounded down to 2.4 it is no longer a bound that the proof gives",
    ),
    Result(
        "mitchell-exercise-7.2",
        "Mitchell, exercise 7.2",
        "rows for rectangles on a grid of 100 by 100, and in the plane, error 0.15, probability 95%",
        "[134; 1516]",
        _rectangles,
    ),
    Result(
        "mitchell-exercise-7.6",
        "Mitchell, exercise 7.6",
        "errors of the tightest rectangle on random targets, beside the bound of equation 7.7",
        "[far below the bound: 0.0075 against 0.211 for 1000 rows]",
        _experiment,
    ),
    Result(
        "mitchell-exercise-7.8",
        "Mitchell, exercise 7.8",
        "the error of a conjunction consistent with 100 rows, and of one tested on 100 others",
        "[[0, 0.1398], vacuous for n = 100; [0.210, 0.390]]",
        _test_set,
    ),
    Result(
        "aima-18.5-sample-complexity",
        "Russell and Norvig, equation 18.1",
        "examples for 2, 10, 100, 1000 and a million hypotheses, error 0.1, probability 95%",
        "[37, 53, 77, 100, 169]",
        _sizes,
    ),
    Result(
        "aima-18.5.1-decision-lists",
        "Russell and Norvig, section 18.5.1",
        "there are at most 3^C C! decision lists of C different tests",
        "[16.2154, 72.6407, 68.4510, 1153.6445, 5594.5745]",
        _decision_lists,
    ),
    Result(
        "aima-18.10.1-randomised",
        "Russell and Norvig, section 18.10.1",
        "the mistakes of randomised weighted majority with ten experts, beta 1/2 and 3/4",
        "1.39 M* + 4.6, 1.15 M* + 9.2",
        _randomised,
    ),
)
