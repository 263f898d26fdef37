"""Conversion of linked tables to relations: keys become objects, and columns their properties."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.cells import filled
from induce.core.errors import InputError
from induce.core.notes import note
from induce.data.frames import RawColumn, raw_frame
from induce.data.names import check_names, unknown
from induce.logic.background.modes import MOST_CONSTANTS, Mode
from induce.logic.background.origins import DATE as DATED
from induce.logic.background.origins import KEY, TRUTH, Origin
from induce.logic.clauses import Predicate
from induce.logic.coverage.examples import term_of_cell
from induce.logic.facts import Codes, Facts, Symbols
from induce.logic.terms import Constant, Function

MOST_NUMBERS = 10
"""Maximum number of distinct values of a numeric column that may be constants in clauses."""

LARGEST = 2**53
"""Bound above which a numeric column no longer distinguishes all integers."""

DATE = r"^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?$"

# a column with this name may number the rows of any table
GENERIC = frozenset({"id", "key", "name", "code", "number", "no", "nr", "index"})


References = Mapping[str, Mapping[str | tuple[str, ...], str]]
"""Foreign key: the column, or columns together, that hold the key of another table."""

ONE_EACH = 10
"""Minimum mean number of references per row for a small table whose keys may be constants in clauses."""


@dataclass(frozen=True)
class ReadTables:
    """Facts derived from tables, with their argument types and modes."""

    facts: dict[Predicate, Facts]
    types: dict[Predicate, tuple[str, ...]]
    modes: tuple[Mode, ...]
    origins: dict[Predicate, Origin]


@dataclass(frozen=True, eq=False)
class _Column:
    """Column of a table as codes; -1 marks missing values."""

    table: str
    name: str
    codes: Codes
    numeric: bool
    boolean: bool
    dated: bool = False
    parts: tuple[str, ...] = ()
    """Columns of the table that this column is composed of; empty for an original column."""

    @cached_property
    def values(self) -> Codes:
        """Distinct codes, ascending."""
        return np.unique(self.codes[self.codes >= 0])

    @property
    def own_type(self) -> str:
        return f"{self.table}.{self.name}"

    def __str__(self) -> str:
        return f"{self.table}.{self.name}"


@dataclass(frozen=True, eq=False)
class _Table:
    name: str
    columns: dict[str, _Column]
    key: tuple[str, ...]
    n_rows: int
    types: dict[str, str] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)
    """Columns that hold keys."""

    @property
    def only_key(self) -> _Column | None:
        """Column that is a key by itself."""
        return self.columns[self.key[0]] if len(self.key) == 1 else None


def facts_of_tables(
    tables: Mapping[str, Any],
    keys: Mapping[str, str | Sequence[str]],
    references: References,
    symbols: Symbols,
) -> ReadTables:
    """Convert tables to facts, types and modes; see `Relations`.

    Keys have a type named after their table, and so do columns that refer to them. Numbers have a separate
    type in each column (``car.wheels``), as do names, unless two columns share a value.

    Examples
    --------
    >>> import polars as pl
    >>> train = pl.DataFrame({"train": ["t1", "t2"], "bound": ["east", "west"]})
    >>> car = pl.DataFrame({"car": ["c1", "c2", "c3"], "of": ["t1", "t1", "t2"], "wheels": [2, 3, 2]})
    >>> read = facts_of_tables({"train": train, "car": car}, {"train": "train", "car": "car"}, {}, Symbols())
    >>> read.types["car_of", 2], read.types["car_wheels", 2]
    (('car', 'train'), ('car', 'car.wheels'))
    >>> print(*read.modes, sep="\\n")
    train_bound(+train, -train.bound)
    car_of(+car, -train)
    car_of(-car, +train)
    car_wheels(+car, -car.wheels)
    car_wheels(+car, #car.wheels)
    """
    _check_told(tables, keys, references)
    read = {name: _read(name, frame, keys.get(name, ()), symbols) for name, frame in tables.items()}
    for table in read.values():
        _check_key(table, symbols)
        _note_missing(table)
    read, simple = composed(read, references, symbols)
    _settle_types(read, simple, symbols)
    things: list[tuple[Predicate, list[_Column]]] = []
    known: list[tuple[Predicate, list[_Column]]] = []
    for table in read.values():
        key = table.only_key
        if key is None:
            known.append(((table.name, len(table.columns)), [*table.columns.values()]))
        else:
            things.append(((table.name, 1), [key]))
            others = [column for column in table.columns.values() if column is not key]
            known += [((f"{table.name}_{column.name}", 2), [key, column]) for column in others]
    facts: dict[Predicate, Facts] = {}
    types: dict[Predicate, tuple[str, ...]] = {}
    modes: list[Mode] = []
    origins: dict[Predicate, Origin] = {}
    for predicate, columns in things + known:
        if predicate in facts:
            raise InputError(
                f"two tables or columns both give a relation {predicate[0]}/{predicate[1]}; rename one of them"
            )
        facts[predicate] = _facts(columns)
        types[predicate] = tuple(read[column.table].types[column.name] for column in columns)
        modes += _modes(predicate, columns, types[predicate], read[columns[0].table])
        origins[predicate] = _origin(columns, read[columns[0].table])
    return ReadTables(facts, types, tuple(modes), origins)


def _origin(columns: list[_Column], table: _Table) -> Origin:
    kinds = tuple(
        KEY if column is table.only_key else TRUTH if column.boolean else DATED if column.dated else ""
        for column in columns
    )
    return Origin(table.name, tuple(column.parts or (column.name,) for column in columns), kinds)


def _check_told(
    tables: Mapping[str, Any],
    keys: Mapping[str, str | Sequence[str]],
    references: References,
) -> None:
    for name in tables:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"a table is named {name!r}; give each table a non-empty string as its name")
    for name in chain(keys, references, chain.from_iterable(told.values() for told in references.values())):
        if name not in tables:
            raise unknown("table", str(name), tables)
    for name, told in references.items():
        for column, other in told.items():
            key = keys.get(other, ())
            width = 1 if isinstance(key, str) else len(key)
            if width != (1 if isinstance(column, str) else len(column)):
                written = column if isinstance(column, str) else ", ".join(column)
                raise InputError(
                    f"references say that {name}.{written} holds keys of {other}, whose key is not "
                    f"{'one known column' if isinstance(column, str) else 'as many columns'}; declare "
                    "it in keys"
                )


def _read(name: str, frame: Any, key: str | Sequence[str], symbols: Symbols) -> _Table:
    try:
        raw = raw_frame(frame)
    except (InputError, TypeError) as problem:
        raise type(problem)(f"table {name!r}: {problem}") from None
    if not raw.columns:
        raise InputError(f"the table {name!r} has no columns; omit it")
    check_names([column.name for column in raw.columns], f"the table {name!r}")
    columns = {column.name: _coded(name, column, symbols) for column in raw.columns}
    named = (key,) if isinstance(key, str) else tuple(key)
    for column in named:
        if column not in columns:
            raise unknown(f"column of {name!r} for its key", column, columns)
    return _Table(name, columns, named, raw.n_rows)


def _coded(table: str, column: RawColumn, symbols: Symbols) -> _Column:
    """Return a column as codes, creating each distinct term only once."""
    import polars as pl

    cells = column.cells
    if cells.dtype in (pl.Categorical, pl.Enum):
        cells = cells.cast(pl.String)
    if column.temporal:
        cells = _written_dates(cells, column.whole)
    distinct, codes = _positions(cells)
    if len(distinct):
        # most cells are text, whose terms need no inspection of the type
        terms = map(Constant if distinct.dtype == pl.String else term_of_cell, distinct.to_list())
        codes = np.append(symbols.codes([*terms]), -1)[codes]
    dated = bool(column.temporal) or (cells.dtype == pl.String and are_dates(distinct))
    numeric = column.kind == "numeric" and not dated
    return _Column(table, column.name, codes, numeric, cells.dtype == pl.Boolean, dated)


def _positions(cells: Any) -> tuple[Any, NDArray[np.int64]]:
    """Return the distinct known cells by first appearance, and the position of each cell; -1 if missing."""
    import polars as pl

    if cells.dtype == pl.String:
        distinct = cells.drop_nulls().unique(maintain_order=True)
        return distinct, filled(cells.cast(pl.Enum(distinct)).to_physical(), -1).astype(np.int64)
    listed = cells.to_list()
    position = {cell: k for k, cell in enumerate(dict.fromkeys(cell for cell in listed if cell is not None))}
    codes = np.array([-1 if cell is None else position[cell] for cell in listed], np.int64)
    return pl.Series(cells.name, [*position], dtype=cells.dtype), codes


def _written_dates(days: Any, whole: bool) -> Any:
    """Format days since 1970 as ISO dates, which sort chronologically as text."""
    import polars as pl

    if whole or ((days % 1) == 0).all():
        return days.cast(pl.Int32).cast(pl.Date).dt.strftime("%Y-%m-%d")
    return (
        (days * 86_400_000_000)
        .round()
        .cast(pl.Int64)
        .cast(pl.Datetime("us"))
        .dt.strftime("%Y-%m-%d %H:%M:%S")
    )


def are_dates(cells: Any) -> bool:
    """Return whether all texts are ISO dates, with or without a time of day."""
    return len(cells) > 0 and all(map(re.compile(DATE).search, cells.to_list()))


# -- composite keys --


def composed(
    tables: dict[str, _Table], references: References, symbols: Symbols
) -> tuple[dict[str, _Table], dict[str, dict[str, str]]]:
    """Convert composite keys, and references to them, to single objects such as ``account(branch, number)``.

    A table with only key columns, such as a table of pairs, is unchanged unless others refer to it.
    """
    told = {name: dict(mine) for name, mine in references.items()}
    wanted = {
        other for mine in told.values() for columns, other in mine.items() if not isinstance(columns, str)
    }
    several = {
        name: table
        for name, table in tables.items()
        if len(table.key) > 1 and (name in wanted or len(table.columns) > len(table.key))
    }
    found: dict[str, _Table] = {}
    simple: dict[str, dict[str, str]] = {}
    for name, table in tables.items():
        columns, key = dict(table.columns), table.key
        # the key of a subtype may be the key of its supertype, as a premium account has the key of the
        # account
        entity = told.get(name, {}).get(key, name)
        if name in several:
            one = _composed(table, key, entity, _free(name, columns), symbols)
            columns, key = {one.name: one, **columns}, (one.name,)
        for parts, other in told.get(name, {}).items():
            if isinstance(parts, str):
                simple.setdefault(name, {})[parts] = other
            elif name in several and parts == table.key:
                simple.setdefault(name, {})[key[0]] = other
            elif other in several:
                one = _composed(
                    table,
                    parts,
                    told.get(other, {}).get(several[other].key, other),
                    _free(other, columns),
                    symbols,
                )
                columns[one.name] = one
                simple.setdefault(name, {})[one.name] = other
        found[name] = _Table(name, columns, key, table.n_rows)
    return found, simple


def _free(name: str, columns: Mapping[str, _Column]) -> str:
    """Return an unused name for a new column."""
    while name in columns:
        name += "_key"
    return name


def _composed(table: _Table, parts: Sequence[str], entity: str, name: str, symbols: Symbols) -> _Column:
    """Return the column of a composite key; values are missing where a part is missing."""
    rows = np.stack([table.columns[part].codes for part in parts], 1)
    known = (rows >= 0).all(1)
    codes = np.full(len(rows), -1, np.int64)
    distinct, place = np.unique(rows[known], axis=0, return_inverse=True)
    terms = symbols.terms
    made = [Function(entity, tuple(terms[code] for code in row)) for row in distinct.tolist()]
    codes[known] = symbols.codes(made)[place.ravel()] if made else -1
    return _Column(table.name, name, codes, False, False, parts=tuple(parts))


def _check_key(table: _Table, symbols: Symbols) -> None:
    """Raise an `InputError` for a key that is not unique or has missing values."""
    if not table.key:
        return
    for name in table.key:
        column = table.columns[name]
        if column.numeric and (np.abs(symbols.numbers[column.values]) >= LARGEST).any():
            raise InputError(
                f"the key {column} holds integers beyond {LARGEST:,}, which are not all distinguished; "
                "convert it to text"
            )
    rows = np.stack([table.columns[name].codes for name in table.key], 1)
    rows = rows[(rows >= 0).all(1)]
    if len(Facts.of(rows)) < len(rows):
        _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
        twice = rows[first[counts > 1].min()]
        value = ", ".join(str(symbols.terms[code]) for code in twice)
        raise InputError(
            f"two rows of the table {table.name!r} have the key {value} in {', '.join(table.key)}; "
            "give each row its own key, or declare no key for the table"
        )


def _note_missing(table: _Table) -> None:
    count = sum(int((column.codes < 0).sum()) for column in table.columns.values())
    if count:
        note(
            f"the table {table.name!r} has {count:,} missing value{'s' * (count > 1)}; the facts that "
            f"would need {'them are' if count > 1 else 'it are'} left out"
        )


def _facts(columns: list[_Column]) -> Facts:
    rows = np.stack([column.codes for column in columns], 1)
    return Facts.of(rows[(rows >= 0).all(1)])


# -- types of columns --


def _settle_types(
    tables: dict[str, _Table], references: Mapping[str, Mapping[str, str]], symbols: Symbols
) -> None:
    """Determine the type of each column: that of the key it refers to, its own, or one shared with other columns."""
    keyed = {name: key for name, table in tables.items() if (key := table.only_key) is not None}
    refers: dict[_Column, str] = {}
    for name, table in tables.items():
        told = references.get(name, {})
        for written in told:
            if written not in table.columns:
                raise unknown(f"column of {name!r} for its references", written, table.columns)
        for column in table.columns.values():
            if column.name in told:
                _check_reference(column, keyed[told[column.name]], symbols)
                refers[column] = told[column.name]
            elif (other := _inferred(column, keyed)) is not None:
                refers[column] = other
    shared = _shared(
        [
            column
            for table in tables.values()
            for column in table.columns.values()
            if column not in refers and column is not table.only_key and not (column.numeric or column.dated)
        ]
    )
    for name, table in tables.items():
        for column in table.columns.values():
            if column in refers or column is table.only_key:
                table.types[column.name] = _entity(refers.get(column, name), keyed, refers)
                table.links.add(column.name)
            else:
                table.types[column.name] = shared.get(column, column.own_type)


def _entity(table: str, keyed: dict[str, _Column], refers: dict[_Column, str]) -> str:
    """Return the table of a key, following references from key to key."""
    passed = {table}
    while (following := refers.get(keyed[table])) is not None and following not in passed:
        table = following
        passed.add(table)
    return table


def _check_reference(column: _Column, key: _Column, symbols: Symbols) -> None:
    strange = np.setdiff1d(column.values, key.values)
    if not len(strange):
        return
    first = symbols.terms[int(strange[0])]
    if len(strange) == len(column.values):
        raise InputError(
            f"references say that {column} holds keys of {key.table}, but none of its values is one, not even "
            f"{first}; name another table"
        )
    note(
        f"{len(strange):,} of the {len(column.values):,} values of {column} are not keys of {key.table}, such as "
        f"{first}"
    )


def _inferred(column: _Column, keyed: dict[str, _Column]) -> str | None:
    """Infer, from values and names, the table whose keys a column holds."""
    found = None
    for table, key in keyed.items():
        if key is column or column.boolean or column.dated or column.numeric != key.numeric:
            continue
        if not len(column.values):
            continue
        if keyed.get(column.table) is column and not _comes_before(key, column, keyed):
            continue
        if not np.isin(column.values, key.values, assume_unique=True).all():
            continue
        if _says(column.name, key):
            return table
        if not column.numeric:
            found = found or table
    return found


def _comes_before(key: _Column, other: _Column, keyed: dict[str, _Column]) -> bool:
    """Return whether, of two keys that may share values, the first is the referenced one."""
    sizes = len(key.values), len(other.values)
    order = [*keyed]
    return sizes[0] > sizes[1] or (sizes[0] == sizes[1] and order.index(key.table) < order.index(other.table))


def _says(name: str, key: _Column) -> bool:
    """Return whether a column name suggests a key: it is or ends with its table's name, the key's name, or both."""
    written, table, column = (simple_name(each) for each in (name, key.table, key.name))
    wanted = {table, f"{table}_{column}", f"{table}_id", *({column} - GENERIC)}
    return any(written == one or written.endswith(f"_{one}") for one in wanted)


def simple_name(name: str) -> str:
    """Return a name in lower case and in the singular, with its words joined by _.

    Examples
    --------
    >>> simple_name("OrderLines"), simple_name("molecule ID")
    ('order_line', 'molecule_id')
    """
    words = re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name))
    return "_".join(word.lower().removesuffix("s") if len(word) > 3 else word.lower() for word in words)


def _shared(columns: list[_Column]) -> dict[_Column, str]:
    """Give columns that share a value the type of the first of them."""
    if not columns:
        return {}
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    owner = np.repeat(np.arange(len(columns)), [len(column.values) for column in columns])
    values = np.concatenate([column.values for column in columns])
    _, place = np.unique(values, return_inverse=True)
    size = len(columns) + int(place.max(initial=-1)) + 1
    graph = coo_array((np.ones(len(owner)), (owner, len(columns) + place)), (size, size))
    _, groups = connected_components(graph, directed=False)
    first: dict[int, str] = {}
    return {
        column: first.setdefault(int(group), column.own_type)
        for column, group in zip(columns, groups[: len(columns)], strict=True)
    }


# -- modes --


def _modes(predicate: Predicate, columns: list[_Column], types: tuple[str, ...], table: _Table) -> list[Mode]:
    """Return the modes from each key to its properties, with constants if there are few values."""
    if len(columns) == 1 and table.only_key is not None:
        return []  # implied by its type, which is that of a key
    starts = [place for place, column in enumerate(columns) if column.name in table.links]
    starts = starts or [place for place, column in enumerate(columns) if not column.numeric] or [0]
    found = []
    for start in starts:
        rest = [place for place in range(len(columns)) if place != start]
        few = [
            place
            for place in rest
            if (_names_few if place in starts else _has_few_values)(columns[place])
            and columns[place] is not table.only_key
        ]
        for constant in (None, *few):
            if constant is None and any(columns[place].boolean for place in rest):
                continue
            signs = {start: "+"} if constant is None else {start: "+", constant: "#"}
            arguments = tuple(f"{signs.get(place, '-')}{kind}" for place, kind in enumerate(types))
            found.append(Mode(predicate[0], arguments))
    return found


def _names_few(column: _Column) -> bool:
    """Return whether a column refers to few rows, each often enough to be a constant in clauses."""
    return len(column.values) <= MOST_CONSTANTS and len(column.values) * ONE_EACH <= int(
        (column.codes >= 0).sum()
    )


def _has_few_values(column: _Column) -> bool:
    if column.dated:
        return False
    count = len(column.values)
    most = MOST_NUMBERS if column.numeric else MOST_CONSTANTS
    return column.boolean or (count <= most and count < int((column.codes >= 0).sum()))
