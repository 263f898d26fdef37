"""Jobs: learning happens in a process of its own, which stays warm, can be stopped, and may die without harm."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from induce.workbench.steps import JobStep

PATIENCE = 3.0
"""Seconds that a learner has to keep what it has found after it was asked to stop."""
STEP = 0.1
"""The least time between two messages about progress."""
DIED = "the process of the learner ended, perhaps for want of memory; the other runs are as they were"


@dataclass
class Job:
    """A run that is under way, or was."""

    state: str = "waiting"
    share: float = 0.0
    phase: str = ""
    problem: str = ""
    began: float = field(default_factory=time.monotonic)
    stopping: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return what the page shows of it; the time left follows from the share that is done."""
        spent = time.monotonic() - self.began
        left = spent * (1 - self.share) / self.share if 0.05 < self.share < 1 else None
        told = {"state": self.state, "share": self.share, "phase": self.phase, "problem": self.problem}
        return told | {"spent": spent, "left": left}


class Jobs:
    """One warm process, which does one job after the other."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._turn = threading.Lock()
        self._process: Any = None
        self._connection: Any = None
        self._jobs: dict[tuple[str, int], Job] = {}
        self._working: tuple[str, int] | None = None

    def warm(self) -> None:
        """Start the process before there is work for it."""
        threading.Thread(target=self._ready, daemon=True).start()

    def _ready(self) -> None:
        with self._turn:
            self._started()

    def _started(self) -> Any:
        if self._process is None or not self._process.is_alive():
            self._connection, theirs = self._context.Pipe()
            self._process = self._context.Process(target=work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
        return self._connection

    @property
    def pid(self) -> int | None:
        """The number of the process, if there is one."""
        return None if self._process is None else self._process.pid

    def begin(self, sheet: str, step: JobStep, folder: str, room: str) -> None:
        """Do a run as soon as those before it are done."""
        key = sheet, step.run
        self._jobs[key] = Job()
        threading.Thread(target=self._do, args=(key, step, folder, room), daemon=True).start()

    def job(self, sheet: str, run: int) -> Job | None:
        """Return what is known of a run of this process; nothing of runs of earlier ones."""
        return self._jobs.get((sheet, run))

    def _do(self, key: tuple[str, int], step: JobStep, folder: str, room: str) -> None:
        job = self._jobs[key]
        with self._turn:
            if job.stopping:
                job.state = "stopped"
                return
            self._working = key
            job.state, job.began = "running", time.monotonic()
            try:
                connection = self._started()
                # whoever stopped the run while the process started found none to interrupt
                if job.stopping:
                    job.state = "stopped"
                    return
                connection.send((step, folder, room))
                while True:
                    kind, said = connection.recv()
                    if kind == "share":
                        job.share = max(job.share, float(said[0]))  # never backwards
                        job.phase = said[1]
                    else:
                        job.state, job.problem = (said, "") if kind == "done" else ("failed", said)
                        break
            except Exception:  # it died, perhaps in the middle of a message
                job.state, job.problem = ("stopped", "") if job.stopping else ("failed", DIED)
                if self._process is not None:
                    self._process.kill()
                self._process = None
            finally:
                self._working = None

    def stop(self, sheet: str, run: int) -> None:
        """Ask a run to stop and to keep what it has; end its process if it does not listen."""
        job = self.job(sheet, run)
        if job is None or job.state not in ("waiting", "running"):
            return
        job.stopping = True
        if self._working == (sheet, run) and self.pid is not None:
            os.kill(self.pid, signal.SIGINT)
            threading.Timer(PATIENCE, self._end, args=(sheet, run)).start()

    def _end(self, sheet: str, run: int) -> None:
        job = self.job(sheet, run)
        process = self._process
        if (
            job is not None
            and job.state == "running"
            and self._working == (sheet, run)
            and process is not None
        ):
            process.kill()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()


def work(connection: Any) -> None:
    """Do what comes over a connection, one run after the other, until it closes."""
    import induce.evaluation.estimating.estimate  # noqa: F401  (warm: the first run begins at once)
    from induce.workbench.assessment import done

    while True:
        try:
            step, folder, room = connection.recv()
        except (EOFError, OSError):
            return
        except KeyboardInterrupt:
            continue
        connection.send(_done(connection, lambda: done(step, folder, room)))  # noqa: B023


def _done(connection: Any, task: Callable[[], str]) -> tuple[str, str]:
    from induce.core.progress import current_phase, progress

    last, doing = 0.0, ""

    def tell(share: float) -> None:
        nonlocal last, doing
        now, said = time.monotonic(), current_phase()
        if now - last >= STEP or said != doing:
            last, doing = now, said
            connection.send(("share", (share, said)))

    try:
        with progress(tell):
            return "done", task()
    except KeyboardInterrupt:
        return "done", "stopped"
    except Exception as problem:  # whatever a learner raises is the run's problem, not the workbench's
        return "failed", " ".join(str(problem).split()) or type(problem).__name__
