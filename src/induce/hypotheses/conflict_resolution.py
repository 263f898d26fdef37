"""Conflict resolution of rules, and probabilities from their counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import largest_of_each
from induce.core.values import Value
from induce.data.frames import Floats
from induce.data.table import Table

if TYPE_CHECKING:
    from induce.hypotheses.rules import RuleList


def first_decides(rules: RuleList, table: Table) -> tuple[NDArray[np.intp], Floats]:
    """Return, for each row, the class index predicted by the first rule that covers it, and the counts of
    that rule.
    """
    decider = np.full(len(table), len(rules.rules))
    open_ = np.ones(len(table), dtype=np.bool_)
    for number, rule in enumerate(rules.rules):
        fires = open_ & rule.covers(table)
        decider[fires] = number
        open_ &= ~fires
        if not open_.any():
            break
    predicted = (*(rule.prediction for rule in rules.rules), rules.default)
    heads = [rules.classes.index(head) for head in predicted]
    counts = [*(rule.counts for rule in rules.rules), rules.default_counts]
    return np.array(heads, dtype=np.intp)[decider], np.array(counts, dtype=np.float64)[decider]


def all_vote(rules: RuleList, table: Table) -> tuple[NDArray[np.intp], Floats]:
    """Return, for each row, the class index with the largest sum of counts over the covering rules, and these
    sums.
    """
    votes = np.zeros((len(table), len(rules.classes)))
    for rule in rules.rules:
        # rules are added one by one, as in the exports, so that sums of fractions agree to the last bit
        votes[rule.covers(table)] += np.array(rule.counts, dtype=np.float64)
    predicted = votes.argmax(axis=1)
    silent = ~votes.any(axis=1)
    predicted[silent] = rules.classes.index(rules.default)
    votes[silent] = rules.default_counts
    return predicted, votes


def class_array(classes: tuple[Value, ...]) -> NDArray[Any]:
    """Return the classes as an array that keeps their types.

    Examples
    --------
    >>> class_array((1, 2)).dtype.kind, class_array((1, "2")).dtype.kind
    ('i', 'O')
    """
    return np.array(classes, dtype=None if len({type(value) for value in classes}) == 1 else object)


def probabilities(counts: Floats, predicted: NDArray[np.intp]) -> Floats:
    """Convert counts to probabilities whose first maximum is at the predicted class of each row.

    Examples
    --------
    >>> probabilities(np.array([[1.0, 3.0], [1.0, 3.0]]), np.array([1, 0])).tolist()
    [[0.25, 0.75], [1.0, 0.0]]
    """
    rows = np.arange(len(counts))
    total = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    overruled = ~largest_of_each(counts)[rows, predicted] | (total[:, 0] == 0)
    shares[overruled] = 0.0
    shares[rows[overruled], predicted[overruled]] = 1.0
    # one of several tied classes was predicted: its probability gets one more unit in the last place
    tied = shares.argmax(axis=1) != predicted
    shares[rows[tied], predicted[tied]] = np.nextafter(shares[tied].max(axis=1), 1.0)
    return shares
