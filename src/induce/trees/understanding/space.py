"""The instance space, divided into the cells that some tests distinguish."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.schema import Column
from induce.hypotheses.conditions import Condition, NominalCondition, NumericCondition, interval, one_of

Part = tuple[int, ...] | range
"""Some cells of an axis: any values of a nominal attribute, adjacent intervals of a numeric one."""


@dataclass(frozen=True)
class Axis:
    """The cells of one attribute: its declared values, or the intervals between thresholds.

    Parameters
    ----------
    name : str
        Name of the attribute.
    values : tuple
        The values of a nominal attribute.
    cuts : tuple of float
        The thresholds of a numeric attribute in ascending order; each belongs to the interval below it.

    Examples
    --------
    >>> Axis("age", cuts=(20.0, 30.0)).whole
    range(0, 3)
    """

    name: str
    values: tuple[Value, ...] | None = None
    cuts: tuple[float, ...] = ()

    @property
    def whole(self) -> Part:
        """All cells."""
        return range(len(self.cuts) + 1) if self.values is None else tuple(range(len(self.values)))

    def below(self, part: range, threshold: float) -> tuple[range, range]:
        """Split intervals into those up to a threshold, which must be one of the cuts, and those above."""
        middle = min(max(bisect_left(self.cuts, threshold) + 1, part.start), part.stop)
        return range(part.start, middle), range(middle, part.stop)

    def satisfying(self, condition: Condition) -> Part:
        """Return the cells that satisfy a condition whose thresholds are among the cuts."""
        match condition:
            case NominalCondition(accepted=accepted):
                return tuple(cell for cell, value in enumerate(self.values or ()) if value in accepted)
            case NumericCondition(bounds=(low, high)):
                start = 0 if low == -math.inf else bisect_left(self.cuts, low) + 1
                stop = len(self.cuts) if high == math.inf else bisect_left(self.cuts, high)
                return range(start, stop + 1)
        raise InputError(f"a tree cannot test whether {condition}; give conditions on single attributes")

    def condition(self, part: Part) -> Condition | None:
        """Return the condition that describes the given cells; None for all cells."""
        if len(part) == len(self.whole):
            return None
        if self.values is not None:
            return one_of(self.name, tuple(self.values[cell] for cell in part))
        ends = (-math.inf, *self.cuts, math.inf)
        return interval(self.name, ends[part[0]], ends[part[-1] + 1])


def axes(columns: Iterable[Column], thresholds: Mapping[str, Iterable[float]]) -> dict[str, Axis]:
    """Return the axes of the columns; a column may occur again with other declared values.

    Examples
    --------
    >>> weak, strong = Column("wind", "nominal", ("weak",)), Column("wind", "nominal", ("strong",))
    >>> axes([weak, strong], {})["wind"].values
    ('weak', 'strong')
    """
    found: dict[str, Axis] = {}
    for column in columns:
        nominal = column.kind == "nominal"
        known = found.get(column.name)
        if known is not None and (known.values is not None) != nominal:
            raise InputError(
                f"column {column.name!r} is nominal in one tree and numeric in the other; learn both "
                "trees from the same kinds"
            )
        if nominal:
            earlier = known.values if known is not None and known.values is not None else ()
            found[column.name] = Axis(column.name, tuple(dict.fromkeys((*earlier, *column.domain))))
        else:
            found[column.name] = Axis(column.name, cuts=tuple(sorted(set(thresholds.get(column.name, ())))))
    return found


def common(one: Part, other: Part) -> Part:
    """Return the cells in both parts of an axis.

    Examples
    --------
    >>> common((0, 2), (1, 2)), common(range(0, 3), range(1, 5))
    ((2,), range(1, 3))
    """
    if isinstance(one, range) and isinstance(other, range):
        return range(max(one.start, other.start), min(one.stop, other.stop))
    return tuple(cell for cell in one if cell in other)


def volume(of: Iterable[Axis]) -> int:
    """Return the number of cells in the space of these axes.

    Examples
    --------
    >>> volume([Axis("age", cuts=(30.0,)), Axis("wind", ("weak", "strong", "none"))])
    6
    """
    return math.prod(max(1, len(axis.whole)) for axis in of)
