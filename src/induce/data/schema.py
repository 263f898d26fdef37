"""Schemas: kinds, domains and roles of columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.units import canonical

KINDS = ("nominal", "numeric", "text")
ROLES = ("input", "target", "id", "ignore")
UNITS = ("", "days", "seconds")

Taxonomy = tuple[tuple[str, tuple[Value, ...]], ...]
"""Name and members of each group of values; a member is a value or the name of another group."""


@dataclass(frozen=True)
class Column:
    """One column: its name, its kind and, if nominal, its possible values.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"numeric", "nominal", "text"}
        Kind of the column.
    domain : tuple
        Declared values of a nominal column, in declared order.
    ordered : bool
        Whether the declared order of a nominal domain is meaningful.
    role : {"input", "target", "id", "ignore"}
        Role of the column; only inputs are used for learning.
    temporal : str
        Unit since 1970-01-01 (``"days"``, ``"seconds"``), for a numeric column made from dates or times.
    cost : float
        Cost of measuring the attribute.
    taxonomy : tuple of (str, tuple)
        Groups of values of a nominal column, each with its members, which are values or other groups. The groups
        form a tree: every member is in at most one group.
    unit : str
        Unit of the numbers, such as ``"kg"`` or ``"%"``.
    written : str
        Format of the column in a text file: ``","`` for a decimal comma; ``"dmy"``, ``"mdy"`` or ``"ymd"`` for the
        order of dates. It resolves ambiguous cells of later rows.
    whole : bool
        Whether the numbers are whole; inferred from the training table.

    Examples
    --------
    >>> Column("wind", "nominal", ("weak", "strong"))
    Column('wind', nominal {weak, strong})
    >>> Column("shape", "nominal", ("disc", "ball", "cube"), taxonomy=(("round", ("disc", "ball")),)).groups()
    {'round': ('disc', 'ball')}
    """

    name: str
    kind: str = "numeric"
    domain: tuple[Value, ...] = ()
    ordered: bool = False
    role: str = "input"
    temporal: str = ""
    cost: float = 1.0
    taxonomy: Taxonomy = ()
    # columns with the same numbers are equal, whatever the format of the file
    unit: str = field(default="", compare=False)
    written: str = field(default="", compare=False)
    whole: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not isinstance(self.domain, tuple):
            raise InputError(
                f"a column has the name {self.name!r} and the domain {self.domain!r}; give a string and a tuple"
            )
        if self.kind not in KINDS:
            raise InputError(f"column {self.name!r} has kind {self.kind!r}; the kinds are {', '.join(KINDS)}")
        if self.role not in ROLES:
            raise InputError(f"column {self.name!r} has role {self.role!r}; the roles are {', '.join(ROLES)}")
        if self.temporal not in UNITS:
            raise InputError(
                f"column {self.name!r} is counted in {self.temporal!r}; dates must be counted in days "
                "or seconds"
            )
        if (
            isinstance(self.cost, bool)
            or not isinstance(self.cost, int | float)
            or not 0 <= self.cost < math.inf
        ):
            raise InputError(f"column {self.name!r} has the cost {self.cost!r}; give a number of at least 0")
        if not isinstance(self.unit, str):
            raise InputError(f"column {self.name!r} has the unit {self.unit!r}; give a string such as 'kg'")
        if len(set(self.domain)) != len(self.domain):
            raise InputError(f"column {self.name!r} declares the same value twice in its domain")
        if self.taxonomy:
            self._check_taxonomy()

    @property
    def quantity(self) -> str:
        """Name of the column's numbers in a formula; for a date, its number of days.

        Examples
        --------
        >>> Column("visit", temporal="days").quantity, Column("age").quantity
        ('days of visit', 'age')
        """
        return f"{self.temporal} of {self.name}" if self.temporal else self.name

    @property
    def is_discrete(self) -> bool:
        """Whether there is no value between two consecutive whole numbers or days.

        Examples
        --------
        >>> Column("visit", temporal="days").is_discrete, Column("rooms", whole=True).is_discrete
        (True, True)
        """
        return self.whole or self.temporal == "days"

    @property
    def counted(self) -> str:
        """Notation for thresholds of the column: as dates, or with a unit.

        Examples
        --------
        >>> Column("visit", temporal="days").counted, Column("mass", unit="kg").counted, Column("age").counted
        ('days', 'kg', '')
        """
        return self.temporal or canonical(self.unit)

    def groups(self) -> dict[str, tuple[Value, ...]]:
        """Return the members of each group of the taxonomy."""
        return dict(self.taxonomy)

    def _check_taxonomy(self) -> None:
        whose = f"the taxonomy of column {self.name!r}"
        if self.kind != "nominal" or self.ordered:
            kind = "ordered" if self.ordered else self.kind
            raise InputError(
                f"column {self.name!r} has a taxonomy but is {kind}; give taxonomies to unordered "
                "nominal columns only"
            )
        groups = self.groups() if _pairs(self.taxonomy) else {}
        if len(groups) != len(self.taxonomy):
            raise InputError(
                f"{whose} is {self.taxonomy!r}; give the members of each group by its name, each name once"
            )
        group_of: dict[Value, str] = {}
        for group, members in self.taxonomy:
            if group in self.domain:
                raise InputError(
                    f"{whose} has a group {group!r}, which is also a value; give the group another name"
                )
            if not members:
                raise InputError(f"{whose} gives {group!r} no members; give it some or leave it out")
            for member in members:
                if member not in groups and self.domain and member not in self.domain:
                    raise InputError(
                        f"{whose} names {member!r}, which is neither a value nor a group; declare it in the domain "
                        "or leave it out"
                    )
                if member in group_of:
                    raise InputError(f"{whose} puts {member!r} into two groups; it must be a tree")
                group_of[member] = group
        for group in groups:
            above, steps = group, 0
            while above in group_of and steps <= len(groups):
                above, steps = group_of[above], steps + 1
            if steps > len(groups):
                raise InputError(f"{whose} puts {group!r} into itself; it must be a tree")

    def __repr__(self) -> str:
        domain = f" {{{', '.join(map(str, self.domain))}}}" if self.kind == "nominal" else ""
        role = "" if self.role == "input" else f", {self.role}"
        return f"Column({self.name!r}, {self.kind}{domain}{role})"


@dataclass(frozen=True)
class Schema:
    """Columns of a table, in order.

    Parameters
    ----------
    columns : tuple[Column, ...]
        Columns of the table, in order.

    Examples
    --------
    >>> schema = Schema((Column("age"), Column("name", "text", role="id")))
    >>> schema.inputs().names()
    ('age',)
    """

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        if not all(isinstance(column, Column) for column in self.columns):
            raise InputError("a schema must consist of columns; give a tuple of Column")

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise InputError(f"there is no column {name!r}; the columns are {', '.join(self.names())}")

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(column.name for column in self.columns)

    def inputs(self) -> Schema:
        """Return the input columns."""
        return Schema(tuple(column for column in self.columns if column.role == "input"))

    def override(self, changes: Schema | dict[str, Any] | None) -> Schema:
        """Return this schema with `changes` to some of its columns.

        `changes` is a `Schema`, or a dict from a column's name to a `Column`, to a kind or role as a string,
        or to a dict of `Column` fields.

        Examples
        --------
        >>> Schema((Column("zip"),)).override({"zip": "nominal"})["zip"].kind
        'nominal'
        """
        if changes is None:
            return self
        if isinstance(changes, Schema):
            changes = {column.name: column for column in changes}
        for name in changes:
            self[name]
        return Schema(tuple(_changed(column, changes.get(column.name)) for column in self))


def _pairs(taxonomy: Any) -> bool:
    return isinstance(taxonomy, tuple) and all(
        isinstance(pair, tuple)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and isinstance(pair[1], tuple)
        and all(isinstance(member, str | int | float) for member in pair[1])
        for pair in taxonomy
    )


def _taxonomy(name: str, said: Any) -> Taxonomy:
    """Convert groups, given as a dict from names to lists of members, to the form of a column."""
    groups = dict(said) if isinstance(said, Mapping) or _pairs(said) else None
    if groups is None:
        raise InputError(
            f"the schema gives column {name!r} the taxonomy {said!r}; give a dict from the name of each group to its "
            "members"
        )
    for group, members in groups.items():
        if not isinstance(members, list | tuple):
            raise InputError(
                f"the taxonomy of column {name!r} gives {members!r} for {group!r}; give the list of its members"
            )
    return tuple((group, tuple(members)) for group, members in groups.items())


def _changed(column: Column, change: Any) -> Column:
    if change is None:
        return column
    if isinstance(change, Column):
        return replace(change, name=column.name)
    if isinstance(change, str):
        if change not in KINDS + ROLES:
            raise InputError(
                f"the schema gives column {column.name!r} the kind {change!r}; give one of {', '.join(KINDS + ROLES)}"
            )
        change = {"kind": change} if change in KINDS else {"role": change}
    if not isinstance(change, dict):
        raise InputError(
            f"the schema gives column {column.name!r} {change!r}; give a kind, a role or a dict of fields"
        )
    unknown = set(change) - set(Column.__dataclass_fields__)
    if unknown:
        raise InputError(
            f"the schema gives column {column.name!r} the field {sorted(unknown)[0]!r}, which does not exist; the "
            f"fields are {', '.join(Column.__dataclass_fields__)}"
        )
    fields = dict(change)
    if "domain" in fields:
        fields["domain"] = tuple(fields["domain"])
        fields.setdefault("kind", "nominal")
    if fields.get("taxonomy"):
        fields["taxonomy"] = _taxonomy(column.name, fields["taxonomy"])
        fields.setdefault("kind", "nominal")
    return replace(column, **fields)
