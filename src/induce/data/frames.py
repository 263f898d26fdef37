"""Any frame or array as a list of plain columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.values import is_missing, plain

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RawColumn:
    """One column before its kind is settled.

    `values` is a float64 array when the column holds numbers (`kind` "numeric"), otherwise a list of strings
    or other nominal values with None for missing (`kind` "nominal" when the frame declares a `domain` or the
    values are booleans, "string" when nothing is declared).
    """

    name: str
    kind: str
    values: Any
    domain: tuple[Any, ...] = ()
    ordered: bool = False
    temporal: str = ""

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class RawFrame:
    """The columns of a frame or an array; `named` says whether the names are the user's."""

    columns: tuple[RawColumn, ...]
    n_rows: int
    named: bool
    matrix: Floats | None = None


def raw_frame(X: Any) -> RawFrame:
    """Take apart a dataframe (pandas, polars, pyarrow, …), an array or nested lists."""
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
    columns = tuple(
        _from_series(name, frame.get_column(key)) for name, key in zip(names, frame.columns, strict=True)
    )
    return RawFrame(columns, len(frame), named=True)


def _named_twice(names: list[str]) -> InputError:
    repeated = next(name for name in names if names.count(name) > 1)
    return InputError(f"two columns are called {repeated!r}; give every column a name of its own")


def _from_series(name: str, series: Any) -> RawColumn:
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric():
        return RawColumn(name, "numeric", _floats(series))
    if isinstance(dtype, nw.Enum | nw.Categorical):
        return RawColumn(name, "nominal", series, _categories(series), ordered=_is_ordered(series))
    if isinstance(dtype, nw.String):
        return RawColumn(name, "string", series)
    if isinstance(dtype, nw.Boolean):
        return RawColumn(name, "nominal", series, (False, True))
    if isinstance(dtype, nw.Date | nw.Datetime):
        return RawColumn(name, "numeric", _floats(series.dt.timestamp("ms")) / 86_400_000, temporal="days")
    if isinstance(dtype, nw.Duration):
        return RawColumn(name, "numeric", _floats(series.dt.total_microseconds()) / 1e6)
    if isinstance(dtype, nw.Object | nw.Unknown):
        return _from_cells(name, series.to_list())
    raise InputError(
        f"column {name!r} holds {dtype} cells, which no learner can use; ignore it or turn it into plain "
        "columns"
    )


def _categories(series: Any) -> tuple[Any, ...]:
    native = series.to_native()
    if type(native).__module__.startswith("polars"):
        import polars as pl

        if native.dtype == pl.Enum:
            return tuple(native.dtype.categories)
        # a polars Categorical shares its categories with every other one: only its own values are its domain
        return tuple(native.drop_nulls().unique().cast(pl.String).sort())
    if hasattr(native, "cat"):
        return tuple(plain(value) for value in native.cat.categories)
    return tuple(native.unify_dictionaries().chunk(0).dictionary.to_pylist()) if len(native) else ()


def _is_ordered(series: Any) -> bool:
    native = series.to_native()
    dtype = getattr(native, "dtype", None) or getattr(native, "type", None)
    return bool(getattr(dtype, "ordered", False))


def _floats(series: Any) -> Floats:
    import narwhals as nw

    return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)


def _from_array(X: Any) -> RawFrame:
    array = np.asarray(X)
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
        columns = tuple(RawColumn(name, "numeric", matrix[:, j]) for j, name in enumerate(names))
        return RawFrame(columns, n_rows, named=False, matrix=matrix)
    cells = array.astype(object)
    return RawFrame(
        tuple(_from_cells(name, cells[:, j].tolist()) for j, name in enumerate(names)), n_rows, named=False
    )


def _from_cells(name: str, cells: Sequence[Any]) -> RawColumn:
    known = [plain(cell) for cell in cells if not is_missing(cell)]
    for cell in known:
        if not isinstance(cell, str | int | float | bool):
            raise TypeError(
                f"every cell argument must be a string or a number, but column {name!r} holds a "
                f"{type(cell).__name__}"
            )
    values = [None if is_missing(cell) else plain(cell) for cell in cells]
    if known and all(isinstance(cell, bool) for cell in known):
        return RawColumn(name, "nominal", values, (False, True))
    if all(isinstance(cell, int | float) for cell in known):
        return RawColumn(
            name, "numeric", np.array([np.nan if v is None else v for v in values], dtype=np.float64)
        )
    return RawColumn(name, "string", [None if value is None else str(value) for value in values])
