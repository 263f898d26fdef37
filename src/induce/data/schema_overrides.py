"""The user's declarations of columns: lists of names, schema files, dicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from induce.core.documents import DocumentError, json_of, toml_of
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.data.schema import Column, Schema

SchemaLike = Schema | dict[str, Any] | str | Path | None


def schema_file(path: str | Path) -> dict[str, Any]:
    """Read a schema file in TOML or JSON that maps column names to kinds or to tables of fields.

    The fields are those of `induce.data.schema.Column`: kind, domain, ordered, role, cost, taxonomy.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no schema file {str(path)!r}") from None
    except (OSError, UnicodeDecodeError):
        raise InputError(
            f"the schema file {str(path)!r} cannot be read as text; save it as UTF-8; save it as UTF-8"
        ) from None
    try:
        found = toml_of(text) if path.suffix.lower() == ".toml" else json_of(text)
    except DocumentError as error:
        kind = "TOML" if path.suffix.lower() == ".toml" else "JSON"
        raise InputError(f"the schema file {path.name!r} is not {kind}: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"the schema file {path.name!r} must map each column's name to its declaration")
    return found


class Told:
    """All declarations of the columns of one table."""

    def __init__(
        self,
        names: Sequence[str],
        *,
        target: str | None,
        nominal: Sequence[str],
        numeric: Sequence[str],
        ignore: Sequence[str],
        schema: SchemaLike,
    ) -> None:
        nominal, numeric, ignore = several(nominal), several(numeric), several(ignore)
        changes = schema_file(schema) if isinstance(schema, str | Path) else schema
        if isinstance(changes, Schema):
            changes = {column.name: column for column in changes}
        self.changes: dict[str, Any] = dict(changes or {})
        for name in (*self.changes, *nominal, *numeric, *ignore, *([] if target is None else [target])):
            if name not in names:
                raise unknown("column", str(name), names)
        for name in nominal:
            if name in numeric:
                raise InputError(f"column {name!r} is declared both nominal and numeric; choose one")
        if target is not None and target in ignore:
            raise InputError(f"column {target!r} is declared both target and ignored; choose one")
        self.kinds = {**dict.fromkeys(nominal, "nominal"), **dict.fromkeys(numeric, "numeric")}
        self.ignore = set(ignore)
        self.target = self._target(names, target)

    def _target(self, names: Sequence[str], target: str | None) -> str | None:
        said = [name for name in names if self._said(Column(name)).role == "target"]
        if target is None and len(said) > 1:
            raise InputError(f"the schema names two targets, {said[0]!r} and {said[1]!r}; name one")
        return target if target is not None or not said else said[0]

    def kind(self, name: str) -> str | None:
        """Return the declared kind of a column."""
        change = self.changes.get(name)
        if name in self.kinds:
            return self.kinds[name]
        if change is None or (
            isinstance(change, dict) and not {"kind", "domain", "ordered", "taxonomy"} & set(change)
        ):
            return None
        if isinstance(change, str) and change not in ("nominal", "numeric", "text"):
            return None
        return self.apply(Column(name)).kind

    def left_out(self, name: str) -> bool:
        """Return whether a column is declared as a non-input."""
        return self.apply(Column(name)).role in ("id", "ignore")

    def apply(self, guess: Column) -> Column:
        """Return a column with its declarations applied."""
        column = self._said(guess)
        if column.name == self.target:
            return replace(column, role="target")
        return replace(column, role="input") if column.role == "target" else column

    def _said(self, guess: Column) -> Column:
        name = guess.name
        change = self.changes.get(name)
        if isinstance(change, dict) and change.get("ordered") and "kind" not in change:
            change = {**change, "kind": "nominal"}
        column = Schema((guess,)).override({name: change} if change is not None else None)[name]
        if name in self.kinds:
            column = replace(column, kind=self.kinds[name])
        if column.kind != "nominal":
            column = replace(column, domain=(), ordered=False)
        if name in self.ignore:
            return replace(column, role="ignore")
        return column


def several(names: Sequence[str]) -> tuple[str, ...]:
    """Return names as a tuple; a single name is allowed."""
    return (names,) if isinstance(names, str) else tuple(names)
