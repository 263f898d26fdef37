"""Data sets of an experiment, read once, with the splits shared by all learners."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import Value, plain
from induce.data.catalogue import dataset, datasets
from induce.data.dataset import Dataset
from induce.data.names import listed, unknown
from induce.data.reading import read
from induce.evaluation.estimating.splits import Plan, numbers, plan, target
from induce.evaluation.experiments.plan import ExperimentPlan, about

MANY_CLASSES = 20


@dataclass(frozen=True, eq=False)
class ExperimentTable:
    """A data set of a plan: its rows, its target, and the splits for each seed.

    Parameters
    ----------
    name : str
    data : Dataset
    actual : array
        Targets: codes of `classes`, or numbers.
    classes : tuple or None
        Classes in order; None for regression.
    fingerprint : str
        Hash of the table; equal for identical tables.
    drawn : dict from seeds to Plan
        Splits for each seed.
    """

    name: str
    data: Dataset
    actual: NDArray[Any] = field(repr=False)
    classes: tuple[Value, ...] | None
    fingerprint: str
    drawn: Mapping[int, Plan] = field(repr=False)

    @property
    def values(self) -> NDArray[Any]:
        """Original target values of the table."""
        return self.actual if self.classes is None else np.asarray(self.classes)[self.actual]

    def codes(self, predicted: NDArray[Any]) -> NDArray[Any]:
        """Encode predicted classes as small integers; numeric predictions are unchanged."""
        if self.classes is None:
            return predicted.astype(np.float64)
        places = {value: place for place, value in enumerate(self.classes)}
        try:
            found = [places[value] for value in predicted.tolist()]
        except KeyError as problem:
            raise InputError(
                f"it predicts {problem.args[0]!r}, which is not a class of {self.name!r}"
            ) from None
        return np.array(found, dtype=np.min_scalar_type(len(places)))


def loaded(experiment: ExperimentPlan) -> list[ExperimentTable]:
    """Read all data sets of a plan and draw their splits, so that errors are reported before any fit.

    Examples
    --------
    >>> from induce.evaluation.experiments.plan import read_plan
    >>> tennis = read_plan({"learners": {"t": "ID3"}, "datasets": {"d": "play-tennis"}, "splits": {"folds": 2}})
    >>> table, = loaded(tennis)
    >>> table.classes, len(table.drawn[0].splits)
    (('No', 'Yes'), 2)
    """
    numeric = experiment.numeric
    found = []
    for name, definition in experiment.datasets.items():
        with about(f"data set {name!r}"):
            found.append(_table(name, definition, experiment, numeric))
    return found


def _table(
    name: str, definition: Mapping[str, Any], experiment: ExperimentPlan, numeric: bool
) -> ExperimentTable:
    data, groups = _read(definition, experiment.folder)
    _check_target(data, numeric)
    said = numbers(data.X, data.y) if numeric else target(data.X, data.y)
    classes, actual = None, said
    if not numeric:
        values, codes = np.unique(said, return_inverse=True)
        classes = tuple(plain(value) for value in values)
        actual = codes.astype(np.min_scalar_type(len(values)))
    splits = experiment.splits
    drawn = {
        seed: plan(
            data.X,
            said,
            splits.folds,
            repeats=splits.repeats,
            groups=None if groups is None else data.frame.get_column(groups).to_numpy(),
            test_size=splits.hold_out,
            stratify=splits.stratify and not numeric,
            random_state=seed,
        )
        for seed in experiment.seeds
    }
    return ExperimentTable(name, data, actual, classes, _fingerprint(data), drawn)


def _read(definition: Mapping[str, Any], folder: str) -> tuple[Dataset, str | None]:
    """Return the data set and its grouping column."""
    said = resolved(definition, folder)
    source, groups = said.pop("data"), said.pop("groups", None)
    if groups is not None:
        said["ignore"] = [*said.get("ignore", ()), groups]
    if os.path.exists(source):
        return read(source, **said), groups
    names = [entry.name for entry in datasets()]
    if source in names:
        return _shipped(source, said), groups
    name = definition["data"]
    if os.path.splitext(name)[1] or os.path.dirname(name):
        raise InputError(f"there is no file {source!r}")
    raise InputError(f"there is no file {source!r}, and {unknown('dataset', name, names)}")


def resolved(definition: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """Return a definition with the paths of its files, which are relative to the folder of the plan.

    The name of a shipped table stays a name unless the folder has a file of this name.

    Examples
    --------
    >>> resolved({"data": "iris", "schema": "/plans/iris.json"}, "/plans")
    {'data': 'iris', 'schema': '/plans/iris.json'}
    """
    path = os.path.join(folder, definition["data"])
    shipped = not os.path.exists(path) and definition["data"] in [entry.name for entry in datasets()]
    files = {"data": definition["data"] if shipped else path}
    if "schema" in definition:
        files["schema"] = os.path.join(folder, definition["schema"])
    return {**definition, **files}


def _shipped(name: str, said: dict[str, Any]) -> Dataset:
    found = dataset(name)
    if not said:
        return found
    if "schema" not in said:
        said["schema"] = {column.name: column for column in found.schema}
    return read(found.frame, said.pop("target", found.target), name=name, **said)


def _check_target(data: Dataset, numeric: bool) -> None:
    if data.target is None:
        raise InputError(
            f"the target column is unknown; name it with target; the columns are {listed(data.frame.columns)}"
        )
    if not data.X.width:
        raise InputError(f"there is no input column besides the target {data.target!r}; give more columns")
    column, different = data.schema[data.target], data.y.n_unique()
    if numeric and (column.kind != "numeric" or column.temporal):
        kind = "dates" if column.temporal else f"{column.kind} values"
        raise InputError(
            f"the target {data.target!r} holds {kind}, but the learners predict numbers; give classifiers"
        )
    if different < 2:
        raise InputError(
            f"the target {data.target!r} has only one value, {str(data.y[0])!r}; give rows of two or "
            "more classes"
        )
    if not numeric and column.kind == "numeric" and different > MANY_CLASSES:
        note(
            f"the target {data.target!r} is numeric, and each of its {different:,} values is treated "
            "as a class"
        )


def _fingerprint(data: Dataset) -> str:
    said = hashlib.sha256(repr((data.target, data.aside, [*map(astuple, data.schema)])).encode())
    said.update(data.frame.write_csv().encode())
    return said.hexdigest()
