"""Machinery: intervals that say which method made them and whether its preconditions hold."""

from induce.statistics.intervals import (
    Interval,
    added_errors,
    clopper_pearson,
    normal,
    normal_mean,
    t_mean,
    upper_limit,
    wilson,
)

__all__ = [
    "Interval",
    "added_errors",
    "clopper_pearson",
    "normal",
    "normal_mean",
    "t_mean",
    "upper_limit",
    "wilson",
]
