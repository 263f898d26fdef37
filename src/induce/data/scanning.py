"""Tables larger than memory, from files, databases or frames, in partitions with fixed row numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.engines import each, total
from induce.core.errors import InputError
from induce.core.hashing import hashed_rows
from induce.core.notes import note
from induce.core.partitioned import Partitioned
from induce.core.pass_results import pass_result
from induce.data.chunks import ChunkedTable, Seen, distinct_cells, is_number, settled_column
from induce.data.dataset import Dataset
from induce.data.dialect import MISSING_TOKENS, Dialect
from induce.data.goals import Goal
from induce.data.parquet_sources import Opened, opened_source
from induce.data.partitions import Part, Partition
from induce.data.reading import typed
from induce.data.schema import Column, Schema
from induce.data.schema_overrides import SchemaLike, Told, several
from induce.data.type_inference import inexact


@dataclass(frozen=True, eq=False)
class Scan(Partitioned):
    """Table that is not read as a whole: its schema, its classes, and the location of its rows.

    Learners with additive statistics take it in place of a table: ``fit(source)``. Row numbers count the rows with a
    class, in the order of the partitions.

    Parameters
    ----------
    name : str
        Name of the table.
    layout : ChunkedTable
        Schema and classes.
    parts : tuple
        The partitions.
    labelled : tuple of int
        Number of rows with a class in each partition.
    kept : float
        Fraction of rows kept by a hash of their number; a negative value leaves that fraction out.
    """

    name: str
    layout: ChunkedTable
    parts: tuple[Part, ...]
    labelled: tuple[int, ...]
    kept: float = 1.0
    keep: Any = field(default=None, repr=False)
    """Temporary folder of the rows, which must live as long as the table."""

    def __len__(self) -> int:
        return sum(self.labelled)

    @property
    def schema(self) -> Schema:
        """Schema of the columns, without the target."""
        return self.layout.schema

    @property
    def target(self) -> str:
        """Column to be predicted; empty if there is none."""
        return self.layout.target

    @property
    def classes(self) -> tuple[Any, ...]:
        """Classes, in declared order or sorted; empty if numbers are to be predicted."""
        return self.layout.classes

    def with_numbers(self) -> Scan:
        """Return the table with integer classes as a numeric target."""
        if not self.target or any(isinstance(value, str) for value in self.classes):
            said = f"holds {self.classes[0]!r}" if self.target else "is not named"
            raise InputError(
                f"the target {self.target!r} of {self.name!r} {said}, but a number is to be predicted; name a column "
                "of numbers"
            )
        return replace(self, layout=replace(self.layout, classes=(), class_counts=np.zeros(0, np.int64)))

    def partitions(self) -> list[Partition]:
        """Return the non-empty partitions."""
        starts = np.cumsum([0, *self.labelled]).tolist()
        found = [
            Partition(part, self.layout, k, starts[k], n, self.kept)
            for k, (part, n) in enumerate(zip(self.parts, self.labelled, strict=True))
            if n
        ]
        if self.kept == 1.0:
            return found
        return [each for each in found if each.places is None or len(each.places)]

    def with_schema(self, schema: Schema) -> Scan:
        """Return the table with another schema, such as one that ignores text."""
        return replace(self, layout=replace(self.layout, schema=schema))

    def held_out(self, share: float) -> tuple[Scan, Scan]:
        """Split the rows by a hash of their number into training rows and a fraction for testing.

        Examples
        --------
        >>> import induce
        >>> source = induce.scan(induce.dataset("iris").frame, target="species")
        >>> train, test = source.held_out(0.3)
        >>> len(train.sample(200).X) + len(test.sample(200).X)
        150
        """
        if not 0 < share < 1:
            raise InputError(f"the share held out is {share!r}; give a number between 0 and 1")
        return replace(self, kept=-share), replace(self, kept=share)

    def sample(self, n: int, seed: int = 0) -> Dataset:
        """Return about `n` rows, chosen by a hash of their number, as a table in memory; all if there are no more."""
        share = n / max(1, len(self))
        found = each(partial(_sampled, share=share, seed=seed), self.partitions())
        if not found or not sum(len(labels) for _, labels in found):
            raise InputError(f"the sample of {self.name!r} is empty; draw more rows")
        frame = pl.concat([rows for rows, _ in found], how="vertical_relaxed")
        return self.table(frame, np.concatenate([labels for _, labels in found]))

    def read(self) -> Dataset:
        """Return the whole table in memory."""
        return self.sample(len(self))

    def table(self, frame: pl.DataFrame, labels: NDArray[Any]) -> Dataset:
        """Return rows and their classes or numbers as a table."""
        classes = self.classes
        enums = [
            pl.col(each.name).cast(pl.Enum(list(map(str, each.domain))))
            for each in self.schema.inputs()
            if each.kind == "nominal" and frame.schema[each.name] == pl.String
        ]
        if not self.target:
            return Dataset(frame.with_columns(enums), None, self.schema, name=self.name)
        goal = pl.Series(self.target, np.asarray(classes)[labels] if classes else labels)
        if classes and all(isinstance(value, str) for value in classes):
            goal = goal.cast(pl.Enum(list(map(str, classes))))
        kind = "nominal" if classes and isinstance(classes[0], str | bool) else "numeric"
        column = Column(self.target, kind, classes if kind == "nominal" else (), role="target")
        return Dataset(
            frame.with_columns([*enums, goal]), self.target, Schema((*self.schema, column)), name=self.name
        )

    def __repr__(self) -> str:
        kinds = Counter(column.kind for column in self.schema.inputs())
        told = ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "no input column"
        goal = f", target {self.target!r} with {len(self.classes)} classes" if self.classes else ""
        if self.target and not self.classes:
            goal = f", target {self.target!r}, a number"
        parts = "1 partition" if len(self.parts) == 1 else f"{len(self.parts):,} partitions"
        return f"{self.name}: {len(self):,} rows in {parts}, {told}{goal}"


def _sampled(partition: Partition, share: float, seed: int) -> tuple[pl.DataFrame, NDArray[Any]]:
    rows, labels = partition.rows()
    if share >= 1.0:
        return rows, labels
    chosen = hashed_rows(partition.first_row, partition.n_labelled, share, seed)
    if partition.places is not None:
        chosen = np.flatnonzero(np.isin(partition.places, chosen))
    return rows[chosen], labels[chosen]


def scan(
    source: Any,
    target: str | None = None,
    *,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ignore: Sequence[str] = (),
    schema: SchemaLike = None,
    missing: Sequence[str] = MISSING_TOKENS,
    table: str | None = None,
    query: str | None = None,
    rows: int | None = None,
    verify: bool = False,
    folder: str | Path | None = None,
    dialect: Dialect | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Scan:
    """Infer the schema of a table, which may be larger than memory, in one pass.

    Parquet files are read in place. Other sources are first converted to Parquet files in another folder.

    Parameters
    ----------
    source : path, list of paths, address, frame or list of frames
        A Parquet or CSV file, or any other that `read` reads; a folder or a pattern such as ``"sales/*.parquet"``; a
        list of files; an address in an object store that polars reads; the URL of a database; a polars `LazyFrame`; a
        Dask dataframe; a frame in memory.
    target : str, optional
        Column to be predicted: a class, or a number if it has fractions or is named in `numeric`. Rows without it are
        left out, with a note.
    nominal : sequence of str
        Names of columns to treat as nominal.
    numeric : sequence of str
        Names of columns to treat as numeric.
    ignore : sequence of str
        Names of columns to leave out.
    schema : Schema, dict or path, optional
        Further declarations of columns: kind, domain, ordered, role, cost, taxonomy; a path names a TOML or JSON
        file.
    missing : sequence of str
        Markers of missing values, in addition to null and NaN.
    table, query : str, optional
        Table of a database, or query for its rows.
    rows : int, optional
        Maximum number of rows per partition.
    verify : bool
        Whether the page checksums of Parquet files are verified; requires pyarrow. A note names files without
        checksums.
    folder : path, optional
        Folder for the converted files of other sources; a temporary folder by default. Workers on other machines
        must have access to it.
    dialect : Dialect, optional
        Declared format of text files: see `induce.data.dialect.Dialect`.
    storage_options : dict, optional
        Options of an object store, as polars takes them, such as ``{"aws_region": "eu-west-1"}``. Without them polars
        takes credentials and endpoints from environment variables and configuration files of the store.

    Examples
    --------
    >>> import induce
    >>> source = induce.scan(induce.dataset("play-tennis").frame, target="PlayTennis", rows=5)
    >>> source
    frame: 14 rows in 3 partitions, 4 nominal, target 'PlayTennis' with 2 classes
    >>> induce.NaiveBayes().fit(source).hypothesis_.class_counts.tolist()
    [9.0, 5.0]
    """
    given = {
        "nominal": several(nominal),
        "numeric": several(numeric),
        "ignore": several(ignore),
        "schema": schema,
    }
    found = opened_source(
        source,
        target,
        given,
        several(missing),
        table,
        query,
        rows,
        folder,
        verify,
        dialect,
        storage_options,
    )
    if found.layout is not None:  # the schema was inferred while the rows were written
        labelled = tuple(part.n_rows for part in found.parts)
        return Scan(found.name, found.layout, found.parts, labelled, keep=found.keep)
    return _looked_through(found, target, given, several(missing))


@pass_result
@dataclass(eq=False)
class _Looked:
    """Statistics of neighbouring partitions."""

    seen: dict[str, Seen]
    goal: Goal
    rows: int
    labelled: list[int]
    odd: str = ""

    def __add__(self, later: _Looked) -> _Looked:
        odd = self.odd or later.odd
        for name, mine in self.seen.items():
            if not odd and not mine.join(later.seen[name]):
                odd = name
        self.goal.join(later.goal)
        return _Looked(self.seen, self.goal, self.rows + later.rows, self.labelled + later.labelled, odd)


def _looked_at(
    part: Part, names: Sequence[str], goal: str | None, told: Told, missing: Sequence[str]
) -> _Looked:
    """Inspect the target and the non-numeric columns of one partition."""
    seen = {name: Seen(name) for name in names}
    looked = Goal(goal, numbers=told.kind(goal or "") == "numeric")
    if part.n_rows == 0:
        return _Looked(seen, looked, 0, [0])
    if not names:  # only numbers, and no target
        return _Looked(seen, looked, part.n_rows, [part.n_rows])
    frame = part.read(names)
    labelled = frame
    if goal is not None:
        cells, counts = frame[goal].value_counts(name="rows").get_columns()
        found = typed(cells, told, missing, False)
        seen[goal].look(cells, found, missing)
        looked.look(found, counts)
        if found.null_count():
            labelled = frame.filter(typed(frame[goal], told, missing, False).is_not_null())
    odd = ""
    for name in names:
        if name != goal and not seen[name].look(
            labelled[name], typed(distinct_cells(labelled[name]), told, missing, False), missing
        ):
            odd = name
    return _Looked(seen, looked, frame.height, [labelled.height], odd)


def _looked_through(
    found: Opened, target: str | None, given: dict[str, Any], missing: tuple[str, ...]
) -> Scan:
    head = found.head
    told = Told(head.columns, target=target, **given)
    inputs = [name for name in head.columns if not told.left_out(name) and name != target]
    found.kinds.check([*inputs, *([] if target is None else [target])], told)
    wanted = [name for name in inputs if not is_number(head[name], told)]
    names = wanted if target is None else [target, *wanted]
    look = partial(_looked_at, names=names, goal=target, told=told, missing=missing)
    looked = total(look, found.parts)
    if looked.odd:
        raise InputError(
            f"column {looked.odd!r} of {found.name!r} holds different kinds of values in different files; make "
            "them alike, or declare it nominal"
        )
    looked.goal.settle(looked.rows)
    seen = looked.seen
    for name in inputs:
        if name not in seen and told.kind(name) is None and (example := inexact(head[name])) is not None:
            note(
                f"column {name!r} holds numbers that a float cannot hold, such as {example}, and is rounded; to keep "
                f"them, give nominal=[{name!r}]"
            )
        if name not in seen:
            seen[name] = Seen(name, kind="numeric", whole=head[name].dtype.is_integer())
    declared = () if target is None else told.apply(Column(target)).domain or seen[target].declared
    classes, class_counts = looked.goal.classes(declared)
    layout = ChunkedTable(
        source=found.name,
        schema=Schema(tuple(settled_column(seen[name], told, True, False) for name in inputs)),
        target=target or "",
        classes=classes,
        class_counts=class_counts,
        missing=missing,
        rows=max(part.n_rows for part in found.parts),
    )
    return Scan(found.name, layout, found.parts, tuple(looked.labelled), keep=found.keep)
