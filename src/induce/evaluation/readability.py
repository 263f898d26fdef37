"""Readability of a hypothesis: one size measure for all types of hypotheses."""

from __future__ import annotations

from typing import Any

from induce.evaluation.predictors import own_size, parts_of


def parts(fitted: Any) -> int | None:
    """Count the parts that a reader of a hypothesis must go through.

    A tree has a condition at every branch and a conclusion at every leaf; a rule list has the conditions and
    the conclusion of each rule and a default. A scorecard has its lines, naive Bayes its probabilities, a
    theory its literals, a network its arcs and parameters, and an ensemble the parts of its members and their
    weights. Where a value is a weighted sum, each term counts. `Hypothesis.parts` documents the parts of each
    type.

    Parameters
    ----------
    fitted : hypothesis or fitted learner
        Hypothesis or learner; trees and linear models of scikit-learn are supported, and for a pipeline the last step
        is counted.

    Returns
    -------
    int or None
        Number of parts; None for hypotheses that cannot be written out, such as nearest neighbours.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree, rules = induce.C45().fit(X, y), induce.C45Rules().fit(X, y)
    >>> parts(tree), parts(rules)
    (12, 7)
    >>> print(induce.NaiveBayes().fit(X, y).hypothesis_.parts())
    22 probabilities
    """
    return parts_of(fitted).number


def size_text(fitted: Any) -> str:
    """Return the size of a hypothesis in its own units, such as nodes and leaves; empty if not available."""
    said = own_size(fitted)
    if said:
        return said
    count = parts(fitted)
    return "" if count is None else f"{count} parts"
