"""Dates as people write them: 14.01.2022, 01/14/22 9:30 pm, 14 Jan 2022; and the parts of a date."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from induce.core.errors import InputError

MONTHS = (
    "jan january januar janvier enero ene gennaio gen januari janeiro jän jänner",
    "feb february februar février fév févr febrero febbraio februari fevereiro fev",
    "mar march märz mär mrz mars marzo maart mrt março",
    "apr april avril avr abril abr aprile",
    "may mai mayo maggio mag mei maio",
    "jun june juni juin junio giugno giu junho",
    "jul july juli juillet juil julio luglio lug julho",
    "aug august août aoû aout agosto ago augustus",
    "sep sept september septembre septiembre settembre set setembro",
    "oct october oktober okt octobre octubre ottobre ott outubro out",
    "nov november novembre noviembre novembro",
    "dec december dezember dez décembre déc diciembre dic dicembre dezembro",
)
NUMBER_OF_MONTH = {name: f"{k:02d}" for k, names in enumerate(MONTHS, 1) for name in names.split()}
TIME = r"(?:(?:T|,?\s+)(?<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(?<half>[AaPp])?(?:\.?[Mm]\.?)?)?"
NUMBERS = rf"^(?<a>\d{{1,4}})(?<mark>[./\-]\s?)(?<b>\d{{1,2}})[./\-]\s?(?<c>\d{{2,4}}){TIME}$"
DAY_NAME = r"(?:\p{L}{2,10}\.?,?\s)?"
DAY_FIRST = (
    rf"^{DAY_NAME}(?<a>\d{{1,2}})\.?[\s\-/]?\s?(?<b>\p{{L}}{{3,10}})\.?[\s\-/,]\s?(?<c>\d{{2,4}}){TIME}$"
)
NAME_FIRST = (
    rf"^{DAY_NAME}(?<b>\p{{L}}{{3,10}})\.?\s(?<a>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?<c>\d{{2,4}}){TIME}$"
)
YEAR_FIRST = rf"^(?<c>\d{{4}})[\s\-/](?<b>\p{{L}}{{3,10}})[\s\-/](?<a>\d{{1,2}}){TIME}$"
ORDERS = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
TRIED_FIRST = 1000
PIVOT = 69
"""Two digits from here on are of the last century, as POSIX has it."""


@dataclass(frozen=True)
class Dates:
    """How the dates of a column are written.

    Parameters
    ----------
    orders : tuple of str
        The orders of day, month and year in which all cells are dates; none if rows contradict.
    pattern : str
        Which of the patterns all cells match.
    points : bool
        Whether points separate the parts, which only days before months have.
    witnesses : tuple of str
        If rows contradict, a cell with the day first and one with the month first; otherwise an example.
    """

    orders: tuple[str, ...]
    pattern: str = NUMBERS
    points: bool = False
    witnesses: tuple[str, ...] = ()

    def read(self, cells: pl.Series, order: str) -> pl.Series:
        """Return dates, or times if a cell has one; null where a cell is none."""
        parts = cells.str.extract_groups(self.pattern).struct.unnest()
        days = _days(parts, order)
        times = parts["time"]
        if times.null_count() == len(times):
            return days.alias(cells.name)
        clock = times.fill_null("0:00").str.extract_groups(r"^(\d+):(\d+)(?::([\d.]+))?$").struct.unnest()
        hours, minutes, seconds = (part.fill_null("0").cast(pl.Float64) for part in clock)
        half = parts["half"].str.to_lowercase()
        hours = pl.select(
            pl.when(half == "p").then(hours % 12 + 12).when(half == "a").then(hours % 12).otherwise(hours)
        ).to_series()
        micros = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000
        moments = days.cast(pl.Datetime("us")) + micros.round().cast(pl.Int64).cast(pl.Duration("us"))
        in_range = (hours < 24) & (minutes < 60) & (seconds < 60)
        return pl.select(pl.when(in_range).then(moments)).to_series().alias(cells.name)


def dates(cells: pl.Series) -> Dates | None:
    """Say how the dates of a column of strings are written; None if it does not hold dates.

    Examples
    --------
    >>> found = dates(pl.Series(["01/14/2022", "02/01/2022"]))
    >>> found.orders, found.read(pl.Series(["02/01/2022"]), "mdy").to_list()
    (('mdy',), [datetime.date(2022, 2, 1)])
    >>> dates(pl.Series(["01/02/2022"])).orders
    ('dmy', 'mdy')
    >>> dates(pl.Series(["14/01/2022", "01/14/2022"])).orders
    ()
    """
    known = cells.drop_nulls()
    if not len(known):
        return None
    head = known.head(TRIED_FIRST)
    for pattern in (NUMBERS, DAY_FIRST, NAME_FIRST, YEAR_FIRST):
        if head.str.contains(pattern).all() and known.str.contains(pattern).all():
            return _dates(known, pattern)
    return None


def by_pattern(cells: pl.Series, pattern: str) -> pl.Series | None:
    """Return strings as dates or times by a pattern of `strptime`, or None if one is not written so."""
    timed = any(part in pattern for part in ("%H", "%I", "%M", "%S", "%T", "%R", "%X", "%c"))
    kind = pl.Datetime("us") if timed else pl.Date
    try:
        found = cells.str.strptime(kind, pattern, strict=False)
    except pl.exceptions.PolarsError:
        raise InputError(
            f"dates is {pattern!r}, which is no pattern of dates; write it as %d.%m.%Y, or say dmy, mdy or ymd"
        ) from None
    return found if found.null_count() == cells.null_count() and len(cells) > cells.null_count() else None


def _dates(known: pl.Series, pattern: str) -> Dates | None:
    parts = known.str.extract_groups(pattern).struct.unnest()
    if pattern != NUMBERS:
        return Dates(("dmy",), pattern) if _days(parts, "dmy").null_count() == 0 else None
    lengths = parts["a"].str.len_chars()
    if (lengths == 4).all():
        return Dates(("ymd",)) if _days(parts, "ymd").null_count() == 0 else None
    if (lengths > 2).any() or (parts["c"].str.len_chars() == 3).any():
        return None
    points = bool(parts["mark"].str.starts_with(".").all())
    fits = {order: _days(parts, order).is_not_null() for order in ("dmy", "mdy")}
    if points:
        return Dates(("dmy",), points=True) if fits["dmy"].all() else None
    if not (fits["dmy"] | fits["mdy"]).all():
        return None
    orders = tuple(order for order in ("dmy", "mdy") if fits[order].all())
    ends = (known.filter(fits["dmy"] & ~fits["mdy"]), known.filter(fits["mdy"] & ~fits["dmy"]))
    witnesses = [cell for end in ends for cell in end.head(1).to_list()] if not orders else [known[0]]
    return Dates(orders, witnesses=tuple(witnesses))


def _days(parts: pl.DataFrame, order: str) -> pl.Series:
    places = {"dmy": "cba", "mdy": "cab", "ymd": "abc"}[order]
    year, month, day = (parts[place] for place in places)
    short = year.str.len_chars() == 2
    century = pl.when(year.cast(pl.Int32, strict=False) >= PIVOT).then(pl.lit("19")).otherwise(pl.lit("20"))
    full = pl.when(short).then(century + year).otherwise(year)
    named = month.str.to_lowercase().replace_strict(NUMBER_OF_MONTH, default=None, return_dtype=pl.String)
    number = pl.coalesce(named, month.str.zfill(2))
    written = pl.concat_str([full, number, day.str.zfill(2)], separator="-").alias("written")
    return pl.select(written)["written"].str.to_date("%Y-%m-%d", strict=False)
