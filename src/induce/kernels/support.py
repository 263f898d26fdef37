"""Support vectors as rows of the user's table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from polars import DataFrame

    from induce.kernels.machine import KernelMachine


def support_frame(machine: KernelMachine) -> DataFrame:
    """Return a line for each support vector of each separator: its row number, class, alpha, and its columns."""
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


def _cells(machine: KernelMachine) -> dict[str, list[Any]]:
    """The values of each input column of all support vectors."""
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
