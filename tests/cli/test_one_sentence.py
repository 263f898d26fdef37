"""Odd surroundings and hostile files end in one sentence and 2, never in a traceback."""

import os
import sys

import pytest

import induce
from induce import cli
from induce.data import delimited, streams

DEEP = 100_000


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.json", "[" * DEEP + "]" * DEEP, "'t.json' cannot be read: it is nested too deeply"),
        ("t.json", '{"a":' * DEEP + "1" + "}" * DEEP, "'t.json' cannot be read: it is nested too deeply"),
        (
            "t.jsonl",
            '{"a":' * DEEP + "1" + "}" * DEEP + "\n",
            "line 1 of 't.jsonl' is not JSON: it is nested too deeply",
        ),
    ],
)
def test_json_nested_deeply(run, tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert run("data", path).sentence().startswith(message)


def test_a_schema_nested_deeply(run, tmp_path):
    path = tmp_path / "s.json"
    path.write_text("[" * DEEP + "]" * DEEP, encoding="utf-8")
    result = run("learn", "play-tennis", "--schema", path)
    assert (
        result.sentence()
        == "the schema file 's.json' is not JSON: it is nested too deeply, in more than 200 levels"
    )


def test_an_argument_nested_deeply(run):
    # what is no JSON is text
    result = run("solve", "frozen-lake", "--set", "x=" + "[" * DEEP)
    assert result.sentence() == "the environment 'frozen-lake' has no parameter 'x'; it has none"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full disk to try")
def test_a_full_disk_with_parquet(run, tmp_path):
    X, y = induce.dataset("play-tennis")
    induce.save(induce.ID3().fit(X, y), tmp_path / "m.induce")
    X.write_csv(tmp_path / "t.csv")
    full = tmp_path / "full.parquet"
    full.symlink_to("/dev/full")
    result = run("predict", tmp_path / "m.induce", tmp_path / "t.csv", "--out", full)
    assert "full.parquet' (No space left on device); give a writable path" in result.sentence()


def test_closed_standard_output(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["learners"]) == 2
    assert capsys.readouterr().err == "induce: error: standard output is closed; redirect it to a file\n"


@pytest.mark.parametrize("command", ["learn", "compare", "train", "play"])
def test_seeds_below_zero_name_the_option(run, command):
    result = run(command, "play-tennis", "--seed", "-1")
    assert "--seed" in result.sentence()


def test_seeds_beyond_32_bits(run):
    assert run("learn", "play-tennis", "--learner", "ID3", "--seed", "99999999999").code == 0


def test_a_horizon_without_end(run):
    result = run("solve", "frozen-lake", "--horizon", "1000000000")
    assert "a horizon of 1,000,000,000 steps needs a separate policy for each step" in result.sentence()


def test_a_cell_too_long_to_read(run, tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "BLOCK", 1 << 10)
    monkeypatch.setattr(delimited, "LONGEST_ROW", 1 << 20)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1," + "x" * (1 << 22) + "\n2,y\n", encoding="utf-8")
    assert (
        run("data", path)
        .sentence()
        .startswith("the row of 't.csv' that begins in line 2 is longer than 1 MB")
    )


class PanicException(BaseException):
    """As polars raises it."""


def test_a_panic_of_polars(run, table, monkeypatch):
    def panic(*_, **__):
        raise PanicException("capacity overflow")

    monkeypatch.setattr("induce.data.reading._load", panic)
    assert (
        run("data", table("a,b\n1,2\n")).sentence()
        == "the table cannot be read or written: capacity overflow"
    )


def test_reading_in_a_forked_process(run, table, monkeypatch):
    path = table("a,b\n1,2\n2,3\n")
    induce.read(path)
    monkeypatch.setattr(streams, "_used_by_parent", streams._used_by_parent)
    streams._in_child()
    assert (
        run("data", path).sentence().startswith("this process was forked after its parent had read a table")
    )


def test_escapes_in_names_of_actions():
    process = induce.environments.MDP.of({"a\x1b[1m": {"\x1b[31mgo": ("b", 5)}, "b": {"stay": ("b", 0)}})
    policy = induce.DynamicProgramming(0.9).learn(process).hypothesis_
    assert "\x1b" not in str(policy)
    assert r"\x1b[31mgo" in str(policy)
