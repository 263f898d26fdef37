"""Target of a table larger than memory: classes or numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.pass_results import stored_by
from induce.core.values import Value
from induce.data.table import MOST_VALUES


class Goal:
    """Running statistics of a target.

    Parameters
    ----------
    name : str or None
        Target; None if there is none.
    numbers : bool or None
        Whether the target is numeric. It becomes numeric at the first fraction, or with too many distinct
        integers. None rejects numeric targets that are not classes.

    Examples
    --------
    >>> goal = Goal("price", numbers=False)
    >>> goal.look(pl.Series("price", [1.5, 2.0]), pl.Series([10, 5]))
    >>> goal.numbers, goal.known
    (True, 15)
    """

    def __init__(self, name: str | None, numbers: bool | None) -> None:
        self.name, self.numbers = name, numbers
        self.known = 0
        self._rows: Counter[Any] = Counter()

    def look(self, cells: pl.Series, counts: pl.Series) -> None:
        """Add the distinct target cells of the given rows, typed, with their counts."""
        known = cells.drop_nulls()
        self.known += int(counts.filter(cells.is_not_null()).sum())
        if self.numbers or not len(known):
            return
        if known.dtype.is_float() and not (known == known.floor()).all():
            if self.numbers is None:
                raise InputError(
                    f"the target {self.name!r} contains fractions, but a class target is required; "
                    "discretise it"
                )
            self._become_numbers()
            return
        if known.dtype in (pl.Enum, pl.Categorical):
            known = known.cast(pl.String)
        for value, count in zip(known, counts.filter(cells.is_not_null()), strict=True):
            self._rows[value] += count
        if self.numbers is False and len(self._rows) > MOST_VALUES and known.dtype.is_numeric():
            self._become_numbers()

    def _become_numbers(self) -> None:
        odd = next((value for value in self._rows if isinstance(value, str)), None)
        if odd is not None:
            raise InputError(
                f"the target {self.name!r} contains both {odd!r} and numbers; make all of them "
                "numbers, or all classes"
            )
        self.numbers, self._rows = True, Counter()

    def join(self, later: Goal) -> None:
        """Add the statistics of the target in later rows."""
        self.known += later.known
        self._rows += later._rows
        if later.numbers or self.numbers:
            self._become_numbers()

    def settle(self, n_rows: int) -> None:
        """Issue a note about rows without a target; raise an error if no row has one."""
        if self.name is None:
            return
        if not self.known:
            raise InputError(f"the target {self.name!r} is missing in every row; give labelled rows")
        if n_rows > self.known:
            lost = n_rows - self.known
            note(f"{lost:,} of {n_rows:,} rows have no value of the target {self.name!r} and are left out")

    def classes(self, declared: Sequence[Value]) -> tuple[tuple[Value, ...], NDArray[np.int64]]:
        """Return the classes in declared order, or sorted, and the row count of each; empty if numbers are
        predicted."""
        rows = self._rows
        if self.name is None or self.numbers:
            return (), np.zeros(0, np.int64)
        if len(rows) > MOST_VALUES:
            raise InputError(f"the target has {len(rows):,} different classes, too many to learn; group them")
        if len({isinstance(value, str) for value in rows}) > 1:
            raise InputError(
                "the target contains both text and numbers; make all classes text or all of them numbers"
            )
        ordered = tuple(sorted(rows))
        if declared:
            order = [str(value) for value in declared]
            odd = next((value for value in rows if str(value) not in order), None)
            if odd is not None:
                raise InputError(
                    f"the target contains {odd!r}, which is not among its declared values; declare it"
                )
            ordered = tuple(sorted(rows, key=lambda value: order.index(str(value))))
        return ordered, np.array([rows[value] for value in ordered], np.int64)


def _restored(parts: dict[str, Any]) -> Goal:
    goal = Goal(parts["name"], parts["numbers"])
    goal.known, goal._rows = parts["known"], Counter(dict(parts["rows"]))
    return goal


stored_by(
    Goal,
    lambda goal: {
        "name": goal.name,
        "numbers": goal.numbers,
        "known": goal.known,
        "rows": list(goal._rows.items()),
    },
    _restored,
)


def numbers_in(cells: pl.Series) -> NDArray[np.float64]:
    """Return the numbers of a target; NaN if missing.

    Examples
    --------
    >>> numbers_in(pl.Series("price", [1, None, 3])).tolist()
    [1.0, nan, 3.0]
    """
    found = cells.cast(pl.Float64, strict=False)
    if found.null_count():
        found = found.fill_null(float("nan"))
    numbers = found.to_numpy()
    if np.isinf(numbers).any():
        raise InputError(
            f"the target {cells.name!r} contains an infinite number; leave the row out, or declare it missing"
        )
    return numbers
