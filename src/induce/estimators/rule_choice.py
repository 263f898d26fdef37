"""Choice of an expert's rules by cross-validation on the training rows: rules that do harm are not used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from induce.core import trace
from induce.core.estimator import rows_at
from induce.core.folds import folds
from induce.core.notes import kept_notes, note
from induce.core.randomness import stream
from induce.core.ties import is_less
from induce.data.decoded_rows import decoded
from induce.estimators import ClassReading
from induce.hypotheses.expert_rules.rules import ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.expert_rules.writing import written
from induce.hypotheses.knowledge import Knowledge
from induce.hypotheses.naming import plural

FOLDS, MORE_FOLDS, FEW_ROWS = 5, 10, 500
"""Number of folds, and the larger number for tables of few rows."""
FEWEST_ROWS = 40
"""Number of rows below which all rules are used: so few rows say too little about them."""
MOST_ROWS = 2_000
"""Maximum number of rows of the cross-validation; more are sampled."""
MOST_RULES = 10
"""Maximum number of rules that are tried one by one."""

Rules = tuple[ExpertRule, ...]
Maker = Callable[[Knowledge], Any]


def supported(
    known: Knowledge,
    read: Callable[[], ExpertRules],
    reading: ClassReading,
    make: Maker,
    one_by_one: bool,
) -> Knowledge:
    """Return knowledge without the rules that raise the cross-validated error; a note names them.

    Rules are left out one after another, each if the error falls without it, and all if it is lowest without any.
    Laws are kept.

    Parameters
    ----------
    known : Knowledge
    read : callable
        Function that reads its rules.
    reading : ClassReading
        The training rows.
    make : callable
        Function that returns an unfitted learner with the given knowledge.
    one_by_one : bool
        Whether single rules may be left out; otherwise it is all or none.
    """
    rows = _rows(reading)
    if len(rows) < FEWEST_ROWS or len(np.unique(reading.labels[rows])) < 2:
        return known
    X = decoded(reading.table.rows(rows))
    y = pl.Series(reading.target, [reading.classes[label] for label in reading.labels[rows]])
    weights = reading.weight()[rows]
    n_folds = MORE_FOLDS if len(rows) <= FEW_ROWS else FOLDS
    splits = list(folds(reading.labels[rows], n_folds, 0).split(rows, reading.labels[rows]))

    def error(trial: Knowledge) -> float:
        learner = make(trial).set_params(schema=reading.schema)
        wrong = np.zeros(len(rows))
        for train, test in splits:
            predicted = learner.fit(rows_at(X, train), rows_at(y, train)).predict(rows_at(X, test))
            wrong[test] = [value != y[row] for value, row in zip(predicted, test.tolist(), strict=True)]
        return float(weights @ wrong / weights.sum())

    with trace.part("choice of rules"), kept_notes():
        given = error(known)
        theory = read()
        rules, least = theory.clauses, given
        for rule in theory.clauses if one_by_one and len(theory) <= MOST_RULES else ():
            others = _connected(theory, [other for other in rules if other is not rule])
            if others and len(others) < len(rules):
                trial = error(_with_rules(known, theory, others))
                if is_less(trial, least):
                    rules, least = others, trial
        without = error(_with_rules(known, theory, ()))
        if is_less(without, least):
            rules, least = (), without
    if len(rules) == len(theory):
        return known
    left_out = [rule for rule in theory.clauses if rule not in rules]
    note(
        f"{len(left_out)} of {plural(len(theory), 'rule')} {'is' if len(left_out) == 1 else 'are'} not used, because "
        f"cross-validation on the training rows has an error of {given:.3f} with and {least:.3f} without: "
        f"{'; '.join(map(str, left_out))}",
        about="rules that are not used",
    )
    return _with_rules(known, theory, rules)


def _rows(reading: ClassReading) -> Any:
    """Return the rows that count, or a sample of them, without classes that occur once."""
    rows = np.flatnonzero(reading.weight() > 0)
    counts = np.bincount(reading.labels[rows], minlength=len(reading.classes))
    rows = rows[counts[reading.labels[rows]] > 1]
    if len(rows) <= MOST_ROWS:
        return rows
    return np.sort(stream(0, MOST_ROWS).choice(rows, MOST_ROWS, replace=False))


def _with_rules(known: Knowledge, theory: ExpertRules, rules: Sequence[ExpertRule]) -> Knowledge:
    if not rules:
        return known.without(("rules", "concept", "columns", "trust"))
    if len(rules) == len(theory):
        return known
    return replace(
        known, rules=written(theory, rules), concept=known.concept or theory.target, columns=theory.columns
    )


def _connected(theory: ExpertRules, rules: Iterable[ExpertRule]) -> Rules:
    """Return the rules whose concepts are all defined, and that lead to a conclusion of the theory."""
    kept, tops = tuple(rules), set(theory.tops())
    while True:
        heads = {rule.head for rule in kept}
        used = {one.of for rule in kept for one in rule.body if one.is_concept}
        more = tuple(
            rule
            for rule in kept
            if (rule.head in tops or rule.head in used)
            and all(one.of in heads for one in rule.body if one.is_concept)
        )
        if more == kept:
            return kept if not theory.target or theory.target in heads else ()
        kept = more
