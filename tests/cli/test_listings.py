"""`induce data`, `induce learners`, `induce textbook`, `induce --version`."""

import inspect
import subprocess
import sys
from types import SimpleNamespace

import pytest
import typer

import induce
from induce.cli.app import app
from induce.cli.learners import learner_page
from induce.cli.parameters import setting_words
from induce.core.declarations import TASKS, learners
from induce.textbook import Outcome, Result


def test_version_and_help(run):
    assert run("--version").out == f"induce {induce.__version__}\n"
    bare, told = run(), run("--help").out
    assert (bare.code, bare.out) == (0, told)
    for command in (
        "learn",
        "predict",
        "relate",
        "derive",
        "diagnose",
        "plan",
        "show",
        "explain",
        "ask",
        "cases",
        "compare",
        "experiment",
        "evolve",
        "play",
        "match",
        "report",
        "size",
        "theory",
        "data",
        "learners",
        "textbook",
    ):
        assert command in told
        assert run(command, "--help").code == 0


def test_data_lists_what_is_shipped(run):
    names = [entry["name"] for entry in run("data", "--json").json]
    assert names == [entry.name for entry in induce.datasets()]
    told = run("data").out
    assert all(name in told for name in names)


def test_data_describes_a_table(run, table):
    result = run("data", "play-tennis")
    assert str(induce.describe(induce.dataset("play-tennis"))) in result.out
    path = table("zip,one,y\n" + "1,1,p\n2,1,q\n" * 10)
    described = run("data", path, "--target", "y", "--json").json
    assert described["classes"] == [["p", 10], ["q", 10]]
    assert any("one" in sentence for sentence in described["suspicions"])
    assert run("data", "-", stdin=path.read_bytes()).out.startswith("table: 20 rows, 3 columns")


def test_data_says_what_is_wrong(run):
    assert "did you mean 'restaurant'?" in run("data", "restaurnt").sentence()
    assert "there is no column 'x'" in run("data", "iris", "--target", "x").sentence()


def test_learners(run):
    entries = run("learners", "--json").json
    assert [entry["name"] for entry in entries] == [entry.name for entry in learners()]
    assert entries[0].keys() == {"name", "summary", "needs", "gives", "face", "task"}
    told = run("learners").out
    assert all(entry.name in told for entry in learners())
    assert all(f"{task}: " in told for task in TASKS)
    assert max(map(len, told.splitlines())) <= 100


def test_learners_are_filtered(run):
    assert {entry["task"] for entry in run("learners", "--task", "numbers", "--json").json} == {"numbers"}
    assert [entry["name"] for entry in run("learners", "--gives", "versionspace", "--json").json] == [
        "CandidateElimination",
        "ListThenEliminate",
    ]
    assert "SVM" in run("learners", "--find", "margin").out
    assert "did you mean 'numbers'?" in run("learners", "--task", "number").sentence()
    assert "did you mean 'Tree'?" in run("learners", "--gives", "Tre").sentence()
    assert "no learner matches" in run("learners", "--find", "xyz").sentence()


def test_one_learner(run):
    told = run("learners", "c45").out
    for words in (
        "confidence_factor  0.25",
        "a number between 0 and 1",
        "exports",
        "sql",
        ">>> import induce",
    ):
        assert words in told
    described = run("learners", "Stacking", "--json").json
    assert [each["name"] for each in described["parameters"]] == list(
        inspect.signature(induce.Stacking).parameters
    )
    assert "did you mean 'C45'?" in run("learners", "C46").sentence()


def test_every_learner_is_described():
    for entry in learners():
        told, _, example = "\n".join(learner_page(entry)).partition("\nexample\n")
        assert max(map(len, told.splitlines())) <= 100, entry.name
        assert all(name in told for name in inspect.signature(getattr(induce, entry.name)).parameters)
        assert ">>>" in example, entry.name


@pytest.mark.parametrize(
    ("settings", "incomplete", "words"),
    [
        ([], "max_d", ["max_depth="]),
        ([], "pruning=mi", ["pruning=minimum-error"]),
        ([], "subtree_raising=", ["subtree_raising=true", "subtree_raising=false"]),
        (["pruning", "="], "n", ["none"]),
        ([], "nothing=", []),
    ],
)
def test_settings_are_completed(settings, incomplete, words):
    command = typer.main.get_command(app).commands["learn"]
    context = typer.Context(command)
    context.params = {"settings": settings}
    assert setting_words(context, incomplete) == words


def test_completion_knows_the_learner():
    context = typer.Context(typer.main.get_command(app).commands["learn"])
    context.params = {"learner": "AdaBoost"}
    assert "loss=" in setting_words(context, "")
    assert setting_words(context, "estimator=C4") == ["estimator=C45", "estimator=C45Rules"]
    context.params = {"learner": "NoSuch"}
    assert setting_words(context, "") == []


def printed(name, got, agrees=True, remark="", **more):
    """An entry of the contents whose result is given."""
    result = Result(
        f"mitchell-1.1-{name}",
        "Mitchell, section 1.1",
        "one and one",
        "2",
        lambda: Outcome(got, agrees, remark),
        **more,
    )
    return SimpleNamespace(
        id=result.id, source=result.source, claim=result.claim, place=result.place, load=lambda: result
    )


RIGHT = printed("right", "2")
CORRECTED = printed("corrected", "2.5", erratum="the book rounds down")
ROUGH = printed("rough", "1.9", comment="the book says about")
OTHER = printed("other", "5", not_reproduced="the data are not printed")
WRONG = printed("wrong", "3", False, "off by one")


def test_textbook_lists_and_runs(run, monkeypatch):
    monkeypatch.setattr("induce.textbook.contents.entries", lambda: (RIGHT, CORRECTED, ROUGH, OTHER))
    result = run("textbook")
    assert result.code == 0
    assert [line.split() for line in result.out.splitlines()] == [
        ["id", "printed", "ours", "verdict"],
        ["mitchell-1.1-right", "2", "2", "agrees"],
        ["mitchell-1.1-corrected", "2", "2.5", "erratum"],
        ["mitchell-1.1-rough", "2", "1.9", "remark"],
        ["mitchell-1.1-other", "2", "5", "not", "reproduced"],
    ]
    assert "why:     the book rounds down" in run("textbook", "mitchell-1.1-corrected").out
    assert "did you mean 'mitchell-1.1-right'?" in run("textbook", "mitchell-1.1-rigt").sentence()
    assert [each["agrees"] for each in run("textbook", "--json").json] == [True, True, True, False]


def test_textbook_fails_when_something_disagrees(run, monkeypatch):
    monkeypatch.setattr("induce.textbook.contents.entries", lambda: (RIGHT, WRONG))
    assert run("textbook").code == 2
    assert run("textbook", "mitchell-1.1-right").code == 0
    found = run("textbook", "--json")
    assert found.code == 2
    assert [each["verdict"] for each in found.json] == ["agrees", "disagrees"]
    assert found.json[1]["remark"] == "off by one"


def test_textbook_by_chapter_and_kind(run):
    listed = run("textbook", "aima", "18.10", "--list", "--json").json
    assert {"aima-18.10-independence", "aima-18.10-decision-list", "aima-18.10.1-randomised"} <= {
        each["id"] for each in listed
    }
    assert {each["book"] for each in listed} == {"aima"}
    exercises = run("textbook", "3", "--exercises", "--list", "--json").json
    assert [each["number"] for each in exercises] == ["3.1", "3.2", "3.4a", "3.4c", "3.4d"]
    assert "figure 3.4" in run("textbook", "figure", "3.4", "--list").out
    assert "section 20.2 (second edition)" in run("textbook", "aima-20.2-naive-bayes-size").out
    assert "the books have no entry for '99'" in run("textbook", "99").sentence()


def test_textbook_prints_the_code(run):
    text = run("textbook", "mitchell-3.4-wind-gain", "--code").out
    assert "def _root_gain" in text
    assert text.rstrip().endswith("partial(_root_gain, 'Wind', '0.048')()")


def test_textbook_draws(run, tmp_path):
    assert run("textbook", "figure", "3.1", "--draw", str(tmp_path / "tree.svg")).code == 0
    assert b"<svg" in (tmp_path / "tree.svg").read_bytes()
    assert (
        "none of the chosen results has one"
        in run("textbook", "mitchell-3.4-root", "--draw", str(tmp_path / "root.svg")).sentence()
    )
    several = run("textbook", "3.4", "--draw", str(tmp_path / "x.svg")).sentence()
    assert several.endswith("mitchell-3.4-sunny-branch; name one of them")


def test_a_real_result(run):
    found = run("textbook", "mitchell-3.4-entropy", "--json")
    assert found.code == 0
    assert found.json[0]["agrees"] is True


def test_textbook_writes_a_notebook(run, tmp_path):
    path = tmp_path / "ch3.ipynb"
    assert run("textbook", "3", "--notebook", str(path), "--no-answers").code == 0
    assert '"nbformat": 4' in path.read_text(encoding="utf-8")
    assert "end it in .ipynb" in run("textbook", "3", "--notebook", "chapter.txt").sentence()


@pytest.mark.parametrize("arguments", [["nope"], ["--frob"], ["lern", "x"]])
def test_wrong_commands(run, arguments):
    assert run(*arguments).sentence().startswith("No such")


def test_the_package_runs_as_a_module():
    found = subprocess.run(
        [sys.executable, "-m", "induce", "--version"],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert (found.returncode, found.stdout.strip()) == (0, f"induce {induce.__version__}")
