"""Names, values, numbers and dates in SQL for both SQLite and DuckDB."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.data.schema import Column
from induce.hypotheses.conditions import EXACT_WHOLE
from induce.hypotheses.naming import number_text

MOST_DIGITS = 15
"""Maximum number of digits of a decimal that databases parse exactly."""
NEVER = -1e306
"""Substitute for minus infinity, which SQL cannot represent."""
LIKE_A_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|true|false|\d{4}-\d\d-\d\d.*", re.DOTALL)
DAY = 86_400_000
"""Milliseconds."""


def sql_identifier(name: str) -> str:
    """Write the name of a table or column.

    Examples
    --------
    >>> print(sql_identifier('the "best" select'))
    "the ""best"" select"
    """
    return '"' + _text(name).replace('"', '""') + '"'


def sql_literal(value: Value | None) -> str:
    """Write a value.

    Examples
    --------
    >>> print(sql_literal("don't"), sql_literal(True), sql_literal(0.1), sql_literal(3))
    'don''t' (1 = 1) 0.1 3
    """
    value = plain(value)
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return (
            "(1 = 1)" if value else "(1 = 0)"
        )  # SQLite reads TRUE as a column name if there is such a column
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return compared_number(value)
    return "'" + _text(value).replace("'", "''") + "'"


def compared_number(number: float) -> str:
    """Write a number for comparison with a column, in the shortest form that every database reads exactly."""
    text = _float_literal(number)
    digits = sum(character.isdigit() for character in text.partition("e")[0])
    return text if "e" in text or digits <= MOST_DIGITS else f"{text}e0"


def sql_number(number: float) -> str:
    """Write a number for arithmetic: as a double, or as a small integer.

    Products of decimals would overflow the type that DuckDB gives them.

    Examples
    --------
    >>> sql_number(0.5), sql_number(3.0), sql_number(-math.inf)
    ('0.5e0', '3', '-1e+306')
    """
    if number == -math.inf:
        number = NEVER
    text = _float_literal(number)
    if "e" in text or "(" in text or (number == int(number) and abs(number) < 1e6):
        return text
    return f"{text}e0"


def sql_nominal(column: Column) -> str:
    """Return the SQL expression for a nominal column, for comparison with its values.

    Values that look like numbers may be stored as numbers, so both are compared as text.
    """
    name = sql_identifier(column.name)
    return f"CAST({name} AS TEXT)" if held_as_numbers(column.domain) else name


def sql_values(column: Column, values: tuple[Value, ...]) -> list[str]:
    """Write values of a nominal column; an integer may also be stored as a decimal."""
    found = [sql_literal(value) for value in values]
    if held_as_numbers(column.domain):
        decimals = [f"{value}.0" for value in values if re.fullmatch(r"-?\d+", str(value))]
        found += [sql_literal(text) for text in decimals if text not in column.domain]
    return found


def held_as_numbers(values: tuple[Value, ...]) -> bool:
    """Return whether some of these strings could be stored as numbers, Booleans or dates."""
    return any(isinstance(value, str) and LIKE_A_NUMBER.fullmatch(value) for value in values)


def sql_moment(name: str) -> str:
    """Return the SQL expression for a date column as ISO 8601 text, however the database stores it."""
    return f"REPLACE(REPLACE(CAST({name} AS TEXT), 'T', ' '), 'Z', '')"


def next_moment(days: float) -> str:
    """Return the first millisecond after a number of days since 1970-01-01, as short ISO 8601 text.

    A date or time as text sorts before this exactly if it is at most that many days.

    Examples
    --------
    >>> next_moment(18774.5), next_moment(math.nextafter(18774.0, 0))
    ('2021-05-27 12:00:00.001', '2021-05-27')
    """
    first = math.floor(Fraction(days) * DAY) + 1
    try:
        moment = datetime(1970, 1, 1) + timedelta(milliseconds=first)
    except OverflowError:
        return "" if days < 0 else "~"
    text = moment.isoformat(" ", "milliseconds")
    return text.removesuffix(".000").removesuffix(" 00:00:00")


def sql_days(text: str) -> str:
    """Write the days since 1970-01-01 of a date or time in text, as a double; NULL if it is NULL.

    The calendar is computed from the text, since databases have no common function for it. The sum has three
    parts: the days of the previous years, including leap days; the days of the previous months; and the
    milliseconds of the day.
    """

    def piece(start: int, length: int) -> str:
        # a date without a time gets midnight
        return f"CAST(SUBSTR({text} || ' 00:00:00', {start}, {length}) AS INTEGER)"

    year, month = piece(1, 4), piece(6, 2)
    leaps = " ".join(
        f"{sign} ({year} - 1 - ({year} - 1) % {n}) / {n}e0"
        for sign, n in zip("+-+", (4, 100, 400), strict=True)
    )
    starts = " ".join(f"WHEN {k} THEN {days}" for k, days in enumerate(_MONTHS, 1))
    leap = f"CASE WHEN {month} > 2 AND {year} % 4 = 0 AND ({year} % 100 > 0 OR {year} % 400 = 0) THEN 1 ELSE 0 END"
    whole = f"365e0 * ({year} - 1) {leaps} + CASE {month} {starts} END + {leap} + {piece(9, 2)} - 719163"
    clock = f"{piece(12, 2)} * 3600000e0 + {piece(15, 2)} * 60000e0 + {piece(18, 2)} * 1000e0"
    fraction = f"ROUND(1000e0 * CAST('0' || SUBSTR({text}, 20, 4) AS DOUBLE PRECISION))"
    return f"((({whole}) * {DAY}e0 + {clock} + {fraction}) / {DAY}e0)"


_MONTHS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def _float_literal(number: float) -> str:
    """Write a float so that even a parser that rounds twice gets it back exactly.

    SQLite parses decimals with only a few spare bits, so a decimal almost half-way between two floats may be
    rounded to the wrong side. Such a number is written with more digits than necessary, and one near the
    smallest float as a quotient of integers.
    """
    number = float(number)
    if not math.isfinite(number):
        raise InputError(f"{number} cannot be written in SQL; use finite numbers")
    text = number_text(number)
    if number == int(number) and abs(number) < EXACT_WHOLE:
        return text
    if abs(number) < 1e-280:
        return _quotient(number)
    off = abs(Fraction(text) - Fraction(number)) / Fraction(math.ulp(math.nextafter(number, 0)))
    near = abs(int(Decimal(text).as_tuple().exponent)) <= 27  # powers of ten up to this one are exact
    return text if off <= (Fraction(499, 1000) if near else Fraction(9, 20)) else f"{Decimal(number):.17e}"


def _quotient(number: float) -> str:
    mantissa, exponent = math.frexp(number)
    steps, rest = divmod(53 - exponent, 52)
    # 2 to the power 52
    return f"({int(mantissa * 2**53)}e0 / {2**rest}e0{' / 4503599627370496e0' * steps})"


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise InputError(f"cannot write {text!r} in SQL: it is not a text, number or truth value")
    if "\0" in text:
        raise InputError(f"{text!r} contains a NUL character, which SQL cannot represent; rename it")
    return text
