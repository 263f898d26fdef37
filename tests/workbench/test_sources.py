"""Relations, databases, environments and games as sources: page, script and command give the same."""

import contextlib
import io
import json
import shlex
import sqlite3

import pytest

import induce
from induce.cli import main
from induce.core.errors import InputError
from induce.workbench import catalogue, runs, tables
from induce.workbench.bench import Workbench
from induce.workbench.rows import rows_view
from induce.workbench.scripts import command_of, game_scripts, python_of
from induce.workbench.steps import RelationsStep, RunStep, WorldStep

FAMILY = """
parent(ann,mary). parent(ann,tom). parent(tom,eve). parent(tom,ian). parent(mary,sue).
female(ann). female(mary). female(eve). female(sue). male(tom). male(ian).
daughter(mary,ann). daughter(eve,tom). daughter(sue,mary).
"""


@pytest.fixture
def family(bench):
    path = bench.uploads / "family.pl"
    path.write_text(FAMILY, encoding="utf-8")
    return str(path)


@pytest.fixture
def database(bench):
    """A database in which every second loan of an account in the north is bad."""
    path = bench.uploads / "bank.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as bank:
        bank.execute("CREATE TABLE account (account_id INTEGER PRIMARY KEY, region TEXT)")
        bank.execute(
            "CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES account, status TEXT)"
        )
        for k in range(1, 41):
            bank.execute("INSERT INTO account VALUES (?, ?)", (k, "north" if k % 2 else "south"))
            bank.execute("INSERT INTO loan VALUES (?, ?, ?)", (k, k, "bad" if k % 2 else "good"))
        bank.commit()
    return f"sqlite:///{path}"


def test_a_source_that_must_be_told_more_says_so(bench, family):
    sheet = bench.open({"source": family})["sheet"]
    found = tables.source_view(bench.sheets.steps(sheet).table, bench.tables)
    assert "daughter/2" in found["problem"]
    bench.tell(sheet, {"target": "daughter/2"})
    found = tables.source_view(bench.sheets.steps(sheet).table, bench.tables)
    assert {"name": "parent/2", "facts": 5} in found["relations"]
    assert found["examples"][0] == {"text": "daughter(mary, ann)", "class": "True"}


def test_clauses_are_learned_shown_and_proved(bench, family):
    sheet = bench.open({"source": family, "target": "daughter/2"})["sheet"]
    run = bench.learn(sheet, {"learner": "FOIL", "cv": 3})["runs"][0]
    assert run["state"] == "done", run
    step, room = bench.found(sheet, 1)
    view = runs.hypothesis_view(step, room)
    assert view["view"] == "clauses"
    assert sorted(view["clauses"][0]["body"]) == ["female(A)", "parent(B, A)"]
    said = runs.explained(step, room, {"x0": "eve", "x1": "tom"}, [], None)
    assert said["prediction"] is True
    assert "parent(tom, eve)" in said["text"]
    rows = rows_view(step, bench.tables, room, said["decider"])
    assert (rows["total"], rows["wrong"]) == (3, 0)
    json.dumps(rows)


def test_a_database_is_learned_from(bench, database):
    sheet = bench.open({"source": database, "target": "loan", "label": "status"})["sheet"]
    found = tables.source_view(bench.sheets.steps(sheet).table, bench.tables)
    assert found["problem"] == ""
    run = bench.learn(
        sheet,
        {
            "learner": catalogue.catalogue_view(bench.sheets.steps(sheet).table, "")["advised"][0]["name"],
            "cv": 2,
        },
    )["runs"][0]
    assert run["state"] == "done", run
    assert run["error"]["value"] == 0


def test_databases_outside_the_folder_are_refused(bench, tmp_path):
    (tmp_path / "other.sqlite").touch()
    inside = bench.uploads / ".." / ".." / "other.sqlite"
    for source in (f"sqlite:///{tmp_path / 'other.sqlite'}", f"sqlite:///{inside}"):
        with pytest.raises(InputError, match="not in the workspace"):
            bench.open({"source": source})


ADDRESSES = [
    "postgresql://someone:secret@host/bank",
    "mysql+pymysql://host/bank",
    "POSTGRESQL://host/bank",
    "duckdb:///{uploads}/bank.duckdb",
    "sqlite:///file:{uploads}/bank.sqlite?uri=true",
    "sqlite:///{uploads}/bank.sqlite?mode=rwc",
    "sqlite:///{uploads}/%2e%2e%2fbank.sqlite",
    "sqlite+pysqlite:///{uploads}/bank.sqlite",
    "sqlite://",
    "https://example.org/table.csv",
    "s3://bucket/table.parquet",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_page_connects_to_no_address(bench, monkeypatch, address):
    monkeypatch.chdir(bench.uploads)  # so that a name without its scheme would be a file of the folder
    monkeypatch.setattr(tables, "source_view", lambda step, folder: pytest.fail("the source was opened"))
    monkeypatch.setattr(tables, "guessed", lambda step, folder: pytest.fail("the source was opened"))
    source = address.format(uploads=bench.uploads)
    sheet = bench.sheets.begin(RelationsStep("family.pl"))
    for kind in ("relations", "table"):
        with pytest.raises(InputError, match="name its address on the command line") as refusal:
            bench.open({"step": kind, "source": source})
        assert "secret" not in str(refusal.value)
    with pytest.raises(InputError, match="name its address on the command line"):
        bench.tell(sheet, {"source": source})


def test_an_address_of_the_command_line_is_opened(tmp_path, monkeypatch):
    named = "postgresql://host/bank"
    bench = Workbench(tmp_path / "bench", named)
    monkeypatch.setattr(tables, "source_view", lambda step, folder: {})
    sheet = bench.open({"source": named})["sheet"]
    assert bench.tell(sheet, {"target": "loan"})["table"]["target"] == "loan"
    with pytest.raises(InputError, match="on the command line"):
        bench.open({"source": "postgresql://host/other"})


def test_a_file_of_the_command_line_can_be_told_about_after_a_restart(tmp_path):
    path = tmp_path / "my.csv"
    path.write_text("size,class\n" + "".join(f"{k % 7},{'ab'[k % 2]}\n" for k in range(40)), encoding="utf-8")
    sheet = Workbench(tmp_path / "bench", str(path)).open({"source": str(path)})["sheet"]
    again = Workbench(tmp_path / "bench")
    again.tell(sheet, {"columns": {"size": {"cost": 2}}})
    assert again.sheets.steps(sheet).table.schema is not None
    with pytest.raises(InputError, match="not in the workspace"):
        again.open({"source": str(path)})


def test_an_environment_gives_a_policy(bench):
    sheet = bench.open({"source": "cliff"})["sheet"]
    bench.tell(sheet, {"settings": {}})
    names = {
        each["name"]
        for group in catalogue.catalogue_view(bench.sheets.steps(sheet).table, "")["groups"]
        for each in group["learners"]
    }
    assert {"QLearning", "DynamicProgramming"} <= names
    assert "GameLearner" not in names
    run = bench.learn(sheet, {"learner": "DynamicProgramming"})["runs"][0]
    assert run["state"] == "done", run
    view = runs.hypothesis_view(*bench.found(sheet, 1))
    assert view["view"] == "policy"
    assert view["grid"]
    json.dumps(view, allow_nan=False)


def test_a_game_is_learned_and_played(bench):
    sheet = bench.open({"source": "tic-tac-toe"})["sheet"]
    run = bench.learn(sheet, {"learner": "GameLearner", "settings": {"games": "30"}, "seed": 1})["runs"][0]
    assert run["state"] == "done", run
    found = bench.game(sheet, 1, {"moves": ["5"], "seed": 3})
    assert found["story"][0] == {"by": "you", "move": "5", "roll": "", "expects": ""}
    assert "worth" in found["story"][1]["expects"]
    moves = ["5"]
    while found["over"] is None:  # the first square that is free
        moves.append(found["moves"][0])
        found = bench.game(sheet, 1, {"moves": moves, "seed": 3})
    assert found["over"] in ("you won", "you lost", "a draw")
    assert found == bench.game(sheet, 1, {"moves": moves, "seed": 3})
    with pytest.raises(InputError, match="move"):
        bench.game(sheet, 1, {"moves": ["77"]})


def steps_of(family, database):
    return {
        "Prolog": RunStep(1, RelationsStep(family, "daughter/2"), "FOIL", {}, 3, 2),
        "database": RunStep(1, RelationsStep(database, "loan", "status"), "RelationalLearner", {}, 2),
        "environment": RunStep(1, WorldStep("mitchell-13.2"), "QLearning", {"episodes": "40"}, 10, 1),
        "game": RunStep(1, WorldStep("tic-tac-toe"), "GameLearner", {"games": "20"}, 10, 1),
    }


@pytest.mark.parametrize("kind", ["Prolog", "database", "environment", "game"])
def test_page_script_and_command_give_the_same(bench, family, database, tmp_path, monkeypatch, capsys, kind):
    monkeypatch.chdir(tmp_path)
    step = steps_of(family, database)[kind]
    found = runs.learned(step, str(tmp_path / "tables"), str(tmp_path))
    assert found["state"] == "done"
    page = runs.hypothesis_of(step, str(tmp_path))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(python_of(step), "script", "exec"), {})
    assert induce.load_hypothesis(f"{step.learner}.induce") == page
    assert found["error"]["text"] in said.getvalue()
    capsys.readouterr()
    assert main(shlex.split(command_of(step))[1:]) == 0
    assert induce.load_hypothesis(f"{step.learner}.induce") == page
    assert found["error"]["text"].split(",")[0] in " ".join(capsys.readouterr().out.split())


def test_the_scripts_of_a_game_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    python, command = game_scripts(RunStep(1, WorldStep("tic-tac-toe"), "GameLearner", {"games": "5"}, 10, 1))
    exec(compile(python, "script", "exec"), {})
    assert "worth" in capsys.readouterr().out
    assert main(shlex.split(command.splitlines()[0])[1:]) == 0


@pytest.mark.parametrize("step", [WorldStep("cliff"), WorldStep("tic-tac-toe")])
def test_worlds_are_shown_by_their_script(step):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(python_of(step), "script", "exec"), {})
    assert said.getvalue().strip()
