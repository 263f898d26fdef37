"""Reading and writing of network files."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable
from typing import IO

from induce.belief_networks.files.bif import read_bif, write_bif
from induce.belief_networks.files.formats import FORMATS, format_of
from induce.belief_networks.files.xdsl import read_xdsl, write_xdsl
from induce.belief_networks.files.xmlbif import read_xmlbif, write_xmlbif
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.core.files import Path, write_whole

WRITERS: dict[str, Callable[[Representation], str]] = {
    "bif": write_bif,
    "xmlbif": write_xmlbif,
    "xdsl": write_xdsl,
}
LARGEST = 2**30
"""Maximum size of a decompressed file in bytes."""
BLOCK = 2**20


def read_network(path: Path) -> BeliefNetwork:
    """Read a network from a file in the format implied by the file name."""
    chosen = _known(path)
    try:
        with open(path, "rb") as file:
            if os.fspath(path).lower().endswith(".gz"):
                with gzip.open(file) as packed:
                    data = _bounded(packed)
            else:
                data = _bounded(file)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {os.fspath(path)!r} ({reason})") from None
    if len(data) > LARGEST:
        raise InputError(f"cannot read {os.fspath(path)!r}: it is larger than {LARGEST:,} bytes")
    try:
        if chosen == "bif":
            return read_bif(_decoded(data).replace("\r\n", "\n"))
        return read_xmlbif(data) if chosen == "xmlbif" else read_xdsl(data)
    except InputError as error:
        raise InputError(f"cannot read {os.fspath(path)!r}: {error}") from None


def _bounded(file: IO[bytes] | gzip.GzipFile) -> bytes:
    """Return the bytes of a file, one more than `LARGEST` at most, without allocating that many at once."""
    data = bytearray()
    while len(data) <= LARGEST and (block := file.read(BLOCK)):
        data += block
    return bytes(data)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def write_network(network: Representation, path: Path) -> None:
    """Write a network to a file atomically, in the format implied by the file name."""
    data = (WRITERS[_known(path)](network) + "\n").encode()
    write_whole(path, gzip.compress(data, mtime=0) if os.fspath(path).lower().endswith(".gz") else data)


def _known(path: Path) -> str:
    chosen = format_of(path)
    if chosen is None:
        raise InputError(
            f"the name {os.fspath(path)!r} has no known extension; use {', '.join(FORMATS)}, "
            "optionally followed by .gz"
        )
    return chosen
