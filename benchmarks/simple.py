"""Accuracy of naive Bayes and nearest neighbours on real tables, beside Weka's; the pairs were fixed beforehand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from benchmarks.measure import Listing
from benchmarks.paired import Pair, paired
from benchmarks.rules import PLAN

LEARNERS = {
    "bayes": "NaiveBayes",
    "nearest": {"learner": "KNeighborsClassifier", "n_neighbors": 1},
    "five-nearest": {"learner": "KNeighborsClassifier", "n_neighbors": 5},
}
ADULT = {"adult": {"data": "tables/adult-train.csv", "target": "income"}}
"""A table that is too large for the peers of the rules."""
PAIRS = (
    Pair("bayes", "NaiveBayes", "weka", "bayes.NaiveBayes"),
    Pair("nearest", "KNeighborsClassifier(n_neighbors=1)", "weka", "lazy.IBk -K 1"),
    Pair("five-nearest", "KNeighborsClassifier(n_neighbors=5)", "weka", "lazy.IBk -K 5"),
)


def simple(folder: Path, places: Mapping[str, str], results: Path | None = None) -> list[Listing]:
    """Compare each pair on the tables of the rules and on Adult."""
    plan = tomllib.loads(PLAN.read_text(encoding="utf-8")) | {
        "title": "Naive Bayes and neighbours",
        "learners": LEARNERS,
    }
    plan["datasets"] |= ADULT
    return paired(plan, PAIRS, folder, places, results)
