"""A learner of another system as an estimator, so that an experiment runs it like any other."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.peers.exchange import Given, classes_of
from benchmarks.peers.process import running

SERVED = Path(__file__).with_name("served")
INDUCE = sys.executable


@dataclass(frozen=True)
class Size:
    """How large a set of rules is, the rule without conditions at the end left out."""

    rules: int
    conditions: int

    def size(self) -> str:
        """The size in the words of our own rule lists."""
        return f"{self.rules} rules, {self.conditions} conditions"


class Peer(ClassifierMixin, BaseEstimator):
    """A learner of another system.

    Parameters
    ----------
    learner : str
        What the system calls it, such as ``"CN2Learner"`` or ``"rules.JRip"``.
    command : sequence of str
        How its process is started; see `command_of`.
    limit : float, optional
        The seconds that learning may take.
    schema : Schema, optional
        What the columns are; an experiment says so.
    """

    def __init__(
        self, learner: str = "", command: Any = (), limit: float | None = None, schema: Any = None
    ) -> None:
        self.learner = learner
        self.command = command
        self.limit = limit
        self.schema = schema

    def fit(self, X: Any, y: Any) -> Self:
        """Let the process learn from the rows of a polars frame."""
        self.classes_ = np.array(classes_of(y))
        with tempfile.TemporaryDirectory() as folder:
            path = written(
                Given.of(X, self.schema, self.classes_.tolist(), y.to_list()), self.command, folder
            )
            found = running(self.command).ask("learn", self.learner, path, limit=self.limit)
        self.hypothesis_ = Size(found["rules"], found["conditions"])
        return self

    def predict(self, X: Any) -> Any:
        """Ask for the class of each row, before anything else is learned by the same process."""
        with tempfile.TemporaryDirectory() as folder:
            path = written(Given.of(X, self.schema, self.classes_.tolist()), self.command, folder)
            return self.classes_[running(self.command).ask("predict", path)["codes"]]


def command_of(system: str, place: str) -> tuple[str, ...]:
    """The command that serves a system: `place` is a Python that has it, or the archive of Weka."""
    if system == "weka":
        quiet = "--add-opens=java.base/java.lang=ALL-UNNAMED"  # or Weka complains at its start
        return "java", quiet, "-cp", place, str(SERVED / "LearnersOfWeka.java")
    return place, str(SERVED / f"serve_{system}.py")


def written(given: Given, command: Any, folder: str) -> Path:
    """Write a table as the process of a command reads it."""
    if command[0] == "java":
        path = Path(folder, "table.arff")
        given.to_arff(path)
    else:
        path = Path(folder, "table.npz")
        given.to_npz(path)
    return path
