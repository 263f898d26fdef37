"""Time limits for fits of any learner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from induce.core import trace
from induce.core.time_limit import at_most
from induce.core.worker import UnsendableError, in_process

Result = TypeVar("Result")


def within(seconds: float | None, learner: Any, task: Callable[[], Result]) -> Result:
    """Return the result of a task with a learner; raise `TimeoutError` if it takes longer than a number of seconds.

    Learners of induce check the clock. Others do not, so they run in another process, which can be killed. If
    a learner cannot be sent to a process, the timeout is detected only after the task has finished.
    """
    if seconds is None or trace.active() or _ours(learner):
        with at_most(seconds):
            return task()
    try:
        return in_process(task, seconds)
    except UnsendableError:
        with at_most(seconds):
            return task()


def _ours(learner: Any) -> bool:
    """Return whether a learner, and every learner inside it, belongs to this package."""
    parts = (
        [learner, *learner.get_params(deep=True).values()] if hasattr(learner, "get_params") else [learner]
    )
    return all(type(part).__module__.partition(".")[0] == "induce" for part in parts if hasattr(part, "fit"))
