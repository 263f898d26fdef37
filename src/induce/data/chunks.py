"""Files too large for memory, read in chunks: one pass infers the schema, one yields the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.pass_results import stored_by
from induce.core.passes import RowCount
from induce.core.values import Value
from induce.data.cell_formats import conform, readings
from induce.data.dialect import MISSING_TOKENS, Dialect, Findings
from induce.data.goals import Goal, numbers_in
from induce.data.reading import conformed, pieces, typed
from induce.data.schema import Column, Schema
from induce.data.schema_overrides import SchemaLike, Told, several
from induce.data.streams import name_of, opened, parts_of
from induce.data.string_codes import codes_of_strings, distinct_strings
from induce.data.suspicions import is_name_like
from induce.data.table import MOST_VALUES, is_identifier, named_as_identifier, names_note
from induce.data.type_inference import as_strings, categories, observed

MOST_ROWS, MOST_CELLS = 500_000, 5_000_000
"""Number of bytes of a file in memory at a time, unless the number of rows is given."""
LOOKED_AT = 1000
"""Number of cells of each chunk that are inspected to distinguish text from other strings."""
KINDS = {
    "numeric": "numbers",
    "days": "dates",
    "seconds": "durations",
    "nominal": "declared values",
    "string": "strings",
}


@dataclass(frozen=True, eq=False)
class ChunkedTable:
    """Result of one pass over a file: its schema and its classes.

    Parameters
    ----------
    source : str or Path
    schema : Schema
        All columns except the target and the ignored ones.
    target : str
        Target; empty if there is none.
    classes : tuple
        Classes, in declared order or sorted; empty for a numeric target or no target.
    class_counts : array of int64
        Number of rows of each class.
    missing : tuple of str
        Markers of missing values.
    rows : int
        Maximum number of rows of a chunk.
    dialect : Dialect, optional
        Format of the file, as far as the user declared it.
    """

    source: str | Path | Sequence[str | Path]
    schema: Schema
    target: str
    classes: tuple[Value, ...]
    class_counts: NDArray[np.int64]
    missing: tuple[str, ...]
    rows: int
    dialect: Dialect | None = None

    def __iter__(self) -> Iterator[tuple[pl.DataFrame, NDArray[Any]]]:
        """Yield the rows with a target in chunks, with the class index or the number of each."""
        first_row = 1
        for frame in pieces(self.source, self.rows, self.names(), self.dialect):
            rows, labels = self.settled(frame, first_row)
            first_row += frame.height
            if len(labels):
                yield rows, labels

    def names(self) -> list[str]:
        """Return the columns that are read: the inputs, and the target if there is one."""
        return [*self.schema.names(), *([self.target] if self.target else [])]

    def settled(self, frame: pl.DataFrame, first_row: int = 1) -> tuple[pl.DataFrame, NDArray[Any]]:
        """Return the rows of a chunk that have a target, encoded by the schema, and the class index or number
        of each.

        Without a target, all rows are returned, with zeros.
        """
        if not self.target:
            labels: NDArray[Any] = np.zeros(frame.height, np.int64)
        elif not self.classes:
            labels = numbers_in(frame[self.target])
        else:
            labels = self.labels(frame[self.target])
        text = [column for column in self.schema.inputs() if of_strings(column.domain)]
        rows = _as_enums(frame.select(self.schema.names()), text)
        unusual = Schema(
            tuple(each for each in self.schema if each.kind != "nominal" or rows[each.name].dtype != pl.Enum)
        )
        rows = conformed(rows, unusual, self.missing, first_row, self.dialect)
        known = labels >= 0 if self.classes else ~np.isnan(labels)
        return (rows, labels) if known.all() else (rows.filter(pl.Series(known)), labels[known])

    def labels(self, cells: pl.Series) -> NDArray[np.int64]:
        """Return the class index of each row; -1 if it has none."""
        if of_strings(self.classes):
            found = codes_of_strings(cells, self.classes)
            if found is not None:
                return found.astype(np.int64)
            coded = _as_enums(cells.to_frame(), [Column(self.target, "nominal", self.classes)])[self.target]
            if coded.dtype != pl.Enum:
                known = as_strings(cells, [token for token in self.missing if token not in self.classes])
                coded = known.cast(pl.Enum(list(map(str, self.classes))), strict=False)
            places = coded.to_physical()
        else:
            kind = pl.Boolean if isinstance(self.classes[0], bool) else pl.Float64
            place = {value: code for code, value in enumerate(self.classes)}
            places = cells.cast(kind, strict=False).replace_strict(place, default=None, return_dtype=pl.Int64)
        return places.cast(pl.Int64).fill_null(-1).to_numpy()


def of_strings(values: Sequence[Value]) -> bool:
    """Return whether a column has values, all of them strings."""
    return bool(values) and all(isinstance(value, str) for value in values)


def _as_enums(frame: pl.DataFrame, columns: Sequence[Column]) -> pl.DataFrame:
    """Return a chunk with string columns coded by their domains; other columns are unchanged."""
    written = [column for column in columns if frame.schema[column.name] == pl.String]
    coded = frame.select(
        pl.col(column.name).cast(pl.Enum(list(map(str, column.domain))), strict=False) for column in written
    )
    whole = [cells for cells in coded if cells.null_count() == frame[cells.name].null_count()]
    return frame.with_columns(whole)


def rows_at_once(n_columns: int) -> int:
    """Return the default number of rows in memory at a time."""
    return max(1, min(MOST_ROWS, MOST_CELLS // max(1, n_columns)))


def chunked(
    source: str | Path | Sequence[str | Path],
    target: str | None,
    *,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ignore: Sequence[str] = (),
    schema: SchemaLike = None,
    missing: Sequence[str] = MISSING_TOKENS,
    text: bool = False,
    only_text: bool = False,
    numbers: bool = False,
    rows: int | None = None,
    dialect: Dialect | None = None,
) -> ChunkedTable:
    """Read a file once, chunk by chunk, to infer the schema, as `read` does with whole files.

    Parameters
    ----------
    source : path
        File in a format that `read` supports; standard input cannot be read twice.
    target, nominal, numeric, ignore, schema, missing
        Parameters of `read`.
    text, only_text : bool
        Whether the learner can use text columns; and whether it can use nothing else, so that all strings are
        text.
    numbers : bool
        Whether the target may be numeric; otherwise fractions are rejected.
    rows : int, optional
        Maximum number of rows of a chunk; by default half a million, or fewer if the table has many columns.
    dialect : Dialect, optional
        Format of the file, as far as the user declared it; `missing` is a part of it.
    """
    if str(source) == "-":
        raise InputError("standard input can be read only once; save it to a file to learn from it in chunks")
    with opened(parts_of(source)[0]) as stream:
        written, lazy = stream.format in ("csv", "excel"), stream.format == "parquet"
    dialect = replace(dialect or Dialect(), missing=several(missing))
    missing = dialect.missing
    head = next(filter(len, pieces(source, dialect=dialect)))
    rows = rows_at_once(head.width) if rows is None else rows
    told = Told(head.columns, target=target, nominal=nominal, numeric=numeric, ignore=ignore, schema=schema)
    seen = {name: Seen(name) for name in head.columns if not told.left_out(name)}
    unusual = _unusual(head, told, dialect, name_of(source)) if written else {}

    def kind_of(cells: pl.Series) -> pl.Series:
        column = unusual.get(cells.name)
        found = None if column is None else conform(cells, column, dialect, first_row)
        return typed(cells, told, missing, written) if found is None else found

    # the column types of a Parquet file are known: numbers need no inspection
    wanted = [name for name in seen if name == target or not (lazy and is_number(head[name], told))]
    for name in seen.keys() - set(wanted):
        seen[name].kind, seen[name].whole = "numeric", head[name].dtype.is_integer()
    goal = Goal(target, numbers=told.kind(target or "") == "numeric" if numbers else None)
    first_row, count = 1, RowCount("inspected")
    for frame in pieces(source, rows, wanted or head.columns[:1], dialect):
        labelled = frame
        if target is not None:
            cells, counts = frame[target].value_counts(name="rows").get_columns()
            found = kind_of(cells)
            if not seen[target].look(cells, found, missing):
                raise seen[target].changed(frame[target], first_row)
            goal.look(found, counts)
            if found.null_count():
                labelled = frame.filter(kind_of(frame[target]).is_not_null())
        for name in wanted:
            if name != target:
                found = kind_of(distinct_cells(labelled[name]))
                if not seen[name].look(labelled[name], found, missing):
                    raise seen[name].changed(frame[name], first_row)
        first_row += frame.height
        count.add(frame.height)
    goal.settle(first_row - 1)
    declared: tuple[Value, ...] = ()
    if target is not None:
        declared = told.apply(Column(target)).domain or seen.pop(target).declared
        seen.pop(target, None)
    ordered, class_counts = goal.classes(declared)
    return ChunkedTable(
        source=source,
        schema=Schema(
            tuple(
                _as_written(settled_column(column, told, text, only_text), unusual.get(column.name))
                for column in seen.values()
            )
        ),
        target=target or "",
        classes=ordered,
        class_counts=class_counts,
        missing=missing,
        rows=rows,
        dialect=dialect,
    )


def _unusual(head: pl.DataFrame, told: Told, dialect: Dialect, called: str) -> dict[str, Column]:
    """Return the columns whose first rows hold numbers or dates in an unusual format, with a note."""
    findings = Findings()
    open_to_look = [head[name] for name in head.columns if told.kind(name) in (None, "numeric")]
    found = {}
    for name, reading in readings(open_to_look, dialect, findings).items():
        kind = reading.cells.dtype
        plainly = typed(head[name], told, dialect.missing, True) if told.kind(name) is None else head[name]
        if kind != pl.String and (plainly.dtype == pl.String or reading.unit or reading.written):
            temporal = "days" if kind.is_temporal() else ""
            found[name] = Column(name, temporal=temporal, unit=reading.unit, written=reading.written)
    findings.tell(called)
    return found


def _as_written(column: Column, unusual: Column | None) -> Column:
    if unusual is None or column.kind != "numeric":
        return column
    return replace(column, unit=unusual.unit, written=unusual.written)


@dataclass(eq=False)
class Seen:
    """Statistics of a column so far."""

    name: str
    kind: str = ""
    declared: tuple[Value, ...] = ()
    values: set[str] = field(default_factory=set)
    known: int = 0
    repeated: bool = False
    lengths: list[int] = field(default_factory=list)
    whole: bool = True

    def look(self, cells: pl.Series, found: pl.Series, missing: Sequence[str]) -> bool:
        """Add the cells of one chunk, both as text and typed; all cells or only the distinct ones.

        Return whether they are of the same kind as the previous ones.
        """
        if found.null_count() == len(found):
            return True
        kind = _kind(found)
        if self.kind in ("numeric", "days", "seconds") and kind != self.kind:
            return False
        self.kind = self.kind or kind
        self.whole = self.whole and found.dtype.is_integer()
        if self.kind == "nominal":
            self.declared = (False, True) if found.dtype == pl.Boolean else categories(found)
        elif self.kind == "string":
            text = found if kind == "string" else as_strings(cells, missing)
            known = len(cells) - (cells if len(text) < len(cells) else text).null_count()
            self._look_at_strings(text.unique().drop_nulls(), known)
        elif self.kind == "numeric" and named_as_identifier(self.name):
            self._count(found.unique().drop_nulls().cast(pl.String), len(cells) - cells.null_count())
        return True

    def _look_at_strings(self, distinct: pl.Series, known: int) -> None:
        self._count(distinct, known)
        if len(distinct) > known / 2:
            self.lengths += [len(cell.split()) for cell in distinct.head(LOOKED_AT)]

    def _count(self, distinct: pl.Series, known: int) -> None:
        self.known += known
        self.repeated = self.repeated or len(distinct) < known
        if len(self.values) <= MOST_VALUES:
            before, new = len(self.values), distinct.head(MOST_VALUES + 1)
            self.values.update(new.to_list())
            self.repeated = self.repeated or len(self.values) < before + len(new)

    def join(self, later: Seen) -> bool:
        """Add the statistics of the same column in later rows; return whether they are of the same kind."""
        if self.kind and later.kind and self.kind != later.kind:
            return False
        self.kind = self.kind or later.kind
        self.whole = self.whole and later.whole
        self.declared = self.declared or later.declared
        if self.declared != (later.declared or self.declared):
            return False
        apart = len(self.values) + len(later.values)
        if len(self.values) <= MOST_VALUES:
            self.values |= later.values
            self.repeated = self.repeated or len(self.values) < apart
        self.repeated = self.repeated or later.repeated
        self.known += later.known
        self.lengths += later.lengths
        return True

    def changed(self, cells: pl.Series, first_row: int) -> InputError:
        """Return the error for a chunk whose cells are of another kind than the previous ones."""
        text = cells.cast(pl.String).str.strip_chars()
        odd = (text.is_not_null() & text.cast(pl.Float64, strict=False).is_null()).arg_true()
        row = int(odd[0]) if len(odd) else 0
        return InputError(
            f"column {self.name!r} holds {KINDS[self.kind]} before row {first_row:,}, but {text[row]!r} in row "
            f"{first_row + row:,}; declare it nominal, or declare this a missing value"
        )

    def names_rows(self) -> bool:
        """Return whether the column names rows, even if some of its values are repeated."""
        return self.kind == "string" and self.repeated and is_name_like(len(self.values), self.known)

    def guess(self, only_text: bool) -> Column:
        """Return the inferred column."""
        role = "id" if is_identifier(self.name, len(self.values), self.known) else "input"
        if only_text:
            return (
                Column(self.name, "text", role=role)
                if self.kind == "string"
                else Column(self.name, role="ignore")
            )
        if self.kind in ("", "numeric", "days", "seconds"):
            temporal, unit = "days" if self.kind == "days" else "", "s" if self.kind == "seconds" else ""
            whole = self.whole and self.kind == "numeric"
            return Column(self.name, "numeric", role=role, temporal=temporal, unit=unit, whole=whole)
        if self.kind == "nominal":
            return Column(self.name, "nominal", self.declared, role=role)
        many = len(self.values) > min(MOST_VALUES, self.known / 2)
        if many and self.lengths and median(self.lengths) >= 5:
            return Column(self.name, "text", role=role)
        if (not self.repeated and self.known >= 10) or self.names_rows():
            role = "id"
        return Column(self.name, "nominal", role=role)


stored_by(
    Seen,
    lambda seen: vars(seen) | {"values": sorted(seen.values)},
    lambda parts: Seen(**parts | {"values": set(parts["values"])}),
)


def _kind(cells: pl.Series) -> str:
    if cells.dtype in (pl.Enum, pl.Boolean):
        return "nominal"
    if cells.dtype == pl.Duration:
        return "seconds"
    if cells.dtype.is_temporal():
        return "days"
    return "numeric" if cells.dtype.is_numeric() else "string"


def distinct_cells(cells: pl.Series) -> pl.Series:
    """Return the distinct cells of a column if there seem to be few, otherwise all cells."""
    head = cells.head(LOOKED_AT)
    few = cells.dtype == pl.String and len(cells) > LOOKED_AT and head.n_unique() < LOOKED_AT / 2
    return distinct_strings(cells) if few else cells


def is_number(cells: pl.Series, told: Told) -> bool:
    """Return whether a column of numbers needs no inspection, as one that is named as an identifier does."""
    return (
        cells.dtype.is_numeric()
        and told.kind(cells.name) in (None, "numeric")
        and not named_as_identifier(cells.name)
    )


def settled_column(seen: Seen, told: Told, text: bool, only_text: bool) -> Column:
    guess = seen.guess(only_text)
    if told.kind(seen.name) == "nominal" and not named_as_identifier(seen.name):
        guess = replace(guess, role="input")
    column = told.apply(guess)
    if column == guess and column.role == "ignore":
        note(f"column {column.name!r} holds no text, which this learner requires, and is ignored")
    elif column == guess and column.role == "id":
        if seen.names_rows() and not named_as_identifier(column.name):
            note(names_note([(column.name, len(seen.values), seen.known)]))
        else:
            note(f"column {column.name!r} looks like an identifier and is ignored")
    elif column.kind == "text" and column.role == "input" and not text:
        note(f"column {column.name!r} holds text, which this learner cannot use, and is ignored")
        return replace(column, role="ignore")
    elif column == guess and column.temporal:
        note(f"column {column.name!r} holds dates and is learned as {column.temporal} since 1970-01-01")
    elif column == guess and column.unit:
        note(f"column {column.name!r} holds durations and is learned in seconds")
    if column.kind != "nominal" or column.role != "input":
        return column
    if column.domain:
        return replace(column, domain=tuple(map(str, column.domain))) if seen.kind == "string" else column
    if len(seen.values) > MOST_VALUES:
        raise InputError(
            f"column {column.name!r} has more than {MOST_VALUES:,} different values, too many for a "
            "nominal column; ignore it or group its values"
        )
    return replace(column, domain=observed(pl.Series(list(seen.values), dtype=pl.String)))
