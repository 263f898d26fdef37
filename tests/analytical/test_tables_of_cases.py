"""Tables of cases: theories over columns, and what is learned from them as SQL, Python and Prolog."""

from __future__ import annotations

import sqlite3

import numpy as np
import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import induce
from induce.analytical import cases
from induce.core.errors import InputError
from induce.logic import DomainTheory, parse_literal

CREDIT = """
IF age >= 18 AND solvent AND NOT blocked THEN approve
IF income > 1000 THEN solvent
IF owner = yes THEN solvent
IF country IN {nowhere, elsewhere} THEN blocked
IF score < 3 AND NOT owner = yes THEN blocked
"""
TABLE = st.lists(
    st.fixed_dictionaries(
        {
            "age": st.none() | st.integers(10, 30),
            "income": st.none() | st.sampled_from([500.0, 1000.0, 1500.5]),
            "owner": st.none() | st.sampled_from(["yes", "no"]),
            "country": st.none() | st.sampled_from(["here", "nowhere", "elsewhere"]),
            "score": st.none() | st.integers(0, 5),
        }
    ),
    min_size=1,
    max_size=12,
)
TYPES = {"age": pl.Int64, "income": pl.Float64, "owner": pl.String, "country": pl.String, "score": pl.Int64}


def by_theory(theory: DomainTheory, X: pl.DataFrame) -> np.ndarray:
    facts, rows = cases(X)
    goals = [parse_literal(f"{theory.target}('{row[0]}')") for row in rows]
    return facts.prover(theory.program.clauses, unknown="fail").holds_each(goals)


@settings(max_examples=15, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(TABLE)
def test_rules_from_tables_say_what_the_theory_says(rows):
    """What is learned from all rows answers as the theory does, and so do its exports."""
    X = pl.DataFrame(rows, schema=TYPES)
    theory = DomainTheory.from_rules(CREDIT, "approve")
    truth = by_theory(theory, X)
    learner = induce.PrologEBG(theory).fit(X, truth)
    assert (learner.predict(X) == truth).all()
    assert learner.hypothesis_.same_answers(X).all()
    scope: dict = {}
    exec(learner.hypothesis_.to_python(), scope)
    assert [scope["predict"](row) for row in X.to_dicts()] == truth.tolist()
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE data (age, income, owner, country, score)")
        base.executemany("INSERT INTO data VALUES (?, ?, ?, ?, ?)", X.rows())
        said = [bool(row[-1]) for row in base.execute(learner.hypothesis_.to_sql())]
    assert said == truth.tolist()
    lemmas = induce.LemmaEnumerator(theory).fit(X, truth)
    assert (lemmas.predict(X) == truth).all()


def test_products_of_columns():
    theory = DomainTheory(
        "safe(X) :- light(X). light(X) :- volume(X, V), density(X, D), equal(W, times(V, D)), less_than(W, 5).",
        "safe",
    )
    X = pl.DataFrame({"volume": [2.0, 10.0, 3.0, None], "density": [0.3, 0.5, 1.5, 1.0]})
    learner = induce.PrologEBG(theory).fit(X, [True, False, True, False])
    assert learner.predict(X).tolist() == [True, False, True, False]
    assert "density" in learner.hypothesis_.to_sql()
    assert len(learner.hypothesis_.clauses) == 1
    assert str(learner.explain(X[:1])[0]).endswith("=> True")


def test_a_saved_learner(tmp_path):
    X = pl.DataFrame(
        {
            "age": [20, 10],
            "income": [2000.0, 1.0],
            "owner": ["no", "no"],
            "country": ["here"] * 2,
            "score": [5, 5],
        }
    )
    learner = induce.PrologEBG(DomainTheory.from_rules(CREDIT, "approve")).fit(X, [True, False])
    induce.save(learner, tmp_path / "credit.induce")
    loaded = induce.load(tmp_path / "credit.induce")
    assert loaded.predict(X).tolist() == [True, False]
    assert loaded.theory == learner.theory
    assert loaded.hypothesis_.justify() == learner.hypothesis_.justify()


def test_decision_tables(tmp_path):
    path = tmp_path / "risk.csv"
    path.write_text(
        "age,owner,risk\n< 25,-,high\n25..60,yes|maybe,low\n> 60,not yes,high\n", encoding="utf-8"
    )
    theory = DomainTheory.from_decision_table(path, "risk = high")
    X = pl.DataFrame({"age": [20, 30, 70, 70], "owner": ["yes", "yes", "no", "yes"]})
    learner = induce.PrologEBG(theory).fit(X, [True, False, True, False])
    assert learner.predict(X).tolist() == [True, False, True, False]
    assert str(learner.hypothesis_.clauses[0]) == "'risk = high'(X) :- age(X, A), A < 25."
    with pytest.raises(InputError, match="has no column 'danger'"):
        DomainTheory.from_decision_table(path, "danger = high")
    with pytest.raises(InputError, match="there is no file"):
        DomainTheory.from_decision_table(tmp_path / "none.csv", "risk = high")
    path.write_text("age,risk\n< 25,\n", encoding="utf-8")
    with pytest.raises(InputError, match="row 1 of the decision table has no conclusion"):
        DomainTheory.from_decision_table(path, "risk = high")
    path.write_text("age,risk\n< old,high\n", encoding="utf-8")
    with pytest.raises(InputError, match="'old', which is not a number"):
        DomainTheory.from_decision_table(path, "risk = high")


def test_theories_from_learned_hypotheses():
    X, y = induce.dataset("play-tennis")
    for learner in (induce.C45(), induce.C45Rules()):
        learned = learner.fit(X, y)
        theory = DomainTheory.from_hypothesis(learned.hypothesis_, "Yes")
        again = induce.PrologEBG(theory).fit(X, y)
        assert (again.predict(X) == learned.predict(X)).all()
    with pytest.raises(InputError, match="without voting"):
        DomainTheory.from_hypothesis(induce.CN2().fit(X, y).hypothesis_, "Yes")
    with pytest.raises(InputError, match="never predicts 'Maybe'"):
        DomainTheory.from_hypothesis(induce.C45().fit(X, y).hypothesis_, "Maybe")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("approve if rich", "line 1 is not a rule"),
        ("IF a THEN b > 3", "must be a concept, or a column with one value"),
        ("IF a < b THEN c", "'b', which is not a number"),
        ("IF 5 OF (a; b) THEN c", "asks for 5 of 2 conditions"),
        ("IF a AND THEN c", "has an empty condition"),
        ("IF a IN {} THEN c", "is empty"),
        (" # nothing", "there is no rule"),
    ],
)
def test_rules_that_cannot_be_read(text, sentence):
    with pytest.raises(InputError, match=sentence):
        DomainTheory.from_rules(text, "c")


@settings(max_examples=15, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(TABLE, TABLE)
def test_the_theory_decides_where_no_rule_does(rows, more):
    """With fallback the answers on further rows are the theory's, and so are those of the exports."""
    X, later = (pl.DataFrame(each, schema=TYPES) for each in (rows, more))
    theory = DomainTheory.from_rules(CREDIT, "approve")
    learner = induce.PrologEBG(theory, fallback=True).fit(X, by_theory(theory, X))
    truth = by_theory(theory, later)
    assert (learner.predict(later) == truth).all()
    assert [one.prediction for one in learner.explain(later)] == truth.tolist()
    if len(learner.classes_) == 2:
        assert ((learner.predict_proba(later)[:, 1] >= 0.5) == truth).all()
    scope: dict = {}
    exec(learner.hypothesis_.to_python(), scope)
    assert [scope["predict"](row) for row in later.to_dicts()] == truth.tolist()


@settings(max_examples=15, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(TABLE, TABLE)
def test_further_cases(rows, more):
    """Rules stay while further cases come, and cover the positive cases of both tables."""
    X, later = (pl.DataFrame(each, schema=TYPES) for each in (rows, more))
    theory = DomainTheory.from_rules(CREDIT, "approve")
    learner = induce.PrologEBG(theory).partial_fit(X, by_theory(theory, X))
    before = set(learner.hypothesis_.clauses)
    learner.partial_fit(later, by_theory(theory, later))
    assert before <= set(learner.hypothesis_.clauses)
    for table in (X, later):
        assert (learner.predict(table) == by_theory(theory, table)).all()


def test_names_that_no_training_row_has():
    theory = DomainTheory.from_rules(
        "IF rich AND NOT country = nowhere THEN ok\nIF income > 5 THEN rich", "ok"
    )
    learner = induce.PrologEBG(theory).fit(pl.DataFrame({"income": [9], "country": ["here"]}), [True])
    assert learner.predict(pl.DataFrame({"income": [9, 9], "country": ["nowhere", "else"]})).tolist() == [
        False,
        True,
    ]


def test_further_cases_of_another_kind():
    theory = DomainTheory.from_rules(CREDIT, "approve")
    learner = induce.PrologEBG(theory).fit(pl.DataFrame({"age": [20], "income": [5000]}), [True])
    with pytest.raises(InputError, match="'income' was numeric, but is nominal in these rows"):
        learner.partial_fit(pl.DataFrame({"age": [20], "income": ["much"]}), [True])


def test_a_recursive_theory_has_no_rules_to_fall_back_on():
    theory = DomainTheory("p(X) :- age(X, A), A > 3. p(X) :- old(X). old(X) :- old(X), p(X).", "p")
    X = pl.DataFrame({"age": [5, 1]})
    with pytest.raises(InputError, match="omit fallback"):
        induce.PrologEBG(theory, fallback=True).fit(X, [True, False])


def test_a_hypothesis_that_has_other_classes_names_them():
    X, y = induce.dataset("play-tennis")
    tree = induce.ID3().fit(X, y).hypothesis_
    with pytest.raises(
        InputError, match="never predicts true; give one of its predictions as value: 'No', 'Yes'"
    ):
        DomainTheory.from_hypothesis(tree)
    assert "'Yes'(X)" in str(DomainTheory.from_hypothesis(tree, "Yes"))


def test_the_target_of_the_books_notation():
    text = "Lighter(x,y) <- Weight(x,a), Weight(y,b), LessThan(a,b)"
    for target in ("Lighter", "lighter", "Lighter/2"):
        assert DomainTheory.from_book(text, target, ["Weight"]).predicate == ("lighter", 2)
