"""`induce learn --knowledge` and `induce relate --knowledge`: rules, laws, trust, no rows, and bad input."""

from __future__ import annotations

import re

import pytest

import induce

ROWS = "age,smoker,dose,y\n" + "".join(
    f"{age},{smoker},{dose},{'ill' if (age > 50 and smoker == 'yes') or dose > 5 else 'well'}\n"
    for age in (20, 40, 60, 80)
    for smoker in ("no", "yes")
    for dose in (1, 4, 7, 9)
)
RULES = "ill :- old, smoker.\nold :- age > 50.\nill :- dose > 5.\n"
LAW = "well :- dose > 8, age > 70. % [law]\n"
SCHEMA = """
age = "numeric"
dose = "numeric"
smoker = {kind = "nominal", domain = ["no", "yes"]}
y = {kind = "nominal", domain = ["well", "ill"]}
"""
LEARNERS = [
    "c45",
    "id3",
    "cart",
    "ripper",
    "cn2",
    "part",
    "rulelearner",
    "kbann",
    "focl",
    "ebnn",
    "theoryrevision",
]


@pytest.fixture
def files(tmp_path):
    def written(text: str = RULES + LAW, rows: str = ROWS):
        theory, data = tmp_path / "theory.pl", tmp_path / "rows.csv"
        theory.write_text(text, encoding="utf-8")
        data.write_text(rows, encoding="utf-8")
        return data, "--target", "y", "--knowledge", theory, "--no-evaluate"

    return written


@pytest.mark.parametrize("learner", [*LEARNERS, "naivebayes", "k2"])
def test_rules_and_laws_of_a_file(run, files, tmp_path, learner):
    model = tmp_path / "model.induce"
    result = run("learn", *files(), "--learner", learner, "--out", model)
    assert result.code == 0, result.err
    assert "LAW IF dose > 8 AND age > 70 THEN well" in result.out
    rows = tmp_path / "rows.csv"
    assert induce.load(model).predict(induce.read(rows, "y").X)[-1] == "well"
    rows.write_text("age,smoker,dose\n90,yes,12\n", encoding="utf-8")
    assert "by law: IF dose > 8 AND age > 70 THEN well" in run("explain", model, rows).out


@pytest.mark.parametrize("learner", [*LEARNERS, "naivebayes"])
def test_a_theory_without_rows(run, files, tmp_path, learner):
    schema, model, rows = (tmp_path / name for name in ("schema.toml", "model.induce", "some.csv"))
    schema.write_text(SCHEMA, encoding="utf-8")
    rows.write_text("age,smoker,dose\n80,yes,1\n20,no,1\n20,no,7\n80,no,9\n", encoding="utf-8")
    empty = files(rows="age,smoker,dose,y\n")
    result = run("learn", *empty, "--learner", learner, "--schema", schema, "--out", model)
    assert result.code == 0, result.err
    assert "there are no examples, so the" in result.err
    said = run("predict", model, rows).out.split()[1:]
    assert [line.split(",")[-1] for line in said] == ["ill", "well", "ill", "well"]


def test_without_rows_columns_must_be_declared(run, files):
    result = run("learn", *files(rows="age,smoker,dose,y\n"))
    assert result.code == 2
    assert (
        "to learn from rules alone, declare the kind of column 'age' in a schema file, --schema" in result.err
    )


def test_an_arff_file_declares_its_columns(run, tmp_path):
    theory, data = tmp_path / "theory.txt", tmp_path / "rows.arff"
    theory.write_text("IF dose > 5 THEN ill\n", encoding="utf-8")
    data.write_text(
        "@relation r\n@attribute dose numeric\n@attribute y {well, ill}\n@data\n", encoding="utf-8"
    )
    result = run("learn", data, "--target", "y", "--knowledge", theory)
    assert result.code == 0, result.err
    assert "y: ill if ill, else well" in result.out


@pytest.mark.parametrize(
    ("text", "learner", "said"),
    [
        ("ill :- doze > 5.", "c45", "doze"),
        ("ill :- smoker(perhaps).", "ripper", "perhaps"),
        ("ill :- dose.", "kbann", "compare it with a threshold"),
        ("ill :- old.\nold :- ill.", "kbann", "recursive|circle|itself"),
        ("ill :- a, b.\na :- \\+ b.\nb :- \\+ a.", "focl", "recursive|circle|itself|negat"),
        ("rich :- dose > 5.\npoor :- age > 5.", "kbann", "rich"),
        ("", "c45", "no rules"),
        ("% nothing\n", "kbann", "no rules"),
        ("ill :- dose > 5. % [2]", "kbann", "trust from 0 to 1"),
        ("ill :- dose > 5. % [0.5]", "c45", "C45 cannot use the part 'trust' of knowledge"),
        (LAW + "ill :- dose > 8. % [law]", "c45", "two laws contradict each other"),
    ],
)
def test_bad_theories_are_one_sentence(run, files, text, learner, said):
    result = run("learn", *files(text), "--learner", learner)
    assert result.code == 2
    assert re.search(said, result.err), result.err
    assert len(result.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("IF dose > 5 AND dose < 3 THEN ill", "never"),
        ("IF dose > 5 THEN ill\nIF dose > 5 THEN well", "contradict|both"),
    ],
)
def test_odd_theories_are_noted(run, files, text, said):
    result = run("learn", *files(text), "--learner", "kbann")
    assert re.search(said, result.err), result.err


def test_regressors_and_clusterings_take_none(run, files):
    assert "predicts numbers" in run("learn", *files(), "--learner", "linearregression").err
    assert "--knowledge is for learners of classes" in run("learn", *files(), "--learner", "kmeans").err


def test_clauses_guide_focl(run, tmp_path):
    (tmp_path / "bk.pl").write_text(
        "parent(ann, bob). parent(bob, dee). parent(fay, gus). female(ann). female(fay). female(dee).\n",
        encoding="utf-8",
    )
    (tmp_path / "exs.pl").write_text(
        "pos(gran(ann)). neg(gran(bob)). neg(gran(fay)). neg(gran(dee)).\n", encoding="utf-8"
    )
    (tmp_path / "bias.pl").write_text(
        "head_pred(gran,1). body_pred(parent,2). body_pred(female,1).\n", encoding="utf-8"
    )
    theory = tmp_path / "theory.pl"
    theory.write_text(
        "gran(X) :- woman(X), parent(X, Y), parent(Y, Z).\nwoman(X) :- female(X).\n", encoding="utf-8"
    )
    result = run("relate", tmp_path, "--knowledge", theory, "--set", "encoding_length=false")
    assert result.code == 0, result.err
    assert "female(A), parent(A, B), parent(B, C)" in result.out
    assert "RelationalFOCL" in result.out
    refused = run("relate", tmp_path, "--knowledge", theory, "--learner", "golem")
    assert refused.err.strip().endswith("--knowledge guides --learner focl; Golem cannot use it")
