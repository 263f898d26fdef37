"""Running the command line inside the test's own process."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from induce.cli import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def sentence(self) -> str:
        """The one line of an error, after checking that it is all there is."""
        *notes, last = self.err.splitlines()
        assert self.code == 2, self
        assert self.out == ""
        assert all(line.startswith("note: ") for line in notes), self.err
        assert last.startswith("induce: error: ")
        return last.removeprefix("induce: error: ")


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line; `stdin` is what it reads from there."""

    def running(*arguments: object, stdin: bytes = b"") -> Result:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main([str(argument) for argument in arguments])
        return Result(code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())

    return running


@pytest.fixture(scope="session")
def tennis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file: the tree of play-tennis."""
    import induce

    path = tmp_path_factory.mktemp("models") / "tennis.induce"
    induce.save(induce.C45().fit(*induce.dataset("play-tennis")), path)
    return path


@pytest.fixture(scope="session")
def iris_rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file: rules for iris."""
    import induce

    path = tmp_path_factory.mktemp("models") / "iris.induce"
    induce.save(induce.C45Rules().fit(*induce.dataset("iris")), path)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of text or bytes and return its path."""

    def writing(content: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return writing
