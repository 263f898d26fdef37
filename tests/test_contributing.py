"""The guide for contributors is true: following it adds a learner that passes the common checks."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import induce
from induce.data.table import infer_schema
from tests.conftest import ROOT, layers

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COPIED = ("src", "tests", "benchmarks", "docs/canon.md", "pyproject.toml", "CONTRIBUTING.md", "README.md")
FOLLOWED = ("C45", "NaiveBayes", "SVM", "HiddenMarkovModel", "QLearning")
BLOCK = re.compile(r"^<!-- (file|change): (\S+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def section(title):
    """Return the text under a heading."""
    return GUIDE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package to which the learner of the guide is added."""
    folder = tmp_path_factory.mktemp("induce")
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    for what, name, text in BLOCK.findall(section("Add a learner")):
        if what == "file":
            assert not (folder / name).exists(), f"{name} is there already; the guide needs another learner"
            (folder / name).write_text(text, encoding="utf-8")
        else:
            change(folder / name, text)
    return folder


def change(file, block):
    """Add the lines of a block that begin with a plus beside the others, which the file must have."""
    lines = block.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line.startswith(" "))
    after = "".join(line[1:] for line in lines)
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{file.name} has not the lines that CONTRIBUTING.md shows:\n{before}"
    file.write_text(text.replace(before, after), encoding="utf-8")


def commands():
    """Return the commands of the guide that follow the new files."""
    shown = re.search(r"```console\n(.*?)```", section("Add a learner"), re.DOTALL)
    return [line.removeprefix("$ ") for line in shown[1].splitlines()]


def run(folder, command):
    program, *arguments = shlex.split(command)
    if program == "make":  # its recipe, without installing anything
        recipe = re.search(
            rf"^{arguments[0]}:.*\n\t(.*)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
        )
        program, *arguments = shlex.split(recipe[1].replace("$(BIN)", ".venv/bin"))
    own = Path(sys.executable).parent / Path(program).name
    return subprocess.run(
        [str(own), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def test_the_commands_of_the_guide_succeed(copy):
    assert len(commands()) == 6
    said = {}
    for command in commands():
        done = run(copy, command)
        assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}{done.stderr[-2000:]}"
        said[command] = done.stdout
    assert "OneR" in said[".venv/bin/induce learners"]
    stub = (copy / "src/induce/__init__.pyi").read_text(encoding="utf-8")
    assert "from induce.rules.learners.one_r import OneR as OneR\n" in stub


@pytest.fixture
def inferred(monkeypatch):
    """The tables whose schema was inferred."""
    found = []
    for name in FOLLOWED:  # what is imported later would keep the counting function
        getattr(induce, name)

    def counting(frame, *arguments, **named):
        found.append(frame)
        return infer_schema(frame, *arguments, **named)

    for module in [each for name, each in sys.modules.items() if name.startswith("induce.")]:
        if vars(module).get("infer_schema") is infer_schema:
            monkeypatch.setattr(module, "infer_schema", counting)
    return found


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_schema_is_inferred_once(name, inferred):
    learner = getattr(induce, name)()
    if name == "QLearning":
        assert learner.learn("mitchell-13.2").hypothesis_.act("TL") is not None
        assert not inferred
        return
    X, y = induce.dataset("play-tennis")
    learner.fit(X) if name == "HiddenMarkovModel" else learner.fit(X, y)
    assert len(inferred) == 1
    learner.hypothesis_.answers(X)
    assert len(inferred) == 1


def test_the_picture_shows_every_package_in_its_layer():
    drawn = re.findall(
        r'y="(\d+)" text-anchor="middle">(\w+)<',
        (ROOT / "docs/images/layers.svg").read_text(encoding="utf-8"),
    )
    heights = layers()
    assert sorted(name for _, name in drawn) == sorted(heights)
    order = [heights[name] for _, name in sorted(drawn, key=lambda place: int(place[0]))]
    assert order == sorted(order, reverse=True)
