"""Jobs run in a warm worker process that can be stopped and may crash without affecting the server."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from induce.core.files import write_whole
from induce.workbench.steps import JobStep

PATIENCE = 3.0
"""Seconds that a stopped learner has to save its result before its process is killed."""
STEP = 0.1
"""Minimum seconds between two progress messages."""
DIED = "the worker process ended unexpectedly, perhaps because memory ran out; other runs are not affected"


@dataclass
class Job:
    """State of a job."""

    state: str = "waiting"
    share: float = 0.0
    phase: str = ""
    problem: str = ""
    began: float = field(default_factory=time.monotonic)
    stopping: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain data; the remaining time is extrapolated from the progress."""
        spent = time.monotonic() - self.began
        left = spent * (1 - self.share) / self.share if 0.05 < self.share < 1 else None
        told = {"state": self.state, "share": self.share, "phase": self.phase, "problem": self.problem}
        return told | {"spent": spent, "left": left}


class Jobs:
    """Queue of jobs for one warm worker process."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._turn = threading.Lock()
        self._process: Any = None
        self._connection: Any = None
        self._alive: Any = None
        self._jobs: dict[tuple[str, int], Job] = {}
        self._working: tuple[str, int] | None = None

    def warm(self) -> None:
        """Start the worker before it is needed."""
        threading.Thread(target=self._ready, daemon=True).start()

    def _ready(self) -> None:
        with self._turn:
            self._started()

    def _started(self) -> Any:
        if self._process is None or not self._process.is_alive():
            self._connection, theirs = self._context.Pipe()
            watched, self._alive = self._context.Pipe(duplex=False)
            self._process = self._context.Process(target=work, args=(theirs, watched), daemon=True)
            self._process.start()
            theirs.close()
            watched.close()
        return self._connection

    @property
    def pid(self) -> int | None:
        """Process id of the worker, if there is one."""
        return None if self._process is None else self._process.pid

    def begin(self, sheet: str, step: JobStep, folder: str, room: str) -> None:
        """Queue a job."""
        key = sheet, step.run
        self._jobs[key] = Job()
        threading.Thread(target=self._do, args=(key, step, folder, room), daemon=True).start()

    def job(self, sheet: str, run: int) -> Job | None:
        """Return the state of a job of this session, or None."""
        return self._jobs.get((sheet, run))

    def _do(self, key: tuple[str, int], step: JobStep, folder: str, room: str) -> None:
        job = self._jobs[key]
        with self._turn:
            if job.stopping:
                job.state = "stopped"
            else:
                self._working = key
                self._work(job, step, folder, room)
                self._working = None
        keep_end(job, Path(room) / f"run-{step.run}.json")

    def _work(self, job: Job, step: JobStep, folder: str, room: str) -> None:
        job.state, job.began = "running", time.monotonic()
        try:
            connection = self._started()
            # the job was stopped while the worker was starting, so there was nothing to interrupt
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
        except Exception:  # the worker died, perhaps in the middle of a message
            job.state, job.problem = ("stopped", "") if job.stopping else ("failed", DIED)
            if self._process is not None:
                self._process.kill()
            self._process = None

    def stop(self, sheet: str, run: int) -> None:
        """Ask a job to stop and to keep its result so far; kill the worker if it does not respond."""
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
        """Kill the worker."""
        if self._process is not None:
            self._process.kill()


def keep_end(job: Job, path: Path) -> None:
    """Save why a job failed, or that it was stopped without a result, for a later session."""
    if job.state == "failed" or (job.state == "stopped" and not path.exists()):
        write_whole(str(path), json.dumps({"state": job.state, "problem": job.problem}).encode())


def work(connection: Any, alive: Any) -> None:
    """Execute the jobs that arrive over a connection until it closes; end with the server."""
    from induce.core.worker import end_when_closed, silence_native_code

    end_when_closed(alive)
    silence_native_code()
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
    except Exception as problem:  # any exception of a learner fails its job, not the workbench
        return "failed", " ".join(str(problem).split()) or type(problem).__name__
