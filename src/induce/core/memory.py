"""Memory: the bytes left for this process, and errors that mean that there were too few."""

from __future__ import annotations

import ctypes
import errno
import math
import os
import sys
from functools import cache
from pathlib import Path

from induce.core.errors import InputError

SIGNS = ("failed to map segment", "annot allocate memory", "can't start new thread", "out of memory")
"""Parts of messages that report a lack of memory."""
RESERVED = 600_000_000 + 150_000_000 * (os.cpu_count() or 1)
"""Bytes of address space that the threads and the allocators of polars take without using them; polars aborts the
process where it does not get them."""
SPARE = 200_000_000
"""The same once its threads run."""
TIMES = 3
"""Bytes of address space needed for a table, per byte of its cells as read; of memory, another copy is enough."""
_started: list[bool] = []
ARENA_MAX = -8
"""Parameter of mallopt of the GNU C library."""
CONTAINER = Path("/sys/fs/cgroup")


def is_shortage(error: BaseException) -> bool:
    """Return whether an error reports a lack of memory, by its type or by its message.

    Examples
    --------
    >>> is_shortage(ImportError("libarrow.so: failed to map segment from shared object"))
    True
    >>> is_shortage(ImportError("No module named 'arrow'"))
    False
    """
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    if any(sign in str(error) for sign in SIGNS):
        return True
    before = (
        error.__cause__ or error.__context__
    )  # a library that cannot be loaded is often said to be missing
    return before is not None and is_shortage(before)


def memory_left() -> float:
    """Return the bytes that this process can still use: of its limit, its container and the machine.

    It is infinite if the system does not report them.

    Examples
    --------
    >>> memory_left() > 0
    True
    """
    return min(_left_of_limit(), _left_of_container(), _left_of_machine())


def require_memory(cells: float, name: str, started: bool = False) -> None:
    """Raise an `InputError` if the memory left is too small for a table of so many bytes.

    `started` says that polars has started its threads.
    """
    limited = _left_of_limit()
    if math.isfinite(limited):
        _use_one_arena()
    reserved = SPARE if started or _started else RESERVED
    if started:
        _started[:] = [True]
    left = min((limited - reserved) / TIMES, _left_of_container(), _left_of_machine())
    if cells > left:
        raise InputError(
            f"there is not enough memory for {name!r}: {max(0.0, left) / 1e6:,.0f} MB are left, and it needs more; "
            "learn from a part of it, or raise the limit"
        )


@cache
def _use_one_arena() -> None:
    """Let all threads allocate from one arena: others take 128 MB of address space each, most of it unused.

    Polars aborts where the rest does not suffice.
    """
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "mallopt"):
        library.mallopt(ARENA_MAX, 1)


def _left_of_limit() -> float:
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return math.inf
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return limit - pages * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return math.inf


def _left_of_container() -> float:
    try:
        most, used = (
            int((CONTAINER / name).read_text(encoding="ascii")) for name in ("memory.max", "memory.current")
        )
        # pages of files that were read are counted as used, but are given back when memory is short
        stated = (CONTAINER / "memory.stat").read_text(encoding="ascii").split()
        return most - used + int(stated[stated.index("file") + 1])
    except (OSError, ValueError):  # there is none, or it has no limit
        return math.inf


def _left_of_machine() -> float:
    try:
        told = Path("/proc/meminfo").read_text(encoding="ascii")
        return int(told.partition("MemAvailable:")[2].split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        return math.inf
