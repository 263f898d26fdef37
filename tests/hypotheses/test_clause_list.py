"""First-order decision lists: several classes, learned, printed, saved, explained and exported alike."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.hypotheses.clause_list import ClauseList, clause_list
from induce.logic import parse_clause
from induce.logic.background.relations import Relations
from induce.logic.parsing import parse_program
from induce.relational.learners.foil import FOIL
from induce.relational.learners.relational_learner import RelationalLearner


def _shop(seed: int, n: int = 200) -> tuple[dict[str, pl.DataFrame], np.ndarray]:
    rng = np.random.default_rng(seed)
    customers = pl.DataFrame({"id": [f"c{k}" for k in range(n)]})
    orders = pl.DataFrame(
        {
            "nr": list(range(3 * n)),
            "customer": [f"c{rng.integers(n)}" for _ in range(3 * n)],
            "kind": [["toy", "book", "food"][rng.integers(3)] for _ in range(3 * n)],
            "price": rng.gamma(2, 20, 3 * n).round(2),
        }
    )
    dear = orders.filter(pl.col("price") > 50)
    toys, books = (set(dear.filter(pl.col("kind") == kind)["customer"]) for kind in ("toy", "book"))
    risk = ["high" if one in toys else "medium" if one in books else "low" for one in customers["id"]]
    return {"customer": customers, "order": orders}, np.array(risk)


@pytest.fixture(scope="module")
def learned() -> tuple[dict[str, pl.DataFrame], np.ndarray, RelationalLearner]:
    frames, risk = _shop(1)
    shop = Relations(frames, {"customer": "id", "order": "nr"}, types={"risk/1": ("customer",)})
    return frames, risk, RelationalLearner(shop, "risk").fit(frames["customer"], risk)


def test_each_class_has_its_clauses_and_the_rest_the_default(learned) -> None:
    frames, risk, learner = learned
    theory = learner.hypothesis_
    assert isinstance(theory, ClauseList)
    assert (learner.predict(frames["customer"]) == risk).all()
    assert theory.errors() == 0
    assert "risk(A, high) :- order_customer(B, A), order_kind(B, toy), order_price(B, C), C > 50." in str(
        theory
    )
    assert str(theory).endswith(f"% otherwise risk is low: {(risk == 'low').sum()}/{(risk == 'low').sum()}")
    shares = learner.predict_proba(frames["customer"])
    assert (learner.classes_[shares.argmax(1)] == risk).all()
    assert {trial.strategy for trial in learner.trials_} >= {"pre-join (high)", "pre-join (low)"}


def test_new_things_are_told_apart_by_their_own_background(learned) -> None:
    frames, risk = _shop(2)
    later = Relations(frames, {"customer": "id", "order": "nr"})
    told = learned[2].hypothesis_.with_background(later).predict(frames["customer"])
    assert (told == risk).mean() > 0.95


def test_explanations_prove_the_class(learned) -> None:
    frames, risk, learner = learned
    for one, expected in zip(learner.explain(frames["customer"]), risk, strict=True):
        assert one.prediction == expected
        assert (one.proof is None) == (expected == "low")
        assert str(one).endswith(expected)


def test_a_model_file_gives_it_back(learned, tmp_path: Path) -> None:
    frames, _, learner = learned
    induce.save(learner, tmp_path / "risk.induce")
    again = induce.load(tmp_path / "risk.induce")
    assert again.hypothesis_ == learner.hypothesis_
    assert (again.predict(frames["customer"]) == learner.predict(frames["customer"])).all()


def test_exports_give_the_same_classes(learned) -> None:
    frames, risk, learner = learned
    theory = learner.hypothesis_
    with duckdb.connect() as base:
        for name, frame in frames.items():
            base.register(name, frame.to_arrow())
        told = dict(base.execute(theory.to_sql(key="id")).fetchall())
    assert [told[one] for one in frames["customer"]["id"]] == risk.tolist()
    prover = theory.background.prover(parse_program(theory.to_prolog()).clauses)
    for one, expected in [*zip(frames["customer"]["id"], risk, strict=True)][:40]:
        every = [
            value for value in ("high", "medium", "low") if prover.holds(f"risk({one}, C), C == {value}")
        ]
        assert every == [expected]


def test_a_clause_that_nothing_needs_is_left_out() -> None:
    facts = (
        " ".join(f"p(a{k}). " for k in range(6)) + " ".join(f"q(b{k}). " for k in range(6)) + "r(a0). r(c)."
    )
    background = Relations(program=facts)
    names = [f"a{k}" for k in range(6)] + [f"b{k}" for k in range(6)] + ["c"]
    rows = background.symbols.codes([parse_clause(f"x({one}).").head.arguments[0] for one in names])[:, None]
    places = np.array([0] * 6 + [1] * 6 + [2])
    found = [
        [parse_clause("k(A) :- p(A).")],
        [parse_clause("k(A) :- q(A)."), parse_clause("k(A) :- q(A), p(A).")],
        [parse_clause("k(A) :- r(A).")],
    ]
    theory = clause_list("k", ("x",), ("x", "y", "z"), found, rows, places, background)
    assert theory.errors() == 0
    assert len(theory.clauses) == 2
    assert theory.otherwise() == "k is z"


def test_damaged_lists_are_refused() -> None:
    background = Relations(program="p(a).")
    with pytest.raises(InputError, match="concludes no class"):
        ClauseList("k", ("x",), ("a", "b"), "k(A, c) :- p(A).", ((0.0, 0.0),), (0.0, 0.0), background).check()
    with pytest.raises(InputError, match="one number per class"):
        ClauseList("k", ("x",), ("a", "b"), "k(A, a) :- p(A).", ((0.0,),), (0.0, 0.0), background).check()


def test_learners_of_one_relation_say_who_learns_several() -> None:
    with pytest.raises(InputError, match="RelationalLearner learns several"):
        FOIL(Relations(program="p(a)."), "k").fit([["a"], ["b"], ["c"]], ["x", "y", "z"])
