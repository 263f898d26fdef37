"""Weka's attribute-relation file format: declared domains, sparse rows, strings, dates.

Lines starting with ``%`` are comments; keywords are case-insensitive; names and values may be in single or double
quotes with backslash escapes; an unquoted ``?`` is a missing value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO, NoReturn

import polars as pl

from induce.core.errors import InputError
from induce.core.notes import note
from induce.data.dialect import Findings
from induce.data.encodings import BOM, Transcoder
from induce.data.names import check_names, listed, shortened
from induce.data.streams import decoded, refuse_foreign
from induce.data.type_inference import inexact

QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
CELL = re.compile(rf"\s*({QUOTED}|[^,%]*?)\s*(?:(,)|$|%.*$)")
ATTRIBUTE = re.compile(rf"@attribute\s+({QUOTED}|[^\s{{]+)\s*(.*)$", re.IGNORECASE)
ENTRY = re.compile(rf"(\d+)\s+({QUOTED}|\S.*)$")
WEIGHT = re.compile(r"\{[^{}]*\}$")
SLOW = re.compile(r"""['"%{\\\t]""")
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
LONE_RETURN = re.compile(rb"\r(?!\n)")
NUMBERS = ("numeric", "real", "integer")
DATE_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"
DATE_PARTS = {
    "yyyy": "%Y",
    "yy": "%y",
    "MMMM": "%B",
    "MMM": "%b",
    "MM": "%m",
    "M": "%m",
    "dd": "%d",
    "d": "%d",
    "HH": "%H",
    "H": "%H",
    "hh": "%I",
    "h": "%I",
    "mm": "%M",
    "ss": "%S",
    "SSS": "%3f",
    "a": "%p",
    "EEE": "%a",
    "EEEE": "%A",
    "Z": "%z",
}
TIMES = ("%H", "%I", "%M", "%S")


@dataclass(frozen=True)
class Attribute:
    """A declared column: `kind` is "nominal", "numeric", "string" or "date"."""

    name: str
    kind: str
    domain: tuple[str, ...] = ()
    format: str = ""

    @property
    def dtype(self) -> Any:
        """The polars type of the column."""
        if self.kind == "nominal":
            return pl.Enum(self.domain)
        if self.kind == "date":
            return pl.Datetime("us") if any(part in self.format for part in TIMES) else pl.Date()
        return pl.Float64() if self.kind == "numeric" else pl.String()


def frames(
    stream: BinaryIO, name: str, rows: int, skip_bad: bool = False, findings: Findings | None = None
) -> Iterator[pl.DataFrame]:
    """Yield the rows of an ARFF file in batches; the first frame has the types but no rows.

    Examples
    --------
    >>> import io
    >>> text = b"@relation r\\n@attribute wind {weak, strong}\\n@attribute t real\\n@data\\nstrong, ?\\n"
    >>> pl.concat(frames(io.BytesIO(text), "r.arff", 100)).row(0)
    ('strong', None)
    """
    reader = _Reader(stream, name, skip_bad, findings or Findings())
    attributes = reader.header()
    yield pl.DataFrame(schema={attribute.name: attribute.dtype for attribute in attributes})
    found = reader.rows(attributes)
    while some := list(islice(found, rows)):
        numbers = [number for number, _ in some]
        columns = zip(*(row for _, row in some), strict=True)
        yield pl.DataFrame(
            [
                reader.column(attribute, cells, numbers)
                for attribute, cells in zip(attributes, columns, strict=True)
            ]
        )
    if findings is not None and reader.transcoder.single:
        findings.say("encoding Windows-1252")
    if findings is not None and reader.n_bad:
        rows_left = "1 row" if reader.n_bad == 1 else f"{reader.n_bad:,} rows"
        findings.say(f"{rows_left} with a different number of values left out")


class _Reader:
    def __init__(self, stream: BinaryIO, name: str, skip_bad: bool, findings: Findings) -> None:
        self.name = name
        self.findings = findings
        self.skip_bad = skip_bad
        self.n_bad = 0
        self.lines = self._numbered(stream)
        self.transcoder = Transcoder(name)
        self.weighted = False

    def _numbered(self, stream: BinaryIO) -> Iterator[tuple[int, str]]:
        lines = (line for block in stream for line in LONE_RETURN.split(block))
        for number, raw in enumerate(lines, start=1):
            if number == 1:
                refuse_foreign(raw, self.name)
                raw = raw.removeprefix(BOM)
            line = decoded(self.transcoder.utf8(raw, number), number, self.name).strip()
            if line and line[0] != "%":
                yield number, line

    def wrong(self, number: int, what: str) -> NoReturn:
        raise InputError(f"line {number:,} of {self.name!r} {what}")

    def header(self) -> list[Attribute]:
        attributes: list[Attribute] = []
        number = 0
        for number, line in self.lines:
            keyword = line.split(None, 1)[0].lower()
            if keyword == "@data":
                if not attributes:
                    self.wrong(number, "starts the data, but no @attribute was declared before")
                check_names([attribute.name for attribute in attributes], repr(self.name))
                return attributes
            if keyword == "@attribute":
                attributes.append(self._attribute(number, line))
            elif keyword != "@relation":
                self.wrong(number, f"should start with @relation, @attribute or @data, but is {line[:40]!r}")
        raise InputError(f"{self.name!r} has no @data line" if number else f"{self.name!r} is empty")

    def _attribute(self, number: int, line: str) -> Attribute:
        match = ATTRIBUTE.match(line)
        if match is None or not match[2]:
            self.wrong(number, f"declares an attribute without name or type: {line[:40]!r}")
        name, declared = _unquoted(match[1]), match[2]
        if declared.startswith("{"):
            return Attribute(name, "nominal", self._domain(number, name, declared))
        kind, *rest = declared.split("%", 1)[0].split(None, 1)
        kind = kind.lower()
        if kind in NUMBERS:
            return Attribute(name, "numeric")
        if kind == "string":
            return Attribute(name, "string")
        if kind == "date":
            return Attribute(name, "date", format=self._date_format(number, rest[0] if rest else DATE_FORMAT))
        self.wrong(
            number,
            f"gives attribute {name!r} the type {kind!r}; the types are {{values}}, {', '.join(NUMBERS)}, "
            "string and date",
        )

    def _domain(self, number: int, name: str, declared: str) -> tuple[str, ...]:
        inside = re.match(rf"\{{((?:{QUOTED}|[^}}])*)\}}", declared)
        if inside is None:
            self.wrong(number, f"opens the values of attribute {name!r} but does not close them with '}}'")
        cells = self._cells(number, inside[1])
        if len(cells) > 1 and cells[-1] == "":  # a comma after the last value
            cells.pop()
        values = [_unquoted(cell) for cell in cells]
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            self.wrong(number, f"declares the value {twice!r} of attribute {name!r} twice")
        return tuple(values)

    def _date_format(self, number: int, pattern: str) -> str:
        pattern = pattern.strip()
        if pattern[0] == pattern[-1] and pattern[0] in "'\"" and len(pattern) > 1:
            pattern = pattern[1:-1]
        parts = []
        for part in re.finditer(r"'([^']*)'|([A-Za-z])\2*|.", pattern):
            if part[1] is not None:
                parts.append(part[1].replace("%", "%%"))
            elif part[2] is None:
                parts.append(part[0].replace("%", "%%"))
            elif part[0] in DATE_PARTS:
                parts.append(DATE_PARTS[part[0]])
            else:
                self.wrong(number, f"has the unknown code {part[0]!r} in its date format")
        return "".join(parts)

    def rows(self, attributes: Sequence[Attribute]) -> Iterator[tuple[int, list[str | None]]]:
        width = len(attributes)
        for number, line in self.lines:
            if line[0] == "{":
                yield number, self._sparse(number, line, attributes)
                continue
            if SLOW.search(line) is None and "," in line:
                cells = [cell.strip() for cell in line.split(",")]
            elif "," in line or width == 1:
                cells = self._cells(number, line)
            else:
                cells = re.findall(rf"{QUOTED}|[^\s%]+", line)
            if len(cells) == width + 1 and cells[-1] == "":  # a comma after the last value
                cells.pop()
            if len(cells) == width + 1 and WEIGHT.match(cells[-1]):
                self._note_weight(cells.pop())
            if len(cells) != width and self.skip_bad:
                self.n_bad += 1
                continue
            if len(cells) != width:
                fields = "1 value" if len(cells) == 1 else f"{len(cells)} values"
                self.wrong(number, f"has {fields} where {width} attributes are declared")
            yield number, [None if cell == "?" else _unquoted(cell) for cell in cells]

    def _cells(self, number: int, line: str) -> list[str]:
        cells = []
        position = 0
        while True:
            match = CELL.match(line, position)
            if match is None:
                self.wrong(number, "has a quote that is not closed, or something after a closing quote")
            if match[1][:1] in ("'", '"') and not re.fullmatch(QUOTED, match[1]):
                self.wrong(number, "has a quote that is not closed, or something after a closing quote")
            cells.append(match[1])
            position = match.end()
            if match[2] is None:
                return cells

    def _sparse(self, number: int, line: str, attributes: Sequence[Attribute]) -> list[str | None]:
        whole = re.match(rf"\{{((?:{QUOTED}|[^}}])*)\}}\s*(?:,\s*(\{{[^{{}}]*\}}))?\s*(?:%.*)?$", line)
        if whole is None:
            self.wrong(number, "opens a sparse row with '{' but does not close it with '}'")
        if whole[2]:
            self._note_weight(whole[2])
        row: list[str | None] = [_omitted(attribute) for attribute in attributes]
        if not whole[1].strip():
            return row
        given = set()
        for cell in _entries(whole[1]):
            entry = ENTRY.match(cell)
            if entry is None:
                self.wrong(number, f"has {cell!r} in a sparse row where a position and a value should stand")
            index = int(entry[1])
            if index >= len(attributes):
                self.wrong(
                    number,
                    f"names position {index}, but the last position is {len(attributes) - 1}",
                )
            if index in given:
                self.wrong(number, f"names position {index} twice")
            given.add(index)
            row[index] = None if entry[2] == "?" else _unquoted(entry[2])
        return row

    def _note_weight(self, weight: str) -> None:
        if not self.weighted:
            self.weighted = True
            note(f"the rows of {self.name!r} have weights (such as {weight}), which are ignored")

    def column(self, attribute: Attribute, cells: Sequence[str | None], numbers: Sequence[int]) -> pl.Series:
        written = pl.Series(attribute.name, cells, dtype=pl.String)
        if attribute.kind == "string":
            return written
        if attribute.kind == "date":
            values = written.str.strptime(attribute.dtype, attribute.format, strict=False)
        else:
            values = written.cast(attribute.dtype, strict=False)
        lost = (values.is_null() & written.is_not_null()).arg_true()
        if len(lost):
            value = cells[int(lost[0])]
            should = {
                "numeric": "which is not a number",
                "date": "which is not a date of the declared format",
                "nominal": f"which is not one of its values {{{listed(attribute.domain)}}}",
            }[attribute.kind]
            self.wrong(numbers[int(lost[0])], f"gives {attribute.name!r} the value {value!r}, {should}")
        if attribute.kind == "numeric" and (example := inexact(values, written)) is not None:
            phrase = f"numbers that a float cannot hold, such as {shortened(example)}, rounded"
            self.findings.say(phrase, attribute.name)
        return values


def _entries(inside: str) -> list[str]:
    return [piece.strip() for piece in re.findall(rf"((?:{QUOTED}|[^,'\"])+)(?:,|$)", inside)]


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] in "'\"" and cell[-1] == cell[0]:
        cell = cell[1:-1]
        return ESCAPE.sub(_unescaped, cell) if "\\" in cell else cell
    return cell


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else ESCAPED.get(code, code)


def _omitted(attribute: Attribute) -> str | None:
    """Return the value of an attribute that a sparse row omits."""
    if attribute.kind == "nominal":
        return attribute.domain[0]
    return "0" if attribute.kind == "numeric" else None
