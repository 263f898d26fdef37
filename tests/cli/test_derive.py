"""`induce derive` and `induce diagnose`."""

from __future__ import annotations

import polars as pl
import pytest

THEORY = """
approve(X) :- adult(X), solvent(X).
adult(X) :- age(X, A), A >= 18.
solvent(X) :- income(X, I), I > 1000.
"""
FACTS = """
approve(ann). approve(bob).
age(ann, 30). income(ann, 2000). age(bob, 40). income(bob, 500).
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "theory.pl").write_text(THEORY, encoding="utf-8")
    (tmp_path / "facts.pl").write_text(FACTS, encoding="utf-8")
    return tmp_path / "theory.pl", tmp_path / "facts.pl"


def test_a_rule_with_its_proof(run, files, tmp_path):
    model = tmp_path / "credit.induce"
    result = run("derive", *files, "--target", "approve/1", "--out", model)
    assert "approve(X) :- age(X, A), A >= 18, income(X, I), I > 1000." in result.out
    assert "relevant: age(ann, 30), income(ann, 2000)" in result.out
    assert "no proof of 1 of 2 positive examples" in result.err
    assert "approve(X)" in run("show", model).out


def test_lemmas_and_json(run, files):
    found = run("derive", *files, "--target", "approve", "--lemmas", "--json").json
    assert [one["clause"] for one in found["clauses"]] == [
        "approve(X) :- age(X, A), A >= 18, income(X, I), I > 1000."
    ]
    found = run("derive", *files, "--target", "approve", "--operational", "adult/1", "--json").json
    assert found["clauses"][0]["clause"] == "approve(X) :- adult(X), income(X, I), I > 1000."
    assert found["regression"][0]["frontier"] == ["adult(X)", "solvent(X)"]


def test_where_proofs_stop(run, files):
    result = run("diagnose", *files, "--target", "approve/1")
    assert "proved: 1 of 2 positive examples" in result.out
    assert "no proof of approve(bob): stopped at 500 > 1000" in result.out
    found = run("diagnose", *files, "--target", "approve/1", "--json").json
    assert found["missed"] == 1
    tree = [
        "no proof of approve(bob)",
        "└─ approve(X) :- adult(X), solvent(X). stopped at solvent(bob)",
        "   └─ solvent(X) :- income(X, I), I > 1000. stopped at 500 > 1000",
    ]
    assert found["failures"][0]["tree"] == tree
    full = run("diagnose", *files, "--target", "approve/1", "--full").out
    assert all(line in full for line in tree)


def test_steps_that_repeat_and_assumptions(run, tmp_path):
    (tmp_path / "towers.pl").write_text(
        "tower(X) :- base(X). tower(X) :- rests(X, Y), tower(Y). rests(X, Y) :- on(X, Y), \\+ loose(X). "
        "loose(X) :- cracked(X).",
        encoding="utf-8",
    )
    (tmp_path / "facts.pl").write_text(
        "tower(c). base(a). on(b, a). on(c, b). on(d, c). cracked(d).", encoding="utf-8"
    )
    where = (tmp_path / "towers.pl", tmp_path / "facts.pl", "--target", "tower/1", "--json")
    found = run("derive", *where, "--repeat").json
    assert [one["clause"] for one in found["clauses"]] == [
        "tower(X) :- base(X).",
        "tower(X) :- on(X, Y), \\+ cracked(X), tower(Y).",
    ]
    found = run("derive", *where, "--lazy").json
    assert found["clauses"][0]["assumed"] == ["\\+ loose(X)", "\\+ loose(Y)"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--target", "aprove/1"), "the theory has no clause of aprove/1; did you mean approve/1?"),
        (("--target", "approve/1", "--depth", "3"), "--depth is for --lemmas"),
        (("--target", "approve/1", "--lazy", "--all"), "--lazy has its own way to explain"),
        (("--target", "approve/1", "--repeat", "--lemmas"), "--repeat generalises proofs"),
    ],
)
def test_bad_options(run, files, arguments, sentence):
    assert sentence in run("derive", *files, *arguments).sentence()


RULES = """
# who gets credit
IF age >= 18 AND solvent THEN approve
IF income > 1000 THEN solvent
IF owner = yes THEN solvent
"""
CASES = "age,income,owner,approve,risk\n30,2000,no,yes,low\n40,500,no,yes,low\n16,5000,no,no,high\n"


@pytest.fixture
def tables(tmp_path):
    (tmp_path / "credit.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / "risk.csv").write_text("age,owner,risk\n< 25,-,high\n>= 25,no,low\n", encoding="utf-8")
    (tmp_path / "cases.csv").write_text(CASES, encoding="utf-8")
    return tmp_path


def test_rules_and_a_table_of_cases(run, tables):
    where = tables / "credit.rules", tables / "cases.csv", "--target", "approve"
    result = run("derive", *where, "--out", tables / "credit.induce")
    assert "approve(X) :- age(X, A), A >= 18, income(X, A1), A1 > 1000.  % 1/1" in result.out
    assert "no proof of 1 of 2 positive examples" in result.err
    assert (
        'WHEN "age" >= 18 AND "income" > 1000 THEN'
        in run("show", tables / "credit.induce", "--as", "sql").out
    )
    found = run("diagnose", *where).out
    assert "proved: 1 of 2 positive examples, 0 of 1 negative ones" in found
    assert "stopped at 500 > 1000" in found


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_decision_tables_and_a_table_of_cases(run, tables, suffix):
    if suffix == "xlsx":
        pl.read_csv(tables / "risk.csv").write_excel(tables / "risk.xlsx")
    where = tables / f"risk.{suffix}", tables / "cases.csv", "--target", "risk = high"
    found = run("derive", *where, "--json").json
    assert [one["clause"] for one in found["clauses"]] == ["'risk = high'(X) :- age(X, A), A < 25."]
    assert "the theory agrees with all examples" in run("diagnose", *where).out
    assert run("derive", *where, "--lemmas", "--json").json["clauses"][0]["positive"] == 1


@pytest.mark.parametrize(
    ("theory", "cases", "target", "sentence"),
    [
        (
            "risk.csv",
            "cases.csv",
            "risk",
            "name the conclusion of the decision table to explain: 'risk = value'",
        ),
        ("risk.csv", "risk.csv", "danger = high", "the decision table has no column 'danger'"),
        ("credit.rules", "risk.csv", "approve", "has no column 'approve', which marks the examples"),
        ("credit.rules", "other.csv", "approve", "the theory uses no column of"),
        ("credit.rules", "gaps.csv", "approve", "column 'approve' of"),
        ("credit.rules", "none.csv", "approve", "none.csv"),
        ("none.xlsx", "cases.csv", "risk = high", "there is no file"),
        ("empty.rules", "cases.csv", "approve", "the theory has no clause of approve"),
    ],
)
def test_tables_that_do_not_fit(run, tables, theory, cases, target, sentence):
    (tables / "other.csv").write_text("height,approve\n3,yes\n4,no\n", encoding="utf-8")
    (tables / "gaps.csv").write_text("age,approve\n3,yes\n4,\n", encoding="utf-8")
    (tables / "empty.rules").write_text("", encoding="utf-8")
    for command in ("derive", "diagnose"):
        assert sentence in run(command, tables / theory, tables / cases, "--target", target).sentence()


@pytest.mark.parametrize(
    ("theory", "sentence"),
    [
        ("p(X) :- q(X), r(X).", "neither the theory nor a fact defines r/1"),
        ("p(X) :- q(X), \\+ r(X). r(X) :- q(X), \\+ p(X).", "p/1 depends on its own negation"),
        ("p(a). p(X) :- r(X). r(b).", "ends at an operational predicate"),
        ("p(X) :- s(f(X)). s(X) :- q(X), s(f(X)).", "no proof of 2 of 2 positive examples"),
        ("p(X) :- q(X).", "the theory proves 1 of 1 negative examples"),
    ],
)
def test_theories_that_explain_little(run, tmp_path, theory, sentence):
    (tmp_path / "theory.pl").write_text(theory, encoding="utf-8")
    (tmp_path / "facts.pl").write_text("p(a). p(b). :- p(c). q(a). q(c).", encoding="utf-8")
    result = run("derive", tmp_path / "theory.pl", tmp_path / "facts.pl", "--target", "p/1")
    assert result.code == 0
    assert sentence in result.err


@pytest.mark.parametrize(
    ("theory", "options", "sentence"),
    [
        ("p(X) :- q(X),\n  r(X.", (), "theory.pl, line 2, column 6"),
        ("p(X) :- q(", (), "theory.pl, line 1, column 11"),
        ("", (), "the theory has no clause of p/1; it defines nothing"),
        ("p(X) :- q(X), !.", (), "a cut cannot be explained"),
        ("p(X) :- q(X).", ("--operational", "p/1"), "the target p/1 is operational itself"),
        ("p(X) :- q(X), p(X).", ("--lemmas",), "p/1 is recursive"),
    ],
)
def test_theories_that_are_refused(run, tmp_path, theory, options, sentence):
    (tmp_path / "theory.pl").write_text(theory, encoding="utf-8")
    (tmp_path / "facts.pl").write_text("p(a). q(a).", encoding="utf-8")
    result = run("derive", tmp_path / "theory.pl", tmp_path / "facts.pl", "--target", "p/1", *options)
    assert sentence in result.sentence()
