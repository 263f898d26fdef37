"""`induce diff`: changes from one model to another, and their significance."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Json
from induce.cli.reading import dialect_of, reads_tables

if TYPE_CHECKING:
    from induce.core.persistence import ModelFile


@reads_tables()
def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A model file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another model file, of the same target.")],
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="[DATA]", help="Rows to be predicted by both; with the target, errors are compared."
        ),
    ] = None,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """List the changes between two models: removed and added rules, tests or weights, and rows predicted differently.

    If the rows have the target, a paired test compares the errors.
    """
    from induce.cli.labelled_rows import rows_of
    from induce.cli.output import put_json, put_lines
    from induce.core.persistence import load_model
    from induce.evaluation.differences import difference

    models = [load_model(path, conformal=False) for path in (first, second)]
    names = _names(first, second)
    X = y = None
    if data is not None:
        X, y = rows_of([model.hypothesis for model in models], data, dialect_of(reading))
    found = difference(models[0].hypothesis, models[1].hypothesis, X, y, names)
    origins = [_origin(model) for model in models]
    if as_json:
        put_json({**found.as_dict(), "origins": origins})
        return
    told = [f"{name}: {origin}" for name, origin in zip(names, origins, strict=True) if origin]
    put_lines(*told, *([""] if told else []), str(found))


def _names(first: str, second: str) -> tuple[str, str]:
    """Return display names for two files: their base names, unless these are equal."""
    one, other = os.path.basename(first), os.path.basename(second)
    return (one, other) if one != other else (first, second)


def _origin(model: ModelFile) -> str:
    """Return the training data of a model, and its estimate, on one line."""
    known = model.provenance
    if not known:
        return ""
    rows = (known.get("summary") or {}).get("rows", 0)
    said = (
        f"{known.get('learner')} from {rows:,} rows of {known.get('data')}, {str(known.get('date', ''))[:10]}"
    )
    estimate = known.get("estimate")
    return f"{said}, {estimate['measure']} {estimate['value']:.3f}" if estimate else said
