"""Statistics of each rule on rows: coverage, precision, lift, significance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value, is_missing, plain
from induce.data.frames import Floats
from induce.data.names import unknown
from induce.hypotheses.naming import plural

if TYPE_CHECKING:
    from induce.hypotheses.rules import RuleList
    from induce.statistics.interval import Interval

OPTIMISTIC = "the rule was fitted to these rows, so its precision on new ones is probably lower"
WEIGHTED = "with weighted rows they are approximate"


@dataclass(frozen=True)
class RuleStatistics:
    """Statistics of one rule on a set of rows.

    Parameters
    ----------
    premise : str
        Conditions as text, or DEFAULT.
    prediction : str, int, float or bool
    counts : tuple of float
        Number of covered rows per class.
    covered : float
        Number of covered rows.
    coverage : float
        Fraction of all rows that are covered.
    correct : float
        Number of covered rows with the predicted class.
    precision : float
        Fraction of the covered rows with the predicted class; NaN if none is covered.
    interval : Interval or None
        Clopper-Pearson interval for the precision; None if no row is covered.
    lift : float
        Relative frequency of the predicted class among the covered rows, divided by that among all rows.
    significance : float
        Likelihood-ratio statistic 2 Σ f ln(f/e) that compares the counts f with the expected counts e of as many rows
        drawn from all (Clark and Niblett's test in CN2; Mitchell, section 10.2).
    p_value : float
        P-value of the statistic under the chi-square distribution with one degree of freedom less than the
        number of classes. It is inaccurate for few rows and does not account for the number of rules that
        were tried.
    """

    premise: str
    prediction: Value
    counts: tuple[float, ...]
    covered: float
    coverage: float
    correct: float
    precision: float
    interval: Interval | None
    lift: float
    significance: float
    p_value: float

    def __str__(self) -> str:
        from induce.hypotheses.tables import sentence_of_statistics

        return sentence_of_statistics(self)


@dataclass(frozen=True)
class RuleTable:
    """Statistics of every rule of a list and of its default; see `RuleList.statistics`.

    Parameters
    ----------
    rules : tuple of RuleStatistics
    default : RuleStatistics
        Statistics of the rows that no rule covers.
    classes : tuple
    class_counts : tuple of float
        Number of all rows per class.
    training : bool
        Whether the rows are the training rows.
    ordered : bool
    note : str
        Caveat about the numbers.
    """

    rules: tuple[RuleStatistics, ...]
    default: RuleStatistics
    classes: tuple[Value, ...]
    class_counts: tuple[float, ...]
    training: bool
    ordered: bool
    note: str

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[RuleStatistics]:
        return iter(self.rules)

    def __getitem__(self, number: int) -> RuleStatistics:
        return self.rules[number]

    def __str__(self) -> str:
        from induce.hypotheses.tables import text_of_statistics

        return text_of_statistics(self)

    def _repr_html_(self) -> str:
        from induce.hypotheses.tables import html_of_statistics

        return html_of_statistics(self)


def of_training(rules: RuleList, confidence: float) -> RuleTable:
    """Return the statistics on the training rows, from the stored counts of the rules."""
    counts = [*(rule.counts for rule in rules.rules), rules.default_counts]
    note = f"On the training rows: {OPTIMISTIC}."
    if rules.class_counts:
        everything = rules.class_counts
    else:
        everything = tuple(np.sum(np.array(counts, dtype=np.float64), axis=0).tolist())
        note += (
            " The class totals of the training rows were not stored; they are the sums of the counts "
            "of the rules and the default, which is correct if every row is counted once."
        )
    return _table(rules, counts, everything, confidence, True, note)


def of_rows(rules: RuleList, X: Any, y: Any, confidence: float) -> RuleTable:
    """Return the statistics on other rows."""
    table = rules.encoded(X)
    labels = class_codes(y, rules.classes)
    if len(labels) != len(table):
        raise InputError(f"X has {len(table)} rows, but y has {len(labels)}; give one class per row")
    n_classes = len(rules.classes)
    left = np.ones(len(table), dtype=np.bool_)
    counts = []
    for rule in rules.rules:
        covers = rule.covers(table)
        counts.append(np.bincount(labels[covers & left if rules.ordered else covers], minlength=n_classes))
        left &= ~covers
    counts.append(np.bincount(labels[left], minlength=n_classes))
    what = "the rows that each rule decides" if rules.ordered else "the rows that each rule covers"
    floats = [tuple(map(float, each)) for each in counts]
    everything = tuple(map(float, np.bincount(labels, minlength=n_classes)))
    note = f"On {plural(len(table), 'given row')}, counting {what}."
    return _table(rules, floats, everything, confidence, False, note)


def class_codes(y: Any, classes: tuple[Value, ...]) -> Any:
    """Return the index of each class of `y` in `classes`.

    Examples
    --------
    >>> class_codes(["yes", "no"], ("no", "yes")).tolist()
    [1, 0]
    """
    values = y.to_list() if hasattr(y, "to_list") else list(y)
    places = {value: place for place, value in enumerate(classes)}
    codes = np.empty(len(values), dtype=np.intp)
    for row, value in enumerate(map(plain, values)):
        if is_missing(value):
            raise InputError("y contains missing values; drop the rows without a class")
        if value not in places:
            raise unknown("class", str(value), map(str, classes))
        codes[row] = places[value]
    return codes


def likelihood_ratio(counts: Floats, shares: Floats) -> Floats:
    """Return 2 Σ f ln(f/e) for each row of class counts f, where e are counts expected under `shares`.

    Examples
    --------
    >>> likelihood_ratio(np.array([[4.0, 0.0], [9.0, 5.0]]), np.array([9, 5]) / 14).round(4).tolist()
    [3.5347, 0.0]
    """
    from scipy.special import rel_entr

    expected = counts.sum(axis=1, keepdims=True) * shares
    # a sum of rounded terms may be slightly below zero
    statistic: Floats = np.maximum(2 * rel_entr(counts, expected).sum(axis=1), 0.0)
    return statistic


def _table(
    rules: RuleList,
    counts: list[tuple[float, ...]],
    everything: tuple[float, ...],
    confidence: float,
    training: bool,
    note: str,
) -> RuleTable:
    from scipy.special import chdtrc

    from induce.statistics.constants import check_confidence

    check_confidence(confidence)
    lines: list[tuple[str, Value]] = [(f"IF {rule.premise()}", rule.prediction) for rule in rules.rules]
    lines.append(("DEFAULT", rules.default))
    places = [rules.classes.index(prediction) for _, prediction in lines]
    found = np.array(counts, dtype=np.float64)
    whole = np.array(everything, dtype=np.float64)
    covered, correct = found.sum(axis=1), found[np.arange(len(found)), places]
    shares = _divided(whole, np.array(whole.sum()))
    precision = _divided(correct, covered)
    significance = likelihood_ratio(found, np.nan_to_num(shares))
    freedom = max(int((whole > 0).sum()) - 1, 0)
    p_values = chdtrc(freedom, significance) if freedom else np.ones(len(found))
    lift = _divided(precision, shares[places])
    coverage = _divided(covered, np.full(len(found), whole.sum()))
    intervals = _intervals(correct, covered, confidence, training)
    made = tuple(
        RuleStatistics(
            premise,
            prediction,
            tuple(found[row].tolist()),
            covered=float(covered[row]),
            coverage=float(coverage[row]),
            correct=float(correct[row]),
            precision=float(precision[row]),
            interval=intervals[row],
            lift=float(lift[row]),
            significance=float(significance[row]),
            p_value=float(p_values[row]),
        )
        for row, (premise, prediction) in enumerate(lines)
    )
    note += " Intervals are Clopper and Pearson's"
    note += "." if (found % 1 == 0).all() else f"; {WEIGHTED}."
    return RuleTable(made[:-1], made[-1], rules.classes, everything, training, rules.ordered, note)


def _divided(one: Floats, other: Floats) -> Floats:
    """Divide; a division by zero gives NaN."""
    missing = np.full(np.broadcast(one, other).shape, math.nan)
    divided: Floats = np.divide(one, other, out=missing, where=other > 0)
    return divided


def _intervals(correct: Floats, covered: Floats, confidence: float, training: bool) -> list[Interval | None]:
    """Return an interval for each precision, or None if there is none.

    The limits used in pruning accept fractional counts; for integer counts they are the Clopper-Pearson
    limits.
    """
    from induce.statistics.interval import EXACT, Interval
    from induce.statistics.intervals import upper_limit

    tail = (1 - confidence) / 2
    wrong = np.maximum(covered - correct, 0.0)  # sums of fractions may differ in the last bit
    low = 1 - upper_limit(wrong, covered, tail)
    high = upper_limit(correct, covered, tail)
    made: list[Interval | None] = []
    for right, total, lowest, highest in zip(correct, covered, low, high, strict=True):
        if total <= 0:
            made.append(None)
            continue
        counted = float(total).is_integer() and float(right).is_integer()
        trouble = "rows have weights" if not counted else OPTIMISTIC if training else "independent rows"
        made.append(
            Interval(
                float(lowest), float(highest), confidence, EXACT, "two", counted and not training, trouble
            )
        )
    return made
