"""Delimited text tables: CSV and similar formats, read block by block, with every cell as a string.

polars parses the blocks. Errors that it silently ignores are checked first; a block with an error is parsed
again by a slow parser that names the line.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import BinaryIO

import numpy as np
import polars as pl

from induce.core.errors import InputError
from induce.data.dialect import Dialect, Findings
from induce.data.encodings import BOM, Transcoder
from induce.data.layout import NUMBER, Layout, layout_of, named_columns, units_below
from induce.data.names import check_names, listed
from induce.data.streams import Source, nul_byte, refuse_foreign
from induce.data.totals import is_note

SEPARATORS = (",", ";", "\t", "|")
BLOCK = 1 << 24
LONGEST_ROW = 1 << 26
"""Maximum number of bytes of a row; a longer row needs several times as much memory and is probably an error."""
SAMPLE = 1 << 16
ROWS_AT_ONCE = 50_000
LOOKED_AT = 50
"""Number of rows for detecting the separator."""
MOST_BAD_NAMED = 5
MOST_NOTES = 20
NEWLINE, RETURN, QUOTE = b'\n\r"'
LINE_END = re.compile(rb"\r\n|\r|\n")


def blocks(
    source: Source, dialect: Dialect | None = None, findings: Findings | None = None
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a CSV file as frames of strings; the first may be empty."""
    dialect, findings = dialect or Dialect(), findings or Findings()
    stream, name = source.stream, source.name
    head = stream.read(SAMPLE)
    refuse_foreign(head, name)
    head = head.removeprefix(BOM)
    skipped = len(head) - len(head.lstrip(b"\r\n"))
    line = 1 + line_ends(head[:skipped])
    head = head[skipped:]
    if not head.strip():
        raise InputError(f"{name!r} is empty")
    if source.encoding:
        findings.say(f"encoding {source.encoding}")
    rest = _Blocks(stream, head, line, name, findings)
    sample = rest.sample()
    usual = "\t" if source.suffix in (".tsv", ".tab") else None
    separator = dialect.separator or usual or sniff(sample)
    findings.cut_by(separator, separator in (",", usual))
    layout = rest.begin(sample, separator, dialect, findings)
    table = _Layout(layout.names, separator, name, dialect.skip_bad, rest.line if layout.header else None)
    rows = sample_rows(sample, separator)[layout.begin :]
    if layout.header and (units := units_below(layout.names, rows)):
        findings.in_units(units, f"line {rest.line}")
        rest.skip(1)
        rows = rows[1:]
    table.settle(rows, findings)
    yield pl.DataFrame(schema=dict.fromkeys(table.kept, pl.String))
    for start, block in rest:
        yield from table.parse(block, start, rest.ended)
    table.tell_skipped(findings)


def sample_rows(sample: str, separator: str) -> list[list[str]]:
    """Return the cells of the non-blank rows of a sample."""
    return [row for _, row in _numbered_rows(sample, separator)]


def _numbered_rows(sample: str, separator: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a sample with the number of lines before each."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=separator)
    rows, before = [], 0
    try:
        for row in reader:
            if any(cell.strip() for cell in row) or len(row) > 1:
                rows.append((before, row))
            before = reader.line_num
    except csv.Error:  # an unclosed quote or a cell that is too long: the parser reports it
        pass
    return rows


def sniff(sample: str) -> str:
    """Return the separator that splits most of the first rows evenly.

    Ties go to the one that yields the most numbers.

    Examples
    --------
    >>> sniff("a;b\\n1,5;2,0\\n3,5;4,0\\n")
    ';'
    """

    def evenness(separator: str) -> tuple[float, float, int]:
        rows = sample_rows(sample, separator)[:LOOKED_AT]
        widths = Counter(len(row) for row in rows if len(row) > 1)
        if not widths:
            return 0.0, 0.0, 0
        width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]))
        cells = [cell for row in rows for cell in row]
        return count / len(rows), sum(map(_is_number, cells)) / len(cells), width

    scores = {separator: evenness(separator) for separator in SEPARATORS}
    best = max(SEPARATORS, key=scores.__getitem__)
    return best if scores[best][2] else ","


def _is_number(cell: str) -> bool:
    return bool(NUMBER.match(cell))


class _Blocks:
    """Blocks of a byte stream, each ending at the end of a row, with the number of their first line."""

    def __init__(self, stream: BinaryIO, head: bytes, line: int, name: str, findings: Findings) -> None:
        self.stream = stream
        self.held = head
        self.line = line
        self.name = name
        self.findings = findings
        self.transcoder = Transcoder(name)
        self.ended = False

    def sample(self) -> str:
        """Return the first whole lines, without consuming them; they include a header of any length."""
        while not (first := LINE_END.search(self.held)) and len(self.held) < LONGEST_ROW:
            more = self.stream.read(max(SAMPLE, len(self.held)))
            if not more:
                break
            self.held += more
        head = self.held[: max(SAMPLE, first.end() if first else 0)]
        sample = self.held[: _last_line_end(head)] or self.held
        zero = sample.find(b"\0")
        if zero >= 0:
            raise nul_byte(self.line + line_ends(sample[:zero]), self.name)
        return self._utf8(sample, self.line).decode()

    def begin(self, sample: str, separator: str, dialect: Dialect, findings: Findings) -> Layout:
        """Consume the lines above the rows of the table, including its header."""
        header = dialect.header
        if isinstance(header, int) and not isinstance(header, bool):
            self.skip(header - self.line)
            return Layout(0, self._header(separator))
        rows = _numbered_rows(sample, separator)
        layout = layout_of([row for _, row in rows], header) if rows else Layout(0, ())
        if layout.above:
            first = self.line
            self.skip(rows[layout.above][0])
            lines = f"lines {first}-{self.line - 1}" if self.line > first + 1 else f"line {first}"
            what = "the header is in" if layout.header else "the table begins with"
            findings.say(f"{what} line {self.line}, {lines} above it left out")
        if not layout.header:
            findings.say(
                f"the first line looks like data, so the columns are called {listed(layout.names[:2])}, …"
            )
            return layout
        if layout.depth > 1:
            first = self.line
            self.skip(rows[layout.begin][0] - rows[layout.above][0])
            findings.say(f"column names from lines {first}-{self.line - 1}")
            return layout
        names = self._header(separator)
        more = len(layout.names) - len(names)
        if more > 0 and layout.names[0] == "" and names[0] != "":
            names = ("", *names)
        elif more > 0:
            names = (*names, "")
        return Layout(layout.above, names)

    def _header(self, separator: str) -> tuple[str, ...]:
        line = self.line
        record = self._record()
        text = self._utf8(record, line).decode()
        names, read = _header(text, separator, line, self.name)
        # a quote inside a name, as in `size 5"`, opens nothing: the rows after the header go back
        self._put_back(record, line_ends(text[:read].encode()))
        return names

    def _put_back(self, taken: bytes, lines: int) -> None:
        """Return what was taken to the stream, except its first lines."""
        if lines:
            rest = taken[_end_of(lines, taken) :]
            self.held = rest + self.held
            self.line -= line_ends(rest)

    def skip(self, lines: int) -> None:
        """Skip a number of lines."""
        end = _end_of(lines, self.held)
        if end is None:
            raise InputError(f"{self.name!r} has no line {self.line + lines}")
        self._take(end)

    def _record(self) -> bytes:
        """Consume the first row, up to the first line end after an even number of quotes."""
        seen, quotes = 0, 0
        while True:
            end = LINE_END.search(self.held, seen)
            if end is None or end.end() == len(self.held):  # a line feed may follow a return
                more = b"" if len(self.held) > LONGEST_ROW else self.stream.read(max(SAMPLE, len(self.held)))
                self.held += more
                if more:
                    continue
            quotes += self.held.count(b'"', seen, len(self.held) if end is None else end.start())
            if end is None:
                return self._take(len(self.held))
            seen = end.end()
            if quotes % 2 == 0:
                return self._take(seen)

    def _utf8(self, data: bytes, line: int) -> bytes:
        text = self.transcoder.utf8(data, line)
        if self.transcoder.single:
            self.findings.say("encoding Windows-1252")
        return text

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        while True:
            # an unclosed quote swallows everything after it: doubling the buffer keeps this linear
            more = self.stream.read(max(BLOCK, len(self.held)))
            block = self.held + more
            end = len(block) if not more else _last_row_end(block)
            self.held = block
            self.ended = not more
            if not end and len(block) > LONGEST_ROW:
                raise InputError(
                    f"the row of {self.name!r} that begins in line {self.line:,} is longer than "
                    f"{LONGEST_ROW >> 20} MB; check for an unclosed quote or a file that is not a "
                    "table"
                )
            if end:
                line = self.line
                yield line, self._utf8(self._take(end), line)
            if not more:
                return

    def _take(self, end: int) -> bytes:
        taken, self.held = self.held[:end], self.held[end:]
        zero = taken.find(b"\0")
        if zero >= 0:
            raise nul_byte(self.line + line_ends(taken[:zero]), self.name)
        self.line += line_ends(taken)
        return taken


def _last_row_end(block: bytes) -> int:
    """Return the position after the last line end outside quotes; 0 if there is none."""
    end = _last_line_end(block)
    quotes = block.count(b'"', 0, end)
    while end and quotes % 2:
        opening = block.rfind(b'"', 0, end)
        end = _last_line_end(block[:opening])
        quotes -= block.count(b'"', end, opening) + 1
    return end


def _last_line_end(block: bytes) -> int:
    """Return the position after the last line end; 0 if there is none.

    A return in the last position does not count, because a line feed may follow it.
    """
    return max(block.rfind(b"\n"), block.rfind(b"\r", 0, max(0, len(block) - 1))) + 1


def _end_of(lines: int, data: bytes) -> int | None:
    """Return the position after a number of lines; None if there are fewer."""
    end = 0
    for _ in range(lines):
        line_end = LINE_END.search(data, end)
        if line_end is None:
            return None
        end = line_end.end()
    return end


def line_ends(data: bytes) -> int:
    """Return the number of line ends: line feeds, returns, and pairs of both.

    Examples
    --------
    >>> line_ends(b"a\\r\\nb\\rc\\n")
    3
    """
    returns = data.count(b"\r")
    return data.count(b"\n") + (returns - data.count(b"\r\n") if returns else 0)


def with_line_feeds(block: bytes) -> bytes:
    """Return a block whose rows all end with a line feed; returns inside quotes stay."""
    if block.count(b"\r") == block.count(b"\r\n"):
        return block
    data = np.frombuffer(block, dtype=np.uint8).copy()
    returns = np.flatnonzero(data == RETURN)
    quotes = np.flatnonzero(data == QUOTE)
    alone = np.append(data, NEWLINE)[returns + 1] != NEWLINE
    alone[returns == len(data) - 1] = True
    outside = np.searchsorted(quotes, returns) % 2 == 0
    data[returns[alone & outside]] = NEWLINE
    return data.tobytes()


def _header(text: str, separator: str, line: int, name: str) -> tuple[tuple[str, ...], int]:
    """Return the names in the first row of a text, and the number of characters of that row."""
    source = io.StringIO(text, newline="")
    try:
        names = next(csv.reader(source, delimiter=separator, strict=True))
    except csv.Error:
        raise InputError(
            f"the header of {name!r} (line {line}) has a quote that is not closed; close it or remove it"
        ) from None
    return tuple(each.strip() for each in names), source.tell()


def _regular(block: bytes, separator: str, width: int) -> bool:
    """Return whether every row has `width` cells and every quote is at the beginning or end of a cell.

    polars silently accepts short rows, extra empty cells and quotes inside cells.
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
        # a doubled quote is an escaped one
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
    """Required layout of every row of the file."""

    def __init__(
        self, names: Sequence[str], separator: str, name: str, skip_bad: bool, header_line: int | None
    ) -> None:
        self.names = list(names)
        self.separator = separator
        self.name = name
        self.skip_bad = skip_bad
        self.width_of = "the header has" if header_line is not None else "the first has"
        self.bad: list[int] = []
        self.n_bad = 0
        self.notes = 0
        self.empty: list[str] = []
        self.kept = self.names

    def settle(self, rows: Sequence[Sequence[str]], findings: Findings) -> None:
        """Choose the columns from a sample of the rows, dropping an index and empty columns at the end."""
        called, index = named_columns(self.names, rows, findings)
        self.empty = [each for each in called if each.startswith("\0") and each != "\0index"]
        self.kept = [each for each in called if not each.startswith("\0")]
        check_names(["index", *self.kept] if index else self.kept, repr(self.name))
        self.schema = pl.Schema(dict.fromkeys(called, pl.String))

    def parse(self, block: bytes, line: int, last: bool = True) -> Iterator[pl.DataFrame]:
        """Yield the rows of a block that starts on `line`; the last block of the file may end with notes."""
        block = block.rstrip(b"\r\n") if len(self.schema) > 1 else block
        if not block:
            return
        frame = self._fast(block)
        for found in (frame,) if frame is not None else self._slow(block, line, last):
            yield self._chosen(found, line)

    def _chosen(self, frame: pl.DataFrame, line: int) -> pl.DataFrame:
        """Return the kept columns."""
        for name in self.empty:
            filled = frame[name].str.strip_chars() != ""
            if filled.any():
                cell = frame[name].filter(filled)[0]
                raise InputError(
                    f"column {int(name[1:]) + 1} of {self.name!r} has no name, but a row after line {line:,} holds "
                    f"{cell!r} there; give it a name, or empty the cell"
                )
        return frame if len(self.kept) == frame.width else frame.select(self.kept)

    def tell_skipped(self, findings: Findings) -> None:
        """Issue notes about the skipped rows."""
        if self.notes:
            findings.say(f"text below the table, from line {self.notes:,} on, left out")
        if self.n_bad:
            rows = "1 row" if self.n_bad == 1 else f"{self.n_bad:,} rows"
            lines = ", ".join(f"{line:,}" for line in self.bad) + (
                ", …" if self.n_bad > len(self.bad) else ""
            )
            findings.say(
                f"{rows} with a different number of cells left out "
                f"(line{'s' if self.n_bad > 1 else ''} {lines})"
            )

    def _fast(self, block: bytes) -> pl.DataFrame | None:
        """Parse a block, or return None if anything in it is irregular."""
        block = with_line_feeds(block)
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

    def _slow(self, block: bytes, line: int, last: bool) -> Iterator[pl.DataFrame]:
        rows = self._rows(block.decode(), line, last)
        while some := list(islice(rows, ROWS_AT_ONCE)):
            yield pl.DataFrame(some, schema=self.schema, orient="row")

    def _rows(self, text: str, line: int, last: bool) -> Iterator[list[str]]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.separator, strict=True)
        width = len(self.schema)
        start, blank = line, False
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
            elif row and last and is_note(row[0], blank) and self._are_notes(row, reader):
                self.notes = start
                return
            elif row and self.skip_bad:
                self.n_bad += 1
                if len(self.bad) < MOST_BAD_NAMED:
                    self.bad.append(start)
            elif row:
                fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
                raise InputError(
                    f"line {start:,} of {self.name!r} has {fields} where {self.width_of} {width}; {self._perhaps()}"
                )
            start, blank = line + reader.line_num, not row

    def _are_notes(self, row: list[str], reader: Iterator[list[str]]) -> bool:
        """Return whether a row that is too short and all rows after it are notes below the table."""
        try:
            below = [row, *(each for each in islice(reader, MOST_NOTES) if each)]
        except csv.Error:
            return False
        return len(below) < MOST_NOTES and all(len(each) < len(self.schema) for each in below)

    def _perhaps(self) -> str:
        if len(self.schema) == 1:
            return "if the separator is another one, give separator="
        return "correct it, or leave such rows out with skip_bad=True (--skip-bad)"

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
