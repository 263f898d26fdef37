"""Support vectors as rows of the user's table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.reports import shortened
from induce.hypotheses.naming import mean_text, value_text

if TYPE_CHECKING:
    from polars import DataFrame

    from induce.kernels.kernel_sum import KernelSum
    from induce.kernels.machine import KernelMachine

SHOWN = 4
"""Maximum number of printed columns of a support vector."""
LETTERS = 24


def support_frame(machine: KernelMachine) -> DataFrame:
    """Return one line per support vector and separator: row number, class, alpha and columns."""
    import polars as pl

    parts = []
    cells = _cells(machine)
    for separator in machine.separators:
        order = np.argsort(machine.rows[separator.support], kind="stable")
        place = separator.support[order]
        head = {
            "row": machine.rows[place],
            machine.target: [machine.classes[code] for code in machine.labels[place].tolist()],
            "separator": [machine.sides(separator)] * len(place),
            "alpha": np.abs(separator.coefficients)[order],
            "at bound": separator.at_bound[order],
        }
        body = {_free(name, head): [values[i] for i in place.tolist()] for name, values in cells.items()}
        parts.append(pl.DataFrame(head | body, strict=False))
    return pl.concat(parts) if parts else pl.DataFrame({"row": [], "alpha": []})


def sum_frame(function: KernelSum) -> DataFrame:
    """Return one line per support vector: row number, target, coefficient and columns."""
    import polars as pl

    order = np.argsort(function.rows, kind="stable")
    head = {
        "row": function.rows[order],
        function.target: function.values[order],
        "coefficient": function.coefficients[order],
        "at bound": function.at_bound[order],
    }
    cells = _cells(function)
    body = {_free(name, head): [values[i] for i in order.tolist()] for name, values in cells.items()}
    return pl.DataFrame(head | body, strict=False)


def row_text(function: KernelSum, place: int) -> str:
    """Return a support vector as text: its target and first columns."""
    cells = {name: values[place] for name, values in _cells(function).items()}
    told = {function.target: float(function.values[place]), **dict(list(cells.items())[:SHOWN])}
    dates = {column.name: column.counted for column in function.schema}
    texts = [f"{value_text(name)} {_cell_text(value, dates.get(name, ''))}" for name, value in told.items()]
    more = len(cells) - SHOWN
    return ", ".join([*texts, *([f"… ({more} more)"] if more > 0 else [])])


def _cell_text(value: Any, unit: str) -> str:
    if value is None:
        return "missing"
    number = isinstance(value, float)
    return mean_text(value, unit) if number else shortened(value_text(value), LETTERS)


def _cells(machine: KernelMachine | KernelSum) -> dict[str, list[Any]]:
    """Return the values of each input column of all support vectors."""
    found: dict[str, list[Any]] = {}
    n_numeric = n_nominal = n_things = 0
    for column in machine.schema.inputs():
        match column.kind:
            case "text":
                found[column.name] = list(machine.things[n_things])
                n_things += 1
            case "nominal":
                codes = machine.nominal[:, n_nominal].tolist()
                found[column.name] = [column.domain[code] if code >= 0 else None for code in codes]
                n_nominal += 1
            case _:
                numbers = machine.numeric[:, n_numeric].tolist()
                found[column.name] = [None if number != number else number for number in numbers]
                n_numeric += 1
    return found


def _free(name: str, taken: dict[str, Any]) -> str:
    while name in taken:
        name += "_"
    return name
