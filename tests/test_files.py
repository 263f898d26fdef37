"""Files are read and written alike on every system: as UTF-8, whatever the line ends and the paths."""

import ast

import pytest

from tests.conftest import ROOT

FOLDERS = ("src", "tests", "benchmarks", "examples")
STARTED = {"run", "Popen", "check_output", "check_call", "call"}


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
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
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
