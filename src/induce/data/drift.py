"""Drift: unseen values and changed distributions in new rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.data.names import listed
from induce.data.schema import Column, Schema
from induce.data.table import encode

Counts = NDArray[np.float64]

BINS = 10
LEAST_ROWS = 30
"""Minimum number of new rows for a drift report."""
SHIFTED = 0.25
"""Minimum population stability index of a drifted column, by convention."""
CHANCE = 1e-4
"""Significance level of a shift; less significant shifts are not reported."""
MOST_SAID = 5
MOST_CELLS = 20_000_000
"""Maximum number of rows for a fingerprint; for more rows it would take as long as learning."""


def profile(frame: Any, schema: Schema) -> list[dict[str, Any]]:
    """Return the distribution of each nominal and numeric input, as plain data.

    Numbers are counted in intervals of approximately equal frequency, nominal values individually.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.DataFrame({"wind": ["weak", "weak", "strong"], "age": [1.0, 2.0, None]})
    >>> columns = Schema((Column("wind", "nominal", ("weak", "strong")), Column("age")))
    >>> [(each["name"], each["counts"], each["missing"]) for each in profile(rows, columns)]
    [('wind', [2, 1], 0), ('age', [1, 1], 1)]
    """
    columns = _counted(schema)
    table = encode(frame.select(columns.names()), columns) if columns.names() else None
    found = []
    for place, column in enumerate(columns):
        assert table is not None
        cells = table.column(place)
        edges = _edges(cells) if column.kind == "numeric" else None
        counts, missing, _ = _counts(cells, column, edges)
        each: dict[str, Any] = {
            "name": column.name,
            "counts": counts.astype(int).tolist(),
            "missing": missing,
        }
        if edges is not None:
            known = cells[~np.isnan(cells)]
            each |= {
                "edges": edges.tolist(),
                "range": [float(known.min()), float(known.max())] if len(known) else [],
            }
        found.append(each)
    return found


def fingerprint(frame: Any, answers: Any, schema: Schema) -> str | None:
    """Return a digest that identifies rows and targets; None for very many rows.

    Examples
    --------
    >>> import polars as pl
    >>> columns = Schema((Column("age"),))
    >>> one, two = (fingerprint(pl.DataFrame({"age": ages}), ["a", "b"], columns) for ages in ([1, 2], [1.0, 2.0]))
    >>> one == two
    True
    """
    columns = _counted(schema)
    if frame.height * max(frame.width, 1) > MOST_CELLS or not columns.names():
        return None
    table = encode(frame.select(columns.names()), columns)
    found = hashlib.sha256(np.ascontiguousarray(table.numeric).tobytes())
    found.update(np.ascontiguousarray(table.nominal).tobytes())
    for answer in np.asarray(answers).tolist():
        found.update(
            f"{float(answer)!r}|".encode() if isinstance(answer, float | int) else f"{answer}|".encode()
        )
    return found.hexdigest()[:32]


class Watch:
    """Counts of new rows, batch by batch, compared with the training rows.

    Parameters
    ----------
    schema : Schema
        Schema of the hypothesis.
    learned : sequence of dict
        Result of `profile` on the training rows; empty if unknown.

    Examples
    --------
    >>> import polars as pl
    >>> columns = Schema((Column("wind", "nominal", ("weak", "strong")),))
    >>> watch = Watch(columns)
    >>> watch.see(pl.DataFrame({"wind": ["weak", "gale", "gale"]}))
    >>> watch.sentences()
    ["column 'wind' holds values in 2 of 3 rows not seen in training: gale 2"]
    """

    def __init__(self, schema: Schema, learned: Sequence[Mapping[str, Any]] = ()) -> None:
        self._schema = _counted(schema)
        self._learned = {each["name"]: each for each in learned}
        self._rows = 0
        self._counts: dict[str, Counts] = {}
        self._missing: dict[str, int] = {}
        self._unseen: dict[str, dict[str, int]] = {}
        self._beyond: dict[str, int] = {}

    def see(self, frame: Any) -> None:
        """Count the rows of a frame with the columns of the schema."""
        if not self._schema.names():
            return
        table = encode(frame.select(self._schema.names()), self._schema)
        self._rows += len(table)
        for place, column in enumerate(self._schema):
            name, cells = column.name, table.column(place)
            learned = self._learned.get(name, {})
            edges = np.asarray(learned["edges"], dtype=np.float64) if "edges" in learned else None
            counts, missing, unseen = _counts(cells, column, edges)
            self._counts[name] = counts + self._counts.get(name, 0.0)
            self._missing[name] = missing + self._missing.get(name, 0)
            if unseen.any():
                told = self._unseen.setdefault(name, {})
                for value in frame.get_column(name).filter(unseen).to_list():
                    told[str(value)] = told.get(str(value), 0) + 1
            if len(learned.get("range", ())) == 2:
                low, high = learned["range"]
                self._beyond[name] = self._beyond.get(name, 0) + int(((cells < low) | (cells > high)).sum())

    def sentences(self) -> list[str]:
        """Return the report on the rows so far, one sentence per column."""
        said = [self._of_unseen(name) for name in self._unseen]
        shifts = {name: self._shift(name) for name in self._counts if name in self._learned}
        drifted = sorted((name for name in shifts if shifts[name] > 0), key=lambda name: -shifts[name])
        said += [self._of_drift(name) for name in drifted[:MOST_SAID]]
        if len(drifted) > MOST_SAID:
            said.append(
                f"{len(drifted) - MOST_SAID} more columns have drifted: {listed(drifted[MOST_SAID:])}"
            )
        return said

    def _of_unseen(self, name: str) -> str:
        values = sorted(self._unseen[name].items(), key=lambda pair: (-pair[1], pair[0]))
        shown = ", ".join(f"{value} {count:,}" for value, count in values[:3])
        more = f" and {len(values) - 3:,} other values" if len(values) > 3 else ""
        return (
            f"column {name!r} holds values in {sum(self._unseen[name].values()):,} of {self._rows:,} rows not seen "
            f"in training: {shown}{more}"
        )

    def _shift(self, name: str) -> float:
        """Return the population stability index of a column; 0 if its shift is not significant."""
        learned = self._learned[name]
        before = np.array([*learned["counts"], learned["missing"]], dtype=np.float64)
        now = np.array([*self._counts[name], self._missing[name]], dtype=np.float64)
        if self._rows < LEAST_ROWS or before.shape != now.shape or before.sum() < LEAST_ROWS:
            return 0.0
        there = (before > 0) | (now > 0)
        if there.sum() < 2:
            return 0.0
        old, new = ((counts[there] + 0.5) / (counts[there] + 0.5).sum() for counts in (before, now))
        index = float(((new - old) * np.log(new / old)).sum())
        return index if index >= SHIFTED and _p_value(before[there], now[there]) < CHANCE else 0.0

    def _of_drift(self, name: str) -> str:
        learned, now = self._learned[name], self._counts[name]
        before, rows = np.array(learned["counts"], dtype=np.float64), self._rows
        total = before.sum() + learned["missing"]
        start = f"column {name!r} has drifted: "
        gone = abs(self._missing[name] / rows - learned["missing"] / total)
        shares, once = now / rows, before / total
        if gone > np.abs(shares - once).max():
            once_missing = learned["missing"] / total
            return f"{start}{self._missing[name]:,} of {rows:,} rows lack it, {once_missing:.0%} in training"
        if "edges" not in learned:
            k = int(np.abs(shares - once).argmax())
            value = self._schema[name].domain[k]
            return f"{start}{str(value)!r} in {int(now[k]):,} of {rows:,} rows, {once[k]:.0%} in training"
        half = _middle(learned)
        above = int(now[half:].sum())
        beyond = self._beyond.get(name, 0)
        end = f"; {beyond:,} outside the training range" if beyond else ""
        return (
            f"{start}{above:,} of {rows:,} values above {self._shown(name, learned['edges'][half - 1])}, "
            f"{before[half:].sum() / max(before.sum(), 1):.0%} in training{end}"
        )

    def _shown(self, name: str, number: float) -> str:
        """Format a number of a column; dates as dates."""
        unit = self._schema[name].temporal
        if not unit:
            return f"{number:.4g}"
        moment = datetime(1970, 1, 1) + (
            timedelta(days=number) if unit == "days" else timedelta(seconds=number)
        )
        return moment.date().isoformat() if unit == "days" else moment.isoformat(" ", "seconds")


def _middle(learned: Mapping[str, Any]) -> int:
    """Return the interval that begins near the median."""
    below = np.cumsum(learned["counts"]) / max(sum(learned["counts"]), 1)
    return min(int(np.searchsorted(below, 0.5)) + 1, len(learned["counts"]) - 1) or 1


def _p_value(before: Counts, now: Counts) -> float:
    from scipy.stats import chi2_contingency

    return float(chi2_contingency(np.vstack([before, now]), correction=False).pvalue)


def _counted(schema: Schema) -> Schema:
    return Schema(tuple(column for column in schema.inputs() if column.kind in ("nominal", "numeric")))


def _edges(cells: Counts) -> Counts:
    """Return the upper ends of intervals of approximately equal frequency, except the last."""
    known = cells[~np.isnan(cells)]
    if not len(known):
        return np.zeros(0)
    inner = np.quantile(known, np.arange(1, BINS) / BINS, method="lower")
    return np.unique(inner[inner < known.max()])


def _counts(cells: Any, column: Column, edges: Counts | None) -> tuple[Counts, int, NDArray[np.bool_]]:
    """Return the counts of each value or interval, the number of missing cells, and the unseen values."""
    if column.kind == "nominal":
        seen = cells[cells >= 0]
        counts = np.bincount(seen, minlength=len(column.domain)).astype(np.float64)
        return counts, int((cells == -1).sum()), np.asarray(cells == -2)
    known = cells[~np.isnan(cells)]
    edges = np.zeros(0) if edges is None else edges
    counts = np.bincount(np.searchsorted(edges, known), minlength=len(edges) + 1).astype(np.float64)
    return counts, len(cells) - len(known), np.zeros(len(cells), dtype=np.bool_)
