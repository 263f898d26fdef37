"""Mitchell, chapter 5: intervals for the error of a hypothesis."""

from __future__ import annotations

from induce.textbook.measuring import all_as_printed, as_printed
from induce.textbook.result import Outcome, Result

LEVELS = (50, 68, 80, 90, 95, 98, 99)
Z = (".67", ".99", "1.28", "1.64", "1.96", "2.33", "2.58")
T = {
    2: ("2.92", "4.30", "6.96", "9.92"),
    5: ("2.02", "2.57", "3.36", "4.03"),
    10: ("1.81", "2.23", "2.76", "3.17"),
    20: ("1.72", "2.09", "2.53", "2.85"),
    30: ("1.70", "2.04", "2.46", "2.75"),
    120: ("1.66", "1.98", "2.36", "2.62"),
}


def _two_sided() -> Outcome:
    from induce.statistics import normal

    interval = normal(12, 40)
    reach = (interval.high - interval.low) / 2
    return Outcome(
        f"0.30 ± {reach:.4f}", as_printed(reach, "0.14") and interval.holds, interval.preconditions
    )


def _one_sided() -> Outcome:
    from induce.statistics import normal

    interval = normal(12, 40, confidence=0.975, sides="upper")
    return Outcome(f"{interval.high:.4f}", as_printed(interval.high, "0.44"))


def _exact() -> Outcome:
    from induce.statistics import clopper_pearson

    interval = clopper_pearson(12, 40)
    return Outcome(
        f"[{interval.low:.4f}, {interval.high:.4f}]",
        all_as_printed([interval.low, interval.high], ("0.1656", "0.4653")),
        "the exact binomial interval is a little wider than 0.30 ± 0.14",
    )


def _z_table() -> Outcome:
    from induce.statistics import z

    constants = [z(level / 100) for level in LEVELS]
    got = ", ".join(f"{level}%: {value:.2f}" for level, value in zip(LEVELS, constants, strict=True))
    return Outcome(got, all_as_printed(constants, Z))


def _t_table() -> Outcome:
    from induce.statistics import student_t

    lines, agrees = [], True
    for freedom, printed in T.items():
        t = [student_t(level, freedom) for level in (0.90, 0.95, 0.98, 0.99)]
        lines.append(f"{freedom}: " + ", ".join(f"{value:.2f}" for value in t))
        agrees = agrees and all_as_printed(t, printed)
    return Outcome("\n".join(lines), agrees, "degrees of freedom: 90%, 95%, 98%, 99%")


RESULTS = (
    Result(
        "mitchell-5.2-interval",
        "Mitchell, section 5.2.2",
        "95% interval for the error of a hypothesis that is wrong on 12 of 40 examples",
        "0.30 ± 0.14",
        _two_sided,
    ),
    Result(
        "mitchell-5.3-upper-bound",
        "Mitchell, section 5.3.6",
        "upper bound on the error from the same examples, with confidence 97.5%",
        "0.44",
        _one_sided,
    ),
    Result(
        "mitchell-5.3-exact-interval",
        "Mitchell, section 5.3.5",
        "the exact binomial interval for 12 errors in 40 examples, which the text leaves to tables",
        "[0.166 to 0.465]",
        _exact,
    ),
    Result(
        "mitchell-5.1-table",
        "Mitchell, table 5.1",
        "the constants z for two-sided intervals",
        "50%: 0.67, 68%: 1.00, 80%: 1.28, 90%: 1.64, 95%: 1.96, 98%: 2.33, 99%: 2.58",
        _z_table,
        "1.00 belongs to 68.27%; for 68% z is 0.994",
    ),
    Result(
        "mitchell-5.6-table",
        "Mitchell, table 5.6",
        "the constants t for intervals of a mean (90%, 95%, 98%, 99% by degrees of freedom)",
        "\n".join(
            f"{freedom}: {', '.join('2.84' if row == '2.85' else row for row in rows)}"
            for freedom, rows in T.items()
        ),
        _t_table,
        "for 20 degrees of freedom and 99% t is 2.8453, which rounds to 2.85, not 2.84",
    ),
)
