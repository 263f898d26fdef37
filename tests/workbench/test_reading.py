"""The server parses no file of the user: a process does, which may die, and which ends with the server."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from starlette.testclient import TestClient

from induce.core.errors import InputError
from induce.workbench.reading import apart
from induce.workbench.server import application

TOKEN, PORT = "a-token", 8765
HOST = f"127.0.0.1:{PORT}"
ORIGIN = {"origin": f"http://{HOST}"}
LOOKS = 3_000
SERVER = """
import sys, time
from pathlib import Path
from induce.workbench.bench import Workbench
bench = Workbench(Path(sys.argv[1]))
sheet = bench.open({"source": sys.argv[2], "target": "y"})["sheet"]
bench.learn(sheet, {"learner": "BFSID3"})
while bench.sheet(sheet)["runs"][0]["state"] != "running":
    time.sleep(0.02)
print(bench.jobs.pid, flush=True)
time.sleep(600)
"""
SPINNING = """
import os, sys, threading, time
from induce.core.worker import in_process
def spin(path):
    with open(path, "w") as file:
        file.write(str(os.getpid()))
    while True:
        pass
in_process(lambda: spin(sys.argv[1]), 600)
"""


def written(folder, name):
    path = folder / name
    frame = pl.DataFrame({"a": [1, 2, 3, 4], "b": ["p", "q", "p", "q"]})
    if name.endswith("csv"):
        frame.write_csv(path)
    elif name.endswith("parquet"):
        frame.write_parquet(path)
    elif name.endswith("xlsx"):
        frame.write_excel(path)
    elif name.endswith("jsonl"):
        frame.write_ndjson(path)
    elif name.endswith("pl"):
        path.write_text("p(a, b). p(b, c). q(a, c).\n", encoding="utf-8")
    else:
        with contextlib.closing(sqlite3.connect(path)) as base:
            base.execute("CREATE TABLE t (a INTEGER, b TEXT)")
            base.executemany("INSERT INTO t VALUES (?, ?)", frame.rows())
            base.commit()
    return path


@pytest.fixture
def client(bench):
    found = TestClient(application(bench, TOKEN, PORT), base_url=f"http://{HOST}")
    found.get(f"/?token={TOKEN}", follow_redirects=False)
    return found


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.xlsx", "t.jsonl", "t.pl", "t.sqlite"])
def test_the_server_reads_no_file(bench, client, monkeypatch, name):
    path = written(bench.uploads, name)

    def refuse(*arguments, **named):
        raise AssertionError("the server reads a file of the user")

    for reader in (
        "induce.data.table_sources.opened_data",
        "induce.data.reading.opened",
        "induce.relational.readers.problems.read_problem",
        "induce.workbench.tables._opened",
    ):
        monkeypatch.setattr(reader, refuse)
    answer = client.post("/api/sheets", json={"source": str(path)}, headers=ORIGIN)
    assert answer.status_code == 200, answer.text
    pages = ["columns", "rows", "schema", "suspicions", "catalogue"]
    for page in pages if name not in ("t.pl", "t.sqlite") else pages[:1]:
        answer = client.get(f"/api/sheets/s1/{page}")
        assert answer.status_code == 200, (page, answer.text)
    if name == "t.csv":
        told = {"target": "b", "columns": {"a": {"kind": "numeric"}}}
        for _ in range(2):
            assert client.post("/api/sheets/s1/table", json=told, headers=ORIGIN).status_code == 200
        assert client.post("/api/sheets/s1/lock", json={}, headers=ORIGIN).status_code == 200
        assert client.get("/api/sheets/s1/plan").status_code == 200


def test_the_death_of_the_process_is_a_sentence():
    process = apart(os.getpid)
    for death in (os.abort, lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(1)):
        with pytest.raises(InputError, match="the process that reads the file ended, because"):
            apart(death)
    assert apart(os.getpid) not in (process, os.getpid())


def test_a_lack_of_memory_is_a_sentence():
    def lacks():
        raise MemoryError

    with pytest.raises(InputError, match="there is not enough memory for the file"):
        apart(lacks)


def ended(pid):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return b") Z " in Path(f"/proc/{pid}/stat").read_bytes()
    return True


def until(look):
    for _ in range(LOOKS):
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("it never happened")


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_the_process_of_runs_ends_with_the_server(tmp_path):
    folder = tmp_path / "bench"
    (folder / "uploads").mkdir(parents=True)
    rows = {f"x{k}": [(n >> k) & 1 for n in range(256)] for k in range(8)}
    rows["y"] = [bin(n).count("1") % 2 for n in range(256)]
    path = folder / "uploads" / "parity.csv"
    pl.DataFrame(rows).with_columns(pl.all().cast(pl.String).replace({"0": "no", "1": "yes"})).write_csv(path)
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(folder), str(path)], stdout=subprocess.PIPE)
    worker = int(server.stdout.readline())
    assert not ended(worker)
    server.kill()
    server.communicate()
    until(lambda: ended(worker))


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_working_process_ends_with_the_one_that_sends_it_work(tmp_path):
    path = tmp_path / "pid"
    sender = subprocess.Popen([sys.executable, "-c", SPINNING, str(path)])
    until(lambda: path.exists() and path.read_text(encoding="utf-8"))
    worker = int(path.read_text(encoding="utf-8"))
    assert not ended(worker)
    sender.kill()
    sender.communicate()
    until(lambda: ended(worker))
