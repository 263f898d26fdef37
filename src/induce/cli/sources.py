"""What a DATA argument names: a file, standard input, or a table that is shipped."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.data.dataset import Dataset


def opened_data(
    data: str,
    target: str | None,
    *,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ignore: Sequence[str] = (),
    schema: str | None = None,
    missing: Sequence[str],
) -> Dataset:
    """Read the table that `data` names; a file is preferred to a shipped table of the same name."""
    from induce.data.catalogue import dataset
    from induce.data.reading import read
    from induce.data.telling import schema_file

    if not _is_shipped(data):
        return read(
            data, target, nominal=nominal, numeric=numeric, ignore=ignore, schema=schema, missing=missing
        )
    shipped = dataset(data)
    if not (target or nominal or numeric or ignore or schema):
        return shipped
    columns: dict[str, Any] = {column.name: column for column in shipped.schema}
    return read(
        shipped.frame,
        target or shipped.target,
        nominal=nominal,
        numeric=numeric,
        ignore=ignore,
        schema=columns | (schema_file(schema) if schema else {}),
        missing=missing,
        name=shipped.name,
    )


def _is_shipped(data: str) -> bool:
    from induce.core.errors import InputError
    from induce.data.catalogue import datasets
    from induce.data.names import unknown

    names = [entry.name for entry in datasets()]
    if data == "-" or os.path.exists(data):
        return False
    if data in names:
        return True
    if os.path.splitext(data)[1] or os.path.dirname(data):
        return False  # it was meant for a file: reading it says what is wrong
    raise InputError(f"there is no file {data!r}, and {unknown('dataset', data, names)}")
