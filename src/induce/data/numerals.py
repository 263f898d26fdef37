"""Number formats: decimal comma, thousands separators, currencies, percent, units.

Only cells that cannot be cast to a number are inspected here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

import polars as pl

from induce.data.units import CURRENCIES, canonical, dimension

SPACES = " \u00a0\u2009\u202f"
APOSTROPHES = "'\u2019"
MARKS = {".": (",", *APOSTROPHES, *SPACES), ",": (".", *APOSTROPHES, *SPACES)}
"""Thousands marks allowed with each decimal mark."""
CURRENCY = "|".join(map(re.escape, CURRENCIES))
MINUS = ("-", "\u2212", "\u2013")
SIGN = rf"[+\-{''.join(MINUS[1:])}]"
BODY = rf"\d[\d.,{APOSTROPHES}{SPACES}]*\d|\d|[.,]\d+"
UNIT = r"[\p{L}°ºµμ%‰$€£¥₹₽₩₺₴₪₫₱][\p{L}°ºµμ%‰$²³/.\d]{0,14}"
NUMERAL = (
    rf"^(?<below>[<>≤≥]=?\s?)?(?<open>\()?\s?(?<sign>{SIGN})?\s?(?<before>{CURRENCY})?\s?(?<inner>{SIGN})?\s?"
    rf"(?<body>{BODY})(?:[.,][\-\u2012-\u2015]{{1,2}})?(?<power>[eE][+\-]?\d+)?(?<gap>\s?)(?<after>{UNIT})?\s?"
    r"(?<close>\)|-|\+)?$"
)
"""A number with its surroundings; ``5.-`` is five without cents, ``<0.05`` a number below a limit."""
GROUPED = rf"\d[.,{APOSTROPHES}{SPACES}]\d{{3}}"
LONG = 9
"""Number of digits of a telephone or account number; numbers with thousands separators rarely all have so many."""
TRIED_FIRST = 1000
MOST_LIMITS = 3
"""Maximum number of distinct limits in a column of measurements, such as ``<0.05`` and ``>100``."""
FEWEST_BESIDE = 3
"""Minimum number of distinct numbers per limit."""


@dataclass(frozen=True)
class Numerals:
    """Number format of a column.

    Parameters
    ----------
    decimals : tuple of str
        Decimal marks with which all cells are numbers: ``"."``, ``","`` or both; empty if the cells contradict each
        other.
    marks : tuple of str
        Thousands marks that may occur.
    unit : str
        Unit of every number: a currency, ``"%"`` or a unit.
    definite : bool
        Whether the cells use a decimal mark and determine it.
    units : tuple of (str, int)
        Number of cells with each unit, if there are several; such numbers must not be mixed.
    witnesses : tuple of str
        If the cells contradict each other, one cell with a decimal comma and one with a decimal point;
        otherwise an example.
    limits : tuple of str
        Cells that name a limit instead of a number, such as ``"<0.05"``; they are parsed as the limit.
    """

    decimals: tuple[str, ...]
    marks: tuple[str, ...] = ()
    unit: str = ""
    definite: bool = False
    units: tuple[tuple[str, int], ...] = ()
    witnesses: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()

    @property
    def clear(self) -> bool:
        """Whether the column can be parsed as numbers."""
        return bool(self.decimals) and not self.units

    def read(self, cells: pl.Series, decimal: str) -> pl.Series:
        """Return the numbers, as Int64 if all are integers; null for other cells."""
        plain, negative = self.digits(cells, decimal), _parts(cells)["negative"]
        whole = plain.cast(pl.Int64, strict=False)
        numbers = whole if whole.null_count() == cells.null_count() else plain.cast(pl.Float64, strict=False)
        return pl.select(pl.when(negative).then(-numbers).otherwise(numbers)).to_series().alias(cells.name)

    def digits(self, cells: pl.Series, decimal: str) -> pl.Series:
        """Return the numbers as text without signs, marks and units."""
        parts = _parts(cells)
        plain = parts["body"].str.replace_all(f"[{re.escape(''.join(MARKS[decimal]))}]", "")
        plain = plain.str.replace(",", ".", literal=True) if decimal == "," else plain
        return plain + parts["power"].fill_null("")


def numerals(
    cells: pl.Series, decimal: str | None = None, thousands: str | None = None, unit: str = ""
) -> Numerals | None:
    """Return the number format of a column of strings; None if it does not hold numbers.

    Parameters
    ----------
    cells : polars.Series
        Strings without surrounding spaces, with nulls for missing values.
    decimal, thousands : str, optional
        Marks declared by the user.
    unit : str
        Known unit of the column.

    Examples
    --------
    >>> found = numerals(pl.Series(["1.234,50 €", "7,00 €"]))
    >>> found.decimals, found.unit, found.read(pl.Series(["1.234,50 €", "7,00 €"]), ",").to_list()
    ((',',), '€', [1234.5, 7.0])
    >>> numerals(pl.Series(["187,800", "22,950"])).decimals
    ('.', ',')
    >>> numerals(pl.Series(["70 kg", "150 lb"])).units
    (('kg', 1), ('lb', 1))
    """
    known = cells.drop_nulls()
    # a number has a digit and few other characters: the first cells rule out most other columns
    if not len(known) or not known.head(TRIED_FIRST).str.contains(NUMERAL).all():
        return None
    if not known.str.contains(NUMERAL).all():
        return None
    parts = _parts(known)
    limits = _limits(known, parts)
    if limits is None:
        return None
    body = parts["body"]
    marks = tuple(MARKS) if thousands is None else (thousands,)
    allowed = {each: _allowed(each, thousands) for each in MARKS}
    fits = {each: body.str.contains(pattern) for each, pattern in allowed.items()}
    if not (fits["."] | fits[","]).all():
        return None
    decimals = tuple(each for each in MARKS if fits[each].all())
    if decimal is not None:
        decimals = tuple(each for each in decimals if each == decimal)
    joined = body.str.contains(f"[{APOSTROPHES}{SPACES}]")
    if joined.all() and (body.str.count_matches(r"\d") >= LONG).all() and len(known) > 1:
        return None
    found = Numerals(decimals, marks, witnesses=_witnesses(known, body, fits), limits=limits)
    if len(decimals) == 1:
        found = replace(found, definite=bool(body.str.contains(r"[.,]").any()))
    return _with_units(found, parts, unit)


def looks_grouped(cells: pl.Series) -> bool:
    """Return whether points occur and each could be a thousands separator, with exactly three digits after it."""
    known = cells.drop_nulls().str.strip_chars()
    grouped = r"^[+\-]?[1-9]\d{0,2}(\.\d{3})+$"
    return bool(
        known.str.contains(rf"{grouped}|^[+\-]?\d{{1,3}}$").all() and known.str.contains(grouped).any()
    )


@cache
def _allowed(decimal: str, thousands: str | None) -> str:
    """Return the pattern of a number's digits with this decimal mark; a number uses a single thousands separator."""
    marks = MARKS[decimal] if thousands is None else (thousands,)
    # lakhs and crores are grouped by two digits: 12,34,567
    lakhs = r"|[1-9]\d?(?:,\d{2})+,\d{3}" if decimal == "." and "," in marks else ""
    grouped = "|".join(rf"[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+" for mark in marks if mark != decimal)
    return rf"^(?:\d+|{grouped}{lakhs}|)(?:{re.escape(decimal)}\d+)?$"


def _parts(cells: pl.Series) -> pl.DataFrame:
    parts = cells.str.extract_groups(NUMERAL).struct.unnest()
    minus = (parts[name].is_in(list(MINUS)).fill_null(False) for name in ("sign", "inner", "close"))
    negative = parts["open"].is_not_null().fill_null(False)
    for each in minus:
        negative = negative | each
    return parts.with_columns(negative.alias("negative"))


def _limits(known: pl.Series, parts: pl.DataFrame) -> tuple[str, ...] | None:
    """Return the distinct cells that name a limit; None if these are classes, such as <30 and >=30."""
    bounded = parts["below"].is_not_null() | (parts["close"] == "+").fill_null(False)
    if not bounded.any():
        return ()
    others = known.filter(~bounded)
    cells = known.filter(bounded).str.replace_all(r"\s", "").unique(maintain_order=True)
    few = len(cells) <= MOST_LIMITS and others.n_unique() >= FEWEST_BESIDE * len(cells)
    return tuple(cells.to_list()) if few and len(others) > len(known) / 2 else None


def _witnesses(known: pl.Series, body: pl.Series, fits: dict[str, pl.Series]) -> tuple[str, ...]:
    """Return a cell that parses only with a comma and one that parses only with a point, or else one with a mark."""
    ends = [known.filter(fits[","] & ~fits["."]).head(1), known.filter(fits["."] & ~fits[","]).head(1)]
    found = [cell for end in ends for cell in end.to_list()]
    marked = known.filter(body.str.contains(r"[.,]")).head(1).to_list()
    return tuple(found) if len(found) == 2 else tuple(marked)


def _with_units(found: Numerals, parts: pl.DataFrame, told: str) -> Numerals | None:
    """Store the unit that all cells share, or count the units; None if a suffix is not a unit."""
    written = pl.select(
        pl.coalesce(parts["before"], parts["after"].str.strip_chars_end(".")).fill_null("").alias("unit")
    )["unit"]
    counts: dict[str, int] = {}
    for unit, rows in written.value_counts(sort=True).iter_rows():
        counts[canonical(unit)] = counts.get(canonical(unit), 0) + rows
    if parts["before"].is_not_null().any() and parts["after"].is_not_null().any():
        both = parts["before"].is_not_null() & parts["after"].is_not_null()
        if both.any():  # "$5 kg" is not a number
            return None
    units = [unit for unit in counts if unit]
    if not units:
        return found
    if len(units) == 1:
        unit = units[0]
        if dimension(unit) is None and unit != told and not (parts["gap"] != "").all():
            return None
        bare = parts.filter(written == "")
        zero = bare["body"].str.contains(r"^[0.,]+$").all()
        if not bare.height or (zero and dimension(unit) != "temperature"):
            return replace(found, unit=unit)
        return replace(found, unit=unit, units=tuple(counts.items())) if dimension(unit) else None
    if len({dimension(unit) for unit in units}) == 1 and dimension(units[0]) is not None:
        return replace(found, units=tuple(counts.items()))
    return None
