"""Formats of durations and times of day: 2:05:30, 9:30 pm, 1 day 02:00:00, 1h 30m."""

from __future__ import annotations

import polars as pl

CLOCK = (
    r"^(?<sign>[\-\x{2212}])?(?:(?<days>\d+)\s?d(?:ays?)?,?\s+)?(?<hours>\d{1,4}):(?<minutes>[0-5]\d)"
    r"(?::(?<seconds>[0-5]\d(?:[.,]\d{1,9})?))?(?:\s?(?<half>[AaPp])\.?[Mm]\.?)?$"
)
LETTERS = (
    r"^(?<sign>[\-\x{2212}])?(?:(?<days>\d+)\s?d(?:ays?)?,?\s*)?(?:(?<hours>\d+)\s?h(?:ours?|rs?)?,?\s*)?"
    r"(?:(?<minutes>\d+)\s?m(?:in(?:utes?|s)?)?,?\s*)?(?:(?<seconds>\d+(?:[.,]\d{1,9})?)\s?s(?:ec(?:onds?|s)?)?)?$"
)
SECONDS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
UNITS = {"s": 1, "min": 60}
TRIED_FIRST = 1000


def durations(cells: pl.Series, unit: str | None = None) -> tuple[pl.Series, str] | None:
    """Return durations as numbers and their unit; None if not all cells are durations.

    The unit is the second if any cell has seconds, otherwise the minute: ``9:30`` is 570 minutes, both as a
    duration and as a time since midnight. Letters (``1h 30m``) are recognised if any cell has two of them; a
    plain ``30 min`` is a number with a unit.

    Examples
    --------
    >>> numbers, unit = durations(pl.Series(["2:05:30", "0:00:10"]))
    >>> numbers.to_list(), unit
    ([7530, 10], 's')
    >>> durations(pl.Series(["9:30", "1:15 pm"]))[0].to_list()
    [570, 795]
    """
    known = cells.drop_nulls()
    for pattern in (CLOCK, LETTERS):
        if (
            len(known)
            and known.head(TRIED_FIRST).str.contains(pattern).all()
            and known.str.contains(pattern).all()
        ):
            parts = cells.str.extract_groups(pattern).struct.unnest()
            named = sum(parts[name].is_not_null().cast(pl.Int64) for name in SECONDS)
            assert isinstance(named, pl.Series)
            if pattern == LETTERS and not (named > 1).any():
                return None
            unit = unit or ("s" if parts["seconds"].is_not_null().any() else "min")
            return _numbers(parts, known.null_count() + len(cells) - len(known), unit, cells.name), unit
    return None


def _numbers(parts: pl.DataFrame, nulls: int, unit: str, name: str) -> pl.Series:
    amounts = {
        each: parts[each].str.replace(",", ".", literal=True).cast(pl.Float64).fill_null(0.0)
        for each in SECONDS
    }
    if "half" in parts.columns:
        half, hours = parts["half"].str.to_lowercase(), amounts["hours"]
        amounts["hours"] = pl.select(
            pl.when(half == "p").then(hours % 12 + 12).when(half == "a").then(hours % 12).otherwise(hours)
        ).to_series()
    total = sum(amounts[each] * seconds for each, seconds in SECONDS.items()) / UNITS[unit]
    empty = pl.all_horizontal(pl.col(each).is_null() for each in SECONDS)
    signed = pl.select(pl.when(parts["sign"].is_not_null()).then(-total).otherwise(total)).to_series()
    numbers = signed.set(parts.select(empty).to_series(), None).alias(name)
    whole = numbers.cast(pl.Int64, strict=False)
    return whole if (whole == numbers).all() and whole.null_count() == nulls else numbers
