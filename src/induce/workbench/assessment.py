"""Comparisons, learning curves, tests on locked rows and experiments, as plain data."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.files import write_whole
from induce.core.plain import plain
from induce.statistics.verdict import p_text
from induce.workbench.runs import built, entry_of, error_view, learned, model_name, task_of, with_target
from induce.workbench.scripts import LOOKS
from induce.workbench.steps import (
    CompareStep,
    CurveStep,
    ExperimentStep,
    JobStep,
    OpenStep,
    RunStep,
    TableStep,
)
from induce.workbench.tables import opened, problem_of

if TYPE_CHECKING:
    from induce.evaluation.comparing.leaderboard_report import Line


def done(step: JobStep, folder: str, room: str) -> str:
    """Execute a step, save the result that the page shows, and return its final state."""
    if isinstance(step, RunStep):
        return str(learned(step, folder, room)["state"])
    from induce.core.notes import Note

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if isinstance(step, CompareStep):
            found = compared(step, folder)
        elif isinstance(step, CurveStep):
            found = curve(step, folder)
        elif isinstance(step, OpenStep):
            found = tested(step, folder, room)
        else:
            found = experimented(step)
    notes = dict.fromkeys(str(each.message) for each in caught if issubclass(each.category, Note))
    found = {"state": "done", "notes": list(notes)} | found
    path = Path(room) / f"run-{step.run}.json"
    write_whole(str(path), json.dumps(plain(found), allow_nan=False).encode())
    return "done"


def compared(step: CompareStep, folder: str) -> dict[str, Any]:
    """Compare the learners of runs on the same splits: errors, and differences from the best in words."""
    from induce.evaluation.comparing.leaderboard import leaderboard

    first = step.of[0]
    if first.table.kind == "relations":
        problem = problem_of(first.table, first.seed)
        X, y = problem.X, problem.y
        models = {model_name(each): task_of(each, folder).model for each in step.of}
    else:
        assert isinstance(first.table, TableStep)
        data, y = with_target(opened(first.table, folder)[0], entry_of(first.learner))
        X = data.X
        models = {model_name(each): built(each, data) for each in step.of}
    cv = min(first.cv, len(X))
    found = leaderboard(models, X, y, cv, time_limit=None, random_state=first.seed or 0)
    best, *others = found.lines
    return {
        "text": str(found),
        "measure": found.measure,
        "best": best.name,
        "title": found.title,
        "table": [found.header, *(line.cells() for line in found.lines)],
        "remarks": found.notes(),
        "values": {line.name: line.value for line in found.lines},
        "pairs": [_against(best.name, line) for line in others],
    }


def _against(best: str, line: Line) -> str:
    """Describe the difference between a learner and the best one."""
    if line.worse:
        return f"{line.name} is worse than {best}: {p_text(line.p_value)}"
    return f"{best} and {line.name}: no evidence of a difference: {p_text(line.p_value)}"


def curve(step: CurveStep, folder: str) -> dict[str, Any]:
    """Return the training and validation errors by training set size."""
    from induce.evaluation.curves.learning import learning_curve

    table = step.of.table
    assert isinstance(table, TableStep)
    data, _ = opened(table, folder)
    model = built(step.of, data)
    found = learning_curve(model, data.X, data.y, cv=step.of.cv, random_state=step.of.seed or 0)
    (errors,) = found.learners.values()
    return {
        "text": str(found),
        "label": found.label,
        "sizes": found.sizes,
        "lines": {"in training": errors.train_error, "on other rows": errors.validation_error},
    }


def tested(step: OpenStep, folder: str, room: str) -> dict[str, Any]:
    """Test the hypothesis of a run on the locked rows, and log the access."""
    from induce.core.persistence import load_hypothesis

    locked = locked_rows(step.of.table, folder, room)
    path = Path(room) / f"run-{step.of.run}.induce"
    if not path.exists():
        raise InputError(f"run {step.of.run} has no hypothesis")
    found = locked.evaluate(load_hypothesis(str(path)), by=f"run {step.of.run}")
    return {"error": error_view(found), "looks": len(locked.looks)}


def locked_rows(table: Any, folder: str, room: str) -> Any:
    """Return the locked rows of a table."""
    from dataclasses import replace

    from induce.evaluation.choosing.locked import LockedTest

    if not isinstance(table, TableStep) or table.test is None:
        raise InputError("no rows are locked; lock some on the Data page first")
    data, _ = opened(replace(table, source=table.test, test=None), folder)
    return LockedTest(data.X, data.y, log=Path(room) / LOOKS)


def check_locked(table: Any, folder: str, room: str) -> None:
    """Raise an `InputError` if a table has no locked rows, or they cannot be read."""
    locked_rows(table, folder, room)


def files_of_plan(path: str) -> list[dict[str, Any]]:
    """Return the source and the schema of each table of a plan, with the paths that the experiment opens."""
    from induce.evaluation.experiments.plan import read_plan
    from induce.evaluation.experiments.tables import resolved

    plan = read_plan(path)
    definitions = [resolved(definition, plan.folder) for definition in plan.datasets.values()]
    return [{"source": each["data"], "schema": each.get("schema")} for each in definitions]


def experimented(step: ExperimentStep) -> dict[str, Any]:
    """Run an experiment; write its results and its report beside its plan."""
    from induce.evaluation.experiments import experiment

    found = experiment(step.plan, retry=True)
    report = Path(step.plan).with_suffix(".html")
    found.report(report)
    return {
        "text": str(found),
        "says": found.overall.says,
        "done": len(found.cells) - len(found.failed),
        "failed": len(found.failed),
        "report": str(report),
    }
