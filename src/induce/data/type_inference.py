"""Typed columns from text cells: numbers, dates, nominal values with their domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from induce.core.errors import InputError
from induce.data.frames import EXACT
from induce.data.names import listed
from induce.data.schema import Column
from induce.data.table import MOST_VALUES

ISO_DATE = r"^\d{4}-\d{2}-\d{2}$"
ISO_TIME = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$"
TRIED_FIRST = 1000
SPACES = " \t\r\n"
LEADING_ZERO = r"^[+\-]?0\d"
LONG = r"^[+\-]?\d{39,}$"


TRUTHS = (
    *(
        ("false", "true"),
        ("no", "yes"),
        ("n", "y"),
        ("nein", "ja"),
        ("non", "oui"),
        ("no", "si"),
        ("no", "sí"),
    ),
    *(
        ("falsch", "wahr"),
        ("faux", "vrai"),
        ("nee", "ja"),
        ("não", "sim"),
        ("falso", "vero"),
        ("falso", "verdadero"),
    ),
)
"""Words whose case is irrelevant."""


def truths(cells: pl.Series) -> tuple[str, str] | None:
    """Return the words for no and yes in a column of strings, in any case; None if it contains other words.

    Examples
    --------
    >>> truths(pl.Series(["Yes", "NO", None])), truths(pl.Series(["Yes", "maybe"]))
    (('no', 'yes'), None)
    """
    found = set(cells.drop_nulls().unique().str.to_lowercase().to_list())
    return next((pair for pair in TRUTHS if found and found <= set(pair)), None)


def without_missing(cells: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Strip the spaces around strings and replace markers of missing values by nulls."""
    if len(cells) > TRIED_FIRST and cells.head(TRIED_FIRST).n_unique() < TRIED_FIRST / 2:
        # distinct strings are few and fast to inspect, and usually need no change
        distinct = cells.unique()
        plain = distinct.str.strip_chars(SPACES)
        if not distinct.is_in(list(missing)).any() and (plain == distinct).all():
            return cells
    stripped = cells.str.strip_chars(SPACES)
    return stripped.set(stripped.is_in(list(missing)), None) if missing else stripped


def from_text(cells: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Return the cells of a text file as integers, numbers, dates or strings, whichever fits all of them.

    Examples
    --------
    >>> from_text(pl.Series(["1", " 2.5", "?"]), ["?"]).to_list()
    [1.0, 2.5, None]
    >>> from_text(pl.Series(["2024-02-29", ""]), [""]).to_list()
    [datetime.date(2024, 2, 29), None]
    """
    tokens = pl.Series(list(missing), dtype=pl.String).cast(pl.Float64, strict=False)
    # most numeric columns contain only numbers: try a direct cast before the slow clean-up
    if not tokens.is_finite().any() and cells.null_count() < len(cells):
        plain = exact_numbers_of(cells)
        if plain is not None:
            return plain
    known = without_missing(cells, missing)
    if known.null_count() == len(known):
        return known.cast(pl.Float64)
    numbers = exact_numbers_of(known)
    if numbers is not None:
        return numbers
    dates = iso_dates(known)
    return known if dates is None else dates


def exact_numbers_of(cells: pl.Series) -> pl.Series | None:
    """Return strings as numbers (see `numbers_of`); None if one is not a number, or a float cannot hold it."""
    numbers = numbers_of(cells)
    return numbers if numbers is None or inexact(numbers, cells) is None else None


def inexact(numbers: pl.Series, written: pl.Series | None = None) -> str | None:
    """Return the first whole number that a float cannot hold, or a number beyond all floats; None if there is none.

    Parameters
    ----------
    numbers : polars.Series
        Numbers.
    written : polars.Series, optional
        The same numbers as they are written.

    Examples
    --------
    >>> cells = pl.Series(["7", "12345678901234567890", "1e400"])
    >>> inexact(cells.cast(pl.Float64), cells), inexact(pl.Series([2**53, 2**53 + 1])), inexact(pl.Series([1.5]))
    ('12345678901234567890', '9007199254740993', None)
    """
    if not numbers.dtype.is_numeric():
        return None
    if numbers.dtype.is_decimal():
        numbers = numbers.filter(numbers == numbers.round()).cast(pl.Int128)
    low, high = numbers.min(), numbers.max()
    if not isinstance(low, int | float) or not isinstance(high, int | float) or max(-low, high) < EXACT:
        return None
    if numbers.dtype.is_integer():
        whole = numbers.cast(pl.Int128, strict=False)
        held = numbers.cast(pl.Float64).cast(pl.Int128, strict=False)
        lost = whole.ne_missing(held)
    elif written is None:
        return None
    else:
        text = written.str.strip_chars(SPACES)
        whole = text.cast(pl.Int128, strict=False)
        lost = (whole != numbers.cast(pl.Int128, strict=False)).fill_null(False)
        lost |= (text.str.contains(LONG) | (numbers.is_infinite() & text.str.contains(r"\d"))).fill_null(
            False
        )
    if not lost.any():
        return None
    return str((numbers if written is None else written.str.strip_chars(SPACES)).filter(lost)[0])


def iso_dates(cells: pl.Series) -> pl.Series | None:
    """Parse strings as dates or times if all of them follow ISO 8601, else return None."""
    known = cells.drop_nulls()
    if known.head(TRIED_FIRST).str.contains(ISO_DATE).all() and known.str.contains(ISO_DATE).all():
        dates = cells.str.to_date("%Y-%m-%d", strict=False)
        return dates if dates.null_count() == cells.null_count() else None
    if not (known.head(TRIED_FIRST).str.contains(ISO_TIME).all() and known.str.contains(ISO_TIME).all()):
        return None
    whole = cells.str.replace(" ", "T", literal=True).str.replace(r"T(\d{2}:\d{2})(Z|[+-]|$)", "T$1:00$2")
    whole = whole.str.replace(r"([+-]\d{2}):?(\d{2})$", "$1:$2").str.replace(r"(T[\d:.]+)$", "${1}Z")
    times = whole.str.to_datetime("%+", strict=False, time_unit="us").dt.replace_time_zone(None)
    return times if times.null_count() == cells.null_count() else None


def as_numbers(cells: pl.Series, missing: Sequence[str], first_row: int = 1) -> pl.Series:
    """Return a column declared numeric as numbers; raise an error for other cells."""
    if cells.dtype.is_numeric():
        return cells.fill_nan(None) if cells.dtype.is_float() else cells
    if cells.dtype == pl.Boolean:
        return cells.cast(pl.Int64)
    if cells.dtype.is_temporal():
        return cells
    known = without_missing(cells.cast(pl.String), missing)
    numbers = numbers_of(known)
    if numbers is not None:
        return numbers
    dates = iso_dates(known)
    if dates is not None:
        return dates
    wrong = (known.is_not_null() & known.cast(pl.Float64, strict=False).is_null()).arg_true()
    raise InputError(
        f"column {cells.name!r} is numeric but holds {known[int(wrong[0])]!r} in row {first_row + int(wrong[0]):,}; "
        "declare it nominal, or declare this a missing value"
    )


def as_strings(cells: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Return a column declared nominal as strings, with integers written without a decimal point."""
    if cells.dtype in (pl.String, pl.Categorical, pl.Enum):
        return without_missing(cells.cast(pl.String), missing)
    if cells.dtype.is_float():
        known = cells.fill_nan(None)
        if (known.drop_nulls() == known.drop_nulls().floor()).all() and known.is_finite().all():
            known = known.cast(pl.Int64, strict=False)
        return known.cast(pl.String)
    if cells.dtype == pl.Boolean:
        return cells.replace_strict({True: "True", False: "False"}, return_dtype=pl.String)
    return cells.cast(pl.String)


def observed(cells: pl.Series) -> tuple[str, ...]:
    """Return the distinct strings of a column, sorted numerically if all are numbers."""
    found = cells.drop_nulls().unique().sort()
    numbers = found.cast(pl.Float64, strict=False)
    if len(found) and numbers.is_not_null().all() and numbers.is_finite().all():
        found = found.gather(numbers.arg_sort())
    return tuple(found.to_list())


def with_domain(cells: pl.Series, column: Column, missing: Sequence[str]) -> tuple[pl.Series, Column]:
    """Return a nominal column as an Enum, and its description with the domain.

    Columns with too many values for learning, and identifiers, remain strings without a domain.
    """
    if cells.dtype == pl.Boolean and (not column.domain or set(column.domain) <= {False, True}):
        return cells, replace(column, domain=(False, True))
    if column.role not in ("input", "target") and not column.domain:
        return cells, column
    if cells.dtype == pl.Enum and (not column.domain or tuple(column.domain) == categories(cells)):
        return cells, replace(column, domain=categories(cells))
    declared = tuple(str(value) for value in column.domain)
    text = as_strings(cells, [token for token in missing if token not in declared])
    domain = declared or observed(text)
    if not declared and len(domain) > MOST_VALUES:
        return text, column
    values = text.cast(pl.Enum(domain), strict=False)
    lost = text.filter(values.is_null() & text.is_not_null())
    if len(lost):
        raise InputError(
            f"column {column.name!r} holds {lost[0]!r}, which is not in its domain {{{listed(domain)}}}"
        )
    # a schema file may contain numeric values and group members; a domain is text
    taxonomy = tuple((group, tuple(map(str, members))) for group, members in column.taxonomy)
    return values, replace(column, domain=domain, taxonomy=taxonomy)


def categories(cells: pl.Series) -> tuple[str, ...]:
    """Return the declared domain of an Enum column."""
    dtype: Any = cells.dtype
    return tuple(dtype.categories)


def numbers_of(cells: pl.Series) -> pl.Series | None:
    """Return strings as numbers, as Int64 if all are integers, or None if one is not a number; nulls stay null."""
    nulls = cells.null_count()
    first = cells.head(TRIED_FIRST).drop_nulls()
    if first.cast(pl.Float64, strict=False).null_count():
        return None
    if not first.cast(pl.Int64, strict=False).null_count():
        whole = cells.cast(pl.Int64, strict=False)
        if whole.null_count() == nulls:
            return whole
    numbers = cells.cast(pl.Float64, strict=False)
    return numbers.fill_nan(None) if numbers.null_count() == nulls else None
