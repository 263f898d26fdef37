"""Splitting of rows in commands, by groups or by time, after remarks on suspicious columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.data.dataset import Dataset


def say_suspicions(table: Dataset) -> list[str]:
    """Write the remarks of `induce data` on the input columns, and return them."""
    from induce.core.notes import note
    from induce.data import suspicions

    found = suspicions.while_learning(table)
    for sentence in found:
        note(sentence)
    return found


def divided(table: Dataset, groups: str | None, time: str | None) -> tuple[Dataset, dict[str, Any]]:
    """Return the table without the column of groups, and the arguments of `evaluate` for splitting its rows.

    Parameters
    ----------
    table : Dataset
    groups, time : str or None
        Columns named by the user.
    """
    from induce.core.errors import InputError
    from induce.data.names import unknown

    if groups is not None and time is not None:
        raise InputError("--groups and --time split the rows in different ways; give one of them")
    how: dict[str, Any] = {}
    for option, name in (("groups", groups), ("time", time)):
        if name is None:
            continue
        if name not in table.frame.columns:
            raise unknown("column", name, table.frame.columns)
        if name == table.target:
            raise InputError(f"--{option} names the target {name!r}; give another column")
        cells = table.frame.get_column(name)
        if cells.null_count():
            raise InputError(
                f"column {name!r} is missing in {cells.null_count():,} rows; --{option} needs it in all"
            )
        how[option] = _places(cells, table.schema[name].ordered) if option == "time" else cells.to_numpy()
    if groups is not None and groups not in table.aside:
        table = replace(table, aside=(*table.aside, groups))
    return table, how


def _places(cells: Any, ordered: bool) -> Any:
    """Return cells as numbers or text in their order: values without an order are sorted alphabetically."""
    import polars as pl

    if cells.dtype == pl.Enum and not ordered:
        return cells.cast(pl.String).to_numpy()
    return cells.to_numpy() if cells.dtype == pl.String else cells.to_physical().to_numpy()
