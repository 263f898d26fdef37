"""A system that waits in a process of its own for tables to learn from and rows to predict."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import threading
from collections.abc import Sequence
from typing import Any, Self

from benchmarks.measure import ONE_THREAD, ROOT

_RUNNING: dict[tuple[str, ...], Process] = {}


class Process:
    """A process that answers each line of words, divided by tabs, with a line of JSON."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = tuple(command)
        self._process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env={**os.environ, **ONE_THREAD},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, *words: object, limit: float | None = None) -> dict[str, Any]:
        """Return the answer; a process that needs more than `limit` seconds is ended, with a `TimeoutError`."""
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            self._process.kill()

        timer = threading.Timer(threading.TIMEOUT_MAX if limit is None else limit, expire)
        timer.daemon = True
        timer.start()
        try:
            answer = self._answer("\t".join(map(str, words)))
        finally:
            timer.cancel()
        if expired.is_set():
            self._process.wait()  # or it may be taken for alive a moment longer
            raise TimeoutError(f"it takes longer than {limit} s")
        found: dict[str, Any] = json.loads(answer or '{"error": "it ended without an answer"}')
        if "error" in found:
            raise RuntimeError(f"{' '.join(self.command)}: {found['error']}")
        return found

    def _answer(self, line: str) -> str:
        said, heard = self._process.stdin, self._process.stdout
        assert said is not None
        assert heard is not None
        try:
            print(line, file=said, flush=True)
        except BrokenPipeError:
            return ""
        return heard.readline()

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


def running(command: Sequence[str]) -> Process:
    """The process of a command: one for all who ask, and a new one where the last has ended."""
    key = tuple(command)
    if key not in _RUNNING or not _RUNNING[key].alive:
        _RUNNING[key] = Process(key)
    return _RUNNING[key]


@atexit.register
def _close_all() -> None:
    for process in _RUNNING.values():
        process.close()
