"""Conversion of text in other encodings to UTF-8."""

from __future__ import annotations

import codecs
import io
import re
from typing import BinaryIO

from induce.core.errors import InputError

BOM = b"\xef\xbb\xbf"
MARKED = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
BLOCK = 1 << 20
# words with many non-ASCII letters belong to another alphabet; these bytes are letters in DOS code pages
OTHER_ALPHABET = re.compile(rb"[\xc0-\xff]{5,}")
DOS_LETTER = re.compile(rb"[a-z][\x82\x84\x87\x88\x94\x95\x97][a-z]")


class Recoded(io.RawIOBase):
    """The bytes of a stream converted to UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str, name: str) -> None:
        super().__init__()
        self.stream = stream
        self.encoding = encoding
        self.name = name
        self.decoder = codecs.getincrementaldecoder(encoding)()
        self.held = b""
        self.line = 1

    def readable(self) -> bool:
        """Return True: the stream is readable."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill a buffer."""
        while not self.held:
            more = self.stream.read(BLOCK)
            try:
                text = self.decoder.decode(more, final=not more)
            except UnicodeDecodeError as error:
                line = self.line + more.count(b"\n", 0, error.start)
                raise InputError(
                    f"{self.name!r} is not in {self.encoding} (around line {line:,}); give another encoding"
                ) from None
            self.line += text.count("\n")
            self.held = text.encode(errors="replace")
            if not more:
                break
        taken = self.held[: len(buffer)]
        buffer[: len(taken)] = taken
        self.held = self.held[len(taken) :]
        return len(taken)


def wide_encoding(head: bytes) -> str | None:
    """Detect the encoding of multi-byte text from its first bytes.

    Examples
    --------
    >>> wide_encoding("a,b".encode("utf-16")), wide_encoding("a,b".encode("utf-16-be")), wide_encoding(b"a,b")
    ('utf-16', 'utf-16-be', None)
    """
    for mark, encoding in MARKED:
        if head.startswith(mark):
            return encoding
    pairs = len(head) // 2
    if pairs < 3:
        return None
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if (
            head[start : 2 * pairs : 2].count(0) > 0.9 * pairs
            and head[1 - start : 2 * pairs : 2].count(0) == 0
        ):
            return encoding
    return None


class Transcoder:
    """Blocks of bytes converted to UTF-8; invalid UTF-8 is decoded as Windows-1252, a superset of Latin-1."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.single = False
        self.beyond_ascii = False

    def utf8(self, block: bytes, line: int) -> bytes:
        """Return a block that begins on `line` as UTF-8; reject binary data."""
        if block.isascii():
            return block
        if not self.single:
            try:
                block.decode()
            except UnicodeDecodeError as error:
                self._look(block, line, error)
            else:
                self.beyond_ascii = True
                return block
        try:
            return block.decode("cp1252").encode()
        except UnicodeDecodeError as error:
            raise self._refused(block, line, error.start, "nor Windows-1252") from None

    def _look(self, block: bytes, line: int, error: UnicodeDecodeError) -> None:
        if self.beyond_ascii or not block.decode(errors="ignore").isascii():
            raise self._refused(block, line, error.start, "although other lines are")
        odd = OTHER_ALPHABET.search(block) or DOS_LETTER.search(block)
        if odd is not None:
            raise self._refused(block, line, odd.start(), "nor, it seems, Windows-1252")
        self.single = True

    def _refused(self, block: bytes, line: int, place: int, beside: str) -> InputError:
        number = line + block.count(b"\n", 0, place)
        byte = next(each for each in block[place:] if each > 127)
        return InputError(
            f"line {number:,} of {self.name!r} is not UTF-8 (byte 0x{byte:02x}), {beside}; give its encoding, such "
            "as cp1252, cp850 or cp1251, or save the file as UTF-8"
        )
