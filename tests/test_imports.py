"""What gets imported: the slow libraries only where they are used."""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import induce

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


def top_level_imports(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names of modules, and of what may be modules, that these statements import when they run."""
    for statement in body:
        match statement:
            case ast.Import():
                yield from (alias.name for alias in statement.names)
            case ast.ImportFrom():
                yield from (f"{statement.module}.{alias.name}" for alias in statement.names)
            case ast.If() if "TYPE_CHECKING" not in ast.unparse(statement.test):
                yield from top_level_imports([*statement.body, *statement.orelse])
            case ast.Try() | ast.With() | ast.ClassDef():
                yield from top_level_imports(statement.body)


def and_parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]


def test_every_module_can_be_imported_first():
    """A cycle of imports works from one end only: whoever begins at the other gets an ImportError."""
    root = Path(induce.__file__).parent
    files = {
        ".".join(("induce", *path.relative_to(root).with_suffix("").parts)): path
        for path in root.rglob("*.py")
    }
    modules = {name.removesuffix(".__init__"): path for name, path in files.items()}
    number = {name: index for index, name in enumerate(modules)}
    edges = {
        (number[name], number[imported])
        for name, path in modules.items()
        for statement in top_level_imports(ast.parse(path.read_text(encoding="utf-8")).body)
        for imported in set(and_parents(statement)) - set(and_parents(name))
        if imported in number
    }
    graph = coo_array((np.ones(len(edges)), tuple(zip(*sorted(edges), strict=True))), (len(number),) * 2)
    _, component = connected_components(graph, connection="strong")
    sizes = np.bincount(component)
    assert [name for name, index in number.items() if sizes[component[index]] > 1] == []


def test_submodules_are_loaded_lazily():
    code = "import induce; induce.neural.lenet; induce.trees"
    assert {"induce.neural.lenet", "induce.trees"} <= loaded(code)
    assert "induce.neural" not in loaded("import induce")
    with pytest.raises(AttributeError, match=r"module 'induce' has no attribute 'neurons'"):
        _ = induce.neurons
