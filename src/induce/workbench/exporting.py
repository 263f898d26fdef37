"""What can be taken away of a run: model, script, picture, report and every form of the hypothesis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from induce.core.errors import InputError
from induce.core.forms import FORMS
from induce.workbench.runs import hypothesis_of
from induce.workbench.scripts import command_of, python_of
from induce.workbench.steps import RunStep

KINDS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf", "html": "text/html"}
BYTES = "application/octet-stream"
TEXT = "text/plain; charset=utf-8"


def exported(step: RunStep, room: str, form: str) -> tuple[str, bytes, str]:
    """Return the name of a file, its content and its media type."""
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
