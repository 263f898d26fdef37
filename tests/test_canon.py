"""The index of the books is true: its names can be imported, its commands run, its rows stand in order."""

import dataclasses
import importlib
import inspect
import re
from pathlib import Path

import pytest
import typer

from induce.cli.app import app
from induce.textbook.contents import select

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "canon.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))


def rows():
    for line in PAGE.splitlines():
        if line.startswith("|") and not line.startswith(("|---", "| section |", "| second edition |")):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


ROWS = list(rows())


def imported(name):
    """What a dotted name stands for; an error if it stands for nothing."""
    parts = name.split(".")
    for k in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        return member(found, parts[k:])
    raise AttributeError(name)


def member(owner, parts):
    for part in parts:
        fields = {each.name for each in dataclasses.fields(owner)} if dataclasses.is_dataclass(owner) else ()
        owner = owner.__annotations__.get(part) if part in fields else getattr(owner, part)
    return owner


def check(cell):
    """Return what of a cell is not there, read as the head of the page says."""
    missing, packages, owners = [], ["induce"], []
    for code in re.findall(r"`([^`]+)`", cell):
        name = re.match(r"\.?[A-Za-z_][\w.]*", code)
        if code.startswith("induce "):
            _, command, *words = code.split()
            if command not in COMMANDS:
                missing.append(code)
            elif command == "textbook" and words and not words[0].startswith("-"):
                select(words)
        elif code.startswith(("examples/", "docs/", "benchmarks/")):
            missing += [] if (ROOT / code).exists() else [code]
        elif code[0] in "\"'":
            continue
        elif name is None:
            missing.append(code)
        elif "." not in name[0] and code[name.end() :].startswith("="):
            missing += [] if re.search(rf"\b{name[0]}\b *[:=]", SOURCE) else [code]
        elif name[0].startswith("."):
            defined = rf"def {name[0][1:]}\b|\b{name[0][1:]}:"
            missing += [] if re.search(defined, SOURCE) else [code]
        else:
            found = reached(name[0], packages, owners)
            missing += [] if found else [code]
    return missing


def reached(name, packages, owners):
    """Look a name up as it is, then in the packages, then in the classes named before it."""
    absolute = name.startswith("induce.")
    for path in [name] if absolute else [f"{package}.{name}" for package in packages]:
        try:
            found = imported(path)
        except AttributeError:
            continue
        whole = path.split(".")
        if absolute:
            packages += [
                ".".join(whole[:k])
                for k in range(2, len(whole) + 1)
                if inspect.ismodule(imported(".".join(whole[:k])))
            ]
        owners += [
            each
            for each in (found, imported(".".join(whole[:-1])))
            if inspect.isclass(each) and each not in owners
        ]
        return True
    for owner in owners:
        try:
            member(owner, name.split("."))
        except AttributeError:
            continue
        return True
    return False


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}: {row[1]}"[:40] for row in ROWS])
def test_names_can_be_imported_as_written(row):
    assert check(row[2]) == []


def test_a_wrong_name_is_noticed():
    assert check("`induce.bayes.NoSuch`, `ID3`, `induce nothing`, `.no_such_method`") == [
        "induce.bayes.NoSuch",
        "induce nothing",
        ".no_such_method",
    ]


def test_rows_stand_in_the_order_of_the_book():
    """Sections by number, then the notes of a chapter, its exercises, and what is beyond the book."""
    for chapter in PAGE.split("\n## ")[2:]:
        keys = [rank(line.split("|")[1].strip()) for line in chapter.splitlines() if line.startswith("| ")]
        assert keys[1:] == sorted(keys[1:]), chapter.splitlines()[0]


def rank(cell):
    number = re.search(r"\d+(?:\.\d+)*", cell)
    if cell.startswith("tables"):
        return (0, ())
    if number is None:
        return (4, ())
    group = 3 if cell.startswith("exercise") else 2 if "notes" in cell else 1
    return (group, tuple(map(int, number[0].split("."))))
