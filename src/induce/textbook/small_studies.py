"""Small studies of topics that the books mention in passing: LEX, and systematically wrong labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

import induce
from induce.data.generate import label_noise
from induce.textbook.result import Outcome, Result

FUNCTIONS = (
    ("polynomial", ("3x", "5x", "x^2")),
    ("trigonometric", ("sin(x)", "cos(x)")),
    ("transcendental", ("trigonometric", "exp(x)")),
)
"""Part of the hierarchy of functions of LEX: groups of functions and of other groups."""
INTEGRALS = (
    ("3x", "cos(x)", True),
    ("5x", "sin(x)", True),
    ("cos(x)", "3x", False),
    ("sin(x)", "exp(x)", False),
)
"""Factors u and dv of integrals, and whether integration by parts with them led to the solution."""


def lex() -> induce.CandidateElimination:
    """Return the version space of preconditions for integration by parts, as in LEX."""
    domain = ("3x", "5x", "x^2", "sin(x)", "cos(x)", "exp(x)")
    schema = {name: {"domain": domain, "taxonomy": FUNCTIONS} for name in ("u", "dv")}
    X = pl.DataFrame([integral[:2] for integral in INTEGRALS], schema=["u", "dv"], orient="row")
    useful = ["yes" if integral[2] else "no" for integral in INTEGRALS]
    return induce.CandidateElimination(schema=schema, positive="yes", undecided="abstain").fit(X, useful)


def _lex() -> Outcome:
    learner = lex()
    space = learner.hypothesis_
    new = pl.DataFrame({"u": ["x^2", "exp(x)"], "dv": ["sin(x)", "cos(x)"]})
    advice = [str(each) for each in learner.predict(new)]
    _, specific, general = str(space).splitlines()
    return Outcome(
        f"{specific}; {general}; x^2 sin(x): {advice[0]}, exp(x) cos(x): {advice[1]}",
        specific == "S: ⟨polynomial, trigonometric⟩" and advice == ["yes", "?"],
        "four problems of ours, with part of the hierarchy of functions",
    )


def liars(rows: int = 4000, seed: int = 0) -> tuple[pl.DataFrame, pl.Series, pl.Series]:
    """Return people, their true age groups and the stated ones: half of the old people claim to be young."""
    random = np.random.default_rng(seed)
    old = random.random(rows) < 0.5
    columns = {}
    for name, of_old, of_young in (("retired", 0.8, 0.05), ("glasses", 0.7, 0.3), ("gamer", 0.1, 0.6)):
        held = random.random(rows) < np.where(old, of_old, of_young)
        columns[name] = np.where(held, "yes", "no")
    truth = pl.Series("age", np.where(old, "old", "young"))
    return pl.DataFrame(columns), truth, label_noise(truth, 0.5, seed, to={"old": "young"})


def _liars() -> Outcome:
    from induce.belief_networks import NetworkParameters

    X, truth, said = liars()
    naive = induce.NaiveBayes().fit(X, said)
    plain = float((naive.predict(X) == truth.to_numpy()).mean())
    # the true group is a hidden node; the stated group is another observation of it
    structure = {name: ["truth"] for name in ("said", *X.columns)}
    seen = X.with_columns(said.alias("said"))
    learner = NetworkParameters(structure, method="em", hidden={"truth": ("old", "young")}, random_state=0)
    network: Any = learner.fit(seen).hypothesis_
    guessed = np.array(
        [network.query("truth", row)["old"] >= 0.5 for row in seen.unique(maintain_order=True).to_dicts()]
    )
    groups = dict(zip(seen.unique(maintain_order=True).rows(), guessed, strict=True))
    old = np.array([groups[row] for row in seen.rows()])
    right = float((old == (truth == "old").to_numpy()).mean())
    right = max(right, 1 - right)  # the names of hidden values are arbitrary
    return Outcome(
        f"{right:.0%} correct with the true group hidden, {plain:.0%} if the stated groups are trusted",
        right > plain + 0.05,
        "4,000 people of ours; half of the old people claim to be young",
    )


RESULTS = (
    Result(
        "mitchell-2.8-lex",
        "Mitchell, section 2.8",
        "version spaces over operator preconditions learn when to apply operators, as LEX did for integrals",
        "[S: polynomial times trigonometric]",
        _lex,
    ),
    Result(
        "aima-18.1-liars",
        "Russell and Norvig, section 18.1",
        "labels can be systematically wrong, as when people lie about their age: the true label is hidden",
        "no number is given",
        _liars,
    ),
)
