"""`induce show`: one model in every form."""

import json
import sqlite3

import pytest

import induce


def test_text_and_rules(run, tennis, iris_rules):
    tree, rules = induce.load_hypothesis(tennis), induce.load_hypothesis(iris_rules)
    assert run("show", tennis).out == f"{tree}\n"
    assert run("show", tennis, "--as", "rules").out == f"{tree.to_rules()}\n"
    assert run("show", iris_rules).out == run("show", iris_rules, "--as", "rules").out == f"{rules}\n"


@pytest.mark.parametrize("model", ["tennis", "iris_rules"])
def test_every_form(run, request, model, tmp_path):
    path = request.getfixturevalue(model)
    for form in ("text", "rules", "statistics", "sql", "python", "prolog", "html", "json", "svg"):
        result = run("show", path, "--as", form)
        assert (result.code, result.err) == (0, "")
        assert result.out.endswith("\n")
        run("show", path, "--as", form, "--out", tmp_path / "file")
        assert (tmp_path / "file").read_text(encoding="utf-8") == result.out


def test_the_extension_says_the_form(run, tennis, tmp_path):
    starts = {
        "tree.svg": b"<?xml",
        "tree.png": b"\x89PNG",
        "tree.pdf": b"%PDF",
        "tree.py": b"def ",
        "t.sql": b"SELECT",
    }
    for name, start in starts.items():
        assert run("show", tennis, "--out", tmp_path / name).code == 0
        assert (tmp_path / name).read_bytes().startswith(start)


def test_exports_run(run, tennis):
    X, y = induce.dataset("play-tennis")
    names: dict[str, object] = {}
    exec(run("show", tennis, "--as", "python").out, names)
    assert [names["predict"](row) for row in X.iter_rows(named=True)] == y.to_list()
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (Outlook, Temperature, Humidity, Wind)")
    base.executemany(
        "INSERT INTO data VALUES (?, ?, ?, ?)", X.select("Outlook", "Temperature", "Humidity", "Wind").rows()
    )
    assert [row[-1] for row in base.execute(run("show", tennis, "--as", "sql").out)] == y.to_list()


def test_json_is_strict(run, iris_rules, tennis):
    rules = json.loads(run("show", iris_rules, "--as", "json").out, parse_constant=pytest.fail)
    assert rules["type"] == "RuleList"
    assert rules["rules"][0]["conditions"][0]["type"] in ("AtMost", "Above", "Between")
    tree = json.loads(run("show", tennis, "--as", "json").out, parse_constant=pytest.fail)
    assert tree["threshold"] == [None] * 8


def test_wrong_models(run, tennis, tmp_path, table):
    assert "cannot load 'no.induce': it cannot be read" in run("show", "no.induce").sentence()
    cut = tmp_path / "cut.induce"
    cut.write_bytes(tennis.read_bytes()[:-30])
    assert "it is not a model file, or only part of one" in run("show", cut).sentence()
    assert "it is not a model file" in run("show", table("a,b\n1,2\n")).sentence()
    assert "for '--as': 'poem' is not one of" in run("show", tennis, "--as", "poem").sentence()


def test_a_form_that_a_model_lacks_is_refused_by_name(run, tmp_path):
    path = tmp_path / "bayes.induce"
    induce.save(induce.NaiveBayes().fit(*induce.dataset("play-tennis")), path)
    refused = run("show", path, "--as", "rules")
    assert refused.code == 2
    assert refused.sentence() == (
        "a NaiveBayesModel cannot be written as rules; it can be written as text, sql, python, onnx, json, html, "
        "svg, png, pdf"
    )
    assert "has no picture 'front'" in run("show", path, "--as", "svg", "--picture", "front").sentence()
    assert "--picture is for svg" in run("show", path, "--picture", "front").sentence()
