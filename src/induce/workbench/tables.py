"""Tables of the workbench: read once, kept as one Arrow file that server and worker share."""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.files import write_whole
from induce.workbench.steps import TableStep

if TYPE_CHECKING:
    from induce.data.dataset import Dataset

KEPT = 4
MOST_ROWS = 1000
"""Rows that are sent to the page in one block."""


def opened(step: TableStep, folder: str) -> tuple[Dataset, tuple[str, ...]]:
    """Return the table of a step, and what was noted when it was read.

    Parameters
    ----------
    step : TableStep
    folder : str
        Where the table is kept.
    """
    return _opened(step, folder, _version(step.source))


def _version(source: str) -> str:
    """Return what changes when a file does."""
    path = Path(source)
    if not path.exists():
        return ""
    told = path.stat()
    return f"{told.st_mtime_ns} {told.st_size}"


@lru_cache(KEPT)
def _opened(step: TableStep, folder: str, version: str) -> tuple[Dataset, tuple[str, ...]]:
    import polars as pl

    from induce.data.dataset import Dataset
    from induce.data.schema import Column, Schema

    key = hashlib.sha256(f"{json.dumps(asdict(step))} {version}".encode()).hexdigest()[:16]
    cells, head = Path(folder) / f"table-{key}.arrow", Path(folder) / f"table-{key}.json"
    if not (cells.exists() and head.exists()):
        data, notes = _read(step)
        Path(folder).mkdir(parents=True, exist_ok=True)
        try:
            data.frame.write_ipc(cells, compression="uncompressed")
        except Exception as problem:  # of polars, which has many; such a table is read again instead
            warnings.warn(f"the table is not kept: {problem}", stacklevel=2)
            return data, notes
        told = {
            "target": data.target,
            "name": data.name,
            "aside": data.aside,
            "notes": notes,
            "columns": [asdict(column) for column in data.schema],
        }
        write_whole(str(head), json.dumps(told).encode())
        return data, notes
    told = json.loads(head.read_text(encoding="utf-8"))
    frame = pl.read_ipc(cells)
    columns = tuple(
        Column(**{name: _frozen(value) for name, value in each.items()}) for each in told["columns"]
    )
    data = Dataset(frame, told["target"], Schema(columns), told["name"], aside=tuple(told["aside"]))
    return data, tuple(told["notes"])


def _read(step: TableStep) -> tuple[Dataset, tuple[str, ...]]:
    from induce.core.notes import Note
    from induce.data.opening import opened_data

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = opened_data(step.source, step.target, **step.told())
    return data, tuple(str(each.message) for each in caught if issubclass(each.category, Note))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def guessed(step: TableStep, folder: str) -> TableStep:
    """Return the step with the likeliest target, where the table does not say which it is."""
    from induce.evaluation.comparing.advice import likely_targets

    data, _ = opened(step, folder)
    likely = likely_targets(data.frame, data.schema) if data.target is None else []
    return replace(step, target=likely[0]) if likely else step


def columns_view(step: TableStep, folder: str) -> dict[str, Any]:
    """Return the columns with their histograms, what was noted, and what was said of them."""
    from induce.data.histograms import column_histograms

    data, notes = opened(step, folder)
    return column_histograms(data) | {"notes": list(notes), "told": asdict(step), "aside": list(data.aside)}


def suspicions_view(step: TableStep, folder: str) -> list[dict[str, Any]]:
    """Return what is suspicious about the columns, each with its remedy."""
    from induce.data.suspicions import suspected

    data, _ = opened(step, folder)
    return [
        {"column": each.column, "text": str(each), "remedy": dict(each.remedy)} for each in suspected(data)
    ]


def rows_view(step: TableStep, folder: str, start: int, count: int) -> dict[str, Any]:
    """Return a block of rows as text, with the number of all rows."""
    if start < 0 or not 0 < count <= MOST_ROWS:
        raise InputError(f"a block begins at row 0 or later and has at most {MOST_ROWS} rows")
    data, _ = opened(step, folder)
    return {"start": start, "total": len(data), **cells_of(data.frame.slice(start, count))}


def cells_of(frame: Any) -> dict[str, Any]:
    """Return the cells of a frame as text, None where a value is missing."""
    return {
        "columns": list(frame.columns),
        "rows": [[None if cell is None else _shown(cell) for cell in row] for row in frame.rows()],
    }


def _shown(cell: Any) -> str:
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
