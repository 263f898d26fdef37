"""DATA arguments: a file, standard input, or a shipped table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.data.table_sources import is_shipped as is_shipped
from induce.data.table_sources import opened_data as opened_data

if TYPE_CHECKING:
    from induce.data.dataset import Dataset


def without_target(table: Dataset, target: str | None, learner: str) -> Dataset:
    """Return a table for a learner without a target: a declared target is set aside.

    Parameters
    ----------
    table : Dataset
    target : str or None
        Target given by the user.
    learner : str
        Name of the learner.
    """
    from dataclasses import replace

    from induce.core.errors import InputError
    from induce.core.notes import note

    if target is not None:
        raise InputError(f"{learner} learns without a target; leave out --target")
    if table.target is not None:
        note(f"{learner} learns without a target, so {table.target!r} is left out")
        table = replace(table, target=None, aside=(*table.aside, table.target))
    if not table.X.width:
        raise InputError("there is no input column; give a table with at least one")
    if len(table) == 1:
        raise InputError("there is only one row; learning needs at least two")
    return table
