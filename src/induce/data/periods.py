"""Formats of months, quarters, half-years and weeks: 2021-12, Jan-18, Q1 2021, 2021-W05."""

from __future__ import annotations

import polars as pl

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
PIVOT = 69
"""First two-digit year that belongs to the last century, as in POSIX."""
YEAR, SHORT = r"(?<year>\d{4})", r"(?<year>\d{4}|\d{2})"
MONTH, NAME = r"(?<month>\d{1,2})", r"(?<month>\p{L}{3,10})"
PERIODS = {
    "months": (
        rf"^{YEAR}[\-/]{MONTH}$",
        rf"^{MONTH}[\-/]{YEAR}$",
        rf"^{YEAR}-?M{MONTH}$",
        rf"^{NAME}\.?[\s\-/'\u2019]{{1,2}}{SHORT}$",
        rf"^{YEAR}[\s\-/]?{NAME}$",
    ),
    "quarters": (
        rf"^{YEAR}[\s\-/]?[QqTt](?<part>[1-4])$",
        rf"^[QqTt](?<part>[1-4])[\s\-/'\u2019]{{0,2}}{SHORT}$",
        rf"^(?<part>[1-4])\.?\s?(?:[QqTt]|Quartal|trimestre)[\s\-/]{{0,2}}{SHORT}$",
    ),
    "half-years": (
        rf"^{YEAR}[\s\-/]?[HhSs](?<part>[12])$",
        rf"^[HhSs](?<part>[12])[\s\-/'\u2019]{{0,2}}{SHORT}$",
    ),
    "weeks": (
        rf"^{YEAR}[\s\-]?(?:W|KW|CW)\s?(?<week>\d{{1,2}})$",
        rf"^(?:W|KW|CW)\s?(?<week>\d{{1,2}})[\s\-/.]{{1,2}}{YEAR}$",
    ),
}
MONTHS_OF = {"quarters": 3, "half-years": 6}
KIND = {pattern: kind for kind, patterns in PERIODS.items() for pattern in patterns}
TRIED_FIRST = 1000


def period(known: pl.Series) -> str | None:
    """Return the pattern by which all cells are periods of the same kind; None if there is none.

    Examples
    --------
    >>> KIND[period(pl.Series(["2021-11", "2022-01"]))], KIND[period(pl.Series(["Q1 2021", "Q3 2021"]))]
    ('months', 'quarters')
    >>> period(pl.Series(["2010-11", "2011-12"])) is None  # seasons, not months
    True
    """
    head = known.head(TRIED_FIRST)
    for pattern in KIND:
        if head.str.contains(pattern).all() and known.str.contains(pattern).all():
            found = first_days(known, pattern)
            if found.null_count() == 0 and not (KIND[pattern] == "months" and _are_seasons(known)):
                return pattern
    return None


def first_days(cells: pl.Series, pattern: str) -> pl.Series:
    """Return the first day of each period; null for other cells."""
    parts = cells.str.extract_groups(pattern).struct.unnest()
    years, kind = full_years(parts["year"]), KIND[pattern]
    if kind == "weeks":
        written = pl.select(
            pl.concat_str([years, pl.lit("-W"), parts["week"].str.zfill(2), pl.lit("-1")]).alias("day")
        )["day"]
        return written.str.to_date("%G-W%V-%u", strict=False).alias(cells.name)
    if kind == "months":
        months = months_of(parts["month"])
    else:
        months = ((parts["part"].cast(pl.Int64) - 1) * MONTHS_OF[kind] + 1).cast(pl.String).str.zfill(2)
    written = pl.select(pl.concat_str([years, months, pl.lit("01")], separator="-").alias("day"))["day"]
    return written.str.to_date("%Y-%m-%d", strict=False).alias(cells.name)


def _are_seasons(known: pl.Series) -> bool:
    """Return whether 2010-11, 2011-12, … denote seasons that begin in one year and end in the next."""
    parts = known.str.extract_groups(r"^(?<year>\d{4})[\-/](?<next>\d{2})$").struct.unnest()
    following = (parts["year"].cast(pl.Int64) + 1) % 100 == parts["next"].cast(pl.Int64)
    return known.n_unique() > 1 and bool(following.fill_null(False).all())


def full_years(years: pl.Series) -> pl.Series:
    """Return two-digit years with their century, others unchanged."""
    century = pl.when(years.cast(pl.Int32, strict=False) >= PIVOT).then(pl.lit("19")).otherwise(pl.lit("20"))
    return pl.select(pl.when(years.str.len_chars() == 2).then(century + years).otherwise(years)).to_series()


def months_of(months: pl.Series) -> pl.Series:
    """Return the two-digit numbers of months given as numbers or names; null for other words."""
    named = months.str.to_lowercase().replace_strict(NUMBER_OF_MONTH, default=None, return_dtype=pl.String)
    digits = pl.when(months.str.contains(r"^\d+$")).then(months.str.zfill(2))
    return pl.select(pl.coalesce(named, digits)).to_series()
