"""Slopes in the units of a network's inputs, from those of columns and from invariances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.frames import raw_frame
from induce.data.numeric_view import NumericView
from induce.knowledge.invariances import Invariance
from induce.neural.slopes import Slopes

Floats = NDArray[np.float64]

SPREAD = 3.0**-0.5
"""Standard deviation of an amount drawn uniformly from -1 to 1."""


def numeric_places(view: NumericView) -> NDArray[np.intp]:
    """Return the input positions of the numeric columns."""
    widths = [1 if column.kind != "nominal" else len(column.domain) for column in view.schema]
    starts = np.cumsum([0, *widths[:-1]])
    return np.array(
        [start for start, column in zip(starts, view.schema, strict=True) if column.kind != "nominal"],
        np.intp,
    )


def tangent_slopes(
    view: NumericView, inputs: Floats, invariances: Sequence[Invariance], n_outputs: int, mu: float
) -> Slopes:
    """Return target slopes of 0 along the tangents of invariances.

    The length of a tangent is a typical amount of its change. So with `mu` of 1 the added error is the error
    that the change would cause.
    """
    places = numeric_places(view)
    if not len(places):
        raise InputError(
            "invariances change numbers, but the table has no numeric column; leave invariances out"
        )
    rows = inputs[:, places] * view.scale + view.offset
    found = np.zeros((len(inputs), len(invariances), inputs.shape[1]))
    for number, invariance in enumerate(invariances):
        found[:, number, places] = invariance.tangents(rows) / view.scale * (SPREAD * invariance.size)
    targets = np.zeros((len(inputs), n_outputs, len(invariances)))
    return Slopes(targets, np.full(len(inputs), float(mu)), found)


def given_slopes(
    slopes: Any, view: NumericView, n_rows: int, rows: NDArray[np.intp], scale: Floats, mu: float
) -> Slopes:
    """Return the user's slopes by columns, converted to the units of inputs and outputs; NaN where unknown."""
    places = dict(
        zip((c.name for c in view.schema if c.kind != "nominal"), numeric_places(view), strict=True)
    )
    frame = raw_frame(slopes)
    named = [column.name for column in frame.columns]
    if not frame.named:  # an array has one column per numeric column, in their order
        if len(named) != len(places):
            raise InputError(
                f"slopes has {len(named)} columns, but the table has {len(places)} numeric ones; give "
                "one slope for each, or a frame that names some of them"
            )
        named = list(places)
    odd = [name for name in named if name not in places]
    if odd:
        raise InputError(
            f"slopes has a column {odd[0]!r}, which is not a numeric column of the table; "
            "give only numeric columns"
        )
    if any(len(column) != n_rows for column in frame.columns):
        raise InputError(
            f"slopes has {len(frame.columns[0])} rows, but the table has {n_rows}; give one slope per row"
        )
    found = np.full((len(rows), len(view.mean)), np.nan)
    order = list(places)
    for name, column in zip(named, frame.columns, strict=True):
        if column.kind != "numeric":
            raise InputError(f"slopes of column {name!r} are not numeric; give numbers")
        numbers = np.asarray(column.values, np.float64)[rows]
        if np.isinf(numbers).any():
            raise InputError(
                f"slopes of column {name!r} contain infinity; give finite numbers, or NaN if unknown"
            )
        found[:, places[name]] = numbers * view.scale[order.index(name)]
    if np.isnan(found).all():
        raise InputError("slopes contains no number; omit it, or give the slopes that are known")
    each = found[:, np.newaxis] / scale[np.newaxis, :, np.newaxis]
    return Slopes(each, np.full(len(rows), float(mu)))


def joined(one: Slopes | None, other: Slopes | None) -> Slopes | None:
    """Return slopes by inputs and slopes along tangents combined."""
    if one is None or other is None:
        return one or other
    n_rows, _, n_inputs = one.targets.shape
    units = np.broadcast_to(np.eye(n_inputs), (n_rows, n_inputs, n_inputs))
    assert other.directions is not None
    return Slopes(
        np.concatenate([one.targets, other.targets], axis=2),
        one.mu,
        np.concatenate([units, other.directions], axis=1),
    )
