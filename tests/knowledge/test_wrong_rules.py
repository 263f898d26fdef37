"""Rules that the rows contradict are not used, misspelt classes are refused, and both readers share one syntax."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.notes import Note
from induce.data.schema import Column, Schema
from induce.logic.domain_theory import DomainTheory

WRONG = """
IF income > 50 AND debt < 20 THEN good
IF income < 30 THEN good
"""
COLUMNS = Schema(
    (Column("age"), Column("owner", "nominal", ("n", "y")), Column("member", "nominal", ("n", "y")))
)


def rows(n: int, seed: int) -> tuple[pl.DataFrame, list[str]]:
    random = np.random.default_rng(seed)
    income, debt = random.uniform(0, 100, n), random.uniform(0, 100, n)
    good = ((income > 50) & (debt < 20)) ^ (random.random(n) < 0.05)
    return pl.DataFrame({"income": income, "debt": debt}), ["good" if value else "bad" for value in good]


def test_a_contradicted_rule_is_not_used():
    X, y = rows(120, 0)
    with pytest.warns(Note, match=r"is not used, because cross-validation .*: IF income < 30 THEN good"):
        learned = induce.RIPPER(knowledge=WRONG).fit(X, y)
    assert not any(str(rule).startswith("IF income < 30") for rule in learned.hypothesis_.rules)
    fresh, wanted = rows(1000, 1)
    without = induce.RIPPER().fit(X, y).score(fresh, wanted)
    assert learned.score(fresh, wanted) >= without - 0.005


def test_laws_stay():
    X, y = rows(120, 0)
    known = induce.Knowledge(rules=WRONG, laws="IF income < 5 THEN good")
    guided = induce.GuidedClassifier(induce.NaiveBayes(), knowledge=known).fit(X, y)
    assert set(guided.predict(X.with_columns(pl.lit(1.0).alias("income"))).tolist()) == {"good"}


@pytest.mark.parametrize(
    "learner", [induce.C45(), induce.RIPPER(), induce.FOCL()], ids=lambda each: type(each).__name__
)
def test_a_misspelt_class_is_refused(learner):
    X, y = rows(30, 0)
    with pytest.raises(induce.InputError, match=r"'goood', which is neither a class .* did you mean 'good'"):
        learner.set_params(knowledge="IF income > 3 THEN goood").fit(X, y)
    with pytest.raises(induce.InputError, match="did you mean 'good'"):
        induce.GuidedClassifier(induce.NaiveBayes(), knowledge="IF income > 3 THEN goood").fit(X, y)


SOME_TWO = [
    "b(X) :- age(X, A), A > 4, owner(X, y).",
    "b(X) :- age(X, A), A > 4, member(X, y).",
    "b(X) :- owner(X, y), member(X, y).",
]


@pytest.mark.parametrize(
    ("rule", "prolog", "holds"),
    [
        (
            "IF age BETWEEN 3 AND 5 AND owner = y THEN b",
            ["b(X) :- age(X, A), A >= 3, A =< 5, owner(X, y)."],
            lambda age, owner, member: 3 <= age <= 5 and owner == "y",
        ),
        (
            "IF owner = y OR NOT member = y AND age >= 4 THEN b",
            ["b(X) :- owner(X, y).", "b(X) :- \\+ member(X, y), age(X, A), A >= 4."],
            lambda age, owner, member: owner == "y" or (member != "y" and age >= 4),
        ),
        (
            "IF 2 OF (age > 4, owner = y, member = y) THEN b",
            SOME_TWO,
            lambda age, owner, member: (age > 4) + (owner == "y") + (member == "y") >= 2,
        ),
        (
            "IF 2 OF (age > 4; owner = y; member = y) THEN b",
            SOME_TWO,
            lambda age, owner, member: (age > 4) + (owner == "y") + (member == "y") >= 2,
        ),
        (
            "IF owner = y\n  AND member = y THEN b",
            ["b(X) :- owner(X, y), member(X, y)."],
            lambda age, owner, member: owner == member == "y",
        ),
    ],
)
def test_both_readers_read_the_same(rule, prolog, holds):
    assert str(DomainTheory.from_rules(rule, "b")).splitlines() == prolog
    table = [[age, owner, member] for age in (2.0, 3.0, 4.0, 5.0, 6.0) for owner in "ny" for member in "ny"]
    assert induce.ExpertRules(COLUMNS, rule).holds(table).tolist() == [holds(*row) for row in table]


@pytest.mark.parametrize(
    "rule", ["IF NOT (owner = y AND member = y) THEN b", "IF (owner = y OR age > 3) THEN b"]
)
def test_brackets_get_an_answer(rule):
    for read in (lambda: induce.ExpertRules(COLUMNS, rule), lambda: DomainTheory.from_rules(rule, "b")):
        with pytest.raises(induce.InputError, match="define a concept for them by a rule of its own"):
            read()


def test_a_conclusion_that_is_no_class_beside_one_that_is():
    X, y = rows(60, 0)
    with pytest.raises(
        induce.InputError, match="concludes 'zebra', which is neither a class nor used by a rule"
    ):
        induce.FOCL(knowledge="IF income > 3 THEN good\nIF income < 1 THEN zebra").fit(X, y)
