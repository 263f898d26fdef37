"""`induce cases`: listed, found, combined, drawn, and bad input."""

import json

import pytest

from induce.instances.cases import read_cases, read_specification


def test_the_cases_are_listed(run):
    result = run("cases", "devices")
    assert result.out.startswith("devices: 18 cases; variables: C control, ")
    assert "T-junction" in result.out
    assert [case["case"] for case in run("cases", "devices", "--json").json][:2] == ["T-junction", "pipe"]


def test_the_faucet(run, tmp_path):
    result = run("cases", "devices", "--find", "faucet", "--draw", tmp_path / "faucet.svg")
    best, *others = read_cases("devices").retrieve(read_specification("faucet"))
    assert result.out.startswith(best.explain())
    assert result.out.splitlines()[-1] == f"wrote {tmp_path / 'faucet.svg'}"
    assert all(f"  {match}\n" in result.out for match in others)
    assert (tmp_path / "faucet.svg").read_text(encoding="utf-8").startswith("<?xml")
    found = run("cases", "devices", "--find", "faucet", "--json").json["matches"]
    assert found[0]["variables"]["Q1"] == "Q_c"
    assert (found[0]["similarity"], found[0]["ways"], len(found)) == (4, 4, 1 + len(others))


def test_cases_pieced_together(run, tmp_path):
    result = run("cases", "devices", "--find", "faucet", "--combine", "--draw", tmp_path / "faucet.png")
    assert result.out.startswith(
        "twin valve, proportioning valve, T-junction, mixing chamber: 10 of 10 edges\n"
    )
    assert (tmp_path / "faucet.png").stat().st_size > 0
    found = run("cases", "devices", "--find", "C_1 -> + Q_1 -> + X_1", "--combine", "--json").json
    assert [part["case"] for part in found["design"]] == ["oil valve", "hydraulic cylinder"]
    assert found["missing"] == []
    assert found["taken_back"]


def test_elaboration(run):
    wanted = ("cases", "devices", "--find", "T_1 -> - Q_1")
    assert run(*wanted).out.startswith("no case shares anything with the specification; raise the number of")
    found = run(*wanted, "--combine", "--elaborate", 1, "--json").json
    assert [part["case"] for part in found["design"]] == ["wax element", "plunger"]
    assert found["rewritten"] == ["T_1 -> - Q_1 as T_1 -> + x1, x1 -> - Q_1"]


def test_files(run, table):
    library = {
        "types": {"Q": "flow"},
        "cases": [{"name": "pipe", "structure": "a pipe", "function": ["Q1 -> + Q2"]}],
    }
    path = table(json.dumps(library), "mine.json")
    wanted = table(json.dumps({"function": ["Q_a -> + Q_b"]}), "wanted.json")
    assert run("cases", path, "--find", wanted).out.startswith("pipe: exact match\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "there is no file 'nowhere'"),
        (["devices", "--find", "Q1 -> ? Q2"], "the edge 'Q1 -> ? Q2' has the unknown sign '?'"),
        (["devices", "--find", "Z1 -> + Q2"], "has the unknown type 'Z'"),
        (["devices", "--draw", "x.svg"], "no specification is given; give one with --find"),
        (["devices", "--find", "faucet", "--draw", "x.doc"], "end it in .svg or .png or .pdf"),
        (["devices", "--find", "T_1 -> - Q_1", "--draw", "x.svg"], "so there is nothing to draw"),
        (["devices", "--find", "faucet", "--elaborate", "-1"], "--elaborate"),
    ],
)
def test_bad_input(run, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in run("cases", *arguments).sentence()
    assert list(tmp_path.iterdir()) == []
