"""The state of a sheet: the list of steps that a person took, kept in a small file."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from induce.core.errors import InputError
from induce.core.files import write_whole

VERSION = 1
NAME = re.compile(r"s[1-9][0-9]{0,5}")


@dataclass(frozen=True)
class TableStep:
    """A table was opened, or told something about its columns.

    Parameters
    ----------
    source : str
        A file, or a shipped table.
    target : str or None
    nominal, numeric, ignore, missing : tuple of str
        As `induce.read` takes them.
    """

    source: str
    target: str | None = None
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """Return what was said of the columns, for `read`; nothing that was not said."""
        said = {name: list(getattr(self, name)) for name in ("nominal", "numeric", "ignore", "missing")}
        return {name: names for name, names in said.items() if names}


@dataclass(frozen=True)
class RunStep:
    """A learner was run on a table.

    Parameters
    ----------
    run : int
        Its number, from 1.
    table : TableStep
    learner : str
    settings : dict of str to str
        Parameters, written as on the command line.
    cv : int
        Folds of the estimate.
    seed : int or None
    """

    run: int
    table: TableStep
    learner: str
    settings: dict[str, str] = field(default_factory=dict)
    cv: int = 10
    seed: int | None = None


@dataclass(frozen=True)
class Steps:
    """All steps of a sheet, in order."""

    steps: tuple[TableStep | RunStep, ...] = ()

    @property
    def table(self) -> TableStep:
        """The table as it was last told about."""
        found = [step for step in self.steps if isinstance(step, TableStep)]
        if not found:
            raise InputError("the sheet has no table; open one first")
        return found[-1]

    @property
    def runs(self) -> tuple[RunStep, ...]:
        """The runs, the first one first."""
        return tuple(step for step in self.steps if isinstance(step, RunStep))

    def run(self, number: int) -> RunStep:
        """Return a run."""
        for step in self.runs:
            if step.run == number:
                return step
        raise InputError(f"there is no run {number}")

    def then(self, step: TableStep | RunStep) -> Steps:
        """Return the steps with one more."""
        return replace(self, steps=(*self.steps, step))

    def to_json(self) -> str:
        """Return the text of the file."""
        told = [
            {"step": "table" if isinstance(step, TableStep) else "run", **asdict(step)} for step in self.steps
        ]
        return json.dumps({"version": VERSION, "steps": told}, ensure_ascii=False, indent=1)

    @staticmethod
    def of_json(text: str) -> Steps:
        """Read the text of a file; refuse what does not fit.

        Examples
        --------
        >>> steps = Steps((TableStep("iris", ignore=("sepal width",)),))
        >>> Steps.of_json(steps.to_json()) == steps
        True
        """
        try:
            told = json.loads(text)
            return Steps(tuple(_step(dict(each)) for each in told["steps"]))
        except (ValueError, KeyError, TypeError) as problem:
            raise InputError(f"the file of the sheet is damaged: {problem}") from None


def table_step(told: dict[str, Any]) -> TableStep:
    """Return the step that plain data describe; a `TypeError` where they describe none."""
    names = {each.name for each in fields(TableStep)}
    if not set(told) <= names or not isinstance(told.get("source"), str):
        raise TypeError(
            "a table has a source, a target, and columns that are nominal, numeric, ignored or missing"
        )
    lists = {name: tuple(map(str, told.get(name) or ())) for name in names - {"source", "target"}}
    target = told.get("target")
    return TableStep(source=told["source"], target=None if target is None else str(target), **lists)


def _step(told: dict[str, Any]) -> TableStep | RunStep:
    kind = told.pop("step")
    if kind == "table":
        return table_step(told)
    return RunStep(**{**told, "table": table_step(told["table"])})


class Sheets:
    """The sheets of a workspace folder, each in a file of its own, so that two of them never mix."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._turn = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        """Return the names of all sheets, the latest last."""
        found = [path.stem for path in self.folder.glob("s*.json") if NAME.fullmatch(path.stem)]
        return sorted(found, key=lambda name: int(name[1:]))

    def steps(self, name: str) -> Steps:
        """Return the steps of a sheet."""
        path = self._path(name)
        if not path.exists():
            raise InputError(f"there is no sheet {name}")
        return Steps.of_json(path.read_text(encoding="utf-8"))

    def begin(self, table: TableStep) -> str:
        """Begin a sheet with a table; return its name."""
        with self._turn:
            number = max((int(name[1:]) for name in self.names()), default=0) + 1
            name = f"s{number}"
            self._write(name, Steps((table,)))
        return name

    def tell(self, name: str, table: TableStep) -> Steps:
        """Add a step to a sheet that says how the table is to be read."""
        return self._add(name, table)

    def add_run(
        self, name: str, learner: str, settings: dict[str, str], cv: int, seed: int | None
    ) -> RunStep:
        """Add a run to a sheet."""
        with self._turn:
            steps = self.steps(name)
            step = RunStep(len(steps.runs) + 1, steps.table, learner, settings, cv, seed)
            self._write(name, steps.then(step))
        return step

    def room(self, name: str) -> Path:
        """Return the folder of what belongs to a sheet: models and results of its runs."""
        path = self._path(name).with_suffix("")
        path.mkdir(exist_ok=True)
        return path

    def _add(self, name: str, step: TableStep) -> Steps:
        with self._turn:
            steps = self.steps(name).then(step)
            self._write(name, steps)
        return steps

    def _write(self, name: str, steps: Steps) -> None:
        write_whole(str(self._path(name)), steps.to_json().encode())

    def _path(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise InputError(f"{name!r} names no sheet")
        return self.folder / f"{name}.json"
