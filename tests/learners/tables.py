"""Every learner of the registry, by what it says of itself; and small tables that each can learn from.

A check that takes `learner` runs on all of them, `classifier`, `regressor`, `density` and the others on those that
are one. They are classes: a new line in the registry is all it takes to be tested.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import polars as pl
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

import induce
from induce.core.registry import ESTIMATORS, VALUES, resolve
from induce.evaluation.learner_checks.examples import allows_missing, example_table, learns_many_classes
from induce.hypotheses.rules import RuleList

ENTRIES = {entry.name: entry for entry in induce.learners()}
GIVES = {name: resolve(entry.gives, VALUES) for name, entry in ENTRIES.items()}
ELSEWHERE = {
    "LiteralDisjunction"
}  # few tables are a disjunction of single tests, which it says of the others
LEARNERS = [
    resolve(name, ESTIMATORS)
    for name in ESTIMATORS
    # learners over experts, and those from sequences or experience, are no learners from tables
    if name not in ELSEWHERE and ENTRIES[name].takes_tables and not ENTRIES[name].needs_experts
]


def has_target(learner: Any) -> bool:
    return ENTRIES[learner.__name__].has_target


def needs_text(learner: Any) -> bool:
    return ENTRIES[learner.__name__].needs_text


GROUPS: dict[str, Callable[[Any], bool]] = {
    "learner": lambda learner: True,
    "of_columns": lambda learner: not needs_text(learner),
    "predictor": has_target,
    "classifier": lambda learner: is_classifier(learner()),
    "regressor": lambda learner: is_regressor(learner()),
    "density": lambda learner: not has_target(learner) or ENTRIES[learner.__name__].target_optional,
    "of_many_classes": learns_many_classes,
    "of_two_classes": lambda learner: is_classifier(learner()) and not learns_many_classes(learner),
    "from_holes": allows_missing,
    "without_holes": lambda learner: not allows_missing(learner),
    "weighted": lambda learner: has_fit_parameter(learner(), "sample_weight"),
    "of_rules": lambda learner: GIVES.get(learner.__name__) is RuleList,
    "exported": lambda learner: hasattr(GIVES.get(learner.__name__), "to_python"),
}


def owner(learner: Any, method: str) -> Any:
    """Return the class that a learner has a method from; None if it has none of that name."""
    return next((base for base in learner.__mro__ if method in vars(base)), None)


def preamble(learner: Any) -> tuple[Any, ...]:
    """Return what decides how a learner reads its table: the classes that read for it, and what it says it takes."""
    owners = tuple(owner(learner, name) for name in ("fit", "_read", "_training_schema", "_keep"))
    entry, tags = ENTRIES[learner.__name__], get_tags(learner())
    return (
        owners,
        entry.needs,
        entry.target_optional,
        tags.input_tags.allow_nan,
        tags.input_tags.sparse,
        learns_many_classes(learner),
    )


@cache
def representatives() -> frozenset[Any]:
    """Return the first learner of each preamble."""
    found: dict[tuple[Any, ...], Any] = {}
    for learner in LEARNERS:
        found.setdefault(preamble(learner), learner)
    return frozenset(found.values())


def reads_for_others(learner: Any) -> bool:
    """Say whether a learner is the one of its preamble that is tried on everything."""
    return learner in representatives()


@cache
def speakers() -> frozenset[Any]:
    """Return the first learner of each package that gives hypotheses of a kind."""
    found: dict[tuple[Any, ...], Any] = {}
    for learner in LEARNERS:
        found.setdefault((learner.__module__.split(".")[1], GIVES.get(learner.__name__)), learner)
    return frozenset(found.values())


def speaks_for_others(learner: Any) -> bool:
    """Say whether a learner is the one whose hypothesis is tried on everything."""
    return learner in speakers()


def is_preset(learner: Any) -> bool:
    """Say whether a learner is another one with other parameters."""
    return any(base in LEARNERS for base in learner.__mro__[1:])


def table(learner: Any, seed: int = 0, n: int = 30, holes: float = 0.1) -> tuple[pl.DataFrame, Any]:
    """Return a table that the learner says it can learn from, as `check_learner` does."""
    return example_table(learner, seed, n, holes, texts=needs_text(learner))


@cache
def learned(learner: Any, seed: int = 0) -> Any:
    """Return a learner that has learned from its table; it is shared, so do not let it learn again."""
    return learner().fit(*table(learner, seed))
