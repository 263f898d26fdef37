"""Every learner of the registry, by what it says of itself; and small tables that each can learn from.

A check that takes `learner` runs on all of them, `classifier`, `regressor`, `density` and the others on those that
are one. They are classes: a new line in the registry is all it takes to be tested.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

import induce
from induce.core.registry import ESTIMATORS, VALUES, resolve
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
WORDS = ["red", "green", "blue"]
TALK = ["a red rose smells sweet today", "the blue sea is deep and cold", "green leaves fall in the end"]


def has_target(learner: Any) -> bool:
    return ENTRIES[learner.__name__].has_target


def needs_text(learner: Any) -> bool:
    return ENTRIES[learner.__name__].needs_text


def learns_from_holes(learner: Any) -> bool:
    return bool(get_tags(learner()).input_tags.allow_nan)


def learns_many_classes(learner: Any) -> bool:
    return is_classifier(learner()) and get_tags(learner()).classifier_tags.multi_class


GROUPS: dict[str, Callable[[Any], bool]] = {
    "learner": lambda learner: True,
    "of_columns": lambda learner: not needs_text(learner),
    "predictor": has_target,
    "classifier": lambda learner: is_classifier(learner()),
    "regressor": lambda learner: is_regressor(learner()),
    "density": lambda learner: not has_target(learner) or ENTRIES[learner.__name__].target_optional,
    "of_many_classes": learns_many_classes,
    "of_two_classes": lambda learner: is_classifier(learner()) and not learns_many_classes(learner),
    "from_holes": learns_from_holes,
    "without_holes": lambda learner: not learns_from_holes(learner),
    "weighted": lambda learner: has_fit_parameter(learner(), "sample_weight"),
    "of_rules": lambda learner: GIVES.get(learner.__name__) is RuleList,
    "exported": lambda learner: hasattr(GIVES.get(learner.__name__), "to_python"),
}


def owner(learner: Any, method: str) -> Any:
    """Return the class that a learner has a method from; None if it has none of that name."""
    return next((base for base in learner.__mro__ if method in vars(base)), None)


def preamble(learner: Any) -> tuple[Any, ...]:
    """Return what decides how a learner reads its table: the classes that read for it, and what it says it takes."""
    owners = tuple(owner(learner, name) for name in ("fit", "_read", "_settled", "_keep"))
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


def said(fitted: Any, X: Any) -> Any:
    """What a learner or a hypothesis says of rows: predictions, or log densities."""
    return fitted.score_samples(X) if hasattr(fitted, "score_samples") else fitted.predict(X)


def table(learner: Any, seed: int = 0, n: int = 30, holes: float = 0.1) -> tuple[pl.DataFrame, Any]:
    """Return a table that the learner says it can learn from: a colour, a truth value and two numbers; or texts.

    Two classes are a conjunction of two values, several a noisy function of all columns, numbers a sum. A learner
    without a target gets None.
    """
    rng = np.random.default_rng(seed)
    colour, sold = rng.integers(0, 3, n), rng.random(n) < 0.5
    # few different numbers, for the learners that list all intervals
    size, price = rng.integers(0, 4, n), rng.integers(-2, 3, n) / 2
    y: pl.Series | None = None
    if is_regressor(learner()):
        y = pl.Series("target", (colour * 2 + sold * size + price).round(2))
    elif learns_many_classes(learner):
        true = np.where(colour == 1, 0, np.where(size > 2, 1, 2))
        noisy = np.where(rng.random(n) < 0.1, rng.integers(0, 3, n), true)
        y = pl.Series("target", np.array(["low", "mid", "top"])[noisy], dtype=pl.Enum(["mid", "top", "low"]))
    elif is_classifier(learner()):
        y = pl.Series("target", np.where((colour == 1) & sold, "yes", "no"), dtype=pl.Enum(["yes", "no"]))
    X = pl.DataFrame(
        {
            "colour": pl.Series([WORDS[c] for c in colour], dtype=pl.Enum(WORDS)),
            "sold": sold,
            "size": size,
            "price": price,
        }
    )
    if needs_text(learner):
        said = [
            f"{TALK[c]} {'sold' if s else 'kept'} {k}"
            for k, (c, s) in enumerate(zip(colour, sold, strict=True))
        ]
        X = pl.DataFrame({"title": said, "body": said[::-1]})
    if holes and learns_from_holes(learner):
        X = X.with_columns(
            pl.when(pl.Series(rng.random(n) < holes)).then(None).otherwise(pl.col(name)).alias(name)
            for name in X.columns
        )
    return X, y


@cache
def learned(learner: Any, seed: int = 0) -> Any:
    """Return a learner that has learned from its table; it is shared, so do not let it learn again."""
    return learner().fit(*table(learner, seed))
