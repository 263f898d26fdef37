"""File formats: properties declared by the user or detected."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Any

from induce.core.errors import InputError
from induce.core.notes import note

MISSING_TOKENS = ("?", "", "NA", "NaN", "N/A", "null", "NULL", "#N/A")
AMONG_NUMBERS = (
    *("-", "--", "\u2013", "\u2014", ".", "..", "None", "none", "n/a", "na", "n.a.", "nil", "nan"),
    *("---", "N.A.", "n.d.", "N.D.", "n/d", "ND", "k.A.", "k. A.", "s/d", "<NA>", "NaT", "(null)", "(blank)"),
    *("unknown", "Unknown", "missing", "Missing", "not available"),
    *("#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!"),
)
"""Markers of missing values in columns of numbers or dates; elsewhere they are ordinary values."""
DATE_ORDERS = ("dmy", "mdy", "ymd")
THOUSANDS = (",", ".", "'", "\u2019", " ", "\u00a0", "\u2009", "\u202f", "_")
MOST_NAMED = 4


@dataclass(frozen=True)
class Dialect:
    """The user's declarations about a file's format; properties that are None are detected.

    Parameters
    ----------
    separator : str, optional
        Separator of the cells of a text file.
    encoding : str, optional
        Encoding of a text file, such as ``"cp1252"``.
    decimal, thousands : str, optional
        Decimal mark, ``"."`` or ``","``, and the thousands separator.
    dates : str, optional
        Order of day, month and year (``"dmy"``, ``"mdy"``, ``"ymd"``) or a pattern such as ``"%d.%m.%Y"``.
    header : bool or int, optional
        Whether the first line names the columns, or the number of the line that does.
    sheet : str or int, optional
        Name or number, from 1, of the sheet of a spreadsheet.
    skip_bad : bool
        Whether rows with too many or too few cells are skipped; otherwise they are an error.
    missing : tuple of str
        Markers of missing values.
    """

    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    dates: str | None = None
    header: bool | int | None = None
    sheet: str | int | None = None
    skip_bad: bool = False
    missing: tuple[str, ...] = MISSING_TOKENS

    def __post_init__(self) -> None:
        missing: Any = self.missing
        object.__setattr__(self, "missing", (missing,) if isinstance(missing, str) else tuple(missing))
        if self.separator is not None and (len(self.separator) != 1 or not self.separator.isascii()):
            raise InputError(f"separator is {self.separator!r}; give one character such as ';'")
        if self.decimal not in (None, ".", ","):
            raise InputError(f"decimal is {self.decimal!r}; give '.' or ','")
        if self.thousands is not None and self.thousands not in THOUSANDS:
            raise InputError(f"thousands is {self.thousands!r}; give one of ',', '.', ''', '_' and a space")
        if self.decimal is not None and self.decimal == self.thousands:
            raise InputError(f"decimal and thousands are both {self.decimal!r}; they must differ")
        if self.decimal is None and self.thousands in (".", ","):  # one mark cannot have both roles
            object.__setattr__(self, "decimal", "," if self.thousands == "." else ".")
        if self.dates is not None and self.dates not in DATE_ORDERS and "%" not in self.dates:
            raise InputError(f"dates is {self.dates!r}; give dmy, mdy, ymd or a pattern such as '%d.%m.%Y'")
        if isinstance(self.header, int) and not isinstance(self.header, bool) and self.header < 1:
            raise InputError(f"header is {self.header}; give True, False or the number of a line, from 1")
        if self.encoding is not None:
            self._check_encoding(self.encoding)

    def _check_encoding(self, encoding: str) -> None:
        try:
            known = codecs.lookup(encoding)._is_text_encoding
        except LookupError:
            known = False
        if not known:
            raise InputError(
                f"encoding is {encoding!r}, which is unknown; give one such as 'cp1252' or 'utf-16'"
            )

    @property
    def among_numbers(self) -> tuple[str, ...]:
        """Markers of missing values in numeric and date columns, unless the user declared others."""
        return AMONG_NUMBERS if self.missing == MISSING_TOKENS else ()


class Findings:
    """Detected properties of a table's format, reported in one note."""

    def __init__(self) -> None:
        self._said: dict[str, list[str]] = {}
        self._beside: list[str] = []
        self.separator = ","
        self.units: dict[str, str] = {}

    def say(self, phrase: str, column: str | None = None) -> None:
        """Add a property; columns with the same property are listed after it."""
        columns = self._said.setdefault(phrase, [])
        if column is not None and column not in columns:
            columns.append(column)

    def cut_by(self, separator: str, usual: bool) -> None:
        """Store the separator, which is reported only with other properties, and only if it is unusual."""
        self.separator = separator
        if not usual and f"separator {separator!r}" not in self._beside:
            self._beside.append(f"separator {separator!r}")

    def in_units(self, units: dict[str, str], where: str) -> None:
        """Store the units from a row below the header."""
        self.units |= units
        self.say(f"{where} holds units ({', '.join(f'{unit} of {name!r}' for name, unit in units.items())})")

    def tell(self, name: str) -> None:
        """Report everything in one note, unless the table has a plain format."""
        if self._said:
            phrases = [*self._beside, *(f"{phrase}{_listed(names)}" for phrase, names in self._said.items())]
            note(f"{name} was read as follows: {'; '.join(phrases)}")
        self._said = {}


def _listed(names: list[str]) -> str:
    if not names:
        return ""
    rest = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f" in {', '.join(map(repr, names[:MOST_NAMED]))}{rest}"
