"""Where a table's bytes come from: files, compressed files, standard input."""

from __future__ import annotations

import gzip
import io
import os
import signal
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO, cast

from induce.core.errors import InputError

FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".arff": "arff",
}
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Source:
    """An opened source: its format, what to call it in messages, and its bytes."""

    format: str
    name: str
    suffix: str
    stream: BinaryIO
    path: Path | None = None


@contextmanager
def opened(source: str | Path) -> Iterator[Source]:
    """Open a file, or standard input for ``"-"``, and find out in which format it is.

    The errors of the file system and of damaged compression come out as one sentence each.
    """
    _refuse_in_fork()
    if hasattr(signal, "siginterrupt"):
        # polars has Ctrl-C resume a read that waits for the other end of a pipe instead of ending it
        signal.siginterrupt(signal.SIGINT, True)
    if str(source) == "-":
        stream = _buffered(sys.stdin.buffer)
        try:
            yield Source(_sniffed(stream), "standard input", "", stream)
        finally:
            stream.detach()  # otherwise collecting the wrapper would close standard input
        return
    path = Path(source)
    name = path.name
    suffix, compressed = _suffix(path)
    try:
        with path.open("rb") as file:
            stream = _buffered(cast(BinaryIO, gzip.GzipFile(fileobj=file))) if compressed else file
            format = FORMATS.get(suffix) if suffix else _sniffed(stream)
            if format is None:
                raise InputError(
                    f"{name!r} has the extension {suffix!r}, which is not known; the known ones are "
                    f"{', '.join(FORMATS)} (text also with .gz)"
                )
            yield Source(format, name, suffix, stream, path)
    except FileNotFoundError:
        raise InputError(f"there is no file {str(source)!r}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError(f"{name!r} is not a whole gzip file; compress it again") from None
    except OSError as error:
        if _is_folder(path, error):
            raise InputError(f"{str(source)!r} is a directory; name a file in it") from None
        raise InputError(f"{str(source)!r} cannot be read: {error.strerror}") from None


_used_here = _used_by_parent = False


def _in_child() -> None:
    global _used_by_parent
    _used_by_parent = _used_by_parent or _used_here


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def _refuse_in_fork() -> None:
    """Refuse to read in a forked process after its parent has: polars would wait for threads that are not there."""
    global _used_here
    if _used_by_parent:
        raise InputError(
            "this process was forked after its parent had read a table, where polars hangs; read before the fork, or "
            "start processes by 'spawn' or 'forkserver'"
        )
    _used_here = True


def refuse_foreign(head: bytes, name: str) -> None:
    """Refuse bytes that are no UTF-8 text at all, from what they start with."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name!r} is in UTF-16; save it as UTF-8")
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise InputError(f"{name!r} is a spreadsheet or archive; export the table as CSV")
    if head.startswith(b"\x1f\x8b"):
        raise InputError(f"{name!r} is compressed; end its name in .gz")


def decoded(line: bytes, number: int, name: str) -> str:
    """Return a line of text; refuse bytes that are not UTF-8, naming the line."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(line, number, name, error) from None
    if "\0" in text:
        raise nul_byte(number, name)
    return text


def not_utf8(data: bytes, first_line: int, name: str, error: UnicodeDecodeError) -> InputError:
    """Return the error for bytes that are not UTF-8; `first_line` is the line where `data` begins."""
    line = first_line + data.count(b"\n", 0, error.start)
    return InputError(
        f"line {line:,} of {name!r} is not UTF-8 (byte 0x{data[error.start]:02x}); save the file as UTF-8"
    )


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file in UTF-8 with lines that end in one character, or say in one sentence why not."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {str(path)!r}") from None
    except (OSError, ValueError) as problem:
        if isinstance(problem, OSError) and _is_folder(path, problem):
            raise InputError(f"{str(path)!r} is a folder; name a file in it") from None
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(f"{str(path)!r} cannot be read ({reason})") from None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        raise not_utf8(data, 1, path.name, problem) from None


def nul_byte(line: int, name: str) -> InputError:
    """Return the error for a NUL byte in text."""
    return InputError(f"line {line:,} of {name!r} holds a NUL byte: it is not a text file, or it is damaged")


def title_of(path: PurePath) -> str:
    """Return what a table is called after its file: the name without what says its format.

    Examples
    --------
    >>> from pathlib import PureWindowsPath
    >>> title_of(PureWindowsPath(r"C:\\data\\Weather.CSV.GZ"))
    'Weather'
    """
    suffix, compressed = _suffix(path)
    return path.name[: len(path.name) - len(suffix) - len(".gz" if compressed else "")]


def _is_folder(path: Path, problem: OSError) -> bool:
    """Say whether a file could not be opened because it is a folder; Windows calls that a lack of permission."""
    return isinstance(problem, IsADirectoryError) or (isinstance(problem, PermissionError) and path.is_dir())


def _suffix(path: PurePath) -> tuple[str, bool]:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        return (suffixes[-2] if len(suffixes) > 1 else ""), True
    return (suffixes[-1] if suffixes else ""), False


def _buffered(stream: BinaryIO) -> io.BufferedReader:
    """Return a stream that can be looked into before it is read."""
    return io.BufferedReader(cast(io.RawIOBase, stream))


def _sniffed(stream: io.BufferedReader) -> str:
    head = stream.peek(4096)
    if head.startswith(b"PAR1"):
        return "parquet"
    start = head.removeprefix(BOM).lstrip()
    if start.startswith(b"{"):
        return "jsonl"
    if start.startswith((b"@", b"%")):
        return "arff"
    return "csv"
