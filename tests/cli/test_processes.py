"""The command as the shell runs it: pipes, terminals, Ctrl-C, completion."""

import os
import pty
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

COMMAND = [sys.executable, "-c", "import sys; from induce.cli import main; sys.exit(main())"]


def start(*arguments: object, **options: object) -> subprocess.Popen:
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A table that takes a few seconds to learn from."""
    random = np.random.default_rng(0)
    columns = {f"x{j}": random.normal(size=300_000) for j in range(20)}
    path = tmp_path_factory.mktemp("slow") / "slow.parquet"
    pl.DataFrame(columns | {"y": random.choice(["p", "q"], 300_000)}).write_parquet(path)
    return path


@pytest.fixture
def learning(slow, tmp_path):
    """A command that takes a few seconds, and the files it would write."""
    outputs = ["--out", tmp_path / "m.induce", "--draw", tmp_path / "t.svg"]
    return ["learn", slow, "--target", "y", "--learner", "id3", *outputs]


def test_ctrl_c_at_the_start(learning, tmp_path):
    process = start(*learning)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"induce: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_learning(learning, tmp_path):
    """A terminal is told when learning has begun."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, *map(str, learning)], stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown = b""
    while b"learning" not in shown:
        shown += os.read(ours, 4096)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    shown += everything_from(ours)
    assert shown.endswith(b"induce: interrupted\r\n")
    assert b"Traceback" not in shown
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_predicting(tennis, tmp_path):
    """Standard input stays open, so it is certain that the file is not complete."""
    process = start("predict", tennis, "-", "--out", tmp_path / "p.csv", stdin=subprocess.PIPE)
    process.stdin.write(b"Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    process.stdin.flush()
    for _ in range(300):
        if list(tmp_path.iterdir()):
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert process.stderr.read() == b"induce: interrupted\n"
    assert list(tmp_path.iterdir()) == []
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def test_a_reader_that_goes_away(tennis, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("Outlook,Temperature,Humidity,Wind\n" + "Sunny,Hot,High,Weak\n" * 50_000, encoding="utf-8")
    process = start("predict", tennis, new)
    assert process.stdout.readline() == b"Outlook,Temperature,Humidity,Wind,prediction\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == 0
    process.stderr.close()


def test_bad_input_ends_in_two(tmp_path):
    process = start("show", tmp_path / "none.induce")
    out, err = process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert err.startswith(f"induce: error: cannot load '{tmp_path / 'none.induce'}'".encode())
    assert err.count(b"\n") == 1


def on_a_terminal(*arguments: object) -> str:
    """Return what a terminal shows of a command."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], stdout=theirs, stderr=theirs, stdin=theirs)
    os.close(theirs)
    shown = everything_from(ours)
    assert process.wait() == 0
    return shown.decode()


def everything_from(terminal: int) -> bytes:
    """Read what is left to read of a terminal and close it."""
    shown = b""
    try:
        while chunk := os.read(terminal, 4096):
            shown += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(terminal)
    return shown


def test_progress_is_for_terminals_only(run):
    shown = on_a_terminal("learn", "iris")
    assert "cross-validating" in shown
    assert "petal width" in shown
    result = run("learn", "iris")
    assert "cross-validating" not in result.out + result.err
    assert "\x1b" not in result.out + result.err


def test_tables_fit_the_terminal():
    assert "\x1b[1m" in on_a_terminal("learners")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("induce sh", ["show"]),
        ("induce learn --learner C45", ["C45", "C45Rules"]),
        pytest.param("induce learn iris --learner AdaBoost lo", ["loss="], marks=pytest.mark.slow),
        ("induce learn iris pruning=cr", ["pruning=critical-value"]),
        pytest.param("induce learn iris pruning = cr", ["critical-value"], marks=pytest.mark.slow),
    ],
)
def test_completion(words, expected):
    given = {
        "_INDUCE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    out, _ = start(env=os.environ | given).communicate()
    assert out.decode().split() == expected
