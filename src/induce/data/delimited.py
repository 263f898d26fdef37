"""Tables of text: CSV and its kin, block by block, every cell as it was written.

polars parses; what it passes over in silence is checked first, and only a block with something wrong is read
again, slowly, to name the line.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import BinaryIO

import numpy as np
import polars as pl

from induce.core.errors import InputError
from induce.data.names import check_names
from induce.data.streams import BOM, Source, not_utf8, nul_byte, refuse_foreign

SEPARATORS = (",", ";", "\t", "|")
BLOCK = 1 << 24
LONGEST_ROW = 1 << 26
"""Bytes of a row; one that is longer takes several times as much memory to read, and is hardly meant."""
SAMPLE = 1 << 16
ROWS_AT_ONCE = 50_000
NEWLINE, RETURN, QUOTE = b'\n\r"'


def blocks(source: Source, separator: str | None = None) -> Iterator[pl.DataFrame]:
    """Yield the rows of a CSV file in frames of strings, the first of them perhaps without rows."""
    stream, name = source.stream, source.name
    head = stream.read(SAMPLE)
    refuse_foreign(head, name)
    head = head.removeprefix(BOM)
    skipped = len(head) - len(head.lstrip(b"\r\n"))
    line = 1 + head.count(b"\n", 0, skipped)
    head = head[skipped:]
    if not head.strip():
        raise InputError(f"{name!r} is empty")
    if b"\n" not in head and b"\r" in head:
        raise InputError(f"the lines of {name!r} end in carriage returns alone; save it with usual line ends")
    rest = _Blocks(stream, head, line, name)
    first = rest.record()
    separator = separator or ("\t" if source.suffix in (".tsv", ".tab") else sniff(head))
    names = _header(first, separator, line, name)
    layout = _Layout(names, separator, name)
    yield pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    for start, block in rest:
        yield from layout.parse(block, start)


def sniff(head: bytes) -> str:
    """Return the separator that cuts the first lines most evenly."""
    lines = head.decode(errors="replace").split("\n")
    lines = [line for line in (lines[:-1] if len(lines) > 1 else lines) if line.strip()][:50]

    def evenness(separator: str) -> tuple[float, int]:
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=separator)]
        except csv.Error:
            return 0.0, 0
        if widths[0] < 2:
            return 0.0, 0
        return sum(width == widths[0] for width in widths) / len(widths), widths[0]

    best = max(SEPARATORS, key=evenness)
    return best if evenness(best)[1] else ","


class _Blocks:
    """The bytes of a stream in blocks that end where a row ends, with the line each begins on."""

    def __init__(self, stream: BinaryIO, head: bytes, line: int, name: str) -> None:
        self.stream = stream
        self.held = head
        self.line = line
        self.name = name

    def record(self) -> bytes:
        """Take the first row."""
        while (end := self._end_of_first()) < 0:
            more = self.stream.read(SAMPLE)
            if not more:
                end = len(self.held)
                break
            self.held += more
        return self._take(end)

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        while True:
            # an unclosed quote keeps everything after it: growing by doubling keeps that linear
            more = self.stream.read(max(BLOCK, len(self.held)))
            block = self.held + more
            end = len(block) if not more else _last_row_end(block)
            self.held = block
            if not end and len(block) > LONGEST_ROW:
                raise InputError(
                    f"the row of {self.name!r} that begins in line {self.line:,} is longer than "
                    f"{LONGEST_ROW >> 20} MB; is a quote not closed, or is it no table?"
                )
            if end:
                line = self.line
                yield line, self._take(end)
            if not more:
                return

    def _end_of_first(self) -> int:
        position = -1
        while (position := self.held.find(b"\n", position + 1)) >= 0:
            if self.held.count(b'"', 0, position) % 2 == 0:
                return position + 1
        return -1

    def _take(self, end: int) -> bytes:
        taken, self.held = self.held[:end], self.held[end:]
        zero = taken.find(b"\0")
        if zero >= 0:
            raise nul_byte(self.line + taken.count(b"\n", 0, zero), self.name)
        self.line += taken.count(b"\n")
        return taken


def _last_row_end(block: bytes) -> int:
    """Return the position after the last line end outside quotes, 0 if there is none."""
    end = block.rfind(b"\n")
    quotes = block.count(b'"', 0, max(end, 0))
    while end >= 0 and quotes % 2:
        opening = block.rfind(b'"', 0, end)
        end = block.rfind(b"\n", 0, opening)
        quotes -= block.count(b'"', max(end, 0), opening) + 1
    return end + 1


def _header(record: bytes, separator: str, line: int, name: str) -> list[str]:
    try:
        text = record.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(record, line, name, error) from None
    try:
        names = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error:
        raise InputError(f"the header of {name!r} (line {line}) has a quote that is not closed") from None
    names = [each.strip() for each in names]
    check_names(names, repr(name))
    return names


def _regular(block: bytes, separator: str, width: int) -> bool:
    """Say whether every row has `width` cells and every quote stands where a cell begins or ends.

    polars lets short rows, empty cells too many and quotes inside cells pass in silence.
    """
    data = np.frombuffer(block, dtype=np.uint8)
    cut = ord(separator)
    cuts = np.flatnonzero(data == cut)
    ends = np.flatnonzero(data == NEWLINE)
    quotes = np.flatnonzero(data == QUOTE)
    if quotes.size % 2:
        return False
    if quotes.size:
        opening, closing = quotes[::2], quotes[1::2]
        before = data[opening[opening > 0] - 1]
        after = data[closing[closing < len(data) - 1] + 1]
        # a quote next to a quote is one that is written twice
        if not np.isin(before, (cut, NEWLINE, QUOTE)).all():
            return False
        if not np.isin(after, (cut, NEWLINE, RETURN, QUOTE)).all():
            return False
        cuts = cuts[np.searchsorted(quotes, cuts) % 2 == 0]
        ends = ends[np.searchsorted(quotes, ends) % 2 == 0]
    if not ends.size or ends[-1] != len(data) - 1:
        ends = np.append(ends, len(data))
    return bool((np.diff(np.searchsorted(cuts, ends), prepend=0) == width - 1).all())


class _Layout:
    """What every row of the file must look like."""

    def __init__(self, names: Sequence[str], separator: str, name: str) -> None:
        self.separator = separator
        self.name = name
        self.schema = pl.Schema(dict.fromkeys(names, pl.String))

    def parse(self, block: bytes, line: int) -> Iterator[pl.DataFrame]:
        """Yield the rows of a block that starts on `line`."""
        block = block.rstrip(b"\r\n") if len(self.schema) > 1 else block
        if not block:
            return
        frame = self._fast(block)
        if frame is not None:
            yield frame
        else:
            yield from self._slow(block, line)

    def _fast(self, block: bytes) -> pl.DataFrame | None:
        """Parse a block, or return None if anything in it is not as it should be."""
        if not _regular(block, self.separator, len(self.schema)):
            return None
        try:
            return pl.read_csv(
                io.BytesIO(block),
                has_header=False,
                schema=self.schema,
                separator=self.separator,
                infer_schema=False,
            )
        except pl.exceptions.PolarsError:
            return None

    def _slow(self, block: bytes, line: int) -> Iterator[pl.DataFrame]:
        try:
            text = block.decode()
        except UnicodeDecodeError as error:
            raise not_utf8(block, line, self.name, error) from None
        rows = self._rows(text, line)
        while some := list(islice(rows, ROWS_AT_ONCE)):
            yield pl.DataFrame(some, schema=self.schema, orient="row")

    def _rows(self, text: str, line: int) -> Iterator[list[str]]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.separator, strict=True)
        width = len(self.schema)
        start = line
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise self._quoting(text, line, start, error) from None
            if row is None:
                return
            if len(row) == width:
                yield row
            elif not row and width == 1:
                yield [""]
            elif row:
                fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
                raise InputError(
                    f"line {start:,} of {self.name!r} has {fields} where the header has {width}"
                    f"{self._perhaps()}"
                )
            start = line + reader.line_num

    def _perhaps(self) -> str:
        return "" if len(self.schema) > 1 else "; if something else separates the cells, say separator="

    def _quoting(self, text: str, line: int, start: int, error: csv.Error) -> InputError:
        tail = text.split("\n", start - line)[-1]
        if "expected after" in str(error):
            return InputError(
                f"a quoted cell that begins on line {start:,} of {self.name!r} goes on after its closing "
                "quote; close it where the cell ends, and double the quotes inside it"
            )
        # in an unclosed row the last quote is the one that opens
        opens = start + (tail.count("\n", 0, tail.rfind('"')) if tail.count('"') % 2 else 0)
        return InputError(
            f"line {opens:,} of {self.name!r} opens a quote that is never closed; close it or remove it"
        )
