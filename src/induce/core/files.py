"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat

from induce.core.errors import InputError

Path = str | os.PathLike[str]


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that the file is complete, or as it was before.

    The bytes go to a temporary file beside the target, which then takes the target's place in one step. A
    link is followed, and the permissions of a file that is replaced are kept. A device or pipe, such as
    ``/dev/stdout``, has no place to take and is written to directly.

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
    try:
        target = os.path.realpath(path)
        mode = os.stat(target).st_mode if os.path.exists(target) else None
        if mode is None or stat.S_ISREG(mode):
            _replace(target, data, mode)
        else:
            with open(target, "wb") as stream:
                stream.write(data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"cannot write {os.fspath(path)!r} ({reason}); give a path where a file may be written"
        ) from error


def _replace(target: str, data: bytes, mode: int | None) -> None:
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, "the file is read-only")
    folder, name = os.path.split(target)
    # 100 characters keep the temporary name valid where the target's own name is as long as may be
    temporary = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(4)}")
    # os.open rather than tempfile, whose files only their owner can read
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
