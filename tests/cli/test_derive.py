"""`induce derive` and `induce diagnose`."""

from __future__ import annotations

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
    assert "what mattered: age(ann, 30), income(ann, 2000)" in result.out
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
    assert run("diagnose", *files, "--target", "approve/1", "--json").json["missed"] == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--target", "aprove/1"), "the theory has no clause of aprove/1; did you mean approve/1?"),
        (("--target", "approve/1", "--depth", "3"), "--depth is for --lemmas"),
    ],
)
def test_bad_options(run, files, arguments, sentence):
    assert sentence in run("derive", *files, *arguments).sentence()
