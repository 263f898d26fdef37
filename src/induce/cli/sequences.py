"""`induce learn` for sequences."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.cli.learned import Learned


def learned_from_sequences(
    name: str,
    parameters: dict[str, Any],
    data: str,
    columns: dict[str, Any],
    sequence: str | None,
    order: str | None,
    state: str | None,
    seed: int | None,
) -> Learned:
    """Learn from a table whose rows are the steps of sequences; `state` is the column of known states."""
    from induce.cli.learned import Learned
    from induce.cli.parameters import built, learner_class
    from induce.cli.progress import bar
    from induce.cli.sources import opened_data
    from induce.cli.summary import summary
    from induce.data.names import unknown
    from induce.sequences.sequences import Sequences

    table = opened_data(data, None, **columns)
    places = {"sequence": sequence or "", "order": order or "", "state": state or ""}
    for column in filter(None, places.values()):
        if column not in table.frame.columns:
            raise unknown("column", column, table.frame.columns)
    aside = [column for column in table.aside if column not in places.values()]
    sequences = Sequences.of(
        table.frame.drop(aside), sequence=places["sequence"], order=places["order"], state=places["state"]
    )
    shown = {column.name for column in sequences.raw.columns}
    schema = {column.name: column for column in table.schema if column.name in shown}
    model = built(learner_class(name), {"schema": schema, **parameters}, seed=seed)
    started = time.perf_counter()
    with bar("learning"):
        model.fit(sequences)
    seconds = time.perf_counter() - started
    found = summary(table, model.hypothesis_)
    found["target"] = None
    found["left_out"] = [column for column in found["left_out"] if column not in places.values()]
    return Learned(model, found, seconds, None)
