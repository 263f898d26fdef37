"""Comparison of the ways in which knowledge enters learning (Mitchell §12.2.2, Table 12.1)."""

from __future__ import annotations

from induce.core.declarations import WAYS, learners
from induce.core.reports import text_table

GOALS = (
    ("", "inductive", "analytical"),
    ("goal", "hypothesis fits data", "hypothesis fits domain theory"),
    ("justification", "statistical inference", "deductive inference"),
    ("advantage", "needs little prior knowledge", "learns from scarce data"),
    ("pitfall", "scarce data, incorrect bias", "imperfect domain theory"),
)
"""Table 12.1 of the book."""
SEARCH: dict[str, tuple[str, str, str]] = {
    "KBANN": ("the theory as a network", "gradient descent", "error, and distance from the theory"),
    "TangentProp": ("small random weights", "gradient descent", "error, and slopes along invariances"),
    "TangentPropRegressor": ("small random weights", "gradient descent", "error, and given slopes"),
    "EBNN": ("small random weights", "gradient descent", "error, and slopes of explanations"),
    "FOCL": ("the most general rule", "add a condition, or a conjunction of the theory", "gain"),
    "RelationalFOCL": ("the most general clause", "add a literal, or a conjunction of the theory", "gain"),
    "ApproximateQLearning": (
        "a network with advice",
        "steps of experience",
        "error, and slopes of action models",
    ),
    "GuidedClassifier": (
        "the learner's own",
        "the learner's own, with concepts as columns",
        "the learner's own",
    ),
    "RIPPER": ("the given rules", "conditions that are not forbidden", "description length"),
    "RuleLearner": ("the given rules", "conditions that are not forbidden", "the chosen measure"),
    "TheoryRevision": (
        "the theory",
        "drop, add or change conditions and rules",
        "error, and distance from the theory",
    ),
}
"""Starting point, steps and criterion of each learner."""
OTHERWISE = ("a network without arcs", "arcs that are allowed", "fit to the data")
"""Starting point, steps and criterion of learners of belief networks."""


def knowledge_report() -> str:
    """Return a table of the learners that take knowledge, and where it enters their search.

    Examples
    --------
    >>> print(knowledge_report().split(chr(10) * 2)[1])
                   inductive                     analytical
    goal           hypothesis fits data          hypothesis fits domain theory
    justification  statistical inference         deductive inference
    advantage      needs little prior knowledge  learns from scarce data
    pitfall        scarce data, incorrect bias   imperfect domain theory
    """
    rows: list[tuple[str, ...]] = [("learner", *WAYS, "begins with", "moves by", "looks for")]
    for learner in learners():
        if learner.knowledge:
            marks = ("yes" if way in learner.knowledge else "" for way in WAYS)
            rows.append((learner.name, *marks, *SEARCH.get(learner.name, OTHERWISE)))
    everything = range(len(rows[0]))
    return f"{text_table(rows, left=everything)}\n\n{text_table(GOALS, left=(0, 1, 2))}"
