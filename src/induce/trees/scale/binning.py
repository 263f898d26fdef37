"""Partitions as bytes: every cell is binned once and stored on the local disk of the machine that reads it."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.engines import total
from induce.core.errors import InputError
from induce.core.hashing import SAMPLE
from induce.core.pass_results import pass_result
from induce.counts.steps import Steps
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.data.schema import Schema
from induce.discretise import codes, midpoints, quantile_edges
from induce.estimators.scale import partition_sample
from induce.trees.prepared import settled_edges

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bins:
    """Cuts of each numeric column, and the folder for the coded partitions.

    Without classes, the targets are numeric and are stored beside the codes.
    """

    inputs: Schema
    edges: tuple[tuple[Floats, Floats], ...]
    n_codes: NDArray[np.int64]
    n_classes: int
    folder: str = ""

    @property
    def dtype(self) -> Any:
        """Type of a cell: one or two bytes."""
        return np.uint8 if max(int(self.n_codes.max(initial=0)), self.n_classes - 1) < 256 else np.uint16

    def coded(self, partition: Partition) -> NDArray[Any]:
        """Return the codes of a partition with its classes in the last column; recomputed if not stored."""
        path = Path(self.folder) / f"{partition.number:08d}.npy"
        try:
            found: NDArray[Any] = np.load(path, allow_pickle=False)
            return found
        except (OSError, ValueError):  # not stored yet, or by a worker on another machine
            return self.make(partition)[0]

    def make(self, partition: Partition) -> tuple[NDArray[Any], int]:
        """Bin and store a partition; return the codes and the number of missing cells."""
        values, labels = partition.columns()
        path = Path(self.folder) / f"{partition.number:08d}.npy"
        n_missing = 0
        made = np.empty((len(labels), len(self.inputs) + 1), self.dtype)
        for f, (cells, (highest, lowest)) in enumerate(zip(values, self.edges, strict=True)):
            nominal = self.inputs.columns[f].kind == "nominal"
            found = cells if nominal else codes(cells, midpoints(highest, lowest))
            missing = np.flatnonzero(found < 0)
            n_missing += len(missing)
            found[missing] = self.n_codes[f]
            made[:, f] = found
        made[:, -1] = labels if self.n_classes else 0
        if not self.n_classes:
            _keep(self._goals(partition), labels)
        _keep(path, made)
        return made, n_missing

    def numbers(self, partition: Partition) -> Floats:
        """Return the numeric targets of a binned partition."""
        self.coded(partition)
        return np.asarray(np.load(self._goals(partition), allow_pickle=False))

    def _goals(self, partition: Partition) -> Path:
        return Path(self.folder) / f"{partition.number:08d}-goals.npy"


def _keep(path: Path, made: NDArray[Any]) -> None:
    """Write a file atomically, because another thread may look for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        np.save(file, made)
    os.replace(file.name, path)


@pass_result
@dataclass(eq=False)
class _Settling:
    """Sample for the bins of numeric columns: some rows, and the distinct values if there are few."""

    sample: list[list[Floats]]
    steps: list[Steps]

    def __add__(self, later: _Settling) -> _Settling:
        return _Settling(
            [mine + theirs for mine, theirs in zip(self.sample, later.sample, strict=True)],
            [mine + theirs for mine, theirs in zip(self.steps, later.steps, strict=True)],
        )


def _looked_at(partition: Partition, share: float) -> _Settling:
    values, _ = partition.columns()
    rows = partition_sample(partition, share)
    columns = [np.ascontiguousarray(each) for each in values]
    return _Settling([[each[rows]] for each in columns], [Steps.of(each) for each in columns])


def settled_bins(source: Scan, n_bins: int) -> Bins:
    """Determine the bins of all columns, which equal those of the table in memory."""
    inputs = source.schema.inputs()
    numeric = Schema(tuple(column for column in inputs if column.kind != "nominal"))
    edges: dict[str, tuple[Floats, Floats]] = {}
    if len(numeric):
        share = SAMPLE / len(source)
        settling = total(partial(_looked_at, share=share), source.with_schema(numeric).partitions())
        for name, sample, steps in zip(numeric.names(), settling.sample, settling.steps, strict=True):
            values = np.concatenate(sample)
            edges[name] = (
                quantile_edges(values, n_bins) if share >= 1 else settled_edges(values, steps, n_bins)
            )
    nothing = (np.empty(0), np.empty(0))
    n_codes = [
        len(column.domain) if column.kind == "nominal" else len(edges[column.name][0]) + 1
        for column in inputs
    ]
    return Bins(
        inputs,
        tuple(edges.get(column.name, nothing) for column in inputs),
        np.array(n_codes, np.int64),
        len(source.classes),
    )


def binned_classes(partition: Partition, bins: Bins) -> NDArray[np.int64]:
    """Bin a partition; return the number of rows per class and the number of missing cells."""
    made, missing = bins.make(partition)
    if len(made) != (partition.n_labelled if partition.places is None else len(partition.places)):
        raise InputError(f"{partition.label} has changed since it was scanned; scan it again")
    return np.append(np.bincount(made[:, -1], minlength=bins.n_classes), missing)
