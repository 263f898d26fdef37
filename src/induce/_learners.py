"""The catalogue of learners: what each needs and what it gives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LearnerEntry:
    """A learner of the catalogue.

    Parameters
    ----------
    name : str
        The class, found under this name in `induce`.
    summary : str
        What it does, in one line.
    needs : str
        What it learns from.
    gives : str
        The kind of hypothesis it learns.
    """

    name: str
    summary: str
    needs: str
    gives: str


_TABLE = "a table of nominal and numeric columns, values may be missing; two classes or more"

_CATALOGUE = (
    LearnerEntry(
        "C45", "gain ratio, guarded thresholds, error-based pruning (Quinlan's C4.5)", _TABLE, "Tree"
    ),
    LearnerEntry(
        "C45Rules", "rules from a C4.5 tree, each pruned by itself (rule post-pruning)", _TABLE, "RuleList"
    ),
    LearnerEntry(
        "CART", "gini index, two branches, cost-complexity pruning (Breiman and others)", _TABLE, "Tree"
    ),
    LearnerEntry(
        "DecisionTreeClassifier", "a tree with the measure, splits and pruning you choose", _TABLE, "Tree"
    ),
    LearnerEntry("ID3", "information gain, grown until it fits (Quinlan's ID3)", _TABLE, "Tree"),
)


def learners() -> tuple[LearnerEntry, ...]:
    """List the learners with what they need and give.

    Examples
    --------
    >>> [entry.name for entry in learners() if entry.gives == "RuleList"]
    ['C45Rules']
    """
    return _CATALOGUE
