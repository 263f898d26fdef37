"""Mitchell, sections 7.2 to 7.4, and Russell and Norvig, section 18.5: sample complexity."""

from __future__ import annotations

import math

from induce.textbook.measuring import all_as_printed, as_printed
from induce.textbook.result import Outcome, Result

# errors of four hypotheses and of two consistent ones, among ten equally likely instances
WRONG = ((0,), (1, 2, 3), (4, 5), (6, 7, 8), (7,), (8, 9))
ROWS = (0, 0, 1, 1, 2, 3, 4, 4, 5, 6)
DIMENSIONS = {
    (2, 0.1, 0.05): 1337,
    (3, 0.1, 0.05): 1899,
    (3, 0.05, 0.1): 4197,
    (4, 0.1, 0.05): 2461,
    (10, 0.1, 0.05): 5831,
    (11, 0.1, 0.05): 6393,
}
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
        "all nine conjunctions of two attributes; the target requires both; all instances are equally likely",
    )


def _version_space() -> Outcome:
    from induce.theory import exhaustion

    table = [[int(x in wrong) for x in range(10)] for wrong in WRONG]
    found = exhaustion(table, [0] * 10, ROWS, epsilon=0.25)
    pairs = [(round(error, 9), round(r, 9)) for error, r in found.space]
    return Outcome(
        "; ".join(f"error {error:g}, r {r:g}" for error, r in pairs) + f"\n{found}",
        pairs[:4] == [(0.1, 0.2), (0.3, 0.4), (0.2, 0.3), (0.3, 0.1)]
        and found.members == (4, 5)
        and found.exhausted,
        "ten instances and ten rows invented to give these values; the pairing of errors with r is "
        "inferred, and the two consistent hypotheses are ours",
    )


def _three_instances() -> Outcome:
    from induce.theory import conjunction_table, shattering

    # 100, 010 and 001, as binary numbers
    table = conjunction_table(3)
    found = shattering(table, [4, 2, 1])
    # each attribute must be 0, must be 1, or may be either (2): NOT l1 AND NOT l3 is 0, 2, 0
    says = table[int("020", base=3)].tolist()
    covered = [f"{x:03b}" for x in range(8) if says[x]]
    return Outcome(
        f"{found}; NOT l1 AND NOT l3 covers {' and '.join(covered)}: of the three only 010",
        found.shattered and covered == ["000", "010"],
    )


def _dimension_bound() -> Outcome:
    from induce.theory import of_dimension, sample_complexity

    found = [
        sample_complexity(of_dimension(vc), epsilon=epsilon, delta=delta, setting="vc").rows
        for vc, epsilon, delta in DIMENSIONS
    ]
    return Outcome(", ".join(map(str, found)), found == list(DIMENSIONS.values()))


def _interval_shattering() -> Outcome:
    from induce.theory import dichotomies, shattering

    two = shattering(dichotomies([3.1, 5.7], "boxes"))
    three = shattering(dichotomies([1.0, 2.0, 3.0], "boxes"))
    return Outcome(
        f"{two}\n{three}", two.shattered and three.missing == ((1, 0, 1),), "3.1 and 5.7; then with any third"
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
        f"for 1 to 4 attributes, by search; for a single one it is {with_false} if the always-false "
        "hypothesis is included",
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
        "bound on the VC dimension, rows needed; networks of 2, 3 and 5 units with 2, 2 and 10 inputs each",
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


RESULTS = (
    Result(
        "mitchell-7.3-conjunctions",
        "Mitchell, section 7.3.2",
        "rows needed for conjunctions of up to 10 literals, error 0.1, probability 95%",
        "140",
        _conjunctions,
    ),
    Result(
        "mitchell-7.3-agnostic",
        "Mitchell, section 7.3.1",
        "the same without assuming that the target is a conjunction",
        "[700 for error 0.1, 2797 for 0.05, 69910 for 0.01]",
        _agnostic,
    ),
    Result(
        "mitchell-7.3-unbiased",
        "Mitchell, section 7.3.3.1",
        "rows needed for the unbiased class of all Boolean functions grow exponentially",
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
        "the probability that a version space is not epsilon-exhausted is at most |H| exp(-epsilon m)",
        "[0.472656, 0.112625, 0.006342 for 5, 10 and 20 rows of a small case]",
        _exhaustion,
    ),
    Result(
        "mitchell-7.2-version-space",
        "Mitchell, figure 7.2",
        "hypotheses with true error and training error r; those with r = 0 form the version space",
        "0.1, 0.2; 0.3, 0.4; 0.2, 0.3; 0.3, 0.1",
        _version_space,
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
        "mitchell-7.4-three-instances",
        "Mitchell, section 7.4.2",
        "conjunctions of three literals shatter the instances 100, 010 and 001",
        "shattered; only the second is covered by NOT l1 AND NOT l3",
        _three_instances,
    ),
    Result(
        "mitchell-7.4-dimension-bound",
        "Mitchell, equation 7.7",
        "number of rows that suffices, by the VC dimension",
        "[1337, 1899, 4197, 2461, 5831, 6393]",
        _dimension_bound,
    ),
    Result(
        "mitchell-7.3-lower-bound",
        "Mitchell, theorem 7.3",
        "number of rows that every learner needs",
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
        "aima-18.5-sample-complexity",
        "Russell and Norvig, equation 18.1",
        "examples needed for 2, 10, 100, 1000 and a million hypotheses, error 0.1, probability 95%",
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
)
