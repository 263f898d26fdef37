"""What gets imported, and how long that takes: the slow libraries only where they are used."""

import subprocess
import sys
import time

import pytest

import induce

SLOW = {"numba", "matplotlib", "sklearn", "polars", "scipy", "pandas", "pyarrow"}
CLI = "import sys; from induce.cli import main; assert main(sys.argv[1:]) == 0"
LOADED = "; import sys; print('loaded', *sys.modules, file=sys.stderr)"


def loaded(code: str, *arguments: object) -> set[str]:
    """Return the modules that a fresh interpreter has after running `code`."""
    done = subprocess.run(
        [sys.executable, "-c", code + LOADED, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split("loaded", 1)[1].split())


def quickest(code: str, *arguments: str) -> float:
    """Return how many seconds the shortest of several runs takes."""

    def run(*command: str) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", *command], capture_output=True, check=True)
        return time.perf_counter() - started

    return min(run(code, *arguments) for _ in range(5))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "tennis.induce"
    induce.save(induce.C45().fit(*induce.dataset("play-tennis")), path)
    return path


def test_importing_the_package():
    assert not loaded("import induce") & (SLOW | {"numpy", "typer", "rich"})


@pytest.mark.parametrize("arguments", [["--help"], ["learn", "--help"], ["--version"], ["learners"]])
def test_commands_that_need_nothing(arguments):
    assert not loaded(CLI, *arguments) & (SLOW | {"numpy"})


@pytest.mark.parametrize("form", ["text", "rules", "sql", "python", "prolog", "json"])
def test_showing(model, form):
    assert not loaded(CLI, "show", model, "--as", form) & SLOW


def test_drawing(model, tmp_path):
    found = loaded(CLI, "show", model, "--out", tmp_path / "tree.svg")
    assert "matplotlib" in found
    assert not found & {"sklearn", "numba"}


def test_predicting_and_explaining(model, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    unwanted = {"sklearn", "matplotlib", "pandas", "pyarrow"}
    assert not loaded(CLI, "predict", model, new) & unwanted
    assert not loaded(CLI, "explain", model, new) & unwanted


def test_reading():
    assert not loaded("import induce; induce.read; induce.dataset('iris')") & (SLOW - {"polars"})


def test_times():
    """The bounds are 0.3 s and 0.5 s; a busy machine may take longer even for the quickest of several runs."""
    assert quickest("import induce") < 0.3
    assert quickest(CLI, "--help") < 1.0
