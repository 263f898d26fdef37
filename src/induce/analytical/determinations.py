"""Determinations: columns that functionally determine another (Davies & Russell 1987; Mitchell §11.3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value, is_missing, positive_class
from induce.data.frames import raw_frame

if TYPE_CHECKING:
    from induce.logic.domain_theory import DomainTheory

Direction = Literal["increasing", "decreasing"]


@dataclass(frozen=True)
class Deduced:
    """Rule that follows from a determination and one example.

    Parameters
    ----------
    conditions : dict
        Required values of the determining columns; for a monotone column, a text such as ``<= 0.3``.
    target : str
        Column of the conclusion.
    value : value
        Value of the target.
    rows : tuple of int
        Rows that support the rule; the first of them suffices.
    """

    conditions: Mapping[str, Value]
    target: str
    value: Value
    rows: tuple[int, ...]

    def covers(self, row: Mapping[str, Value]) -> bool:
        """Return whether a row has the required values; missing values never match."""
        for name, value in self.conditions.items():
            cell: Any = row.get(name)
            if is_missing(cell):
                return False
            sign = str(value)[:2]
            if sign in ("<=", ">="):
                limit = float(str(value)[2:])
                if not (float(cell) <= limit if sign == "<=" else float(cell) >= limit):
                    return False
            elif cell != value:
                return False
        return True

    def __str__(self) -> str:
        tests = [
            f"{name} {value}" if str(value)[:2] in ("<=", ">=") else f"{name} = {value}"
            for name, value in self.conditions.items()
        ]
        return f"IF {' AND '.join(tests) or 'anything'} THEN {self.target} = {self.value}"


@dataclass(frozen=True)
class Determination:
    """Assertion that some columns of a table determine another column.

    Parameters
    ----------
    determining : tuple of str
        Columns that determine the target.
    target : str
        Column that is determined.

    Examples
    --------
    >>> import polars as pl
    >>> joe = {"nationality": "Brazilian", "age": 23, "hand": "left", "language": "Portuguese"}
    >>> people = pl.DataFrame([joe])
    >>> belief = Determination(("nationality",), "language")
    >>> print(*belief.deduce(people))
    IF nationality = Brazilian THEN language = Portuguese
    >>> belief.irrelevant(people)
    ('age', 'hand')
    """

    determining: tuple[str, ...]
    target: str

    def __post_init__(self) -> None:
        names = (self.determining,) if isinstance(self.determining, str) else tuple(self.determining)
        object.__setattr__(self, "determining", names)
        if self.target in names:
            raise InputError(
                f"column {self.target!r} cannot determine itself; remove it from the determining columns"
            )

    def refuted_by(self, X: Any) -> tuple[int, int] | None:
        """Return two rows that agree in the determining columns but differ in the target, or None."""
        first: dict[tuple[Value, ...], int] = {}
        keys, values = self._columns(X)
        for row, (key, value) in enumerate(zip(keys, values, strict=True)):
            if is_missing(value) or any(map(is_missing, key)):
                continue
            other = first.setdefault(key, row)
            if values[other] != value:
                return other, row
        return None

    def deduce(self, X: Any) -> tuple[Deduced, ...]:
        """Return the rules that follow from the rows of a table; rows with missing values are ignored."""
        refuted = self.refuted_by(X)
        if refuted is not None:
            one, other = refuted
            raise InputError(
                f"{', '.join(self.determining)} cannot determine {self.target!r}: rows {one + 1} and {other + 1} "
                "agree in the former and differ in the latter"
            )
        found: dict[tuple[Value, ...], list[int]] = {}
        keys, values = self._columns(X)
        for row, (key, value) in enumerate(zip(keys, values, strict=True)):
            if not is_missing(value) and not any(map(is_missing, key)):
                found.setdefault(key, []).append(row)
        return tuple(
            Deduced(dict(zip(self.determining, key, strict=True)), self.target, values[rows[0]], tuple(rows))
            for key, rows in found.items()
        )

    def irrelevant(self, X: Any) -> tuple[str, ...]:
        """Return the columns that the determination makes irrelevant."""
        names = [column.name for column in raw_frame(X).columns]
        return tuple(name for name in names if name not in (*self.determining, self.target))

    def _columns(self, X: Any) -> tuple[list[tuple[Value, ...]], list[Value]]:
        frame = {column.name: column.cells.to_list() for column in raw_frame(X).columns}
        for name in (*self.determining, self.target):
            if name not in frame:
                raise InputError(f"column {name!r} is absent; there are {', '.join(map(repr, frame))}")
        keys = [frame[name] for name in self.determining]
        n_rows = len(frame[self.target])
        return [tuple(column[row] for column in keys) for row in range(n_rows)], frame[self.target]

    def __str__(self) -> str:
        return f"{', '.join(self.determining) or 'nothing'} determines {self.target}"


def is_knowledge_level(rules: Sequence[Deduced], X: Any, theory: DomainTheory | None = None) -> bool:
    """Return whether rules imply conclusions about a finite instance space that a theory alone does not imply (AL-9).

    Clauses learned by PROLOG-EBG never do; consequences of a determination and an example do.

    Parameters
    ----------
    rules : sequence of Deduced
        Rules to check.
    X : table
        All instances of the space.
    theory : DomainTheory, optional
        Theory over the columns of `X`; without one, there is no prior knowledge.

    Examples
    --------
    >>> import polars as pl
    >>> joe = pl.DataFrame([{"nationality": "Brazilian", "age": 23, "language": "Portuguese"}])
    >>> rules = Determination("nationality", "language").deduce(joe)
    >>> is_knowledge_level(rules, pl.DataFrame({"nationality": ["Brazilian"], "age": [70]}))
    True
    >>> from induce.logic import DomainTheory
    >>> known = DomainTheory.from_rules("IF nationality = Brazilian THEN lusophone", "lusophone")
    >>> is_knowledge_level(rules, pl.DataFrame({"nationality": ["Brazilian"], "age": [70]}), known)
    False
    """
    from induce.analytical.table_cases import cases
    from induce.logic.clauses import Literal as Goal
    from induce.logic.terms import Constant

    frame = {column.name: column.cells.to_list() for column in raw_frame(X).columns}
    n_rows = len(next(iter(frame.values()), ()))
    proved = np.zeros(n_rows, np.bool_)
    if theory is not None:
        facts, rows = cases(X)
        goals = [Goal(theory.predicate[0], (Constant(row[0]),)) for row in rows]
        proved = facts.prover(theory.program.clauses, unknown="fail").holds_each(goals)
    return any(
        not proved[place] and any(rule.covers({name: frame[name][place] for name in frame}) for rule in rules)
        for place in range(n_rows)
    )


def propose_determinations(X: Any, target: str, max_columns: int = 3) -> tuple[Determination, ...]:
    """Return the minimal sets of columns that determine a target in all rows of a table.

    The sets are consistent with the data but uncertain: with few rows, many sets are consistent. A set in
    which every row is unique is uninformative and is omitted.

    Parameters
    ----------
    X : table
        Table that includes the target column.
    target : str
        Column to be determined.
    max_columns : int, default=3
        Maximum number of determining columns.
    """
    raw = raw_frame(X)
    names = [column.name for column in raw.columns if column.name != target]
    found: list[Determination] = []
    for size in range(max_columns + 1):
        for chosen in combinations(names, size):
            if any(set(smaller.determining) <= set(chosen) for smaller in found):
                continue
            candidate = Determination(chosen, target)
            keys, _ = candidate._columns(X)
            if candidate.refuted_by(X) is None and len(set(keys)) < len(keys):
                found.append(candidate)
    return tuple(found)


def monotone_rules(
    X: Any, y: Sequence[Any], directions: Mapping[str, Direction], positive: Any = None
) -> tuple[Deduced, ...]:
    """Return the rules that follow from examples if the target is known to be monotone in the given columns.

    A positive row implies that every row at least as favourable in all these columns is positive (Mitchell
    §11.3.2). Rows dominated by another row are dropped.

    Parameters
    ----------
    X : table
        Training rows.
    y : sequence
        Class of each row.
    directions : dict
        Direction of each column: "increasing" (larger values favour the positive class) or "decreasing".
    positive : value, optional
        Positive class; None chooses one named yes, true, + or similar, or else the last class.

    Examples
    --------
    >>> import polars as pl
    >>> days = pl.DataFrame({"humidity": [0.3]})
    >>> print(*monotone_rules(days, ["yes"], {"humidity": "decreasing"}, "yes"))
    IF humidity <= 0.3 THEN target = yes
    """
    frame = {column.name: column.cells.to_list() for column in raw_frame(X).columns}
    for name, direction in directions.items():
        if name not in frame:
            raise InputError(f"column {name!r} is absent; there are {', '.join(map(repr, frame))}")
        if direction not in ("increasing", "decreasing"):
            raise InputError(f"the direction of {name!r} is {direction!r}; give 'increasing' or 'decreasing'")
    labels = np.asarray(y).tolist()
    if positive is None:
        positive = positive_class(sorted(set(labels), key=str))
    whole = [
        row for row in range(len(labels)) if not any(is_missing(frame[name][row]) for name in directions)
    ]
    signs = np.array([1.0 if each == "increasing" else -1.0 for each in directions.values()])
    values = {row: signs * np.array([float(frame[name][row]) for name in directions]) for row in whole}
    inside = [row for row in whole if labels[row] == positive]
    for row in whole:
        worse = next(
            (one for one in inside if labels[row] != positive and (values[one] <= values[row]).all()), None
        )
        if worse is not None:
            raise InputError(
                f"row {worse + 1} is {positive}, but row {row + 1} is not, although it is at least as "
                "favourable; the target is not monotone"
            )
    rules: list[Deduced] = []
    for row in inside:
        weaker = [one for one in inside if (values[one] <= values[row]).all()]
        if any((values[one] < values[row]).any() or one < row for one in weaker if one != row):
            continue
        tests: dict[str, Value] = {
            name: f"{'>=' if direction == 'increasing' else '<='} {frame[name][row]}"
            for name, direction in directions.items()
        }
        covered = tuple(one for one in inside if (values[row] <= values[one]).all())
        rules.append(Deduced(tests, "target", positive, covered))
    return tuple(rules)
