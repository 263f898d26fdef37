"""Distances by name, fitted to training rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.parameter_kinds import Function, OneOf
from induce.core.parameters import either
from induce.data.table import Table, encode
from induce.data.training import training_frame, training_schema
from induce.distances.angle import cosine
from induce.distances.attributes import AttributeDistance
from induce.distances.covariance import mahalanobis
from induce.distances.function import FunctionDistance
from induce.distances.rows import Floats

if TYPE_CHECKING:
    from induce.distances.base import Distance

METRICS = (
    *("heom", "euclidean", "manhattan", "chebyshev", "minkowski", "seuclidean"),
    *("hamming", "mahalanobis", "vdm", "hvdm", "cosine"),
)
METRIC = either(
    "Distance, by name or as a function of two rows.",
    OneOf(METRICS),
    Function("a function of two rows"),
    also={"l1": "manhattan", "l2": "euclidean", "cityblock": "manhattan"},
)
"""Declaration of the parameter `metric`."""
OF_CLASSES = ("vdm", "hvdm")
POWERS = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf, "seuclidean": 2.0}
Metric = str | Callable[[Any, Any], float]


def distance(
    metric: Metric,
    X: Any,
    y: Any = None,
    *,
    p: float = 2.0,
    attribute_weights: Any = None,
    weights: Floats | None = None,
) -> Distance:
    """Fit a distance to training rows.

    Parameters
    ----------
    metric : str or callable
        ``"heom"``, ``"euclidean"``, ``"manhattan"``, ``"chebyshev"``, ``"minkowski"`` (with `p`),
        ``"seuclidean"`` (each number divided by its standard deviation), ``"hamming"``, ``"mahalanobis"``,
        ``"vdm"``, ``"hvdm"``, ``"cosine"``, or a function of two rows.
    X : frame, array or encoded table
        Training rows.
    y : sequence, optional
        Class of each row, which ``"vdm"`` and ``"hvdm"`` need.
    p : float
        Power of ``"minkowski"``, at least 1.
    attribute_weights : dict or array, optional
        Factor of each axis: a dict from column names to factors (1 if omitted), or one factor per input
        column.
    weights : array, optional
        Weight of each row.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> distance("hamming", X).between(X[:1], X[1:3])
    array([[1., 1.]])
    >>> squares = distance("vdm", X[["Outlook"]], y).between(X[:1], X[[2, 3]]) ** 2
    >>> squares.round(2)
    array([[0.72, 0.08]])
    """
    table = encoded(X)
    stretch = column_weights(table, attribute_weights)
    if callable(metric):
        _unstretched(metric, attribute_weights)
        return FunctionDistance(table.schema, metric)
    one_of("metric", metric, METRICS)
    if metric == "mahalanobis":
        _unstretched(metric, attribute_weights)
        return mahalanobis(table, weights=weights)
    if metric == "cosine":
        _unstretched(metric, attribute_weights)
        return cosine(table)
    if metric in OF_CLASSES:
        if y is None:
            raise InputError(f"metric {metric!r} compares values by classes, but there are none; use 'heom'")
        labels = np.unique(np.asarray(y), return_inverse=True)[1]
        found = (vdm if metric == "vdm" else hvdm)(table, labels, weights)
    elif metric == "hamming":
        found = hamming(table)
    elif metric == "heom":
        found = heom(table)
    else:
        scale = "standard" if metric == "seuclidean" else None
        found = minkowski(table, POWERS.get(metric, p), scale, weights, metric)
    return found if attribute_weights is None else found.stretched(stretch)


def minkowski(
    table: Table,
    p: float = 2.0,
    scale: str | None = None,
    weights: Floats | None = None,
    name: str = "minkowski",
) -> AttributeDistance:
    """Return the Minkowski distance of power `p`; nominal values add 0 or 1.

    A missing number has the maximum distance between two training rows from any other number.

    Parameters
    ----------
    table : Table
        Training rows.
    p : float
        Power: 1 for Manhattan, 2 for Euclidean, infinity for Chebyshev distance.
    scale : {None, "range", "standard"}
        Divisor of numbers: none, the range or the standard deviation.
    weights : array, optional
        Weight of each row.
    name : str, default="minkowski"
        Name of the distance.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.data.table import encode
    >>> table = encode([[1, 2, 3], [4, 0, 3]], Schema((Column("a"), Column("b"), Column("c"))))
    >>> [round(float(minkowski(table, p).between(table, table)[0, 1]), 6) for p in (1, 2, 3, np.inf)]
    [5.0, 3.605551, 3.271066, 3.0]
    """
    at_least("p", p, 1)
    one_of("scale", scale, (None, "range", "standard"))
    reach = _ranges(table.numeric)
    divisor = np.ones_like(reach)
    if scale is not None:
        spread = reach if scale == "range" else _deviations(table.numeric, weights)
        divisor = np.where(spread > 0, spread, 1.0)
    unknown = np.ones_like(reach) if scale == "range" else reach / divisor
    return _between_attributes(table, name, float(p), divisor, unknown)


def heom(table: Table) -> AttributeDistance:
    """Return the heterogeneous Euclidean-overlap metric (Wilson and Martinez 1997).

    Numbers contribute their difference divided by the range of the training rows, nominal values 0 or 1. A
    missing or unseen value has distance 1 from any other.

    Parameters
    ----------
    table : Table
        Training rows.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.data.table import encode
    >>> schema = Schema((Column("size"), Column("colour", "nominal", ("red", "blue"))))
    >>> table = encode([[1, "red"], [5, "red"], [2, "blue"], [None, "red"]], schema)
    >>> heom(table).between(table.rows([0]), table).round(3)
    array([[0.   , 1.   , 1.031, 1.   ]])
    """
    return minkowski(table, 2.0, "range", name="heom")


def hamming(table: Table) -> AttributeDistance:
    """Return the number of columns in which rows differ; a missing or unseen value differs from everything.

    Parameters
    ----------
    table : Table
        Training rows; all columns are nominal.
    """
    _refuse_numbers(table, "Hamming distance counts values that differ", "use 'heom'")
    nothing = np.empty(0)
    return _between_attributes(table, "hamming", 1.0, nothing, nothing)


def vdm(table: Table, labels: NDArray[np.int64], weights: Floats | None = None) -> AttributeDistance:
    """Return the value difference metric, which compares class proportions (Stanfill and Waltz 1986).

    Two values contribute the squared differences between their class proportions, summed over the classes. A
    value that is missing or was not seen in training has distance 1 from any other.

    Parameters
    ----------
    table : Table
        Training rows; all columns are nominal.
    labels : array of int
        Class of each row.
    weights : array, optional
        Weight of each row.
    """
    _refuse_numbers(table, "the value difference metric compares nominal values", "use 'hvdm'")
    nothing = np.empty(0)
    return _between_attributes(table, "vdm", 2.0, nothing, nothing, _profiles(table, labels, weights))


def hvdm(table: Table, labels: NDArray[np.int64], weights: Floats | None = None) -> AttributeDistance:
    """Return the heterogeneous value difference metric (Wilson and Martinez 1997).

    Nominal values differ as in `vdm`, numbers by their difference divided by four standard deviations. A
    missing or unseen value has distance 1 from any other.

    Parameters
    ----------
    table : Table
        Training rows.
    labels : array of int
        Class of each row.
    weights : array, optional
        Weight of each row.
    """
    spread = 4 * _deviations(table.numeric, weights)
    scale = np.where(spread > 0, spread, 1.0)
    return _between_attributes(
        table, "hvdm", 2.0, scale, np.ones_like(scale), _profiles(table, labels, weights)
    )


def settling_rows(metric: Metric, table: Table) -> NDArray[np.int64]:
    """Return the rows without which the distance would be different.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.data.table import encode
    >>> table = encode([[1.0], [5.0], [1.0], [2.0]], Schema((Column("size"),)))
    >>> settling_rows("heom", table), settling_rows("manhattan", table), settling_rows("hvdm", table)
    (array([1]), array([1]), array([0, 1, 2, 3]))
    """
    if callable(metric) or metric in ("hamming", "cosine"):
        return np.empty(0, dtype=np.int64)
    if metric in ("seuclidean", "mahalanobis", *OF_CLASSES):
        return np.arange(len(table))
    # a missing number counts as the range of its column, which depends on a unique smallest or largest number
    found = []
    for numbers in table.numeric.T:
        for extreme in (np.fmin.reduce(numbers), np.fmax.reduce(numbers)):
            where = np.flatnonzero(numbers == extreme)
            found += where.tolist() if len(where) == 1 else []
    return np.unique(np.array(found, dtype=np.int64))


def column_weights(table: Table, given: Any) -> Floats:
    """Return the factor of each column."""
    names = table.schema.names()
    if isinstance(given, Mapping):
        for name in given:
            table.schema[name]
        given = [given.get(name, 1.0) for name in names]
    try:
        found = np.ones(len(names)) if given is None else np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (len(names),) or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(
            f"attribute_weights is {given!r}; give a finite number of at least 0 for each of the {len(names)} columns"
        )
    return found


def encoded(X: Any) -> Table:
    """Return a frame or an array as a table with a schema inferred from itself."""
    if isinstance(X, Table):
        return X
    raw = training_frame(X)
    return encode(raw, training_schema(raw, None, None))


def _between_attributes(
    table: Table,
    name: str,
    power: float,
    scale: Floats,
    unknown: Floats,
    profiles: tuple[Floats, ...] | None = None,
) -> AttributeDistance:
    none = (np.empty((0, 0)),) * table.nominal.shape[1]
    weights = np.ones(len(table.schema))
    return AttributeDistance(
        table.schema, name, power, scale, unknown, weights, none if profiles is None else profiles
    )


def _profiles(table: Table, labels: NDArray[np.int64], weights: Floats | None) -> tuple[Floats, ...]:
    """Return for each nominal column the class proportions among the rows with each value."""
    n_classes = int(labels.max(initial=0)) + 1
    domains = [len(column.domain) for column in table.schema if column.kind == "nominal"]
    found = []
    for codes, size in zip(table.nominal.T, domains, strict=True):
        known = codes >= 0
        cells = codes[known].astype(np.int64) * n_classes + labels[known]
        weight = None if weights is None else weights[known]
        counts = np.bincount(cells, weight, size * n_classes).reshape(size, n_classes).astype(np.float64)
        total = counts.sum(axis=1, keepdims=True)
        found.append(np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0))
    return tuple(found)


def _ranges(numbers: Floats) -> Floats:
    numbers = np.asarray(numbers, np.float64)
    low, high = np.fmin.reduce(numbers, initial=np.inf), np.fmax.reduce(numbers, initial=-np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        reach = high - low
    return np.where(low <= high, np.minimum(reach, np.finfo(np.float64).max), 0.0)


def _deviations(numbers: Floats, weights: Floats | None) -> Floats:
    known = ~np.isnan(numbers)
    weight = known * (np.ones(len(numbers)) if weights is None else weights)[:, np.newaxis]
    total = np.maximum(weight.sum(axis=0), np.finfo(np.float64).tiny)
    with np.errstate(over="ignore", invalid="ignore"):
        filled = np.where(known, numbers, 0.0)
        mean = (weight * filled / total).sum(axis=0)
        found = np.sqrt((weight * (filled - mean) ** 2).sum(axis=0) / total)
    return np.where(np.isfinite(found), found, _ranges(numbers))


def _refuse_numbers(table: Table, what: str, instead: str) -> None:
    for column in table.schema:
        if column.kind != "nominal":
            raise InputError(
                f"{what}, but column {column.name!r} is numeric; declare it nominal, or {instead}"
            )


def _unstretched(metric: Metric, attribute_weights: Any) -> None:
    if attribute_weights is not None:
        what = "a function" if callable(metric) else repr(metric)
        raise InputError(f"attribute_weights scales axes, but metric {what} has none; omit it")
