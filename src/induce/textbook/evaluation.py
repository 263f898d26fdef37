"""Mitchell, chapter 5: sampling theory, comparisons of hypotheses, and the exercises."""

from __future__ import annotations

from induce.textbook.measuring import all_as_printed, as_printed
from induce.textbook.result import Outcome, Result

DIFFERENCES = (0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05, 0.04)


def _deviations() -> Outcome:
    from induce.statistics import Binomial

    errors = Binomial(40, 12 / 40)
    got = [errors.var(), errors.std(), errors.rate().std()]
    return Outcome(
        f"variance {got[0]:.2f}, standard deviation {got[1]:.4f}; of the error rate {got[2]:.4f}",
        all_as_printed(got, ("8.4", "2.9", "0.07")),
    )


def _sixty_eight() -> Outcome:
    from induce.statistics import normal

    interval = normal(12, 40, 0.68, table=True)
    reach = (interval.high - interval.low) / 2
    exact = normal(12, 40, 0.68).high - 0.30
    return Outcome(f"0.30 ± {reach:.4f}", as_printed(reach, "0.07"), f"with the exact z it is {exact:.4f}")


def _coverage() -> Outcome:
    from induce.statistics import actual_coverage

    normal, wilson = (100 * float(actual_coverage(method, 40, 0.3)) for method in ("normal", "wilson"))
    return Outcome(
        f"{normal:.2f}%",
        as_printed(normal, "92.99"),
        f"an exact sum over the binomial distribution; Wilson's interval covers {wilson:.1f}%",
    )


def _expected_value() -> Outcome:
    from induce.statistics import Finite

    variable = Finite((1, 2), (0.7, 0.3))
    return Outcome(
        f"{variable.mean():.4g}", as_printed(variable.mean(), "1.3"), f"the variance is {variable.var():.2f}"
    )


def _binomial() -> Outcome:
    import numpy as np

    from induce.statistics import Binomial

    errors = Binomial(40, 0.3)
    chances = errors.pmf(np.arange(41))
    peak = int(np.argmax(chances))
    return Outcome(
        f"{chances[peak]:.4f} for {peak} errors; mean {errors.mean():.4g}",
        0.12 < chances[peak] < 0.14 and peak == 12,
    )


def _histogram() -> Outcome:
    from induce.statistics import sample_errors

    few, many = (sample_errors(0.3, 40, samples).distance for samples in (100, 100_000))
    return Outcome(
        f"{few:.3f} after 100 samples, {many:.3f} after 100,000",
        many < 0.01 < few,
        "total variation distance between the histogram and the binomial distribution",
    )


def _central_limit() -> Outcome:
    from induce.statistics import Finite, central_limit

    skewed = Finite((0, 1, 10), (0.6, 0.3, 0.1))
    distances = [central_limit(skewed, n).distance for n in (1, 30, 300)]
    return Outcome(
        ", ".join(f"{distance:.3f}" for distance in distances),
        distances[0] > 3 * distances[1] > 6 * distances[2],
        "maximum distance from the normal distribution function, for means of 1, 30 and 300 skewed values",
    )


def _one_sided_figure() -> Outcome:
    from induce.statistics import Normal, Student

    low, high = Normal().within(0.80)
    bound = Student().ppf(0.90)
    return Outcome(
        f"80% in [{low:.2f}, {high:.2f}], 90% below {bound:.2f}",
        all_as_printed([low, high, bound], ("-1.28", "1.28", "1.28")),
    )


def _halved() -> Outcome:
    from induce.statistics import normal

    two, one = normal(12, 40, 0.95), normal(12, 40, 0.975, "upper")
    return Outcome(
        f"95% in [{two.low:.2f}, {two.high:.2f}], so 97.5% below {one.high:.2f}",
        abs(two.high - one.high) < 1e-12,
    )


def _difference() -> Outcome:
    from induce.statistics import two_proportions

    found = two_proportions(30, 100, 20, 100)
    z = found.difference / found.deviation
    interval = found.interval
    return Outcome(
        f"0.10 = {z:.2f} standard deviations of {found.deviation:.4f}: confidence {found.probability:.4f}",
        all_as_printed([found.deviation, z, found.probability], ("0.061", "1.64", "0.95")),
        f"two-sided, the 95% interval [{interval.low:.3f}, {interval.high:.3f}] still contains 0",
    )


def _paired_t() -> Outcome:
    from induce.statistics import paired_t, t_mean

    interval, table = t_mean(DIFFERENCES), t_mean(DIFFERENCES, table=True)
    return Outcome(
        f"0.030, [{interval.low:.4f}, {interval.high:.4f}]; with the book's t [{table.low:.4f}, {table.high:.4f}]",
        all_as_printed(
            [interval.low, interval.high, table.low, table.high],
            ("0.0155912991", "0.0444087009", "0.0155792637", "0.0444207363"),
        ),
        f"eleven invented differences; p = {paired_t(DIFFERENCES).p_value:.5f}",
    )


def _exercise_1() -> Outcome:
    from induce.statistics import Binomial

    small, large = (Binomial(n, 0.3).rate().std() for n in (40, 1000))
    return Outcome(
        f"{large:.5f}, {small / large:.4g} times smaller than with 40 examples",
        as_printed(large, "0.01449") and as_printed(small / large, "5.0000"),
    )


def _exercise_2() -> Outcome:
    from induce.statistics import normal

    interval = normal(17, 100, table=True)
    return Outcome(
        f"0.17, 95% [{interval.low:.4f}, {interval.high:.4f}]",
        all_as_printed([interval.low, interval.high], ("0.0963759713", "0.2436240287")),
    )


def _exercise_3() -> Outcome:
    from induce.statistics import normal

    two = normal(10, 65, 0.90, table=True)
    ninety_five, ninety = (normal(10, 65, level, "upper", table=True).high for level in (0.95, 0.90))
    return Outcome(
        f"90% [{two.low:.4f}, {two.high:.4f}]; 95% at most {ninety_five:.4f}; 90% at most {ninety:.4f}",
        all_as_printed(
            [two.low, two.high, ninety_five, ninety],
            ("0.0804530664", "0.2272392413", "0.2272392413", "0.2111285636"),
        ),
    )


def _exercise_4() -> Outcome:
    from induce.statistics import sample_size

    planned = [sample_size(0.1, 0.95, error, table=True).n for error in ((0.2, 0.6), 0.2, 0.6)]
    return Outcome(
        str(planned[0]),
        planned == [385, 246, 369],
        f"the worst error in the range is 0.5; for 0.2 or 0.6, {planned[1]} or {planned[2]} examples "
        "would be enough",
    )


def _exercise_5() -> Outcome:
    from induce.statistics import two_proportions

    low = two_proportions(30, 100, 20, 100, 0.95, "lower", table=True).interval.low
    high = two_proportions(30, 100, 20, 100, 0.95, "upper", table=True).interval.high
    return Outcome(
        f"d ≥ {low:.4f}, d ≤ {high:.4f}",
        all_as_printed([low, high], ("0.0002426945", "0.1997573055")),
        "95% each, for errors of 0.30 and 0.20 on 100 examples each",
    )


def _exercise_6() -> Outcome:
    import numpy as np

    from induce.core.folds import folds

    rows = np.zeros(300)
    trained = [set(train) for train, _ in folds(rows, 10, 0, stratify=False).split(rows)]
    shared = {len(one & other) / len(one) for one in trained for other in trained if one is not other}
    tested = len(set.union(*trained))
    return Outcome(
        f"two training sets of ten folds share {min(shared):.3f} of their rows; all come from the same {tested}",
        len(shared) == 1 and as_printed(shared.pop(), "0.889") and tested == 300,
        "so the mean is over subsets of the available data, not over draws from the distribution",
    )


RESULTS = (
    Result(
        "mitchell-5.3-deviation",
        "Mitchell, sections 5.3.3 and 5.3.4",
        "12 errors in 40 examples: variance and standard deviation of the number of errors, standard "
        "deviation of the error rate",
        "8.4, 2.9, 0.07",
        _deviations,
    ),
    Result(
        "mitchell-5.2-68-interval",
        "Mitchell, section 5.2.2",
        "68% interval for the error of a hypothesis that is wrong on 12 of 40 examples",
        "0.30 ± 0.07",
        _sixty_eight,
    ),
    Result(
        "mitchell-5.2-coverage",
        "Mitchell, section 5.2.2",
        "coverage of the 95% interval from 40 examples if the true error is 0.3",
        "approximately 95%",
        _coverage,
        comment="approximately is right: coverage is 93.0%, since n r (1 - r) ≥ 5 makes the normal "
        "approximation good, not exact",
    ),
    Result(
        "mitchell-5.3-expected-value",
        "Mitchell, section 5.3.3",
        "the expected value of a variable that is 1 with probability 0.7 and 2 with probability 0.3",
        "1.3",
        _expected_value,
    ),
    Result(
        "mitchell-5.3-binomial",
        "Mitchell, table 5.3",
        "the binomial distribution for 40 examples and error 0.3, and its peak",
        "between 0.12 and 0.14",
        _binomial,
    ),
    Result(
        "mitchell-5.3-histogram",
        "Mitchell, section 5.3.1",
        "the errors of many samples of 40 examples approach the binomial distribution",
        "no number is given",
        _histogram,
    ),
    Result(
        "mitchell-5.4-central-limit",
        "Mitchell, theorem 5.1",
        "means of values of any distribution approach a normal one; 30 values are usually enough",
        "no number is given",
        _central_limit,
    ),
    Result(
        "mitchell-5.1-figure",
        "Mitchell, figure 5.1",
        "an 80% two-sided interval of the normal distribution is a 90% one-sided one",
        "80% in [-1.28, 1.28], 90% below 1.28",
        _one_sided_figure,
    ),
    Result(
        "mitchell-5.3-one-sided",
        "Mitchell, section 5.3.6",
        "a single bound of a two-sided interval has twice the confidence",
        "twice the confidence",
        _halved,
        "it is the error probability that is halved: 95% becomes 97.5%",
    ),
    Result(
        "mitchell-5.5-difference",
        "Mitchell, section 5.5.1",
        "errors 0.30 and 0.20 on two samples of 100: the first hypothesis has the higher true error",
        "standard deviation 0.061, z = 1.64, confidence 0.95",
        _difference,
    ),
    Result(
        "mitchell-5.6-paired-t",
        "Mitchell, section 5.6",
        "the mean of eleven differences and its 95% interval, by equation 5.17",
        "[0.0156 to 0.0444]",
        _paired_t,
    ),
    Result(
        "mitchell-exercise-5.1",
        "Mitchell, exercise 5.1",
        "the standard deviation of the error rate for 300 errors in 1000 examples",
        "[0.0145]",
        _exercise_1,
    ),
    Result(
        "mitchell-exercise-5.2",
        "Mitchell, exercise 5.2",
        "17 errors in 100 examples, and the 95% interval",
        "[0.17, from 0.096 to 0.244]",
        _exercise_2,
    ),
    Result(
        "mitchell-exercise-5.3",
        "Mitchell, exercise 5.3",
        "10 errors in 65 examples: the 90% interval, the 95% and the 90% upper bound",
        "[0.080 to 0.227; 0.227; 0.211]",
        _exercise_3,
    ),
    Result(
        "mitchell-exercise-5.4",
        "Mitchell, exercise 5.4",
        "number of examples for a 95% interval narrower than 0.1, if the error lies between 0.2 and 0.6",
        "[385]",
        _exercise_4,
    ),
    Result(
        "mitchell-exercise-5.5",
        "Mitchell, exercise 5.5",
        "one-sided bounds for the difference of two errors",
        "[the bounds of the two-sided interval with twice the error probability]",
        _exercise_5,
    ),
    Result(
        "mitchell-exercise-5.6",
        "Mitchell, exercise 5.6",
        "the interval of a k-fold comparison is for the average over subsets of the data",
        "[all training sets are subsets of the same data]",
        _exercise_6,
    ),
)
