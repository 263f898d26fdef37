"""Sequences of observations, from a frame, lists, or concatenated rows with lengths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.cells import ranks
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import is_missing
from induce.data.frames import RawColumn, RawFrame, raw_frame
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.data.table import UNSEEN, encoded_columns
from induce.hypotheses.naming import plural

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Places = NDArray[np.int64]

LARGEST = 1e100
"""Maximum absolute value of a number, whose square must be finite."""


@dataclass(frozen=True, eq=False)
class Steps:
    """Encoded observations of concatenated sequences.

    Parameters
    ----------
    codes : array of int32, shape (steps, nominal columns)
        Codes; negative if missing.
    numbers : array of float64, shape (steps, numeric columns)
        Numbers; NaN if missing.
    offsets : array of int64
        Start of each sequence, and end of the last.
    labels : array of int32
        State of each labelled step, -1 elsewhere.
    """

    codes: Codes
    numbers: Floats
    offsets: Places
    labels: Codes

    def __len__(self) -> int:
        return len(self.codes)

    def n_observed(self) -> int:
        """Return the number of steps with an observation."""
        return int(((self.codes >= 0).any(axis=1) | ~np.isnan(self.numbers).all(axis=1)).sum())


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences of observations; construct them by `Sequences.of`.

    Parameters
    ----------
    raw : RawFrame
        Observations, in the rows of the given table.
    rows : array of int64
        Row of each step, for the concatenated sequences.
    offsets : array of int64
        Start of each sequence among `rows`, and end of the last.
    names : tuple
        Name of each sequence.
    labels : RawColumn or None
        Known states of the rows.
    sequence, order : str
        Columns that identify the sequence of a row and its position in it.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"day": ["a", "b", "a"], "hour": [2, 1, 1], "sky": ["grey", "blue", "red"]})
    >>> Sequences.of(frame, sequence="day", order="hour")
    Sequences(2 sequences, 3 steps of sky)
    >>> Sequences.of([["H", "T", "T"], ["T", "T"]])
    Sequences(2 sequences, 5 steps of x0)
    """

    raw: RawFrame
    rows: Places
    offsets: Places
    names: tuple[Any, ...]
    labels: RawColumn | None = None
    sequence: str = ""
    order: str = ""

    @classmethod
    def of(
        cls,
        X: Any,
        *,
        sequence: str = "",
        order: str = "",
        state: str | Sequence[Any] | None = None,
        lengths: Iterable[int] | None = None,
    ) -> Sequences:
        """Build sequences from a frame, lists or an array.

        Parameters
        ----------
        X : frame, list or array
            A frame or an array has one row per step. A list holds sequences, which are lists of values or of rows of
            values; a list of values is a single sequence.
        sequence : str
            Column of a frame that identifies the sequence of a row; without it the frame is one sequence.
        order : str
            Column of a frame that gives the position in the sequence; without it, rows are in order.
        state : str or sequence, optional
            Column with the state of each row, or a list of states (for a list of sequences, one list each);
            missing if unknown.
        lengths : sequence of int, optional
            Lengths of the concatenated sequences.

        Examples
        --------
        >>> import numpy as np
        >>> Sequences.of(np.zeros((5, 2)), lengths=[2, 3])
        Sequences(2 sequences, 5 steps of x0, x1)
        """
        if isinstance(X, Sequences):
            return X
        if isinstance(X, list | tuple):
            raw, counted, nested = _from_lists(X)
            if nested and lengths is not None:
                raise InputError("lengths are for concatenated rows; omit them for a list of sequences")
            lengths = counted if nested else lengths
        else:
            raw = raw_frame(X.reshape(-1, 1) if isinstance(X, np.ndarray) and X.ndim == 1 else X)
        labels, raw = _labels(raw, state)
        found = cls(raw, np.arange(raw.n_rows), np.array([0, raw.n_rows]), ("",), labels)
        if lengths is not None:
            if sequence or order:
                raise InputError(
                    "lengths and the columns of sequence and order are both given; give only one of the two"
                )
            return replace(found, **_cut(lengths, raw.n_rows))
        if raw.n_rows == 0:
            raise InputError("the sequence is empty; give at least one step")
        return _by_columns(found, sequence, order) if sequence or order else found

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Places]:
        """Yield the rows of each sequence, in order."""
        for begin, end in zip(self.offsets, self.offsets[1:], strict=False):
            yield self.rows[begin:end]

    def __repr__(self) -> str:
        columns = ", ".join(column.name for column in self.raw.columns)
        return f"Sequences({plural(len(self), 'sequence')}, {plural(len(self.rows), 'step')} of {columns})"

    def steps(self, schema: Schema, labels: Codes | None = None) -> Steps:
        """Return the encoded observations; values not in the schema are ignored, with a note."""
        codes, numbers = [], []
        for column, cells in zip(schema.inputs(), encoded_columns(self.raw, schema), strict=True):
            if column.kind == "numeric":
                if (np.abs(cells) > LARGEST).any():
                    raise InputError(
                        f"column {column.name!r} contains numbers beyond {LARGEST:g}; scale it down"
                    )
                numbers.append(cells)
                continue
            n = int((cells == UNSEEN).sum())
            if n:
                note(
                    f"{plural(n, 'step')} with a value of {column.name!r} not seen in training; taken "
                    "as missing"
                )
            codes.append(cells)
        n = len(self.rows)
        return Steps(
            np.ascontiguousarray(np.array(codes, np.int32).reshape(len(codes), n).T[self.rows]),
            np.ascontiguousarray(np.array(numbers, np.float64).reshape(len(numbers), n).T[self.rows]),
            np.asarray(self.offsets, np.int64),
            np.full(n, -1, np.int32) if labels is None else labels[self.rows].astype(np.int32),
        )

    def in_rows(self, cells: NDArray[Any]) -> NDArray[Any]:
        """Return results per step in the order of the given rows."""
        found = np.empty_like(cells)
        found[self.rows] = cells
        return found


def _from_lists(X: Sequence[Any]) -> tuple[RawFrame, list[int], bool]:
    """Return the columns of a list, the lengths of the sequences in it, and whether there are several."""
    if not len(X):
        raise InputError("there are no sequences; give at least one")
    nested = [_is_sequence(each) for each in X]
    if not any(nested):
        return raw_frame(_column(X)), [len(X)], False
    if not all(nested):
        place = nested.index(False)
        raise InputError(
            f"sequence {place + 1} is {X[place]!r}, not a list; give a list of sequences, or one of values"
        )
    lengths = [len(each) for each in X]
    if 0 in lengths:
        raise InputError(f"sequence {lengths.index(0) + 1} is empty; leave it out")
    steps = [step for each in X for step in each]
    inner = [_is_sequence(step) for step in steps]
    return raw_frame(np.array(steps, object) if all(inner) else _column(steps)), lengths, True


def _column(cells: Sequence[Any]) -> NDArray[Any]:
    column = np.empty((len(cells), 1), object)
    column[:, 0] = list(cells)
    return column


def _is_sequence(thing: Any) -> bool:
    return hasattr(thing, "__len__") and not isinstance(thing, str | bytes)


def _labels(raw: RawFrame, state: str | Sequence[Any] | None) -> tuple[RawColumn | None, RawFrame]:
    """Return the states of the rows, and the other columns."""
    if state is None or (isinstance(state, str) and not state):
        return None, raw
    if isinstance(state, str):
        column = _column_named(raw, state)
        return column, _without(raw, {state})
    cells = list(state)
    if any(map(_is_sequence, cells)):
        cells = [cell for each in cells for cell in each]
    if len(cells) != raw.n_rows:
        raise InputError(f"there are {len(cells)} states for {raw.n_rows} steps; give one per step, or None")
    return raw_frame(_column(cells)).columns[0], raw


def _column_named(raw: RawFrame, name: str) -> RawColumn:
    for column in raw.columns:
        if column.name == name:
            return column
    raise unknown("column", name, [column.name for column in raw.columns])


def _without(raw: RawFrame, names: set[str]) -> RawFrame:
    return RawFrame(
        tuple(column for column in raw.columns if column.name not in names), raw.n_rows, raw.named
    )


def _cut(lengths: Iterable[int], n_rows: int) -> dict[str, Any]:
    """Return the parts of `Sequences` given by lengths."""
    given = list(lengths)
    if not all(isinstance(length, int | np.integer) and length >= 0 for length in given):
        raise InputError(
            "lengths contains a value that is not a whole number; give the number of rows of each sequence"
        )
    if 0 in given:
        raise InputError(f"sequence {given.index(0) + 1} is empty; leave it out")
    if sum(given) != n_rows:
        raise InputError(
            f"lengths sum to {sum(given)}, but there are {n_rows} rows; give lengths that sum to this number"
        )
    offsets = np.concatenate([[0], np.cumsum(given)]).astype(np.int64)
    return {"offsets": offsets, "names": tuple(range(1, len(given) + 1))}


def _by_columns(found: Sequences, sequence: str, order: str) -> Sequences:
    """Return the sequences given by two columns, in the order of their first rows."""
    raw = found.raw
    codes, names = np.zeros(raw.n_rows, np.int64), [""]
    if sequence:
        cells = _known(_column_named(raw, sequence))
        place: dict[Any, int] = {}
        codes = np.array([place.setdefault(cell, len(place)) for cell in cells.to_list()], np.int64)
        names = list(place)
    keys: NDArray[Any] = np.arange(raw.n_rows)
    if order:
        keys = ranks(_known(_column_named(raw, order)))
    rows = np.lexsort([keys, codes])
    if order:
        tied = (np.diff(keys[rows]) == 0) & (np.diff(codes[rows]) == 0)
        if tied.any():
            first, second = sorted(rows[int(tied.argmax()) : int(tied.argmax()) + 2].tolist())
            raise InputError(
                f"rows {first + 1} and {second + 1} have the same {order!r} in one sequence; give each "
                "its own position"
            )
    offsets = np.concatenate([[0], np.cumsum(np.bincount(codes))]).astype(np.int64)
    others = _without(raw, {name for name in (sequence, order) if name})
    if not others.columns:
        raise InputError(
            "there is no column of observations besides the sequence, order and state columns; add one"
        )
    return Sequences(others, rows, offsets, tuple(names), found.labels, sequence, order)


def _known(column: RawColumn) -> Any:
    """Return the cells of a column without missing values."""
    missing = [row for row, cell in enumerate(column.cells.to_list()) if is_missing(cell)]
    if missing:
        raise InputError(
            f"column {column.name!r} is missing in row {missing[0] + 1}; give every row its place in a "
            "sequence"
        )
    return column.cells
