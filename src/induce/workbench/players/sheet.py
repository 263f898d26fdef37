"""Small editable tables of lessons, whose cells are restricted to the values of their column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite
from typing import Any

from induce.core.errors import InputError
from induce.data.names import unknown

MOST_ROWS = 50


@dataclass(frozen=True)
class Sheet:
    """Rows of text cells.

    Parameters
    ----------
    columns : tuple of str
    rows : tuple of tuples of str
    domains : tuple
        Values of each column, or None for a numeric column.
    fixed : tuple of str
        Columns that cannot be edited.
    target : str or None
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    domains: tuple[tuple[str, ...] | None, ...]
    fixed: tuple[str, ...] = ()
    target: str | None = None

    def changed(self, rows: Any) -> Sheet:
        """Return the sheet with other cells; refuse values that a column does not allow."""
        if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_ROWS:
            raise InputError(f"a lesson has 1 to {MOST_ROWS} rows")
        if not all(isinstance(row, list) and len(row) == len(self.columns) for row in rows):
            raise InputError(f"a row of the lesson has {len(self.columns)} cells")
        return replace(self, rows=tuple(tuple(map(self._cell, range(len(row)), row)) for row in rows))

    def _cell(self, place: int, cell: Any) -> str:
        name, domain, text = self.columns[place], self.domains[place], str(cell)
        if domain is not None:
            if text not in domain:
                raise unknown(f"value of {name}", text, list(domain))
            return text
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not isfinite(number) or abs(number) > 1e6:
            raise InputError(f"{name} is {text!r}; give a number between -1,000,000 and 1,000,000")
        return f"{number:g}"

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return {
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "domains": [None if each is None else list(each) for each in self.domains],
            "fixed": list(self.fixed),
        }

    def numbers(self, *names: str) -> list[list[float]]:
        """Return the cells of the given columns as numbers, row by row."""
        places = [self.columns.index(name) for name in names]
        return [[float(row[k]) for k in places] for row in self.rows]

    def column(self, name: str) -> list[str]:
        """Return the cells of a column."""
        return [row[self.columns.index(name)] for row in self.rows]

    def frame(self) -> tuple[Any, Any]:
        """Return inputs and target as a polars frame and a series; nominal columns keep their domains."""
        import polars as pl

        cells = []
        for k, (name, domain) in enumerate(zip(self.columns, self.domains, strict=True)):
            values = [row[k] for row in self.rows]
            cells.append(
                pl.Series(name, list(map(float, values)))
                if domain is None
                else pl.Series(name, values, pl.Enum(domain))
            )
        found = pl.DataFrame(cells)
        if self.target is None:
            return found, None
        return found.drop(self.target), found[self.target]


@lru_cache(16)
def shipped(dataset: str) -> Sheet:
    """Return a shipped table as a sheet, without identifiers and with the target last."""
    import induce

    data = induce.dataset(dataset)
    names = [*(column.name for column in data.input_schema.inputs()), str(data.target)]
    frame = data.frame.select(names)
    return Sheet(
        tuple(names),
        tuple(tuple(map(str, row)) for row in frame.rows()),
        tuple(tuple(map(str, data.schema[name].domain)) or None for name in names),
        target=str(data.target),
    )
