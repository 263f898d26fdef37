"""Tables: read once, then shared by server and worker as a memory-mapped Arrow file."""

from __future__ import annotations

import hashlib
import inspect
import json
import warnings
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from induce.core.errors import InputError, not_installed
from induce.core.files import write_whole
from induce.core.plain import plain
from induce.workbench.steps import RelationsStep, SourceStep, TableStep, WorldStep

if TYPE_CHECKING:
    from induce.data.dataset import Dataset
    from induce.relational.readers.problems import Problem

KEPT = 4
MOST_EXAMPLES = 20
LIKELIEST = 3
"""Number of columns that the page offers as targets."""
MOST_ROWS = 1000
"""Maximum number of rows per block."""


def opened(step: SourceStep, folder: str) -> tuple[Dataset, tuple[str, ...]]:
    """Return the table of a step, and the notes from reading it.

    Parameters
    ----------
    step : TableStep
    folder : str
        Folder of the Arrow files.
    """
    if not isinstance(step, TableStep):
        raise InputError(
            "this needs a table, but the sheet has relations, an environment or a game; open a table"
        )
    # locked rows are read separately
    read = replace(step, test=None)
    return _opened(read, folder, " ".join(map(_version, read.files())))


def _version(source: str) -> str:
    """Return a key that changes with the file."""
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
        except Exception as problem:  # polars raises many kinds; such a table is read again instead
            warnings.warn(f"the table cannot be cached: {problem}", stacklevel=2)
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
    from induce.data.table_sources import opened_data

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = opened_data(step.source, step.target, **step.told())
    return data, tuple(str(each.message) for each in caught if issubclass(each.category, Note))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@lru_cache(KEPT)
def _problem(step: RelationsStep, seed: int, version: str) -> Any:
    from induce.relational.readers.problems import read_problem

    return read_problem(step.source, step.target, **step.told(), random_state=seed)


def problem_of(step: SourceStep, seed: int | None = None) -> Problem:
    """Return the relational problem of a step; `seed` samples the negatives of a large closed world."""
    assert isinstance(step, RelationsStep)
    try:
        return cast("Problem", _problem(step, seed or 0, _version(step.source)))
    except ModuleNotFoundError as missing:
        raise not_installed("a database", str(missing.name)) from None


def prepare(step: SourceStep, folder: str) -> None:
    """Read a source, so that errors are known and its table is kept."""
    if isinstance(step, TableStep):
        opened(step, folder)
    else:
        source_view(step, folder)


def source_view(step: SourceStep, folder: str) -> dict[str, Any]:
    """Return a view of the source for the Data page."""
    if isinstance(step, TableStep):
        return {"kind": "table"} | columns_view(step, folder)
    if isinstance(step, RelationsStep):
        return {"kind": "relations"} | _relations_view(step)
    return {"kind": "world"} | _world_view(step)


def _relations_view(step: RelationsStep) -> dict[str, Any]:
    """Return the relations with their numbers of facts, and the first examples."""
    told: dict[str, Any] = {"told": asdict(step), "problem": "", "text": "", "relations": [], "examples": []}
    try:
        problem = problem_of(step)
    except InputError as refusal:  # the target may have to be named first
        return told | {"problem": str(refusal)}
    known = problem.background
    listed = {name: len(rows) for name, rows in known.listed.items()}
    relations = [
        {"name": f"{name}/{arity}", "facts": listed.get((name, arity))} for name, arity in known.predicates()
    ]
    rows = problem.X.rows() if hasattr(problem.X, "rows") else problem.X.tolist()
    examples = [
        {"text": f"{problem.target}({', '.join(map(str, row))})", "class": str(value)}
        for row, value in zip(rows[:MOST_EXAMPLES], problem.y[:MOST_EXAMPLES].tolist(), strict=True)
    ]
    return told | {"text": str(problem), "relations": relations, "examples": examples}


def _world_view(step: WorldStep) -> dict[str, Any]:
    """Describe an environment or a game."""
    from induce.environments.catalogue import ENVIRONMENTS, environment, setting_of
    from induce.environments.games.game import find_game, game_names

    told: dict[str, Any] = {"told": asdict(step), "parameters": []}
    if step.source in game_names():
        game = find_game(step.source)
        return told | {"game": True, "text": game.text(game.start()), "summary": f"a game for {game.players}"}
    if step.source not in ENVIRONMENTS:
        return told | {"game": False, "text": "", "summary": "an environment of gymnasium"}
    shipped = ENVIRONMENTS[step.source]
    made = environment(
        step.source, **dict(setting_of(f"{name}={text}") for name, text in step.settings.items())
    )
    names = [
        {"name": name, "default": str(each.default)}
        for name, each in inspect.signature(shipped.make).parameters.items()
        if each.default is not inspect.Parameter.empty
    ]
    return told | {"game": False, "text": str(made), "summary": shipped.summary, "parameters": names}


def schema_view(step: SourceStep, folder: str) -> dict[str, Any]:
    """Return the schema of a table as the content of a schema file."""
    return schema_document(opened(step, folder)[0])


def schema_document(data: Dataset) -> dict[str, Any]:
    """Return the schema of a table as the content of a schema file.

    Examples
    --------
    >>> import induce
    >>> schema_document(induce.dataset("play-tennis"))["Wind"]
    {'kind': 'nominal', 'domain': ['Weak', 'Strong']}
    """
    from induce.data.schema import Column

    usual = asdict(Column(""))
    found = {}
    for column in data.schema:
        told = {name: value for name, value in asdict(column).items() if value != usual[name]}
        for inferred in ("name", "written", "whole"):
            told.pop(inferred, None)
        if told.get("role") == "target":
            told.pop("role")
        if "taxonomy" in told:
            told["taxonomy"] = {group: list(members) for group, members in column.taxonomy}
        found[column.name] = {"kind": column.kind} | told
    return cast("dict[str, Any]", plain(found))


def lock_rows(step: TableStep, folder: str, uploads: Path, share: float, seed: int = 0) -> TableStep:
    """Lock a fraction of the rows as a final test set; return the step for the remaining rows.

    Both parts are files in the workspace, beside the schema of the whole table.
    """
    from induce.evaluation.estimating.splits import plan, target

    if step.test is not None:
        raise InputError("rows are locked already; open another sheet to split the table again")
    data, _ = opened(step, folder)
    if data.target is None:
        raise InputError("the table has no target; choose one before locking rows")
    if not 0 < share < 1:
        raise InputError("the fraction of locked rows is out of range; give a number between 0 and 1")
    classes = data.schema[data.target].kind == "nominal"
    made = plan(
        data.X, target(data.X, data.y), test_size=share, stratify=classes, random_state=seed, once=False
    )
    kept, locked = made.splits[0]
    assert kept is not None
    stem = f"{Path(step.source).stem}-{hashlib.sha256(repr(step).encode()).hexdigest()[:6]}"
    schema = uploads / f"{stem}-schema.json"
    write_whole(str(schema), json.dumps(schema_document(data), ensure_ascii=False, indent=1).encode())
    paths = [uploads / f"{stem}-{part}.csv" for part in ("learn", "test")]
    for path, rows in zip(paths, (kept, locked), strict=True):
        data.frame[np.sort(rows)].write_csv(path)
    return TableStep(str(paths[0]), data.target, schema=str(schema), test=str(paths[1]))


def guessed(step: TableStep, folder: str) -> TableStep:
    """Return the step with the likeliest target if none is declared and no other column comes near."""
    from induce.evaluation.comparing.targets import sure_target

    data, _ = opened(step, folder)
    target = sure_target(data.frame, data.schema) if data.target is None else None
    return step if target is None else replace(step, target=target)


def columns_view(step: SourceStep, folder: str) -> dict[str, Any]:
    """Return the columns with histograms, notes and declarations."""
    from induce.data.histograms import column_histograms
    from induce.evaluation.comparing.targets import likely_targets

    data, notes = opened(step, folder)
    likely = likely_targets(data.frame, data.schema)[:LIKELIEST] if data.target is None else []
    told = {"notes": list(notes), "told": asdict(step), "aside": list(data.aside), "likely": likely}
    ordered = [column.name for column in data.schema if column.ordered]
    costs = {column.name: column.cost for column in data.schema}
    return column_histograms(data) | told | {"ordered": ordered, "costs": costs}


def suspicions_view(step: SourceStep, folder: str) -> list[dict[str, Any]]:
    """Return suspicions about the columns, each with its remedy."""
    from induce.data.suspicions import suspected

    data, _ = opened(step, folder)
    return [
        {"column": each.column, "text": str(each), "remedy": dict(each.remedy)} for each in suspected(data)
    ]


def rows_view(step: SourceStep, folder: str, start: int, count: int) -> dict[str, Any]:
    """Return a block of rows as text, and the total number of rows."""
    if start < 0 or not 0 < count <= MOST_ROWS:
        raise InputError(f"the block is out of range; start at row 0 or later, with at most {MOST_ROWS} rows")
    data, _ = opened(step, folder)
    return {"start": start, "total": len(data), **cells_of(data.frame.slice(start, count))}


def cells_of(frame: Any) -> dict[str, Any]:
    """Return the cells of a frame as text; missing values are None."""
    return {
        "columns": list(frame.columns),
        "rows": [[None if cell is None else _shown(cell) for cell in row] for row in frame.rows()],
    }


def _shown(cell: Any) -> str:
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
