"""State of a sheet: the list of its steps, kept in a JSON file."""

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
    """Table with the declarations of its columns.

    Parameters
    ----------
    source : str
        File or name of a shipped table.
    target : str or None
    nominal, numeric, ignore, missing : tuple of str
        Parameters of `induce.read`.
    schema : str or None
        Schema file with further declarations: texts, identifiers, orders, costs, units.
    test : str or None
        File of the locked rows, which are never used for training.
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
        """Return the declarations as arguments of `read`."""
        said: dict[str, Any] = {
            name: list(getattr(self, name)) for name in ("nominal", "numeric", "ignore", "missing")
        }
        said["schema"] = self.schema
        return {name: names for name, names in said.items() if names}

    def files(self) -> tuple[str, ...]:
        """Return the paths that are read, and names of shipped tables."""
        return tuple(name for name in (self.source, self.schema, self.test) if name)


@dataclass(frozen=True)
class RelationsStep:
    """Relations from Prolog files, a database or a folder of tables.

    Parameters
    ----------
    source : str
        File, folder, or database URL.
    target : str or None
        Relation to be learned; for a database, the table with the examples.
    label : str or None
        Column of that table that marks the positive rows.
    ignore : tuple of str
        Tables and columns that clauses must not use.
    negatives : str or None
        Parameter of `induce.relational.read_problem`.
    """

    kind: ClassVar[str] = "relations"
    source: str
    target: str | None = None
    label: str | None = None
    ignore: tuple[str, ...] = ()
    negatives: str | None = None

    def told(self) -> dict[str, Any]:
        """Return the settings as arguments of `read_problem`."""
        said = {"label": self.label, "negatives": self.negatives, "ignore": list(self.ignore)}
        return {name: value for name, value in said.items() if value}

    def files(self) -> tuple[str, ...]:
        """Return the paths that are read."""
        return (self.source,)


@dataclass(frozen=True)
class WorldStep:
    """Environment or game.

    Parameters
    ----------
    source : str
        Its name.
    settings : dict of str to str
        Parameters of a shipped environment, written as on the command line.
    """

    kind: ClassVar[str] = "world"
    source: str
    settings: dict[str, str] = field(default_factory=dict)
    target: ClassVar[None] = None

    def files(self) -> tuple[str, ...]:
        """Return no paths."""
        return ()


SourceStep = TableStep | RelationsStep | WorldStep


@dataclass(frozen=True)
class RunStep:
    """Run of a learner on a table, on relations, in an environment or in a game.

    Parameters
    ----------
    run : int
        Number of the run, from 1; comparisons, curves, tests and experiments share the numbering.
    table : TableStep, RelationsStep or WorldStep
    learner : str
    settings : dict of str to str
        Parameters, written as on the command line.
    cv : int
        Number of folds of the estimate.
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
    """Comparison of runs on the same splits.

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
    """Learning curve of a run."""

    kind: ClassVar[str] = "curve"
    run: int
    of: RunStep


@dataclass(frozen=True)
class OpenStep:
    """Test of a run on the locked rows."""

    kind: ClassVar[str] = "open"
    run: int
    of: RunStep


@dataclass(frozen=True)
class ExperimentStep:
    """Experiment.

    Parameters
    ----------
    run : int
    plan : str
        Path of the plan.
    """

    kind: ClassVar[str] = "experiment"
    run: int
    plan: str


@dataclass(frozen=True)
class AnswerStep:
    """Answers in a version-space dialogue.

    Parameters
    ----------
    table : TableStep
    answers : tuple of bool
        Answers to the questions so far: whether each instance is positive.
    unlabelled : bool
        Whether the dialogue ignores the classes of the table.
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
    """Immutable list of the steps of a sheet, in order."""

    steps: tuple[Step, ...] = ()

    @property
    def table(self) -> SourceStep:
        """Source of the sheet, with its latest declarations."""
        found = [step for step in self.steps if isinstance(step, SourceStep)]
        if not found:
            raise InputError("the sheet has no source; open one first")
        return found[-1]

    @property
    def runs(self) -> tuple[RunStep, ...]:
        """Runs in order."""
        return tuple(step for step in self.steps if isinstance(step, RunStep))

    @property
    def jobs(self) -> tuple[JobStep, ...]:
        """Jobs for the worker process, in order."""
        return tuple(step for step in self.steps if isinstance(step, JobStep))

    @property
    def answers(self) -> AnswerStep | None:
        """Latest answers in the dialogue about the current table."""
        found = [step for step in self.steps if isinstance(step, AnswerStep) and step.table == self.table]
        return found[-1] if found else None

    def run(self, number: int) -> RunStep:
        """Return the run with this number."""
        for step in self.runs:
            if step.run == number:
                return step
        raise InputError(f"there is no run {number}")

    def job(self, number: int) -> JobStep:
        """Return the job with this number."""
        for step in self.jobs:
            if step.run == number:
                return step
        raise InputError(f"there is no run {number}")

    def then(self, step: Step) -> Steps:
        """Return the steps with another one appended."""
        return replace(self, steps=(*self.steps, step))

    def to_json(self) -> str:
        """Return the steps as JSON."""
        told = [_told(step) for step in self.steps]
        return json.dumps({"version": VERSION, "steps": told}, ensure_ascii=False, indent=1)

    @staticmethod
    def of_json(text: str) -> Steps:
        """Parse the JSON of a sheet; refuse invalid steps.

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
    """Return a step as plain data with its kind, recursively."""
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
    """Build a step from plain data; raise `TypeError` if it is invalid."""
    if not isinstance(told, dict) or told.get("step", "table") not in KINDS:
        raise TypeError("a step must be a dict with a known kind in 'step'")
    cls = KINDS[told.get("step", "table")]
    names = {each.name for each in fields(cls)}
    given = {name: value for name, value in told.items() if name != "step"}
    if not set(given) <= names:
        raise TypeError(f"a step of the kind {cls.kind} has no field {sorted(set(given) - names)[0]!r}")
    if issubclass(cls, SourceStep):
        return _source(cls, given)
    for name, value in given.items():
        if isinstance(value, dict) and name in ("table", "of"):
            given[name] = step_of(value)
        elif isinstance(value, list):
            given[name] = tuple(step_of(one) if isinstance(one, dict) else one for one in value)
    return cls(**given)


def _source(cls: Any, given: dict[str, Any]) -> SourceStep:
    """Build a source step; values from the page are converted, since their types cannot be trusted."""
    if not isinstance(given.get("source"), str) or not given["source"]:
        raise TypeError(
            "the source is missing; give a file, a shipped table, a database, an environment or a game"
        )
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
    """Sheets of a workspace folder, each in its own file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._turn = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        """Return the names of all sheets, oldest first."""
        found = [path.stem for path in self.folder.glob("s*.json") if NAME.fullmatch(path.stem)]
        return sorted(found, key=lambda name: int(name[1:]))

    def steps(self, name: str) -> Steps:
        """Return the steps of a sheet."""
        path = self._path(name)
        if not path.exists():
            raise InputError(f"there is no sheet {name}")
        return Steps.of_json(path.read_text(encoding="utf-8"))

    def begin(self, table: SourceStep) -> str:
        """Create a sheet for a source, and return its name."""
        with self._turn:
            number = max((int(name[1:]) for name in self.names()), default=0) + 1
            name = f"s{number}"
            self._write(name, Steps((table,)))
        return name

    def tell(self, name: str, step: SourceStep | AnswerStep) -> Steps:
        """Append a source or dialogue step to a sheet."""
        with self._turn:
            steps = self.steps(name).then(step)
            self._write(name, steps)
        return steps

    def add(self, name: str, make: Callable[[int, Steps], Job]) -> Job:
        """Append a job to a sheet; `make` builds it from its number and the steps so far."""
        with self._turn:
            steps = self.steps(name)
            step = make(len(steps.jobs) + 1, steps)
            self._write(name, steps.then(step))
        return step

    def room(self, name: str) -> Path:
        """Return the folder with the models and results of a sheet."""
        path = self._path(name).with_suffix("")
        path.mkdir(exist_ok=True)
        return path

    def _write(self, name: str, steps: Steps) -> None:
        write_whole(str(self._path(name)), steps.to_json().encode())

    def _path(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise InputError(f"{name!r} is not the name of a sheet")
        return self.folder / f"{name}.json"
