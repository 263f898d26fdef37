"""Encoded tables of learners: typed, with missing values marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.cells import filled, sorted_cells
from induce.core.commands import option
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import is_missing
from induce.data.frames import Floats, RawColumn, RawFrame, raw_frame
from induce.data.names import shortened
from induce.data.schema import KINDS, Column, Schema
from induce.data.suspicions import MANY_VALUES, ROWS_PER_VALUE, is_name_like

Codes = NDArray[np.int32]

MISSING = -1
UNSEEN = -2
MOST_VALUES = 10_000
MOST_NAMED = 5
IDENTIFIER = re.compile(r"(^|[_\-. ])(id|uid|uuid|guid|identifier)$|^Unnamed: 0(\.\d+)?$", re.IGNORECASE)
"""They include pandas' name of an index that was written without a name and read again."""
TIMES = (
    "t time times clock step epoch round turn tick date period age seconds? minutes? hours? days? weeks? months? "
    "quarters? years? jahr monat woche tag zeit stunde sekunde année mois jour"
)
TIME_WORD = re.compile(rf"(^|[_\-. ])({'|'.join(TIMES.split())})($|[_\-. ])", re.IGNORECASE)
FEW_ROWS = 10
IDENTIFIER_CAMEL = re.compile(r"[a-z](Id|ID)$")


@dataclass(frozen=True, eq=False)
class Table:
    """Inputs of a set of rows: a matrix of numbers and a matrix of codes of nominal values.

    Parameters
    ----------
    schema : Schema
        Input columns only, nominal or numeric.
    numeric : array of float64, shape (rows, numeric columns)
        Numbers; NaN if missing.
    nominal : array of int32, shape (rows, nominal columns)
        Indices into the column's domain; -1 if missing, -2 if the value was not seen in training.
    """

    schema: Schema
    numeric: Floats
    nominal: Codes

    def __len__(self) -> int:
        return len(self.numeric)

    @cached_property
    def positions(self) -> NDArray[np.int64]:
        """Index of each input in `numeric` (>= 0), or ``-1 - its index in nominal``."""
        return positions(self.schema)

    def column(self, index: int) -> NDArray[Any]:
        """Return an input column: float64 numbers or int32 codes."""
        position = int(self.positions[index])
        return self.numeric[:, position] if position >= 0 else self.nominal[:, -1 - position]

    def rows(self, index: NDArray[Any]) -> Table:
        """Return the rows at the given indices."""
        return Table(self.schema, self.numeric[index], self.nominal[index])


def positions(schema: Schema) -> NDArray[np.int64]:
    """Return the index of each column of `schema` in the encoded table (see `Table.positions`)."""
    found = np.empty(len(schema), dtype=np.int64)
    n_numeric = n_nominal = 0
    for j, column in enumerate(schema):
        if column.kind == "nominal":
            found[j] = -1 - n_nominal
            n_nominal += 1
        else:
            found[j] = n_numeric
            n_numeric += 1
    return found


def infer_schema(
    frame: RawFrame,
    changes: Schema | dict[str, Any] | None = None,
    text: bool = False,
    names: bool = False,
) -> Schema:
    """Infer the schema from dtypes, and from values for plain strings.

    Identifier-like columns are ignored with a note unless `changes` declares them. So are nominal columns
    that identify rows (see `suspicions.is_name_like`), and text columns unless `text` is set because the
    learner can use them. Columns that identify rows are kept if nothing else is left, or if `names` is set.
    """
    known = changes if isinstance(changes, dict) else {}
    if changes is None:
        frame.tell_flagged()
    guessed = Schema(tuple(_told_or_guessed(raw, known.get(raw.name)) for raw in frame.columns))
    told = guessed.override(changes)
    naming = {
        raw.name: (raw.name, len(raw.distinct), len(raw))
        for raw, guess, column in zip(frame.columns, guessed, told, strict=True)
        if column == guess and column.role == "id" and _names_rows(raw, column)
    }
    kept = names or not any(column.role == "input" and (text or column.kind != "text") for column in told)
    if kept:
        told = told.override(dict.fromkeys(naming, "input"))
    elif naming:
        note(names_note(list(naming.values())), about=f"columns that name rows: {', '.join(naming)}")
    for raw, guess, column in zip(frame.columns, guessed, told, strict=True):
        if raw.inexact and column.kind == guess.kind:
            note(
                f"column {raw.name!r} holds numbers that a float cannot hold, such as {shortened(raw.inexact)}, and "
                f"is read as names; to round them, give schema={{{raw.name!r}: 'numeric'}}"
            )
    settled = []
    for raw, guess, column in zip(frame.columns, guessed, told, strict=True):
        if column == guess and column.role == "id":
            if raw.name not in naming:
                note(f"column {column.name!r} looks like an identifier and is ignored")
        elif column.kind == "text" and column.role == "input" and not text:
            note(f"column {column.name!r} holds text, which this learner cannot use, and is ignored")
            column = replace(column, role="ignore")
        elif column == guess and column.temporal:
            note(f"column {column.name!r} holds dates and is learned as {column.temporal} since 1970-01-01")
        elif column == guess and raw.kind == "string" and column.kind == "numeric" and len(raw.distinct):
            note(
                f"column {column.name!r} holds numbers as text and is learned as numbers; to learn from it as names, "
                f"give schema={{{column.name!r}: 'nominal'}}"
            )
        elif column == guess and raw.unit:
            note(f"column {column.name!r} holds durations and is learned in seconds")
        settled.append(_with_domain(column, raw))
    return Schema(tuple(settled))


def as_table(X: Any, schema: Schema) -> Table:
    """Return rows encoded by a schema, unless they are already encoded."""
    return X if isinstance(X, Table) else encode(X, schema)


def encode(frame: Any, schema: Schema) -> Table:
    """Encode the input columns of a frame or array by a fixed schema.

    The columns of a dataframe are found by name, those of an array by position.
    """
    raw = frame if isinstance(frame, RawFrame) else raw_frame(frame)
    inputs = schema.inputs()
    if raw.matrix is not None and len(inputs) == len(raw.columns) == len(schema) and not _nominal(inputs):
        _refuse_infinities(raw.matrix, inputs)
        return Table(inputs, raw.matrix, np.empty((raw.n_rows, 0), dtype=np.int32))
    n_nominal = len(_nominal(inputs))
    numeric = np.empty((raw.n_rows, len(inputs) - n_nominal), dtype=np.float64)
    nominal = np.empty((raw.n_rows, n_nominal), dtype=np.int32)
    for values, position in zip(encoded_columns(raw, schema), positions(inputs), strict=True):
        if position >= 0:
            numeric[:, position] = values
        else:
            nominal[:, -1 - position] = values
    return Table(inputs, numeric, nominal)


def encoded_columns(frame: Any, schema: Schema) -> Iterator[Any]:
    """Yield the input columns of a frame or array, one at a time, by a fixed schema.

    A numeric column is a float64 array (NaN if missing), a nominal one an array of int32 codes (-1 if missing, -2
    if the value is not in the domain), a text column a polars series of strings (null if missing).
    """
    raw = frame if isinstance(frame, RawFrame) else raw_frame(frame)
    for column, values in zip(schema.inputs(), _chosen(raw, schema), strict=True):
        if column.kind == "nominal":
            yield codes_of(values, column.domain)
        elif column.kind == "text":
            yield _texts(values, column)
        else:
            numbers = _numbers(values, column)
            _refuse_infinities(numbers[:, np.newaxis], Schema((column,)))
            yield numbers


def encode_declared(frame: RawFrame, schema: Schema) -> Table:
    """Encode a training table, whose nominal values must be declared in the schema."""
    table = encode(frame, schema)
    for column, raw, position in zip(table.schema, _chosen(frame, schema), table.positions, strict=True):
        if position < 0:
            _refuse_undeclared(column, raw, table.nominal[:, -1 - position])
    return table


def declared_columns(frame: RawFrame, schema: Schema) -> Iterator[Any]:
    """Yield the input columns of a training table, one at a time; see `encoded_columns` and `encode_declared`."""
    raws, inputs = _chosen(frame, schema), schema.inputs()
    for column, raw, values in zip(inputs, raws, encoded_columns(frame, schema), strict=True):
        if column.kind == "nominal":
            _refuse_undeclared(column, raw, values)
        yield values


def _refuse_undeclared(column: Column, raw: RawColumn, codes: Codes) -> None:
    unseen = codes == UNSEEN
    if unseen.any():
        found = raw.cells[int(unseen.argmax())]
        raise InputError(
            f"column {column.name!r} holds {found!r}, which is not among its declared values "
            f"({', '.join(map(str, column.domain[:5]))}{', …' if len(column.domain) > 5 else ''}); declare it or "
            "make it missing"
        )


def codes_of(raw: RawColumn, domain: tuple[Any, ...]) -> Codes:
    """Return the index of each value in `domain`; -1 if it is missing, -2 if it is not in the domain."""
    import polars as pl

    lookup = {value: code for code, value in enumerate(domain)}
    if all(isinstance(value, str) for value in domain):
        return _codes_of_numbers(raw, lookup) if raw.cells.dtype.is_float() else _codes_of_text(raw, domain)
    if raw.domain == (False, True) and raw.cells.dtype == pl.Boolean:
        codes = np.array([lookup.get(False, UNSEEN), lookup.get(True, UNSEEN), MISSING], dtype=np.int32)
        return np.asarray(codes[filled(raw.cells.cast(pl.Int32), 2)])
    cells = raw.values.tolist() if isinstance(raw.values, np.ndarray) else list(raw.values)
    code = {cell: MISSING if is_missing(cell) else lookup.get(cell, UNSEEN) for cell in set(cells)}
    return np.fromiter(map(code.__getitem__, cells), dtype=np.int32, count=len(cells))


@lru_cache(256)
def _enum(domain: tuple[str, ...]) -> Any:
    """Return the cached type of a domain, which takes as long to create as encoding a hundred rows."""
    import polars as pl

    return pl.Enum(domain)


def _codes_of_text(raw: RawColumn, domain: tuple[str, ...]) -> Codes:
    import polars as pl

    cells, declared = raw.cells, _enum(domain)
    if cells.dtype != declared:
        cells = cells.cast(pl.String).cast(declared, strict=False)
    codes = filled(cells.to_physical().cast(pl.Int32), UNSEEN)
    if raw.cells.null_count():
        codes[raw.cells.is_null().to_numpy()] = MISSING
    return codes


def _codes_of_numbers(raw: RawColumn, lookup: dict[str, int]) -> Codes:
    """Return the codes of numbers in a column declared nominal, by their notation."""
    numbers, place = np.unique(raw.cells.to_numpy(), return_inverse=True)
    codes = [
        MISSING if is_missing(number) else lookup.get(_as_written(number), UNSEEN)
        for number in numbers.tolist()
    ]
    return np.array(codes, dtype=np.int32)[place]


def _as_written(number: float) -> str:
    return str(int(number)) if number.is_integer() else str(number)


def _told_or_guessed(raw: RawColumn, told: Any) -> Column:
    """Inspect the cells of a column only if its kind is not declared; a column of a declared kind is an input."""
    if isinstance(told, Column):
        return replace(told, name=raw.name)
    guess = guess_column(raw)
    of_a_kind = told in KINDS if isinstance(told, str) else isinstance(told, dict) and bool(told)
    return replace(guess, role="input") if of_a_kind and not named_as_identifier(raw.name) else guess


def guess_column(raw: RawColumn) -> Column:
    """Infer the column from its dtype, or from its values if they are plain strings."""
    role = "id" if _is_identifier(raw) else "input"
    if raw.kind == "numeric":
        return Column(raw.name, "numeric", role=role, temporal=raw.temporal, unit=raw.unit, whole=raw.whole)
    if raw.kind == "nominal":
        guess = Column(raw.name, "nominal", raw.domain, ordered=raw.ordered, role=role)
        return replace(guess, role="id") if _names_rows(raw, guess) else guess
    known, distinct = len(raw) - raw.cells.null_count(), len(raw.distinct)
    if known == 0:
        return Column(raw.name, "numeric", role=role)
    if distinct > known / 2 and median(map(_n_tokens, raw.cells.drop_nulls().to_list())) >= 5:
        return Column(raw.name, "text", role=role)
    names = distinct == known >= 10 or is_name_like(distinct, known)
    if (names or distinct > MANY_VALUES) and are_numbers_as_text(raw.cells):
        return Column(raw.name, "numeric", role=role)
    return Column(raw.name, "nominal", role="id" if names else role)


def _is_identifier(raw: RawColumn) -> bool:
    if not named_as_identifier(raw.name):
        return False
    return is_identifier(raw.name, len(raw.distinct), len(raw) - raw.cells.null_count())


def are_numbers_as_text(cells: Any) -> bool:
    """Return whether a polars series of strings holds numbers, none of them a code with leading zeros.

    Examples
    --------
    >>> import polars as pl
    >>> are_numbers_as_text(pl.Series(["31", "4.5", None])), are_numbers_as_text(pl.Series(["31", "04"]))
    (True, False)
    """
    from induce.data.type_inference import LEADING_ZERO, exact_numbers_of

    if exact_numbers_of(cells) is None:
        return False
    return not cells.str.contains(LEADING_ZERO).any()


def _names_rows(raw: RawColumn, column: Column) -> bool:
    """Return whether a nominal column identifies rows, although neither its name nor distinct values show it."""
    if column.kind != "nominal" or column.ordered or named_as_identifier(raw.name):
        return False
    known, distinct = len(raw) - raw.cells.null_count(), len(raw.distinct)
    return is_name_like(distinct, known) and (raw.kind == "nominal" or distinct < known)


def names_note(columns: Sequence[tuple[str, int, int]]) -> str:
    """Return the note about columns set aside because they identify rows, with the remedy.

    Parameters
    ----------
    columns : sequence of (str, int, int)
        Name, number of distinct values and number of rows of each column.

    Examples
    --------
    >>> print(names_note([("zip", 300, 690)]))
    column 'zip' (300 values in 690 rows) names rows rather than describing them and is set aside; to learn from it, \
give schema={'zip': 'nominal'}, or --nominal zip on the command line
    """
    found = [f"{name!r} ({distinct:,} values in {rows:,} rows)" for name, distinct, rows in columns]
    rest = len(found) - MOST_NAMED
    listed = ", ".join(found[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
    first = columns[0][0]
    how = f"give schema={{{first!r}: 'nominal'}}, or {option('nominal', first)} on the command line"
    if len(found) == 1:
        return f"column {listed} names rows rather than describing them and is set aside; to learn from it, {how}"
    return (
        f"columns {listed} name rows rather than describing them and are set aside; to learn from one, {how}"
    )


def is_identifier(name: str, distinct: int, known: int) -> bool:
    """Return whether a column is an identifier by its name and by values that are in few rows each.

    Examples
    --------
    >>> is_identifier("StoreID", 1000, 1000), is_identifier("StoreID", 5, 1000)
    (True, False)
    """
    return named_as_identifier(name) and (distinct > MOST_VALUES or known < ROWS_PER_VALUE * distinct)


def named_as_identifier(name: str) -> bool:
    """Return whether a column is named as identifiers are."""
    return bool(IDENTIFIER.search(name) or IDENTIFIER_CAMEL.search(name))


def counts_rows(cells: Any) -> bool:
    """Return whether a polars series of integers numbers its rows: 0, 1, 2, … or 1, 2, 3, …

    Examples
    --------
    >>> import polars as pl
    >>> counts_rows(pl.Series(range(1, 20))), counts_rows(pl.Series(range(5, 20))), counts_rows(pl.Series([0, 1]))
    (True, False, False)
    """
    if len(cells) < FEW_ROWS or not cells.dtype.is_integer() or cells.null_count() or cells[0] not in (0, 1):
        return False
    return cells[-1] - cells[0] == len(cells) - 1 and bool((cells.diff().drop_nulls() == 1).all())


def is_time_word(name: str) -> bool:
    """Return whether a column's name refers to time, so that consecutive integers in it may be time steps."""
    return bool(TIME_WORD.search(name))


def _n_tokens(cell: str) -> int:
    return len(cell.split())


def _with_domain(column: Column, raw: RawColumn) -> Column:
    if column.kind == "numeric" and raw.whole:
        return replace(column, whole=True)
    if column.kind != "nominal" or column.role != "input":
        return column
    if not column.domain:
        if column.ordered and not raw.domain:
            raise InputError(
                f"column {column.name!r} is ordered, but the order of its values is not declared; give them in order "
                "as its domain"
            )
        column = replace(column, domain=raw.domain or _observed(raw))
    if len(column.domain) > MOST_VALUES:
        raise InputError(
            f"column {column.name!r} has {len(column.domain):,} different values, too many for a "
            "nominal column; ignore it or group its values"
        )
    return column


def _observed(raw: RawColumn) -> tuple[Any, ...]:
    values = sorted_cells(raw.distinct).to_list()
    return tuple(_as_written(value) if isinstance(value, float) else str(value) for value in values)


def _nominal(schema: Schema) -> list[Column]:
    return [column for column in schema if column.kind == "nominal"]


def _chosen(raw: RawFrame, schema: Schema) -> list[RawColumn]:
    if raw.named:
        by_name = {column.name: column for column in raw.columns}
        absent = [column.name for column in schema.inputs() if column.name not in by_name]
        if absent and len(raw.columns) == len(schema) and schema.names() == _unnamed(len(schema)):
            note("the hypothesis was learned from an array without names; columns are matched by position")
            return [
                values for column, values in zip(schema, raw.columns, strict=True) if column.role == "input"
            ]
        if absent:
            raise InputError(
                f"column {absent[0]!r} is absent; give all columns that the hypothesis was learned from"
            )
        return [by_name[column.name] for column in schema.inputs()]
    if len(raw.columns) != len(schema):
        raise InputError(
            f"the rows have {len(raw.columns)} columns, but {len(schema)} were learned from: "
            f"{', '.join(schema.names()[:5])}{', …' if len(schema) > 5 else ''}"
        )
    return [values for column, values in zip(schema, raw.columns, strict=True) if column.role == "input"]


def _unnamed(n_columns: int) -> tuple[str, ...]:
    return tuple(f"x{j}" for j in range(n_columns))


def _numbers(raw: RawColumn, column: Column) -> Floats:
    if raw.kind == "numeric":
        return np.asarray(raw.values, dtype=np.float64)
    import polars as pl

    cells = raw.cells
    if cells.dtype in (pl.Categorical, pl.Enum):
        cells = cells.cast(pl.String)
    numbers = cells.cast(pl.Float64, strict=False)
    wrong = numbers.is_null() & cells.is_not_null()
    if wrong.any():
        raise InputError(
            f"column {column.name!r} is numeric but holds {str(cells.filter(wrong)[0])!r}; declare it nominal, or "
            "declare this a missing value"
        )
    return np.asarray(numbers.to_numpy(), dtype=np.float64)


def _texts(raw: RawColumn, column: Column) -> Any:
    import polars as pl

    if raw.kind == "numeric":
        raise InputError(f"column {column.name!r} holds text, but numbers were given; give strings")
    return raw.cells.cast(pl.String)


def _refuse_infinities(numeric: Floats, schema: Schema) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        finite = np.isfinite(numeric.sum())
    if not finite:
        for j, column in enumerate(schema):
            if np.isinf(numeric[:, j]).any():
                raise InputError(
                    f"column {column.name!r} holds infinity; replace it by a number or by a missing value"
                )
