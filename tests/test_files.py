"""Files are read and written alike on every system: as UTF-8, whatever the line ends and the paths."""

import ast
import errno
import io
import os
import re
import sys
from pathlib import Path, PureWindowsPath

import pytest
import typer

import induce
from induce.belief_networks import BeliefNetwork
from induce.belief_networks.library import textbook_network
from induce.cli import output
from induce.cli.theory import _read as read_concepts
from induce.core.errors import InputError
from induce.data.schema_overrides import schema_file
from induce.data.streams import read_text, title_of
from induce.evaluation.experiments import read_plan
from induce.instances.cases.files import read_cases, write_cases
from induce.logic.parsing import read_program
from induce.relational.readers.aleph import read_aleph, write_aleph
from induce.relational.readers.catalogues import is_database
from induce.relational.readers.popper import read_popper, write_popper
from induce.relational.readers.problems import read_problem
from tests.conftest import ROOT

FOLDERS = ("src", "tests", "benchmarks", "examples")
STARTED = {"run", "Popen", "check_output", "check_call", "call"}
FAMILY = """% who is whose parent
parent(ann, bea).  parent(bea, cal).
grandparent(ann, cal).
/* a comment
   of two lines */
said(ann, 'two \\
lines').
"""
ARFF = """% weather
@relation weather
@attribute sky {sunny, 'rain, wind'}
@attribute day real
@data
sunny,1
'rain, wind',?
"""
PLAN = '''
title = """two
lines"""
[learners]
tree = "C45"
[datasets]
tennis = "play-tennis"
'''
TEXTS = {
    "weather.csv": ('day,"the sky",play\n1,"sunny, dry",no\n2,rain,yes\n3,,yes\n', induce.read),
    "weather.tsv": ("day\tsky\tplay\n1\tsunny\tno\n2\train\tyes\n", induce.read),
    "weather.jsonl": ('{"day": 1, "sky": "dry"}\n{"day": 2, "sky": "wet"}\n', induce.read),
    "weather.json": ('[{"day": 1, "sky": "dry"},\n {"day": 2, "sky": "wet"}]\n', induce.read),
    "weather.arff": (ARFF, induce.read),
    "schema.toml": ('[sky]\nkind = "nominal"\n', schema_file),
    "schema.json": ('{"sky":\n {"kind": "nominal"}}\n', schema_file),
    "plan.toml": (PLAN, read_plan),
    "family.pl": (FAMILY, read_program),
    "concepts.txt": ("0 1 1\n1,0,1\n\n", read_concepts),
}


def systems(folder):
    """Yield a folder and a function that writes a text there: as it stands, and as Windows' editors do.

    These put a mark before UTF-8, and two characters at the end of a line.
    """
    for name, mark, end in (("unix", b"", "\n"), ("windows", b"\xef\xbb\xbf", "\r\n")):
        there = folder / name
        there.mkdir()

        def write(file, text, there=there, mark=mark, end=end):
            (there / file).write_bytes(mark + text.replace("\n", end).encode())
            return there / file

        yield there, write


def content(value):
    """Return what can be compared, and names no folder."""
    if isinstance(value, induce.data.dataset.Dataset):
        return value.name, value.frame.to_dict(as_series=False), value.schema
    if isinstance(value, induce.evaluation.experiments.plan.ExperimentPlan):
        return value.title, value.text
    if isinstance(value, induce.relational.readers.problems.Problem):
        return str(value), value.rows().tolist(), value.y.tolist(), str(value.background)
    return value if isinstance(value, dict | list) else str(value)


@pytest.mark.parametrize("name", TEXTS)
def test_line_ends_and_marks_of_windows_change_nothing(tmp_path, name):
    text, read = TEXTS[name]
    unix, windows = (content(read(write(name, text))) for _, write in systems(tmp_path))
    assert unix == windows


@pytest.mark.parametrize("kind", ["bif", "xmlbif", "xdsl"])
def test_networks_with_line_ends_of_windows(tmp_path, kind):
    file = tmp_path / f"asia.{kind}"
    textbook_network("asia").write(file)
    text = file.read_text(encoding="utf-8")
    unix, windows = (BeliefNetwork.read(write(file.name, text)) for _, write in systems(tmp_path))
    assert unix == windows == BeliefNetwork.read(file)


def test_cases_with_line_ends_of_windows(tmp_path):
    library = read_cases("devices")
    file = tmp_path / "devices.json"
    write_cases(library, file)
    text = file.read_text(encoding="utf-8")
    assert [read_cases(write(file.name, text)) for _, write in systems(tmp_path)] == [library, library]


@pytest.mark.parametrize(("write_as", "read_as"), [(write_aleph, read_aleph), (write_popper, read_popper)])
def test_problems_with_line_ends_of_windows(tmp_path, write_as, read_as):
    source = tmp_path / "family.pl"
    source.write_text(FAMILY, encoding="utf-8")
    written = tmp_path / "written"
    written.mkdir()
    inside = "." if write_as is write_popper else "family"
    write_as(read_problem(source, "grandparent/2"), written / inside)
    texts = {file.name: file.read_bytes() for file in written.iterdir()}
    assert not any(b"\r" in text for text in texts.values())
    found = []
    for there, write in systems(tmp_path):
        for name, text in texts.items():
            write(name, text.decode())
        found.append(content(read_as(there / inside))[1:])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("path", "title"),
    [
        (r"C:\data\weather.csv", "weather"),
        (r"C:\data\Weather.CSV", "Weather"),
        (r"\\server\share\weather.v2.tsv.GZ", "weather.v2"),
        (r"C:\data.d\weather", "weather"),
    ],
)
def test_tables_are_named_after_files_of_windows(path, title):
    assert title_of(PureWindowsPath(path)) == title


def test_an_extension_in_capitals_is_no_part_of_the_name(tmp_path):
    (tmp_path / "WEATHER.CSV").write_bytes(b"a,b\r\n1,2\r\n3,4\r\n")
    assert induce.read(tmp_path / "WEATHER.CSV").name == "WEATHER"


def test_a_drive_is_no_kind_of_database(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not is_database(r"C:\data\weather.csv")
    assert not is_database("C:/data/weather.csv")
    assert is_database(r"sqlite:///C:\data\weather.db")
    with pytest.raises(InputError, match=r"there is no file 'C:\\\\data\\\\weather.db'"):
        read_problem(r"sqlite:///C:\data\weather.db", "day")


def test_windows_denies_to_open_a_folder(tmp_path, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(InputError, match="is a directory without a table in it"):
        induce.read(tmp_path)
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        read_text(tmp_path)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        induce.read(tmp_path / "weather.csv")


def test_a_reader_that_goes_away_on_windows_ends_the_program_quietly(monkeypatch):
    class Gone(io.BytesIO):
        def write(self, data):
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(Gone(), encoding="utf-8"))
    with pytest.raises(OSError, match="Invalid argument"):
        output.put("rows")
    put_away = []
    monkeypatch.setattr(output.os, "name", "nt")
    monkeypatch.setattr(output.os, "dup2", lambda *descriptors: put_away.append(descriptors))
    monkeypatch.setattr(Gone, "fileno", lambda self: 1)
    with pytest.raises(typer.Exit):
        output.put("rows")
    (pair,) = put_away
    os.close(pair[0])


OF_TEXT = re.compile(r"read_text|write_text|\btext\s*=|universal_newlines")


def without_encoding(call):
    """Say whether a call reads or writes text in the encoding of the system.

    The linter sees it only where it knows that the receiver is a path or the function `open`.
    """
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    named = {keyword.arg for keyword in call.keywords}
    if "encoding" in named:
        return False
    if name in ("read_text", "write_text"):
        return len(call.args) < (2 if name == "write_text" else 1)
    return name in STARTED and bool(named & {"text", "universal_newlines"})


@pytest.mark.parametrize("folder", FOLDERS)
def test_text_is_utf8_on_every_system(folder):
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        if OF_TEXT.search(text := file.read_text(encoding="utf-8"))  # to parse all files takes seconds
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and without_encoding(node)
    ]
    assert not found, "name encoding='utf-8'"


def test_the_check_sees_what_names_no_encoding():
    calls = {
        "path.read_text()": True,
        "path.read_text('utf-8')": False,
        "path.write_text(text)": True,
        "path.write_text(text, encoding='utf-8')": False,
        "subprocess.run(command, text=True)": True,
        "subprocess.run(command)": False,
    }
    assert {text: without_encoding(ast.parse(text, mode="eval").body) for text in calls} == calls
