"""Steps read as Python and as commands: both do what the page did."""

from __future__ import annotations

import shlex
from typing import Any

from induce.workbench.runs import parameters_of
from induce.workbench.steps import RunStep, TableStep


def python_of(step: TableStep | RunStep) -> str:
    """Return a script that does what a step did.

    Examples
    --------
    >>> print(python_of(RunStep(1, TableStep("play-tennis"), "C45", {"max_depth": "2"})))
    import induce
    <BLANKLINE>
    data = induce.dataset("play-tennis")
    model = induce.C45(schema=data.input_schema, max_depth=2)
    model.fit(data.X, data.y)
    print(model.hypothesis_)
    print(induce.evaluate(model, data.X, data.y, cv=10))
    induce.save(model, "C45.induce")
    """
    table = step.table if isinstance(step, RunStep) else step
    imports, opened = _opened(table)
    lines = [*imports, "", *opened]
    if not isinstance(step, RunStep):
        return "\n".join([*lines, "print(induce.describe(data))"])
    import inspect

    import induce
    from induce.workbench.runs import entry_of

    taken = inspect.signature(getattr(induce, step.learner)).parameters
    told = ["schema=data.input_schema"] if "schema" in taken else []
    told += [f"random_state={step.seed}"] if step.seed is not None and "random_state" in taken else []
    told += [f"{name}={value!r}" for name, value in parameters_of(step).items()]
    target = "data.y" if entry_of(step.learner).has_target else "None"
    seed = f", random_state={step.seed}" if step.seed is not None else ""
    return "\n".join(
        [
            *lines,
            f"model = induce.{step.learner}({', '.join(told)})",
            f"model.fit(data.X, {target})",
            "print(model.hypothesis_)",
            f"print(induce.evaluate(model, data.X, {target}, cv={step.cv}{seed}))",
            f'induce.save(model, "{step.learner}.induce")',
        ]
    )


def command_of(step: TableStep | RunStep) -> str:
    """Return a command that does what a step did.

    Examples
    --------
    >>> command_of(RunStep(1, TableStep("my data.csv", "play"), "C45", {"max_depth": "2"}))
    "induce learn 'my data.csv' --target play --learner C45 max_depth=2 --out C45.induce"
    """
    table = step.table if isinstance(step, RunStep) else step
    run = isinstance(step, RunStep)
    parts = ["induce", "learn" if run else "data", table.source]
    if table.target is not None:
        parts += ["--target", table.target]
    for name, names in table.told().items():
        for each in names:
            # a value may look like an option
            parts += [f"--{name}={each}"]
    if isinstance(step, RunStep):
        parts += ["--learner", step.learner, *(f"{name}={text}" for name, text in step.settings.items())]
        parts += ["--cv", str(step.cv)] if step.cv != 10 else []
        parts += ["--seed", str(step.seed)] if step.seed is not None else []
        parts += ["--out", f"{step.learner}.induce"]
    return shlex.join(parts)


def _opened(table: TableStep) -> tuple[list[str], list[str]]:
    """Return the imports and the lines that open a table."""
    from induce.data.opening import is_shipped

    told: dict[str, Any] = ({"target": table.target} if table.target is not None else {}) | table.told()
    said = "".join(f", {name}={value!r}" for name, value in told.items())
    if not is_shipped(table.source):
        return ["import induce"], [f"data = induce.read({_quoted(table.source)}{said})"]
    if not told:
        return ["import induce"], [f"data = induce.dataset({_quoted(table.source)})"]
    return (
        ["import induce", "from induce.data.opening import opened_data"],
        [f"data = opened_data({_quoted(table.source)}, {_said_first(table, said)})"],
    )


def _said_first(table: TableStep, said: str) -> str:
    return said.removeprefix(", ") if table.target is not None else f"target=None{said}"


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
