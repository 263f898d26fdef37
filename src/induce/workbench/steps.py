"""The state of a sheet: the list of steps that a person took, kept in a small file."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

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
    schema : str or None
        A file that says the rest about columns: text, identifiers, orders, costs.
    test : str or None
        A file of rows under lock, which no run learns from.
    """

    kind: ClassVar[str] = "table"
    source: str
    target: str | None = None
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    schema: str | None = None
    test: str | None = None

    def told(self) -> dict[str, Any]:
        """Return what was said of the columns, for `read`; nothing that was not said."""
        said: dict[str, Any] = {
            name: list(getattr(self, name)) for name in ("nominal", "numeric", "ignore", "missing")
        }
        said["schema"] = self.schema
        return {name: names for name, names in said.items() if names}

    def files(self) -> tuple[str, ...]:
        """Return the files that are read, or names of shipped tables."""
        return tuple(name for name in (self.source, self.schema, self.test) if name)


@dataclass(frozen=True)
class RelationsStep:
    """Relations were opened: Prolog files, a database, a folder of tables.

    Parameters
    ----------
    source : str
        A file, a folder, or the URL of a database.
    target : str or None
        The relation to be learned; for a database, the table with the examples.
    label : str or None
        The column of that table that says which rows are in the relation.
    ignore : tuple of str
        Tables and columns that clauses must not use.
    negatives : str or None
        As `induce.relational.read_problem` takes it.
    """

    kind: ClassVar[str] = "relations"
    source: str
    target: str | None = None
    label: str | None = None
    ignore: tuple[str, ...] = ()
    negatives: str | None = None

    def told(self) -> dict[str, Any]:
        """Return what was said, for `read_problem`; nothing that was not said."""
        said = {"label": self.label, "negatives": self.negatives, "ignore": list(self.ignore)}
        return {name: value for name, value in said.items() if value}

    def files(self) -> tuple[str, ...]:
        """Return the files that are read."""
        return (self.source,)


@dataclass(frozen=True)
class WorldStep:
    """An environment or a game was opened.

    Parameters
    ----------
    source : str
        Its name.
    settings : dict of str to str
        Parameters of an environment that ships, written as on the command line.
    """

    kind: ClassVar[str] = "world"
    source: str
    settings: dict[str, str] = field(default_factory=dict)
    target: ClassVar[None] = None

    def files(self) -> tuple[str, ...]:
        """Return the files that are read: none."""
        return ()


SourceStep = TableStep | RelationsStep | WorldStep


@dataclass(frozen=True)
class RunStep:
    """A learner was run on a table, on relations or in a world.

    Parameters
    ----------
    run : int
        Its number, from 1; comparisons, curves, tests and experiments are counted with it.
    table : TableStep, RelationsStep or WorldStep
    learner : str
    settings : dict of str to str
        Parameters, written as on the command line.
    cv : int
        Folds of the estimate.
    seed : int or None
    """

    kind: ClassVar[str] = "run"
    run: int
    table: SourceStep
    learner: str
    settings: dict[str, str] = field(default_factory=dict)
    cv: int = 10
    seed: int | None = None


@dataclass(frozen=True)
class CompareStep:
    """Runs were compared on the same splits.

    Parameters
    ----------
    run : int
    of : tuple of RunStep
    """

    kind: ClassVar[str] = "compare"
    run: int
    of: tuple[RunStep, ...]


@dataclass(frozen=True)
class CurveStep:
    """The learning curve of a run was drawn."""

    kind: ClassVar[str] = "curve"
    run: int
    of: RunStep


@dataclass(frozen=True)
class OpenStep:
    """The rows under lock were opened for a run."""

    kind: ClassVar[str] = "open"
    run: int
    of: RunStep


@dataclass(frozen=True)
class ExperimentStep:
    """An experiment was planned and run.

    Parameters
    ----------
    run : int
    plan : str
        The file of the plan.
    """

    kind: ClassVar[str] = "experiment"
    run: int
    plan: str


@dataclass(frozen=True)
class AnswerStep:
    """Questions of the version-space dialogue were answered.

    Parameters
    ----------
    table : TableStep
    answers : tuple of bool
        Whether each instance that was asked about is in the concept.
    unlabelled : bool
        Whether the dialogue began without the classes of the table.
    """

    kind: ClassVar[str] = "answers"
    table: TableStep
    answers: tuple[bool, ...] = ()
    unlabelled: bool = False


Job = TypeVar("Job", bound="JobStep")
JobStep = RunStep | CompareStep | CurveStep | OpenStep | ExperimentStep
Step = SourceStep | JobStep | AnswerStep


@dataclass(frozen=True)
class Steps:
    """All steps of a sheet, in order."""

    steps: tuple[Step, ...] = ()

    @property
    def table(self) -> SourceStep:
        """The table, relations or world as it was last told about."""
        found = [step for step in self.steps if isinstance(step, SourceStep)]
        if not found:
            raise InputError("the sheet has no table; open one first")
        return found[-1]

    @property
    def runs(self) -> tuple[RunStep, ...]:
        """The runs, the first one first."""
        return tuple(step for step in self.steps if isinstance(step, RunStep))

    @property
    def jobs(self) -> tuple[JobStep, ...]:
        """All that was done in a process of its own, the first one first."""
        return tuple(step for step in self.steps if isinstance(step, JobStep))

    @property
    def answers(self) -> AnswerStep | None:
        """The last state of the dialogue about the table as it is now."""
        found = [step for step in self.steps if isinstance(step, AnswerStep) and step.table == self.table]
        return found[-1] if found else None

    def run(self, number: int) -> RunStep:
        """Return a run."""
        for step in self.runs:
            if step.run == number:
                return step
        raise InputError(f"there is no run {number}")

    def job(self, number: int) -> JobStep:
        """Return a run, comparison, curve, test or experiment."""
        for step in self.jobs:
            if step.run == number:
                return step
        raise InputError(f"there is no run {number}")

    def then(self, step: Step) -> Steps:
        """Return the steps with one more."""
        return replace(self, steps=(*self.steps, step))

    def to_json(self) -> str:
        """Return the text of the file."""
        told = [_told(step) for step in self.steps]
        return json.dumps({"version": VERSION, "steps": told}, ensure_ascii=False, indent=1)

    @staticmethod
    def of_json(text: str) -> Steps:
        """Read the text of a file; refuse what does not fit.

        Examples
        --------
        >>> steps = Steps((TableStep("iris", ignore=("sepal width",)), RunStep(1, WorldStep("taxi"), "QLearning")))
        >>> Steps.of_json(steps.to_json()) == steps
        True
        """
        try:
            told = json.loads(text)
            return Steps(tuple(step_of(each) for each in told["steps"]))
        except (ValueError, KeyError, TypeError) as problem:
            raise InputError(f"the file of the sheet is damaged: {problem}") from None


KINDS: dict[str, Any] = {
    cls.kind: cls
    for cls in (
        TableStep,
        RelationsStep,
        WorldStep,
        RunStep,
        CompareStep,
        CurveStep,
        OpenStep,
        ExperimentStep,
        AnswerStep,
    )
}


def _told(step: Any) -> dict[str, Any]:
    """Return a step as plain data that says which kind of step it is, also of steps within it."""
    found: dict[str, Any] = {"step": step.kind}
    for each in fields(step):
        value = getattr(step, each.name)
        if isinstance(value, Step):
            value = _told(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], Step):
            value = [_told(one) for one in value]
        found[each.name] = value
    return found


def step_of(told: Any) -> Any:
    """Return the step that plain data describe; a `TypeError` where they describe none."""
    if not isinstance(told, dict) or told.get("step", "table") not in KINDS:
        raise TypeError("a step says which it is")
    cls = KINDS[told.get("step", "table")]
    names = {each.name for each in fields(cls)}
    given = {name: value for name, value in told.items() if name != "step"}
    if not set(given) <= names:
        raise TypeError(f"a step of the kind {cls.kind} has no {sorted(set(given) - names)[0]!r}")
    if issubclass(cls, SourceStep):
        return _source(cls, given)
    for name, value in given.items():
        if isinstance(value, dict) and name in ("table", "of"):
            given[name] = step_of(value)
        elif isinstance(value, list):
            given[name] = tuple(step_of(one) if isinstance(one, dict) else one for one in value)
    return cls(**given)


def _source(cls: Any, given: dict[str, Any]) -> SourceStep:
    """Return a table, relations or a world; what a page sends is never trusted to have the right types."""
    if not isinstance(given.get("source"), str) or not given["source"]:
        raise TypeError("a table has a source: a file, a shipped table, a database, an environment or a game")
    found: dict[str, Any] = {}
    for each in fields(cls):
        if each.name not in given:
            continue
        value = given[each.name]
        if str(each.type).startswith("tuple"):
            found[each.name] = tuple(map(str, value or ()))
        elif str(each.type).startswith("dict"):
            found[each.name] = {str(name): str(text) for name, text in dict(value or {}).items()}
        else:
            found[each.name] = None if value in (None, "") else str(value)
    return cast(SourceStep, cls(**found))


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

    def begin(self, table: SourceStep) -> str:
        """Begin a sheet with a table, relations or a world; return its name."""
        with self._turn:
            number = max((int(name[1:]) for name in self.names()), default=0) + 1
            name = f"s{number}"
            self._write(name, Steps((table,)))
        return name

    def tell(self, name: str, step: SourceStep | AnswerStep) -> Steps:
        """Add a step to a sheet that says how the table is to be read, or what was answered."""
        with self._turn:
            steps = self.steps(name).then(step)
            self._write(name, steps)
        return steps

    def add(self, name: str, make: Callable[[int, Steps], Job]) -> Job:
        """Add what is to be done in a process of its own; `make` gets its number and the steps so far."""
        with self._turn:
            steps = self.steps(name)
            step = make(len(steps.jobs) + 1, steps)
            self._write(name, steps.then(step))
        return step

    def room(self, name: str) -> Path:
        """Return the folder of what belongs to a sheet: models and results of its runs."""
        path = self._path(name).with_suffix("")
        path.mkdir(exist_ok=True)
        return path

    def _write(self, name: str, steps: Steps) -> None:
        write_whole(str(self._path(name)), steps.to_json().encode())

    def _path(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise InputError(f"{name!r} is not the name of a sheet")
        return self.folder / f"{name}.json"
