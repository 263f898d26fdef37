"""Sources that the page may open: shipped data, files of the workspace, and the source of the command line."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from induce.core.errors import InputError
from induce.workbench.steps import SourceStep

TABLES = "csv|tsv|txt|tab|dat|json|jsonl|ndjson|parquet|arff|xlsx|xls|ods"
RELATIONAL = (".pl", ".pro", ".b", ".f", ".n", ".sqlite", ".sqlite3", ".db")
ENDINGS = "|".join([TABLES, "toml", *(each[1:] for each in RELATIONAL)])
UPLOAD = re.compile(rf"[^/\\\x00-\x1f]{{1,120}}\.({ENDINGS})", re.IGNORECASE)
URL = re.compile(r"[a-z][a-z0-9+]*:", re.IGNORECASE)
SQLITE = re.compile(r"sqlite:///(?P<path>[^?%#]+)")


def kind_of(source: str) -> str:
    """Return the kind of step for a source, by its name, extension or folder.

    Examples
    --------
    >>> kind_of("iris"), kind_of("family.pl"), kind_of("tic-tac-toe"), kind_of("postgresql://host/bank")
    ('table', 'relations', 'world', 'relations')
    """
    from induce.environments.catalogue import ENVIRONMENTS
    from induce.environments.games.game import game_names

    if source in ENVIRONMENTS or source in game_names():
        return "world"
    if is_url(source) or source.lower().endswith(RELATIONAL) or Path(source).is_dir():
        return "relations"
    return "table"


def is_url(source: str) -> bool:
    """Return whether a source is a URL; a single letter before the colon is a Windows drive.

    Examples
    --------
    >>> is_url("sqlite:///bank.sqlite"), is_url("C:\\\\bank.csv"), is_url("bank.csv")
    (True, False, False)
    """
    found = URL.match(source)
    return found is not None and found.end() > 2


def is_known(source: str) -> bool:
    """Return whether a source needs no file: a shipped table, an environment, a game or a URL."""
    from induce.data.table_sources import is_shipped

    return is_url(source) or kind_of(source) == "world" or is_shipped(source)


def check_files(step: SourceStep, named: Collection[str | None], uploads: Path) -> None:
    """Refuse files outside the workspace and database URLs, unless the user named them.

    Parameters
    ----------
    step : TableStep, RelationsStep or WorldStep
    named : collection of str
        Source of the command line, and sources that the sheet already uses.
    uploads : Path
        Folder of uploads, whose files may be read.
    """
    from induce.data.catalogue import datasets

    known = {entry.name for entry in datasets()}.union(named)
    paths = {Path(name).resolve() for name in named if name and not is_url(name)}
    for name in step.files():
        if name in known:
            continue
        database = SQLITE.fullmatch(name)
        if is_url(name) and database is None:
            raise InputError(
                "the page does not connect to a database; name its address on the command line: induce workbench URL"
            )
        path = Path(name if database is None else database["path"])
        if path.resolve() not in paths and path.resolve().parent != uploads.resolve():
            raise InputError(
                f"{name!r} is not in the workspace; upload it, or start induce workbench with it"
            )
