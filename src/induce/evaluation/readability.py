"""Size of a hypothesis to a reader: one measure for hypotheses of every kind."""

from __future__ import annotations

from typing import Any

from induce.evaluation.predictors import own_size, parts_of


def parts(fitted: Any) -> int | None:
    """Count the things that a reader of a hypothesis goes through.

    A tree has a condition at every branch and a conclusion at every leaf, a list of rules has the conditions and
    the conclusion of each rule and a default. A scorecard has its lines, naive Bayes its probabilities, a theory its
    literals, a network its arcs and parameters, a vote what its members have and their weights. Where a weighted sum
    stands for a value, each of its terms counts. `Hypothesis.parts` says what the things are.

    Parameters
    ----------
    fitted : hypothesis or fitted learner
        Trees and linear functions of scikit-learn are counted too; of a pipeline, the last step.

    Returns
    -------
    int or None
        None for hypotheses that cannot be written out, such as neighbours.

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
    """Return the size of a hypothesis in its own terms, such as nodes and leaves; empty if it has none."""
    said = own_size(fitted)
    if said:
        return said
    count = parts(fitted)
    return "" if count is None else f"{count} parts"
