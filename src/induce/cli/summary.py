"""A table summarised in a few lines, above the hypothesis."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.data.dataset import Dataset

MOST_CLASSES = 10


def summary(table: Dataset, hypothesis: Any) -> dict[str, Any]:
    """Count the rows, the columns of each kind, the missing values and the rows of each class.

    For a numeric target the summary has the range, the mean and the standard deviation; without a target it
    has neither.

    Examples
    --------
    >>> import induce
    >>> table = induce.dataset("play-tennis")
    >>> found = summary(table, induce.ID3().fit(*table).hypothesis_)
    >>> found["kinds"], found["missing"], found["classes"]
    ({'nominal': 4}, 0, {'Yes': 9, 'No': 5})
    """
    inputs = hypothesis.schema.inputs().names()
    missing = table.frame.select(inputs).null_count().row(0) if inputs else ()
    return {
        "name": table.name,
        "rows": len(table),
        "target": table.target,
        "kinds": dict(Counter(column.kind for column in hypothesis.schema.inputs())),
        "left_out": [
            column.name
            for column in table.schema
            if column.name not in inputs and column.name != table.target
        ],
        "missing": sum(missing),
        "columns_with_missing": sum(count > 0 for count in missing),
        **_target(table, hypothesis),
    }


def _target(table: Dataset, hypothesis: Any) -> dict[str, Any]:
    if table.target is None:
        return {}
    return _numbers(table) if hypothesis.answer == "number" else _classes(table)


def _classes(table: Dataset) -> dict[str, Any]:
    counts = table.y.value_counts(sort=True, name="rows")
    if not len(counts) and table.target is not None:
        return {"classes": {str(value): 0 for value in table.schema[table.target].domain}}
    ordered = counts.sort("rows", table.target, descending=[True, False])
    return {"classes": {str(value): rows for value, rows in ordered.rows()}}


def _numbers(table: Dataset) -> dict[str, Any]:
    y = table.y.cast(float)
    return {"range": [y.min(), y.max()], "mean": y.mean(), "standard_deviation": y.std()}


def in_words(found: dict[str, Any]) -> list[str]:
    """Return a summary as text."""
    from induce.hypotheses.naming import plural

    kinds = " and ".join(f"{count} {kind}" for kind, count in found["kinds"].items())
    if "chunks" in found:
        last = f"learned in chunks of {found['chunks']:,} rows"
    elif found["missing"]:
        values, columns = plural(found["missing"], "value"), plural(found["columns_with_missing"], "column")
        last = f"{values} missing in {columns}"
    else:
        last = "no value missing"
    columns = f"{kinds} column{'' if sum(found['kinds'].values()) == 1 else 's'}"
    lines = [f"{found['name'] or 'table'}: {found['rows']:,} rows, {columns}, {last}"]
    if found["left_out"]:
        lines.append(f"left out: {', '.join(found['left_out'])}")
    if found["target"] is not None:
        lines.append(f"{found['target']}: {_target_text(found, found['rows'])}")
    return lines


def _target_text(found: dict[str, Any], n_rows: int) -> str:
    if "range" in found:
        low, high = (f"{bound:,.6g}" for bound in found["range"])
        return (
            f"{low} to {high}, mean {found['mean']:,.6g}, "
            f"standard deviation {found['standard_deviation']:,.6g}"
        )
    classes = list(found["classes"].items())
    shown = [f"{value} {rows:,} ({rows / max(n_rows, 1):.1%})" for value, rows in classes[:MOST_CLASSES]]
    more = [f"… ({len(classes)} classes)"] if len(classes) > MOST_CLASSES else []
    return ", ".join(shown + more)
