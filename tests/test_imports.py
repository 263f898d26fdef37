"""What gets imported: the slow libraries only where they are used."""

import subprocess
import sys

import pytest

import induce
from induce.core.notes import Note

SLOW = {"numba", "matplotlib", "sklearn", "polars", "scipy", "pandas", "pyarrow", "dask", "distributed"}
COMMANDS = """
import sys
from induce.cli import main
for line in sys.argv[1:]:
    assert main(line.split("|")) == 0
"""
LOADED = "\nimport sys; print('loaded', *sys.modules, file=sys.stderr)"


def loaded(code: str, *arguments: str) -> set[str]:
    """Return the modules that a fresh interpreter has after running `code`."""
    done = subprocess.run(
        [sys.executable, "-c", code + LOADED, *arguments],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    return set(done.stderr.rsplit("loaded", 1)[1].split())


def loaded_by(*commands: list[object]) -> set[str]:
    """Return the modules that a fresh interpreter has after running these commands."""
    return loaded(COMMANDS, *("|".join(map(str, words)) for words in commands))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "tennis.induce"
    induce.save(induce.C45().fit(*induce.dataset("play-tennis")), path)
    return path


def test_importing_the_package():
    assert not loaded("import induce") & (SLOW | {"numpy", "typer", "rich"})


def test_commands_that_need_nothing():
    assert not loaded_by(["--help"], ["learn", "--help"], ["--version"], ["learners"]) & (SLOW | {"numpy"})


def test_showing(model):
    forms = ("text", "rules", "sql", "python", "prolog", "json")
    assert not loaded_by(*(["show", model, "--as", form] for form in forms)) & SLOW


def test_drawing(model, tmp_path):
    found = loaded_by(["show", model, "--out", tmp_path / "tree.svg"])
    assert "matplotlib" in found
    assert not found & {"sklearn", "numba"}


def test_predicting_and_explaining(model, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n", encoding="utf-8")
    unwanted = {"sklearn", "matplotlib", "pandas", "pyarrow"}
    assert not loaded_by(["predict", model, new], ["explain", model, new]) & unwanted


def test_reading():
    assert not loaded("import induce; induce.read; induce.dataset('iris')") & (SLOW - {"polars"})


def test_former_home_of_networks():
    sys.modules.pop("induce.graphical", None)  # a note is given once for each name
    import induce.graphical
    from induce.belief_networks import Jeffrey

    with pytest.warns(Note, match="import Jeffrey from induce.belief_networks"):
        assert induce.graphical.Jeffrey is Jeffrey
    assert {"HiddenMarkovChain", "Mixture"} <= set(dir(induce.graphical))
