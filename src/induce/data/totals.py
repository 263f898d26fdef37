"""A last row that sums up the others is no example."""

from __future__ import annotations

import re

import polars as pl

from induce.data.dialect import Findings
from induce.data.layout import looks_like_data

TOTAL = re.compile(
    r"(grand[\s-]?|sub[\s-]?|gesamt)?(total(e|s|en)?|totaal|summe|sum|gesamt|insgesamt|suma|somme)\s*:?$",
    re.I,
)
SAMPLE = 100


def without_totals(frame: pl.DataFrame, findings: Findings) -> pl.DataFrame:
    """Leave out a last row that begins with a word for a total, where this is no value of the column.

    It is none if no other row has it, and the row has empty cells or its column otherwise holds numbers or dates.

    Examples
    --------
    >>> frame = pl.DataFrame({"day": ["2022-01-14", "2022-01-15", "Total"], "sold": ["3", "4", "7"]})
    >>> without_totals(frame, Findings()).height
    2
    """
    if frame.height < 3:
        return frame
    row = [(cell or "").strip() for cell in frame.row(-1)]
    place = next((j for j, cell in enumerate(row) if cell), None)
    if place is None or not TOTAL.match(row[place]):
        return frame
    label = frame.columns[place]
    others = frame[label][:-1].str.strip_chars()
    if (others == row[place]).any():
        return frame
    if "" in row or looks_like_data(others.head(SAMPLE).drop_nulls().to_list()):
        findings.say(f"the last row, {row[place]!r}, left out")
        return frame.head(-1)
    return frame
