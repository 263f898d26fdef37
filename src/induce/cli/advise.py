"""`induce advise`: recommended learners for a table, with their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Ignore, Json, Nominal, Numeric, SchemaFile, Target
from induce.cli.reading import reads_tables

if TYPE_CHECKING:
    from induce.core.errors import InputError
    from induce.data.dataset import Dataset

LIKELIEST = 3


@reads_tables(parts=True)
def advise(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A file, `-` for standard input, or a shipped data set.")
    ],
    target: Target = None,
    readable: Annotated[bool, typer.Option("--readable", help="The hypothesis must be readable.")] = False,
    export: Annotated[
        str | None, typer.Option(metavar="FORM", help="Required export format: sql, python …")
    ] = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    schema: SchemaFile = None,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Name three learners to start with on a table, each with the reason, and the command that compares them."""
    from induce.cli import output
    from induce.cli.sources import opened_data
    from induce.core.commands import command, reading_options
    from induce.evaluation.comparing.advice import advise as advised

    table = opened_data(
        data,
        target,
        nominal=nominal or (),
        numeric=numeric or (),
        ignore=ignore or (),
        schema=schema,
        **reading,
    )
    if table.target is None:
        raise unnamed_target(table)
    found = advised(table.X, table.y, readable=readable, export=export, schema=table.input_schema)
    if as_json:
        output.put_json(
            {
                "target": table.target,
                "task": found.task,
                "facts": list(found.facts),
                "learners": [{"learner": name, "reason": reason} for name, reason in found.cells()],
            }
        )
        return
    output.put_lines(f"{table.name or 'table'}: {', '.join(found.facts)}; predict {table.target}", "")
    output.put_table(("learner", "because"), found.cells())
    declared = {"target": target, "nominal": nominal, "numeric": numeric, "ignore": ignore, "schema": schema}
    words = command(
        "compare", data, **declared, **reading_options(reading), learners=",".join(found.learners)
    )
    output.put_lines("", f"compare them: {words}")


def begun_with(table: Dataset) -> str:
    """Return the learner to start with on a table, and say why; without a target, name the likeliest columns."""
    from induce.core.commands import option
    from induce.core.notes import note
    from induce.evaluation.comparing.advice import BEGIN_WITH
    from induce.evaluation.comparing.applicable import holds_numbers

    if table.target is None:
        raise unnamed_target(table)
    column = table.schema[table.target]
    if column.kind == "numeric" and not column.temporal and holds_numbers(table.y):
        name = BEGIN_WITH["numbers"]
        note(
            f"the target {table.target!r} holds numbers, so {name} learns to predict a number; "
            f"{option('nominal', table.target)} makes each number a class"
        )
        return name
    kinds = {each.kind for each in table.input_schema.inputs()}
    return BEGIN_WITH["texts" if kinds == {"text"} else "classes"]


def unnamed_target(table: Dataset) -> InputError:
    """Return the error for a table without a target."""
    from induce.core.errors import InputError
    from induce.data.names import listed
    from induce.evaluation.comparing.targets import likely_targets

    likely = [repr(name) for name in likely_targets(table.frame, table.schema)[:LIKELIEST]]
    hint = (
        f"the likeliest are {' and '.join([', '.join(likely[:-1]), likely[-1]] if likely[1:] else likely)}; "
    )
    return InputError(
        f"name the column to predict with --target; {hint if likely else ''}the columns are "
        f"{listed(table.frame.columns)}"
    )
