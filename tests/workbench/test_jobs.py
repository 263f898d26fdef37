"""The process of learners: it stays, it can be stopped, and when it dies the run says so."""

import os
import signal
import time

import polars as pl
import pytest

from induce.workbench.bench import Workbench
from induce.workbench.steps import RunStep

LOOKS = 15_000
"""Looks after which a test gives up: far more than a loaded machine needs."""


def state_of(bench, sheet, run=1):
    return bench.sheet(sheet)["runs"][run - 1]


def until(test):
    for _ in range(LOOKS):
        if test():
            return
        time.sleep(0.02)
    raise AssertionError("it never happened")


@pytest.fixture
def bench(tmp_path):
    found = Workbench(tmp_path / "bench")
    yield found
    found.jobs.close()


@pytest.fixture
def slow(bench):
    """A table on which the search for the shortest tree takes very long."""
    rows = {f"x{k}": [(n >> k) & 1 for n in range(256)] for k in range(8)}
    rows["y"] = [bin(n).count("1") % 2 for n in range(256)]
    path = bench.uploads / "parity.csv"
    pl.DataFrame(rows).with_columns(pl.all().cast(pl.String).replace({"0": "no", "1": "yes"})).write_csv(path)
    return bench.open({"source": str(path), "target": "y"})["sheet"]


def test_a_process_is_kept_ended_and_replaced(bench, slow):
    tennis = bench.open({"source": "play-tennis"})["sheet"]
    bench.learn(tennis, {"learner": "ID3"})
    until(lambda: state_of(bench, tennis)["state"] == "done")
    first = bench.jobs.pid
    bench.learn(tennis, {"learner": "C45"})
    until(lambda: state_of(bench, tennis, 2)["state"] == "done")
    assert bench.jobs.pid == first  # warm

    bench.learn(slow, {"learner": "BFSID3"})
    until(lambda: state_of(bench, slow)["state"] == "running")
    os.kill(first, signal.SIGKILL)
    until(lambda: state_of(bench, slow)["state"] == "failed")
    assert "the worker process ended" in state_of(bench, slow)["problem"]

    bench.learn(tennis, {"learner": "ID3"})
    until(lambda: state_of(bench, tennis, 3)["state"] == "done")
    assert bench.jobs.pid != first


def test_a_run_can_be_stopped(bench, slow):
    bench.learn(slow, {"learner": "BFSID3"})
    bench.learn(slow, {"learner": "ID3"})
    until(lambda: state_of(bench, slow)["state"] == "running")
    assert state_of(bench, slow, 2)["state"] == "waiting"
    bench.jobs.stop(slow, 1)
    until(lambda: state_of(bench, slow)["state"] == "stopped")
    until(lambda: state_of(bench, slow, 2)["state"] == "done")


def test_a_run_that_a_server_left_behind_is_marked(bench, slow, tmp_path):
    bench.sheets.add(slow, lambda number, steps: RunStep(number, steps.table, "ID3"))
    told = state_of(Workbench(tmp_path / "bench"), slow)
    assert told["state"] == "failed"
    assert "run it again" in told["problem"]


def test_the_reason_of_a_failure_survives_a_restart(bench, tmp_path):
    path = bench.uploads / "short.csv"
    path.write_text("a,b\n" + "p,x\nq,y\n" * 10, encoding="utf-8")
    sheet = bench.open({"source": str(path), "target": "b"})["sheet"]
    bench.learn(sheet, {"learner": "ID3"})
    until(lambda: state_of(bench, sheet)["state"] == "done")
    path.unlink()
    bench.learn(sheet, {"learner": "ID3"})
    bench.judge(sheet, {"job": "curve", "runs": [1]})
    until(lambda: state_of(bench, sheet, 2)["state"] == "failed")
    until(lambda: bench.sheet(sheet)["others"][0]["state"] == "failed")
    reasons = [job["problem"] for job in (state_of(bench, sheet, 2), *bench.sheet(sheet)["others"])]
    assert all("short.csv" in reason for reason in reasons)
    again = Workbench(tmp_path / "bench").sheet(sheet)
    assert [job["problem"] for job in (again["runs"][1], *again["others"])] == reasons


def test_a_run_that_was_killed_when_stopped_stays_stopped(bench, slow, tmp_path):
    bench.learn(slow, {"learner": "BFSID3"})
    bench.learn(slow, {"learner": "BFSID3"})
    until(lambda: state_of(bench, slow)["state"] == "running")
    bench.jobs.stop(slow, 2)
    bench.jobs.job(slow, 1).stopping = True
    until(lambda: bench.jobs.pid is not None)  # stopping the second run may start another process
    os.kill(bench.jobs.pid, signal.SIGKILL)
    until(lambda: [run["state"] for run in bench.sheet(slow)["runs"]] == ["stopped"] * 2)
    until(
        lambda: [run["state"] for run in Workbench(tmp_path / "bench").sheet(slow)["runs"]] == ["stopped"] * 2
    )


def test_a_run_can_be_stopped_while_its_process_starts(bench, slow, monkeypatch):
    started = bench.jobs._started

    def stopped_meanwhile():
        bench.jobs.stop(slow, 1)
        return started()

    monkeypatch.setattr(bench.jobs, "_started", stopped_meanwhile)
    bench.learn(slow, {"learner": "BFSID3"})
    until(lambda: state_of(bench, slow)["state"] == "stopped")
