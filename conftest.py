"""Doctests are looked for only in files that have examples: going through all the others takes seconds."""

from collections.abc import Generator
from pathlib import Path

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out the doctests of a file in which nobody typed an example."""
    found = yield
    if file_path.suffix == ".py" and b">>> " not in file_path.read_bytes():
        return [each for each in found if type(each).__name__ != "DoctestModule"]
    return found
