"""`induce explain`: explanations of a model's predictions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Json, Model
from induce.cli.reading import dialect_of, reads_tables

if TYPE_CHECKING:
    import polars as pl

    from induce.data.dialect import Dialect
    from induce.data.schema import Schema

ROWS_SHOWN = 10
ANY = "*"
"""Marker for any class other than the predicted one."""


@reads_tables()
def explain(
    model: Model,
    row: Annotated[
        str,
        typer.Argument(
            metavar="ROW|FILE",
            help="name=value,name=value… or a JSON object; a file, `-` for standard input; a state of a policy.",
        ),
    ],
    number: Annotated[
        int | None,
        typer.Option(
            "--row", metavar="N", min=1, help=f"Row of the file; by default the first {ROWS_SHOWN}."
        ),
    ] = None,
    contrast: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS",
            help="Show the smallest change to each row that gives this class; `*` for any class but "
            "the predicted one.",
        ),
    ] = None,
    fixed: Annotated[
        list[str] | None, typer.Option(metavar="COL", help="Column that must not change, with --contrast.")
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the evidence for and against, for images (svg, png or pdf)."),
    ] = None,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Explain predictions: the path or the rule that decides, with its counts, and the rule that almost did."""
    from induce.cli.images import pictured
    from induce.cli.model_commands import refuse_unless
    from induce.cli.output import put_json, put_lines
    from induce.core.errors import InputError
    from induce.core.persistence import load_hypothesis
    from induce.core.plain import plain
    from induce.core.row_numbers import rows_counted_from

    hypothesis: Any = load_hypothesis(model)
    if fixed and contrast is None:
        raise InputError("--fixed names columns that --contrast must not change; give both or neither")
    refuse_unless(hypothesis, "rows", "states")
    if not hypothesis.explains:
        raise InputError(
            "this model is a density without predictions to explain; `induce predict` adds the log density of each "
            "row"
        )
    if hypothesis.speaks_of == "states":
        _of_states(hypothesis, row, as_json)
        return
    images = pictured(hypothesis, row)
    if images is None:
        first, frame = _rows(row, number, hypothesis, dialect_of(reading))
    else:
        first, frame = number or 1, _some(images[0], number)
    if contrast is not None:
        _contrasts(hypothesis, frame, first, contrast, fixed or [], as_json)
        return
    if draw is not None:
        _draw(hypothesis, frame, draw)
    explanations = hypothesis.explain_fully(frame)
    with rows_counted_from(1):  # numbered as --row counts them
        if as_json:
            put_json(
                [
                    {"row": number, "text": str(explanation), **plain(explanation)}
                    for number, explanation in enumerate(explanations, start=first)
                ]
            )
        elif len(explanations) == 1:
            put_lines(str(explanations[0]))
        else:
            put_lines(*(f"row {number}: {each}" for number, each in enumerate(explanations, start=first)))


def _contrasts(
    hypothesis: Any, frame: pl.DataFrame, first: int, to: str, fixed: list[str], as_json: bool
) -> None:
    """Print, for each row, changes that would give it another class."""
    from induce.cli.output import put_json, put_lines
    from induce.core.errors import InputError
    from induce.core.values import class_named

    if hypothesis.answer != "class":
        raise InputError("--contrast is about classes; this model predicts none")
    wanted = None if to == ANY else class_named(to, hypothesis.classes, "--contrast")
    found = [hypothesis.contrast(frame[k], to=wanted, fixed=fixed) for k in range(frame.height)]
    if as_json:
        put_json([{"row": number, **each.to_dict()} for number, each in enumerate(found, start=first)])
    elif len(found) == 1:
        put_lines(str(found[0]))
    else:
        put_lines(*(f"row {number}: {each}" for number, each in enumerate(found, start=first)))


def _some(rows: pl.DataFrame, number: int | None) -> pl.DataFrame:
    """Return one of the images, or the first few."""
    from induce.core.errors import InputError

    if number is not None and number > rows.height:
        raise InputError(f"there is no row {number:,}; the last is {rows.height:,}")
    return rows.slice((number or 1) - 1, 1 if number else ROWS_SHOWN)


def _draw(hypothesis: Any, frame: pl.DataFrame, path: str) -> None:
    """Draw the evidence for and against the class of the first image."""
    from induce.cli.images import grid_of
    from induce.cli.output import check_writable
    from induce.cli.pictures import check_extension
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.core.images import image
    from induce.evaluation.image_evidence import image_evidence

    if grid_of(hypothesis) is None:
        raise InputError("--draw is for images, but this model was trained on a table; leave it out")
    check_writable(path)
    kind = check_extension(path, ("svg", "png", "pdf"))
    found = image_evidence(hypothesis, frame[:1])
    write_whole(path, image(found.draw(), kind, "ImageEvidence", str(found)))


def _of_states(policy: Any, row: str, as_json: bool) -> None:
    """Print the actions of a policy in the states that `row` names: by name, or by features."""
    from induce.cli.output import put_json, put_lines
    from induce.core.plain import plain

    reasons = [policy.explain(state) for state in _states(policy, row)]
    if as_json:
        put_json([{"text": str(each), **plain(each)} for each in reasons])
    else:
        put_lines(*map(str, reasons))


def _states(policy: Any, row: str) -> list[Any]:
    """Return the states that `row` names; if no state has that name, those with the given features."""
    known = policy.states_named(row)
    if known or not (row.lstrip().startswith("{") or "=" in row):
        return list(known) or [row]
    cells = _json_cells(row) if row.lstrip().startswith("{") else _cells(row)
    return list(policy.states_with(cells)[:ROWS_SHOWN])


def _rows(row: str, number: int | None, hypothesis: Any, dialect: Dialect) -> tuple[int, pl.DataFrame]:
    """Return the rows to explain and the number of the first."""
    from induce.core.errors import InputError
    from induce.data.reading import conformed

    schema: Schema = hypothesis.schema
    if row != "-" and not os.path.exists(row) and (row.lstrip().startswith("{") or "=" in row):
        if number is not None:
            raise InputError("--row selects a row of a file, but the row itself is given; leave one out")
        return 1, conformed(_typed_in(row, hypothesis), schema, dialect=dialect)
    first = number or 1
    found = _of_file(row, first, 1 if number else ROWS_SHOWN, schema, dialect)
    return first, conformed(found, schema, first_row=first, dialect=dialect)


def _of_file(source: str, first: int, rows: int, schema: Schema, dialect: Dialect) -> pl.DataFrame:
    from induce.core.errors import InputError
    from induce.data.reading import inputs_of, pieces

    before = 0
    for piece in pieces(source, dialect=dialect):
        if before + piece.height >= first:
            return inputs_of(piece, schema).slice(first - 1 - before, rows)
        before += piece.height
    raise InputError(f"there is no row {first:,}; the last is {before:,}")


def _typed_in(row: str, hypothesis: Any) -> pl.DataFrame:
    """Return the row given on the command line; omitted values are missing."""
    import polars as pl

    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.data.names import listed, unknown

    schema: Schema = hypothesis.schema
    cells = _json_cells(row) if row.lstrip().startswith("{") else _cells(row)
    known = [*schema.names(), *hypothesis.targets()]
    for name, value in cells.items():
        if name not in known:
            raise unknown("column", name, known)
        if not isinstance(value, str | int | float | None):
            raise InputError(f"{name!r} is {value!r} in the row; give a string, a number or nothing")
    inputs = schema.inputs().names()
    unsaid = [name for name in inputs if name not in cells]
    if unsaid:
        counts = "counts" if len(unsaid) == 1 else "count"
        note(f"the row does not give {listed(unsaid)}, which {counts} as missing")
    return pl.DataFrame([pl.Series(name, [cells.get(name)]) for name in inputs])


def _cells(row: str) -> dict[str, Any]:
    import csv

    from induce.core.errors import InputError

    cells: dict[str, Any] = {}
    for cell in next(csv.reader([row], skipinitialspace=True)):
        name, equals, value = cell.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(f"{cell!r} in the row has no name; write name=value")
        if name in cells:
            raise InputError(f"the row has {name!r} twice")
        cells[name] = value.strip()
    return cells


def _json_cells(row: str) -> dict[str, Any]:
    from induce.core.documents import DocumentError, json_of
    from induce.core.errors import InputError

    try:
        cells = json_of(row)
    except DocumentError as error:
        raise InputError(f"the row is not a JSON object: {error}") from None
    return dict(cells)
