"""Workspace with its sheets, uploads and jobs, and every operation that the page can request."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from induce.core.errors import InputError
from induce.core.files import write_whole
from induce.workbench import dialogues, runs, tables
from induce.workbench.assessment import check_locked, files_of_plan
from induce.workbench.exports import plan_of
from induce.workbench.jobs import Jobs
from induce.workbench.players.lessons import lessons
from induce.workbench.reading import apart
from induce.workbench.scripts import command_of, game_scripts, python_of
from induce.workbench.sources import check_files, kind_of
from induce.workbench.steps import (
    CompareStep,
    CurveStep,
    ExperimentStep,
    JobStep,
    OpenStep,
    RunStep,
    Sheets,
    SourceStep,
    Steps,
    TableStep,
    step_of,
)


class Workbench:
    """Workspace folder with its sheets, uploads and jobs.

    Parameters
    ----------
    folder : Path
    source : str or None
        Source named on the command line; no other file outside the folder may be read.
    """

    def __init__(self, folder: Path, source: str | None = None) -> None:
        self.sheets = Sheets(folder)
        self.tables = str(folder / "tables")
        self.uploads = folder / "uploads"
        self.uploads.mkdir(exist_ok=True)
        self.source = source
        self.jobs = Jobs()

    def start(self) -> dict[str, Any]:
        """Return the data of the start page."""
        from induce.data.catalogue import datasets
        from induce.environments.catalogue import ENVIRONMENTS
        from induce.environments.games.game import game_names

        told = [
            {"name": name, "source": self.sheets.steps(name).table.source} for name in self.sheets.names()
        ]
        return {
            "sheets": told,
            "datasets": [entry._asdict() for entry in datasets()],
            "environments": [{"name": name, "summary": each.summary} for name, each in ENVIRONMENTS.items()],
            "games": list(game_names()),
            "lessons": lessons(),
            "source": self.source,
            "sourceStep": None if self.source is None else kind_of(self.source),
        }

    def open(self, told: dict[str, Any]) -> dict[str, Any]:
        """Open a table, relations, an environment or a game in a new sheet; guess an undeclared target."""
        step = self.checked({"step": kind_of(str(told.get("source")))} | told)
        if isinstance(step, TableStep):
            step = apart(tables.guessed, step, self.tables)
            # with its target, so that the columns are ready when the page asks for them
        apart(tables.prepare, step, self.tables)
        return {"sheet": self.sheets.begin(step)}

    def tell(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Change the declarations of a sheet's columns, or the settings of its relations or environment."""
        before = self.sheets.steps(sheet).table
        columns = told.pop("columns", None)
        if columns is not None:
            told = told | {"schema": self._schema(sheet, before, columns)}
        step = self.checked({"step": before.kind} | asdict(before) | told, before)
        apart(tables.prepare, step, self.tables)
        self.sheets.tell(sheet, step)
        return self.sheet(sheet)

    def _schema(self, sheet: str, table: SourceStep, columns: Any) -> str:
        """Write the declarations of columns to a schema file, and return its path."""
        from induce.data.schema_overrides import schema_file

        if not isinstance(table, TableStep) or not isinstance(columns, dict):
            raise InputError("columns must be a dict from column names to their declarations")
        known = {} if table.schema is None else apart(schema_file, table.schema)
        for name, said in columns.items():
            before = known.get(name, {})
            known[name] = (before if isinstance(before, dict) else {"kind": before}) | dict(said)
        path = self.uploads / f"{sheet}-schema-{len(self.sheets.steps(sheet).steps)}.json"
        write_whole(str(path), json.dumps(known, ensure_ascii=False, indent=1).encode())
        return str(path)

    def lock(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Lock a fraction of the rows of a sheet's table as a test set."""
        table = self.sheets.steps(sheet).table
        if not isinstance(table, TableStep):
            raise InputError("only rows of a table can be locked")
        share = float(told.get("share") or 0.25)
        self.sheets.tell(sheet, apart(tables.lock_rows, table, self.tables, self.uploads, share))
        return self.sheet(sheet)

    def checked(self, told: dict[str, Any], before: SourceStep | None = None) -> SourceStep:
        """Build a source step from plain data; refuse files and databases that the page must not open.

        Sources of the previous step `before` are allowed.
        """
        step = step_of(told)
        if not isinstance(step, SourceStep):
            raise TypeError("a sheet begins with a table, relations, an environment or a game")
        check_files(step, {self.source, *(() if before is None else before.files())}, self.uploads)
        return step

    def sheet(self, name: str) -> dict[str, Any]:
        """Return the state of a sheet: source, runs, scripts and commands."""
        steps = self.sheets.steps(name)
        jobs = [self._job(name, step) for step in steps.jobs]
        return {
            "sheet": name,
            "kind": steps.table.kind,
            "table": asdict(steps.table),
            "python": python_of(steps.table),
            "command": command_of(steps.table),
            "runs": [job for job in jobs if job["kind"] == "run"],
            "others": [job for job in jobs if job["kind"] != "run"],
        }

    def _job(self, sheet: str, step: JobStep) -> dict[str, Any]:
        told: dict[str, Any] = {"run": step.run, "kind": step.kind}
        told |= {"python": python_of(step), "command": command_of(step)}
        if isinstance(step, RunStep):
            told |= {"learner": step.learner, "settings": step.settings, "name": runs.model_name(step)}
            told |= {"target": step.table.target, "cv": step.cv, "seed": step.seed}
            told |= {"locked": isinstance(step.table, TableStep) and step.table.test is not None}
        elif isinstance(step, CompareStep):
            told |= {"of": [each.run for each in step.of]}
        elif isinstance(step, CurveStep | OpenStep):
            told |= {"of": [step.of.run]}
        path = self.sheets.room(sheet) / f"run-{step.run}.json"
        job = self.jobs.job(sheet, step.run)
        if job is not None and job.state in ("waiting", "running", "failed"):
            return told | job.to_dict()
        if path.exists():
            kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return told | kept
        if job is not None:
            return told | job.to_dict()
        return told | {
            "state": "failed",
            "problem": "the workbench was closed before this run finished; run it again",
        }

    def learn(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Start a run."""
        settings = {str(name): str(text) for name, text in (told.get("settings") or {}).items()}
        cv, seed = int(told.get("cv") or 10), told.get("seed")
        seed = None if seed in (None, "") else int(seed)
        if cv < 2 or (seed is not None and seed < 0):
            raise InputError("folds or seed is out of range; give at least 2 folds, and a seed of at least 0")
        table = self.sheets.steps(sheet).table
        tried = RunStep(1, table, str(told.get("learner")), settings, cv, seed)
        runs.parameters_of(tried)  # errors are reported before the run is recorded
        return self._begin(sheet, lambda number, steps: replace(tried, run=number, table=steps.table))

    def judge(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Start a comparison, a learning curve, a test on the locked rows, or an experiment."""
        kind, steps = told.get("job"), self.sheets.steps(sheet)
        if kind == "experiment":
            return self._experiment(sheet, str(told.get("plan") or ""))
        of = [steps.run(int(number)) for number in told.get("runs") or ()]
        if kind == "compare":
            if len({runs.model_name(each) for each in of}) < 2:
                raise InputError("fewer than two different runs are chosen; choose at least two that differ")
            if len({(each.table, each.cv, each.seed) for each in of}) > 1 or of[0].table.kind == "world":
                raise InputError("the runs differ in table, folds or seed; choose runs that share them")
            return self._begin(sheet, lambda number, steps: CompareStep(number, tuple(of)))
        if kind == "curve" and len(of) == 1 and isinstance(of[0].table, TableStep):
            return self._begin(sheet, lambda number, steps: CurveStep(number, of[0]))
        if kind == "open" and len(of) == 1:
            apart(check_locked, of[0].table, self.tables, str(self.sheets.room(sheet)))
            return self._begin(sheet, lambda number, steps: OpenStep(number, of[0]))
        raise InputError("this job is unknown or does not apply to these runs")

    def _experiment(self, sheet: str, plan: str) -> dict[str, Any]:
        number = len(self.sheets.steps(sheet).jobs) + 1
        path = self.sheets.room(sheet) / f"experiment-{number}.toml"
        write_whole(str(path), plan.encode())
        try:
            for files in apart(files_of_plan, str(path)):
                self.checked(files, self.sheets.steps(sheet).table)
        except InputError:
            path.unlink()
            raise
        return self._begin(sheet, lambda number, steps: ExperimentStep(number, str(path)))

    def plan(self, sheet: str) -> dict[str, Any]:
        """Return an initial plan: the runs of a sheet, or the recommended learners, on its table."""
        return {"plan": apart(plan_of, self.sheets.steps(sheet), self.tables)}

    def _begin(self, sheet: str, make: Callable[[int, Steps], JobStep]) -> dict[str, Any]:
        step = self.sheets.add(sheet, make)
        self.jobs.begin(sheet, step, self.tables, str(self.sheets.room(sheet)))
        return self.sheet(sheet)

    def stop(self, sheet: str, run: int) -> dict[str, Any]:
        """Ask a run to stop."""
        self.jobs.stop(sheet, run)
        return self.sheet(sheet)

    def found(self, sheet: str, run: int) -> tuple[RunStep, str]:
        """Return a run and the path of its results."""
        return self.sheets.steps(sheet).run(run), str(self.sheets.room(sheet))

    def dialogue(self, sheet: str, told: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the next question of a version space; `told` replaces the answers so far."""
        steps = self.sheets.steps(sheet)
        step = steps.answers or dialogues.begun(steps.table)
        if told is not None:
            answers = tuple(bool(each) for each in told.get("answers") or ())
            step = replace(step, answers=answers, unlabelled=bool(told.get("unlabelled")))
        view = apart(dialogues.dialogue_view, step, self.tables)
        if told is not None:
            self.sheets.tell(sheet, step)
        return view | {"python": python_of(step), "command": command_of(step)}

    def game(self, sheet: str, run: int, told: dict[str, Any]) -> dict[str, Any]:
        """Return the board of a game against the learned player of a run."""
        step, room = self.found(sheet, run)
        moves = [str(each) for each in told.get("moves") or ()]
        player = runs.hypothesis_of(step, room)
        view = dialogues.game_view(step, player, moves, bool(told.get("second")), int(told.get("seed") or 0))
        return view | dict(
            zip(("python", "command"), game_scripts(step, bool(told.get("second"))), strict=True)
        )
