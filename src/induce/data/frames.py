"""Conversion of any frame or array to a list of plain columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.cells import distinct, sorted_cells
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import is_missing, plain

Floats = NDArray[np.float64]

EXACT = 2**53
"""Every whole number up to here is a float."""
MOST_BITS = 1023
"""Number of bits of the largest whole number that is surely not beyond all floats."""
# cells of these types need no inspection; other columns are inspected cell by cell
PLAIN = frozenset({str, int, bool, NoneType})
NUMBERS = frozenset({int, float, NoneType})
# arrow's names of types that polars accepts unchanged
ARROW_PLAIN = frozenset({"string", "large_string", "bool"})


@dataclass(frozen=True)
class RawColumn:
    """One column before its kind is inferred.

    `values` is a float64 array when the column holds numbers (`kind` "numeric"), otherwise a narwhals series or a
    list of strings or other nominal values with None for missing (`kind` "nominal" when the frame declares a
    `domain` or the values are booleans, "string" when nothing is declared).
    """

    name: str
    kind: str
    values: Any
    domain: tuple[Any, ...] = ()
    ordered: bool = False
    temporal: str = ""
    unit: str = ""
    whole: bool = False
    """Whether the numbers were given as integers or dates, so that there are no values between consecutive ones."""
    inexact: str = ""
    """A number of the column that a float cannot hold, so that its cells are strings."""

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def cells(self) -> Any:
        """Values as a polars series, with nulls for missing values."""
        try:
            return _as_polars(self.values)
        except UnicodeEncodeError:
            raise InputError(
                f"column {self.name!r} contains an invalid character (a lone surrogate), which files "
                "cannot store; repair its text"
            ) from None

    @cached_property
    def distinct(self) -> Any:
        """The distinct non-missing values, unordered, as a polars series."""
        return distinct(self.cells)


@dataclass(frozen=True)
class RawFrame:
    """Columns of a frame or an array; `named` if the user named them.

    `flagged` lists categorical columns that the frame flags as ordered, probably unintentionally.
    """

    columns: tuple[RawColumn, ...]
    n_rows: int
    named: bool
    matrix: Floats | None = None
    flagged: tuple[str, ...] = ()

    def tell_flagged(self) -> None:
        """Issue a note about ignored order flags if an order would matter."""
        if any(column.name in self.flagged and len(column.domain) > 2 for column in self.columns):
            note(
                "every categorical column of the frame is flagged as ordered, as polars does, so the "
                f"flags are ignored; to order one, give schema={{{self.flagged[0]!r}: {{'ordered': "
                "True}}"
            )


def raw_frame(X: Any) -> RawFrame:
    """Split a dataframe (pandas, polars, pyarrow, …), an array or nested lists into columns."""
    if _is_sparse(X):
        raise TypeError(
            "this learner needs dense rows: a sparse matrix was passed, call .toarray() on it first"
        )
    frame = _as_narwhals(X)
    if frame is not None:
        return _from_narwhals(frame)
    return _from_array(X)


def _is_sparse(X: Any) -> bool:
    return type(X).__module__.startswith("scipy.sparse")


def _as_narwhals(X: Any) -> Any:
    if isinstance(X, np.ndarray | list | tuple):
        return None
    import narwhals as nw

    try:
        frame = nw.from_native(X, pass_through=True)
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in X.columns]
        raise _named_twice(names) from None
    if isinstance(frame, nw.LazyFrame):
        return frame.collect()
    return frame if isinstance(frame, nw.DataFrame) else None


def _from_narwhals(frame: Any) -> RawFrame:
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise _named_twice(names)
    series = [_plain_series(frame.get_column(key)) for key in frame.columns]
    ordered = ordered_by_user(names, series)
    columns = tuple(
        _from_series(name, each, name in ordered) for name, each in zip(names, series, strict=True)
    )
    flagged = [name for name, each in zip(names, series, strict=True) if _is_ordered(each)]
    return RawFrame(columns, len(frame), named=True, flagged=() if ordered else tuple(flagged))


def ordered_by_user(names: Sequence[str], series: Sequence[Any]) -> frozenset[str]:
    """Return the categorical columns whose order was chosen by the user.

    polars flags every `Enum` that it exports to pandas or arrow as ordered. The flag is therefore meaningful
    only if another categorical column lacks it, or if the only categorical column has an unsorted domain.
    """
    import narwhals as nw

    categorical = [
        (name, each)
        for name, each in zip(names, series, strict=True)
        if isinstance(each.dtype, nw.Enum | nw.Categorical)
    ]
    flagged = [(name, each) for name, each in categorical if _is_ordered(each)]
    if not flagged:
        return frozenset()
    if len(flagged) < len(categorical):
        return frozenset(name for name, _ in flagged)
    if len(flagged) == 1:
        domain = _categories(flagged[0][1])
        if len(domain) > 2 and list(domain) != sorted(domain, key=str):
            return frozenset([flagged[0][0]])
    return frozenset()


def _named_twice(names: list[str]) -> InputError:
    repeated = next(name for name in names if names.count(name) > 1)
    return InputError(f"two columns are called {repeated!r}; give every column its own name")


def plain_frame(frame: Any) -> Any:
    """Return a narwhals frame with column types that every frame library supports; see `_plain_series`."""
    columns = [frame.get_column(key) for key in frame.columns]
    changed = [after for each in columns if (after := _plain_series(each)) is not each]
    return frame.with_columns(*changed) if changed else frame


def _plain_series(series: Any) -> Any:
    """Return a pandas column of periods as their start times; return unusual categories as their values."""
    import narwhals as nw

    native = series.to_native()
    kind = str(getattr(native, "dtype", ""))
    if kind.startswith("period"):
        return nw.from_native(native.dt.to_timestamp(), series_only=True)
    if kind == "category" and hasattr(native, "cat"):
        listed = str(native.cat.categories.dtype)
        if listed.startswith("interval"):
            return nw.from_native(native.cat.rename_categories(str), series_only=True)
        if listed.startswith(("datetime", "timedelta")):
            return nw.from_native(native.astype(native.cat.categories.dtype), series_only=True)
    return series


def _from_series(name: str, series: Any, ordered: bool) -> RawColumn:
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_integer() and max(-(series.min() or 0), series.max() or 0) > EXACT:
        return _from_cells(name, series.to_list())
    if dtype.is_numeric():
        return RawColumn(name, "numeric", _floats(series), whole=dtype.is_integer())
    if isinstance(dtype, nw.Enum | nw.Categorical):
        return RawColumn(name, "nominal", series, _categories(series), ordered=ordered)
    if isinstance(dtype, nw.String):
        return RawColumn(name, "string", series)
    if isinstance(dtype, nw.Boolean):
        return RawColumn(name, "nominal", series, (False, True))
    if isinstance(dtype, nw.Date | nw.Datetime):
        days = _floats(series.dt.timestamp("ms")) / 86_400_000
        return RawColumn(name, "numeric", days, temporal="days", whole=isinstance(dtype, nw.Date))
    if isinstance(dtype, nw.Duration):
        return RawColumn(name, "numeric", _floats(series.dt.total_microseconds()) / 1e6, unit="s")
    if isinstance(dtype, nw.Object | nw.Unknown):
        return _from_cells(name, series.to_list())
    raise InputError(
        f"column {name!r} holds {dtype} cells, which no learner supports; ignore it or convert it to "
        "plain columns"
    )


def _categories(series: Any) -> tuple[Any, ...]:
    native = series.to_native()
    if type(native).__module__.startswith("polars"):
        import polars as pl

        if native.dtype == pl.Enum:
            return tuple(native.dtype.categories)
        # polars Categorical columns share one set of categories: only the values that occur form the domain
        return tuple(sorted_cells(distinct(native)))
    if hasattr(native, "cat"):
        return tuple(plain(value) for value in native.cat.categories)
    listed = native.unify_dictionaries().chunk(0).dictionary.to_pylist() if len(native) else ()
    return tuple(value for value in listed if value is not None)


def _is_ordered(series: Any) -> bool:
    native = series.to_native()
    dtype = getattr(native, "dtype", None) or getattr(native, "type", None)
    return bool(getattr(dtype, "ordered", False))


def _floats(series: Any) -> Floats:
    import narwhals as nw

    return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)


def _from_array(X: Any) -> RawFrame:
    try:
        array = np.asarray(X)
    except ValueError:
        raise InputError("X has rows of different lengths; give every row the same columns") from None
    if array.dtype.kind == "U" and not isinstance(
        X, np.ndarray
    ):  # conversion to an array would turn numbers in rows with text into text
        array = np.asarray(X, dtype=object)
    if array.dtype.kind == "c":
        raise InputError("Complex data not supported: give real numbers")
    if array.ndim != 2:
        raise InputError(
            f"Expected 2D array, got {array.ndim}D array instead; Reshape your data into rows and columns, "
            "for example with array.reshape(-1, 1) for one column"
        )
    n_rows, n_columns = array.shape
    names = [f"x{j}" for j in range(n_columns)]
    if array.dtype.kind in "iuf":
        matrix = np.ascontiguousarray(array, dtype=np.float64)
        whole = array.dtype.kind != "f"
        if whole and (np.abs(matrix) >= EXACT).any() and _rounded(array.ravel().tolist()) is not None:
            cells = array.astype(object)
            lists = (cells[:, j].tolist() for j in range(n_columns))
            return RawFrame(tuple(map(_from_cells, names, lists)), n_rows, named=False)
        columns = tuple(RawColumn(name, "numeric", matrix[:, j], whole=whole) for j, name in enumerate(names))
        return RawFrame(columns, n_rows, named=False, matrix=matrix)
    if array.dtype.kind in "mM":
        return RawFrame(
            tuple(_from_times(name, array[:, j]) for j, name in enumerate(names)), n_rows, named=False
        )
    cells = array.astype(object)
    return RawFrame(
        tuple(_from_cells(name, cells[:, j].tolist()) for j, name in enumerate(names)), n_rows, named=False
    )


def _from_times(name: str, cells: NDArray[Any]) -> RawColumn:
    """Return a column of NumPy's dates or durations."""
    if cells.dtype.kind == "m":
        seconds = cells.astype("timedelta64[us]").astype(np.float64) / 1e6
        return RawColumn(name, "numeric", np.where(np.isnat(cells), np.nan, seconds), unit="s")
    days = cells.astype("datetime64[us]").astype(np.float64) / 86_400_000_000
    whole = np.datetime_data(cells.dtype)[0] in ("D", "W", "M", "Y")
    return RawColumn(name, "numeric", np.where(np.isnat(cells), np.nan, days), temporal="days", whole=whole)


def _from_cells(name: str, cells: Sequence[Any]) -> RawColumn:
    known = [cell for cell in cells if not is_missing(cell)]
    if known and all(isinstance(cell, date) for cell in known):  # datetimes are dates, too
        times = np.array(
            [None if is_missing(cell) else _without_zone(cell) for cell in cells], "datetime64[us]"
        )
        found = _from_times(name, times)
        return replace(found, whole=not any(isinstance(cell, datetime) for cell in known))
    kinds = set(map(type, cells))
    if not (kinds <= PLAIN or kinds <= NUMBERS):
        cells = [cell if type(cell) in PLAIN else _checked(name, cell) for cell in cells]
        kinds = set(map(type, cells))
    kinds.discard(NoneType)
    if kinds == {bool}:
        return RawColumn(name, "nominal", cells, (False, True))
    if all(issubclass(kind, int | float) for kind in kinds):
        if any(isinstance(cell, int) and cell.bit_length() > MOST_BITS for cell in cells):
            raise InputError(f"column {name!r} holds an integer that is too large; scale the column")
        lost = _rounded(cells)
        if lost is not None:
            return RawColumn(name, "string", _as_text(cells), inexact=lost)
        return RawColumn(name, "numeric", np.array(cells, dtype=np.float64), whole=kinds == {int})
    return RawColumn(name, "string", _as_text(cells))


def _as_text(cells: Sequence[Any]) -> list[str | None]:
    return [None if is_missing(cell) else str(cell) for cell in cells]


def _rounded(cells: Sequence[Any]) -> str | None:
    """Return the first whole number that a float cannot hold, as text; None if there is none."""
    wholes = (cell for cell in cells if isinstance(cell, int) and abs(cell) > EXACT)
    return next((str(cell) for cell in wholes if int(float(cell)) != cell), None)


def _without_zone(cell: date) -> date:
    """Return a time with a zone as a naive time in UTC, like all time columns."""
    if isinstance(cell, datetime) and cell.tzinfo is not None:
        return cell.astimezone(UTC).replace(tzinfo=None)
    return cell


def _checked(name: str, cell: Any) -> Any:
    if is_missing(cell):
        return None
    if isinstance(cell, Decimal):
        return float(cell)
    value = plain(cell)
    if not isinstance(value, str | int | float | bool):
        raise TypeError(
            f"every cell argument must be a string or a number, but column {name!r} holds a "
            f"{type(value).__name__}"
        )
    return value


def _as_polars(values: Any) -> Any:
    import narwhals as nw
    import polars as pl

    if isinstance(values, np.ndarray):
        return pl.Series(values, nan_to_null=True)
    if isinstance(values, nw.Series):
        native = values.to_native()
        if isinstance(native, pl.Series):
            return native
        if type(native).__module__.startswith("pyarrow"):
            plain_type = getattr(native.type, "value_type", native.type)  # types listed in a dictionary
            if str(plain_type) in ARROW_PLAIN:
                return pl.Series(native.cast(plain_type))
        values = values.to_list()
        if not set(map(type, values)) <= PLAIN:
            values = [None if is_missing(value) else value for value in values]
    return pl.Series(values, strict=False)
