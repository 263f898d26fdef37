"""Files written completely or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from induce.core.errors import InputError

Path = str | os.PathLike[str]

RECENT = 3600.0
"""Minimum age in seconds at which a temporary file of an unknown process is removed."""


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path`, so that the file is complete or unchanged.

    Parameters
    ----------
    path : str or path-like
    data : bytes

    Raises
    ------
    InputError
        When the path cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "rules.txt")
    ...     write_whole(file, b"IF wind = strong THEN no")
    ...     file.read_text()
    'IF wind = strong THEN no'
    """
    with whole_file(path) as stream:
        stream.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a stream whose bytes become the file `path` when the block ends, and are discarded when it fails.

    They are written to a temporary file next to the target, which then replaces the target atomically. A link is
    followed, and the permissions of a replaced file are kept. A device or pipe, such as ``/dev/stdout``, cannot be
    replaced and is written to directly.
    """
    try:
        target = os.path.realpath(path)
        mode = os.stat(target).st_mode if os.path.exists(target) else None
        special = mode is not None and not stat.S_ISREG(mode)
        temporary = target if special else _temporary(target, mode)
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from error
    try:
        with open(temporary, "wb") as stream:
            yield stream
            if not special:
                stream.flush()
                os.fsync(stream.fileno())
        if not special:
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, target)
    except BaseException as error:
        if not special:
            os.unlink(temporary)
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise _cannot_write(path, error) from error
        raise


def _temporary(target: str, mode: int | None) -> str:
    """Create an empty file next to the target, with the permissions of the target."""
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, "the file is read-only")
    folder, name = os.path.split(target)
    # 100 characters keep the temporary name valid even if the target's name has the maximum length
    start = f".{name[:100]}."
    _remove_left_over(folder, start)
    # the process id lets the next run distinguish leftovers of a killed process from files in use
    temporary = os.path.join(folder, f"{start}{os.getpid()}-{secrets.token_hex(4)}")
    # os.open rather than tempfile, whose files only their owner can read
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    return temporary


def _remove_left_over(folder: str, start: str) -> None:
    """Remove temporary files of the same target whose process was killed."""
    left_over = re.compile(re.escape(start) + r"(?:(\d+)-)?[0-9a-f]{8}")
    with contextlib.suppress(OSError):  # files that cannot be inspected or removed do no harm
        for name in os.listdir(folder or "."):
            found = left_over.fullmatch(name)
            if found and not _is_written(os.path.join(folder, name), found[1]):
                os.unlink(os.path.join(folder, name))


def _is_written(path: str, process: str | None) -> bool:
    """Return whether a temporary file may still be written: by a living process, or recently by an unknown one."""
    if process is None:
        return time.time() - os.stat(path).st_mtime < RECENT
    if int(process) == os.getpid():
        return True
    if os.name == "nt":  # on that system, probing a process by a signal would end it
        return time.time() - os.stat(path).st_mtime < RECENT
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _cannot_write(path: Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"cannot write {os.fspath(path)!r} ({reason}); give a writable path")
