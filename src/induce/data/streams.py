"""Byte sources of a table: files, folders of files, compressed files, standard input."""

from __future__ import annotations

import glob
import gzip
import io
import os
import signal
import sys
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import BinaryIO, cast

from induce.core.errors import InputError
from induce.core.memory import require_memory
from induce.data.encodings import BOM, Recoded, wide_encoding
from induce.data.object_stores import is_address, objects

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
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
}
TEXT = ("csv", "jsonl", "json", "arff")


@dataclass(frozen=True)
class Source:
    """An opened source: its format, its name in messages, and its bytes.

    `encoding` is the original encoding of its text, if it was converted to UTF-8; `address` is the place of a file in
    an object store, whose bytes are not in the stream.
    """

    format: str
    name: str
    suffix: str
    stream: BinaryIO
    path: Path | None = None
    encoding: str = ""
    address: str = ""


@dataclass(frozen=True)
class Inside:
    """A file in a zip archive."""

    archive: Path
    member: str

    def __str__(self) -> str:
        return f"{self.archive}/{self.member}"


def parts_of(source: str | Path | Inside | Sequence[str | Path]) -> list[str | Path | Inside]:
    """Return the files of one table: those in a folder or zip archive or matching a pattern, sorted by name.

    The files of a list keep its order. Any other source is its own only part.
    """
    if isinstance(source, list | tuple):
        return [part for each in source for part in parts_of(each)]
    source = cast("str | Path | Inside", source)
    if isinstance(source, str) and is_address(source):
        return [*objects(source)]
    if isinstance(source, Inside) or str(source) == "-":
        return [source]
    path = Path(source)
    if path.is_dir():
        found: list[str | Path | Inside] = [each for each in sorted(path.iterdir()) if _is_table(each.name)]
        if not found:
            raise InputError(
                f"{str(source)!r} is a directory without a table in it; name a file or another folder"
            )
        return found
    if not path.exists() and any(mark in str(source) for mark in "*?["):
        matches = [each for each in sorted(glob.glob(str(source), recursive=True)) if os.path.isfile(each)]
        if not matches:
            raise InputError(f"no file matches {str(source)!r}")
        return [Path(each) for each in matches]
    if path.suffix.lower() == ".zip" and path.is_file():
        return list(_members(path))
    return [source]


def _members(path: Path) -> Iterator[Inside]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(each.filename for each in archive.infolist() if not each.is_dir())
    except (zipfile.BadZipFile, OSError):
        raise InputError(f"{path.name!r} is not a complete zip archive; create it again") from None
    tables = [name for name in names if "__MACOSX" not in name and _is_table(name.rpartition("/")[2])]
    if not tables:
        raise InputError(f"{path.name!r} has no table in it; the known extensions are {', '.join(FORMATS)}")
    for name in tables:
        yield Inside(path, name)


def _is_table(name: str) -> bool:
    return not name.startswith((".", "~$")) and _suffix(PurePath(name))[0] in FORMATS


@contextmanager
def opened(source: str | Path | Inside, encoding: str | None = None) -> Iterator[Source]:
    """Open a file, or standard input for ``"-"``, and detect its format.

    Text in UTF-16, or in the declared `encoding`, is converted to UTF-8.

    Errors of the file system and of damaged compression are reported in one sentence each.
    """
    _refuse_in_fork()
    require_memory(0, str(source))
    if hasattr(signal, "siginterrupt"):
        # Ctrl-C during a read from a pipe would resume the read once polars is loaded, instead of ending it
        signal.siginterrupt(signal.SIGINT, True)
    if str(source) == "-":
        stream = _buffered(sys.stdin.buffer)
        try:
            yield _as_utf8(Source(_sniffed(stream), "standard input", "", stream), encoding)
        finally:
            stream.detach()  # otherwise garbage collection of the wrapper would close standard input
        return
    if isinstance(source, str) and is_address(source):
        yield Source("parquet", source, ".parquet", io.BytesIO(), address=source)
        return
    inside = isinstance(source, Inside)
    path = Path(source.member if isinstance(source, Inside) else source)
    name = path.name
    suffix, compressed = _suffix(path)
    try:
        with _file(source) as file:
            stream = _buffered(cast(BinaryIO, gzip.GzipFile(fileobj=file))) if compressed else file
            format = FORMATS.get(suffix) if suffix else _sniffed(stream)
            if format is None:
                raise InputError(
                    f"{name!r} has the unknown extension {suffix!r}; the known ones are "
                    f"{', '.join(FORMATS)} (text also with .gz), .zip, and folders of such files"
                )
            yield _as_utf8(Source(format, name, suffix, stream, None if inside else path), encoding)
    except FileNotFoundError:
        raise InputError(f"there is no file {str(source)!r}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        kind = "gzip file" if compressed else "zip archive"
        raise InputError(f"{name!r} is not a complete {kind}; compress it again") from None
    except OSError as error:
        if _is_folder(path, error):
            raise InputError(f"{str(source)!r} is a directory; name a file in it") from None
        raise InputError(f"{str(source)!r} cannot be read: {error.strerror}") from None


@contextmanager
def _file(source: str | Path | Inside) -> Iterator[io.BufferedReader]:
    if not isinstance(source, Inside):
        with Path(source).open("rb") as file:
            yield file
        return
    try:
        with zipfile.ZipFile(source.archive) as archive, archive.open(source.member) as member:
            yield _buffered(cast(BinaryIO, member))
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError):
        raise InputError(
            f"{source.member!r} in {source.archive.name!r} cannot be unpacked: it is damaged or has a password"
        ) from None


def _as_utf8(source: Source, encoding: str | None) -> Source:
    """Return a source with text in UTF-8, if its encoding can be detected from its beginning."""
    if source.format not in TEXT:
        return source
    head = cast(io.BufferedReader, source.stream).peek(1 << 16)
    found = encoding or wide_encoding(head)
    if encoding is not None and head.startswith(BOM):
        found = "utf-8-sig"
    if found is None:
        return source
    stream = io.BufferedReader(Recoded(source.stream, found, source.name))
    return replace(source, stream=stream, encoding="" if encoding else found.upper())


_used_here = _used_by_parent = False


def _in_child() -> None:
    global _used_by_parent
    _used_by_parent = _used_by_parent or _used_here


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def _refuse_in_fork() -> None:
    """Refuse to read in a forked process after its parent has: polars would wait for threads that do not exist."""
    global _used_here
    if _used_by_parent:
        raise InputError(
            "this process was forked after its parent had read a table, which makes polars hang; read the table "
            "before the fork, or start processes by 'spawn' or 'forkserver'"
        )
    _used_here = True


def refuse_foreign(head: bytes, name: str) -> None:
    """Raise an error if the first bytes are not UTF-8 text."""
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise InputError(f"{name!r} is a spreadsheet or archive; end its name in .xlsx, .xls, .ods or .zip")
    if head.startswith(b"\x1f\x8b"):
        raise InputError(f"{name!r} is compressed; end its name in .gz")


def decoded(line: bytes, number: int, name: str) -> str:
    """Return a line of text; raise an error that names the line if it is not UTF-8."""
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
    """Return the text of a file in UTF-8 with normalised line ends; an `InputError` says why it cannot be read."""
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
    """Return the name of a table from its file: the name without its format suffix.

    Examples
    --------
    >>> from pathlib import PureWindowsPath
    >>> title_of(PureWindowsPath(r"C:\\data\\Weather.CSV.GZ"))
    'Weather'
    """
    suffix, compressed = _suffix(path)
    return path.name[: len(path.name) - len(suffix) - len(".gz" if compressed else "")]


def name_of(source: str | Path | Inside | Sequence[str | Path]) -> str:
    """Return the name of a source in messages."""
    if isinstance(source, list | tuple):
        return f"{name_of(source[0])} and {len(source) - 1:,} more" if len(source) > 1 else name_of(source[0])
    return "standard input" if str(source) == "-" else repr(Path(str(source)).name)


def _is_folder(path: Path, problem: OSError) -> bool:
    """Return whether a file could not be opened because it is a folder; Windows reports that as a lack of
    permission."""
    return isinstance(problem, IsADirectoryError) or (isinstance(problem, PermissionError) and path.is_dir())


def _suffix(path: PurePath) -> tuple[str, bool]:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        return (suffixes[-2] if len(suffixes) > 1 else ""), True
    return (suffixes[-1] if suffixes else ""), False


def _buffered(stream: BinaryIO) -> io.BufferedReader:
    """Return a stream that supports peeking."""
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
