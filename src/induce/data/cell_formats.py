"""Numbers and dates from the cells of a text file, with one convention where columns are ambiguous."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from induce.core.errors import InputError
from induce.core.notes import note
from induce.data import calendars, numerals
from induce.data.calendars import ORDERS, Dates
from induce.data.dialect import DATE_ORDERS, Dialect, Findings
from induce.data.durations import UNITS, durations
from induce.data.names import shortened
from induce.data.numerals import Numerals
from induce.data.schema import Column
from induce.data.type_inference import (
    LEADING_ZERO,
    TRIED_FIRST,
    exact_numbers_of,
    from_text,
    inexact,
    iso_dates,
    numbers_of,
    truths,
    without_missing,
)

NOT_A_NUMBER = r"^(?i)[+\-]?nan$"


@dataclass(frozen=True)
class Reading:
    """A parsed column: its cells, the unit of its numbers and its format (see `Column`)."""

    cells: pl.Series
    unit: str = ""
    written: str = ""


def readings(
    columns: Sequence[pl.Series], dialect: Dialect, findings: Findings, separator: str = ","
) -> dict[str, Reading]:
    """Parse columns of strings as numbers, dates or strings, whichever fits all their cells.

    Ambiguous columns are resolved by the other columns: ``187,800`` has a decimal comma if others do. If all
    columns are ambiguous, the common convention is used, with a note.

    Examples
    --------
    >>> columns = [pl.Series("price", ["1,50", "3,00"]), pl.Series("sold", ["1.200", "900"])]
    >>> found = readings(columns, Dialect(), Findings())
    >>> {name: reading.cells.to_list() for name, reading in found.items()}
    {'price': [1.5, 3.0], 'sold': [1200, 900]}
    """
    looks = [_Look(cells, dialect, findings) for cells in columns]
    commas = any(look.is_definite(",") for look in looks)
    points = any(look.is_definite(".") for look in looks)
    if commas and not points:
        for look in looks:
            look.regroup()
    sure = commas != points
    custom = "," if (commas and not points) or (separator == ";" and not points) else "."
    settled = {order for look in looks for order in look.orders if len(look.orders) == 1} & {"dmy", "mdy"}
    order = settled.pop() if len(settled) == 1 else "dmy" if custom == "," else "mdy"
    return {look.name: look.read(custom, order, sure) for look in looks}


class _Look:
    """Evidence for the format of one column, from its cells."""

    def __init__(self, cells: pl.Series, dialect: Dialect, findings: Findings) -> None:
        self.name = cells.name
        self.source = cells
        self.dialect = dialect
        self.findings = findings
        self.numbers: Numerals | None = None
        self.dates: Dates | None = None
        self.spans: tuple[pl.Series, str] | None = None
        self.plain = self._by_pattern(cells)
        if self.plain is None:
            self.plain = from_text(cells, dialect.missing)
            self._say_nan(self.plain)
            if self._is_unsettled():
                self._look(
                    self.plain if self.plain.dtype == pl.String else without_missing(cells, dialect.missing)
                )

    def _by_pattern(self, cells: pl.Series) -> pl.Series | None:
        pattern = self.dialect.dates
        if pattern is None or pattern in DATE_ORDERS:
            return None
        return calendars.by_pattern(without_missing(cells, self.dialect.missing), pattern)

    def _say_nan(self, plain: pl.Series) -> None:
        """Report other spellings of NaN, which polars reads as a number."""
        if plain.dtype != pl.Float64 or not plain.null_count():
            return
        text = self.source.filter(plain.is_null()).str.strip_chars().drop_nulls()
        odd = text.filter(text.str.contains(NOT_A_NUMBER) & ~text.is_in(list(self.dialect.missing)))
        if len(odd):
            self.findings.say(f"{odd[0]!r} missing", self.name)

    def _is_unsettled(self) -> bool:
        """Return whether a plain parse failed, or would ignore the declared marks."""
        assert self.plain is not None
        told = self.dialect.decimal == "," or self.dialect.thousands == "."
        return self.plain.dtype == pl.String or (told and self.plain.dtype == pl.Float64)

    def _look(self, known: pl.Series) -> None:
        known, gone = without_marks(known, self.dialect.among_numbers)
        if known.null_count() == len(known):
            return
        read = None
        if gone:
            read = exact_numbers_of(known)
            read = iso_dates(known) if read is None else read
        if read is not None:
            self.plain = read
        else:
            self.numbers = numerals.numerals(known, self.dialect.decimal, self.dialect.thousands)
            if self.numbers is None:
                self.dates = calendars.dates(known)
            if self.numbers is None and self.dates is None:
                self.spans = durations(known)
            if self.numbers is None and self.dates is None and self.spans is None:
                return
        self.source = known
        if gone and (read is not None or self.is_clear):
            self.findings.say(f"{' and '.join(map(repr, gone))} missing", self.name)

    @property
    def is_clear(self) -> bool:
        """Whether the cells can be parsed."""
        if self.spans is not None:
            return True
        return bool(self.orders) if self.numbers is None else self.numbers.clear

    @property
    def orders(self) -> tuple[str, ...]:
        """Orders of day, month and year that all cells allow."""
        if self.dates is None:
            return ()
        told, orders = self.dialect.dates, self.dates.orders
        return (told,) if told in orders else orders

    def is_definite(self, decimal: str) -> bool:
        """Return whether the column has numbers with this decimal mark and cannot be parsed otherwise."""
        if self.numbers is not None:
            return self.numbers.definite and self.numbers.decimals == (decimal,)
        if decimal == "," or self.plain is None or self.plain.dtype != pl.Float64:
            return False
        return self.source.dtype == pl.String and not numerals.looks_grouped(self._known())

    def _known(self) -> pl.Series:
        return without_missing(self.source, self.dialect.missing)

    def regroup(self) -> None:
        """Treat points as thousands separators, because other columns use decimal commas."""
        if self.numbers is not None or self.plain is None or self.plain.dtype != pl.Float64:
            return
        known = self._known()
        if self.dialect.decimal is None and numerals.looks_grouped(known):
            self.source = known
            self.numbers = Numerals((",",), witnesses=(known.drop_nulls()[0],))

    def read(self, custom: str, order: str, sure: bool) -> Reading:
        """Return the parsed column; ambiguous cells are parsed by convention.

        `sure` means that other columns show the convention of the file.
        """
        if self.numbers is not None:
            return self._read_numbers(self.numbers, custom, sure)
        if self.dates is not None:
            return self._read_dates(self.dates, order)
        if self.spans is not None:
            cells, unit = self.spans
            self.findings.say(f"{'h:mm:ss' if unit == 's' else 'h:mm'} as numbers in {unit}", self.name)
            return Reading(cells, unit)
        assert self.plain is not None
        self._say_zeros(self.plain)
        return Reading(self._truth(self.plain))

    def _read_numbers(self, found: Numerals, custom: str, sure: bool) -> Reading:
        assert self.plain is not None
        if found.units:
            counts = ", ".join(f"{rows:,} in {unit or 'no unit'}" for unit, rows in found.units)
            self.findings.say(f"{self.name!r} mixes units ({counts}) and stays text: convert it to one unit")
            return Reading(self.plain)
        if not found.decimals:
            if len(found.witnesses) == 2 and self.dialect.decimal is None:
                comma, point = found.witnesses
                self.findings.say(
                    f"{self.name!r} holds {comma!r} and {point!r}, which no decimal mark can explain, "
                    "and stays text: give decimal= or correct it"
                )
            return Reading(self.plain)
        decimal = found.decimals[0] if len(found.decimals) == 1 else custom
        cells = found.read(self.source, decimal)
        example = inexact(cells.abs(), found.digits(self.source, decimal))
        if example is not None:
            say_inexact(self.findings, self.name, example)
            return Reading(self.source)
        self._say_numbers(found, decimal, cells, sure)
        self._say_zeros(cells)
        return Reading(cells, found.unit, "," if decimal == "," else "")

    def _say_numbers(self, found: Numerals, decimal: str, cells: pl.Series, sure: bool) -> None:
        say = self.findings.say
        marked = bool(found.witnesses)
        if len(found.decimals) == 2 and marked and not sure:
            example = found.witnesses[0]
            number = found.read(pl.Series([example]), decimal)[0]
            other = "," if decimal == "." else "."
            say(f"{example!r} parsed as {number:g} (decimal={other!r} would parse it differently)", self.name)
        elif decimal == "," and marked and cells.dtype == pl.Float64:
            say("decimal comma", self.name)
        elif not found.unit and not found.limits:
            grouped = self.source.drop_nulls().str.contains(numerals.GROUPED).any()
            say("thousands separators" if grouped else "signs of numbers", self.name)
        if found.limits:
            say(f"limits ({', '.join(found.limits)}) as the numbers they name", self.name)
        if found.unit:
            say("per cent" if found.unit == "%" else f"numbers in {found.unit}", self.name)

    def _say_zeros(self, numbers: pl.Series) -> None:
        """Report numbers that lose leading zeros, which belong to codes."""
        if not numbers.dtype.is_integer():
            return
        zeros = self.source.str.strip_chars().str.contains(LEADING_ZERO).fill_null(False)
        if zeros.any():
            example = self.source.filter(zeros)[0].strip()
            self.findings.say(
                f"codes with leading zeros, such as {example!r}, as numbers (nominal= keeps them)", self.name
            )

    def _read_dates(self, found: Dates, order: str) -> Reading:
        assert self.plain is not None
        orders = self.orders
        if not orders:
            if len(found.witnesses) == 2:
                day, month = found.witnesses
                self.findings.say(
                    f"{self.name!r} holds {day!r} and {month!r}, which no order of day and month can "
                    "explain, and stays text: give dates= or correct it"
                )
            return Reading(self.plain)
        chosen = orders[0] if len(orders) == 1 else order
        cells = found.read(self.source, chosen)
        if cells.null_count() > self.source.null_count():  # hours beyond 24
            return Reading(self.plain)
        if len(orders) > 1:
            example = found.witnesses[0]
            other = "mdy" if chosen == "dmy" else "dmy"
            day = found.read(pl.Series([example]), chosen)[0]
            self.findings.say(
                f"{example!r} parsed as {day} (dates={other!r} would parse it differently)", self.name
            )
        elif found.kind:
            self.findings.say(f"{found.kind} as their first days", self.name)
        elif found.mixed:
            formats = " and ".join(map(repr, found.witnesses))
            self.findings.say(f"dates in several formats, such as {formats}", self.name)
        elif found.patterns == (calendars.NUMBERS,):
            self.findings.say(f"dates with the {ORDERS[chosen]}", self.name)
        else:
            self.findings.say("dates with month names", self.name)
        return Reading(cells, written=chosen)

    def _truth(self, cells: pl.Series) -> pl.Series:
        """Return Boolean words in one spelling, if a column holds only these in several spellings."""
        if cells.dtype != pl.String or truths(cells.head(TRIED_FIRST)) is None:
            return cells
        distinct = cells.drop_nulls().unique()
        pair = truths(distinct)
        if pair is None or len(distinct) == distinct.str.to_lowercase().n_unique():
            return cells
        self.findings.say(f"{pair[1]} and {pair[0]} in any case", self.name)
        return cells.str.to_lowercase()


def say_inexact(findings: Findings, name: str, example: str) -> None:
    """Report a column of numbers that stays text because a float would round them."""
    example = shortened(example)
    findings.say(
        f"numbers that a float cannot hold, such as {example}, as names (numeric= rounds them)", name
    )


def without_marks(known: pl.Series, marks: Sequence[str]) -> tuple[pl.Series, list[str]]:
    """Replace missing-value markers among numbers by nulls; also return the markers found."""
    if not marks:
        return known, []
    found = known.is_in(list(marks))
    if not found.any():
        return known, []
    return known.set(found, None), known.filter(found).unique().sort().to_list()


def conform(cells: pl.Series, column: Column, dialect: Dialect, first_row: int) -> pl.Series | None:
    """Parse strings of new rows in the format of a learned column of numbers or dates; None if one fails.

    An ambiguous cell is parsed in the format of the training column.
    """
    known = without_missing(cells, dialect.missing)
    if column.temporal:
        return _first_that_reads(known, dialect, lambda rest: _as_dates(rest, column, dialect))
    decimal = dialect.decimal or ("," if column.written == "," else None)
    return _first_that_reads(
        known, dialect, lambda rest: _as_numbers(rest, column, decimal, dialect, first_row)
    )


def _first_that_reads(
    known: pl.Series, dialect: Dialect, read: Callable[[pl.Series], pl.Series | None]
) -> pl.Series | None:
    found = read(known)
    if found is None:
        rest, gone = without_marks(known, dialect.among_numbers)
        found = read(rest) if gone else None
    return found


def _as_dates(known: pl.Series, column: Column, dialect: Dialect) -> pl.Series | None:
    if dialect.dates is not None and dialect.dates not in DATE_ORDERS:
        return calendars.by_pattern(known, dialect.dates)
    found = iso_dates(known)
    if found is not None or known.null_count() == len(known):
        return known.cast(pl.Date) if found is None else found
    dates = calendars.dates(known)
    if dates is None or not dates.orders:
        return None
    wanted = dialect.dates or column.written
    order = wanted if wanted in dates.orders else dates.orders[0]
    if len(dates.orders) > 1 and wanted not in dates.orders:
        note(
            f"{dates.witnesses[0]!r} in {column.name!r} is parsed with the {ORDERS[order]}; give "
            "dates= for another order"
        )
    return dates.read(known, order)


def _as_numbers(
    known: pl.Series, column: Column, decimal: str | None, dialect: Dialect, first_row: int
) -> pl.Series | None:
    if decimal != "," and dialect.thousands != ".":
        plain = numbers_of(known)
        if plain is not None:
            return plain
    if column.unit in UNITS and (spans := durations(known, column.unit)) is not None:
        return spans[0]
    bare = known.str.replace(r"^[<>≤≥]=?\s*|\+$", "") if known.str.contains(r"^[<>≤≥]|\d\+$").any() else known
    found = numerals.numerals(bare, None, dialect.thousands, column.unit)
    if found is None:
        return numbers_of(known)
    _refuse_units(found, known, column, first_row)
    wanted = decimal or "."
    if not found.decimals:
        return None
    return found.read(bare, wanted if wanted in found.decimals else found.decimals[0])


def _refuse_units(found: Numerals, known: pl.Series, column: Column, first_row: int) -> None:
    others = [unit for unit, _ in found.units] or [found.unit]
    odd = next((unit for unit in others if unit != column.unit and (unit or found.units)), None)
    if odd is None:
        return
    if not column.unit and not found.units:
        note(f"column {column.name!r} is in {odd} here, but was learned from numbers without a unit")
        return
    if odd:
        row = first_row + next(
            j for j, cell in enumerate(known) if cell is not None and odd.lower() in cell.lower()
        )
        where = f"row {row:,} is in {odd}"
    else:
        where = "some rows have no unit"
    raise InputError(
        f"column {column.name!r} was learned in {column.unit or 'numbers without a unit'}, but "
        f"{where}; convert it to one unit"
    )
