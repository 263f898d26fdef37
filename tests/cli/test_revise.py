"""`induce revise`."""

from __future__ import annotations

import json

import pytest

THEORY = """\
cup :- stable, liftable, open_vessel.
stable :- bottom_is_flat.
liftable :- graspable, light.
graspable :- has_handle.
open_vessel :- has_concavity, concavity_points_up.
"""
TARGET = ("--target", "Cup", "--cv", "0")


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "cup.pl"
    path.write_text(THEORY, encoding="utf-8")
    return path


def test_a_diff_with_evidence(run, rules, tmp_path):
    out, model, picture = tmp_path / "new.pl", tmp_path / "cup.induce", tmp_path / "cup.svg"
    result = run("revise", rules, "cup", *TARGET, "--out", out, "--model", model, "--draw", picture)
    assert "weakened (without graspable); fired on 2+ 3-, now 4+ 4-" in result.out
    assert "the given theory has an error of 40.0% on the rows" in result.out
    assert out.read_text(encoding="utf-8").startswith(
        "cup :- stable, liftable, open_vessel, handle_on_top(no).\n"
    )
    assert "cup holds" in run("show", model).out
    assert b"<svg" in picture.read_bytes()
    again = run("revise", out, "cup", *TARGET)
    assert "the given theory has an error of 0.0% on the rows" in again.out


def test_json(run, rules):
    found = run("revise", rules, "cup", *TARGET, "--json").json
    assert found["concept"] == "cup"
    assert found["class"] == "yes"
    assert [rule["status"] for rule in found["rules"]].count("kept") == 2
    assert found["given_error"] == pytest.approx(0.4)
    assert json.dumps(found)


def test_cross_validation(run, rules):
    assert "approximate 95% interval" in run("revise", rules, "cup", "--target", "Cup", "--cv", "3").out


def test_no_rows_leave_the_theory(run, rules, tmp_path):
    table = tmp_path / "empty.csv"
    table.write_text(
        "bottom_is_flat,has_handle,light,has_concavity,concavity_points_up,Cup\n", encoding="utf-8"
    )
    out = tmp_path / "same.pl"
    result = run("revise", rules, table, *TARGET, "--out", out)
    assert "there are no rows, so the theory stays as it is" in result.err
    assert out.read_text(encoding="utf-8") == THEORY


def test_patterns(run, tmp_path):
    rows = [f"{a},{c},{'+' if a == 'a' else '-'}" for a in "ac" for c in "ac" for _ in range(10)]
    (tmp_path / "dna.csv").write_text("\n".join(["p-1,p2,site", *rows, ""]), encoding="utf-8")
    (tmp_path / "dna.pl").write_text("site :- base(-1, a), base(2, c).", encoding="utf-8")
    asked = ("revise", tmp_path / "dna.pl", tmp_path / "dna.csv", "--target", "site", "--cv", "0")
    result = run(*asked, "--columns", "base(P, B): p{P} = {B}", "--json")
    assert result.json["theory"] == "site :- base(-1, a)."
    assert "--columns is 'base'" in run(*asked, "--columns", "base").sentence()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the theory is empty"),
        ("cup :- lihgt.", "did you mean 'Light'?"),
        ("cup :- stable. stable :- cup.", "defines a concept by itself"),
        ("cup :- light(", "a term"),
    ],
)
def test_bad_theories_are_one_sentence(run, rules, text, said):
    rules.write_text(text, encoding="utf-8")
    assert said in run("revise", rules, "cup", *TARGET).sentence()


def test_files_that_are_not_there(run, rules):
    assert "nothing.pl" in run("revise", "nothing.pl", "cup", *TARGET).sentence()
    assert "'Cups'" in run("revise", rules, "cup", "--target", "Cups").sentence()


LAWFUL = "ill :- old, smoker. % [0.6]\nold :- age > 50.\nill :- dose > 5.\nill :- dose > 8. % [law]\n"
ROWS = "age,smoker,dose,y\n" + "".join(
    f"{age},{smoker},{dose},{'ill' if (age > 50 and smoker == 'yes') or dose > 5 else 'well'}\n"
    for age in (20, 40, 60, 80)
    for smoker in ("no", "yes")
    for dose in (1, 4, 7, 9)
)


def test_laws_trust_and_patterns_are_written_back(run, tmp_path):
    theory, data, out = tmp_path / "theory.pl", tmp_path / "rows.csv", tmp_path / "revised.pl"
    theory.write_text(LAWFUL, encoding="utf-8")
    data.write_text(ROWS, encoding="utf-8")
    said = run("revise", str(theory), str(data), "--target", "y", "--cv", "0", "--out", str(out)).out
    assert said.startswith("LAW IF dose > 8 THEN ill\n")
    assert out.read_text(encoding="utf-8") == LAWFUL
    assert run("revise", str(out), str(data), "--target", "y", "--cv", "0").out.startswith("LAW IF dose")
