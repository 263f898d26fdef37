"""Exports of a run: model, script, picture, report and the forms of the hypothesis."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from induce.core.errors import InputError
from induce.core.forms import FORMS
from induce.workbench.runs import hypothesis_of
from induce.workbench.scripts import command_of, python_of
from induce.workbench.sources import is_known
from induce.workbench.steps import RunStep, Steps, TableStep

KINDS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf", "html": "text/html"}
BYTES = "application/octet-stream"
TEXT = "text/plain; charset=utf-8"


def exported(step: RunStep, room: str, form: str) -> tuple[str, bytes, str]:
    """Return the file name, content and media type of an export."""
    name = f"{step.learner}-{step.run}"
    if form == "model":
        path = Path(room) / f"run-{step.run}.induce"
        if not path.exists():
            raise InputError(f"run {step.run} has no hypothesis")
        return f"{name}.induce", path.read_bytes(), BYTES
    if form == "script":
        return f"{name}.py", f"{python_of(step)}\n".encode(), TEXT
    if form == "command":
        return f"{name}.sh", f"{command_of(step)}\n".encode(), TEXT
    hypothesis: Any = hypothesis_of(step, room)
    if form == "report":
        from induce.evaluation.model_report import ModelReport

        return f"{name}.html", ModelReport(hypothesis).html().encode(), KINDS["html"]
    written = hypothesis.written(form)
    told = FORMS[form]
    content = written if isinstance(written, bytes) else written.encode()
    return f"{name}{told.suffix or '.txt'}", content, KINDS.get(form, BYTES if told.binary else TEXT)


def plan_of(steps: Steps, folder: str) -> str:
    """Return a plan that compares the runs of a sheet, or the recommended learners, on its table.

    Examples
    --------
    >>> print(plan_of(Steps((TableStep("iris"), RunStep(1, TableStep("iris"), "C45", {"max_depth": "2"}))), "."))
    title = "Runs of this sheet"
    seeds = [0]
    [splits]
    folds = 10
    [learners]
    "C45 max_depth=2" = {learner = "C45", max_depth = 2}
    [datasets]
    iris = {data = "iris"}
    """
    from induce.workbench.catalogue import catalogue_view
    from induce.workbench.runs import model_name, parameters_of

    table = steps.table
    if not isinstance(table, TableStep):
        raise InputError("an experiment needs a table; open one")
    learners = {
        model_name(each): {"learner": each.learner} | parameters_of(each)
        for each in steps.runs
        if each.table == table
    }
    if not learners:
        advised = catalogue_view(table, folder)["advised"]
        learners = {each["name"]: {"learner": each["name"]} for each in advised}
    told: dict[str, Any] = {"data": table.source, "target": table.target} | table.told()
    # the plan is read in its own folder, the table was opened in that of the workbench
    told |= {name: os.path.abspath(told[name]) for name in ("data", "schema") if _is_file(told.get(name))}
    data = {Path(table.source).stem: {name: value for name, value in told.items() if value is not None}}
    lines = ['title = "Runs of this sheet"', "seeds = [0]", "[splits]", "folds = 10"]
    for name, group in (("learners", learners), ("datasets", data)):
        lines += [f"[{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in group.items())]
    return "\n".join(lines)


def _is_file(source: str | None) -> bool:
    return source is not None and not is_known(source)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _toml(value: Any) -> str:
    """Format a value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)} = {_toml(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
