"""Date formats such as 14.01.2022, 01/14/22 9:30 pm and 14 Jan 2022, and the parts of a date."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from induce.core.errors import InputError
from induce.data import periods
from induce.data.periods import full_years, months_of

ZONE = r"(?:\s?(?:UTC|GMT|Z)(?:(?<zone>[+\-]\d{1,2})(?::?(?<past>\d{2}))?)?)?"
TIME = (
    r"(?:(?:T|,?\s+)(?<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(?<half>[AaPp])?(?:\.?[Mm]\.?)?"
    rf"{ZONE})?"
)
NUMBERS = rf"^(?<a>\d{{1,4}})(?<mark>[./\-]\s?)(?<b>\d{{1,2}})[./\-]\s?(?<c>\d{{2,4}}){TIME}$"
DAY_NAME = r"(?:\p{L}{2,10}\.?,?\s)?"
DAY_FIRST = (
    rf"^{DAY_NAME}(?<a>\d{{1,2}})\.?[\s\-/]?\s?(?<b>\p{{L}}{{3,10}})\.?[\s\-/,]\s?(?<c>\d{{2,4}}){TIME}$"
)
NAME_FIRST = (
    rf"^{DAY_NAME}(?<b>\p{{L}}{{3,10}})\.?\s(?<a>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?<c>\d{{2,4}}){TIME}$"
)
YEAR_FIRST = rf"^(?<c>\d{{4}})[\s\-/](?<b>\p{{L}}{{3,10}})[\s\-/](?<a>\d{{1,2}}){TIME}$"
DAYS = (NUMBERS, DAY_FIRST, NAME_FIRST, YEAR_FIRST)
ORDERS = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
TRIED_FIRST = 1000


@dataclass(frozen=True)
class Dates:
    """Date format of a column.

    Parameters
    ----------
    orders : tuple of str
        Orders of day, month and year under which all cells are dates; empty if the cells contradict each
        other.
    patterns : tuple of str
        Patterns of the cells; each cell matches one of them.
    witnesses : tuple of str
        If the cells contradict each other, one cell with the day first and one with the month first. If they
        are in several formats, a cell of each; otherwise an example.
    mixed : bool
        Whether the cells are in several formats.
    """

    orders: tuple[str, ...]
    patterns: tuple[str, ...] = (NUMBERS,)
    witnesses: tuple[str, ...] = ()
    mixed: bool = False

    @property
    def kind(self) -> str:
        """Kind of period, such as ``"months"``; empty if the cells are days."""
        return periods.KIND.get(self.patterns[0], "")

    def read(self, cells: pl.Series, order: str) -> pl.Series:
        """Return dates, or times if any cell has a time; null for other cells. Periods become their first day."""
        if self.kind:
            return periods.first_days(cells, self.patterns[0])
        found = [_read(cells, pattern, order) for pattern in self.patterns]
        if any(each.dtype != pl.Date for each in found):
            found = [each.cast(pl.Datetime("us")) for each in found]
        return pl.select(pl.coalesce(found)).to_series().alias(cells.name)


def _read(cells: pl.Series, pattern: str, order: str) -> pl.Series:
    parts = cells.str.extract_groups(pattern).struct.unnest()
    days = _days(parts, order)
    times = parts["time"]
    if times.null_count() == len(times):
        return days
    clock = times.fill_null("0:00").str.extract_groups(r"^(\d+):(\d+)(?::([\d.]+))?$").struct.unnest()
    hours, minutes, seconds = (part.fill_null("0").cast(pl.Float64) for part in clock)
    half = parts["half"].str.to_lowercase()
    hours = pl.select(
        pl.when(half == "p").then(hours % 12 + 12).when(half == "a").then(hours % 12).otherwise(hours)
    ).to_series()
    in_range = (hours < 24) & (minutes < 60) & (seconds < 60)
    # a time with an offset is converted to UTC, as in ISO 8601
    zone, past = (parts[name].fill_null("0").cast(pl.Float64) for name in ("zone", "past"))
    east = zone.abs() * 60 + past
    minutes = minutes - pl.select(pl.when(zone < 0).then(-east).otherwise(east)).to_series()
    micros = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000
    moments = days.cast(pl.Datetime("us")) + micros.round().cast(pl.Int64).cast(pl.Duration("us"))
    return pl.select(pl.when(in_range).then(moments)).to_series()


def dates(cells: pl.Series) -> Dates | None:
    """Return the date format of a column of strings; None if it does not hold dates.

    Examples
    --------
    >>> found = dates(pl.Series(["01/14/2022", "02/01/2022"]))
    >>> found.orders, found.read(pl.Series(["02/01/2022"]), "mdy").to_list()
    (('mdy',), [datetime.date(2022, 2, 1)])
    >>> dates(pl.Series(["01/02/2022"])).orders
    ('dmy', 'mdy')
    >>> dates(pl.Series(["14/01/2022", "01/14/2022"])).orders
    ()
    >>> dates(pl.Series(["2022-01-14", "15.01.2022", "16 Jan 2022"])).mixed
    True
    """
    known = cells.drop_nulls()
    if not len(known):
        return None
    head = known.head(TRIED_FIRST)
    for pattern in DAYS:
        if head.str.contains(pattern).all() and known.str.contains(pattern).all():
            return _dates(known, pattern)
    if _mixed_dates(head) is not None:
        return _mixed_dates(known)
    found = periods.period(known)
    return None if found is None else Dates(("ymd",), (found,), (known[0],))


def by_pattern(cells: pl.Series, pattern: str) -> pl.Series | None:
    """Parse strings as dates or times by a `strptime` pattern; return None if one does not match."""
    timed = any(part in pattern for part in ("%H", "%I", "%M", "%S", "%T", "%R", "%X", "%c"))
    kind = pl.Datetime("us") if timed else pl.Date
    try:
        found = cells.str.strptime(kind, pattern, strict=False)
    except pl.exceptions.PolarsError:
        raise InputError(
            f"dates is {pattern!r}, which is not a date pattern; write it as %d.%m.%Y, or give dmy, mdy or ymd"
        ) from None
    return found if found.null_count() == cells.null_count() and len(cells) > cells.null_count() else None


def _mixed_dates(known: pl.Series) -> Dates | None:
    """Return the format of date cells if only some of them name the month."""
    found: list[Dates] = []
    for pattern in DAYS:
        fits = known.str.contains(pattern)
        part = _dates(known.filter(fits), pattern) if fits.any() else None
        if fits.any() and part is None:
            return None
        found += [] if part is None else [part]
        known = known.filter(~fits)
    if len(known):
        return None
    numbers = next((each for each in found if each.patterns == (NUMBERS,)), None)
    orders = ("dmy",) if numbers is None or numbers.orders == ("ymd",) else numbers.orders
    witnesses = numbers.witnesses if numbers is not None and len(orders) != 1 else ()
    return Dates(
        orders,
        tuple(pattern for each in found for pattern in each.patterns),
        witnesses or tuple(each.witnesses[0] for each in found),
        mixed=True,
    )


def _dates(known: pl.Series, pattern: str) -> Dates | None:
    parts = known.str.extract_groups(pattern).struct.unnest()
    if pattern != NUMBERS:
        return Dates(("dmy",), (pattern,), (known[0],)) if _days(parts, "dmy").null_count() == 0 else None
    lengths = parts["a"].str.len_chars()
    years = lengths == 4
    if years.all():
        return Dates(("ymd",), witnesses=(known[0],)) if _days(parts, "ymd").null_count() == 0 else None
    if (lengths == 3).any() or (parts["c"].str.len_chars() == 3).any():
        return None
    fits = {order: _days(parts, order).is_not_null() for order in ("dmy", "mdy")}
    if not (fits["dmy"] | fits["mdy"]).all():
        return None
    orders = tuple(order for order in ("dmy", "mdy") if fits[order].all())
    if not orders:
        ends = (known.filter(fits["dmy"] & ~fits["mdy"]), known.filter(fits["mdy"] & ~fits["dmy"]))
        return Dates(orders, witnesses=tuple(cell for end in ends for cell in end.head(1).to_list()))
    if parts["mark"].str.starts_with(".").filter(~years).all():  # points follow only days that precede months
        orders = ("dmy",)
    witnesses = (known.filter(~years)[0], *known.filter(years).head(1).to_list())
    return Dates(orders, witnesses=witnesses, mixed=bool(years.any()))


def _days(parts: pl.DataFrame, order: str) -> pl.Series:
    """Parse dates in an order, except dates that begin with a year or use points, which imply the day first."""
    if "mark" not in parts.columns:
        return _in_order(parts, order)
    first = parts["a"].str.len_chars() == 4
    if order == "ymd" or first.all():
        return _in_order(parts, "ymd")
    points = parts["mark"].str.starts_with(".")
    others = _in_order(parts, order)
    if order == "mdy" and points.any():
        others = pl.select(pl.when(points).then(_in_order(parts, "dmy")).otherwise(others)).to_series()
    if not first.any():
        return others
    return pl.select(pl.when(first).then(_in_order(parts, "ymd")).otherwise(others)).to_series()


def _in_order(parts: pl.DataFrame, order: str) -> pl.Series:
    places = {"dmy": "cba", "mdy": "cab", "ymd": "abc"}[order]
    year, month, day = (parts[place] for place in places)
    written = pl.concat_str([full_years(year), months_of(month), day.str.zfill(2)], separator="-").alias(
        "written"
    )
    return pl.select(written)["written"].str.to_date("%Y-%m-%d", strict=False)
