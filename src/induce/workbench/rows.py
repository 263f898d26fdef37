"""Predictions for rows: all rows, those of a node, rule or cluster, or those of a second file."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.plain import plain
from induce.workbench.runs import hypothesis_of
from induce.workbench.steps import RunStep, TableStep
from induce.workbench.tables import cells_of, opened, problem_of

MOST_SHOWN = 200
"""Maximum number of rows shown."""
MOST_CODES = 40
"""Number of rows whose hidden codes are shown."""


def rows_view(
    step: RunStep, folder: str, room: str, part: int | None = None, second: str | None = None
) -> dict[str, Any]:
    """Return the rows that a part of the hypothesis decides, or all rows; errors come first.

    Parameters
    ----------
    step : RunStep
    folder, room : str
        Folders of the tables and of the sheet.
    part : int, optional
        Number of the node, rule or cluster.
    second : str, optional
        Another file whose rows are predicted instead of those of the table.
    """
    import polars as pl

    hypothesis = hypothesis_of(step, room)
    frame, X, actual = _asked(step, folder, hypothesis, second)
    chosen = np.arange(len(frame)) if part is None else _of_part(hypothesis, X, part)
    said = plain(hypothesis.answers(X[chosen])) if len(chosen) else []
    known = None if actual is None else [actual[k] for k in chosen.tolist()]
    off = _deviations(hypothesis, said, known)
    order = np.argsort(-off, kind="stable")[:MOST_SHOWN]
    classes = known is not None and hypothesis.answer == "class"
    shown = frame[chosen[order]].with_columns(
        pl.Series("predicted", [_text(said[k]) for k in order], pl.String)
    )
    return {
        "total": len(chosen),
        "wrong": int(off.sum()) if classes else None,
        "numbers": (chosen[order] + 1).tolist(),
        "marked": [bool(classes and off[k]) for k in order],
        **cells_of(shown),
    }


def _asked(step: RunStep, folder: str, hypothesis: Any, second: str | None) -> tuple[Any, Any, Any]:
    """Return the rows to show, the inputs of the hypothesis, and the actual targets if known."""
    import polars as pl

    from induce.data.reading import conformed, needed_columns

    if not isinstance(step.table, TableStep):
        if step.table.kind != "relations" or second is not None:
            raise InputError(
                "rows can be shown for tables and relations only; the sheet has an environment or a game"
            )
        problem = problem_of(step.table, step.seed)
        rows = problem.X.rows() if hasattr(problem.X, "rows") else problem.X.tolist()
        names = [f"argument {k + 1}" for k in range(len(rows[0]))]
        frame = pl.DataFrame([tuple(map(str, row)) for row in rows], schema=names, orient="row")
        labels = problem.y.tolist()
        return frame.with_columns(pl.Series("class", list(map(str, labels)))), problem.X, labels
    if second is None:
        data, _ = opened(step.table, folder)
        return data.frame, data.X, None if data.target is None else data.frame[data.target].to_list()
    frame = opened(TableStep(second, missing=step.table.missing), folder)[0].frame
    X = conformed(frame.select(needed_columns(hypothesis.schema, frame.columns)), hypothesis.schema)
    target = next(iter(hypothesis.targets()), None)
    return frame, X, frame[target].to_list() if target in frame.columns else None


def _of_part(hypothesis: Any, X: Any, part: int) -> Any:
    """Return the rows decided by a rule, a cluster, or a node with its descendants."""
    if hypothesis.answer == "cluster":
        return np.flatnonzero([str(each) == str(hypothesis.classes[part]) for each in hypothesis.answers(X)])
    inside = {part}
    parents = getattr(hypothesis, "parent", None)
    if parents is not None:
        for node, parent in enumerate(parents.tolist()):  # parents come before their children
            if parent in inside:
                inside.add(node)
        if part == 0:
            return np.arange(len(X))
    return np.flatnonzero(np.isin(np.asarray(hypothesis.deciders(X)), list(inside)))


def _deviations(hypothesis: Any, said: list[Any], actual: list[Any] | None) -> Any:
    """Return the deviation of each prediction: 1 for a wrong class, a distance for numbers, 0 if unknown."""
    several = bool(said) and isinstance(said[0], list)
    if actual is None or several or hypothesis.answer not in ("class", "number"):
        return np.zeros(len(said))
    if hypothesis.answer == "class":
        return np.array([float(_text(a) != _text(b)) for a, b in zip(said, actual, strict=True)])
    pairs = zip(said, actual, strict=True)
    return np.array([0.0 if b is None else abs(float(a) - float(b)) for a, b in pairs])


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def codes_view(step: RunStep, folder: str, room: str) -> list[dict[str, Any]] | None:
    """Return the hidden codes of the first rows, or None if there are no hidden units."""
    network, X = hypothesis_of(step, room), opened(step.table, folder)[0].X[:MOST_CODES]
    try:
        codes = np.asarray(network.codes(X))
    except InputError:
        return None
    return [
        {"name": f"row {k + 1}", "code": code, "says": _text(answer)}
        for k, (code, answer) in enumerate(zip(codes.tolist(), plain(network.answers(X)), strict=True))
    ]
