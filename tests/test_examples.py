"""The examples run."""

import runpy
import sys
from pathlib import Path

import matplotlib
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def run(monkeypatch, tmp_path, capsys):
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)

    def run(name, *arguments):
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_every_example_is_tested():
    names = {"alvinn.py", "chunking.py", "demo.py", "loan_tree.py", "play_tennis.py", "relations.py"}
    assert {path.name for path in EXAMPLES.glob("*.py")} == names


@pytest.mark.slow
def test_alvinn(run, tmp_path):
    said = run("alvinn.py")
    assert "a network of 3994 weights: inputs 960, hidden 4 sigmoid, outputs 30 sigmoid" in said
    assert "under 1 of 30 directions" in said
    assert "on the road after 400 steps" in said
    assert "<svg" in (tmp_path / "drive.svg").read_text(encoding="utf-8")


def test_chunking(run):
    said = run("chunking.py")
    assert (
        "chunk: best(go(A)) :- propose(go(A)), door(A, B), charger(B), \\+ locked(A), \\+ locked(B)." in said
    )
    assert "relevant: propose(go(store)), \\+ locked(store), door(store, lab)" in said
    assert said.endswith("success after go(shed), go(loft)\nimpasses: 0, situations visited: 3\n")


def test_demo(run, tmp_path):
    said = run("demo.py")
    assert "petal width <= 0.8: setosa (50/50)" in said
    assert "IF " in said
    assert "approximate 95% interval" in said
    assert "demo.svg" in said
    assert "<svg" in (tmp_path / "demo.svg").read_text(encoding="utf-8")


def test_demo_writes_where_it_is_told(run, tmp_path):
    assert "flowers.png" in run("demo.py", tmp_path / "flowers.png")
    assert (tmp_path / "flowers.png").stat().st_size > 1000


def test_play_tennis(run):
    said = run("play_tennis.py")
    assert "test Outlook: gains Outlook 0.247, Temperature 0.029, Humidity 0.152, Wind 0.048" in said
    assert "Wind is missing: 60% Wind = Weak, 40% Wind = Strong" in said


def test_loan_tree(run):
    said = run("loan_tree.py")
    assert "pruned tree: " in said
    assert "IF balance <= " in said
    assert " because" in said


def test_relations(run):
    said = run("relations.py")
    assert "part_machine/2: 450 facts (part, machine)" in said
    assert "fails(A) :- part_machine(B, A), part_kind(B, pump), part_hours(B, C), C > 40" in said
    assert "on new machines: error " in said
    assert "=> True" in said
