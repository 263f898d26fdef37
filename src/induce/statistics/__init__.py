"""Machinery: intervals that say which method made them and whether its preconditions hold."""

from induce.statistics.intervals import (
    Interval,
    clopper_pearson,
    normal,
    normal_mean,
    t_mean,
    upper_limit,
    wilson,
)

__all__ = [
    "Interval",
    "clopper_pearson",
    "normal",
    "normal_mean",
    "t_mean",
    "upper_limit",
    "wilson",
]
