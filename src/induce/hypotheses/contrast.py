"""Contrasts (counterfactuals): the smallest change to a row that alters its prediction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from math import ceil, floor, inf, isfinite, log10, nextafter, prod
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value, class_named, plain
from induce.data.decoded_rows import decoded
from induce.data.schema import Column, Schema
from induce.data.table import UNSEEN, Table, as_table
from induce.hypotheses.conditions import Condition, NominalCondition, simplified
from induce.hypotheses.naming import number_text, threshold_text, value_text

MOST_TRIED = 100_000
"""Maximum number of changed rows that are predicted."""
BLOCK = 20_000
MOST_CHANGES = 8
LADDER = 24
HALVINGS = 40

Cuts = Mapping[str, Sequence[float]]
"""Thresholds of each deciding numeric column; empty for a nominal one, whose values are known."""


@dataclass(frozen=True)
class Change:
    """A changed column of a row.

    Parameters
    ----------
    column : str
    old, new : str, int, float, bool or None
        Values before and after; None if missing or not seen in training.
    shown : tuple of str
        Both values as displayed: with their unit, or as dates.

    Examples
    --------
    >>> print(Change("Wind", "Strong", "Weak", ("Strong", "Weak")))
    Wind = Weak instead of Strong
    """

    column: str
    old: Value | None
    new: Value
    shown: tuple[str, str]

    def __str__(self) -> str:
        return f"{value_text(self.column)} = {self.shown[1]} instead of {self.shown[0]}"


@dataclass(frozen=True)
class Contrast:
    """Changes that would lead to a different prediction.

    Parameters
    ----------
    prediction : str, int, float or bool
        Prediction for the original row.
    to : str, int, float, bool or None
        Prediction after the changes; None if none were found.
    changes : tuple of Change
        Smallest set of changes; ties go to the smallest total change.
    exact : bool
        Whether every smaller number of changes was ruled out.
    wanted : str, int, float, bool or None
        Requested class; None for any other class.
    """

    prediction: Value
    to: Value | None
    changes: tuple[Change, ...]
    exact: bool
    wanted: Value | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain data."""
        return {
            "prediction": self.prediction,
            "to": self.to,
            "exact": self.exact,
            "changes": [
                {"column": each.column, "old": each.old, "new": each.new, "text": str(each)}
                for each in self.changes
            ],
            "text": str(self),
        }

    def __str__(self) -> str:
        said = value_text(self.prediction)
        if self.to is None:
            found = "can give" if self.exact else "was found that leads to"
            other = "another prediction" if self.wanted is None else value_text(self.wanted)
            return f"{said}; no change to the columns {found} {other}"
        if not self.changes:
            return f"{said} already"
        fewer = "; fewer changes may suffice" if len(self.changes) > 1 else ""
        how = "" if self.exact else f" (found by search{fewer})"
        return f"{value_text(self.to)} instead of {said} if {' and '.join(map(str, self.changes))}{how}"


@dataclass(frozen=True)
class Question:
    """A row, its wanted class, and the columns that must not change.

    Parameters
    ----------
    hypothesis : Classifier
    row : Table
        A single encoded row.
    to : int or None
        Index of the wanted class; None for any class but the predicted one.
    fixed : collection of str
    """

    hypothesis: Any
    row: Table
    to: int | None
    fixed: Collection[str]

    @property
    def now(self) -> int:
        """Index of the class predicted for the original row."""
        return self.answered([{}])[0]

    def column(self, name: str) -> tuple[Column, float]:
        """Return a column and the encoded value of the row."""
        place = self.row.schema.names().index(name)
        return self.row.schema.columns[place], float(self.row.column(place)[0])

    def changed(self, changes: Sequence[Mapping[str, float]]) -> Any:
        """Return a copy of the row for each set of changes, with the new encoded values."""
        table = self.row.rows(np.zeros(len(changes), np.intp))
        names = {name: place for place, name in enumerate(table.schema.names())}
        for number, change in enumerate(changes):
            for name, value in change.items():
                table.column(names[name])[number] = value
        return table if self.hypothesis.takes_tables else decoded(table)

    def answered(self, changes: Sequence[Mapping[str, float]]) -> list[int]:
        """Return the index of the class predicted after each set of changes."""
        found: list[int] = []
        for start in range(0, len(changes), BLOCK):
            found += self.hypothesis.places(self.changed(changes[start : start + BLOCK])).tolist()
        return found

    def wanted(self, place: int, now: int) -> bool:
        """Return whether a class is wanted."""
        return place != now if self.to is None else place == self.to

    def told(self, changes: Mapping[str, float], exact: bool) -> Contrast:
        """Return the contrast with some changes."""
        classes = self.hypothesis.classes
        wanted = None if self.to is None else plain(classes[self.to])
        told = tuple(self._change(name, new) for name, new in changes.items())
        to = plain(classes[self.answered([changes])[0]]) if changes else None
        return Contrast(plain(classes[self.now]), to, told, exact, wanted)

    def already(self, now: int) -> Contrast:
        """Return the contrast of a row that already has the wanted class."""
        said = plain(self.hypothesis.classes[now])
        return Contrast(said, said, (), True, said)

    def _change(self, name: str, new: float) -> Change:
        column, old = self.column(name)
        if column.kind == "nominal":
            before = plain(column.domain[int(old)]) if old >= 0 else None
            unknown = "a value not seen in training" if old == UNSEEN else "missing"
            shown = unknown if before is None else value_text(before), value_text(column.domain[int(new)])
            return Change(name, before, plain(column.domain[int(new)]), shown)
        missing = old != old
        text = "missing" if missing else threshold_text(old, column.counted)
        return Change(name, None if missing else old, new, (text, threshold_text(new, column.counted)))


def asked(hypothesis: Any, row: Any, to: Value | None, fixed: Sequence[str]) -> Question:
    """Return the validated question.

    Parameters
    ----------
    hypothesis : Classifier
    row : frame, array or Table
        One row.
    to : str, int, float, bool or None
        Wanted class.
    fixed : sequence of str
        Names of columns that must not change.
    """
    from induce.data.names import unknown

    if any(column.kind == "text" for column in hypothesis.schema.inputs()):
        raise InputError("the model reads texts, whose values cannot be changed; give a model of tables")
    table = as_table(row, hypothesis.schema)
    if len(table) != 1:
        raise InputError(f"a contrast needs exactly one row, not {len(table)}; give one")
    names = table.schema.names()
    for name in fixed:
        if name not in names:
            raise unknown("column", name, names)
    wanted = None
    if to is not None:
        wanted = hypothesis.classes.index(class_named(to, hypothesis.classes, "to"))
    return Question(hypothesis, table, wanted, frozenset(fixed))


def by_paths(
    question: Question, paths: Iterable[tuple[int, int, tuple[Condition, ...]]], cuts: Cuts
) -> Contrast:
    """Return the smallest change that leads to a leaf with the wanted class: exact, unless a value is missing.

    Parameters
    ----------
    question : Question
    paths : iterable of (int, int, tuple of Condition)
        Leaves: the index of the class, the node index, and the conditions on the path.
    cuts : dict
        Thresholds of the numeric columns, for measuring distances.
    """
    now, best = question.now, (inf, inf)
    found: dict[str, float] = {}
    if question.to == now:
        return question.already(now)
    missing = any(_absent(*question.column(name)) for name in cuts)
    for place, _, path in paths:
        conditions = simplified(path)
        if not question.wanted(place, now) or len({each.attribute for each in conditions}) < len(conditions):
            continue  # another class, or conditions that exclude each other
        changes = _satisfying(question, conditions, cuts)
        if changes is None:
            continue
        size = (float(len(changes)), _distance(question, changes, cuts))
        if changes and size < best and question.wanted(question.answered([changes])[0], now):
            best, found = size, changes
    return question.told(found, exact=not missing or len(found) == 1)


def _satisfying(question: Question, conditions: Sequence[Condition], cuts: Cuts) -> dict[str, float] | None:
    """Return the changes that satisfy conditions, each by the nearest value; None if a column is fixed."""
    changes: dict[str, float] = {}
    for condition in conditions:
        if condition.covers(question.row)[0]:
            continue
        if condition.attribute in question.fixed:
            return None
        column, old = question.column(condition.attribute)
        if isinstance(condition, NominalCondition):
            changes[column.name] = float(column.domain.index(condition.accepted[0]))
        else:
            low, high = condition.bounds  # type: ignore[attr-defined]
            if column.is_discrete and high < inf and floor(high) <= low:
                return None  # no whole number satisfies it
            changes[column.name] = _nearest(old, low, high, column.is_discrete)
    return changes


def by_cells(question: Question, cuts: Cuts) -> Contrast:
    """Return the smallest change by a search over all cells defined by thresholds and values.

    The prediction is constant within a cell, so the nearest value of each interval represents it. All changes
    of one column are tried, then all pairs, and so on up to a maximum number of combinations. Beyond it,
    columns are changed one after another.
    """
    options = {
        name: _cells(*question.column(name), ends)
        for name, ends in cuts.items()
        if name not in question.fixed
    }
    return _searched(question, {name: cells for name, cells in options.items() if cells}, cuts, exact=True)


def by_search(question: Question) -> Contrast:
    """Return a small change by trying values at increasing distance, for hypotheses without thresholds."""
    options: dict[str, list[float]] = {}
    for column in question.row.schema:
        if column.name in question.fixed:
            continue
        value = question.column(column.name)[1]
        if column.kind == "nominal":
            options[column.name] = _cells(column, value, ())
        else:
            middle = value if isfinite(value) else 0.0
            step = max(abs(middle), 1.0) / 1024
            away = [sign * step * 2.0**power for power in range(LADDER) for sign in (1, -1)]
            numbers = [middle, *(middle + each for each in away)][isfinite(value) :]
            if column.is_discrete:
                numbers = [number for number in dict.fromkeys(map(_rounded, numbers)) if number != value]
            options[column.name] = numbers
    return _searched(question, options, dict.fromkeys(options, ()), exact=False)


def _searched(question: Question, options: Mapping[str, list[float]], cuts: Cuts, exact: bool) -> Contrast:
    now, tried, size = question.now, 0, 0
    if question.to == now:
        return question.already(now)
    while size < len(options):
        size += 1
        chosen = list(combinations(options, size))
        tried += sum(prod(len(options[name]) for name in names) for names in chosen)
        if tried > MOST_TRIED:
            return _greedy(question, options, cuts)
        found = list(_reaching(question, chosen, options, now))
        if found:
            best = min(found, key=lambda changes: _distance(question, changes, cuts))
            return question.told(best if exact else _closer(question, best, now), exact)
    return question.told({}, exact)


def _reaching(
    question: Question, chosen: Sequence[tuple[str, ...]], options: Mapping[str, list[float]], now: int
) -> Iterator[dict[str, float]]:
    """Yield the changes to the chosen sets of columns that give the wanted class."""
    for names in chosen:
        changes = [
            dict(zip(names, values, strict=True)) for values in product(*(options[name] for name in names))
        ]
        for change, place in zip(changes, question.answered(changes), strict=True):
            if question.wanted(place, now):
                yield change


def _greedy(question: Question, options: Mapping[str, list[float]], cuts: Cuts) -> Contrast:
    """Change columns one after another, always the one that helps most; then undo unnecessary changes."""
    now, changes = question.now, dict[str, float]()
    for _ in range(min(MOST_CHANGES, len(options))):
        steps = [
            {**changes, name: value}
            for name, values in options.items()
            if name not in changes
            for value in values
        ]
        if not steps:
            break
        shares = np.concatenate(
            [
                question.hypothesis.predict_proba(question.changed(steps[at : at + BLOCK]))
                for at in range(0, len(steps), BLOCK)
            ]
        )
        merit = 1 - shares[:, now] if question.to is None else shares[:, question.to]
        # differences in the last bits must not decide
        order = sorted(
            range(len(steps)), key=lambda k: (-round(float(merit[k]), 9), _distance(question, steps[k], cuts))
        )
        changes = steps[order[0]]
        if question.wanted(question.answered([changes])[0], now):
            for name in list(changes):
                fewer = {column: value for column, value in changes.items() if column != name}
                if fewer and question.wanted(question.answered([fewer])[0], now):
                    changes = fewer
            return question.told(changes, exact=False)
    return question.told({}, exact=False)


def _closer(question: Question, changes: Mapping[str, float], now: int) -> dict[str, float]:
    """Move changed numbers as close to the original ones as the prediction allows, and shorten them."""
    found = dict(changes)
    for name, new in changes.items():
        column, old = question.column(name)
        if column.kind == "nominal" or old != old:
            continue
        near, far = old, new
        for _ in range(HALVINGS):
            middle = _rounded((near + far) / 2) if column.is_discrete else (near + far) / 2
            if middle in (near, far):
                break
            if question.wanted(question.answered([{**found, name: middle}])[0], now):
                far = middle
            else:
                near = middle
        away = ceil if far > old else floor
        for digits in range(1, 17):  # rounded away from the original number, if the prediction stays the same
            unit = 10.0 ** (floor(log10(abs(far) or 1.0)) + 1 - digits)
            short = float(f"{away(far / unit) * unit:.{digits}g}")
            if column.is_discrete and not short.is_integer():
                continue
            close = abs(short - far) <= abs(far - old) / 10
            if close and question.wanted(question.answered([{**found, name: short}])[0], now):
                far = short
                break
        found[name] = far
    return found


def _cells(column: Column, value: float, ends: Sequence[float]) -> list[float]:
    """Return one value per cell of a column, nearest first, without the cell of the row."""
    if column.kind == "nominal":
        return [float(code) for code in range(len(column.domain)) if code != value]
    bounds = [-inf, *sorted(set(ends)), inf]
    cells = [(low, high) for low, high in pairwise(bounds) if not low < value <= high]
    if column.is_discrete:  # without the cells that hold no whole number
        cells = [(low, high) for low, high in cells if high == inf or floor(high) > low]
    return [_nearest(value, low, high, column.is_discrete) for low, high in cells]


def _nearest(value: float, low: float, high: float, whole: bool = False) -> float:
    """Return the number nearest to a value that is above `low` and at most `high`, preferably a short one.

    Examples
    --------
    >>> _nearest(1.0, 2.45, inf), _nearest(9.0, 2.45, 4.95), _nearest(1.0, 18774.5, inf, whole=True)
    (2.46, 4.95, 18775.0)
    """
    if value > high or (value != value and high < inf):
        return float(floor(high)) if whole and floor(high) > low else high
    if whole and floor(low) + 1 <= high:
        return float(floor(low) + 1)
    step = 10.0 ** -len(number_text(low).partition(".")[2]) if "e" not in number_text(low) else 0.0
    short = float(number_text(round(low + step, 12)))
    return short if low < short <= high else nextafter(low, inf)


def _rounded(number: float) -> float:
    return float(round(number))


def _absent(column: Column, value: float) -> bool:
    return value < 0 if column.kind == "nominal" else value != value


def _distance(question: Question, changes: Mapping[str, float], cuts: Cuts) -> float:
    """Return the size of changes: numeric ones as fractions of the range of the column's thresholds.

    A different nominal value counts as the full range.
    """
    total = 0.0
    for name, new in changes.items():
        column, old = question.column(name)
        if column.kind == "nominal" or old != old:
            total += 1.0
            continue
        ends = cuts.get(name, ())
        span = max(ends) - min(ends) if len(ends) > 1 else 0.0
        total += abs(new - old) / (span or max(abs(old), 1.0))
    return round(total, 9)


def thresholds_of(schema: Schema, conditions: Iterable[Condition]) -> Cuts:
    """Return the thresholds of conditions, for each tested column."""
    found: dict[str, set[float]] = {}
    for condition in conditions:
        ends = found.setdefault(condition.attribute, set())
        if not isinstance(condition, NominalCondition):
            ends.update(end for end in condition.bounds if isfinite(end))  # type: ignore[attr-defined]
    return {column.name: sorted(found[column.name]) for column in schema if column.name in found}
