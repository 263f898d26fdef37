"""Tests on one attribute: the parts of rules, tree paths and version spaces."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.hypotheses.naming import number_text, threshold_text, value_text

Mask = NDArray[np.bool_]

# larger integers are not all representable as floats: exports must round them as arrays do before comparing
EXACT_WHOLE = 2.0**53
SHORT = 15
"""Maximum number of characters of a number that a person would write."""


@dataclass(frozen=True)
class Condition(ABC):
    """A test on one attribute; missing values and categories not seen in training never satisfy it."""

    attribute: str

    @abstractmethod
    def covers(self, table: Table) -> Mask:
        """Return for each row whether it satisfies the test."""

    @abstractmethod
    def intersect(self, other: Condition) -> Condition | None:
        """Return one condition equivalent to the conjunction with `other`, or None if there is none.

        There is none for different attributes or for conditions that exclude each other.
        """

    @abstractmethod
    def check_column(self, column: Column) -> None:
        """Raise an `InputError` unless the test applies to `column`."""

    def _column(self, table: Table, kind: str) -> NDArray[Any]:
        self._check_kind(table.schema[self.attribute], kind)
        return table.column(table.schema.names().index(self.attribute))

    def _check_kind(self, column: Column, kind: str) -> None:
        if column.kind != kind:
            raise InputError(
                f"column {column.name!r} is {column.kind}, but the condition {str(self)!r} needs a {kind} one"
            )


class NominalCondition(Condition):
    """A test that accepts some values of a nominal attribute."""

    @property
    @abstractmethod
    def accepted(self) -> tuple[Value, ...]:
        """Values that satisfy the test."""

    def covers(self, table: Table) -> Mask:
        """Return for each row whether it satisfies the test."""
        codes = self._column(table, "nominal")
        domain = table.schema[self.attribute].domain
        # the codes -1 (missing) and -2 (unseen) fall on the last two entries
        verdict: Mask = np.zeros(len(domain) + 2, dtype=np.bool_)
        accepted = set(self.accepted)
        verdict[: len(domain)] = [value in accepted for value in domain]
        return np.asarray(verdict[codes])

    def intersect(self, other: Condition) -> Condition | None:
        """Return one condition equivalent to the conjunction with `other`, or None if there is none."""
        if not isinstance(other, NominalCondition) or other.attribute != self.attribute:
            return None
        theirs = set(other.accepted)
        common = tuple(value for value in self.accepted if value in theirs)
        return self._of_both(other, common) if common else None

    def _of_both(self, other: NominalCondition, common: tuple[Value, ...]) -> Condition:
        """Return the condition that accepts `common`, the values accepted by both this and `other`."""
        if isinstance(other, NoneOf) and len(common) > 1:
            return other._of_both(self, common)
        return one_of(self.attribute, common)

    def check_column(self, column: Column) -> None:
        """Raise an `InputError` unless the test applies to `column`."""
        self._check_kind(column, "nominal")
        if not isinstance(self.accepted, tuple) or not self.accepted:
            raise InputError(f"a condition on column {column.name!r} accepts no value; give it at least one")
        domain = set(column.domain)
        for value in self.accepted:
            if not isinstance(value, str | int | float) or value not in domain:
                raise InputError(
                    f"a condition tests column {column.name!r} for {value!r}, which is not in its domain"
                )


@dataclass(frozen=True)
class Is(NominalCondition):
    """The attribute has this value.

    Examples
    --------
    >>> print(Is("outlook", "sunny"))
    outlook = sunny
    """

    value: Value

    @property
    def accepted(self) -> tuple[Value, ...]:
        """Values that satisfy the test."""
        return (self.value,)

    def __str__(self) -> str:
        return f"{value_text(self.attribute)} = {value_text(self.value)}"


@dataclass(frozen=True)
class OneOf(NominalCondition):
    """The attribute has one of these values.

    Examples
    --------
    >>> print(OneOf("colour", ("red", "blue")))
    colour in {red, blue}
    """

    values: tuple[Value, ...]

    @property
    def accepted(self) -> tuple[Value, ...]:
        """Values that satisfy the test."""
        return self.values

    def __str__(self) -> str:
        return f"{value_text(self.attribute)} in {{{', '.join(map(value_text, self.values))}}}"


@dataclass(frozen=True)
class NoneOf(NominalCondition):
    """The attribute has a known value that is not one of these.

    As with any other condition, missing values and unseen categories do not satisfy it; the remaining values
    are therefore stored as well. `none_of` computes them.

    Parameters
    ----------
    attribute : str
    values : tuple
        Values that do not satisfy the test.
    others : tuple
        Other values of the attribute's domain, which satisfy it.

    Examples
    --------
    >>> print(NoneOf("colour", ("red",), ("green", "blue", "black")))
    colour != red
    >>> print(NoneOf("colour", ("red", "black"), ("green", "blue")))
    colour not in {red, black}
    """

    values: tuple[Value, ...]
    others: tuple[Value, ...]

    @property
    def accepted(self) -> tuple[Value, ...]:
        """Values that satisfy the test."""
        return self.others

    def check_column(self, column: Column) -> None:
        """Raise an `InputError` unless the test applies to `column`."""
        super().check_column(column)
        if not isinstance(self.values, tuple) or not self.values:
            raise InputError(f"a condition on column {column.name!r} excludes no value; give it at least one")
        known = (*self.values, *self.others)
        named = all(isinstance(value, str | int | float) for value in known)
        if not named or len(known) != len(column.domain) or set(known) != set(column.domain):
            raise InputError(
                f"a condition on column {column.name!r} must either exclude or accept each value of "
                "its domain"
            )

    def _of_both(self, other: NominalCondition, common: tuple[Value, ...]) -> Condition:
        if len(common) > 1 and isinstance(other, NoneOf):
            return NoneOf(self.attribute, tuple(dict.fromkeys((*self.values, *other.values))), common)
        if len(common) > 1 and len(common) == len(self.others):
            return self
        return one_of(self.attribute, common)

    def __str__(self) -> str:
        name = value_text(self.attribute)
        if len(self.values) == 1:
            return f"{name} != {value_text(self.values[0])}"
        return f"{name} not in {{{', '.join(map(value_text, self.values))}}}"


class NumericCondition(Condition):
    """A test that accepts an interval of a numeric attribute, open below and closed above.

    `unit` is the notation of thresholds; see `Column.counted`.
    """

    unit: str

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound; infinite if there is none."""

    def covers(self, table: Table) -> Mask:
        """Return for each row whether it satisfies the test."""
        numbers = self._column(table, "numeric")
        low, high = self.bounds
        if low == -math.inf:
            return np.asarray(numbers <= high)
        if high == math.inf:
            return np.asarray(numbers > low)
        return np.asarray((numbers > low) & (numbers <= high))

    def intersect(self, other: Condition) -> Condition | None:
        """Return one condition equivalent to the conjunction with `other`, or None if there is none."""
        if not isinstance(other, NumericCondition) or other.attribute != self.attribute:
            return None
        low = max(self.bounds[0], other.bounds[0])
        high = min(self.bounds[1], other.bounds[1])
        return interval(self.attribute, low, high, self.unit or other.unit) if low < high else None

    def check_column(self, column: Column) -> None:
        """Raise an `InputError` unless the test applies to `column`."""
        self._check_kind(column, "numeric")
        low, high = self.bounds
        finite = [bound for bound in self.bounds if isinstance(bound, int | float) and math.isfinite(bound)]
        if len(finite) != (2 if isinstance(self, Between) else 1):
            raise InputError(f"a threshold on column {column.name!r} is not a finite number")
        if not low < high:
            raise InputError(f"the condition on column {column.name!r} is empty: {low} is not below {high}")


@dataclass(frozen=True)
class AtMost(NumericCondition):
    """The attribute is at most a threshold.

    Examples
    --------
    >>> print(AtMost("age", 30.5))
    age <= 30.5
    """

    threshold: float
    unit: str = field(default="", compare=False, repr=False)

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound; infinite if there is none."""
        return -math.inf, self.threshold

    def __str__(self) -> str:
        return f"{value_text(self.attribute)} {upper_text(self.threshold, self.unit)}"


@dataclass(frozen=True)
class Above(NumericCondition):
    """The attribute is above a threshold.

    Examples
    --------
    >>> print(Above("age", 30.0))
    age > 30
    """

    threshold: float
    unit: str = field(default="", compare=False, repr=False)

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound; infinite if there is none."""
        return self.threshold, math.inf

    def __str__(self) -> str:
        least = next_short(self.threshold)
        if least is not None:
            return f"{value_text(self.attribute)} >= {threshold_text(least, self.unit)}"
        return f"{value_text(self.attribute)} > {threshold_text(self.threshold, self.unit)}"


@dataclass(frozen=True)
class Between(NumericCondition):
    """The attribute is above one threshold and at most another.

    Examples
    --------
    >>> print(Between("age", 20.5, 30.5))
    20.5 < age <= 30.5
    >>> print(Above("age", 20.5).intersect(AtMost("age", 30.5)))
    20.5 < age <= 30.5
    """

    low: float
    high: float
    unit: str = field(default="", compare=False, repr=False)

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound; infinite if there is none."""
        return self.low, self.high

    def __str__(self) -> str:
        least = next_short(self.low)
        low = f"{threshold_text(self.low if least is None else least, self.unit)} {'<' if least is None else '<='}"
        return f"{low} {value_text(self.attribute)} {upper_text(self.high, self.unit)}"


def next_short(threshold: float) -> float | None:
    """Return the next float above a threshold if only that has a short notation, so that "above" becomes "at least".

    Examples
    --------
    >>> next_short(2.9999999999999996), next_short(3.0)
    (3.0, None)
    """
    following = math.nextafter(threshold, math.inf)
    short = math.isfinite(following) and len(number_text(following)) <= SHORT < len(number_text(threshold))
    return following if short else None


def upper_text(threshold: float, unit: str) -> str:
    """Format an upper bound: as "at most" a number, or as "below" the next one if only that is short."""
    limit = next_short(threshold)
    return f"<= {threshold_text(threshold, unit)}" if limit is None else f"< {threshold_text(limit, unit)}"


def one_of(attribute: str, values: tuple[Value, ...]) -> Condition:
    """Return the simplest condition that accepts these values.

    Examples
    --------
    >>> print(one_of("colour", ("red",)))
    colour = red
    """
    return Is(attribute, values[0]) if len(values) == 1 else OneOf(attribute, values)


def none_of(column: Column, values: tuple[Value, ...]) -> NoneOf:
    """Return the condition that a nominal column has a declared value other than these.

    Examples
    --------
    >>> print(none_of(Column("colour", "nominal", ("red", "green", "blue")), ("red",)))
    colour != red
    """
    excluded = set(values)
    condition = NoneOf(column.name, values, tuple(value for value in column.domain if value not in excluded))
    condition.check_column(column)
    return condition


def interval(attribute: str, low: float, high: float, unit: str = "") -> Condition:
    """Return the simplest condition that accepts numbers above `low` and at most `high`.

    Parameters
    ----------
    attribute : str
    low, high : float
    unit : str
        Notation of the thresholds; see `Column.counted`.

    Examples
    --------
    >>> print(interval("age", -math.inf, 30))
    age <= 30
    """
    if low == -math.inf:
        return AtMost(attribute, high, unit)
    return Above(attribute, low, unit) if high == math.inf else Between(attribute, low, high, unit)


def in_units(condition: Condition, schema: Schema) -> Condition:
    """Return a condition with thresholds in the notation of its column in a schema: as dates, or with a unit.

    Examples
    --------
    >>> print(in_units(AtMost("visit", 18774.5), Schema((Column("visit", temporal="days"),))))
    visit <= 2021-05-27
    """
    if not isinstance(condition, NumericCondition):
        return condition
    unit = next((column.counted for column in schema if column.name == condition.attribute), "")
    numeric: Any = condition  # conditions with a unit are separate dataclasses
    return condition if condition.unit == unit else cast(Condition, replace(numeric, unit=unit))


def simplified(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return an equivalent, shorter list of conditions, in the order in which attributes first occur.

    Examples
    --------
    >>> path = Above("age", 20.5), Is("sex", "f"), AtMost("age", 60), AtMost("age", 30.5)
    >>> print(*simplified(path), sep=" AND ")
    20.5 < age <= 30.5 AND sex = f
    """
    merged: list[Condition] = []
    for condition in conditions:
        for place, earlier in enumerate(merged):
            both = earlier.intersect(condition)
            if both is not None:
                merged[place] = both
                break
        else:
            merged.append(condition)
    return tuple(merged)


def covered_by_all(conditions: Iterable[Condition], table: Table) -> Mask:
    """Return whether each row satisfies every condition.

    Examples
    --------
    >>> from induce.data.schema import Schema
    >>> from induce.data.table import encode
    >>> table = encode(np.array([[20.0], [25.0], [np.nan]]), Schema((Column("age"),)))
    >>> covered_by_all([Above("age", 18), AtMost("age", 21)], table).tolist()
    [True, False, False]
    """
    covered = np.ones(len(table), dtype=np.bool_)
    for condition in conditions:
        covered &= condition.covers(table)
    return covered
