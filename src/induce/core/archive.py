"""The container of a model file: a zip of one JSON text and plain arrays, treated as untrusted input.

Nothing is extracted to disk and nothing is unpickled. Declared sizes are checked before anything is read, and reading
is bounded by them, so a small file cannot claim more memory than its arrays need.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import struct
import zipfile
from collections.abc import Iterable
from typing import IO, Any

import numpy as np

from induce.core.codec import MAX_DEPTH, Array, Json
from induce.core.errors import InputError, ModelFileError

MAX_TOTAL = 2**30
"""Maximum number of bytes of all members together, uncompressed."""
MAX_JSON = 2**25
"""Maximum number of bytes of the JSON text."""
MAX_TOKENS = 8_000_000
"""Maximum number of strings, commas and brackets in the JSON text, because each costs memory to parse."""
MAX_JSON_DEPTH = 2 * MAX_DEPTH + 8
"""Maximum nesting: a value takes at most two levels of JSON, and the document around it a few more."""
MAX_MEMBERS = 50_000

_TEXT = "model.json"
_CHUNK = 2**20
_DEFLATE_LIMIT = 1032  # maximum compression ratio of deflate

_END = struct.Struct("<4s4H2LH")
_ENTRY = 100  # generous size of one of our directory entries in bytes
_ZIP64_LOCATOR = (b"PK\x06\x07", 20)

# possessive quantifiers and the optional last quote keep this linear for any text
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[][{},]', re.DOTALL)
_DEPTH_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_HEADER = re.compile(
    rb"\{'descr': '([<|][biuf][1248])', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), ?\} *\n"
)
_HEADER_START = struct.Struct("<8sH")
_MAX_HEADER = 2000


def pack(document: Json, arrays: Iterable[Array], compressed: bool = True) -> bytes:
    """Return the bytes of a model file; the same content gives the same bytes.

    Parameters
    ----------
    document : JSON value
    arrays : iterable of arrays
    compressed : bool, default=True
        Whether the parts are compressed; files that live for a short time are faster to write without.

    Examples
    --------
    >>> import io, numpy as np
    >>> with Archive(io.BytesIO(pack({"format": 1}, [np.eye(2)]))) as archive:
    ...     print(archive.document(), archive.array(0).shape)
    {'format': 1} (2, 2)
    """
    text = json.dumps(document, allow_nan=False, separators=(",", ":")).encode("ascii")
    members = {_TEXT: text}
    for i, array in enumerate(arrays):
        members[_array_name(i)] = _array_bytes(array)
    sizes = [len(data) for data in members.values()]
    try:
        _check_sizes(sizes[0], sum(sizes), len(sizes))
        _check_json(text)
    except ModelFileError as error:
        raise InputError(f"the model is too large for a model file: {error}") from error
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
            info.create_system = 3  # the same on every system
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()


class Archive:
    """A model file open for reading; everything it returns has been checked."""

    def __init__(self, file: IO[bytes]) -> None:
        size = file.seek(0, os.SEEK_END)
        _check_directory(file, size)
        self._zip = zipfile.ZipFile(file)
        self._members = _checked_members(self._zip.infolist(), size)
        self._unread = set(range(len(self._members) - 1))

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exception: object) -> None:
        self._zip.close()

    def document(self) -> Json:
        """Return the JSON document."""
        info = self._members[_TEXT]
        text = bytearray(info.file_size)
        with self._zip.open(info) as stream:
            _fill(stream, memoryview(text))
        _check_json(text)
        return json.loads(
            text.decode("ascii"),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_constant=_constant,
        )

    def array(self, index: int) -> Array:
        """Return the `index`-th array, in C order and native byte order; each can be read once."""
        if index not in self._unread:
            raise ModelFileError(f"it refers to an array {index} that it does not have or has already used")
        self._unread.remove(index)
        info = self._members[_array_name(index)]
        with self._zip.open(info) as stream:
            dtype, shape, start = _read_header(stream)
            if start + math.prod(shape) * dtype.itemsize != info.file_size:
                raise ModelFileError(f"its array {index} does not have its declared size")
            array = np.empty(shape, dtype)
            raw = array.reshape(-1).view(np.uint8)
            _fill(stream, raw.data)
        if dtype.kind == "b" and raw.size and raw.max() > 1:
            raise ModelFileError(f"its array {index} holds bytes that are neither true nor false")
        return array.astype(dtype.newbyteorder("="), copy=False)

    def check_all_read(self) -> None:
        """Raise an error if there are unreferenced arrays."""
        if self._unread:
            raise ModelFileError(f"it has an unreferenced array {min(self._unread)}")


def _array_name(index: int) -> str:
    return f"arrays/{index}.npy"


def _array_bytes(array: Array) -> bytes:
    buffer = io.BytesIO()
    # asarray and not ascontiguousarray, which would give a 0-d array a dimension
    canonical = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    np.lib.format.write_array(buffer, canonical, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _check_sizes(text: int, total: int, members: int) -> None:
    if members > MAX_MEMBERS:
        raise ModelFileError(f"more than {MAX_MEMBERS - 1} arrays")
    if text > MAX_JSON:
        raise ModelFileError(f"{text:,} bytes of text; the maximum is {MAX_JSON:,}")
    if total > MAX_TOTAL:
        raise ModelFileError(f"{total:,} bytes; the maximum is {MAX_TOTAL:,}")


def _check_directory(file: IO[bytes], size: int) -> None:
    """Reject a file that is not a plain zip, or has a huge directory, before zipfile reads the directory."""
    magic, distance = _ZIP64_LOCATOR
    file.seek(max(0, size - _END.size - distance))
    tail = file.read(_END.size + distance)
    if len(tail) < _END.size:
        raise ModelFileError("it is not a model file, or only part of one")
    signature, _, _, _, _, length, _, comment = _END.unpack(tail[-_END.size :])
    if signature != b"PK\x05\x06" or comment or tail.startswith(magic):
        raise ModelFileError("it is not a model file, or only part of one")
    if length > MAX_MEMBERS * _ENTRY:
        raise ModelFileError(f"it has more than {MAX_MEMBERS - 1} arrays")


def _checked_members(infos: list[zipfile.ZipInfo], size: int) -> dict[str, zipfile.ZipInfo]:
    members = {info.orig_filename: info for info in infos}
    expected = {_TEXT, *(_array_name(i) for i in range(len(infos) - 1))}
    if len(members) != len(infos) or members.keys() != expected:
        raise ModelFileError("it does not have the parts of a model file")
    for info in infos:
        stored = info.compress_type == zipfile.ZIP_STORED
        if info.flag_bits & 1 or not (stored or info.compress_type == zipfile.ZIP_DEFLATED):
            raise ModelFileError("it is encrypted, or compressed by an unsupported method")
        if info.file_size > info.compress_size * (1 if stored else _DEFLATE_LIMIT):
            raise ModelFileError("a part of it declares a size that is too large")
    if sum(info.compress_size for info in infos) > size:
        raise ModelFileError("its parts declare a size larger than the whole file")
    _check_sizes(members[_TEXT].file_size, sum(info.file_size for info in infos), len(infos))
    return members


def _fill(stream: IO[bytes], target: memoryview) -> None:
    """Read exactly the number of bytes that fill `target`; the stream must end there."""
    position = 0
    while position < len(target):
        chunk = stream.read(min(_CHUNK, len(target) - position))
        if not chunk:
            raise ModelFileError("a part of it is shorter than declared")
        target[position : position + len(chunk)] = chunk
        position += len(chunk)
    if stream.read(1):
        raise ModelFileError("a part of it is longer than declared")


def _read_header(stream: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """Return dtype, shape and length of the header; only the output of `pack` is accepted.

    numpy's own reader parses Python literals and accepts many more dtypes than a model file may hold.
    """
    start = stream.read(_HEADER_START.size)
    if len(start) < _HEADER_START.size:
        raise ModelFileError("an array in it has no header")
    magic, length = _HEADER_START.unpack(start)
    header = stream.read(min(length, _MAX_HEADER))
    found = _HEADER.fullmatch(header)
    if magic != b"\x93NUMPY\x01\x00" or found is None:
        raise ModelFileError("an array in it has an invalid header")
    shape = tuple(int(number) for number in found[2].split(b",") if number.strip())
    return np.dtype(found[1].decode("ascii")), shape, len(start) + len(header)


def _check_json(text: bytes | bytearray) -> None:
    """Limit the stack and memory needed to parse the text."""
    depth = 0
    for count, token in enumerate(_TOKEN.finditer(text)):
        if count >= MAX_TOKENS:
            raise ModelFileError(f"more than {MAX_TOKENS:,} strings, commas and brackets outside its arrays")
        depth += _DEPTH_STEP.get(text[token.start()], 0)
        if depth > MAX_JSON_DEPTH:
            raise ModelFileError(f"values nested more than {MAX_DEPTH} deep")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ModelFileError("it has a duplicate key")
    return found


def _integer(digits: str) -> int:
    if (
        len(digits) > 20
    ):  # larger integers are written as hexadecimal text, which can be parsed in linear time
        raise ModelFileError("it has a number that is not in the notation of model files")
    return int(digits)


def _constant(name: str) -> float:
    raise ModelFileError(f"it has the number {name}, which is not in the notation of model files")
