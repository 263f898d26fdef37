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


@pytest.mark.parametrize("phase", ["starting", "learning"])
def test_ctrl_c(slow, tmp_path, phase):
    outputs = ["--out", tmp_path / "m.induce", "--draw", tmp_path / "t.svg"]
    process = start("learn", slow, "--target", "y", "--learner", "id3", *outputs)
    time.sleep(0.5 if phase == "starting" else 6)
    assert process.poll() is None
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - started < 5
    assert (process.returncode, out, err) == (130, b"", b"induce: interrupted\n")
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
    new.write_text("Outlook,Temperature,Humidity,Wind\n" + "Sunny,Hot,High,Weak\n" * 300_000)
    process = start("predict", tennis, new)
    assert process.stdout.readline() == b"Outlook,Temperature,Humidity,Wind,prediction\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == 0
    process.stderr.close()


def test_bad_input_ends_in_two(tmp_path):
    process = start("learn", tmp_path / "none.csv", "--target", "y")
    out, err = process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert err == f"induce: error: there is no file '{tmp_path / 'none.csv'}'\n".encode()


def on_a_terminal(*arguments: object) -> str:
    """Return what a terminal shows of a command."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], stdout=theirs, stderr=theirs, stdin=theirs)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return shown.decode()


def test_progress_is_for_terminals_only(tennis):
    shown = on_a_terminal("learn", "iris")
    assert "cross-validating" in shown
    assert "petal width" in shown
    out, err = start("learn", "iris").communicate()
    assert b"cross-validating" not in out + err
    assert b"\x1b" not in out + err


def test_tables_fit_the_terminal():
    assert "\x1b[1m" in on_a_terminal("learners")


@pytest.mark.parametrize(
    ("words", "expected"),
    [("induce sh", ["show"]), ("induce learn --learner C45", ["C45", "C45Rules"])],
)
def test_completion(words, expected):
    given = {
        "_INDUCE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    out, _ = start(env=os.environ | given).communicate()
    assert out.decode().split() == expected
