"""Collection of selected examples from a stream of tables until there are enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.estimator import rows_at

Sample = tuple[Any, NDArray[Any]]
Chosen = Callable[[Any, NDArray[Any]], NDArray[np.integer[Any]]]


class Source:
    """A stream of tables with the classes of their rows, which may be endless.

    Parameters
    ----------
    chunks : iterable of (X, y)
        Tables with the classes of their rows.
    """

    def __init__(self, chunks: Iterable[tuple[Any, Any]]) -> None:
        self._chunks: Iterator[tuple[Any, Any]] = iter(chunks)
        self._rest: Sample | None = None
        self.looked = 0

    def collect(self, kind: Chosen, wanted: tuple[int, ...], most: int) -> list[Sample | None]:
        """Return the wanted number of examples of each kind, or those among the next `most` if they are fewer.

        Parameters
        ----------
        kind : callable
            Function that returns the kind of each example of a table, counted from 0; negative values skip
            the example.
        wanted : tuple of int
            Number of wanted examples of each kind.
        most : int
            Maximum number of examples inspected before the search is abandoned.

        Examples
        --------
        >>> source = Source([(np.arange(10)[:, None], np.arange(10) % 2)] * 2)
        >>> odd, = source.collect(lambda X, y: y - 1, (3,), 100)
        >>> odd[0][:, 0].tolist(), source.looked
        ([1, 3, 5], 6)
        """
        found: list[list[Sample]] = [[] for _ in wanted]
        left = np.array(wanted)
        self.looked = 0
        while left.any() and self.looked < most:
            X, y = self._next()
            if not len(y):
                break
            kinds = np.asarray(kind(X, y))
            last = 0
            taken: list[NDArray[np.intp]] = []
            for k, n in enumerate(left.tolist()):
                rows = np.flatnonzero(kinds == k)[:n]
                taken.append(rows)
                enough = len(rows) == n
                last = max(last, len(y) if n and not enough else int(rows[-1]) + 1 if len(rows) else 0)
            last = min(last, most - self.looked)
            for k, rows in enumerate(taken):
                rows = rows[rows < last]
                if len(rows):
                    found[k].append((rows_at(X, rows), y[rows]))
                    left[k] -= len(rows)
            self.looked += last
            if last < len(y):
                after = np.arange(last, len(y))
                self._rest = rows_at(X, after), y[after]
        return [joined(parts) if parts else None for parts in found]

    def _next(self) -> Sample:
        if self._rest is not None:
            rest, self._rest = self._rest, None
            return rest
        for X, y in self._chunks:
            classes = np.asarray(y.to_list() if hasattr(y, "to_list") else y)
            if len(classes):
                return X, classes
        return None, np.empty(0)


def joined(parts: list[Sample]) -> Sample:
    """Concatenate several tables with their classes."""
    tables = [X for X, _ in parts]
    classes = np.concatenate([y for _, y in parts])
    if len(tables) == 1:
        return tables[0], classes
    if isinstance(tables[0], np.ndarray):
        return np.concatenate(tables), classes
    if isinstance(tables[0], list):
        return [row for table in tables for row in table], classes
    if type(tables[0]).__module__.startswith("polars"):
        return reduce(lambda above, below: above.vstack(below), tables), classes
    import narwhals as nw

    return nw.concat([nw.from_native(table) for table in tables], how="vertical").to_native(), classes


def passes(X: Any, y: NDArray[Any], random: np.random.Generator) -> Iterator[tuple[Any, Any]]:
    """Yield a table repeatedly, with its rows shuffled each time."""
    while True:
        order = random.permutation(len(y))
        yield rows_at(X, order), y[order]
