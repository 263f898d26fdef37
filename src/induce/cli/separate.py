"""A process of its own for a command that reads formats parsed by native code, which may abort its process.

The command as a whole runs there, so no table travels between processes. This process only waits.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

NATIVE = (".parquet", ".pq", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".zip")
"""Extensions of formats that need not begin with the bytes below."""
HEADS = (
    b"PAR1",
    b"SQLite format 3\0",
    b"\xd0\xcf\x11\xe0",  # old spreadsheets
    b"\0\0",  # idx
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"BM",
    b"II*\0",
    b"MM\0*",
    b"RIFF",
    *(b"P%d%c" % (kind, space) for kind in range(1, 7) for space in b" \t\r\n#"),
)
"""First bytes of databases, images, archives and tables in binary formats."""
TARBALL = (257, b"ustar")
PLANS = "experiment"
SERVER = "workbench"
"""Command that never reads a file itself."""
ENTRY = (
    "import signal, sys; hasattr(signal, 'pthread_sigmask') and signal.pthread_sigmask(signal.SIG_SETMASK, {mask}); "
    "sys.path[:] = {path}; from induce.cli.separate import begin; sys.exit(begin({pipe}))"
)
FAILED, INTERRUPTED, BUG = 2, 130, 70
"""Exit codes of a command that ended by itself."""
FROM_TERMINAL = 128
"""Code of a signal that the terminal sends, which reaches all processes of the command."""
FORWARDED = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def is_needed(arguments: Sequence[str]) -> bool:
    """Return whether a command reads a file that native code parses.

    A command whose output is redirected within Python stays in this process: another could not write to it.
    """
    if sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__ or arguments[:1] == [SERVER]:
        return False
    if arguments[:1] == [PLANS]:  # its tables are named in a file
        return True
    return any(map(_is_native, _values(arguments)))


def run(arguments: Sequence[str]) -> int:
    """Run a command in a process of its own, and return its exit code; its death is reported in one sentence."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    ends_with_us, ours = os.pipe()
    os.set_inheritable(ends_with_us, True)
    waits = hasattr(signal, "sigwaitinfo") and threading.current_thread() is threading.main_thread()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {*FORWARDED, signal.SIGCHLD}) if waits else set()
    entry = ENTRY.format(mask={int(each) for each in mask} or "set()", path=sys.path, pipe=ends_with_us)
    try:
        process = subprocess.Popen([sys.executable, "-c", entry, *arguments], close_fds=False)
        os.close(ends_with_us)
        code = _ended(process) if waits else _ended_elsewhere(process)
    finally:
        os.close(ours)
        if waits:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if code in (0, FAILED, INTERRUPTED, BUG):
        return code
    if -code in FORWARDED:
        return 128 - code
    _say_death(code, arguments)
    return FAILED


def begin(pipe: int) -> int:
    """Run the command of this process; it ends with the process that waits for it."""
    from induce.cli import run_here
    from induce.core.worker import end_when_closed, silence_native_code

    try:
        silence_native_code()
        if os.name == "posix":
            from multiprocessing.connection import Connection

            end_when_closed(Connection(pipe, writable=False))
        return run_here(sys.argv[1:])
    except Exception:
        traceback.print_exc()
        return BUG


def _ended(process: subprocess.Popen[bytes]) -> int:
    """Wait for a process, and forward the signals that only this process gets."""
    while (code := process.poll()) is None:
        told = signal.sigwaitinfo({*FORWARDED, signal.SIGCHLD})
        if told.si_signo in FORWARDED and told.si_code != FROM_TERMINAL:
            process.send_signal(told.si_signo)
    return code


def _ended_elsewhere(process: subprocess.Popen[bytes]) -> int:
    """Wait for a process where signals cannot be waited for; Ctrl-C reaches it from the terminal."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def _say_death(code: int, arguments: Sequence[str]) -> None:
    reason = signal.Signals(-code).name if code < 0 else f"the status {code}"
    files = [each for each in _values(arguments) if _is_native(each)]
    named = f" of {Path(files[0]).name!r}" if files else ""
    print(
        f"induce: error: the process for the command ended with {reason}: there is not enough memory for the contents"
        f"{named}, or they are damaged",
        file=sys.stderr,
    )


def _values(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the arguments, and the values that follow an equals sign."""
    for each in arguments:
        yield each.partition("=")[2] if each.startswith("--") and "=" in each else each


def _is_native(source: str) -> bool:
    """Return whether native code parses a source: a file, a folder, a pattern, an address or standard input."""
    if source == "-":
        return _is_native_input()
    if "://" in source or source.lower().removesuffix(".gz").endswith(NATIVE):
        return True
    try:
        if os.path.isdir(source):
            return any(each.is_dir() or _is_native(each.path) for each in os.scandir(source))
        if os.path.isfile(source):
            with open(source, "rb") as file:
                return _is_native_head(file.read(512))
    except (OSError, ValueError):
        pass  # the reader reports it
    return False


def _is_native_input() -> bool:
    """Return whether standard input may be in a binary format; a pipe cannot be looked into."""
    try:
        file = sys.stdin.fileno()
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return True
        return _is_native_head(os.pread(file, 512, os.lseek(file, 0, os.SEEK_CUR)))
    except (AttributeError, OSError, ValueError):
        return False


def _is_native_head(head: bytes) -> bool:
    at, mark = TARBALL
    return head.startswith(HEADS) or head[at:].startswith(mark)
