"""Learning from a table in partitions: in memory if it fits, otherwise by sums over the partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import engines
from induce.core.blas import one_thread
from induce.core.errors import InputError
from induce.core.hashing import SAMPLE, hashed_rows
from induce.core.notes import note
from induce.core.passes import passes
from induce.core.progress import phase
from induce.core.trace import learning
from induce.core.values import Value, by_class
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.data.schema import Schema

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

MOST_CELLS = 100_000_000
"""Maximum number of cells of a table that is learned in memory: about a gigabyte."""
OFFERED = 50_000
"""Number of rows of the sample that is suggested for learners that need all rows at once."""


def fit_scan(learner: Any, source: Scan, y: Any, sample_weight: Any, predicts: str = "class") -> None:
    """Learn from a partitioned table, in memory or by sums over partitions, with a note about which.

    Parameters
    ----------
    learner : estimator
        Learner; it sums over partitions if it has `_learn_scan`.
    source : Scan
    y, sample_weight
        Must be None: a scanned table has its own target.
    predicts : {"class", "number", "nothing"}
    """
    if y is not None or sample_weight is not None:
        given = "y" if y is not None else "sample_weight"
        raise InputError(f"a scanned table has its own target, {source.target!r}; omit {given}")
    learner._check_parameters()
    learner._begin_fit()
    guided = getattr(learner, "knowledge", None) is not None
    learn = None if guided else getattr(learner, "_learn_scan", None)
    if predicts == "number":
        source = source.with_numbers()
    elif predicts == "class" and not source.classes:
        raise InputError(
            f"the target {source.target!r} is numeric, but a classifier needs classes; discretise it"
            if source.target
            else f"{source.name!r} was scanned without a target; name it: induce.scan(…, target=…)"
        )
    n_columns = len(source.schema.inputs())
    fits = len(source) * n_columns <= MOST_CELLS
    if fits and not (learn is not None and engines.chosen()):
        note(f"{source.name!r} has {len(source):,} rows and {n_columns:,} columns and is learned in memory")
        with phase("reading", 0, 0.5):
            X, target = source.read()
        with phase("learning", 0.5, 1):
            learner.fit(X, *([] if predicts == "nothing" else [target]))
        return
    if learn is None:
        name = f"{type(learner).__name__} with knowledge" if guided else type(learner).__name__
        raise InputError(
            f"{name} needs all rows at once, and {source.name!r} has {len(source):,}; learn from a sample: "
            f"fit(*source.sample({OFFERED:_}))"
        )
    schema = learner._amended(_usable(source.schema, learner.takes_text))
    learner._seen(_no_rows(schema), schema.names())
    if predicts == "class":
        learner.classes_ = np.unique(np.asarray(source.classes))
    note(
        f"{source.name!r} has {len(source):,} rows and is learned in {len(source.parts):,} partitions by "
        f"{engines.engine().name}"
    )
    n_passes = getattr(learner, "_n_passes", None)
    with one_thread(), learning(type(learner).__name__), passes(None if n_passes is None else n_passes()):
        learner.hypothesis_ = learn(source.with_schema(schema))


def _usable(schema: Schema, text: bool) -> Schema:
    columns = []
    for column in schema:
        if column.kind == "text" and column.role == "input" and not text:
            note(f"column {column.name!r} holds text, which this learner cannot use, and is ignored")
            column = replace(column, role="ignore")
        columns.append(column)
    found = Schema(tuple(columns))
    if not len(found.inputs()):
        raise InputError("no column is left to learn from: all are identifiers, text or ignored")
    return found


def _no_rows(schema: Schema) -> Any:
    import polars as pl

    return pl.DataFrame({name: [] for name in schema.names()})


def class_weights(class_weight: Any, classes: Sequence[Value], counts: NDArray[Any]) -> Floats | None:
    """Return the weight of the rows of each class; None if all rows have weight 1.

    As in memory, integer weights count rows, and other weights are relative: they are normalised to sum to
    the number of rows.

    Examples
    --------
    >>> class_weights("balanced", ["no", "yes"], np.array([1, 3])).round(3).tolist()
    [2.0, 0.667]
    """
    if class_weight is None:
        return None
    if class_weight == "balanced":
        return np.asarray(counts.sum() / (len(classes) * counts), np.float64)
    if not isinstance(class_weight, dict):
        raise InputError(
            f"class_weight is {class_weight!r}; it can be None, 'balanced' or a dict from classes to weights"
        )
    given = by_class(class_weight, classes)
    found = np.array([float(given.get(value, 1.0)) for value in classes])
    if not np.isfinite(found).all() or (found < 0).any() or not found.any():
        raise InputError("class_weight needs finite weights of at least 0, one of them above 0")
    return found if (found == np.round(found)).all() else found * counts.sum() / (found @ counts)


def sampled_numbers(source: Scan, names: Sequence[str], most: int = SAMPLE) -> tuple[list[Floats], Labels]:
    """Return the numeric columns of sampled rows, from which bins and densities are made, and the classes."""
    narrow = source.with_schema(Schema(tuple(source.schema[name] for name in names)))
    take = partial(_sample_of, share=most / max(1, len(source)))
    found = engines.each(take, narrow.partitions())
    columns = [np.concatenate([here[0][f] for here in found]) for f in range(len(names))]
    return columns, np.concatenate([labels for _, labels in found])


def _sample_of(partition: Partition, share: float) -> tuple[list[Floats], Labels]:
    values, labels = partition.columns()
    rows = partition_sample(partition, share)
    return [np.array(each[rows]) for each in values], labels[rows]


def partition_sample(partition: Partition, share: float) -> Labels:
    """Return the positions of a partition's rows in a sample of the given fraction of all rows."""
    chosen = hashed_rows(partition.first_row, partition.n_labelled, share)
    return chosen if partition.places is None else np.flatnonzero(np.isin(partition.places, chosen))
