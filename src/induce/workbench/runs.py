"""Runs: a learner on a table, on relations, in an environment or in a game, with its error, as plain data."""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.files import write_whole
from induce.core.plain import plain
from induce.workbench.steps import RelationsStep, RunStep, WorldStep
from induce.workbench.tables import opened, problem_of

MOST_POINTS = 101
"""Maximum number of points of a curve."""
MOST_DRAWN = 300
"""Maximum number of parts of a hypothesis that is drawn as one picture; larger ones are unreadable."""


def entry_of(learner: str) -> Any:
    """Return the catalogue entry of a learner."""
    from induce.core.declarations import learners
    from induce.data.names import unknown

    entries = {entry.name: entry for entry in learners()}
    if learner not in entries:
        raise unknown("learner", learner, list(entries))
    return entries[learner]


def parameters_of(step: RunStep) -> dict[str, Any]:
    """Parse the parameters of a run by the learner's declarations."""
    import induce
    from induce.data.names import unknown

    entry_of(step.learner)
    declared = getattr(induce, step.learner).declared_parameters()
    for name in step.settings:
        if name not in declared:
            raise unknown("parameter", name, list(declared))
    return {name: declared[name].read(name, str(text)) for name, text in step.settings.items()}


def model_name(step: RunStep) -> str:
    """Name a run in comparisons: its learner and settings.

    Examples
    --------
    >>> from induce.workbench.steps import TableStep
    >>> model_name(RunStep(1, TableStep("iris"), "C45", {"max_depth": "2"}))
    'C45 max_depth=2'
    """
    return " ".join([step.learner, *(f"{name}={text}" for name, text in step.settings.items())])


def world_settings(step: WorldStep) -> dict[str, Any]:
    """Parse the parameters of an environment as the command line does."""
    from induce.environments.catalogue import setting_of

    return dict(setting_of(f"{name}={text}") for name, text in step.settings.items())


def built(step: RunStep, data: Any = None) -> Any:
    """Return the learner of a run with its parameters, schema and seed."""
    import induce

    return getattr(induce, step.learner)(**built_with(step, data))


def built_with(step: RunStep, data: Any) -> dict[str, Any]:
    """Return the constructor arguments of a run's learner."""
    import induce

    taken = inspect.signature(getattr(induce, step.learner)).parameters
    told = {"schema": None if data is None else data.input_schema, "random_state": step.seed}
    told = {name: value for name, value in told.items() if value is not None and name in taken}
    return {**told, **parameters_of(step)}


def learned(step: RunStep, folder: str, room: str) -> dict[str, Any]:
    """Fit, estimate the error, save the model, and return the result that the page shows.

    Parameters
    ----------
    step : RunStep
    folder : str
        Folder of the tables.
    room : str
        Folder of the sheet, where the model and the result are written.
    """
    from induce.core.interrupts import cut_short
    from induce.core.notes import Note
    from induce.core.persistence import save
    from induce.core.progress import phase

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        task = task_of(step, folder)
        started = perf_counter()
        with cut_short() as cuts, phase("learning", 0, task.share):
            task.learn()
        seconds = perf_counter() - started
        estimate, problem = None, ""
        if not cuts:
            try:
                with phase("estimating the error", task.share, 1):
                    estimate = task.judge()
            except InputError as refusal:
                problem = str(refusal)
    model = task.model
    path = Path(room) / f"run-{step.run}.induce"
    save(model, str(path))
    notes = list(dict.fromkeys(str(each.message) for each in caught if issubclass(each.category, Note)))
    ended = getattr(model, "stopped_", None)
    result = {
        "state": "stopped" if cuts else "done",
        "size": model.hypothesis_.size() or type(model.hypothesis_).__name__,
        "seconds": seconds,
        "notes": [
            *notes,
            *([f"ended early: {ended}"] if ended and ended not in notes else []),
            *([f"the error was not estimated: {problem}"] if problem else []),
        ],
        "error": None if estimate is None else error_view(estimate),
    }
    write_whole(str(path.with_suffix(".json")), json.dumps(plain(result), allow_nan=False).encode())
    return result


@dataclass
class Task:
    """A learner with functions to fit and to evaluate it.

    Parameters
    ----------
    model : estimator
    learn, judge : callable
    share : float
        Fraction of the work that is fitting.
    """

    model: Any
    learn: Callable[[], Any]
    judge: Callable[[], Any]
    share: float


def task_of(step: RunStep, folder: str) -> Task:
    """Prepare the learner of a run on its source."""
    from induce.evaluation.estimating.estimate import evaluate

    table, entry = step.table, entry_of(step.learner)
    if isinstance(table, WorldStep):
        from induce.environments.catalogue import ENVIRONMENTS, environment

        world = environment(table.source, **world_settings(table)) if table.source in ENVIRONMENTS else None
        source = table.source if world is None else world
        model = built(step)
        return Task(model, lambda: model.learn(source), lambda: evaluate(model.hypothesis_, source), 0.9)
    fits = step.cv + 1  # one on all rows, and one per fold
    if isinstance(table, RelationsStep):
        problem = problem_of(table, step.seed)
        told = built_with(step, None)
        model = problem.learner(step.learner, **told)
        X, y = problem.X, problem.y
        cv = min(step.cv, len(y))
        seed = step.seed or 0
        return Task(
            model,
            lambda: model.fit(X, y),
            lambda: evaluate(model, X, y, cv=cv, random_state=seed),
            1 / fits,
        )
    data, y = with_target(opened(table, folder)[0], entry)
    model = built(step, data)

    def judged() -> Any:
        probable = entry.has_target and getattr(model.hypothesis_, "answer", "") == "class"
        cv, seed = min(step.cv, len(data)), step.seed or 0
        return evaluate(model, data.X, y, cv, random_state=seed, probabilities=probable)

    return Task(model, lambda: model.fit(data.X, y), judged, 1 / fits)


def with_target(data: Any, entry: Any) -> tuple[Any, Any]:
    """Return the table and the target for a learner; the target is left out if the learner takes none."""
    if entry.has_target and data.target is None and not entry.target_optional:
        raise InputError("the table has no target; choose one on the Data page")
    if not entry.has_target and data.target is not None:
        data = replace(data, target=None, aside=(*data.aside, data.target))
    return data, data.y if data.target is not None else None


def error_view(estimate: Any) -> dict[str, Any]:
    """Return an estimate with its baseline, confusion matrix, calibration and ROC curves."""
    from induce.evaluation.curves.calibration import calibration_of
    from induce.evaluation.curves.confusion import confusion

    interval = estimate.interval
    told: dict[str, Any] = {
        "text": str(estimate),
        "measure": estimate.measure,
        "value": estimate.value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "method": getattr(estimate, "method", ""),
        "preconditions": "" if interval is None else interval.preconditions,
    }
    base = getattr(estimate, "baseline", None)
    if base is not None:
        said = {"text": f"{base}; {base.verdict(estimate.interval)}", "value": base.value}
        told["baseline"] = said
    if estimate.measure == "error" and len(np.unique(np.asarray(estimate.actual).astype(str))) <= 40:
        table = confusion(estimate.actual, estimate.predicted)
        told["confusion"] = {"labels": [str(each) for each in table.labels], "counts": table.counts.tolist()}
    if getattr(estimate, "probabilities", None) is not None:
        try:
            curves = calibration_of(estimate.actual, estimate.probabilities).curves
        except (InputError, TypeError, ValueError):
            curves = {}
        told["calibration"] = {str(name): _curve(curve) for name, curve in curves.items()}
        told["roc"] = _roc(estimate)
    return dict(plain(told))


def _curve(curve: Any) -> list[dict[str, float]]:
    rows = curve.counts[curve.counts > 0]
    triples = zip(curve.predicted.tolist(), curve.observed.tolist(), rows.tolist(), strict=True)
    return [{"said": said, "was": was, "rows": count} for said, was, count in triples]


def _roc(estimate: Any) -> dict[str, Any]:
    """Return the points and the area of each class's ROC curve, or an empty dict if there is none."""
    from induce.evaluation.curves.roc import roc_of

    try:
        found = roc_of(estimate.actual, estimate.probabilities)
    except (InputError, TypeError, ValueError):
        return {}
    curves = {}
    for name, curve in found.curves.items():
        across, up = curve.false_positive_rate, curve.true_positive_rate
        places = np.unique(np.linspace(0, len(across) - 1, MOST_POINTS).astype(int))
        points = np.column_stack([across[places], up[places]]).tolist()
        curves[str(name)] = {"area": curve.area, "points": points}
    return curves


@lru_cache(8)
def _loaded(path: str, version: int) -> Any:
    from induce.core.persistence import load_hypothesis

    return load_hypothesis(path)


def hypothesis_of(step: RunStep, room: str) -> Any:
    """Load the hypothesis of a run, with the checks of model files."""
    path = Path(room) / f"run-{step.run}.induce"
    if not path.exists():
        raise InputError(f"run {step.run} has no hypothesis")
    return _loaded(str(path), path.stat().st_mtime_ns)


def hypothesis_view(step: RunStep, room: str) -> dict[str, Any]:
    """Return the view of a hypothesis, its input columns and its export formats."""
    hypothesis = hypothesis_of(step, room)
    inputs = [
        {"name": column.name, "kind": column.kind, "values": plain(column.domain)}
        for column in getattr(hypothesis, "schema", ())
        if column.role == "input"
    ]
    forms = [name for name in hypothesis.forms() if name not in ("text", "json")]
    parts = hypothesis.parts().number
    drawn = "svg" in forms and parts is not None and parts <= MOST_DRAWN
    view: dict[str, Any] = hypothesis.to_view()
    return view | {
        "inputs": inputs,
        "forms": forms,
        "explains": hypothesis.explains,
        "contrasts": hasattr(hypothesis, "contrast") and step.table.kind == "table",
        "parts": hypothesis.decides_by_parts or hypothesis.answer == "cluster",
        "picture": drawn,
    }


def explained(
    step: RunStep, room: str, row: dict[str, Any], fixed: list[str], to: str | None
) -> dict[str, Any]:
    """Explain the prediction for a row: reasons, deciding part, and the smallest change that alters it."""
    hypothesis = hypothesis_of(step, room)
    frame = row_frame(hypothesis.schema, row)
    found: dict[str, Any] = hypothesis.explained(frame)[0]
    if hypothesis.decides_by_parts:
        found["decider"] = int(hypothesis.deciders(frame)[0])
    if hasattr(hypothesis, "contrast") and step.table.kind == "table":
        named = {str(value): value for value in hypothesis.classes}
        try:
            found["contrast"] = hypothesis.contrast(frame, named.get(to or ""), fixed).to_dict()
        except InputError as refusal:  # for example texts, whose values cannot be changed
            found["contrast"] = {"text": str(refusal)}
    return dict(plain(found))


def row_frame(schema: Any, row: dict[str, Any]) -> Any:
    """Return a row as a frame; empty and absent values are missing."""
    import polars as pl

    from induce.data.reading import conformed

    cells = []
    for column in schema.inputs():
        told = row.get(column.name)
        cells.append(pl.Series(column.name, [None if told in (None, "") else str(told)], pl.String))
    return conformed(pl.DataFrame(cells), schema)
