"""Experts of any kind as one matrix of predicted classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.values import Value, is_missing, plain
from induce.online.classes import few

Codes = NDArray[Any]

BYTE_CODES = 255
"""Maximum number of classes for one-byte codes; the last byte stands for unknown classes."""


class Pool:
    """The experts of a learner, and their predictions for the given rows.

    Parameters
    ----------
    experts : None, mapping, sequence or array
        Experts: fitted estimators, hypotheses or functions, which predict a class for every row; or a matrix
        with a row per hypothesis and a column per instance, if the rows are the instance numbers of the
        rounds. With None, the rows are the predictions, one column per expert.
    owner : str
        Name of the learner, for error messages.

    Examples
    --------
    >>> pool = Pool({"all": lambda X: ["yes"] * len(X), "none": lambda X: ["no"] * len(X)})
    >>> pool.names, pool.predictions([[1], [2]])[1].tolist()
    (('all', 'none'), ['no', 'no'])
    """

    def __init__(self, experts: Any, owner: str = "WeightedExperts") -> None:
        self._owner = owner
        self.names: tuple[str, ...] | None = None
        self._table: NDArray[Any] | None = None
        self.asked: dict[str, Any] = {}
        if experts is None:
            return
        if isinstance(experts, Mapping):
            names, members = [str(name) for name in experts], list(experts.values())
        elif isinstance(experts, np.ndarray) or _is_sequence(experts):
            names, members = _named(list(experts))
        else:
            raise InputError(
                f"experts is {type(experts).__name__}; give a list or dict of experts, a matrix with a row for "
                "every hypothesis, or None when X holds the predictions"
            )
        if not members:
            raise InputError("experts is empty; give at least one expert")
        if len(set(names)) < len(names):
            raise InputError("two experts have the same name; give each expert a different name")
        self.names = tuple(names)
        if all(_is_sequence(member) or isinstance(member, np.ndarray) for member in members):
            self._table = _stacked(names, members)
        else:
            for name, member in zip(names, members, strict=True):
                if not (hasattr(member, "predict") or callable(member)):
                    raise TypeError(
                        f"expert {name!r} is {type(member).__name__}, which predicts nothing; give a fitted "
                        "estimator, a hypothesis or a function of the rows"
                    )
            self.asked = dict(zip(names, members, strict=True))

    def predictions(self, X: Any) -> Sequence[Any]:
        """Return one column of predicted classes per expert, or a matrix of them."""
        if self._table is not None:
            return cast(Sequence[Any], self._table[:, _instances(X, self._table.shape[1])].T)
        if not self.asked:
            return self._read(X)
        n_rows = _n_rows(X)
        columns = []
        for name, expert in self.asked.items():
            said = _answer(name, expert, X)
            if said.shape != (n_rows,):
                raise InputError(
                    f"expert {name!r} gives predictions of shape {said.shape} for {n_rows} rows; it must give "
                    "one class for every row"
                )
            columns.append(said)
        return columns

    def _read(self, X: Any) -> Sequence[Any]:
        """Read the predictions from a frame or array, and on first use also the names of the experts."""
        import narwhals as nw

        named = list(map(str, getattr(X, "columns", ())))
        if len(set(named)) < len(named):
            raise InputError("two columns of X have the same name; give each expert a different name")
        frame = nw.from_native(X, eager_only=True, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            names = tuple(map(str, frame.columns))
            columns: Any = [_cells(frame.get_column(name)) for name in frame.columns]
        else:
            matrix = _matrix(X)
            names = tuple(f"x{j}" for j in range(matrix.shape[1]))
            columns = matrix if matrix.dtype.kind in "biuf" else list(matrix.T)
        if not names:
            raise InputError(
                f"0 feature(s) (shape=({_n_rows(X)}, 0)) while a minimum of 1 is required: there are no experts; "
                "give one column of predictions for each"
            )
        if self.names is None:
            self.names = names
        elif len(names) != len(self.names):
            raise InputError(
                f"X has {len(names)} features, but {self._owner} is expecting {len(self.names)} features as input: "
                "one column of predictions for each expert"
            )
        elif names != self.names:
            raise InputError(
                f"the columns of X are not the same experts as before, which were {few(self.names)}"
            )
        return cast(Sequence[Any], columns)


class Coded:
    """The predictions of experts as class codes, block by block.

    Parameters
    ----------
    names : tuple of str
        Names of the experts.
    columns : matrix or sequence of arrays
        The predictions, one column per expert.
    classes : tuple
        The classes, which define the codes.

    Examples
    --------
    >>> coded = Coded(("a", "b"), np.array([[0, 1], [1, 1]]), (1, 0))
    >>> coded.stranger(), coded.block(0, 2).tolist()
    (None, [[1, 0], [0, 0]])
    """

    def __init__(self, names: tuple[str, ...], columns: Sequence[Any], classes: tuple[Value, ...]) -> None:
        self._names = names
        self._classes = classes
        self._columns = columns
        self._matrix = columns if isinstance(columns, np.ndarray) else None
        self.n_rows = len(columns) if self._matrix is not None else len(columns[0])
        self._dtype = np.uint8 if len(classes) <= BYTE_CODES else np.int64
        self._unknown = len(classes) if self._dtype is np.int64 else BYTE_CODES
        self._place = {value: code for code, value in enumerate(classes)}
        # nonnegative integers are their own codes
        self._as_they_are = (
            self._matrix is not None
            and self._matrix.dtype.kind in "biu"
            and self._dtype is np.uint8
            and classes == tuple(range(len(classes)))
        )
        self._whole: Codes | None = None

    def stranger(self) -> InputError | None:
        """Return an error message for a prediction that is missing or not one of the classes, or None."""
        if self._as_they_are and self._matrix is not None and self._matrix.size:
            if int(self._matrix.min()) >= 0 and int(self._matrix.max()) < len(self._classes):
                return None
            self._as_they_are = False
        if self._whole is None:
            columns = self._columns if self._matrix is None else self._matrix.T
            self._whole = np.empty((self.n_rows, len(self._names)), self._dtype)
            for i, column in enumerate(columns):
                self._whole[:, i] = self._of_column(column)
        if not self._whole.size or int(self._whole.max()) < len(self._classes):
            return None
        row, place = (int(found) for found in np.argwhere(self._whole >= len(self._classes))[0])
        name = self._names[place]
        said = self._columns[place][row] if self._matrix is None else self._matrix[row, place]
        if not _is_class(said):
            return InputError(
                f"expert {name!r} makes no prediction in row {row} (None, NaN or infinity); every expert must "
                "predict a class in every round"
            )
        return InputError(
            f"expert {name!r} predicts {plain(said)!r}, which is not one of the classes {few(self._classes)}; name "
            "all classes in the first call of partial_fit"
        )

    def other_kind(self, text: bool) -> str | None:
        """Return the first expert that predicts numbers although classes are text, or vice versa."""
        columns = self._columns if self._matrix is None else self._matrix.T
        for name, column in zip(self._names, columns, strict=True):
            if any(isinstance(value, str) != text for value in column.tolist() if _is_class(value)):
                return name
        return None

    def values(self) -> list[Value]:
        """Return all classes that an expert predicts."""
        if self._matrix is not None:
            every = np.unique(self._matrix).tolist()
        else:
            every = list(dict.fromkeys(value for column in self._columns for value in column.tolist()))
        return [value for value in every if _is_class(value)]

    def block(self, start: int, stop: int) -> Codes:
        """Return the codes of the given rows after checking that no prediction is a `stranger` to the
        classes.
        """
        if self._whole is not None:
            return self._whole[start:stop]
        return np.ascontiguousarray(cast(NDArray[Any], self._matrix)[start:stop], dtype=np.uint8)

    def _of_column(self, column: NDArray[Any]) -> Codes:
        if column.dtype.kind == "O":
            said = [self._place.get(value, self._unknown) for value in column.tolist()]
            return np.array(said, dtype=self._dtype)
        found, inverse = np.unique(column, return_inverse=True)
        codes = [self._place.get(value, self._unknown) for value in found.tolist()]
        return np.array(codes, dtype=self._dtype)[inverse]


def side_by_side(columns: Sequence[Any]) -> NDArray[Any]:
    """Return columns of predictions as one matrix that keeps every class unchanged.

    Examples
    --------
    >>> side_by_side([np.array(["a", "b"]), np.array([1, 2])]).tolist()
    [['a', 1], ['b', 2]]
    """
    if isinstance(columns, np.ndarray):
        return columns
    alike = len({column.dtype.kind for column in columns}) == 1
    return np.column_stack([column if alike else column.astype(object) for column in columns])


def _answer(name: str, expert: Any, X: Any) -> NDArray[Any]:
    """Return the predictions of an expert for the rows; an error names the expert that fails."""
    try:
        return np.asarray(expert.predict(X) if hasattr(expert, "predict") else expert(X))
    except (TypeError, ValueError) as error:
        raise InputError(f"expert {name!r} cannot predict: {' '.join(str(error).split())}") from error


def _is_class(value: Any) -> bool:
    return not is_missing(value) and value not in (np.inf, -np.inf)


def _named(members: list[Any]) -> tuple[list[str], list[Any]]:
    if members and all(
        isinstance(member, tuple) and len(member) == 2 and isinstance(member[0], str) for member in members
    ):
        return [name for name, _ in members], [expert for _, expert in members]
    return [f"expert {number}" for number in range(1, len(members) + 1)], members


def _is_sequence(thing: Any) -> bool:
    return isinstance(thing, Sequence) and not isinstance(thing, str | bytes)


def _stacked(names: list[str], members: list[Any]) -> NDArray[Any]:
    rows = [np.asarray(member) for member in members]
    for name, row in zip(names, rows, strict=True):
        if row.ndim != 1 or len(row) != len(rows[0]):
            raise InputError(
                f"expert {name!r} labels {row.size} instances, but {names[0]!r} labels {len(rows[0])}; every "
                "expert must label every instance"
            )
    return np.array(rows)


def _instances(X: Any, n_instances: int) -> NDArray[np.int64]:
    places = np.asarray(X)
    if places.ndim == 2 and places.shape[1] == 1:
        places = places[:, 0]
    whole = places.dtype.kind in "iu" or (places.dtype.kind == "f" and (places == places.round()).all())
    if places.ndim != 1 or not whole or (len(places) and not 0 <= places.min() <= places.max() < n_instances):
        raise InputError(
            f"X must name the instance of each round, whole numbers from 0 to {n_instances - 1}, because the experts "
            "are given by their labels of each instance"
        )
    return places.astype(np.int64)


def _matrix(X: Any) -> NDArray[Any]:
    try:
        matrix = np.asarray(X)
    except ValueError:
        raise InputError(
            "X has rows of different lengths; give every row a prediction of each expert"
        ) from None
    if matrix.dtype.kind in "US" and not isinstance(X, np.ndarray):
        matrix = np.asarray(X, dtype=object)
    if matrix.ndim == 0:
        raise TypeError(
            f"X is {type(X).__name__}; give a frame or array with one column of predictions for each expert, and "
            "call .toarray() on a sparse one first"
        )
    if matrix.ndim != 2:
        raise InputError(
            f"Expected 2D array, got {matrix.ndim}D array instead; Reshape your data to one row for each round and "
            "one column of predictions for each expert"
        )
    return matrix


def _cells(series: Any) -> NDArray[Any]:
    cells = series.to_list()
    # numpy would turn a missing cell among text into text
    if not any(map(is_missing, cells)):
        column = np.asarray(cells)
        if column.dtype.kind in "biufU":
            return column
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def _n_rows(X: Any) -> int:
    if not hasattr(X, "shape") and not hasattr(X, "__len__"):
        raise TypeError(f"X is {type(X).__name__}; give a frame or array with one row for each round")
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
