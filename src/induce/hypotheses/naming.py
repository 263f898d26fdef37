"""Text formats of numbers, values, names and counts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from induce.core.values import Value, plain

# text that could be misread as part of the surrounding rule, such as "<0", "a > b" and "x not"
AMBIGUOUS = re.compile(r'[=<>{},"]|^\s|\s$|\s\s|(^|\s)(AND|THEN)(\s|$)|\snot$|^$')

LEAST_CHANCE = 1e-4
"""Smallest probability printed as a number; smaller ones are printed as a bound."""


def number_text(number: float) -> str:
    """Format a number in the shortest exact form, integers without a decimal point.

    Examples
    --------
    >>> number_text(30.0), number_text(30.5), number_text(1e300)
    ('30', '30.5', '1e+300')
    """
    text = repr(plain(number)).removesuffix(".0")
    return "0" if text == "-0" else text


def threshold_text(number: float, unit: str = "") -> str:
    """Format a threshold of a column with its unit; days since 1970-01-01 as a date.

    A threshold half a day after a date, the midpoint between two dates, is written as that date: a date is at
    most the midpoint exactly if it is at most that date.

    Examples
    --------
    >>> threshold_text(18774.5, "days"), threshold_text(18774.25, "days"), threshold_text(2.0)
    ('2021-05-27', '2021-05-27 06:00:00', '2')
    >>> threshold_text(70.5, "kg"), threshold_text(5, "%")
    ('70.5 kg', '5%')
    """
    if unit != "days":
        return with_unit(number_text(number), unit)
    try:
        moment = datetime(1970, 1, 1) + timedelta(days=number)
    except (OverflowError, ValueError):
        return f"{number_text(number)} days since 1970-01-01"
    if (2 * number).is_integer():
        return moment.date().isoformat()
    return moment.isoformat(" ", "milliseconds").removesuffix(".000")


def with_unit(text: str, unit: str) -> str:
    """Append a unit to the text of a number."""
    if not unit or unit == "seconds":
        return text
    return f"{text}{unit}" if unit in ("%", "‰") else f"{text} {unit}"


def spread_text(mean: float, deviation: str, unit: str = "", digits: int = 4) -> str:
    """Format a mean and a standard deviation, with the unit once.

    Examples
    --------
    >>> spread_text(70.25, "3.1", "kg"), spread_text(18774.3, "4", "days"), spread_text(2.5, "1")
    ('70.25 ± 3.1 kg', '2021-05-27 ± 4 days', '2.5 ± 1')
    """
    if unit in ("days", "seconds"):
        return f"{mean_text(mean, unit, digits)} ± {deviation} {unit}"
    return f"{mean_text(mean, digits=digits)} ± {with_unit(deviation, unit)}"


def number_in(number: float, unit: str = "", digits: int = 4) -> str:
    """Format a number with ``%g`` and its unit; days as the nearest date.

    Examples
    --------
    >>> number_in(70.25, "kg"), number_in(18774.3, "days"), number_in(1e6)
    ('70.25 kg', '2021-05-27', '1e+06')
    """
    return mean_text(number, unit) if unit == "days" else with_unit(f"{number:.{digits}g}", unit)


def mean_text(number: float, unit: str = "", digits: int = 4) -> str:
    """Format a mean, or another number of a column, with this many significant digits; days as the nearest date.

    Examples
    --------
    >>> mean_text(18774.3, "days"), mean_text(2.71828)
    ('2021-05-27', '2.718')
    """
    if unit == "days":
        return threshold_text(float(round(number)), unit)
    return with_unit(number_text(float(f"{number:.{digits}g}")), unit)


def value_text(value: Value) -> str:
    """Format a name or a nominal value, quoted only if it could be misread.

    Examples
    --------
    >>> print(value_text("partly cloudy"), value_text("rain, then sun"), value_text("<0"), value_text(True))
    partly cloudy "rain, then sun" "<0" True
    """
    value = plain(value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return number_text(value)
    if value.isprintable() and not AMBIGUOUS.search(value):
        return str(value)
    return json.dumps(value, ensure_ascii=not value.isprintable())


def printable(text: str) -> str:
    """Write a name without terminal control characters.

    Examples
    --------
    >>> print(printable("left"), printable("\\x1b[31mright"))
    left \\x1b[31mright
    """
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def count_text(count: float) -> str:
    """Format a number of rows; fractional counts have one decimal.

    Examples
    --------
    >>> count_text(3.0), count_text(2.25)
    ('3', '2.2')
    """
    if not math.isfinite(count):
        return number_text(count)
    whole = round(count)
    return str(whole) if abs(count - whole) < 1e-6 else f"{count:.1f}"


def right_of_all(prediction: Value, classes: Sequence[Value], counts: Sequence[float]) -> str:
    """Format the number of covered rows, and how many of them have the predicted class.

    Examples
    --------
    >>> right_of_all("no", ("no", "yes"), (3, 1))
    '3/4'
    """
    return f"{count_text(counts[classes.index(prediction)])}/{count_text(sum(counts))}"


def coefficient_text(number: float) -> str:
    """Format a coefficient with four digits, or with up to six if four would look like a round number.

    Examples
    --------
    >>> coefficient_text(2 / 3), coefficient_text(1.0003), coefficient_text(-0.5), coefficient_text(1 + 1e-9)
    ('0.6667', '1.0003', '-0.5', '1')
    """
    short, *longer = (f"{number + 0.0:.{digits}g}" for digits in (4, 5, 6))
    if short != f"{number + 0.0:.2g}":
        return short
    return next((text for text in longer if text != short), short)


def plural(number: int, noun: str) -> str:
    """Format a count with its noun.

    Examples
    --------
    >>> plural(1, "rule"), plural(2, "rule")
    ('1 rule', '2 rules')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def chance_text(chance: float) -> str:
    """Format a probability; a tiny one as a bound.

    Examples
    --------
    >>> chance_text(0.25), chance_text(1.5e-58), chance_text(0.0)
    ('0.25', '<0.0001', '0')
    """
    return f"<{LEAST_CHANCE:.4f}" if 0 < chance < LEAST_CHANCE else f"{chance:.4g}"
