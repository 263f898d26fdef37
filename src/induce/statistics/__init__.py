"""Machinery: intervals, tests and plans that say which method made them and whether its preconditions hold."""

from induce.statistics.constants import Student, student_t, z
from induce.statistics.coverage import CoverageGrid, actual_coverage, coverage_grid
from induce.statistics.distributions import Binomial, Finite, Normal, bias
from induce.statistics.intervals import (
    Difference,
    Interval,
    bootstrap_mean,
    bootstrap_proportion,
    clopper_pearson,
    normal,
    normal_mean,
    t_mean,
    two_proportions,
    upper_limit,
    wilson,
)
from induce.statistics.planning import PlannedComparison, SampleSize, detectable_difference, sample_size
from induce.statistics.ranks import Ranking, friedman
from induce.statistics.recipe import Recipe
from induce.statistics.sampling import SampleErrors, SampleMeans, central_limit, sample_errors
from induce.statistics.verdicts import (
    Verdict,
    corrected_t,
    five_by_two,
    holm,
    mcnemar,
    paired_t,
    sign,
    wilcoxon,
)

__all__ = [
    "Binomial",
    "CoverageGrid",
    "Difference",
    "Finite",
    "Interval",
    "Normal",
    "PlannedComparison",
    "Ranking",
    "Recipe",
    "SampleErrors",
    "SampleMeans",
    "SampleSize",
    "Student",
    "Verdict",
    "actual_coverage",
    "bias",
    "bootstrap_mean",
    "bootstrap_proportion",
    "central_limit",
    "clopper_pearson",
    "corrected_t",
    "coverage_grid",
    "detectable_difference",
    "five_by_two",
    "friedman",
    "holm",
    "mcnemar",
    "normal",
    "normal_mean",
    "paired_t",
    "sample_errors",
    "sample_size",
    "sign",
    "student_t",
    "t_mean",
    "two_proportions",
    "upper_limit",
    "wilcoxon",
    "wilson",
    "z",
]
