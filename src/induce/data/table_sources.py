"""Tables by name: a file, standard input, or a shipped table."""

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
    labels: str | None = None,
    **reading: Any,
) -> Dataset:
    """Read the table named by `data`; a file is preferred to a shipped table of the same name.

    `reading` declares the format of the file (see `induce.data.reading.read`), `labels` the location of image labels.
    """
    from induce.data.catalogue import dataset
    from induce.data.images.reading import is_images, read_images
    from induce.data.reading import read
    from induce.data.schema_overrides import schema_file

    if labels is not None or is_images(data):
        return read_images(data, labels, target=target)
    if not is_shipped(data):
        return read(data, target, nominal=nominal, numeric=numeric, ignore=ignore, schema=schema, **reading)
    shipped = dataset(data)
    said = {name: reading[name] for name in ("missing", "date_parts") if name in reading}
    if not (target or nominal or numeric or ignore or schema or said.get("date_parts")):
        return shipped
    columns: dict[str, Any] = {column.name: column for column in shipped.schema}
    return read(
        shipped.frame,
        target or shipped.target,
        nominal=nominal,
        numeric=numeric,
        ignore=ignore,
        schema=columns | (schema_file(schema) if schema else {}),
        name=shipped.name,
        **said,
    )


def is_shipped(data: str) -> bool:
    """Return whether a DATA argument names a shipped table.

    Reject an argument that names neither a table nor a file.
    """
    from induce.core.errors import InputError
    from induce.data.catalogue import datasets
    from induce.data.names import unknown

    names = [entry.name for entry in datasets()]
    if data == "-" or os.path.exists(data) or any(mark in data for mark in "*?["):
        return False
    if data in names:
        return True
    if os.path.splitext(data)[1] or os.path.dirname(data):
        return False  # the argument looks like a file: reading it reports the problem
    raise InputError(f"there is no file {data!r}, and {unknown('dataset', data, names)}")
