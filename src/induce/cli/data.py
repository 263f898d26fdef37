"""`induce data`: shipped tables, and the contents of a table."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from induce.cli.options import Ignore, Json, Nominal, Numeric, SchemaFile, Target
from induce.cli.reading import reads_tables


@reads_tables(parts=True)
def data(
    source: Annotated[
        str | None,
        typer.Argument(metavar="[NAME|FILE]", help="A shipped data set, a file, or `-` for standard input."),
    ] = None,
    target: Target = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    schema: SchemaFile = None,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """List the shipped data sets, or describe a table: types, missing values, classes, suspicious columns."""
    from induce.cli.chunked_learning import is_file, is_large
    from induce.cli.output import put_json, put_lines, put_table
    from induce.cli.progress import bar
    from induce.cli.reading import dialect_of
    from induce.cli.sources import opened_data
    from induce.core.engines import using
    from induce.core.notes import note
    from induce.core.progress import phase
    from induce.data.catalogue import datasets
    from induce.data.describe import describe
    from induce.data.scan_description import describe_scan
    from induce.data.scanning import scan

    if source is None:
        entries = datasets()
        if as_json:
            put_json([entry._asdict() for entry in entries])
        else:
            put_table(("name", "description"), entries)
        return
    columns: dict[str, Any] = {"nominal": nominal or (), "numeric": numeric or (), "ignore": ignore or ()}
    if is_file(source) and is_large(source):
        note(f"{source!r} is large, so it is described in one pass over its partitions")
        dialect = dialect_of(reading)
        with using("serial"), bar("describing", lines=True):
            with phase("scanning", 0, 0.5):
                scanned = scan(
                    source, target, schema=schema, **columns, missing=dialect.missing, dialect=dialect
                )
            with phase("describing", 0.5, 1):
                found = describe_scan(scanned)
        put_json(found.to_dict()) if as_json else put_lines(str(found))
        return
    table = opened_data(source, target, schema=schema, **columns, **reading)
    description = describe(table)
    if as_json:
        put_json(description.to_dict() | {"about": table.description})
    else:
        put_lines(*([table.description] if table.description else []), str(description))
